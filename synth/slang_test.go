// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/tool"
)

// planted returns a part and a top that are clean, and those with a mistake in them.
func planted(replace ...string) []File {
	r := strings.NewReplacer(replace...)
	frame := func(s string) string {
		return "`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n" + r.Replace(s) + "`resetall\n"
	}
	return []File{
		{Name: "part.sv", Text: frame(`module part #(
  parameter int unsigned W = 4
) (
  input  wire logic         clk,
  input  wire logic [W-1:0] d,
  output      logic [W-1:0] q
);
  logic unused;
  assign unused = ^d;
  always_ff @(posedge clk) begin
    q <= d;
  end
endmodule
`)},
		{Name: "top.sv", Text: frame(`module top #(
  parameter int unsigned W = 4
) (
  input  wire logic         clk,
  input  wire logic [W-1:0] a,
  input  wire logic [1:0]   at,
  output      logic [W-1:0] y
);
  logic [W-1:0] late;
  logic [W-1:0] memory [4];
  always_ff @(posedge clk) begin
    late <= y;
    memory[at] <= late ^ a;
  end
  part #(
    .W (W)
  ) u_part (
    .clk (clk),
    .d   (memory[at]),
    .q   (y)
  );
endmodule
`)},
	}
}

// guarded puts an include guard around a file.
func guarded(f File) File {
	f.Text = "`ifndef GUARD\n`define GUARD\n" + f.Text + "`endif\n"
	return f
}

func TestSlang(t *testing.T) {
	t.Parallel()
	part, top := planted()[0], planted()[1]
	again := File{Name: "again.sv", Text: part.Text}
	const multiple = "driven by always_ff procedure cannot be written to by any other process (slang multiple-always-assigns)"
	const apart = "; only where each file is a compilation unit of its own"
	cases := []struct {
		name   string
		files  []File
		params map[string]string
		want   []string
	}{
		{name: "clean", files: planted()},
		{name: "a table", files: append(planted(), File{Name: "table.mem", Text: "not SystemVerilog"})},
		{name: "a parameter", files: planted("  logic unused;", "  if (W == 7) begin : g_seven\n    $error(\"seven\");\n  end\n  logic unused;"), params: map[string]string{"W": "7"},
			want: []string{"part.sv:12:5: $error encountered: seven (slang ErrorTask)"}},
		{name: "used before it is declared", files: []File{part, planted("  logic [W-1:0] late;\n", "", "endmodule", "  logic [W-1:0] late;\nendmodule")[1]},
			want: []string{
				"top.sv:14:5: identifier 'late' used before its declaration (slang UsedBeforeDeclared)",
				"top.sv:15:19: identifier 'late' used before its declaration (slang UsedBeforeDeclared)",
				"top.sv:24:17: unused variable 'late' (slang unused-variable)",
			}},
		{name: "always_ff beside initial", files: planted("  part #(", "  initial begin\n    memory[0] = '0;\n  end\n  part #("),
			want: []string{"top.sv:16:5: variable 'memory' " + multiple}},
		{name: "always beside initial", files: planted("always_ff", "always", "  part #(", "  initial begin\n    memory[0] = '0;\n  end\n  part #(")},
		{name: "two processes", files: planted("  part #(", "  always_ff @(posedge clk) begin\n    late <= a;\n  end\n  part #("),
			want: []string{"top.sv:19:5: variable 'late' " + multiple}},
		{name: "a process and an instance", files: planted("late <= y", "{late, y} <= {y, a}"),
			want: []string{"top.sv:23:11: cannot mix continuous and procedural assignments to variable 'y' (slang mixed-var-assigns)"}},
		{name: "a port left out", files: planted("    .d   (memory[at]),\n", ""),
			want: []string{
				"top.sv:20:5: input port 'd' has no connection (slang unconnected-input-port)",
				"top.sv:13:17: variable 'memory' is assigned but its value is never used (slang unused-but-set-variable)",
			}},
		{name: "a port that is not there", files: planted("    .d ", "    .e (a),\n    .d "),
			want: []string{"top.sv:22:6: port 'e' does not exist in 'part' (slang PortDoesNotExist)"}},
		{name: "not declared", files: planted("late ^ a", "late ^ b"),
			want: []string{"top.sv:16:26: use of undeclared identifier 'b' (slang UndeclaredIdentifier)", "top.sv:8:29: unused port signal 'a' (slang unused-port)"}},
		{name: "a module that is not there", files: []File{planted("part #(\n    .W", "parts #(\n    .W")[1]},
			want: []string{"top.sv:18:3: unknown module 'parts' (slang UnknownModule)", "top.sv:10:29: undriven output port 'y' (slang undriven-port)"}},
		{name: "a macro of another file", files: []File{{Name: "macro.sv", Text: "`define THREE 3\n"}, part, {Name: top.Name, Text: strings.NewReplacer("late ^ a", "(late ^ a) + `THREE", "`resetall", "").Replace(top.Text)}},
			want: []string{
				"top.sv:16:32: unknown macro or compiler directive '`THREE'" + apart + " (slang UnknownDirective)",
				"top.sv:16:38: expected expression" + apart + " (slang ExpectedExpression)",
			}},
		{name: "a module twice", files: []File{part, top, again},
			want: []string{"again.sv:4:8: duplicate definition of 'part' (slang duplicate-definition)"}},
		{name: "a module twice, behind a guard", files: []File{guarded(part), guarded(again), top},
			want: []string{"again.sv:6:8: duplicate definition of 'part'" + apart + " (slang duplicate-definition)"}},
		{name: "syntax", files: planted("late <= y;", "late <= ;"),
			want: []string{"top.sv:15:13: expected expression (slang ExpectedExpression)"}},
	}
	var designs []LintRequest
	for _, c := range cases {
		designs = append(designs, LintRequest{Top: "top", Files: c.files, Params: c.params})
	}
	found, err := Slang(t.Context(), designs)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		var got []string
		for _, f := range found[i] {
			got = append(got, f.String())
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// Without a top, several designs are one set: shared files appear once.
func TestSlangOfASet(t *testing.T) {
	t.Parallel()
	other := File{Name: "other.sv", Text: strings.ReplaceAll(planted()[1].Text, "module top", "module other")}
	found, err := Slang(t.Context(), []LintRequest{
		{Files: append(planted(), other)},
		{Files: append(planted(), other, File{Name: "again.sv", Text: planted()[0].Text})},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found[0]) != 0 || len(found[1]) != 1 || found[1][0].Rule != "duplicate-definition" {
		t.Errorf("got %v, want nothing and one module that is there twice", found)
	}
}

// A Python without slang, none at all, and one that fails or talks.
func TestSlangWithoutSlang(t *testing.T) {
	t.Chdir(t.TempDir()) // away from the virtual environment
	for name, c := range map[string]struct{ body, want string }{
		"no package": {"echo \"no slang: No module named 'pyslang'\" >&2; exit 1", "slang not found, needed for lint with a third front end: install it with: make deps-tests in the source of nicgen"},
		"broken":     {"echo out of luck; exit 3", "python3 failed: exit status 3\nout of luck"},
		"talking":    {"echo hello", "slang failed: wrote no findings of 1 designs\nhello\n"},
		"too few":    {"echo '[]'", "slang failed: wrote no findings of 1 designs\n[]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			fakeTool(t, "python3", c.body)
			_, err := Slang(t.Context(), []LintRequest{{Top: "top", Files: planted()}})
			if err == nil || strings.TrimSpace(err.Error()) != strings.TrimSpace(c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	t.Setenv("PATH", t.TempDir())
	var missing *tool.Missing
	if _, err := SlangVersion(t.Context()); !errors.As(err, &missing) || missing.Name != "slang" {
		t.Errorf("no Python: error %v, want that slang is missing", err)
	}
}

func TestSlangVersion(t *testing.T) {
	got, err := SlangVersion(t.Context())
	if err != nil || !strings.HasPrefix(got, "slang ") {
		t.Errorf("version %q, error %v", got, err)
	}
}
