// SPDX-License-Identifier: Apache-2.0

// Package nicecho is the bench of the receiver's side of path feedback: stimulus, golden model behind
// the unit's ports, coverage points, and what the unit brings for the checks.
package nicecho

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_echo"

//go:embed nic_nic_echo_sva.sv
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

// wires are the unit's inputs, and what the law looks at.
type wires struct {
	rst, ready                   bench.Pin
	fb, fbReady, fbConn, fbCount bench.Pin // with lists

	time    bench.Wires[params.Time]
	set     bench.Wires[params.Settings]
	datas   bench.Wires[params.Data]
	acks    bench.Wires[params.ACK]
	flushes bench.Wires[params.Flush]
	echoes  bench.Wires[params.Echo]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{
		bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Datas, &x.datas), bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Flushes, &x.flushes),
		bench.WireOut(params.Echoes, &x.echoes),
	}
	if p.List > 0 {
		list = append(list, bench.WirePin("m_fb_valid", &x.fb), bench.WirePin("m_fb_ready", &x.fbReady),
			bench.WirePin("m_fb_conn", &x.fbConn), bench.WirePin("m_fb_count", &x.fbCount))
	}
	return bench.Wire(unitName, l, p.Contract(), list...)
}
