// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim"
)

// play runs a named scenario under the float64 model.
func play(t *testing.T, name string, v sim.Variant, p sim.ParameterSet, seed uint64) *sim.Result {
	t.Helper()
	sc, err := sim.New(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	s := sim.NewSettings(v, p, sc)
	c, err := sim.NewFloat(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.Run(t.Context(), sc, s, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// near tells whether got is within a fraction of want, or an absolute distance.
func near(got, want, fraction, distance float64) bool {
	return math.Abs(got-want) <= max(want*fraction, distance)
}

// The figures of an independent simulation of the same incast. It differs in what
// is not laid down: its round-trip is about 5 µs, ours is exactly that, and one µs
// more is 31 KB of the burst. Hence 10 % for the peak and for the time to drain it,
// and for a standing queue, which is what the windows exceed the path by; a queue
// of a few packets may be one packet off, because telemetry counts whole packets.
// Throughput has 1 %.
func TestIncastINT(t *testing.T) {
	for i, c := range []struct {
		peak, low, mean, throughput float64 // bytes, ns (0: never), bytes, Gb/s
	}{
		{315_000, 239_000, 2_800, 24.8},
		{317_000, 256_000, 7_100, 25},
		{337_000, 0, 150_000, 25},
	} {
		for seed := uint64(1); seed <= 5; seed++ {
			t.Run(fmt.Sprintf("%s/seed %d", sim.Sets[i].Name, seed), func(t *testing.T) {
				r := play(t, "incast", sim.INT, sim.Sets[i], seed)
				if !near(float64(r.Peak), c.peak, 0.1, 0) {
					t.Errorf("peak %d bytes, want %g ± 10 %%", r.Peak, c.peak)
				}
				// The burst grows until the first reaction is back: a round-trip, two
				// acknowledgements of a flow in the queue's order, and the way to the queue.
				if r.PeakAfter < 9_000 || r.PeakAfter > 16_000 {
					t.Errorf("peak after %d ns, want 9 to 16 µs", r.PeakAfter)
				}
				switch {
				case c.low == 0 && (r.DrainedAfter != nil || r.SettledAfter != nil):
					t.Errorf("queue low after %d ns, want never", *r.DrainedAfter)
				case c.low > 0 && (r.DrainedAfter == nil || r.SettledAfter == nil):
					t.Errorf("queue never low, want so after %g ns", c.low)
				case c.low > 0 && (!near(float64(*r.DrainedAfter), c.low, 0.1, 0) || !near(float64(*r.SettledAfter), c.low, 0.1, 0)):
					t.Errorf("queue low after %d ns, settled after %d ns, want %g ± 10 %%", *r.DrainedAfter, *r.SettledAfter, c.low)
				}
				if !near(r.MeanQueue, c.mean, 0.1, 1000) {
					t.Errorf("steady mean queue %.0f bytes, want %g ± 10 %% or a packet", r.MeanQueue, c.mean)
				}
				if !near(r.Throughput, c.throughput, 0.01, 0) {
					t.Errorf("throughput %.2f Gb/s, want %g ± 1 %%", r.Throughput, c.throughput)
				}
			})
		}
	}
}

// θ-PowerTCP learns of the burst when delayed packets are back, and then reacts once a
// round trip: with the second acknowledgement, and for the others a window later. With the
// settings of the figures another measurement has 485 KB and low after 273 µs, means over
// five seeds. Later the windows are of one to three packets, and whole packets decide:
// throughput is within 5 % of an independent simulation's 22.5 Gb/s, and the mean queue,
// 1.0 KB there, is held to the limit of a low queue only.
func TestIncastTheta(t *testing.T) {
	for _, set := range sim.Sets[:2] {
		for seed := uint64(1); seed <= 5; seed++ {
			t.Run(fmt.Sprintf("%s/seed %d", set.Name, seed), func(t *testing.T) {
				r := play(t, "incast", sim.Theta, set, seed)
				other := play(t, "incast", sim.INT, set, seed)
				if r.Peak < 14*other.Peak/10 || r.Peak > 2*other.Peak || set == sim.Sets[0] && !near(float64(r.Peak), 485_000, 0.1, 0) {
					t.Errorf("peak %d bytes, want 1.4 to 2 times PowerTCP's %d, and with the figures' settings 485000 ± 10 %%", r.Peak, other.Peak)
				}
				if r.DrainedAfter == nil || *r.DrainedAfter < *other.DrainedAfter || *r.DrainedAfter > 273_000*12/10 {
					t.Errorf("queue low after %v, want later than PowerTCP's %d ns, and before 273 µs + 20 %%", r.DrainedAfter, *other.DrainedAfter)
				}
				if r.MeanQueue >= float64(r.Scenario.Low) {
					t.Errorf("steady mean queue %.0f bytes, want below %d", r.MeanQueue, r.Scenario.Low)
				}
				if !near(r.Throughput, 22.5, 0.05, 0) {
					t.Errorf("throughput %.2f Gb/s, want 22.5 ± 5 %%", r.Throughput)
				}
			})
		}
	}
}

// Flows that join and leave share the link evenly (Fig. 2.5).
func TestFairness(t *testing.T) {
	for _, c := range []struct {
		variant    sim.Variant
		set        sim.ParameterSet
		jain       float64
		throughput func(flows int) float64 // the least, in Gb/s
	}{
		// With a target below 1 the flows settle where the target and Σβ balance, at least
		// at the target.
		{sim.INT, sim.Sets[0], 0.999, func(int) float64 { return 0.95 * 25 }},
		{sim.INT, sim.Sets[1], 0.999, func(int) float64 { return 0.99 * 25 }},
		{sim.INT, sim.Sets[2], 0.999, func(int) float64 { return 0.99 * 25 }},
		// θ counts on the additive increase to fill the link: alone, a window ends at
		// β/(1-0.95), which is 10 whole packets a round-trip, or 16 Gb/s.
		{sim.Theta, sim.Sets[0], 0.99, func(flows int) float64 {
			if flows == 1 {
				return 0.99 * 16
			}
			return 0.9 * 25
		}},
		{sim.Theta, sim.Sets[1], 0.99, func(int) float64 { return 0.9 * 25 }},
	} {
		for seed := uint64(1); seed <= 3; seed++ {
			t.Run(fmt.Sprintf("%s/%s/seed %d", c.variant, c.set.Name, seed), func(t *testing.T) {
				r := play(t, "fairness", c.variant, c.set, seed)
				want := []int{1, 2, 3, 4, 3, 2, 1}
				if len(r.Phases) != len(want) {
					t.Fatalf("%d phases, want %d", len(r.Phases), len(want))
				}
				for i, p := range r.Phases {
					if p.Flows != want[i] {
						t.Errorf("phase %d: %d flows, want %d", i, p.Flows, want[i])
					}
					if p.Jain < c.jain || p.Jain > 1+1e-12 {
						t.Errorf("phase %d: Jain index %.4f, want %g to 1", i, p.Jain, c.jain)
					}
					if least := c.throughput(p.Flows); p.Throughput < least || p.Throughput > 25.01 {
						t.Errorf("phase %d: %.2f Gb/s, want %.2f to 25", i, p.Throughput, least)
					}
				}
			})
		}
	}
}

// A flow of θ-PowerTCP that joins a standing queue takes it for the path: with a
// large β the later flows get more.
func TestThetaMistakesAStandingQueue(t *testing.T) {
	theta, other := play(t, "fairness", sim.Theta, sim.Sets[2], 1), play(t, "fairness", sim.INT, sim.Sets[2], 1)
	if got := theta.Phases[3].Jain; got > 0.9 {
		t.Errorf("θ: Jain index of four flows %.4f, want at most 0.9", got)
	}
	if got := other.Phases[3].Jain; got < 0.999 {
		t.Errorf("INT: Jain index of four flows %.4f, want at least 0.999", got)
	}
}

// control is a controller made of a function.
type control func(a *sim.Ack) (sim.Window, error)

func (c control) Ack(a *sim.Ack) (sim.Window, error) { return c(a) }

func fixed(w sim.Window) sim.Controller {
	return control(func(*sim.Ack) (sim.Window, error) { return w, nil })
}

// With a fixed window the link is what Little's law says.
func TestFixedWindow(t *testing.T) {
	const line = 3.125
	for _, c := range []struct {
		name       string
		flows      int
		window     sim.Window
		throughput float64 // Gb/s
		queue      float64 // bytes that wait
	}{
		{"half of the path", 1, sim.Window{Bytes: 7000, Rate: line}, 8 * 7000.0 / 5000, 0},
		{"less than a packet", 1, sim.Window{Bytes: 1, Rate: line}, 8 * 1000.0 / 5000, 0},
		{"not whole packets", 1, sim.Window{Bytes: 3999, Rate: line}, 8 * 3000.0 / 5000, 0},
		{"paced", 1, sim.Window{Bytes: 1e6, Rate: 1}, 8, 0},
		{"more than the path, one host", 1, sim.Window{Bytes: 50_000, Rate: line}, 25, 0},
		{"more than the path, two hosts", 2, sim.Window{Bytes: 50_000, Rate: line}, 25, 2*50_000 - 5000*line},
		{"paced above the host's link", 1, sim.Window{Bytes: 50_000, Rate: 10}, 25, 0},
		{"paced above the link", 2, sim.Window{Bytes: 50_000, Rate: 2}, 25, 2*50_000 - 5000*line},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, err := sim.New("incast", 1)
			if err != nil {
				t.Fatal(err)
			}
			sc.Flows = sc.Flows[:c.flows]
			for i := range sc.Flows {
				sc.Flows[i].Start = 0
			}
			s := sim.Settings{MaxWindow: c.window.Bytes, Tau: c.window.Bytes / c.window.Rate}
			r, err := sim.Run(t.Context(), sc, s, fixed(c.window), nil)
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
			if len(last.Window) != c.flows || last.Window[0] != c.window.Bytes {
				t.Errorf("last sample has windows %v, want %d of %g", last.Window, c.flows, c.window.Bytes)
			}
		})
	}
}

// Two flows that stop together leave a queue that only drains: it falls below
// the limit once and stays there, and the second half of the time after them is silent.
func TestDrain(t *testing.T) {
	const stop, end = 500_000, 1_500_000
	sc := sim.Incast(1, 1)
	sc.Flows = []sim.Flow{{Start: 0, Stop: stop}, {Start: 0, Stop: stop}}
	sc.Event, sc.Steady, sc.End = stop, 1_000_000, end
	r, err := sim.Run(t.Context(), sc, sim.Settings{MaxWindow: 50_000, Tau: 16_000}, fixed(sim.Window{Bytes: 50_000, Rate: 3.125}), nil)
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
	// What is on the path still arrives: 1410 ns, and the link's rate.
	if want := 1410 + (84_375-20_000)/3.125; !near(float64(*r.DrainedAfter), want, 0, 3*320) {
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
		code := rapid.SampledFrom([]int{0, 1, 2}).Draw(t, "rate code")
		sc := &sim.Scenario{Name: "random", End: 200_000, Steady: 1, Sample: 1000, Low: 5000, RateCode: code,
			Segment:  rapid.Uint64Range(64, 9000).Draw(t, "segment"),
			HostRate: rapid.Float64Range(0.5, 50).Draw(t, "host rate"),
			LinkRate: sim.LinkRates[code],
			Delay:    rapid.Uint64Range(0, 5000).Draw(t, "delay")}
		for range rapid.IntRange(1, 5).Draw(t, "flows") {
			f := sim.Flow{Start: rapid.Uint64Range(0, 50_000).Draw(t, "start"), Jitter: rapid.Uint64Range(0, 300).Draw(t, "jitter")}
			f.Stop = f.Start + f.Jitter + rapid.Uint64Range(1, 200_000).Draw(t, "lasts")
			sc.Flows = append(sc.Flows, f)
		}
		n := len(sc.Flows)
		first := sim.Window{Bytes: 20_000, Rate: 1}
		window := make([]sim.Window, n)
		for i := range window {
			window[i] = first
		}
		seq, next := make([]uint32, n), make([]uint32, n)
		most := make([]float64, n) // the largest window of packets that may still be under way
		var now uint64
		var last *sim.Hop
		var acks uint64
		c := control(func(a *sim.Ack) (sim.Window, error) {
			acks++
			i := a.Conn
			if a.Now < now {
				t.Fatalf("acknowledgement at %d ns after one at %d ns", a.Now, now)
			}
			now = a.Now
			if a.Seq != seq[i]+uint32(sc.Segment) {
				t.Fatalf("connection %d: sequence number %d after %d", i, a.Seq, seq[i])
			}
			seq[i] = a.Seq
			if a.SndNxt < next[i] || a.SndNxt < a.Seq {
				t.Fatalf("connection %d: next %d after %d, acknowledged %d", i, a.SndNxt, next[i], a.Seq)
			}
			next[i] = a.SndNxt
			most[i] = max(most[i], window[i].Bytes)
			if in := float64(a.SndNxt-a.Seq) + float64(sc.Segment); in > max(most[i], first.Bytes, float64(sc.Segment)) {
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
			if h.Rate != code || h.TS > a.Now {
				t.Fatalf("hop %+v at %d ns", h, a.Now)
			}
			if last != nil {
				if h.Tx != last.Tx+sc.Segment || h.QLen+sc.Segment < last.QLen {
					t.Fatalf("hop %+v after %+v", h, *last)
				}
				if float64(h.TS-last.TS) < float64(sc.Segment)/sc.LinkRate-1 {
					t.Fatalf("packets leave %d ns apart, the link takes %.1f", h.TS-last.TS, float64(sc.Segment)/sc.LinkRate)
				}
			} else if h.Tx != 0 {
				t.Fatalf("first packet after %d bytes", h.Tx)
			}
			last = &h
			window[i] = sim.Window{Bytes: rapid.Float64Range(1, 50_000).Draw(t, "window"), Rate: rapid.Float64Range(0.01, 50).Draw(t, "rate")}
			return window[i], nil
		})
		r, err := sim.Run(context.Background(), sc, sim.Settings{MaxWindow: first.Bytes, Tau: first.Bytes}, c, nil)
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
		if most := sc.LinkRate * float64(sc.End); delivered > most+float64(sc.Segment) {
			t.Fatalf("%g bytes delivered, the link carries %g", delivered, most)
		}
	})
}

func TestRunDependsOnItsSeedAlone(t *testing.T) {
	a, b, c := play(t, "incast", sim.INT, sim.Sets[0], 7), play(t, "incast", sim.INT, sim.Sets[0], 7), play(t, "incast", sim.INT, sim.Sets[0], 8)
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs of one seed differ")
	}
	if reflect.DeepEqual(a.Samples, c.Samples) {
		t.Error("runs of two seeds are equal")
	}
}

func TestRunEnds(t *testing.T) {
	broken := errors.New("no window today")
	for _, c := range []struct {
		name   string
		change func(*sim.Scenario, *sim.Settings)
		ctl    sim.Controller
		cancel bool
		want   string
	}{
		{name: "cancelled", ctl: fixed(sim.Window{Bytes: 1000, Rate: 1}), cancel: true, want: "scenario incast: context canceled"},
		{name: "controller fails", ctl: control(func(*sim.Ack) (sim.Window, error) { return sim.Window{}, broken }),
			want: "scenario incast: acknowledgement 1000 of connection 0 at 5000 ns: no window today"},
		{name: "no number", ctl: fixed(sim.Window{Bytes: math.NaN(), Rate: 1}),
			want: "scenario incast: acknowledgement 1000 of connection 0 at 5000 ns: window: bytes: found NaN, allowed: a finite number above 0"},
		{name: "no rate", ctl: fixed(sim.Window{Bytes: 1000}),
			want: "scenario incast: acknowledgement 1000 of connection 0 at 5000 ns: window: rate: found 0, allowed: a finite number above 0"},
		{name: "first window", change: func(_ *sim.Scenario, s *sim.Settings) { s.MaxWindow = 0 },
			want: "first window: bytes: found 0, allowed: a finite number above 0, rate: found 0, allowed: a finite number above 0"},
		{name: "no flow", change: func(sc *sim.Scenario, _ *sim.Settings) { sc.Flows = nil },
			want: "scenario incast: flows: found 0, allowed: at least 1"},
		{name: "times", change: func(sc *sim.Scenario, _ *sim.Settings) { sc.Steady, sc.Sample = sc.End, 0 },
			want: "scenario incast: event, steady, end: found [500000 3500000 3500000], allowed: event at most steady, steady before the end\nsample: found 0, allowed: at least 1 ns"},
		{name: "rate code", change: func(sc *sim.Scenario, _ *sim.Settings) { sc.RateCode = 5 },
			want: "scenario incast: link-rate code: found 5, allowed: the index of 3.125 in LinkRates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := sim.Incast(10, 1)
			sc.Flows[0].Jitter = 0
			s := sim.NewSettings(sim.INT, sim.Sets[0], sc)
			if c.change != nil {
				c.change(sc, &s)
			}
			ctx, cancel := context.WithCancel(t.Context())
			if c.cancel {
				cancel()
			}
			defer cancel()
			if _, err := sim.Run(ctx, sc, s, c.ctl, nil); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestLockstep(t *testing.T) {
	sc := sim.Incast(2, 1)
	s := sim.NewSettings(sim.INT, sim.Sets[0], sc)
	make := func() sim.Controller {
		c, err := sim.NewFloat(s)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	alone, err := sim.Run(t.Context(), sc, s, make(), nil)
	if err != nil {
		t.Fatal(err)
	}
	both, err := sim.Run(t.Context(), sc, s, sim.Lockstep(make(), "a", make(), "b"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(alone, both) {
		t.Error("a controller beside itself gives another run")
	}
	n := 0
	liar := make()
	_, err = sim.Run(t.Context(), sc, s, sim.Lockstep(make(), "honest", control(func(a *sim.Ack) (sim.Window, error) {
		w, err := liar.Ack(a)
		if n++; n == 100 {
			w.Bytes++
		}
		return w, err
	}), "liar"), nil)
	var d *sim.Difference
	if !errors.As(err, &d) || d.Acks != 99 || d.Windows[0].Bytes+1 != d.Windows[1].Bytes || !strings.Contains(err.Error(), "honest gives") {
		t.Errorf("got %v, want a difference after 99 acknowledgements", err)
	}
	broken := errors.New("gone")
	_, err = sim.Run(t.Context(), sc, s, sim.Lockstep(make(), "a", control(func(*sim.Ack) (sim.Window, error) { return sim.Window{}, broken }), "b"), nil)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "b: gone") {
		t.Errorf("got %v, want the error of b", err)
	}
}

func TestFloatRefuses(t *testing.T) {
	s := sim.NewSettings(sim.INT, sim.Sets[0], sim.Incast(1, 1))
	c, err := sim.NewFloat(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		ack  sim.Ack
		want string
	}{
		{sim.Ack{Conn: 2}, "connection: found 2, allowed: 0 to 1"},
		{sim.Ack{Hops: make([]sim.Hop, 17)}, "hops: found 17, allowed: 0 to 16"},
		{sim.Ack{Hops: []sim.Hop{{Rate: 6}}}, "hop 0: link-rate code: found 6, allowed: a code of LinkRates that stands for a rate"},
		{sim.Ack{Hops: []sim.Hop{{Rate: -1}}}, "hop 0: link-rate code: found -1, allowed: a code of LinkRates that stands for a rate"},
	} {
		if _, err := c.Ack(&x.ack); err == nil || err.Error() != x.want {
			t.Errorf("got %v, want %s", err, x.want)
		}
	}
	s.Gamma = 2
	if _, err := sim.NewFloat(s); err == nil || err.Error() != "gamma: found 2, allowed: above 0, at most 1" {
		t.Errorf("gamma 2: %v", err)
	}
	s.Gamma, s.Variant = 1, "swift"
	if _, err := sim.NewFloat(s); err == nil || err.Error() != `variant: found "swift", allowed: int or theta` {
		t.Errorf("variant swift: %v", err)
	}
}

func TestNames(t *testing.T) {
	for _, name := range sim.Names {
		sc, err := sim.New(name, 1)
		if err != nil || sc.Name != name || sc.Check() != nil || sc.RTT() != 5000 {
			t.Errorf("%s: %+v, %v", name, sc, err)
		}
	}
	if _, err := sim.New("outcast", 1); err == nil || err.Error() != `scenario: found "outcast", allowed: incast or fairness` {
		t.Errorf("outcast: %v", err)
	}
	for word, want := range map[string][]sim.Variant{"int": {sim.INT}, "theta": {sim.Theta}, "both-compared": {sim.INT, sim.Theta}} {
		if got, err := sim.ParseVariants(word); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	if _, err := sim.ParseVariants("both"); err == nil || err.Error() != `variant: found "both", allowed: int, theta or both-compared` {
		t.Errorf("both: %v", err)
	}
}

func TestJain(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   float64
	}{
		{nil, 1}, {[]float64{0, 0}, 1}, {[]float64{5}, 1}, {[]float64{2, 2, 2}, 1},
		{[]float64{1, 0, 0, 0}, 0.25}, {[]float64{1, 3}, 0.8},
	} {
		if got := sim.Jain(c.shares); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g", c.shares, got, c.want)
		}
	}
}
