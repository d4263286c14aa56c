// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const flag = "flag"
	conn := "connection, 0 to CONNECTIONS-1"
	port := "NIC port, 0 to NIC_PORTS-1"
	const (
		wire  = "(EVS_BITS > 16) ? EVS_BITS : 16"
		index = "(NIC_PORTS > 1) ? $clog2(NIC_PORTS) : 1"
	)
	wireBits, indexBits := int64(p.WireBits()), int64(p.PortIdxBits())
	ev := fmt.Sprintf("unsigned: EV + cfg_ev_base, modulo 2^%d", wireBits)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every connection is emptied.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", 2*p.Rows()+2), "Low while connections are emptied, 2 cycles for each on each NIC port: events are not accepted then, but counted.")
	in("now_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, modulo 2^TIMER_BITS", "sampled with each event", "Time of the events of this cycle; may stand still or jump ahead.")

	event := func(cycles int) string { return fmt.Sprintf("event + %d cycles", cycles) }

	if p.Coalescing == Carry {
		l.Group = "ACK that carries EVs"
		in("s_ack_valid", "", 1, flag, "", "An ACK arrived.")
		out("s_ack_ready", "", 1, flag, "combinational from registers only; valid must not wait for it", "There is room for an ACK.")
		in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
		in("s_ack_port", index, indexBits, port, "with s_ack_valid", "The NIC port that the acknowledged packets left by.")
		in("s_ack_count", fmt.Sprint(p.RatioBits()), int64(p.RatioBits()), fmt.Sprintf("unsigned, 0 to %d", p.Ratio), "with s_ack_valid", "Number of EVs that it carries; a number above the maximum counts as the maximum.")
		in("s_ack_ev", fmt.Sprintf("%d*((EVS_BITS > 16) ? EVS_BITS : 16)", p.Ratio), wireBits*p.Ratio, ev, "with s_ack_valid", "The EVs; the one to cache first is in the low bits.")
		in("s_ack_ecn", fmt.Sprint(p.Ratio), p.Ratio, "a flag for each EV", "with s_ack_valid", "Which of the acknowledged packets were marked.")
	} else {
		l.Group = "ACK event"
		in("s_ack_valid", "", 1, flag, "accepted every cycle", "An ACK arrived.")
		in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
		in("s_ack_port", index, indexBits, port, "with s_ack_valid", "The NIC port that the acknowledged packet left by.")
		in("s_ack_ev", wire, wireBits, ev, "with s_ack_valid", "The EV that it returns.")
		in("s_ack_ecn", "", 1, flag, "with s_ack_valid", "The acknowledged packet was marked.")
	}

	l.Group = "Failure event"
	in("s_fail_valid", "", 1, flag, "accepted every cycle", "A failure is suspected.")
	in("s_fail_conn", "CONN_BITS", p.ConnBits, conn, "with s_fail_valid", "Its connection.")
	in("s_fail_port", index, indexBits, port, "with s_fail_valid", "The NIC port that the missing packet left by.")

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Empty a connection on a NIC port: it is then as after reset.")
	out("s_flush_ready", "", 1, flag, "combinational: high in a cycle in which no ACK enters the buffer", "The flush is accepted in this cycle, in place of an ACK.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Which connection.")
	in("s_flush_port", index, indexBits, port, "with s_flush_valid", "On which NIC port.")

	l.Group = "SEND request"
	in("s_send_valid", "", 1, flag, "accepted every cycle", "A packet is about to be sent.")
	in("s_send_conn", "CONN_BITS", p.ConnBits, conn, "with s_send_valid", "Its connection.")
	in("s_send_port", index, indexBits, port, "with s_send_valid", "The NIC port that the packet leaves by.")
	in("s_send_inject", "", 1, flag, "with s_send_valid", "Use s_send_random instead of the generator's word.")
	in("s_send_random", wire, wireBits, "random bits", "with s_send_inject", "Random word; its low EVS_BITS are the EV.")

	lat := fmt.Sprintf("SEND + %d cycles", p.SendLatency())
	l.Group = "EV of a packet"
	out("m_ev_valid", "", 1, flag, lat, "The answer to a SEND: one for each, in order.")
	out("m_ev", wire, wireBits, ev, lat, "The packet's EV.")
	out("m_ev_source", "3", 3, "0 cached, 1 frozen reuse, 2 explored (random), 3 oblivious (random), 4 fixed, 5 none (no such connection or port)", lat, "Source of the EV.")

	l.Group = "Random generator"
	in("s_seed_valid", "", 1, flag, "accepted every cycle", "Shift a word into the generator; eight words set all of its state. A SEND of the same cycle draws this word.")
	in("s_seed_word", wire, wireBits, "random bits", "with s_seed_valid", "The word; bit 0 is taken as 1.")
	out("sts_seeded", "", 1, flag, event(EventLatency), "A word was shifted in since the reset. While it is low, all NICs with this bitstream draw the same EVs.")

	l.Group = "Run-time settings"
	in("cfg_mode", "2*NIC_PORTS", 2*p.NICPorts, "2 bits a NIC port: 0 REPS, 1 or 3 OPS, 2 ECMP", "sampled with each SEND", "Mode of each NIC port.")
	in("cfg_freezing", "", 1, flag, "sampled with each failure", "Failures freeze connections.")
	in("cfg_freezing_timeout_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, below 2^(TIMER_BITS-1)", "sampled with each failure", "FREEZING_TIMEOUT.")
	in("cfg_num_pkts_cwnd", "16", 16, "unsigned, packets; saturates at 255", "sampled with each ACK, failure and SEND", "NUM_PKTS_CWND; read when the first packet after freezing is sent.")
	in("cfg_ev_base", wire, wireBits, "unsigned", "sampled with each ACK and SEND", "Lowest EV on the wire.")

	l.Group = "Events"
	out("evt_freeze", "", 1, "pulse", fmt.Sprintf("FAIL + %d cycles", EventLatency), "A connection entered freezing.")
	out("evt_thaw", "", 1, "pulse", fmt.Sprintf("ACK + %d cycles", EventLatency), "A good ACK ended the freezing of a connection.")
	out("evt_illegal", "", 1, "pulse", event(EventLatency), "An event named a connection, NIC port or EV that does not exist; it changed nothing.")

	if p.Protected() {
		out("evt_corrected", "", 1, "pulse", fmt.Sprintf("%d cycles after the connection's scrub", EventLatency), "Copies of a connection's state differed; they were made equal.")
	}

	l.Group = "Counters"
	doc := map[string]string{
		"ack": "Unmarked EVs cached.", "ecn": "Marked EVs, dropped.", "fail": "Failure events, effective or not.",
		"send": "EVs handed out.", "flush": "Connections flushed on request.", "freeze": "Times that a connection entered freezing.",
		"thaw":         "Times that a good ACK ended freezing.",
		"illegal_conn": "Events for a connection or NIC port that does not exist.",
		"illegal_ev":   "ACKs with an EV outside the EV set.",
		"not_ready":    "ACKs, failures and SENDs that came while sts_ready was low: dropped.",
	}
	for _, c := range CounterNames {
		t := event(EventLatency)
		if c == "freeze" || c == "thaw" {
			t = event(FreezeLatency)
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", t, doc[c])
	}
	if p.Protected() {
		out("sts_corrected_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "a cycle after evt_corrected", "Scrubs that found different copies.")
	}
	return l.Ports
}
