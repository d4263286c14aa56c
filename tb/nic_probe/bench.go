// SPDX-License-Identifier: Apache-2.0

// Package nicprobe is the bench of the probes: stimulus, golden model behind the unit's ports, coverage
// points, and what the unit brings for the checks.
package nicprobe

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_probe"

//go:embed nic_nic_probe_sva.sv
var assertions string

// Unit makes benches of the probes.
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
	rst, ready, now bench.Pin `port:"rst sts_ready now_ns"`

	address, aReady, aDst, aSet, aBytes           bench.Pin `port:"s_address_valid s_address_ready s_address_dst s_address_set s_address_bytes"`
	probe, probePid, probeDst                     bench.Pin `port:"s_probe_valid s_probe_pid s_probe_dst"`
	route, routeReady, routePid                   bench.Pin `port:"m_route_valid m_route_ready m_route_pid"`
	back, anchors                                 bench.Pin `port:"s_route_valid s_route_anchors"`
	shim, bad, subtype, kind, body, from          bench.Pin `port:"s_shim_valid s_shim_bad s_shim_subtype s_shim_type s_shim_body s_shim_addresses"`
	answer, answerReady, answerPid, delay         bench.Pin `port:"m_answer_valid m_answer_ready m_answer_pid m_answer_delay_ns"`
	frame, frameReady, frameData                  bench.Pin `port:"m_frame_valid m_frame_ready m_frame_data"`
	etherType, evtIllegal                         bench.Pin `port:"cfg_ether_type evt_illegal"`
	probes, answers, results                      bench.Pin `port:"sts_probe_cnt sts_answer_cnt sts_result_cnt"`
	probesDropped, answersDropped, resultsDropped bench.Pin `port:"sts_probe_dropped_cnt sts_answer_dropped_cnt sts_result_dropped_cnt"`
	noAddress, bads, illegals                     bench.Pin `port:"sts_no_address_cnt sts_bad_cnt sts_illegal_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
