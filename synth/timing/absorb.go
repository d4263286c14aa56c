// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/synth/mapped"
)

// Absorbed counts the flip-flops that Vivado moves into blocks. Yosys does not use the registers at
// the pins of block RAM, UltraRAM and DSPs. A flip-flop that only follows an output bit, or feeds
// an input bit, is one of them; the estimate takes the pair as Vivado builds it.
type Absorbed struct {
	BRAM int `json:"bram"` // output registers: DO_REG
	URAM int `json:"uram"` // output registers: OREG
	DSP  int `json:"dsp"`  // registers A, B and P
	FF   int `json:"ff"`   // flip-flops that remain
}

// slice is the number of one block of a memory, as Yosys ends its name.
var slice = regexp.MustCompile(`(\.[0-9]+)+$`)

// absorb moves flip-flops into the blocks next to them. A block's register is of a whole
// port: it is used only if all bits in use have their flip-flop, in every block of the
// memory, and if these have the block's clock, neither enable nor reset, and nothing else
// hangs on the wire between.
func (d *design) absorb() {
	loads := map[mapped.Bit][]pin{}
	for _, c := range d.cells {
		for _, p := range c.inputs {
			for i, b := range p.bits {
				if b != mapped.Constant {
					loads[b] = append(loads[b], pin{c, p.name, i})
				}
			}
		}
	}
	for name, p := range d.n.Ports {
		if p.Direction != "input" {
			for i, b := range p.Bits {
				loads[b] = append(loads[b], pin{nil, name, i})
			}
		}
	}
	gone := map[*cell]bool{}
	d.absorbOutputs(loads, gone)
	d.absorbInputs(loads, gone)
	d.cells = slices.DeleteFunc(d.cells, func(c *cell) bool { return gone[c] })
}

// output is a port of a memory or DSP that has one register.
type output struct{ memory, register string }

func (d *design) absorbOutputs(loads map[mapped.Bit][]pin, gone map[*cell]bool) {
	type bit struct {
		pin
		ff *cell
	}
	outputs := map[output][]bit{}
	refused := map[output]bool{}
	for _, c := range d.cells {
		if !c.block() {
			continue
		}
		for _, p := range c.outputs {
			register := c.outputRegister(p.name)
			if register == "" {
				continue
			}
			name := c.name
			if c.Kind != mapped.DSP {
				name = slice.ReplaceAllString(name, "")
			}
			o := output{name, register}
			for i, b := range p.bits {
				l := loads[b]
				switch {
				case b == mapped.Constant || len(l) == 0:
				case len(l) == 1 && l[0].valid() && l[0].port == "D" && l[0].cell.follows(c):
					outputs[o] = append(outputs[o], bit{pin{c, p.name, i}, l[0].cell})
				default:
					refused[o] = true
				}
			}
		}
	}
	for o, bits := range outputs {
		if refused[o] {
			continue
		}
		for _, x := range bits {
			q := x.ff.Connections["Q"][0]
			for _, p := range x.cell.outputs {
				if p.name == x.port {
					p.bits[x.index] = q
				}
			}
			d.drivers[q] = x.pin
			gone[x.ff] = true
			x.cell.use(o.register)
			switch x.cell.Kind {
			case mapped.BRAM:
				d.absorbed.BRAM++
			case mapped.URAM:
				d.absorbed.URAM++
			case mapped.DSP:
				d.absorbed.DSP++
			}
		}
	}
}

// absorbInputs does the same for the factors of a DSP. The product's own register is left alone, as
// Vivado's choice depends on the number of registers in a row.
func (d *design) absorbInputs(loads map[mapped.Bit][]pin, gone map[*cell]bool) {
	for _, c := range d.cells {
		if c.Kind != mapped.DSP {
			continue
		}
		for _, p := range c.inputs {
			register := map[string]string{"A": "AREG", "B": "BREG"}[p.name]
			if register == "" || c.Parameters.Number(register, 1) != 0 {
				continue
			}
			ffs := map[mapped.Bit]*cell{}
			whole := true
			for _, b := range p.bits {
				if b == mapped.Constant {
					continue
				}
				from, ok := d.drivers[b]
				whole = whole && ok && !gone[from.cell] && from.cell.follows(c) &&
					!slices.ContainsFunc(loads[b], func(l pin) bool { return l.cell != c || l.port != p.name })
				if !whole {
					break
				}
				ffs[b] = from.cell
			}
			if !whole || len(ffs) == 0 {
				continue
			}
			for i, b := range p.bits {
				if b != mapped.Constant {
					p.bits[i] = ffs[b].Connections["D"][0]
				}
			}
			for _, ff := range ffs {
				gone[ff] = true
				d.absorbed.DSP++
			}
			c.use(register)
		}
	}
}

// outputRegister returns the parameter of the register after an output, or "" if the output has
// none or it is in use.
func (c *cell) outputRegister(port string) string {
	switch c.Kind {
	case mapped.BRAM:
		register := "DOA_REG"
		if readsB(port) {
			register = "DOB_REG"
		}
		if c.Parameters.Number(register, 0) == 0 && strings.HasPrefix(port, "DOUT") {
			return register
		}
	case mapped.URAM:
		register := "OREG_" + port[len(port)-1:]
		if strings.HasPrefix(port, "DOUT_") && c.Parameters.Text(register) != "TRUE" {
			return register
		}
	case mapped.DSP:
		if port == "P" && c.Parameters.Number("PREG", 1) == 0 {
			return "PREG"
		}
	}
	return ""
}

// readsB reports whether an output of a block RAM is one of port B.
func readsB(port string) bool {
	return strings.HasPrefix(port, "DOUTB") || strings.HasPrefix(port, "DOUTPB")
}

// use takes a register of the block into use.
func (c *cell) use(register string) {
	x := *c.Cell
	x.Parameters = maps.Clone(x.Parameters)
	if x.Parameters == nil {
		x.Parameters = mapped.Attrs{}
	}
	x.Parameters[register] = "1"
	if c.Kind == mapped.URAM {
		x.Parameters[register] = "TRUE"
	}
	c.Cell = &x
}

// follows reports whether c is a flip-flop that can become a register of a block: it has the
// block's clock and no enable or reset.
func (c *cell) follows(block *cell) bool {
	if c.Kind != mapped.FF {
		return false
	}
	for _, p := range c.inputs {
		switch p.name {
		case "D", "C":
		default:
			if slices.ContainsFunc(p.bits, func(b mapped.Bit) bool { return b != mapped.Constant }) {
				return false
			}
		}
	}
	for _, p := range block.inputs {
		if block.IsClock(p.name) && slices.ContainsFunc(p.bits, func(b mapped.Bit) bool {
			return b != mapped.Constant && b != c.Connections["C"][0]
		}) {
			return false
		}
	}
	return true
}
