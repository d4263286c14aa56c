// SPDX-License-Identifier: Apache-2.0

// Package nicqueue is the bench of the packet queues: stimulus, golden model behind the unit's
// ports, coverage points, and what the unit brings for the checks.
package nicqueue

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_queue"

//go:embed nic_nic_queue_sva.sv
var assertions string

// Unit makes benches of the queues.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// wires are the ports that the bench drives.
type wires struct {
	rst, mayBegin, flowReady bench.Pin
	set                      bench.Wires[params.Settings]
	beats                    bench.Wires[params.Beat]
	pops                     bench.Wires[params.Pop]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("m_axis_ready", &x.mayBegin), bench.WirePin("m_flow_ready", &x.flowReady),
		bench.WireGroup(params.SettingPorts, &x.set), bench.WireIn(params.Beats, &x.beats), bench.WireIn(params.Visiting, &x.pops))
}
