// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	makeFile = "nic_feedback_make.sv"
	endFile  = "nic_feedback_end.sv"
)

// few is a unit in which two lists may wait.
func few() ([]gen.File, error) { return params.Default().FilesFor(2) }

// proofs are the properties of both halves.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "make", Depth: 40, K: 3,
		Claim: "Packets made, of any lists that stand until they are taken, with any back-pressure, gaps and resets; of the entropy values and marks of a list, any one. " +
			"Templates are any words at any time.",
		Configs: []string{"connections=2 conn_bits=2 list=4 counter_bits=8"},
		Free:    "*nic_lib_ram_block*",
		Top:     "nic_feedback_make",
		Texts:   []string{"nic_feedback_make.svh"},
		Properties: []proof.Property{
			{
				Name: "beat_stands", Claim: "A beat that is offered stays, with its end and all its bytes, until it is taken.",
				Bug: proof.Bug{Mistake: "the first beat does not wait", File: makeFile, Edits: []string{"|| done || (m_valid && !m_ready);", "|| done || (m_valid && !m_ready && m_last);"}},
			},
			{
				Name: "two_beats", Claim: "A packet has two beats, of which the second is the last one: exactly one.",
				Bug: proof.Bug{Mistake: "one with its ICRC alone is not the last one", File: makeFile, Edits: []string{"m_last  <= 1'b1;", "m_last  <= !token_q[0];"}},
			},
			{
				Name: "whole_frame", Claim: "All bytes of the first beat are there, and of the second as many as the lane and the number of entropy values give, without a hole.",
				Bug: proof.Bug{Mistake: "the ICRC comes a word early", File: makeFile, Edits: []string{"p1_list_q && place_q[2:0] == most_q[3:1];", "p1_list_q && place_q[2:0] == most_q[3:1] >> 1;"}},
			},
			{
				Name: "ev_in_its_place", Claim: "Each entropy value of the list is in its place of the frame: none is lost, doubled or exchanged.",
				Bug: proof.Bug{Mistake: "the memory has those of the list before", File: makeFile, Edits: []string{"if (gather_q && entry_q[0]) begin", "if (gather_q && entry_q[0] && entry_q != 4'd3) begin"}},
			},
			{
				Name: "mark_of_its_ev", Claim: "Its mark has the bit of its place.",
				Bug: proof.Bug{Mistake: "marks are in the opposite order", File: makeFile, Edits: []string{"{ce_q[14:0], marks[from_q]}", "{marks[from_q], ce_q[15:1]}"}},
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
				Bug: proof.Bug{Mistake: "one is begun while the last beat leaves", File: makeFile, Edits: []string{"s_valid && ready && !busy_q;", "s_valid && ready && (!busy_q || over);"}},
			},
			{
				Name: "packet_of_a_list", Claim: "No beat is offered but of a list that was begun.",
				Bug: proof.Bug{Mistake: "the list is over before its last beat has left", File: makeFile, Edits: []string{"stop || (taken && m_last);", "stop || (m_valid && m_last);"}},
			},
			{
				Name: "none_is_lost", Claim: "A list that was begun is looked at, or its words go to a beat, or one of its beats is offered: one of these, until it has left, or there is no packet.",
				Bug: proof.Bug{Mistake: "a full beat is not offered", File: makeFile, Edits: []string{"assign valid_next = token_q[16] || done", "assign valid_next = (token_q[16] && m_last) || done"}},
			},
		},
	},
	{
		Name: "end", Depth: 30, K: 3,
		Claim: "Packets received, of any bytes and what is told of them, with any back-pressure, gaps and resets: those of one place of the queue, any one. " +
			"The queue has two places.",
		Configs: []string{"CONN_BITS=2"},
		Sources: few,
		Top:     "nic_feedback_end",
		Texts:   []string{"nic_feedback_end.svh"},
		Properties: []proof.Property{
			{
				Name: "one_fate", Claim: "A feedback packet with a lane that is none is illegal, one without room is dropped, one of one beat is refused: each is counted once.",
				Bug: proof.Bug{Mistake: "one of one beat is not counted", File: endFile, Edits: []string{"(keep && s_last) || ", ""}},
			},
			{
				Name: "refused_if_bad", Claim: "Any other one is refused exactly if it is bad; else its list waits.",
				Bug: proof.Bug{Mistake: "a bad one of two beats is not counted", File: endFile, Edits: []string{"keep_q && !s_good);", "keep_q && !s_good && !second_q);"}},
			},
			{
				Name: "else_no_event", Claim: "Nothing else is counted.",
				Bug: proof.Bug{Mistake: "it begins with any beat", File: endFile, Edits: []string{"s_valid && idle_q && s_list;", "s_valid && s_list;"}},
			},
			{
				Name: "wrong_if_wrong", Claim: "A list that waits is refused exactly if it has another version, or its packet is too short for it.",
				Bug: proof.Bug{Mistake: "one that just fits is too long", File: endFile, Edits: []string{"value[11:9] <= stored", "value[11:9] < stored"}},
			},
			{
				Name: "one_of_a_place", Claim: "No packet comes to the place of one that waits.",
				Bug: proof.Bug{Mistake: "the queue takes one more", File: endFile, Edits: []string{"list && lane_ok && !full;", "list && lane_ok;"}},
			},
			{
				Name: "value_stands", Claim: "An entropy value that is offered stays, with its mark and its connection, until it is taken.",
				Bug: proof.Bug{Mistake: "the connection changes while it waits", File: endFile, Edits: []string{"assign begins = go && !busy_q", "assign begins = !busy_q"}},
			},
			{
				Name: "value_of_a_packet", Claim: "It is one of a packet that was good.",
				Bug: proof.Bug{Mistake: "an empty queue is read", File: endFile, Edits: []string{"go && !busy_q && wr_q != rd_q;", "go && !busy_q;"}},
			},
			{
				Name: "values_in_order", Claim: "It is that behind the one that was taken last, from the first one on: none is lost or doubled.",
				Bug: proof.Bug{Mistake: "the last words of the frame are those at its beginning", File: endFile, Edits: []string{"p1_part_q  <= p0_half_q[4:2];", "p1_part_q  <= {1'b0, p0_half_q[3:2]};"}},
			},
			{
				Name: "mark_of_its_value", Claim: "It has its own mark.",
				Bug: proof.Bug{Mistake: "it has that of the next one", File: endFile, Edits: []string{"ce_q[place_q];", "ce_q[place_q + 4'd1];"}},
			},
			{
				Name: "its_connection", Claim: "It has the connection that was told with the packet's first beat.",
				Bug: proof.Bug{Mistake: "that of a later beat counts", File: endFile, Edits: []string{"    if (keep) begin\n", "    if (keep || (keep_q && s_valid)) begin\n"}},
			},
			{
				Name: "all_are_given", Claim: "When the list is over, so many were given as the packet says, and none of a wrong one.",
				Bug: proof.Bug{Mistake: "lists of more than 8 end behind the eighth", File: endFile, Edits: []string{"place_q == most_q;", "place_q[2:0] == most_q[2:0];"}},
			},
			{
				Name: "goes_on", Claim: "A list that is begun has a half on its way until it is over.",
				Bug: proof.Bug{Mistake: "they stop behind the second entropy value", File: endFile, Edits: []string{"(p1_marks_q || p1_ev_q);", "(p1_marks_q || (p1_ev_q && place_q == 4'd0));"}},
			},
		},
	},
}}
