// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of LAPS.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties}

var proveSets = []proof.Set{
	{
		Name: "handshakes", Depth: 30, K: 2,
		Free: "nic_laps_laps_pick nic_laps_laps_rate nic_laps_laps_loss *nic_lib_* t:$mul",
		Claim: "Which inputs the parts accept. Picker, rate control and loss detector, and the contents of the path tables' memories, are replaced by arbitrary " +
			"values, so the properties hold whatever they give. The parts have their own proofs.",
		Configs: []string{
			"banks=2 rows=2 destinations=2 dst_bits=2 pid_bits=3 anchors=1 lat_bits=8 time_bits=16 tag_bits=2 counter_bits=8 flows=2 flow_bits=1 depth=4 lanes=2 ack_queues=2 seq_bits=8 rto_min_ns=1000",
		},
		Texts: []string{"nic_laps.svh"},
		Properties: []proof.Property{
			{
				Name: "ack_to_both", Claim: "Path tables and loss detector get every accepted ACK, in the same cycle.",
				Bug: proof.Bug{Mistake: "it is accepted in a cycle reserved for a probe", File: "nic_laps.sv", Edits: []string{
					"assign slot = sts_ready && !tables_hold && !s_packet_valid;", "assign slot = sts_ready && !s_packet_valid;"}},
			},
			{
				Name: "to_both_only_acks", Claim: "Neither gets an ACK that is not accepted.",
				Bug: proof.Bug{Mistake: "the tables do not wait for the detector", File: "nic_laps.sv", Edits: []string{
					"(s_answer_valid || (s_ack_valid && loss_ack_ready));", "(s_answer_valid || s_ack_valid);"}},
			},
			{
				Name: "ack_as_it_is", Claim: "The tables get the ACK's path, delay and flow.",
				Bug: proof.Bug{Mistake: "they get the path of an answer", File: "nic_laps.sv", Edits: []string{
					"assign measured_pid = s_answer_valid ? s_answer_pid : s_ack_pid;", "assign measured_pid = s_answer_pid;"}},
			},
			{
				Name: "answer_to_tables", Claim: "The tables get every accepted answer to a probe, with its path and delay, and no other.",
				Bug: proof.Bug{Mistake: "one is accepted beside a packet", File: "nic_laps.sv", Edits: []string{
					"assign s_answer_ready = slot;", "assign s_answer_ready = sts_ready && !tables_hold;"}},
			},
			{
				Name: "answer_before_ack", Claim: "While an answer waits, no ACK is accepted.",
				Bug: proof.Bug{Mistake: "an ACK is accepted beside it", File: "nic_laps.sv", Edits: []string{
					"assign s_ack_ready = slot && !s_answer_valid && loss_ack_ready;", "assign s_ack_ready = slot && loss_ack_ready;"}},
			},
			{
				Name: "answer_waits_for_packets", Claim: "An answer waits only for packets and for cycles reserved for probes.",
				Bug: proof.Bug{Mistake: "it waits for the detector", File: "nic_laps.sv", Edits: []string{
					"assign s_answer_ready = slot;", "assign s_answer_ready = slot && loss_ack_ready;"}},
			},
			{
				Name: "ack_waits_for_no_more", Claim: "An ACK waits only for these, for answers and for the detector.",
				Bug: proof.Bug{Mistake: "it waits for changes of the tables", File: "nic_laps.sv", Edits: []string{
					"assign s_ack_ready = slot && !s_answer_valid && loss_ack_ready;", "assign s_ack_ready = slot && !s_answer_valid && loss_ack_ready && !s_cfg_valid;"}},
			},
			{
				Name: "nothing_before_ready", Claim: "Nothing is accepted until all parts are ready.",
				Bug: proof.Bug{Mistake: "flows are opened earlier", File: "nic_laps.sv", Edits: []string{
					"assign s_open_ready = open_ready && sts_ready;", "assign s_open_ready = open_ready;"}},
			},
			{
				Name: "delay_below_zero", Claim: "The detector gets a latency of zero for a delay below zero,",
				Bug: proof.Bug{Mistake: "its bits are used unchanged", File: "nic_laps.sv", Edits: []string{
					"if (s_ack_delay_ns[DELAY_W-1]) begin", "if (1'b0) begin"}},
			},
			{
				Name: "delay_too_long", Claim: "all ones for a delay that does not fit,",
				Bug: proof.Bug{Mistake: "it is truncated", File: "nic_laps.sv", Edits: []string{
					"else if (s_ack_delay_ns[DELAY_W-2:LAT_W] != '0)", "else if (1'b0)"}},
			},
			{
				Name: "delay_as_it_is", Claim: "and any other delay unchanged.",
				Bug: proof.Bug{Mistake: "the lowest bit is lost", File: "nic_laps.sv", Edits: []string{
					"ack_latency = s_ack_delay_ns[LAT_W-1:0];", "ack_latency = {s_ack_delay_ns[LAT_W-1:1], 1'b0};"}},
			},
		},
	},
}
