// SPDX-License-Identifier: Apache-2.0

package nicfeedback

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
		bytes = "byte 0 of the frame in the low bits"
		fb    = "with s_fb_valid"
		beat  = "with s_axis_tvalid"
		first = "with s_list_valid"
		back  = "with m_back_valid"
	)

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards no connection has a template.")
	out("sts_ready", "", 1, flag, "low the cycle after rst, high CONNECTIONS + 2 cycles after it", "Low while templates are cleared: no packet is made then.")

	l.Group = "Template"
	in("s_template_valid", "", 1, flag, "held until s_template_ready", "Write a word of a connection's template.")
	out("s_template_ready", "", 1, flag, "sts_ready", "It is written, for lists that are offered from the next cycle on.")
	in("s_template_conn", "CONN_BITS", p.ConnBits, conn, "with s_template_valid", "Its connection.")
	in("s_template_word", "", 5, "word k has bytes 4k-2 to 4k+1 of the frame", "with s_template_valid", "Its number.")
	in("s_template_data", "", 32, "first byte in the low bits; word 0 begins with {10'b0, valid, label, lane 4}", "with s_template_valid", "The word.")

	l.Group = "List that becomes a packet"
	in("s_fb_valid", "", 1, flag, "held until s_fb_ready", "A list goes out.")
	out("s_fb_ready", "", 1, flag, "count cycles after it is begun, 3 without template", "It is taken.")
	in("s_fb_conn", "CONN_BITS", p.ConnBits, conn, fb, "Its connection.")
	in("s_fb_psn", "", PSNBits, "unsigned", fb, "PSN of the newest packet in the list.")
	in("s_fb_count", "", 5, fmt.Sprintf("1 to %d", p.List), fb, "Packets in the list.")
	in("s_fb_evs", "", p.List*EVBits, "16 bits a packet, the newest in the highest; others anything", fb, "Their entropy values.")
	in("s_fb_marks", "", p.List, "a bit a packet, the newest is the highest; others anything", fb, "Whether they were marked.")
	in("s_fb_again", "", 1, flag, fb, "A packet came that had come before.")

	l.Group = "Packets made"
	out("m_axis_tdata", "", DataBits, bytes+"; bytes that are not there may be anything", fmt.Sprintf("list + %d cycles", BeatLatency), "Bytes of the frame.")
	out("m_axis_tkeep", "", DataBytes, "ones from bit 0 on", "with m_axis_tvalid", "The bytes that are there.")
	out("m_axis_tvalid", "", 1, flag, "held until m_axis_tready", "A beat; each frame has two.")
	in("m_axis_tready", "", 1, flag, "", "The beat is taken.")
	out("m_axis_tlast", "", 1, flag, "with m_axis_tvalid", "The last beat of the frame.")

	l.Group = "Frames received"
	in("s_axis_tdata", "", DataBits, bytes, beat, "Bytes of the frame.")
	in("s_axis_tvalid", "", 1, flag, "taken every cycle", "A beat; gaps may be anywhere.")
	in("s_axis_tlast", "", 1, flag, beat, "The last beat of the frame.")
	in("s_list_valid", "", 1, flag, "with the first beat", "The frame is a feedback packet of a connection.")
	in("s_list_conn", "CONN_BITS", p.ConnBits, "any", first, "Its connection.")
	in("s_list_lane", "", 4, "8 to 10 in IPv4, 13 to 15 in IPv6, by tags", first, "Where UDP begins: the word, counted from byte 2 of the frame.")
	in("s_list_words", "", 14, "words of 4 bytes", first, "UDP length.")
	in("s_list_good", "", 1, flag, "with the last beat", "The packet is good.")

	l.Group = "Entropy values received"
	out("m_back_valid", "", 1, flag, fmt.Sprintf("held until m_back_ready; last beat + %d cycles", EVLatency), "An entropy value of a list; the oldest comes first.")
	in("m_back_ready", "", 1, flag, "", "It is taken.")
	out("m_back_conn", "CONN_BITS", p.ConnBits, "as it came", back, "Its connection.")
	out("m_back_ev", "", EVBits, "any", back, "The entropy value.")
	out("m_back_mark", "", 1, flag, back, "The packet that had it was marked.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "template, first beat + 1 cycle; list + 4 cycles", "A template or list of a connection that does not exist, a list of no or too many packets, or a lane that is none.")

	l.Group = "Counters"
	doc := map[string][2]string{
		"packet":      {"with the last beat", "Packets made."},
		"no_template": {"list + 4 cycles", "Lists of connections without template: there is no packet."},
		"list":        {"with the last entropy value", "Lists received and given out."},
		"refused":     {"last beat + 2 cycles; version, number: + 5", "Packets received of one beat, not good, of another version, or too short for their number of entropy values."},
		"dropped":     {"first beat + 2 cycles", fmt.Sprintf("Packets received while %d lists wait.", FIFO)},
		"illegal":     {"evt_illegal + 1 cycle", "What evt_illegal says."},
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
