// SPDX-License-Identifier: Apache-2.0

// Package repsdetector is the bench of the REPS failure detector: constrained
// random stimulus, the golden model behind the unit's ports, and the coverage
// points.
package repsdetector

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_reps_detector_sva.sv
var assertions string

const unitName = "reps_detector"

// Unit makes benches of the failure detector.
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

// Measure keeps the settings still and the traffic legal while the speed of the
// unit is measured: all events toggle, over all connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Fixed["cfg_trimming"], o.Fixed["cfg_rtt_threshold_ns"], o.Fixed["cfg_window_ns"] = 0, 1<<(p.RTTBits-1), 1<<(p.TimerBits-1)
	return o
}

// wires are the unit's ports.
type wires struct {
	rst, ready bench.Pin
	time       bench.Wires[params.Time]
	set        bench.Held[params.Settings]
	rtts       bench.Wires[params.RTT]
	flushes    bench.Wires[params.Flush]
	timeouts   bench.Wires[params.Timeout]
	verdicts   bench.Wires[params.Verdict]
	fails      bench.Wires[params.Fail]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(params.TimePorts, &x.time), bench.HoldGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.RTTs, &x.rtts), bench.WireIn(params.Flushes, &x.flushes), bench.WireIn(params.Timeouts, &x.timeouts),
		bench.WireOut(params.Verdicts, &x.verdicts), bench.WireOut(params.Fails, &x.fails))
}
