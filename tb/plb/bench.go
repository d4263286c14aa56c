// SPDX-License-Identifier: Apache-2.0

// Package plb is the bench of PLB: constrained random stimulus, the golden model behind
// the unit's ports, and the coverage points.
package plb

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_plb_sva.sv
var assertions string

const unitName = "plb"

// Unit makes benches of PLB.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure keeps the settings still and the traffic legal while the speed of the unit is
// measured: all events toggle, over all connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Fixed["cfg_target_ns"], o.Fixed["cfg_pause_ns"] = 1<<(p.RTTBits-1), 1<<params.TickBits
	o.Fixed["cfg_idle_rounds"], o.Fixed["cfg_forced_rounds"] = 1, 1
	return o
}

// wires are the ports that stimulus and laws use.
type wires struct {
	rst, ready bench.Pin
	time       bench.Wires[params.Time]
	set        bench.Wires[params.Settings]
	seeds      bench.Wires[params.Seed]
	acks       bench.Wires[params.ACK]
	rtos       bench.Wires[params.RTO]
	sends      bench.Wires[params.Send]
	labels     bench.Wires[params.Label]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Seeds, &x.seeds), bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.RTOs, &x.rtos),
		bench.WireIn(params.Sends, &x.sends), bench.WireOut(params.Labels, &x.labels))
}
