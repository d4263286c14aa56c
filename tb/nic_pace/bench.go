// SPDX-License-Identifier: Apache-2.0

// Package nicpace is the bench of the pacer: stimulus, golden model behind the unit's ports, coverage
// points, and what the unit brings for the checks.
package nicpace

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_pace"

//go:embed nic_nic_pace_sva.sv
var assertions string

// Unit makes benches of the unit.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// wires are the unit's inputs, and what stimulus and law look at.
type wires struct {
	rst, ready, pushReady, flushReady, due, dueReady bench.Pin

	time    bench.Wires[params.Time]
	set     bench.Wires[params.Settings]
	pushes  bench.Wires[params.Push]
	dones   bench.Wires[params.Done]
	rates   bench.Wires[params.Rate]
	flushes bench.Wires[params.Flush]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("s_push_ready", &x.pushReady), bench.WirePin("s_flush_ready", &x.flushReady),
		bench.WirePin("m_due_valid", &x.due), bench.WirePin("m_due_ready", &x.dueReady),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Pushes, &x.pushes), bench.WireIn(params.Dones, &x.dones),
		bench.WireIn(params.Rates, &x.rates), bench.WireIn(params.Flushes, &x.flushes))
}
