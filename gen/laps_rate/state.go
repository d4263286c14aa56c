// SPDX-License-Identifier: Apache-2.0

package lapsrate

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	rates := []string{"rates"}
	return []gen.State{
		{Name: "nxtDec", Bits: int(p.TimeBits), Memories: []string{"gate.next_decrease"}, Meaning: "no decrease up to this time, ns"},
		{Name: "nxtInc", Bits: int(p.TimeBits), Memories: []string{"gate.next_increase"}, Meaning: "no increase up to this time, ns"},
		{Name: "curRate", Bits: int(p.RateBits), Memories: rates, Meaning: "rate at which the flow may send"},
		{Name: "expRate", Bits: int(p.RateBits), Memories: rates, Meaning: "rate that increases move towards"},
		{Name: "left", Bits: StageBits, Memories: rates, Meaning: "increases before expRate is doubled: N - incStage, at least 0"},
	}
}
