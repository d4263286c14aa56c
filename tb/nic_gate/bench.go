// SPDX-License-Identifier: Apache-2.0

// Package nicgate is the bench of the window gate: stimulus, golden model behind the unit's ports,
// coverage points, and what the unit brings for the checks.
package nicgate

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_gate"

//go:embed nic_nic_gate_sva.sv
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

// wires are the unit's ports.
type wires struct {
	rst, ready            bench.Pin
	dueReady, flushReady  bench.Pin
	push, pop, send, over bench.Pin // valid
	pushReady, popReady   bench.Pin
	set                   bench.Wires[params.Settings]
	inputs                bench.Wires[params.Inputs]
	enters                bench.Wires[params.Enter]
	dues                  bench.Wires[params.Due]
	releases              bench.Wires[params.Release]
	dones                 bench.Wires[params.Done]
	acks                  bench.Wires[params.ACK]
	windows               bench.Wires[params.Window]
	flushes               bench.Wires[params.Flush]
	pushes                bench.Wires[params.Push]
	visits                bench.Wires[params.Pop]
	overs                 bench.Wires[params.Over]
	samples               bench.Wires[params.Sample]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("s_due_ready", &x.dueReady), bench.WirePin("s_flush_ready", &x.flushReady),
		bench.WirePin("m_push_valid", &x.push), bench.WirePin("m_pop_valid", &x.pop), bench.WirePin("m_send_valid", &x.send), bench.WirePin("m_done_valid", &x.over),
		bench.WirePin("m_push_ready", &x.pushReady), bench.WirePin("m_pop_ready", &x.popReady),
		bench.WireGroup(params.SettingPorts, &x.set), bench.WireGroup(params.InputPorts, &x.inputs),
		bench.WireIn(params.Enters, &x.enters), bench.WireIn(params.Dues, &x.dues), bench.WireIn(params.Releases, &x.releases), bench.WireIn(params.Dones, &x.dones),
		bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Windows, &x.windows), bench.WireIn(params.Flushes, &x.flushes),
		bench.WireOut(params.Pushes, &x.pushes), bench.WireOut(params.Visits, &x.visits), bench.WireOut(params.Overs, &x.overs), bench.WireOut(params.Samples, &x.samples))
}
