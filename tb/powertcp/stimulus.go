// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has settings, a few
// connections that it favours, a density of events, and a character: how far apart
// samples are, how much arrives at a link, which anomalies there are.
type stimulus struct {
	bench.Traffic
	p     *params.Params
	x     wires
	front front
	flows []flow

	restless bool // there will be a reset in the cycle after a flush
	steady   bool // there is no reset after the first, no flush and no write of the table

	gap                  int    // largest number of cycles between two ACKs
	idle                 int    // cycles until the next ACK
	apart                int    // distance of samples: one of the aparts below
	rttRange             uint   // θ: bits that a round-trip time has at most
	arrival              uint64 // of what a link carries, in 1/16, at most
	pFlush, pBad, pBreak uint64 // chances in a cycle, in 1/256
	pPath, pCount, pNone uint64 // chances of an ACK
	pExcess, pVariant    uint64
	pStale, pStaleHop    uint64
	pUnknown, pJump      uint64
	pRandom, pTable      uint64
	pSetting             uint64
	clone                bool  // all hops of an ACK are alike
	floors               bool  // as much arrives at a link as the floor says, or a little more
	longer               bool  // round-trip times grow, by up to as much again
	steeper              bool  // they grow, by 256 to 511 ns a ns
	rise                 int   // number of cycles before its end at which the largest window becomes the maximum; 0: never
	unaimed              int64 // cycles until the first episode that aims

	usual   params.Settings // configured values of the settings
	entries []entry         // of the link-rate table, to choose from
	set     params.Settings
	mbps    [16]int64 // approximate rate of a code's link; 0: the code is unknown
	floor   [16]int64 // the least arrival rate that counts, in ppm of that

	writing   bool // a write of the link-rate table waits for its turn
	code      uint64
	entry     entry
	tableFree int   // cycles until another one is taken
	quiet     int64 // cycles until the first one: the table's first content is used before

	pending   bool // an ACK waits for its turn, or has had some of its beats
	ack       model.Ack
	hops      [maxAckHops]hop
	flushing  bool // a flush waits for its turn
	flushConn uint32
}

// entry is an entry of the link-rate table and the bandwidth that it stands for; 0:
// it is not valid.
type entry struct {
	packed      uint64
	mbps, floor int64
}

// flow describes the traffic of a connection.
type flow struct {
	have, theta       bool
	count             int
	path              uint32
	seq, sndNxt, mark uint32
	rtt               uint32
	at                uint64 // time of the sample before
	hop               [params.MaxHops]hop
}

// hop is a queue on the way: the bytes that have left it, and the bytes in it.
type hop struct {
	code uint64
	time uint64
	sent uint64
	held uint64
}

// The stimulus' own ways in which time passes.
const (
	paceFast = bench.PaceOwn + iota // about 1 µs
	paceAny                         // by anything
	paceTau                         // so that about τ is between two ACKs of a connection
)

// Distance in time of two samples of a hop.
const (
	apartTiny  = iota // up to 15 ns
	apartUsual        // up to 2 µs
	apartTau          // about τ
	apartWide         // any power of two as likely as another
	aparts
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x70746370, p.NowBits), front: newFront(p),
		flows: make([]flow, p.Connections)}
	if err := s.x.bind(p, l); err != nil {
		return nil, err
	}
	var err error
	if s.usual, err = bench.SettingsOf(params.SettingPorts, p); err != nil {
		return nil, err
	}
	s.Sweep = p.Connections
	if p.HasINT() {
		s.rates()
	}
	for code := range s.mbps {
		if code < 1<<p.RateBits && p.Rate(code).Valid {
			s.mbps[code], s.floor[code] = p.LinkRatesMbps[code], p.FloorPPM
		}
	}
	s.Start()
	for i := range s.flows {
		f := &s.flows[i]
		f.count = 1 + i%int(p.Hops)
		f.theta = p.Variant == params.Theta || p.Variant == params.Both && i&1 != 0
		f.seq = uint32(s.Rng.Bits() >> 32)
		f.sndNxt = f.seq
		for k := range f.hop {
			f.hop[k].code = s.Rng.Bits() >> 32 & (1<<p.RateBits - 1)
		}
	}
	s.quiet = p.Connections + 8000
	s.unaimed = 2 * s.quiet
	s.episode()
	return s, nil
}

func (s *stimulus) conn() uint32 { return uint32(s.Rng.Int64N(s.p.Connections)) }

// wide is a number of up to n bits; each length is as likely as another.
func (s *stimulus) wide(n int) uint64 {
	n = s.Rng.IntN(n + 1)
	return s.Rng.Bits() >> 1 >> (63 - n)
}

// chance is true in about p of 256 cases.
func (s *stimulus) chance(p uint64) bool { return s.Rng.Bits()>>56 < p }

// episode draws the character of the next few hundred cycles.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 100 + r.IntN(1500)
	s.Favour(p.Connections, 1, 1, 2, 3, 4, 8, 12, 16, 32)
	s.gap = bench.Pick(r, 0, 0, 0, 1, 3, p.Distance()+distance+2, 2*p.Distance())
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, paceFast, paceAny)
	s.apart = bench.Pick(r, apartTiny, apartUsual, apartUsual, apartTau, apartWide)
	s.rttRange = uint(bench.Pick(r, 6, 10, 15, int(p.RTTBits)))
	s.arrival = bench.Pick[uint64](r, 0, 8, 16, 24, 32, 64, 512)
	odd := r.IntN(3) == 0 // anomalies are frequent
	rare := func(often uint64) uint64 {
		if odd {
			return bench.Pick(r, 0, 4, often)
		}
		return bench.Pick[uint64](r, 0, 0, 1)
	}
	s.pFlush = bench.Pick[uint64](r, 0, 0, 0, 1, 8, 60)
	if r.IntN(10) == 0 { // flushes, on few connections, with few ACKs between them
		s.gap, s.pFlush = 5*p.Distance(), 60
		s.Hot = s.Hot[:min(len(s.Hot), 1)]
	}
	s.pBad = rare(24)
	s.pBreak = bench.Pick[uint64](r, 0, 0, 20, 128)
	s.pPath, s.pCount, s.pNone, s.pExcess, s.pVariant = rare(60), rare(60), rare(60), rare(60), rare(60)
	s.pStale, s.pStaleHop, s.pUnknown = rare(60), rare(100), rare(256)
	s.pJump, s.pRandom = rare(120), rare(200)
	s.pTable = bench.Pick[uint64](r, 0, 0, 0, 2, 40)
	s.pSetting = bench.Pick[uint64](r, 0, 0, 2, 60)
	if s.steady {
		s.pFlush, s.pTable = 0, 0
	}
	s.clone = r.IntN(5) == 0
	for i := range settings {
		s.setting(i)
	}
	s.floors, s.longer, s.steeper, s.rise = false, false, false, 0
	if s.unaimed == 0 {
		s.aim()
	}
	s.MayWrap(10)
	s.restless = false
	if !s.steady && s.SinceReset > max(4000, 6*p.Connections) && r.IntN(6) == 0 {
		if s.restless = s.pFlush > 0; !s.restless {
			s.Reset = 1 + r.IntN(3)
		}
	}
}

// aim makes of an episode, now and then, one in which settings and traffic fit each
// other: they lead to sums that nothing else does.
func (s *stimulus) aim() {
	switch s.Rng.IntN(9) {
	case 0: // times as long as the base RTT, when that is one of the longest
		s.Pace = paceTau
		s.tau(1<<s.p.RTTBits - 1 - s.wide(int(s.p.RTTBits)-1))
	case 1: // a round-trip time that falls by a little makes of 1 what is just above the floor
		s.Pace = paceTau
		s.set.ThetaFloor = 1<<16 - uint32(s.wide(8))
	case 2:
		s.floors = true
	case 3: // a power that is large, but not too large
		s.Pace, s.longer = bench.PaceClock, true
	case 4: // a counter of something rare gets far between two resets
		s.gap, s.pCount = 0, 60
		*bench.Pick(s.Rng, &s.pPath, &s.pExcess, &s.pNone, &s.pBad) = 200
	case 5: // a round-trip time that rises so fast that the gradient just saturates
		s.Pace, s.steeper, s.pPath = bench.PaceClock, true, 20
		s.tau(1<<s.p.RTTBits - 1)
	case 6: // a large window and a small power: their quotient saturates
		s.Pace = bench.PaceClock
		s.set.MinWindow, s.set.MaxWindow = 0, 1<<params.WindowBits-1
		s.set.Gamma, s.set.InitPower, s.set.ThetaFloor = uint32(s.Rng.Uint64N(1<<16)), uint32(s.wide(16)), 1
		if !s.steady {
			s.pFlush = 8
		}
	case 7: // a quotient of just half above its limit: stale telemetry leaves power and old window
		if !s.steady && s.p.HasINT() {
			s.quotient()
		}
	}
}

// quotient chooses a first window and a power whose quotient is half above the one that it
// is cut to, and lets windows grow from there in the second half of the episode.
func (s *stimulus) quotient() {
	const just = 2*(1<<26-1<<22) + 1
	for {
		power := 1<<12 + s.Rng.Uint64N(3<<12) // UQ8.18, from 2^-6 to 2^-4
		n := bits.Len64(power) - 1
		inverse := uint64(model.Reciprocal(uint32(power<<(16-n))) >> 1)
		old := (just<<(n-2) + inverse - 1) / inverse
		if old*inverse>>(n-2) == just {
			s.set.InitPower, s.set.MinWindow, s.set.MaxWindow = uint32(power), 0, uint32(old)
			break
		}
	}
	s.set.Gamma, s.set.Beta = 1<<15, uint32(s.wide(18))
	s.rise = s.Left / 2
	s.Hot = append(s.Hot[:0], s.conn())
	s.gap, s.pFlush, s.pStale = 0, 60, 256
	s.pSetting, s.pPath, s.pCount, s.pNone, s.pVariant, s.pJump = 0, 0, 0, 0, 0, 0
}

// The settings, in the order of the group.
const (
	setGamma = iota
	setBeta
	setTauM
	setTauE
	setTau
	setMin
	setMax
	setInit
	setFloor
	setTarget
	settings
)

// setting chooses the value of a setting. Half of the time it is the configured
// one; limits that belong together are chosen together.
func (s *stimulus) setting(i int) {
	r, p, usual := s.Rng, s.p, &s.usual
	all := func(bits int) uint64 { return 1<<bits - 1 }
	wide := func(bits int) uint32 { return uint32(s.wide(bits)) }
	switch i {
	case setGamma:
		s.set.Gamma = bench.Pick(r, usual.Gamma, usual.Gamma, 0, 1, 1<<16, 1<<16, uint32(r.Uint64N(1<<16+1)))
	case setBeta:
		s.set.Beta = bench.Pick(r, usual.Beta, usual.Beta, 0, uint32(all(params.BetaBits)), wide(params.BetaBits))
	case setTauM, setTauE, setTau:
		tau := bench.Pick(r, uint64(p.TauNS), uint64(p.TauNS), 2, 100, 5000, 50_000, all(int(p.RTTBits)), s.wide(int(p.RTTBits)))
		s.tau(min(max(tau, 1), all(int(p.RTTBits))))
		if r.IntN(16) == 0 { // they do not fit each other
			s.set.InvTauM, s.set.InvTauE = uint32(r.Uint64()), uint8(r.Uint64())
		}
	case setMin, setMax:
		low, high := usual.MinWindow, usual.MaxWindow
		top := uint32(all(params.WindowBits))
		switch r.IntN(6) {
		case 0:
			low, high = 0, top
		case 1:
			low = wide(params.WindowBits)
			high = low
		case 2:
			low, high = wide(12), wide(params.WindowBits)|1<<12
		case 3:
			low = top - wide(20)
			high = low + uint32(r.Uint64N(uint64(top-low)+1))
		}
		s.set.MinWindow, s.set.MaxWindow = low, high
	case setInit:
		s.set.InitPower = bench.Pick(r, usual.InitPower, usual.InitPower, 1<<18, 275_941, 0, uint32(all(params.NormBits)), wide(params.NormBits))
	case setFloor:
		s.set.ThetaFloor = bench.Pick(r, usual.ThetaFloor, usual.ThetaFloor, 1, 1<<16, uint32(1+r.Uint64N(1<<16)))
	case setTarget:
		s.set.InvTarget = bench.Pick(r, usual.InvTarget, usual.InvTarget, 1<<16, 68_985, 1<<17-1, uint32(r.Uint64()&0x1ffff))
	}
}

// tau makes a number of ns the base RTT.
func (s *stimulus) tau(ns uint64) {
	m, e := inverse(ns)
	s.set.Tau, s.set.InvTauM, s.set.InvTauE = uint32(ns), uint32(m), uint8(e)
}

// inverse is 1/tau as a mantissa m and an exponent e: m × 2^-(16+e), rounded down.
func inverse(tau uint64) (m, e uint64) {
	for e = 0; (uint64(1)<<(16+e))/tau < 1<<16; e++ {
	}
	return (1 << (16 + e)) / tau, e
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	rst := s.Cycle(s.episode)
	if s.rise > 0 && s.Left == s.rise {
		s.rise, s.pFlush, s.set.MaxWindow = 0, 0, 1<<params.WindowBits-1
	}
	if s.unaimed > 0 {
		s.unaimed--
	}
	var o offer
	if rst {
		o.rst = true
		x.rst.Raise(in)
		for i := range s.flows {
			s.flows[i].have = false
		}
	}
	if s.chance(s.pSetting) {
		s.setting(s.Rng.IntN(settings))
	}
	x.set.Drive(in, &s.set)
	if s.p.HasINT() {
		if s.quiet > 0 {
			s.quiet--
		} else if !s.writing && s.chance(s.pTable) {
			s.choose()
		}
		if s.writing {
			s.table(in)
		}
		s.tableFree = max(s.tableFree-1, 0)
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	if !s.pending && s.idle == 0 {
		s.compose()
		s.pending = true
	}
	if s.idle > 0 {
		s.idle--
	}
	if s.pending && !(s.front.open && s.chance(s.pBreak)) {
		o.ack = true
		s.beat(in, &o)
	}
	if !s.flushing && s.chance(s.pFlush) {
		s.flushing, s.flushConn = true, s.target()
	}
	if s.flushing {
		o.flush, o.flushConn = true, s.flushConn
		x.flushes.Drive(in, &params.Flush{Conn: s.flushConn})
	}
	s.front.step(&o)
	switch {
	case o.last:
		s.pending = false
		s.idle = 0
		if s.gap > 0 {
			s.idle = s.Rng.IntN(s.gap + 1)
		}
		s.after()
	case o.flushed:
		s.flushing = false
		if s.restless && s.Rng.IntN(8) == 0 { // it is the last that comes before a reset
			s.restless, s.Reset = false, 1
		}
		if int64(s.flushConn) < s.p.Connections {
			s.flows[s.flushConn].have = false
		}
	}
	s.Pass(s.pass)
}

// pass carries out the stimulus' own steps of time.
func (s *stimulus) pass() {
	switch s.Pace {
	case paceFast:
		s.Now += s.Rng.Bits() >> 54
	case paceAny:
		s.Now += s.Rng.Bits() >> 2 >> (s.Rng.Bits() >> 58)
	case paceTau:
		s.Now += uint64(s.set.Tau) * (s.Rng.Bits() >> 56) >> 12
	}
}

// target chooses a connection, now and then one that does not exist.
func (s *stimulus) target() uint32 {
	p := s.p
	c := s.conn()
	if n := len(s.Hot); n > 0 {
		c = s.Hot[s.Rng.IntN(n)]
	}
	if none := int64(1)<<p.ConnBits - p.Connections; none > 0 && s.chance(s.pBad) {
		if wide := uint32(1) << p.ConnIdxBits(); p.ConnBits > int64(p.ConnIdxBits()) && s.Rng.IntN(2) == 0 {
			return c | wide // as one that exists in the low bits
		}
		return uint32(p.Connections + s.Rng.Int64N(none))
	}
	return c
}

// rates makes entries of the link-rate table for all kinds of links and targets.
func (s *stimulus) rates() {
	for range 100 {
		r, q := s.Rng, *s.p
		q.FloorPPM = bench.Pick(r, q.FloorPPM, 1_000, 1_000_000, 10_000)
		q.TargetPPM = bench.Pick(r, q.TargetPPM, 950_000, 510_000)
		q.TauNS = bench.Pick(r, q.TauNS, 5_000, 50_000)
		mbps := bench.Pick(r, q.LinkRatesMbps[r.IntN(len(q.LinkRatesMbps))], 10_000, 25_000, 100_000, 800_000, 1+int64(s.wide(21)))
		q.LinkRatesMbps[0] = mbps
		s.entries = append(s.entries, entry{q.Rate(0).Entry(), mbps, q.FloorPPM})
	}
}

// choose makes a write of the link-rate table.
func (s *stimulus) choose() {
	r := s.Rng
	s.writing, s.code, s.entry = true, uint64(r.IntN(1<<s.p.RateBits)), s.entries[r.IntN(len(s.entries))]
	switch r.IntN(16) {
	case 0:
		s.entry.packed = r.Uint64()
	case 1:
		s.entry.packed = 0
	case 2, 3: // for any arrivals, the least power with a separate key, or half of it
		c0 := uint64(64 - 28 - r.IntN(2))
		s.entry.packed = 20<<58 | c0<<17 | 1
	}
}

// table drives the write of the link-rate table that waits until it is taken.
func (s *stimulus) table(in []uint64) {
	s.x.writes.Drive(in, &params.Write{Code: uint8(s.code), Entry: s.entry.packed})
	if s.tableFree > 0 {
		return
	}
	s.writing, s.tableFree = false, s.p.RateHold()+1
	s.mbps[s.code] = 0
	if s.entry.packed&1 != 0 {
		s.mbps[s.code], s.floor[s.code] = max(s.entry.mbps, 1), s.entry.floor
	}
}

// beat drives the ACK that waits: its header, and the hops of the beat.
func (s *stimulus) beat(in []uint64, o *offer) {
	a := &s.ack
	o.ackConn, o.beats = a.Conn, a.HopCnt
	if a.Theta {
		o.beats = 1
	}
	e := params.ACK{Conn: a.Conn, Seq: a.Seq, SndNxt: a.SndNxt, Path: a.Path, Theta: a.Theta, HopCnt: uint8(a.HopCnt), RTTValid: a.RTTValid, RTT: a.RTT}
	for lane := range int(s.p.Lanes()) {
		h := &s.hops[(s.front.next+lane)%len(s.hops)]
		e.Rate[lane], e.Time[lane], e.Bytes[lane], e.Qlen[lane] = uint8(h.code), uint32(h.time), uint32(h.sent), uint32(h.held)
	}
	s.x.acks.Drive(in, &e)
}

// compose makes an ACK. What is not looked at of it is random.
func (s *stimulus) compose() {
	p, r := s.p, s.Rng
	a := &s.ack
	c := s.target()
	var stranger flow
	f := &stranger
	if int64(c) < p.Connections {
		f = &s.flows[c]
	} else {
		f.count = 1
	}
	if s.chance(s.pPath) { // in one bit, or in any
		f.path ^= 1 << r.IntN(int(p.PathBits))
		if r.IntN(4) == 0 {
			f.path = uint32(r.Bits() >> 32)
		}
	}
	if p.Variant == params.Both && s.chance(s.pVariant) {
		f.theta = !f.theta
	}
	*a = model.Ack{Conn: c, Path: f.path, Theta: f.theta || p.Variant == params.Theta}
	s.sequence(f)
	a.Seq, a.SndNxt = f.seq, f.sndNxt
	a.HopCnt = int(r.Bits() >> (64 - params.HopCntBits))
	if a.Theta {
		s.roundTrip(f)
		return
	}
	if s.chance(s.pCount) {
		f.count = 1 + r.IntN(int(p.Hops))
	}
	a.RTTValid, a.RTT = true, uint32(r.Bits()>>32)
	if p.Observes() {
		s.least(f)
	}
	a.HopCnt = f.count
	switch {
	case s.chance(s.pNone):
		a.HopCnt = 0
	case f.count == int(p.Hops) && s.chance(s.pExcess):
		a.HopCnt = int(p.Hops) + r.IntN(maxAckHops+1-int(p.Hops))
	}
	for i := range max(int(p.Lanes()), a.HopCnt) {
		b := r.Bits()
		s.hops[i] = hop{b, b >> 8, b >> 16, b >> 24}
	}
	s.telemetry(f, min(a.HopCnt, int(p.Hops)))
}

// sequence moves the sequence numbers of a flow on.
func (s *stimulus) sequence(f *flow) {
	r := s.Rng
	b := r.Bits()
	switch {
	case b>>60 == 0: // anywhere
		f.seq = uint32(r.Bits() >> 32)
	case b>>60 == 1: // about the wrap, of signed and of unsigned numbers
		f.seq = uint32(b>>31&1)<<31 + uint32(b&1023) - 512
	case b>>60 < 6: // about the mark
		f.seq = f.mark + uint32(b>>20&3) - 1
	default:
		f.seq += uint32(b>>20&7) * 1000
	}
	f.sndNxt = f.seq + uint32(s.wide(17))
	if b>>50&1023 == 0 {
		f.sndNxt = uint32(r.Bits() >> 32)
	}
}

// roundTrip is the sample of an ACK by round-trip time.
func (s *stimulus) roundTrip(f *flow) {
	a := &s.ack
	b := s.Rng.Bits()
	switch {
	case s.steeper && b&1 == 0: // so long that the power does not saturate with it
		f.rtt = 1 << (s.p.RTTBits - 1)
	case s.steeper:
		f.rtt += uint32((s.Now-f.at)&s.Mask) * uint32(256+b>>8&255)
	case b>>61 < 3: // as it was, or nearly
		f.rtt += uint32(b>>8&63) - 32
		if b>>20&1 == 0 {
			break
		}
	case b>>61 < 5:
		f.rtt = uint32(s.wide(int(s.rttRange)))
	case b>>61 == 5:
		f.rtt = uint32(s.wide(int(s.p.RTTBits)))
	case b>>61 == 6 && s.longer:
		f.rtt += f.rtt * uint32(b>>8&255) >> 8
	}
	f.at = s.Now
	f.rtt = max(f.rtt&(1<<s.p.RTTBits-1), 1)
	a.RTTValid, a.RTT = true, f.rtt
	if s.chance(s.pNone) {
		if b&1 == 0 {
			a.RTTValid = false
		} else {
			a.RTT = 0
		}
	}
}

// least is a round-trip time of which only the least of the path counts: mostly about τ,
// so that it is not soon as small as it can be.
func (s *stimulus) least(f *flow) {
	a := &s.ack
	b := s.Rng.Bits()
	all := uint64(1)<<s.p.RTTBits - 1
	switch {
	case b>>60 == 0:
		f.rtt = uint32(s.wide(int(s.p.RTTBits)))
	case b>>61 < 3: // as it was, or nearly
		f.rtt += uint32(b>>8&63) - 32
	default: // from half of τ to one and a half
		f.rtt = uint32(min((uint64(s.set.Tau)>>1)+uint64(s.set.Tau)*(b>>8&255)>>8, all))
	}
	f.rtt = max(f.rtt&uint32(all), 1)
	a.RTT = f.rtt
	if b>>40&15 == 0 {
		a.RTTValid = false
	} else if b>>40&31 == 1 {
		a.RTT = 0
	}
}

// telemetry moves the first n hops of a flow on, as far as the ACK's telemetry
// tells.
func (s *stimulus) telemetry(f *flow, n int) {
	p, r := s.p, s.Rng
	stale := s.chance(s.pStale)
	jump := s.chance(s.pJump)
	unknown := s.chance(s.pUnknown)
	every := s.dt()
	for i := range n {
		h := &f.hop[i]
		if s.clone && i > 0 {
			*h = f.hop[0]
			s.hops[i] = s.hops[0]
			continue
		}
		b := r.Bits()
		if b>>58 == 0 || s.quiet > 0 && b>>61 == 0 {
			h.code = uint64(r.IntN(1 << p.RateBits))
		}
		code := h.code
		if s.mbps[code] == 0 != unknown && b>>57&1 == 0 {
			// Another code: one that is known, or one that is not.
			for k := range uint64(16) {
				if c := (code + k) & (1<<p.RateBits - 1); s.mbps[c] == 0 == unknown {
					code = c
					break
				}
			}
			if !unknown {
				h.code = code
			}
		}
		dt := every
		if b>>56&1 == 0 {
			dt = s.dt()
		}
		if stale || s.chance(s.pStaleHop) {
			dt = 0
		}
		h.time += dt
		s.flow(h, dt, code)
		if jump {
			s.jump(h)
		}
		s.hops[i] = hop{code, h.time, h.sent / uint64(p.TxUnit), min(h.held/uint64(p.QlenUnit), 1<<p.QlenBits-1)}
		if s.chance(s.pRandom) {
			s.hops[i].sent, s.hops[i].held = r.Bits()>>20, s.wide(int(p.QlenBits))
		}
	}
}

// dt is the time between two samples of a hop.
func (s *stimulus) dt() uint64 {
	b := s.Rng.Bits()
	switch s.apart {
	case apartTiny:
		return b >> 60
	case apartUsual:
		return 1 + b>>53
	case apartTau:
		return uint64(s.set.Tau)*(b>>56)/128 + b&1
	}
	return s.wide(int(s.p.TimeBits))
}

// flow lets the queue before a link of some code fill or drain for some time.
func (s *stimulus) flow(h *hop, dt, code uint64) {
	dt = min(dt, 1<<20)
	can := dt * uint64(max(s.mbps[code], 1)) / 8000 // bytes
	come := can / 16 * (s.Rng.Bits() >> 55 * s.arrival >> 9)
	if s.floors {
		come = can * uint64(s.floor[code]) / 1_000_000
		come += come * (s.Rng.Bits() >> 56) >> 14
	}
	h.held += come
	out := min(h.held, can)
	h.held -= out
	h.sent += out
	h.held = min(h.held, uint64(s.p.QlenUnit)<<s.p.QlenBits-1)
}

// jump makes of a queue what no traffic would.
func (s *stimulus) jump(h *hop) {
	top := uint64(s.p.QlenUnit)<<s.p.QlenBits - 1
	switch s.Rng.IntN(5) {
	case 0:
		h.held = top
	case 1:
		h.held = 0
	case 2: // drained, and nothing was sent
		h.held /= 2
	case 3:
		h.sent += uint64(s.p.TxUnit) * s.wide(int(s.p.TxBits))
	case 4: // more than half of the range
		h.sent += uint64(s.p.TxUnit) << s.p.TxBits / 16 * (8 + s.Rng.Uint64N(8))
	}
}

// after keeps what the unit keeps of the ACK that was taken, as far as it leads
// the next ones.
func (s *stimulus) after() {
	a := &s.ack
	if int64(a.Conn) >= s.p.Connections || !a.Theta && a.HopCnt == 0 || a.Theta && (!a.RTTValid || a.RTT == 0) {
		return
	}
	f := &s.flows[a.Conn]
	far := int32(a.Seq - f.mark)
	if !f.have && a.Theta {
		f.have, f.mark = true, a.Seq
		return
	}
	if !f.have || far > 0 || a.Theta && far == 0 || int32(a.SndNxt-f.mark) < 0 {
		f.have, f.mark = true, a.SndNxt
	}
}
