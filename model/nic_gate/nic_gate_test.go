// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/nic_gate"
)

// gate returns a gate of two connections with rings of 16 PSNs.
func gate(change func(*params.Params)) *Gate {
	p := params.Default()
	p.Connections, p.Ring = 2, 16
	if change != nil {
		change(p)
	}
	if problems := p.Check(); problems != nil {
		panic(fmt.Sprint(problems))
	}
	return New(p)
}

// The immediate effect of an event: it uses the present views.

func (g *Gate) enters(c uint32, psn uint64, counts bool, now ...uint64) (push, timeout bool) {
	nxt := g.conns[c].Sent.Nxt
	out, _ := g.Enter(c, psn, counts, g.conns[c], append(now, 1<<30)[0]) // by default long after the last one left
	if out.Again || out.Restart {
		timeout = g.Again(c, psn, out, nxt)
	}
	return out.Push, timeout
}

func (g *Gate) leaves(c uint32, p Packet, ev, now uint64) (idle, ok bool) {
	e, idle, ok := g.Release(c, p, g.conns[c].In, g.Una(c), now)
	if e.Valid {
		g.Put(c, p.PSN, e, ev, now)
	}
	return idle, ok
}

func (g *Gate) acks(c uint32, psn uint64, nak bool, now uint64) (s Sample, look bool) {
	psn = g.Named(psn, nak)
	s = g.Ack(c, psn, nak, true, g.Find(c, psn), g.conns[c].Sent, g.conns[c].Restart, now)
	return s, s.Moved && g.Waiting(c)
}

func (g *Gate) inflight(c uint32) uint64 { return g.Flight(c).Bytes }

// flushed is a flush of connection c, whose queue is empty.
func (g *Gate) flushed(c uint32) {
	s := &g.conns[c]
	g.Discard(c)
	for slot := range g.slots {
		g.ClearSlot(c, slot)
	}
	nxt, in := s.Sent.Nxt, s.In
	g.ClearStored(c)
	g.Again(c, 0, Stored{Restart: true}, nxt)
	g.ClearSent(c, true, in)
	g.ClearNaked(c)
	g.ClearWindow(c)
	g.End(c)
}

// TestDecisions plays scenarios of the page on connection 1, one event per line, with its answer.
func TestDecisions(t *testing.T) {
	const quantum = 4096
	enter := func(psn uint64) func(*Gate) string {
		return func(g *Gate) string {
			push, timeout := g.enters(1, psn, true)
			return fmt.Sprintf("enter %d: push %t, timeout %t", psn, push, timeout)
		}
	}
	enterAt := func(psn, now uint64) func(*Gate) string {
		return func(g *Gate) string {
			push, timeout := g.enters(1, psn, true, now)
			return fmt.Sprintf("enter %d: push %t, timeout %t", psn, push, timeout)
		}
	}
	due := func(uint64) func(*Gate) string {
		return func(g *Gate) string {
			pop, budget := g.Due(1, g.Flight(1))
			return fmt.Sprintf("due: pop %t, budget %d", pop, budget)
		}
	}
	release := func(psn, bytes, now uint64) func(*Gate) string {
		return func(g *Gate) string {
			g.leaves(1, Packet{PSN: psn, Bytes: bytes, Counts: true}, 100+psn, now)
			return fmt.Sprintf("release %d: inflight %d", psn, g.inflight(1))
		}
	}
	response := func(bytes uint64) func(*Gate) string {
		return func(g *Gate) string {
			g.leaves(1, Packet{PSN: 99, Bytes: bytes}, 0, 0)
			return fmt.Sprintf("response: inflight %d", g.inflight(1))
		}
	}
	reply := func(psn uint64) func(*Gate) string { // a READ response is stored
		return func(g *Gate) string {
			push, timeout := g.enters(1, psn, false)
			return fmt.Sprintf("reply %d: push %t, timeout %t", psn, push, timeout)
		}
	}
	done := func(g *Gate) string {
		again, _ := g.Done(1, g.Gone(1))
		return fmt.Sprintf("done: again %t", again)
	}
	ack := func(psn uint64, nak bool, now uint64) func(*Gate) string {
		return func(g *Gate) string {
			s, look := g.acks(1, psn, nak, now)
			return fmt.Sprintf("ack %d: hit %t, EV %d, RTT %d, acked %d, inflight %d, look %t", psn, s.Hit, s.EV, s.RTT, s.Acked, g.Flight(1).Bytes, look)
		}
	}
	window := func(bytes uint64) func(*Gate) string {
		return func(g *Gate) string {
			g.SetWindow(1, bytes)
			return fmt.Sprintf("window %d: look %t", bytes, g.Waiting(1))
		}
	}
	look := func(uint64) func(*Gate) string {
		return func(g *Gate) string { return fmt.Sprintf("look: push %t", g.Look(1, g.Flight(1))) }
	}
	tick := func(g *Gate) string { g.Tick(); return "tick" }
	scan := func(g *Gate) string { return fmt.Sprintf("scan: push %t", g.Scan(1, g.Flight(1))) }
	flush := func(g *Gate) string { g.flushed(1); return "flush" }
	selective := func(p *params.Params) { p.GoBackN = false }

	for _, tt := range []struct {
		name   string
		change func(*params.Params)
		events []func(*Gate) string
		want   []string
	}{
		{"a packet and its ACK", nil,
			[]func(*Gate) string{enter(7), due(0), release(7, 1000, 50), done, ack(7, false, 10_050)},
			[]string{"enter 7: push true, timeout false", fmt.Sprintf("due: pop true, budget %d", 16*params.BytesPerPSN), "release 7: inflight 1000", "done: again false",
				"ack 7: hit true, EV 107, RTT 10000, acked 1000, inflight 0, look false"}},
		{"the window is exceeded by less than a packet", func(p *params.Params) { p.InitWindow, p.Ring = 1500, 1024 },
			[]func(*Gate) string{enter(0), enter(1), enter(2), due(0), release(0, 1000, 0), release(1, 1000, 0), done, due(5), ack(0, false, 9), look(9), due(10)},
			[]string{"enter 0: push true, timeout false", "enter 1: push false, timeout false", "enter 2: push false, timeout false", "due: pop true, budget 1500",
				"release 0: inflight 1000", "release 1: inflight 2000", "done: again true", "due: pop false, budget 0",
				"ack 0: hit true, EV 100, RTT 9, acked 1000, inflight 1000, look true", "look: push true", "due: pop true, budget 500"}},
		{"window 0: a packet when nothing is in flight", func(p *params.Params) { p.InitWindow = 0 },
			[]func(*Gate) string{enter(0), enter(1), due(0), release(0, 60, 0), done, due(0), ack(0, false, 1), look(1), due(1)},
			[]string{"enter 0: push true, timeout false", "enter 1: push false, timeout false", "due: pop true, budget 1", "release 0: inflight 60", "done: again true",
				"due: pop false, budget 0", "ack 0: hit true, EV 100, RTT 1, acked 60, inflight 0, look true", "look: push true", "due: pop true, budget 1"}},
		{"a window that opens", func(p *params.Params) { p.InitWindow = 100 },
			[]func(*Gate) string{enter(0), enter(1), due(0), release(0, 100, 0), done, due(0), window(101), look(0), due(0), window(1<<24 - 1)},
			[]string{"enter 0: push true, timeout false", "enter 1: push false, timeout false", "due: pop true, budget 100", "release 0: inflight 100", "done: again true",
				"due: pop false, budget 0", "window 101: look true", "look: push true", "due: pop true, budget 1", "window 16777215: look false"}},
		{"READ responses count nothing, and have PSNs of the other side (D1)", func(p *params.Params) { p.InitWindow = 100 },
			[]func(*Gate) string{enter(7), reply(99), reply(3), due(0), release(7, 60, 0), response(4096), response(4096), done, enter(8), due(0), release(8, 60, 0), done},
			[]string{"enter 7: push true, timeout false", "reply 99: push false, timeout false", "reply 3: push false, timeout false", "due: pop true, budget 100", "release 7: inflight 60",
				"response: inflight 60", "response: inflight 60", "done: again false", "enter 8: push true, timeout false", "due: pop true, budget 40", "release 8: inflight 120", "done: again false"}},
		{"after a flush PSNs begin anywhere (D11)", func(p *params.Params) { p.InitWindow = 100 },
			[]func(*Gate) string{enter(7), due(0), release(7, 150, 0), done, flush, ack(7, false, 9), enter(3), due(0), release(3, 60, 10), done, ack(3, false, 11)},
			[]string{"enter 7: push true, timeout false", "due: pop true, budget 100", "release 7: inflight 150", "done: again false", "flush",
				"ack 7: hit false, EV 0, RTT 0, acked 0, inflight 0, look false", "enter 3: push true, timeout false", "due: pop true, budget 100", "release 3: inflight 60", "done: again false",
				"ack 3: hit true, EV 103, RTT 1, acked 60, inflight 0, look false"}},
		{"a READ of 100 PSNs (D4, D5)", nil,
			[]func(*Gate) string{enter(0), enter(100), enter(101), due(0), release(0, 60, 0), release(100, 60, 0), done, due(0), ack(0, false, 1), look(1), ack(100, false, 2), look(2)},
			[]string{"enter 0: push true, timeout false", "enter 100: push false, timeout false", "enter 101: push false, timeout false",
				"due: pop true, budget 512", "release 0: inflight 60", "release 100: inflight 120", "done: again true", "due: pop true, budget 480",
				"ack 0: hit true, EV 100, RTT 1, acked 60, inflight 60, look false", "look: push false",
				"ack 100: hit true, EV 200, RTT 2, acked 60, inflight 0, look false", "look: push false"}},
		{"a host's timer that runs while its packets wait (D21)", nil,
			[]func(*Gate) string{enter(4), enter(5), enter(6), due(0), release(4, 100, 0), done, enter(5), enter(4)},
			[]string{"enter 4: push true, timeout false", "enter 5: push false, timeout false", "enter 6: push false, timeout false", "due: pop true, budget 512", "release 4: inflight 100", "done: again true",
				"enter 5: push false, timeout false", "enter 4: push false, timeout true"}},
		{"a host's timer that runs while a packet is on the wire (D21)", func(p *params.Params) { p.FlightNS = 10_240 },
			[]func(*Gate) string{enter(4), due(0), release(4, 100, 1_000_000), done, enterAt(4, 1_010_000), enterAt(4, 1_020_000)},
			[]string{"enter 4: push true, timeout false", "due: pop true, budget 512", "release 4: inflight 100", "done: again false",
				"enter 4: push true, timeout false", "enter 4: push false, timeout true"}},
		{"a number used again, PSNs ahead (D22)", nil,
			[]func(*Gate) string{enter(4), due(0), release(4, 100, 0), done, enter(1000), enter(1001), due(0), release(1000, 100, 1), release(1001, 100, 1), done, due(0), ack(1001, false, 9)},
			[]string{"enter 4: push true, timeout false", "due: pop true, budget 512", "release 4: inflight 100", "done: again false",
				"enter 1000: push true, timeout false", "enter 1001: push false, timeout false", "due: pop true, budget 480", "release 1000: inflight 200", "release 1001: inflight 300", "done: again false",
				"due: pop false, budget 0", "ack 1001: hit true, EV 1101, RTT 8, acked 300, inflight 0, look false"}},
		{"a number used again, PSNs behind (D22)", nil,
			[]func(*Gate) string{enter(5000), due(0), release(5000, 100, 0), done, enter(7), enter(8), due(0), release(7, 100, 1), release(8, 100, 1), done, ack(8, false, 9)},
			[]string{"enter 5000: push true, timeout false", "due: pop true, budget 512", "release 5000: inflight 100", "done: again false",
				"enter 7: push true, timeout false", "enter 8: push false, timeout false", "due: pop true, budget 480", "release 7: inflight 100", "release 8: inflight 200", "done: again false",
				"ack 8: hit true, EV 108, RTT 8, acked 200, inflight 0, look false"}},
		{"go-back-N by the host's timer", nil,
			[]func(*Gate) string{enter(4), enter(5), due(0), release(4, 100, 0), release(5, 100, 0), done, enter(4), due(9), release(4, 100, 10), done, ack(5, false, 20), ack(4, false, 21), enter(5), due(0), release(5, 100, 30), done, ack(5, false, 50)},
			[]string{"enter 4: push true, timeout false", "enter 5: push false, timeout false", "due: pop true, budget 512", "release 4: inflight 100", "release 5: inflight 200", "done: again false",
				"enter 4: push true, timeout true", "due: pop true, budget 448", "release 4: inflight 100", "done: again false",
				"ack 5: hit true, EV 105, RTT 20, acked 0, inflight 100, look false", "ack 4: hit true, EV 104, RTT 0, acked 100, inflight 0, look false",
				"enter 5: push true, timeout false", "due: pop true, budget 480", "release 5: inflight 100", "done: again false",
				"ack 5: hit true, EV 105, RTT 0, acked 100, inflight 0, look false"}},
		{"a NAK (D8)", nil,
			[]func(*Gate) string{enter(4), enter(5), due(0), release(4, 100, 0), release(5, 100, 0), done, ack(5, true, 9), enter(5)},
			[]string{"enter 4: push true, timeout false", "enter 5: push false, timeout false", "due: pop true, budget 512", "release 4: inflight 100", "release 5: inflight 200", "done: again false",
				"ack 5: hit false, EV 0, RTT 0, acked 100, inflight 100, look false", "enter 5: push true, timeout false"}},
		{"selective retransmission", selective,
			[]func(*Gate) string{enter(4), enter(5), enter(6), due(0), release(4, 100, 0), release(5, 100, 0), release(6, 100, 0), done, enter(5), due(0), release(5, 100, 3), done, ack(5, false, 4), ack(6, false, 7)},
			[]string{"enter 4: push true, timeout false", "enter 5: push false, timeout false", "enter 6: push false, timeout false", "due: pop true, budget 512",
				"release 4: inflight 100", "release 5: inflight 200", "release 6: inflight 300", "done: again false",
				"enter 5: push true, timeout true", "due: pop true, budget 416", "release 5: inflight 300", "done: again false",
				"ack 5: hit true, EV 105, RTT 0, acked 0, inflight 300, look false", "ack 6: hit true, EV 106, RTT 7, acked 300, inflight 0, look false"}},
		{"ACKs that change places (D9), and of nothing (D10)", nil,
			[]func(*Gate) string{enter(8), enter(9), due(0), release(8, 100, 0), release(9, 100, 0), done, ack(9, false, 7), ack(8, false, 8), ack(10, false, 9), ack(8+16, false, 9)},
			[]string{"enter 8: push true, timeout false", "enter 9: push false, timeout false", "due: pop true, budget 512", "release 8: inflight 100", "release 9: inflight 200", "done: again false",
				"ack 9: hit true, EV 109, RTT 7, acked 200, inflight 0, look false", "ack 8: hit true, EV 108, RTT 8, acked 0, inflight 0, look false",
				"ack 10: hit false, EV 0, RTT 0, acked 0, inflight 0, look false", "ack 24: hit false, EV 0, RTT 0, acked 0, inflight 0, look false"}},
		{"the stall rule", func(p *params.Params) { p.InitWindow = 1 },
			[]func(*Gate) string{enter(0), enter(1), enter(2), due(0), release(0, 100, 0), done, due(10), tick, scan, tick, scan, due(1020), release(1, 100, 1020), done, due(1030)},
			[]string{"enter 0: push true, timeout false", "enter 1: push false, timeout false", "enter 2: push false, timeout false", "due: pop true, budget 1", "release 0: inflight 100", "done: again true",
				"due: pop false, budget 0", "tick", "scan: push false", "tick", "scan: push true", "due: pop true, budget 1", "release 1: inflight 200", "done: again true", "due: pop false, budget 0"}},
		{"PSNs and bytes wrap", func(p *params.Params) {
			p.PSNBits, p.TagBits, p.ByteBits, p.InitWindow, p.Quantum = 16, 12, 16, 1<<16-1, 60_000
		},
			[]func(*Gate) string{enter(65535), enter(0), due(0), release(65535, 40_000, 0), done, ack(65535, false, 1), due(2), release(0, 40_000, 2), done, ack(0, false, 3)},
			[]string{"enter 65535: push true, timeout false", "enter 0: push false, timeout false", "due: pop true, budget 512", "release 65535: inflight 40000", "done: again true",
				"ack 65535: hit true, EV 65635, RTT 1, acked 0, inflight 40000, look false", "due: pop true, budget 480", "release 0: inflight 14464", "done: again false",
				"ack 0: hit true, EV 100, RTT 1, acked 14464, inflight 0, look false"}},
		{"illegal (D12)", nil,
			[]func(*Gate) string{due(0), done, release(0, 60, 0), func(g *Gate) string { return fmt.Sprint(g.Count.Illegal) }},
			[]string{"due: pop false, budget 0", "done: again false", "release 0: inflight 0", "3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := gate(tt.change)
			var got []string
			for _, event := range tt.events {
				got = append(got, event(g))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if s, _ := g.State(0); s != (State{Window: g.Settings.InitWindow}) {
				t.Errorf("connection 0 changed: %+v", s)
			}
		})
	}
}

// TestLoop plays a queue, a pacer and a receiver that loses packets and ACKs around the gate: the window
// holds, no connection with packets is forgotten, and all packets are acknowledged in the end.
func TestLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		p.Connections, p.Ring = 3, 16
		p.InitWindow = rapid.Int64Range(0, 5000).Draw(t, "window")
		p.Quantum = rapid.Int64Range(1, 4000).Draw(t, "quantum")
		g := New(p)
		type packet struct{ psn, bytes uint64 }
		var queue [3][]packet
		var turn []uint32        // the pacer
		var next, want [3]uint64 // PSN of the host, and that the receiver waits for
		var wire []func()
		now := uint64(0)
		visit := func() {
			if len(turn) == 0 {
				return
			}
			c := turn[0]
			turn = turn[1:]
			pop, budget := g.Due(c, g.Flight(c))
			if !pop {
				return
			}
			forced := !g.Open(g.Flight(c))
			for left, first := int64(budget), true; len(queue[c]) > 0 && (first || left > 0); first = false {
				if !forced && !g.Open(g.Flight(c)) && !first {
					t.Fatalf("a packet leaves with the window shut: %+v", g.conns[c])
				}
				head := queue[c][0]
				queue[c] = queue[c][1:]
				g.leaves(c, Packet{PSN: head.psn, Bytes: head.bytes, Counts: true}, 1, now)
				left -= int64(head.bytes)
				wire = append(wire, func() {
					if head.psn == want[c] {
						want[c]++
					}
					if want[c] > 0 {
						if _, look := g.acks(c, want[c]-1, false, now); look && g.Look(c, g.Flight(c)) {
							turn = append(turn, c)
						}
					}
				})
			}
			if again, _ := g.Done(c, g.Gone(c)); again {
				turn = append(turn, c)
			}
		}
		enter := func(c uint32, psn, bytes uint64) {
			queue[c] = append(queue[c], packet{psn, bytes})
			if push, _ := g.enters(c, psn, true); push {
				turn = append(turn, c)
			}
		}
		check := func() {
			for c := range queue {
				s := &g.conns[c]
				inTurn := 0
				for _, x := range turn {
					if int(x) == c {
						inTurn++
					}
				}
				if (s.Active && !s.Waiting) != (inTurn == 1) || inTurn > 1 || s.Active != (len(queue[c]) > 0) {
					t.Fatalf("connection %d is active %t, waits %t, %d times in the pacer, with %d packets", c, s.Active, s.Waiting, inTurn, len(queue[c]))
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) {
				c := rapid.Uint32Range(0, 2).Draw(t, "connection")
				enter(c, next[c], rapid.Uint64Range(44, 3000).Draw(t, "bytes"))
				next[c]++
			},
			"again": func(t *rapid.T) { // the host goes back
				if c := rapid.Uint32Range(0, 2).Draw(t, "connection"); next[c] > want[c] && len(queue[c]) == 0 {
					for psn := want[c]; psn < next[c]; psn++ {
						enter(c, psn, 100)
					}
				}
			},
			"visit": func(*rapid.T) { visit() },
			"wire": func(t *rapid.T) {
				if len(wire) == 0 {
					t.Skip("nothing on the wire")
				}
				if arrives := wire[0]; rapid.IntRange(0, 9).Draw(t, "lost") > 0 {
					arrives()
				}
				wire = wire[1:]
			},
			"scan": func(t *rapid.T) {
				if c := rapid.Uint32Range(0, 2).Draw(t, "connection"); g.Scan(c, g.Flight(c)) {
					turn = append(turn, c)
				}
			},
			"time": func(t *rapid.T) { now += rapid.Uint64Range(0, 400).Draw(t, "ns"); g.Tick() },
			"":     func(*rapid.T) { check() },
		})
		// From now on nothing is lost, and the host goes back where packets are missing.
		for round := 0; round < 10_000; round++ {
			now += 100
			if round%4 == 0 {
				g.Tick()
			}
			visit()
			if len(wire) > 0 {
				wire[0]()
				wire = wire[1:]
			}
			c := uint32(round % 3)
			if g.Scan(c, g.Flight(c)) {
				turn = append(turn, c)
			}
			if round%100 == 99 && len(queue[c]) == 0 && len(wire) == 0 {
				for psn := want[c]; psn < next[c]; psn++ {
					enter(c, psn, 100)
				}
			}
			check()
		}
		for c := range queue {
			if len(queue[c]) > 0 || want[c] != next[c] {
				t.Fatalf("connection %d: %d packets wait, PSN %d of %d arrived", c, len(queue[c]), want[c], next[c])
			}
		}
	})
}
