// SPDX-License-Identifier: Apache-2.0

package rail_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
)

// fixed is a transport that sends everything on one route at one rate, and notes what it hears.
type fixed struct {
	route uint32
	rate  float64 // bytes per ns
	probe bool    // with the first packet, on route 1
	lost  []transport.Segment
	fails error // with the first ACK
	// rates has the rate from times on, in place of rate; probes are the numbers of packets that probes go with, on the same route.
	rates  func(now uint64) float64
	probes []int

	sent    []uint64 // ns
	seqs    []uint32
	acks    []transport.Ack
	answers []transport.Ack
	missing []transport.Segment
}

func (f *fixed) Open(int, uint64) (transport.Grant, error) { return f.grant(0), nil }

func (f *fixed) grant(now uint64) transport.Grant {
	g := transport.Grant{Window: 1 << 40, Rate: f.rate}
	if f.rates != nil {
		g.Rate = f.rates(now)
	}
	return g
}

func (f *fixed) Send(int, uint64) (transport.Choice, error) {
	return transport.Choice{}, errors.New("no number")
}

func (f *fixed) Segment(_ int, seq uint32, now uint64) (transport.Choice, error) {
	f.missing = nil
	f.sent, f.seqs = append(f.sent, now), append(f.seqs, seq)
	if slices.Contains(f.probes, len(f.sent)) {
		return transport.Choice{EV: f.route, Probe: true, On: f.route}, nil
	}
	return transport.Choice{EV: f.route, Probe: f.probe && len(f.sent) == 1, On: 1}, nil
}

func (f *fixed) Ack(_ int, a *transport.Ack) (transport.Grant, error) {
	f.missing = nil
	if f.acks = append(f.acks, *a); len(f.acks) == 2 {
		f.missing = f.lost
	}
	return f.grant(a.Now), f.fails
}

func (f *fixed) Answer(_ int, a *transport.Ack) error {
	f.answers = append(f.answers, *a)
	return nil
}
func (f *fixed) Lost(int, *transport.Loss) (transport.Grant, error) { return f.grant(0), nil }
func (f *fixed) Tick(uint64) error                                  { f.missing = nil; return nil }
func (f *fixed) Every() uint64                                      { return 1_000_000 }
func (f *fixed) Missing() []transport.Segment                       { return f.missing }

// one returns a scenario with a flow from host 0 to host 8, in another cluster, that lasts for the given number of segments at a rate.
// Its routes have 4 cables by rail 0, and 8 by the others.
func one(segments uint64, gbps float64) *rail.Scenario {
	sc := rail.OneOutage(1)
	sc.Name, sc.Faults = "one", nil
	sc.Flows[0].Gbps, sc.Flows[0].Stop = 0, uint64(float64(segments-1)*1500*8/gbps)+1
	sc.Event, sc.Repair, sc.Warm, sc.End, sc.Sample = 0, 1_000_000, 0, 1_000_000, 1_000_000
	return sc
}

func run(t *testing.T, sc *rail.Scenario, by transport.Transport) *rail.Result {
	t.Helper()
	r, err := rail.Run(t.Context(), sc, settings(), func(*transport.Host, bool) (transport.Transport, error) { return by, nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func settings() *rail.Settings {
	s := rail.NewSettings(1, 1)
	return &s
}

// The latency of a segment: 120 ns to leave a port, 1 µs per cable, and queues. ACKs of 64 bytes take 5.12 ns a port and 1 µs a cable
// back.
func TestNetwork(t *testing.T) {
	slow := func(sc *rail.Scenario) { sc.Cables.Fabric.Gbps = 50 }
	fault := func(f rail.Fault) func(sc *rail.Scenario) {
		return func(sc *rail.Scenario) { sc.Faults = []rail.Fault{f} }
	}
	for _, c := range []struct {
		name   string
		change func(*rail.Scenario)
		by     fixed
		delays []uint64
		acked  []uint64
		links  int
	}{
		{"at the rate of the link", nil, fixed{rate: 12.5}, []uint64{4480, 4480, 4480}, []uint64{8500, 8620, 8740}, 4},
		{"at half of it", nil, fixed{rate: 6.25}, []uint64{4480, 4480, 4480}, []uint64{8500, 8740, 8980}, 4},
		{"a longer route", nil, fixed{rate: 12.5, route: 3}, []uint64{8960, 8960, 8960}, []uint64{17_000, 17_120, 17_240}, 8},
		// Two of the four ports take 240 ns a segment, and 10.24 ns an ACK.
		{"a queue", slow, fixed{rate: 12.5}, []uint64{4720, 4840, 4960}, []uint64{8750, 8990, 9230}, 4},
		{"a cable that loses", fault(rail.Fault{From: "GPU 0", To: "rail 0", Loss: 1}), fixed{rate: 12.5}, nil, nil, 4},
		// The second segment is on the cable from 1360 to 2360 ns.
		{"a cable that fails", fault(rail.Fault{From: "GPU 0", To: "rail 0", Fails: 2300, Repaired: 2301}), fixed{rate: 12.5}, []uint64{4480}, []uint64{8500}, 4},
		// All arrive; an ACK is on the cable from 6495 to 7495 ns, or 120 or 240 ns later.
		{"a cable that fails behind them", fault(rail.Fault{From: "GPU 0", To: "rail 0", Fails: 7600, Repaired: 7601}), fixed{rate: 12.5}, []uint64{4480}, []uint64{8500}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := one(3, 8*c.by.rate)
			if c.change != nil {
				c.change(sc)
			}
			by := c.by
			r := run(t, sc, &by)
			var delays, acked []uint64
			for _, a := range by.acks {
				delays, acked = append(delays, a.Delay), append(acked, a.Now)
			}
			gap := uint64(1500 / c.by.rate)
			if want := []uint64{0, gap, 2 * gap}; !reflect.DeepEqual(by.sent, want) || !reflect.DeepEqual(delays, c.delays) || !reflect.DeepEqual(acked, c.acked) {
				t.Errorf("sent %v, latencies %v, ACKs %v; want %v, %v, %v", by.sent, delays, acked, want, c.delays, c.acked)
			}
			f := r.Flows[0]
			if f.New != 3 || f.Sent != 3 || f.Arrived+f.Dropped != 3 || int(r.Acks) != len(c.acked) || len(r.Drops) != int(f.Dropped) {
				t.Errorf("%d sent, %d arrived, %d dropped, %d ACKs; want 3, of them %d", f.New, f.Arrived, f.Dropped, r.Acks, len(c.acked))
			}
			for _, x := range r.Classes {
				if want := uint64(3); (x.Links == c.links) != (x.Sent == want) || x.Sent != 0 && x.Sent != want {
					t.Errorf("%d segments on routes of %d cables, want 3 on those of %d", x.Sent, x.Links, c.links)
				}
			}
		})
	}
}

// A probe measures its route with 64 bytes, before the next segment.
func TestProbe(t *testing.T) {
	by := fixed{rate: 12.5, probe: true}
	r := run(t, one(3, 100), &by)
	// It waits for the segment that it came with, and leaves a port in 5.12 ns: 8 cables of 1 µs by rail 1.
	if len(by.answers) != 1 || by.answers[0].EV != 1 || by.answers[0].Delay != 8041 || by.answers[0].Now != 16_201 || r.Probes != 1 || r.Answers != 1 {
		t.Errorf("%d probes, answers %+v, want one of route 1, after 8041 ns, at 16201", r.Probes, by.answers)
	}
	if by.sent[1] != 125 {
		t.Errorf("the next segment leaves at %d ns, want 125, after the probe", by.sent[1])
	}
	if last := r.Samples[len(r.Samples)-1]; last.Latency[1] != 8041 || last.Latency[0] != 4480 || last.Latency[2] != 0 || last.Sent[0] != 2 || last.Rate[0] != 100 {
		t.Errorf("%+v, want what was measured", last)
	}
}

// Lost segments are retransmitted before any new one, and are counted by how the loss was
// detected.
func TestResend(t *testing.T) {
	by := fixed{rate: 12.5, lost: []transport.Segment{{Seq: 70}, {Seq: 65, Timer: true}, {Seq: 68}}}
	r := run(t, one(100, 100), &by)
	var got []uint32
	for i, seq := range by.seqs {
		if i > 0 && seq != by.seqs[i-1]+1 || (seq == 65 || seq == 68) && i > 68 {
			got = append(got, seq)
		}
	}
	f := r.Flows[0]
	if want := []uint32{70, 65, 68}; len(got) < 3 || !reflect.DeepEqual(got[:3], want) || f.Retransmitted != 3 || f.Duplicates != 3 || f.Spurious != 3 || f.LostBySkip != 2 || f.LostByTimer != 1 || len(r.Reports) != 3 {
		t.Errorf("out of order %v, %+v; want 70, 65 and 68 again, all without need", got, f)
	}
}

// The last segment that was sent is sent again, which is no new one.
func TestResendLast(t *testing.T) {
	by := fixed{rate: 12.5, lost: []transport.Segment{{Seq: 2}}}
	if f := run(t, one(3, 100), &by).Flows[0]; f.New != 3 || f.Sent != 4 || f.Retransmitted != 1 || f.Duplicates != 1 {
		t.Errorf("%+v, want 3 segments, and the last one again", f)
	}
}

// Decreases and the recovery count from the event and from its end.
func TestRates(t *testing.T) {
	sc := one(4000, 100)
	sc.Warm, sc.Event, sc.Repair = 50_000, 100_000, 200_000
	by := fixed{rate: 12.5, rates: func(now uint64) float64 {
		switch {
		case now < 20_000, now >= 30_000 && now < 120_000: // the line's rate, except for a period before the end of the warm-up
			return 12.5
		case now < 150_000:
			return 5
		case now < 160_000:
			return 12.5
		case now < 230_000:
			return 2.5
		case now < 240_000: // not yet 99 %
			return 12.3
		}
		return 12.5
	}}
	r := run(t, sc, &by)
	f := r.Flows[0]
	near := func(got *uint64, want uint64) bool { return got != nil && *got >= want && *got < want+1000 }
	if f.Decreases != 3 || r.Decreases != 2 || !near(f.FirstDecrease, 20_000) || f.RateAfterFirst != 40 || f.MinRate != 20 || !near(f.Recovered, 40_000) {
		t.Errorf("%+v, %d after the warm-up; want three decreases, two of them after it, the first 20 µs after the event, to 40 Gb/s, and the line's rate 40 µs after its end", f, r.Decreases)
	}
}

// A segment that was dropped is found once, and is not spurious.
func TestDropsFound(t *testing.T) {
	sc := one(20, 100)
	// Segment 3 is on the cable from GPU 0 to rail 0 from 1600 to 2600 ns.
	sc.Faults = []rail.Fault{{From: "GPU 0", To: "rail 0", Fails: 2599, Repaired: 2600}}
	by := fixed{rate: 12.5, lost: []transport.Segment{{Seq: 0}, {Seq: 3}, {Seq: 4, Timer: true}}}
	r := run(t, sc, &by)
	f := r.Flows[0]
	// The cable fails with nine segments on it, 3 to 11; 0 is acknowledged, and not sent again.
	if f.Dropped != 9 || f.Spurious != 1 || f.LostBySkip != 2 || f.LostByTimer != 1 || f.Retransmitted != 2 || f.Arrived != f.New-7 {
		t.Errorf("%+v, want 9 dropped, 3 found, of them 1 without need", f)
	}
	// A packet on a cable that fails is lost when it would have come: 3 at 2600, 4 at 2720 ns. The second ACK comes at 8620 ns.
	if f.MaxSkipDelay != 6020 || f.MaxTimerDelay != 5900 || f.MeanSkipDelay != 6020 {
		t.Errorf("found after %d, %d, in the mean %v ns, want 6020, 5900, 6020", f.MaxSkipDelay, f.MaxTimerDelay, f.MeanSkipDelay)
	}
}

// A probe that is sent while the route still answers is no detection; the one after the last answer is.
func TestDetected(t *testing.T) {
	sc := rail.OneOutage(1)
	sc.Flows[0].Gbps = 0 // always data to send, by rail 3
	at := func(now uint64) int { return int(now/120) + 1 }
	by := fixed{rate: 12.5, route: 3, probes: []int{at(401_000), at(430_000), at(500_000)}}
	r := run(t, sc, &by)
	o := r.Outages[0]
	if o.Detected == nil || *o.Detected < 29_800 || *o.Detected > 30_400 || o.Probes != 3 || o.LastProbe < 99_800 || o.LastProbe > 100_400 || o.LastMeasured < 0 || o.LastMeasured > 17_000 {
		t.Errorf("%+v, want it detected with the second probe, 30 µs after the failure", o)
	}
	if o.SentAfter < 4740 || o.SentAfter > 4760 || o.SentElsewhere != 0 {
		t.Errorf("%d segments after it, %d elsewhere, want 570 µs of them, 0", o.SentAfter, o.SentElsewhere)
	}
}

// Notifications of a connection reach its flow.
func TestConnections(t *testing.T) {
	sc := one(20, 100)
	sc.Flows = append(sc.Flows, sc.Flows[0])
	sc.Flows[1].Dst, sc.Flows[1].Stop = 16, 30*120
	by := fixed{rate: 6.25, lost: []transport.Segment{{Conn: 1, Seq: 2}}}
	r := run(t, sc, &by)
	if a, b := r.Flows[0], r.Flows[1]; a.LostBySkip != 0 || a.Duplicates != 0 || b.LostBySkip != 1 || b.Duplicates != 1 || b.Retransmitted != 1 || a.New >= b.New || a.Arrived != a.New || b.Arrived != b.New {
		t.Errorf("%+v, %+v, want a segment of the second one lost, which has more", a, b)
	}
}

// random is a transport that draws a route for each segment.
type random struct {
	fixed
	rnd *rand.Rand
}

func (r *random) Segment(conn int, seq uint32, now uint64) (transport.Choice, error) {
	return transport.Choice{EV: uint32(r.rnd.IntN(8))}, nil
}

func spread(h *transport.Host, _ bool) (transport.Transport, error) {
	return &random{fixed{rate: 12.5}, rand.New(rand.NewPCG(h.Seed, 1))}, nil
}

// Even spraying has even shares, and messages come at their rate: half of the link in the mean.
func TestEvenSpraying(t *testing.T) {
	sc := rail.OneOutage(1)
	sc.Faults, sc.Warm, sc.End, sc.Flows[0].Stop = nil, 100_000, 20_000_000, 20_000_000
	r, err := rail.Run(t.Context(), sc, settings(), spread, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Classes {
		if math.Abs(c.Relative-1) > 0.03 || c.Latency < c.Empty {
			t.Errorf("routes of %d cables: %.3f of the even share, latency %.0f ns; want 1, and %.0f or more", c.Links, c.Relative, c.Latency, c.Empty)
		}
	}
	// 82,917 messages of a segment; their number has a standard deviation of 288.
	if want := 50.0; math.Abs(r.Goodput-want) > 5*want/288 {
		t.Errorf("goodput %.2f Gb/s, want %.0f", r.Goodput, want)
	}
	if len(r.Watched) != 8 || r.Watched[0].Name != "rail 0" || r.Watched[0].Base != 6280 || r.Watched[0].Empty != 4480 || r.T() != 13_160 {
		t.Errorf("%+v, want eight rails: 1.12 µs a cable and 5 packets of 120 ns a switch", r.Watched)
	}
}

// An outage is detected from the packets sent and received.
func TestOutage(t *testing.T) {
	sc := rail.OneOutage(1)
	r, err := rail.Run(t.Context(), sc, settings(), spread, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outages) != 1 || r.Watched[r.Outages[0].Route].Name != "rail 3" {
		t.Fatalf("%+v, want one of rail 3", r.Outages)
	}
	o := r.Outages[0]
	if o.Repaired != 600_000 || o.LastMeasured > 9000 || o.Latency < 8960 || o.Detected != nil || o.SentAfter != 0 || o.Probes != 0 {
		t.Errorf("%+v, want nothing detected", o)
	}
	if math.Abs(o.ShareBefore-.125) > .03 || math.Abs(o.ShareAfter-.125) > .03 || *o.LastSegment < 590_000 || *o.FirstAnswer < 608_000 || *o.FirstAnswer > 640_000 || *o.Resumed < *o.FirstAnswer {
		t.Errorf("%+v, last segment %d, first answer %d, resumed %d; want an eighth of the segments, and an answer soon after the repair", o, *o.LastSegment, *o.FirstAnswer, *o.Resumed)
	}
	if d := r.Flows[0].Dropped; d < 200 || d > 450 {
		t.Errorf("%d segments dropped, want an eighth of 2500", d)
	}
}

// Four flows leave each host and four arrive there, all to other clusters.
func TestAllToAll(t *testing.T) {
	for _, sc := range []*rail.Scenario{rail.AllToAll(0.5, 8, 1), rail.AllToAll(1, 64, 2), rail.OwnRail(1, 1, 1)} {
		from, to := map[int]int{}, map[int]int{}
		for _, f := range sc.Flows {
			from[f.Src]++
			to[f.Dst]++
			if f.Src/8 == f.Dst/8 {
				t.Errorf("%s: %d to %d in one cluster", sc.Title, f.Src, f.Dst)
			}
			if strings.HasSuffix(sc.Title, "rail") && f.Src%8 != f.Dst%8 {
				t.Errorf("%s: %d to %d", sc.Title, f.Src, f.Dst)
			}
		}
		for h := range rail.Hosts {
			if from[h] != rail.Peers || to[h] != rail.Peers {
				t.Errorf("%s: %d flows from host %d, %d to it, want %d", sc.Title, from[h], h, to[h], rail.Peers)
			}
		}
		if n := len(sc.FlowsUnderTest()); n != 4*sc.UnderTest {
			t.Errorf("%s: %d flows under test, want 4 of each of %d hosts", sc.Title, n, sc.UnderTest)
		}
	}
}

// A run depends on its scenario, settings and transports alone.
func TestSameSeedSameRun(t *testing.T) {
	run := func(name string, seed uint64) *rail.Result {
		sc, err := rail.New(name, seed)
		if err != nil {
			t.Fatal(err)
		}
		s := rail.NewSettings(4, seed)
		r, err := rail.Run(t.Context(), sc, &s, spread, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Scenario = nil
		return r
	}
	for _, name := range rail.Names {
		first := run(name, 1)
		if again := run(name, 1); !reflect.DeepEqual(first, again) {
			t.Errorf("%s: two runs of seed 1 differ", name)
		}
		if other := run(name, 2); reflect.DeepEqual(first, other) {
			t.Errorf("%s: seeds 1 and 2 give the same run", name)
		}
	}
}

// Hosts that are not under test are asked for as such, and their traffic is not measured.
func TestBackground(t *testing.T) {
	sc := rail.AllToAll(0.5, 8, 1)
	under := 0
	seeds := map[uint64]bool{}
	r, err := rail.Run(t.Context(), sc, settings(), func(h *transport.Host, underTest bool) (transport.Transport, error) {
		seeds[h.Seed] = true
		if underTest {
			under++
		}
		if underTest != (h.Number < 8) {
			return nil, fmt.Errorf("host %d: under test: %v", h.Number, underTest)
		}
		if h.Connections != 4 || len(h.Peers) != 4 || h.Gbps != 100 || !strings.HasPrefix(h.Settings, "softmax=1 max_rate=25600000 min_rate=256000 stages=5 rto_min_ns=8000000 tick=500") {
			return nil, fmt.Errorf("%+v", h)
		}
		return spread(h, underTest)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if under != 8 || len(r.Flows) != 32 || math.Abs(r.Goodput-50) > 7 {
		t.Errorf("%d hosts, %d flows, %.1f Gb/s each, want 8, 32, 50", under, len(r.Flows), r.Goodput)
	}
	other := settings()
	other.Seed = 2
	if _, err = rail.Run(t.Context(), sc, other, func(h *transport.Host, underTest bool) (transport.Transport, error) {
		seeds[h.Seed] = true
		return spread(h, underTest)
	}, nil); err != nil || len(seeds) != 2*rail.Hosts {
		t.Errorf("%v; %d seeds of hosts in two runs of other seeds, want %d", err, len(seeds), 2*rail.Hosts)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := rail.Run(ctx, rail.AllToAll(1, 1, 1), settings(), spread, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// plain chooses no routes.
type plain struct{ transport.Transport }

func (plain) Close() error { return errors.New("closed") }

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*rail.Scenario, *rail.Settings)
		by     transport.Transport
		want   string
	}{
		{"transport", nil, plain{}, "scenario one: host 0: found rail_test.plain, allowed: a transport that chooses routes and finds losses\nclosed"},
		{"fails", nil, &fixed{rate: 12.5, fails: errors.New("no")}, "scenario one: host 0, connection 0 at 8500 ns: no"},
		{"cable", func(sc *rail.Scenario, _ *rail.Settings) {
			sc.Faults = []rail.Fault{{From: "GPU 0", To: "rail 1"}}
		}, nil, `scenario one: fault 0: found from "GPU 0" to "rail 1", allowed: two switches with a cable`},
		{"hosts", func(sc *rail.Scenario, _ *rail.Settings) { sc.Flows[0].Dst = 7 }, nil, "scenario one: flow 0: hosts: found [0 7], allowed: two of the 64, of different clusters"},
		{"several", func(sc *rail.Scenario, _ *rail.Settings) { sc.Message, sc.Watch, sc.Sample = 0, 1, 0 }, nil,
			"scenario one: sample: found 0, allowed: at least 1 ns\nmessage: found 0, allowed: 1 to 65535 segments\nwatch: found 1, allowed: a flow under test, or -1"},
		{"settings", func(_ *rail.Scenario, s *rail.Settings) { s.Beta, s.MinRate = 65, 101 }, nil,
			"scenario one: settings: β′: found 65, allowed: 0 to 64; least rate: found 101, allowed: above 0, at most the largest rate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, s := one(3, 100), settings()
			if c.change != nil {
				c.change(sc, s)
			}
			_, err := rail.Run(t.Context(), sc, s, func(*transport.Host, bool) (transport.Transport, error) { return c.by, nil }, nil)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	if _, err := rail.New("rain", 1); err == nil || !strings.Contains(err.Error(), `scenario: found "rain", allowed: `) {
		t.Errorf("error %v", err)
	}
}
