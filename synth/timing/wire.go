// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"math"

	"github.com/nicgen/nicgen/synth/mapped"
)

// counts are numbers of blocks in dedicated columns. A RAMB18 is half a RAMB36.
type counts struct{ bram, uram, dsp float64 }

func (k *counts) add(c *cell) {
	switch {
	case c.Type == "RAMB18E2":
		k.bram += 0.5
	case c.Kind == mapped.BRAM:
		k.bram++
	case c.Kind == mapped.URAM:
		k.uram++
	case c.Kind == mapped.DSP:
		k.dsp++
	}
}

// way returns the distance of a block of a column's kind: half the extent of k blocks, placed over
// the number of columns that makes it smallest, and the crossing of the column itself.
func (c columns) way(k float64) Ns {
	least := math.Inf(1)
	for n := 1.0; n <= 16; n++ {
		least = min(least, c.up*k/n+(n-1)*c.over)
	}
	var t Ns
	for m := range t {
		t[m] = columnShare[m]*least + crossings[m]*c.crossing
	}
	return t
}

func (k counts) way(c *cell) Ns {
	switch c.Kind {
	case mapped.BRAM:
		return bramColumns.way(k.bram)
	case mapped.URAM:
		return uramColumns.way(k.uram)
	case mapped.DSP:
		return dspColumns.way(k.dsp)
	}
	return Ns{}
}

// meet finds the RAMs of one memory, and the DSPs, whose outputs meet within two LUTs and are
// therefore read as one.
func (d *design) meet() {
	parent := map[*cell]*cell{}
	root := func(c *cell) *cell {
		for parent[c] != c {
			parent[c] = parent[parent[c]]
			c = parent[c]
		}
		return c
	}
	for _, c := range d.cells {
		if c.block() {
			parent[c] = c
		}
	}
	direct := func(c *cell) (list []*cell) {
		for _, p := range c.inputs {
			for _, b := range p.bits {
				if x, ok := d.drivers[b]; ok && x.cell.block() {
					list = append(list, x.cell)
				}
			}
		}
		return list
	}
	for _, c := range d.cells {
		if c.Kind != mapped.LUT {
			continue
		}
		list := direct(c)
		for _, p := range c.inputs {
			for _, b := range p.bits {
				if x, ok := d.drivers[b]; ok && x.cell.Kind == mapped.LUT {
					list = append(list, direct(x.cell)...)
				}
			}
		}
		first := map[string]*cell{}
		for _, x := range list {
			memory := ""
			if x.Kind != mapped.DSP {
				memory = indices.ReplaceAllString(x.name, "")
			}
			if first[memory] == nil {
				first[memory] = x
			}
			parent[root(x)] = root(first[memory])
		}
	}
	sets := map[*cell]*counts{}
	for _, c := range d.cells {
		if !c.block() {
			continue
		}
		if sets[root(c)] == nil {
			sets[root(c)] = &counts{}
		}
		sets[root(c)].add(c)
	}
	for _, c := range d.cells {
		if c.block() {
			d.near[c] = *sets[root(c)]
		}
	}
}

// wire returns the time from a driver, or an input port, to a pin: within a slice where they
// share one, else over the device's wires.
func (d *design) wire(b mapped.Bit, to pin, s scale) Ns {
	from := d.drivers[b]
	if t, ok := d.inSlice(b, from, to); ok {
		return s.logic(same(t))
	}
	loads := min(float64(max(1, d.fanOut[b])), d.block)
	var t Ns
	for m := range t {
		t[m] = wireBase[m] + wireSpread[m]*math.Sqrt(loads)
	}
	if from.valid() {
		t = t.plus(d.near[from.cell].way(from.cell))
	}
	in, logic := 0.0, Ns{}
	if to.valid() {
		switch c := to.cell; c.Kind {
		case mapped.BRAM, mapped.URAM, mapped.DSP:
			k := counts{}
			last := (*cell)(nil)
			for _, l := range d.loads[b] {
				if l.valid() && l.cell != last {
					k.add(l.cell)
					last = l.cell
				}
			}
			t = t.plus(k.way(c))
		case mapped.FF, mapped.Latch:
			if to.port == "D" {
				logic = same(bypassPin + bypassToFF)
			} else {
				in = controlPin
			}
		case mapped.Carry:
			if to.port != "S" {
				logic = same(bypassPin)
				break
			}
			logic = throughLUT().plus(same(lutToCarry))
		case mapped.Mux:
			if to.port != "S" {
				logic = throughLUT().plus(same(lutToMux))
			}
		}
	}
	for m := range t {
		t[m] += in
	}
	if from.valid() {
		switch from.cell.Kind {
		case mapped.Carry:
			if from.port == "O" {
				logic = logic.plus(same(carryExit))
			}
		case mapped.Mux:
			logic = logic.plus(same(muxExit))
		}
	}
	return s.wire(t).plus(s.logic(logic))
}

// throughLUT returns the delay of a LUT that only passes its input to a pin that only a LUT can
// drive.
func throughLUT() Ns {
	var t Ns
	for m := range t {
		t[m] = lutDelays[firstLUTPin[m]]
	}
	return t
}

// inSlice returns the time to a pin in the slice of its driver.
func (d *design) inSlice(b mapped.Bit, from, to pin) (float64, bool) {
	if !from.valid() || !to.valid() {
		return 0, false
	}
	lut := from.cell.Kind == mapped.LUT || from.cell.Kind == mapped.Inverter
	switch to.cell.Kind {
	case mapped.FF:
		if to.port != "D" || d.ffPins[b] > sliceFFPins {
			return 0, false
		}
		switch from.cell.Kind {
		case mapped.LUT, mapped.Inverter, mapped.LUTRAM, mapped.SRL:
			return lutToFF, true
		case mapped.Carry:
			if from.port == "CO" {
				return 0, true
			}
			return carryToFF, true
		case mapped.Mux:
			return muxToFF, true
		}
	case mapped.Carry:
		switch {
		case to.port == "S" && lut:
			return lutToCarry, true
		case to.port == "CI" && to.cell.below != nil:
			return carryLink, true
		}
	case mapped.Mux:
		switch {
		case to.port != "S" && lut:
			return lutToMux, true
		case to.port != "S" && from.cell.Kind == mapped.Mux:
			return muxExit, true
		}
	}
	return 0, false
}
