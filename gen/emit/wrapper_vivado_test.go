// SPDX-License-Identifier: Apache-2.0

package emit

import (
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
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/svparse"
)

// alone is a wrapper with Vivado's stand-in.
type alone struct {
	dir, script string
	env         []string
}

// laidOut emits a wrapper. The stand-in knows the ports of its top module, its clocks, and an instance
// of each module that a script constrains, on two clocks.
func laidOut(t *testing.T, kind, prefix string, clocks ...string) alone {
	t.Helper()
	tree := wrapped(t, kind, prefix)
	a := alone{dir: t.TempDir()}
	if _, err := Write(t.Context(), a.dir, tree, Options{}); err != nil {
		t.Fatal(err)
	}
	folder := gen.Prefixed(prefix, "nic_transport_"+kind)
	a.script = filepath.Join(a.dir, folder, folder+"_vivado.tcl")
	m, err := ReadManifest(tree[folder+"/"+ManifestName])
	if err != nil {
		t.Fatal(err)
	}
	var ports, instances, cells, pins []string
	for name, text := range tree {
		module, ok := strings.CutSuffix(filepath.Base(name), ".sv")
		if !ok {
			continue
		}
		f, err := svparse.Parse(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		if module == m.Top {
			for _, p := range f.Modules[0].Ports {
				ports = append(ports, p.Name, map[string]string{"input": "IN", "output": "OUT"}[p.Dir])
			}
		}
		if _, ok := tree[folder+"/"+module+".tcl"]; ok {
			instances = append(instances, "u_"+module, module)
			for _, r := range f.Modules[0].Registers() {
				for _, bit := range []string{"", "[0]", "[1]"} {
					cells = append(cells, "u_"+module+"/"+r+"_reg"+bit)
				}
			}
			for i, p := range []string{"s_clk", "src_clk", "m_clk"} {
				pins = append(pins, "u_"+module+"/"+p, clocks[i/2])
			}
		}
	}
	a.env = append(os.Environ(), "STUB_PORTS="+strings.Join(ports, " "), "STUB_CLOCKS="+strings.Join(clocks, " "),
		"STUB_INSTANCES="+strings.Join(instances, " "), "STUB_CELLS="+strings.Join(cells, " "), "STUB_PINS="+strings.Join(pins, " "))
	return a
}

// run runs the script and returns its exit code, its output, and the calls of Vivado's commands.
func (a alone) run(t *testing.T, args ...string) (code int, out string, calls []string) {
	t.Helper()
	log := filepath.Join(a.dir, "calls")
	cmd := exec.CommandContext(t.Context(), "tclsh", append([]string{"../vivado/testdata/stub.tcl", log, a.script, "-out", filepath.Join(a.dir, "out")}, args...)...)
	cmd.Env = a.env
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(b), strings.Split(strings.NewReplacer("{", "", "}", "", a.dir, "DIR").Replace(string(text)), "\n")
}

// The sign-off of a wrapper has all of its clocks, a limit at every port, and constraints on
// crossings after synthesis.
func TestWrapSignOff(t *testing.T) {
	for _, c := range []struct {
		kind     string
		clocks   []string // and periods
		generics string
		scripts  int
		of       map[string]string // ports, and the clocks that they belong to
	}{
		{"axis", []string{"clk", "4.000", "tx_clk", "3.103", "rx_clk", "3.103"}, " -generic MAC_CLOCK=1", 3,
			map[string]string{"s_axis_tx_tdata": "clk", "m_axis_tx_tready": "tx_clk", "tx_rst": "tx_clk", "s_axis_rx_tlast": "rx_clk", "rx_rst": "rx_clk", "s_axil_awaddr": "clk", "rst": "clk"}},
		{"opennic", []string{"axil_aclk", "8.000", "cmac_clk", "3.103"}, "", 2,
			map[string]string{"s_axil_awaddr": "axil_aclk", "mod_rstn": "axil_aclk", "s_axis_cmac_rx_tvalid": "cmac_clk", "m_axis_cmac_tx_tready": "cmac_clk"}},
		{"corundum", []string{"clk", "4.000"}, " -generic AXIL_APP_CTRL_ADDR_WIDTH=24", 0, map[string]string{"s_axis_sync_tx_tdata": "clk"}},
	} {
		for _, prefix := range []string{"", "wide"}[:1+c.scripts/2] {
			t.Run(c.kind+"_"+prefix, func(t *testing.T) {
				var names, words []string
				for i := 0; i < len(c.clocks); i += 2 {
					names, words = append(names, c.clocks[i]), append(words, strings.Join(c.clocks[i:i+2], " ")+" ns")
				}
				at := strings.Join(words, ", ")
				if len(names) == 1 {
					at = c.clocks[1] + " ns"
				}
				a := laidOut(t, c.kind, prefix, names...)
				code, out, calls := a.run(t)
				if code != 0 || !strings.Contains(out, "is signed off after route at "+at+": ") {
					t.Fatalf("exit code %d: %s", code, out)
				}
				all := strings.Join(calls, "\n")
				for i := 0; i < len(c.clocks); i += 2 {
					if want := "\ncreate_clock -period " + c.clocks[i+1] + " -name " + c.clocks[i] + " "; !strings.Contains(all, want) {
						t.Errorf("no call %q", want)
					}
				}
				for port, clock := range c.of {
					if !slices.ContainsFunc(calls, func(l string) bool {
						return strings.HasPrefix(l, "set_input_delay -clock "+clock+" -max ") && slices.Contains(strings.Fields(l), port)
					}) {
						t.Errorf("%s has no input delay of %s", port, clock)
					}
				}
				before, after, ok := strings.Cut(all, "-mode out_of_context"+c.generics+"\n")
				if !ok {
					t.Errorf("synth_design is not called with %q", c.generics)
				}
				crossing := func(text string) int { return strings.Count(text, "get_cells -hierarchical -filter ") }
				if crossing(before) != 0 || crossing(after) != c.scripts {
					t.Errorf("%d scripts before and %d after synthesis, want 0 and %d", crossing(before), crossing(after), c.scripts)
				}
				b, err := os.ReadFile(filepath.Join(a.dir, "out", "summary.json"))
				if err != nil {
					t.Fatal(err)
				}
				var sum struct {
					Periods map[string]float64 `json:"periods_ns"`
				}
				if err := json.Unmarshal(b, &sum); err != nil || len(names) > 1 && len(sum.Periods) != len(names) {
					t.Errorf("%v, periods %v", err, sum.Periods)
				}
			})
		}
	}
	if kinds := wrap.Kinds(); len(kinds) != 3 {
		t.Errorf("wrappers %v: one is not signed off here", kinds)
	}
}

// Other periods and missing files are reported.
func TestWrapSignOffRefuses(t *testing.T) {
	a := laidOut(t, "axis", "", "clk", "tx_clk", "rx_clk")
	xdc := filepath.Join(a.dir, "nic_transport_axis", "nic_transport_axis_ooc.xdc")
	text, err := os.ReadFile(xdc)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string // in the constraints
		args     []string
		code     int
		want     string
	}{
		{args: []string{"-period", "rx_clk=2.5", "-period", "5"}, want: "at clk 5 ns, tx_clk 3.103 ns, rx_clk 2.5 ns: "},
		{args: []string{"-period", "mac=2.5"}, code: 1, want: `-period "mac=2.5": no clock "mac", want one of clk, tx_clk, rx_clk`},
		{args: []string{"-period", "rx_clk=0"}, code: 1, want: `-period "rx_clk=0": want nanoseconds, more than 0 and at most 1000`},
		{old: "create_clock -period $period_rx_clk", new: "create_clock -period 9.9", code: 2, want: "clock rx_clk has a period of 9.9 ns, want 3.103 ns"},
		{old: "-name rx_clk", new: "-name other", code: 1, want: `set_input_delay: no clock "rx_clk"`},
		{old: "NAME =~ s_axis_rx_* || ", code: 2, want: "input ports have no input delay"},
		{old: "NAME !~ tx_rst && ", code: 1, want: "set_input_delay: tx_rst has a delay already"},
		{old: string(text[strings.LastIndex(string(text), "# ---"):]), code: 2, want: "clock rx_clk is not defined"},
		{args: []string{"-fast"}, code: 1, want: `unknown argument "-fast"`},
	} {
		changed := strings.ReplaceAll(string(text), c.old, c.new)
		if c.old == "" {
			changed = string(text)
		}
		if err := os.WriteFile(xdc, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, out, _ := a.run(t, c.args...); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%q to %q, %q: exit code %d, %s\nwant %d, %s", c.old, c.new, c.args, code, out, c.code, c.want)
		}
	}
	if err := os.WriteFile(xdc, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(a.dir, "nic_transport_axis", "nic_wrap_sync.tcl")); err != nil {
		t.Fatal(err)
	}
	code, out, calls := a.run(t)
	if d := cmp.Diff([]string{""}, calls); code != 1 || !strings.Contains(out, "nic_wrap_sync.tcl cannot be read: emit the unit again") || d != "" {
		t.Errorf("exit code %d, %s, calls (-want +got)\n%s", code, out, d)
	}
}
