// SPDX-License-Identifier: Apache-2.0

package dcsimport

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
		class = "0 SIM, 1 SIM-ACK, 2 DATA-ACK, 3 DATA"
		bytes = "unsigned, bytes"
		any   = "any"
		cfg   = "sampled every cycle"
	)
	rows := int64(p.RowBits())
	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; all queues are empty and the bucket is full. Descriptors of its cycles and of the next one are lost.")

	l.Group = "Frame to be sent"
	in("s_frame_valid", "", 1, flag, "taken every cycle", "A frame is to be sent.")
	in("s_frame_class", "", ClassBits, class+"; above: illegal", "with s_frame_valid", "What it is.")
	in("s_frame_len", "", LengthBits, fmt.Sprintf("%s, 1 to %d", bytes, p.MaxBytes), "with s_frame_valid", "Its length.")
	in("s_frame_tag", "", p.TagBits, any, "with s_frame_valid", "What its surroundings know it by.")

	l.Group = "Frame that begins"
	out("m_frame_valid", "", 1, flag, fmt.Sprintf("when the line is free, at least %d cycles after its descriptor; held until taken", Latency),
		"A frame begins on the line when it is taken.")
	in("m_frame_ready", "", 1, flag, any, "It begins. Low: the line pauses.")
	out("m_frame_class", "", 2, class, "with m_frame_valid", "What it is.")
	out("m_frame_len", "", LengthBits, bytes, "with m_frame_valid", "Its length.")
	out("m_frame_tag", "", p.TagBits, "as s_frame_tag", "with m_frame_valid", "Its tag.")

	l.Group = "Frame that is dropped"
	out("m_drop_valid", "", 1, "pulse", "descriptor + 3 cycles", "A frame found its queue full and is not sent.")
	out("m_drop_class", "", 2, class, "with m_drop_valid", "What it is.")
	out("m_drop_len", "", LengthBits, bytes, "with m_drop_valid", "Its length.")
	out("m_drop_tag", "", p.TagBits, "as s_frame_tag", "with m_drop_valid", "Its tag.")

	l.Group = "Run-time settings"
	in("cfg_token_gain", "", p.TokenBits, "unsigned, at most cfg_token_cost", cfg, "Tokens that are earned in cfg_token_cost clocks.")
	in("cfg_token_cost", "", p.TokenBits, "unsigned, above 0", cfg, "Clocks in which cfg_token_gain tokens are earned.")
	in("cfg_line_rate", "", RateBits+FractionBits, fmt.Sprintf("unsigned, bytes a clock, u%d.%d", RateBits, FractionBits), cfg, "Rate of the line.")
	in("cfg_gap", "", GapBits, bytes, cfg, "What a frame takes on the line beside its length.")
	in("cfg_queue", "", QueueBits, "packets", "sampled one cycle after the descriptor", fmt.Sprintf("B: the most packets in each small queue; above %d as %d.", p.QueueDepth, p.QueueDepth))
	in("cfg_data_packets", "", rows, "packets", "sampled one cycle after the descriptor", fmt.Sprintf("The most packets in the DATA queue; above %d as %d.", p.DataRows(), p.DataRows()))
	in("cfg_data_bytes", "", p.ByteBits, bytes, "sampled one cycle after the descriptor", "The most bytes in the DATA queue.")

	l.Group = "State"
	out("sts_data_packets", "", rows, "packets", "descriptor + 3 cycles, take + 2 cycles", "DATAs that wait, with the one that is offered.")
	out("sts_data_bytes", "", p.ByteBits, bytes, "descriptor + 3 cycles, take + 2 cycles", "Their bytes.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "descriptor + 3 cycles", "A descriptor of an unknown class, of length 0 or above the maximum; it changed nothing.")

	l.Group = "Counters"
	doc := map[string]string{
		"sim_drop": "SIMs that were dropped.", "sim_ack_drop": "SIM-ACKs that were dropped.", "data_ack_drop": "DATA-ACKs that were dropped.",
		"data_drop": "DATAs that were dropped.", "illegal": "Illegal descriptors.",
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "descriptor + 4 cycles", doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Beside it\n\n" +
		"Frames stay in the buffer of the switch or NIC; `tag` is their place there. A frame that is taken is read and sent, one that is dropped frees its place. " +
		"The port counts the time of each frame on the line, so what is behind it needs a buffer for the time that reading takes, and `m_frame_ready` only for " +
		"pauses, or where the line's clock is slower.\n"
}
