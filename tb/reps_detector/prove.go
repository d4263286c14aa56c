// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of the REPS failure detector.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Shared: lib.Proofs.Texts}

var proveSets = []proof.Set{
	{
		Name: "algorithm", Depth: 20, K: 10, Quick: true,
		Claim: "A timeout of a connection, any one, gets the verdict that one event after another gives, " +
			"an RTT sample of the same cycle first.",
		Configs: []string{"connections=2 conn_bits=2 rtt_bits=8 timer_bits=16 counter_bits=8 rtt_threshold_ns=100 window_ns=1000"},
		Texts:   []string{"lib/nic_lib_ram_lut.svh", "nic_reps_detector.svh"},
		Properties: []proof.Property{
			{
				Name: "failure_as_algorithm", Claim: "It is a failure with trimming, without a high RTT since the flush, or if the last one is older than the window.",
				Bug: proof.Bug{Mistake: "a flush keeps the last high RTT", File: "nic_reps_detector.sv", Edits: []string{
					"p1_seen_q     <= p0_rtt_q;", "p1_seen_q     <= p0_rtt_q || p0_flush_q;"}},
			},
			{
				Name: "one_answer_each", Claim: "Each timeout has one verdict, 6 cycles later, and nothing else has one.",
				Bug: proof.Bug{Mistake: "timeouts of connections that do not exist are not answered", File: "nic_reps_detector.sv", Edits: []string{
					"p1_timeout_q  <= p0_timeout_q;", "p1_timeout_q  <= p0_timeout_q && p0_timeout_legal;"}},
			},
			{
				Name: "fail_is_a_verdict", Claim: "A failure for the REPS buffer is a verdict of the same cycle and connection.",
				Bug: proof.Bug{Mistake: "a failure is reported for connections that do not exist", File: "nic_reps_detector.sv", Edits: []string{
					"m_fail_valid    <= p4_timeout_q && p4_legal_q && p4_failure;", "m_fail_valid    <= p4_timeout_q && p4_failure;"}},
			},
			{
				Name: "illegal_has_no_cause", Claim: "A timeout of a connection that does not exist has no cause and is no failure.",
				Bug: proof.Bug{Mistake: "its cause is congestion or failure", File: "nic_reps_detector.sv", Edits: []string{
					"m_timeout_cause <= !p4_legal_q ? CAUSE_NONE", "m_timeout_cause <= !p4_timeout_q ? CAUSE_NONE"}},
			},
			{
				Name: "illegal_writes_nothing", Claim: "An RTT sample of a connection that does not exist writes no memory.",
				Bug: proof.Bug{Mistake: "an RTT sample's connection is not checked", File: "nic_reps_detector.sv", Edits: []string{
					"(p0_rtt_legal && (p0_flush_q || (p0_rtt_q && p0_high)));", "(p0_flush_q || (p0_rtt_q && p0_high));"}},
			},
			{
				Name: "dropped_is_counted", Claim: "An RTT sample and a timeout that come in one cycle before the unit is ready count as two.",
				Bug: proof.Bug{Mistake: "they count as one", File: "nic_reps_detector.sv", Edits: []string{
					"2'(p0_late_rtt_q) + 2'(p0_late_timeout_q);", "2'(p0_late_rtt_q || p0_late_timeout_q);"}},
			},
			{
				Name: "dropped_or_unchanged", Claim: "The counter of dropped events grows by those of three cycles before, and by nothing else.",
				Bug: proof.Bug{Mistake: "a timeout of the first cycle after rst is not counted", File: "nic_reps_detector.sv", Edits: []string{
					"p0_late_timeout_q <= s_timeout_valid && !sts_ready;", "p0_late_timeout_q <= s_timeout_valid && !ready_q;"}},
			},
		},
	},
}
