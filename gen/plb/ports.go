// SPDX-License-Identifier: Apache-2.0

package plb

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
		seq  = "unsigned, modulo 2^32"
	)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; taken into a register first, so it acts a cycle later. Afterwards every connection is opened.")
	out("sts_ready", "", 1, flag, "low the cycle after rst, high CONNECTIONS + 2 cycles after it", "Low while connections are opened: events are dropped then, and counted.")
	in("now_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, modulo 2^TIMER_BITS", "sampled in every cycle", fmt.Sprintf("Time of the events of this cycle, which does not go back. It may stand still; steps of 2^%d ns or more, and steps back over such a boundary, are counted as jumps.", p.StepBits()))

	l.Group = "ACK event"
	in("s_ack_valid", "", 1, flag, "accepted every cycle", "An ACK came.")
	in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
	in("s_ack_pkts", "PKTS_BITS", p.PktsBits, "unsigned, packets", "with s_ack_valid", "Packets that it newly acknowledges; 0 for a duplicate.")
	in("s_ack_ece", "", 1, flag, "with s_ack_valid", "It echoes CE.")
	in("s_ack_rtt_ns", "RTT_BITS", p.RTTBits, "unsigned, ns; all ones: this RTT or a longer one", "with s_ack_valid", "Its RTT.")
	in("s_ack_una", fmt.Sprint(SeqBits), SeqBits, seq, "with s_ack_valid", "The first sequence number that is not acknowledged, after this ACK.")
	in("s_ack_nxt", fmt.Sprint(SeqBits), SeqBits, seq, "with s_ack_valid", "One above the highest sequence number ever sent (`snd_max`, also after go-back-N). An ACK with `s_ack_una` behind it, or 2^30 or more before it, is illegal.")

	l.Group = "RTO event"
	in("s_rto_valid", "", 1, flag, "accepted every cycle", "A retransmission timeout expired, or a connection is opened.")
	in("s_rto_conn", "CONN_BITS", p.ConnBits, conn, "with s_rto_valid", "Its connection.")
	in("s_rto_open", "", 1, flag, "with s_rto_valid", "The connection is opened: it forgets everything, and does not pause.")

	lat := fmt.Sprintf("SEND + %d cycles", SendLatency)
	l.Group = "SEND event"
	in("s_send_valid", "", 1, flag, "accepted every cycle", "A packet, or a TSO frame, is about to be sent.")
	in("s_send_conn", "CONN_BITS", p.ConnBits, conn, "with s_send_valid", "Its connection.")
	in("s_send_idle", "", 1, flag, "with s_send_valid", "No packet of the connection is in flight.")
	out("m_send_valid", "", 1, flag, lat, "The answer to a SEND: one for each that comes while sts_ready is high, in order.")
	out("m_send_conn", "CONN_BITS", p.ConnBits, conn, lat, "The SEND's connection; without meaning for an illegal SEND, as are label and port.")
	out("m_send_label", "LABEL_BITS", p.LabelBits, "unsigned", lat, "The flow label of the packet.")
	out("m_send_port", "16", 16, "unsigned, PORT_BASE to PORT_BASE + 2^PORT_BITS - 1", lat, "The UDP source port that stands for it: the low bits of the label, above PORT_BASE.")
	out("m_send_new", "", 1, flag, lat, "The label is new with this packet.")
	out("m_send_cause", "3", 3, "0 none, 1 idle, 2 forced, 3 restart, 4 spray, 7 illegal", lat, "Why it is new: M congested rounds and nothing in flight; N congested rounds; the first packet after an RTO or the opening; mode 2. 7: there is no such connection, and no label.")

	l.Group = "Random generator"
	in("s_seed_valid", "", 1, flag, "accepted every cycle", "Shift a word into the generator; seven words set all of its state.")
	in("s_seed_word", fmt.Sprint(WordBits), WordBits, "random bits", "with s_seed_valid", "The word; bit 0 is taken as 1.")

	l.Group = "Run-time settings"
	in("cfg_mode", "2", 2, "0 PLB, 1 ECMP, 2 or 3 a random label for every packet", "sampled with each SEND and RTO", "With 1, an RTO does nothing.")
	in("cfg_rtt_detector", "", 1, flag, "sampled with each ACK", "RTT above the target instead of CE.")
	in("cfg_fraction", fmt.Sprint(FractionBits), FractionBits, "unsigned, 2^-15", "sampled with each ACK", "K, for the packets of the ACK.")
	in("cfg_target_ns", "RTT_BITS", p.RTTBits, "unsigned, ns", "sampled with each ACK", "RTTs above it are congested.")
	in("cfg_idle_rounds", "ROUND_BITS", p.RoundBits, "unsigned, rounds", "sampled with each SEND", "M; 0: never.")
	in("cfg_forced_rounds", "ROUND_BITS", p.RoundBits, "unsigned, rounds", "sampled with each SEND", "N; 0: never.")
	in("cfg_pause_ns", "PAUSE_BITS", p.PauseBits, "unsigned, ns; the low 20 bits do not count", "sampled with each RTO", "T: the pause is random from T to 2T.")

	l.Group = "Events"
	event := fmt.Sprintf("event + %d cycles", CountLatency)
	out("evt_illegal", "", 1, "pulse", event, "An event named a connection that does not exist, or an ACK acknowledged what was never sent, or had a window of 2^30 or more; it changed nothing.")

	l.Group = "Counters"
	round := fmt.Sprintf("ACK + %d cycles", RoundLatency)
	label := fmt.Sprintf("SEND + %d cycles", LabelLatency)
	for i, c := range []struct{ timing, meaning string }{
		{event, "ACKs."}, {event, "RTOs."}, {event, "SENDs."},
		{round, "Congested rounds."}, {round, "Rounds that were not congested."},
		{label, "New labels of idle connections after M congested rounds."}, {label, "New labels after N congested rounds."},
		{label, "New labels after an RTO or the opening."},
		{event, "Openings."}, {round, "ACKs whose packets did not count, because they would have led the balance further beyond its bound."},
		{event, "Illegal events."},
		{fmt.Sprintf("cycle + %d cycles", JumpLatency), "Jumps of now_ns while sts_ready is high."},
		{event, "Events that came while sts_ready was low, and were dropped; not those that come with rst."},
	} {
		out("sts_"+CounterNames[i]+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", c.timing, c.meaning)
	}
	return l.Ports
}
