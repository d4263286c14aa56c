// SPDX-License-Identifier: Apache-2.0

package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
)

// A run takes the place of an earlier one of the same design, configuration and
// simulator; all others stay, in their order.
func TestMerge(t *testing.T) {
	run := func(design, simulator string, events uint64, set map[string]string) Run {
		return Run{Unit: "u", Design: design, Simulator: simulator, Events: events, Set: set}
	}
	wide := map[string]string{"width": "9"}
	list := []Run{run(RTL, cosim.Icarus, 1, nil), run(RTL, cosim.CXXRTL, 2, nil), run(RTL, cosim.Icarus, 3, wide)}
	for _, c := range []struct {
		name string
		more Run
		want []uint64 // events
	}{
		{"the first", run(RTL, cosim.Icarus, 9, map[string]string{}), []uint64{9, 2, 3}},
		{"another configuration", run(RTL, cosim.CXXRTL, 9, wide), []uint64{1, 2, 3, 9}},
		{"one of two configurations", run(RTL, cosim.Icarus, 9, map[string]string{"width": "9"}), []uint64{1, 2, 9}},
		{"another design", run(Netlist, cosim.Icarus, 9, nil), []uint64{1, 2, 3, 9}},
		{"another unit", Run{Unit: "v", Design: RTL, Simulator: cosim.Icarus, Events: 9}, []uint64{1, 2, 3, 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []uint64
			for _, r := range Merge(list, []Run{c.more}) {
				got = append(got, r.Events)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("events (-want +got):\n%s", d)
			}
			if list[0].Events != 1 {
				t.Error("the list that was given changed")
			}
		})
	}
}

// Parse reads the text that Text writes of a failed run, and refuses a field of another format.
func TestParse(t *testing.T) {
	r := Run{Design: Netlist, Simulator: cosim.Verilator, Tools: []string{"a 1", "b 2"}, Command: "nicgen cosim --netlist", Set: map[string]string{"k": "v"}, Cells: map[string]int{"LUT2": 3}}
	r.Fill(&cosim.Report{Unit: "u", Seed: 7, Cycles: 20, Events: 10, Mismatches: 2, Outcome: cosim.Mismatch})
	if r.Unit != "u" || r.Seed != 7 || r.Cycles != 20 || r.Events != 10 || r.Mismatches != 2 || r.Outcome != cosim.Mismatch {
		t.Errorf("filled from a report: %+v", r)
	}
	text, err := Text([]Run{r})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Run{r}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for text, want := range map[string]string{
		`[{"unit":"u","second":1}]`: `json: unknown field "second": want a list of runs as nicgen cosim --record writes it`,
		`{}`:                        "want a list of runs as nicgen cosim --record writes it",
		"":                          "EOF: want a list of runs as nicgen cosim --record writes it",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
