// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of loss detection.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Note: proveNote}

// proveNote is the note that readers of the results need.
const proveNote = "These proofs do not cover the outcome of an ACK: rings, pointers and timers are replaced by arbitrary values. So they\n" +
	"also do not show that the repair after an upset never empties a ring with outstanding segments. Co-simulation is the only evidence for the rings."

// Files in which mistakes are planted.
const (
	topText    = "nic_laps_loss.sv"
	sendText   = "nic_laps_loss_send.sv"
	acksText   = "nic_laps_loss_acks.sv"
	barrelText = "nic_laps_loss_barrel.sv"
	scanText   = "nic_laps_loss_scan.sv"
)

// The smallest rings, queues and numbers.
const proveTwo = "paths=2 pid_bits=2 flow_bits=1 seq_bits=8 depth=4 lanes=2 lat_bits=8 time_bits=16 counter_bits=8 rto_min_ns=1000 ring_memory=bram lost_queue=2"

var proveSets = []proof.Set{
	{
		Name: "queues", Depth: 45, K: 2,
		Free:  "*nic_lib_ram_* *nic_lib_state_* *nic_lib_fwd_*",
		Claim: "The queues of ACKs, the barrel and the queue of lost segments. The memories of rings, pointers and timers are replaced by arbitrary values, which proves more than the unit needs.",
		Configs: []string{
			proveTwo + " ack_queues=2 ack_queue=4 ram_latency=1 ring_latency=2",
			proveTwo + " ack_queues=4 ack_queue=2",
		},
		Texts: []string{"queues/nic_laps_loss_acks.svh", "queues/nic_laps_loss.svh"},
		Properties: []proof.Property{
			{
				Name: "nothing_lost", Claim: "Any accepted ACK is in its queue or in the barrel until it is answered.",
				Bug: proof.Bug{Mistake: "a full queue accepts one more", File: acksText, Edits: []string{
					"assign ack_room[g]                = wr_q != {~keep_q[PLACE_W], keep_q[PLACE_W-1:0]};", "assign ack_room[g] = wr_q - keep_q <= (PLACE_W+1)'(QUEUE_N);"}},
			},
			{
				Name: "in_order", Claim: "Its answer comes behind exactly the answers to the ACKs of its path accepted before it.",
				Bug: proof.Bug{Mistake: "ACKs overwrite each other", File: acksText, Edits: []string{
					"acks[wr_q[PLACE_W-1:0]] <=", "acks[wr_q[PLACE_W-1:0] ^ 1'b1] <="}},
			},
			{
				Name: "only_what_was_taken", Claim: "A path never has more answers than ACKs.",
				Bug: proof.Bug{Mistake: "an ACK is read twice", File: acksText, Edits: []string{
					"if (pick) begin\n        rd_q <= rd_q + 1'b1;", "if (pick) begin\n        rd_q <= rd_q;"}},
			},
			{
				Name: "rest_changes_nothing", Claim: "The repair of a queue after an upset does nothing without one: its pointers are already correct, and nothing blocks it.",
				Bug: proof.Bug{Mistake: "a queue counts as idle although one of its ACKs is in the barrel", File: acksText, Edits: []string{
					"round_ends && !seen_q && !e0_mine", "round_ends && !e0_mine"}},
			},
			{
				Name: "look_is_never_gone", Claim: "Nor does the repair of the timers: a timer check that is waited for is in the barrel.",
				Bug: proof.Bug{Mistake: "a timer check is given up at the end of each round", File: scanText, Edits: []string{
					"assign gone = round_ends && !seen_q;", "assign gone = round_ends;"}},
			},
			{
				Name: "one_turn", Claim: "If there is an ACK to read, exactly one queue has the turn, and it has an ACK.",
				Bug: proof.Bug{Mistake: "all queues have the turn", File: acksText, Edits: []string{
					"ack_turn = QUEUES'(1) << (i - 1);", "ack_turn = ack_turn | (QUEUES'(1) << (i - 1));"}},
			},
			{
				Name: "turn_comes", Claim: "No queue starves: a queue that keeps having an ACK is read within QUEUES loads of the first stage.",
				Bug: proof.Bug{Mistake: "the turn always begins with queue 0", File: acksText, Edits: []string{
					"      ack_after_q <= ack_after;", "      ack_after_q <= '0;"}},
			},
			{
				Name: "ack_ready_stays", Claim: "Once ready, a queue stays ready until an ACK goes into it.",
				Bug: proof.Bug{Mistake: "a queue waits while an ACK leaves it", File: acksText, Edits: []string{
					"assign ack_room[g]                = ", "assign ack_room[g] = !(ahead[LAST] && ends) && "}},
			},
			{
				Name: "lost_stays", Claim: "A lost segment stays offered, unchanged, until it is taken.",
				Bug: proof.Bug{Mistake: "it is offered for one cycle", File: topText, Edits: []string{
					".m_ready (m_lost_ready),", ".m_ready (1'b1),"}},
			},
			{
				Name: "lost_never_overflows", Claim: "A lost segment is reported only if the queue of lost segments has room.",
				Bug: proof.Bug{Mistake: "there is room for one more", File: topText, Edits: []string{
					"LOST_W'(lost_push) < LOST_W'(LOST_N);", "LOST_W'(lost_push) <= LOST_W'(LOST_N);"}},
			},
			{
				Name: "lost_is_counted", Claim: "The count behind this is the number of segments in the queue.",
				Bug: proof.Bug{Mistake: "one that goes in as another is taken is not counted", File: topText, Edits: []string{
					"else if (!lost_push && m_lost_ready) begin", "else if (m_lost_ready) begin"}},
			},
			{
				Name: "sends_are_answered", Claim: "Each send is answered once, ram_latency + 3 cycles later.",
				Bug: proof.Bug{Mistake: "sends of paths that do not exist are not answered", File: sendText, Edits: []string{
					"sent_q            <= send_q[WRITE];", "sent_q            <= send_q[WRITE] && legal_q;"}},
			},
		},
	},
}
