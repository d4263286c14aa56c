// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/tool"
)

// Every bit of ports of many widths passes through the other simulators unchanged,
// registered and not, also from one batch to the next.
func TestOtherSimulatorsPorts(t *testing.T) {
	widths := []int{2, 31, 32, 33, 63, 64, 65, 96, 97, 128, 129}
	ports, body := "", ""
	for _, w := range widths {
		ports += fmt.Sprintf(",\n    input wire logic [%d:0] x__%d,\n    output logic [%d:0] inv_%d,\n    output logic [%d:0] rot_%d", w-1, w, w-1, w, w-1, w)
		body += fmt.Sprintf("  assign rot_%d = {x__%d[%d:0], x__%d[%d]};\n  always_ff @(posedge clk) inv_%d <= ~x__%d;\n", w, w, w-2, w, w-1, w, w)
	}
	src := Source{Top: "ports", Files: []File{{"ports.sv", "module ports (\n    input wire logic clk" + ports + "\n);\n" + body + "endmodule\n"}}}
	for _, simulator := range []string{Icarus, CXXRTL} {
		t.Run(simulator, func(t *testing.T) {
			t.Parallel()
			l, err := Build(t.Context(), src, BuildOptions{Simulator: simulator})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			i, err := l.New(InstanceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer i.Close()
			const cycles, first = 40, 13
			iw, ow := l.Layout().InWords, l.Layout().OutWords
			in, out := make([]uint64, cycles*iw), make([]uint64, cycles*ow)
			rng := rand.New(rand.NewPCG(3, 4))
			for k := range in {
				in[k] = rng.Uint64()
			}
			for _, part := range [][2]int{{0, first}, {first, cycles}} {
				if n, err := i.Run(in[part[0]*iw:part[1]*iw], out[part[0]*ow:part[1]*ow]); err != nil || n != part[1]-part[0] {
					t.Fatalf("%d cycles, %v", n, err)
				}
			}
			bit := func(v []uint64, k int) uint64 { return v[k/64] >> (k % 64) & 1 }
			for _, w := range widths {
				x, inv, rot := l.Layout().MustSlot(fmt.Sprint("x__", w)), l.Layout().MustSlot(fmt.Sprint("inv_", w)), l.Layout().MustSlot(fmt.Sprint("rot_", w))
				for c := range cycles {
					now := x.Read(in[c*iw : (c+1)*iw])
					for k := range w {
						if bit(rot.Read(out[c*ow:(c+1)*ow]), k) != bit(now, (k+w-1)%w) {
							t.Fatalf("%d bits, cycle %d: bit %d of what is rotated is wrong", w, c, k)
						}
						if c > 0 && bit(inv.Read(out[c*ow:(c+1)*ow]), k) == bit(x.Read(in[(c-1)*iw:c*iw]), k) {
							t.Fatalf("%d bits, cycle %d: bit %d of the register is wrong", w, c, k)
						}
					}
				}
			}
		})
	}
}

// The end of a design in Icarus Verilog is reported as with Verilator: a check at
// elaboration, $fatal and $finish.
func TestIcarusEnds(t *testing.T) {
	for _, c := range []struct {
		name, decl, body string
		want             SimError
	}{
		{"check", "if (8 > 4) begin : g_check\n  $error(\"want more bits\");\n  end", "", SimError{Kind: "fatal", Cycle: 0, File: "trap.sv", Line: 7, Message: "want more bits"}},
		{"fatal", "", `if (!rst && count == 8'd5) $fatal(1, "the end");`, SimError{Kind: "fatal", Cycle: 6, File: "trap.sv", Line: 9, Message: "the end"}},
		{"finish", "", "if (!rst && count == 8'd3) $finish;", SimError{Kind: "finish", Cycle: 4, Message: "$finish"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Build(t.Context(), trap(c.decl, c.body), BuildOptions{Simulator: Icarus})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			i, done, err := drive(l, 40)
			if i != nil {
				defer i.Close()
			}
			var e *SimError
			if !errors.As(err, &e) {
				t.Fatalf("%d cycles, %v", done, err)
			}
			if e.Kind != c.want.Kind || e.File != c.want.File || e.Line != c.want.Line || e.Message != c.want.Message || e.Cycle != c.want.Cycle || uint64(done) != e.Cycle {
				t.Errorf("got  %+v after %d cycles\nwant %+v", *e, done, c.want)
			}
		})
	}
}

// A simulator that is not there is named, with what installs it; so is one that
// does not exist, and what only Verilator can.
func TestOtherSimulatorsRefuse(t *testing.T) {
	src := source(t, "counter")
	for _, o := range []BuildOptions{{Simulator: Icarus, Trace: "fst"}, {Simulator: CXXRTL, Coverage: true}} {
		if _, err := Build(t.Context(), src, o); err == nil || err.Error() != "simulator "+o.Simulator+": waveforms and line coverage are Verilator's" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Build(t.Context(), src, BuildOptions{Simulator: "vcs"}); err == nil || err.Error() != `simulator "vcs", want one of verilator, icarus, cxxrtl` {
		t.Error(err)
	}
	if names, err := SimulatorTools(t.Context(), CXXRTL); err != nil || !slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "Yosys ") }) {
		t.Errorf("tools of CXXRTL: %v, %v", names, err)
	}
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		simulator string
		missing   tool.Tool
	}{{Icarus, tool.Icarus}, {CXXRTL, tool.Yosys}} {
		_, err := Build(t.Context(), src, BuildOptions{Simulator: c.simulator})
		var m *tool.Missing
		if !errors.As(err, &m) || m.Tool.Name != c.missing.Name {
			t.Errorf("%s without its program: %v", c.simulator, err)
		}
	}
}
