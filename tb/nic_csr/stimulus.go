// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes accesses in episodes: to some words, all, or anywhere, with stalls at each of the
// five channels; and events, levels and readiness of the units. Valid may fall before it is taken:
// the unit does not rely on it.
type stimulus struct {
	bench.Traffic
	p      *params.Params
	x      wires
	blocks []blockPins
	words  []uint32 // addresses of all words of registers
	hot    []uint32 // those in favour; none: all alike

	aw, w, b, ar, r, wild, part uint64 // chances in 1/256
	event, ready                uint64
	fill                        int // choice of counter values
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	m, blocks, err := newBlocks(p, l)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, blocks: blocks, Traffic: bench.NewTraffic(seed, 0x637372, 0)}
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			for n := range r.Words() {
				s.words = append(s.words, b.Base+r.Offset+4*n)
			}
		}
	}
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 200 + r.IntN(800)
	chance := func() uint64 { return bench.Pick[uint64](r, 16, 64, 200, 256, 256) }
	s.aw, s.w, s.b, s.ar, s.r = chance(), chance(), chance(), chance(), chance()
	s.wild = bench.Pick[uint64](r, 0, 8, 128)
	s.part = bench.Pick[uint64](r, 0, 0, 32, 128)
	s.event = bench.Pick[uint64](r, 0, 2, 32, 128)
	s.ready = bench.Pick[uint64](r, 2, 16, 128, 256)
	s.fill = r.IntN(4)
	s.hot = s.hot[:0]
	switch r.IntN(4) {
	case 0: // words that follow each other: a wide setting, a window
		at := r.IntN(len(s.words))
		s.hot = append(s.hot, s.words[at:min(at+6, len(s.words))]...)
	case 1: // settings, commit and the events of a block
		base := uint32(r.IntN(len(s.blocks))) * csr.BlockSize
		s.hot = append(s.hot, base+csr.AtCommit, base+csr.AtEvents, base+csr.AtEnable)
		for range 4 {
			s.hot = append(s.hot, base+csr.AtSettings+uint32(4*r.IntN(8)))
		}
	case 2: // windows of a block
		base := uint32(r.IntN(len(s.blocks)))*csr.BlockSize + csr.AtWindows + uint32(r.IntN(3))*csr.WindowSize
		for i := range uint32(5) {
			s.hot = append(s.hot, base, base+4*i)
		}
	}
	s.MayReset(2000, 6)
}

// address is one to access.
func (s *stimulus) address(dice *bench.Dice) uint64 {
	r := s.Rng.Bits()
	if dice.Hit(s.wild) {
		switch r >> 62 {
		case 0:
			return r // anywhere
		case 1: // a word's address with one bit changed
			return uint64(s.words[int(r>>8&0xffff)%len(s.words)]) ^ 1<<(r&31)
		}
		return r & uint64(len(s.blocks)*csr.BlockSize-1)
	}
	low := r & 3 // of the byte
	if n := len(s.hot); n > 0 {
		return uint64(s.hot[int(r>>32&0xffff)%n]) | low
	}
	return uint64(s.words[int(r>>32&0xffff)%len(s.words)]) | low
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.aw) {
		x.writeAddresses.Drive(in, &params.Address{Addr: uint32(s.address(&dice))})
	}
	if dice.Hit(s.w) {
		data := r.Bits()
		w := params.WriteData{Data: uint32(bench.Pick(r, data>>32, data>>32|1, data>>32&3, 1, ^uint64(0))), Strb: 15}
		if data&255 < s.part {
			w.Strb = uint8(data >> 8)
		}
		x.writeDatas.Drive(in, &w)
	}
	more := bench.Dice(r.Bits())
	if more.Hit(s.b) {
		x.bReady.Raise(in)
	}
	if more.Hit(s.r) {
		x.rReady.Raise(in)
	}
	if more.Hit(s.ar) {
		x.readAddresses.Drive(in, &params.Address{Addr: uint32(s.address(&more))})
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		for k, pin := range b.order {
			switch word := r.Bits(); {
			case b.wide[k] && s.fill == 0: // near the seam of two words
				pin.Put(in, uint64(1)<<32-3+word>>61)
			case b.wide[k] && s.fill == 1:
				pin.Put(in, ^uint64(0))
			default:
				pin.Put(in, word>>1^word<<32)
			}
		}
		for k := range b.events {
			if d := bench.Dice(r.Bits()); d.Hit(s.event) {
				b.events[k].Raise(in)
			}
		}
		for k := range b.windows {
			if w := &b.windows[k]; !w.always {
				if d := bench.Dice(r.Bits()); d.Hit(s.ready) {
					w.ready.Raise(in)
				}
			}
		}
	}
}
