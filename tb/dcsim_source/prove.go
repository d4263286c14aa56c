// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// ringFile is the part that is proved by itself.
const ringFile = "nic_dcsim_source_ring.sv"

func sources() ([]gen.File, error) { return params.Default().Files() }

// proofs are the properties of the source host's parts.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "ring", Depth: 24,
		Claim: "All packets in flight are released as from a list sorted by time: RTTmax (here 5) after they were sent, acknowledged if a SIM-ACK of " +
			"their place came up to then.",
		Configs: []string{"WIDTH=1 IDX_W=2 ROW_W=1 PTR_W=2 TIME_W=4"},
		Top:     "nic_dcsim_source_ring", Sources: sources,
		Texts: []string{"nic_dcsim_source_ring.svh"},
		Properties: []proof.Property{
			{
				Name: "leaves_at_its_time", Claim: "It is handed on exactly RTTmax after it was sent, and two cycles.",
				Bug: proof.Bug{Mistake: "it leaves one cycle late", File: ringFile, Edits: []string{"now + TIME_W'(2) - span", "now + TIME_W'(1) - span"}},
			},
			{
				Name: "leaves_at_no_other_time", Claim: "It never leaves at another time.",
				Bug: proof.Bug{Mistake: "it leaves one cycle early", File: ringFile, Edits: []string{"now + TIME_W'(2) - span", "now + TIME_W'(3) - span"}},
			},
			{
				Name: "acknowledged_in_time", Claim: "It leaves as a DATA if and only if a SIM-ACK came at RTTmax or before.",
				Bug: proof.Bug{Mistake: "its mark stays for the next lap", File: ringFile, Edits: []string{
					"(d2_valid_q && d2_sent_mark != d2_left_mark)", "(1'b0 && d2_valid_q)"}},
			},
			{
				Name: "acknowledged_once", Claim: "A SIM-ACK counts only if it is the first one of a packet, and in time.",
				Bug: proof.Bug{Mistake: "each one counts", File: ringFile, Edits: []string{" && ack_ok && p1_sent_mark == p1_left_mark;", " && ack_ok && (p1_sent_mark || !p1_sent_mark);"}},
			},
		},
	},
}}
