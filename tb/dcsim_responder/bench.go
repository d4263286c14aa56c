// SPDX-License-Identifier: Apache-2.0

// Package dcsimresponder is the bench of DCSIM's receiving host: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package dcsimresponder

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_dcsim_responder_sva.sv
var assertions string

const unitName = "dcsim_responder"

// Unit makes benches of the receiving host.
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
	rst, ready          bench.Pin
	simReady, dataReady bench.Pin
	packets             bench.Wires[params.Packet]
	set                 bench.Wires[params.Settings]
	simAcks             bench.Wires[params.Answer]
	acks                bench.Wires[params.Ack]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("m_sim_ack_ready", &x.simReady), bench.WirePin("m_data_ack_ready", &x.dataReady), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Packets, &x.packets), bench.WireOut(params.SIMAcks, &x.simAcks), bench.WireOut(params.Acks, &x.acks))
}
