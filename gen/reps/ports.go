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
	ev := "unsigned: EV + cfg_ev_base, modulo 2^16"

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every connection is emptied.")
	out("sts_ready", "", 1, flag, "high 2 × CONNECTIONS + 1 cycles after rst", "Low while connections are emptied: events are not accepted then.")
	in("now_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, modulo 2^TIMER_BITS", "sampled with each event", "Time of the events of this cycle; may stand still or jump ahead.")

	if p.Coalescing == Carry {
		l.Group = "ACK that carries EVs"
		in("s_ack_valid", "", 1, flag, "", "An ACK arrived.")
		out("s_ack_ready", "", 1, flag, "combinational from registers only; valid must not wait for it", "There is room for an ACK.")
		in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
		in("s_ack_count", fmt.Sprint(p.RatioBits()), int64(p.RatioBits()), fmt.Sprintf("unsigned, 0 to %d", p.Ratio), "with s_ack_valid", "Number of EVs that it carries; a number above the maximum counts as the maximum.")
		in("s_ack_ev", fmt.Sprint(16*p.Ratio), 16*p.Ratio, ev, "with s_ack_valid", "The EVs; the one to cache first is in the low bits.")
		in("s_ack_ecn", fmt.Sprint(p.Ratio), p.Ratio, "a flag for each EV", "with s_ack_valid", "Which of the acknowledged packets were marked.")
	} else {
		l.Group = "ACK event"
		in("s_ack_valid", "", 1, flag, "accepted every cycle", "An ACK arrived.")
		in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
		in("s_ack_ev", "16", 16, ev, "with s_ack_valid", "The EV that it returns.")
		in("s_ack_ecn", "", 1, flag, "with s_ack_valid", "The acknowledged packet was marked.")
	}

	l.Group = "Failure event"
	in("s_fail_valid", "", 1, flag, "accepted every cycle", "A failure is suspected.")
	in("s_fail_conn", "CONN_BITS", p.ConnBits, conn, "with s_fail_valid", "Its connection.")

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Empty a connection: it is then as after reset.")
	out("s_flush_ready", "", 1, flag, "combinational: high in a cycle in which no ACK enters the buffer", "The flush is accepted in this cycle, in place of an ACK.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Which connection.")

	l.Group = "SEND request"
	in("s_send_valid", "", 1, flag, "accepted every cycle", "A packet is about to be sent.")
	in("s_send_conn", "CONN_BITS", p.ConnBits, conn, "with s_send_valid", "Its connection.")
	in("s_send_port", "(NIC_PORTS > 1) ? $clog2(NIC_PORTS) : 1", int64(p.PortIdxBits()), "NIC port, 0 to NIC_PORTS-1", "with s_send_valid", "The NIC port that the packet leaves by.")
	in("s_send_inject", "", 1, flag, "with s_send_valid", "Use s_send_random instead of the generator's word.")
	in("s_send_random", "16", 16, "random bits", "with s_send_inject", "Random word; its low EVS_BITS are the EV.")

	lat := fmt.Sprintf("SEND + %d cycles", SendLatency)
	l.Group = "EV of a packet"
	out("m_ev_valid", "", 1, flag, lat, "The answer to a SEND: one for each, in order.")
	out("m_ev", "16", 16, ev, lat, "The packet's EV.")
	out("m_ev_source", "3", 3, "0 cached, 1 frozen reuse, 2 explored (random), 3 oblivious (random), 4 fixed, 5 none (no such connection or port)", lat, "Source of the EV.")

	l.Group = "Random generator"
	in("s_seed_valid", "", 1, flag, "accepted every cycle", "Shift a word into the generator; eight words set all of its state. A SEND of the same cycle draws this word.")
	in("s_seed_word", "16", 16, "random bits", "with s_seed_valid", "The word; bit 0 is taken as 1.")

	l.Group = "Run-time settings"
	in("cfg_mode", "2*NIC_PORTS", 2*p.NICPorts, "2 bits a NIC port: 0 REPS, 1 or 3 OPS, 2 ECMP", "sampled with each SEND", "Mode of each NIC port.")
	in("cfg_freezing", "", 1, flag, "sampled with each failure", "Failures freeze connections.")
	in("cfg_freezing_timeout_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, below 2^(TIMER_BITS-1)", "sampled with each failure", "FREEZING_TIMEOUT.")
	in("cfg_num_pkts_cwnd", "16", 16, "unsigned, packets; saturates at 255", "sampled with each ACK, failure and SEND", "NUM_PKTS_CWND; read when the first packet after freezing is sent.")
	in("cfg_ev_base", "16", 16, "unsigned", "sampled with each ACK and SEND", "Lowest EV on the wire.")

	l.Group = "Events"
	out("evt_freeze", "", 1, "pulse", "FAIL + 3 cycles", "A connection entered freezing.")
	out("evt_thaw", "", 1, "pulse", "ACK + 3 cycles", "A good ACK ended the freezing of a connection.")
	out("evt_illegal", "", 1, "pulse", "event + 3 cycles", "An event named a connection, NIC port or EV that does not exist; it changed nothing.")

	if p.Protected() {
		out("evt_corrected", "", 1, "pulse", "3 cycles after the connection's scrub", "Copies of a connection's state differed; they were made equal.")
	}

	l.Group = "Counters"
	doc := map[string]string{
		"ack": "Unmarked EVs cached.", "ecn": "Marked EVs, dropped.", "fail": "Failure events, effective or not.",
		"send": "EVs handed out.", "flush": "Connections flushed on request.", "freeze": "Times that a connection entered freezing.",
		"thaw":         "Times that a good ACK ended freezing.",
		"illegal_conn": "Events for a connection or NIC port that does not exist.",
		"illegal_ev":   "ACKs with an EV outside the EV set.",
	}
	for _, c := range CounterNames {
		t := "event + 3 cycles"
		if c == "freeze" || c == "thaw" {
			t = "event + 4 cycles"
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", t, doc[c])
	}
	if p.Protected() {
		out("sts_corrected_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "a cycle after evt_corrected", "Scrubs that found different copies.")
	}
	return l.Ports
}

// Notes implements gen.Config.
func (p *Params) Notes() string {
	return ""
}
