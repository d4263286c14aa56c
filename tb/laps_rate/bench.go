// SPDX-License-Identifier: Apache-2.0

// Package lapsrate is the bench of LAPS rate control: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package lapsrate

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

//go:embed nic_laps_rate_sva.sv
var assertions string

const unitName = "laps_rate"

// Unit makes benches of the rate control.
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
	Group:       bench.Windows,
	New:         params.New,
	Bench:       New,
	Measure:     Measure,
	Published:   Published,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: unreachable,
	Evidence:    bench.Evidence{Small: "paths=2 flows=64"},
}

// unreachable are lines that are decided before there is a stimulus.
var unreachable = []bench.Unreachable{
	{
		File:   "nic_laps_rate_extreme.sv",
		Line:   "if (l < level) begin (else)",
		Reason: "The function has its values at elaboration: the widths of the levels of a tree. Verilator counts none of its lines that go another way.",
	},
	lib.SecondStep,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Published are the figures of the paper's FPGA prototype: 1,024 flows, 32 banks of
// paths.
var Published = &synth.Published{
	Source: "LAPS Table V, rate limiting tables",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "3012"},
		{Resource: "FF", Value: "3866"},
		{Resource: "CARRY8", Value: "119"},
		{Resource: "RAMB36", Value: "8"},
	},
}

// Measure runs at line rate: an ACK in every cycle, over all flows, with constant settings.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	o := bench.Measure(cfg)
	o.Fixed["s_ack_valid"], o.Fixed["s_open_valid"] = 1, 0
	return o
}

// wires are the unit's ports.
type wires struct {
	rst, ready bench.Pin
	time       bench.Wires[params.Time]
	set        bench.Wires[params.Settings]
	acks       bench.Wires[params.ACK]
	opens      bench.Wires[params.Open]
	rates      bench.Wires[params.Rate]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Opens, &x.opens), bench.WireOut(params.Rates, &x.rates))
}
