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

// golden is the unit behind its contract: the registers, and the two state machines of the front end.
type golden struct {
	*bench.Frame
	p      *params.Params
	m      *csr.Map
	blocks []blockPins
	regs   *model.Registers
	bus    bus
	now    []uint64 // the inputs of the cycle
	open   bool     // the cycle after the first one of a reset: the blocks show what they had

	writeAddresses, readAddresses bench.Wires[params.Address]
	writeDatas                    bench.Wires[params.WriteData]
	writeAnswers                  bench.Out[params.WriteAnswer]
	readAnswers                   bench.Out[params.ReadAnswer]
	awReady, wReady, arReady      bench.Pin
	rResp, irq                    bench.Pin

	busCare []uint64 // the outputs that count while it is open
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
	rd              [4]bool // its progress
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
	m, blocks, err := newBlocks(p, l)
	if err != nil {
		return nil, err
	}
	g := &golden{p: p, m: m, blocks: blocks, regs: model.New(m)}
	g.bus.raised = make([]bool, len(m.Blocks))
	g.totals.init(p, m)
	g.cov = newCoverage(m)
	g.Frame, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Bind: []bench.Binder{
			bench.WireIn(params.WriteAddresses, &g.writeAddresses), bench.WireIn(params.WriteDatas, &g.writeDatas), bench.WireIn(params.ReadAddresses, &g.readAddresses),
			bench.Emits(params.WriteAnswers, &g.writeAnswers), bench.Emits(params.ReadAnswers, &g.readAnswers),
			bench.WirePin("s_axil_awready", &g.awReady), bench.WirePin("s_axil_wready", &g.wReady), bench.WirePin("s_axil_arready", &g.arReady),
			bench.WirePin("s_axil_rresp", &g.rResp), bench.WirePin("irq", &g.irq),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	if err != nil {
		return nil, err
	}
	g.Always(g.rResp, g.irq)
	g.busCare = slices.Clone(g.Care)
	for i := range blocks {
		for _, s := range blocks[i].settings {
			g.Always(s.pin)
		}
		for k := range blocks[i].windows {
			w := &blocks[i].windows[k]
			g.Always(w.valid)
			for j := range w.fields {
				f := &w.fields[j]
				for lo := 0; lo < f.bits; lo += 64 {
					f.pin.PutBits(g.Care, lo, min(64, f.bits-lo), ^uint64(0))
				}
			}
		}
	}
	return g, nil
}

// begin starts a cycle; in a reset cycle, only the registers' outputs are valid.
func (g *golden) begin(n *bench.Now) {
	g.show(n)
	if !n.Rst {
		g.open = false
		g.now = n.In
		g.step(n)
	}
}

func (g *golden) reset() {
	if !g.Bare {
		g.coverReset()
	}
	g.open = !g.bus.late
	g.regs.Reset()
	raised := g.bus.raised
	clear(raised)
	g.bus = bus{raised: raised, late: true}
	g.totals.reset()
}

// level returns the value of a block's port in the cycle.
func (g *golden) level(block int, port string) uint64 {
	if g.totals.has(block, port) {
		return g.totals.shown
	}
	return g.port(block, port)
}

// port returns the value of a block's port in the cycle.
func (g *golden) port(block int, port string) uint64 {
	if block > 0 {
		return g.blocks[block].levels[port].Get(g.now)
	}
	if port == "sts_illegal_cnt" {
		return g.bus.illegal
	}
	var v uint64
	for i, on := range g.bus.raised {
		if on {
			v |= 1 << i
		}
	}
	return v
}

// step takes the inputs of a cycle.
func (g *golden) step(n *bench.Now) {
	s := &g.bus
	next := *s // the state from the next cycle on
	next.late = false

	address := int64(-1)
	if s.rd[0] {
		address = int64(s.rAddress)
	}
	g.totals.step(address, g.m, g.port)

	// Reads: levels are read three cycles after the address came.
	read := g.readAddresses.Of(n.In)
	next.rd = [4]bool{!s.busy && read != nil, s.rd[0], s.rd[1], s.rd[2]}
	if next.rd[0] {
		next.busy, next.rAddress = true, read.Addr
		g.Accepted++
	}
	if s.rd[2] {
		word, ok := g.regs.Read(s.rAddress, g.level)
		next.word, next.hole = word, !ok
		if !g.Bare {
			g.coverRead(s.rAddress, ok)
		}
	}
	if s.rd[3] {
		next.data2, next.got = true, s.word
	}
	if s.data2 && g.readAnswers.Ready(n) {
		next.data2, next.busy = false, false
	}

	// Words that windows offer may be taken, but not later ones.
	var taken []*model.Window
	for i := range g.blocks {
		for k, w := range g.regs.Windows(i) {
			if y := &g.blocks[i].windows[k]; w.Offered && (y.always || y.ready.On(n.In)) {
				taken = append(taken, w)
			}
		}
	}

	// The interrupt, from the events before.
	next.raised = make([]bool, len(s.raised))
	next.irq = false
	for i := range next.raised {
		next.raised[i] = g.regs.Interrupt(i)
		next.irq = next.irq || s.raised[i]
	}

	// Writes: the blocks are written one cycle after both parts are there.
	goes := s.haveAddr && s.haveW && !s.answer
	next.write, next.part = goes && s.full, goes && !s.full
	if goes {
		next.answer, next.failed = true, !s.full
		g.Accepted++
	}
	if s.answer && g.writeAnswers.Ready(n) {
		next.answer, next.haveAddr, next.haveW = false, false, false
	}
	if a := g.writeAddresses.Of(n.In); !s.haveAddr && a != nil {
		next.haveAddr, next.address = true, a.Addr
	}
	if w := g.writeDatas.Of(n.In); !s.haveW && w != nil {
		next.haveW, next.data, next.full = true, w.Data, w.Strb == 15
	}
	lost := false
	if s.write {
		if !g.Bare {
			g.coverWrite(s.address, s.data)
		}
		lost = !g.regs.Write(s.address, s.data)
	}
	for _, w := range taken {
		w.Take()
		g.Accepted++
	}

	// Events, the unit's own first.
	var own uint32
	for i, on := range s.own {
		if on {
			own |= 1 << i
		}
	}
	g.regs.Raise(0, own)
	next.own = [3]bool{s.rd[3] && s.hole, lost, s.part}
	illegal := uint64(0)
	if s.own[0] {
		illegal++
	}
	if s.own[1] || s.own[2] {
		illegal++
	}
	if !g.Bare {
		g.coverOwn(illegal)
	}
	next.illegal = (s.illegal + illegal) & (^uint64(0) >> (64 - g.p.CounterBits))
	for i := range g.blocks {
		var events uint32
		for k := range g.blocks[i].events {
			if g.blocks[i].events[k].On(n.In) && !s.late {
				events |= 1 << k
				g.Accepted++
			}
		}
		if !g.Bare && s.write {
			g.coverClear(i, s.address, s.data, events)
		}
		g.regs.Raise(i, events)
	}
	*s = next
}

// show writes what the registers show.
func (g *golden) show(n *bench.Now) {
	s := &g.bus
	want, care := n.Later(0)
	if g.open {
		copy(care, g.busCare)
	}
	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
	}
	raise(&g.awReady, !s.haveAddr)
	raise(&g.wReady, !s.haveW)
	raise(&g.arReady, !s.busy)
	raise(&g.irq, s.irq)
	if s.answer {
		a := params.WriteAnswer{}
		if s.failed {
			a.Resp = 2
		}
		g.writeAnswers.EmitAfter(n, &a, 0)
	}
	if s.data2 {
		g.readAnswers.EmitAfter(n, &params.ReadAnswer{Data: s.got}, 0)
	}
	if g.open {
		return
	}
	for i := range g.blocks {
		b := &g.blocks[i]
		for k := range b.settings {
			b.settings[k].pin.Put(want, g.regs.Setting(i, b.settings[k].port))
		}
		for k, w := range g.regs.Windows(i) {
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

// text describes the front end.
func (g *golden) text([]uint64) string {
	s := &g.bus
	name := func(address uint32) string {
		if b, reg, n := g.m.At(address); reg != nil {
			return fmt.Sprintf("%s.%s, word %d", b.Name, reg.Name, n)
		}
		return "a hole"
	}
	return fmt.Sprintf("\nwrites: ready for an address %t, for data %t, last address 0x%x (%s), data 0x%08x\n"+
		"reads: ready %t, last address 0x%x (%s), data 0x%08x", !s.haveAddr, !s.haveW, s.address, name(s.address), s.data,
		!s.busy, s.rAddress, name(s.rAddress), s.got)
}
