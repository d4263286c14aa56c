// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"container/list"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
)

// literal is Algorithm 3 line by line, with its decisions: a list and a timer for
// each path, and time that never wraps.
type literal struct {
	rtoMin  uint64
	depth   int
	rBuf    map[uint32]*list.List
	timer   map[uint32]uint64 // absent: cancelled
	lostSeg []model.Segment
}

func (a *literal) buf(pid uint32) *list.List {
	if a.rBuf[pid] == nil {
		a.rBuf[pid] = list.New()
	}
	return a.rBuf[pid]
}

// execEventAfter arms the path's one timer anew (line 9, L25, L26).
func (a *literal) execEventAfter(pid uint32, realVal, now uint64) {
	if a.rBuf[pid].Len() == 0 {
		delete(a.timer, pid)
		return
	}
	a.timer[pid] = now + max(2*realVal, a.rtoMin)
}

func (a *literal) send(pid uint32, s model.Segment, realVal, now uint64) {
	if a.buf(pid).Len() == a.depth {
		return
	}
	a.buf(pid).PushBack(s)
	a.execEventAfter(pid, realVal, now)
}

func (a *literal) ack(pid uint32, ack model.Segment, realVal, now uint64) {
	outStdSegs := a.buf(pid)
	there := false // L23, L24
	for e := outStdSegs.Front(); e != nil; e = e.Next() {
		there = there || e.Value == ack
	}
	if !there {
		return
	}
	it := outStdSegs.Front()
	for it != nil && it.Value != ack {
		a.lostSeg = append(a.lostSeg, it.Value.(model.Segment))
		next := it.Next()
		outStdSegs.Remove(it)
		it = next
	}
	outStdSegs.Remove(outStdSegs.Front()) // pop_front
	a.execEventAfter(pid, realVal, now)
}

// tick runs the timer of a path: ReTx of lines 10 to 13.
func (a *literal) tick(pid uint32, now uint64) {
	if at, armed := a.timer[pid]; armed && now > at {
		for e := a.buf(pid).Front(); e != nil; e = e.Next() {
			a.lostSeg = append(a.lostSeg, e.Value.(model.Segment))
		}
		a.buf(pid).Init()
		delete(a.timer, pid)
	}
}

// The model gives the same results as Algorithm 3, line by line, and every segment that was stored
// is, at the end, acknowledged, lost or outstanding, and only one of them.
func TestEqualsAlgorithm3(t *testing.T) {
	var sum model.Counters
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := params.Default()
		p.Paths, p.Depth, p.Lanes, p.TimeBits, p.LatBits, p.RTOMinNS = 3, 8, 2, 20, 10, r.Int64N(300)
		d := model.New(p)
		a := &literal{rtoMin: uint64(p.RTOMinNS), depth: 8, rBuf: map[uint32]*list.List{}, timer: map[uint32]uint64{}}
		now, seq := uint64(1<<20-3000), uint64(0)
		var lost []model.Segment
		stored := uint64(0)
		for range 5000 {
			now += r.Uint64N(20) * r.Uint64N(2)
			pid, lat := uint32(r.IntN(3)), r.Uint64N(300)
			switch r.IntN(3) {
			case 0:
				s := model.Segment{Flow: uint32(r.IntN(2)), Seq: seq - r.Uint64N(2)*r.Uint64N(4)}
				seq++
				a.send(pid, s, lat, now)
				if d.Send(pid, s, lat, now) {
					stored++
				}
			case 1:
				s := model.Segment{Flow: uint32(r.IntN(2)), Seq: seq}
				if out := d.Outstanding(pid); len(out) > 0 && r.IntN(8) > 0 {
					s = out[r.IntN(1+r.IntN(len(out)))]
				}
				a.ack(pid, s, lat, now)
				_, l := d.Ack(pid, s, lat, now)
				lost = append(lost, l...)
			default:
				a.tick(pid, now)
				lost = append(lost, d.Expire(pid, now&(1<<20-1))...)
			}
			if !slices.Equal(lost, a.lostSeg) {
				t.Fatalf("seed %d, %d ns: lost %v, want %v", seed, now, lost, a.lostSeg)
			}
			if n := len(d.Outstanding(pid)); n != a.buf(pid).Len() {
				t.Fatalf("seed %d, %d ns: %d outstanding, want %d", seed, now, n, a.buf(pid).Len())
			}
		}
		outstanding := uint64(0)
		for pid := range uint32(3) {
			outstanding += uint64(len(d.Outstanding(pid)))
		}
		c := d.Count
		if c.Send-c.Full != stored || stored != c.Ack+c.Lost+c.Expired+outstanding || uint64(len(lost)) != c.Lost+c.Expired {
			t.Fatalf("seed %d: %+v with %d outstanding and %d lost", seed, c, outstanding, len(lost))
		}
		sum.Full += c.Full
		sum.Skip += c.Skip
		sum.Ignored += c.Ignored
		sum.Timeout += c.Timeout
	}
	if sum.Full < 100 || sum.Skip < 1000 || sum.Ignored < 1000 || sum.Timeout < 200 {
		t.Errorf("the run was too tame: %+v", sum)
	}
}

// small returns a detector with 2 paths of 4 segments and a least timeout of 100 ns.
func small() *model.Detector {
	p := params.Default()
	p.Paths, p.Depth, p.Lanes, p.TimeBits, p.LatBits, p.RTOMinNS = 2, 4, 2, 16, 8, 100
	return model.New(p)
}

func send(d *model.Detector, pid uint32, now uint64, seqs ...uint64) (stored int) {
	for _, q := range seqs {
		if d.Send(pid, model.Segment{Seq: q}, 0, now) {
			stored++
		}
	}
	return stored
}

// The last event sets the timer, even if an earlier one had set it further out; an ignored ACK does
// not touch it.
func TestTimer(t *testing.T) {
	d := small()
	d.Send(0, model.Segment{Seq: 1}, 200, 1000) // until 1400
	d.Send(0, model.Segment{Seq: 2}, 10, 1010)  // until 1110: the minimum
	if got := d.Deadline(0); got != 1110 {
		t.Errorf("deadline %d ns, want 1110", got)
	}
	d.Ack(0, model.Segment{Seq: 9}, 250, 1050)
	for _, c := range []struct {
		now  uint64
		want bool
	}{{1109, false}, {1110, false}, {1111, true}, {1110 + 1<<15 - 1, true}, {1110 + 1<<15, false}} {
		if got := d.Expired(0, c.now); got != c.want {
			t.Errorf("at %d ns: expired %t, want %t", c.now, got, c.want)
		}
	}
	d.Ack(0, model.Segment{Seq: 1}, 60, 1100) // until 1220: twice the latency
	if d.Expired(0, 1220) || !d.Expired(0, 1221) {
		t.Errorf("the ACK's timer is %d ns, want 1220", d.Deadline(0))
	}
	if got := d.Expire(0, 1221); !slices.Equal(got, []model.Segment{{Seq: 2}}) {
		t.Errorf("lost %v, want [0:2]", got)
	}
	if d.Expired(0, 2000) {
		t.Error("an empty ring's timer expires")
	}
}

// A full ring accepts no segment; reserved room is not free.
func TestFull(t *testing.T) {
	d := small()
	if n := send(d, 0, 0, 1, 2, 3, 4, 5); n != 4 {
		t.Errorf("stored %d, want 4", n)
	}
	d.Ack(0, model.Segment{Seq: 2}, 0, 0)
	d.Hold(0, 2)
	if n := send(d, 0, 0, 6); n != 0 {
		t.Error("room that is held was used")
	}
	d.Free(0, 1)
	if n := send(d, 0, 0, 6, 7); n != 1 {
		t.Errorf("stored %d, want 1", n)
	}
	if want := (model.Counters{Send: 8, Full: 3, Ack: 1, Skip: 1, Lost: 1}); d.Count != want {
		t.Errorf("counters %+v, want %+v", d.Count, want)
	}
}

func TestIllegalPathChangesNothing(t *testing.T) {
	d := small()
	send(d, 1, 0, 1)
	if d.Send(2, model.Segment{}, 0, 0) {
		t.Error("a send on path 2 of 2 is stored")
	}
	if c, lost := d.Ack(2, model.Segment{Seq: 1}, 0, 0); c != model.None || lost != nil {
		t.Errorf("an ACK on path 2 of 2: %v, lost %v", c, lost)
	}
	if d.Expire(2, 5000) != nil || d.Outstanding(2) != nil {
		t.Error("path 2 of 2 has a ring")
	}
	if want := (model.Counters{Send: 1, IllegalPath: 2}); d.Count != want || len(d.Outstanding(1)) != 1 {
		t.Errorf("counters %+v, want %+v; outstanding %v", d.Count, want, d.Outstanding(1))
	}
}

func TestReset(t *testing.T) {
	d := small()
	send(d, 0, 0, 1, 2)
	d.Ack(0, model.Segment{Seq: 2}, 0, 0)
	d.Hold(0, 2)
	d.Reset()
	if n := send(d, 0, 0, 1, 2, 3, 4); n != 4 {
		t.Errorf("stored %d after a reset, want 4", n)
	}
	if d := cmp.Diff(model.Counters{Send: 4}, d.Count); d != "" {
		t.Error(d)
	}
}

// Vector LV5: an ACK that skips two segments, and then a late one of theirs.
func Example() {
	d := model.New(params.Default())
	for _, seq := range []uint64{3, 5, 9} {
		d.Send(0, model.Segment{Seq: seq}, 10_000, 0)
	}
	fmt.Println(d.Ack(0, model.Segment{Seq: 9}, 10_000, 20_000))
	fmt.Println(d.Ack(0, model.Segment{Seq: 5}, 10_000, 21_000))
	fmt.Println(d.Outstanding(0))
	// Output:
	// skip [0:3 0:5]
	// ignored []
	// []
}

func BenchmarkEvents(b *testing.B) {
	m := model.New(params.Default())
	b.ReportAllocs()
	for i := range b.N {
		pid := uint32(i>>1) & 1023
		m.Send(pid, model.Segment{Seq: uint64(i)}, 10_000, uint64(i))
		m.Ack(pid, m.Outstanding(pid)[0], 10_000, uint64(i))
	}
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
