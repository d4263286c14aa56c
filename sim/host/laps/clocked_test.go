// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// few is a pipeline for few paths, which compiles quickly.
const few = "banks=2 rows=16 destinations=16 anchors=1 flows=64 depth=32 lanes=2 ack_queues=2 rto_min_ns=105000"

// fewHost is a NIC with three flows to two hosts, by two paths each.
func fewHost() *transport.Host {
	return &transport.Host{Connections: 3, Peers: []int{1, 2, 1}, Gbps: 100, Seed: 5, Settings: few, Paths: func(dst int) (list []transport.Path) {
		for i := range uint64(2) {
			list = append(list, transport.Path{Base: 8000 + 4000*i, Anchors: []uint32{uint32(2*dst) + uint32(i)}})
		}
		return list
	}}
}

func newFew(t *testing.T) *clockedHost {
	t.Helper()
	x, err := Transport(t.Context(), transport.Cycles, fewHost())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	})
	return x.(*clockedHost)
}

// Events that are further apart than the unit takes are answered as by the golden model that knows no clock: paths, probes, rates and lost
// segments. A path and a rate come in the cycle that the unit's latency says. Times are such that a limit of age, rate or timer is never
// within some ns of an event, which reach the stages of the RTL cycles apart.
func TestClocked(t *testing.T) {
	x := newFew(t)
	by, err := Transport(t.Context(), transport.Golden, fewHost())
	if err != nil {
		t.Fatal(err)
	}
	golden := by.(*host)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// answers checks that the answers come in a cycle, and not before.
	answers := func(cycle uint64) []transport.Answer {
		t.Helper()
		list, err := x.Answers(clocked.At(cycle - 1))
		check(err)
		if len(list) > 0 {
			t.Fatalf("%+v before cycle %d", list, cycle)
		}
		list, err = x.Answers(clocked.At(cycle))
		check(err)
		if len(list) != 1 {
			t.Fatalf("%d answers in cycle %d, want 1", len(list), cycle)
		}
		return list
	}
	after := func(at fabric.Instant, cycles int) uint64 {
		return uint64((at+clocked.Period-1)/clocked.Period) + uint64(cycles)
	}
	type segment struct {
		conn int
		seq  uint32
		ev   uint32
	}
	var flying []segment
	lost := map[bool]int{}
	// missing compares the segments that were found lost.
	missing := func(timers bool) {
		t.Helper()
		order := func(a, b transport.Segment) int { return cmp.Or(a.Conn-b.Conn, int(a.Seq)-int(b.Seq)) }
		got, want := x.Missing(), slices.Clone(golden.Missing())
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("lost %v, the golden model says %v", got, want)
		}
		lost[timers] += len(want)
		for _, s := range want {
			flying = slices.DeleteFunc(flying, func(f segment) bool { return f.conn == s.Conn && f.seq == s.Seq })
		}
	}
	for conn := range 3 {
		g, err := x.Open(conn, 0)
		check(err)
		want, err := golden.Open(conn, 0)
		check(err)
		if g != want {
			t.Errorf("a flow begins with %+v, the golden model has %+v", g, want)
		}
	}
	list, err := x.Answers(clocked.At(100))
	check(err)
	if len(list) != 3 {
		t.Errorf("%d rates of flows that were opened, want 3", len(list))
	}
	const step = 20_000_000
	r := rand.New(rand.NewPCG(1, 2))
	var probes []segment
	probed := 0
	notes := map[uint8]int{}
	next := make([]uint32, 3)
	at := fabric.Instant(0)
	for i := range 700 {
		at += step
		check(golden.Tick(at.NS()))
		check(x.Tick(at.NS()))
		if list, err := x.Answers(clocked.At(x.looks)); err != nil || len(list) > 0 {
			t.Fatalf("timers: %+v, %v", list, err)
		}
		missing(true)
		now := at + step/2
		a := &transport.Ack{At: now, Now: now.NS(), Delay: 300 + 1000*(4+r.Uint64N(20))}
		switch {
		case len(probes) > 0 && r.IntN(3) == 0:
			a.EV = probes[0].ev
			check(golden.Answer(probes[0].conn, a))
			check(x.Answer(probes[0].conn, a))
			probes = probes[1:]
		case len(flying) > 0 && i%2 == 0:
			k := 0
			if r.IntN(8) == 0 {
				k = r.IntN(len(flying))
			}
			f := flying[k]
			flying = slices.Delete(flying, k, k+1)
			a.EV, a.Seq = f.ev, f.seq
			want, err := golden.Ack(f.conn, a)
			check(err)
			_, err = x.Ack(f.conn, a)
			check(err)
			list := answers(after(now, x.p.RateLatency()))
			if !list[0].Grants || list[0].Conn != f.conn || list[0].Grant != want {
				t.Fatalf("step %d: %+v, the golden model has %+v", i, list[0], want)
			}
			notes[want.Note]++
			_, err = x.Answers(now + 400*clocked.Period)
			check(err)
			missing(false)
		default:
			conn := r.IntN(3)
			seq := next[conn]
			next[conn]++
			want, err := golden.Segment(conn, seq, now.NS())
			check(err)
			check(x.Ask(conn, seq, now))
			list := answers(after(now, x.p.PacketLatency()))
			if list[0].Grants || list[0].Conn != conn || list[0].Choice != want {
				t.Fatalf("step %d: %+v, the golden model has %+v", i, list[0], want)
			}
			if came := clocked.At(after(now, x.p.PacketLatency())); came > now+x.Latency() {
				t.Fatalf("a path comes at %d ps, its packet leaves at %d", came, now+x.Latency())
			}
			flying = append(flying, segment{conn, seq, want.EV})
			if want.Probe {
				probed++
				probes = append(probes, segment{conn, 0, want.On})
			}
		}
	}
	if probed == 0 || lost[true] == 0 || lost[false] == 0 || len(notes) < 3 {
		t.Errorf("%d probes, lost by timers %d, by ACKs %d, decisions %v: want all of them", probed, lost[true], lost[false], notes)
	}
	if x.unit.LeftOut < x.unit.Cycles {
		t.Errorf("%d cycles simulated, %d left out: want more of these", x.unit.Cycles, x.unit.LeftOut)
	}
}

// Events of one time that come by different ports wait as the pipeline has them wait: a packet goes first, then the answer of a probe, then an ACK, of
// which one a cycle is taken.
func TestClockedCrowd(t *testing.T) {
	x := newFew(t)
	const at = 1000 * clocked.Period
	for i := range uint64(3) {
		if _, err := x.Ack(0, &transport.Ack{At: at, Now: at.NS(), Delay: 9000 + i, Seq: uint32(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Answer(0, &transport.Ack{At: at, Now: at.NS(), EV: 1, Delay: 9000}); err != nil {
		t.Fatal(err)
	}
	if err := x.Ask(1, 0, at); err != nil {
		t.Fatal(err)
	}
	var paths, rates []uint64
	for cycle := uint64(1000); cycle < 1100; cycle++ {
		list, err := x.Answers(clocked.At(cycle))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if a.Grants {
				rates = append(rates, cycle-1000)
			} else {
				paths = append(paths, cycle-1000)
			}
		}
	}
	if want := []uint64{x.toPath}; !slices.Equal(paths, want) {
		t.Errorf("paths after %d cycles, want %d", paths, want)
	}
	if want := []uint64{2 + x.toRate, 3 + x.toRate, 4 + x.toRate}; !slices.Equal(rates, want) {
		t.Errorf("rates after %d cycles, want %d", rates, want)
	}
}

// delayed and timed tell of the one-way delays that a NIC is given.
type (
	delayed struct {
		*host
		delays *[]uint64
	}
	timed struct {
		*clockedHost
		delays *[]uint64
	}
)

func (d *delayed) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	*d.delays = append(*d.delays, a.Delay)
	return d.host.Ack(conn, a)
}

func (d *timed) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	*d.delays = append(*d.delays, a.Delay)
	return d.clockedHost.Ack(conn, a)
}

// A packet is stamped as it leaves: the time that the unit takes for its path is no part of its one-way delay.
func TestClockedDelay(t *testing.T) {
	var delays [2][]uint64
	for i, m := range []transport.Model{transport.Golden, transport.Cycles} {
		link := fabric.Link{Gbps: 100, Delay: 1_000_000}
		mesh, err := topo.Rail(2, 2, &topo.Cables{Host: link, Fabric: link}, 1)
		if err != nil {
			t.Fatal(err)
		}
		set := &transport.Settings{Payload: 1000, Headers: 48, RTO: 1_000_000, Deadline: 100_000_000}
		if _, err := transport.Run(t.Context(), mesh, []workload.Flow{{Src: 0, Dst: 1, Bytes: 1000}}, set, func(int, int) (transport.Transport, error) {
			x, err := Transport(t.Context(), m, fewHost())
			if err != nil {
				return nil, err
			}
			if m == transport.Golden {
				return &delayed{x.(*host), &delays[i]}, nil
			}
			return &timed{x.(*clockedHost), &delays[i]}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(delays[0]) != 1 || !slices.Equal(delays[0], delays[1]) {
		t.Errorf("one-way delays of %d ns, with a clock %d", delays[0], delays[1])
	}
}

// RTL that is not its golden model ends the run, with the cycle and the port.
func TestClockedDiffers(t *testing.T) {
	x := newFew(t)
	l := x.lib.Layout()
	x.unit.Golden = &benchtest.Flip{Predictor: x.unit.Golden, Port: l.MustSlot("m_rate_current"), Valid: l.MustSlot("m_rate_valid"), Good: 1}
	for i := range uint64(2) {
		at := clocked.At(1000 * (i + 1))
		if _, err := x.Ack(0, &transport.Ack{At: at, Now: at.NS(), Delay: 9000}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Answers(clocked.At(1999)); err != nil {
		t.Fatalf("a rate that is right: %v", err)
	}
	_, err := x.Answers(clocked.At(2100))
	var d *clocked.Difference
	if !errors.As(err, &d) || d.Cycle != 2000+x.toRate || len(d.Diffs) != 1 || d.Diffs[0].Port != "m_rate_current" {
		t.Errorf("%v, want a difference of m_rate_current in cycle %d", err, 2000+x.toRate)
	}
}
