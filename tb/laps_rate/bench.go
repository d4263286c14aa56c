// SPDX-License-Identifier: Apache-2.0

// Package lapsrate is the bench of LAPS rate control: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package lapsrate

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_laps_rate_sva.sv
var assertions string

const unitName = "laps_rate"

// Unit makes benches of the rate control.
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

// Published are the figures of the paper's FPGA prototype: 1,024 flows, 32 banks of
// paths.
var Published = &synth.Published{
	Source: "LAPS Table V, rate limiting tables",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "3012"},
		{Resource: "FF", Value: "3866"},
		{Resource: "CARRY8", Value: "119"},
		{Resource: "RAMB36", Value: "8"},
	},
}

// Measure is line rate: an ACK in every cycle, over all flows, while the settings
// stand still.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	flow := uint64(1)<<(p.FlowIdxBits()-1) - 1 // below flows whatever that is
	if p.Flows == 1<<p.FlowIdxBits() {
		flow = uint64(p.Flows - 1)
	}
	return cosim.MeasureOptions{
		Idle: uint64(p.Flows) + 2,
		Fixed: map[string]uint64{
			"cfg_max_rate": uint64(p.MaxRate), "cfg_min_rate": uint64(p.MinRate), "cfg_stages": uint64(p.Stages),
			"s_ack_valid": 1, "s_open_valid": 0, "rst": 0,
		},
		Mask: map[string]uint64{"s_ack_flow": flow, "s_open_flow": flow},
	}
}

// pins are the places of the unit's ports in the vectors. Of the ports that bring the
// latencies, a configuration has some.
type pins struct {
	rst, now                       bench.Pin
	ackValid, ackFlow, usable      bench.Pin
	latency, base                  bench.Pin // of each path
	leastReady, mostReady, topBase bench.Pin // ready-made
	openValid, openFlow            bench.Pin
	maxRate, minRate, stages       bench.Pin

	ready, openReady   bench.Pin
	valid, flow, cause bench.Pin
	current, expected  bench.Pin
	evtIllegal         bench.Pin
	counter            [8]bench.Pin
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		ackValid: at("s_ack_valid"), ackFlow: at("s_ack_flow"), usable: at("s_ack_usable"),
		openValid: at("s_open_valid"), openFlow: at("s_open_flow"),
		maxRate: at("cfg_max_rate"), minRate: at("cfg_min_rate"), stages: at("cfg_stages"),
		ready: at("sts_ready"), openReady: at("s_open_ready"),
		valid: at("m_rate_valid"), flow: at("m_rate_flow"), cause: at("m_rate_cause"),
		current: at("m_rate_current"), expected: at("m_rate_expected"), evtIllegal: at("evt_illegal"),
	}
	if p.Operands == params.ExtremesOp {
		x.leastReady = at("s_ack_min_latency_ns")
		if p.Decrease == params.Most {
			x.mostReady = at("s_ack_max_latency_ns")
		}
	} else {
		x.latency = at("s_ack_latency_ns")
	}
	if p.Operands == params.PathsOp {
		x.base = at("s_ack_base_ns")
	} else {
		x.topBase = at("s_ack_max_base_ns")
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	return x, ports.Err()
}
