// SPDX-License-Identifier: Apache-2.0

// Package nicfeedback is the bench of feedback packets: stimulus, golden model behind the unit's ports,
// coverage points, and what the unit brings for the checks.
package nicfeedback

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_feedback"

//go:embed nic_nic_feedback_sva.sv
var assertions string

// Unit makes benches of feedback packets.
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
	listTaken           bench.Pin // s_fb_ready
	outReady, backReady bench.Pin
	back                bench.Pin // valid
	side                bench.Wires[params.Side]
	words               bench.Wires[params.Word]
	lists               bench.Wires[params.List]
	parts               bench.Wires[params.Part]
	beats               bench.Wires[params.Made]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("s_fb_ready", &x.listTaken),
		bench.WirePin("m_axis_tready", &x.outReady), bench.WirePin("m_back_ready", &x.backReady), bench.WirePin("m_back_valid", &x.back),
		bench.WireGroup(params.SidePorts, &x.side), bench.WireIn(params.Texts, &x.words), bench.WireIn(params.Lists, &x.lists),
		bench.WireIn(params.Parts, &x.parts), bench.WireOut(params.Beats, &x.beats))
}
