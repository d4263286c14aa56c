// SPDX-License-Identifier: Apache-2.0

package netlist_test

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/netlist"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

// eachSample calls f for the sample of units on which tests try a way of running them; a short test
// takes one.
func eachSample(t *testing.T, chosen func(e *bench.Evidence) bool, f func(t *testing.T, unit registry.Unit, rtl cosim.Bench)) {
	t.Helper()
	units := slices.DeleteFunc(slices.Clone(registry.Units), func(u registry.Unit) bool { return !chosen(&u.Evidence) })
	if len(units) == 0 {
		t.Fatal("no unit says that it is a sample")
	}
	for i, runs := range sample.OneOf(units, func(u registry.Unit) string { return t.Name() + "/" + u.New().Unit() }) {
		if !runs {
			continue
		}
		u := units[i]
		cfg := u.New()
		rtl, err := u.Bench(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(cfg.Unit(), func(t *testing.T) { f(t, u, rtl) })
	}
}

// The netlist of a unit gives every output of the golden model, and has the cells that
// the report of the synthesis counts. A mistake in it is noticed: one bit of a LUT's
// table, or two of its pins exchanged.
func TestNetlistEqualsGolden(t *testing.T) {
	eachSample(t, func(e *bench.Evidence) bool { return e.NetlistSample }, equalsGolden)
}

func equalsGolden(t *testing.T, u registry.Unit, rtl cosim.Bench) {
	unit := u.New().Unit()
	b, err := netlist.New(t.Context(), rtl, synth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(b cosim.Bench) *cosim.Report {
		r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unit, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(b); r.Outcome != cosim.Pass {
		t.Errorf("outcome %s: %s", r.Outcome, r.Failure.Summary())
	}
	src := rtl.Source()
	req := synth.Request{Top: src.Top}
	for _, f := range src.Files {
		req.Files = append(req.Files, synth.File(f))
	}
	rep, err := synth.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(b.Cells(), rep.Counts.Cells) {
		t.Errorf("the netlist has %v, the report %v", b.Cells(), rep.Counts.Cells)
	}

	for _, plant := range []struct {
		name string
		old  *regexp.Regexp
		with string
	}{
		// Lines of the first LUT4; the operands of the first LUT2 that differ.
		{"table", regexp.MustCompile(`\.INIT\(16'h([0-9a-f]{3})[0-9a-e]\)`), ".INIT(16'h${1}f)"},
		{"pins", regexp.MustCompile(`(?s)(LUT2 #\(\s*\.INIT\(4'h[24]\)\s*\) \S+ \(\s*)\.I0\(([^)]*)\)(,\s*)\.I1\(([^)]*)\)`), "${1}.I1(${2})${3}.I0(${4})"},
	} {
		t.Run(plant.name, func(t *testing.T) {
			text := b.Netlist.Text
			at := plant.old.FindStringSubmatchIndex(text)
			if at == nil {
				t.Fatal("the netlist has no such cell")
			}
			with := plant.old.ExpandString(nil, plant.with, text, at)
			if r := run(b.WithText(text[:at[0]] + string(with) + text[at[1]:])); r.Outcome != cosim.Mismatch {
				t.Errorf("outcome %s: the mistake went unnoticed", r.Outcome)
			}
		})
	}
}

// Cells that the models do not cover are refused by name.
func TestUnmodelled(t *testing.T) {
	pins := func(bits string) []string { return strings.Split(bits, "") }
	dsp := func(edit func(c *synth.Cell)) synth.Cell {
		c := synth.Cell{Name: "mul", Type: "DSP48E2", Params: map[string]string{}, Pins: map[string][]string{"OPMODE": pins("101000000")}}
		for _, r := range []string{"ACASC", "AD", "ALUMODE", "A", "BCASC", "B", "CARRYIN", "CARRYINSEL", "C", "D", "INMODE", "M", "OPMODE", "P"} {
			c.Params[r+"REG"] = "00000000000000000000000000000000"
		}
		for k, v := range map[string]string{"USE_MULT": "MULTIPLY", "USE_SIMD": "ONE48", "A_INPUT": "DIRECT", "B_INPUT": "DIRECT", "AMULTSEL": "A", "BMULTSEL": "B"} {
			c.Params[k] = v
		}
		edit(&c)
		return c
	}
	ram := func(edit func(c *synth.Cell)) synth.Cell {
		c := synth.Cell{Name: "mem", Type: "RAMB18E2", Params: map[string]string{}, Pins: map[string][]string{"CLKARDCLK": {"2"}, "CLKBWRCLK": {"2"}}}
		for _, s := range []string{"A", "B"} {
			c.Params["DO"+s+"_REG"], c.Params["READ_WIDTH_"+s], c.Params["WRITE_WIDTH_"+s] = "0", "1001", "1001"
			c.Params["WRITE_MODE_"+s] = "READ_FIRST"
		}
		edit(&c)
		return c
	}
	ultra := func(edit func(c *synth.Cell)) synth.Cell {
		c := synth.Cell{Name: "big", Type: "URAM288", Params: map[string]string{"EN_AUTO_SLEEP_MODE": "FALSE"}, Pins: map[string][]string{}}
		for _, s := range []string{"A", "B"} {
			c.Params["RST_MODE_"+s], c.Params["BWE_MODE_"+s] = "ASYNC", "PARITY_INTERLEAVED"
			c.Pins["RST_"+s] = []string{"0"}
		}
		edit(&c)
		return c
	}
	for _, c := range []struct {
		name string
		cell synth.Cell
		want string // empty: it is modelled
	}{
		{"multiplier", dsp(func(*synth.Cell) {}), ""},
		{"register", dsp(func(c *synth.Cell) { c.Params["PREG"] = "01" }), "DSP48E2 mul: parameter PREG is 1, the simulation model allows: 0"},
		{"accumulator", dsp(func(c *synth.Cell) { c.Pins["OPMODE"] = pins("101010000") }), "DSP48E2 mul: pin OPMODE is 10101, the simulation model allows: 101"},
		{"variable operation", dsp(func(c *synth.Cell) { c.Pins["ALUMODE"] = []string{"7", "0", "0", "0"} }), "DSP48E2 mul: pin ALUMODE is a net, the simulation model allows: 0, -"},
		{"memory", ram(func(*synth.Cell) {}), ""},
		{"output register", ram(func(c *synth.Cell) { c.Params["DOA_REG"] = "1" }), "RAMB18E2 mem: parameter DOA_REG is 1, the simulation model allows: 0"},
		{"default output register", ram(func(c *synth.Cell) { delete(c.Params, "DOB_REG") }), "RAMB18E2 mem: parameter DOB_REG is not given, the simulation model allows: 0"},
		{"two clocks", ram(func(c *synth.Cell) { c.Pins["CLKBWRCLK"] = []string{"3"} }), "RAMB18E2 mem: pin CLKBWRCLK is another net than CLKARDCLK, the simulation model allows: the same net"},
		{"two widths in a port", ram(func(c *synth.Cell) { c.Params["WRITE_WIDTH_A"] = "100" }), "RAMB18E2 mem: parameter WRITE_WIDTH_A is 4, the simulation model allows: 0, 9 (READ_WIDTH_A)"},
		{"UltraRAM", ultra(func(*synth.Cell) {}), ""},
		{"UltraRAM, clocked reset", ultra(func(c *synth.Cell) { c.Params["RST_MODE_B"], c.Pins["RST_B"] = "SYNC", []string{"7"} }), ""},
		{"UltraRAM, other reset", ultra(func(c *synth.Cell) { c.Pins["RST_B"] = []string{"7"} }), "URAM288 big: pin RST_B is used, with RST_MODE_B ASYNC, the simulation model allows: 0, -"},
		{"cascade of UltraRAM", ultra(func(c *synth.Cell) { c.Params["CASCADE_ORDER_A"] = "FIRST" }), "URAM288 big: parameter CASCADE_ORDER_A is FIRST, the simulation model allows: NONE"},
		{"no model", synth.Cell{Name: "pll", Type: "MMCME4_ADV"}, "cell MMCME4_ADV: no simulation model of it, neither in nicgen nor in Yosys"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := netlist.Models(&synth.Netlist{Top: "t", Gates: "t_gates", Cells: []synth.Cell{c.cell}})
			var bad *netlist.Unmodelled
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (!errors.As(err, &bad) || err.Error() != c.want):
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
