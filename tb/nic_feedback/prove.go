// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// makeFile is the file with the mistakes.
const makeFile = "nic_feedback_make.sv"

// proofs are the properties of the half that makes packets.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{{
	Name: "make", Depth: 40, K: 4,
	Claim:   "Packets made, of any lists, with any back-pressure, gaps and resets. Templates are any words at any time.",
	Configs: []string{"connections=2 conn_bits=2 list=2 counter_bits=8"},
	Free:    "*nic_lib_ram_block*",
	Top:     "nic_feedback_make",
	Texts:   []string{"nic_feedback_make.svh"},
	Properties: []proof.Property{
		{
			Name: "beat_stands", Claim: "A beat that is offered stays, with its end and all its bytes, until it is taken.",
			Bug: proof.Bug{Mistake: "the first beat does not wait", File: makeFile, Edits: []string{"|| done || (m_valid && !m_ready);", "|| done || (m_valid && !m_ready && m_last);"}},
		},
		{
			Name: "bytes_from_the_first", Claim: "The bytes of a beat are there from the first one on, without a hole.",
			Bug: proof.Bug{Mistake: "the first word is not marked", File: makeFile, Edits: []string{"      keep_q       <= 17'd1;", "      keep_q       <= 17'd2;"}},
		},
		{
			Name: "one_place", Claim: "A word goes to one place of a beat, and to none of a beat that is offered.",
			Bug: proof.Bug{Mistake: "the end of a packet leaves the token", File: makeFile, Edits: []string{"    if (done) begin\n      token_q <= '0;\n", "    if (done) begin\n"}},
		},
		{
			Name: "taken_once", Claim: "A list is taken once, while it is offered.",
			Bug: proof.Bug{Mistake: "the list is taken again", File: makeFile, Edits: []string{"end else if (s_ready) begin", "end else if (stop) begin"}},
		},
		{
			Name: "one_packet_at_a_time", Claim: "No list is begun before the packet of the one before has left.",
			Bug: proof.Bug{Mistake: "one is begun with the last beat", File: makeFile, Edits: []string{"assign over       = stop || (taken && m_last);", "assign over       = stop || (m_valid && m_last);"}},
		},
		{
			Name: "packet_of_a_list", Claim: "No beat is offered but of a list that was begun.",
			Bug: proof.Bug{Mistake: "a list without template makes a packet", File: makeFile, Edits: []string{"(p1_first_q && !stop) || (taken && !m_last)}", "p1_first_q || (taken && !m_last)}"}},
		},
	},
}}}
