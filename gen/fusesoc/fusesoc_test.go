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

// sample is as much of a configuration as this package looks at.
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

func TestCore(t *testing.T) {
	files := []string{"nic_lib_part.sv", "table.mem", "nic_sample.sv"}
	got := Core(&sample{bits: 16, fast: true, mode: "no"}, files)
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
		if again := Core(&sample{bits: 16, fast: true, mode: "no"}, files); again != got {
			t.Fatalf("another run gives other bytes:\n%s", cmp.Diff(got, again))
		}
	}
}

// What FuseSoC will read is what was meant.
func TestCoreParses(t *testing.T) {
	text := Core(&sample{bits: 16, fast: true, mode: "no"}, []string{"nic_lib_part.sv", "table.mem", "nic_sample.sv"})
	if !strings.HasPrefix(text, "CAPI=2:\n") {
		t.Fatalf("first line of\n%s", text)
	}
	body := strings.TrimPrefix(text, "CAPI=2:\n")
	var c struct {
		Name, Description, License string
		Filesets                   map[string]struct {
			Files    []any
			FileType string `yaml:"file_type"`
		}
		Parameters map[string]map[string]any
		Targets    map[string]struct {
			Filesets, Parameters []string
			Toplevel             string
			DefaultTool          string `yaml:"default_tool"`
			Description          string
			Tools                map[string]map[string]any
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(body), &c, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if c.Name != "nicgen:transport:sample:"+Version || c.License != "Apache-2.0" || c.Description != (&sample{}).Title() {
		t.Errorf("name %q, license %q, description %q", c.Name, c.License, c.Description)
	}
	wantFiles := []any{"nic_lib_part.sv", map[string]any{"table.mem": map[string]any{"file_type": "mem"}}, "nic_sample.sv"}
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
	for name, tool := range map[string]string{"default": "", "lint": "verilator", "synth": "vivado"} {
		x, ok := c.Targets[name]
		if !ok || x.Toplevel != "nic_sample" || x.DefaultTool != tool || len(x.Parameters) != 3 {
			t.Errorf("target %s: %+v", name, x)
		}
		for _, fs := range x.Filesets {
			if _, ok := c.Filesets[fs]; !ok {
				t.Errorf("target %s uses file set %s, which does not exist", name, fs)
			}
		}
	}
	if got := c.Targets["lint"].Tools["verilator"]["mode"]; got != "lint-only" {
		t.Errorf("lint mode %v", got)
	}
	if got := c.Targets["synth"].Tools["vivado"]["part"]; got != "xcu280-fsvh2892-2L-e" {
		t.Errorf("part %v", got)
	}
}
