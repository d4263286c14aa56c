// SPDX-License-Identifier: Apache-2.0

// Package nicparse is the bench of the NIC's parser: frames of all kinds, golden model behind the
// unit's ports, coverage points, and what the unit brings for the checks.
package nicparse

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_parse"

//go:embed nic_nic_parse_sva.sv
var assertions string

// Unit makes benches of the parser.
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
	rst, illegal bench.Pin
	frames       bench.Wires[event.Beat]
	set          bench.Wires[params.Settings]
	headers      bench.Wires[params.Header]
	ends         bench.Wires[params.End]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("evt_illegal", &x.illegal),
		bench.WireIn(params.Frames, &x.frames), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireOut(params.Headers, &x.headers), bench.WireOut(params.Ends, &x.ends))
}
