// SPDX-License-Identifier: Apache-2.0

// Package reps is the bench of the REPS entropy buffer: constrained random
// stimulus, the golden model behind the unit's ports, and the coverage points.
package reps

import (
	_ "embed" // the assertions

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// assertions are attached to the unit by bind: invariants of its
// state, independent of the golden model.
//
//go:embed nic_reps_sva.sv
var assertions string

const unitName = "reps"

// Unit makes benches of the REPS entropy buffer.
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

// Measure runs at line rate: an ACK and a SEND in every cycle, over all connections, with constant
// settings.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	for port, v := range map[string]uint64{
		"cfg_mode": 0, "cfg_freezing": 1, "cfg_freezing_timeout_ns": 1000 & (1<<(p.TimerBits-1) - 1), "cfg_num_pkts_cwnd": 16, "cfg_ev_base": 0,
		"s_ack_valid": 1, "s_fail_valid": 0, "s_send_valid": 1, "s_flush_valid": 0, "s_send_inject": 0,
	} {
		o.Fixed[port] = v
	}
	for _, port := range []string{"s_ack_port", "s_fail_port", "s_flush_port", "s_send_port"} {
		o.Fixed[port] = 0
		delete(o.Mask, port)
	}
	if p.Coalescing != params.Carry {
		o.Mask["s_ack_ev"] = 1<<p.EVSBits - 1
	}
	return o
}

// wires are the unit's ports. ACKs carry EVs in one variant.
type wires struct {
	rst, ready bench.Pin
	time       bench.Wires[params.Time]
	set        bench.Held[params.Settings]
	seeds      bench.Wires[params.Seed]
	acks       bench.Wires[params.ACK]
	carried    bench.Wires[params.CarriedACK]
	ackReady   bench.Pin
	flushes    bench.Wires[params.Flush]
	fails      bench.Wires[params.Fail]
	sends      bench.Wires[params.Send]
	answers    bench.Wires[params.Answer]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{
		bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(params.TimePorts, &x.time), bench.HoldGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Seeds, &x.seeds), bench.WireIn(p.FlushStream(), &x.flushes), bench.WireIn(params.Fails, &x.fails),
		bench.WireIn(params.Sends, &x.sends), bench.WireOut(params.Answers, &x.answers),
	}
	if p.Coalescing == params.Carry {
		list = append(list, bench.WireIn(params.CarriedACKs, &x.carried), bench.WirePin("s_ack_ready", &x.ackReady))
	} else {
		list = append(list, bench.WireIn(params.ACKs, &x.acks))
	}
	return bench.Wire(unitName, l, p.Contract(), list...)
}
