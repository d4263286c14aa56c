// SPDX-License-Identifier: Apache-2.0

package repsdetector

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	memories := []string{"high"}
	return []gen.State{
		{Name: "seen", Bits: 1, Memories: memories, Meaning: "there has been a high RTT since the flush"},
		{Name: "when", Bits: int(p.TimerBits), Memories: memories, Meaning: "time of the last one, ns"},
	}
}
