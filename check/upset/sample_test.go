// SPDX-License-Identifier: Apache-2.0

package upset_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/due"
	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
)

// record is what a full run found about a unit.
func record(t *testing.T, unit string) *upset.Report {
	t.Helper()
	text, err := os.ReadFile("../../docs/data/upset/" + unit + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var r upset.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	again, err := r.Text()
	if err != nil || string(again) != string(text) {
		t.Errorf("%s.json is not as nicgen upset writes it (%v)", unit, err)
	}
	return &r
}

// again tells whether a unit's record is listed as one to be made again.
func again(t *testing.T, unit string) bool {
	t.Helper()
	list, err := due.Read(os.DirFS("../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	return list.Has(unit, "upset")
}

// Every unit has a record of the configurations that its bench names, in which it was
// always legal again, and its page leads to the one that sums it up.
func TestRecords(t *testing.T) {
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil {
			continue // package registry tells of those
		}
		r := record(t, name)
		var settings []string
		for _, x := range r.Results {
			settings = append(settings, x.Settings)
			if !x.OK() || len(x.Elements) == 0 || x.Unit != name {
				t.Errorf("%s %s: %d elements of %s, legal again: %t", name, x.Settings, len(x.Elements), x.Unit, x.OK())
			}
		}
		text, err := os.ReadFile("../../docs/units/" + name + ".md")
		if err != nil || !strings.Contains(string(text), "("+name+"_upset.md)") {
			t.Errorf("%s.md does not lead to %s_upset.md (%v)", name, name, err)
		}
		if again(t, name) {
			continue
		}
		if r.Unit != name || !slices.Equal(settings, u.Upset.Settings) || !strings.HasPrefix(r.Command, "nicgen upset "+name+" --seed 1 ") {
			t.Errorf("%s.json is stale: it is of %s, made by %s, of the configurations %q: run make upset", name, r.Unit, r.Command, settings)
		}
	}
}

// A sample of the measurement: no unit hangs or stays illegal, and the record has each
// register and memory of the RTL. A short test takes a third of the units.
func TestSample(t *testing.T) {
	n := 0
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil || u.Upset.Sample == 0 {
			continue
		}
		if n++; sample.LeftOut(n, 3) {
			continue
		}
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
				t.Errorf("%s: %+v", r.Sentence(), slices.DeleteFunc(r.Elements, func(e upset.Element) bool { return e.Never == 0 }))
			}
			if again(t, name) {
				return
			}
			known := map[string]bool{}
			for _, e := range record(t, name).Results[0].Elements {
				known[e.Name] = true
			}
			for _, e := range r.Elements {
				if !known[e.Name] {
					t.Errorf("%s.json is stale: it does not have %s: run make upset", name, e.Name)
				}
			}
		})
	}
	if n == 0 {
		t.Error("no unit says that it is a sample")
	}
}

// What a unit protects is never seen when it is upset: many flips of that alone.
func TestMasked(t *testing.T) {
	some := false
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil || u.Upset.Masked == nil {
			continue
		}
		for _, settings := range u.Upset.Settings {
			p, err := upset.NewPlan(u.New(), settings, u.Bench, u.Upset)
			if err != nil {
				t.Fatal(err)
			}
			if p.Masked == nil {
				continue
			}
			some = true
			t.Run(name+" "+settings, func(t *testing.T) {
				p.Seed, p.Runs, p.Flips, p.Cycles, p.Only = 1, 4, 2000, 16*upset.Step, true
				r, err := upset.Run(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if !r.OK() {
					t.Errorf("%s: %+v", r.Sentence(), r.Elements)
				}
			})
		}
	}
	if !some {
		t.Error("no unit says what it protects")
	}
}

// A result is not in order if an output showed an upset of what is masked, even if it was right
// again.
func TestMaskedIsSeen(t *testing.T) {
	for _, c := range []struct {
		masked bool
		unseen int
		ok     bool
	}{{true, 4, true}, {true, 3, false}, {false, 3, true}} {
		r := upset.Result{Elements: []upset.Element{{Flips: 4, Masked: c.masked, Fates: upset.Fates{Unseen: c.unseen, Right: 4 - c.unseen}}}}
		if r.OK() != c.ok {
			t.Errorf("%+v: in order %t", c, r.OK())
		}
	}
}

// The elements of an instance are one group, those of its copies too; the worst come first.
func TestGroups(t *testing.T) {
	element := func(name string, right, legal, never int, events uint64) upset.Element {
		return upset.Element{Name: name, Flips: 4, Fates: upset.Fates{Right: right, Legal: legal, Never: never}, Again: upset.Span{MaxEvents: events}}
	}
	r := upset.Result{Elements: []upset.Element{element("a_q", 1, 0, 0, 9), element("lane[0].x_q", 2, 0, 0, 3), element("lane[1].part.x_q", 2, 1, 0, 5),
		element("b_q", 1, 0, 0, 2), element("other.y_q", 0, 0, 1, 0)}}
	got := ""
	for _, g := range r.Groups() {
		s := upset.Sum(g.Elements)
		got += fmt.Sprintf("%q: %d elements, %d flips, %d right after %d, %d legal, %d never\n", g.Name, len(g.Elements), s.Flips, s.Right, s.Again.MaxEvents, s.Legal, s.Never)
	}
	const want = `"other": 1 elements, 4 flips, 0 right after 0, 0 legal, 1 never
"lane": 2 elements, 8 flips, 4 right after 5, 1 legal, 0 never
"": 2 elements, 8 flips, 2 right after 9, 0 legal, 0 never
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
