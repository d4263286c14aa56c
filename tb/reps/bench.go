// SPDX-License-Identifier: Apache-2.0

// Package reps is the bench of the REPS entropy buffer: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package reps

import (
	_ "embed" // the assertions

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// assertions are attached to the unit by bind: what must hold inside it whatever
// the golden model says.
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
	now                                bench.Pin
	ackConn, ackEV, ackECN, ackCount   bench.Pin
	failConn, flushConn                bench.Pin
	sendConn, sendPort, sendRandom     bench.Pin
	seedWord, mode, timeout, num, base bench.Pin

	rst, ackValid, failValid, flushValid       flag
	sendValid, sendInject, seedValid, freezing flag

	ready, flushReady, ackReady    bench.Pin
	evValid, ev, evSource          bench.Pin
	evtFreeze, evtThaw, evtIllegal bench.Pin
	counter                        [9]bench.Pin
	corrected                      []bench.Pin // what tells of upsets; none without state protection

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

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	is := func(name string) flag { return flag{Pin: at(name)} }
	x := &pins{
		rst: is("rst"), now: at("now_ns"),
		ackValid: is("s_ack_valid"), ackConn: at("s_ack_conn"), ackEV: at("s_ack_ev"), ackECN: at("s_ack_ecn"),
		failValid: is("s_fail_valid"), failConn: at("s_fail_conn"),
		flushValid: is("s_flush_valid"), flushConn: at("s_flush_conn"),
		sendValid: is("s_send_valid"), sendConn: at("s_send_conn"), sendPort: at("s_send_port"),
		sendInject: is("s_send_inject"), sendRandom: at("s_send_random"),
		seedValid: is("s_seed_valid"), seedWord: at("s_seed_word"),
		mode: at("cfg_mode"), freezing: is("cfg_freezing"), timeout: at("cfg_freezing_timeout_ns"),
		num: at("cfg_num_pkts_cwnd"), base: at("cfg_ev_base"),
		ready: at("sts_ready"), flushReady: at("s_flush_ready"),
		evValid: at("m_ev_valid"), ev: at("m_ev"), evSource: at("m_ev_source"),
		evtFreeze: at("evt_freeze"), evtThaw: at("evt_thaw"), evtIllegal: at("evt_illegal"),
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	if p.Coalescing == params.Carry {
		x.ackCount, x.ackReady = at("s_ack_count"), at("s_ack_ready")
	}
	if p.Protected() {
		x.corrected = []bench.Pin{at("evt_corrected"), at("sts_corrected_cnt")}
	}
	x.gather()
	return x, ports.Err()
}
