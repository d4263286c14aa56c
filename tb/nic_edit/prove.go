// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with mistakes.
const (
	topFile  = "nic_edit.sv"
	icrcFile = "nic_edit_icrc.sv"
)

// proofs are the properties of the editor.
var proofs = &proof.Proofs{
	Note:  "The value of a patched ICRC is left to co-simulation and to `TestICRC`, and so is that of the IPv4 checksum.",
	Texts: properties,
	Sets: []proof.Set{{
		Name: "edits", Depth: 12, K: 9, Free: "nic_edit/beat_delay nic_edit/command_delay nic_edit_icrc/t:$reduce_xor",
		Claim: "A bit of any beat, any one, for frames of any length with any command, gaps and resets: it becomes what the command says, or stays, or is one of " +
			"the two bytes of the IPv4 checksum or the four of the ICRC. The delay lines of beats and commands are the library's; the matrices of the ICRC take any values.",
		Configs: []string{"counter_bits=8"},
		Texts:   []string{"nic_edit.svh"},
		Properties: []proof.Property{
			{
				Name: "shape_stays", Claim: "Each beat leaves seven cycles after it came, and nothing else does; its bytes, its end and its mark are as they came.",
				Bug: proof.Bug{Mistake: "an illegal command's beat is left out", File: topFile, Edits: []string{"m_axis_tvalid <= p5_valid_q;", "m_axis_tvalid <= p5_valid_q && !p5_illegal_q;"}},
			},
			{
				Name: "others_stay", Claim: "Bits that the command does not name never change, and no bit does if the command is illegal.",
				Bug: proof.Bug{Mistake: "the ICRC is looked for one beat early", File: icrcFile, Edits: []string{"p4_left_q == 11'd1", "p4_left_q == 11'd2"}},
			},
			{
				Name: "named_is_written", Claim: "Bits that it names become what it says.",
				Bug: proof.Bug{Mistake: "the label's high bits in the wrong order", File: topFile, Edits: []string{"p4_ecn, p4_ev[19:16]}", "p4_ecn, p4_ev[17:16], p4_ev[19:18]}"}},
			},
			{
				Name: "illegal_is_told", Claim: "An illegal command pulses evt_illegal with its beat, nothing else does.",
				Bug: proof.Bug{Mistake: "a UDP length of 20 is legal", File: topFile, Edits: []string{"p0_udp_len_q[4:3] == 2'b11", "(p0_udp_len_q[4:3] == 2'b11 || p0_udp_len_q[4:2] == 3'b101)"}},
			},
		},
	}},
}
