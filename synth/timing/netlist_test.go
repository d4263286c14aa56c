// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"fmt"
	"math"
	"testing"

	"github.com/nicgen/nicgen/synth/mapped"
)

const clk mapped.Bit = 1

// builder makes a netlist by hand. Net 1 is the clock.
type builder struct {
	*mapped.Netlist
	next mapped.Bit
}

func newBuilder() *builder {
	n := &mapped.Netlist{Cells: map[string]*mapped.Cell{}, Netnames: map[string]mapped.Wire{}}
	return &builder{n, clk}
}

func (b *builder) net() mapped.Bit {
	b.next++
	return b.next
}

func (b *builder) nets(n int) (list []mapped.Bit) {
	for range n {
		list = append(list, b.net())
	}
	return list
}

// pins are the connections of a cell's ports.
type pins map[string][]mapped.Bit

func one(b mapped.Bit) []mapped.Bit { return []mapped.Bit{b} }

// cell adds a cell; its name is the number of cells so far unless one is given.
func (b *builder) cell(typ string, in, out pins, params mapped.Attrs, name ...string) {
	c := &mapped.Cell{Type: typ, Parameters: params, PortDirections: map[string]string{}, Connections: map[string][]mapped.Bit{}}
	for k, v := range in {
		c.PortDirections[k], c.Connections[k] = "input", v
	}
	for k, v := range out {
		c.PortDirections[k], c.Connections[k] = "output", v
	}
	name = append(name, fmt.Sprintf("$%d", len(b.Cells)))
	b.Cells[name[0]] = c
}

// ff returns a flip-flop without enable and reset; it returns Q.
func (b *builder) ff(d mapped.Bit) mapped.Bit {
	q := b.net()
	b.cell("FDRE", pins{"D": one(d), "C": one(clk), "CE": one(mapped.Constant), "R": one(mapped.Constant)}, pins{"Q": one(q)}, nil)
	return q
}

// lut returns the output of a LUT of these inputs.
func (b *builder) lut(in ...mapped.Bit) mapped.Bit {
	o, p := b.net(), pins{}
	for i, x := range in {
		p[fmt.Sprintf("I%d", i)] = one(x)
	}
	b.cell(fmt.Sprintf("LUT%d", len(in)), p, pins{"O": one(o)}, nil)
	return o
}

func (b *builder) inverter(in mapped.Bit) mapped.Bit {
	o := b.net()
	b.cell("INV", pins{"I": one(in)}, pins{"O": one(o)}, nil)
	return o
}

// start returns a register from which nothing else comes.
func (b *builder) start() mapped.Bit { return b.ff(mapped.Constant) }

// adder chains CARRY4 and returns the sums.
func (b *builder) adder(s, di []mapped.Bit) (sum []mapped.Bit) {
	ci := mapped.Constant
	for i := 0; i < len(s); i += 4 {
		o, co := b.nets(4), b.nets(4)
		b.cell("CARRY4", pins{"S": s[i : i+4], "DI": di[i : i+4], "CI": one(ci), "CYINIT": one(mapped.Constant)}, pins{"O": o, "CO": co}, nil)
		sum = append(sum, o...)
		ci = co[3]
	}
	return sum
}

func (b *builder) estimate(t *testing.T) *Estimate {
	t.Helper()
	e, err := Of(b.Netlist, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// between returns the longest path between registers.
func (b *builder) between(t *testing.T) Ns {
	t.Helper()
	e := b.estimate(t)
	if e.RegToReg == nil {
		t.Fatal("no path between registers")
	}
	return e.RegToReg.Ns
}

func wantNs(t *testing.T, what string, got, want Ns) {
	t.Helper()
	for m := range want {
		if math.Abs(got[m]-want[m]) > 0.0006 {
			t.Errorf("%s: got %.3f, want %.3f", what, got, want)
			return
		}
	}
}

// net returns the delay of a wire that leaves its slice, by its number of loads.
func net(loads float64) Ns {
	return Ns{0.130 + 0.012*math.Sqrt(loads), 0.165 + 0.025*math.Sqrt(loads), 0.220 + 0.040*math.Sqrt(loads)}
}

// sum adds times in all columns; numbers count in each.
func sum(list ...any) (t Ns) {
	for _, x := range list {
		switch x := x.(type) {
		case float64:
			t = t.plus(same(x))
		case Ns:
			t = t.plus(x)
		}
	}
	return t
}

// Delays of a LUT from its latest input, and from the second and the fourth.
var (
	latest = Ns{0.035, 0.050, 0.090}
	second = Ns{0.050, 0.090, 0.100}
	fourth = Ns{0.100, 0.125, 0.150}
)
