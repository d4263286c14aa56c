// SPDX-License-Identifier: Apache-2.0

package constraints_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/svparse"
)

// crossing returns settings_cross.sv with a mistake, if any.
func crossing(t *testing.T, edits ...string) string {
	t.Helper()
	b, err := os.ReadFile("settings_cross.sv")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for e := range slices.Chunk(edits, 2) {
		if strings.Count(text, e[0]) != 1 {
			t.Fatalf("settings_cross.sv has %q %d times", e[0], strings.Count(text, e[0]))
		}
		text = strings.Replace(text, e[0], e[1], 1)
	}
	return text
}

// Words cross whole, once and in order, for any two clocks; the bench notices mistakes. All
// variants are one program, which takes less time to compile.
func TestSettingsCross(t *testing.T) {
	variants := []struct {
		name  string
		edits []string
		want  string // the failure that some run ends with; if empty, all words arrive in every run
	}{
		{name: "as it is"},
		{name: "the next word without the answer", edits: []string{"ack_sync_q[1] == req_q", "ack_sync_q[1] == ack_sync_q[1]"}, want: "word"},
		{name: "a request that is not synchronised", edits: []string{
			"(req_sync_q[1] != ack_q)", "(req_q != ack_q)", "ack_q <= req_sync_q[1]", "ack_q <= req_q"},
			want: "is taken less than two cycles after it changed"},
		{name: "a synchroniser of one register", edits: []string{
			"(req_sync_q[1] != ack_q)", "(req_sync_q[0] != ack_q)", "ack_q <= req_sync_q[1]", "ack_q <= req_sync_q[0]"},
			want: "is taken less than two cycles after it changed"},
		{name: "other settings at first", edits: []string{"cfg_q      = INITIAL", "cfg_q      = '0"}, want: "at first"},
	}
	b, err := os.ReadFile(filepath.Join("testdata", "settings_cross_tb.sv"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	top := "module all;\n"
	for i, v := range variants {
		n := strconv.Itoa(i)
		names := strings.NewReplacer("module tb;", "module tb_"+n+";", "settings_cross", "settings_cross_"+n, "VARIANT = 0;", "VARIANT = "+n+";")
		text.WriteString(names.Replace(crossing(t, v.edits...)) + names.Replace(string(b)))
		top += "  tb_" + n + " t" + n + " ();\n"
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "all.sv")
	if err := os.WriteFile(file, []byte(text.String()+"`timescale 1ns / 1ps\n"+top+"endmodule\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "verilator", "--binary", "--timing", "-CFLAGS", "-O0", "--Mdir", dir, "--top-module", "all", file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			noticed := false
			for _, half := range [][2]string{{"1551", "2000"}, {"2000", "1551"}, {"500", "5000"}, {"5000", "500"}, {"1551", "1551"}} {
				out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "Vall"),
					"+variant="+strconv.Itoa(i), "+src="+half[0], "+dst="+half[1]).CombinedOutput()
				if v.want == "" && (err != nil || !strings.Contains(string(out), "all 500 words arrived")) {
					t.Errorf("half periods of %s and %s ps: %v\n%s", half[0], half[1], err, out)
				}
				noticed = noticed || err != nil && strings.Contains(string(out), v.want)
			}
			if v.want != "" && !noticed {
				t.Errorf("the bench does not notice it: no run ends with %q", v.want)
			}
		})
	}
}

// The module passes the strictest warnings.
func TestSettingsCrossLint(t *testing.T) {
	if out, err := exec.CommandContext(t.Context(), "verilator", "--lint-only", "-Wall", "settings_cross.sv").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The script constrains every path between the clocks of every instance, and stops in a
// design without one.
func TestSettingsCrossConstraints(t *testing.T) {
	f, err := svparse.Parse("settings_cross.sv", crossing(t))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "top.tcl")
	file, err := filepath.Abs("settings_cross.tcl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte("create_clock -period 3.103 -name clk [get_ports clk]\nsource "+file+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A word of one bit has no skew, and Vivado refuses set_bus_skew for it.
	for _, bits := range []int{1, 2} {
		var cells, words, settings []string
		for _, inst := range []string{"u_loss", "u_nic/u_reps"} {
			for _, r := range f.Modules[0].Registers() {
				cells = append(cells, inst+"/"+r+"_reg")
				for i := range bits {
					cells = append(cells, fmt.Sprintf("%s/%s_reg[%d]", inst, r, i))
				}
			}
		}
		for i := range bits {
			words = append(words, fmt.Sprintf("INST/word_q_reg[%d]", i))
			settings = append(settings, fmt.Sprintf("INST/cfg_q_reg[%d]", i))
		}
		skew := fmt.Sprintf("set_bus_skew -from {%s} -to {%s} 3.103", strings.Join(words, " "), strings.Join(settings, " "))
		want := []string{
			fmt.Sprintf("set_max_delay -datapath_only -from {%s} -to {%s} 3.103", strings.Join(words, " "), strings.Join(settings, " ")),
			"set_max_delay -datapath_only -from INST/req_q_reg -to {INST/req_sync_q_reg[0]} 3.103",
			"set_max_delay -datapath_only -from INST/ack_q_reg -to {INST/ack_sync_q_reg[0]} 3.103",
		}
		env := []string{"STUB_CELLS=" + strings.Join(cells, " "), "STUB_INSTANCES=u_loss settings_cross u_nic/u_reps settings_cross u_other other"}
		out, calls, err := vivado(t, env, script)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		calls = strings.NewReplacer("{{", "{", "}}", "}", "} {", " ").Replace(calls)
		for _, inst := range []string{"u_loss", "u_nic/u_reps"} {
			named := strings.NewReplacer("INST", inst)
			for _, w := range want {
				if w = named.Replace(w); !strings.Contains(calls, w) {
					t.Errorf("%d bits: no call %q in\n%s", bits, w, calls)
				}
			}
			if has := strings.Contains(calls, named.Replace(skew)); has != (bits > 1) {
				t.Errorf("%d bits: a call %q: %t, want %t, in\n%s", bits, named.Replace(skew), has, bits > 1, calls)
			}
		}
	}
	for _, env := range [][]string{nil, {"STUB_INSTANCES=u_loss settings_cross", "STUB_CELLS=u_loss/word_q_reg[0]"}} {
		if out, _, err := vivado(t, env, script); err == nil {
			t.Errorf("%q: no error, %s", env, out)
		}
	}
}
