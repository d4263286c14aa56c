// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/synth"
)

func TestParserFindings(t *testing.T) {
	const head = "`default_nettype none\nmodule m (\n  input  wire logic a,\n  output      logic y\n);\n"
	const tail = "endmodule\n`resetall\n"
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"clean", "  assign y = a;\n", nil},
		{"syntax", "  assign y = ;\n", []string{"m.sv:6:14 syntax"}},
		{"outside the subset", "  initial y = 1'bx;\n", []string{"m.sv:6:11 initial", "m.sv:6:15 unknown-value"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range parserFindings([]synth.File{{Name: "m.sv", Text: head + c.body + tail}}) {
				if f.Tool != "nicgen" || f.Text == "" {
					t.Errorf("finding without tool or text: %+v", f)
				}
				got = append(got, fmt.Sprintf("%s:%d:%d %s", f.File, f.Line, f.Column, f.Rule))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
