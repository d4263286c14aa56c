// SPDX-License-Identifier: Apache-2.0

package cosim

import "testing"

// Registers act at both edges of the clock; a design for which that would be another one is refused.
func TestEveryEdge(t *testing.T) {
	src := Source{Top: "m", Clock: "clk", Files: []File{{Name: "m.sv", Text: "always_ff @(posedge clk) a <= b; // at the posedge\nalways @( posedge  clk) assert (a);\n"}}}
	got, err := everyEdge(src)
	if want := "always_ff @(edge clk) a <= b; // at the posedge\nalways @(edge clk) assert (a);\n"; err != nil || got.Files[0].Text != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got.Files[0].Text, want)
	}
	if src.Files[0].Text == got.Files[0].Text {
		t.Error("the source itself is changed")
	}
	for text, want := range map[string]string{
		"always_ff @(negedge clk) a <= b;":             "m.sv: module m acts at the negedge of clk, allowed: the posedge of its clock clk",
		"always_ff @(posedge clk or posedge rst) a++;": "m.sv: module m acts at the posedge of rst, allowed: the posedge of its clock clk",
		"always_ff @(posedge slow) a <= b;":            "m.sv: module m acts at the posedge of slow, allowed: the posedge of its clock clk",
		"assign a = b;":                                "module m has no register: a library needs a design with a clock",
	} {
		src.Files = []File{{Name: "m.sv", Text: text}}
		if _, err := everyEdge(src); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
