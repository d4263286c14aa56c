// SPDX-License-Identifier: Apache-2.0

package nicqueue

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	cell := p.CellIdxBits()
	return []gen.State{
		{Name: "came", Bits: cell + 1, Memories: []string{"enter.ins", "pick.ins", "done.ins", "flow.ins"}, Meaning: "cells that came, modulo twice their number"},
		{Name: "went", Bits: cell + 1, Memories: []string{"enter.outs_p2", "enter.outs_p5", "pick.outs", "flow.outs"}, Meaning: "cells that went"},
		{Name: "tail", Bits: cell, Memories: []string{"enter.tails"}, Meaning: "the last cell of the queue"},
		{Name: "turn, head", Bits: cell + 1, Memories: []string{"enter.tails", "pick.ins"}, Meaning: "the head as the packet left it that found the queue empty last"},
		{Name: "turn, next", Bits: cell + 1, Memories: []string{"pick.outs"}, Meaning: "the head as the last visit left it"},
		{Name: "told", Bits: 1, Memories: []string{"flow.tolds"}, Meaning: "it was told to stop"},
	}
}
