// SPDX-License-Identifier: Apache-2.0

package mapped

import "strings"

// Kind is the kind of a primitive, for counting and for the path walk.
type Kind int

// The kinds of primitives.
const (
	LUT Kind = iota
	Inverter
	Mux
	Carry
	FF
	Latch
	LUTRAM
	SRL
	BRAM
	URAM
	DSP
	Buffer
)

// Primitive describes a cell type of the family.
type Primitive struct {
	Kind Kind
	LUTs int // LUT sites taken
	Size int // a LUT's inputs; a carry cell's bits
}

// Primitives lists every cell type that the report understands. LUT sites of memories are counted
// as in UltraScale+ slices, with eight 64-bit LUTs each.
var Primitives = map[string]Primitive{
	"LUT1": {LUT, 1, 1}, "LUT2": {LUT, 1, 2}, "LUT3": {LUT, 1, 3},
	"LUT4": {LUT, 1, 4}, "LUT5": {LUT, 1, 5}, "LUT6": {LUT, 1, 6}, "LUT6_2": {LUT, 1, 6},

	"INV":   {Inverter, 0, 0}, // usually absorbed by the next LUT
	"MUXF7": {Mux, 0, 0}, "MUXF8": {Mux, 0, 0}, "MUXF9": {Mux, 0, 0},
	"CARRY4": {Carry, 0, 4}, "CARRY8": {Carry, 0, 8},

	"FDRE": {Kind: FF}, "FDSE": {Kind: FF}, "FDCE": {Kind: FF}, "FDPE": {Kind: FF},
	"FDRE_1": {Kind: FF}, "FDSE_1": {Kind: FF}, "FDCE_1": {Kind: FF}, "FDPE_1": {Kind: FF},
	"LDCE": {Kind: Latch}, "LDPE": {Kind: Latch},

	// Single port: one LUT for each 64 bits.
	"RAM32X1S": {LUTRAM, 1, 0}, "RAM32X1S_1": {LUTRAM, 1, 0},
	"RAM64X1S": {LUTRAM, 1, 0}, "RAM64X1S_1": {LUTRAM, 1, 0},
	"RAM128X1S": {LUTRAM, 2, 0}, "RAM256X1S": {LUTRAM, 4, 0}, "RAM512X1S": {LUTRAM, 8, 0},
	// One write and one read port: the contents twice.
	"RAM32X1D": {LUTRAM, 2, 0}, "RAM32X1D_1": {LUTRAM, 2, 0},
	"RAM64X1D": {LUTRAM, 2, 0}, "RAM64X1D_1": {LUTRAM, 2, 0},
	"RAM128X1D": {LUTRAM, 4, 0}, "RAM256X1D": {LUTRAM, 8, 0},
	// Several read ports, or several bits: half a slice or a whole one.
	"RAM32M": {LUTRAM, 4, 0}, "RAM64M": {LUTRAM, 4, 0},
	"RAM32M16": {LUTRAM, 8, 0}, "RAM64M8": {LUTRAM, 8, 0},
	"RAM32X16DR8": {LUTRAM, 8, 0}, "RAM64X8SW": {LUTRAM, 8, 0},

	"SRL16E": {SRL, 1, 0}, "SRLC16E": {SRL, 1, 0}, "SRLC32E": {SRL, 1, 0},

	"RAMB18E2": {Kind: BRAM}, "RAMB36E2": {Kind: BRAM}, "URAM288": {Kind: URAM},
	"DSP48E2": {Kind: DSP},

	"BUFG": {Kind: Buffer}, "BUFGCE": {Kind: Buffer}, "IBUF": {Kind: Buffer}, "OBUF": {Kind: Buffer},
}

// Ignored cells carry information and no hardware.
func Ignored(typ string) bool { return typ == "$scopeinfo" }

// clocks are the clock and latch-gate pins.
var clocks = map[string]bool{
	"C": true, "CLK": true, "WCLK": true, "G": true, "CLKARDCLK": true, "CLKBWRCLK": true,
}

// IsClock reports whether a pin is a clock or the gate of a latch.
func (p Primitive) IsClock(pin string) bool {
	// Of a DSP48E2, C is an operand.
	return clocks[pin] && !(p.Kind == DSP && pin == "C") && p.Sequential()
}

// Sequential reports whether paths start and end at the primitive. For a DSP48E2 this depends on
// the registers in use, see DSPRegistered.
func (p Primitive) Sequential() bool {
	switch p.Kind {
	case FF, Latch, LUTRAM, SRL, BRAM, URAM, DSP:
		return true
	}
	return false
}

// DSPStages are the registers between each operand of a DSP48E2 and P. Pins
// that are not listed are enables, resets and cascades of registers.
var DSPStages = map[string][]string{
	"A": {"AREG", "MREG", "PREG"}, "ACIN": {"AREG", "MREG", "PREG"},
	"B": {"BREG", "MREG", "PREG"}, "BCIN": {"BREG", "MREG", "PREG"},
	"C": {"CREG", "PREG"}, "D": {"DREG", "ADREG", "MREG", "PREG"},
	"CARRYIN": {"CARRYINREG", "PREG"}, "PCIN": {"PREG"}, "CARRYCASCIN": {"PREG"},
	"OPMODE": {"OPMODEREG", "PREG"}, "ALUMODE": {"ALUMODEREG", "PREG"},
	"INMODE": {"INMODEREG", "MREG", "PREG"}, "CARRYINSEL": {"CARRYINSELREG", "PREG"},
}

// DSPRegistered reports whether any register lies between pin and P.
func DSPRegistered(c *Cell, pin string) bool {
	stages, ok := DSPStages[pin]
	if !ok {
		return true
	}
	for _, s := range stages {
		if c.Parameters.Number(s, 1) != 0 {
			return true
		}
	}
	return false
}

// Starts reports whether paths start at an output of the cell.
func (p Primitive) Starts(c *Cell) bool {
	if p.Kind != DSP {
		return p.Sequential()
	}
	for pin := range DSPStages {
		if DSPRegistered(c, pin) {
			return true
		}
	}
	return false
}

// Ends reports whether paths end at an input pin.
func (p Primitive) Ends(c *Cell, pin string) bool {
	if p.IsClock(pin) || p.Kind == DSP && !DSPRegistered(c, pin) {
		return false
	}
	return p.Sequential()
}

// Arc reports whether a change of input pin in[i] reaches output pin out[k] without a clock, and
// the number of levels. The pin CI of a carry cell costs no level here; the walk adds the cost of
// entering a chain through it.
func (p Primitive) Arc(c *Cell, in string, i int, out string, k int) (levels int, ok bool) {
	switch p.Kind {
	case LUT, Inverter:
		return 1, true
	case Mux, Buffer:
		return 0, true
	case Carry:
		switch {
		case in == "CI":
			return 0, true
		case in == "S":
			return 1, k >= i
		case in == "DI":
			return 1, out == "CO" && k >= i || out == "O" && k > i
		default: // CYINIT, CI_TOP
			return 1, true
		}
	case LUTRAM:
		return 1, readsAsync(in, out)
	case SRL:
		return 1, strings.HasPrefix(in, "A") && out == "Q"
	case DSP:
		return 1, !DSPRegistered(c, in)
	}
	return 0, false
}

// readsAsync reports whether a LUT RAM's pin addresses its output: A and SPO or O, DPRA and DPO,
// ADDRx and DOx, with or without a digit.
func readsAsync(in, out string) bool {
	in = strings.TrimRight(in, "0123456789")
	switch {
	case in == "A":
		return out == "SPO" || out == "O"
	case in == "DPRA":
		return out == "DPO"
	case strings.HasPrefix(in, "ADDR"):
		return out == "DO"+in[len("ADDR"):]
	}
	return false
}
