// SPDX-License-Identifier: Apache-2.0

package bottleneck_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/transport"
)

// near reports whether got is within a fraction of want, or an absolute distance.
func near(got, want, fraction, distance float64) bool {
	return math.Abs(got-want) <= max(want*fraction, distance)
}

// control is a transport made of a function, with a first grant.
type control struct {
	first transport.Grant
	ack   func(a *transport.Ack) (transport.Grant, error)
}

func (c control) Open(int, uint64) (transport.Grant, error)            { return c.first, nil }
func (c control) Send(int, uint64) (transport.Choice, error)           { return transport.Choice{}, nil }
func (c control) Ack(_ int, a *transport.Ack) (transport.Grant, error) { return c.ack(a) }
func (c control) Lost(int, *transport.Loss) (transport.Grant, error) {
	return transport.Grant{}, errors.New("nothing is lost")
}

type maker = func(h *transport.Host) (transport.Transport, error)

func fixed(g transport.Grant) maker {
	return func(*transport.Host) (transport.Transport, error) {
		return control{g, func(*transport.Ack) (transport.Grant, error) { return g, nil }}, nil
	}
}

// With a fixed window the link is what Little's law says.
func TestFixedWindow(t *testing.T) {
	const line = 3.125
	for _, c := range []struct {
		name       string
		flows      int
		window     transport.Grant
		throughput float64 // Gb/s
		queue      float64 // bytes that wait
	}{
		{"half of the path", 1, transport.Grant{Window: 7000, Rate: line}, 8 * 7000.0 / 5000, 0},
		{"less than a packet", 1, transport.Grant{Window: 1, Rate: line}, 8 * 1000.0 / 5000, 0},
		{"not whole packets", 1, transport.Grant{Window: 3999, Rate: line}, 8 * 3000.0 / 5000, 0},
		{"paced", 1, transport.Grant{Window: 1e6, Rate: 1}, 8, 0},
		{"more than the path, one host", 1, transport.Grant{Window: 50_000, Rate: line}, 25, 0},
		{"more than the path, two hosts", 2, transport.Grant{Window: 50_000, Rate: line}, 25, 2*50_000 - 5000*line},
		{"paced above the host's link", 1, transport.Grant{Window: 50_000, Rate: 10}, 25, 0},
		{"paced above the link", 2, transport.Grant{Window: 50_000, Rate: 2}, 25, 2*50_000 - 5000*line},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := bottleneck.New("incast", 1)
			if err != nil {
				t.Fatal(err)
			}
			sc.Flows = sc.Flows[:c.flows]
			for i := range sc.Flows {
				sc.Flows[i].Start = 0
			}
			r, err := bottleneck.Run(t.Context(), sc, "", fixed(c.window), nil)
			if err != nil {
				t.Fatal(err)
			}
			if !near(r.Throughput, c.throughput, 0.002, 0) {
				t.Errorf("throughput %.3f Gb/s, want %.3f", r.Throughput, c.throughput)
			}
			if !near(r.MeanQueue, c.queue, 0, 1000) {
				t.Errorf("mean queue %.0f bytes, want %.0f ± a packet", r.MeanQueue, c.queue)
			}
			last := r.Samples[len(r.Samples)-1]
			if len(last.Window) != c.flows || last.Window[0] != c.window.Window {
				t.Errorf("last sample has windows %v, want %d of %g", last.Window, c.flows, c.window.Window)
			}
		})
	}
}

// Two flows that stop together leave a queue that only drains: it falls below
// the limit once and stays there, and the second half of the time after them is silent.
func TestDrain(t *testing.T) {
	const stop, end = 500_000, 1_500_000
	sc := bottleneck.Incast(1, 1)
	sc.Flows = []bottleneck.Flow{{Start: 0, Stop: stop}, {Start: 0, Stop: stop}}
	sc.Event, sc.Steady, sc.End = stop, 1_000_000, end
	r, err := bottleneck.Run(t.Context(), sc, "", fixed(transport.Grant{Window: 50_000, Rate: 3.125}), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Little's law gives the queue at the stop, within a few packets of it.
	if !near(float64(r.Peak), 2*50_000-5000*3.125, 0, 3000) {
		t.Errorf("peak %d bytes, want 84375 ± 3 packets", r.Peak)
	}
	if r.DrainedAfter == nil || r.SettledAfter == nil || *r.DrainedAfter != *r.SettledAfter {
		t.Fatalf("low after %v, settled after %v, want the same", r.DrainedAfter, r.SettledAfter)
	}
	// Packets on the path still arrive: 1400 ns, and the link's rate.
	if want := 1400 + (84_375-20_000)/3.125; !near(float64(*r.DrainedAfter), want, 0, 3*320) {
		t.Errorf("low after %d ns, want %.0f ± 3 packets", *r.DrainedAfter, want)
	}
	if len(r.Phases) != 2 {
		t.Fatalf("%d phases, want 2", len(r.Phases))
	}
	if p := r.Phases[0]; p.Flows != 2 || !near(p.Throughput, 25, 0.002, 0) || !near(p.MeanQueue, 84_375, 0, 1000) {
		t.Errorf("before: %+v, want 2 flows, 25 Gb/s, a queue of 84375 bytes", p)
	}
	if p := r.Phases[1]; p.Flows != 0 || p.Throughput != 0 || p.MeanQueue != 0 || p.Jain != 1 {
		t.Errorf("after: %+v, want no flow, no throughput, no queue", p)
	}
	if r.MeanQueue != 0 || r.Throughput != 0 {
		t.Errorf("steady state: queue %g bytes, %g Gb/s, want none", r.MeanQueue, r.Throughput)
	}
}

// Whatever the windows: no packet is lost or doubled, none is faster than light,
// telemetry counts what left, senders keep within their windows.
func TestLinkKeepsItsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := &bottleneck.Scenario{Name: "random", End: 200_000, Steady: 1, Sample: 1000, Low: 5000,
			Gbps:    rapid.SampledFrom([]float64{25, 50, 100}).Draw(t, "rate"),
			Segment: rapid.Uint64Range(64, 9000).Draw(t, "segment"),
			Delay:   fabric.Instant(rapid.Int64Range(0, 5_000_000).Draw(t, "delay"))}
		for range rapid.IntRange(1, 5).Draw(t, "flows") {
			f := bottleneck.Flow{Start: rapid.Uint64Range(0, 50_000).Draw(t, "start"), Jitter: rapid.Uint64Range(0, 300).Draw(t, "jitter")}
			f.Stop = f.Start + f.Jitter + rapid.Uint64Range(1, 200_000).Draw(t, "lasts")
			sc.Flows = append(sc.Flows, f)
		}
		n := len(sc.Flows)
		first := transport.Grant{Window: 20_000, Rate: 1}
		window := make([]transport.Grant, n)
		for i := range window {
			window[i] = first
		}
		seq, next := make([]uint32, n), make([]uint32, n)
		most := make([]float64, n) // the largest window of packets that may still be under way
		var now uint64
		var last *fabric.Hop
		var acks uint64
		ack := func(i int, a *transport.Ack) (transport.Grant, error) {
			acks++
			if a.Now < now {
				t.Fatalf("acknowledgement at %d ns after one at %d ns", a.Now, now)
			}
			now = a.Now
			if a.Seq != seq[i] || a.Again || a.First != seq[i]+1 {
				t.Fatalf("connection %d: sequence number %d, want %d", i, a.Seq, seq[i])
			}
			seq[i]++
			if a.Next < next[i] || a.Next < seq[i] {
				t.Fatalf("connection %d: next %d after %d, acknowledged %d", i, a.Next, next[i], a.Seq)
			}
			next[i] = a.Next
			most[i] = max(most[i], window[i].Window)
			if in := float64(a.Next-a.Seq) * float64(sc.Segment); in > max(most[i], first.Window, float64(sc.Segment)) {
				t.Fatalf("connection %d: %g bytes in flight, window at most %g", i, in, most[i])
			}
			// Times are cut to ns.
			if float64(a.RTT) < sc.RTT()-1 {
				t.Fatalf("round-trip time %d ns, want at least %.1f", a.RTT, sc.RTT())
			}
			if f := sc.Flows[i]; a.Now-a.RTT > f.Stop || a.Now < f.Start+f.Jitter+a.RTT {
				t.Fatalf("connection %d sent at %d ns, allowed: %d to %d ns", i, a.Now-a.RTT, f.Start+f.Jitter, f.Stop)
			}
			if len(a.Hops) != 1 {
				t.Fatalf("%d hops, want 1", len(a.Hops))
			}
			h := a.Hops[0]
			if h.Gbps != sc.Gbps || h.At > a.At {
				t.Fatalf("hop %+v at %d ns", h, a.Now)
			}
			if last != nil {
				if h.Bytes != last.Bytes+sc.Segment || h.Queue+int64(sc.Segment) < last.Queue {
					t.Fatalf("hop %+v after %+v", h, *last)
				}
				if took := float64(sc.Segment) * 8000 / sc.Gbps; float64(h.At-last.At) < took-1 {
					t.Fatalf("packets leave %d ps apart, the link takes %.1f", h.At-last.At, took)
				}
			} else if h.Bytes != 0 {
				t.Fatalf("first packet after %d bytes", h.Bytes)
			}
			last = &h
			window[i] = transport.Grant{Window: rapid.Float64Range(1, 50_000).Draw(t, "window"), Rate: rapid.Float64Range(0.01, 50).Draw(t, "rate")}
			return window[i], nil
		}
		r, err := bottleneck.Run(context.Background(), sc, "", func(h *transport.Host) (transport.Transport, error) {
			return control{first, func(a *transport.Ack) (transport.Grant, error) { return ack(h.Number, a) }}, nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Acks != acks || len(r.Samples) != int(sc.End/sc.Sample) {
			t.Fatalf("%d acknowledgements and %d samples, want %d and %d", r.Acks, len(r.Samples), acks, sc.End/sc.Sample)
		}
		var delivered float64
		for _, s := range r.Samples {
			delivered += s.Total() * float64(sc.Sample) / 8
			if s.Queue > r.Peak {
				t.Fatalf("queue %d above its peak %d", s.Queue, r.Peak)
			}
		}
		if delivered < float64(acks*sc.Segment)-1 {
			t.Fatalf("%g bytes delivered, %d acknowledged", delivered, acks*sc.Segment)
		}
		if most := sc.Gbps / 8 * float64(sc.End); delivered > most+float64(sc.Segment) {
			t.Fatalf("%g bytes delivered, the link carries %g", delivered, most)
		}
	})
}

// growing is a window that grows by a packet a round trip up to a bound, and then begins anew.
func growing(*transport.Host) (transport.Transport, error) {
	g := transport.Grant{Window: 5000, Rate: 3.125}
	return control{g, func(*transport.Ack) (transport.Grant, error) {
		if g.Window += 1e6 / g.Window; g.Window > 40_000 {
			g.Window = 5000
		}
		return g, nil
	}}, nil
}

func TestRunDependsOnItsSeedAlone(t *testing.T) {
	play := func(seed uint64) *bottleneck.Result {
		r, err := bottleneck.Run(t.Context(), bottleneck.Incast(10, seed), "", growing, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b, c := play(7), play(7), play(8)
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs of one seed differ")
	}
	if reflect.DeepEqual(a.Samples, c.Samples) {
		t.Error("runs of two seeds are equal")
	}
}

// A host gets its network, and its settings in words.
func TestHost(t *testing.T) {
	var hosts []transport.Host
	words := bottleneck.NewSettings(bottleneck.Theta, bottleneck.Sets[1])
	words.EveryAck, words.ObservedBase = true, true
	var told []uint64
	_, err := bottleneck.Run(t.Context(), bottleneck.Incast(2, 1), words.Words(), func(h *transport.Host) (transport.Transport, error) {
		hosts = append(hosts, *h)
		return growing(h)
	}, func(done, total uint64) { told = append(told, done, total) })
	if err != nil {
		t.Fatal(err)
	}
	if len(told) < 100 || told[0] != 0 || told[1] != 3_500_000 || told[len(told)-2] < 3_400_000 {
		t.Errorf("progress %v, want from 0 to 3500000 ns", told)
	}
	if len(hosts) != 3 {
		t.Fatalf("%d hosts, want 3", len(hosts))
	}
	const want = "variant=theta gamma=0.9 beta=543 tau=28960 target=1 floor=0.5 min=1000 max=90500 theta_update=ack base_rtt=observed"
	for i, h := range hosts {
		if h.Number != i || h.Connections != 1 || h.Gbps != 25 || h.BaseRTT != 5000 || h.Settings != want || !reflect.DeepEqual(h.Peers, []int{3}) {
			t.Errorf("host %d: %+v", i, h)
		}
	}
}

type clocked struct{ transport.Clocked }

func TestRunEnds(t *testing.T) {
	broken := errors.New("no window today")
	first := transport.Grant{Window: 90_500, Rate: 3.125}
	then := func(g transport.Grant, err error) maker {
		return func(*transport.Host) (transport.Transport, error) {
			return control{first, func(*transport.Ack) (transport.Grant, error) { return g, err }}, nil
		}
	}
	for _, c := range []struct {
		name   string
		change func(*bottleneck.Scenario)
		make   maker
		cancel bool
		want   string
	}{
		{name: "cancelled", make: fixed(first), cancel: true, want: "scenario incast: context canceled"},
		{name: "transport fails", make: then(first, broken), want: "scenario incast: host 0, connection 0 at 5000 ns: no window today"},
		{name: "no transport", make: func(*transport.Host) (transport.Transport, error) { return nil, broken }, want: "scenario incast: host 0: no window today"},
		{name: "a clock", make: func(*transport.Host) (transport.Transport, error) { return clocked{}, nil },
			want: "scenario incast: host 0: found bottleneck_test.clocked, allowed: a transport without a clock or routes of its own"},
		{name: "no number", make: then(transport.Grant{Window: math.NaN(), Rate: 1}, nil),
			want: "scenario incast: host 0, connection 0 at 5000 ns: found window NaN, rate 1, allowed: above 0, and 0 or more"},
		{name: "no rate", make: then(transport.Grant{Window: 1, Rate: math.NaN()}, nil),
			want: "scenario incast: host 0, connection 0 at 5000 ns: found window 1, rate NaN, allowed: above 0, and 0 or more"},
		{name: "no flow", change: func(sc *bottleneck.Scenario) { sc.Flows = nil },
			want: "scenario incast: flows: found 0, allowed: at least 1"},
		{name: "times", change: func(sc *bottleneck.Scenario) { sc.Steady, sc.Sample = sc.End, 0 },
			want: "scenario incast: event, steady, end: found [500000 3500000 3500000], allowed: event at most steady, steady before the end\nsample: found 0, allowed: at least 1 ns"},
		{name: "rate", change: func(sc *bottleneck.Scenario) { sc.Gbps = 0 },
			want: "scenario incast: rate: found 0, allowed: above 0, at most 8000 Gb/s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := bottleneck.Incast(10, 1)
			sc.Flows[0].Jitter = 0
			if c.change != nil {
				c.change(sc)
			}
			ctx, cancel := context.WithCancel(t.Context())
			if c.cancel {
				cancel()
			}
			defer cancel()
			if _, err := bottleneck.Run(ctx, sc, "", c.make, nil); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, name := range bottleneck.Names {
		sc, err := bottleneck.New(name, 1)
		if err != nil || sc.Name != name || sc.Check() != nil || sc.RTT() != 5000 {
			t.Errorf("%s: %+v, %v", name, sc, err)
		}
	}
	if _, err := bottleneck.New("outcast", 1); err == nil || err.Error() != `scenario: found "outcast", allowed: incast or fairness` {
		t.Errorf("outcast: %v", err)
	}
	for word, want := range map[string][]bottleneck.Variant{"int": {bottleneck.INT}, "theta": {bottleneck.Theta}, "both-compared": {bottleneck.INT, bottleneck.Theta}} {
		if got, err := bottleneck.ParseVariants(word); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	if _, err := bottleneck.ParseVariants("both"); err == nil || err.Error() != `variant: found "both", allowed: int, theta or both-compared` {
		t.Errorf("both: %v", err)
	}
}
