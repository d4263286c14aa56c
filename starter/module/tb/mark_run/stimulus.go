// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/starter/module/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes: a few hundred cycles with a threshold, a few
// connections that get the ACKs, and rates of ACKs and marks.
type stimulus struct {
	bench.Traffic
	p         *params.Params
	acks      bench.Wires[params.ACK]
	set       bench.Wires[params.Settings]
	rst       bench.Pin
	settings  params.Settings
	ack, mark uint64 // chances in a cycle, in 1/256
	bad       uint64
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x6d61726b, 0)}
	s.Sweep = p.Connections // a reset may come before the sweep of the last one is over
	return s, bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &s.rst), bench.WireIn(params.ACKs, &s.acks),
		bench.WireGroup(params.SettingPorts, &s.set))
}

// episode chooses the properties of the next few hundred cycles.
func (s *stimulus) episode() {
	r, most := s.Rng, uint64(1)<<s.p.RunBits-1
	s.Left = 64 + r.IntN(800)
	s.Favour(s.p.Connections, 1, 1, 2, 3, 8)
	s.settings.Threshold = bench.Pick(r, 0, 1, min(2, most), most, r.Uint64()&most, r.Uint64()&most&7)
	s.ack = bench.Pick[uint64](r, 16, 128, 256, 256)
	s.mark = bench.Pick[uint64](r, 64, 128, 240, 256, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 64)
	s.MayReset(2000+8*s.p.Connections, 4)
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	if s.Cycle(s.episode) {
		s.rst.Raise(in)
	}
	s.set.Drive(in, &s.settings)
	dice := bench.Dice(s.Rng.Bits())
	ack, mark, bad := dice.Hit(s.ack), dice.Hit(s.mark), dice.Hit(s.bad)
	if !ack {
		return
	}
	s.acks.Drive(in, &params.ACK{Conn: s.Connection(s.p.Connections, s.p.ConnBits, bad), ECN: mark})
}
