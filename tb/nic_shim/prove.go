// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files of the parts.
const (
	insertFile = "nic_shim_insert.sv"
	removeFile = "nic_shim_remove.sv"
)

// formats lists the configurations: the one with INT alone has the paths of the first one without LAPS'
// paths.
var formats = []string{"counter_bits=8", "formats=laps counter_bits=8"}

// proofs are the properties of both ways.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "insert", Depth: 10, K: 2,
		Claim:   "Frames to the network: every byte that leaves, any one of a beat, is the one that frame[0:12] shim frame[12:] has there, with any gaps, back-pressure and resets.",
		Configs: formats,
		Top:     "nic_shim_insert",
		Texts:   []string{"nic_shim_insert.svh"},
		Properties: []proof.Property{
			{
				Name: "ready_but_for_rests", Claim: "A beat is taken whenever the line can take one, except in the cycle in which the rest of a last beat leaves.",
				Bug: proof.Bug{Mistake: "a beat is taken while a rest waits", File: insertFile, Edits: []string{
					"assign s_ready = (m_ready || !m_valid) && !rest_q;", "assign s_ready = m_ready || !m_valid;"}},
			},
			{
				Name: "beats_are_the_frames", Claim: "Each beat that is taken leaves as one, a rest as one more; it stands until it is taken, and has the bytes, the end and the mark of its frame.",
				Bug: proof.Bug{Mistake: "the rest of a last beat is lost", File: insertFile, Edits: []string{"rest_q      <= s_last && more;", "rest_q      <= s_last && more && 1'b0;"}},
			},
			{
				Name: "bytes_are_in_place", Claim: "Each byte is that of the frame, or of its shim.",
				Bug: proof.Bug{Mistake: "the EtherType's bytes change places", File: insertFile, Edits: []string{"ether_type[7:0], ether_type[15:8]}", "ether_type}"}},
			},
			{
				Name: "told", Claim: "Frames, shims and shims that cannot be put in are told in the cycle after their beat.",
				Bug: proof.Bug{Mistake: "a frame of 13 bytes gets a shim", File: insertFile, Edits: []string{"s_shim_valid && s_keep[13] && s_shim_subtype == 4'd1", "s_shim_valid && s_keep[12] && s_shim_subtype == 4'd1"}},
			},
		},
	},
	{
		Name: "remove", Depth: 12, K: 5,
		Claim:   "Frames from the network: every byte that leaves, any one of a beat, is the one that frame[0:12] frame[12+size:] has there, with any gaps and resets.",
		Configs: formats,
		Top:     "nic_shim_remove",
		Texts:   []string{"nic_shim_remove.svh"},
		Properties: []proof.Property{
			{
				Name: "one_beat_at_a_time", Claim: "A beat that leaves as a whole and one that the next beat fills up never leave in one cycle: no beat is lost.",
				Bug: proof.Bug{Mistake: "a first beat leaves with its shim's room empty", File: removeFile, Edits: []string{"(!p0_shim || p0_rest)", "(!p0_shim || p0_rest || p0_first_q)"}},
			},
			{
				Name: "beats_are_the_frames", Claim: "A beat leaves three cycles after it came, or two cycles after the one that fills it up, with the bytes, the end and the mark of its frame; those of probes and answers do not.",
				Bug: proof.Bug{Mistake: "the second beat of a probe goes on", File: removeFile, Edits: []string{"!p0_first_q ? p0_end_q", "!p0_first_q ? p0_end_q && 1'b0"}},
			},
			{
				Name: "bytes_are_in_place", Claim: "Each byte is that of the frame without its shim.",
				Bug: proof.Bug{Mistake: "the addresses of the second beat are kept", File: removeFile, Edits: []string{"if (p0_first_q) begin\n      p0_kept[0", "if (1'b1) begin\n      p0_kept[0"}},
			},
			{
				Name: "record_is_the_shim", Claim: "Each shim that is understood gives a record, three cycles after its beat; any byte of its body is that of the frame.",
				Bug: proof.Bug{Mistake: "a record comes a cycle early", File: removeFile, Edits: []string{"m_record_valid <= p1_record_q;", "m_record_valid <= p0_valid_q && p0_first_q && p0_shim;"}},
			},
			{
				Name: "told", Claim: "Frames, and shims that are not understood, are told three cycles after their beat.",
				Bug: proof.Bug{Mistake: "a shim that ends with its frame is understood", File: removeFile, Edits: []string{"s_keep[45]", "s_keep[44]"}},
			},
		},
	},
}}
