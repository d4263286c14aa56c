// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"embed"

	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// Proofs are the properties of the path tables.
var Proofs = &proof.Proofs{Sets: proveSets, Texts: properties, Shared: lib.Proofs.Texts, Note: proveNote}

// proveNote is what a reader of the results has to know.
const proveNote = "These proofs do not cover `ack_lookup` own, where ACKs have their own copy of the sets and are accepted beside packets.\n" +
	"Of the tables' contents they cover only the destination of a path and the tags of packets. Their contents are covered by co-simulation only."

// The smallest tables, with numbers of paths and of destinations that do not exist.
const proveTwo = "dst_bits=2 rows=2 anchors=1 lat_bits=8 time_bits=16 tag_bits=2 counter_bits=8"

// The memories that are free, and the product that the multipliers lead to.
const proveFree = "nic_laps_paths/scale nic_laps_paths/pst nic_laps_paths/marks nic_laps_paths/anchors nic_laps_paths/g_bank*state nic_laps_paths/u7_d_q"

var proveSets = []proof.Set{
	{
		Name: "requests", Depth: 40, K: 2, Free: proveFree,
		Claim: "When requests are accepted and how they are answered, with ack_lookup shared. The memories of sets, scales, marks, latencies and anchors, and the " +
			"multipliers, are replaced by arbitrary values, which proves more than the unit needs.",
		Configs: []string{
			proveTwo + " destinations=2 banks=2 pid_bits=3",
			proveTwo + " destinations=3 banks=4 pid_bits=4",
		},
		Texts: []string{"lib/nic_lib_ram_block.svh", "lib/nic_lib_ram_lut.svh", "nic_laps_paths.svh"},
		Properties: []proof.Property{
			{
				Name: "packet_before_ack", Claim: "In a cycle with a packet no ACK is accepted.",
				Bug: proof.Bug{Mistake: "an ACK is accepted beside a packet", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_ack_ready   = ready_q && !sts_hold && !s_packet_valid;", "assign s_ack_ready   = ready_q && !sts_hold;"}},
			},
			{
				Name: "ack_waits_for_packets", Claim: "An ACK is accepted in the first cycle without a packet that is not reserved for a probe.",
				Bug: proof.Bug{Mistake: "it waits for the previous ACK", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_ack_ready   = ready_q && !sts_hold && !s_packet_valid;", "assign s_ack_ready   = ready_q && !sts_hold && !s_packet_valid && !u0_ack_q;"}},
			},
			{
				Name: "ack_before_setting", Claim: "While an ACK waits, no change of the tables is accepted.",
				Bug: proof.Bug{Mistake: "a change is accepted beside an ACK", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_cfg_ready   = ready_q && !s_ack_valid &&", "assign s_cfg_ready   = ready_q &&"}},
			},
			{
				Name: "setting_waits_for_acks", Claim: "A change is accepted in the first cycle without an ACK; a path write only if that cycle is not reserved for a probe.",
				Bug: proof.Bug{Mistake: "it waits for packets", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_cfg_ready   = ready_q && !s_ack_valid &&", "assign s_cfg_ready   = ready_q && !s_ack_valid && !s_packet_valid &&"}},
			},
			{
				Name: "pick_before_route", Claim: "In a cycle with a pick no route request is accepted.",
				Bug: proof.Bug{Mistake: "one is accepted beside it", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_route_ready = ready_q && !s_pick_valid;", "assign s_route_ready = ready_q;"}},
			},
			{
				Name: "route_waits_for_picks", Claim: "A route request is accepted in the first cycle without a pick.",
				Bug: proof.Bug{Mistake: "it waits a cycle longer", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_route_ready = ready_q && !s_pick_valid;", "assign s_route_ready = ready_q && !s_pick_valid && !k0_pick_q;"}},
			},
			{
				Name: "hold_is_rare", Claim: "At most one of HOLD_STEP cycles is reserved for a probe.",
				Bug: proof.Bug{Mistake: "only the previous packet counts", File: "nic_laps_paths.sv", Edits: []string{
					"mark1 && held_q == '0;", "mark1 && !held_q[0];"}},
			},
			{
				Name: "packet_is_answered", Claim: "Each packet gets its candidates 13 cycles later, with consecutive packet numbers, and nothing else gets candidates.",
				Bug: proof.Bug{Mistake: "candidates come a cycle early", File: "nic_laps_paths.sv", Edits: []string{
					"m_cand_valid   <= p_packet_q[11];", "m_cand_valid   <= p_packet_q[10];"}},
			},
			{
				Name: "ack_is_answered", Claim: "An ACK of any path that belongs to a destination is answered 11 cycles later; no other ACK and no answer to a probe is.",
				Bug: proof.Bug{Mistake: "an ACK of a path that belongs to none is answered", File: "nic_laps_paths.sv", Edits: []string{
					"u1_ack_q && u1_owned && !u1_probe_q};", "u1_ack_q && !u1_probe_q};"}},
			},
			{
				Name: "answer_is_its_own", Claim: "That answer has the ACK's tag and the destination of its path.",
				Bug: proof.Bug{Mistake: "it has the destination of the last change", File: "nic_laps_paths.sv", Edits: []string{
					"assign u1_dst     = u1_ack_q ? u1_owner : u1_dst_q;", "assign u1_dst     = u1_dst_q;"}},
			},
			{
				Name: "only_acks_are_answered", Claim: "There is no answer for rate control without an ACK.",
				Bug: proof.Bug{Mistake: "an answer to a probe is answered", File: "nic_laps_paths.sv", Edits: []string{
					"u1_ack_q && u1_owned && !u1_probe_q};", "u1_ack_q && u1_owned};"}},
			},
			{
				Name: "pick_is_answered", Claim: "Each pick is answered 4 cycles later, and nothing else is.",
				Bug: proof.Bug{Mistake: "m_path_none comes a cycle early", File: "nic_laps_paths.sv", Edits: []string{
					"m_path_none   <= k2_none_q;", "m_path_none   <= k1_none_q;"}},
			},
			{
				Name: "route_is_answered", Claim: "Each route request of a path that exists is answered 4 cycles later, never beside a pick, and nothing else is.",
				Bug: proof.Bug{Mistake: "it is accepted beside a pick", File: "nic_laps_paths.sv", Edits: []string{
					"k0_route_q   <= s_route_valid && s_route_ready;", "k0_route_q   <= s_route_valid && ready_q;"}},
			},
			{
				Name: "path_has_its_tag", Claim: "The path of a packet has the tag of the last packet that had the number of the pick.",
				Bug: proof.Bug{Mistake: "the tag is written to the previous number", File: "nic_laps_paths.sv", Edits: []string{
					".wr_addr (id9_q),", ".wr_addr (id10_q),"}},
			},
			{
				Name: "illegal_is_told", Claim: "A packet, ACK, change or route request that names a path or destination that does not exist is reported 4 cycles later.",
				Bug: proof.Bug{Mistake: "packets to destinations that do not exist are not reported", File: "nic_laps_paths.sv", Edits: []string{
					"2'(c2_change_q) + 2'(c2_dst_q) + 2'(k2_illegal_q);", "2'(c2_change_q) + 2'(k2_illegal_q);"}},
			},
			{
				Name: "illegal_change_writes_nothing", Claim: "Such a change or ACK writes no memory.",
				Bug: proof.Bug{Mistake: "the destination of a path is not checked", File: "nic_laps_paths.sv", Edits: []string{
					"u0_op_q == OP_PATH && u0_pid_legal && u0_dst_ok_q;", "u0_op_q == OP_PATH && u0_pid_legal;"}},
			},
			{
				Name: "illegal_packet_has_none", Claim: "Such a packet has no candidate and no probe.",
				Bug: proof.Bug{Mistake: "its destination is not checked", File: "nic_laps_paths.sv", Edits: []string{
					"(p8_legal || !p_packet_q[8])", "1'b1"}},
			},
			{
				Name: "one_write_a_cycle", Claim: "A probe's doubling and a change never need the banks' write bus in the same cycle.",
				Bug: proof.Bug{Mistake: "a packet probes whatever change is accepted 5 cycles later", File: "nic_laps_paths.sv", Edits: []string{
					"(p_packet_q[10] && !u_write_q[5])", "(p_packet_q[10])"}},
			},
			{
				Name: "one_read_a_cycle", Claim: "A packet and an ACK never need the read port of the sets in the same cycle.",
				Bug: proof.Bug{Mistake: "an ACK enters beside a packet", File: "nic_laps_paths.sv", Edits: []string{
					"u0_ack_q     <= s_ack_valid && s_ack_ready;", "u0_ack_q     <= s_ack_valid && ready_q;"}},
			},
			{
				Name: "probe_has_a_packet", Claim: "A probe comes with the candidates of a packet, for its destination, on one of its usable paths.",
				Bug: proof.Bug{Mistake: "it goes to the destination of the next packet", File: "nic_laps_paths.sv", Edits: []string{
					"assign p12_dst     = dsts_q[2*DST_W +: DST_W];", "assign p12_dst     = dsts_q[1*DST_W +: DST_W];"}},
			},
			{
				Name: "not_probed_twice", Claim: "Any path that was probed in one of the 4 previous cycles is not probed again, unless it was changed since.",
				Bug: proof.Bug{Mistake: "records of probes are not checked", File: "nic_laps_paths.sv", Edits: []string{
					"assign due10   = expired10_q & ~held10;", "assign due10   = expired10_q;"}},
			},
		},
	},
}
