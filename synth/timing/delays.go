// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Delays names the source and version of the figures in this file.
//
// Most are from AMD's RapidWright 2024.1, timing/ultrascaleplus/intrasite_delay_terms.txt: speed
// grade -2 at 0.85 V, which its authors checked against Vivado 2020.1 on the xcvu3p (speed file -2
// PRODUCTION 1.27). Figures marked Vivado come from public timing reports of UltraScale+ devices;
// figures marked assumed come from neither. They are properties of the device; the tables here are
// nicgen's own.
const Delays = "RapidWright 2024.1, UltraScale+ -2 at 0.85 V"

// Model is one of the three columns of an estimate.
type Model int

// The columns: nothing is placed, so each column assumes a quality of placement.
const (
	Optimistic Model = iota
	Typical
	Pessimistic
	models int = iota
)

// String returns the column's name.
func (m Model) String() string { return [...]string{"optimistic", "typical", "pessimistic"}[m] }

// Ns is a time in nanoseconds in each column.
type Ns [models]float64

// MarshalJSON names the columns.
func (n Ns) MarshalJSON() ([]byte, error) {
	return json.Marshal(columnsOf{n[Optimistic], n[Typical], n[Pessimistic]})
}

// UnmarshalJSON reads the output of MarshalJSON.
func (n *Ns) UnmarshalJSON(b []byte) error {
	var c columnsOf
	err := json.Unmarshal(b, &c)
	*n = Ns{c.Optimistic, c.Typical, c.Pessimistic}
	return err
}

type columnsOf struct {
	Optimistic  float64 `json:"optimistic"`
	Typical     float64 `json:"typical"`
	Pessimistic float64 `json:"pessimistic"`
}

// String returns the three times, "2.75 / 3.29 / 4.08".
func (n Ns) String() string {
	return fmt.Sprintf("%.2f / %.2f / %.2f", n[Optimistic], n[Typical], n[Pessimistic])
}

// ps rounds a time to picoseconds.
func ps(ns float64) float64 { return math.Round(ns*1000) / 1000 }

func (n Ns) rounded() Ns {
	for m := range n {
		n[m] = ps(n[m])
	}
	return n
}

func same(t float64) Ns { return Ns{t, t, t} }

func (n Ns) plus(o Ns) Ns {
	for m := range n {
		n[m] += o[m]
	}
	return n
}

// Parts of a period that are unavailable to paths: the clock's uncertainty (0.07 ns of jitter,
// halved as Vivado does), and its skew between registers.
var (
	uncertainty = 0.035
	skew        = Ns{0, 0.03, 0.08}
)

// lutDelays are the delays of a LUT's inputs A6 to A1. Routers give the fast inputs to the latest
// signals; firstLUTPin is the one that the latest signal gets.
var (
	lutDelays   = [6]float64{0.035, 0.050, 0.090, 0.100, 0.125, 0.150}
	firstLUTPin = [models]int{0, 1, 2}
	// An address bit of a LUT RAM above the sixth selects in a multiplexer.
	wideAddress = 0.095
)

// Flip-flops. The setup of CE, R and S and the sign of D's are Vivado's.
var (
	ffOut   = 0.078
	ffSetup = map[string]float64{"D": -0.025, "CE": 0.061, "R": 0.072, "S": 0.072, "CLR": 0.072, "PRE": 0.072}
)

// Delays into and out of the cells of a slice, added to the wire or instead of it.
const (
	lutToFF     = 0.050 // to D in the same slice, instead of a wire
	carryToFF   = 0.025 // from O; from CO nothing
	muxToFF     = 0.032
	lutToCarry  = 0.015 // to S
	carryLink   = 0.026 // CO to CI of the next CARRY8
	lutToMux    = 0.025
	carryExit   = 0.030 // O to the wire; CO nothing
	muxExit     = 0.032
	bypassPin   = 0.017  // the pins AX to HX
	bypassToFF  = 0.100  // from there to D
	controlPin  = -0.043 // CE, R and S take 0.005 where a LUT's pin takes 0.048
	muxInput    = 0.070  // MUXF7; MUXF8 assumed alike
	muxSelect   = 0.077
	sliceFFPins = 2 // flip-flops that share the slice of D's driver
)

// LUT RAMs and shift registers.
var (
	lutRAMOut                                    = 0.312
	lutRAMAddress, lutRAMEnable, lutRAMDataSetup = 0.117, 0.180, 0.081
)

// Block RAM: clock to output is 0.85 to 1.00 over the bits.
var (
	bramOut, bramOutRegistered = 0.890, 0.226
	bramSetup                  = []pinDelay{
		{"ADDREN", 0.342}, {"ADDR", 0.358}, {"DIN", 0.260}, {"WE", 0.394}, {"EN", 0.342}, {"REGCE", 0.233}, {"RST", 0.313}, {"SLEEP", 0.342},
	}
)

// UltraRAM: port A is much faster than B. As Vivado's choice for a read is unknown, the pessimistic
// column reads through B.
var (
	uramOut, uramOutRegistered = Ns{1.223, 1.223, 1.988}, Ns{0.705, 0.705, 0.620}
	uramSetup                  = []pinDelay{
		{"ADDR_A", 0.493}, {"BWE_A", 0.491}, {"DIN_A", 0.470}, {"EN_A", 0.458}, {"RDB_WR_A", 0.456},
		{"ADDR_B", 0.331}, {"BWE_B", 0.410}, {"DIN_B", 0.293}, {"EN_B", 0.306}, {"RDB_WR_B", 0.376},
		{"RST", 0.458}, {"INJECT", 0.470}, {"SLEEP", 0.458}, {"OREG_CE", 0.458}, {"OREG_ECC_CE", 0.458}, // assumed
	}
)

// pinDelay is the delay of the pins whose names begin so.
type pinDelay struct {
	prefix string
	ns     float64
}

// DSP48E2. A and B to P without registers is the sum of the parts that Vivado lists for -1, divided
// by 1.19; D to P, the register P and the setup of A's and B's are assumed.
var (
	dspThrough   = map[string]float64{"C": 0.89, "D": 1.95, "CARRYIN": 0.89, "PCIN": 0.89, "CARRYCASCIN": 0.89, "OPMODE": 0.89, "ALUMODE": 0.89, "CARRYINSEL": 0.89}
	dspProduct   = 1.62 // A, B and other operands of the multiplier
	dspOut       = 0.23 // from the register P
	dspFromM     = 0.98
	dspFromInput = 1.616
	dspSetup     = 0.20  // of a register at the pin
	dspControl   = 0.159 // enables and resets
	dspToM       = 0.92
	dspToP       = 1.50
	dspAdderToP  = 0.77 // C and others that pass only the adder: 0.89 less A's saving by P's register
)

// carryDelays are the delays of a CARRY8 in ps, from S, DI (bits 0 to 7), CI and CYINIT to O0 to O7
// and CO0 to CO7. 0 means that no such path exists.
var carryDelays = [...][16]int{
	{65, 96, 134, 139, 206, 240, 226, 241, 71, 109, 115, 186, 216, 201, 217, 199},
	{0, 56, 117, 123, 204, 237, 224, 238, 0, 91, 98, 184, 213, 199, 214, 197},
	{0, 0, 58, 86, 167, 200, 188, 202, 0, 0, 63, 148, 176, 162, 177, 168},
	{0, 0, 0, 61, 149, 184, 172, 187, 0, 0, 0, 133, 159, 146, 162, 170},
	{0, 0, 0, 0, 63, 95, 129, 137, 0, 0, 0, 0, 70, 103, 113, 163},
	{0, 0, 0, 0, 0, 58, 131, 138, 0, 0, 0, 0, 0, 105, 113, 166},
	{0, 0, 0, 0, 0, 0, 56, 85, 0, 0, 0, 0, 0, 0, 61, 124},
	{0, 0, 0, 0, 0, 0, 0, 56, 0, 0, 0, 0, 0, 0, 0, 124},
	{0, 81, 109, 115, 178, 208, 196, 211, 57, 83, 90, 182, 184, 170, 186, 140},
	{0, 0, 99, 102, 162, 196, 183, 198, 0, 73, 78, 144, 172, 158, 173, 127},
	{0, 0, 0, 94, 150, 186, 174, 188, 0, 0, 69, 134, 160, 148, 163, 117},
	{0, 0, 0, 0, 147, 182, 170, 185, 0, 0, 0, 131, 157, 144, 160, 113},
	{0, 0, 0, 0, 0, 84, 115, 123, 0, 0, 0, 0, 59, 87, 98, 100},
	{0, 0, 0, 0, 0, 0, 102, 107, 0, 0, 0, 0, 0, 74, 82, 95},
	{0, 0, 0, 0, 0, 0, 0, 93, 0, 0, 0, 0, 0, 0, 69, 67},
	{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60},
	{56, 76, 67, 82, 86, 116, 103, 116, 52, 42, 57, 60, 92, 77, 92, 23},
	{110, 132, 131, 135, 193, 228, 216, 231, 107, 105, 110, 177, 203, 191, 206, 160},
}

// Rows of carryDelays.
const (
	rowS, rowDI, rowCI, rowCYINIT = 0, 8, 16, 17
	columnCO                      = 8
)

// A wire that leaves its slice: wireBase + wireSpread·√(loads), see wire.go.
var (
	wireBase   = Ns{0.130, 0.165, 0.220}
	wireSpread = Ns{0.012, 0.025, 0.040}
	// Share of the distance to a column of memories in each column of the estimate.
	columnShare = Ns{0.5, 1, 1.5}
	crossings   = Ns{0, 1, 2}
)

// columns describes a kind of block that is placed in dedicated columns: half of the way up one
// block and over to the next column, and through the column itself, in ns.
type columns struct{ up, over, crossing float64 }

var (
	bramColumns = columns{0.038, 0.195, 0.043}
	uramColumns = columns{0.0285, 0.53, 0.090}
	dspColumns  = columns{0.019, 0.087, 0.007}
)

// Grade is a speed grade, with its voltage.
type Grade struct {
	Name  string  // "2L"
	Title string  // "-2L at 0.85 V"
	logic float64 // against the tables of this file
	wire  float64
}

// Grades lists the speed grades, the Alveo U280's first. The factors of the others are the ratios
// between AMD's own budgets for a LUT and a wire (report_failfast) and between delays in Vivado's
// reports.
func Grades() []Grade {
	return slices.Clone(grades)
}

var grades = []Grade{
	{"2L", "-2L at 0.85 V", 1, 1},
	{"2LV", "-2L at 0.72 V", 1.27, 1.26},
	{"1", "-1 at 0.85 V", 1.19, 1.15},
}
