// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/synth/mapped"
)

// A chain of LUTs between registers, by hand.
func TestChain(t *testing.T) {
	for n := range 8 {
		b := newBuilder()
		x := b.start()
		for range n {
			x = b.lut(x)
		}
		b.ff(x)
		want := sum(0.078, net(1), 0.017, 0.100, -0.025)
		if n > 0 {
			want = sum(0.078, 0.050, -0.025)
			for range n {
				want = sum(want, net(1), latest)
			}
		}
		wantNs(t, fmt.Sprint(n, " LUTs"), b.between(t), want)
	}
}

// Paths between registers, by hand.
func TestPaths(t *testing.T) {
	const x = mapped.Constant
	bram := func(in pins, params mapped.Attrs) func(b *builder, a mapped.Bit) mapped.Bit {
		return func(b *builder, a mapped.Bit) mapped.Bit {
			p := pins{"CLKARDCLK": one(clk), "CLKBWRCLK": one(clk)}
			for k := range in {
				p[k] = one(a)
			}
			o := b.net()
			b.cell("RAMB36E2", p, pins{"DOUTBDOUT": one(o)}, params, "m.0.0")
			return b.lut(o) // a flip-flop here would become the RAM's own
		}
	}
	ultra := func(in string, params mapped.Attrs) func(b *builder, a mapped.Bit) mapped.Bit {
		return func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			b.cell("URAM288", pins{"CLK": one(clk), in: one(a)}, pins{"DOUT_A": one(o)}, params, "m.0.0")
			return b.lut(o)
		}
	}
	dsp := func(pin string, params mapped.Attrs) func(b *builder, a mapped.Bit) mapped.Bit {
		return func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			all := mapped.Attrs{}
			for _, r := range []string{"AREG", "BREG", "CREG", "DREG", "ADREG", "MREG", "PREG", "CARRYINREG", "OPMODEREG", "ALUMODEREG", "INMODEREG", "CARRYINSELREG"} {
				all[r] = "0"
			}
			for k, v := range params {
				all[k] = v
			}
			b.cell("DSP48E2", pins{"CLK": one(clk), pin: one(b.lut(a))}, pins{"P": one(o)}, all)
			return b.lut(o)
		}
	}
	bramWay := func(k float64) Ns { return Ns{0.019 * k, 0.043 + 0.038*k, 0.086 + 0.057*k} }
	uramWay := Ns{0.01425, 0.090 + 0.0285, 0.180 + 0.04275}
	dspWay := Ns{0.0095, 0.007 + 0.019, 0.014 + 0.0285}
	lutEnd := sum(latest, 0.050, -0.025)
	for _, c := range []struct {
		name string
		make func(b *builder, a mapped.Bit) mapped.Bit // from a to the input of the last register
		want Ns
	}{
		{"the second of two inputs takes the next pin", func(b *builder, a mapped.Bit) mapped.Bit { return b.lut(a, b.lut(a)) },
			sum(0.078, net(2), latest, net(1), lutEnd)},
		{"multiplexer in the slice", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			b.cell("MUXF7", pins{"I0": one(b.lut(a)), "I1": one(x), "S": one(x)}, pins{"O": one(o)}, nil)
			return o
		}, sum(0.078, net(1), latest, 0.025, 0.070, 0.032, -0.025)},
		{"select of a multiplexer", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			b.cell("MUXF7", pins{"I0": one(x), "I1": one(x), "S": one(a)}, pins{"O": one(o)}, nil)
			return o
		}, sum(0.078, net(1), 0.077, 0.032, -0.025)},
		{"carry from DI", func(b *builder, a mapped.Bit) mapped.Bit {
			return b.adder([]mapped.Bit{x, x, x, x}, []mapped.Bit{a, x, x, x})[3]
		}, sum(0.078, net(1), 0.017, 0.115, 0.025, -0.025)},
		{"S of a carry cell without a LUT before", func(b *builder, a mapped.Bit) mapped.Bit {
			return b.adder([]mapped.Bit{a, x, x, x}, []mapped.Bit{x, x, x, x})[3]
		}, sum(0.078, net(1), latest, 0.015, 0.139, 0.025, -0.025)},
		{"carry to a LUT", func(b *builder, a mapped.Bit) mapped.Bit {
			return b.lut(b.adder([]mapped.Bit{x, x, x, x}, []mapped.Bit{a, x, x, x})[3])
		}, sum(0.078, net(1), 0.017, 0.115, 0.030, net(1), lutEnd)},
		{"LUT RAM read", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.nets(2)
			b.cell("RAM64X1D", pins{"DPRA0": one(a), "A0": one(x), "D": one(x), "WE": one(x), "WCLK": one(clk)}, pins{"DPO": one(o[0]), "SPO": one(o[1])}, nil, "m.0.0")
			return o[0]
		}, Ns{0.312 + 0.050 - 0.025, 0.343, 0.453}}, // optimistic estimate, where the written value is later
		{"LUT RAM of 256 words read", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			b.cell("RAM256X1D", pins{"DPRA": {a, x, x, x, x, x, x, x}, "D": one(x), "WE": one(x), "WCLK": one(clk)}, pins{"DPO": one(o)}, nil, "m.0.0")
			return o
		}, sum(0.078, net(1), latest, 2*0.095, 0.050, -0.025)},
		{"carry from CI, which is the pin CYINIT", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.nets(8)
			b.cell("CARRY8", pins{"CI": one(a)}, pins{"O": o}, nil)
			return o[7]
		}, sum(0.078, net(1), 0.017, 0.231, 0.025, -0.025)},
		{"DSP without registers", dsp("A", nil), sum(0.078, net(1), latest, net(1), dspWay, 1.62, net(1), dspWay, lutEnd)},
		{"DSP's adder", dsp("C", nil), sum(0.078, net(1), latest, net(1), dspWay, 0.89, net(1), dspWay, lutEnd)},
		{"DSP's first adder", dsp("D", nil), sum(0.078, net(1), latest, net(1), dspWay, 1.95, net(1), dspWay, lutEnd)},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			b.ff(c.make(b, b.start()))
			wantNs(t, c.name, b.between(t), c.want)
		})
	}
	// Where a path starts and ends at a RAM: from its output and to each of its pins.
	for _, c := range []struct {
		name     string
		make     func(b *builder, a mapped.Bit) mapped.Bit
		out, end Ns
	}{
		{"block RAM", bram(pins{"DINADIN": nil}, nil), sum(0.890, net(1), bramWay(1), lutEnd), sum(0.078, net(1), bramWay(1), 0.260)},
		{"block RAM, its register used", bram(pins{"ADDRARDADDR": nil}, mapped.Attrs{"DOB_REG": "1"}), sum(0.226, net(1), bramWay(1), lutEnd), sum(0.078, net(1), bramWay(1), 0.358)},
		{"block RAM, write", bram(pins{"WEA": nil}, nil), sum(0.890, net(1), bramWay(1), lutEnd), sum(0.078, net(1), bramWay(1), 0.394)},
		{"block RAM, enable", bram(pins{"ENARDEN": nil}, nil), sum(0.890, net(1), bramWay(1), lutEnd), sum(0.078, net(1), bramWay(1), 0.342)},
		{"UltraRAM", ultra("ADDR_A", nil), sum(Ns{1.223, 1.223, 1.988}, net(1), uramWay, lutEnd), sum(0.078, net(1), uramWay, 0.493)},
		{"UltraRAM, its register used", ultra("DIN_B", mapped.Attrs{"OREG_A": "TRUE"}), sum(Ns{0.705, 0.705, 0.620}, net(1), uramWay, lutEnd), sum(0.078, net(1), uramWay, 0.293)},
		{"shift register", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			b.cell("SRL16E", pins{"D": one(a), "CE": one(x), "CLK": one(clk)}, pins{"Q": one(o)}, nil)
			return b.lut(o)
		}, sum(0.312, net(1), lutEnd), sum(0.078, net(1), 0.081)},
		{"LUT RAM, write address", func(b *builder, a mapped.Bit) mapped.Bit {
			o := b.net()
			b.cell("RAM32M16", pins{"ADDRA": one(x), "ADDRH": one(a), "DIA": one(x), "WE": one(x), "WCLK": one(clk)}, pins{"DOA": one(o)}, nil, "m.0.0")
			return b.lut(o)
		}, sum(0.312, net(1), lutEnd), sum(0.078, net(1), 0.117)},
		{"DSP with all registers", dsp("A", mapped.Attrs{"AREG": "1", "MREG": "1", "PREG": "1"}), sum(0.23, net(1), dspWay, lutEnd), sum(0.078, net(1), latest, net(1), dspWay, 0.20)},
		{"DSP with the register M", dsp("B", mapped.Attrs{"MREG": "1"}), sum(0.98, net(1), dspWay, lutEnd), sum(0.078, net(1), latest, net(1), dspWay, 0.92)},
		{"DSP with the register P", dsp("C", mapped.Attrs{"PREG": "1"}), sum(0.23, net(1), dspWay, lutEnd), sum(0.078, net(1), latest, net(1), dspWay, 0.77)},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			b.ff(c.make(b, b.start()))
			var out, end *Path
			e := b.estimate(t)
			for i, p := range e.RegToReg.Worst {
				if p.Steps[0].Cell == "FDRE" {
					end = &e.RegToReg.Worst[i]
				} else {
					out = &e.RegToReg.Worst[i]
				}
			}
			if out == nil || end == nil {
				t.Fatalf("paths %+v: want one from and one to the block", e.RegToReg.Worst)
			}
			wantNs(t, "from the block", out.Ns, c.out)
			wantNs(t, "to the block", end.Ns, c.end)
		})
	}
}

// An adder of 32 bits: four CARRY8.
func TestAdder(t *testing.T) {
	b := newBuilder()
	var s, di []mapped.Bit
	for range 32 {
		x, y := b.start(), b.start()
		s, di = append(s, b.lut(x, y)), append(di, y)
	}
	for _, o := range b.adder(s, di) {
		b.ff(o)
	}
	// From S0 through the first, and by the longest path out of the last. The operand that also
	// feeds DI arrives last and takes the fastest pin of the LUT, which makes the other one later
	// except in the pessimistic column.
	wantNs(t, "sum", b.between(t), sum(0.078, Ns{0.142 + 0.050, 0.190 + 0.090, net(2)[Pessimistic] + 0.090}, 0.015, 0.199, 3*0.026, 2*0.023, 0.116, 0.025, -0.025))
}

// The table of the carry cell is as published: sums of its rows and columns.
func TestCarryTable(t *testing.T) {
	rows := []int{2661, 2395, 1795, 1523, 873, 711, 326, 180, 2190, 1865, 1583, 1389, 666, 460, 229, 60, 1197, 2635}
	columns := []int{231, 441, 715, 937, 1705, 2214, 2385, 2736, 287, 503, 680, 1479, 1861, 1965, 2286, 2313}
	var byRow, byColumn []int
	for _, r := range carryDelays {
		sum := 0
		for i, x := range r {
			sum += x
			if len(byColumn) <= i {
				byColumn = append(byColumn, 0)
			}
			byColumn[i] += x
		}
		byRow = append(byRow, sum)
	}
	if d := cmp.Diff(rows, byRow); d != "" {
		t.Errorf("rows (-published +table):\n%s", d)
	}
	if d := cmp.Diff(columns, byColumn); d != "" {
		t.Errorf("columns (-published +table):\n%s", d)
	}
}

// An inverter next to a LUT costs nothing; one between registers is a LUT.
func TestInverters(t *testing.T) {
	chain := func(make func(b *builder, x mapped.Bit) mapped.Bit) Ns {
		b := newBuilder()
		b.ff(make(b, b.start()))
		return b.between(t)
	}
	oneLUT := chain(func(b *builder, x mapped.Bit) mapped.Bit { return b.lut(x) })
	wantNs(t, "before a LUT", chain(func(b *builder, x mapped.Bit) mapped.Bit { return b.lut(b.inverter(x)) }), oneLUT)
	wantNs(t, "two before a LUT", chain(func(b *builder, x mapped.Bit) mapped.Bit { return b.lut(b.inverter(b.inverter(x))) }), oneLUT)
	wantNs(t, "behind a LUT", chain(func(b *builder, x mapped.Bit) mapped.Bit { return b.inverter(b.lut(x)) }), oneLUT)
	wantNs(t, "alone", chain(func(b *builder, x mapped.Bit) mapped.Bit { return b.inverter(x) }), oneLUT)
}

// Loads of a wire: loads in the driver's slice, control pins, RAMs.
func TestWires(t *testing.T) {
	b := newBuilder()
	x := b.lut(b.start())
	for range 3 {
		b.ff(x) // more than two do not fit into the slice
	}
	wantNs(t, "three flip-flops", b.between(t), sum(0.078, net(1), latest, net(3), 0.117, -0.025))

	b = newBuilder()
	x = b.start()
	for range 9 {
		b.cell("FDRE", pins{"D": one(mapped.Constant), "C": one(clk), "CE": one(x), "R": one(mapped.Constant)}, pins{"Q": one(b.net())}, nil)
	}
	// Wires do not get longer than the unit: 0.57 slices of flip-flops and the margin of 4.
	wantNs(t, "nine enables", b.between(t), sum(0.078, net(4+10.0/16/0.6/1.64), -0.043, 0.061))

	b = newBuilder()
	x = b.start()
	for i := range 20 {
		b.cell("RAMB36E2", pins{"CLKARDCLK": one(clk), "WEA": {x, x, x, x}}, pins{"DOUTADOUT": one(b.net())}, nil, fmt.Sprintf("m.%d.0", i))
	}
	// Twenty are in two columns.
	half := 0.038*20/2 + 0.195
	wantNs(t, "twenty RAMs", b.between(t), sum(0.078, net(1), Ns{0.5 * half, half + 0.043, 1.5*half + 0.086}, 0.394))

	for _, apart := range []bool{false, true} {
		b = newBuilder()
		b.start()
		var reads []mapped.Bit
		for i := range 4 {
			o, name := b.net(), fmt.Sprintf("m.%d.0", i)
			if apart {
				name = fmt.Sprintf("m%d.0.0", i)
			}
			b.cell("RAMB36E2", pins{"CLKARDCLK": one(clk)}, pins{"DOUTADOUT": one(o)}, nil, name)
			reads = append(reads, o)
		}
		b.ff(b.lut(b.lut(reads[0], reads[1]), b.lut(reads[2], reads[3])))
		k := 4.0
		if apart {
			k = 1
		}
		wantNs(t, fmt.Sprintf("a memory of four RAMs, of different memories: %t", apart), b.between(t),
			sum(0.890, net(1), Ns{0.019 * k, 0.043 + 0.038*k, 0.086 + 0.057*k}, second, net(1), second, 0.050, -0.025))
	}
}

// Flip-flops that follow a RAM are its output registers, if nothing speaks against it.
func TestAbsorbed(t *testing.T) {
	type edit func(b *builder, out []mapped.Bit, ffs []mapped.Bit)
	for _, c := range []struct {
		name string
		typ  string
		edit edit
		want Absorbed
	}{
		{"block RAM", "RAMB18E2", nil, Absorbed{BRAM: 4, FF: 1}},
		{"UltraRAM", "URAM288", nil, Absorbed{URAM: 4, FF: 1}},
		{"read by something else too", "RAMB18E2", func(b *builder, out, _ []mapped.Bit) { b.lut(out[0]) }, Absorbed{FF: 5}},
		{"one bit leaves without a register", "RAMB18E2", func(b *builder, out, _ []mapped.Bit) {
			b.Ports = map[string]mapped.Port{"o": {Direction: "output", Bits: one(out[0])}}
		}, Absorbed{FF: 5}},
		{"enable", "RAMB18E2", func(b *builder, out, ffs []mapped.Bit) { b.driver(ffs[1]).Connections["CE"] = one(ffs[0]) }, Absorbed{FF: 5}},
		{"reset", "RAMB18E2", func(b *builder, out, ffs []mapped.Bit) { b.driver(ffs[1]).Connections["R"] = one(ffs[0]) }, Absorbed{FF: 5}},
		{"other clock", "RAMB18E2", func(b *builder, out, ffs []mapped.Bit) { b.driver(ffs[1]).Connections["C"] = one(b.net()) }, Absorbed{FF: 5}},
		{"in use already", "RAMB18E2", func(b *builder, _, _ []mapped.Bit) { b.Cells["m.0.0"].Parameters = mapped.Attrs{"DOA_REG": "1"} }, Absorbed{FF: 5}},
		{"another block of the memory has none", "RAMB18E2", func(b *builder, _, _ []mapped.Bit) {
			o := b.net()
			b.cell("RAMB18E2", pins{"CLKARDCLK": one(clk)}, pins{"DOUTADOUT": one(o)}, nil, "m.1.0")
			b.lut(o)
		}, Absorbed{FF: 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			out, port, clock := b.nets(4), "DOUTADOUT", "CLKARDCLK"
			if c.typ == "URAM288" {
				port, clock = "DOUT_A", "CLK"
			}
			b.cell(c.typ, pins{clock: one(clk)}, pins{port: out}, nil, "m.0.0")
			var ffs []mapped.Bit
			for _, o := range out {
				ffs = append(ffs, b.ff(o))
			}
			b.ff(b.lut(ffs...))
			if c.edit != nil {
				c.edit(b, out, ffs)
			}
			e := b.estimate(t)
			if e.Absorbed != c.want {
				t.Errorf("got %+v, want %+v", e.Absorbed, c.want)
			}
			if c.want.BRAM > 0 {
				wantNs(t, "from the register", e.RegToReg.Ns, sum(0.226, net(1), Ns{0.0095, 0.019 + 0.043, 0.0285 + 0.086}, fourth, 0.050, -0.025))
			}
			if c.want.URAM > 0 {
				wantNs(t, "from the register", e.RegToReg.Ns, sum(Ns{0.705, 0.705, 0.620}, net(1), Ns{0.01425, 0.1185, 0.22275}, fourth, 0.050, -0.025))
			}
		})
	}
}

// Registers around a DSP are its own.
func TestAbsorbedByDSP(t *testing.T) {
	b := newBuilder()
	none := mapped.Attrs{"AREG": "0", "BREG": "0", "MREG": "0", "PREG": "0"}
	var a, p []mapped.Bit
	for range 4 {
		a = append(a, b.ff(b.lut(b.start())))
	}
	p = b.nets(4)
	b.cell("DSP48E2", pins{"CLK": one(clk), "A": append(a, a[3]), "B": one(b.lut(b.start()))}, pins{"P": p}, none)
	for _, x := range p {
		b.ff(b.lut(b.ff(x)))
	}
	e := b.estimate(t)
	if want := (Absorbed{DSP: 8, FF: 4 + 1 + 4}); e.Absorbed != want {
		t.Errorf("got %+v, want %+v", e.Absorbed, want)
	}
	// The longest path now is the factor without a register, through the multiplier to P.
	wantNs(t, "to P", e.RegToReg.Ns, sum(0.078, net(1), latest, net(1), Ns{0.0095, 0.026, 0.0425}, 1.50))
}

// A flip-flop that feeds both factors stays outside: each would need its own.
func TestSharedFactor(t *testing.T) {
	b := newBuilder()
	a := b.ff(b.lut(b.start()))
	b.cell("DSP48E2", pins{"CLK": one(clk), "A": one(a), "B": one(a)}, pins{"P": b.nets(1)}, mapped.Attrs{"AREG": "0", "BREG": "0", "MREG": "0", "PREG": "0"})
	if got, want := b.estimate(t).Absorbed, (Absorbed{FF: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func (b *builder) driver(q mapped.Bit) *mapped.Cell {
	for _, c := range b.Cells {
		for port, bits := range c.Connections {
			if c.PortDirections[port] == "output" && bits[0] == q {
				return c
			}
		}
	}
	return nil
}

// Paths by where they start and end, and their slack.
func TestGroups(t *testing.T) {
	b := newBuilder()
	in := b.net()
	q := b.ff(b.lut(in))
	r := b.ff(b.lut(q))
	out, through := b.lut(r), b.lut(in)
	b.Ports = map[string]mapped.Port{"clk": {Direction: "input", Bits: one(clk)}, "a": {Direction: "input", Bits: one(in)}, "y": {Direction: "output", Bits: []mapped.Bit{out, through}}}
	e, err := Of(b.Netlist, Options{Periods: []float64{1, 0.2}})
	if err != nil {
		t.Fatal(err)
	}
	between := sum(0.078, net(1), latest, 0.050, -0.025)
	wantNs(t, "between registers", e.RegToReg.Ns, between)
	wantNs(t, "from a port", e.InToReg.Ns, sum(net(2), latest, 0.050, -0.025))
	wantNs(t, "to a port", e.RegToOut.Ns, sum(0.078, net(1), latest, net(1)))
	wantNs(t, "through", e.InToOut.Ns, sum(net(2), latest, net(1)))
	for i, period := range []float64{1, 0.2} {
		var want Ns
		for m := range want {
			want[m] = period - between[m] - 0.035 - [...]float64{0, 0.03, 0.08}[m]
		}
		wantNs(t, fmt.Sprintf("slack at %g ns", period), e.Clocks[i].Slack, want)
		if over := (e.Clocks[i].Over != Ends{}); over != (i == 1) {
			t.Errorf("ends without slack at %g ns: %v", period, e.Clocks[i].Over)
		}
	}
}

// A loop is an error, not a hang, also in carry chains.
func TestLoop(t *testing.T) {
	b := newBuilder()
	x := b.net()
	b.cell("LUT1", pins{"I0": one(b.lut(x))}, pins{"O": one(x)}, nil)
	var loop *mapped.LoopError
	if _, err := Of(b.Netlist, Options{}); !errors.As(err, &loop) || len(loop.Cells) != 2 {
		t.Errorf("two LUTs: %v", err)
	}
	b = newBuilder()
	x, y := b.net(), b.net()
	b.cell("CARRY8", pins{"S": one(b.start()), "CI": one(y)}, pins{"CO": append(b.nets(7), x)}, nil)
	b.cell("CARRY8", pins{"S": one(b.start()), "CI": one(x)}, pins{"CO": append(b.nets(7), y)}, nil)
	if _, err := Of(b.Netlist, Options{}); !errors.As(err, &loop) {
		t.Errorf("two carry cells: %v", err)
	}
}

func TestRefused(t *testing.T) {
	b := newBuilder()
	b.ff(b.lut(b.start()))
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Periods: []float64{0}}, "clock period 0 ns: want more than 0"},
		{Options{Periods: []float64{4, -1}}, "clock period -1 ns: want more than 0"},
		{Options{Grade: "3"}, `speed grade "3": want 2L, 2LV, 1`},
	} {
		if _, err := Of(b.Netlist, c.options); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.options, err, c.want)
		}
	}
	for typ, want := range map[string]string{
		"SB_LUT4": "cell u of type SB_LUT4: its delay is not known; want primitives of the UltraScale+ family that work on the rising edge of one clock",
		"FDRE_1":  "cell u of type FDRE_1: its delay is not known; want primitives of the UltraScale+ family that work on the rising edge of one clock",
		"BUFG":    "cell u of type BUFG: its delay is not known; want primitives of the UltraScale+ family that work on the rising edge of one clock",
	} {
		b := newBuilder()
		b.cell(typ, pins{"I0": one(b.start())}, pins{"O": one(b.net())}, nil, "u")
		var missing *MissingDelay
		if _, err := Of(b.Netlist, Options{}); !errors.As(err, &missing) || err.Error() != want {
			t.Errorf("%s: %v, want %s", typ, err, want)
		}
	}
	b = newBuilder()
	b.cell("FDRE", pins{"D": one(mapped.Constant), "C": one(clk), "X": one(b.start())}, pins{"Q": one(b.net())}, nil, "u")
	if _, err := Of(b.Netlist, Options{}); err == nil || !strings.HasPrefix(err.Error(), "cell u of type FDRE, pin X: its delay is not known") {
		t.Errorf("unknown pin: %v", err)
	}
}

// A slower grade is slower by its factors.
func TestGrades(t *testing.T) {
	b := newBuilder()
	b.ff(b.lut(b.start()))
	logic := sum(0.078, latest, 0.050, -0.025)
	for name, f := range map[string][2]float64{"2L": {1, 1}, "2LV": {1.27, 1.26}, "1": {1.19, 1.15}} {
		e, err := Of(b.Netlist, Options{Grade: name})
		if err != nil {
			t.Fatal(err)
		}
		wantNs(t, name, e.RegToReg.Ns, sum(times(logic, f[0]), times(net(1), f[1])))
	}
}

// random returns logic between registers without memories: parts that are read as one block may change
// there with every LUT.
func random(r *rand.Rand) *builder {
	b := newBuilder()
	var nets []mapped.Bit
	for range 4 {
		nets = append(nets, b.start())
	}
	pick := func() mapped.Bit { return nets[r.IntN(len(nets))] }
	for range 5 + r.IntN(40) {
		switch r.IntN(6) {
		case 0:
			var s, di []mapped.Bit
			for range 4 * (1 + r.IntN(4)) {
				s, di = append(s, b.lut(pick(), pick())), append(di, pick())
			}
			nets = append(nets, b.adder(s, di)...)
		case 1:
			nets = append(nets, b.ff(pick()))
		case 2:
			nets = append(nets, b.inverter(pick()))
		default:
			in := []mapped.Bit{pick()}
			for range r.IntN(6) {
				in = append(in, pick())
			}
			nets = append(nets, b.lut(in...))
		}
	}
	b.ff(pick())
	return b
}

// The columns keep their order, path by path, and a LUT put into a wire makes none of
// them shorter.
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		b := random(r)
		before := b.between(t)
		if before[Optimistic] > before[Typical] || before[Typical] > before[Pessimistic] {
			t.Fatalf("netlist %d: columns %v", i, before)
		}
		// A LUT after the output of some LUT: all loads move after it. After a flip-flop it may be
		// shorter: D has its own slow pin and a fast one from the slice's LUT.
		var outputs []mapped.Bit
		for _, c := range b.Cells {
			if strings.HasPrefix(c.Type, "LUT") {
				outputs = append(outputs, c.Connections["O"]...)
			}
		}
		if len(outputs) == 0 {
			continue
		}
		slices.Sort(outputs)
		x := outputs[r.IntN(len(outputs))]
		loads := []*mapped.Bit{}
		for _, c := range b.Cells {
			for port, bits := range c.Connections {
				for i := range bits {
					if c.PortDirections[port] == "input" && bits[i] == x {
						loads = append(loads, &bits[i])
					}
				}
			}
		}
		y := b.lut(x)
		for _, l := range loads {
			*l = y
		}
		after := b.between(t)
		for m := range after {
			if after[m] < before[m]-1e-9 {
				t.Fatalf("netlist %d: a LUT in net %d makes %v of %v", i, x, after, before)
			}
		}
	}
}

// Netlists of units as they once were: the figures that the estimate was set up with.
// Changes of the units do not change them.
func TestFrozen(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  Ns
		logic float64
		slack [2]Ns // at 3.103 and 4.0 ns
		ends  int
		over  Ends // at 3.103 ns
	}{
		{"laps_pick", Ns{1.46, 1.57, 1.72}, 1.25, [2]Ns{{1.61, 1.47, 1.27}, {2.51, 2.37, 2.17}}, 2002, Ends{}},
		{"laps_loss", Ns{2.68, 3.34, 4.21}, 1.71, [2]Ns{{0.39, -0.30, -1.22}, {1.29, 0.60, -0.32}}, 9873, Ends{0, 56, 6255}},
		{"reps", Ns{2.75, 3.29, 4.08}, 1.77, [2]Ns{{0.32, -0.25, -1.09}, {1.22, 0.64, -0.19}}, 1306, Ends{0, 30, 72}},
		{"reps_detector", Ns{1.54, 1.85, 2.34}, 0.78, [2]Ns{{1.53, 1.19, 0.65}, {2.43, 2.09, 1.55}}, 455, Ends{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Of(frozen(t, c.name), Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := e.RegToReg
			if got, want := g.Ns.String(), c.want.String(); got != want {
				t.Errorf("path %s, want %s", got, want)
			}
			if got := g.Worst[0].Logic; got < c.logic-0.006 || got > c.logic+0.006 {
				t.Errorf("logic %.3f, want %.2f", got, c.logic)
			}
			for i, want := range c.slack {
				for m := range want {
					if got := e.Clocks[i].Slack[m]; got < want[m]-0.006 || got > want[m]+0.006 {
						t.Errorf("slack at %g ns, %s: %.3f, want %.2f", e.Clocks[i].Period, Model(m), got, want[m])
					}
				}
			}
			if g.Ends != c.ends || e.Clocks[0].Over != c.over {
				t.Errorf("%d ends, %v over, want %d, %v", g.Ends, e.Clocks[0].Over, c.ends, c.over)
			}
			if e.Absorbed.BRAM+e.Absorbed.URAM+e.Absorbed.DSP != 0 {
				t.Errorf("absorbed %+v, want none", e.Absorbed)
			}
		})
	}
}

func frozen(t *testing.T, name string) *mapped.Netlist {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	n := &mapped.Netlist{}
	if err := json.NewDecoder(z).Decode(n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Time in JSON has its columns by name, and is read back unchanged.
func TestNsJSON(t *testing.T) {
	b, err := json.Marshal(Ns{1, 2.5, 3})
	if want := `{"optimistic":1,"typical":2.5,"pessimistic":3}`; err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
	var n Ns
	if err := json.Unmarshal(b, &n); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Ns{1, 2.5, 3}, n); d != "" {
		t.Error(d)
	}
}
