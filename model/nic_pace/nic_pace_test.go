// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/nic_pace"
	model "github.com/nicgen/nicgen/model/nic_pace"
)

// small has slots of 128 ns, 16 of them, and 8 fraction bits; allowances of 1,000 and 100 ns.
func small() *params.Params {
	p := params.Default()
	p.Connections, p.Slots, p.FracBits, p.TimerBits, p.AllowanceNS, p.IdleNS = 4, 16, 8, 30, 1000, 100
	return p
}

// step is one call of the golden model, and where its connection goes.
type step struct {
	do    string
	conn  uint32
	bytes uint64
	rate  float64 // ns a byte
	now   uint64
	again bool
	place model.Place
	ns    int64  // the next departure time
	part  uint64 // and its fraction, in 1/256
}

// TestVectors are the examples of the page. Time begins at 1,000,000 ns, which is in slot 7,812.
func TestVectors(t *testing.T) {
	const due, wheel, none = model.Due, model.Wheel, model.Nowhere
	for _, v := range []struct {
		name  string
		steps []step
	}{
		{"the first turn is due at once; the next one a packet later", []step{
			{do: "rate", conn: 1, rate: 8},
			{do: "push", conn: 1, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 1538, now: 1_000_000, again: true, place: wheel, ns: 1_012_204},
		}},
		{"a fraction of a ns is kept", []step{
			{do: "rate", conn: 0, rate: 0.08203125}, // 21/256
			{do: "push", conn: 0, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 0},
			{do: "done", conn: 0, bytes: 85, now: 1_000_000, again: true, place: due, ns: 999_906, part: 249}, // 85·21 = 6·256 + 249
			{do: "leave", conn: 0},
			{do: "done", conn: 0, bytes: 1, now: 1_000_000, place: none, ns: 999_907, part: 14},
		}},
		{"not paced", []step{
			{do: "push", conn: 2, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 2},
			{do: "done", conn: 2, bytes: 65535, now: 1_000_000, again: true, place: due, ns: 999_900},
		}},
		{"a late connection makes up for no more than the allowance", []step{
			{do: "rate", conn: 1, rate: 1},
			{do: "push", conn: 1, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 900, now: 1_000_800, again: true, place: due, ns: 1_000_800}, // 900 ns late: all of it
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 900, now: 1_005_000, again: true, place: due, ns: 1_004_900}, // 4,200: 1,000 of it
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 900, now: 1_005_000, again: true, place: wheel, ns: 1_005_800},
		}},
		{"an idle connection makes up for no more than the idle allowance", []step{
			{do: "rate", conn: 1, rate: 1},
			{do: "push", conn: 1, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 500, now: 1_000_000, place: none, ns: 1_000_400},
			{do: "push", conn: 1, now: 1_000_450, place: due, ns: 1_000_400}, // idle for 50 ns: all of it
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 500, now: 1_000_450, place: none, ns: 1_000_900},
			{do: "push", conn: 1, now: 1_009_000, place: due, ns: 1_008_900}, // 8,100: 100 of it
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 500, now: 1_009_000, again: true, place: wheel, ns: 1_009_400},
		}},
		{"a connection that is early waits for its time, also after a PUSH", []step{
			{do: "rate", conn: 1, rate: 1},
			{do: "push", conn: 1, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 1},
			{do: "done", conn: 1, bytes: 900, now: 1_000_000, place: none, ns: 1_000_800},
			{do: "push", conn: 1, now: 1_000_100, place: wheel, ns: 1_000_800},
		}},
		{"a window that was shut is idleness, the time after it lateness", []step{
			{do: "rate", conn: 2, rate: 1},
			{do: "push", conn: 2, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 2},
			{do: "done", conn: 2, bytes: 200, now: 1_000_000, again: true, place: wheel, ns: 1_000_100},
			{do: "look", conn: 2, now: 1_000_200, place: due, ns: 1_000_100},
			{do: "leave", conn: 2}, // not used: the window is shut
			{do: "push", conn: 2, now: 1_060_000, place: due, ns: 1_059_900},
			{do: "leave", conn: 2},
			{do: "done", conn: 2, bytes: 200, now: 1_060_700, again: true, place: due, ns: 1_060_100},
		}},
		{"beyond the wheel: its last slot", []step{
			{do: "rate", conn: 3, rate: 100},
			{do: "push", conn: 3, now: 1_000_000, place: due, ns: 999_900},
			{do: "leave", conn: 3},
			{do: "done", conn: 3, bytes: 100, now: 1_000_000, again: true, place: wheel, ns: 1_009_900},
			{do: "look", conn: 3, now: 1_000_000, place: wheel, ns: 1_009_900},
		}},
		{"what is not legal", []step{
			{do: "done", conn: 0, now: 1_000_000, place: none, ns: 1_000_000 - 1<<28}, // its turn is over
			{do: "push", conn: 0, now: 1_000_000, place: due, ns: 999_900},
			{do: "push", conn: 0, now: 1_000_000, place: none, ns: 999_900},
			{do: "done", conn: 0, now: 1_000_000, place: none, ns: 999_900},
			{do: "leave", conn: 0},
			{do: "push", conn: 0, now: 1_000_000, place: due, ns: 999_900}, // the turn was not used
		}},
	} {
		p := small()
		m := model.New(p)
		for c := range uint32(p.Connections) {
			m.Clear(c, 1_000_000)
		}
		m.Reset(1_000_000)
		for i, s := range v.steps {
			place := model.Nowhere
			for s.now > 0 && m.Behind(s.now) > 0 { // slots without connections
				m.Take(s.now)
			}
			switch s.do {
			case "rate":
				m.Rate(s.conn, uint64(s.rate*256))
				continue
			case "leave":
				m.Leave(s.conn)
				continue
			case "push":
				place = m.Push(s.conn, s.now)
			case "look":
				place = m.Look(s.conn, s.now)
			case "done":
				place, _ = m.Done(s.conn, s.bytes, s.again, s.now)
			}
			ns, part := m.Departure(s.conn)
			if want := uint64(s.ns) & (1<<30 - 1); place != s.place || ns != want || part != s.part {
				t.Errorf("%s, step %d: place %d, departure %d + %d/256; want %d, %d + %d/256", v.name, i, place, ns, part, s.place, want, s.part)
			}
		}
	}
}

// TestSlots demands that a connection is taken with the slot of its departure time, in the order in which
// connections came, and one beyond the wheel when its time has come.
func TestSlots(t *testing.T) {
	p := small()
	m := model.New(p)
	for c := range uint32(4) {
		m.Clear(c, 0)
	}
	m.Reset(0)
	for c, rate := range []uint64{256, 200, 256, 10_000} { // 300, 234.4, 300 and 11,718.75 ns
		m.Push(uint32(c), 0)
		m.Leave(uint32(c))
		m.Allowance = 0
		m.Rate(uint32(c), rate)
		m.Done(uint32(c), 300, true, 0)
	}
	got := map[uint64][]uint32{}
	for slot := uint64(1); slot < 100; slot++ {
		now := slot * 128
		if n := m.Behind(now); n != 1 {
			t.Fatalf("%d slots are due at the beginning of slot %d", n, slot)
		}
		for _, c := range slices.Clone(m.Take(now)) {
			if m.Look(c, now) == model.Due {
				got[slot] = append(got[slot], c)
			}
		}
	}
	if want := map[uint64][]uint32{1: {1}, 2: {0, 2}, 91: {3}}; !slices.Equal(got[1], want[1]) || !slices.Equal(got[2], want[2]) ||
		!slices.Equal(got[91], want[91]) || len(got) != 3 {
		t.Errorf("taken %v, want %v", got, want)
	}
	if m.Count.Beyond != 6 || m.Count.Late != 0 {
		t.Errorf("%d times beyond, %d slots late; want 6, 0", m.Count.Beyond, m.Count.Late)
	}
}

// endless is the pacer with times that never wrap.
type endless struct {
	rate, ndt   []int64 // 2^-8 ns
	inside      []bool
	paid        []bool
	slot        []int64 // in which it waits
	turn, slots int64
	shift       int
}

func (e *endless) enter(c uint32, now int64) model.Place {
	e.inside[c] = true
	at := e.ndt[c] >> (8 + e.shift)
	if at <= now>>e.shift {
		return model.Due
	}
	e.slot[c] = min(at, e.turn+e.slots-1)
	return model.Wheel
}

// TestEqualsEndlessTime compares with times that never wrap, as long as the scan is at each connection
// once in an eighth of the time's range, and demands that a connection is in one place at most.
func TestEqualsEndlessTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := small()
		m := model.New(p)
		const conns = 4
		now := rapid.Int64Range(0, 1<<31).Draw(t, "now")
		e := &endless{make([]int64, conns), make([]int64, conns), make([]bool, conns), make([]bool, conns), make([]int64, conns), now >> 7, 16, 7}
		for c := range uint32(conns) {
			m.Clear(c, uint64(now))
			e.ndt[c], e.paid[c] = (now-1<<28)<<8, true
		}
		m.Reset(uint64(now))
		var due []uint32
		scanned := int64(0) // ns since the scan was at each connection
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			c := uint32(rapid.IntRange(0, conns-1).Draw(t, "conn"))
			var got, want model.Place
			switch rapid.SampledFrom([]string{"push", "done", "done", "rate", "time", "leave", "leave", "idle"}).Draw(t, "do") {
			case "push":
				got = m.Push(c, uint64(now))
				if !e.inside[c] {
					e.paid[c] = false
					e.ndt[c] = max(e.ndt[c], (now-p.IdleNS)<<8)
					want = e.enter(c, now)
				}
			case "done":
				bytes, again := rapid.Int64Range(0, 65535).Draw(t, "bytes"), rapid.Bool().Draw(t, "again")
				got, _ = m.Done(c, uint64(bytes), again, uint64(now))
				if !e.inside[c] && !e.paid[c] {
					e.ndt[c] = max(e.ndt[c], (now-p.AllowanceNS)<<8) + bytes*e.rate[c]
					if e.paid[c] = !again; again {
						want = e.enter(c, now)
					}
				}
			case "rate":
				e.rate[c] = rapid.SampledFrom([]int64{0, 1, 21, 256, 3000, 1<<18 - 1}).Draw(t, "rate")
				m.Rate(c, uint64(e.rate[c]))
			case "leave":
				if len(due) > 0 {
					m.Leave(due[0])
					e.inside[due[0]] = false
					due = due[1:]
				}
			case "time", "idle":
				by := rapid.Int64Range(0, 15*128).Draw(t, "ns")
				if e.waiting() == 0 { // no connection waits: much time may pass
					by = rapid.Int64Range(0, 1<<26).Draw(t, "long")
				}
				now += by
				if scanned += by; scanned >= 1<<26 {
					scanned = 0
					for c := range uint32(conns) {
						m.Keep(c, m.Scan(c, uint64(now)))
					}
				}
				for m.Behind(uint64(now)) > 0 {
					list := slices.Clone(m.Take(uint64(now)))
					e.turn = now>>7 - int64(m.Behind(uint64(now)))
					for _, c := range list {
						if e.slot[c]&15 != e.turn&15 || !e.inside[c] || slices.Contains(due, c) {
							t.Fatalf("connection %d is taken with slot %d, was in %d", c, e.turn, e.slot[c])
						}
						if got, want := m.Look(c, uint64(now)), e.enter(c, now); got != want {
							t.Fatalf("a check of connection %d: place %d, want %d", c, got, want)
						} else if got == model.Due {
							due = append(due, c)
						}
					}
				}
				continue
			}
			if got != want {
				t.Fatalf("connection %d: place %d, want %d", c, got, want)
			}
			if got == model.Due {
				due = append(due, c)
			}
		}
	})
}

// waiting returns the number of connections in the wheel.
func (e *endless) waiting() int {
	n := 0
	for c := range e.inside {
		if e.inside[c] {
			n++
		}
	}
	return n
}

// TestPause demands that a connection that was idle for any time, unnoticed by the scan, is due
// immediately: its departure time is long past. Only within Horizon before a whole turn of the time
// is it indistinguishable from a future time, and waited for. The next turn ends as if the
// connection had been idle, too.
func TestPause(t *testing.T) {
	for _, bits := range []int64{30, 32, 48} {
		whole := uint64(1) << bits
		for _, of := range []uint64{0, whole / 8, whole / 4, whole / 2, whole - whole/4, whole - params.Horizon, whole, 2*whole - params.Horizon, 2 * whole} {
			for _, by := range []int64{-1_000_000, -4096, 4096, 1_000_000} {
				if of == 0 && by < 0 {
					continue
				}
				p := small()
				p.TimerBits = bits
				m := model.New(p)
				now := 3 * whole
				for c := range uint32(4) {
					m.Clear(c, now)
				}
				m.Reset(now)
				m.Rate(1, 8<<8)
				m.Push(1, now)
				m.Leave(1)
				m.Done(1, 100, false, now) // departs 800 ns less the idle allowance from now
				pause := of + uint64(by)
				now += pause
				for m.Behind(now) > 0 {
					m.Take(now)
				}
				want := model.Due
				if left := whole - pause%whole; left < params.Horizon-1000 {
					want = model.Wheel
				}
				if got := m.Push(1, now); got != want {
					t.Errorf("idle for %d ns of %d: place %d, want %d", pause, whole, got, want)
				}
				if want != model.Due {
					continue
				}
				m.Leave(1)
				if m.Done(1, 100, true, now); m.Inside(1) {
					if ns, _ := m.Departure(1); ns != (now-uint64(p.IdleNS)+800)&(whole-1) {
						t.Errorf("idle for %d ns of %d: the next departure is %d ns from now", pause, whole, int64(ns-now&(whole-1)))
					}
				}
			}
		}
	}
}

// TestJump demands that after a jump of the time every slot is taken, none of them before its time,
// in less than four revolutions, and that everything in the wheel is due.
func TestJump(t *testing.T) {
	for _, jump := range []uint64{1, 15, 16, 17, 31, 32, 33, 47, 48, 1000, 1 << 20} { // slots
		for from := range uint64(16) {
			p := small()
			m := model.New(p)
			start := (1<<10 + from) * 128
			for c := range uint32(4) {
				m.Clear(c, start)
			}
			m.Reset(start)
			m.Allowance = 0
			m.Rate(1, 8<<8)
			m.Push(1, start)
			m.Leave(1)
			if place, _ := m.Done(1, 100, true, start); place != model.Wheel { // in slot 6 after this one
				t.Fatal("it is not in the wheel")
			}
			now := start + jump*128
			takes, due := uint64(0), uint64(0)
			for ; m.Behind(now) > 0; takes++ {
				list := slices.Clone(m.Take(now))
				if n := m.Behind(now); n > 1<<20 {
					t.Fatalf("jump of %d slots from %d: slot taken before its time", jump, from)
				}
				for _, c := range list {
					if m.Look(c, now) == model.Due {
						due++
					}
				}
			}
			if takes < min(jump, 16) || takes > min(jump, 63) || due != min(1, jump/6) {
				t.Errorf("jump of %d slots from %d: %d slots taken, %d connections due", jump, from, takes, due)
			}
		}
	}
}
