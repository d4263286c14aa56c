// SPDX-License-Identifier: Apache-2.0

package synth

import "strings"

// kind is what a primitive is, for counting and for the path walk.
type kind int

const (
	kLUT kind = iota
	kInverter
	kMux
	kCarry
	kFF
	kLatch
	kLUTRAM
	kSRL
	kBRAM
	kURAM
	kDSP
	kBuffer
)

// primitive describes a cell type of the family.
type primitive struct {
	kind kind
	luts int // LUT sites taken
	size int // a LUT's inputs; a carry cell's bits
}

// primitives lists every cell type that the report understands. LUT sites of
// memories are those of UltraScale+ slices, eight 64-bit LUTs each.
var primitives = map[string]primitive{
	"LUT1": {kLUT, 1, 1}, "LUT2": {kLUT, 1, 2}, "LUT3": {kLUT, 1, 3},
	"LUT4": {kLUT, 1, 4}, "LUT5": {kLUT, 1, 5}, "LUT6": {kLUT, 1, 6}, "LUT6_2": {kLUT, 1, 6},

	"INV":   {kInverter, 0, 0}, // as a rule absorbed by the LUT behind it
	"MUXF7": {kMux, 0, 0}, "MUXF8": {kMux, 0, 0}, "MUXF9": {kMux, 0, 0},
	"CARRY4": {kCarry, 0, 4}, "CARRY8": {kCarry, 0, 8},

	"FDRE": {kind: kFF}, "FDSE": {kind: kFF}, "FDCE": {kind: kFF}, "FDPE": {kind: kFF},
	"FDRE_1": {kind: kFF}, "FDSE_1": {kind: kFF}, "FDCE_1": {kind: kFF}, "FDPE_1": {kind: kFF},
	"LDCE": {kind: kLatch}, "LDPE": {kind: kLatch},

	// Single port: one LUT for each 64 bits.
	"RAM32X1S": {kLUTRAM, 1, 0}, "RAM32X1S_1": {kLUTRAM, 1, 0},
	"RAM64X1S": {kLUTRAM, 1, 0}, "RAM64X1S_1": {kLUTRAM, 1, 0},
	"RAM128X1S": {kLUTRAM, 2, 0}, "RAM256X1S": {kLUTRAM, 4, 0}, "RAM512X1S": {kLUTRAM, 8, 0},
	// One write and one read port: the contents twice.
	"RAM32X1D": {kLUTRAM, 2, 0}, "RAM32X1D_1": {kLUTRAM, 2, 0},
	"RAM64X1D": {kLUTRAM, 2, 0}, "RAM64X1D_1": {kLUTRAM, 2, 0},
	"RAM128X1D": {kLUTRAM, 4, 0}, "RAM256X1D": {kLUTRAM, 8, 0},
	// Several read ports, or several bits: half a slice or a whole one.
	"RAM32M": {kLUTRAM, 4, 0}, "RAM64M": {kLUTRAM, 4, 0},
	"RAM32M16": {kLUTRAM, 8, 0}, "RAM64M8": {kLUTRAM, 8, 0},
	"RAM32X16DR8": {kLUTRAM, 8, 0}, "RAM64X8SW": {kLUTRAM, 8, 0},

	"SRL16E": {kSRL, 1, 0}, "SRLC16E": {kSRL, 1, 0}, "SRLC32E": {kSRL, 1, 0},

	"RAMB18E2": {kind: kBRAM}, "RAMB36E2": {kind: kBRAM}, "URAM288": {kind: kURAM},
	"DSP48E2": {kind: kDSP},

	"BUFG": {kind: kBuffer}, "BUFGCE": {kind: kBuffer}, "IBUF": {kind: kBuffer}, "OBUF": {kind: kBuffer},
}

// ignored cells carry information and no hardware.
func ignored(typ string) bool { return typ == "$scopeinfo" }

// clocks are the clock and latch-gate pins.
var clocks = map[string]bool{
	"C": true, "CLK": true, "WCLK": true, "G": true, "CLKARDCLK": true, "CLKBWRCLK": true,
}

func (p primitive) isClock(pin string) bool {
	// Of a DSP48E2, C is an operand.
	return clocks[pin] && !(p.kind == kDSP && pin == "C") && p.sequential()
}

// sequential tells whether paths start and end at the primitive. Of a DSP48E2
// it depends on the registers in use, see dspRegistered.
func (p primitive) sequential() bool {
	switch p.kind {
	case kFF, kLatch, kLUTRAM, kSRL, kBRAM, kURAM, kDSP:
		return true
	}
	return false
}

// dspStages are the registers between each operand of a DSP48E2 and P. Pins
// that are not listed are enables, resets and cascades of registers.
var dspStages = map[string][]string{
	"A": {"AREG", "MREG", "PREG"}, "ACIN": {"AREG", "MREG", "PREG"},
	"B": {"BREG", "MREG", "PREG"}, "BCIN": {"BREG", "MREG", "PREG"},
	"C": {"CREG", "PREG"}, "D": {"DREG", "ADREG", "MREG", "PREG"},
	"CARRYIN": {"CARRYINREG", "PREG"}, "PCIN": {"PREG"}, "CARRYCASCIN": {"PREG"},
	"OPMODE": {"OPMODEREG", "PREG"}, "ALUMODE": {"ALUMODEREG", "PREG"},
	"INMODE": {"INMODEREG", "MREG", "PREG"}, "CARRYINSEL": {"CARRYINSELREG", "PREG"},
}

// dspRegistered tells whether any register lies between pin and P.
func dspRegistered(c *cell, pin string) bool {
	stages, ok := dspStages[pin]
	if !ok {
		return true
	}
	for _, s := range stages {
		if c.Parameters.number(s, 1) != 0 {
			return true
		}
	}
	return false
}

// starts tells whether paths start at an output of the cell.
func (p primitive) starts(c *cell) bool {
	if p.kind != kDSP {
		return p.sequential()
	}
	for pin := range dspStages {
		if dspRegistered(c, pin) {
			return true
		}
	}
	return false
}

// ends tells whether paths end at an input pin.
func (p primitive) ends(c *cell, pin string) bool {
	if p.isClock(pin) || p.kind == kDSP && !dspRegistered(c, pin) {
		return false
	}
	return p.sequential()
}

// arc tells whether a change of input pin in[i] reaches output pin out[k]
// without a clock, and how many levels that costs. The pin CI of a carry cell
// is free here; entering a chain through it is the walk's affair.
func (p primitive) arc(c *cell, in string, i int, out string, k int) (levels int, ok bool) {
	switch p.kind {
	case kLUT, kInverter:
		return 1, true
	case kMux, kBuffer:
		return 0, true
	case kCarry:
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
	case kLUTRAM:
		return 1, readsAsync(in, out)
	case kSRL:
		return 1, strings.HasPrefix(in, "A") && out == "Q"
	case kDSP:
		return 1, !dspRegistered(c, in)
	}
	return 0, false
}

// readsAsync tells whether a LUT RAM's pin addresses its output: A and SPO or
// O, DPRA and DPO, ADDRx and DOx, with or without a digit.
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
