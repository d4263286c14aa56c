// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"slices"
	"strings"

	"github.com/nicgen/nicgen/synth/mapped"
)

// Where paths start: at a register or at an input port.
const (
	fromRegister = iota
	fromPort
	starts
)

// scale applies a speed grade.
type scale struct{ Grade }

func (s scale) logic(t Ns) Ns { return times(t, s.Grade.logic) }
func (s scale) wire(t Ns) Ns  { return times(t, s.Grade.wire) }

func times(t Ns, f float64) Ns {
	for m := range t {
		t[m] *= f
	}
	return t
}

// mark is the latest time at which a net's driver has its value, and the last step of the path to
// it.
type mark struct {
	ok   bool
	time float64
	cell float64    // part of the time spent in the last cell
	in   pin        // the input that it came through; no cell: the net is a start
	from mapped.Bit // the net at in
}

// node holds the marks of a net by start and column.
type node [starts][models]mark

type walk struct {
	*design
	scale
	done   map[mapped.Bit]*node
	active map[mapped.Bit]bool
	stack  []mapped.Bit
}

// visit finds the latest paths to a net. It is nil for constants and nets that nothing drives.
func (w *walk) visit(b mapped.Bit) (*node, error) {
	if b == mapped.Constant {
		return nil, nil
	}
	if nd, ok := w.done[b]; ok {
		return nd, nil
	}
	if _, ok := w.inputs[b]; ok {
		nd := &node{}
		for m := range models {
			nd[fromPort][m].ok = true
		}
		w.done[b] = nd
		return nd, nil
	}
	out, ok := w.drivers[b]
	if !ok {
		w.done[b] = nil
		return nil, nil
	}
	if w.active[b] {
		return nil, w.loop(b)
	}
	w.active[b] = true
	w.stack = append(w.stack, b)
	defer func() {
		delete(w.active, b)
		w.stack = w.stack[:len(w.stack)-1]
	}()

	nd := &node{}
	if out.cell.Starts(out.cell.Cell) {
		t, err := w.clockToOut(out)
		if err != nil {
			return nil, err
		}
		for m := range models {
			nd[fromRegister][m] = mark{ok: true, time: t[m], cell: t[m]}
		}
	}
	var err error
	if pins := lutPins(out); pins != nil {
		err = w.throughLUTPins(nd, out, pins)
	} else {
		err = w.throughArcs(nd, out)
	}
	w.done[b] = nd
	return nd, err
}

// arrival returns the time at which a value reaches a pin, or nil if it does not change.
func (w *walk) arrival(b mapped.Bit, at pin) (*[starts][models]float64, *node, error) {
	nd, err := w.visit(b)
	if err != nil || nd == nil {
		return nil, nil, err
	}
	t := &[starts][models]float64{}
	wire := w.wireTo(b, at)
	for k := range nd {
		for m := range models {
			t[k][m] = nd[k][m].time + wire[m]
		}
	}
	return t, nd, nil
}

func (w *walk) wireTo(b mapped.Bit, at pin) Ns { return w.design.wire(b, at, w.scale) }

// lutPins returns the inputs of an output that go through pins of LUTs; nil for outputs of
// other cells.
func lutPins(out pin) []pin {
	c := out.cell
	switch c.Kind {
	case mapped.LUT, mapped.Inverter, mapped.LUTRAM, mapped.SRL:
	default:
		return nil
	}
	list := []pin{}
	for _, p := range c.inputs {
		for i := range p.bits {
			if _, ok := c.Arc(c.Cell, p.name, i, out.port, out.index); ok {
				list = append(list, pin{c, p.name, i})
			}
		}
	}
	return list
}

// bit returns the net at a pin.
func (p pin) bit() mapped.Bit {
	for _, x := range p.cell.inputs {
		if x.name == p.port {
			return x.bits[p.index]
		}
	}
	return mapped.Constant
}

// throughLUTPins assigns the fastest pin to the latest input, and so on.
func (w *walk) throughLUTPins(nd *node, out pin, pins []pin) error {
	type input struct {
		pin
		from mapped.Bit
		time *[starts][models]float64
		node *node
	}
	var list []input
	for _, p := range pins {
		b := p.bit()
		t, src, err := w.arrival(b, p)
		if err != nil {
			return err
		}
		if src != nil {
			list = append(list, input{p, b, t, src})
		}
	}
	wide := 0.0
	if out.cell.Kind == mapped.LUTRAM {
		wide = wideAddress * float64(max(0, len(pins)-len(lutDelays)))
	}
	for k := range nd {
		for m := range models {
			order := slices.DeleteFunc(slices.Clone(list), func(x input) bool { return !x.node[k][m].ok })
			slices.SortStableFunc(order, func(a, b input) int {
				switch {
				case a.time[k][m] > b.time[k][m]:
					return -1
				case a.time[k][m] < b.time[k][m]:
					return 1
				}
				return 0
			})
			for i, x := range order {
				cell := (lutDelays[min(firstLUTPin[m]+i, len(lutDelays)-1)] + wide) * w.Grade.logic
				nd[k][m].later(x.time[k][m], cell, x.pin, x.from)
			}
		}
	}
	return nil
}

// later takes a way if it is later.
func (m *mark) later(at, cell float64, in pin, from mapped.Bit) {
	if !m.ok || at+cell > m.time {
		*m = mark{ok: true, time: at + cell, cell: cell, in: in, from: from}
	}
}

func (w *walk) throughArcs(nd *node, out pin) error {
	for c := out.cell; c != nil; c = c.lower {
		for _, p := range c.inputs {
			for i, b := range p.bits {
				cell, ok, err := arc(pin{c, p.name, i}, out)
				if err != nil {
					return err
				}
				if !ok || b == mapped.Constant {
					continue
				}
				at := pin{c, p.name, i}
				t, src, err := w.arrival(b, at)
				if err != nil {
					return err
				}
				if src == nil {
					continue
				}
				for k := range nd {
					for m := range models {
						if src[k][m].ok {
							nd[k][m].later(t[k][m], cell*w.Grade.logic, at, b)
						}
					}
				}
			}
		}
	}
	return nil
}

// arc returns the delay between two pins of a cell, or of the halves of a CARRY8; ok is false if no
// path without a clock exists.
func arc(in, out pin) (ns float64, ok bool, err error) {
	c := out.cell
	switch c.Kind {
	case mapped.Mux:
		if in.port == "S" {
			return muxSelect, true, nil
		}
		return muxInput, true, nil
	case mapped.Carry:
		row := 0
		switch in.port {
		case "S":
			row = rowS + in.cell.base + in.index
		case "DI":
			row = rowDI + in.cell.base + in.index
		case "CI":
			if in.cell.lower != nil {
				return 0, false, nil // within the CARRY8
			}
			row = rowCI
			if in.cell.below == nil {
				row = rowCYINIT
			}
		case "CYINIT", "CI_TOP":
			row = rowCYINIT
		}
		column := c.base + out.index
		if out.port == "CO" {
			column += columnCO
		}
		ps := carryDelays[row][column]
		return float64(ps) / 1000, ps != 0, nil
	case mapped.DSP:
		if mapped.DSPRegistered(c.Cell, in.port) {
			return 0, false, nil
		}
		if t, ok := dspThrough[in.port]; ok {
			return t, true, nil
		}
		return dspProduct, true, nil
	}
	return 0, false, nil
}

// clockToOut returns the time from the clock to an output of a register.
func (w *walk) clockToOut(out pin) (Ns, error) {
	c := out.cell
	t := Ns{}
	switch c.Kind {
	case mapped.FF, mapped.Latch:
		t = same(ffOut)
	case mapped.LUTRAM, mapped.SRL:
		t = same(lutRAMOut)
	case mapped.BRAM:
		reg := "DOA_REG"
		if readsB(out.port) {
			reg = "DOB_REG"
		}
		t = same(bramOut)
		if c.Parameters.Number(reg, 0) != 0 {
			t = same(bramOutRegistered)
		}
	case mapped.URAM:
		t = uramOut
		if c.Parameters.Text("OREG_"+out.port[len(out.port)-1:]) == "TRUE" {
			t = uramOutRegistered
		}
	case mapped.DSP:
		switch {
		case c.Parameters.Number("PREG", 1) != 0:
			t = same(dspOut)
		case c.Parameters.Number("MREG", 1) != 0:
			t = same(dspFromM)
		default:
			t = same(dspFromInput)
		}
	default:
		return t, &MissingDelay{c.name, c.Type, out.port}
	}
	return w.logic(t), nil
}

// setup returns the time before the clock at which a pin must have its value.
func (w *walk) setup(at pin) (Ns, error) {
	c := at.cell
	missing := &MissingDelay{c.name, c.Type, at.port}
	first := func(list []pinDelay) (Ns, error) {
		for _, p := range list {
			if strings.HasPrefix(at.port, p.prefix) {
				return w.logic(same(p.ns)), nil
			}
		}
		return Ns{}, missing
	}
	switch c.Kind {
	case mapped.FF, mapped.Latch:
		t, ok := ffSetup[at.port]
		if c.Kind == mapped.Latch && at.port == "GE" {
			t, ok = ffSetup["CE"], true
		}
		if !ok {
			return Ns{}, missing
		}
		return w.logic(same(t)), nil
	case mapped.LUTRAM, mapped.SRL:
		switch {
		case strings.HasPrefix(at.port, "WE"), strings.HasPrefix(at.port, "CE"):
			return w.logic(same(lutRAMEnable)), nil
		case strings.HasPrefix(at.port, "DI"), at.port == "D":
			return w.logic(same(lutRAMDataSetup)), nil
		case strings.HasPrefix(at.port, "A"), strings.HasPrefix(at.port, "DPRA"), strings.HasPrefix(at.port, "WADR"):
			return w.logic(same(lutRAMAddress)), nil
		}
		return Ns{}, missing
	case mapped.BRAM:
		return first(bramSetup)
	case mapped.URAM:
		return first(uramSetup)
	case mapped.DSP:
		return w.logic(same(dspSetupAt(c, at.port))), nil
	}
	return Ns{}, missing
}

// dspSetupAt returns the setup time of a DSP's pin, which is the setup time of the first register
// after it.
func dspSetupAt(c *cell, port string) float64 {
	stages, ok := mapped.DSPStages[port]
	if !ok {
		return dspControl
	}
	for _, s := range stages {
		if c.Parameters.Number(s, 1) == 0 {
			continue
		}
		switch {
		case s == "MREG":
			return dspToM
		case s == "PREG" && dspThrough[port] == dspThrough["C"]:
			return dspAdderToP
		case s == "PREG":
			return dspToP
		}
		break
	}
	return dspSetup
}

// loop names the cells of a loop.
func (w *walk) loop(b mapped.Bit) error {
	e := &mapped.LoopError{}
	for _, x := range w.stack[slices.Index(w.stack, b):] {
		e.Cells = append(e.Cells, w.drivers[x].cell.Type+" "+w.n.NameOf(x))
	}
	slices.Reverse(e.Cells) // the stack goes against the signal
	return e
}
