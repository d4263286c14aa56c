// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// State implements gen.Stateful: the state stored for each path.
func (p *Params) State() []gen.State {
	place := sv.CLog2(p.Depth) + 1 // a place in the ring, modulo twice its depth
	acked := []string{"scan.acked"}
	return []gen.State{
		{Name: "ring", Bits: int(p.Depth) * p.segmentBits(), Memories: []string{"barrel.rings"},
			Meaning: "flow and sequence number of each outstanding segment (rBuf), where lanes share a word of URAM in whole bytes of nine bits"},
		{Name: "tail", Bits: place, Memories: []string{"send.tails", "send.tails", "scan.sent"}, Meaning: "where the next segment goes, modulo twice the depth"},
		{Name: "sent_deadline", Bits: int(p.TimeBits), Memories: []string{"scan.sent"}, Meaning: "when the timer expires that the last send set, ns"},
		{Name: "head", Bits: place, Memories: []string{"barrel.heads", "send.head_to_send"}, Meaning: "the oldest outstanding segment, modulo twice the depth"},
		{Name: "acked_seen", Bits: place, Memories: acked, Meaning: "the tail that the last ACK saw"},
		{Name: "acked_all", Bits: 1, Memories: acked, Meaning: "that ACK left nothing before this tail"},
		{Name: "acked_deadline", Bits: int(p.TimeBits), Memories: acked, Meaning: "when the timer expires that the last ACK set, ns"},
	}
}
