// SPDX-License-Identifier: Apache-2.0

// Package nicshim is the bench of the shims: stimulus, golden model behind the unit's ports, coverage
// points, and what the unit brings for the checks.
package nicshim

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_shim"

//go:embed nic_nic_shim_sva.sv
var assertions string

// Unit makes benches of the shims.
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

	txData, txKeep, txValid, txReady, txLast, txUser       bench.Pin `port:"s_axis_tx_tdata s_axis_tx_tkeep s_axis_tx_tvalid s_axis_tx_tready s_axis_tx_tlast s_axis_tx_tuser"`
	shimOn, subtype, kind, count, next, body               bench.Pin `port:"s_shim_valid s_shim_subtype s_shim_type s_shim_count s_shim_next s_shim_body"`
	outData, outKeep, outValid, outReady, outLast, outUser bench.Pin `port:"m_axis_tx_tdata m_axis_tx_tkeep m_axis_tx_tvalid m_axis_tx_tready m_axis_tx_tlast m_axis_tx_tuser"`

	rxData, rxKeep, rxValid, rxLast, rxUser         bench.Pin `port:"s_axis_rx_tdata s_axis_rx_tkeep s_axis_rx_tvalid s_axis_rx_tlast s_axis_rx_tuser"`
	inData, inKeep, inValid, inLast, inUser, inShim bench.Pin `port:"m_axis_rx_tdata m_axis_rx_tkeep m_axis_rx_tvalid m_axis_rx_tlast m_axis_rx_tuser m_axis_rx_shim"`
	recValid, recEnd, recBad, recSubtype, recKind   bench.Pin `port:"m_shim_valid m_shim_end m_shim_bad m_shim_subtype m_shim_type"`
	recCount, recNext, recBody, recAddresses        bench.Pin `port:"m_shim_count m_shim_next m_shim_body m_shim_addresses"`
	etherType, evtTx, evtRx                         bench.Pin `port:"cfg_ether_type evt_tx_illegal evt_rx_illegal"`
	frames, inserts, txIllegals                     bench.Pin `port:"sts_tx_frame_cnt sts_insert_cnt sts_tx_illegal_cnt"`
	rxFrames, removes, ends, rxIllegals             bench.Pin `port:"sts_rx_frame_cnt sts_remove_cnt sts_end_cnt sts_rx_illegal_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
