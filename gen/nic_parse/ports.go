// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const flag = "flag"
	header, end := fmt.Sprintf("headers + %d cycles", Latency), fmt.Sprintf("last beat + %d cycles", EndLatency)
	cfg := fmt.Sprintf("sampled %d cycles after the headers", Sampled)

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; packets inside are forgotten, and the next beat begins a frame.")

	l.Group = "Frames"
	in("s_axis_tdata", "", 8*DataBytes, "byte 0 in bits 7 to 0", "with s_axis_tvalid", "Bytes of a frame, from the destination address on, without frame check sequence.")
	in("s_axis_tkeep", "", DataBytes, "a bit a byte, ones from bit 0 on; all ones but in the last beat", "with s_axis_tvalid", "The bytes that are there, at least one.")
	in("s_axis_tvalid", "", 1, flag, "taken every cycle", "A beat of a frame; gaps may be anywhere.")
	in("s_axis_tlast", "", 1, flag, "with s_axis_tvalid", "The frame's last beat.")
	in("s_axis_tuser", "", 1, flag, "with s_axis_tlast", "The frame is bad.")

	l.Group = "Header record"
	out("m_hdr_valid", "", 1, flag, header, "A packet's headers are there, all of them or to the frame's end.")
	out("m_hdr_kind", "", 4, "0 other, 1 request with payload, 2 READ or atomic request, 3 READ response, 4 ACK, 5 CNP, 6 feedback, 7 UET request, 8 UET ACK, 14 truncated, 15 malformed",
		header, "What it is.")
	out("m_hdr_reason", "", 4, "1 not IP, 2 tags, 3 IPv4 options, 4 fragment, 5 not UDP, 6 UDP port, 7 service or opcode, 8 longer than cfg_max_frame", header,
		"Why it is other; else 0.")
	out("m_hdr_placed", "", 1, flag, header, p.word("BTH", "PDS")+" was found: m_hdr_qp and the addresses are the packet's, whatever its kind; with m_hdr_lane, m_hdr_opcode and m_hdr_psn too.")
	if p.IPv6 {
		out("m_hdr_v6", "", 1, flag, header, "IPv6.")
	}
	if p.Tags > 0 {
		out("m_hdr_tags", "", 2, "0 to 2", header, "VLAN tags.")
	}
	out("m_hdr_lane", "", 4, "(L4 - 2) / 4", header, "Where UDP begins: the word, counted from byte 2 of the frame.")
	out("m_hdr_dscp", "", 6, "any", header, "DSCP.")
	out("m_hdr_ecn", "", 2, "3: CE", header, "ECN.")
	if p.IPv6 {
		out("m_hdr_flow", "", 20, "any", header, "Flow label; 0 with IPv4.")
	}
	if p.Addresses {
		address := "first byte in the highest bits"
		if p.IPv6 {
			address += "; IPv4 in the low 32 bits"
		}
		out("m_hdr_src", "", p.AddressBits(), address, header, "Source address.")
		out("m_hdr_dst", "", p.AddressBits(), address, header, "Destination address.")
	}
	out("m_hdr_sport", "", 16, "any", header, "UDP source port.")
	out("m_hdr_udp_len", "", 16, "bytes", header, "UDP length.")
	out("m_hdr_ip_bytes", "", LengthBits, "bytes", header, "IPv4 total length, or IPv6 payload length + 40.")
	opcode := "BTH opcode"
	if p.UET() {
		opcode = "BTH opcode; UET: bits 4 to 0 type, 6 SYN of a request, 7 retransmission"
	}
	out("m_hdr_opcode", "", 8, opcode, header, "Opcode.")
	out("m_hdr_qp", "", 24, p.word("QP", "PDC, 16 bits; with SYN PDC information and PSN offset"), header, "Destination QP or PDC.")
	out("m_hdr_psn", "", p.PSNBits(), p.word("24 bits", "32 bits; of an ACK the cumulative one"), header, "Packet sequence number.")
	if p.RoCE() {
		out("m_hdr_fecn", "", 1, flag, header, "FECN of BTH.")
	}
	out("m_hdr_becn", "", 1, flag, header, p.word("BECN of BTH", "M of an ACK: its packet was marked")+".")
	out("m_hdr_ack_req", "", 1, flag, header, p.word("A of BTH", "AR of a request")+": an ACK is asked for.")
	if p.RoCE() {
		out("m_hdr_pad", "", 2, "bytes", header, "Pad count of BTH.")
		out("m_hdr_syndrome", "", 8, "000ccccc ACK, 001ttttt RNR NAK, 011eeeee NAK", header, "Syndrome of AETH.")
	}
	out("m_hdr_msn", "", 24, p.word("unsigned", "bits 15 to 0, signed"), header, p.word("MSN of AETH", "the PSN of an ACK less the cumulative one")+".")
	if p.RoCE() {
		out("m_hdr_icrc", "", 1, flag, header, "The packet ends with an ICRC.")
	}

	l.Group = "End record"
	out("m_end_valid", "", 1, flag, end, "A frame has ended; its header record is out.")
	out("m_end_bytes", "", LengthBits, "bytes; all ones: more than 65,536", end, "Its length.")
	out("m_end_bad", "", 1, flag, end, "s_axis_tuser of its last beat.")
	out("m_end_short", "", 1, flag, end, "It has fewer bytes than its IP length says; 0 for what is no UDP packet.")

	l.Group = "Run-time settings"
	if p.RoCE() {
		in("cfg_roce_port", "", 16, "any", cfg, "UDP destination port of RoCEv2.")
	}
	if p.UET() {
		in("cfg_uet_port", "", 16, "any", cfg, "UDP destination port of UET.")
	}
	in("cfg_max_frame", "", FrameBits, "bytes, at least 64", cfg, "The longest frame without tags of a packet that is not other.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", header, "A truncated or malformed packet.")

	l.Group = "Counters"
	for _, c := range []struct{ name, after, doc string }{
		{"frame", header, "Frames."}, {"other", header, "Packets that are other."},
		{"truncated", header, "Truncated packets."}, {"malformed", header, "Malformed packets."},
		{"short", end, "Frames with fewer bytes than their IP length says."},
		{"unplaced", header, "Packets that may belong to a connection, and whose number was not found: fragments, more than one IPv6 extension header or one longer than 24 bytes, or longer than cfg_max_frame."},
	} {
		out("sts_"+c.name+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", c.after+" + 1", c.doc)
	}
	return l.Ports
}

// word describes a field under the configured profile.
func (p *Params) word(roce, uet string) string {
	switch p.Profile {
	case RoCE:
		return roce
	case UET:
		return uet
	default:
		return roce + "; UET: " + uet
	}
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Beside it\n\n" +
		"The parser does not delay or change the frames: whoever edits them delays the beats until the record is there. A record comes with every frame, in order.\n"
}
