// SPDX-License-Identifier: Apache-2.0

package lapsloss

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful: what is kept for each path.
func (p *Params) State() []gen.State {
	pointer := ceilLog2(p.Depth) + 1
	acked := []string{"acked"}
	return []gen.State{
		{Name: "ring", Bits: int(p.Depth * (p.FlowBits + p.SeqBits)), Memories: []string{"g_lane[…].ring"}, Meaning: "flow and sequence number of each outstanding segment (rBuf)"},
		{Name: "tail", Bits: pointer, Memories: []string{"tails.own_copy", "tails.other_copy"}, Meaning: "where the next segment goes, modulo twice the depth"},
		{Name: "sent_deadline", Bits: int(p.TimeBits), Memories: []string{"sent"}, Meaning: "when the timer expires that the last send set"},
		{Name: "head", Bits: pointer, Memories: []string{"acked", "head_to_send"}, Meaning: "the oldest outstanding segment, modulo twice the depth"},
		{Name: "seen", Bits: pointer, Memories: acked, Meaning: "the tail that the last ACK saw: if it still is, no send came after it"},
		{Name: "acked_deadline", Bits: int(p.TimeBits), Memories: acked, Meaning: "when the timer expires that the last ACK set"},
	}
}
