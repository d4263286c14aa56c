// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/synth/mapped"
)

// cell is an instance with its pins as the estimate sees them: without an inverter that a LUT
// absorbs, and with two CARRY4 in a row as the halves of a CARRY8.
type cell struct {
	name string
	*mapped.Cell
	mapped.Primitive
	inputs, outputs []port

	base  int   // of a carry cell: 4 if it is the upper half of a CARRY8
	lower *cell // then its lower half
	below *cell // of a lower half: the one before in the chain; nil at its start
}

// port is a port of a cell.
type port struct {
	name string
	bits []mapped.Bit
}

// pin is one bit of one port of a cell; no cell: a port of the design.
type pin struct {
	cell  *cell
	port  string
	index int
}

func (p pin) valid() bool { return p.cell != nil }

// design is a netlist with drivers, loads and everything else that affects delays.
type design struct {
	n        *mapped.Netlist
	cells    []*cell
	drivers  map[mapped.Bit]pin
	inputs   map[mapped.Bit]string // ports
	loads    map[mapped.Bit][]pin
	ffPins   map[mapped.Bit]int // loads that are D of a flip-flop
	fanOut   map[mapped.Bit]int // loads in slices
	block    float64            // area in interconnect tiles
	absorbed Absorbed
	near     map[*cell]counts // RAMs whose outputs meet a RAM's outputs
}

// MissingDelay is the error for a cell whose delay is not known.
type MissingDelay struct{ Cell, Type, Pin string }

// Error names the cell.
func (e *MissingDelay) Error() string {
	at := ""
	if e.Pin != "" {
		at = ", pin " + e.Pin
	}
	return fmt.Sprintf("cell %s of type %s%s: its delay is not known; want primitives of the UltraScale+ family that work on the rising edge of one clock", e.Cell, e.Type, at)
}

// known reports whether the tables have a cell type.
func known(typ string) bool {
	p, ok := mapped.Primitives[typ]
	return ok && p.Kind != mapped.Buffer && !strings.HasSuffix(typ, "_1")
}

func newDesign(n *mapped.Netlist) (*design, error) {
	d := &design{n: n, drivers: map[mapped.Bit]pin{}, inputs: map[mapped.Bit]string{},
		loads: map[mapped.Bit][]pin{}, ffPins: map[mapped.Bit]int{}, fanOut: map[mapped.Bit]int{}, near: map[*cell]counts{}}
	for _, name := range slices.Sorted(maps.Keys(n.Ports)) {
		if p := n.Ports[name]; p.Direction == "input" {
			for i, b := range p.Bits {
				d.inputs[b] = mapped.Indexed(name, i, len(p.Bits))
			}
		}
	}
	luts := 0
	for _, name := range slices.Sorted(maps.Keys(n.Cells)) {
		x := n.Cells[name]
		if mapped.Ignored(x.Type) {
			continue
		}
		if !known(x.Type) {
			return nil, &MissingDelay{Cell: name, Type: x.Type}
		}
		c := &cell{name: name, Cell: x, Primitive: mapped.Primitives[x.Type]}
		luts += c.LUTs
		for _, p := range slices.Sorted(maps.Keys(x.Connections)) {
			bits := x.Connections[p]
			if x.PortDirections[p] != "output" {
				c.inputs = append(c.inputs, port{p, slices.Clone(bits)})
				continue
			}
			c.outputs = append(c.outputs, port{p, slices.Clone(bits)})
			for i, b := range bits {
				if b != mapped.Constant {
					d.drivers[b] = pin{c, p, i}
				}
			}
		}
		d.cells = append(d.cells, c)
	}
	d.absorb()
	for _, c := range d.cells {
		if c.Kind == mapped.FF {
			d.absorbed.FF++
		}
	}
	// A slice has 8 LUTs and 16 flip-flops; 60 % of them are in use where a tool spreads
	// a unit, and a tile of wires serves 1.64 slices.
	d.block = max(float64(luts)/8, float64(d.absorbed.FF)/16)/0.6/1.64 + 4
	d.joinCarry()
	for _, c := range d.cells {
		if c.Kind == mapped.Inverter && d.behindLUT(c) {
			continue
		}
		for _, p := range c.inputs {
			for i, b := range p.bits {
				p.bits[i] = d.behindInverter(b, c.Kind == mapped.LUT)
			}
		}
	}
	used := map[mapped.Bit]bool{}
	for _, c := range d.cells {
		for _, p := range c.inputs {
			if c.Kind == mapped.Inverter {
				continue
			}
			for _, b := range p.bits {
				used[b] = true
			}
		}
	}
	for _, c := range d.cells {
		if c.Kind == mapped.Inverter && !used[c.Connections["O"][0]] && !d.leaves(c.Connections["O"][0]) {
			continue
		}
		for _, p := range c.inputs {
			if c.IsClock(p.name) {
				continue
			}
			for i, b := range p.bits {
				if b == mapped.Constant {
					continue
				}
				d.loads[b] = append(d.loads[b], pin{c, p.name, i})
				if c.Kind == mapped.FF && p.name == "D" {
					d.ffPins[b]++
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.Ports)) {
		if p := n.Ports[name]; p.Direction != "input" {
			for i, b := range p.Bits {
				if b != mapped.Constant {
					b = d.behindInverter(b, false)
					d.loads[b] = append(d.loads[b], pin{nil, name, i})
				}
			}
		}
	}
	for b, list := range d.loads {
		for _, l := range list {
			if !l.valid() || !l.cell.block() {
				d.fanOut[b]++
			}
		}
	}
	d.meet()
	return d, nil
}

// leaves reports whether a net is an output port of the netlist.
func (d *design) leaves(b mapped.Bit) bool {
	for _, p := range d.n.Ports {
		if p.Direction != "input" && slices.Contains(p.Bits, b) {
			return true
		}
	}
	return false
}

// behindLUT reports whether an inverter follows a LUT, which computes the inverse itself.
func (d *design) behindLUT(c *cell) bool {
	from, ok := d.drivers[c.Connections["I"][0]]
	return ok && from.cell.Kind == mapped.LUT
}

// behindInverter returns the net that a pin at net b is connected to after LUTs have absorbed the
// inverters next to them.
func (d *design) behindInverter(b mapped.Bit, atLUT bool) mapped.Bit {
	for range 2 { // an inverter after an inverter stays
		p, ok := d.drivers[b]
		if !ok || p.cell.Kind != mapped.Inverter || !atLUT && !d.behindLUT(p.cell) {
			return b
		}
		b = p.cell.Connections["I"][0]
	}
	return b
}

// joinCarry makes CARRY8 of chains of CARRY4, from the start of each.
func (d *design) joinCarry() {
	before := map[*cell]*cell{}
	for _, c := range d.cells {
		if c.Kind != mapped.Carry {
			continue
		}
		if ci := c.Connections["CI"]; len(ci) == 1 {
			if p, ok := d.drivers[ci[0]]; ok && p.cell.Kind == mapped.Carry && p.port == "CO" && p.index == p.cell.Size-1 {
				before[c] = p.cell
			}
		}
	}
	for _, c := range d.cells {
		if c.Kind != mapped.Carry {
			continue
		}
		at, n := 0, 0
		for b := before[c]; b != nil && n <= len(before); b = before[b] { // a ring of carry cells is a loop, found by the walk
			at += b.Size
			n++
		}
		if c.base = at % 8; c.base != 0 {
			c.lower = before[c]
		} else {
			c.below = before[c]
		}
	}
}

// sorted lists the keys of nets in their order.
func sorted[V any](m map[mapped.Bit]V) []mapped.Bit { return slices.Sorted(maps.Keys(m)) }

// block reports whether a cell is in a dedicated column.
func (c *cell) block() bool {
	switch c.Kind {
	case mapped.BRAM, mapped.URAM, mapped.DSP:
		return true
	}
	return false
}

// memory reports whether a cell is a RAM.
func (c *cell) memory() bool {
	return c.Kind == mapped.LUTRAM || c.Kind == mapped.BRAM || c.Kind == mapped.URAM
}

// readsOnly reports whether a pin of a LUT RAM addresses only a read: no path ends there, it
// continues to the output.
func (c *cell) readsOnly(pin string) bool {
	if c.Kind != mapped.LUTRAM {
		return false
	}
	switch {
	case strings.HasPrefix(pin, "DPRA"):
		return true
	case strings.HasPrefix(pin, "ADDR"): // the last port writes
		last := ""
		for _, p := range c.inputs {
			if strings.HasPrefix(p.name, "ADDR") {
				last = max(last, p.name)
			}
		}
		return pin != last
	}
	return false
}
