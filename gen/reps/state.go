// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"math/bits"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// LogicalBits returns the information in one connection's state. The exit time and the reuse
// pointer matter only while frozen, exploreCounter only while not frozen, so the larger of the two
// counts.
func (p *Params) LogicalBits() int64 {
	slot := int64(sv.CLog2(p.BufferDepth))
	frozen, exploring := p.TimerBits+slot, int64(ExploreBits)+1
	n := p.BufferDepth*p.EVSBits + // cachedEV
		slot + // head
		slot + 1 + // numberOfValidEVs
		1 + // every slot has been written; before that the fill count is head
		1 + // isFreezingMode
		max(frozen, exploring)
	if p.Coalescing == Reuse {
		n += int64(bits.Len64(uint64(p.Ratio - 1))) // uses of the oldest valid EV
	}
	return n
}

// State implements gen.Stateful: the stored fields, by the lane that writes them.
func (p *Params) State() []gen.State {
	slot := sv.CLog2(p.BufferDepth)
	in := func(names ...string) []string {
		for i := range names {
			names[i] = "lanes.memories." + names[i]
		}
		return names
	}
	own := func(lane, other string) []string { return in(lane+"_to_"+lane, lane+"_to_"+other) }
	s := []gen.State{
		{Name: "cachedEV", Bits: int(p.BufferDepth * p.EVSBits), Memories: []string{"answer.ring"}, Meaning: "the cached EVs"},
		{Name: "acks", Bits: slot, Memories: own("ack", "send"), Meaning: "number of EVs cached, modulo the depth; head = acks + moves"},
		{Name: "pushes", Bits: slot + 1, Memories: own("ack", "send"), Meaning: "number of EVs cached without overwriting a valid one; numberOfValidEVs = pushes - pops"},
		{Name: "full", Bits: 1, Memories: own("ack", "send"), Meaning: "every slot has been written since the flush"},
		{Name: "restart", Bits: 1, Memories: own("ack", "send"), Meaning: "differs from restarted: the SEND lane restarts its counters"},
		{Name: "thaw", Bits: 1, Memories: in("ack_flags", "ack_to_send"), Meaning: "made equal to freeze when freezing ends; isFreezingMode = freeze != thaw"},
		{Name: "explore", Bits: 1, Memories: in("ack_flags", "ack_to_send"), Meaning: "differs from explored while the connection explores"},
		{Name: "moves", Bits: slot, Memories: own("send", "ack"), Meaning: "number of EVs reused while frozen and full, modulo the depth"},
		{Name: "pops", Bits: slot + 1, Memories: own("send", "ack"), Meaning: "number of valid EVs used up"},
		{Name: "restarted", Bits: 1, Memories: own("send", "ack"), Meaning: "acknowledges restart"},
		{Name: "explored", Bits: 1, Memories: in("send_flag", "send_to_ack"), Meaning: "made equal to explore when exploration ends"},
		{Name: "reuse", Bits: slot, Memories: in("send_to_send"), Meaning: "next slot to reuse while frozen and not full"},
		{Name: "left", Bits: ExploreBits, Memories: in("send_to_send"), Meaning: "exploreCounter"},
		{Name: "freeze", Bits: 1, Memories: in("fail_flag", "fail_to_ack"), Meaning: "toggled when the connection freezes"},
		{Name: "exit", Bits: int(p.TimerBits), Memories: in("fail_to_ack"), Meaning: "exit time, ns: a later good ACK ends freezing"},
	}
	if p.Coalescing == Reuse {
		s = append(s,
			gen.State{Name: "renew", Bits: 1, Memories: own("ack", "send"), Meaning: "differs from renewed: the oldest valid EV has all its uses left"},
			gen.State{Name: "renewed", Bits: 1, Memories: own("send", "ack"), Meaning: "acknowledges renew"},
			gen.State{Name: "uses", Bits: sv.CLog2(p.Ratio), Memories: in("send_to_send"), Meaning: "number of packets that the oldest valid EV has served"})
	}
	return s
}
