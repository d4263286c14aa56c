// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
)

// entry is a PIT entry as in the paper, with the cycle of the last probe if nothing
// happened since.
type entry struct {
	time, realVal, before uint64  // before: realVal before that probe
	d, rounding           float64 // octaves
	probed                uint64
	fresh                 bool // probed counts
}

// literal is Algorithm 1 up to the choice, word for word and event by event, with the decisions of
// the page. Weights are in floating point.
type literal struct {
	pit            map[uint32]*entry
	sets           map[uint32][]uint32 // path numbers, in order
	last           map[uint32]uint32   // by destination: the path probed last
	maxLat, window uint64
}

func (l *literal) measured(pid uint32, delay int64, now uint64, scale float64) {
	e := l.pit[pid]
	if e == nil {
		e = &entry{}
		l.pit[pid] = e
	}
	real := uint64(min(max(delay, 0), int64(l.maxLat)))
	*e = entry{time: now, realVal: real, d: min(float64(real)*scale, 32), rounding: 1.0 / 512}
	if real == l.maxLat {
		e.d = 32
	}
}

// packet returns realVal of the destination's paths after doubling, their d, and the
// path probed, -1 for none.
func (l *literal) packet(dst uint32, now, cycle uint64, free bool) (real map[uint32]uint64, d map[uint32]float64, probe int64) {
	real, d, probe = map[uint32]uint64{}, map[uint32]float64{}, -1
	set := l.sets[dst]
	if last, ok := l.last[dst]; ok { // the search starts after the path probed last
		at := slices.Index(set, last) + 1
		set = slices.Concat(set[at:], set[:at])
	}
	for _, pid := range set {
		e := l.pit[pid]
		held := e.fresh && cycle-e.probed < l.window
		// The first that has expired is probed, unless another write is due.
		if now-e.time > 2*e.realVal && !held && probe < 0 && free {
			probe = int64(pid)
			l.last[dst] = pid
			e.before = e.realVal
			e.realVal, e.d, e.rounding = min(2*e.realVal, l.maxLat), min(2*e.d, 32), 2*e.rounding
			if e.realVal == l.maxLat {
				e.d = 32
			}
			e.time, e.probed, e.fresh = now, cycle, true
		}
		real[pid], d[pid] = e.realVal, e.d
	}
	return real, d, probe
}

// The tables, with their deadlines and their probes in flight, equal Algorithm 1, event after
// event.
func TestEqualsAlgorithm(t *testing.T) {
	probes, held := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := params.Default()
		p.Destinations, p.Banks, p.Rows, p.LatBits = 2, 4, 2, 8+r.Int64N(8)
		m := model.New(p)
		l := &literal{pit: map[uint32]*entry{}, sets: map[uint32][]uint32{}, last: map[uint32]uint32{}, maxLat: 1<<p.LatBits - 1, window: params.WriteWindow}
		scale := model.Scale{Mantissa: 50000, Exponent: uint8(5 + p.LatBits)}
		factor := math.Ldexp(50000, -int(scale.Exponent)) / 512
		cycle, now := uint64(0), uint64(1000)
		do := func(c model.Change) {
			m.Begin(cycle)
			if m.Take(&c) != model.Done {
				t.Fatalf("%+v is refused", c)
			}
			m.Do(&c, now, 1<<15)
			if c.Writes() {
				l.measured(c.Pid, c.Delay, now, factor)
			}
		}
		for dst := range uint32(2) {
			do(model.Change{Op: model.Commit, Dst: dst, Scale: scale})
			for b := range uint32(4) {
				pid := b*2 + dst
				cycle++
				do(model.Change{Op: model.Path, Pid: pid, Dst: dst, Delay: r.Int64N(200), Anchors: make([]uint32, p.Anchors)})
				do(model.Change{Op: model.List, Pid: pid})
				l.sets[dst] = append(l.sets[dst], pid)
			}
			do(model.Change{Op: model.Commit, Dst: dst, Scale: scale})
		}
		writes := make([]bool, 3000+params.WriteWindow) // by cycle: an ACK will come
		for i := range writes {
			writes[i] = r.IntN(4) == 0
		}
		first := cycle + 1
		for i := range 3000 {
			cycle = first + uint64(i)
			now += uint64(r.IntN(40) * r.IntN(2))
			if r.IntN(50) == 0 {
				now += uint64(r.IntN(4 << p.LatBits))
			}
			m.Begin(cycle)
			if writes[i] {
				pid := uint32(r.IntN(8))
				do(model.Change{Op: model.Ack, Pid: pid, Delay: r.Int64N(100<<r.IntN(8)) - 20})
				// Rate control's view: probes once they are written.
				var o model.Operands
				m.Rate(pid&1, &o)
				for _, x := range l.sets[pid&1] {
					e := l.pit[x]
					want := e.realVal
					if e.fresh && cycle-e.probed < l.window {
						want = e.before
					}
					if got := uint64(o.Latency[x/2]); got != want {
						t.Fatalf("seed %d cycle %d: rate control gets %d ns of path %d, want %d", seed, cycle, got, x, want)
					}
				}
			}
			if r.IntN(4) == 0 {
				continue
			}
			dst := uint32(r.IntN(2))
			free := !writes[i+params.WriteWindow]
			var got model.Candidates
			m.Packet(dst, now, free, &got)
			real, d, probe := l.packet(dst, now, cycle, free)
			if got.Probe != probe || got.Usable != 15 {
				t.Fatalf("seed %d cycle %d: probe of %d, usable %#x, want %d and 0xf", seed, cycle, got.Probe, got.Usable, probe)
			}
			if probe >= 0 {
				probes++
			}
			if got.Held != 0 {
				held++
			}
			for pid := range real {
				w := float64(got.Weight[pid/2]) / 512
				// Rounded down, and that is doubled with it.
				if e := l.pit[pid]; math.Abs(w-d[pid]) > e.rounding+1.0/512 {
					t.Fatalf("seed %d cycle %d path %d: d %g, want %g", seed, cycle, pid, w, d[pid])
				}
			}
		}
	}
	if probes < 5000 || held < 1000 {
		t.Errorf("%d probes and %d packets soon after one, want 5000 and 1000", probes, held)
	}
}

// tables returns tables with paths of one destination, written at a time.
func tables(t *testing.T, now uint64, paths ...model.Change) *model.Tables {
	t.Helper()
	p := params.Default()
	p.Destinations, p.Banks, p.Rows = 2, 4, 2
	m := model.New(p)
	for i, c := range paths {
		c.Op, c.Pid, c.Anchors = model.Path, uint32(2*i), make([]uint32, p.Anchors)
		for _, x := range []model.Change{c, {Op: model.List, Pid: c.Pid}} {
			if m.Take(&x) != model.Done {
				t.Fatalf("%+v is refused", x)
			}
			m.Do(&x, now, 1<<15)
		}
	}
	commit := model.Change{Op: model.Commit}
	m.Take(&commit)
	m.Do(&commit, now, 1<<15)
	return m
}

// LV4: realVal 8 of time 42 has not expired at 58; at 59 it has, is probed, and is 16
// from 59 on.
func TestVectorLV4(t *testing.T) {
	m := tables(t, 42, model.Change{Delay: 8})
	var c model.Candidates
	for _, x := range []struct {
		cycle, now, deadline uint64
		probe                int64
	}{
		{10, 58, 58, -1}, {11, 59, 58, 0}, {16, 59, 91, -1}, {17, 91, 91, -1}, {18, 92, 91, 0}, {23, 92, 156, -1},
	} {
		m.Begin(x.cycle)
		m.Packet(0, x.now, true, &c)
		if s, _ := m.State(0); c.Probe != x.probe || s.Deadline != x.deadline {
			t.Errorf("at %d: probe %d, deadline %d, want %d and %d", x.now, c.Probe, s.Deadline, x.probe, x.deadline)
		}
	}
	if s, _ := m.State(0); s.Latency != 32 {
		t.Errorf("realVal %d, want 8 doubled twice", s.Latency)
	}
}

// LV6: realVal {15, 9} and baseVal {15, 10} are T = 15 and t = 9.
func TestVectorLV6(t *testing.T) {
	m := tables(t, 0, model.Change{Delay: 15, Base: 15}, model.Change{Delay: 9, Base: 10})
	var o model.Operands
	m.Rate(0, &o)
	if T, low := o.T(); T != 15 || low != 9 || o.Usable != 3 || o.Longest != 15 {
		t.Errorf("T %d and %d, t %d, usable %#x, want 15, 15, 9 and 0x3", T, o.Longest, low, o.Usable)
	}
	m.Rate(1, &o)
	if T, low := o.T(); T != 0 || low != 0 || o.Longest != 0 {
		t.Errorf("without a path: T %d, t %d, want 0", T, low)
	}
}

// T of a set is the longest baseline of those that were listed for it, as they were
// then: neither a path that is written later nor the set before counts.
func TestLongest(t *testing.T) {
	m := tables(t, 0, model.Change{Delay: 1, Base: 15}, model.Change{Delay: 1, Base: 10})
	anchors := make([]uint32, 4)
	for _, x := range []struct {
		changes []model.Change
		want    uint32
	}{
		{nil, 15},
		{[]model.Change{{Op: model.Path, Pid: 2, Base: 99, Anchors: anchors}}, 15},
		{[]model.Change{{Op: model.List, Pid: 0}, {Op: model.List, Pid: 2}}, 15},
		{[]model.Change{{Op: model.Commit}}, 99},
		{[]model.Change{{Op: model.List, Pid: 0}, {Op: model.Commit}}, 15},
		{[]model.Change{{Op: model.Commit}}, 0},
	} {
		for _, c := range x.changes {
			if m.Take(&c) != model.Done {
				t.Fatalf("%+v is refused", c)
			}
			m.Do(&c, 0, 1<<15)
		}
		if got := m.Longest(0); got != x.want {
			t.Errorf("after %+v: T %d, want %d", x.changes, got, x.want)
		}
	}
}

// LV1's latencies, at β′ 1 and 4 with T 20000: differences of d equal the paper's weights.
func TestVectorLV1(t *testing.T) {
	m := model.New(params.Default())
	for _, c := range []struct {
		beta     float64
		exponent uint8
		weights  [3]float64
	}{{1, 20, [3]float64{.3982, .3603, .2415}}, {4, 18, [3]float64{.5538, .3712, .0750}}} {
		s := model.Scale{Exponent: c.exponent}
		s.Mantissa = uint16(math.Round(math.Ldexp(c.beta*math.Log2E*512/20000, int(c.exponent))))
		var w [3]float64
		sum := 0.0
		for i, lat := range []uint32{10000, 12000, 20000} {
			w[i] = math.Exp2(-float64(m.Weight(lat, s, 1<<15)) / 512)
			sum += w[i]
		}
		for i := range w {
			if got := w[i] / sum; math.Abs(got-c.weights[i]) > 1e-3 {
				t.Errorf("β′ %g path %d: %.4f, want %.4f", c.beta, i, got, c.weights[i])
			}
		}
	}
}

// Weights are the real product, rounded down, over the whole range; saturated and
// dead ones are all ones.
func TestWeight(t *testing.T) {
	p := params.Default()
	m := model.New(p)
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	for range 1_000_000 {
		lat := r.Uint32N(1<<20 - 1)
		s := model.Scale{Mantissa: uint16(1<<15 + r.IntN(1<<15)), Exponent: uint8(16 + r.IntN(16))}
		exact := math.Ldexp(float64(lat)*float64(s.Mantissa), -int(s.Exponent))
		got := float64(m.Weight(lat, s, 1<<15))
		if exact >= 1<<14-1 {
			if got != 1<<14-1 {
				t.Fatalf("latency %d, %v: %g, want all ones", lat, s, got)
			}
			continue
		}
		worst = max(worst, exact-got)
		if got > exact || exact-got >= 1 {
			t.Fatalf("latency %d, %v: %g, want %g", lat, s, got, exact)
		}
	}
	if worst < 0.9 {
		t.Errorf("the largest rounding is %g, want it to come close to 1", worst)
	}
	if got := m.Weight(1<<20-1, model.Scale{}, 0); got != 1<<14-1 {
		t.Errorf("a dead path weighs %d, want all ones whatever the scale", got)
	}
}

// Events of nonexistent objects change nothing, nor do late ACKs of a removed path.
func TestIllegalChangesNothing(t *testing.T) {
	m := tables(t, 5, model.Change{Delay: 100})
	before, _ := m.State(0)
	count := m.Count
	for _, c := range []struct {
		change model.Change
		want   model.Outcome
	}{
		{model.Change{Op: model.Ack, Pid: 8, Delay: 1}, model.Illegal},
		{model.Change{Op: model.Ack, Pid: 2, Delay: 1}, model.Stray},
		{model.Change{Op: model.List, Pid: 2}, model.Illegal},
		{model.Change{Op: model.Path, Pid: 0, Dst: 2}, model.Illegal},
		{model.Change{Op: model.Commit, Dst: 2}, model.Illegal},
		{model.Change{Op: model.Remove, Pid: 9}, model.Illegal},
	} {
		if got := m.Take(&c.change); got != c.want {
			t.Errorf("%+v: outcome %d, want %d", c.change, got, c.want)
		}
	}
	var found model.Candidates
	if m.Packet(2, 5, true, &found) || found.Usable != 0 || found.Probe >= 0 {
		t.Errorf("a packet to destination 2 of 2 finds %+v", found)
	}
	if s, owner := m.State(0); s != before || owner != 0 || m.Set(0)[0] != 0 || m.Set(0)[1] != -1 {
		t.Errorf("path 0 is %v of %d, want %v of 0", s, owner, before)
	}
	count.Illegal, count.Stray, count.Packet, count.NoPath = count.Illegal+6, 1, 1, 1
	if m.Count != count {
		t.Errorf("counters %+v, want %+v", m.Count, count)
	}
}

// A path whose latency reaches all ones is dead: so is its d, for any scale, and it is still
// probed.
func TestDeadPath(t *testing.T) {
	m := tables(t, 0, model.Change{Delay: 1 << 19})
	var c model.Candidates
	for i, x := range []struct {
		now    uint64
		weight uint16
	}{{1<<20 + 1, 1<<14 - 1}, {1<<22 + 1, 1<<14 - 1}} {
		m.Begin(uint64(10 * (i + 1)))
		m.Packet(0, x.now, true, &c)
		if c.Probe != 0 || c.Weight[0] != x.weight {
			t.Errorf("at %d: probe %d, d %d, want 0 and %d", x.now, c.Probe, c.Weight[0], x.weight)
		}
	}
	ack := model.Change{Op: model.Answer, Pid: 0, Delay: 500}
	m.Begin(100)
	m.Take(&ack)
	m.Do(&ack, 1<<23, 1<<15)
	if s, _ := m.State(0); s.Latency != 500 || s.Weight != 0 {
		t.Errorf("after repair: %v, want 500 ns", s)
	}
}

// Two paths; the second is older than twice its latency, and is probed.
func Example() {
	p := params.Default()
	m := model.New(p)
	anchors := make([]uint32, p.Anchors)
	for _, c := range []model.Change{
		{Op: model.Commit, Dst: 3, Scale: model.Scale{Mantissa: 48408, Exponent: 20}}, // 1/T, T = 16 µs
		{Op: model.Path, Pid: 0, Dst: 3, Delay: 12000, Anchors: anchors},
		{Op: model.Path, Pid: 256, Dst: 3, Delay: 9000, Anchors: anchors},
		{Op: model.List, Pid: 0},
		{Op: model.List, Pid: 256},
		{Op: model.Commit, Dst: 3, Scale: model.Scale{Mantissa: 48408, Exponent: 20}},
	} {
		m.Take(&c)
		m.Do(&c, 0, 1<<15)
	}
	var found model.Candidates
	m.Begin(10)
	m.Packet(3, 20_000, true, &found)
	fmt.Println(found.Usable, found.Weight[:2], found.Probe)
	// Output: 3 [553 830] 256
}

func BenchmarkPacket(b *testing.B) {
	p := params.Default()
	m := model.New(p)
	anchors := make([]uint32, p.Anchors)
	for bank := range uint32(8) {
		for _, c := range []model.Change{{Op: model.Path, Pid: bank * 256, Dst: 1, Delay: 9000, Anchors: anchors}, {Op: model.List, Pid: bank * 256}} {
			m.Take(&c)
			m.Do(&c, 0, 1<<15)
		}
	}
	c := model.Change{Op: model.Commit, Dst: 1}
	m.Take(&c)
	m.Do(&c, 0, 1<<15)
	var found model.Candidates
	b.ReportAllocs()
	for i := range b.N {
		m.Begin(uint64(i + 1))
		m.Packet(1, uint64(3*i), true, &found)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
