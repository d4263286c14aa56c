// SPDX-License-Identifier: Apache-2.0

// Package lapsloss is the bench of the LAPS loss detector: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package lapsloss

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_laps_loss_sva.sv
var assertions string

const unitName = "laps_loss"

// Unit makes benches of the loss detector.
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

// Measure keeps the settings still and the paths legal while the speed of the unit
// is measured: a send and an ACK toggle, over all paths.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	path := uint64(1)<<(p.PathIdxBits()-1) - 1 // below paths whatever that is
	if p.Paths == 1<<p.PathIdxBits() {
		path = uint64(p.Paths - 1)
	}
	return cosim.MeasureOptions{
		Idle:  uint64(p.Paths) + params.ReadyDelay + 2,
		Fixed: map[string]uint64{"cfg_rto_min_ns": uint64(1) << (p.TimeBits - 4), "rst": 0},
		Mask:  map[string]uint64{"s_send_pid": path, "s_ack_pid": path, "s_send_flow": 1, "s_ack_flow": 1, "s_send_seq": 3, "s_ack_seq": 3},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                               bench.Pin
	sendValid, sendPath, sendFlow, sendSeq bench.Pin
	sendLatency                            bench.Pin
	ackValid, ackPath, ackFlow, ackSeq     bench.Pin
	ackLatency                             bench.Pin
	lostReady, rtoMin                      bench.Pin

	ready, ackReady                             bench.Pin
	sentValid, stored                           bench.Pin
	doneValid, donePath, doneFlow, doneSeq      bench.Pin
	cause                                       bench.Pin
	lostValid, lostPath, lostFlow, lostSeq, out bench.Pin
	counter                                     [counters]bench.Pin
}

func newPins(l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		sendValid: at("s_send_valid"), sendPath: at("s_send_pid"), sendFlow: at("s_send_flow"), sendSeq: at("s_send_seq"),
		sendLatency: at("s_send_latency_ns"),
		ackValid:    at("s_ack_valid"), ackPath: at("s_ack_pid"), ackFlow: at("s_ack_flow"), ackSeq: at("s_ack_seq"),
		ackLatency: at("s_ack_latency_ns"),
		lostReady:  at("m_lost_ready"), rtoMin: at("cfg_rto_min_ns"),
		ready: at("sts_ready"), ackReady: at("s_ack_ready"),
		sentValid: at("m_send_valid"), stored: at("m_send_stored"),
		doneValid: at("m_ack_valid"), donePath: at("m_ack_pid"), doneFlow: at("m_ack_flow"), doneSeq: at("m_ack_seq"), cause: at("m_ack_cause"),
		lostValid: at("m_lost_valid"), lostPath: at("m_lost_pid"), lostFlow: at("m_lost_flow"), lostSeq: at("m_lost_seq"), out: at("m_lost_timeout"),
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	return x, ports.Err()
}
