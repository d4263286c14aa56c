// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configurations the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{{
		Name: "small", Settings: "connections=3 conn_bits=2 run_bits=3 threshold=2 counter_bits=8", Mutants: 300, Sample: 12,
		Steps: bench.Steps, Long: bench.Long, Why: "few connections and short runs",
	}},
}

//go:embed prove
var properties embed.FS

const top = "nic_mark_run.sv"

// proofs are the properties of the counter.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{{
	Name: "runs", Depth: 20, Quick: true,
	Says:    "An ACK of a connection, any one, is answered with the run that one ACK after another gives.",
	Configs: []string{"connections=2 conn_bits=2 run_bits=2 threshold=1 counter_bits=8"},
	Texts:   []string{"nic_mark_run.svh"},
	Properties: []proof.Property{
		{
			Name: "run_as_counted", Says: "The run and whether it is hot are those of the ACKs so far.",
			Bug: proof.Bug{Says: "the run wraps", File: top, Edits: []string{"(p1_run == '1)", "(p1_run == '1 && 1'b0)"}},
		},
		{
			Name: "answered_once", Says: "Each ACK of a connection that exists has one answer, and nothing else has one.",
			Bug: proof.Bug{Says: "ACKs of other connections are answered", File: top, Edits: []string{
				"p2_ack_q       <= p1_ack_q && p1_legal_q;", "p2_ack_q       <= p1_ack_q;"}},
		},
	},
}}}

// upset is what the counter may do after a bit of its state changed.
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
	x, err := newPins(l)
	return bench.Laws{
		bench.NewSame(l, "m_ack_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(cfg.(*params.Params).Connections) + 8},
		&bench.Delayed{Cycles: params.Latency, Words: l.InWords, Check: func(in, got []uint64) bool {
			return !x.mValid.On(got) || x.mHot.On(got) == (x.mRun.Get(got) >= x.threshold.Get(in))
		}},
	}, err
}
