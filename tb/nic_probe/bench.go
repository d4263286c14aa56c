// SPDX-License-Identifier: Apache-2.0

// Package nicprobe is the bench of the probes: stimulus, golden model behind the unit's ports, coverage
// points, and what the unit brings for the checks.
package nicprobe

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_probe"

//go:embed nic_nic_probe_sva.sv
var assertions string

// Unit makes benches of the probes.
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
	rst, ready                          bench.Pin
	route, answer, frame                bench.Pin // valid
	routeReady, answerReady, frameReady bench.Pin
	time                                bench.Wires[params.Time]
	set                                 bench.Wires[params.Settings]
	tables                              bench.Wires[params.Address]
	wishes                              bench.Wires[params.Wish]
	routes                              bench.Wires[params.Route]
	shims                               bench.Wires[params.Shim]
	frames                              bench.Wires[params.Frame]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("m_route_valid", &x.route), bench.WirePin("m_answer_valid", &x.answer), bench.WirePin("m_frame_valid", &x.frame),
		bench.WirePin("m_route_ready", &x.routeReady), bench.WirePin("m_answer_ready", &x.answerReady), bench.WirePin("m_frame_ready", &x.frameReady),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set), bench.WireIn(params.Tables, &x.tables),
		bench.WireIn(params.Wishes, &x.wishes), bench.WireIn(params.Routes, &x.routes), bench.WireIn(params.Shims, &x.shims), bench.WireOut(params.Frames, &x.frames))
}
