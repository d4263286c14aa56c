// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of the rate control.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Shared: lib.Proofs.Texts}

// Two flows and narrow numbers: the rates' arithmetic is all in it.
const proveTwo = "flows=2 flow_bits=2 lat_bits=8 time_bits=16 rate_bits=8 counter_bits=8 max_rate=200 min_rate=10 state_memory=bram"

var proveSets = []proof.Set{
	{
		Name: "algorithm", Depth: 20, K: 12,
		Claim: "For any flow the unit does what Algorithm 2 does, one event after another, whatever the distance of events, " +
			"whatever other flows do, and with settings that change at any time.",
		Configs: []string{proveTwo + " paths=2", proveTwo + " flows=3 paths=3"},
		Texts:   []string{"lib/nic_lib_ram_block.svh", "lib/nic_lib_fwd_block.svh", "nic_laps_rate.svh"},
		Properties: []proof.Property{
			{
				Name: "one_answer_each", Claim: "Each ACK and each opening is answered once, in its fixed time, and nothing else is.",
				Bug: proof.Bug{Mistake: "ACKs of flows that do not exist are not answered", File: "nic_laps_rate.sv", Edits: []string{
					"r1_valid_q     <= r0_ack || r0_open;", "r1_valid_q     <= (r0_ack && r0_legal) || r0_open;"}},
			},
			{
				Name: "rate_is_algorithm", Claim: "The rates are those of the algorithm.",
				Bug: proof.Bug{Mistake: "the event one cycle ahead is not forwarded", File: "nic_laps_rate_rates.sv", Edits: []string{
					"assign r2_rates = r2_same_1 ? r3_rates\n                  : r2_same_2", "assign r2_rates = r2_same_2"}},
			},
			{
				Name: "cause_is_algorithm", Claim: "So is the cause reported.",
				Bug: proof.Bug{Mistake: "the time of an event two cycles ahead is not forwarded", File: "nic_laps_rate_gate.sv", Edits: []string{
					"r1_take_2_q <= r0_same_2 && (r2_set || r2_congested == r0_congested);", "r1_take_2_q <= 1'b0;"}},
			},
			{
				Name: "within_limits", Claim: "A change gives rates of at most cfg_max_rate, and a decrease one of at least cfg_min_rate, if cfg_min_rate is not the larger.",
				Bug: proof.Bug{Mistake: "twice the expected rate is not limited", File: "nic_laps_rate_rates.sv", Edits: []string{
					"assign r3_cut      = r3_hyper ? r3_over_2 : r3_over;", "assign r3_cut      = r3_over;"}},
			},
			{
				Name: "one_decrease_an_interval", Claim: "No decrease follows another within its interval.",
				Bug: proof.Bug{Mistake: "a decrease does not record its interval", File: "nic_laps_rate_gate.sv", Edits: []string{
					"r3_write_decrease_q <= r2_change && (r2_set || r2_congested);", "r3_write_decrease_q <= r2_change && r2_set;"}},
			},
			{
				Name: "extremes_of_all_paths", Claim: "The trees find what a loop over the paths finds: t, and whether it is above T.",
				Bug: proof.Bug{Mistake: "a path that is not valid has latency 0", File: "nic_laps_rate_extreme.sv", Edits: []string{
					"{LAT_W{LARGEST == 0}};", "'0;"}},
			},
			{
				Name: "illegal_is_told", Claim: "An event of a flow that does not exist is reported, and its answer is empty.",
				Bug: proof.Bug{Mistake: "it is answered with a rate", File: "nic_laps_rate_rates.sv", Edits: []string{
					"m_current  <= '0;", "m_current  <= r3_current;"}},
			},
			{
				Name: "illegal_changes_nothing", Claim: "It writes no memory.",
				Bug: proof.Bug{Mistake: "an ACK's flow is not checked", File: "nic_laps_rate.sv", Edits: []string{
					"r1_live_q      <= r0_legal && (r0_set || (r0_ack && r0_any_q));", "r1_live_q      <= (r0_legal && r0_set) || (r0_ack && r0_any_q);"}},
			},
			{
				Name: "open_waits_for_acks_only", Claim: "An opening is accepted in the first cycle without an ACK.",
				Bug: proof.Bug{Mistake: "an opening waits while another is in the pipeline", File: "nic_laps_rate.sv", Edits: []string{
					"assign s_open_ready = sts_ready && !s_ack_valid;", "assign s_open_ready = sts_ready && !s_ack_valid && !r1_set_q;"}},
			},
		},
	},
	{
		Name: "limits", Depth: 12, K: 8, AnyState: true,
		Claim:   "Limits from any state (any contents of registers and memories, without a reset): the answers from the fourth cycle on.",
		Configs: []string{proveTwo + " paths=2", "flows=2 flow_bits=2 paths=2 state_memory=bram"},
		Texts:   []string{"limits/nic_laps_rate.svh"},
		Properties: []proof.Property{
			{
				Name: "changed_within_limits", Claim: "A changed rate is at most the cfg_max_rate of two cycles earlier, if cfg_min_rate was not above that.",
				Bug: proof.Bug{Mistake: "a decrease does not limit the rate to the maximum", File: "nic_laps_rate_rates.sv", Edits: []string{
					": r3_above ? (r3_max_q >> 1)", ": r3_above ? (r3_current_q >> 1)"}},
			},
			{
				Name: "decrease_within_limits", Claim: "A decrease gives at least cfg_min_rate.",
				Bug: proof.Bug{Mistake: "half of the maximum rate is not compared", File: "nic_laps_rate_rates.sv", Edits: []string{
					"assign r3_low      = r3_above ? r3_low_q", "assign r3_low      = r3_above ? 1'b0"}},
			},
			{
				Name: "held_keeps", Claim: "An ACK that changes nothing writes no rate.",
				Bug: proof.Bug{Mistake: "it writes", File: "nic_laps_rate_rates.sv", Edits: []string{
					"    r4_write_q <= r3_change;", "    r4_write_q <= r3_legal;"}},
			},
		},
	},
}
