// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	match := []string{"match.flows"}
	return []gen.State{
		{Name: "want", Bits: int(p.WantBits), Memories: []string{"want.wants"}, Meaning: "n_DATA - n_SIM: SIMs that may still be sent"},
		{Name: "next", Bits: int(p.SeqBits), Memories: match, Meaning: "number of the first DATA that never was sent"},
		{Name: "some", Bits: 1, Memories: match, Meaning: "a DATA that timed out is at the head"},
		{Name: "head", Bits: sv.CLog2(p.Repeats), Memories: match, Meaning: "its place"},
	}
}
