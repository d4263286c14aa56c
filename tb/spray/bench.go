// SPDX-License-Identifier: Apache-2.0

// Package spray is the bench of the baselines: constrained random stimulus, the golden model
// behind the unit's ports, and the coverage points.
package spray

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_spray_sva.sv
var assertions string

const unitName = "spray"

// Unit makes benches of the baselines.
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
	rst, now                       bench.Pin `port:"rst now_ns"`
	ackValid, ackConn, ackPort     bench.Pin `port:"s_ack_valid s_ack_conn s_ack_port"`
	ackEV, ackECN                  bench.Pin `port:"s_ack_ev s_ack_ecn"`
	failValid, failConn, failPort  bench.Pin `port:"s_fail_valid s_fail_conn s_fail_port"`
	flushValid, flushConn          bench.Pin `port:"s_flush_valid s_flush_conn"`
	flushPort                      bench.Pin `port:"s_flush_port"`
	sendValid, sendConn, sendPort  bench.Pin `port:"s_send_valid s_send_conn s_send_port"`
	inject, injected               bench.Pin `port:"s_send_inject s_send_random"`
	seedValid, seedWord            bench.Pin `port:"s_seed_valid s_seed_word"`
	mode, evs, timeout, hash, base bench.Pin `port:"cfg_mode cfg_evs cfg_flowlet_timeout_ns cfg_hash_seed cfg_ev_base"`

	ready, flushReady bench.Pin    `port:"sts_ready s_flush_ready"`
	valid, ev, source bench.Pin    `port:"m_ev_valid m_ev m_ev_source"`
	seeded            bench.Pin    `port:"sts_seeded"`
	evtIllegal        bench.Pin    `port:"evt_illegal"`
	counter           [9]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
