// SPDX-License-Identifier: Apache-2.0

// Package dcsimport is the bench of DCSIM's egress port: the stimulus that looks for trouble, the
// golden model behind the unit's ports, and the coverage points.
package dcsimport

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_dcsim_port_sva.sv
var assertions string

const unitName = "dcsim_port"

// Unit makes benches of the port.
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
	valid, class, length, tag     bench.Pin `port:"s_frame_valid s_frame_class s_frame_len s_frame_tag"`
	ready                         bench.Pin `port:"m_frame_ready"`
	gain, cost, rate, gap         bench.Pin `port:"cfg_token_gain cfg_token_cost cfg_line_rate cfg_gap"`
	queue, dataPackets, dataBytes bench.Pin `port:"cfg_queue cfg_data_packets cfg_data_bytes"`

	mValid, mClass, mLen, mTag bench.Pin    `port:"m_frame_valid m_frame_class m_frame_len m_frame_tag"`
	drop, dropClass            bench.Pin    `port:"m_drop_valid m_drop_class"`
	dropLen, dropTag           bench.Pin    `port:"m_drop_len m_drop_tag"`
	packets, bytes, illegal    bench.Pin    `port:"sts_data_packets sts_data_bytes evt_illegal"`
	counter                    [5]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
