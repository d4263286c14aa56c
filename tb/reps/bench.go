// SPDX-License-Identifier: Apache-2.0

// Package reps is the bench of the REPS entropy buffer: constrained random
// stimulus, the golden model behind the unit's ports, and the coverage points.
package reps

import (
	_ "embed" // the assertions

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// assertions are attached to the unit by bind: invariants of its
// state, independent of the golden model.
//
//go:embed nic_reps_sva.sv
var assertions string

const unitName = "reps"

// Unit makes benches of the REPS entropy buffer.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor: func(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
		return newPredictor(p, l, bare)
	},
	Points: points,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// pins are the places of the unit's ports in the vectors.
type pins struct {
	now                                bench.Pin `port:"now_ns"`
	ackConn, ackEV, ackECN             bench.Pin `port:"s_ack_conn s_ack_ev s_ack_ecn"`
	ackPort, failPort, flushPort       bench.Pin `port:"s_ack_port s_fail_port s_flush_port"`
	ackCount                           bench.Pin `optional:"s_ack_count"`
	failConn, flushConn                bench.Pin `port:"s_fail_conn s_flush_conn"`
	sendConn, sendPort, sendRandom     bench.Pin `port:"s_send_conn s_send_port s_send_random"`
	seedWord, mode, timeout, num, base bench.Pin `port:"s_seed_word cfg_mode cfg_freezing_timeout_ns cfg_num_pkts_cwnd cfg_ev_base"`

	rst, ackValid, failValid, flushValid       flag `port:"rst s_ack_valid s_fail_valid s_flush_valid"`
	sendValid, sendInject, seedValid, freezing flag `port:"s_send_valid s_send_inject s_seed_valid cfg_freezing"`

	ready, flushReady              bench.Pin     `port:"sts_ready s_flush_ready"`
	ackReady                       bench.Pin     `optional:"s_ack_ready"`
	evValid, ev, evSource          bench.Pin     `port:"m_ev_valid m_ev m_ev_source"`
	evtFreeze, evtThaw, evtIllegal bench.Pin     `port:"evt_freeze evt_thaw evt_illegal"`
	seeded                         bench.Pin     `port:"sts_seeded"`
	counter                        [10]bench.Pin `each:"sts_%s_cnt"`
	corrected, correctedCount      bench.Pin     `optional:"evt_corrected sts_corrected_cnt"` // reports of upsets; none without state protection

	flagWord int     // the input word that holds all flags; -1 if there is none
	flag     []*flag // all of them
}

// flag is an input of one bit that is read in every cycle.
type flag struct {
	bench.Pin
	in uint64 // its bit in what flags returns
}

// flags reads all inputs that are flags at once.
func (x *pins) flags(in []uint64) (f uint64) {
	if x.flagWord >= 0 {
		return in[x.flagWord]
	}
	for _, p := range x.flag {
		if p.On(in) {
			f |= p.in
		}
	}
	return f
}

// gather finds out whether the flags share a word.
func (x *pins) gather() {
	x.flag = []*flag{&x.rst, &x.ackValid, &x.failValid, &x.flushValid, &x.sendValid, &x.sendInject, &x.seedValid, &x.freezing}
	x.flagWord = x.rst.Word
	for _, p := range x.flag {
		if p.Word != x.flagWord {
			x.flagWord = -1
		}
	}
	for i, p := range x.flag {
		if p.in = p.Bit; x.flagWord < 0 {
			p.in = 1 << i
		}
	}
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	err := bench.Bind(unitName, l, x, params.CounterNames...)
	x.gather()
	return x, err
}
