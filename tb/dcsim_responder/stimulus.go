// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes packets of all kinds in episodes of some hundred cycles: a few flows that get
// most of them, rates, how often answers are taken, and settings.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	rx, sim, bad, simReady, dataReady uint64 // chances in a cycle, in 1/256
	stay                              uint64 // probability that the flow is the last packet's
	stall                             int    // cycles in which no tag is taken
	set                               params.Settings
	cycle, patience                   int    // so far; cycles in which settings stay and packets are rare
	lead                              int    // the first ones of these, with a short tick
	long                              uint64 // the tick after them
	last                              uint32
}

// After this many cycles, a run has time for long ticks, some of them in succession.
const (
	patient   = 300_000
	longTicks = 4
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x64637270, 0)}
	s.Sweep = p.ReadyDelay()
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 200 + r.IntN(1200)
	s.Favour(s.p.Flows, 1, 1, 2, 3, 8, 40)
	s.rx = bench.Pick[uint64](r, 8, 64, 128, 256, 256)
	s.sim = bench.Pick[uint64](r, 0, 8, 64, 128, 250)
	s.bad = bench.Pick[uint64](r, 0, 4, 40)
	s.stay = bench.Pick[uint64](r, 0, 0, 128, 250)
	s.simReady = bench.Pick[uint64](r, 4, 64, 200, 256, 256)
	s.dataReady = bench.Pick[uint64](r, 16, 128, 200, 256, 256, 256)
	if s.patience > 0 {
		s.rare()
		return
	}
	s.settings()
	s.MayReset(3000+2*s.p.ReadyDelay(), 6)
	if s.cycle > patient && r.IntN(96) == 0 {
		s.long = r.Uint64() & (1<<(1+r.IntN(params.TickBits)) - 1)
		s.set.Tick = r.Uint64N(4)
		s.lead = grain * int(s.set.Tick+1) * params.Ticks
		s.patience = s.lead + grain*int(s.long+1)*longTicks
		s.rare()
	}
}

// rare is an episode of a time with rare packets. DATAs come while ticks are short, so that flows
// have waited for different numbers of them when long ones begin: each of these ends a time.
func (s *stimulus) rare() {
	s.rx, s.sim = 256, 64
	s.set.Every = 15
	s.stall = 0
}

// settings chooses run-time settings: short times for few flows, so that much happens.
func (s *stimulus) settings() {
	r := s.Rng
	most := uint64(1)<<params.BytesBits - 1
	s.set.Every = bench.Pick(r, 0, 1, 3, 7, 14, 15, 15, r.Uint64()&15)
	s.set.Tick = bench.Pick(r, 0, 0, 1, 3, r.Uint64()&15, uint64(s.p.ReadyDelay())/8, r.Uint64()&(1<<params.TickBits-1))
	s.set.DataBytes = bench.Pick(r, 1500, 9216, 64, 2, r.Uint64()&most, most-1)
}

// gap returns the mean number of cycles per packet in such a time.
func (s *stimulus) gap() uint64 {
	if s.lead > 0 {
		return 16
	}
	return 32 * (s.set.Tick + 1)
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	s.cycle++
	s.patience = max(0, s.patience-1)
	if s.lead > 0 {
		if s.lead--; s.lead == 0 {
			s.set.Tick = s.long
		}
	}
	switch b := r.Bits() >> 52; {
	case s.patience > 0: // everything stays
	case b == 0: // in mid traffic
		s.settings()
	case b < 4:
		s.stall = 10 + int(b)*60
	}
	x.set.Drive(in, &s.set)
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.simReady) {
		x.simReady.Raise(in)
	}
	if s.stall > 0 {
		s.stall--
	} else if dice.Hit(s.dataReady) {
		x.dataReady.Raise(in)
	}
	valid, sim, bad, stay := dice.Hit(s.rx), dice.Hit(s.sim), dice.Hit(s.bad), dice.Hit(s.stay)
	if !valid || s.patience > 0 && r.Uint64N(s.gap()) != 0 {
		return
	}
	flow := [1]uint32{s.last}
	if !stay {
		s.Target(flow[:], s.p.Flows)
	}
	s.last = flow[0]
	class, most := uint64(params.Data), s.set.DataBytes
	if sim {
		class, most = params.SIM, uint64(s.p.ProbeBytes)
	}
	b := r.Bits()
	bytes := bench.Pick(r, most, 1, max(1, b>>40%max(1, most)))
	name := uint64(flow[0])
	if bad {
		if b>>8&3 == 0 {
			class = params.SIMAck + b>>10&1
		}
		if b>>11&3 == 0 {
			bytes = 0
		} else if b>>13&1 == 0 {
			bytes = most + 1
		} else if b>>14&1 == 0 {
			bytes = bench.Pick(r, s.set.DataBytes, b>>50)
		}
		if none := int64(1)<<s.p.FlowBits - s.p.Flows; b>>15&3 == 0 && none > 0 {
			name = uint64(bench.Beyond(b>>32, s.p.Flows, s.p.Flows+none))
		}
	}
	x.packets.Drive(in, &params.Packet{Class: class, Flow: name, Port: b >> 20, Tag: b >> 30, Bytes: bytes})
}
