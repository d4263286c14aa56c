// SPDX-License-Identifier: Apache-2.0

package upset_test

import (
	"os"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/registry"
)

// Every unit has a page that its command wrote, with the bound that its bench states.
func TestPages(t *testing.T) {
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil {
			t.Errorf("%s does not say what is legal after an upset", name)
			continue
		}
		b, err := os.ReadFile("../../docs/units/" + name + "_upset.md")
		if err != nil {
			t.Error(err)
			continue
		}
		page := string(b)
		for _, want := range append([]string{strings.TrimSpace(u.Upset.Lifetime), "nicgen upset " + name + " --seed 1 "}, headings(u.Upset.Settings)...) {
			if want == "" || !strings.Contains(page, want) {
				t.Errorf("%s_upset.md is stale: it does not have %q: run make upset", name, want)
			}
		}
		text, err := os.ReadFile("../../docs/units/" + name + ".md")
		if err != nil || !strings.Contains(string(text), "("+name+"_upset.md)") {
			t.Errorf("%s.md does not lead to %s_upset.md (%v)", name, name, err)
		}
	}
}

func headings(settings []string) (list []string) {
	for _, s := range settings {
		list = append(list, "## With "+s+"\n")
	}
	return list
}

// A sample of the measurement: no unit hangs or stays illegal, and the page has a row
// for each register and memory that the RTL has.
func TestSample(t *testing.T) {
	some := false
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil || u.Upset.Sample == 0 {
			continue
		}
		some = true
		t.Run(name, func(t *testing.T) {
			p, err := upset.NewPlan(u.New(), u.Upset.Settings[0], u.Bench, u.Upset)
			if err != nil {
				t.Fatal(err)
			}
			p.Seed, p.Runs, p.Flips, p.Cycles = 1, 2, 4, u.Upset.Sample
			r, err := upset.Run(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Errorf("%s\n%s", r.Sentence(), r.Table())
			}
			page, err := os.ReadFile("../../docs/units/" + name + "_upset.md")
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range r.Elements {
				if !strings.Contains(string(page), "| `"+e.Name+"` |") {
					t.Errorf("%s_upset.md is stale: there is no row for %s: run make upset", name, e.Name)
				}
			}
		})
	}
	if !some {
		t.Error("no unit says that it is a sample")
	}
}
