// SPDX-License-Identifier: Apache-2.0

package lapsloss

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
		path    = "path, 0 to PATHS-1"
		flow    = "any number"
		seq     = "any number"
		latency = "unsigned, ns; all ones: that or longer"
	)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every ring is emptied.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high PATHS + %d cycles after rst", p.ReadyDelay()+1), "Low while rings are emptied: sends are dropped then, and counted; ACKs wait.")
	in("now_ns", "", p.TimeBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimeBits), "sampled with each send and ACK, and for the timers", "Time; may stand still or jump ahead.")

	l.Group = "Send"
	in("s_send_valid", "", 1, flag, "taken every cycle", "A data segment is sent on a path.")
	in("s_send_pid", "PID_BITS", p.PidBits, path, "with s_send_valid", "Its path.")
	in("s_send_flow", "", p.FlowBits, flow, "with s_send_valid", "Its flow.")
	in("s_send_seq", "", p.SeqBits, seq, "with s_send_valid", "Its sequence number.")
	in("s_send_latency_ns", "", p.LatBits, latency, "with s_send_valid", "The path's realVal, for the timer.")

	lat := fmt.Sprintf("send + %d cycles", p.SendLatency())
	l.Group = "Answer to a send"
	out("m_send_valid", "", 1, flag, lat, "The answer to a send; there is one for each, in order.")
	out("m_send_stored", "", 1, flag, lat, "The segment is in the path's ring. Else the ring is full or there is no such path, and a loss of the segment goes undetected.")

	l.Group = "ACK"
	in("s_ack_valid", "", 1, flag, "held until taken", "An ACK has arrived.")
	out("s_ack_ready", "", 1, flag, "combinational from s_ack_pid", "The ACK is accepted; low while the queue of its path is full.")
	in("s_ack_pid", "PID_BITS", p.PidBits, path, "with s_ack_valid", "The path of the segment that it acknowledges, from its INT header.")
	in("s_ack_flow", "", p.FlowBits, flow, "with s_ack_valid", "The segment's flow.")
	in("s_ack_seq", "", p.SeqBits, seq, "with s_ack_valid", "The segment's sequence number.")
	in("s_ack_latency_ns", "", p.LatBits, latency, "with s_ack_valid", "The latency that it measured: realVal from now on.")

	lat = fmt.Sprintf("%d cycles after the ACK at the earliest", EntryDelay+p.Slots())
	l.Group = "Answer to an ACK"
	out("m_ack_valid", "", 1, flag, lat, "The answer to an ACK; there is one for each, in order on each path.")
	out("m_ack_pid", "PID_BITS", p.PidBits, "as given", "with m_ack_valid", "The ACK's path.")
	out("m_ack_flow", "", p.FlowBits, "as given", "with m_ack_valid", "The ACK's flow.")
	out("m_ack_seq", "", p.SeqBits, "as given", "with m_ack_valid", "The ACK's sequence number.")
	out("m_ack_cause", "", 2, "0 in order, 1 skipping, 2 ignored (not outstanding), 3 no such path", "with m_ack_valid",
		"The outcome. On 1 all segments that it skipped have entered the queue to the sender.")

	l.Group = "Lost segments, to be sent again before new data"
	out("m_lost_valid", "", 1, flag, "held until taken", "A segment is lost.")
	in("m_lost_ready", "", 1, flag, "", "The sender takes it.")
	out("m_lost_pid", "PID_BITS", p.PidBits, path, "with m_lost_valid", "The path on which it was sent.")
	out("m_lost_flow", "", p.FlowBits, "as sent", "with m_lost_valid", "Its flow.")
	out("m_lost_seq", "", p.SeqBits, "as sent", "with m_lost_valid", "Its sequence number.")
	out("m_lost_timeout", "", 1, "0 skipped by an ACK, 1 the path's timer", "with m_lost_valid", "How the loss was detected.")

	l.Group = "Run-time settings"
	in("cfg_rto_min_ns", "", p.TimeBits-2, "unsigned, ns", "sampled with each send, and when an ACK enters the barrel for the last time", "Minimum retransmission timeout.")

	l.Group = "Counters"
	doc := map[string]string{
		"send": "Segments sent on a path that exists.", "full": "Of these, segments that found the ring full and are not tracked.",
		"ack": "ACKs of an outstanding segment.", "skip": "Of these, ACKs that skipped others.",
		"ignored": "ACKs of a segment that is not outstanding: late or duplicate.", "lost": "Segments lost because an ACK skipped them.",
		"timeout": "Timers that expired.", "expired": "Segments lost with these timers.", "illegal_path": "Sends and ACKs on a path that does not exist.", "not_ready": "Sends that came while sts_ready was low: dropped, and not answered.",
	}
	for _, c := range CounterNames {
		t := map[string]string{"send": "answer + 1 cycle", "full": "answer + 1 cycle", "ack": "answer + 1 cycle", "skip": "answer + 1 cycle",
			"ignored": "answer + 1 cycle", "illegal_path": "answer + 1 cycle", "not_ready": fmt.Sprintf("send + %d cycles", CountDelay)}[c]
		if t == "" {
			t = "1 cycle after m_lost_valid can show it first"
		}
		if c == "timeout" {
			t = fmt.Sprintf("%d cycles before its first segment can be counted", p.Slots())
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", t, doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## In front of the sender\n\n" +
		"Take `m_lost_*` before new data: LAPS sends lost segments again at once. A segment that is sent again is a new send, " +
		"on whatever path it takes. A send answered without `m_send_stored` needs a timer elsewhere, or another path: " +
		"the unit will ignore its ACK."
}
