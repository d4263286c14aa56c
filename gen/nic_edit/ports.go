// SPDX-License-Identifier: Apache-2.0

package nicedit

import "github.com/nicgen/nicgen/gen"

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag  = "flag"
		beat  = "with s_axis_tvalid"
		first = "with the first beat of a frame"
		bytes = "byte 0 of the beat is [7:0]"
	)

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset: frames inside are lost; the next beat is the first of a frame.")

	l.Group = "Frames in"
	in("s_axis_tdata", "", DataBits, bytes, beat, "Bytes of the frame, from the Ethernet header on, without FCS.")
	in("s_axis_tkeep", "", KeepBits, "bit i: byte i is there; contiguous from bit 0", beat, "The bytes that are there; all but in the last beat.")
	in("s_axis_tvalid", "", 1, flag, "taken every cycle", "A beat.")
	in("s_axis_tlast", "", 1, flag, beat, "The last beat of the frame.")
	in("s_axis_tuser", "", 1, flag, beat, "The frame is bad. It goes through.")

	l.Group = "Edit command"
	in("s_edit_v6", "", 1, flag, first, "IPv6, without extension header; else IPv4, without options.")
	in("s_edit_tags", "", 2, "unsigned, 0 to 2", first, "VLAN tags of 4 bytes.")
	in("s_edit_lane", "", 4, "unsigned: 8 + s_edit_tags + 5 × s_edit_v6", first, "The word of the UDP source port, words of 4 bytes counted from byte 2 of the frame.")
	in("s_edit_ev_valid", "", 1, flag, first, "Write the entropy value.")
	in("s_edit_ev", "", p.evBits(), p.evFormat(), first, "Entropy value.")
	if p.FlowLabel {
		in("s_edit_flow", "", 1, "0 UDP source port, 1 IPv6 flow label", first, "The field that gets the entropy value.")
	}
	if p.TrafficClass {
		in("s_edit_dscp_valid", "", 1, flag, first, "Set DSCP. With IPv4 the header checksum is updated.")
		in("s_edit_dscp", "", 6, "code point", first, "DSCP.")
		in("s_edit_ecn_valid", "", 1, flag, first, "Set ECN. With IPv4 the header checksum is updated.")
		in("s_edit_ecn", "", 2, "0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE", first, "ECN.")
	}
	if p.BECN {
		in("s_edit_becn_valid", "", 1, flag, first, "Set or clear BECN: there is a BTH behind the UDP header.")
		in("s_edit_becn", "", 1, flag, first, "BECN.")
	}
	if p.Ask {
		in("s_edit_ask", "", 1, flag, first, "Invert the A bit: there is a BTH behind the UDP header. With s_edit_icrc the ICRC is patched.")
	}
	if p.UDPZero {
		in("s_edit_udp_zero", "", 1, flag, first, "Set the UDP checksum to 0.")
	}
	if p.ICRC {
		in("s_edit_icrc", "", 1, flag, first, "There is an ICRC: patch it if the source port or the A bit changes.")
		in("s_edit_udp_len", "", 16, "unsigned, bytes; with s_edit_icrc a multiple of 4, 24 at least", first, "UDP length. The ICRC is the last four bytes of these.")
	}

	l.Group = "Frames out"
	out("m_axis_tdata", "", DataBits, bytes+"; bytes that are not there may be anything", after(Latency), "Bytes of the edited frame.")
	out("m_axis_tkeep", "", KeepBits, "bit i: byte i is there", after(Latency), "As it came.")
	out("m_axis_tvalid", "", 1, flag, after(Latency), "A beat: one for each beat in, in order, with the same gaps.")
	out("m_axis_tlast", "", 1, flag, after(Latency), "As it came.")
	out("m_axis_tuser", "", 1, flag, after(Latency), "As it came.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "first "+after(Latency), "An illegal command: the frame passes unchanged.")

	l.Group = "Counters"
	doc := map[string][2]string{
		"frame":   {"last " + after(Latency+1), "Frames, legal or not."},
		"illegal": {"first " + after(Latency+1), "Illegal commands."},
		"icrc":    {after(Latency + 1), "Frames with s_edit_icrc and an entropy value in the source port, counted at the beat in which the ICRC begins."},
	}
	for _, c := range p.CounterNames() {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}

// evBits returns the width of an entropy value.
func (p *Params) evBits() int64 {
	if p.FlowLabel {
		return LabelBits
	}
	return PortBits
}

// evFormat describes the format of an entropy value.
func (p *Params) evFormat() string {
	if p.FlowLabel {
		return "flow label, or UDP source port in the low 16 bits"
	}
	return "UDP source port"
}
