// SPDX-License-Identifier: Apache-2.0

package nicecho

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	flags := []string{"flags.data_flags", "flags.ack_flags"}
	list := []gen.State{
		{Name: "ring", Bits: int(p.Ring * (2 + p.TagBits + p.EVBits)), Memories: []string{"ring.ram"}, Meaning: "valid, mark, tag and entropy value of the packets received"},
		{Name: "mark", Bits: 1, Memories: flags, Meaning: "the two bits differ if there was a mark since the last ACK"},
	}
	if p.ShimBits > 0 {
		list = append(list,
			gen.State{Name: "fresh", Bits: 1, Memories: flags, Meaning: "the two bits differ if no ACK had the newest shim"},
			gen.State{Name: "body", Bits: int(p.ShimBits), Memories: []string{"flags.bodies"}, Meaning: "of the newest shim"})
	}
	if p.List > 0 {
		list = append(list,
			gen.State{Name: "tags", Bits: int(p.Ring * (1 + p.TagBits)), Memories: []string{"lists.tags"}, Meaning: "valid and tag of the ring, to find duplicates"},
			gen.State{Name: "row", Bits: int(10 + p.PSNBits + p.TimerBits), Memories: []string{"lists.states"}, Meaning: "of the list: again, first place, length, last PSN, time of its first packet"},
			gen.State{Name: "entries", Bits: int(16 * (p.EVBits + 1)), Memories: []string{"lists.entries"}, Meaning: "mark and entropy value of its packets"})
	}
	return list
}
