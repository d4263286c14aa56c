// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/starter/module/gen/mark_run"
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
	Law:    newLaw,
}

// newLaw demands an answer to every ACK in its cycle, which is hot exactly if its run has
// reached the threshold of the ACK.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p := cfg.(*params.Params)
	var runs bench.Wires[params.Run]
	var set bench.Wires[params.Settings]
	var ready bench.Pin
	err := bench.Wire(unitName, l, p.Contract(), bench.WireOut(params.Runs, &runs), bench.WireGroup(params.SettingPorts, &set),
		bench.WirePin("sts_ready", &ready))
	return bench.Laws{
		bench.NewSame(l, "m_ack_valid"),
		&bench.Ready{Pin: ready, Max: uint64(p.Connections) + 8},
		&bench.Delayed{Cycles: params.Latency, Words: l.InWords, Check: func(in, got []uint64) bool {
			var a params.Run
			var s params.Settings
			set.Read(in, &s)
			return !runs.Read(got, &a) || a.Hot == (a.Run >= s.Threshold)
		}},
	}, err
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
