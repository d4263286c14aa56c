// SPDX-License-Identifier: Apache-2.0

// Package nicfeedback is the bench of feedback packets: stimulus, golden model behind the unit's ports,
// coverage points, and what the unit brings for the checks.
package nicfeedback

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_feedback"

//go:embed nic_nic_feedback_sva.sv
var assertions string

// Unit makes benches of feedback packets.
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
	rst bench.Pin `port:"rst"`

	tValid, tConn, tWord, tData bench.Pin `port:"s_template_valid s_template_conn s_template_word s_template_data"`
	fb, fbConn, fbPSN, fbCount  bench.Pin `port:"s_fb_valid s_fb_conn s_fb_psn s_fb_count"`
	fbEVs, fbMarks, fbAgain     bench.Pin `port:"s_fb_evs s_fb_marks s_fb_again"`
	outReady                    bench.Pin `port:"m_axis_tready"`

	data, valid, last              bench.Pin `port:"s_axis_tdata s_axis_tvalid s_axis_tlast"`
	list, conn, lane, words, good  bench.Pin `port:"s_list_valid s_list_conn s_list_lane s_list_words s_list_good"`
	backReady                      bench.Pin `port:"m_back_ready"`
	ready, tReady, fbReady         bench.Pin `port:"sts_ready s_template_ready s_fb_ready"`
	outData, outKeep, out, outLast bench.Pin `port:"m_axis_tdata m_axis_tkeep m_axis_tvalid m_axis_tlast"`
	back, backConn, backEV, backCE bench.Pin `port:"m_back_valid m_back_conn m_back_ev m_back_mark"`
	evtIllegal                     bench.Pin `port:"evt_illegal"`
	packets, noTemplates           bench.Pin `port:"sts_packet_cnt sts_no_template_cnt"`
	lists, refused, dropped, illeg bench.Pin `port:"sts_list_cnt sts_refused_cnt sts_dropped_cnt sts_illegal_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
