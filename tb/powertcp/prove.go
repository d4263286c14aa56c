// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"embed"
	"slices"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of PowerTCP.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Note: proveNote}

// proveNote is the note that readers of the results need.
const proveNote = "When events are accepted, and which state an ACK reads, is proved separately for each form of the unit: a hop a cycle,\n" +
	"all hops at once (`throughput=ack`), round-trip times in place of telemetry (`variant=theta`), and either with each ACK\n" +
	"(`variant=both`), this one both with a hop a cycle and with all hops at once."

// State that an ACK reads and writes, with INT and with θ.
var proveSequence = []proof.Property{
	{
		Name: "flags_are_last", Claim: "While an ACK reads the flags of its connection, none of it, nor a flush, is about to write them.",
		Bug: proof.Bug{Mistake: "an ACK waits for nothing", File: "nic_powertcp_gate.sv", Edits: []string{
			"held = 1'b1;", "held = 1'b0;"}},
	},
	{
		Name: "mark_is_last", Claim: "So it is with the mark of its round trip.",
		Bug: proof.Bug{Mistake: "only flushes hold their connection", File: "nic_powertcp_gate.sv", Edits: []string{
			"(m_ack && m_last) || m_flush};", "m_flush};"}},
	},
	{
		Name: "power_is_last", Claim: "So it is with the smoothed power.",
		Bug: proof.Bug{Mistake: "it is read for the ACK that came three cycles before", File: "nic_powertcp_ack.sv", Edits: []string{
			"p31_idx_q[(31-POWER_AT)*IDX_W +: IDX_W];", "p31_idx_q[(28-POWER_AT)*IDX_W +: IDX_W];"}},
	},
	{
		Name: "old_is_last", Claim: "So it is with cwnd_old.",
		Bug: proof.Bug{Mistake: "a connection is held a cycle less", File: "nic_powertcp_gate.sv", Edits: []string{
			"HOLD = 9;", "HOLD = 8;"}},
	},
	{
		Name: "window_is_last", Claim: "So it is with cwnd.",
		Bug: proof.Bug{Mistake: "it is read for the ACK that came three cycles before", File: "nic_powertcp_ack.sv", Edits: []string{
			"p31_idx_q[(31-WINDOW_AT)*IDX_W +: IDX_W];", "p31_idx_q[(28-WINDOW_AT)*IDX_W +: IDX_W];"}},
	},
	{
		Name: "power_when_due", Claim: "The power is stored by the first ACK of a connection and by each update, in its cycle, and by nothing else.",
		Bug: proof.Bug{Mistake: "the first ACK stores nothing", File: "nic_powertcp.sv", Edits: []string{
			".s_store        (a0_cause == CAUSE_FIRST),", ".s_store        (a0_cause == CAUSE_CHANGED),"}},
	},
	{
		Name: "window_when_due", Claim: "So is cwnd.",
		Bug: proof.Bug{Mistake: "it is stored for the ACK that comes next", File: "nic_powertcp_ack.sv", Edits: []string{
			"assign window_wr_addr = p31_idx;", "assign window_wr_addr = p31_idx_q[IDX_W +: IDX_W];"}},
	},
	{
		Name: "old_when_due", Claim: "So is cwnd_old, where a round trip begins.",
		Bug: proof.Bug{Mistake: "the first ACK does not store it", File: "nic_powertcp_ack.sv", Edits: []string{
			"(s_store || (s_update && s_renew));", "(s_update && s_renew);"}},
	},
}

// Who is taken when: says is what ends an ACK, bug a mistake in that, which the edits make
// in a file.
func proveIngress(says, bug, file string, edits ...string) []proof.Property {
	return append([]proof.Property{{
		Name: "ends_with_its_last_hop", Claim: says,
		Bug: proof.Bug{Mistake: bug, File: file, Edits: edits},
	}}, proveTaken...)
}

var proveTaken = []proof.Property{
	{
		Name: "never_too_close", Claim: "The first beat of an ACK of a connection, any one, is not taken in the 9 cycles after the last beat of another, or a flush, of it.",
		Bug: proof.Bug{Mistake: "it is in the last of them", File: "nic_powertcp_gate.sv", Edits: []string{
			"if (held_valid_q[i] && held_idx_q", "if (i < HOLD - 1 && held_valid_q[i] && held_idx_q"}},
	},
	{
		Name: "waits_for_its_own", Claim: "An ACK waits for nothing else.",
		Bug: proof.Bug{Mistake: "it waits whatever connection is held", File: "nic_powertcp_gate.sv", Edits: []string{
			"if (held_valid_q[i] && held_idx_q[i*IDX_W +: IDX_W] == m_conn[IDX_W-1:0]) begin", "if (held_valid_q[i]) begin"}},
	},
	{
		Name: "waits_at_most", Claim: "So it waits 9 cycles at most.",
		Bug: proof.Bug{Mistake: "a connection is held for 12 cycles", File: "nic_powertcp_gate.sv", Edits: []string{
			"HOLD = 9;", "HOLD = 12;"}},
	},
	{
		Name: "flush_waits_for_acks", Claim: "A flush is taken in the first cycle without an ACK in which its connection is not held.",
		Bug: proof.Bug{Mistake: "it waits a cycle longer", File: "nic_powertcp_gate.sv", Edits: []string{
			"&& !held && !s_ack_valid;", "&& !held && !s_ack_valid && !(held_valid_q[0] && beat_q[0]);"}},
	},
	{
		Name: "one_answer_each", Claim: "Each ACK has one window, in its fixed time after the last beat, so in order, and nothing else has one.",
		Bug: proof.Bug{Mistake: "windows come a cycle early", File: "nic_powertcp.sv", Edits: []string{
			"last_q <= {last_q[START_LAT-2:0], p2_last_q};", "last_q <= {last_q[START_LAT-2:0], p1_last_q};"}},
	},
}

// Few connections: any one, and what the others do.
const (
	proveTwo   = "connections=2 conn_bits=2 path_bits=1 counter_bits=8"
	proveThree = "connections=3 conn_bits=3 path_bits=1 counter_bits=8"
)

// All that has no say in who is taken when.
const proveIngressFree = "nic_powertcp_hop nic_powertcp_theta *nic_lib_recip* *nic_lib_normalise* *nic_lib_ram_block* *nic_lib_delay* t:$mul"

// Signals without influence on the state that ACKs read.
const proveSequenceFree = "nic_powertcp_hop nic_powertcp_theta *nic_lib_recip* *nic_lib_normalise* *nic_lib_ram_block* t:$mul"

// Further state that an ACK of θ-PowerTCP reads.
var proveTheta = []proof.Property{
	{
		Name: "rtt_is_last", Claim: "So it is with the round-trip time of the last update and its time.",
		Bug: proof.Bug{Mistake: "a connection is held for one cycle", File: "nic_powertcp_gate.sv", Edits: []string{
			"HOLD = 9;", "HOLD = 1;"}},
	},
	{
		Name: "tau_is_last", Claim: "So it is with τ.",
		Bug: proof.Bug{Mistake: "a connection is held for two cycles", File: "nic_powertcp_gate.sv", Edits: []string{
			"HOLD = 9;", "HOLD = 2;"}},
	},
}

// Further state that an ACK with telemetry reads.
var proveRecord = proof.Property{
	Name: "record_is_last", Claim: "So it is with the record of each of its hops.",
	Bug: proof.Bug{Mistake: "two hops share a record", File: "nic_powertcp.sv", Edits: []string{
		"HOP_W'(in_beat - 5'd1);", "HOP_W'(in_beat >> 1);"}},
}

// The same with all hops at once.
var proveLanes = proof.Property{
	Name: "record_is_last", Claim: "So it is with the records of its hops.",
	Bug: proof.Bug{Mistake: "a connection is held for one cycle", File: "nic_powertcp_gate.sv", Edits: []string{
		"HOLD = 9;", "HOLD = 1;"}},
}

var proveSets = []proof.Set{
	{
		Name: "window", Top: "nic_powertcp_ack", Depth: 20, K: 10, Free: "t:$mul", AnyState: true,
		Claim: "The ACK lane from any state, that is whatever the registers and memories hold, whatever the hop lanes bring " +
			"and, stronger than the unit, whatever its multipliers give: the answers from the ninth cycle on. In the second configuration it is θ-PowerTCP.",
		Configs: []string{"variant=int", "variant=theta", "variant=both", "throughput=ack hops=2", "variant=both throughput=ack hops=2"},
		Texts:   []string{"lane/nic_powertcp_ack.svh"},
		Properties: []proof.Property{
			{
				Name: "window_in_limits", Claim: "A window is within cfg_min_window and cfg_max_window as they were 7 cycles before, if the first was not above the second.",
				Bug: proof.Bug{Mistake: "a sum below zero is not cut", File: "nic_powertcp_window.sv", Edits: []string{
					"p31_low_q  <= p30_next[28] || p30_next[27:0]", "p31_low_q  <= p30_next[27:0]"}},
			},
			{
				Name: "stored_in_limits", Claim: "So are the windows that are stored.",
				Bug: proof.Bug{Mistake: "windows are stored before they are cut", File: "nic_powertcp_window.sv", Edits: []string{
					"assign m_window = p31_window;", "assign m_window = p31_next_q;"}},
			},
			{
				Name: "low_is_least", Claim: "A window that counts as cut from below is cfg_min_window.",
				Bug: proof.Bug{Mistake: "all that are cut count as cut from below", File: "nic_powertcp_ack.sv", Edits: []string{
					"{p31_update && p31_low,", "{p31_update && (p31_low || p31_high),"}},
			},
			{
				Name: "high_is_largest", Claim: "One that counts as cut from above is cfg_max_window.",
				Bug: proof.Bug{Mistake: "one of which both hold counts as cut from above", File: "nic_powertcp_window.sv", Edits: []string{
					"p31_high_q && !p31_low_q;", "p31_high_q;"}},
			},
			{
				Name: "illegal_is_zero", Claim: "The answer to an ACK of a connection that does not exist is empty.",
				Bug: proof.Bug{Mistake: "it shows the normalised power", File: "nic_powertcp_ack.sv", Edits: []string{
					"p37_norm_q   <= '0;", "p37_norm_q   <= p36_norm;"}},
			},
		},
	},
	{
		Name: "ingress", Depth: 80, K: 2,
		Free: proveIngressFree,
		Claim: "Who is taken when, and that there is a window for each ACK, 64 cycles after its last beat; hop lanes, memories and arithmetic give anything. An ACK says the same " +
			"number of hops with all its beats.",
		Configs: []string{"variant=int " + proveTwo, "variant=int " + proveThree},
		Texts:   []string{"single/nic_powertcp.svh", "beats/nic_powertcp.svh", "ingress/telemetry/nic_powertcp.svh", "ingress/nic_powertcp.svh"},
		Properties: proveIngress("An ACK ends with the beat of its last hop; without hops, with its first.",
			"a beat too many is awaited", "nic_powertcp_gate.sv", "s_ack_beats <= beat_q;", "s_ack_beats < beat_q;"),
	},
	{
		Name: "ingress_both", Depth: 80, K: 2, Free: proveIngressFree,
		Claim:   "The same where an ACK is of either algorithm, and of the same with all its beats.",
		Configs: []string{"variant=both " + proveTwo},
		Texts:   []string{"both/nic_powertcp.svh", "beats/nic_powertcp.svh", "ingress/telemetry/nic_powertcp.svh", "ingress/nic_powertcp.svh"},
		Properties: proveIngress("An ACK ends with the beat of its last hop; without hops, or of θ-PowerTCP, with its first.",
			"one of θ-PowerTCP awaits its hops", "nic_powertcp.sv", "s_ack_theta ? 5'd1 : s_ack_hop_cnt;", "s_ack_hop_cnt;"),
	},
	{
		Name: "ingress_lanes", Depth: 80, K: 2, Free: proveIngressFree,
		Claim:   "The same where an ACK has one beat with all of its hops.",
		Configs: []string{"throughput=ack hops=2 " + proveTwo, "variant=both throughput=ack hops=2 " + proveTwo},
		Texts:   []string{"single/nic_powertcp.svh", "one/nic_powertcp.svh", "ingress/telemetry/nic_powertcp.svh", "ingress/nic_powertcp.svh"},
		Properties: proveIngress("An ACK ends with its beat.",
			"one without hops does not", "nic_powertcp.sv", "assign in_beats = 5'd1;", "assign in_beats = (s_ack_hop_cnt == '0) ? 5'd2 : 5'd1;"),
	},
	{
		Name: "ingress_theta", Depth: 80, K: 2, Free: proveIngressFree,
		Claim:   "The same for θ-PowerTCP: an ACK has one beat, and its window 63 cycles later.",
		Configs: []string{"variant=theta " + proveTwo},
		Texts:   []string{"single/nic_powertcp.svh", "one/nic_powertcp.svh", "ingress/theta/nic_powertcp.svh", "ingress/nic_powertcp.svh"},
		Properties: proveIngress("An ACK ends with its beat.",
			"one without a round-trip time does not", "nic_powertcp.sv", "assign in_beats = 5'd1;", "assign in_beats = (s_ack_rtt_ns == '0) ? 5'd2 : 5'd1;"),
	},
	{
		Name: "sequence", Depth: 90, K: 6,
		Free: proveSequenceFree,
		Claim: "An ACK of a connection, any one, finds all parts of the state as the ACK before left them, at whatever distance it comes and whatever other " +
			"connections do: so ACKs at any distance give what they give one after another. Hop lanes, memories and arithmetic give anything. An ACK " +
			"says the same connection and number of hops with all its beats.",
		Configs: []string{"variant=int " + proveTwo, "variant=int " + proveThree, "variant=int ram_latency=1 " + proveTwo},
		Texts: []string{
			"single/nic_powertcp.svh", "beats/nic_powertcp.svh", "sequence/beats/nic_powertcp.svh", "sequence/nic_powertcp.svh",
		},
		Properties: append(slices.Clone(proveSequence), proveRecord),
	},
	{
		Name: "sequence_observed", Depth: 90, K: 6,
		Free:    proveSequenceFree,
		Claim:   "The same where the base round-trip time is observed.",
		Configs: []string{"base_rtt=observed " + proveTwo},
		Texts: []string{
			"single/nic_powertcp.svh", "beats/nic_powertcp.svh", "sequence/beats/nic_powertcp.svh", "sequence/observed/nic_powertcp.svh", "sequence/nic_powertcp.svh",
		},
		Properties: append(slices.Clone(proveSequence), proveRecord, proof.Property{
			Name: "tau_is_last", Claim: "So it is with τ, with each of its beats.",
			Bug: proof.Bug{Mistake: "a connection is held for two cycles", File: "nic_powertcp_gate.sv", Edits: []string{
				"HOLD = 9;", "HOLD = 2;"}},
		}),
	},
	{
		Name: "sequence_theta", Depth: 90, K: 6,
		Free:    proveSequenceFree,
		Claim:   "The same for θ-PowerTCP.",
		Configs: []string{"variant=theta " + proveTwo, "variant=theta " + proveThree},
		Texts: []string{
			"single/nic_powertcp.svh", "one/nic_powertcp.svh", "sequence/one/nic_powertcp.svh", "sequence/theta/nic_powertcp.svh", "sequence/nic_powertcp.svh",
		},
		Properties: slices.Concat(proveSequence, proveTheta),
	},
	{
		Name: "sequence_both", Depth: 90, K: 6, Free: proveSequenceFree,
		Claim:   "The same where an ACK is of either algorithm, and of the same with all its beats.",
		Configs: []string{"variant=both " + proveTwo, "variant=both " + proveThree},
		Texts: []string{
			"both/nic_powertcp.svh", "beats/nic_powertcp.svh", "sequence/beats/nic_powertcp.svh", "sequence/theta/nic_powertcp.svh",
			"sequence/nic_powertcp.svh",
		},
		Properties: slices.Concat(proveSequence, []proof.Property{proveRecord}, proveTheta),
	},
	{
		Name: "sequence_lanes", Depth: 90, K: 6, Free: proveSequenceFree,
		Claim:   "The same with all hops at once.",
		Configs: []string{"throughput=ack hops=2 " + proveTwo, "throughput=ack hops=2 " + proveThree},
		Texts: []string{
			"single/nic_powertcp.svh", "one/nic_powertcp.svh", "sequence/one/nic_powertcp.svh", "sequence/lanes/nic_powertcp.svh", "sequence/nic_powertcp.svh",
		},
		Properties: append(slices.Clone(proveSequence), proveLanes),
	},
	{
		Name: "sequence_lanes_both", Depth: 90, K: 6, Free: proveSequenceFree,
		Claim:   "The same with all hops at once, where an ACK is of either algorithm.",
		Configs: []string{"variant=both throughput=ack hops=2 " + proveTwo},
		Texts: []string{
			"both/nic_powertcp.svh", "one/nic_powertcp.svh", "sequence/one/nic_powertcp.svh", "sequence/lanes/nic_powertcp.svh", "sequence/theta/nic_powertcp.svh",
			"sequence/nic_powertcp.svh",
		},
		Properties: slices.Concat(proveSequence, []proof.Property{proveLanes}, proveTheta),
	},
}
