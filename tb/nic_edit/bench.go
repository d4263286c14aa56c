// SPDX-License-Identifier: Apache-2.0

// Package nicedit is the bench of the packet editor: stimulus, golden model behind the unit's
// ports, coverage points, and what the unit brings for the checks.
package nicedit

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_edit"

//go:embed nic_nic_edit_sva.sv
var assertions string

// Unit makes benches of the editor.
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
	rst      bench.Pin
	frames   bench.Wires[event.Beat]
	commands bench.Wires[params.Command]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WireIn(params.Frames, &x.frames), bench.WireGroup(params.CommandPorts, &x.commands))
}
