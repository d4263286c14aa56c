// SPDX-License-Identifier: Apache-2.0

// Package lapspick is the bench of the LAPS path picker: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package lapspick

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_laps_pick_sva.sv
var assertions string

const unitName = "laps_pick"

// Unit makes benches of the path picker.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:     bench.PathChoice,
	New:       params.New,
	Bench:     New,
	Measure:   Measure,
	Published: Published,
	Mutation:  Mutation,
	Proofs:    Proofs,
	Upset:     Upset,
	Evidence: bench.Evidence{
		Configurations:  []string{"picker=lookup"},
		Small:           "paths=4",
		Syntheses:       []bench.Synthesis{{Name: "lut", Settings: "noise_memory=lut"}, {Name: "lookup", Settings: "picker=lookup"}},
		SimulatorCycles: 5_000,
	},
}

// Published are the figures of the paper's FPGA prototype for its Softmax, which
// takes 32 paths, one from each bank.
var Published = &synth.Published{
	Source: "LAPS prototype, Softmax (LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "26,949"},
		{Resource: "FF", Value: "7,938"},
		{Resource: "CARRY8", Value: "1,752"},
		{Resource: "RAMB36", Value: "0"},
	},
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure is line rate: a request in every cycle, with any latencies, all paths usable,
// and random bits from the generator.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := cosim.MeasureOptions{Fixed: map[string]uint64{"rst": 0, "s_pick_valid": 1, "s_pick_usable": 1<<p.Paths - 1, "s_seed_valid": 0}}
	if p.Inject {
		o.Fixed["s_pick_inject"] = 0
	}
	return o
}

// wires are the unit's ports.
type wires struct {
	rst     bench.Pin
	picks   bench.Wires[params.Pick]
	choices bench.Wires[params.Choice]
	seeds   bench.Wires[params.Seed]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst),
		bench.WireIn(params.Picks, &x.picks), bench.WireOut(params.Choices, &x.choices), bench.WireIn(params.Seeds, &x.seeds))
}
