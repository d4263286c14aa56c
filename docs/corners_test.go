// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/registry"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// Each corner case of nic_transport's page has a counter among the registers, a coverage point and a test; TestCitedNamesExist
// looks up the tests.
func TestCornerCases(t *testing.T) {
	page, err := os.ReadFile("units/nic_transport.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Corner cases\n")
	section, _, _ = strings.Cut(section, "\n## ")

	p := params.Default()
	counters := map[string]bool{}
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			counters[b.Name+"."+r.Name] = true
		}
	}
	points := map[string]bool{}
	add := func(unit string, list []cosim.Point) {
		for _, x := range list {
			points[unit+" "+x.Name] = true
		}
	}
	for _, u := range registry.Units {
		c := u.New()
		b, err := u.Bench(c)
		if err != nil {
			t.Fatal(err)
		}
		add(c.Unit(), b.Points())
	}
	fuzz, err := nictransport.Fuzz.New(p)
	if err != nil {
		t.Fatal(err)
	}
	add("fuzz", fuzz.Points())

	code := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || !strings.Contains(cells[5], "`") {
			continue
		}
		rows++
		for i, names := range map[int]map[string]bool{3: counters, 4: points} {
			found := code.FindAllStringSubmatch(cells[i], -1)
			if len(found) == 0 {
				t.Errorf("%s: nothing in column %d", cells[1], i)
			}
			for _, x := range found {
				if !names[x[1]] {
					t.Errorf("%s: there is no %q", cells[1], x[1])
				}
			}
		}
	}
	if rows < 18 {
		t.Errorf("%d corner cases, want all of them", rows)
	}
}
