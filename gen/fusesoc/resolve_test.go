// SPDX-License-Identifier: Apache-2.0

package fusesoc_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/internal/tool"
)

// A user's core that depends on two units, and on one of them in a second configuration.
const userCore = `CAPI=2:
name: user:nic:top:1.0
filesets:
  rtl:
    files: [top.sv]
    file_type: systemVerilogSource
    depend:
      - nicgen:transport:reps:0.1.0
      - nicgen:transport:powertcp:0.1.0
      - nicgen:transport:large_reps:0.1.0
targets:
  lint:
    filesets: [rtl]
    toplevel: top
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wno-PINMISSING]
`

const userTop = `module top (input wire logic clk, input wire logic rst);
  nic_reps u_reps (.clk (clk), .rst (rst));
  nic_powertcp u_powertcp (.clk (clk), .rst (rst));
  large_nic_reps u_large (.clk (clk), .rst (rst));
endmodule
`

// soc is FuseSoC in a folder with emitted units and a user's core.
type soc struct {
	t            *testing.T
	program, dir string
}

func newSoC(t *testing.T) soc {
	t.Helper()
	program, err := tool.FindPackaged(tool.FuseSoC)
	if err != nil {
		t.Fatal(err)
	}
	s := soc{t, program, t.TempDir()}
	emitted := func(prefix, settings string, units ...func() gen.Config) emit.Tree {
		run := emit.Run{Prefix: prefix}
		for _, unit := range units {
			cfg := unit()
			if err := gen.Configure(cfg, settings); err != nil {
				t.Fatal(err)
			}
			run.Units = append(run.Units, emit.Unit{Config: cfg, Default: unit()})
		}
		tree, err := run.Render()
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	// The last one has the names of the first, and another VLNV: FuseSoC must not take one
	// for the other.
	other := emitted("", "connections=1024", reps.New)
	maps.DeleteFunc(other, func(p string, _ []byte) bool { return strings.HasPrefix(p, gen.Library+"/") })
	for _, x := range []struct {
		folder string
		tree   emit.Tree
	}{{"cores", emitted("", "", reps.New, powertcp.New)}, {"cores", emitted("large", "connections=512", reps.New)}, {"other", other}} {
		if _, err := emit.Write(t.Context(), filepath.Join(s.dir, x.folder), x.tree, emit.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"cores/top.core": userCore, "cores/top.sv": userTop} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs FuseSoC and returns its output.
func (s soc) run(args ...string) string {
	s.t.Helper()
	cmd := tool.Command(s.t.Context(), s.program, append([]string{"--cores-root", "cores", "--cores-root", "other"}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = os.Environ()
	for _, v := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
		cmd.Env = append(cmd.Env, v+"="+s.dir)
	}
	out, err := tool.Run(s.t.Context(), cmd)
	if err != nil {
		s.t.Fatalf("fusesoc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// read returns the lines of a file that FuseSoC wrote.
func (s soc) read(name string) []string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Split(string(b), "\n")
}

// FuseSoC resolves a design of several units, each shared part in it once, and Verilator
// reads it. The units' parameters are not the design's.
func TestUserTop(t *testing.T) {
	s := newSoC(t)
	s.run("run", "--target", "lint", "--work-root", "w", "user:nic:top")
	files := map[string]int{}
	for _, line := range s.read("w/user_nic_top_1.0.vc") {
		switch {
		case strings.HasSuffix(line, ".sv"):
			files[filepath.Base(line)]++
		case strings.HasPrefix(line, "-G"), strings.HasPrefix(line, "-pvalue"):
			t.Errorf("the top gets a parameter of a unit: %s", line)
		}
	}
	for _, f := range []string{"top.sv", "nic_reps.sv", "nic_powertcp.sv", "large_nic_reps.sv", "nic_lib_ram_block.sv", "large_nic_lib_ram_block.sv"} {
		if files[f] != 1 {
			t.Errorf("%s is there %d times in %v", f, files[f], files)
		}
	}
}

// Configurations have separate cores.
func TestCoresOfConfigurations(t *testing.T) {
	s := newSoC(t)
	list := s.run("list-cores")
	for _, want := range []string{`nicgen:transport:reps:0\.1\.0`, `nicgen:transport:reps_[0-9a-f]{8}:0\.1\.0`, `nicgen:transport:large_reps:0\.1\.0`,
		`nicgen:transport:powertcp:0\.1\.0`, `nicgen:transport:lib:0\.1\.0`, `nicgen:transport:large_lib:0\.1\.0`} {
		if n := len(regexp.MustCompile(`(?m)^`+want+`\b`).FindAllString(list, -1)); n != 1 {
			t.Errorf("%d cores %s in\n%s", n, want, list)
		}
	}
}

// The target synth is the unit alone, out of context, with its parameters.
func TestSynthTarget(t *testing.T) {
	s := newSoC(t)
	s.run("run", "--setup", "--target", "synth", "--work-root", "w", "nicgen:transport:reps")
	project := s.read("w/nicgen_transport_reps_0.1.0.tcl")
	const folder = "src/nicgen_transport_reps_0.1.0/"
	if !slices.Contains(project, "source {"+folder+"reps_ooc.tcl}") {
		t.Errorf("the project does not read the constraints out of context:\n%s", strings.Join(project, "\n"))
	}
	if text := strings.Join(project, "\n"); strings.Contains(text, "read_xdc") || !strings.Contains(text, "CONNECTIONS=256") {
		t.Errorf("the project reads constraints itself, or has no parameters:\n%s", text)
	}
	s.read("w/" + folder + "reps_ooc.xdc") // next to the script
}

// The target lint has no findings.
func TestLintTarget(t *testing.T) {
	s := newSoC(t)
	s.run("run", "--target", "lint", "--work-root", "w", "nicgen:transport:reps")
	if lines := s.read("w/nicgen_transport_reps_0.1.0.vc"); !slices.Contains(lines, "-Wall") || !slices.Contains(lines, "-GCONNECTIONS=256") {
		t.Errorf("Verilator's arguments are\n%s", strings.Join(lines, "\n"))
	}
}
