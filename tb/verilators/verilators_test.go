// SPDX-License-Identifier: Apache-2.0

//go:build extras

// Package verilators lints and co-simulates every unit with releases of Verilator that are
// newer than Debian's.
package verilators

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/verilator"
)

// use puts a release of Verilator that make test-extras installed first on the PATH.
func use(t *testing.T, release string) {
	t.Helper()
	dir, err := tool.PackagedVerilator(release)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	v, number, err := verilator.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(v, "Verilator "+release+" ") || !verilator.IsTested(number) {
		t.Fatalf("%s is said to be %s, number %d: want a tested %s", dir, v, number, release)
	}
}

// newer are the releases that nicgen is tested with besides Debian's.
func newer() []string { return strings.Split(verilator.Tested(), ", ")[1:] }

// The releases that nicgen says it is tested with are Debian's and those that are installed for tests.
func TestReleases(t *testing.T) {
	lists, err := filepath.Glob("../../scripts/verilator-*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var releases []string
	for _, name := range lists {
		releases = append(releases, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "verilator-"), ".txt"))
	}
	if !slices.Equal(releases, newer()) {
		t.Errorf("scripts/verilator-*.txt are of %v, and verilator.Tested has %v besides Debian's", releases, newer())
	}
}

// Every unit is without findings, and its RTL equals the golden model.
func TestUnits(t *testing.T) {
	for _, release := range newer() {
		t.Run(release, func(t *testing.T) {
			use(t, release)
			for _, u := range slices.Concat(registry.Blocks, registry.Units) {
				if sample.LeftOut(t.Name() + "/" + u.New().Unit()) {
					continue
				}
				cfg := u.New()
				t.Run(cfg.Unit(), func(t *testing.T) {
					files, err := emit.Sources(emit.Unit{Config: cfg, Default: u.New()})
					if err != nil {
						t.Fatal(err)
					}
					r := synth.LintRequest{Top: cfg.Top()}
					for _, f := range files {
						r.Files = append(r.Files, synth.File(f))
					}
					found, err := synth.LintVerilator(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range found {
						t.Error(f)
					}
					b, err := u.Bench(cfg)
					if err != nil {
						t.Fatal(err)
					}
					report, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: cfg.Unit(), Seed: 1})
					if err != nil {
						t.Fatal(err)
					}
					if !report.OK() || report.Events == 0 {
						t.Errorf("%+v", report)
					}
				})
			}
		})
	}
}

// A bench's assertions, which are bound into the unit, have no findings, too: a release can
// warn about constructs outside any unit, such as an assertion's initial value.
func TestAssertions(t *testing.T) {
	for _, release := range newer() {
		t.Run(release, func(t *testing.T) {
			use(t, release)
			bound := 0
			for _, u := range slices.Concat(registry.Blocks, registry.Units) {
				cfg := u.New()
				b, err := u.Bench(cfg)
				if err != nil {
					t.Fatal(err)
				}
				src := b.Source()
				if bound += len(src.Bind); len(src.Bind) == 0 || sample.LeftOut(t.Name()+"/"+cfg.Unit()) {
					continue
				}
				r := synth.LintRequest{Top: src.Top, Params: src.Params}
				for _, f := range slices.Concat(src.Files, src.Bind) {
					r.Files = append(r.Files, synth.File(f))
				}
				found, err := synth.LintVerilator(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range found {
					t.Errorf("%s: %s", cfg.Unit(), f)
				}
			}
			if bound < len(registry.Units) {
				t.Errorf("%d files of assertions, want one of each of %d units at least", bound, len(registry.Units))
			}
		})
	}
}

// Waveforms, line coverage, state and netlists work, too.
func TestVariants(t *testing.T) {
	const text = `module counter (
  input  logic       clk,
  input  logic       up,
  output logic [7:0] count_q
);
  logic [7:0] next;
  always_comb begin
    if (up) next = count_q + 8'd1;
    else    next = count_q;
  end
  always_ff @(posedge clk) count_q <= next;
endmodule
`
	variants := []struct {
		name string
		o    cosim.BuildOptions
	}{
		{"fst", cosim.BuildOptions{Trace: "fst"}}, {"vcd", cosim.BuildOptions{Trace: "vcd"}}, {"lines", cosim.BuildOptions{Coverage: true}},
		{"state", cosim.BuildOptions{State: true}}, {"netlist", cosim.BuildOptions{}},
	}
	for _, release := range newer() {
		t.Run(release, func(t *testing.T) {
			use(t, release)
			for _, v := range variants {
				if sample.LeftOut(t.Name() + "/" + v.name) {
					continue
				}
				name, o := v.name, v.o
				src := cosim.Source{Top: "counter", Files: []cosim.File{{Name: "counter.sv", Text: text}}, Netlist: name == "netlist"}
				lib, err := cosim.Build(t.Context(), src, o)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				i, err := lib.New(cosim.InstanceOptions{Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(t.TempDir(), "file")
				if o.Trace != "" {
					if err := i.Trace(file); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				l := lib.Layout()
				in, out := make([]uint64, 3*l.InWords), make([]uint64, 3*l.OutWords)
				in[0], in[l.InWords] = 1, 1
				n, err := i.Run(in, out)
				if err != nil || n != 3 || (out[2*l.OutWords]-out[0])&0xff != 2 {
					t.Errorf("%s: %d cycles, %v, %v: want three in which it counts by two", name, n, out, err)
				}
				if o.Coverage {
					if err := i.WriteCoverage(file); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				if o.State {
					state, err := i.State(nil)
					if err != nil {
						t.Fatal(err)
					}
					if err := i.SetState(state); err != nil {
						t.Error(err)
					}
					if e := lib.Elements(); len(e) != 1 || e[0].Name != "count_q" {
						t.Errorf("%s: the state is %v, want count_q", name, e)
					}
				}
				if err := i.Close(); err != nil {
					t.Error(err)
				}
				if o.Trace != "" || o.Coverage {
					if st, err := os.Stat(file); err != nil || st.Size() < 50 {
						t.Errorf("%s: the file is %v, %v", name, st, err)
					}
				}
				if err := lib.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
