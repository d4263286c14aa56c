// SPDX-License-Identifier: Apache-2.0

package vivado

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
)

// config is as much of a configuration as this package looks at.
type config struct{ gen.Config }

func (config) Unit() string { return "sample" }
func (config) Top() string  { return "nic_sample" }

var sample = gen.Emission{Config: config{}, Parts: []string{"nic_lib_part.sv"}, Sources: []string{"sub/part.sv", "table.mem", "nic_sample.sv"}}

// emitted lays out the unit as the emitter does and returns its folder, with a
// space in the name, and the script.
func emitted(t *testing.T) (dir, script string) {
	t.Helper()
	return layout(t, sample)
}

// layout does so for any emission.
func layout(t *testing.T, e gen.Emission) (dir, script string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a unit")
	for name, text := range map[string]string{
		e.Library() + "/nic_lib_part.sv": "",
		"sub/part.sv":                    "", "table.mem": "", "nic_sample.sv": "",
		XDCName(e): XDC(e),
		OOCName(e): "# a mark above\n" + OOC(e),
		TclName(e): "# a mark above\n" + Tcl(e),
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, TclName(e))
}

type result struct {
	code   int
	output string
	calls  []string // Vivado commands, without folders
}

// vivado runs a script in tclsh with Vivado's commands stubbed.
func vivado(t *testing.T, dir, script string, env []string, args ...string) result {
	t.Helper()
	stub, err := filepath.Abs(filepath.Join("testdata", "stub.tcl"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "calls")
	cmd := exec.CommandContext(t.Context(), "tclsh", append([]string{stub, log, script}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{code: cmd.ProcessState.ExitCode(), output: short(string(out), dir)}
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(short(string(b), dir)), "\n") {
		r.calls = append(r.calls, strings.NewReplacer("{", "", "}", "").Replace(l))
	}
	return r
}

// short is a text without the names of temporary folders.
func short(text, dir string) string {
	return strings.NewReplacer(dir, "DIR", filepath.Dir(dir), "BESIDE").Replace(text)
}

func summary(t *testing.T, dir string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	return m
}

func TestImplement(t *testing.T) {
	dir, script := emitted(t)
	r := vivado(t, dir, script, nil)
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.output)
	}
	want := []string{
		"create_project -in_memory -part xcu280-fsvh2892-2L-e",
		"read_verilog -sv BESIDE/lib/nic_lib_part.sv",
		"read_verilog -sv DIR/sub/part.sv",
		"read_mem DIR/table.mem",
		"read_verilog -sv DIR/nic_sample.sv",
		"read_xdc -mode out_of_context DIR/sample_ooc.xdc",
		"synth_design -top nic_sample -part xcu280-fsvh2892-2L-e -mode out_of_context",
		"opt_design", "place_design", "phys_opt_design", "route_design",
		"write_checkpoint -force DIR/sample_vivado/nic_sample.dcp",
		"report_timing_summary -max_paths 10 -file DIR/sample_vivado/timing.rpt",
		"report_utilization -hierarchical -file DIR/sample_vivado/utilization.rpt",
		"report_design_analysis -logic_level_distribution -file DIR/sample_vivado/logic_levels.rpt",
		"report_methodology -file DIR/sample_vivado/methodology.rpt",
		"report_cdc -file DIR/sample_vivado/cdc.rpt",
		"report_timing_summary -no_header -return_string",
		"report_utilization -return_string",
	}
	if d := cmp.Diff(want, r.calls); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
	got := summary(t, filepath.Join(dir, "sample_vivado"))
	if d := cmp.Diff(map[string]any{
		"unit": "sample", "top": "nic_sample", "part": "xcu280-fsvh2892-2L-e", "stage": "route", "period_ns": 3.103,
		"timing_met": true, "wns_ns": 0.412, "tns_ns": 0.0, "lut": 390.0, "ff": 402.0, "bram36": 3.5, "uram": 2.0, "dsp": 0.0,
	}, got); d != "" {
		t.Errorf("summary (-want +got):\n%s", d)
	}
}

func TestArguments(t *testing.T) {
	dir, script := emitted(t)
	out := filepath.Join(dir, "deep", "results")
	r := vivado(t, dir, script, []string{"STUB_WNS=-0.100"}, "-synth_only", "-out", out, "-period", "4", "-jobs", "2")
	if r.code != 2 {
		t.Fatalf("exit code %d, want 2 for timing not met: %s", r.code, r.output)
	}
	all := strings.Join(r.calls, "\n")
	for call, want := range map[string]bool{
		"set_param general.maxThreads 2\ncreate_project": true,
		"read_xdc -mode out_of_context DIR/sample_ooc.xdc\nread_xdc -mode out_of_context DIR/deep/results/period.xdc\nsynth_design": true,
		"opt_design": false, "place_design": false, "route_design": false,
	} {
		if strings.Contains(all, call) != want {
			t.Errorf("calls\n%s\ncontain %q: %v, want %v", all, call, !want, want)
		}
	}
	m := summary(t, out)
	if m["stage"] != "synthesis" || m["timing_met"] != false || m["wns_ns"] != -0.1 || m["period_ns"] != 4.0 {
		t.Errorf("summary %v", m)
	}
	b, err := os.ReadFile(filepath.Join(out, "period.xdc"))
	if err != nil || string(b) != "create_clock -period 4 -name clk [get_ports clk]\n" {
		t.Errorf("period.xdc: %q, %v", b, err)
	}

	if r := vivado(t, dir, script, []string{"STUB_WNS=NA"}); r.code != 0 || summary(t, filepath.Join(dir, "sample_vivado"))["wns_ns"] != nil {
		t.Errorf("nothing constrained: exit code %d, %s", r.code, r.output)
	}
	if r := vivado(t, dir, script, nil, "-help"); r.code != 0 || !strings.Contains(r.output, "-period NS") || r.calls[0] != "" {
		t.Errorf("help: exit code %d, calls %q: %s", r.code, r.calls, r.output)
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		args []string
		harm func(dir string) error
		want string
	}{
		{name: "unknown argument", args: []string{"-fast"}, want: `unknown argument "-fast": want -out DIR, -period NS, -jobs N, -synth_only or -help`},
		{name: "value missing", args: []string{"-out"}, want: "-out: a value is missing"},
		{name: "empty folder", args: []string{"-out", ""}, want: "-out: the name of the folder is empty"},
		{name: "period", args: []string{"-period", "fast"}, want: `-period "fast": want nanoseconds, more than 0 and at most 1000`},
		{name: "period zero", args: []string{"-period", "0"}, want: `-period "0": want nanoseconds, more than 0 and at most 1000`},
		{name: "period not a number", args: []string{"-period", "NaN"}, want: `-period "NaN": want nanoseconds, more than 0 and at most 1000`},
		{name: "jobs", args: []string{"-jobs", "33"}, want: `-jobs "33": want a whole number from 1 to 32`},
		{name: "folder is a file", args: []string{"-out", "table.mem"}, want: "-out DIR/table.mem: can't create directory"},
		{name: "no source", harm: func(d string) error { return os.Remove(filepath.Join(d, "sub", "part.sv")) },
			want: "source DIR/sub/part.sv cannot be read: emit the unit again"},
		{name: "no shared part", harm: func(d string) error { return os.RemoveAll(filepath.Join(d, "..", "lib")) },
			want: "source BESIDE/lib/nic_lib_part.sv cannot be read: emit the unit again"},
		{name: "odd source", harm: func(d string) error {
			script := filepath.Join(d, TclName(sample))
			text, err := os.ReadFile(script)
			if err != nil {
				return err
			}
			return os.WriteFile(script, bytes.Replace(text, []byte("    table.mem\n"), []byte("    sample_ooc.xdc\n"), 1), 0o644)
		}, want: "source DIR/sample_ooc.xdc: want a name that ends in .sv, .v, .mem or .hex"},
		{name: "no constraints", harm: func(d string) error { return os.Remove(filepath.Join(d, XDCName(sample))) },
			want: "constraints DIR/sample_ooc.xdc cannot be read: emit the unit again"},
		{name: "a step fails", env: []string{"STUB_FAIL=place_design"}, want: "place_design failed on purpose"},
		{name: "unknown report", env: []string{"STUB_ROW=CLB Registers"}, want: `report_utilization has no row "CLB Registers": this Vivado is not known to the script`},
		{name: "odd slack", env: []string{"STUB_WNS=good"}, want: `report_timing_summary shows "good" where a slack belongs: this Vivado is not known to the script`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, script := emitted(t)
			old := filepath.Join(dir, "sample_vivado", "summary.json")
			if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(old, []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
			if c.harm != nil {
				if err := c.harm(dir); err != nil {
					t.Fatal(err)
				}
			}
			r := vivado(t, dir, script, c.env, c.args...)
			if r.code != 1 || !strings.HasPrefix(r.output, "sample_vivado.tcl: "+c.want) {
				t.Errorf("exit code %d, output %q, want 1, %q", r.code, r.output, c.want)
			}
			_, err := os.Stat(old)
			if started := len(r.calls) > 0 && r.calls[0] != ""; started && err == nil {
				t.Error("the summary of an earlier run survived")
			} else if !started && err != nil {
				t.Error("wrong use cost the summary of an earlier run")
			}
		})
	}
}

func TestXDC(t *testing.T) {
	dir, _ := emitted(t)
	r := vivado(t, dir, filepath.Join(dir, XDCName(sample)), nil)
	want := []string{
		"get_ports clk", "create_clock -period 3.103 -name clk clk",
		"get_ports clk", "set_property HD.CLK_SRC BUFGCTRL_X0Y2 clk",
	}
	if d := cmp.Diff(want, r.calls); d != "" || r.code != 0 {
		t.Errorf("exit code %d, %s, calls (-want +got):\n%s", r.code, r.output, d)
	}
}

// The script for projects has the constraints and the synthesis out of context.
func TestOOC(t *testing.T) {
	dir, _ := emitted(t)
	r := vivado(t, dir, filepath.Join(dir, OOCName(sample)), nil)
	want := []string{
		"read_xdc -mode out_of_context DIR/sample_ooc.xdc", "get_runs synth_1",
		"set_property -name STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS -value -mode out_of_context -objects synth_1",
	}
	if d := cmp.Diff(want, r.calls); d != "" || r.code != 0 {
		t.Errorf("exit code %d, %s, calls (-want +got):\n%s", r.code, r.output, d)
	}
}

// A prefix stands before every name that a script or a constraint speaks of.
func TestPrefix(t *testing.T) {
	e := sample
	e.Prefix, e.Sources = "a", []string{"sub/part.sv", "table.mem", "nic_sample.sv"}
	dir, script := layout(t, e)
	if base := filepath.Base(script); base != "a_sample_vivado.tcl" {
		t.Errorf("the script is %s", base)
	}
	r := vivado(t, dir, script, nil, "-synth_only")
	for _, want := range []string{"read_verilog -sv BESIDE/a_lib/nic_lib_part.sv", "read_xdc -mode out_of_context DIR/a_sample_ooc.xdc",
		"synth_design -top a_nic_sample -part xcu280-fsvh2892-2L-e -mode out_of_context"} {
		if !slices.Contains(r.calls, want) {
			t.Errorf("exit code %d, %s, no call %q in %q", r.code, r.output, want, r.calls)
		}
	}
}

// The stand-in itself refuses what it does not know: else it would prove
// nothing.
func TestStubIsStrict(t *testing.T) {
	for script, want := range map[string]string{
		"synth_desing -top x":         "synth_desing is no command",
		"synth_design -fast":          "synth_design: unknown option -fast",
		"synth_design x":              "synth_design: 1 words, want 0 to 0",
		"synth_design -top":           "synth_design: -top needs a value",
		"read_verilog -sv missing.sv": "read_verilog: no file missing.sv",
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "x.tcl")
		if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := vivado(t, dir, file, nil); r.code == 0 || !strings.Contains(r.output, want) {
			t.Errorf("%s: exit code %d, %s, want %s", script, r.code, r.output, want)
		}
	}
}

func TestNoPlaceholderIsLeft(t *testing.T) {
	for name, text := range map[string]string{"XDC": XDC(sample), "OOC": OOC(sample), "Tcl": Tcl(sample)} {
		if strings.Contains(text, "@") {
			t.Errorf("%s: a placeholder is left in\n%s", name, text)
		}
	}
}
