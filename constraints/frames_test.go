// SPDX-License-Identifier: Apache-2.0

package constraints_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/svparse"
)

const framesCross = "nic_lib_frames_cross"

// queue returns the frame queue with a mistake, if any.
func queue(t *testing.T, edits ...string) string {
	t.Helper()
	files, err := rtl.Parts(framesCross)
	if err != nil {
		t.Fatal(err)
	}
	text := files[0].Text
	for e := range slices.Chunk(edits, 2) {
		if strings.Count(text, e[0]) != 1 {
			t.Fatalf("%s has %q %d times", framesCross, e[0], strings.Count(text, e[0]))
		}
		text = strings.Replace(text, e[0], e[1], 1)
	}
	return text
}

// skew delays some of the crossing bits, selected by a mask, by one cycle of their clock.
var skew = []string{
	"rd_sync_q     <= rd_gray_q;", "rd_sync_q     <= late(rd_gray_q, rd_before_q);\n    frames_before_q <= frames_gray_q;",
	"frames_sync_q  <= frames_gray_q;", "frames_sync_q  <= late(frames_gray_q, frames_before_q);\n    rd_before_q <= rd_gray_q;",
	"  (* ram_style", "  logic [W-1:0] mask;\n  initial if (!$value$plusargs(\"mask=%h\", mask)) $fatal(1, \"no mask\");\n" +
		"  function automatic logic [W-1:0] late(input logic [W-1:0] now, input logic [W-1:0] past);\n" +
		"    late = (now & ~mask) | (past & mask);\n  endfunction\n  logic [W-1:0] rd_before_q = '0;\n" +
		"  logic [W-1:0] frames_before_q = '0;\n\n  (* ram_style",
}

// Frames cross whole and in order, for any two clocks with any drift; the bench notices mistakes.
// All variants are one program, which takes less time to compile.
func TestFramesCross(t *testing.T) {
	variants := []struct {
		name, drop string
		edits      []string
		want       string // the failure that some run ends with; if empty, every run passes
	}{
		{name: "as it is", drop: "0"},
		{name: "as it is, dropping", drop: "1"},
		{name: "frames in binary", drop: "0", edits: []string{
			"frames_gray_q <= frames_next ^ (frames_next >> 1)", "frames_gray_q <= frames_next",
			"frames_seen_q  <= binary(frames_sync_q2)", "frames_seen_q  <= frames_sync_q2"}, want: "frame"},
		{name: "places in binary", drop: "0", edits: []string{
			"rd_gray_q  <= rd_next ^ (rd_next >> 1)", "rd_gray_q  <= rd_next",
			"rd_seen_q     <= binary(rd_sync_q2)", "rd_seen_q     <= rd_sync_q2"}, want: "frame"},
		{name: "a frame is there with its first beat", drop: "0", edits: []string{
			"+ W'(go && !refused && s_last)", "+ W'(go && !refused && wr_q == start_q)"}, want: "frame"},
		{name: "full one beat late", drop: "0", edits: []string{
			"assign full        = wr_q == {~rd_seen_q[W-1], rd_seen_q[W-2:0]}", "assign full        = wr_q - rd_seen_q == W'(DEPTH + 1)"}, want: "frame"},
		{name: "the rest of a dropped frame stays", drop: "1", edits: []string{"refused ? start_q : wr_q", "refused ? wr_q : wr_q"}, want: "frame"},
		{name: "the rest of a dropped frame is taken", drop: "1", edits: []string{"waste_q <= refused && !s_last", "waste_q <= 1'b0"}, want: "frame"},
		{name: "a frame that is too long waits for ever", drop: "0", edits: []string{" || !full || long", " || !full"}, want: "nothing arrives any more"},
		{name: "a dropped frame is not told of", drop: "1", edits: []string{"evt_drop      <= go && full && !waste_q", "evt_drop      <= 1'b0"}, want: "frames arrived"},
		{name: "beats behind the last frame", drop: "0", edits: []string{"done_q + W'(ends);\n  assign p1_go", "done_q;\n  assign p1_go"}, want: "frame"},
		{name: "an offer changes", drop: "0", edits: []string{"if (p1_go) begin", "if (p1_go || ends) begin"}, want: "an offer does not stand"},
	}
	b, err := os.ReadFile(filepath.Join("testdata", "frames_cross_tb.sv"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	top := "module all;\n"
	for i, v := range variants {
		n := strconv.Itoa(i)
		names := strings.NewReplacer("module tb;", "module tb_"+n+";", framesCross, framesCross+"_"+n, "VARIANT = 0;", "VARIANT = "+n+";",
			"DROP    = 0;", "DROP    = "+v.drop+";")
		text.WriteString(names.Replace(queue(t, slices.Concat(v.edits, skew)...)) + names.Replace(string(b)))
		top += "  tb_" + n + " t" + n + " ();\n"
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "all.sv")
	if err := os.WriteFile(file, []byte(text.String()+"`timescale 1ps / 1ps\n"+top+"endmodule\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "verilator", "--binary", "--timing", "-CFLAGS", "-O0", "--Mdir", dir, "--top-module", "all", file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			noticed := false
			var last string
			for _, half := range [][2]string{{"1551", "2000"}, {"2000", "1551"}, {"500", "5000"}, {"5000", "500"}, {"1551", "1551"}} {
				for _, pace := range [][3]string{{"16", "16", "00"}, {"8", "16", "15"}, {"16", "8", "0a"}, {"16", "16", "1e"}} {
					if noticed {
						break
					}
					out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "Vall"), "+mask="+pace[2], "+variant="+strconv.Itoa(i),
						"+s="+half[0], "+m="+half[1], "+push="+pace[0], "+pull="+pace[1]).CombinedOutput()
					if v.want == "" && (err != nil || !strings.Contains(string(out), "all is well")) {
						t.Errorf("half periods of %s and %s ps, paces %s and %s: %v\n%s", half[0], half[1], pace[0], pace[1], err, out)
					}
					noticed = err != nil && v.want != "" && strings.Contains(string(out), v.want)
					last = string(out)
				}
			}
			if v.want != "" && !noticed {
				t.Errorf("the bench does not notice it: no run ends with %q; the last one:\n%s", v.want, last)
			}
		})
	}
}

// No bit of a crossing is a register that synthesis may take for another one: the constraints name
// the registers of the Gray codes, and would miss a bit whose register has another's name. Yosys
// merges all equal registers here.
func TestGrayCodesAreRegisters(t *testing.T) {
	for _, c := range []struct {
		name   string
		edits  []string
		merged bool
	}{
		{name: "as it is"},
		{name: "a binary count with a top bit", merged: true, edits: []string{
			"logic [W-2:0] frames_q;", "logic [W-1:0] frames_q;", "{frames_gray_q[W-1], frames_q}", "frames_q", "frames_next[W-2:0]", "frames_next"}},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, framesCross+".sv")
		if err := os.WriteFile(file, []byte(queue(t, c.edits...)), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "yosys", "-q", "-p", "read_verilog -sv "+file+"; hierarchy -top "+framesCross+
			"; proc; opt; memory_collect; simplemap; opt_expr -full; opt_merge -share_all; opt_clean; write_json "+file+".json").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var design struct {
			Modules map[string]struct {
				Netnames map[string]struct {
					Bits []any `json:"bits"`
				} `json:"netnames"`
			} `json:"modules"`
		}
		if err := json.Unmarshal(text, &design); err != nil {
			t.Fatal(err)
		}
		nets := design.Modules[framesCross].Netnames
		merged := false
		for _, gray := range []string{"frames_gray_q", "rd_gray_q"} {
			if n := len(nets[gray].Bits); n != 10 {
				t.Fatalf("%s: %s has %d bits, want 10", c.name, gray, n)
			}
			for name, net := range nets {
				if name == gray || !strings.HasSuffix(name, "_q") {
					continue
				}
				for _, bit := range nets[gray].Bits {
					if slices.Contains(net.Bits, bit) {
						merged = true
						if !c.merged {
							t.Errorf("a bit of %s is a register that is called %s, too", gray, name)
						}
					}
				}
			}
		}
		if merged != c.merged {
			t.Errorf("%s: registers are merged: %t, want %t", c.name, merged, c.merged)
		}
	}
}

// The script constrains every path between the clocks of every instance, and stops in a design without
// one, or with one that lacks a register.
func TestFramesCrossConstraints(t *testing.T) {
	f, err := svparse.Parse(framesCross+".sv", queue(t))
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, inst := range []string{"u_tx", "u_nic/u_rx"} {
		for _, r := range f.Modules[0].Registers() {
			cells = append(cells, inst+"/"+r+"_reg", inst+"/"+r+"_reg[0]")
		}
	}
	script := filepath.Join(t.TempDir(), "top.tcl")
	file, err := filepath.Abs(framesCross + ".tcl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte("create_clock -period 3.103 -name clk [get_ports clk]\nsource "+file+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"STUB_CELLS=" + strings.Join(cells, " "), "STUB_INSTANCES=u_tx " + framesCross + " u_nic/u_rx " + framesCross + " u_other other"}
	out, calls, err := vivado(t, env, script)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	calls = strings.NewReplacer("{{", "{", "}}", "}").Replace(calls)
	for _, inst := range []string{"u_tx", "u_nic/u_rx"} {
		for _, want := range []string{
			"set_max_delay -datapath_only -from {INST/frames_gray_q_reg[0]} -to {INST/frames_sync_q_reg[0]} 3.103",
			"set_bus_skew -from {INST/frames_gray_q_reg[0]} -to {INST/frames_sync_q_reg[0]} 3.103",
			"set_max_delay -datapath_only -from {INST/rd_gray_q_reg[0]} -to {INST/rd_sync_q_reg[0]} 3.103",
			"set_bus_skew -from {INST/rd_gray_q_reg[0]} -to {INST/rd_sync_q_reg[0]} 3.103",
		} {
			if want = strings.ReplaceAll(want, "INST", inst); !strings.Contains(calls, want) {
				t.Errorf("no call %q in\n%s", want, calls)
			}
		}
	}
	for _, env := range [][]string{nil, {"STUB_INSTANCES=u_tx " + framesCross, "STUB_CELLS=u_tx/rd_gray_q_reg[0]"}} {
		if out, _, err := vivado(t, env, script); err == nil {
			t.Errorf("%q: no error, %s", env, out)
		}
	}
}
