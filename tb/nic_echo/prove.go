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
	listsFile = "nic_echo_lists.sv"
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
	{
		Name: "lists", Depth: 60, K: 8,
		Free:    "*nic_echo_ring* *nic_echo_flags*",
		Claim:   "Lists for feedback packets: that of a connection, any one, has the packets received since it went out last; whatever the lane of the unit does.",
		Configs: []string{"connections=2 conn_bits=2 ring=16 psn_bits=16 tag_bits=1 ev_bits=1 list=2 shim_bits=0 ring_memory=bram ring_latency=3 timer_bits=16 counter_bits=8"},
		Texts:   []string{"wide.svh@nic_lib_ram_block", "lib/nic_lib_fwd_block.svh", "nic_echo_lists.svh", "lists/nic_echo.svh"},
		Properties: []proof.Property{
			{
				Name: "list_as_received", Claim: "It goes out with their number, the PSN of the last one, and whether one came again.",
				Bug: proof.Bug{Mistake: "a list of one with a duplicate forgets it", File: listsFile, Edits: []string{"again_next = again || (p2_data && p2_feedback && p2_duplicate);", "again_next = (again && count != 5'd1) || (p2_data && p2_feedback && p2_duplicate);"}},
			},
			{
				Name: "newest_is_last", Claim: "The highest place has entropy value and mark of the newest one,",
				Bug: proof.Bug{Mistake: "it is written a place too far", File: listsFile, Edits: []string{"p3_tail_q  <= head + count[3:0];", "p3_tail_q  <= head + grown[3:0];"}},
			},
			{
				Name: "older_is_before", Claim: "and that below of the one before.",
				Bug: proof.Bug{Mistake: "a full list keeps its oldest", File: listsFile, Edits: []string{"head_next  = p2_lost ? head_more : head;", "head_next  = head;"}},
			},
			{
				Name: "feedback_stands", Claim: "What goes out stands until it is taken.",
				Bug: proof.Bug{Mistake: "another list begins while it waits", File: listsFile, Edits: []string{"(m_valid && !m_ready);", "(m_valid && !m_ready && left_q != '0);"}},
			},
			{
				Name: "lost_only_when_full", Claim: "A packet's entropy value is lost only from a full list,",
				Bug: proof.Bug{Mistake: "one is full early", File: listsFile, Edits: []string{"assign full    = count == MOST;", "assign full    = count == MOST - 5'd1;"}},
			},
			{
				Name: "full_is_told", Claim: "and that is counted.",
				Bug: proof.Bug{Mistake: "it is not if one came again", File: listsFile, Edits: []string{"assign p2_lost = adds && full;", "assign p2_lost = adds && full && !again;"}},
			},
		},
	},
}}
