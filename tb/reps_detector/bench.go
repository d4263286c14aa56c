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
	conn := uint64(1)<<(p.ConnIdxBits()-1) - 1 // below connections whatever that is
	if p.Connections == 1<<p.ConnIdxBits() {
		conn = uint64(p.Connections - 1)
	}
	return cosim.MeasureOptions{
		Idle: uint64(p.Connections) + 3,
		Fixed: map[string]uint64{
			"cfg_trimming": 0, "cfg_rtt_threshold_ns": uint64(1) << (p.RTTBits - 1), "cfg_window_ns": uint64(1) << (p.TimerBits - 1), "rst": 0,
		},
		Mask: map[string]uint64{"s_rtt_conn": conn, "s_timeout_conn": conn, "s_flush_conn": conn},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                    bench.Pin `port:"rst now_ns"`
	rttValid, rttConn, rtt      bench.Pin `port:"s_rtt_valid s_rtt_conn s_rtt_ns"`
	timeoutValid, timeoutConn   bench.Pin `port:"s_timeout_valid s_timeout_conn"`
	flushValid, flushConn       bench.Pin `port:"s_flush_valid s_flush_conn"`
	trimming, threshold, window bench.Pin `port:"cfg_trimming cfg_rtt_threshold_ns cfg_window_ns"`

	ready, flushReady   bench.Pin    `port:"sts_ready s_flush_ready"`
	valid, conn, cause  bench.Pin    `port:"m_timeout_valid m_timeout_conn m_timeout_cause"`
	failValid, failConn bench.Pin    `port:"m_fail_valid m_fail_conn"`
	evtIllegal          bench.Pin    `port:"evt_illegal"`
	counter             [8]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
