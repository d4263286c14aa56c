// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/spray"
)

// two is a pair of hosts with n paths of the same two links each, a baseline of their
// own, and a flow.
func two(base ...uint32) *spray.Scenario {
	sc := &spray.Scenario{Name: "two", Segment: 1500, Probe: 60, Ack: 60, Message: 1, End: 1_000_000, Repair: 1_000_000, Sample: 1_000_000,
		Links: []spray.Link{{Name: "host", Rate: 12.5, Delay: 500}}, Pairs: []spray.Pair{{Source: 1, Destination: 2, UnderTest: true}},
		Flows: []spray.Flow{{Stop: 1_000_000, Track: true}}}
	for i, b := range base {
		sc.Links = append(sc.Links, spray.Link{Name: fmt.Sprint("way ", i), Rate: 12.5, Delay: 1000})
		sc.Paths = append(sc.Paths, spray.Path{Name: fmt.Sprint(i), Links: []int{0, 1 + i}, Base: b})
		sc.Watch = append(sc.Watch, i)
	}
	return sc
}

func settings(beta float64) spray.Settings { return spray.NewSettings(beta, 1) }

func float(t testing.TB, sc *spray.Scenario, s spray.Settings) spray.Controller {
	t.Helper()
	c, err := spray.NewFloat(sc, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sc.Flows {
		if rate, err := c.Open(i, 0); err != nil || rate != s.MaxRate {
			t.Fatalf("rate %v, %v of a flow that is opened, want %v", rate, err, s.MaxRate)
		}
	}
	return c
}

// Vector LV1: three latencies, T 20,000 ns.
func TestFloatWeights(t *testing.T) {
	for _, c := range []struct {
		beta float64
		want [3]float64
	}{
		{1, [3]float64{.3982, .3603, .2415}},
		{4, [3]float64{.5538, .3712, .0750}},
		{8, [3]float64{.6814, .3062, .0125}},
	} {
		ctl := float(t, two(20_000, 20_000, 20_000), settings(c.beta))
		for i, d := range []uint64{10_000, 12_000, 20_000} {
			if _, err := ctl.Ack(&spray.Ack{Path: i, Delay: d, Now: 1}); err != nil {
				t.Fatal(err)
			}
		}
		const n = 200_000
		var got [3]float64
		for range n {
			x, err := ctl.Packet(&spray.Packet{Now: 2})
			if err != nil {
				t.Fatal(err)
			}
			got[x.Path]++
		}
		for i := range got {
			if p := c.want[i]; math.Abs(got[i]/n-p) > 5*math.Sqrt(p*(1-p)/n)+5e-5 {
				t.Errorf("β′ %g: share of path %d %.4f, want %.4f", c.beta, i, got[i]/n, p)
			}
		}
	}
}

// Vectors LV2 and LV3: rates.
func TestFloatRates(t *testing.T) {
	s := settings(1)
	s.MaxRate, s.MinRate = 100, 1
	ctl := float(t, two(20), s)
	now := uint64(100)
	ack := func(delay uint64, want float64, cause spray.Cause) {
		t.Helper()
		r, err := ctl.Ack(&spray.Ack{Delay: delay, Now: now})
		if err != nil || math.Abs(r.Rate-want) > 1e-6 || r.Cause != cause {
			t.Errorf("latency %d at %d ns: rate %v, cause %d, %v; want %v, %d", delay, now, r.Rate, r.Cause, err, want, cause)
		}
	}
	ack(21, 50, spray.Decreased)
	now = 142
	ack(21, 50, spray.Held)
	now = 143
	ack(21, 25, spray.Decreased)
	for i, want := range []float64{37.5, 43.75, 46.875, 48.4375, 49.21875, 74.609375, 87.3046875, 93.65234375} {
		now += 100
		cause := spray.Increased
		if i >= 5 {
			cause = spray.Doubled
		}
		ack(10, want, cause)
	}
}

// Vectors LV4 and LV5: a path expires after twice its latency and is doubled; an ACK
// finds what it skips, and late ones nothing.
func TestFloatProbesAndLosses(t *testing.T) {
	ctl := float(t, two(8), settings(1))
	ack := func(seq uint32, delay, now uint64) []spray.Lost {
		t.Helper()
		r, err := ctl.Ack(&spray.Ack{Segment: spray.Segment{Seq: seq}, Delay: delay, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(r.Lost)
	}
	packet := func(seq uint32, now uint64, probe int) {
		t.Helper()
		c, err := ctl.Packet(&spray.Packet{Segment: spray.Segment{Seq: seq}, Track: true, Now: now})
		if err != nil || c.Path != 0 || c.Probe != probe {
			t.Errorf("packet at %d ns: %+v, %v; want path 0 and probe %d", now, c, err, probe)
		}
	}
	ack(99, 8, 42)
	packet(3, 58, -1)
	packet(5, 59, 0)
	packet(9, 91, -1) // 59 + 2·16
	packet(10, 92, 0)
	lost := func(seq uint32, timeout bool) spray.Lost {
		return spray.Lost{Segment: spray.Segment{Seq: seq}, Timeout: timeout}
	}
	if got, want := ack(9, 8, 100), []spray.Lost{lost(3, false), lost(5, false)}; !reflect.DeepEqual(got, want) {
		t.Errorf("ACK of 9: lost %v, want %v", got, want)
	}
	if got := ack(5, 8, 100); len(got) > 0 {
		t.Errorf("late ACK of 5: lost %v, want nothing", got)
	}
	for _, c := range []struct {
		now  uint64
		want []spray.Lost
	}{{100 + 8_000_000, nil}, {101 + 8_000_000, []spray.Lost{lost(10, true)}}, {102 + 8_000_000, nil}} {
		got, err := ctl.Tick(c.now)
		if err != nil || len(got) != len(c.want) || len(got) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("timers at %d ns: lost %v, %v; want %v", c.now, got, err, c.want)
		}
	}
}

// recorder is a controller that sends everything on one path and notes what it hears.
type recorder struct {
	path    int
	rate    float64
	packets []spray.Packet
	acks    []spray.Ack
	answers []spray.Answer
	probe   bool         // with the first packet
	lost    []spray.Lost // with the second ACK
}

func (r *recorder) Open(int, uint64) (float64, error) { return r.rate, nil }

func (r *recorder) Packet(p *spray.Packet) (spray.Choice, error) {
	r.packets = append(r.packets, *p)
	c := spray.Choice{Path: r.path, Probe: -1}
	if r.probe && len(r.packets) == 1 {
		c.Probe = 1
	}
	return c, nil
}

func (r *recorder) Ack(a *spray.Ack) (spray.Reaction, error) {
	r.acks = append(r.acks, *a)
	x := spray.Reaction{Rate: r.rate}
	if len(r.acks) == 2 {
		x.Lost = r.lost
	}
	return x, nil
}

func (r *recorder) Answer(a *spray.Answer) error { r.answers = append(r.answers, *a); return nil }

func (r *recorder) Tick(uint64) ([]spray.Lost, error) { return nil, nil }

// What a packet takes: 120 ns on each link, its delay, queues, and 4.8 ns and the delay
// for the ACK on each link back.
func TestNetwork(t *testing.T) {
	slow := func(sc *spray.Scenario) { sc.Links[1].Rate = 6.25 }
	for _, c := range []struct {
		name   string
		change func(*spray.Scenario)
		ctl    recorder
		sent   []uint64 // ns
		delays []uint64
		acked  []uint64
	}{
		{"at the rate of the link", nil, recorder{rate: 12.5}, []uint64{0, 120, 240}, []uint64{1740, 1740, 1740}, []uint64{3249, 3369, 3489}},
		{"at half of it", nil, recorder{rate: 6.25}, []uint64{0, 240, 480}, []uint64{1740, 1740, 1740}, []uint64{3249, 3489, 3729}},
		{"a queue", slow, recorder{rate: 12.5}, []uint64{0, 120, 240}, []uint64{1860, 1980, 2100}, []uint64{3374, 3614, 3854}},
		{"the other path", slow, recorder{path: 1, rate: 12.5}, []uint64{0, 120, 240}, []uint64{1740, 1740, 1740}, []uint64{3249, 3369, 3489}},
		{"a queue that is full", func(sc *spray.Scenario) { slow(sc); sc.Links[1].Buffer = 1400 }, recorder{rate: 12.5},
			[]uint64{0, 120, 240}, []uint64{1860, 1980}, []uint64{3374, 3614}},
		// The first segment is over it, but not its ACK.
		{"a link that fails", func(sc *spray.Scenario) { sc.Links[1].Fails, sc.Links[1].Repaired = 1845, 1855 }, recorder{rate: 12.5},
			[]uint64{0, 120, 240}, nil, nil},
		{"a link that fails before", func(sc *spray.Scenario) { sc.Links[1].Fails, sc.Links[1].Repaired = 600, 700 }, recorder{rate: 12.5},
			[]uint64{0, 120, 240}, []uint64{1740, 1740}, []uint64{3369, 3489}},
		{"a link that loses", func(sc *spray.Scenario) { sc.Links[1].Loss = math.MaxUint32 }, recorder{rate: 12.5}, []uint64{0, 120, 240}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := two(2000, 2000)
			sc.Flows[0].Limit = 3
			if c.change != nil {
				c.change(sc)
			}
			ctl := c.ctl
			r, err := spray.Run(t.Context(), sc, &ctl, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			var sent, delays, acked []uint64
			for _, p := range ctl.packets {
				sent = append(sent, p.Now)
			}
			for _, a := range ctl.acks {
				delays, acked = append(delays, a.Delay), append(acked, a.Now)
			}
			if !reflect.DeepEqual(sent, c.sent) || !reflect.DeepEqual(delays, c.delays) || !reflect.DeepEqual(acked, c.acked) {
				t.Errorf("sent %v, latencies %v, ACKs %v; want %v, %v, %v", sent, delays, acked, c.sent, c.delays, c.acked)
			}
			f := r.Flows[0]
			if f.New != 3 || f.Arrived+f.Dropped != 3 || int(r.Acks) != len(c.acked) {
				t.Errorf("%d sent, %d arrived, %d dropped, %d ACKs; want 3, of them %d", f.New, f.Arrived, f.Dropped, r.Acks, len(c.acked))
			}
		})
	}
}

// A probe measures its path with 60 bytes, before the next segment.
func TestProbe(t *testing.T) {
	sc := two(2000, 2000)
	sc.Flows[0].Limit = 2
	ctl := recorder{rate: 12.5, probe: true}
	r, err := spray.Run(t.Context(), sc, &ctl, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// It waits for the segment it came with: 120 + 4.8 + 500, 4.8 + 1000.
	if want := []spray.Answer{{Path: 1, Delay: 1630, Now: 3139}}; !reflect.DeepEqual(ctl.answers, want) || r.Probes != 1 || r.Answers != 1 {
		t.Errorf("%d probes, answers %+v, want %+v", r.Probes, ctl.answers, want)
	}
	if ctl.packets[1].Now != 124 {
		t.Errorf("the next segment leaves at %d ns, want 124, after the probe", ctl.packets[1].Now)
	}
}

// What is lost is sent again before anything new.
func TestResend(t *testing.T) {
	sc := two(2000)
	sc.Flows[0].Limit = 40
	ctl := recorder{rate: 12.5, lost: []spray.Lost{{Segment: spray.Segment{Seq: 7}}, {Segment: spray.Segment{Seq: 3}, Timeout: true}}}
	r, err := spray.Run(t.Context(), sc, &ctl, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint32
	for i, p := range ctl.packets {
		if i > 0 && p.Seq != ctl.packets[i-1].Seq+1 || p.Seq == 3 && i > 3 {
			got = append(got, p.Seq)
		}
	}
	f := r.Flows[0]
	if want := []uint32{7, 3}; !reflect.DeepEqual(got[:2], want) || f.Retransmitted != 2 || f.Duplicates != 2 || f.Spurious != 2 || f.LostBySkip != 1 || f.LostByTimer != 1 {
		t.Errorf("out of order %v, %+v; want 7 and 3 again, both without need", got, f)
	}
}

// Rail's paths are those of the LAPS authors' tables, path for path.
func TestRailIsTheAuthors(t *testing.T) {
	file, err := os.Open("../../model/laps_paths/place/testdata/rail-80-pit.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string][]string{} // destination: paths as links, in order
	for lines := bufio.NewScanner(text); lines.Scan(); {
		f := strings.Fields(lines.Text())
		nodes := f[2+(len(f)-3)/2:]
		var links []string
		for i := range len(nodes) - 1 {
			links = append(links, nodes[i]+"-"+nodes[i+1])
		}
		dst := nodes[len(nodes)-1]
		theirs[dst] = append(theirs[dst], strings.Join(links, " "))
	}
	found := map[string]bool{}
	for seed := uint64(1); seed <= 60; seed++ {
		sc := spray.AllToAll(1, spray.Hosts, seed)
		for i, pair := range sc.Pairs {
			if pair.Source != 0 {
				continue
			}
			dst := strconv.Itoa(80 + pair.Destination)
			found[dst] = true
			var ours []string
			for _, p := range sc.Paths {
				if p.Pair != i {
					continue
				}
				var links []string
				for _, l := range p.Links {
					links = append(links, sc.Links[l].Name)
				}
				ours = append(ours, strings.Join(links, " "))
			}
			if !reflect.DeepEqual(ours, theirs[dst]) {
				t.Errorf("to %s: %q, want %q", dst, ours, theirs[dst])
			}
		}
	}
	if len(found) != 56 {
		t.Errorf("%d destinations were compared, want all 56 of other clusters", len(found))
	}
}

// Four flows leave each host and four arrive there, all to other clusters.
func TestAllToAll(t *testing.T) {
	for _, sc := range []*spray.Scenario{spray.AllToAll(0.5, 8, 1), spray.AllToAll(1, 64, 2), spray.OwnRail(1, 1, 1)} {
		from, to := map[int]int{}, map[int]int{}
		for _, p := range sc.Pairs {
			from[p.Source]++
			to[p.Destination]++
			if p.Source/8 == p.Destination/8 {
				t.Errorf("%s: %d to %d in one cluster", sc.Title, p.Source, p.Destination)
			}
			if sc.Title[len(sc.Title)-4:] == "rail" && p.Source%8 != p.Destination%8 {
				t.Errorf("%s: %d to %d", sc.Title, p.Source, p.Destination)
			}
		}
		for h := range spray.Hosts {
			if from[h] != spray.Peers || to[h] != spray.Peers {
				t.Errorf("%s: %d flows from host %d, %d to it, want %d", sc.Title, from[h], h, to[h], spray.Peers)
			}
		}
	}
}

// Baselines of 4, 6 and 8 links: 1.12 µs a link and 5 packets of 120 ns a switch.
func TestBaselines(t *testing.T) {
	sc := spray.AllToAll(1, 64, 1)
	for i, p := range sc.Paths {
		want := map[int]uint32{4: 6280, 6: 9720, 8: 13_160}[len(p.Links)]
		if p.Base != want || sc.T(p.Pair) != 13_160 {
			t.Fatalf("path of %d links: baseline %d, T %d; want %d, 13160", len(p.Links), p.Base, sc.T(p.Pair), want)
		}
		if d := sc.Empty(i, sc.Segment); d+float64(600*(len(p.Links)-1)) != float64(want) {
			t.Fatalf("path of %d links: empty latency %v", len(p.Links), d)
		}
	}
}

// A run depends on its scenario, settings and controller alone.
func TestSameSeedSameRun(t *testing.T) {
	run := func(name string, seed uint64) *spray.Result {
		sc, err := spray.New(name, seed)
		if err != nil {
			t.Fatal(err)
		}
		c, err := spray.NewFloat(sc, spray.NewSettings(4, seed))
		if err != nil {
			t.Fatal(err)
		}
		r, err := spray.Run(t.Context(), sc, c, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Scenario = nil
		return r
	}
	for _, name := range spray.Names {
		first := run(name, 1)
		if again := run(name, 1); !reflect.DeepEqual(first, again) {
			t.Errorf("%s: two runs of seed 1 differ", name)
		}
		if other := run(name, 2); reflect.DeepEqual(first, other) {
			t.Errorf("%s: seeds 1 and 2 give the same run", name)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := spray.Run(ctx, two(2000), &recorder{rate: 1}, nil, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*spray.Scenario)
		ctl    *recorder
		want   string
	}{
		{"path", nil, &recorder{rate: 1, path: 1}, "scenario two: at 0 ns: path: found 1, allowed: one of pair 0"},
		{"no path", nil, &recorder{rate: 1, path: -1}, "scenario two: at 0 ns: segment 0 of flow 0: no path, want one"},
		{"rate", nil, &recorder{}, "scenario two: at 0 ns: rate: found 0, allowed: a finite number above 0"},
		{"lost", nil, &recorder{rate: 1, lost: []spray.Lost{{Segment: spray.Segment{Seq: 99}}}}, "scenario two: at 4749 ns: segment 99 of flow 0 is lost, want one that was sent"},
		{"pair", func(sc *spray.Scenario) { sc.Flows[0].Pair = 3 }, nil, "scenario two: flow 0: pair: found 3, allowed: 0 to 0"},
		{"two", func(sc *spray.Scenario) { sc.Message, sc.Links[1].Rate = 0, 0 }, nil,
			"scenario two: message: found 0, allowed: at least 1 segment; link 1: rate: found 0, allowed: above 0, at most 1000 bytes/ns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := two(2000)
			if c.change != nil {
				c.change(sc)
			}
			if _, err := spray.Run(t.Context(), sc, c.ctl, nil, nil); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	s := spray.NewSettings(65, 1)
	s.MinRate = 13
	if _, err := spray.NewFloat(two(1), s); err == nil || err.Error() != "settings: β′: found 65, allowed: 0 to 64; least rate: found 13, allowed: above 0, at most the largest rate" {
		t.Errorf("error %v", err)
	}
	if _, err := spray.New("rain", 1); err == nil || !strings.Contains(err.Error(), `scenario: found "rain", allowed: `) {
		t.Errorf("error %v", err)
	}
}
