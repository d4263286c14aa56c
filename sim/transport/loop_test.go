// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"math"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// In a closed loop a message begins when its sender has thought after the one before it, takes as long as a single one, and none
// begins after the end.
func TestLoop(t *testing.T) {
	const bytes, until = 3*4096 + 1, 200_000_000
	single, err := transport.Run(t.Context(), tree(t, fabric.Queueing{}, 1), []workload.Flow{{Src: 0, Dst: 7, Bytes: bytes}}, &settings, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	loop := &workload.Loop{Think: 5_000_000, Until: until, Seed: 9}
	x := tree(t, fabric.Queueing{}, 1)
	r, err := transport.Run(t.Context(), x, []workload.Flow{{Src: 0, Dst: 7, Bytes: bytes, Start: 1000, Loop: loop}}, &settings, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	calls := r.Flows[0].Calls
	if len(calls) < 10 {
		t.Fatalf("%d messages, want many", len(calls))
	}
	gap := loop.Gaps()
	start := fabric.Instant(1000)
	for i, c := range calls {
		if c.Start != start || c.Acked-c.Start != single.Flows[0].Acked {
			t.Errorf("message %d: from %d to %d, want from %d for %d", i, c.Start, c.Acked, start, single.Flows[0].Acked)
		}
		start = c.Acked + fabric.Instant(gap())
	}
	if start <= until || calls[len(calls)-1].Start > until {
		t.Errorf("the last message began at %d, the next one would at %d, want none after %d", calls[len(calls)-1].Start, start, until)
	}
	if want := uint64(4 * len(calls)); r.Packets != want || r.Flows[0].Acked != calls[len(calls)-1].Acked {
		t.Errorf("%d packets, acknowledged at %d, want %d, at the end of the last message", r.Packets, r.Flows[0].Acked, want)
	}
	if err := x.Check(); err != nil {
		t.Error(err)
	}
}

// Messages of a loop end in spite of losses, in order.
func TestLoopLosses(t *testing.T) {
	x := tree(t, fabric.Queueing{}, 1)
	for _, p := range x.Ports() {
		p.SetLoss(0.02)
	}
	flows, err := workload.RPCs(4, 2, 20_000, 10_000_000, 3_000_000_000, x.Rand)
	if err != nil {
		t.Fatal(err)
	}
	r, err := transport.Run(t.Context(), x, flows, &settings, ops)
	if err != nil {
		t.Fatal(err)
	}
	if r.Timeouts == 0 || r.Duplicates == 0 {
		t.Errorf("%d time-outs, %d duplicates, want some", r.Timeouts, r.Duplicates)
	}
	for i := range r.Flows {
		var last fabric.Instant
		for _, c := range r.Flows[i].Calls {
			if c.Start <= last || c.Acked <= c.Start {
				t.Fatalf("flow %d: from %d to %d after %d", i, c.Start, c.Acked, last)
			}
			last = c.Acked
		}
		if r.Flows[i].Received > last {
			t.Errorf("flow %d: received at %d, after %d", i, r.Flows[i].Received, last)
		}
	}
}

// firsts notes what acknowledgements say of the first packet that is missing.
type firsts struct {
	transport.Transport
	t    *testing.T
	last uint32
	full int
}

func (f *firsts) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	if a.First < f.last || a.First > a.Next || a.First == a.Seq {
		f.t.Errorf("first %d after %d, next %d, packet %d", a.First, f.last, a.Next, a.Seq)
	}
	if f.last = a.First; a.First == a.Next {
		f.full++
	}
	return f.Transport.Ack(conn, a)
}

// First is the first unacknowledged packet, even if packets arrive in any order.
func TestFirst(t *testing.T) {
	x := tree(t, fabric.Queueing{}, 1)
	x.Leaves[0].Up[0].SetLoss(0.1)
	var f *firsts
	_, err := transport.Run(t.Context(), x, []workload.Flow{{Src: 0, Dst: 7, Bytes: 1_000_000}}, &settings, func(host, conns int) (transport.Transport, error) {
		by, err := ops(host, conns)
		f = &firsts{Transport: by, t: t}
		return f, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.last != 245 || f.full == 0 {
		t.Errorf("first %d at the end, want 245", f.last)
	}
}

// The window follows RFC 8257, worked by hand.
func TestWindowDCTCP(t *testing.T) {
	d := &transport.WindowDCTCP{MTU: 1000, First: 4000, Most: 20_000, Least: 2000, Gain: 0.5}
	check := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: window %v, want %v", what, got, want)
		}
	}
	check("opened", d.Open(0), 4000)
	// Alpha is 1 at first; the first acknowledgement ends a round without marks: 1/2.
	check("slow start", d.Ack(0, &transport.Ack{Seq: 0, First: 1, Next: 4}), 5000)
	check("half unused", d.Ack(0, &transport.Ack{Seq: 1, First: 2, Next: 2}), 5000)
	check("again", d.Ack(0, &transport.Ack{Seq: 1, First: 2, Next: 8, Again: true}), 5000)
	check("the first mark", d.Ack(0, &transport.Ack{Seq: 2, First: 3, Next: 8, Marked: true}), 3750)
	check("the second one", d.Ack(0, &transport.Ack{Seq: 3, First: 4, Next: 8, Marked: true}), 3750)
	// The packet 4 ended the round before, packet 8 ends the next one. Of 1 to 4, two were marked: alpha stays at 1/2.
	check("linear", d.Ack(0, &transport.Ack{Seq: 5, First: 6, Next: 10}), 3750+1e6/3750)
	check("lost", d.Lost(0, &transport.Loss{}), 2000)
	check("lost as well", d.Lost(0, &transport.Loss{}), 2000)
	// Half of 4016.7 is the threshold.
	check("below the threshold", d.Ack(0, &transport.Ack{Seq: 6, First: 7, Next: 10}), 3000)
	check("above it", d.Ack(0, &transport.Ack{Seq: 7, First: 8, Next: 10}), 3000+1e6/3000)
	check("opened again", d.Open(0), 4000)
}

// Messages of an open loop begin after random times, whether the ones before are acknowledged or not, and wait behind each other.
func TestOpenLoop(t *testing.T) {
	const bytes, start, messages = 2*4096 + 1, 1000, 50
	for _, think := range []uint64{1_000_000, 50_000_000} { // a message takes some µs
		until := messages * think
		loop := &workload.Loop{Think: think, Until: until, Seed: 9, Open: true}
		x := tree(t, fabric.Queueing{}, 1)
		r, err := transport.Run(t.Context(), x, []workload.Flow{{Src: 0, Dst: 7, Bytes: bytes, Start: start, Loop: loop}}, &settings, ecmp)
		if err != nil {
			t.Fatal(err)
		}
		f := &r.Flows[0]
		gap := loop.Gaps()
		at := fabric.Instant(start)
		waited := 0
		for i, c := range f.Calls {
			if c.Start != at {
				t.Fatalf("message %d begins at %d, want %d", i, c.Start, at)
			}
			if i > 0 && c.Start < f.Calls[i-1].Acked {
				waited++
			}
			at += fabric.Instant(gap())
		}
		if n := len(f.Calls); at <= fabric.Instant(until) || f.Calls[n-1].Start > fabric.Instant(until) || (waited > n/2) != (think == 1_000_000) {
			t.Errorf("%d messages, the next one at %d, %d before the one before was acknowledged; want all before %d", n, at, waited, until)
		}
		if want := uint64(3 * len(f.Calls)); r.Packets != want || f.Acked != f.Calls[len(f.Calls)-1].Acked {
			t.Errorf("%d packets, acknowledged at %d, want %d, with the last message", r.Packets, f.Acked, want)
		}
		if err := x.Check(); err != nil {
			t.Error(err)
		}
	}
}

// A run that ends at a time knows the messages that are complete.
func TestOpenLoopUntil(t *testing.T) {
	set := settings
	set.Until = 30_000
	loop := &workload.Loop{Think: 1_000_000, Until: 1 << 40, Seed: 9, Open: true}
	r, err := transport.Run(t.Context(), tree(t, fabric.Queueing{}, 1), []workload.Flow{{Src: 0, Dst: 7, Bytes: 5000, Loop: loop}}, &set, ecmp)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Flows[0].Calls {
		if c.Acked <= c.Start || c.Acked > 30_000_000 {
			t.Errorf("%+v, want complete messages", c)
		}
	}
	if n := len(r.Flows[0].Calls); n < 5 || r.Flows[0].Acked != 0 {
		t.Errorf("%d messages, acknowledged at %d, want some, and not all", n, r.Flows[0].Acked)
	}
}
