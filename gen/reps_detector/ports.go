// SPDX-License-Identifier: Apache-2.0

package repsdetector

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
	)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; taken into a register first, so it acts a cycle later. Afterwards every connection is emptied.")
	out("sts_ready", "", 1, flag, "low the cycle after rst, high CONNECTIONS + 2 cycles after it", "Low while connections are emptied: RTT samples and timeouts are dropped then, and counted.")
	in("now_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, modulo 2^TIMER_BITS", "sampled with each event", "Time of the events of this cycle; may stand still or jump ahead.")

	l.Group = "RTT sample"
	in("s_rtt_valid", "", 1, flag, "accepted every cycle", "An ACK gave the RTT of a packet.")
	in("s_rtt_conn", "CONN_BITS", p.ConnBits, conn, "with s_rtt_valid", "Its connection.")
	in("s_rtt_ns", "RTT_BITS", p.RTTBits, "unsigned, ns; all ones: this RTT or a longer one", "with s_rtt_valid", "The RTT.")

	l.Group = "Timeout event"
	in("s_timeout_valid", "", 1, flag, "accepted every cycle", "A retransmission timeout expired.")
	in("s_timeout_conn", "CONN_BITS", p.ConnBits, conn, "with s_timeout_valid", "Its connection.")

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Empty a connection: it is then as after reset.")
	out("s_flush_ready", "", 1, flag, "combinational: high in a cycle without an RTT sample", "The flush is accepted in this cycle, in place of an RTT sample.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Which connection.")

	lat := fmt.Sprintf("timeout + %d cycles", VerdictLatency)
	l.Group = "Verdict on a timeout"
	out("m_timeout_valid", "", 1, flag, lat, "The answer to a timeout: one for each, in order.")
	out("m_timeout_conn", "CONN_BITS", p.ConnBits, "as given", lat, "The timeout's connection.")
	out("m_timeout_cause", "2", 2, "0 failure, 1 congestion, 2 none (no such connection)", lat, "Cause of the timeout.")

	l.Group = "Failure, for s_fail_ of the REPS buffer"
	out("m_fail_valid", "", 1, flag, lat, "The timeout is a failure.")
	out("m_fail_conn", "CONN_BITS", p.ConnBits, conn, lat, "Its connection; the same as m_timeout_conn.")

	l.Group = "Run-time settings"
	in("cfg_trimming", "", 1, flag, "sampled with each timeout", "Every timeout is a failure.")
	in("cfg_rtt_threshold_ns", "RTT_BITS", p.RTTBits, "unsigned, ns", "sampled with each RTT sample", "RTTs below it are low. It may change from sample to sample, so each connection can have its own.")
	in("cfg_window_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns", "sampled with each timeout", "Time before a timeout in which RTTs count.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", fmt.Sprintf("event + %d cycles", CountLatency), "An event named a connection that does not exist; it changed nothing.")

	l.Group = "Counters"
	doc := map[string]string{
		"rtt": "RTT samples.", "rtt_high": "RTT samples at or above the threshold.", "timeout": "Timeouts.",
		"fail": "Timeouts that are failures.", "congestion": "Timeouts that are congestion.",
		"flush": "Connections flushed on request.", "illegal_conn": "Events for a connection that does not exist.",
		"not_ready": "RTT samples and timeouts that came while sts_ready was low, and were dropped; not those that come with rst.",
	}
	for _, c := range CounterNames {
		t := fmt.Sprintf("event + %d cycles", CountLatency)
		if c == "fail" || c == "congestion" {
			t = fmt.Sprintf("timeout + %d cycles", VerdictLatency+1)
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", t, doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Before the REPS buffer\n\n" +
		"Connect `m_fail_valid` and `m_fail_conn` to `s_fail_valid` and `s_fail_conn` of `nic_reps`, and give both units the same `now_ns`. " +
		"The buffer takes the failure " + fmt.Sprint(VerdictLatency) + " cycles after the timeout."
}
