// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// State implements gen.Stateful: the stored state of a connection, by the lane that writes it.
// Copies of some words for other lanes have only the low bits.
func (p *Params) State() []gen.State {
	packets, psn, bytes := int(p.PacketBits), int(p.PSNBits), int(p.ByteBits)
	entry := 2 + int(p.LapBits+p.EVBits+p.ByteBits+p.RTTBits)
	list := []gen.State{
		{Name: "in", Bits: packets, Memories: []string{"enter.ins", "enter.ins_for_done", "enter.ins_for_release"}, Meaning: "number of packets stored"},
		{Name: "last", Bits: psn + 1, Memories: []string{"enter.lasts"}, Meaning: "PSN stored last, and whether there is one"},
		{Name: "out", Bits: 1, Memories: []string{"enter.outs", "enter.outs_for_done"}, Meaning: "differs from back while the connection has its turns"},
		{Name: "number", Bits: 3, Memories: []string{"enter.numbers", "enter.restart_for_ack", "enter.restart_for_turn", "enter.restart_for_release"},
			Meaning: "number of the last restart"},
		{Name: "restart", Bits: bytes, Memories: []string{"enter.restart_for_ack", "enter.restart_for_turn", "enter.restart_for_release"},
			Meaning: "bytes that it acknowledges"},
		{Name: "restart_psn", Bits: NearBits, Memories: []string{"enter.restart_for_ack", "enter.restart_for_turn"}, Meaning: "and the PSN: low bits"},
		{Name: "restart_psn_high", Bits: psn - NearBits, Memories: []string{"enter.restart_for_turn"}, Meaning: "its high bits"},
		{Name: "gone", Bits: packets, Memories: []string{"release_i.gones", "release_i.gones_for_done"}, Meaning: "number of packets that left"},
		{Name: "sent", Bits: psn, Memories: []string{"release_i.psns", "release_i.psns_for_ack", "release_i.psns_for_turn", "release_i.psns_for_enter"}, Meaning: "highest PSN released"},
		{Name: "when", Bits: int(p.TimerBits) - TickBits, Memories: []string{"release_i.whens"}, Meaning: "a packet left last: the time without its low bits"},
		{Name: "base", Bits: psn, Memories: []string{"release_i.bases"}, Meaning: "the PSN before the one with which the ring began anew"},
		{Name: "known", Bits: 1, Memories: []string{"release_i.psns", "release_i.psns_for_turn", "release_i.psns_for_enter"}, Meaning: "there is one"},
		{Name: "nxt", Bits: bytes, Memories: []string{"release_i.nxts", "release_i.nxts_for_enter", "release_i.nxts_for_ack", "release_i.nxts_for_turn"},
			Meaning: "bytes released: low bits"},
		{Name: "nxt_high", Bits: CountBits - bytes, Memories: []string{"release_i.nxts", "release_i.nxts_for_ack"}, Meaning: "their high bits"},
		{Name: "una", Bits: bytes, Memories: []string{"ack.own", "ack.for_send", "ack.for_turn"}, Meaning: "bytes acknowledged"},
		{Name: "una_psn", Bits: NearBits, Memories: []string{"ack.own", "ack.for_turn"}, Meaning: "the highest PSN acknowledged: low bits"},
		{Name: "una_psn_high", Bits: psn - NearBits, Memories: []string{"ack.for_turn"}, Meaning: "its high bits"},
		{Name: "taken", Bits: 3, Memories: []string{"ack.own", "ack.for_enter", "ack.for_send", "ack.for_turn"}, Meaning: "number of the restart before"},
		{Name: "naked", Bits: 1, Memories: []string{"ack.for_enter"}, Meaning: "a NAK came since the last progress"},
		{Name: "ring", Bits: int(p.Ring) * entry, Memories: []string{"ring.ram"}, Meaning: "packets in flight: valid, sent before, lap, entropy value, bytes behind, time"},
		{Name: "window", Bits: bytes, Memories: []string{"windows"}, Meaning: "bytes that may be in flight"},
		{Name: "waiting", Bits: 1, Memories: []string{"turn.waits_for_ack", "turn.waits_for_window"}, Meaning: "the last turn found the window or the ring shut"},
		{Name: "forced", Bits: 4, Memories: []string{"turn.own"}, Meaning: "the next turn is by the stall rule; the step of the time from which it waits"},
		{Name: "back", Bits: 1, Memories: []string{"done.bits", "done.bits_for_turn"}, Meaning: "made equal to out when no packet is left"},
		{Name: "first", Bits: max(1, sv.CLog2(p.Connections)), Memories: []string{"push.firsts"}, Meaning: "a place in the queue to the pacer"},
	}
	return slices.DeleteFunc(list, func(s gen.State) bool { return s.Bits == 0 })
}
