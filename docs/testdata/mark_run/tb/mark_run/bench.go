// SPDX-License-Identifier: Apache-2.0

// Package markrun is the bench of the ECN run counter: stimulus, golden model behind the
// unit's ports, coverage points, and what the unit brings for the checks.
package markrun

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "mark_run"

//go:embed nic_mark_run_sva.sv
var assertions string

// Unit makes benches of the counter.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst                         bench.Pin `port:"rst"`
	valid, conn, ecn, threshold bench.Pin `port:"s_ack_valid s_ack_conn s_ack_ecn cfg_threshold"`

	ready                        bench.Pin `port:"sts_ready"`
	mValid, mConn, mRun, mHot    bench.Pin `port:"m_ack_valid m_ack_conn m_ack_run m_ack_hot"`
	evtIllegal                   bench.Pin `port:"evt_illegal"`
	acks, marked, hots, illegals bench.Pin `port:"sts_ack_cnt sts_marked_cnt sts_hot_cnt sts_illegal_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
