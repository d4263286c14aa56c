// SPDX-License-Identifier: Apache-2.0

// Package dcsimresponder is the bench of DCSIM's receiving host: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package dcsimresponder

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_dcsim_responder_sva.sv
var assertions string

const unitName = "dcsim_responder"

// Unit makes benches of the receiving host.
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
	rst                    bench.Pin `port:"rst"`
	valid, class, flow     bench.Pin `port:"s_rx_valid s_rx_class s_rx_flow"`
	port, tag, bytes       bench.Pin `port:"s_rx_port s_rx_tag s_rx_bytes"`
	simReady, dataReady    bench.Pin `port:"m_sim_ack_ready m_data_ack_ready"`
	every, tick, dataBytes bench.Pin `port:"cfg_every cfg_tick cfg_data_bytes"`

	ready                                            bench.Pin     `port:"sts_ready"`
	simValid, simFlow, simPort                       bench.Pin     `port:"m_sim_ack_valid m_sim_ack_flow m_sim_ack_port"`
	dataValid, dataFlow, dataTag, dataLeft, dataLast bench.Pin     `port:"m_data_ack_valid m_data_ack_flow m_data_ack_tag m_data_ack_left m_data_ack_last"`
	illegal, missed                                  bench.Pin     `port:"evt_illegal evt_missed"`
	counter                                          [11]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
