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
		Idle: uint64(p.ReadyDelay()) + 1,
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
	rst, now                       bench.Pin `port:"rst now_ns"`
	ackValid, ackFlow, usable      bench.Pin `port:"s_ack_valid s_ack_flow s_ack_usable"`
	latency, base                  bench.Pin `optional:"s_ack_latency_ns s_ack_base_ns"`                              // of each path
	leastReady, mostReady, topBase bench.Pin `optional:"s_ack_min_latency_ns s_ack_max_latency_ns s_ack_max_base_ns"` // ready-made
	openValid, openFlow            bench.Pin `port:"s_open_valid s_open_flow"`
	maxRate, minRate, stages       bench.Pin `port:"cfg_max_rate cfg_min_rate cfg_stages"`

	ready, openReady   bench.Pin    `port:"sts_ready s_open_ready"`
	valid, flow, cause bench.Pin    `port:"m_rate_valid m_rate_flow m_rate_cause"`
	current, expected  bench.Pin    `port:"m_rate_current m_rate_expected"`
	evtIllegal         bench.Pin    `port:"evt_illegal"`
	counter            [9]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
