// SPDX-License-Identifier: Apache-2.0

// Package nicecho is the bench of the receiver's side of path feedback: stimulus, golden model behind
// the unit's ports, coverage points, and what the unit brings for the checks.
package nicecho

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_echo"

//go:embed nic_nic_echo_sva.sv
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
	rst, ready bench.Pin `port:"rst sts_ready"`
	now        bench.Pin `optional:"now_ns"`

	data, conn, psn, ev, ce  bench.Pin `port:"s_data_valid s_data_conn s_data_psn s_data_ev s_data_ce"`
	feedback, shim, body     bench.Pin `optional:"s_data_feedback s_data_shim s_data_body"`
	ack, ackConn, ackPSN     bench.Pin `port:"s_ack_valid s_ack_conn s_ack_psn"`
	echo, hit, echoEV, mark  bench.Pin `port:"m_echo_valid m_echo_hit m_echo_ev m_echo_mark"`
	fresh, echoBody          bench.Pin `optional:"m_echo_fresh m_echo_body"`
	fb, fbReady              bench.Pin `optional:"m_fb_valid m_fb_ready"`
	fbConn, fbPSN, fbCount   bench.Pin `optional:"m_fb_conn m_fb_psn m_fb_count"`
	fbEVs, fbMarks, fbAgain  bench.Pin `optional:"m_fb_evs m_fb_marks m_fb_again"`
	flush, flushed, flushing bench.Pin `port:"s_flush_valid s_flush_ready s_flush_conn"`
	or                       bench.Pin `port:"cfg_ecn_or"`
	packets, ns              bench.Pin `optional:"cfg_feedback_packets cfg_feedback_ns"`

	evtIllegal                   bench.Pin `port:"evt_illegal"`
	nData, nMarked, nHit, nMiss  bench.Pin `port:"sts_data_cnt sts_marked_cnt sts_hit_cnt sts_miss_cnt"`
	nDuplicate, nFeedback, nLost bench.Pin `optional:"sts_duplicate_cnt sts_feedback_cnt sts_lost_cnt"`
	nFlush, nIllegal, nEarly     bench.Pin `port:"sts_flush_cnt sts_illegal_cnt sts_not_ready_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
