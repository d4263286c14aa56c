// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/plb"
	"github.com/nicgen/nicgen/sim/transport"
)

// Events with distances above the unit's latency are answered as by the golden model without a clock, except for the random labels: a
// connection takes a new label at the same places, and for the same reason.
func TestClocked(t *testing.T) {
	h := &transport.Host{Connections: 3, Seed: 5, Settings: "pause_ns=0 forced_rounds=4 idle_rounds=2",
		Window: func() transport.Window { return &transport.MPRDMA{MTU: 1000, First: 10_000, Most: 20_000} }}
	x, err := plb.Transport(t.Context(), transport.Cycles, h)
	if err != nil {
		t.Fatal(err)
	}
	golden, err := plb.Transport(t.Context(), transport.Golden, h)
	if err != nil {
		t.Fatal(err)
	}
	c := x.(transport.Clocked)
	for conn := range h.Connections {
		for _, x := range []transport.Transport{c, golden} {
			if _, err := x.Open(conn, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	type state struct {
		next, first   uint32
		label, golden uint32
	}
	conns := make([]state, h.Connections)
	reasons := map[uint8]int{}
	at := fabric.Instant(0)
	for i := range 6000 {
		at += 40*clocked.Period + fabric.Instant(r.IntN(3_000_000))
		conn := r.IntN(len(conns))
		s := &conns[conn]
		switch {
		case i%100 == 50:
			for k, x := range []transport.Transport{c, golden} {
				if _, err := x.Lost(conn, &transport.Loss{At: at, Now: at.NS(), EV: []uint32{s.label, s.golden}[k]}); err != nil {
					t.Fatal(err)
				}
			}
		case i%2 == 1 && s.first < s.next:
			s.first += 1 + r.Uint32N(s.next-s.first)
			a := &transport.Ack{At: at, Now: at.NS(), RTT: 20_000, Marked: r.IntN(3) > 0, Seq: s.first - 1, Next: s.next, First: s.first}
			for _, x := range []transport.Transport{c, golden} {
				if _, err := x.Ack(conn, a); err != nil {
					t.Fatal(err)
				}
			}
		default:
			if err := c.Ask(conn, s.next, at); err != nil {
				t.Fatal(err)
			}
			list, err := c.Answers(at + c.Latency())
			if err != nil {
				t.Fatal(err)
			}
			want, err := golden.Send(conn, at.NS())
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != 1 || list[0].Conn != conn || list[0].Choice.Note != want.Note || (list[0].Choice.EV != s.label) != (want.EV != s.golden) && s.next > 0 {
				t.Fatalf("event %d, connection %d: %+v after label %#x, the golden model has %+v after %#x", i, conn, list, s.label, want, s.golden)
			}
			s.label, s.golden = list[0].Choice.EV, want.EV
			s.next++
			reasons[want.Note]++
		}
	}
	if len(reasons) < 4 {
		t.Errorf("reasons %v, want four or more", reasons)
	}
	if err := c.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

// Two packets of one label are lost: the second one is not a separate time-out once the retransmission of the first has its label, even if that is
// not taken yet.
func TestClockedBurst(t *testing.T) {
	h := &transport.Host{Connections: 1, Seed: 5, Settings: "pause_ns=0", Window: func() transport.Window { return &transport.MPRDMA{MTU: 1000, First: 10_000, Most: 20_000} }}
	x, err := plb.Transport(t.Context(), transport.Cycles, h)
	if err != nil {
		t.Fatal(err)
	}
	defer x.(io.Closer).Close()
	c := x.(transport.Clocked)
	if _, err := c.Open(0, 0); err != nil {
		t.Fatal(err)
	}
	var labels []uint32
	ask := func(seq uint32, at fabric.Instant) {
		t.Helper()
		if err := c.Ask(0, seq, at); err != nil {
			t.Fatal(err)
		}
	}
	take := func(at fabric.Instant) {
		t.Helper()
		list, err := c.Answers(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			labels = append(labels, a.Choice.EV)
		}
	}
	const us = 1_000_000
	ask(0, us)
	ask(1, 2*us)
	take(10 * us)
	for i := range fabric.Instant(2) {
		at := 1000*us + i*us
		if _, err := c.Lost(0, &transport.Loss{At: at, Now: at.NS(), EV: labels[0]}); err != nil {
			t.Fatal(err)
		}
		ask(uint32(i), at)
	}
	take(2000 * us)
	if len(labels) != 4 || labels[0] != labels[1] || labels[1] == labels[2] || labels[2] != labels[3] {
		t.Errorf("labels %#x, want two of a first one, and two of a second", labels)
	}
}

// A network in which the RTL of two hosts has its own clock differs in single packets, and carries as much traffic.
func TestClockedNetwork(t *testing.T) {
	const set = "connections=64 pause_ns=2097152"
	golden, err := network(t, set, func(int) transport.Model { return transport.Golden })
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := network(t, set, func(host int) transport.Model {
		if host < 2 {
			return transport.Cycles
		}
		return transport.Golden
	})
	if err != nil {
		t.Fatal(err)
	}
	if cycles.Packets == golden.Packets {
		t.Errorf("%d packets with both: latency changes nothing", cycles.Packets)
	}
	if x := float64(cycles.Packets) / float64(golden.Packets); math.Abs(x-1) > .1 {
		t.Errorf("%d packets, with golden models %d", cycles.Packets, golden.Packets)
	}
}
