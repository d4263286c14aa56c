// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag    = "flag"
		conn    = "connection, 0 to CONNECTIONS-1"
		enter   = "with s_enter_valid"
		release = "with s_release_valid"
		done    = "with s_done_valid"
		over    = "with m_done_valid"
		ack     = "with s_ack_valid"
		sample  = "with m_sample_valid"
		number  = "Its number."
		every   = "accepted every cycle"
		held    = "held until accepted"
	)
	after := func(event string, cycles int) string { return fmt.Sprintf("%s + %d cycles", event, cycles) }
	lat := p.SampleLatency()

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every connection is emptied.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("low the cycle after rst, high %d × CONNECTIONS + 2 cycles after it", p.Ring), "Low while connections are emptied: events do nothing then, but are counted.")
	in("now_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimerBits), "sampled in every cycle", "The time.")

	l.Group = "Packet stored in a queue"
	in("s_enter_valid", "", 1, flag, every, "A packet is in its connection's queue.")
	in("s_enter_conn", "CONN_BITS", p.ConnBits, conn, enter, number)
	in("s_enter_psn", "", p.PSNBits, "unsigned", enter, "Its PSN.")
	in("s_enter_counts", "", 1, flag, enter, "It will be acknowledged.")
	out("m_timeout_valid", "", 1, "pulse", after("ENTER", 5), "The host's timer has sent the packet again.")
	out("m_timeout_conn", "CONN_BITS", p.ConnBits, conn, "with m_timeout_valid", number)

	l.Group = "To the pacer: a connection wants its turn"
	out("m_push_valid", "", 1, flag, after("ENTER", 4)+" at the earliest; held until m_push_ready", "A connection that was outside has packets that may leave.")
	in("m_push_ready", "", 1, flag, "", "It is taken.")
	out("m_push_conn", "CONN_BITS", p.ConnBits, conn, "with m_push_valid", number)

	l.Group = "From the pacer: a connection's turn"
	in("s_due_valid", "", 1, flag, "held until s_due_ready", "It is a connection's turn.")
	out("s_due_ready", "", 1, flag, "low in one cycle of 64, and while pops wait", "It is taken.")
	in("s_due_conn", "CONN_BITS", p.ConnBits, conn, "with s_due_valid", number)

	l.Group = "To the queues: packets may leave"
	out("m_pop_valid", "", 1, flag, after("DUE", 4)+" at the earliest; held until m_pop_ready", "Packets of a connection may leave.")
	in("m_pop_ready", "", 1, flag, "", "It is taken.")
	out("m_pop_conn", "CONN_BITS", p.ConnBits, conn, "with m_pop_valid", number)
	out("m_pop_budget", "", BudgetBits, "unsigned, bytes", "with m_pop_valid", "The next one leaves while it is above 0, and takes its IP bytes of it.")
	out("m_pop_discard", "", 1, flag, "with m_pop_valid", "They are discarded instead.")

	l.Group = "Packet leaves a queue"
	in("s_release_valid", "", 1, flag, every, "A packet leaves.")
	in("s_release_conn", "CONN_BITS", p.ConnBits, conn, release, number)
	in("s_release_psn", "", p.PSNBits, "unsigned", release, "Its PSN.")
	in("s_release_bytes", "", LengthBits, "unsigned", release, "Its IP bytes.")
	in("s_release_counts", "", 1, flag, release, "It will be acknowledged.")
	out("m_send_valid", "", 1, flag, after("RELEASE", 4), "The same for the path unit.")
	out("m_send_conn", "CONN_BITS", p.ConnBits, conn, "with m_send_valid", number)
	out("m_send_idle", "", 1, flag, "with m_send_valid", "Nothing of its connection was in flight before it.")
	in("s_ev", "", p.EVBits, "any", after("RELEASE", int(p.EVLatency)), "The entropy value with which it leaves.")

	l.Group = "A visit of a queue is over"
	in("s_done_valid", "", 1, flag, every, "All packets of a visit have left; not before the last RELEASE.")
	in("s_done_conn", "CONN_BITS", p.ConnBits, conn, done, number)
	in("s_done_wire", "", WireBits, "unsigned", done, "Their bytes on the wire.")
	in("s_done_discard", "", 1, flag, done, "They were discarded.")
	out("m_done_valid", "", 1, flag, after("DONE", 6), "To the pacer: the turn is over.")
	out("m_done_conn", "CONN_BITS", p.ConnBits, conn, over, number)
	out("m_done_bytes", "", DoneBits, "unsigned, saturates", over, "Bytes on the wire.")
	out("m_done_again", "", 1, flag, over, "The connection has more packets.")

	l.Group = "ACK"
	in("s_ack_valid", "", 1, flag, every, "An ACK or a NAK has come.")
	in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, ack, number)
	in("s_ack_psn", "", p.PSNBits, "unsigned", ack, "The PSN acknowledged, or that of a NAK.")
	in("s_ack_nak", "", 1, flag, ack, "It is a NAK: the PSN before is acknowledged.")
	in("s_ack_counts", "", 1, flag, ack, "Packets of its connection go through the gate: it is counted as stray if its own one is not in the ring.")
	in("s_ack_tag", "TAG_BITS", p.TagBits, "any", ack, "What comes back with its sample.")
	out("m_sample_valid", "", 1, flag, after("ACK", lat), "One for each ACK, in order.")
	out("m_sample_conn", "CONN_BITS", p.ConnBits, "as given", sample, number)
	out("m_sample_hit", "", 1, flag, sample, "It is an ACK, and its packet is in the ring.")
	out("m_sample_ev", "", p.EVBits, "any; 0 without a hit", sample, "The packet's entropy value.")
	out("m_sample_measured", "", 1, flag, sample, "A hit of a packet that was sent once.")
	out("m_sample_rtt", "", p.RTTBits, "unsigned, ns; 0 if not measured", sample, "From the packet's entry in the ring to its ACK.")
	out("m_sample_acked", "", p.ByteBits, "unsigned, bytes", sample, "Bytes newly acknowledged.")
	out("m_sample_psns", "", PSNsBits, "unsigned, saturates", sample, "PSNs newly acknowledged.")
	out("m_sample_una", "", CountBits, "unsigned, bytes, modulo 2^32; any without a hit", sample, "Bytes released with and before the packet: acknowledged, if it moved.")
	out("m_sample_nxt", "", CountBits, "unsigned, bytes, modulo 2^32", sample, "Bytes released.")
	out("m_sample_moved", "", 1, flag, sample, "Bytes are newly acknowledged.")
	out("m_sample_tag", "TAG_BITS", p.TagBits, "as given", sample, "What came with the ACK.")

	l.Group = "Window"
	in("s_window_valid", "", 1, flag, every, "A connection has a new window.")
	in("s_window_conn", "CONN_BITS", p.ConnBits, conn, "with s_window_valid", number)
	in("s_window_bytes", "", p.ByteBits, fmt.Sprintf("unsigned, below 2^%d, or all ones: none", p.ByteBits-1), "with s_window_valid", "Bytes that may be in flight.")

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, held, "Empty a connection: it is then as after reset.")
	out("s_flush_ready", "", 1, flag, "when its queue is empty, and its ring cleared", "It is empty.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", number)

	l.Group = "Run-time settings"
	in("cfg_init_window", "", p.ByteBits, fmt.Sprintf("unsigned, bytes, below 2^%d, or all ones: none", p.ByteBits-1), "sampled after a reset, and during a flush", "Window after a flush.")
	in("cfg_quantum", "", 16, "unsigned, bytes, above 0", "DUE + 1 cycle", "The most bytes of a visit.")
	in("cfg_stall_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, below 2^%d", p.TimerBits-1), "sampled in every cycle", "A connection may wait so long, to twice as long.")
	in("cfg_flight_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, below 2^%d", p.TimerBits-1), "ENTER + 3 cycles", "While a packet of a connection left so recently, a retransmission is no TIMEOUT.")
	in("cfg_go_back_n", "", 1, flag, fmt.Sprintf("sampled with ENTER and RELEASE; ACK + %d cycles", p.RingLatency+2), "A retransmission means that all that is in flight is lost.")
	in("cfg_flush_force", "", 1, flag, "sampled in every cycle", "A flush does not wait for its connection's turn; when it rises, nor for packets being discarded, but begins again.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "ENTER, ACK, WINDOW + 3 cycles, DUE + 4, RELEASE + 5, DONE + 7", "An event was not legal; it changed nothing.")

	l.Group = "Counters"
	state := fmt.Sprintf("ACK + %d cycles", lat+1)
	doc := map[string][2]string{
		"ack":        {state, "ACKs and NAKs that acknowledged bytes."},
		"old":        {state, "Those whose packet is in the ring, but acknowledged nothing."},
		"stray":      {state, "Those whose packet is not."},
		"retransmit": {"ENTER + 6 cycles", "Packets stored whose PSN was not ahead."},
		"timeout":    {"ENTER + 7 cycles", "Of them, those that a timer has sent again."},
		"shut":       {"DUE + 4 cycles", "Turns of connections whose window or ring was shut."},
		"stall":      {"DUE + 4 cycles", "Turns by the stall rule."},
		"dropped":    {"2 cycles after the look was wanted", "Looks for which there was no room; the scan does them."},
		"flush":      {"s_flush_ready + 1 cycle", "Connections emptied on request."},
		"illegal":    {"evt_illegal + 1 cycle", "Events that were not legal."},
		"not_ready":  {"event + 2 cycles", "Events that came while sts_ready was low."},
	}
	for _, c := range CounterNames() {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
