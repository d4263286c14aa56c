// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

const top = "nic_mark_run.sv"

// proofs are the properties of the counter.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{{
	Name: "runs", Depth: 20, Quick: true,
	Claim:   "An ACK of a connection, any one, is answered with the run that one ACK after another gives.",
	Configs: []string{"connections=2 conn_bits=2 run_bits=2 threshold=1 counter_bits=8"},
	Texts:   []string{"nic_mark_run.svh"},
	Properties: []proof.Property{
		{
			Name: "run_as_counted", Claim: "The run and whether it is hot are those of the ACKs so far.",
			Bug: proof.Bug{Mistake: "the run wraps", File: top, Edits: []string{"(p1_run == '1)", "(p1_run == '1 && 1'b0)"}},
		},
		{
			Name: "answered_once", Claim: "Each ACK of a connection that exists has one answer, and nothing else has one.",
			Bug: proof.Bug{Mistake: "ACKs of other connections are answered", File: top, Edits: []string{
				"p2_ack_q       <= p1_ack_q && p1_legal_q;", "p2_ack_q       <= p1_ack_q;"}},
		},
	},
}}}
