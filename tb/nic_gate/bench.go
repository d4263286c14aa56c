// SPDX-License-Identifier: Apache-2.0

// Package nicgate is the bench of the window gate: stimulus, golden model behind the unit's ports,
// coverage points, and what the unit brings for the checks.
package nicgate

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_gate"

//go:embed nic_nic_gate_sva.sv
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
	rst, ready, now                         bench.Pin `port:"rst sts_ready now_ns"`
	enter, enterConn, enterPSN, enterCounts bench.Pin `port:"s_enter_valid s_enter_conn s_enter_psn s_enter_counts"`
	timeout, timeoutConn                    bench.Pin `port:"m_timeout_valid m_timeout_conn"`
	push, pushReady, pushConn               bench.Pin `port:"m_push_valid m_push_ready m_push_conn"`
	due, dueReady, dueConn                  bench.Pin `port:"s_due_valid s_due_ready s_due_conn"`
	pop, popReady, popConn, budget, discard bench.Pin `port:"m_pop_valid m_pop_ready m_pop_conn m_pop_budget m_pop_discard"`
	release, relConn, relPSN, bytes, counts bench.Pin `port:"s_release_valid s_release_conn s_release_psn s_release_bytes s_release_counts"`
	send, sendConn, idle, ev                bench.Pin `port:"m_send_valid m_send_conn m_send_idle s_ev"`
	done, doneConn, wire, discarded         bench.Pin `port:"s_done_valid s_done_conn s_done_wire s_done_discard"`
	over, overConn, overBytes, again        bench.Pin `port:"m_done_valid m_done_conn m_done_bytes m_done_again"`
	ack, ackConn, ackPSN, nak, tag          bench.Pin `port:"s_ack_valid s_ack_conn s_ack_psn s_ack_nak s_ack_tag"`
	sample, sampleConn, hit, sampleEV       bench.Pin `port:"m_sample_valid m_sample_conn m_sample_hit m_sample_ev"`
	measured, rtt, acked, psns              bench.Pin `port:"m_sample_measured m_sample_rtt m_sample_acked m_sample_psns"`
	una, nxt, moved, sampleTag              bench.Pin `port:"m_sample_una m_sample_nxt m_sample_moved m_sample_tag"`
	window, windowConn, windowBytes         bench.Pin `port:"s_window_valid s_window_conn s_window_bytes"`
	flush, flushReady, flushConn            bench.Pin `port:"s_flush_valid s_flush_ready s_flush_conn"`
	initWindow, quantum, stall, goBackN     bench.Pin `port:"cfg_init_window cfg_quantum cfg_stall_ns cfg_go_back_n"`
	force                                   bench.Pin `port:"cfg_flush_force"`
	evtIllegal, nAck, nOld, nStray          bench.Pin `port:"evt_illegal sts_ack_cnt sts_old_cnt sts_stray_cnt"`
	nRetransmit, nTimeout, nShut, nStall    bench.Pin `port:"sts_retransmit_cnt sts_timeout_cnt sts_shut_cnt sts_stall_cnt"`
	nDropped, nFlush, nIllegal, nEarly      bench.Pin `port:"sts_dropped_cnt sts_flush_cnt sts_illegal_cnt sts_not_ready_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
