// SPDX-License-Identifier: Apache-2.0

// Package vivado writes the files of a unit for Vivado: out-of-context constraints, a script that
// reads them into a project, and a script that implements the unit alone on a part, the Alveo
// U280's by default, and signs it off or reports the reason why not.
package vivado

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/device"
)

// The clock's period follows the CMAC's user clock of 322.265625 MHz. OutsidePercent is the share
// of it that a path through a port spends outside the unit, on either side.
const (
	PeriodNS       = "3.103"
	OutsidePercent = "20"
)

// XDCName returns the base name of the out-of-context constraints of a unit.
func XDCName(e gen.Emission) string { return e.Name() + "_ooc.xdc" }

// OOCName returns the base name of the script that reads them into a project.
func OOCName(e gen.Emission) string { return e.Name() + "_ooc.tcl" }

// TclName returns the base name of the script that implements a unit alone.
func TclName(e gen.Emission) string { return e.Name() + "_vivado.tcl" }

//go:embed ooc.xdc
var xdc string

//go:embed clocks.xdc
var clocks string

//go:embed ooc.tcl
var ooc string

//go:embed implement.tcl
var tcl string

// A Clock is one of a module's.
type Clock struct {
	Name string
	Pins string // pattern of its input ports; if empty, the port with its name
	NS   string // its period
	// Ports are patterns of the ports that belong to it. The first clock of a module has all ports
	// that belong to no other.
	Ports []string
	Lacks []gen.Dir // directions without ports: Vivado refuses a constraint without ports
}

func (c Clock) pins() string {
	if c.Pins == "" {
		return c.Name
	}
	return c.Pins
}

// A Design is a module that a script implements alone.
type Design struct {
	Name  string // of its folder and of the files for Vivado
	Top   string
	Files []string // in compile order, relative to the folder
	Part  device.Part

	Directives map[string]string
	Clocks     []Clock
	Crossings  []string          // scripts in the folder that constrain clock domain crossings
	Parameters map[string]string // of the top module
}

// of returns the design of a unit, which has one clock.
func of(e gen.Emission) Design {
	d := Design{Name: e.Name(), Top: e.Top(), Part: e.Device(), Directives: e.Directives, Clocks: []Clock{{Name: "clk", NS: PeriodNS}}}
	for _, p := range e.Parts {
		d.Files = append(d.Files, e.Library()+"/"+p)
	}
	d.Files = append(d.Files, e.Sources...)
	return d
}

// XDC returns the text of the out-of-context constraints of the unit's top: its clock clk, the
// clock's source, and the delays of its ports.
func XDC(e gen.Emission) string { return of(e).fill(xdc) }

// OOC returns the text of the script that turns a project into one for the unit alone: it reads the
// constraints, which lie next to it, and has the top synthesised out of context.
func OOC(e gen.Emission) string { return of(e).fill(ooc) }

// Tcl returns the text of a Vivado script in non-project mode; its own head
// documents its arguments, files and exit codes.
func Tcl(e gen.Emission) string { return of(e).Tcl() }

// Tcl returns the text of the script for the design, named Name_vivado.tcl.
func (d Design) Tcl() string { return d.fill(tcl) }

// XDC returns the text of the out-of-context constraints of the design, named Name_ooc.xdc, with all of its
// clocks.
func (d Design) XDC() string {
	text := d.fill(clocks)
	for i, c := range d.Clocks {
		text += d.clock(i, c)
	}
	return text
}

// clock returns the constraints of one clock and of the ports that belong to it.
func (d Design) clock(i int, c Clock) string {
	terms := func(dir string) string {
		list := []string{"DIRECTION == " + dir}
		if i > 0 {
			var some []string
			for _, p := range c.Ports {
				some = append(some, "NAME =~ "+p)
			}
			return strings.Join(append(list, "("+strings.Join(some, " || ")+")"), " && ")
		}
		for j, o := range d.Clocks {
			if dir == "IN" {
				list = append(list, "NAME !~ "+o.pins())
			}
			if j > 0 {
				for _, p := range o.Ports {
					list = append(list, "NAME !~ "+p)
				}
			}
		}
		return strings.Join(list, " && ")
	}
	has := func(dir gen.Dir) bool { return !slices.Contains(c.Lacks, dir) }
	var b strings.Builder
	fmt.Fprintf(&b, "\n# ---------------------------------------------------------------- %s\n\n", c.Name)
	fmt.Fprintf(&b, "set period_%s %s\ncreate_clock -period $period_%[1]s -name %[1]s [get_ports %[3]s]\n", c.Name, c.NS, c.pins())
	b.WriteString(clockSource(d.Part, i, c.pins()))
	fmt.Fprintf(&b, "set outside_%s [expr {%s * $period_%[1]s / 100.0}]\n", c.Name, OutsidePercent)
	if has(gen.In) {
		fmt.Fprintf(&b, "set inputs_%s [get_ports -filter {%s}]\n", c.Name, terms("IN"))
		fmt.Fprintf(&b, "set_input_delay -clock %[1]s -max $outside_%[1]s $inputs_%[1]s\nset_input_delay -clock %[1]s -min 0 $inputs_%[1]s\n", c.Name)
		fmt.Fprintf(&b, "set_max_delay -datapath_only -from $inputs_%[1]s $period_%[1]s\n", c.Name)
	}
	if has(gen.Out) {
		fmt.Fprintf(&b, "set outputs_%s [get_ports -filter {%s}]\n", c.Name, terms("OUT"))
		fmt.Fprintf(&b, "set_output_delay -clock %[1]s -max $outside_%[1]s $outputs_%[1]s\nset_output_delay -clock %[1]s -min 0 $outputs_%[1]s\n", c.Name)
		fmt.Fprintf(&b, "set_max_delay -datapath_only -from [get_clocks %[1]s] -to $outputs_%[1]s $period_%[1]s\n", c.Name)
	}
	return b.String()
}

func (d Design) fill(text string) string {
	var files, periods, names, generics []string
	for _, f := range d.Files {
		files = append(files, "    "+f+"\n")
	}
	for _, c := range d.Clocks {
		periods, names = append(periods, c.Name+" "+c.NS), append(names, c.Name)
	}
	for _, k := range slices.Sorted(maps.Keys(d.Parameters)) {
		generics = append(generics, " -generic "+k+"="+d.Parameters[k])
	}
	help := "#   -period NS      clock period in nanoseconds (" + d.Clocks[0].NS + ")\n"
	rule := "#   - the clock clk, and no other, is defined with the period asked for;\n"
	if len(d.Clocks) > 1 {
		help = "#   -period CLOCK=NS  a clock's period in nanoseconds (" + strings.Join(periods, ", ") + "); may be repeated\n"
		rule = "#   - the clocks " + strings.Join(names, ", ") + ", and no others, are defined with the periods asked for;\n"
	} else if names[0] != "clk" {
		rule = strings.Replace(rule, "clk", names[0], 1)
	}
	pairs := []string{
		"@UNIT@", d.Name, "@TOP@", d.Top, "@PART@", d.Part.Name, "@PERIOD@", d.Clocks[0].NS, "@SHARE@", OutsidePercent,
		"@XDC@", d.Name + "_ooc.xdc", "@OOC@", d.Name + "_ooc.tcl", "@TCL@", d.Name + "_vivado.tcl", "@FILES@\n", strings.Join(files, ""),
		"@CLK_SRC@\n", clockSource(d.Part, 0, d.Clocks[0].pins()), "@DIRECTIVES@\n", listed(d.Directives),
		"@CLOCKS@", strings.Join(periods, " "), "@CROSSINGS@", strings.Join(d.Crossings, " "), "@GENERICS@", strings.Join(generics, ""),
		"@PERIOD_HELP@\n", help, "@CLOCK_RULE@\n", rule,
	}
	for _, s := range steps {
		pairs = append(pairs, "@"+strings.ToUpper(s.name)+"@", option(d.Directives[s.name]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// clockSource returns the line that names the source of the clock with a number and the known facts
// about it.
func clockSource(p device.Part, i int, pins string) string {
	set := func(site string) string { return "set_property HD.CLK_SRC " + site + " [get_ports " + pins + "]\n" }
	switch site := p.ClockSite(i); {
	case site == "":
		return "# None is known here of this device: name one with\n" +
			"#   " + set("SITE") +
			"# where SITE is what get_sites -filter {SITE_TYPE == BUFGCTRL} lists. Until then clock skew is not counted.\n"
	case p.Assumed:
		return "# Assumed: the lowest I/O bank of an UltraScale+ device has BUFGCTRL_X0Y0 to X0Y7 (UG572).\n" + set(site)
	default:
		return set(site)
	}
}
