// SPDX-License-Identifier: Apache-2.0

// Package nicqueue is the bench of the packet queues: stimulus, golden model behind the unit's
// ports, coverage points, and what the unit brings for the checks.
package nicqueue

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_queue"

//go:embed nic_nic_queue_sva.sv
var assertions string

// Unit makes benches of the queues.
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
	rst                           bench.Pin `port:"rst"`
	data, keep, valid, last, user bench.Pin `port:"s_axis_tdata s_axis_tkeep s_axis_tvalid s_axis_tlast s_axis_tuser"`
	conn, store, size, tags, meta bench.Pin `port:"s_axis_conn s_axis_store s_axis_bytes s_axis_tags s_axis_meta"`

	popValid, popConn, popBudget, popDiscard bench.Pin `port:"s_pop_valid s_pop_conn s_pop_budget s_pop_discard"`
	axisReady, flowReady                     bench.Pin `port:"m_axis_ready m_flow_ready"`
	quota, xoff, xon, freeOff, freeOn, shim  bench.Pin `port:"cfg_quota cfg_xoff cfg_xon cfg_free_off cfg_free_on cfg_shim"`

	ready, popReady                                  bench.Pin `port:"sts_ready s_pop_ready"`
	enterValid, enterConn, enterDropped, enterReason bench.Pin `port:"m_enter_valid m_enter_conn m_enter_dropped m_enter_reason"`
	enterBytes                                       bench.Pin `port:"m_enter_bytes"`

	mData, mKeep, mValid, mLast bench.Pin `port:"m_axis_tdata m_axis_tkeep m_axis_tvalid m_axis_tlast"`
	mFirst, mConn, mMeta        bench.Pin `port:"m_axis_first m_axis_conn m_axis_meta"`
	mBytes, mTags               bench.Pin `port:"m_axis_bytes m_axis_tags"`

	doneValid, doneConn, doneDiscard               bench.Pin `port:"m_done_valid m_done_conn m_done_discard"`
	donePackets, doneBytes, doneWire, doneEmpty    bench.Pin `port:"m_done_packets m_done_bytes m_done_wire m_done_empty"`
	flowValid, flowConn, flowOff, off, free, evtIl bench.Pin `port:"m_flow_valid m_flow_conn m_flow_off sts_off sts_free_cells evt_illegal"`

	counter [11]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
