// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag  = "flag"
		conn  = "connection, 0 to CONNECTIONS-1"
		port  = "NIC port, 0 to NIC_PORTS-1"
		wire  = "(EVS_BITS > 16) ? EVS_BITS : 16"
		index = "(NIC_PORTS > 1) ? $clog2(NIC_PORTS) : 1"
	)
	wireBits, indexBits := int64(p.WireBits()), int64(p.PortIdxBits())
	ev := fmt.Sprintf("unsigned: EV + cfg_ev_base, modulo 2^%d", wireBits)
	event, answer := fmt.Sprintf("event + %d cycles", EventLatency), fmt.Sprintf("SEND + %d cycles", SendLatency)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every entry of the table is given a random EV.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", p.Entries()+2), "Low until then: events are not accepted, but counted.")
	in("now_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns, modulo 2^TIMER_BITS", "sampled every cycle", "Time of the events of this cycle. It may stand still; its quarters follow one another, each for more than as many cycles as there are entries.")

	l.Group = "ACK event"
	in("s_ack_valid", "", 1, flag, "accepted every cycle", "An ACK arrived. It is counted, and changes no EV.")
	in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
	in("s_ack_port", index, indexBits, port, "with s_ack_valid", "The NIC port that the acknowledged packet left by.")
	in("s_ack_ev", wire, wireBits, ev, "with s_ack_valid", "The EV that it returns; not looked at.")
	in("s_ack_ecn", "", 1, flag, "with s_ack_valid", "The acknowledged packet was marked.")

	l.Group = "Failure event"
	in("s_fail_valid", "", 1, flag, "accepted every cycle", "A failure is suspected: a timeout or a NACK. It is counted, and changes no EV.")
	in("s_fail_conn", "CONN_BITS", p.ConnBits, conn, "with s_fail_valid", "Its connection.")
	in("s_fail_port", index, indexBits, port, "with s_fail_valid", "The NIC port that the missing packet left by.")

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Forget a connection on a NIC port: it is then as after reset, with another random EV.")
	out("s_flush_ready", "", 1, flag, "combinational: high in a cycle without a SEND, while sts_ready is high", "The flush is accepted in this cycle, in place of a SEND.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Which connection.")
	in("s_flush_port", index, indexBits, port, "with s_flush_valid", "On which NIC port.")

	l.Group = "SEND request"
	in("s_send_valid", "", 1, flag, "accepted every cycle", "A packet is about to be sent.")
	in("s_send_conn", "CONN_BITS", p.ConnBits, conn, "with s_send_valid", "Its connection.")
	in("s_send_port", index, indexBits, port, "with s_send_valid", "The NIC port that the packet leaves by.")
	in("s_send_inject", "", 1, flag, "with s_send_valid", "Use s_send_random instead of the generator's word.")
	in("s_send_random", wire, wireBits, "random bits", "with s_send_inject", fmt.Sprintf("Random word; word × cfg_evs / 2^%d is the EV.", wireBits))

	l.Group = "EV of a packet"
	out("m_ev_valid", "", 1, flag, answer, "The answer to a SEND: one for each, in order.")
	out("m_ev", wire, wireBits, ev, answer, "The packet's EV.")
	out("m_ev_source", "3", 3, "0 flowlet goes on, 2 new flowlet (random), 3 oblivious (random), 4 fixed, 5 none (no such connection or port), 6 in turn", answer, "Source of the EV.")

	l.Group = "Random generator"
	in("s_seed_valid", "", 1, flag, "accepted every cycle", "Shift a word into the generator; eight words set all of its state. A SEND of the same cycle draws this word.")
	in("s_seed_word", wire, wireBits, "random bits", "with s_seed_valid", "The word; bit 0 is taken as 1.")
	out("sts_seeded", "", 1, flag, event, "A word was shifted in since the reset. While it is low, all NICs with this bitstream draw the same EVs.")

	l.Group = "Run-time settings"
	in("cfg_mode", "2*NIC_PORTS", 2*p.NICPorts, "2 bits a NIC port: 0 flowlets, 1 OPS, 2 ECMP, 3 round robin", "sampled with each SEND", "Mode of each NIC port.")
	in("cfg_evs", "EVS_BITS + 1", p.EVSBits+1, "unsigned, 1 to 2^EVS_BITS; 0 is as 1; beyond, EVs are taken modulo 2^EVS_BITS", "sampled with each SEND and flush, and while sts_ready is low", "Number of EVs.")
	in("cfg_flowlet_timeout_ns", "TIMER_BITS", p.TimerBits, "unsigned, ns; at most 2^(TIMER_BITS-2) - 1, which larger values are taken as", "sampled with each SEND, for the gap after it", "Flowlet timeout.")
	in("cfg_hash_seed", wire, wireBits, "any", "sampled with each SEND", "Seed of the hash of a connection.")
	in("cfg_ev_base", wire, wireBits, "unsigned", "sampled with each SEND", "Lowest EV on the wire.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", event, "An event named a connection or NIC port that does not exist; it changed nothing.")

	l.Group = "Counters"
	doc := map[string]string{
		"ack": "ACKs without a mark.", "ecn": "Marked ACKs.", "fail": "Failure events.",
		"send": "EVs handed out.", "flush": "Connections flushed on request.", "new": "Flowlets that began.",
		"illegal_conn": "Events for a connection or NIC port that does not exist.",
		"not_ready":    "ACKs, failures and SENDs that came while sts_ready was low: dropped.",
		"jump":         "Changes of now_ns to a quarter of its range that is not the next one, or that came too early.",
	}
	for _, c := range CounterNames {
		t := event
		switch c {
		case "new":
			t = answer
		case "jump":
			t = fmt.Sprintf("cycle + %d cycles", JumpLatency)
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", t, doc[c])
	}
	return l.Ports
}
