// SPDX-License-Identifier: Apache-2.0

// Package vivado writes what Vivado needs of a unit: out-of-context
// constraints, a script that reads them into a project, and one that implements
// the unit alone on a part, the Alveo U280's by default, and signs it off or says why not.
package vivado

import (
	_ "embed"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/device"
)

// The clock's period is that of the CMAC's user clock of 322.265625 MHz. OutsidePercent is
// the share of it that a path through a port spends outside the unit, on either side.
const (
	PeriodNS       = "3.103"
	OutsidePercent = "20"
)

// XDCName is the base name of the out-of-context constraints of a unit.
func XDCName(e gen.Emission) string { return e.Name() + "_ooc.xdc" }

// OOCName is the base name of the script that reads them into a project.
func OOCName(e gen.Emission) string { return e.Name() + "_ooc.tcl" }

// TclName is the base name of the script that implements a unit alone.
func TclName(e gen.Emission) string { return e.Name() + "_vivado.tcl" }

//go:embed ooc.xdc
var xdc string

//go:embed ooc.tcl
var ooc string

//go:embed implement.tcl
var tcl string

// XDC is the text of the out-of-context constraints of the unit's top: its
// clock clk, where that comes from, and the time that its ports have.
func XDC(e gen.Emission) string { return fill(xdc, e) }

// OOC is the text of the script that makes a project one of the unit alone: it reads the
// constraints, which lie beside it, and has the top synthesised out of context.
func OOC(e gen.Emission) string { return fill(ooc, e) }

// Tcl is the text of a Vivado script in non-project mode; its own head
// documents its arguments, files and exit codes.
func Tcl(e gen.Emission) string { return fill(tcl, e) }

func fill(text string, e gen.Emission) string {
	var files []string
	for _, p := range e.Parts {
		files = append(files, "    "+e.Library()+"/"+p+"\n")
	}
	for _, s := range e.Sources {
		files = append(files, "    "+s+"\n")
	}
	pairs := []string{
		"@UNIT@", e.Name(), "@TOP@", e.Top(), "@PART@", e.Device().Name, "@PERIOD@", PeriodNS, "@SHARE@", OutsidePercent,
		"@XDC@", XDCName(e), "@OOC@", OOCName(e), "@TCL@", TclName(e), "@FILES@\n", strings.Join(files, ""),
		"@CLK_SRC@\n", clockSource(e.Device()), "@DIRECTIVES@\n", listed(e.Directives),
	}
	for _, s := range steps {
		pairs = append(pairs, "@"+strings.ToUpper(s.name)+"@", option(e.Directives[s.name]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// clockSource is the line that says where the clock comes from, and what is known of that.
func clockSource(p device.Part) string {
	switch {
	case p.ClockSource == "":
		return "# None is known here of this device: name one with\n" +
			"#   set_property HD.CLK_SRC SITE [get_ports clk]\n" +
			"# where SITE is what get_sites -filter {SITE_TYPE == BUFGCTRL} lists. Until then clock skew is not counted.\n"
	case p.Assumed:
		return "# Assumed: the lowest I/O bank of an UltraScale+ device has BUFGCTRL_X0Y0 to X0Y7 (UG572).\n" + setSource(p)
	}
	return setSource(p)
}

func setSource(p device.Part) string {
	return "set_property HD.CLK_SRC " + p.ClockSource + " [get_ports clk]\n"
}
