// SPDX-License-Identifier: Apache-2.0

// Package plb is the bench of PLB: constrained random stimulus, the golden model behind
// the unit's ports, and the coverage points.
package plb

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_plb_sva.sv
var assertions string

const unitName = "plb"

// Unit makes benches of PLB.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure keeps the settings still and the traffic legal while the speed of the unit is
// measured: all events toggle, over all connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	conn := uint64(1)<<(p.ConnIdxBits()-1) - 1 // below connections whatever that is
	if p.Connections == 1<<p.ConnIdxBits() {
		conn = uint64(p.Connections - 1)
	}
	return cosim.MeasureOptions{
		Idle: uint64(p.Connections) + 3,
		Fixed: map[string]uint64{
			"cfg_mode": 0, "cfg_rtt_detector": 0, "cfg_fraction": uint64(p.Fraction), "cfg_target_ns": uint64(1) << (p.RTTBits - 1),
			"cfg_idle_rounds": 1, "cfg_forced_rounds": 1, "cfg_pause_ns": 1 << params.TickBits, "s_seed_valid": 0, "rst": 0,
		},
		Mask: map[string]uint64{"s_ack_conn": conn, "s_rto_conn": conn, "s_send_conn": conn},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                   bench.Pin `port:"rst now_ns"`
	ackValid, ackConn, ackPkts bench.Pin `port:"s_ack_valid s_ack_conn s_ack_pkts"`
	ackECE, ackRTT             bench.Pin `port:"s_ack_ece s_ack_rtt_ns"`
	ackUNA, ackNXT             bench.Pin `port:"s_ack_una s_ack_nxt"`
	rtoValid, rtoConn, rtoOpen bench.Pin `port:"s_rto_valid s_rto_conn s_rto_open"`
	sendValid, sendConn, idle  bench.Pin `port:"s_send_valid s_send_conn s_send_idle"`
	seedValid, seedWord        bench.Pin `port:"s_seed_valid s_seed_word"`
	mode, detector, fraction   bench.Pin `port:"cfg_mode cfg_rtt_detector cfg_fraction"`
	target, idles, forced      bench.Pin `port:"cfg_target_ns cfg_idle_rounds cfg_forced_rounds"`
	pause                      bench.Pin `port:"cfg_pause_ns"`

	ready              bench.Pin     `port:"sts_ready"`
	valid, conn, label bench.Pin     `port:"m_send_valid m_send_conn m_send_label"`
	udp, fresh, cause  bench.Pin     `port:"m_send_port m_send_new m_send_cause"`
	evtIllegal         bench.Pin     `port:"evt_illegal"`
	counter            [13]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
