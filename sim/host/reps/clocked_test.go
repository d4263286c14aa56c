// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/reps"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	tbreps "github.com/nicgen/nicgen/tb/reps"
)

// still is a window that does not move.
type still struct{}

func (still) Open(int) float64                  { return 1e6 }
func (still) Ack(int, *transport.Ack) float64   { return 1e6 }
func (still) Lost(int, *transport.Loss) float64 { return 1e6 }

func host() *transport.Host {
	return &transport.Host{Connections: 5, Seed: 7, BaseRTT: 10_000, RTO: 70_000, Window: func() transport.Window { return still{} }}
}

// Events that are further apart than the units take are answered as by the golden models that know no clock; so are several in a cycle at
// different ports, if they do not depend on each other.
func TestClocked(t *testing.T) {
	x, err := reps.Transport(t.Context(), transport.Cycles, host())
	if err != nil {
		t.Fatal(err)
	}
	golden, err := reps.Transport(t.Context(), transport.Golden, host())
	if err != nil {
		t.Fatal(err)
	}
	c := x.(transport.Clocked)
	r := rand.New(rand.NewPCG(1, 2))
	at, failures := fabric.Instant(0), 0
	var seen []uint32
	for i := range 4000 {
		at += 40*clocked.Period + fabric.Instant(r.IntN(1_000_000)) // up to a µs
		if i%500 == 499 {
			at += 11_000_000_000 // freezing ends after 10 ms
		}
		conn, now := r.IntN(5), at.NS()
		switch {
		case i%3 != 0 && len(seen) > 0:
			a := &transport.Ack{At: at, Now: now, RTT: 9000 + r.Uint64N(3000), EV: seen[r.IntN(len(seen))], Marked: r.IntN(4) == 0}
			if _, err := c.Ack(conn, a); err != nil {
				t.Fatal(err)
			}
			if _, err := golden.Ack(conn, a); err != nil {
				t.Fatal(err)
			}
		case i%60 == 0:
			l := &transport.Loss{At: at, Now: now, Trimmed: r.IntN(4) == 0}
			if _, err := c.Lost(conn, l); err != nil {
				t.Fatal(err)
			}
			g, err := golden.Lost(conn, l)
			if err != nil {
				t.Fatal(err)
			}
			if g.Note > 1 {
				failures++
			}
			// The verdict enters the buffer cycles after the time-out: the clock goes on, so that nothing comes between.
			if _, err := c.Answers(at + 40*clocked.Period); err != nil {
				t.Fatal(err)
			}
		default:
			if err := c.Ask(conn, uint32(i), at); err != nil {
				t.Fatal(err)
			}
			if list, err := c.Answers(at + 2*clocked.Period); err != nil || len(list) != 0 {
				t.Fatalf("%d answers within two cycles, %v", len(list), err)
			}
			list, err := c.Answers(at + c.Latency())
			if err != nil {
				t.Fatal(err)
			}
			want, err := golden.Send(conn, now)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != 1 || list[0].Conn != conn || list[0].Choice != want {
				t.Fatalf("event %d: %+v, want %+v for connection %d", i, list, want, conn)
			}
			seen = append(seen, want.EV)
		}
	}
	if failures == 0 {
		t.Error("no time-out was a failure")
	}
	if err := c.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

// Acknowledgements that come faster than the clock wait for a cycle each, and none is lost. Packets wait likewise; one of the same cycle sees
// the acknowledgement, which comes first.
func TestClockedCrowd(t *testing.T) {
	x, err := reps.Transport(t.Context(), transport.Cycles, host())
	if err != nil {
		t.Fatal(err)
	}
	defer x.(io.Closer).Close()
	c := x.(transport.Clocked)
	const at, many = 100 * clocked.Period, 8 // as many as the buffer holds
	for i := range uint32(many) {
		if _, err := c.Ack(0, &transport.Ack{At: at, Now: at.NS(), RTT: 10_000, EV: 100 + i}); err != nil {
			t.Fatal(err)
		}
	}
	for range many {
		if err := c.Ask(0, 0, at); err != nil {
			t.Fatal(err)
		}
	}
	var list []transport.Answer
	for i := range many {
		more, err := c.Answers(at + c.Latency() + fabric.Instant(i-1)*clocked.Period)
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, more...); len(list) != i+1 || list[i].Choice.EV != 100+uint32(i) {
			t.Fatalf("after %d: %+v, want EV %d last", i+1, list, 100+i)
		}
	}
}

// RTL that is not its golden model ends the run, with the cycle and the port.
func TestClockedDiffers(t *testing.T) {
	p := params.Default()
	lib, golden, err := bench.Build(t.Context(), tbreps.Unit.Bench(p))
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	u, err := clocked.Open(clocked.Config{Library: lib, Golden: &benchtest.Flip{Predictor: golden, Port: l.MustSlot("m_ev"), Valid: l.MustSlot("m_ev_valid"), Good: 2}, Inputs: make([]uint64, l.InWords),
		Calm: 20, See: func(uint64, []uint64) error { return nil }}, 1, "rst", "sts_ready", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	var cycles []uint64
	for i := range 3 {
		cycles = append(cycles, u.Drive(0, clocked.At(uint64(1000*i)), func(in []uint64) { l.MustSlot("s_send_valid").Set(in, 1) }))
	}
	if err := u.Run(clocked.At(cycles[2] - 1)); err != nil {
		t.Fatalf("two answers that are right: %v", err)
	}
	if u.LeftOut == 0 || u.Cycles+u.LeftOut != cycles[2] {
		t.Errorf("%d cycles simulated and %d left out, want %d together", u.Cycles, u.LeftOut, cycles[2])
	}
	err = u.Run(clocked.At(cycles[2] + 20))
	var d *clocked.Difference
	if !errors.As(err, &d) || d.Cycle != cycles[2]+uint64(p.SendLatency()) || len(d.Diffs) != 1 || d.Diffs[0].Port != "m_ev" {
		t.Errorf("%v, want a difference of m_ev in cycle %d", err, cycles[2]+uint64(p.SendLatency()))
	}
}
