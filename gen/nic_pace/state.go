// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	idx := sv.IdxW(p.Connections)
	return []gen.State{
		{Name: "rate", Bits: int(p.RateBits()), Memories: []string{"rates"}, Meaning: "ns a byte"},
		{Name: "ndt", Bits: int(p.TimerBits + p.FracBits), Memories: []string{"ndts"}, Meaning: "next departure time"},
		{Name: "in", Bits: 1, Memories: []string{"places"}, Meaning: "differs from `out` while the connection is in the wheel or due"},
		{Name: "paid", Bits: 1, Memories: []string{"places"}, Meaning: "its last turn is over"},
		{Name: "out", Bits: 1, Memories: []string{"due.bits"}, Meaning: "changes when its turn begins"},
		{Name: "successor", Bits: idx, Memories: []string{"wheel.successors"}, Meaning: "the next connection in the list of its slot"},
		{Name: "due", Bits: idx, Memories: []string{"due.queue"}, Meaning: "a place in the queue of turns"},
	}
}
