// SPDX-License-Identifier: Apache-2.0

// Package repsdetector is the bench of the REPS failure detector: the stimulus
// that looks for trouble, the golden model behind the unit's ports, and the
// coverage points.
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
		Idle: uint64(p.Connections) + 2,
		Fixed: map[string]uint64{
			"cfg_trimming": 0, "cfg_rtt_threshold_ns": uint64(1) << (p.RTTBits - 1), "cfg_window_ns": uint64(1) << (p.TimerBits - 1), "rst": 0,
		},
		Mask: map[string]uint64{"s_rtt_conn": conn, "s_timeout_conn": conn, "s_flush_conn": conn},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                    bench.Pin
	rttValid, rttConn, rtt      bench.Pin
	timeoutValid, timeoutConn   bench.Pin
	flushValid, flushConn       bench.Pin
	trimming, threshold, window bench.Pin

	ready, flushReady   bench.Pin
	valid, conn, cause  bench.Pin
	failValid, failConn bench.Pin
	evtIllegal          bench.Pin
	counter             [7]bench.Pin
}

func newPins(l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		rttValid: at("s_rtt_valid"), rttConn: at("s_rtt_conn"), rtt: at("s_rtt_ns"),
		timeoutValid: at("s_timeout_valid"), timeoutConn: at("s_timeout_conn"),
		flushValid: at("s_flush_valid"), flushConn: at("s_flush_conn"),
		trimming: at("cfg_trimming"), threshold: at("cfg_rtt_threshold_ns"), window: at("cfg_window_ns"),
		ready: at("sts_ready"), flushReady: at("s_flush_ready"),
		valid: at("m_timeout_valid"), conn: at("m_timeout_conn"), cause: at("m_timeout_cause"),
		failValid: at("m_fail_valid"), failConn: at("m_fail_conn"), evtIllegal: at("evt_illegal"),
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	return x, ports.Err()
}
