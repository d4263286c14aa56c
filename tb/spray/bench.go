// SPDX-License-Identifier: Apache-2.0

// Package spray is the bench of the baselines: constrained random stimulus, the golden model
// behind the unit's ports, and the coverage points.
package spray

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_spray_sva.sv
var assertions string

const unitName = "spray"

// Unit makes benches of the baselines.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// Measure keeps the settings still and the traffic legal while the speed of the unit is
// measured: all events toggle, over a power of two of the connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle++
	o.Fixed["cfg_mode"] = 0
	return o
}

// wires are the unit's ports.
type wires struct {
	rst, ready bench.Pin
	time       bench.Wires[params.Time]
	set        bench.Held[params.Settings]
	seeds      bench.Wires[params.Seed]
	acks       bench.Wires[params.ACK]
	fails      bench.Wires[params.Fail]
	sends      bench.Wires[params.Send]
	flushes    bench.Wires[params.Flush]
	answers    bench.Wires[params.Answer]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(params.TimePorts, &x.time), bench.HoldGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Seeds, &x.seeds), bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Fails, &x.fails),
		bench.WireIn(params.Sends, &x.sends), bench.WireIn(params.Flushes, &x.flushes), bench.WireOut(params.Answers, &x.answers))
}
