// SPDX-License-Identifier: Apache-2.0

// Package device holds the table of parts that units can be built for, which constraints, scripts
// and reports use.
package device

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Resources are the resources of a bare chip, of which a shell leaves fewer. All fields except the
// name are 0 if they are unknown.
type Resources struct {
	Name   string `json:"name"`
	LUT    int    `json:"lut"`
	FF     int    `json:"ff"`
	CARRY8 int    `json:"carry8"`
	DSP    int    `json:"dsp"`
	RAMB36 int    `json:"ramb36"`
	URAM   int    `json:"uram"`
}

// Known reports whether the numbers are known.
func (r Resources) Known() bool { return r.LUT > 0 }

// Part is a device in its package and speed grade.
type Part struct {
	Resources
	Board string // that has it, "U280"; empty: none of the table
	Speed string // the speed grade as the part's name has it: "2L"
	// Grade is the speed grade whose delays package timing has, or "" if it has none.
	Grade string
	// Clocks reports whether the sites of global clock buffers are known, see ClockSite.
	Clocks bool
	// Assumed reports whether they follow from the architecture, not from use on this device.
	Assumed bool
}

// LacksURAM reports whether the part is known to have no UltraRAM.
func (p Part) LacksURAM() bool { return p.Known() && p.URAM == 0 }

// ClockSite returns the site of a clock buffer for one clock of several, counted from 0, or "" if
// it is unknown. The lowest I/O bank has BUFGCTRL_X0Y0 to X0Y7.
func (p Part) ClockSite(i int) string {
	if !p.Clocks || i > 5 {
		return ""
	}
	return fmt.Sprintf("BUFGCTRL_X0Y%d", 2+i)
}

// boards are the parts of boards, the default first. U45N's board file names a part at 0.72 V.
var boards = []struct{ name, part string }{
	{"U280", "xcu280-fsvh2892-2L-e"},
	{"U250", "xcu250-figd2104-2L-e"},
	{"U55C", "xcu55c-fsvh2892-2L-e"},
	{"U200", "xcu200-fsgd2104-2-e"},
	{"U45N", "xcu26-vsva1365-2LV-e"},
}

// chips are the devices with known resources (DS890, and DS962, DS963, DS978 of the boards). CARRY8
// is an eighth of LUT.
var chips = map[string]Resources{
	"xcu200":  {LUT: 1182240, FF: 2364480, DSP: 6840, RAMB36: 2160, URAM: 960},
	"xcu250":  {LUT: 1728000, FF: 3456000, DSP: 12288, RAMB36: 2688, URAM: 1280},
	"xcu280":  {LUT: 1303680, FF: 2607360, DSP: 9024, RAMB36: 2016, URAM: 960},
	"xcu55c":  {LUT: 1303680, FF: 2607360, DSP: 9024, RAMB36: 2016, URAM: 960},
	"xcvu9p":  {LUT: 1182240, FF: 2364480, DSP: 6840, RAMB36: 2160, URAM: 960},
	"xcvu13p": {LUT: 1728000, FF: 3456000, DSP: 12288, RAMB36: 2688, URAM: 1280},
	"xcku5p":  {LUT: 216960, FF: 433920, DSP: 1824, RAMB36: 480, URAM: 64},
	"xcku9p":  {LUT: 274080, FF: 548160, DSP: 2520, RAMB36: 912},
	"xcku15p": {LUT: 522720, FF: 1045440, DSP: 1968, RAMB36: 984, URAM: 128},
	"xczu9eg": {LUT: 274080, FF: 548160, DSP: 2520, RAMB36: 912},
}

// sites are the devices that have ClockSite's sites, with a flag for sites that are assumed from
// the architecture; the constraints were written for the U280.
var sites = map[string]bool{"xcu280": false, "xcu200": true, "xcu250": true, "xcu55c": true, "xcvu9p": true, "xcvu13p": true}

// grades maps speed grades to one of package timing with the same delays. At 0.85 V -2L is as fast
// as -2.
var grades = map[string]string{"2": "2L", "2L": "2L", "2LV": "2LV", "1": "1"}

// form matches a full name: device, package, speed grade, temperature, stage of production.
var form = regexp.MustCompile(`(?i)^(xcu[0-9][0-9a-z]*|xcux[0-9]+|xcvu[0-9]+p|xcku[0-9]+p|xcau[0-9]+p|xczu[0-9]+(?:cg|eg|ev|dr)|xck[0-9]{2})-([a-z]{4}[0-9]{3,4})-([123](?:L|LV|LVI|H)?)-([ceiqm])(-es[0-9])?$`)

// Boards returns the names of the boards, the default first.
func Boards() []string {
	var list []string
	for _, b := range boards {
		list = append(list, b.name)
	}
	return list
}

// Allowed describes in words the names that Find accepts.
func Allowed() string {
	return strings.Join(Boards(), ", ") + ", or the full name of a part of UltraScale+, such as " + boards[1].part
}

// Default returns the part of the Alveo U280.
func Default() Part {
	p, err := Find(boards[0].name)
	if err != nil {
		panic(err) // a board of this table
	}
	return p
}

// Find returns the part of a board or with a full name, regardless of case. The error lists the
// allowed names.
func Find(name string) (Part, error) {
	board := slices.IndexFunc(boards, func(b struct{ name, part string }) bool {
		return strings.EqualFold(b.name, name) || strings.EqualFold(b.part, name)
	})
	if board >= 0 {
		name = boards[board].part
	}
	m := form.FindStringSubmatch(name)
	if m == nil {
		return Part{}, fmt.Errorf("found %q, allowed: %s", name, Allowed())
	}
	chip, speed := strings.ToLower(m[1]), strings.ToUpper(m[3])
	p := Part{Resources: chips[chip], Speed: speed, Grade: grades[speed]}
	p.Name = strings.ToLower(m[1]+"-"+m[2]) + "-" + speed + strings.ToLower("-"+m[4]+m[5])
	p.CARRY8 = p.LUT / 8
	if board >= 0 {
		p.Board = boards[board].name
	}
	if assumed, ok := sites[chip]; ok {
		p.Clocks, p.Assumed = true, assumed
	}
	return p, nil
}
