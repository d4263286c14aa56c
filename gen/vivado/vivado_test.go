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
	"github.com/nicgen/nicgen/gen/device"
)

// config is a configuration with the parts that this package uses.
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

// short returns a text without the names of temporary folders.
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

// constrained are the calls of the out-of-context constraints. 20 % of 3.103 ns pass
// outside.
var constrained = []string{
	"get_ports clk", "create_clock -period 3.103 -name clk clk",
	"get_ports clk", "set_property HD.CLK_SRC BUFGCTRL_X0Y2 clk",
	"get_ports -filter DIRECTION == IN && NAME != clk", "get_ports -filter DIRECTION == OUT",
	"set_input_delay -clock clk -max 0.6206 rst s_valid", "set_input_delay -clock clk -min 0 rst s_valid",
	"set_output_delay -clock clk -max 0.6206 m_valid", "set_output_delay -clock clk -min 0 m_valid",
	"set_max_delay -datapath_only -from rst s_valid 3.103",
	"get_clocks clk", "set_max_delay -datapath_only -from clk -to m_valid 3.103",
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
	}
	want = append(want, constrained...)
	want = append(want,
		"synth_design -top nic_sample -part xcu280-fsvh2892-2L-e -mode out_of_context",
		"opt_design", "place_design", "phys_opt_design", "route_design",
		"write_checkpoint -force DIR/sample_vivado/nic_sample.dcp",
		"report_timing_summary -max_paths 10 -file DIR/sample_vivado/timing.rpt",
		"check_timing -verbose -file DIR/sample_vivado/check_timing.rpt",
		"report_pulse_width -file DIR/sample_vivado/pulse_width.rpt",
		"report_utilization -hierarchical -file DIR/sample_vivado/utilization.rpt",
		"report_design_analysis -logic_level_distribution -file DIR/sample_vivado/logic_levels.rpt",
		"report_control_sets -verbose -file DIR/sample_vivado/control_sets.rpt",
		"report_high_fanout_nets -load_types -fanout_greater_than 100 -max_nets 100 -file DIR/sample_vivado/fanout.rpt",
		"report_methodology -file DIR/sample_vivado/methodology.rpt",
		"report_exceptions -file DIR/sample_vivado/exceptions.rpt",
		"report_cdc -file DIR/sample_vivado/cdc.rpt",
		"report_route_status -file DIR/sample_vivado/route_status.rpt",
		"report_timing_summary -no_header -return_string",
		"check_timing -no_header -return_string",
		"report_utilization -return_string",
		"get_msg_config -severity CRITICAL WARNING -count",
		"get_clocks -quiet", "get_property NAME clk", "get_property PERIOD clk",
		"report_route_status -return_string",
		"report_methodology -return_string",
		"report_control_sets -return_string",
		"get_nets -quiet -hierarchical -top_net_of_hierarchical_group -filter TYPE == SIGNAL && FLAT_PIN_COUNT > 101",
		"get_property NAME rst_q", "get_property FLAT_PIN_COUNT rst_q",
	)
	if d := cmp.Diff(want, r.calls); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
	if want := "nic_sample is signed off after route at 3.103 ns: DIR/sample_vivado/summary.json\n"; r.output != want {
		t.Errorf("output %q, want %q", r.output, want)
	}
	got := summary(t, filepath.Join(dir, "sample_vivado"))
	if d := cmp.Diff(map[string]any{
		"unit": "sample", "top": "nic_sample", "part": "xcu280-fsvh2892-2L-e", "stage": "route", "period_ns": 3.103,
		"signed_off": true, "findings": []any{},
		"wns_ns": 0.412, "tns_ns": 0.0, "setup_failing": 0.0, "setup_endpoints": 812.0,
		"whs_ns": 0.021, "ths_ns": 0.0, "hold_failing": 0.0, "hold_endpoints": 812.0,
		"wpws_ns": 0.927, "tpws_ns": 0.0, "pulse_width_failing": 0.0, "pulse_width_endpoints": 812.0,
		"check_timing": map[string]any{
			"no_clock": 0.0, "constant_clock": 0.0, "pulse_width_clock": 0.0, "unconstrained_internal_endpoints": 0.0,
			"no_input_delay": 0.0, "no_output_delay": 0.0, "multiple_clock": 0.0, "generated_clocks": 0.0, "loops": 0.0,
			"partial_input_delay": 0.0, "partial_output_delay": 0.0, "latch_loops": 0.0,
		},
		"routing_errors": 0.0, "critical_warnings": 0.0, "control_sets": 17.0,
		"nets_over_100": []any{map[string]any{"net": "rst_q", "loads": 128.0}},
		"lut":           390.0, "ff": 402.0, "bram36": 3.5, "uram": 2.0, "dsp": 0.0,
	}, got); d != "" {
		t.Errorf("summary (-want +got):\n%s", d)
	}
}

func TestArguments(t *testing.T) {
	dir, script := emitted(t)
	out := filepath.Join(dir, "deep", "results")
	r := vivado(t, dir, script, nil, "-synth_only", "-out", out, "-period", "4", "-jobs", "2")
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.output)
	}
	if !strings.HasPrefix(r.output, "nic_sample: synthesis at 4 ns shows nothing wrong; timing is an estimate until it is routed") {
		t.Errorf("output %q", r.output)
	}
	all := strings.Join(r.calls, "\n")
	for call, want := range map[string]bool{
		"set_param general.maxThreads 2\ncreate_project":                true,
		"read_xdc -mode out_of_context DIR/deep/results/sample_ooc.xdc": true,
		"read_xdc -mode out_of_context DIR/sample_ooc.xdc":              false,
		"create_clock -period 4 -name clk clk":                          true,
		"set_input_delay -clock clk -max 0.8 ":                          true,
		"set_max_delay -datapath_only -from rst s_valid 4\n":            true,
		"opt_design": false, "place_design": false, "route_design": false, "report_route_status": false,
	} {
		if strings.Contains(all, call) != want {
			t.Errorf("calls\n%s\ncontain %q: %v, want %v", all, call, !want, want)
		}
	}
	m := summary(t, out)
	if m["stage"] != "synthesis" || m["signed_off"] != false || m["routing_errors"] != nil || m["period_ns"] != 4.0 {
		t.Errorf("summary %v", m)
	}
	if r := vivado(t, dir, script, nil, "-help"); r.code != 0 || !strings.Contains(r.output, "-period NS") || r.calls[0] != "" {
		t.Errorf("help: exit code %d, calls %q: %s", r.code, r.calls, r.output)
	}
}

// without returns the constraints of a unit without the lines that start with a word.
func without(word string) func(dir string) error {
	return func(dir string) error {
		file := filepath.Join(dir, XDCName(sample))
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var kept []string
		for _, l := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(l, word) {
				kept = append(kept, l)
			}
		}
		return os.WriteFile(file, []byte(strings.Join(kept, "\n")), 0o644)
	}
}

// replaced returns a change of the constraints.
func replaced(old, text string) func(dir string) error {
	return func(dir string) error {
		file := filepath.Join(dir, XDCName(sample))
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.Contains(b, []byte(old)) {
			return errors.New("no " + old)
		}
		return os.WriteFile(file, bytes.ReplaceAll(b, []byte(old), []byte(text)), 0o644)
	}
}

// Each reason why a unit is not signed off is found, said in a sentence and kept in the
// summary; the exit code is 2.
func TestNotSignedOff(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   []string
		args  []string
		harm  func(dir string) error
		finds []string
	}{
		{name: "setup", env: []string{"STUB_WNS=-0.100"}, finds: []string{"setup: 3 of 812 endpoints fail, worst slack -0.100 ns"}},
		{name: "setup after synthesis", env: []string{"STUB_WNS=-0.100"}, args: []string{"-synth_only"},
			finds: []string{"setup: 3 of 812 endpoints fail, worst slack -0.100 ns"}},
		{name: "hold", env: []string{"STUB_WHS=-0.001"}, finds: []string{"hold: 3 of 812 endpoints fail, worst slack -0.001 ns"}},
		{name: "pulse width", env: []string{"STUB_WPWS=-0.050"}, finds: []string{"pulse width: 3 of 812 endpoints fail, worst slack -0.050 ns"}},
		{name: "rounded slack", env: []string{"STUB_WNS=-0.000", "STUB_FAILING=1"}, finds: []string{
			"setup: 1 of 812 endpoints fail, worst slack -0.000 ns", "hold: 1 of 812 endpoints fail, worst slack 0.021 ns",
			"pulse width: 1 of 812 endpoints fail, worst slack 0.927 ns"}},
		{name: "no setup slack", env: []string{"STUB_WNS=NA"}, finds: []string{"setup: nothing is checked, there is no slack"}},
		{name: "no hold slack", env: []string{"STUB_WHS=NA"}, finds: []string{"hold: nothing is checked, there is no slack"}},
		{name: "no pulse width slack", env: []string{"STUB_WPWS=NA"}, finds: []string{"pulse width: nothing is checked, there is no slack"}},
		{name: "all three", env: []string{"STUB_WNS=-1", "STUB_WHS=-1", "STUB_WPWS=-1"}, finds: []string{
			"setup: 3 of 812 endpoints fail, worst slack -1 ns", "hold: 3 of 812 endpoints fail, worst slack -1 ns",
			"pulse width: 3 of 812 endpoints fail, worst slack -1 ns"}},
		{name: "no clock", harm: func(dir string) error {
			return os.WriteFile(filepath.Join(dir, XDCName(sample)), []byte("set period 3.103\n"), 0o644)
		}, finds: []string{"no clock is defined: nothing is timed",
			"setup: nothing is checked, there is no slack", "hold: nothing is checked, there is no slack",
			"pulse width: nothing is checked, there is no slack",
			"402 clock pins have no clock", "812 endpoints inside the unit are not constrained",
			"2 input ports have no input delay: paths from them are not timed",
			"1 output ports have no output delay: paths to them are not timed"}},
		{name: "another clock", harm: replaced("create_clock -period $period -name clk",
			"create_clock -period 9 -name other [get_ports rst]\ncreate_clock -period $period -name clk"),
			finds: []string{"clock other is defined: want clk alone"}},
		{name: "another period", harm: replaced("create_clock -period $period", "create_clock -period 3.2"),
			finds: []string{"clock clk has a period of 3.2 ns, want 3.103 ns"}},
		{name: "inputs without a delay", harm: without("set_input_delay"),
			finds: []string{"2 input ports have no input delay: paths from them are not timed"}},
		{name: "outputs without a delay", harm: without("set_output_delay"),
			finds: []string{"1 output ports have no output delay: paths to them are not timed"}},
		{name: "one input without a delay", harm: replaced("NAME != clk}", "NAME != clk && NAME != rst}"),
			finds: []string{"1 input ports have no input delay: paths from them are not timed"}},
		{name: "inputs with half a delay", harm: without("set_input_delay  -clock clk -min"),
			finds: []string{"2 input ports have only part of an input delay"}},
		{name: "outputs with half a delay", harm: without("set_output_delay -clock clk -min"),
			finds: []string{"1 output ports have only part of an output delay"}},
		{name: "constant clock", env: []string{"STUB_CHECK=constant_clock 4"}, finds: []string{"4 clock pins are constant"}},
		{name: "two clocks on a pin", env: []string{"STUB_CHECK=multiple_clock 7"}, finds: []string{"7 clock pins have more than one clock"}},
		{name: "generated clock", env: []string{"STUB_CHECK=generated_clocks 1"},
			finds: []string{"1 generated clocks have no master clock that reaches them"}},
		{name: "loop", env: []string{"STUB_CHECK=loops 2"}, finds: []string{"2 combinational loops"}},
		{name: "loop through a latch", env: []string{"STUB_CHECK=latch_loops 2"}, finds: []string{"2 combinational loops through latches"}},
		{name: "methodology", env: []string{"STUB_METHODOLOGY=Critical Warning"},
			finds: []string{"methodology: critical warning TIMING-11, Inappropriate max delay with datapath only option, 4 times"}},
		{name: "methodology, error", env: []string{"STUB_METHODOLOGY=Error"},
			finds: []string{"methodology: error TIMING-11, Inappropriate max delay with datapath only option, 4 times"}},
		{name: "critical warnings", env: []string{"STUB_CRITICAL=5"}, finds: []string{"Vivado gave 5 critical warnings: see its output"}},
		{name: "routing", env: []string{"STUB_ROUTING=6"}, finds: []string{"6 nets have routing errors"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, script := emitted(t)
			if c.harm != nil {
				if err := c.harm(dir); err != nil {
					t.Fatal(err)
				}
			}
			r := vivado(t, dir, script, c.env, c.args...)
			stage := "route"
			if len(c.args) > 0 {
				stage = "synthesis"
			}
			want := "nic_sample is not signed off after " + stage + " at 3.103 ns:\n  " + strings.Join(c.finds, "\n  ") +
				"\nSee DIR/sample_vivado/summary.json\n"
			if r.code != 2 || r.output != want {
				t.Fatalf("exit code %d, output\n%s\nwant 2,\n%s", r.code, r.output, want)
			}
			m := summary(t, filepath.Join(dir, "sample_vivado"))
			var finds []any
			for _, f := range c.finds {
				finds = append(finds, f)
			}
			if d := cmp.Diff(finds, m["findings"]); d != "" || m["signed_off"] != false {
				t.Errorf("signed off: %v; findings (-want +got):\n%s", m["signed_off"], d)
			}
		})
	}
}

// A value that only routing shows is not judged after synthesis.
func TestSynthesisDoesNotJudgeHold(t *testing.T) {
	dir, script := emitted(t)
	if r := vivado(t, dir, script, []string{"STUB_WHS=-0.100", "STUB_ROUTING=3"}, "-synth_only"); r.code != 0 {
		t.Errorf("exit code %d: %s", r.code, r.output)
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
		{name: "odd slack", env: []string{"STUB_WNS=good"}, want: `report_timing_summary shows "good" where a number belongs: this Vivado is not known to the script`},
		{name: "slack not a number", env: []string{"STUB_WHS=NaN"}, want: `report_timing_summary shows "NaN" where a number belongs: this Vivado is not known to the script`},
		{name: "empty slack", env: []string{"STUB_WNS="}, want: `report_timing_summary shows 11 figures in its summary, want 12: this Vivado is not known to the script`},
		{name: "no slack table", env: []string{"STUB_ROW=WNS(ns)"}, want: `report_timing_summary has no summary table: this Vivado is not known to the script`},
		{name: "ports not checked", env: []string{"STUB_ROW=no_output_delay"}, want: `check_timing does not check no_output_delay: this Vivado is not known to the script`},
		{name: "no count of violations", env: []string{"STUB_ROW=Violations found"}, want: `report_methodology does not say how many violations it found: this Vivado is not known to the script`},
		{name: "no count of routing errors", env: []string{"STUB_ROW=routing errors"}, want: `report_route_status does not count nets with routing errors: this Vivado is not known to the script`},
		{name: "no count of control sets", env: []string{"STUB_ROW=Total control sets"}, want: `report_control_sets does not count control sets: this Vivado is not known to the script`},
		{name: "period not on a separate line", args: []string{"-period", "4"}, harm: replaced("set period 3.103", "set  period 3.103"),
			want: `constraints DIR/sample_ooc.xdc do not set the period in one line "set period NS": emit the unit again`},
		{name: "a loop in the constraints", harm: replaced("set outside", "foreach x {} {}\nset outside"), want: `sample_ooc.xdc: invalid command name "foreach"`},
		{name: "a port that does not exist", harm: replaced("[get_ports clk]", "[get_ports clock]"), want: `sample_ooc.xdc: get_ports: no port matches "clock"`},
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
	want := append([]string{"read_xdc DIR/sample_ooc.xdc"}, constrained...)
	if d := cmp.Diff(want, r.calls); d != "" || r.code != 0 {
		t.Errorf("exit code %d, %s, calls (-want +got):\n%s", r.code, r.output, d)
	}
}

// The script for projects has the constraints and the synthesis out of context.
func TestOOC(t *testing.T) {
	dir, _ := emitted(t)
	r := vivado(t, dir, filepath.Join(dir, OOCName(sample)), nil)
	want := append([]string{"read_xdc -mode out_of_context DIR/sample_ooc.xdc"}, constrained...)
	want = append(want, "get_runs synth_1",
		"set_property -name STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS -value -mode out_of_context -objects synth_1",
	)
	if d := cmp.Diff(want, r.calls); d != "" || r.code != 0 {
		t.Errorf("exit code %d, %s, calls (-want +got):\n%s", r.code, r.output, d)
	}
}

// Another part and directives reach the commands; where no buffer is known, none is named.
func TestPart(t *testing.T) {
	for name, site := range map[string]bool{"U250": true, "U45N": false, "xcku15p-ffve1760-2-e": false} {
		part, err := device.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		e := sample
		e.Part = &part
		if e.Directives, err = ParseDirectives([]string{"place=SSI_SpreadSLLs", "RuntimeOptimized"}); err != nil {
			t.Fatal(err)
		}
		dir, script := layout(t, e)
		r := vivado(t, dir, script, nil)
		if r.code != 0 {
			t.Fatalf("%s: exit code %d: %s", name, r.code, r.output)
		}
		for call, want := range map[string]bool{
			"create_project -in_memory -part " + part.Name:                                                          true,
			"set_property HD.CLK_SRC BUFGCTRL_X0Y2 clk":                                                             site,
			"opt_design -directive RuntimeOptimized":                                                                true,
			"place_design -directive SSI_SpreadSLLs":                                                                true,
			"phys_opt_design -directive RuntimeOptimized":                                                           true,
			"route_design -directive RuntimeOptimized":                                                              true,
			"synth_design -top nic_sample -part " + part.Name + " -mode out_of_context -directive RuntimeOptimized": true,
		} {
			if slices.Contains(r.calls, call) != want {
				t.Errorf("%s: call %q: %v, want %v, in %q", name, call, !want, want, r.calls)
			}
		}
		if got := summary(t, filepath.Join(dir, "sample_vivado"))["part"]; got != part.Name {
			t.Errorf("%s: the summary names %v", name, got)
		}
	}
}

// A prefix is prepended to every name in a script or constraint.
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

// The stand-in itself refuses unknown commands: otherwise it would prove nothing.
func TestStubIsStrict(t *testing.T) {
	for script, want := range map[string]string{
		"synth_desing -top x":         "synth_desing is no command",
		"synth_design -fast":          "synth_design: unknown option -fast",
		"synth_design x":              "synth_design: 1 words, want 0 to 0",
		"synth_design -top":           "synth_design: -top needs a value",
		"read_verilog -sv missing.sv": "read_verilog: no file missing.sv",
		"lmap x {1 2} {set x}":        "lmap is no command",
		"get_ports nowhere":           `get_ports: no port matches "nowhere"`,
		"get_cells lost_q_reg":        `get_cells: no cell matches "lost_q_reg"`,
		"get_clocks clk":              `get_clocks: no clock matches "clk"`,
		"set_input_delay 1 rst":       `set_input_delay: no clock ""`,
		"create_clock -period 1 -name clk clk\nset_input_delay -clock clk 1 m_valid": "m_valid is the clock, or not of direction IN",
		"create_clock -period 1 -name clk clk\ncreate_clock -period 2 -name clk clk": "clock clk completely overrides clock clk",
		"set_max_delay -datapath_only 3":                                             "-datapath_only needs -from",
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
