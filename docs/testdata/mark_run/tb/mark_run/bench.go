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
	rst, valid, conn, ecn, threshold         bench.Pin
	ready, mValid, mConn, mRun, mHot         bench.Pin
	evtIllegal, acks, marked, hots, illegals bench.Pin
}

func newPins(l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), valid: at("s_ack_valid"), conn: at("s_ack_conn"), ecn: at("s_ack_ecn"), threshold: at("cfg_threshold"),
		ready: at("sts_ready"), mValid: at("m_ack_valid"), mConn: at("m_ack_conn"), mRun: at("m_ack_run"), mHot: at("m_ack_hot"),
		evtIllegal: at("evt_illegal"), acks: at("sts_ack_cnt"), marked: at("sts_marked_cnt"), hots: at("sts_hot_cnt"), illegals: at("sts_illegal_cnt"),
	}
	return x, ports.Err()
}
