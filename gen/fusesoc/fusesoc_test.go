// SPDX-License-Identifier: Apache-2.0

package fusesoc

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// sample is a configuration with the parts that this package uses.
type sample struct {
	gen.Config
	bits int64
	fast bool
	mode string
	gain int64
}

func (*sample) Unit() string  { return "sample" }
func (*sample) Top() string   { return "nic_sample" }
func (*sample) Title() string { return "sample: a unit with \"quotes\" & a colon" }
func (s *sample) Fields() []gen.Field {
	return []gen.Field{
		{Key: "evs_bits", SV: "EVS_BITS", Doc: "Width: bits of an entropy value.", Int: &s.bits},
		{Key: "fast", SV: "FAST_EN", Doc: "One stage less.", Bool: &s.fast},
		{Key: "mode", SV: "MODE", Doc: "What it does.", Enum: &s.mode},
		{Key: "gain", Doc: "Not a SystemVerilog parameter.", Int: &s.gain},
	}
}

var emission = gen.Emission{Config: &sample{bits: 16, fast: true, mode: "no"}, Parts: []string{"nic_lib_part.sv"}, Sources: []string{"table.mem", "nic_sample.sv"}}

func TestCore(t *testing.T) {
	got := Core(emission)
	file := filepath.Join("testdata", "sample.core")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got), rewrite with go test ./gen/fusesoc -update:\n%s", file, d)
	}
	for range 20 {
		if again := Core(emission); again != got {
			t.Fatalf("another run gives other bytes:\n%s", cmp.Diff(got, again))
		}
	}
}

// FuseSoC reads the core file as intended.
func TestCoreParses(t *testing.T) {
	text := Core(emission)
	if !strings.HasPrefix(text, "CAPI=2:\n") {
		t.Fatalf("first line of\n%s", text)
	}
	body := strings.TrimPrefix(text, "CAPI=2:\n")
	var c struct {
		Name, Description, License string
		Filesets                   map[string]struct {
			Files    []any
			FileType string `yaml:"file_type"`
			Depend   []string
		}
		Parameters map[string]map[string]any
		Targets    map[string]struct {
			Filesets, Parameters []string
			Toplevel             string
			Description, Flow    string
			FlowOptions          map[string]any `yaml:"flow_options"`
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(body), &c, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if c.Name != "nicgen:transport:sample:"+gen.Version || c.License != "Apache-2.0" || c.Description != (&sample{}).Title() {
		t.Errorf("name %q, license %q, description %q", c.Name, c.License, c.Description)
	}
	wantFiles := []any{map[string]any{"table.mem": map[string]any{"file_type": "mem"}}, "nic_sample.sv"}
	if d := cmp.Diff(wantFiles, c.Filesets["rtl"].Files); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	want := map[string]map[string]any{
		"EVS_BITS": {"datatype": "int", "default": uint64(16), "paramtype": "vlogparam", "description": "Width: bits of an entropy value."},
		"FAST_EN":  {"datatype": "int", "default": uint64(1), "paramtype": "vlogparam", "description": "One stage less."},
		"MODE":     {"datatype": "str", "default": "no", "paramtype": "vlogparam", "description": "What it does."},
	}
	if d := cmp.Diff(want, c.Parameters); d != "" {
		t.Errorf("parameters (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"nicgen:transport:lib:" + gen.Version}, c.Filesets["rtl"].Depend); d != "" {
		t.Errorf("dependencies (-want +got):\n%s", d)
	}
	// A design that depends on the unit gets no parameters from it: they would become its own.
	for name, want := range map[string]struct {
		flow       string
		parameters int
	}{"default": {"", 0}, "lint": {"lint", 3}, "synth": {"vivado", 3}} {
		x, ok := c.Targets[name]
		if !ok || x.Toplevel != "nic_sample" || x.Flow != want.flow || len(x.Parameters) != want.parameters {
			t.Errorf("target %s: %+v", name, x)
		}
		for _, fs := range x.Filesets {
			if _, ok := c.Filesets[fs]; !ok {
				t.Errorf("target %s uses file set %s, which does not exist", name, fs)
			}
		}
	}
	if got := c.Targets["lint"].FlowOptions["tool"]; got != "verilator" {
		t.Errorf("lint with %v", got)
	}
	if got := c.Targets["synth"].FlowOptions["part"]; got != "xcu280-fsvh2892-2L-e" {
		t.Errorf("part %v", got)
	}
}

// The name of a core distinguishes configurations and runs.
func TestVLNV(t *testing.T) {
	for _, c := range []struct{ prefix, variant, want string }{
		{"", "", "nicgen:transport:sample:" + gen.Version},
		{"", "0123abcd", "nicgen:transport:sample_0123abcd:" + gen.Version},
		{"a", "", "nicgen:transport:a_sample:" + gen.Version},
		{"a", "0123abcd", "nicgen:transport:a_sample:" + gen.Version},
	} {
		e := emission
		e.Prefix, e.Variant = c.prefix, c.variant
		if got := VLNV(e); got != c.want || !strings.Contains(Core(e), "\nname: "+c.want+"\n") {
			t.Errorf("prefix %q, variant %q: %s, want %s", c.prefix, c.variant, got, c.want)
		}
	}
	e := emission
	e.Prefix = "a"
	if want := "\n      - " + LibraryVLNV("a") + "\n"; !strings.Contains(Core(e), want) {
		t.Errorf("no %q in\n%s", want, Core(e))
	}
}

// The library is a core without a top.
func TestLibrary(t *testing.T) {
	got := Library("a", []string{"a_nic_lib_x.sv", "a_nic_lib_y.sv"})
	want := FirstLine + `# SPDX-License-Identifier: Apache-2.0
name: nicgen:transport:a_lib:` + gen.Version + `
description: Parts that the units share
license: Apache-2.0
filesets:
  rtl:
    files:
      - a_nic_lib_x.sv
      - a_nic_lib_y.sv
    file_type: systemVerilogSource
targets:
  default:
    description: all parts, for use as a dependency
    filesets:
      - rtl
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
