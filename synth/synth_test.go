// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
)

// design reads one design of testdata; its file and its top share the name.
func design(t *testing.T, top string) []File {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", top+".sv"))
	if err != nil {
		t.Fatal(err)
	}
	return []File{{Name: top + ".sv", Text: string(b)}}
}

func run(t *testing.T, r Request) *Report {
	t.Helper()
	if r.Files == nil {
		r.Files = design(t, r.Top)
	}
	rep, err := Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// A memory that a generate loop cuts into slices is reported as one.
func TestSlicesAreOneMemory(t *testing.T) {
	t.Parallel()
	rep := run(t, Request{Top: "slices"})
	want := []Memory{{Name: "mem", Src: rep.Memories[0].Src, Depth: 4096, Width: 20, Kind: "BRAM", Cells: rep.Memories[0].Cells, BRAM36: rep.Counts.BRAM36}}
	if d := cmp.Diff(want, rep.Memories); d != "" {
		t.Errorf("memories (-want +got):\n%s", d)
	}
	if n := rep.Memories[0].Cells["RAMB36E2"] + rep.Memories[0].Cells["RAMB18E2"]; n != rep.Counts.RAMB36+rep.Counts.RAMB18 || n < 3 {
		t.Errorf("cells %v, counts %d RAMB36 and %d RAMB18: want the sum of three slices", rep.Memories[0].Cells, rep.Counts.RAMB36, rep.Counts.RAMB18)
	}
}

// A memory that asks to be URAM is, without the option that lets every large one.
func TestMemoryAsksForURAM(t *testing.T) {
	t.Parallel()
	with := File{Name: "a.sv", Text: "module a (input wire clk, input wire we, input wire [11:0] addr, input wire [71:0] d, output reg [71:0] q);\n" +
		"  (* ram_style = \"ultra\" *) reg [71:0] mem [0:4095];\n" +
		"  always @(posedge clk) begin\n    if (we) mem[addr] <= d;\n    q <= mem[addr];\n  end\nendmodule\n"}
	block := File{Name: "a.sv", Text: strings.Replace(with.Text, "ultra", "block", 1)}
	for _, c := range []struct {
		file       File
		uram, bram int
	}{{with, 1, 0}, {block, 0, 8}} {
		r, err := Run(t.Context(), Request{Top: "a", Files: []File{c.file}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Counts.URAM != c.uram || r.Counts.RAMB36 != c.bram {
			t.Errorf("%d URAM and %d RAMB36, want %d and %d", r.Counts.URAM, r.Counts.RAMB36, c.uram, c.bram)
		}
	}
}

func TestMemoriesMapToMemories(t *testing.T) {
	t.Parallel()
	rep := run(t, Request{Top: "memories", Options: Options{URAM: true}})
	if len(rep.Findings) > 0 {
		t.Errorf("findings: %v", rep.Findings)
	}
	type row struct {
		Kind   string
		Cells  map[string]int
		LUT    int
		BRAM36 float64
	}
	want := map[string]row{
		"block36":   {"BRAM", map[string]int{"RAMB36E2": 1}, 0, 1},
		"block18":   {"BRAM", map[string]int{"RAMB18E2": 1}, 0, 0.5},
		"dist64":    {"LUTRAM", map[string]int{"RAM64M8": 1}, 8, 0},
		"dist32":    {"LUTRAM", map[string]int{"RAM32M16": 1}, 8, 0},
		"two_reads": {"LUTRAM", map[string]int{"RAM32M16": 2}, 16, 0},
		"ultra":     {"URAM", map[string]int{"URAM288": 1}, 0, 0},
		"rom":       {"LUT", map[string]int{}, 0, 0},
		"asked":     {"registers", map[string]int{}, 0, 0},
	}
	got := map[string]row{}
	for _, m := range rep.Memories {
		got[m.Name] = row{m.Kind, m.Cells, m.LUT, m.BRAM36}
		if !strings.HasPrefix(m.Src, "memories.sv:") {
			t.Errorf("memory %s: source %q, want a line of memories.sv", m.Name, m.Src)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("memories (-want +got):\n%s", d)
	}
	c := rep.Counts
	if c.SRL != 8 || c.LUTRAM != 32 || c.RAMB36 != 1 || c.RAMB18 != 1 || c.BRAM36 != 1.5 || c.URAM != 1 {
		t.Errorf("SRL %d, LUTRAM %d, RAMB36 %d, RAMB18 %d, equivalents %g, URAM %d: want 8, 32, 1, 1, 1.5, 1",
			c.SRL, c.LUTRAM, c.RAMB36, c.RAMB18, c.BRAM36, c.URAM)
	}
	if c.LUT != c.Logic+c.LUTRAM+c.SRL {
		t.Errorf("LUT %d is not logic %d + LUTRAM %d + SRL %d", c.LUT, c.Logic, c.LUTRAM, c.SRL)
	}
}

// A part is mapped separately if it asks for it: the inverters on both sides of its boundary stay,
// and the report goes through it, memories included. Without that they cancel out.
func TestPartsAreMappedByThemselves(t *testing.T) {
	t.Parallel()
	const part = "module part #(parameter N = 5, parameter WHAT = \"\") (input wire clk, input wire we, input wire [9:0] addr, input wire d, output wire q);\n" +
		"  (* ram_style = \"block\" *) reg [17:0] mem [0:1023];\n  reg [17:0] r;\n" +
		"  always @(posedge clk) begin\n    if (we) mem[addr] <= {18{d}};\n    r <= mem[addr];\n  end\n" +
		"  assign q = ~(&r[5:0]) ^ (N == 0);\nendmodule\n"
	const top = "module top (input wire clk, input wire we, input wire [9:0] addr, input wire d, input wire e, output reg q);\n" +
		"  wire a;\n  KEEP part u (.clk (clk), .we (we), .addr (addr), .d (d), .q (a));\n" +
		"  always @(posedge clk) q <= ~a;\nendmodule\n"
	for _, c := range []struct {
		keep, part string
		apart      []string
		levels     int
	}{{`(* keep_hierarchy = "yes" *)`, "part", nil, 2}, {"", "part", []string{"part"}, 2}, {"", "part #(.N (6))", []string{"part"}, 2},
		{"", "part #(.N (64'd6 + 0), .WHAT (\"a name so long that Yosys takes a hash of it in place of the text\"))", []string{"part"}, 2},
		{"", "part #(.N (6))", []string{"art"}, 1}, {"", "part", nil, 1}} {
		rep := run(t, Request{Top: "top", Options: Options{Apart: c.apart},
			Files: []File{{Name: "part.sv", Text: part}, {Name: "top.sv", Text: strings.NewReplacer("KEEP", c.keep, "part u", c.part+" u").Replace(top)}}})
		if len(rep.Memories) != 1 || rep.Memories[0].Name != "u.mem" || rep.Memories[0].Kind != "BRAM" || rep.Counts.BRAM36 != 0.5 {
			t.Errorf("%+v: memories %+v, %g RAMB36: want u.mem in half of one", c, rep.Memories, rep.Counts.BRAM36)
		}
		if rep.RegToReg == nil || rep.RegToReg.LUTs != c.levels {
			t.Errorf("%+v: longest path %+v, want %d LUTs", c, rep.RegToReg, c.levels)
		}
	}
}

// Registers with shreg_extract = "no" stay flip-flops, also through a part's boundary and next to
// others that Yosys turns into shift registers; one that nothing reads is still removed.
func TestRegistersAreNoShiftRegisters(t *testing.T) {
	t.Parallel()
	const text = "module line (input wire clk, input wire d, output wire q);\n" +
		"  ATTRIBUTE reg [3:0] line_q;\n  ATTRIBUTE reg unread_q;\n" +
		"  always @(posedge clk) begin\n    line_q <= {line_q[2:0], d};\n    unread_q <= line_q[3];\n  end\n  assign q = line_q[3];\nendmodule\n" +
		"module top (input wire clk, input wire d, input wire e, output wire q, output wire r);\n" +
		"  line u (.clk (clk), .d (d), .q (q));\n" +
		"  reg [4:0] other_q;\n  always @(posedge clk) other_q <= {other_q[3:0], e};\n  assign r = other_q[4];\nendmodule\n"
	for _, c := range []struct {
		attribute string
		apart     []string
		ff, srl   int
	}{{"", nil, 0, 2}, {`(* shreg_extract = "yes" *)`, nil, 0, 2}, {`(* shreg_extract = "no" *)`, nil, 4, 1}, {`(* shreg_extract = "no" *)`, []string{"line"}, 4, 1}} {
		rep := run(t, Request{Top: "top", Options: Options{Apart: c.apart}, Files: []File{{Name: "top.sv", Text: strings.ReplaceAll(text, "ATTRIBUTE", c.attribute)}}})
		if n := rep.Counts; n.FF != c.ff || n.SRL != c.srl || len(rep.Findings) > 0 {
			t.Errorf("%+v: %d FF, %d SRL, findings %v", c, n.FF, n.SRL, rep.Findings)
		}
	}
}

// Registers with dont_touch = "true" are not merged, nor are the registers after them.
func TestRegistersAreNotMerged(t *testing.T) {
	t.Parallel()
	const text = "module top (input wire clk, input wire rst, output reg a, output reg b);\n" +
		"  ATTRIBUTE reg a_rst_q;\n  ATTRIBUTE reg b_rst_q;\n" +
		"  always @(posedge clk) begin\n    a_rst_q <= rst;\n    b_rst_q <= rst;\n    a <= a_rst_q;\n    b <= b_rst_q;\n  end\nendmodule\n"
	for _, c := range []struct {
		attribute string
		ff        int
	}{{"", 2}, {`(* dont_touch = "true" *)`, 4}} {
		rep := run(t, Request{Top: "top", Files: []File{{Name: "top.sv", Text: strings.ReplaceAll(text, "ATTRIBUTE", c.attribute)}}})
		if rep.Counts.FF != c.ff || len(rep.Findings) > 0 {
			t.Errorf("%+v: %d FF, findings %v", c, rep.Counts.FF, rep.Findings)
		}
	}
}

// A block memory whose parity bits Yosys 0.23 wires wrongly is found, with its name; one that does
// not read them is fine, and so is one cut into halves.
func TestWrongParityIsFound(t *testing.T) {
	t.Parallel()
	memory := func(name string, width int) string {
		return fmt.Sprintf("  (* ram_style = \"block\" *) reg [%d:0] %s [0:511];\n"+
			"  always @(posedge clk) begin\n    if (we) %[2]s[addr] <= d[%[1]d:0];\n    q_%[2]s <= %[2]s[addr];\n  end\n", width-1, name)
	}
	text := "module parity (input wire clk, input wire we, input wire [8:0] addr, input wire [71:0] d, output reg [71:0] q_whole,\n" +
		"  output reg [43:0] q_narrow, output reg [35:0] q_half);\n" + memory("whole", 72) + memory("narrow", 44) + memory("half", 36) + "endmodule\n"
	rep := run(t, Request{Top: "parity", Files: []File{{Name: "parity.sv", Text: text}}})
	want := []Finding{{Tool: "nicgen", Rule: "netlist", Text: "block memory whole.0.0 is 72 bits wide: Yosys 0.23 writes bits 44, 53, 62 and 71 of its words " +
		"with bits 8, 17, 26 and 35; cut words of more than 44 bits into parts of at most 36"}}
	if !strings.HasPrefix(rep.Tool, "Yosys 0.23 ") {
		want = []Finding{} // the fault is that version's
	}
	if d := cmp.Diff(want, rep.Findings); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

func TestResetLoopIsFound(t *testing.T) {
	t.Parallel()
	rep := run(t, Request{Top: "reset_memory"})
	if rep.Counts.FF != 520 || rep.Memories[0].Kind != "registers" {
		t.Errorf("%d FF, memory became %s: want 520, registers", rep.Counts.FF, rep.Memories[0].Kind)
	}
	want := `memory store of 64 × 8 bits became registers (reset_memory.sv:13.15): do not reset it, give it one write port, or ask for it with ram_style = "registers" (nicgen netlist)`
	if len(rep.Findings) != 1 || rep.Findings[0].String() != want {
		t.Errorf("findings %v, want %s", rep.Findings, want)
	}
}

// A memory with unused words, which only the last step shows, is left out; it did not become
// registers.
func TestUnreadMemory(t *testing.T) {
	t.Parallel()
	text := "module unread (input wire clk, input wire we, input wire a, input wire [9:0] addr, input wire [8:0] d, output reg [8:0] q);\n" +
		"  reg [8:0] store [0:1023];\n  reg [8:0] word;\n" +
		"  always @(posedge clk) begin\n    if (we) store[addr] <= d;\n    word <= store[addr];\n    q <= word & {9{a & ~a}};\n  end\nendmodule\n"
	rep := run(t, Request{Top: "unread", Files: []File{{Name: "unread.sv", Text: text}}})
	if len(rep.Memories) != 1 || rep.Memories[0].Kind != "nothing" || len(rep.Findings) != 0 {
		t.Errorf("memories %+v, findings %v: want one that became nothing, and none", rep.Memories, rep.Findings)
	}
}

// Paths of known depth, in levels.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind, n string
		flow    Flow
		want    *Path // may be nil
		inToOut *Path
		chain   int
	}{
		{name: "and of 6", kind: "0", n: "6", want: &Path{Levels: 1, LUTs: 1}},
		{name: "and of 9", kind: "0", n: "9", want: &Path{Levels: 2, LUTs: 2}},
		{name: "and of 9, literal", kind: "2'b0", n: "32'd9", want: &Path{Levels: 2, LUTs: 2}},
		{name: "and of 9, abc9", kind: "0", n: "9", flow: ABC9, want: &Path{Levels: 2, LUTs: 2}},
		{name: "and of 9, wide", kind: "0", n: "9", flow: WideLUT, want: &Path{Levels: 1, LUTs: 1}},
		{name: "sum of 8", kind: "1", n: "8", want: &Path{Levels: 2, LUTs: 1, Carry: 1}, chain: 8},
		{name: "sum of 32", kind: "1", n: "32", want: &Path{Levels: 2, LUTs: 1, Carry: 1}, chain: 32},
		{name: "product", kind: "2", n: "16", want: &Path{Levels: 1, DSP: 1}},
		{name: "combinational", kind: "3", n: "6", inToOut: &Path{Levels: 1, LUTs: 1}},
		{name: "memory read", kind: "4", n: "7", want: &Path{Levels: 2, LUTs: 1, Memory: 1}},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rep := run(t, Request{Top: "levels", Options: Options{Flow: c.flow}, Params: map[string]string{"KIND": c.kind, "N": c.n}})
			check := func(what string, got, want *Path) {
				if (got == nil) != (want == nil) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				} else if got != nil && (got.Levels != want.Levels || got.LUTs != want.LUTs || got.Carry != want.Carry || got.Memory != want.Memory || got.DSP != want.DSP) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			check("register to register", rep.RegToReg, c.want)
			check("input to output", rep.InToOut, c.inToOut)
			if rep.Counts.CarryChain != c.chain || rep.Counts.CARRY8 != c.chain/8 {
				t.Errorf("longest carry chain %d bits in %d CARRY8, want %d in %d", rep.Counts.CarryChain, rep.Counts.CARRY8, c.chain, c.chain/8)
			}
			if len(rep.Findings) > 0 {
				t.Errorf("findings: %v", rep.Findings)
			}
		})
	}
}

func TestPathIsNamed(t *testing.T) {
	t.Parallel()
	rep := run(t, Request{Top: "levels", Params: map[string]string{"KIND": "1", "N": "8"}})
	p := rep.RegToReg
	if p == nil {
		t.Fatal("no path")
	}
	if !strings.HasPrefix(p.From, "a_q[") && !strings.HasPrefix(p.From, "b_q[") || !strings.HasPrefix(p.To, "q[") {
		t.Errorf("path from %q to %q, want from a_q or b_q to q", p.From, p.To)
	}
	if !strings.HasPrefix(p.FromSrc, "levels.sv:16") || !strings.HasPrefix(p.ToSrc, "levels.sv:23") {
		t.Errorf("sources %q and %q, want the always_ff blocks of levels.sv", p.FromSrc, p.ToSrc)
	}
	last := p.Steps[len(p.Steps)-1]
	if last.Type != "CARRY4" || last.Count != 2 || !strings.HasSuffix(last.Pins, "→O") {
		t.Errorf("last step %+v, want a chain of 2 CARRY4", last)
	}
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		top  string
		want []string // parts of the findings, in order
	}{
		{"clean", nil},
		{"latch", []string{"latch LDCE drives q: a value is not assigned on every path"}},
		{"gated", []string{"clock pin C of FDRE q is driven by logic (gclk)"}},
		{"undriven", []string{"undriven.sv:10:9: Wire undriven.\\nothing is used but has no driver", "multiple conflicting drivers for undriven."}},
		{"implicit", []string{"implicit.sv:9: Identifier `\\valeu' is implicitly declared", "has no driver"}},
	} {
		t.Run(c.top, func(t *testing.T) {
			t.Parallel()
			got := run(t, Request{Top: c.top}).Findings
			if len(got) != len(c.want) {
				t.Fatalf("findings %v, want %d", got, len(c.want))
			}
			for _, want := range c.want {
				found := false
				for _, f := range got {
					found = found || strings.Contains(f.String(), want)
				}
				if !found {
					t.Errorf("findings %v: none says %q", got, want)
				}
			}
		})
	}
}

func TestLoop(t *testing.T) {
	t.Parallel()
	_, err := Run(t.Context(), Request{Top: "loop", Files: design(t, "loop")})
	var loop *LoopError
	if !errors.As(err, &loop) || len(loop.Cells) == 0 {
		t.Fatalf("got %v, want a *LoopError", err)
	}
	if !strings.HasPrefix(err.Error(), "combinational loop: LUT") {
		t.Errorf("got %q", err)
	}
}

func TestRejected(t *testing.T) {
	for _, c := range []struct {
		name, top string
		files     []File
		params    map[string]string
		want      string
	}{
		{"own check", "refused", design(t, "refused"), nil, "refused.sv:11: W must be at most 2. (yosys error)"},
		{"syntax", "x", []File{{"x.sv", "module x(;\nendmodule\n"}}, nil, "x.sv:1: syntax error"},
		{"no such top", "y", design(t, "clean"), nil, "Module `y' not found! (yosys error)"},
		{"no such module", "x", []File{{"x.sv", "module x(input a);\n z z(a);\nendmodule\n"}}, nil, "`\\z' referenced in module `\\x'"},
		{"no such parameter", "clean", design(t, "clean"), map[string]string{"V": "1"}, "Can't find object for defparam `V`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Run(t.Context(), Request{Top: c.top, Files: c.files, Params: c.params})
			var r *Rejected
			if !errors.As(err, &r) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want a *Rejected with %q", err, c.want)
			}
		})
	}
}

func TestBadRequest(t *testing.T) {
	clean := design(t, "clean")
	for _, c := range []struct {
		name string
		r    Request
		want string
	}{
		{"flow", Request{Top: "clean", Files: clean, Options: Options{Flow: "fast"}}, `flow "fast": want one of ["nowidelut" "widelut" "abc9"]`},
		{"top", Request{Top: "a;b", Files: clean}, `top module "a;b": want a SystemVerilog name`},
		{"no files", Request{Top: "clean"}, "top module clean: no source files, want at least one .sv file"},
		{"outside", Request{Top: "clean", Files: []File{{Name: "../clean.sv"}}}, `source file "../clean.sv": want a relative name of letters, digits and _ . - /`},
		{"odd name", Request{Top: "clean", Files: []File{{Name: "a b.sv"}}}, `source file "a b.sv": want a relative name of letters, digits and _ . - /`},
		{"twice", Request{Top: "clean", Files: append(clean, clean...)}, "source file clean.sv: given twice"},
		{"value", Request{Top: "clean", Files: clean, Params: map[string]string{"W": "four"}}, `parameter W = "four": want a whole number or a SystemVerilog literal such as 8'h2a`},
		{"name", Request{Top: "clean", Files: clean, Params: map[string]string{"W;": "4"}}, `parameter W; = "4": want a whole number or a SystemVerilog literal such as 8'h2a`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Run(t.Context(), c.r); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestYosysConst(t *testing.T) {
	for in, want := range map[string]string{
		"5": "32'b00000000000000000000000000000101", "4'd9": "4'b1001", "8'hA_5": "8'b10100101",
		"3'b1": "3'b001", "6'o17": "6'b001111", "-1": "32'b11111111111111111111111111111111", "1_000": "32'b00000000000000000000001111101000",
		"": "", "4'd16": "", "4'b2": "", "x": "", "99999999999": "", "0'd0": "",
	} {
		got, err := yosysConst(in)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("yosysConst(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestLint(t *testing.T) {
	for _, c := range []struct {
		top  string
		want []string // beginnings
	}{
		{"clean", nil},
		{"waived", []string{"waived.sv:5:6: a lint warning is switched off"}},
		{"undriven", []string{
			"undriven.sv:10:9: Signal is not driven: 'nothing'",
			"undriven.sv:10:9: Wire undriven.\\nothing is used but has no driver",
			"undriven.sv:13: multiple conflicting drivers for undriven.",
		}},
		{"refused", []string{"refused.sv:11:5: W must be at most 2; In instance refused (verilator USERERROR)", "refused.sv:11: W must be at most 2. (yosys error)"}},
		{"loop", []string{"loop.sv:7:21: Signal unoptimizable", "found logic loop in module loop"}},
	} {
		t.Run(c.top, func(t *testing.T) {
			t.Parallel()
			got, err := Lint(t.Context(), LintRequest{Top: c.top, Files: design(t, c.top)})
			if err != nil {
				t.Fatal(err)
			}
			if (len(got) == 0) != (len(c.want) == 0) {
				t.Errorf("findings %v, want %v", got, c.want)
			}
			for _, want := range c.want {
				found := false
				for _, f := range got {
					found = found || strings.HasPrefix(f.String(), want)
				}
				if !found {
					t.Errorf("findings\n%v\nnone says %q", got, want)
				}
			}
		})
	}
}

func TestLintParams(t *testing.T) {
	t.Parallel()
	got, err := Lint(t.Context(), LintRequest{Top: "clean", Files: design(t, "clean"), Params: map[string]string{"W": "9"}})
	if err != nil || len(got) > 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// With one tool missing, the other still speaks.
func TestLintWithoutATool(t *testing.T) {
	for _, c := range []struct {
		have, missing tool.Tool
	}{{tool.Yosys, tool.Verilator}, {tool.Verilator, tool.Yosys}} {
		t.Run(c.missing.Name, func(t *testing.T) {
			path, err := tool.Find(c.have)
			if err != nil {
				t.Fatal(err)
			}
			// A script and not a link: the tools look for their files next to their own path.
			fakeTool(t, c.have.Name, "PATH="+os.Getenv("PATH")+"\nexec "+path+` "$@"`)
			got, err := Lint(t.Context(), LintRequest{Top: "undriven", Files: design(t, "undriven")})
			var m *tool.Missing
			if !errors.As(err, &m) || m.Name != c.missing.Name {
				t.Errorf("got error %v, want %s missing", err, c.missing.Name)
			}
			for _, f := range got {
				if f.Tool != c.have.Name {
					t.Errorf("a finding of %s", f.Tool)
				}
			}
			if len(got) == 0 {
				t.Errorf("no finding of %s", c.have.Name)
			}
		})
	}
}
