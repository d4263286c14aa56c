// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"embed"

	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/proof"
)

const top = "nic_mark_run.sv"

// mutation holds the configuration in which the bench is graded, and the mutants that no bench
// notices.
var mutation = &bench.Mutation{
	Survivors: `
- configuration: small
  mutant: 'const1 port B bit 0 of $logic_and#2'
  reason: 'An ACK of a connection that does not exist writes the row behind the last one, which no legal ACK reads.'
`,
	Targets: []bench.Target{{
		Name: "small", Settings: "connections=3 conn_bits=2 run_bits=3 threshold=2 counter_bits=8", Mutants: 300, Sample: 12,
		Steps: bench.Steps, Long: bench.Long, Why: "few connections and short runs",
	}},
}

// upset describes the legal behaviour of the counter after a bit of its state changed.
var upset = &bench.Upset{
	Settings: []string{"connections=4 conn_bits=3 run_bits=3 threshold=2 state_memory=bram"},
	Lifetime: "**The bound.** A wrong bit of a run stays until the connection's next unmarked ACK; an upset of the ready flag " +
		"makes the unit clear all runs again.",
	Sample: 1024,
}

//go:embed prove
var properties embed.FS

// proofs are the properties of the counter for every stimulus.
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
