// SPDX-License-Identifier: Apache-2.0

package dialect

import "testing"

// Each construct that Icarus Verilog 11 refuses becomes one of the same meaning, and
// nothing else changes.
func TestForIcarus(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"type", "parameter int unsigned W = 8,\nlocalparam int unsigned N = 2;", "parameter logic [31:0] W = 8,\nlocalparam logic [31:0] N = 2;"},
		{"cast", "a = signed'(b) * unsigned'({c, d});", "a = $signed(b) * $unsigned({c, d});"},
		{"check", "if (W > 8) begin : g_check\n    $error(\"W: want at most 8\");\nend", "if (W > 8) begin : g_check\n    initial $fatal(1, \"W: want at most 8\");\nend"},
		{"step", "for (genvar g = 0; g < N; g += 2) begin", "for (genvar g = 0; g < N; g = g + 2) begin"},
		{"left alone", "print unsigned_q; for (genvar g = 0; g < N; g++) my_signed('0); W'(a); // int unsignedness", "print unsigned_q; for (genvar g = 0; g < N; g++) my_signed('0); W'(a); // int unsignedness"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ForIcarus(c.text); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
