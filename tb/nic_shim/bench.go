// SPDX-License-Identifier: Apache-2.0

// Package nicshim is the bench of the shims: stimulus, golden model behind the unit's ports, coverage
// points, and what the unit brings for the checks.
package nicshim

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_shim"

//go:embed nic_nic_shim_sva.sv
var assertions string

// Unit makes benches of the shims.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// wires are the unit's ports.
type wires struct {
	rst, outReady, taken bench.Pin
	set                  bench.Wires[params.Settings]
	shim                 bench.Wires[params.Shim]
	toShim, fromLine     bench.Wires[event.Beat]
	outs                 bench.Wires[event.Beat]
	records              bench.Wires[params.Record]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("m_axis_tx_tready", &x.outReady), bench.WirePin("s_axis_tx_tready", &x.taken),
		bench.WireGroup(params.SettingPorts, &x.set), bench.WireGroup(params.ShimPorts, &x.shim),
		bench.WireIn(params.ToShim, &x.toShim), bench.WireIn(params.FromLine, &x.fromLine), bench.WireOut(params.Out, &x.outs), bench.WireOut(params.Records, &x.records))
}
