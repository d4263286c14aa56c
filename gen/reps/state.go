// SPDX-License-Identifier: Apache-2.0

package reps

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful. The algorithms' own variables are differences of
// these fields, because each field has one lane that writes it; a lane that reads
// another one's field has a copy of it.
func (p *Params) State() []gen.State {
	slot := ceilLog2(p.BufferDepth)
	reuse := p.Coalescing == Reuse
	var list []gen.State
	add := func(name string, bits int, meaning string, memories ...string) {
		list = append(list, gen.State{Name: name, Bits: bits, Memories: memories, Meaning: meaning})
	}
	add("ring", int(p.BufferDepth*p.EVSBits), "The cached EVs: cachedEV of every slot.", "ring")
	add("acks", slot, "EVs cached, modulo the depth; head is acks + moves.", "ack_to_ack", "ack_to_send")
	add("pushes", slot+1, "EVs cached that did not overwrite a valid one; numberOfValidEVs is pushes - pops.", "ack_to_ack", "ack_to_send")
	add("full", 1, "Every slot was written since the flush: isEmpty and the end of a partly filled ring.", "ack_to_ack", "ack_to_send")
	add("restart", 1, "Differs from restarted: exploreCounter and the reuse pointer start anew.", "ack_to_ack", "ack_to_send")
	if reuse {
		add("renew", 1, "Differs from renewed: the oldest EV's uses start anew.", "ack_to_ack", "ack_to_send")
	}
	add("thaw", 1, "Differs from freeze: isFreezingMode.", "ack_flags", "ack_to_send")
	add("explore", 1, "Differs from explored: there are packets left that explore.", "ack_flags", "ack_to_send")
	add("moves", slot, "EVs used again while frozen with a full ring, modulo the depth.", "send_to_send", "send_to_ack")
	add("pops", slot+1, "Valid EVs used up.", "send_to_send", "send_to_ack")
	add("restarted", 1, "Acknowledges restart.", "send_to_send", "send_to_ack")
	if reuse {
		add("renewed", 1, "Acknowledges renew.", "send_to_send", "send_to_ack")
	}
	add("reuse", slot, "Next slot to use again while frozen with a partly filled ring.", "send_to_send")
	if reuse {
		add("uses", ceilLog2(p.Ratio), "Packets that the oldest valid EV has served.", "send_to_send")
	}
	add("left", ExploreBits, "exploreCounter.", "send_to_send")
	add("explored", 1, "Acknowledges explore.", "send_flag", "send_to_ack")
	add("freeze", 1, "Differs from thaw: isFreezingMode.", "fail_flag", "fail_to_ack")
	add("exit", int(p.TimerBits), "exitFreezingMode: the first time at which a good ACK ends freezing.", "fail_to_ack")
	return list
}
