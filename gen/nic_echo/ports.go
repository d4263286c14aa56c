// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag = "flag"
		conn = "connection, 0 to CONNECTIONS-1"
		data = "with s_data_valid"
		ack  = "with s_ack_valid"
		fb   = "with m_fb_valid"
	)
	echo := fmt.Sprintf("ACK + %d cycles", p.EchoLatency())

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every connection is emptied.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("low the cycle after rst, high %d × CONNECTIONS + 2 cycles after it", p.Ring), "Low while connections are emptied: events do nothing then, but are counted.")
	if p.List > 0 {
		in("now_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimerBits), "sampled in every cycle", "Time of the events of this cycle.")
	}

	l.Group = "Packet received"
	in("s_data_valid", "", 1, flag, "accepted every cycle", "A good packet has come.")
	in("s_data_conn", "CONN_BITS", p.ConnBits, conn, data, "Its connection.")
	in("s_data_psn", "", p.PSNBits, "unsigned", data, "Its PSN.")
	in("s_data_ev", "", p.EVBits, "any", data, "Its entropy value.")
	in("s_data_ce", "", 1, flag, data, "It is marked.")
	if p.List > 0 {
		in("s_data_feedback", "", 1, flag, data, "Its connection wants feedback packets.")
	}
	if p.ShimBits > 0 {
		in("s_data_shim", "", 1, flag, data, "It had a shim.")
		in("s_data_body", "", p.ShimBits, "any", data, "The shim's body.")
	}

	l.Group = "ACK on its way out"
	in("s_ack_valid", "", 1, flag, "accepted every cycle", "An ACK passes.")
	in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, ack, "Its connection.")
	in("s_ack_psn", "", p.PSNBits, "unsigned", ack, "Its PSN.")

	l.Group = "Echo"
	out("m_echo_valid", "", 1, flag, echo, "The answer to an ACK: one for each, in order.")
	out("m_echo_hit", "", 1, flag, echo, "The packet with this PSN is known.")
	out("m_echo_ev", "", p.EVBits, "any; 0 without a hit", echo, "Its entropy value.")
	out("m_echo_mark", "", 1, flag, echo, "It was marked, or with cfg_ecn_or one since the last ACK.")
	if p.ShimBits > 0 {
		out("m_echo_fresh", "", 1, flag, echo, "There is a shim that no ACK had.")
		out("m_echo_body", "", p.ShimBits, "any; anything if not fresh", echo, "The newest shim's body.")
	}

	if p.List > 0 {
		l.Group = "Feedback packet"
		out("m_fb_valid", "", 1, flag, "held until m_fb_ready", "A list goes out.")
		in("m_fb_ready", "", 1, flag, "", "It is taken.")
		out("m_fb_conn", "CONN_BITS", p.ConnBits, conn, fb, "Its connection.")
		out("m_fb_psn", "", p.PSNBits, "unsigned", fb, "PSN of the packet received last, of those in the list.")
		out("m_fb_count", "", 5, fmt.Sprintf("1 to %d", p.List), fb, "Packets in the list.")
		out("m_fb_evs", "", p.List*p.EVBits, fmt.Sprintf("%d bits a packet, the newest in the highest; others anything", p.EVBits), fb, "Their entropy values.")
		out("m_fb_marks", "", p.List, "a bit a packet, the newest is the highest; others anything", fb, "Whether they were marked.")
		out("m_fb_again", "", 1, flag, fb, "A packet came that had come before.")
	}

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Empty a connection: it is then as after reset.")
	out("s_flush_ready", "", 1, flag, fmt.Sprintf("after %d cycles without a packet received", p.Ring+1), "It is empty.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Which connection.")

	l.Group = "Run-time settings"
	in("cfg_ecn_or", "", 1, flag, "sampled with each ACK", "An ACK's mark is the OR of those since the last ACK.")
	if p.List > 0 {
		in("cfg_feedback_packets", "", 5, fmt.Sprintf("0 is as 1, more than %d as %d", p.List, p.List), "sampled 2 cycles after each packet", "Packets received for each feedback packet.")
		in("cfg_feedback_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, below 2^%d", p.TimerBits-1), "sampled in every cycle", "The longest time in a list.")
	}

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "event + 3 cycles", "An event named a connection that does not exist; it changed nothing.")

	l.Group = "Counters"
	doc := map[string][2]string{
		"data":      {"event + 4 cycles", "Packets received."},
		"marked":    {"event + 4 cycles", "Of them, marked ones."},
		"hit":       {fmt.Sprintf("ACK + %d cycles", p.EchoLatency()+1), "ACKs whose packet is known."},
		"miss":      {fmt.Sprintf("ACK + %d cycles", p.EchoLatency()+1), "ACKs whose packet is not."},
		"duplicate": {"event + 5 cycles", "Packets received whose PSN is in the ring."},
		"feedback":  {"after m_fb_ready + 1 cycle", "Lists that went out."},
		"lost":      {"event + 5 cycles", "Entropy values that a full list lost."},
		"flush":     {"event + 4 cycles", "Connections emptied on request."},
		"illegal":   {"event + 4 cycles", "Events for a connection that does not exist."},
		"not_ready": {"event + 4 cycles", "Packets and ACKs that came while sts_ready was low."},
	}
	for _, c := range p.CounterNames() {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
