// SPDX-License-Identifier: Apache-2.0

// Package dcsimsource is the bench of DCSIM's source host: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package dcsimsource

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_dcsim_source_sva.sv
var assertions string

const unitName = "dcsim_source"

// Unit makes benches of the source host.
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
	newValid, newFlow, newCount   bench.Pin `port:"s_data_valid s_data_flow s_data_count"`
	simReady, dataReady           bench.Pin `port:"m_sim_ready m_data_ready"`
	simAck, simAckPort            bench.Pin `port:"s_sim_ack_valid s_sim_ack_port"`
	dataAck, dataAckTag           bench.Pin `port:"s_data_ack_valid s_data_ack_tag"`
	seed, seedWord                bench.Pin `port:"s_seed_valid s_seed_word"`
	gain, cost                    bench.Pin `port:"cfg_token_gain cfg_token_cost"`
	rttMax, simQueue, dataTimeout bench.Pin `port:"cfg_rtt_max cfg_sim_queue cfg_data_timeout"`

	ready, newReady            bench.Pin     `port:"sts_ready s_data_ready"`
	simValid, simFlow, simPort bench.Pin     `port:"m_sim_valid m_sim_flow m_sim_port"`
	dataValid, dataFlow        bench.Pin     `port:"m_data_valid m_data_flow"`
	dataPort, dataSeq, dataTag bench.Pin     `port:"m_data_port m_data_seq m_data_tag"`
	lost, lostFlow, lostSeq    bench.Pin     `port:"m_lost_valid m_lost_flow m_lost_seq"`
	illegal                    bench.Pin     `port:"evt_illegal"`
	counter                    [12]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
