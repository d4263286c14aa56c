// SPDX-License-Identifier: Apache-2.0

package wrap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/svparse"
)

// The scripts that come with a wrapper run with Vivado's commands replaced by stand-ins, and constrain
// every crossing that the wrapper has; in a design that lacks one they stop.
func TestConstraints(t *testing.T) {
	for kind, scripts := range map[string]map[string]int{ // calls of each script for each instance
		"opennic": {"settings_cross.tcl": 4, "nic_wrap_sync.tcl": 1}, "axis": {"nic_lib_frames_cross.tcl": 4, "settings_cross.tcl": 4, "nic_wrap_sync.tcl": 1},
	} {
		e := emission(t, kind, "")
		w := made(t, kind, e)
		texts := map[string]string{}
		for _, f := range w.Others {
			texts[f.Name] = f.Text
		}
		for name, calls := range scripts {
			t.Run(kind+"/"+name, func(t *testing.T) {
				module := strings.TrimSuffix(name, ".tcl")
				instances := map[string]string{"u_a": module, "g_port[0].u_b": module, "u_c": "other"}
				var cells, list []string
				for _, f := range slices.Concat(w.Parts, w.Sources) {
					if f.Name != module+".sv" {
						continue
					}
					tree, err := svparse.Parse(f.Name, f.Text)
					if err != nil {
						t.Fatal(err)
					}
					for i, m := range instances {
						list = append(list, i, m)
						for _, r := range tree.Modules[0].Registers() {
							if m == module {
								cells = append(cells, i+"/"+r+"_reg", i+"/"+r+"_reg[0]", i+"/"+r+"_reg[1]")
							}
						}
					}
				}
				if len(cells) == 0 {
					t.Fatalf("there is no module %s", module)
				}
				dir := t.TempDir()
				script := filepath.Join(dir, "x.tcl")
				text := "create_clock -period 3.103 -name clk [get_ports clk]\n" + texts[name]
				if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				for env, ok := range map[string]bool{"STUB_INSTANCES=" + strings.Join(list, " "): true, "STUB_INSTANCES=u_c other": false} {
					log := filepath.Join(dir, "calls")
					cmd := exec.CommandContext(t.Context(), "tclsh", "../vivado/testdata/stub.tcl", log, script)
					cmd.Env = append(os.Environ(), env, "STUB_CELLS="+strings.Join(cells, " "))
					out, err := cmd.CombinedOutput()
					if (err == nil) != ok {
						t.Fatalf("%s: %v\n%s", env, err, out)
					}
					b, err := os.ReadFile(log)
					if err != nil {
						t.Fatal(err)
					}
					if n := strings.Count(string(b), "\nset_"); ok && n != 2*calls {
						t.Errorf("%d constraints, want %d:\n%s", n, 2*calls, b)
					}
				}
			})
		}
	}
}

// The lines for other people's builds run in Tcl: Corundum's set parameters, OpenNIC's reads each file.
func TestBuildScripts(t *testing.T) {
	for kind, c := range map[string]struct{ file, before, after, want string }{
		"corundum": {"config.tcl", "set params {}\n", "puts \"[dict get $params APP_ID] [dict get $params PTP_TS_ENABLE]\"\n", "32'h4E470001 1\n"},
		"opennic": {"build_box_322mhz.tcl", "proc read_verilog {a b files} { foreach f $files { puts [file tail $f] } }\nproc read_xdc {a f} { puts $f }\n" +
			"proc get_files {f} { return $f }\nproc set_property {args} {}\n", "",
			"nic_transport.sv\nsettings_cross.sv\nnic_wrap_sync.sv\nnic_wrap_reset.sv\nnic_wrap_time.sv\nnic_wrap_axil_split.sv\nnic_wrap_axil_cross.sv\n" +
				"nic_transport_322mhz.sv\nsettings_cross.tcl\nnic_wrap_sync.tcl\n"},
	} {
		t.Run(kind, func(t *testing.T) {
			for _, f := range made(t, kind, emission(t, kind, "")).Others {
				if f.Name != c.file {
					continue
				}
				cmd := exec.CommandContext(t.Context(), "tclsh")
				cmd.Stdin = strings.NewReader(c.before + f.Text + c.after)
				if out, err := cmd.CombinedOutput(); err != nil || string(out) != c.want {
					t.Errorf("%v\n%swant\n%s", err, out, c.want)
				}
				return
			}
			t.Errorf("there is no %s", c.file)
		})
	}
}
