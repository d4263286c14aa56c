// SPDX-License-Identifier: Apache-2.0

// Package reps is the bench of the REPS entropy buffer: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package reps

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
)

// Bench drives one configuration of the unit.
type Bench struct {
	P *params.Params
	// Override, if set, is passed to the top module as SystemVerilog parameters;
	// P must then describe the overridden configuration and Emitted the emitted.
	Override map[string]string
	Emitted  *params.Params
	// Edit, if set, changes the emitted text before it is compiled: planted bugs.
	Edit func(name, text string) string

	source cosim.Source
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) {
	p, ok := cfg.(*params.Params)
	if !ok {
		return nil, fmt.Errorf("tb/reps: configuration of unit %s, want reps", cfg.Unit())
	}
	b := &Bench{P: p}
	return b, b.Prepare()
}

// Prepare generates the RTL. New has done it; a Bench literal needs it.
func (b *Bench) Prepare() error {
	p := b.P
	if b.Emitted != nil {
		p = b.Emitted
	}
	files, err := p.Files()
	if err != nil {
		return err
	}
	b.source = cosim.Source{Top: p.Top(), Params: b.Override}
	for _, f := range files {
		if b.Edit != nil {
			f.Text = b.Edit(f.Name, f.Text)
		}
		b.source.Files = append(b.source.Files, cosim.File(f))
	}
	b.source.Bind = []cosim.File{{Name: "nic_reps_sva.sv", Text: assertions}}
	return nil
}

// Source implements cosim.Bench.
func (b *Bench) Source() cosim.Source { return b.source }

// NewPredictor implements cosim.Bench.
func (b *Bench) NewPredictor(l *cosim.Layout) (cosim.Predictor, error) {
	return newPredictor(b.P, l)
}

// NewBarePredictor implements cosim.Bare.
func (b *Bench) NewBarePredictor(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := newPredictor(b.P, l)
	if err != nil {
		return nil, err
	}
	p.bare = true
	return p, nil
}

// NewStimulus implements cosim.Bench.
func (b *Bench) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	return newStimulus(b.P, l, seed)
}

// Points implements cosim.Bench.
func (b *Bench) Points() []cosim.Point { return points(b.P) }

// pin is the place of a port in a vector, in the form that is quickest to use.
type pin struct {
	word  int
	shift uint
	mask  uint64 // at bit 0
	bit   uint64 // the port's lowest bit, in place
	flag  uint64 // of an input that is a flag: its bit in what flags returns
}

// get reads the port, its low 64 bits if it is wider.
func (p *pin) get(v []uint64) uint64 { return v[p.word] >> (p.shift & 63) & p.mask }

// on reports whether the port's lowest bit is set.
func (p *pin) on(v []uint64) bool { return v[p.word]&p.bit != 0 }

// raise sets the port's lowest bit.
func (p *pin) raise(v []uint64) { v[p.word] |= p.bit }

// put writes x, cut to the port's width, where zeros are.
func (p *pin) put(v []uint64, x uint64) { v[p.word] |= (x & p.mask) << (p.shift & 63) }

// add adds n to the port, modulo its width.
func (p *pin) add(v []uint64, n uint64) {
	was := p.get(v)
	v[p.word] += (was+n)&p.mask<<(p.shift&63) - was<<(p.shift&63)
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                                   pin
	ackValid, ackConn, ackEV, ackECN, ackCount pin
	failValid, failConn                        pin
	flushValid, flushConn                      pin
	sendValid, sendConn, sendPort              pin
	sendInject, sendRandom                     pin
	seedValid, seedWord                        pin
	mode, freezing, timeout, num, base         pin

	ready, flushReady, ackReady    pin
	evValid, ev, evSource          pin
	evtFreeze, evtThaw, evtIllegal pin
	counter                        [9]pin

	flagWord int    // the input word that holds all flags; -1 if there is none
	flag     []*pin // inputs that are flags
}

// flags reads all inputs that are flags at once.
func (x *pins) flags(in []uint64) (f uint64) {
	if x.flagWord >= 0 {
		return in[x.flagWord]
	}
	for _, p := range x.flag {
		if p.on(in) {
			f |= p.flag
		}
	}
	return f
}

// gather finds out whether the flags share a word.
func (x *pins) gather() {
	x.flag = []*pin{&x.rst, &x.ackValid, &x.failValid, &x.flushValid, &x.sendValid, &x.sendInject, &x.seedValid, &x.freezing}
	x.flagWord = x.rst.word
	for _, p := range x.flag {
		if p.word != x.flagWord {
			x.flagWord = -1
		}
	}
	for i, p := range x.flag {
		if p.flag = p.bit; x.flagWord < 0 {
			p.flag = 1 << i
		}
	}
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	var missing error
	at := func(name string) pin {
		s, ok := l.Slot(name)
		if !ok {
			if missing == nil {
				missing = fmt.Errorf("tb/reps: the module has no port %s", name)
			}
			return pin{}
		}
		return pin{word: s.Word, shift: uint(s.Shift), mask: s.Mask(), bit: 1 << s.Shift}
	}
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		ackValid: at("s_ack_valid"), ackConn: at("s_ack_conn"), ackEV: at("s_ack_ev"), ackECN: at("s_ack_ecn"),
		failValid: at("s_fail_valid"), failConn: at("s_fail_conn"),
		flushValid: at("s_flush_valid"), flushConn: at("s_flush_conn"),
		sendValid: at("s_send_valid"), sendConn: at("s_send_conn"), sendPort: at("s_send_port"),
		sendInject: at("s_send_inject"), sendRandom: at("s_send_random"),
		seedValid: at("s_seed_valid"), seedWord: at("s_seed_word"),
		mode: at("cfg_mode"), freezing: at("cfg_freezing"), timeout: at("cfg_freezing_timeout_ns"),
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
	x.gather()
	return x, missing
}

// word reads bits lo..lo+n-1 (n ≤ 64) of a port of any width.
func word(s pin, v []uint64, lo, n int) uint64 {
	i := int(s.shift) + lo
	w, sh := s.word+i/64, i%64
	x := v[w] >> sh
	if sh != 0 && sh+n > 64 {
		x |= v[w+1] << (64 - sh)
	}
	return x & (^uint64(0) >> (64 - n))
}

// setWord writes bits lo..lo+n-1 (n ≤ 64) of a port that are zero so far.
func setWord(s pin, v []uint64, lo, n int, x uint64) {
	x &= ^uint64(0) >> (64 - n)
	i := int(s.shift) + lo
	w, sh := s.word+i/64, i%64
	v[w] |= x << sh
	if sh != 0 && sh+n > 64 {
		v[w+1] |= x >> (64 - sh)
	}
}
