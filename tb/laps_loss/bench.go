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
		Idle:  uint64(p.Paths+p.ReadyDelay()) + 2,
		Fixed: map[string]uint64{"cfg_rto_min_ns": uint64(1) << (p.TimeBits - 4), "rst": 0},
		Mask:  map[string]uint64{"s_send_pid": path, "s_ack_pid": path, "s_send_flow": 1, "s_ack_flow": 1, "s_send_seq": 3, "s_ack_seq": 3},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                               bench.Pin `port:"rst now_ns"`
	sendValid, sendPath, sendFlow, sendSeq bench.Pin `port:"s_send_valid s_send_pid s_send_flow s_send_seq"`
	sendLatency                            bench.Pin `port:"s_send_latency_ns"`
	ackValid, ackPath, ackFlow, ackSeq     bench.Pin `port:"s_ack_valid s_ack_pid s_ack_flow s_ack_seq"`
	ackLatency                             bench.Pin `port:"s_ack_latency_ns"`
	lostReady, rtoMin                      bench.Pin `port:"m_lost_ready cfg_rto_min_ns"`

	ready, ackReady                             bench.Pin           `port:"sts_ready s_ack_ready"`
	sentValid, stored                           bench.Pin           `port:"m_send_valid m_send_stored"`
	doneValid, donePath, doneFlow, doneSeq      bench.Pin           `port:"m_ack_valid m_ack_pid m_ack_flow m_ack_seq"`
	cause                                       bench.Pin           `port:"m_ack_cause"`
	lostValid, lostPath, lostFlow, lostSeq, out bench.Pin           `port:"m_lost_valid m_lost_pid m_lost_flow m_lost_seq m_lost_timeout"`
	counter                                     [counters]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
