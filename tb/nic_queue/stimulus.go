// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes packets and pops in episodes: of some connections, lengths and rates, with
// stalls, faults and settings. Most pops are of connections that packets came for.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	beat, same, bad, unknown, other uint64 // chances in 1/256: of a beat in a cycle, of a packet to be so
	length                          int    // choice of lengths
	pop, early, discard, ready      uint64
	tell                            uint64
	budget                          int
	set                             params.Settings
	stall                           int // cycles in which no packet may begin
	hoard                           bool

	left  int // bytes of the packet that are still to come; 0: between packets
	conn  uint32
	store bool
	came  []uint32 // connections of packets, some not popped yet
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x71756575, 0)}
	s.Sweep = p.ReadyDelay()
	return s, s.x.bind(p, l)
}

// Ways to choose a length.
const (
	oneBeat = iota
	fewBeats
	mixed
	frames
	longest
)

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r, cells := s.Rng, uint64(s.p.Cells())
	s.Left = 100 + r.IntN(900)
	s.Favour(s.p.Connections, 1, 1, 2, 3, 8, 40)
	s.beat = bench.Pick[uint64](r, 16, 64, 128, 240, 256, 256, 256)
	s.same = bench.Pick[uint64](r, 0, 0, 128, 240)
	s.bad = bench.Pick[uint64](r, 0, 0, 16, 128, 256)
	s.unknown = bench.Pick[uint64](r, 0, 0, 16)
	s.other = bench.Pick[uint64](r, 0, 0, 32, 128)
	s.length = bench.Pick(r, oneBeat, oneBeat, fewBeats, fewBeats, fewBeats, mixed, mixed, frames, longest)
	s.pop = bench.Pick[uint64](r, 4, 32, 96, 200, 256, 256)
	s.early = bench.Pick[uint64](r, 0, 16, 128)
	s.discard = bench.Pick[uint64](r, 0, 0, 8, 128)
	s.ready = bench.Pick[uint64](r, 32, 200, 256, 256, 256)
	s.tell = bench.Pick[uint64](r, 4, 128, 256)
	s.budget = r.IntN(6)
	s.settings()
	s.hoard = r.IntN(16*max(1, int(cells)>>14)) == 0 // above 1 MiB rarer: each takes so long
	if s.hoard {                                     // fills the buffer
		s.Left = int(3*cells) + r.IntN(1000)
		s.beat, s.bad, s.pop = 256, bench.Pick[uint64](r, 0, 16), bench.Pick[uint64](r, 0, 0, 2)
		s.length = bench.Pick(r, frames, longest, mixed)
		s.other = 0
		s.set.Quota = 2*cells - 1
	}
	s.MayReset(3000+2*s.p.ReadyDelay(), 12)
}

// settings chooses run-time settings: small thresholds, so that much happens.
func (s *stimulus) settings() {
	r, cells := s.Rng, uint64(s.p.Cells())
	s.set.Quota = bench.Pick(r, 0, 1, 2, 5, 40, 160, cells, cells, 2*cells-1, r.Uint64N(cells))
	s.set.Xoff = bench.Pick(r, 0, 1, 2, 8, 40, 160, r.Uint64N(cells))
	s.set.Xon = bench.Pick(r, 0, s.set.Xoff/2, s.set.Xoff-min(s.set.Xoff, 1), s.set.Xoff, r.Uint64N(8))
	s.set.FreeOn = bench.Pick(r, cells, cells-1, cells/2, r.Uint64N(cells), 1)
	s.set.FreeOff = bench.Pick(r, s.set.FreeOn, s.set.FreeOn-min(s.set.FreeOn, 1), s.set.FreeOn/2, 0, cells)
	s.set.Shim = bench.Pick[uint64](r, 0, 32, 48, 63)
}

// bytes chooses the length of a packet.
func (s *stimulus) bytes() int {
	r, most := s.Rng, int(s.p.MaxFrame)
	var n int
	switch s.length {
	case oneBeat:
		n = bench.Pick(r, 60, 64, 60, 64, 1+r.IntN(64))
	case fewBeats:
		n = 1 + r.IntN(64*6)
	case mixed:
		n = bench.Pick(r, 60, 64, 65, 128, 129, 192, 193, 256, 1+r.IntN(1600))
	case frames:
		n = bench.Pick(r, 1514, 1500, 4096+70, 60+r.IntN(1500))
	case longest:
		n = bench.Pick(r, most, most, most+1, most-1, most-64, most+1+r.IntN(100), most+64*r.IntN(200), 1+r.IntN(most))
	}
	if s.hoard { // a longer one would free its cells again
		n = min(n, most)
	}
	return n
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.left, s.came = 0, s.came[:0]
		x.set.Drive(in, &s.set)
		return
	}
	if r.Bits()>>53 == 0 && !s.hoard { // in mid traffic
		s.settings()
	}
	x.set.Drive(in, &s.set)
	dice := bench.Dice(r.Bits())
	if s.stall > 0 {
		s.stall--
	} else if dice.Hit(s.ready) {
		x.mayBegin.Raise(in)
	}
	if r.Bits()>>54 == 0 {
		s.stall = 10 + r.IntN(200)
	}
	if dice.Hit(s.tell) {
		x.flowReady.Raise(in)
	}
	s.popTo(in, dice.Hit(s.pop), dice.Hit(s.early), dice.Hit(s.discard))
	if !dice.Hit(s.beat) {
		return
	}
	var b params.Beat
	if s.left == 0 {
		s.begin(&b)
	} else if word := r.Bits(); word>>62 == 0 { // fields that count with the first beat only
		b.Conn, b.Store, b.Bytes, b.Tags = word, word>>30&1 != 0, word>>31, word>>50
	}
	for i := range b.Data {
		b.Data[i] = r.Bits()
	}
	b.Keep = ^uint64(0) >> (64 - min(s.left, params.KeepBits))
	s.left -= min(s.left, params.KeepBits)
	b.Last = s.left == 0
	b.User = b.Last && dice.Hit(s.bad)
	x.beats.Drive(in, &b)
}

// target is a connection, or now and then the number of none.
func (s *stimulus) target(unknown bool) uint32 {
	if none := int64(1)<<s.p.ConnBits - s.p.Connections; unknown && none > 0 {
		return uint32(bench.Beyond(s.Rng.Bits()>>32, s.p.Connections, s.p.Connections+none))
	}
	var conn [1]uint32
	s.Target(conn[:], s.p.Connections)
	return conn[0]
}

// begin chooses what comes with a first beat.
func (s *stimulus) begin(b *params.Beat) {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	if !dice.Hit(s.same) {
		s.conn = s.target(dice.Hit(s.unknown))
	}
	s.left = s.bytes()
	if s.store = !dice.Hit(s.other); s.store && len(s.came) < 20_000 {
		s.came = append(s.came, s.conn)
	}
	b.Store, b.Conn = s.store, uint64(s.conn)
	word := r.Bits()
	b.Tags = word
	b.Bytes = uint64(max(1, s.left-14))
	if dice.Hit(32) {
		b.Bytes = bench.Pick(r, 0, 1, word>>40, 1<<params.BytesBits-1, word>>40&63)
	}
	for i := range (s.p.MetaBits + 63) / 64 {
		b.Meta[i] = r.Bits()
	}
}

// popTo drives a pop, which is held for some cycles: as long as it may take until it is taken, or
// shorter, since any valid cycle may be the one.
func (s *stimulus) popTo(in []uint64, want, early, discard bool) {
	x, r := &s.x, s.Rng
	if !want {
		return
	}
	p := pop{discard: discard}
	if n := len(s.came); n > 0 && !early {
		i := 0
		if r.Bits()>>63 == 0 {
			i = r.IntN(n)
		}
		p.conn = uint64(s.came[i])
		s.came[i] = s.came[n-1]
		s.came = s.came[:n-1]
	} else {
		p.conn = uint64(s.target(early && r.Bits()>>60 == 0))
	}
	budgets := [...]int{0, 1, 46 * (1 + r.IntN(4)), r.IntN(5000), 1<<params.BudgetBits - 1, 1 << r.IntN(params.BudgetBits)}
	p.budget = budgets[s.budget]
	if r.Bits()>>62 == 0 {
		p.budget = r.IntN(400)
	}
	x.pops.Drive(in, &params.Pop{Conn: p.conn, Budget: uint64(p.budget), Discard: p.discard})
}
