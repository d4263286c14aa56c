// SPDX-License-Identifier: Apache-2.0

package nicshim

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
		bytes = "byte 0 of the beat is [7:0]"
		keeps = "bit i: byte i is there; contiguous from bit 0, all but in the last beat"
		held  = "held until s_axis_tx_tready"
		rx    = "with s_axis_rx_tvalid"
	)
	record := fmt.Sprintf("first beat + %d cycles, until the next record", RemoveLatency)
	kinds := map[string]string{Both: "1 LAPS, 2 INT in HPCC's words, 3 INT-MD", LAPSOnly: "1 LAPS", INTOnly: "2 INT in HPCC's words, 3 INT-MD"}[p.Formats]
	const types = "0 data or collect, 1 ACK or echo, 2 probe, 3 answer"

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset: frames inside are lost; the next beat each way is the first of a frame.")

	l.Group = "Frames to the network, without shim"
	in("s_axis_tx_tdata", "", DataBits, bytes, held, "Bytes of the frame, from the Ethernet header on, without FCS.")
	in("s_axis_tx_tkeep", "", DataBytes, keeps, held, "The bytes that are there.")
	in("s_axis_tx_tvalid", "", 1, flag, held, "A beat.")
	out("s_axis_tx_tready", "", 1, flag, "combinational from m_axis_tx_tready", "The beat is taken.")
	in("s_axis_tx_tlast", "", 1, flag, held, "The last beat of the frame.")
	in("s_axis_tx_tuser", "", 1, flag, "with s_axis_tx_tlast", "The frame is bad. It goes through.")

	l.Group = "Shim to put in"
	const first = "with the first beat of a frame, held as it is"
	in("s_shim_valid", "", 1, flag, first, "The frame gets a shim.")
	in("s_shim_subtype", "", 4, kinds, first, "Its subtype.")
	in("s_shim_type", "", 2, types, first, "Its type.")
	in("s_shim_count", "", 4, "any", first, "Its count.")
	in("s_shim_next", "", 4, "any", first, "Its next.")
	in("s_shim_body", "", p.BodyBits(), "byte 16 of the frame is [7:0]", first, "Its body.")

	l.Group = "Frames to the network"
	out("m_axis_tx_tdata", "", DataBits, bytes+"; bytes that are not there may be anything", "beat + 1 cycle", "Bytes of the frame.")
	out("m_axis_tx_tkeep", "", DataBytes, keeps, "with m_axis_tx_tvalid", "The bytes that are there.")
	out("m_axis_tx_tvalid", "", 1, flag, "held until m_axis_tx_tready", "A beat.")
	in("m_axis_tx_tready", "", 1, flag, "", "The beat is taken.")
	out("m_axis_tx_tlast", "", 1, flag, "with m_axis_tx_tvalid", "The last beat of the frame.")
	out("m_axis_tx_tuser", "", 1, flag, "with m_axis_tx_tlast", "As it came; else 0.")

	l.Group = "Frames from the network"
	in("s_axis_rx_tdata", "", DataBits, bytes, rx, "Bytes of the frame, from the Ethernet header on, without FCS.")
	in("s_axis_rx_tkeep", "", DataBytes, keeps, rx, "The bytes that are there.")
	in("s_axis_rx_tvalid", "", 1, flag, "taken every cycle", "A beat; gaps may be anywhere.")
	in("s_axis_rx_tlast", "", 1, flag, rx, "The last beat of the frame.")
	in("s_axis_rx_tuser", "", 1, flag, "with s_axis_rx_tlast", "The frame is bad. It goes through.")

	l.Group = "Frames from the network, without shim"
	after := fmt.Sprintf("beat + %d cycles; with a shim, next beat + %d cycles, and last beat + %d", RemoveLatency, RemoveLatency-1, RemoveLatency)
	out("m_axis_rx_tdata", "", DataBits, bytes+"; bytes that are not there may be anything", "with m_axis_rx_tvalid", "Bytes of the frame.")
	out("m_axis_rx_tkeep", "", DataBytes, keeps, "with m_axis_rx_tvalid", "The bytes that are there.")
	out("m_axis_rx_tvalid", "", 1, flag, after, "A beat.")
	out("m_axis_rx_tlast", "", 1, flag, "with m_axis_rx_tvalid", "The last beat of the frame.")
	out("m_axis_rx_tuser", "", 1, flag, "with m_axis_rx_tlast", "As it came; else 0.")
	out("m_axis_rx_shim", "", 1, flag, "with m_axis_rx_tvalid", "The frame had a shim: the record is its.")

	l.Group = "Shim taken out"
	out("m_shim_valid", "", 1, flag, fmt.Sprintf("first beat + %d cycles", RemoveLatency), "A frame had a shim.")
	out("m_shim_end", "", 1, flag, record, "It is a probe or an answer, and ends here.")
	out("m_shim_bad", "", 1, flag, record, "It is one beat long and bad.")
	out("m_shim_subtype", "", 4, kinds, record, "Its subtype.")
	out("m_shim_type", "", 2, types, record, "Its type.")
	out("m_shim_count", "", 4, "any", record, "Its count.")
	out("m_shim_next", "", 4, "any", record, "Its next.")
	out("m_shim_body", "", p.BodyBits(), "byte 16 of the frame is [7:0]; of LAPS 28 bytes, above it anything", record, "Its body.")
	out("m_shim_addresses", "", 8*Addresses, "byte 0 of the frame is [7:0]", record, "Destination and source address of the frame.")

	l.Group = "Run-time settings"
	in("cfg_ether_type", "", 16, "any", "sampled with each first beat", "EtherType of shims.")

	l.Group = "Events"
	out("evt_tx_illegal", "", 1, "pulse", "first beat + 1 cycle", "A shim that cannot be put in.")
	out("evt_rx_illegal", "", 1, "pulse", fmt.Sprintf("first beat + %d cycles", RemoveLatency), "A shim that is not understood.")

	l.Group = "Counters"
	doc := map[string][2]string{
		"tx_frame":   {"last beat + 2 cycles", "Frames to the network."},
		"insert":     {"first beat + 2 cycles", "Of them, those that got a shim."},
		"tx_illegal": {"first beat + 2 cycles", "Shims that could not be put in."},
		"rx_frame":   {fmt.Sprintf("last beat + %d cycles", RemoveLatency+1), "Frames from the network."},
		"remove":     {fmt.Sprintf("first beat + %d cycles", RemoveLatency+1), "Of them, those whose shim was taken out, and that went on."},
		"end":        {fmt.Sprintf("first beat + %d cycles", RemoveLatency+1), "Probes and answers."},
		"rx_illegal": {fmt.Sprintf("first beat + %d cycles", RemoveLatency+1), "Shims that were not understood."},
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
