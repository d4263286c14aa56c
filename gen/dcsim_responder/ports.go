// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	least, most := p.DataAckLatency()
	const (
		flag  = "flag"
		flow  = "flow, 0 to FLOWS-1"
		held  = "held until taken"
		bytes = "unsigned, bytes"
	)
	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge, and times are counts of it.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; nothing is known of any packet afterwards.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", p.ReadyDelay()), "Low while memories are cleared: packets are dropped then.")

	l.Group = "Packet"
	in("s_rx_valid", "", 1, flag, "taken every cycle", "A packet of DCSIM arrived.")
	in("s_rx_class", "", ClassBits, "0: SIM, 1: SIM-ACK, 2: DATA-ACK, 3: DATA", "with s_rx_valid", "Its class.")
	in("s_rx_flow", "FLOW_BITS", p.FlowBits, flow, "with s_rx_valid", "Its flow.")
	in("s_rx_port", "PORT_BITS", p.PortBits, "unsigned", "with s_rx_valid", "Its source port, less the first port of the range; of SIMs.")
	in("s_rx_tag", "TAG_BITS", p.TagBits, "tag", "with s_rx_valid", "Its tag; of DATAs.")
	in("s_rx_bytes", "", BytesBits, bytes, "with s_rx_valid", "Its length.")

	l.Group = "SIM-ACK"
	out("m_sim_ack_valid", "", 1, flag, fmt.Sprintf("SIM + %d cycles, or when those before it were taken; %s", simLatency, held), "A SIM-ACK may be sent; in the order of SIMs.")
	in("m_sim_ack_ready", "", 1, flag, "any", "It begins to leave.")
	out("m_sim_ack_flow", "FLOW_BITS", p.FlowBits, flow, "with m_sim_ack_valid", "Its flow.")
	out("m_sim_ack_port", "PORT_BITS", p.PortBits, "as s_rx_port", "with m_sim_ack_valid", "The source port of its SIM.")

	l.Group = "DATA-ACK"
	out("m_data_ack_valid", "", 1, flag,
		fmt.Sprintf("%d to %d cycles after the last DATA that it was made for, if no other is before it; %s", least, most, held), "A tag of a DATA-ACK: a packet is up to 16 of them.")
	in("m_data_ack_ready", "", 1, flag, "any", "It is taken.")
	out("m_data_ack_flow", "FLOW_BITS", p.FlowBits, flow, "with m_data_ack_valid", "The flow of the packet.")
	out("m_data_ack_tag", "TAG_BITS", p.TagBits, "as s_rx_tag", "with m_data_ack_valid", "A DATA that arrived; in the order of arrival.")
	out("m_data_ack_left", "", LeftBits, "unsigned", "with m_data_ack_valid", "Tags of the packet that follow: with the first one, their number less one.")
	out("m_data_ack_last", "", 1, flag, "with m_data_ack_valid; combinational, of registers", "The last one of the packet.")

	l.Group = "Run-time settings"
	in("cfg_every", "", EveryBits, "unsigned, packets, less one", "sampled every cycle", "DATAs of a flow for which there is a DATA-ACK.")
	in("cfg_tick", "", TickBits, fmt.Sprintf("unsigned, %d clocks, less one", 1<<GrainBits), "sampled every cycle", "A tick: after 8 of them there is a DATA-ACK for fewer.")
	in("cfg_data_bytes", "", BytesBits, bytes, "sampled a cycle after the packet", "The longest DATA.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "packet + 3 cycles", "A packet of another class, of an unknown flow, or of an illegal length; it changed nothing.")
	out("evt_missed", "", 1, "pulse", fmt.Sprintf("SIM + 3 cycles, DATA + %d", 2+p.RAMLatency), "A SIM or a DATA for whose answer there is no room.")

	l.Group = "Counters"
	doc := map[string]string{
		"sim": "SIMs that have a SIM-ACK.", "sim_missed": "SIMs without one: too many SIM-ACKs wait.",
		"data": "DATAs that were recorded.", "data_missed": "DATAs that were not: too many of their flow wait.",
		"data_ack": "DATA-ACKs.", "data_ack_timed": "Of these, those that were made because of the time.",
		"acked":     "Tags that were taken: as many as DATAs when nothing waits.",
		"bad_class": "SIM-ACKs and DATA-ACKs: they are for the source.", "bad_flow": "SIMs and DATAs of unknown flows.",
		"bad_length": "SIMs and DATAs of no length, or a longer one than PROBE_BYTES or the setting.",
		"not_ready":  "Packets that came while sts_ready was low, and were dropped.",
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "1 cycle after the event shows", doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Beside it\n\n" +
		"`m_sim_ack` and `m_data_ack` go to the port that sends, which takes SIM-ACKs first. With the first tag of a DATA-ACK, `m_data_ack_left` tells the length of the packet: " +
		"with Ethernet, IPv4, UDP and tags of 16 bits a frame of 46 bytes and 2 for each tag, 64 at least. " +
		"At the source, each tag of the packet is one beat of `s_data_ack`.\n"
}
