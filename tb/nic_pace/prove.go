// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	topFile   = "nic_pace.sv"
	wheelFile = "nic_pace_wheel.sv"
	dueFile   = "nic_pace_due.sv"
)

// proofs are the properties of the pacer.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{
	{
		Name: "places", Depth: 40, K: 8,
		Claim: "Where each of two connections is, whatever departure times, rates and the queue of PUSH give, while `cfg_flush_force` is 0. The wheel is any one that " +
			"gives back only what is in it.",
		Configs: []string{"connections=2 conn_bits=2 slots=16 slot_ns=64 timer_bits=30 frac_bits=8 counter_bits=8"},
		Free:    "*nic_pace_wheel* *nic_lib_fifo_lut* nic_pace/ndts nic_pace/rates nic_pace/t:$mul",
		Texts:   []string{"lib/nic_lib_ram_block.svh", "words.svh@nic_lib_state_lut", "words.svh@nic_lib_fwd_lut", "nic_pace.svh"},
		Properties: []proof.Property{
			{
				Name: "one_place", Claim: "A connection is in one place at most: in the wheel, on its way, in the queue of turns, or offered.",
				Bug: proof.Bug{Mistake: "a PUSH of one that is inside counts", File: topFile, Edits: []string{"assign p2_push_ok   = p2_push_q && p2_exists_q && !p2_inside;", "assign p2_push_ok   = p2_push_q && p2_exists_q;"}},
			},
			{
				Name: "inside_is_somewhere", Claim: "One that is inside for an event is in one of them, or its turn began in one of the two cycles before: none is lost.",
				Bug: proof.Bug{Mistake: "a DONE that wants no other turn puts it inside", File: topFile, Edits: []string{"p2_in ^ (p2_push_q || (p2_done_q && p2_again_q) ||", "p2_in ^ (p2_push_q || p2_done_q || (p2_done_q && p2_again_q) ||"}},
			},
			{
				Name: "outside_is_nowhere", Claim: "One that is outside is in none of them.",
				Bug: proof.Bug{Mistake: "a DONE that wants another turn leaves it outside", File: topFile, Edits: []string{"p2_in ^ (p2_push_q || (p2_done_q && p2_again_q) ||", "p2_in ^ (p2_push_q ||"}},
			},
			{
				Name: "turn_is_one_of_the_queue", Claim: "The connection that is offered is in the queue.",
				Bug: proof.Bug{Mistake: "the word that waits is not read again", File: dueFile, Edits: []string{".rd_addr (free ? rd_q[IDX_W-1:0] : shown_q)", ".rd_addr (rd_q[IDX_W-1:0])"}},
			},
			{
				Name: "queue_never_overflows", Claim: "The queue has a place for each connection, also for the one that is offered.",
				Bug: proof.Bug{Mistake: "a connection looked at is due, and stays in its place", File: topFile, Edits: []string{"p6_wait_q   <= p5_enter_q && p5_past[TURN_W-1];", "p6_wait_q   <= p5_enter_q;"}},
			},
			{
				Name: "never_early", Claim: "A connection is due only if the slot of its departure time has come, so less than a slot early.",
				Bug: proof.Bug{Mistake: "a slot counts before its time", File: topFile, Edits: []string{"assign p5_past = p5_now_q - p5_time;", "assign p5_past = p5_now_q - p5_time + 1'b1;"}},
			},
			{
				Name: "never_ahead", Claim: "No slot is taken before its time.",
				Bug: proof.Bug{Mistake: "one is taken while another one is on its way", File: topFile, Edits: []string{"take_due_q && !taking_q &&", "take_due_q &&"}},
			},
			{
				Name: "waits_for_its_slot", Claim: "A connection waits in the slot of its departure time if the wheel has it,",
				Bug: proof.Bug{Mistake: "the wheel is taken to be twice as long", File: topFile, Edits: []string{"p5_last_q <= turn_q + TURN_W'(AHEAD);", "p5_last_q <= turn_q + TURN_W'(2 * AHEAD + 1);"}},
			},
			{
				Name: "waits_in_the_wheel", Claim: "and never in the slot that was taken last.",
				Bug: proof.Bug{Mistake: "the last slot is that", File: topFile, Edits: []string{"p5_last_q <= turn_q + TURN_W'(AHEAD);", "p5_last_q <= turn_q + TURN_W'(AHEAD + 1);"}},
			},
		},
	},
}}
