// SPDX-License-Identifier: Apache-2.0

// Package constraints_test checks the hand-written constraint files.
package constraints_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	repsdetector "github.com/nicgen/nicgen/gen/reps_detector"
	vivadoscripts "github.com/nicgen/nicgen/gen/vivado"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/svparse"
)

const stub = "../gen/vivado/testdata/stub.tcl"

// board are the ports of u280.xdc, for the stand-in for Vivado.
const board = "hbm_cattrip OUT pcie_refclk_p IN pcie_refclk_n IN qsfp0_refclk_p IN qsfp0_refclk_n IN qsfp1_refclk_p IN qsfp1_refclk_n IN"

// vivado runs a script or constraints in tclsh with Vivado's commands stubbed, and returns
// its output and the commands called, one a line.
func vivado(t *testing.T, env []string, script string, args ...string) (output, calls string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "calls")
	cmd := exec.CommandContext(t.Context(), "tclsh", append([]string{stub, file, script}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	b, rerr := os.ReadFile(file)
	if rerr != nil {
		t.Fatal(rerr)
	}
	return string(out), string(b), err
}

// files lists every constraint file, and fails if it finds none.
func files(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"*.xdc", "*.tcl"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		t.Fatal("no constraint file")
	}
	return list
}

// Every file runs in tclsh with Vivado's commands stubbed; crossings have a separate test.
func TestSyntax(t *testing.T) {
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			if strings.HasSuffix(file, "_cross.tcl") {
				return
			}
			out, calls, err := vivado(t, []string{"STUB_PORTS=" + board}, file)
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if strings.Count(calls, "\n") < 2 {
				t.Errorf("the file does next to nothing:\n%s", calls)
			}
		})
	}
}

// The clocks that the page promises are the ones in the file.
func TestClocks(t *testing.T) {
	out, calls, err := vivado(t, []string{"STUB_PORTS=" + board}, "u280.xdc")
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		"create_clock -period 10.000 -name pcie_refclk pcie_refclk_p",
		"create_clock -period 6.206 -name qsfp0_refclk qsfp0_refclk_p",
		"create_clock -period 6.206 -name qsfp1_refclk qsfp1_refclk_p",
	} {
		if !slices.Contains(strings.Split(calls, "\n"), want) {
			t.Errorf("no %q in\n%s", want, calls)
		}
	}
}

var (
	register = regexp.MustCompile(`\b([a-z][a-z0-9_]*_q)(?:_reg)?\b`)
	comment  = regexp.MustCompile(`(?m)^\s*#.*$`)
)

// strangers returns the registers that constraints name and the RTL does not have.
func strangers(constraints, rtl string) []string {
	var list []string
	for _, m := range register.FindAllStringSubmatch(comment.ReplaceAllString(constraints, ""), -1) {
		if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(rtl) {
			list = append(list, m[1])
		}
	}
	return list
}

func TestRegistersExist(t *testing.T) {
	var rtl strings.Builder
	for _, u := range registry.Units {
		cfg := u.New()
		sources, err := cfg.Files()
		if err != nil {
			t.Fatalf("%s: %v", cfg.Unit(), err)
		}
		for _, f := range sources {
			rtl.WriteString(f.Text)
		}
	}
	rtl.WriteString(crossing(t) + queue(t))
	for _, file := range files(t) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if list := strangers(string(b), rtl.String()); len(list) > 0 {
			t.Errorf("%s: no emitted unit and no crossing has the registers %q", file, list)
		}
	}
}

// design returns the checked-in RTL of a unit in the form for Vivado's stand-in: the ports of its top
// with their directions, and the cells of its registers.
func design(t *testing.T, cfg gen.Config) []string {
	t.Helper()
	var files []*svparse.File
	for _, folder := range []string{cfg.Unit(), gen.Library} {
		list, err := filepath.Glob(filepath.Join("..", "rtl", folder, "*.sv"))
		if err != nil || len(list) == 0 {
			t.Fatalf("no SystemVerilog in rtl/%s: %v", folder, err)
		}
		for _, path := range list {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := svparse.Parse(path, string(text))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	d := svparse.Elaborate(files...)
	top, err := d.Module(cfg.Top()).Module()
	if err != nil {
		t.Fatal(err)
	}
	var ports, cells []string
	for _, p := range top.Ports {
		ports = append(ports, p.Name, map[string]string{"input": "IN", "output": "OUT"}[p.Dir])
	}
	var walk func(m *svparse.Module, path string)
	walk = func(m *svparse.Module, path string) {
		for _, r := range m.Registers() {
			cells = append(cells, path+r+"_reg", path+r+"_reg[0]")
		}
		for _, i := range m.Instances {
			part, err := d.Module(i.Module).Module()
			if err != nil {
				t.Fatal(err)
			}
			walk(part, path+i.Name+"/")
		}
	}
	walk(top, "")
	return []string{"STUB_PORTS=" + strings.Join(ports, " "), "STUB_CELLS=" + strings.Join(cells, " ")}
}

// The emitted scripts and constraints of every unit run on its emitted files: each file is there,
// each port is constrained, and everything that a constraint names exists.
func TestUnits(t *testing.T) {
	for _, u := range registry.Units {
		cfg := u.New()
		t.Run(cfg.Unit(), func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("..", "rtl", cfg.Unit()))
			if err != nil {
				t.Fatal(err)
			}
			e := gen.Emission{Config: cfg}
			env := design(t, cfg)
			out, calls, err := vivado(t, env, filepath.Join(dir, vivadoscripts.TclName(e)), "-out", t.TempDir())
			if want := cfg.Top() + " is signed off after route at 3.103 ns"; err != nil || !strings.HasPrefix(out, want) {
				t.Errorf("%v, %q, want %q", err, out, want)
			}
			var inputs, outputs int
			for _, p := range cfg.Ports() {
				if p.Dir == gen.Out {
					outputs++
				} else if p.Name != "clk" {
					inputs++
				}
			}
			for _, want := range []string{
				fmt.Sprintf(`(?m)^set_input_delay -clock clk -max 0\.6206\d* \{(\w+ ?){%d}\}$`, inputs),
				fmt.Sprintf(`(?m)^set_output_delay -clock clk -max 0\.6206\d* \{(\w+ ?){%d}\}$`, outputs),
			} {
				if !regexp.MustCompile(want).MatchString(calls) {
					t.Errorf("no call %s in\n%s", want, calls)
				}
			}
			if out, _, err := vivado(t, env, filepath.Join(dir, vivadoscripts.OOCName(e))); err != nil {
				t.Errorf("%v, %s", err, out)
			}
		})
	}
}

// A constraint that names a register is refused if the RTL has no register with that name.
func TestConstraintsOfRegisters(t *testing.T) {
	env := design(t, repsdetector.Default())
	for cell, ok := range map[string]bool{
		"ready_q_reg": true, "clear_idx_q_reg[*]": true, "high/*_reg[*]": true, "gone_q_reg": false, "low/*_reg": false,
	} {
		file := filepath.Join(t.TempDir(), "x.xdc")
		if err := os.WriteFile(file, []byte("set_false_path -to [get_cells {"+cell+"}]\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, _, err := vivado(t, env, file); (err == nil) != ok {
			t.Errorf("%s: %v, %s, want it accepted: %t", cell, err, out, ok)
		}
	}
}

func TestStrangers(t *testing.T) {
	rtl := "logic [3:0] sync_q;\nlogic gray_q;\n"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"set_property ASYNC_REG TRUE [get_cells $inst/sync_q_reg[*]]", nil},
		{"set_false_path -to [get_cells {gray_q_reg lost_q_reg[3]}]", []string{"lost_q"}},
		{"# lost_q is only spoken of", nil},
		{"get_cells sync_q2_reg", nil},
		{"get_cells a_sync_q", []string{"a_sync_q"}},
	} {
		if got := strangers(c.text, rtl); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
