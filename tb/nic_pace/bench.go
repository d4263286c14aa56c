// SPDX-License-Identifier: Apache-2.0

// Package nicpace is the bench of the pacer: stimulus, golden model behind the unit's ports, coverage
// points, and what the unit brings for the checks.
package nicpace

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_pace"

//go:embed nic_nic_pace_sva.sv
var assertions string

// Unit makes benches of the unit.
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
	rst, ready, now                  bench.Pin `port:"rst sts_ready now_ns"`
	push, pushReady, pushConn        bench.Pin `port:"s_push_valid s_push_ready s_push_conn"`
	due, dueReady, dueConn           bench.Pin `port:"m_due_valid m_due_ready m_due_conn"`
	done, doneConn, bytes, again     bench.Pin `port:"s_done_valid s_done_conn s_done_bytes s_done_again"`
	rate, rateConn, inv              bench.Pin `port:"s_rate_valid s_rate_conn s_rate_inv"`
	flush, flushReady, flushConn     bench.Pin `port:"s_flush_valid s_flush_ready s_flush_conn"`
	allowance, evtIllegal            bench.Pin `port:"cfg_allowance_ns evt_illegal"`
	force                            bench.Pin `port:"cfg_flush_force"`
	nPush, nDone, nDue, nRate        bench.Pin `port:"sts_push_cnt sts_done_cnt sts_due_cnt sts_rate_cnt"`
	nBeyond, nLate, nFlush, nIllegal bench.Pin `port:"sts_beyond_cnt sts_late_cnt sts_flush_cnt sts_illegal_cnt"`
	nEarly                           bench.Pin `port:"sts_not_ready_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
