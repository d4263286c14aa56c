// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/benchtest"
)

const (
	small  = "connections=3 conn_bits=2"
	top    = "nic_plb.sv"
	pause  = "nic_plb_pause.sv"
	rounds = "nic_plb_rounds.sv"
	labels = "nic_plb_labels.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in PLB\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of [PLB](plb.md). Co-simulation\n" +
	"with seed 1 detects it, shrinks the stimulus, and writes a replay file that reproduces the failure. The last column is\n" +
	"the number of cycles with an event or a request in the shrunk stimulus."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a round with exactly K is clean", File: rounds, Set: small, Edits: []string{"p6_congested_q <= p5_balance_next[BALANCE_W-1];", "p6_congested_q <= p5_balance_next[BALANCE_W-1] && !(&p5_balance_next);"}},
	{Name: "a round without packets counts", File: rounds, Set: small, Edits: []string{"past_q[2] && p5_some_next;", "past_q[2];"}},
	{Name: "detection goes on in a pause", File: rounds, Set: small, Edits: []string{"ack_q[2] && p5_over_next && past_q[2]", "ack_q[2] && past_q[2]"}},
	{Name: "a pause begins again when the time wraps", File: rounds, Set: small, Edits: []string{"(p5_over && !fresh_q[2]) || p5_expired_q", "(p5_over && !fresh_q[2] && 1'b0) || p5_expired_q"}},
	{Name: "a round's end is compared without sign", File: rounds, Set: small, Edits: []string{"p2_past     = !p2_over[SEQ_W-1];", "p2_past     = p2_una_q >= p2_end || (p2_over[SEQ_W-1] && 1'b0);"}},
	{Name: "a new label leaves the rounds", File: labels, Set: small, Edits: []string{"p7_label_era_next = !p7_era", "p7_label_era_next = p7_era"}},
	{Name: "a clean round leaves the rounds", File: labels, Set: small, Edits: []string{"p6_clean = p6_verdict_q && !p6_congested_q;", "p6_clean = p6_verdict_q && !p6_congested_q && 1'b0;"}},
	{Name: "the rounds of a new label's cycle survive", File: labels, Set: small, Edits: []string{"p6_new   = p6_ack_is_send_q && p7_new", "p6_new   = p6_ack_is_send_q && p7_new && 1'b0"}},
	{Name: "an RTO in the cycle after a new label is lost", File: labels, Set: small, Edits: []string{"(p6_rto_is_send_q && p7_given_q) ?", "(p6_rto_is_send_q && p7_given_q && 1'b0) ?"}},
	{Name: "an RTO beside an ACK is lost", File: pause, Set: small, Edits: []string{"(p2_rto_is_ack_q && p2_ack_q) ?", "(p2_rto_is_ack_q && p2_ack_q && 1'b0) ?"}},
	{Name: "rounds begin anew when no more fit", File: labels, Set: small, Edits: []string{"p6_full = &p6_rounds", "p6_full = &p6_rounds && 1'b0"}},
	{Name: "an ACK does not see the round of the ACK before", File: "nic_plb_lane.sv", Set: small + " state_memory=bram", Edits: []string{"hit1_q  <= same1;", "hit1_q  <= same1 && 1'b0;"}},
	{Name: "nor the end of the one before that", File: "nic_plb_lane.sv", Set: small + " state_memory=bram", Edits: []string{"same2 && wrote_q && LATENCY > 1", "same2 && wrote_q && LATENCY > 2"}},
	{Name: "M is not exact", File: labels, Set: small, Edits: []string{"p7_rounds >= p7_idle_rounds_q", "p7_rounds > p7_idle_rounds_q"}},
	{Name: "N is not exact", File: labels, Set: small, Edits: []string{"p7_rounds >= p7_forced_rounds_q", "p7_rounds > p7_forced_rounds_q"}},
	{Name: "ECMP repaths after an RTO", File: top, Set: small, Edits: []string{"(p0_open_q || !p0_ecmp)", "(p0_open_q || !p0_ecmp || 1'b1)"}},
	{Name: "the target is congested", File: top, Set: small, Edits: []string{"p0_rtt_q > p0_target_q", "p0_rtt_q >= p0_target_q"}},
	{Name: "an ACK for what was never sent counts", File: top, Set: small, Edits: []string{"exists(p0_ack_conn_q) && p0_sent;", "exists(p0_ack_conn_q) && (p0_sent || 1'b1);"}},
	{Name: "a window may be 2^31", File: top, Set: small, Edits: []string{"p0_nxt_q[SEQ_W-1:WINDOW_W] ==", "p0_nxt_q[SEQ_W-1:WINDOW_W] - 2'(!p0_una_q[SEQ_W-1] && p0_nxt_q[WINDOW_W]) =="}},
	{Name: "a pause may be any time ahead", File: pause, Set: small, Edits: []string{"p4_far != FAR_W'(!p4_below);", "(p4_far != FAR_W'(!p4_below) && (p4_far[FAR_W-1] || p4_far == '0));"}},
	{Name: "a step of the clock is a jump", File: top, Set: small, Edits: []string{"STEP_W'(p0_odd)", "STEP_W'(p0_odd && 1'b0)"}},
	{Name: "a saturated balance is not counted", File: rounds, Set: small + " balance_bits=27", Edits: []string{"p6_saturated_q <= ack_q[2] && p5_outer;", "p6_saturated_q <= ack_q[2] && p5_outer && !p5_share_q[SHARE_W-1];"}},
	{Name: "an illegal SEND has no answer", File: top, Set: small + " conn_bits=3", Edits: []string{"p0_send_q && p0_taken_q};", "p0_send};"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer connections", Set: small, Params: func(p *params.Params) { p.Connections = 2 }},
	{Name: "fewer rounds", Set: small, Params: func(p *params.Params) { p.RoundBits-- }},
	{Name: "another seed", Set: small, Params: func(p *params.Params) { p.RandomSeed++ }},
	{Name: "sees no marks", Set: small, Inputs: benchtest.SetInput("s_ack_ece", 0)},
	{Name: "M one more", Set: small, Inputs: benchtest.AddInput("cfg_idle_rounds", 1)},
	{Name: "K a little more", Set: small, Inputs: benchtest.AddInput("cfg_fraction", 1)},
	{Name: "sees no RTO", Set: small, Inputs: benchtest.SetInput("s_rto_valid", 0)},
}
