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

// proveNote is the note that readers of the results need.
const proveNote = "These proofs do not cover `ack_lookup` own, where ACKs have their own copy of the sets and are accepted beside packets.\n" +
	"Of the tables' contents they cover only the destination of a path and the tags of packets. Their contents are covered by co-simulation only."

// The smallest tables, with numbers of paths and of destinations that do not exist.
const proveTwo = "dst_bits=2 rows=2 anchors=1 lat_bits=8 time_bits=16 tag_bits=2 counter_bits=8"

// The memories that are free, and the product that the multipliers lead to.
const proveFree = "*nic_laps_paths_change*/scale *nic_laps_paths_set*/pst *nic_laps_paths_hold*/marks *nic_laps_paths_probe*/last *nic_laps_paths_pick*/anchors *nic_laps_paths_bank*/state *nic_laps_paths_change*/u8_d_q"

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
					"assign s_ack_ready   = ready && !sts_hold && !s_packet_valid;", "assign s_ack_ready   = ready && !sts_hold;"}},
			},
			{
				Name: "ack_waits_for_packets", Claim: "An ACK is accepted in the first cycle without a packet that is not reserved for a probe.",
				Bug: proof.Bug{Mistake: "it waits for the previous ACK", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_ack_ready   = ready && !sts_hold && !s_packet_valid;", "assign s_ack_ready   = ready && !sts_hold && !s_packet_valid && !u3_ack;"}},
			},
			{
				Name: "ack_before_setting", Claim: "While an ACK waits, no change of the tables is accepted.",
				Bug: proof.Bug{Mistake: "a change is accepted beside an ACK", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_cfg_ready   = ready && !s_ack_valid &&", "assign s_cfg_ready   = ready &&"}},
			},
			{
				Name: "setting_waits_for_acks", Claim: "A change is accepted in the first cycle without an ACK; a path write only if that cycle is not reserved for a probe.",
				Bug: proof.Bug{Mistake: "it waits for packets", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_cfg_ready   = ready && !s_ack_valid &&", "assign s_cfg_ready   = ready && !s_ack_valid && !s_packet_valid &&"}},
			},
			{
				Name: "pick_before_route", Claim: "In a cycle with a pick no route request is accepted.",
				Bug: proof.Bug{Mistake: "one is accepted beside it", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_route_ready = ready && !s_pick_valid;", "assign s_route_ready = ready;"}},
			},
			{
				Name: "route_waits_for_picks", Claim: "A route request is accepted in the first cycle without a pick.",
				Bug: proof.Bug{Mistake: "it waits a cycle longer", File: "nic_laps_paths.sv", Edits: []string{
					"assign s_route_ready = ready && !s_pick_valid;", "assign s_route_ready = ready && !s_pick_valid && !m_path_valid;"}},
			},
			{
				Name: "hold_is_rare", Claim: "At most one of HOLD_STEP cycles is reserved for a probe.",
				Bug: proof.Bug{Mistake: "only the previous packet counts", File: "nic_laps_paths_hold.sv", Edits: []string{
					"mark1 && held_q == '0;", "mark1 && !held_q[0];"}},
			},
			{
				Name: "packet_is_answered", Claim: "Each packet gets its candidates 14 cycles later, with consecutive packet numbers, and nothing else gets candidates.",
				Bug: proof.Bug{Mistake: "candidates come a cycle early", File: "nic_laps_paths.sv", Edits: []string{
					"assign m_cand_valid  = p_packet_q[13];", "assign m_cand_valid  = p_packet_q[12];"}},
			},
			{
				Name: "ack_is_answered", Claim: "An ACK of any path that belongs to a destination is answered 12 cycles later; no other ACK and no answer to a probe is.",
				Bug: proof.Bug{Mistake: "an ACK of a path that belongs to none is answered", File: "nic_laps_paths_change.sv", Edits: []string{
					"u3_asks_q     <= u2_measured && !u2_probe_q;", "u3_asks_q     <= u2_ack_q && !u2_probe_q;"}},
			},
			{
				Name: "answer_is_its_own", Claim: "That answer has the ACK's tag and the destination of its path.",
				Bug: proof.Bug{Mistake: "it has the destination of the last change", File: "nic_laps_paths_change.sv", Edits: []string{
					"= u2_ack_q ? u2_owner : u2_dst_q;", "= u2_dst_q;"}},
			},
			{
				Name: "only_acks_are_answered", Claim: "There is no answer for rate control without an ACK.",
				Bug: proof.Bug{Mistake: "an answer to a probe is answered", File: "nic_laps_paths_change.sv", Edits: []string{
					"u3_asks_q     <= u2_measured && !u2_probe_q;", "u3_asks_q     <= u2_measured;"}},
			},
			{
				Name: "pick_is_answered", Claim: "Each pick is answered 5 cycles later, and nothing else is.",
				Bug: proof.Bug{Mistake: "m_path_none comes a cycle early", File: "nic_laps_paths_pick.sv", Edits: []string{
					"k4_none_q     <= k3_none_q;", "k4_none_q     <= k2_none_q;"}},
			},
			{
				Name: "route_is_answered", Claim: "Each route request of a path that exists is answered 5 cycles later, never beside a pick, and nothing else is.",
				Bug: proof.Bug{Mistake: "it is accepted beside a pick", File: "nic_laps_paths.sv", Edits: []string{
					".s_route        (s_route_valid && s_route_ready),", ".s_route        (s_route_valid && ready),"}},
			},
			{
				Name: "path_has_its_tag", Claim: "The path of a packet has the tag of the last packet that had the number of the pick.",
				Bug: proof.Bug{Mistake: "the tag is written to the previous number", File: "nic_laps_paths_pick.sv", Edits: []string{
					".wr_addr (id10_q),", ".wr_addr (id11_q),"}},
			},
			{
				Name: "illegal_is_told", Claim: "A packet, ACK, change or route request that names a path or destination that does not exist is reported 5 cycles later.",
				Bug: proof.Bug{Mistake: "packets to destinations that do not exist are not reported", File: "nic_laps_paths_count.sv", Edits: []string{
					"2'(s_bad_change) + 2'(s_bad_packet) + 2'(s_bad_route);", "2'(s_bad_change) + 2'(s_bad_route);"}},
			},
			{
				Name: "illegal_change_writes_nothing", Claim: "Such a change or ACK writes no memory.",
				Bug: proof.Bug{Mistake: "the destination of a path is not checked", File: "nic_laps_paths_change.sv", Edits: []string{
					"u0_op_q == OP_PATH && u0_pid_legal && u0_dst_ok_q;", "u0_op_q == OP_PATH && u0_pid_legal;"}},
			},
			{
				Name: "illegal_packet_has_none", Claim: "Such a packet has no candidate and no probe.",
				Bug: proof.Bug{Mistake: "its destination is not checked", File: "nic_laps_paths_sets.sv", Edits: []string{
					"p9_packet_q ? s_p9_legal : u9_lookup_q", "p9_packet_q || u9_lookup_q"}},
			},
			{
				Name: "one_write_a_cycle", Claim: "A probe's doubling and a change never need the banks' write bus in the same cycle.",
				Bug: proof.Bug{Mistake: "a packet probes whatever change is accepted 5 cycles later", File: "nic_laps_paths_probe.sv", Edits: []string{
					"= p11_packet_q && !s_u6_write;", "= p11_packet_q;"}},
			},
			{
				Name: "one_read_a_cycle", Claim: "A packet and an ACK never need the read port of the sets in the same cycle.",
				Bug: proof.Bug{Mistake: "an ACK enters beside a packet", File: "nic_laps_paths.sv", Edits: []string{
					".s_ack            (s_ack_valid && s_ack_ready),", ".s_ack            (s_ack_valid && ready),"}},
			},
			{
				Name: "probe_has_a_packet", Claim: "A probe comes with the candidates of a packet, for its destination, on one of its usable paths.",
				Bug: proof.Bug{Mistake: "it goes to the destination of the next packet", File: "nic_laps_paths_probe.sv", Edits: []string{
					"assign m_p13_dst   = dsts_q[2*DST_W +: DST_W];", "assign m_p13_dst   = dsts_q[1*DST_W +: DST_W];"}},
			},
			{
				Name: "not_probed_twice", Claim: "Any path that was probed in one of the 4 previous cycles is not probed again, unless it was changed since.",
				Bug: proof.Bug{Mistake: "records of probes are not checked", File: "nic_laps_paths_probe.sv", Edits: []string{
					"s_p10_used & s_p10_expired & ~old10;", "s_p10_used & s_p10_expired;"}},
			},
		},
	},
	{
		Name: "probes", Depth: 30, K: 2, Top: "nic_laps_paths_probe",
		Claim: "Which paths are probed (L4), of the part that decides it, whatever the rest of the unit does: the sets, the ages and the order of packets and changes are arbitrary, as is what the memory of the last probes holds at first.",
		Configs: []string{
			proveTwo + " destinations=2 banks=2 pid_bits=3",
			proveTwo + " destinations=3 banks=4 pid_bits=4",
		},
		Texts: []string{"lib/nic_lib_ram_block.svh", "nic_laps_paths_probe.svh"},
		Properties: []proof.Property{
			{
				Name: "every_path_is_reached", Claim: "Any path that has expired is probed within as many packets to its destination as the destination has paths, not counting those whose probe has to wait.",
				Bug: proof.Bug{Mistake: "the search always starts in the first bank", File: "nic_laps_paths_probe.sv", Config: 1, Edits: []string{
					"= open11_q & behind11;", "= open11_q;"}},
			},
			{
				Name: "one_is_probed", Claim: "A packet with a due path, whose probe need not wait, probes one of the due paths, and no other.",
				Bug: proof.Bug{Mistake: "a path that is due only in front of the last probe is not found", File: "nic_laps_paths_probe.sv", Edits: []string{
					": next_none ? due11 & due_neg", ": next_none ? next11 & next_neg"}},
			},
		},
	},
}
