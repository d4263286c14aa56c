// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with mistakes.
const (
	topFile  = "nic_parse.sv"
	pickFile = "nic_parse_pick.sv"
)

// proofs are the properties of the parser.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{{
	Name: "records", Depth: 12, K: 6,
	Claim: "The records of RoCEv2 packets over IPv4 and IPv6 with up to two tags, for any frames with gaps anywhere and a reset at any time: each is compared " +
		"with fields that are taken from the frame's bytes beside the parser. The tables of opcodes, and which check comes first, are left to co-simulation.",
	Configs: []string{"counter_bits=8"},
	Texts:   []string{"nic_parse.svh"},
	Properties: []proof.Property{
		{
			Name: "record_for_every_frame", Claim: "Four cycles after the beat that completes the headers of a frame its header record comes, five cycles after its last beat its end record, and nothing else does.",
			Bug: proof.Bug{Mistake: "the third beat completes the headers too", File: topFile, Edits: []string{"second_q <= first_q && !s_axis_tlast;", "second_q <= !s_axis_tlast;"}},
		},
		{
			Name: "records_in_turn", Claim: "Header record and end record come in turn, the next frame's header record with the end record at the earliest: they cannot lose step.",
			Bug: proof.Bug{Mistake: "end records come a cycle early", File: topFile, Edits: []string{"m_end_valid <= end_q[3];", "m_end_valid <= end_q[2];"}},
		},
		{
			Name: "place_is_the_packets", Claim: "A record with a lane is of an IP packet with UDP there, without options and no fragment; port, lengths and tags are those of its bytes.",
			Bug: proof.Bug{Mistake: "IPv6 with two tags is looked for elsewhere", File: pickFile, Edits: []string{"(place[0] ? choices[5*WIDTH", "(!place[0] ? choices[5*WIDTH"}},
		},
		{
			Name: "packet_has_a_place", Claim: "Each such packet has one.",
			Bug: proof.Bug{Mistake: "the flag not to fragment counts as a fragment", File: topFile, Edits: []string{"p2_net_q[29 -: 14] != '0", "p2_net_q[30 -: 15] != '0"}},
		},
		{
			Name: "fields_are_the_packets", Claim: "Opcode, QP, PSN and flags of a record are the bytes of BTH in its packet, syndrome and MSN those of AETH if there is one, else 0.",
			Bug: proof.Bug{Mistake: "the second bit of BTH's flags is FECN", File: topFile, Edits: []string{"m_hdr_fecn     <= p3_layer_q[95];", "m_hdr_fecn     <= p3_layer_q[94];"}},
		},
		{
			Name: "ours_is_whole", Claim: "A record of RoCEv2 is of a packet to its port, whose headers are all there, whose lengths agree and are legal, and that is no longer than allowed.",
			Bug: proof.Bug{Mistake: "lengths agree modulo 2^16", File: topFile, Edits: []string{"&& !p2_carry[15];", "&& (!p2_carry[15] || 1'b1);"}},
		},
		{
			Name: "number_is_the_packets", Claim: "A record with a place and a number has opcode, QP and PSN from the packet's bytes, whatever its kind; the packet is to RoCEv2's port and has all of BTH.",
			Bug: proof.Bug{Mistake: "the QP is a byte further", File: topFile, Edits: []string{"p3_layer_q[87 -: 24]", "p3_layer_q[79 -: 24]"}},
		},
		{
			Name: "known_is_placed", Claim: "Each packet of a known kind, and each with an opcode that is not known, has its number.",
			Bug: proof.Bug{Mistake: "those with other opcodes have none", File: topFile, Edits: []string{"p3_reason = OPCODE;\n      p3_placed = 1'b1;", "p3_reason = OPCODE;\n      p3_placed = 1'b0;"}},
		},
		{
			Name: "unplaced_has_no_number", Claim: "Without a number, opcode, QP and PSN are 0.",
			Bug: proof.Bug{Mistake: "truncated packets have a QP", File: topFile, Edits: []string{"if (!p3_placed) begin", "if (!p3_placed && !p3_short_q) begin"}},
		},
		{
			Name: "others_are_cleared", Claim: "In other records the fields of BTH and AETH are 0, except the number.",
			Bug: proof.Bug{Mistake: "those of truncated packets are not", File: topFile, Edits: []string{"if (!p3_ours) begin", "if (!p3_ours && !p3_short_q) begin"}},
		},
		{
			Name: "illegal_is_told", Claim: "Truncated and malformed packets pulse evt_illegal, nothing else does; a packet has a reason exactly if it is other.",
			Bug: proof.Bug{Mistake: "truncated packets do not", File: topFile, Edits: []string{"(p3_kind == TRUNCATED || p3_kind == MALFORMED)", "(p3_kind == MALFORMED)"}},
		},
		{
			Name: "bytes_are_counted", Claim: "The end record has the frame's bytes, or all ones above 65,536.",
			Bug: proof.Bug{Mistake: "two bits of the number change places", File: topFile, Edits: []string{"^every4, ^every2,", "^every2, ^every4,"}},
		},
		{
			Name: "short_is_told", Claim: "A frame is short exactly if it has fewer bytes than the record of its headers says.",
			Bug: proof.Bug{Mistake: "tags do not count", File: topFile, Edits: []string{"p3_ip_bytes_q + 17'(p3_l3);", "p3_ip_bytes_q + 17'd14;"}},
		},
	},
}}}
