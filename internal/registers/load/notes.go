// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"maps"
	"slices"

	"github.com/nicgen/nicgen/gen/csr"
)

// marked are the units of a block that hear of congestion by ECN marks, and their names for people.
var marked = map[string]string{"reps": "REPS", "plb": "PLB"}

// Notes returns warnings of settings without an effect: data that no switch can mark, for a unit that waits for marks. A
// host may set ECN itself, so this is no error.
func Notes(m *csr.Map, f *File) (list []string) {
	for _, b := range m.Blocks {
		unit, ok := marked[b.Name]
		if !ok {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(f.Profiles)) {
			word := f.Profiles[name]
			ect := word>>ecnBit&1 != 0 && word>>ecnValue&3 != 0
			if word>>pathBit&1 != 0 && !ect {
				list = append(list, fmt.Sprintf("profile %q: %s chooses paths by ECN marks, and switches mark only packets with ECT: unless the host sets it, as Linux' RoCE does not, add ecn: 2", name, unit))
			}
		}
	}
	return list
}

// unheard refuses a connection whose path unit would hear nothing.
func (p *planner) unheard(f *File, c *Connection) {
	if p.has("plb") && f.flag(c, pathBit) && !f.flag(c, queueBit) {
		p.bad("connection %d: profile %q has path without queue: PLB counts the ACKs of packets that went through a queue, and would keep its first label for ever; want queue: true, or no path", c.Conn, c.Profile)
	}
}

// has reports whether the block has a unit.
func (p *planner) has(name string) bool {
	return slices.ContainsFunc(p.m.Blocks, func(b *csr.Block) bool { return b.Name == name })
}
