// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	topFile   = "nic_echo.sv"
	flagsFile = "nic_echo_flags.sv"
	ringFile  = "nic_echo_ring.sv"
)

// proofs are the properties of the unit.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{
	{
		Name: "echo", Depth: 60, K: 8,
		Claim:   "What an ACK of a connection, any one, is told about a PSN, any one, and about what came since the last ACK.",
		Configs: []string{"connections=2 conn_bits=2 ring=16 psn_bits=16 tag_bits=2 ev_bits=2 list=0 shim_bits=2 ring_memory=bram ring_latency=3 counter_bits=8"},
		Texts:   []string{"lib/nic_lib_ram_block.svh", "words.svh@nic_lib_state_lut", "nic_echo.svh"},
		Properties: []proof.Property{
			{
				Name: "one_answer_each", Claim: "Each ACK has one answer, ring_latency + 3 cycles later, and nothing else has one.",
				Bug: proof.Bug{Mistake: "illegal ones have none", File: topFile, Edits: []string{"p1_answer_q   <= p0_ack_q;", "p1_answer_q   <= p0_ack_q && p0_ack_exists;"}},
			},
			{
				Name: "hit_if_known", Claim: "It is a hit exactly if the packet received last in the place of its PSN has this PSN, and was not flushed.",
				Bug: proof.Bug{Mistake: "the tag does not count", File: topFile, Edits: []string{"word[2 +: TAG_W] == late_tag", "(word[2 +: TAG_W] == late_tag || 1'b1)"}},
			},
			{
				Name: "hit_has_last_ev", Claim: "A hit has the entropy value of the last packet with this PSN, also of one of its own cycle.",
				Bug: proof.Bug{Mistake: "that of its own cycle is not seen", File: ringFile, Edits: []string{"assign word = same ? new_word : old;", "assign word = same && !new_word[0] ? new_word : old;"}},
			},
			{
				Name: "mark_of_the_packet", Claim: "Without cfg_ecn_or its mark is that of this packet, and none without a hit.",
				Bug: proof.Bug{Mistake: "a miss has the mark of what is there", File: topFile, Edits: []string{"late_marked : hit && word[WORD_W-2]", "late_marked : word[WORD_W-2]"}},
			},
			{
				Name: "mark_since_last_ack", Claim: "With cfg_ecn_or it is marked exactly if a marked packet came since the last ACK: no mark is lost or told twice.",
				Bug: proof.Bug{Mistake: "two marks are none", File: flagsFile, Edits: []string{"raised ^ (event_now & ~(raised ^ seen))", "raised ^ event_now"}},
			},
			{
				Name: "fresh_once", Claim: "A shim is told to one ACK, the first one since it came.",
				Bug: proof.Bug{Mistake: "a flush leaves it", File: flagsFile, Edits: []string{"p2_empty ? seen :", "p2_empty ? {raised[1], seen[0]} :"}},
			},
			{
				Name: "body_is_newest", Claim: "Its body is that of the newest one.",
				Bug: proof.Bug{Mistake: "it is that of a cycle later", File: flagsFile, Edits: []string{".wr_en   (p1_shim)", ".wr_en   (p1_shim || p2_shim)"}},
			},
			{
				Name: "miss_has_no_ev", Claim: "An answer without a hit has no entropy value.",
				Bug: proof.Bug{Mistake: "it keeps what is there", File: topFile, Edits: []string{"if (!hit) begin", "if (!hit && !late_answer) begin"}},
			},
			{
				Name: "illegal_has_nothing", Claim: "Nor has one to an ACK of a connection that does not exist, or before the unit is ready, any of all that.",
				Bug: proof.Bug{Mistake: "it has the mark of another connection", File: topFile, Edits: []string{"m_echo_mark   <= late_ack && (late_or", "m_echo_mark   <= late_answer && (late_or"}},
			},
		},
	},
}}
