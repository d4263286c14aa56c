// SPDX-License-Identifier: Apache-2.0

// Package powertcp is the golden model of the PowerTCP window unit: the integers of the hardware,
// one ACK at a time. The package also holds the float64 model of the algorithms, under names that
// begin with Paper.
package powertcp

import (
	"fmt"
	"math/bits"

	params "github.com/nicgen/nicgen/gen/powertcp"
)

// Settings are the run-time settings.
type Settings = params.Settings

// Link is an entry of the link-rate table: constants derived from a bandwidth b.
type Link struct {
	Valid bool
	C0    Float  // 1/(b·TU): ns for each unit of bytes
	C1    uint32 // C0's mantissa ÷ (b·τ), for each unit of queue, times 2^(base+4·Shift); 17 bits
	Shift uint   // 0 to 3
	Floor Float  // lower bound of the arrival rate λ: units of bytes per ns
}

// LinkOf decodes an entry: see docs/units/powertcp.md for its bits.
func LinkOf(entry uint64) Link {
	signed := func(at uint) int { return int(int64(entry<<(64-6-at)) >> 58) }
	return Link{
		Valid: entry&1 != 0,
		C0:    Float{1<<16 | uint32(entry>>1)&0xffff, signed(17)},
		C1:    uint32(entry>>23) & 0x1ffff,
		Shift: uint(entry>>40) & 3,
		Floor: Float{1<<16 | uint32(entry>>42)&0xffff, signed(58)},
	}
}

// Hop is the telemetry of a switch, as the ACK returns it.
type Hop struct {
	Qlen uint32 // queue length, in units of qlen_unit_bytes
	Tx   uint32 // bytes sent, in units of tx_unit_bytes, wraps
	Time uint32 // ns, wraps
	Link Link   // entry of the link-rate table for its rate code
}

// Ack is an acknowledgement.
type Ack struct {
	Conn        uint32
	Seq, SndNxt uint32

	Path   uint32 // path of the packet
	HopCnt int    // INT: number of hops of the packet's path; Hops has the ones that the unit uses
	Hops   []Hop  // INT

	Theta    bool   // θ: the fields below are used instead of the telemetry
	RTTValid bool   // θ, and INT where τ is observed: there is a sample
	RTT      uint32 // of these: ns
	Now      uint64 // θ: time of arrival, ns, wraps
}

// Cause is the effect of an ACK.
type Cause uint8

// Causes, in the encoding of m_win_cause.
const (
	Updated   Cause = iota // the window was computed
	First                  // the connection's first ACK: stored only (P8, T4)
	Changed                // another path, hop count or variant: stored only (P9)
	NoSample               // no telemetry or no RTT: no effect (T8)
	Stale                  // no hop was used (P6): the window was computed with the old power
	WithinRTT              // θ: within the round trip or no time has passed: only the base RTT may have changed (T2, T5)
	Illegal                // no such connection: no effect
)

// Result is the answer to an ACK.
type Result struct {
	Cause  Cause
	Window uint32 // bytes, UQ23.2
	Rate   uint32 // bytes per ns, UQ8.16
	Norm   uint32 // normalised power of the bottleneck hop, UQ8.18; 0 without
	Power  uint32 // smoothed power, UQ8.18
	Hop    int    // the bottleneck hop

	StaleHops, UnknownRates int  // hops that were not used (P6, unknown rate code)
	Excess                  bool // more hops than the unit uses
	Low, High               bool // the window was clamped to a bound (P16)
}

// record is the state of a hop: s is queue length plus bytes sent.
type record struct {
	s    uint64
	time uint32
}

// conn is the state of a connection.
type conn struct {
	have, theta bool
	count       int
	path        uint32
	hops        []record
	power       uint64 // Γsmooth, UQ8.26
	window      uint32 // cwnd, UQ23.2
	old         uint32 // cwnd_old, UQ23.2
	mark        uint32 // lastSeq, lastUpdated

	rtt  uint32 // θ: prevRTT
	sent uint64 // θ: t_c^prev
	tau  uint32 // base RTT: θ, and INT where it is observed
}

// Unit is the state of all connections.
type Unit struct {
	Settings Settings
	Links    [16]Link // the link-rate table

	p         *params.Params
	conns     []conn
	qlen, tx  uint64 // a unit of queue and of bytes sent in the hop lane's units
	sum       uint64 // mask of s
	sumBits   int
	time, now uint64 // masks
	base      uint   // shift of C1 at Shift 0
}

// New returns the unit in its state after reset, with the settings of p.
func New(p *params.Params) *Unit {
	g := p.ByteUnit()
	u := &Unit{
		p: p, conns: make([]conn, p.Connections),
		qlen: uint64(p.QlenUnit / g), tx: uint64(p.TxUnit / g),
		sumBits: p.SumBits(), sum: 1<<p.SumBits() - 1,
		time: 1<<p.TimeBits - 1, now: ^uint64(0) >> (64 - p.NowBits),
		base: uint(max(0, 11-bits.Len64(uint64(p.QlenUnit-1)))),
	}
	for i := range u.conns {
		u.conns[i].hops = make([]record, p.Hops)
	}
	for code := range 1 << p.RateBits {
		u.Links[code] = LinkOf(p.Rate(code).Entry())
	}
	v := p.PortValues()
	u.Settings = Settings{
		Gamma: uint32(v["cfg_gamma"]), Beta: uint32(v["cfg_beta"]),
		InvTauM: uint32(v["cfg_inv_tau_m"]), InvTauE: uint8(v["cfg_inv_tau_e"]), Tau: uint32(v["cfg_tau_ns"]),
		MinWindow: uint32(v["cfg_min_window"]), MaxWindow: uint32(v["cfg_max_window"]),
		InitPower: uint32(v["cfg_init_power"]), ThetaFloor: uint32(v["cfg_theta_floor"]), InvTarget: uint32(v["cfg_inv_target"]),
	}
	return u
}

// Reset makes every connection new. Settings and the link-rate table stay.
func (u *Unit) Reset() {
	for i := range u.conns {
		u.conns[i].have = false
	}
}

// Flush makes connection c new; it returns false if the connection does not exist.
func (u *Unit) Flush(c uint32) bool {
	if uint64(c) >= uint64(len(u.conns)) {
		return false
	}
	u.conns[c].have = false
	return true
}

// Ack implements NEWACK of Algorithms 1 and 2: Begin, Hop for each hop, and Window.
func (u *Unit) Ack(a *Ack) Result {
	s := u.Begin(a)
	for i := range s.Count {
		u.Hop(&s, i, &a.Hops[i])
	}
	return u.Window(&s)
}

// Step is an ACK in the pipeline, between two stages of the hardware. Begin and Hop read and write
// the state that decides whether the window changes; only Window uses the windows, the smoothed
// power, the base RTT and the Settings.
type Step struct {
	Cause  Cause // so far: an Updated one may become Stale
	Excess bool  // more hops than the unit uses
	Count  int   // INT: number of calls of Hop to come

	c              *conn
	first          bool   // the connection had no state
	theta          bool   // by round-trip time
	mark           bool   // cwnd_old takes the new window
	dt             uint64 // interval of the power, ns
	hop            int    // INT: the bottleneck hop so far
	best           uint32 // INT: its key
	stale, unknown int

	rtt, was uint32 // RTT, 0 if unknown; θ: and the RTT of the last update
	other    bool   // the path has no base RTT yet

	samples []sample // of the hops that count, where the base RTT is observed
}

// sample holds the values from which the power of a hop is computed when its base RTT is known.
type sample struct {
	hop     int
	num, dt uint64
	qlen    uint32
	link    Link
}

// Begin takes an ACK's header. INT: it does not read a.Hops.
func (u *Unit) Begin(a *Ack) Step {
	if uint64(a.Conn) >= uint64(len(u.conns)) {
		return Step{Cause: Illegal}
	}
	c := &u.conns[a.Conn]
	s := Step{c: c, theta: a.Theta, first: !c.have, other: !c.have || !c.theta}
	if a.Theta {
		u.beginTheta(a, &s)
		return s
	}
	s.other = !c.have
	if u.p.Observes() && a.RTTValid {
		s.rtt = a.RTT & (1<<u.p.RTTBits - 1)
	}
	u.beginINT(a, &s)
	return s
}

// kind reports whether an ACK continues the path, hop count and variant of the state.
func (c *conn) kind(theta bool, count int, path uint32) Cause {
	switch {
	case !c.have:
		return First
	case c.theta != theta, c.path != path, !theta && c.count != count:
		return Changed
	}
	return Updated
}

func (u *Unit) beginINT(a *Ack, s *Step) {
	c := s.c
	s.Count = min(a.HopCnt, len(c.hops))
	s.Excess = a.HopCnt > len(c.hops)
	if s.Count == 0 {
		s.Cause = NoSample
		return
	}
	path := u.path(a)
	s.Cause = c.kind(false, s.Count, path)
	if s.Cause == Updated {
		s.mark = passed(a, c.mark, 1) // P11
		if s.mark {
			c.mark = a.SndNxt
		}
		s.Cause = Stale // until a hop is used
		return
	}
	c.have, c.theta, c.count, c.path, c.mark = true, false, s.Count, path, a.SndNxt
}

// HopEvent is the use of a hop.
type HopEvent uint8

// Events of a hop.
const (
	HopSeen    HopEvent = iota // used, or only stored
	HopStale                   // not used: its old time (P6)
	HopUnknown                 // not used: unknown rate code
)

// Hop takes the telemetry of hop i, from 0 to Count-1 in this order.
func (u *Unit) Hop(s *Step, i int, h *Hop) HopEvent {
	was := &s.c.hops[i]
	now := u.record(h)
	if s.Cause == First || s.Cause == Changed {
		*was = now
		return HopSeen
	}
	dt := (uint64(now.time) - uint64(was.time)) & u.time // P10
	if dt == 0 {                                         // P6
		s.stale++
		return HopStale
	}
	num := u.arrived(now.s - was.s)
	*was = now // P17
	if !h.Link.Valid {
		s.unknown++
		return HopUnknown
	}
	if u.p.Observes() { // the base RTT is known once the earlier ACKs have their settings
		s.Cause = Updated
		s.samples = append(s.samples, sample{i, num, dt, h.Qlen, h.Link})
		return HopSeen
	}
	key := h.Link.power(num, normalise(dt), h.Link.share(uint64(h.Qlen), u.base))
	if s.Cause == Stale || key > s.best { // strict: ties go to the lowest hop
		s.Cause, s.hop, s.best, s.dt = Updated, i, key, dt
	}
	return HopSeen
}

// passed reports whether an ACK is beyond the round trip that ends at mark, by at
// least beyond bytes. A mark ahead of snd_nxt is impossible and counts as passed.
func passed(a *Ack, mark uint32, beyond int32) bool {
	return int32(a.Seq-mark) >= beyond || int32(a.SndNxt-mark) < 0
}

// path returns the path of an ACK, truncated to path_bits.
func (u *Unit) path(a *Ack) uint32 { return a.Path & (1<<u.p.PathBits - 1) }

// record returns the stored state of a hop.
func (u *Unit) record(h *Hop) record {
	return record{
		s:    (uint64(h.Qlen)*u.qlen + uint64(h.Tx)*u.tx) & u.sum,
		time: h.Time & uint32(u.time),
	}
}

func (u *Unit) beginTheta(a *Ack, s *Step) {
	c := s.c
	s.rtt = a.RTT & (1<<u.p.RTTBits - 1)
	now := a.Now & u.now
	if !a.RTTValid || s.rtt == 0 { // T8
		s.Cause = NoSample
		return
	}
	path := u.path(a)
	switch s.Cause = c.kind(true, 0, path); s.Cause {
	case First: // T4: the next ACK is beyond the mark
		c.mark = a.Seq
	case Updated:
		over := passed(a, c.mark, 0) // T3
		s.was, s.dt = c.rtt, (now-c.sent)&u.now
		if !over && !u.p.UpdatesEachAck() || s.dt == 0 { // T2, T5
			s.Cause = WithinRTT
			return
		}
		if s.mark = over; over {
			c.mark = a.SndNxt
		}
	}
	c.have, c.theta, c.path = true, true, path
	c.rtt, c.sent = s.rtt, now
}

// Window ends an ACK: it computes the window with the present settings.
func (u *Unit) Window(s *Step) Result {
	r := Result{Cause: s.Cause, Excess: s.Excess, StaleHops: s.stale, UnknownRates: s.unknown, Hop: s.hop}
	c, set := s.c, &u.Settings
	if r.Cause == Illegal {
		return r
	}
	if r.Cause == First {
		c.power = uint64(set.InitPower) << (PowerFrac - NormFrac)
		c.window, c.old = set.MaxWindow, set.MaxWindow
	}
	invTau := Float{set.InvTauM | 1<<16, int(set.InvTauE)}
	if s.theta || u.p.Observes() {
		invTau = inverse(u.baseRTT(s))
	}
	if r.Cause != Updated && r.Cause != Stale {
		return u.unchanged(s, r, invTau)
	}
	key, tau := s.best, set.Tau
	if s.theta {
		key, tau = u.Gradient(s.rtt, s.was, s.dt, c.tau), c.tau
	} else if u.p.Observes() {
		u.choose(s, invTau)
		r.Hop, key, tau = s.hop, s.best, c.tau
	}
	u.update(s, &r, key, tau, invTau)
	return r
}

// choose finds the bottleneck hop where the base RTT is observed.
func (u *Unit) choose(s *Step, invTau Float) {
	for i := range s.samples {
		x := &s.samples[i]
		key := x.link.power(x.num, normalise(x.dt), x.link.observed(uint64(x.qlen), u.base, invTau))
		if i == 0 || key > s.best { // strict: ties go to the lowest hop
			s.hop, s.best, s.dt = x.hop, key, x.dt
		}
	}
}

// BaseRTT returns the base RTT of a connection, 0 where it is a setting.
func (u *Unit) BaseRTT(conn uint32) uint32 { return u.conns[conn].tau }

// baseRTT updates the base RTT of a connection: the least RTT seen (T7, P20).
func (u *Unit) baseRTT(s *Step) uint32 {
	c := s.c
	rtt := s.rtt
	if rtt == 0 { // none
		rtt = ^rtt
	}
	switch s.Cause {
	case NoSample:
		if s.other {
			return u.Settings.Tau
		}
	case First, Changed:
		c.tau = min(u.Settings.Tau, rtt)
	default:
		c.tau = min(c.tau, rtt)
	}
	return c.tau
}

// Gradient returns the key of θ's power, as the θ lane computes it: for a round-trip time
// of rtt ns, dt ns after one of was ns, and a base RTT of tau ns.
func (u *Unit) Gradient(rtt, was uint32, dt uint64, tau uint32) uint32 {
	d, diff := normalise(dt), int64(rtt)-int64(was)
	size := normaliseEven(uint64(max(diff, -diff)))
	// size/d as UQ8.16: the product has 34 fraction bits less the exponents' difference.
	shift := min(max(10-(size.E-d.E), 0), 31)
	x := min(int64(size.M)*int64(Reciprocal(d.M))>>8>>shift, 1<<24-1)
	if diff < 0 {
		x = -x
	}
	grad := max(1<<16+x, int64(u.Settings.ThetaFloor)) // θ̇+1, UQ9.16; T6
	inv := inverse(tau)
	v := normalise(uint64(rtt)).times(Float{u.Settings.InvTarget | 1<<16, 0}).times(Float{inv.M, -inv.E})
	f := normalise(uint64(grad) * uint64(v.M))
	f.E += v.E - 32
	return f.key()
}

// inverse returns 1/τ: M × 2^-(16+E).
func inverse(tau uint32) Float {
	f := normalise(uint64(max(tau, 1)))
	return Float{Reciprocal(f.M) >> 1, f.E + 1}
}

// update smooths the power over d and computes the window.
func (u *Unit) update(step *Step, r *Result, key uint32, tau uint32, invTau Float) {
	c, s := step.c, &u.Settings
	if r.Cause == Updated {
		r.Norm = norm(key)
		c.power = smoothed(c.power, r.Norm, min(step.dt, 1<<u.p.RTTBits-1), uint64(tau), invTau)
	}
	r.Power = uint32(c.power >> (PowerFrac - NormFrac))

	// cwnd += γ · (cwnd_old/Γ + β - cwnd)
	p := bits.Len64(c.power) - 1
	m := uint32(1 << 16)
	if p < lowPower {
		p = lowPower
	} else {
		m = uint32(c.power >> (p - 16))
	}
	t := uint64(c.old) * uint64(Reciprocal(m)>>1) >> (p - 10) // one bit more than needed
	w := t>>1 + t&1
	if t>>1 >= 1<<26-1<<22 { // saturated so that the difference has 27 bits
		w = 1<<26 - 1<<22
	}
	g := (int64(w) + int64(s.Beta) - int64(c.window)) * int64(s.Gamma)
	next := int64(c.window) + g>>GammaFrac + g>>(GammaFrac-1)&1
	c.window, r.Low, r.High = clamp(s, next)
	if step.mark {
		c.old = c.window
	}
	r.Window = c.window
	r.Rate = Pace(c.window, invTau)
}

// smoothed returns Γ + (norm - Γ)·dt/τ. For dt of at least τ/2 it is computed as norm + (Γ -
// norm)·(τ - dt)/τ: where Γ nearly vanishes, the error is then proportional to the remainder of Γ.
// P7: for dt of at least τ it is norm.
func smoothed(power uint64, norm uint32, dt, tau uint64, invTau Float) uint64 {
	const extra = PowerFrac - NormFrac
	diff := int64(power>>extra) - int64(norm)
	part, far := dt, 2*dt >= tau
	if far {
		part = tau - min(dt, tau)
	}
	f := normalise(part)
	product := uint64(f.M) * uint64(invTau.M)
	w, down := product>>17, invTau.E-f.E // w × 2^-(15+down)
	if down <= 0 && product>>32 != 0 || down == 1 && product>>33 != 0 {
		w, down = 1<<15, 0 // above 1: only if 1/τ does not match τ
	}
	share := uint64(diff * int64(w) >> (15 - extra + max(down, 0)))
	if far {
		return uint64(norm)<<extra + share
	}
	return power - share
}

// clamp limits a window to its bounds (P16).
func clamp(s *Settings, w int64) (cut uint32, low, high bool) {
	switch {
	case w < int64(s.MinWindow):
		return s.MinWindow, true, false
	case w > int64(s.MaxWindow):
		return s.MaxWindow, false, true
	}
	return uint32(w), false, false
}

// unchanged fills in an unchanged window; a connection without state has the window of a new one.
func (u *Unit) unchanged(s *Step, r Result, invTau Float) Result {
	r.Window, r.Power = u.Settings.MaxWindow, u.Settings.InitPower
	if !s.first || s.Cause == First {
		r.Window, _, _ = clamp(&u.Settings, int64(s.c.window))
		r.Power = uint32(s.c.power >> (PowerFrac - NormFrac))
	}
	r.Rate = Pace(r.Window, invTau)
	return r
}

// Pace returns the pacing rate of a window: window/τ in UQ8.16, bytes per ns, saturated.
// 1/τ is M × 2^-(16+E) per ns, as in Settings but with bit 16 of M set; E is taken as
// 8 to 23, for τ from 128 ns to 8.4 ms.
func Pace(window uint32, invTau Float) uint32 {
	// UQ23.2 × 1.16 × 2^-E has 18+E fraction bits.
	return uint32(min(uint64(window)*uint64(invTau.M)>>(min(max(invTau.E, 8), 23)+2), rateMax))
}

// String writes the state of a connection for people.
func (u *Unit) String(c uint32) string {
	if uint64(c) >= uint64(len(u.conns)) {
		return "no such connection"
	}
	x := &u.conns[c]
	if !x.have {
		return "new"
	}
	q := func(v uint64, frac int) float64 { return float64(v) / float64(uint64(1)<<frac) }
	t := fmt.Sprintf("cwnd %.2f, cwnd_old %.2f, smoothed power %.6f, mark %d", q(uint64(x.window), WindowFrac), q(uint64(x.old), WindowFrac), q(x.power, PowerFrac), x.mark)
	if x.theta {
		return t + fmt.Sprintf(", RTT %d ns at %d ns, base RTT %d ns", x.rtt, x.sent, x.tau)
	}
	if u.p.Observes() {
		t += fmt.Sprintf(", base RTT %d ns", x.tau)
	}
	t += fmt.Sprintf(", path %d, %d hops:", x.path, x.count)
	for _, h := range x.hops[:x.count] {
		t += fmt.Sprintf(" {s %d, time %d}", h.s, h.time)
	}
	return t
}
