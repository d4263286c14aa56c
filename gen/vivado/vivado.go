// SPDX-License-Identifier: Apache-2.0

// Package vivado writes what Vivado needs of a unit: out-of-context
// constraints and a script that implements the unit alone on the Alveo U280's
// device and reports timing and utilisation.
package vivado

import (
	_ "embed"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// The device and its clock. The period is that of the CMAC's user clock of
// 322.265625 MHz.
const (
	Part     = "xcu280-fsvh2892-2L-e"
	PeriodNS = "3.103"
)

// XDCName and TclName are the base names under which the texts are emitted,
// beside the file list <unit>.f; the script looks for the other two there.
func XDCName(cfg gen.Config) string { return cfg.Unit() + "_ooc.xdc" }

// TclName is the base name of the script, see XDCName.
func TclName(cfg gen.Config) string { return cfg.Unit() + "_vivado.tcl" }

//go:embed ooc.xdc
var xdc string

//go:embed implement.tcl
var tcl string

// XDC is the text of the out-of-context constraints of the unit's top: its
// clock clk, and where that comes from.
func XDC(cfg gen.Config) string { return fill(xdc, cfg) }

// Tcl is the text of a Vivado script in non-project mode; its own head
// documents its arguments, files and exit codes.
func Tcl(cfg gen.Config) string { return fill(tcl, cfg) }

func fill(text string, cfg gen.Config) string {
	return strings.NewReplacer(
		"@UNIT@", cfg.Unit(), "@TOP@", cfg.Top(), "@PART@", Part, "@PERIOD@", PeriodNS,
		"@XDC@", XDCName(cfg), "@TCL@", TclName(cfg),
	).Replace(text)
}
