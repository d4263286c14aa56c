// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps"
	modelloss "github.com/nicgen/nicgen/model/laps_loss"
	modelpaths "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	modelpick "github.com/nicgen/nicgen/model/laps_pick"
)

// entry is a row of the PIT.
type entry struct {
	valid            bool
	time             int64
	realVal, baseVal int64
	rBuf             []model.Segment
	timer            int64
	armed            bool
}

// flow is a row of the rate limiting tables.
type flow struct {
	curRate, expRate float64
	incStage         int
	nxtDec, nxtInc   int64
}

// literal implements Algorithms 1 to 3 word for word, with the decisions of the units' pages: times and
// latencies that do not wrap, weights and rates in float64, one expiry at a time. The only
// deviation is that latencies saturate, as in the hardware (L5).
type literal struct {
	pst   map[uint32][]uint32 // destination: its paths, lowest first
	last  map[uint32]int      // destination: which of its paths was probed last, +1
	pit   map[uint32]*entry
	flows map[uint32]*flow

	betaT            float64 // β·T
	most             int64   // realVal saturates here
	depth            int     // of rBuf
	line, floor      float64
	stages           int
	rtoMin           int64
	decMost, incBase bool // intervals as in the authors' simulator
}

// extremes returns T and t, and the largest realVal, of the valid paths of a destination.
func (a *literal) extremes(dst uint32) (T, t, most int64) {
	t = math.MaxInt64
	for _, p := range a.pst[dst] {
		e := a.pit[p]
		T, t, most = max(T, e.baseVal), min(t, e.realVal), max(most, e.realVal)
	}
	return T, t, most
}

// send implements Algorithm 1 up to the choice: the probed path (-1: none), and the chance of each
// path, in order.
func (a *literal) send(dst uint32, now int64) (probed int64, chance []float64) {
	probed = -1
	T, _, _ := a.extremes(dst)
	var sum float64
	paths := a.pst[dst]
	for i := range paths {
		at := (a.last[dst] + i) % len(paths)
		if e := a.pit[paths[at]]; now-e.time > 2*e.realVal {
			probed, a.last[dst] = int64(paths[at]), at+1
			e.realVal = min(2*e.realVal, a.most)
			e.time = now
			break
		}
	}
	for _, p := range paths {
		e := a.pit[p]
		w := math.Exp(-a.betaT * float64(e.realVal) / float64(T))
		if e.realVal == a.most {
			w = 0
		}
		chance = append(chance, w)
		sum += w
	}
	for i := range chance {
		chance[i] /= sum
	}
	return probed, chance
}

// sent is the rest of it, and line 1 of Algorithm 3: the segment is on path p.
func (a *literal) sent(p uint32, s model.Segment, now int64) (stored bool) {
	e := a.pit[p]
	if len(e.rBuf) == a.depth {
		return false
	}
	e.rBuf = append(e.rBuf, s)
	e.timer, e.armed = now+max(2*e.realVal, a.rtoMin), true
	return true
}

// ack implements lines 4 and 5 of Algorithm 1, Algorithm 2, and Algorithm 3.
func (a *literal) ack(dst, p uint32, s model.Segment, delay, now int64) (lost []model.Segment) {
	a.measured(p, delay, now)
	a.control(dst, a.flows[s.Flow], now)
	e := a.pit[p]
	at := slices.Index(e.rBuf, s)
	if at < 0 {
		return nil
	}
	lost = e.rBuf[:at]
	e.rBuf = e.rBuf[at+1:]
	e.timer, e.armed = now+max(2*e.realVal, a.rtoMin), len(e.rBuf) > 0
	return lost
}

// measured notes a latency: of an ACK or of a probe's answer.
func (a *literal) measured(p uint32, delay, now int64) {
	e := a.pit[p]
	e.realVal, e.time = min(max(delay, 0), a.most), now
}

// control is Algorithm 2.
func (a *literal) control(dst uint32, f *flow, now int64) {
	T, t, most := a.extremes(dst)
	dec, inc := 2*t, 2*t
	if a.decMost {
		dec = 2 * most
	}
	if a.incBase {
		inc = 2 * T
	}
	if t > T {
		if now > f.nxtDec {
			f.expRate = f.curRate
			f.curRate = max(f.curRate/2, a.floor)
			f.nxtDec, f.incStage = now+dec, 0
		}
	} else if now > f.nxtInc {
		f.incStage++
		if f.incStage > a.stages {
			f.expRate = 2 * f.expRate
		}
		f.expRate = min(f.expRate, a.line)
		f.curRate = min((f.expRate+f.curRate)/2, a.line)
		f.nxtInc = now + inc
	}
}

// expire implements ExecEventAfter of Algorithm 3, when the timer is checked.
func (a *literal) expire(p uint32, now int64) (lost []model.Segment) {
	e := a.pit[p]
	if !e.armed || now <= e.timer {
		return nil
	}
	lost, e.rBuf, e.armed = e.rBuf, nil, false
	return lost
}

// pair is the pipeline's golden model, and the algorithms with the same tables.
type pair struct {
	m *model.Pipeline
	a *literal
	p *params.Params
}

// configured returns the default configuration of some destinations with settings.
func configured(t testing.TB, sets string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, sets); err != nil {
		t.Fatal(err)
	}
	return p
}

// newPair writes paths for each destination into both, with baseVals of between 8 and
// 12 microseconds.
func newPair(t *testing.T, p *params.Params, r *rand.Rand, betaT float64, now uint64) *pair {
	t.Helper()
	x := &pair{m: model.New(p), p: p}
	parts := p.Parts()
	x.a = &literal{
		pst: map[uint32][]uint32{}, last: map[uint32]int{}, pit: map[uint32]*entry{}, flows: map[uint32]*flow{}, betaT: betaT, most: 1<<p.Tables.LatBits - 1,
		depth: int(p.Detector.Depth), line: float64(p.Rate.MaxRate), floor: float64(p.Rate.MinRate), stages: int(p.Rate.Stages), rtoMin: p.Detector.RTOMinNS,
		decMost: parts.Rate.Decrease == lapsrate.Most, incBase: parts.Rate.Increase == lapsrate.Base,
	}
	do := func(c modelpaths.Change) {
		t.Helper()
		if o := x.m.Change(c, now); o != modelpaths.Done {
			t.Fatalf("%+v: outcome %d", c, o)
		}
	}
	for dst := range uint32(p.Tables.Destinations) {
		var T uint32
		bases := map[uint32]uint32{}
		for b := range uint32(p.Tables.Banks) {
			if r.IntN(4) == 0 {
				continue
			}
			pid := b*uint32(p.Tables.Rows) + dst
			bases[pid] = 8000 + uint32(r.IntN(4000))
			T = max(T, bases[pid])
			x.a.pst[dst] = append(x.a.pst[dst], pid)
			x.a.pit[pid] = &entry{valid: true, time: int64(now), realVal: int64(bases[pid]), baseVal: int64(bases[pid])}
		}
		scale, err := place.Scale(betaT, max(T, 1))
		if err != nil {
			t.Fatal(err)
		}
		do(modelpaths.Change{Op: modelpaths.Commit, Dst: dst, Scale: scale})
		for _, pid := range x.a.pst[dst] {
			do(modelpaths.Change{Op: modelpaths.Path, Pid: pid, Dst: dst, Delay: int64(bases[pid]), Base: bases[pid], Anchors: make([]uint32, p.Tables.Anchors)})
			do(modelpaths.Change{Op: modelpaths.List, Pid: pid})
		}
		do(modelpaths.Change{Op: modelpaths.Commit, Dst: dst, Scale: scale})
	}
	for f := range uint32(p.Rate.Flows) {
		x.m.Rate.Open(f, now)
		x.a.flows[f] = &flow{curRate: x.a.line, expRate: x.a.line, nxtDec: int64(now) - 1, nxtInc: int64(now) - 1}
	}
	return x
}

// The golden model follows Algorithms 1 to 3, event by event: the same probes, latencies, rings,
// lost segments and rates; and the chance of each path in the model's own picker, exactly
// enumerated, equals the Softmax within 2^-10 in total variation. The picker chooses the path, and
// the algorithms continue from there.
func TestEqualsAlgorithms(t *testing.T) {
	const tolerance = 1.0 / 1024
	for _, set := range []string{
		"banks=2",
		"banks=8 picker=lookup",
		"banks=8 decrease_interval=max increase_interval=base stages=6 baselines=paths",
		"banks=32 noise_memory=bram",
		"banks=4 depth=8 lanes=2 lat_bits=15 rto_min_ns=20000",
	} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			p := configured(t, "destinations=5 rows=16 flows=6 rto_min_ns=50000 "+set)
			r := rand.New(rand.NewPCG(1, 2))
			const start = 1 << 20
			x := newPair(t, p, r, 2, start)
			now, seq := int64(start), uint64(0)
			var outstanding []segment
			counts := map[string]int{}
			worst := 0.0
			for n := range 30_000 {
				now += r.Int64N(3)
				if r.IntN(500) == 0 {
					now += r.Int64N(200_000)
				}
				switch k := r.IntN(20); {
				case k < 11:
					dst, f := uint32(r.Int64N(p.Tables.Destinations)), uint32(r.Int64N(p.Rate.Flows))
					s := model.Segment{Flow: f, Seq: seq & 0xffffff}
					seq++
					d := x.send(t, dst, s, now, n%200 == 0, counts)
					if d.none {
						break
					}
					worst = max(worst, d.distance)
					outstanding = append(outstanding, segment{dst, d.pid, s})
				case k < 18 && len(outstanding) > 0:
					i := 0
					if r.IntN(8) == 0 {
						i = r.IntN(min(len(outstanding), 12))
					}
					o := outstanding[i]
					if r.IntN(20) > 0 { // else acknowledged again later
						outstanding = append(outstanding[:i], outstanding[i+1:]...)
					}
					// Paths are all above T for a while, then below again.
					delay := 7000 + r.Int64N(7000)
					if n/3000%2 == 1 {
						delay += 9000
					}
					if r.IntN(50) == 0 {
						delay = -r.Int64N(100)
					}
					x.ack(t, o, delay, now, counts)
				case k == 18 && len(outstanding) > 0: // lost on the way
					i := r.IntN(min(len(outstanding), 12))
					outstanding = append(outstanding[:i], outstanding[i+1:]...)
				default:
					for pid := range x.a.pit {
						x.expire(t, pid, now, counts)
					}
				}
				if t.Failed() {
					t.Fatalf("event %d at %d ns", n, now)
				}
			}
			if worst > tolerance {
				t.Errorf("the chances are %.5f from the Softmax, want at most %.5f", worst, tolerance)
			}
			for _, k := range []string{"probe", "lost", "ignored", "expired", "decrease", "increase", "hyper", "full"} {
				if counts[k] == 0 && (k != "full" || p.Detector.Depth == 8) {
					t.Errorf("there was no %s: %v", k, counts)
				}
			}
			t.Logf("largest distance %.6f, %v", worst, counts)
		})
	}
}

// segment is one on its way.
type segment struct {
	dst, pid uint32
	model.Segment
}

// choice is the path that a packet got.
type choice struct {
	none     bool
	pid      uint32
	distance float64 // of the picker's chances from the Softmax, if it was asked for
}

// send lets both send a segment.
func (x *pair) send(t *testing.T, dst uint32, s model.Segment, now int64, chances bool, counts map[string]int) (out choice) {
	probed, want := x.a.send(dst, now)
	got := x.m.Packet(dst, &s, uint64(now))
	if got.Probe != probed || got.None != (len(want) == 0) {
		t.Errorf("packet to %d: probed %d, none %t, want %d, %t", dst, got.Probe, got.None, probed, len(want) == 0)
		return choice{none: true}
	}
	if probed >= 0 {
		counts["probe"]++
	}
	if got.None {
		return choice{none: true}
	}
	out.pid = got.Pid
	if !slices.Contains(x.a.pst[dst], got.Pid) {
		t.Errorf("packet to %d: path %d is not one of %v", dst, got.Pid, x.a.pst[dst])
	}
	for _, pid := range x.a.pst[dst] {
		if s, _ := x.m.Paths.State(pid); int64(s.Latency) != x.a.pit[pid].realVal {
			t.Errorf("path %d: realVal %d, want %d", pid, s.Latency, x.a.pit[pid].realVal)
		}
	}
	if chances {
		out.distance = x.distance(dst, want)
	}
	stored := x.a.sent(got.Pid, s, now)
	if got.Stored != stored {
		t.Errorf("packet to %d on %d: stored %t, want %t", dst, got.Pid, got.Stored, stored)
	}
	if !stored {
		counts["full"]++
	}
	return out
}

// distance returns the total variation between chances and the picker's distribution over the paths
// of a destination. It is 0 if all paths are dead, as they have no distribution.
func (x *pair) distance(dst uint32, want []float64) float64 {
	if math.IsNaN(want[0]) {
		return 0
	}
	parts := x.p.Parts()
	usable := uint32(0)
	latency := make([]uint16, x.p.Tables.Banks)
	softmax := make([]float64, x.p.Tables.Banks)
	for i, pid := range x.a.pst[dst] {
		b := pid >> x.p.Tables.RowBits()
		s, _ := x.m.Paths.State(pid)
		usable |= 1 << b
		latency[b], softmax[b] = s.Weight, want[i]
	}
	return modelpick.Distance(modelpick.New(parts.Pick).Distribution(usable, latency), softmax)
}

// ack lets an ACK come back to both.
func (x *pair) ack(t *testing.T, o segment, delay, now int64, counts map[string]int) {
	want := x.a.ack(o.dst, o.pid, o.Segment, delay, now)
	got := x.m.Ack(o.pid, o.Segment, delay, uint64(now))
	if !slices.Equal(got.Lost, want) {
		t.Errorf("ACK of %v on %d: lost %v, want %v", o.Segment, o.pid, got.Lost, want)
	}
	counts["lost"] += len(want)
	if got.Cause == modelloss.Ignored {
		counts["ignored"]++
	}
	counts[got.Rate.Cause.String()]++
	f := x.a.flows[o.Flow]
	if low(f.curRate, got.Rate.Current) || low(f.expRate, got.Rate.Expected) {
		t.Errorf("ACK of %v: rates %d, %d, want %.3f, %.3f", o.Segment, got.Rate.Current, got.Rate.Expected, f.curRate, f.expRate)
	}
	f.curRate, f.expRate = float64(got.Rate.Current), float64(got.Rate.Expected)
}

// low reports whether a rate is not the one that is wanted, with halves rounded down.
func low(want float64, got uint64) bool { return math.Floor(want) != float64(got) }

// expire lets both check a timer.
func (x *pair) expire(t *testing.T, pid uint32, now int64, counts map[string]int) {
	want := x.a.expire(pid, now)
	if got := x.m.Expire(pid, uint64(now)); !slices.Equal(got, want) {
		t.Errorf("timer of %d: lost %v, want %v", pid, got, want)
	}
	counts["expired"] += len(want)
}

// Without the loss detector nothing is stored or lost, and the rest is the same.
func TestWithoutLoss(t *testing.T) {
	const sets = "destinations=2 rows=16 banks=4 flows=4"
	x := newPair(t, configured(t, sets), rand.New(rand.NewPCG(1, 2)), 2, 1000)
	y := newPair(t, configured(t, sets+" loss=false"), rand.New(rand.NewPCG(1, 2)), 2, 1000)
	for n := range uint64(2000) {
		now, s := 1000+3*n, model.Segment{Flow: uint32(n % 4), Seq: n}
		a, b := x.m.Packet(uint32(n%2), &s, now), y.m.Packet(uint32(n%2), &s, now)
		if b.Stored {
			t.Fatal("a segment is stored")
		}
		a.Stored = false
		if a != b {
			t.Fatalf("packet %d: %+v, without %+v", n, a, b)
		}
		c, d := x.m.Ack(a.Pid, s, int64(9000+n), now+1), y.m.Ack(a.Pid, s, int64(9000+n), now+1)
		if c.Rate != d.Rate || d.Cause != modelloss.Ignored || d.Lost != nil || y.m.Expire(a.Pid, now) != nil {
			t.Fatalf("ACK %d: %+v, without %+v", n, c, d)
		}
	}
}

// An ACK of a path without destination changes no rate; the loss detector sees it.
func TestStray(t *testing.T) {
	p := configured(t, "destinations=2 rows=16 banks=4 flows=4")
	m := model.New(p)
	if got := m.Ack(3, model.Segment{}, 5, 100); !got.Stray || got.Cause != modelloss.Ignored || m.Paths.Count.Stray != 1 || m.Rate.Count.ACK != 0 {
		t.Errorf("%+v, %+v", got, m.Paths.Count)
	}
	if got := m.Ack(uint32(p.Tables.Paths()), model.Segment{}, 5, 100); !got.Stray || got.Cause != modelloss.None || m.Paths.Count.Illegal != 1 {
		t.Errorf("%+v, %+v", got, m.Paths.Count)
	}
	if o := m.Answer(3, 5, 100); o != modelpaths.Stray {
		t.Errorf("outcome %d", o)
	}
}

// A packet, its ACK, and one that skips a segment.
func Example() {
	p := params.Default()
	m := model.New(p)
	const now = 1_000_000
	for b := range uint32(2) {
		pid := b * uint32(p.Tables.Rows)
		m.Change(modelpaths.Change{Op: modelpaths.Path, Pid: pid, Dst: 7, Delay: 9000, Base: 9000, Anchors: make([]uint32, p.Tables.Anchors)}, now)
		m.Change(modelpaths.Change{Op: modelpaths.List, Pid: pid}, now)
	}
	m.Change(modelpaths.Change{Op: modelpaths.Commit, Dst: 7}, now)
	var on [2][]model.Segment
	var sent [2]uint32
	for seq := range uint64(4) {
		s := model.Segment{Flow: 1, Seq: seq}
		got := m.Packet(7, &s, now)
		i := got.Pid >> lapspaths.Default().RowBits()
		on[i], sent[i] = append(on[i], s), got.Pid
	}
	for i := range on {
		if n := len(on[i]); n > 1 {
			a := m.Ack(sent[i], on[i][n-1], 9500, now+19_000)
			fmt.Printf("path %d: rate %v, loss detector %v, lost %v\n", sent[i], a.Rate.Cause, a.Cause, a.Lost)
		}
	}
	// Output:
	// path 0: rate increase, loss detector skip, lost [1:1]
	// path 256: rate decrease, loss detector skip, lost [1:0]
}
