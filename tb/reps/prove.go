// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of REPS.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Shared: lib.Proofs.Texts}

// The smallest connections that have everything: what the proofs speak of is who sees
// what when, and not how wide it is.
const (
	proveNarrow = "conn_bits=2 explore_stride=2 timer_bits=16 evs_bits=1 counter_bits=8 freezing_timeout_ns=1000"
	proveTwo    = proveNarrow + " connections=2 buffer_depth=2 state_memory=bram ev_memory=bram"
)

var proveTexts = []string{"lib/nic_lib_ram_block.svh", "lib/nic_lib_fwd_block.svh", "nic_reps.svh", "bram/nic_reps.svh", "state/nic_reps.svh"}

var proveSets = []proof.Set{
	{
		Name: "algorithm", Depth: 24, K: 5,
		Claim: "The unit does to a connection, any one, what Algorithms 1 and 2 do, one event after another, " +
			"whatever the distance of events and whatever other connections do. NUM_PKTS_CWND does not change.",
		Configs: []string{
			proveTwo,
			proveNarrow + " connections=3 buffer_depth=2 state_memory=bram ev_memory=bram",
			proveNarrow + " connections=2 buffer_depth=4 state_memory=bram ev_memory=bram",
			proveTwo + " state_protection=scrub",
			proveTwo + " ram_latency=1",
		},
		Texts: proveTexts,
		Properties: []proof.Property{
			{
				Name: "nv_fits_ack", Claim: "The ACK lane never sees more valid EVs than the ring holds.",
				Bug: proof.Bug{Mistake: "overwriting counts as one more valid EV", File: "nic_reps_lanes.sv", Edits: []string{
					"ack_next.pushes  = ack_full ? ack_ack.pushes : ack_ack.pushes + 1'b1;",
					"ack_next.pushes  = ack_ack.pushes + 1'b1;"}},
			},
			{
				Name: "nv_fits_send", Claim: "Nor does the SEND lane.",
				Bug: proof.Bug{Mistake: "a used EV is taken from an empty ring", File: "nic_reps_lanes.sv", Edits: []string{
					"assign send_pops     = send_takes && send_fresh;", "assign send_pops     = send_takes;"}},
			},
			{
				Name: "nv_is_algorithm", Claim: "A SEND sees numberOfValidEVs as all earlier cycles left it.",
				Bug: proof.Bug{Mistake: "no forwarding in block RAM", File: "nic_lib_fwd_block.sv", Edits: []string{
					"hit_q      <= wr_addr == last_addr;", "hit_q      <= wr_addr == last_addr && 1'b0;"}},
			},
			{
				Name: "valid_are_newest", Claim: "The valid entries are exactly the numberOfValidEVs newest, so their number is all that needs to be kept.",
				Bug: proof.Bug{Mistake: "a used EV is not taken off the number", File: "nic_reps_lanes.sv", Edits: []string{
					"send_next.pops      = send_pops ? send_send.pops + 1'b1 : send_send.pops;",
					"send_next.pops      = send_send.pops;"}},
			},
			{
				Name: "ev_is_algorithm", Claim: "An EV from the ring is the one that Algorithm 2 takes.",
				Bug: proof.Bug{Mistake: "an overwrite in the cycle of a SEND is not seen", File: "nic_reps_lanes.sv", Edits: []string{
					"if (send_good && send_full) begin", "if (send_good && send_full && 1'b0) begin"}},
			},
			{
				Name: "source_is_algorithm", Claim: "A SEND is answered in its cycle, cached, used again or random as Algorithm 2 says.",
				Bug: proof.Bug{Mistake: "exploration draws one packet late", File: "nic_reps_lanes.sv", Edits: []string{
					"(send_send.left & STRIDE_MASK) == STRIDE_ONE);", "(send_send.left & STRIDE_MASK) == '0);"}},
			},
			{
				Name: "used_once", Claim: "While it counts as cached, an EV is handed out at most once; only a frozen connection uses one again.",
				Bug: proof.Bug{Mistake: "the oldest EV is handed out without being used up when an ACK comes in", File: "nic_reps_lanes.sv", Edits: []string{
					"assign send_pops     = send_takes && send_fresh;", "assign send_pops     = send_takes && send_fresh && !send_good;"}},
			},
			{
				Name: "frozen_reuse_only", Claim: "An EV is used again only while the connection is frozen, with no valid one left.",
				Bug: proof.Bug{Mistake: "a SEND takes the freeze of another cycle for its own", File: "nic_reps_lanes.sv", Edits: []string{
					"assign send_frozen    = send_thaw != send_freeze ||", "assign send_frozen    = send_thaw == send_freeze ||"}},
			},
			{
				Name: "freezes_as_algorithm", Claim: "A failure freezes a connection that is neither frozen nor exploring.",
				Bug: proof.Bug{Mistake: "a failure in the cycle of the ACK that ends freezing is lost", File: "nic_reps_lanes.sv", Edits: []string{
					"(p2_ack_is_fail && ack_thaws) ? p2_num_none : !fail_blocked", "!fail_blocked"}},
			},
			{
				Name: "thaws_at_first_ack", Claim: "The first good ACK after its time ends a freeze.",
				Bug: proof.Bug{Mistake: "the exit time is one nanosecond late", File: "nic_reps_events.sv", Edits: []string{
					"p0_now_q - ~p0_timeout_q;", "p0_now_q + p0_timeout_q + 2'd2;"}},
			},
			{
				Name: "thaws_only_then", Claim: "Nothing but such an ACK or a flush ends a freeze.",
				Bug: proof.Bug{Mistake: "the exit time is compared with >=", File: "nic_reps_events.sv", Edits: []string{
					"p0_now_q - ~p0_timeout_q;", "p0_now_q + p0_timeout_q;"}},
			},
			{
				Name: "illegal_changes_nothing", Claim: "Events of connections that do not exist write no memory.",
				Bug: proof.Bug{Mistake: "an ACK's connection is not checked", File: "nic_reps_events.sv", Edits: []string{
					"p1_good_q         <= p0_ack_q && p0_ack_legal_q && p0_ev_legal && !p0_ack_ecn_q;", "p1_good_q         <= p0_ack_q && p0_ev_legal && !p0_ack_ecn_q;"}},
			},
			{
				Name: "illegal_is_counted", Claim: "Each of them is reported.",
				Bug: proof.Bug{Mistake: "a failure of a connection that does not exist is not reported", File: "nic_reps_events.sv", Edits: []string{
					"2'(p0_fail_q && !p0_fail_legal_q) + 2'(p0_send_q && !p0_send_legal_q);", "2'(p0_send_q && !p0_send_legal_q);"}},
			},
			{
				Name: "random_not_zero", Claim: "The random generator never is in the state that it could not leave.",
				Bug: proof.Bug{Mistake: "a seed word goes in as it is", File: "nic_reps_events.sv", Edits: []string{
					"p0_seed_q       <= s_seed_word | EV_W'(1);", "p0_seed_q       <= s_seed_word;"}},
			},
		},
	},
	{
		Name: "lut", Depth: 24, K: 5,
		Claim:   "The same with the state and the EVs in LUT RAM; all statements of the set before are among the lemmas.",
		Configs: []string{proveNarrow + " connections=2 buffer_depth=2 state_memory=lutram ev_memory=lutram"},
		Texts: []string{
			"lib/nic_lib_ram_lut.svh", "lib/part_lut.svh@nic_lib_fwd_lut", "lib/part_lut.svh@nic_lib_state_lut",
			"nic_reps.svh", "lut/nic_reps.svh", "state/nic_reps.svh",
		},
		Properties: []proof.Property{
			{
				Name: "nv_is_algorithm", Claim: "A SEND sees numberOfValidEVs as all earlier cycles left it.",
				Bug: proof.Bug{Mistake: "LUT RAM is read before it is written", File: "nic_lib_fwd_lut.sv", Edits: []string{
					"logic [ADDR_W-1:0] rd_addr_q;", "logic [ADDR_W-1:0] rd_addr_q;\n  logic [WIDTH-1:0] rd_data_q;",
					"rd_addr_q <= rd_addr;", "rd_addr_q <= rd_addr;\n    rd_data_q <= mem[rd_addr];",
					"assign rd_data = mem[rd_addr_q];", "assign rd_data = rd_data_q;"}},
			},
			{
				Name: "source_is_algorithm", Claim: "A SEND is answered in its cycle, cached, used again or random as Algorithm 2 says.",
				Bug: proof.Bug{Mistake: "the other lane reads at the owner's address", File: "nic_lib_state_lut.sv", Edits: []string{
					"assign other_data = mem[other_addr_q];", "assign other_data = mem[own_addr_q];"}},
			},
			{
				Name: "ev_is_algorithm", Claim: "An EV from the ring is the one that Algorithm 2 takes.",
				Bug: proof.Bug{Mistake: "an overwrite in the cycle of a SEND is not seen", File: "nic_reps_lanes.sv", Edits: []string{
					"if (send_good && send_full) begin", "if (send_good && send_full && 1'b0) begin"}},
			},
		},
	},
	{
		Name: "triple", Depth: 24, K: 4,
		Claim: "The same with state_protection triple, while in each memory of state one of the three copies, always the same one, takes any value at any time; " +
			"all statements of the first set are among the lemmas.",
		Configs: []string{proveTwo + " state_protection=triple"},
		Texts: []string{
			"lib/upset/nic_lib_ram_block.svh", "lib/part_triple.svh@nic_lib_fwd_triple_block",
			"nic_reps.svh", "triple/nic_reps.svh", "state/nic_reps.svh", "written/nic_reps.svh",
		},
		Properties: []proof.Property{
			{
				Name: "nv_is_algorithm", Claim: "A SEND sees numberOfValidEVs as all earlier cycles left it.",
				Bug: proof.Bug{Mistake: "the first copy is taken", File: "nic_lib_vote.sv", Edits: []string{
					"assign word   = (a & b) | (a & c) | (b & c);", "assign word   = a;"}},
			},
			{
				Name: "source_is_algorithm", Claim: "A SEND is answered in its cycle, cached, used again or random as Algorithm 2 says.",
				Bug: proof.Bug{Mistake: "no forwarding", File: "nic_lib_fwd_triple_block.sv", Edits: []string{
					"assign last_hit = wr_en && wr_addr == last_addr_q;", "assign last_hit = 1'b0;"}},
			},
		},
	},
}
