// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	model "github.com/nicgen/nicgen/model/nic_csr"
	"github.com/nicgen/nicgen/tb/bench"
)

// predictor is the golden model behind the unit's ports: the registers, and the two state machines of
// the front end.
type predictor struct {
	bench.Golden
	p      *params.Params
	m      *csr.Map
	pins   *pins
	blocks []blockPins
	regs   *model.Registers
	bus    bus
	now    []uint64 // the inputs of the cycle
	open   bool     // the cycle after the first one of a reset: the blocks show what they had

	busCare []uint64 // the outputs that count then
	totals  totals
	cov     coverage
}

// bus is the state of the front end.
type bus struct {
	address, data   uint32
	haveAddr, haveW bool
	full            bool // all strobes
	write, part     bool // in the blocks: a write, or one that is refused
	answer, failed  bool
	rAddress        uint32
	busy            bool    // with a read
	rd              [4]bool // how far it is
	word, got       uint32  // on the way, and offered
	hole            bool    // it is one, on the way
	data2           bool    // got is offered
	own             [3]bool // evt_hole, evt_lost, evt_strobe
	illegal         uint64
	raised          []bool // a block's interrupt
	irq             bool
	late            bool // the blocks are reset in this cycle, after the bus
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, m, blocks, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, m: m, pins: x, blocks: blocks, regs: model.New(m)}
	r.bus.raised = make([]bool, len(m.Blocks))
	r.totals.init(p, m)
	r.cov = newCoverage(m)
	r.Always(x.awReady, x.wReady, x.bValid, x.arReady, x.rValid, x.rResp, x.irq)
	r.busCare = slices.Clone(r.Care)
	for i := range blocks {
		for _, s := range blocks[i].settings {
			r.Always(s.pin)
		}
		for k := range blocks[i].windows {
			w := &blocks[i].windows[k]
			r.Always(w.valid)
			for j := range w.fields {
				f := &w.fields[j]
				for lo := 0; lo < f.bits; lo += 64 {
					f.pin.PutBits(r.Care, lo, min(64, f.bits-lo), ^uint64(0))
				}
			}
		}
	}
	return r, nil
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	r.Cycle++
	if r.pins.rst.On(in) {
		if r.Known && !r.Bare {
			r.coverReset()
		}
		r.open = !r.Known || !r.bus.late
		r.Known = true
		r.regs.Reset()
		raised := r.bus.raised
		clear(raised)
		r.bus = bus{raised: raised, late: true}
		r.totals.reset()
		return
	}
	if r.Known {
		r.open = false
		r.now = in
		r.step(in)
	}
}

// level is what a port of a block has in the cycle.
func (r *predictor) level(block int, port string) uint64 {
	if r.totals.has(block, port) {
		return r.totals.shown
	}
	return r.port(block, port)
}

// port is what a port of a block has in the cycle.
func (r *predictor) port(block int, port string) uint64 {
	if block > 0 {
		return r.blocks[block].levels[port].Get(r.now)
	}
	if port == "sts_illegal_cnt" {
		return r.bus.illegal
	}
	var v uint64
	for i, on := range r.bus.raised {
		if on {
			v |= 1 << i
		}
	}
	return v
}

// step takes the inputs of a cycle.
func (r *predictor) step(in []uint64) {
	x, s := r.pins, &r.bus
	next := *s // what counts from the next cycle on
	next.late = false

	address := int64(-1)
	if s.rd[0] {
		address = int64(s.rAddress)
	}
	r.totals.step(address, r.m, r.port)

	// Reads: levels are read three cycles after the address came.
	next.rd = [4]bool{x.arValid.On(in) && !s.busy, s.rd[0], s.rd[1], s.rd[2]}
	if next.rd[0] {
		next.busy, next.rAddress = true, uint32(x.arAddr.Get(in))
		r.Accepted++
	}
	if s.rd[2] {
		word, ok := r.regs.Read(s.rAddress, r.level)
		next.word, next.hole = word, !ok
		if !r.Bare {
			r.coverRead(s.rAddress, ok)
		}
	}
	if s.rd[3] {
		next.data2, next.got = true, s.word
	}
	if s.data2 && x.rReady.On(in) {
		next.data2, next.busy = false, false
	}

	// What the windows offer may be taken, but not what they will offer.
	var taken []*model.Window
	for i := range r.blocks {
		for k, w := range r.regs.Windows(i) {
			if y := &r.blocks[i].windows[k]; w.Offered && (y.always || y.ready.On(in)) {
				taken = append(taken, w)
			}
		}
	}

	// The interrupt, from the events before.
	next.raised = make([]bool, len(s.raised))
	next.irq = false
	for i := range next.raised {
		next.raised[i] = r.regs.Interrupt(i)
		next.irq = next.irq || s.raised[i]
	}

	// Writes: the blocks are written one cycle after both parts are there.
	goes := s.haveAddr && s.haveW && !s.answer
	next.write, next.part = goes && s.full, goes && !s.full
	if goes {
		next.answer, next.failed = true, !s.full
		r.Accepted++
	}
	if s.answer && x.bReady.On(in) {
		next.answer, next.haveAddr, next.haveW = false, false, false
	}
	if x.awValid.On(in) && !s.haveAddr {
		next.haveAddr, next.address = true, uint32(x.awAddr.Get(in))
	}
	if x.wValid.On(in) && !s.haveW {
		next.haveW, next.data, next.full = true, uint32(x.wData.Get(in)), x.wStrb.Get(in) == 15
	}
	lost := false
	if s.write {
		if !r.Bare {
			r.coverWrite(s.address, s.data)
		}
		lost = !r.regs.Write(s.address, s.data)
	}
	for _, w := range taken {
		w.Take()
		r.Accepted++
	}

	// Events, those of the unit itself first.
	var own uint32
	for i, on := range s.own {
		if on {
			own |= 1 << i
		}
	}
	r.regs.Raise(0, own)
	next.own = [3]bool{s.rd[3] && s.hole, lost, s.part}
	n := uint64(0)
	if s.own[0] {
		n++
	}
	if s.own[1] || s.own[2] {
		n++
	}
	if !r.Bare {
		r.coverOwn(n)
	}
	next.illegal = (s.illegal + n) & (^uint64(0) >> (64 - r.p.CounterBits))
	for i := range r.blocks {
		var events uint32
		for k := range r.blocks[i].events {
			if r.blocks[i].events[k].On(in) && !s.late {
				events |= 1 << k
				r.Accepted++
			}
		}
		if !r.Bare && s.write {
			r.coverClear(i, s.address, s.data, events)
		}
		r.regs.Raise(i, events)
	}
	*s = next
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x, s := r.pins, &r.bus
	copy(care, r.Care)
	if r.open {
		copy(care, r.busCare)
	}
	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
	}
	raise(&x.awReady, !s.haveAddr)
	raise(&x.wReady, !s.haveW)
	raise(&x.arReady, !s.busy)
	raise(&x.irq, s.irq)
	if s.answer {
		x.bValid.Raise(want)
		x.bResp.Put(care, 3)
		if s.failed {
			x.bResp.Put(want, 2)
		}
	}
	if s.data2 {
		x.rValid.Raise(want)
		x.rData.Put(want, uint64(s.got))
		x.rData.Put(care, ^uint64(0))
	}
	for i := range r.blocks {
		if r.open {
			continue
		}
		b := &r.blocks[i]
		for k := range b.settings {
			b.settings[k].pin.Put(want, r.regs.Setting(i, b.settings[k].port))
		}
		for k, w := range r.regs.Windows(i) {
			y := &b.windows[k]
			raise(&y.valid, w.Offered)
			for j := range y.fields {
				f := &y.fields[j]
				put(&f.pin, want, f.bits, w.Data[f.port])
			}
		}
	}
}

// put gives a port of any width a value.
func put(pin *bench.Pin, v []uint64, bits int, x *big.Int) {
	var part big.Int
	for lo := 0; lo < bits; lo += 64 {
		part.Rsh(x, uint(lo))
		part.And(&part, new(big.Int).SetUint64(^uint64(0)))
		pin.PutBits(v, lo, min(64, bits-lo), part.Uint64())
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	s := &r.bus
	name := func(address uint32) string {
		if b, reg, n := r.m.At(address); reg != nil {
			return fmt.Sprintf("%s.%s, word %d", b.Name, reg.Name, n)
		}
		return "a hole"
	}
	return fmt.Sprintf("cycle %d; writes: ready for an address %t, for data %t, last address 0x%x (%s), data 0x%08x; "+
		"reads: ready %t, last address 0x%x (%s), data 0x%08x", r.Cycle, !s.haveAddr, !s.haveW, s.address, name(s.address), s.data,
		!s.busy, s.rAddress, name(s.rAddress), s.got)
}
