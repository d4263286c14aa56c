// SPDX-License-Identifier: Apache-2.0

// Package dcsimport is the bench of DCSIM's egress port: the stimulus that looks for trouble, the
// golden model behind the unit's ports, and the coverage points.
package dcsimport

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_dcsim_port_sva.sv
var assertions string

const unitName = "dcsim_port"

// Unit makes benches of the port.
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
	rst, ready, offered bench.Pin
	frames              bench.Wires[params.Frame]
	set                 bench.Wires[params.Settings]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("m_frame_ready", &x.ready), bench.WirePin("m_frame_valid", &x.offered),
		bench.WireIn(params.Arrivals, &x.frames), bench.WireGroup(params.SettingPorts, &x.set))
}
