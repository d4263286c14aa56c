// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"fmt"
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
)

// near returns the largest distance of two events in cycles: beyond it the first has left
// the barrel, if it took one pass, before the second comes.
func near(p *params.Params) int { return p.Slots() + 5 }

// answer is the answer to an ACK of a path, with its time.
type answer struct {
	cycle int
	path  uint32
	words string
}

// timed is a send or an ACK in a cycle.
type timed struct {
	at   int
	send bool
	path uint32
	seg  model.Segment
}

// run plays events, each in its cycle, and returns the answers to ACKs in the order in
// which they came, and the lost segments by path. The time is constant.
func (r *rtl) run(events []timed, cycles int) (answers []answer, lost map[uint32][]model.Segment) {
	lost = map[uint32][]model.Segment{}
	for cycle := range cycles {
		r.s.Set("s_send_valid", 0)
		r.s.Set("s_ack_valid", 0)
		for _, e := range events {
			if e.at != cycle {
				continue
			}
			port := "s_ack_"
			if e.send {
				port = "s_send_"
			}
			r.s.Set(port+"valid", 1)
			r.s.Set(port+"pid", uint64(e.path))
			r.s.Set(port+"flow", uint64(e.seg.Flow))
			r.s.Set(port+"seq", e.seg.Seq)
		}
		if r.s.Get("m_ack_valid") == 1 {
			path := uint32(r.s.Get("m_ack_pid"))
			seg := model.Segment{Flow: uint32(r.s.Get("m_ack_flow")), Seq: r.s.Get("m_ack_seq")}
			answers = append(answers, answer{cycle, path, fmt.Sprint(seg, " ", model.Cause(r.s.Get("m_ack_cause")))})
		}
		if r.s.Get("m_lost_valid") == 1 {
			path := uint32(r.s.Get("m_lost_pid"))
			lost[path] = append(lost[path], r.lost())
		}
		r.s.Step(1)
	}
	return answers, lost
}

// spans are the situations in which ACKs of one path come shortly after one another.
// Segments 0 to 11 are outstanding on path 1, and on path 5, which has the same queue.
var spans = []struct {
	name   string
	first  []uint64 // ACKs of path 1, one in each cycle
	second []uint64 // and these, after a distance
	other  uint64   // and in between 0 and this one of path 5
}{
	{"in order", []uint64{0}, []uint64{1}, 1},
	{"in order, many", []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8}, []uint64{9, 10, 11}, 1},
	{"to the end", []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []uint64{11, 11, 0}, 2},
	{"behind one that skips one", []uint64{1}, []uint64{2, 3, 4}, 2},
	{"behind one that skips a row", []uint64{6}, []uint64{7, 8}, 2},
	{"one that skips, behind one in order", []uint64{0}, []uint64{3, 4}, 2},
	{"behind two that skip", []uint64{2, 4}, []uint64{5, 6}, 2},
	{"behind a duplicate", []uint64{0, 0}, []uint64{1, 2}, 2},
	{"a duplicate of one in the barrel", []uint64{0}, []uint64{0, 1}, 2},
	{"behind two duplicates", []uint64{0, 0, 0}, []uint64{1, 2, 3}, 2},
	{"behind one that is not there", []uint64{99}, []uint64{0, 1, 2}, 2},
	{"one that an ACK before skips", []uint64{5}, []uint64{3, 6}, 2},
	{"in order behind the next but one", []uint64{0, 2}, []uint64{1, 3}, 2},
	{"behind the last", []uint64{11}, []uint64{11, 0}, 2},
}

// At every distance, the results of ACKs of one path equal the model's results of one after
// the other, whether those behind took the head for right or wrong; ACKs of another path of
// the queue, which go back with them, are not disturbed; and ACKs in order are answered at
// the distance at which they came.
func TestAckDistances(t *testing.T) {
	p := suite.Configure(t, "paths=8 pid_bits=3 depth=16 lanes=4 rto_min_ns=100000")
	for _, c := range spans {
		t.Run(c.name, func(t *testing.T) {
			r := open(t, p)
			for distance := 1; distance <= near(p); distance++ {
				r.reset()
				var events []timed
				for q := range uint64(12) {
					events = append(events, timed{2 * int(q), true, 1, model.Segment{Seq: q}}, timed{2*int(q) + 1, true, 5, model.Segment{Seq: q}})
				}
				at := 40
				m := model.New(p)
				want, lost := map[uint32][]string{}, map[uint32][]model.Segment{}
				for path := range uint32(2) {
					for q := range uint64(12) {
						m.Send(1+4*path, model.Segment{Seq: q}, 0, 0)
					}
				}
				ack := func(path uint32, q uint64) {
					s := model.Segment{Seq: q}
					events = append(events, timed{at, false, path, s})
					cause, gone := m.Ack(path, s, 0, 0)
					want[path] = append(want[path], fmt.Sprint(s, " ", cause))
					lost[path] = append(lost[path], gone...)
					at++
				}
				for _, q := range c.first {
					ack(1, q)
				}
				last := at - 1
				if distance > 2 { // another path in between
					ack(5, 0)
					ack(5, c.other)
				}
				at = last + distance
				for _, q := range c.second {
					ack(1, q)
				}
				got, gone := r.run(events, at+p.Slots()*60)
				by := map[uint32][]string{}
				for _, a := range got {
					by[a.path] = append(by[a.path], a.words)
				}
				for _, path := range []uint32{1, 5} {
					if !slices.Equal(by[path], want[path]) || !slices.Equal(gone[path], lost[path]) {
						t.Errorf("%d cycles apart, path %d: %v, lost %v; want %v, lost %v", distance, path, by[path], gone[path], want[path], lost[path])
					}
				}
				if c.other != 1 {
					continue
				}
				for _, a := range got {
					i := slices.IndexFunc(events, func(e timed) bool {
						return !e.send && e.path == a.path && a.words == fmt.Sprint(e.seg, " ", model.Order)
					})
					if a.cycle != events[i].at+p.Slots()+params.EntryDelay {
						t.Errorf("%d cycles apart: %s is answered in cycle %d, want %d", distance, a.words, a.cycle, events[i].at+p.Slots()+params.EntryDelay)
					}
				}
			}
		})
	}
}

// An ACK sees a segment that is sent up to SeesSend cycles after it comes, and none
// that is sent later, also with the ACK before it in the barrel.
func TestSendDistances(t *testing.T) {
	p := suite.Configure(t, "paths=8 pid_bits=3 depth=16 lanes=4 rto_min_ns=100000")
	for _, before := range []bool{false, true} {
		for distance := -near(p); distance <= near(p); distance++ {
			r := open(t, p)
			seg := func(q uint64) model.Segment { return model.Segment{Seq: q} }
			const at = 40
			events := []timed{{0, true, 1, seg(0)}, {at + distance, true, 1, seg(1)}, {at, false, 1, seg(1)}}
			want := "0:1 skip"
			if before {
				events = append(events, timed{at - 1, false, 1, seg(0)})
				want = "0:1 order"
			}
			if distance > params.SeesSend {
				want = "0:1 ignored"
			}
			got, _ := r.run(events, at+near(p)+p.Slots()*12)
			if n := len(got); n == 0 || got[n-1].words != want {
				t.Errorf("sent %d cycles after its ACK, with one before %t: %v, want %s at the end", distance, before, got, want)
			}
		}
	}
}

// An ACK that is not in order holds its path for as long as the page says: each further
// pass takes Slots cycles, and the next ACK of the path is answered ReturnDelay cycles
// after it; those behind follow in every cycle again.
func TestHeldPath(t *testing.T) {
	p := suite.Configure(t, "paths=8 pid_bits=3 depth=64 lanes=8 rto_min_ns=100000")
	for _, c := range []struct {
		name   string
		stored uint64
		acks   []uint64 // the third is not in order, those after it are
		passes int      // after the first
	}{
		{"a duplicate, in a row", 7, []uint64{0, 1, 1, 2, 3, 4}, 0},
		{"a duplicate, to the end of a row", 8, []uint64{0, 1, 1, 2, 3, 4}, 1},
		{"a duplicate, in a ring that is full", 64, []uint64{0, 1, 1, 2, 3, 4}, 8},
		{"one skipped", 30, []uint64{0, 1, 3, 4, 5, 6}, 1},
		{"three skipped", 30, []uint64{0, 1, 5, 6, 7, 8}, 3},
		{"18 skipped, two rows on", 30, []uint64{0, 1, 20, 21, 22, 23}, 20},
	} {
		r := open(t, p)
		var events []timed
		for q := range c.stored {
			events = append(events, timed{int(q), true, 1, model.Segment{Seq: q}})
		}
		for i, q := range c.acks {
			events = append(events, timed{80 + i, false, 1, model.Segment{Seq: q}})
		}
		first := 80 + p.Slots() + params.EntryDelay
		odd := first + 2 + p.Slots()*c.passes
		next := odd + p.ReturnDelay()
		want := []int{first, first + 1, odd, next, next + 1, next + 2}
		got, _ := r.run(events, next+20)
		var cycles []int
		for _, a := range got {
			cycles = append(cycles, a.cycle)
		}
		if !slices.Equal(cycles, want) {
			t.Errorf("%s: answers in cycles %v, want %v", c.name, cycles, want)
		}
	}
}

// reset empties the rings.
func (r *rtl) reset() {
	r.s.Set("rst", 1)
	r.s.Step(1)
	r.s.Set("rst", 0)
	r.s.Step(int(r.p.Paths+r.p.ReadyDelay()) + 1)
}
