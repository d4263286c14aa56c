// SPDX-License-Identifier: Apache-2.0

package nictransport

// A Variant is a configuration whose modules are checked in along with the default's.
type Variant struct {
	Name     string // of its folder, rtl/nic_transport_variants/<name>
	Settings string // that differ from the default
	Meaning  string
}

// Variants are the choices of path and window units that pages name.
var Variants = []Variant{
	{"none", "path=none window=none", "neither a path unit nor a window unit"},
	{"plb", "path=plb", "PLB, PowerTCP by round-trip times"},
	{"spray", "path=spray", "a baseline of spraying, PowerTCP by round-trip times"},
	{"spray_int", "path=spray telemetry=int", "a baseline of spraying, PowerTCP by telemetry"},
	{"laps", "path=laps window=none", "LAPS, with its shims and rates"},
	{"lists", "list=8", "REPS with feedback packets, PowerTCP by round-trip times"},
}

// OwnFiles returns the names of the files with the block's own modules, which belong to no part.
func (p *Params) OwnFiles() []string {
	var list []string
	for _, m := range p.tree() {
		name := p.Top() + ".sv"
		if m.Template != p.Unit() {
			name = p.Top() + "_" + m.Template + ".sv"
		}
		list = append(list, name)
	}
	return list
}
