// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/host/laps"
	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// sprayLoop is a scenario played with the RTL, and with the float64 model in a separate
// loop.
type sprayLoop struct {
	name       string
	beta, load float64
	rtl, float *rail.Result
}

func (l *sprayLoop) String() string {
	if l.load > 0 {
		return fmt.Sprintf("%s, β′ %g, load %g", l.name, l.beta, l.load)
	}
	return fmt.Sprintf("%s, β′ %g", l.name, l.beta)
}

// scenario returns the scenario with a seed.
func (l *sprayLoop) scenario(t *testing.T, seed uint64) *rail.Scenario {
	if l.load > 0 {
		return rail.AllToAll(l.load, rail.Tested, seed)
	}
	sc, err := rail.New(l.name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// play runs the closed loop under a model; RTL is in lockstep with the golden model. The float64 model is in the hosts that are not
// under test.
func (l *sprayLoop) play(t *testing.T, model transport.Model, seed uint64) *rail.Result {
	t.Helper()
	return run(t, l.scenario(t, seed), rail.NewSettings(l.beta, seed), model)
}

func run(t *testing.T, sc *rail.Scenario, s rail.Settings, model transport.Model) *rail.Result {
	t.Helper()
	r, err := rail.Run(t.Context(), sc, &s, func(h *transport.Host, underTest bool) (transport.Transport, error) {
		if !underTest {
			return laps.Transport(t.Context(), transport.Float, h)
		}
		return laps.Transport(t.Context(), model, h)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	loopPage = "laps_loop.md"
	docsDir  = "../../../docs/units/"
)

// TestClosedLoop puts the RTL into the four scenarios, in lockstep with the golden
// models: every output is equal in every cycle. A short test does so once per scenario
// and uses the golden models for the other runs. The behaviour of the network is judged,
// for the RTL and for the float64 model in its own loop, and makes the page.
func TestClosedLoop(t *testing.T) {
	byName := map[string][]*sprayLoop{}
	for _, name := range rail.Names {
		for _, beta := range rail.Betas(name) {
			loads := []float64{0}
			if name == "spray" {
				loads = rail.Loads
			}
			for _, load := range loads {
				byName[name] = append(byName[name], &sprayLoop{name: name, beta: beta, load: load})
			}
		}
	}
	ok := t.Run("loops", func(t *testing.T) {
		for _, name := range rail.Names {
			for _, l := range byName[name] {
				t.Run(l.String(), func(t *testing.T) {
					t.Parallel()
					model := transport.RTL
					if testing.Short() && l != byName[name][0] {
						model = transport.Golden
					}
					l.rtl, l.float = l.play(t, model, 1), l.play(t, transport.Float, 1)
					judge[name](t, "rtl", l, l.rtl)
					judge[name](t, "float", l, l.float)
				})
			}
		}
	})
	why := ""
	ok = ok && t.Run("load not carried", func(t *testing.T) { why = notCarried(t) })
	seeds := ""
	ok = ok && t.Run("other seeds", func(t *testing.T) { seeds = otherSeeds(t, byName["spray-incast"][0]) })
	if !ok {
		return
	}
	for _, loops := range byName {
		for _, l := range loops {
			if l.rtl == nil {
				return // left out by -run: there is no whole page to compare
			}
		}
	}
	closeToFloat(t, byName)
	text := loopHead
	for _, x := range []struct{ name, before, after string }{
		{"spray", sprayHead, sprayNote + why + notCarriedNote},
		{"outage", outageHead, outageNote},
		{"spray-incast", incastHead, incastNote + seeds + incastSeeds},
		{"loss", lossHead, lossNote},
	} {
		text += x.before + rows(byName[x.name]) + x.after
	}
	runs := func(name string) (runs []plot.RailRun) {
		for _, l := range byName[name] {
			runs = append(runs, plot.RailRun{Label: fmt.Sprintf("β′ %g", l.beta), Load: l.load, Result: l.rtl})
		}
		return runs
	}
	classes, err1 := plot.Classes(runs("spray"))
	outage, err2 := plot.Outage(runs("outage"))
	incast, err3 := plot.Incast(runs("spray-incast")[0].Result)
	loss, err4 := plot.Losses(runs("loss")[0].Result)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{loopPage, []byte(text)}, {"laps_spray.svg", classes}, {"laps_outage.svg", outage}, {"laps_incast.svg", incast}, {"laps_losses.svg", loss}} {
		if benchtest.Updating() {
			if err := os.WriteFile(docsDir+f.name, f.text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(docsDir + f.name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, f.text) {
			t.Errorf("docs/units/%s is stale, run: go test ./sim/host/laps -run ClosedLoop -update", f.name)
			if f.name == loopPage {
				t.Errorf("(-have +want)\n%s", cmp.Diff(string(have), string(f.text)))
			}
		}
	}
}

// rows returns a table of runs, the float64 model's below the RTL's.
func rows(loops []*sprayLoop) string {
	var b strings.Builder
	for i, l := range loops {
		var head, rtl, float []string
		l.rtl.Row(func(name, format string, args ...any) {
			head, rtl = append(head, name), append(rtl, fmt.Sprintf(format, args...))
		}, l.beta, l.load)
		l.float.Row(func(_, format string, args ...any) { float = append(float, fmt.Sprintf(format, args...)) }, l.beta, l.load)
		if i == 0 {
			fmt.Fprintf(&b, "| | %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)+1))
		}
		fmt.Fprintf(&b, "| RTL | %s |\n| float64 | %s |\n", strings.Join(rtl, " | "), strings.Join(float, " | "))
	}
	return b.String()
}

// judge checks a run of each scenario, whatever the model.
var judge = map[string]func(t *testing.T, by string, l *sprayLoop, r *rail.Result){
	"spray": judgeSpray, "outage": judgeOutage, "spray-incast": judgeIncast, "loss": judgeLoss,
}

// judgeSpray: the shape of Fig. 19. The share falls with the length of the path, and
// the shortest do not get everything: the longest, which are seven of eight paths or
// six, keep a tenth of the traffic at least. Shortest path only would give them none
// and L1 eight times its even share; even spraying would give 1 to all. A class has
// hundreds of segments, so that chance is a few percent, where classes differ by a
// third at least.
func judgeSpray(t *testing.T, by string, l *sprayLoop, r *rail.Result) {
	if len(r.Classes) != 3 {
		t.Fatalf("%s: %d path lengths, want 3", by, len(r.Classes))
	}
	for i, c := range r.Classes {
		if want := []int{4, 6, 8}[i]; c.Links != want {
			t.Errorf("%s: L%d has %d links, want %d", by, i+1, c.Links, want)
		}
		if i > 0 && 1.3*c.Relative > r.Classes[i-1].Relative {
			t.Errorf("%s: relative share of L%d %.3f, want less by 30 %% than %.3f of L%d", by, i+1, c.Relative, r.Classes[i-1].Relative, i)
		}
	}
	if x := r.Classes[0].Relative; x <= 1 || x > 7.6 {
		t.Errorf("%s: relative share of L1 %.3f, want above 1, and not nearly 8", by, x)
	}
	if x := r.Classes[2]; x.Relative >= 1 || x.Share < 0.1 {
		t.Errorf("%s: L3 has %.3f of its even share, %.3f of all; want below 1, and a tenth of all", by, x.Relative, x.Share)
	}
}

// sigmas is the allowed deviation of a count from its mean. A fixed seed always passes or
// always fails; 5 leaves room for other seeds.
const sigmas = 5

// weights returns the probability of the failed route after its latency doubled a number of
// times.
func weights(r *rail.Result, route int, beta float64, doubled int) float64 {
	T := float64(r.T())
	var own, sum float64
	for k, w := range r.Watched {
		d := w.Empty
		if k == route {
			d = math.Ldexp(d, doubled)
			own = math.Exp(-beta * d / T)
		}
		sum += math.Exp(-beta * d / T)
	}
	return own / sum
}

// judgeOutage: a failure is detected within two of the path's latencies of the last answer.
// The share then follows the doubled latency, which each probe doubles again. After the
// repair, the next probe brings the path back.
func judgeOutage(t *testing.T, by string, l *sprayLoop, r *rail.Result) {
	sc, o := r.Scenario, &r.Outages[0]
	const (
		perNS = 1.0 / 240 // segments
		gap   = 3000      // ns: one in 10^5 gaps between segments is longer
	)
	if o.Detected == nil || o.FirstAnswer == nil || o.Resumed == nil {
		t.Fatalf("%s: first probe, answer, segment %v %v %v, want all of them", by, o.Detected, o.FirstAnswer, o.Resumed)
	}
	latency := float64(o.Latency)
	if took := float64(*o.Detected) - float64(o.LastMeasured); took <= 2*latency || took > 2*latency+gap {
		t.Errorf("%s: detected %.0f ns after the last answer, want twice its %.0f ns and at most %d more", by, took, latency, gap)
	}
	// The k-th probe finds a latency doubled k times, twice which is the time to the next.
	want := 0.0
	for k := 1; k <= int(o.Probes); k++ {
		want += math.Ldexp(2*latency, k) * perNS * weights(r, o.Route, l.beta, k)
	}
	if most := want + sigmas*math.Sqrt(want) + 1; float64(o.SentAfter) > most {
		t.Errorf("%s: %d segments on the path after detection, want %.1f, at most %.1f", by, o.SentAfter, want, most)
	}
	for _, x := range []struct {
		when  string
		share float64
		over  uint64 // ns
	}{{"before the failure", o.ShareBefore, sc.Event - sc.Warm}, {"after the first answer", o.ShareAfter, sc.End - sc.Event - *o.FirstAnswer}} {
		p := weights(r, o.Route, l.beta, 0)
		if off := sigmas * math.Sqrt(p*(1-p)/(float64(x.over)*perNS)); math.Abs(x.share-p) > off {
			t.Errorf("%s: share %s %.4f, want %.4f ± %.4f", by, x.when, x.share, p, off)
		}
	}
	next := float64(o.LastProbe) + math.Ldexp(2*latency, int(o.Probes)) + gap
	if at := float64(*o.FirstAnswer); at <= float64(o.Repaired) || at > next+3*latency {
		t.Errorf("%s: answered after %.0f ns, want after %d and by the probe due at %.0f", by, at, o.Repaired, next)
	}
	// 20 times the mean distance of its segments.
	if back, most := float64(*o.Resumed-*o.FirstAnswer), 20/(perNS*weights(r, o.Route, l.beta, 0)); back > most {
		t.Errorf("%s: first segment %.0f ns after the answer, want at most %.0f", by, back, most)
	}
}

// judgeIncast: the latencies of all paths exceed T, the longest baseline, and every
// flow halves its rate; when the burst is over the flow that stays has the line again.
func judgeIncast(t *testing.T, by string, l *sprayLoop, r *rail.Result) {
	sc := r.Scenario
	T := float64(r.T())
	all := 0
	for _, s := range r.Samples {
		above := 0
		for _, d := range s.Latency {
			if d > T {
				above++
			}
		}
		if above == len(r.Watched) {
			all++
			if s.At <= sc.Event {
				t.Errorf("%s: all latencies above T at %d ns, before the burst", by, s.At)
			}
		}
	}
	if all == 0 {
		t.Errorf("%s: never are all %d latencies above T", by, len(r.Watched))
	}
	var later, arrived, n float64
	for _, s := range r.Samples {
		if s.At > (sc.Event+sc.Repair)/2 && s.At <= sc.Repair {
			for k := range s.Rate {
				later += s.Rate[k]
				arrived += s.Goodput[k]
			}
			n++
		}
	}
	// The queue of the burst has drained by then; the line is 100 Gb/s.
	if later /= n; later > 200 {
		t.Errorf("%s: rates in the second half of the burst are %.1f Gb/s together, want at most twice the line", by, later)
	}
	if arrived /= n; arrived < 50 || arrived > 100.5 {
		t.Errorf("%s: %.1f Gb/s arrive in the second half of the burst, want 50 to 100", by, arrived)
	}
	for k, f := range r.Flows {
		// The queue is beyond all baselines within 2 µs. Until ACKs of all eight paths tell,
		// each way of 9 µs takes up to T more, and a seventh of the line brings 1.2 ACKs a
		// µs, 18 µs in the mean for one of each path.
		if f.FirstDecrease == nil || *f.FirstDecrease > 100_000 {
			t.Errorf("%s: flow %d: first decrease %v, want it within 100 µs", by, k, f.FirstDecrease)
			continue
		}
		if f.RateAfterFirst != 50 {
			t.Errorf("%s: flow %d: rate after the first decrease %g Gb/s, want 50, half of the line", by, k, f.RateAfterFirst)
		}
		if f.Dropped+f.LostBySkip+f.LostByTimer > 0 {
			t.Errorf("%s: flow %d: segments lost, want none", by, k)
		}
	}
	for _, s := range r.Samples {
		if s.At < sc.Event && s.Rate[0] != 100 {
			t.Fatalf("%s: rate of the long flow %g Gb/s before the burst, want the line", by, s.Rate[0])
		}
	}
	if r.Flows[0].Recovered == nil {
		t.Errorf("%s: the flow that stays never has the line rate again", by)
	}
}

// otherSeeds plays the incast with other seeds, by the golden model, which is the RTL's
// equal, and by the float64 model.
func otherSeeds(t *testing.T, first *sprayLoop) string {
	text := "| longest queue, KB, by seed | 1 | 2 | 3 | 4 |\n|---|---|---|---|---|\n"
	for _, m := range []transport.Model{transport.Golden, transport.Float} {
		r, name := first.float, "float64"
		if m == transport.Golden {
			r, name = first.rtl, "golden"
		}
		text += fmt.Sprintf("| %s | %.0f |", name, float64(r.Longest)/1000)
		for seed := uint64(2); seed <= 4; seed++ {
			r := first.play(t, m, seed)
			judgeIncast(t, fmt.Sprintf("%s, seed %d", m, seed), first, r)
			text += fmt.Sprintf(" %.0f |", float64(r.Longest)/1000)
		}
		text += "\n"
	}
	return text
}

// judgeLoss: every dropped segment is declared lost once and retransmitted; no other
// segment is, except those whose ACK is dropped.
func judgeLoss(t *testing.T, by string, l *sprayLoop, r *rail.Result) {
	f, sc := &r.Flows[0], r.Scenario
	if f.Arrived != f.New {
		t.Errorf("%s: %d of %d segments arrived, want all", by, f.Arrived, f.New)
	}
	if f.LostBySkip == 0 || f.LostByTimer == 0 {
		t.Errorf("%s: %d segments lost by a skip, %d by a timer; want some of both", by, f.LostBySkip, f.LostByTimer)
	}
	if found := f.LostBySkip + f.LostByTimer; found != f.Retransmitted || found-f.Spurious != f.Dropped {
		t.Errorf("%s: %d found lost, %d of them not dropped, %d sent again; want those %d that were dropped", by, found, f.Spurious, f.Retransmitted, f.Dropped)
	}
	if f.Duplicates != f.Spurious || f.Spurious > f.LostByTimer {
		t.Errorf("%s: %d arrived twice, %d sent again without need; want the same, of those that a timer found", by, f.Duplicates, f.Spurious)
	}
	// A drop shows with the ACK of the next segment on the path, one in six segments of
	// 240 ns: 40 µs are that, the way there and back, and 20 times the mean gap.
	if f.MaxSkipDelay > 40_000 {
		t.Errorf("%s: a drop was found by a skip after %d ns, want at most 40 µs", by, f.MaxSkipDelay)
	}
	set := rail.NewSettings(l.beta, 1)
	rto := set.RTOMin
	if f.MaxTimerDelay <= rto || f.MaxTimerDelay > rto+1000*set.Tick+(sc.Repair-sc.Event) {
		t.Errorf("%s: a drop was found by a timer after %d ns, want the least timeout of %d and little more", by, f.MaxTimerDelay, rto)
	}
}

// closeToFloat compares runs of the RTL with runs of the float64 model, whose picks have
// another random stream: two runs of the model with different streams differ as much.
// Relative shares are within 25 % for L1, of which there are a few hundred segments in
// messages of 43, and within 15 % for the others.
func closeToFloat(t *testing.T, loops map[string][]*sprayLoop) {
	for _, l := range loops["spray"] {
		for i, c := range l.rtl.Classes {
			f := l.float.Classes[i]
			if most := []float64{0.25, 0.15, 0.15}[i]; math.Abs(c.Relative-f.Relative) > most*f.Relative {
				t.Errorf("%s: relative share of L%d %.3f, the float64 model has %.3f", l, i+1, c.Relative, f.Relative)
			}
		}
	}
}

// notCarried shows, with the float64 model and all hosts, what limits the throughput at
// a load of the whole link rate.
func notCarried(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| | β′ | goodput, Gb/s | L1 | L2 | L3 | longest queue, KB |\n|---|---|---|---|---|---|---|\n")
	var got []float64
	for _, c := range []struct {
		name    string
		beta    float64
		control bool
		message uint64
		rail    bool
		host    float64 // rate of hosts' links, Gb/s
	}{
		{"even spraying", 0, true, 43, false, 100},
		{"set-up as above", 1, true, 43, false, 100},
		{"set-up as above", 4, true, 43, false, 100},
		{"no rate control", 4, false, 43, false, 100},
		{"messages of one segment", 4, true, 1, false, 100},
		{"hosts' links of 200 Gb/s", 4, true, 43, false, 200},
		{"each host on its own rail", 4, true, 43, true, 100},
	} {
		sc := rail.AllToAll(1, rail.Hosts, 1)
		if c.rail {
			sc = rail.OwnRail(1, rail.Hosts, 1)
		}
		sc.Message, sc.Cables.Host.Gbps = c.message, c.host
		s := rail.NewSettings(c.beta, 1)
		if !c.control {
			s.MinRate = s.MaxRate
		}
		r := run(t, sc, s, transport.Float)
		share := []string{"", "", ""}
		for i := range r.Classes {
			share[(r.Classes[i].Links-4)/2] = fmt.Sprintf("%.2f", r.Classes[i].Relative)
		}
		got = append(got, r.Goodput)
		fmt.Fprintf(&b, "| %s | %g | %.1f | %s | %.0f |\n", c.name, c.beta, r.Goodput, strings.Join(share, " | "), float64(r.Longest)/1000)
	}
	// Of eight even shares seven cross NVLink in each of the two clusters: 1.75 times the
	// load on its links, which carry 100 Gb/s.
	if most := 100 / 1.75; got[0] > most {
		t.Errorf("even spraying carries %.1f Gb/s, want at most %.1f", got[0], most)
	}
	for i, x := range got[1:] {
		if x < 1.1*got[0] {
			t.Errorf("row %d: %.1f Gb/s, want more than the %.1f of even spraying by a tenth", i+1, x, got[0])
		}
	}
	if own := got[len(got)-1]; own < 1.1*got[2] {
		t.Errorf("to the own rail %.1f Gb/s, want more than the %.1f to any by a tenth", own, got[2])
	}
	return b.String()
}

// The page around the tables.
const (
	loopHead = "<!-- written by: go test ./sim/host/laps -run ClosedLoop -update -->\n" + `
# laps in a closed loop

A network is simulated packet by packet ([sim/scenario/rail](../../sim/scenario/rail)): the same [network](../network.md) and hosts as in the
figures of [the paper](../papers/laps.md). Its hosts ask a device for the path of each packet, pass it each ACK and each probe's answer, and
send at the rates that it returns. The device is the **RTL** of the pipeline with Algorithm 3, with assertions attached: an event enters at
the ports, the clock runs until its answer appears, and stops until the next event. The golden models run in lockstep; the run fails unless
every output is equal in every cycle. Each host under test has its own device, with 16 destinations, 64 paths in 8 banks and 64 flows. Its
tables are placed and written as nicgen place does. *float64* is Algorithms 1 to 3 in floating point, in its own loop and with its own random
numbers: what differs there is mostly chance. The same runs from the command line:

` + "```" + `
nicgen sim spray        --svg spray.svg  --csv spray.csv
nicgen sim outage       --svg outage.svg --csv outage.csv
nicgen sim spray-incast --svg incast.svg --csv incast.csv
nicgen sim loss         --svg loss.svg   --csv loss.csv
` + "```" + `

The network is the Rail network of the paper's evaluation: 8 clusters of 8 GPUs, each GPU with a host behind it, an NVLink
switch for each cluster, and a rail switch for the GPUs of each number. Nodes and paths follow the authors' tables
(` + "`TestRailIsTheAuthors`" + `). Between hosts of two clusters there is one path over each rail: it has 4 links if both hosts have
the rail's number, 6 if one has, else 8. Every link has 100 Gb/s and a delay of 1 µs; packets have 1,500 bytes. Switches store
and forward; queues are unbounded, and nothing is paused. ACKs have priority, as in the paper, and return on the path of their
segment. A path's baseVal is its latency through empty queues plus five packets at each switch: 6.3, 9.7 and 13.2 µs for 4, 6
and 8 links; T = 13.2 µs. β′ is β·T: a path of latency d has weight exp(-β′·d/T). β′ = 1 is the value of the authors'
simulator, and our default.

## Traffic by path length
`
	sprayHead = `
The set-up of the paper's Fig. 19: each of 64 hosts sends to four hosts of other clusters and receives from four, in messages
of 64.5 KB that start at random times. The load is per host, as a fraction of its link rate. The RTL controls the 8 hosts of
one cluster, the float64 model the other 56. Measured from 0.1 to 0.4 ms. L1 to L3 are the traffic on paths of 4, 6 and 8
links, relative to even spraying.

![Traffic share of paths of 4, 6 and 8 links, relative to even spraying, over the load, for β′ 1 and 4](laps_spray.svg)

`
	sprayNote = `
| | the paper's Fig. 19 | here |
|---|---|---|
| shorter paths have larger shares | at all loads from 50 to 100 % | at all loads, by at least 30 % from class to class, for both β′ |
| the shortest paths do not get all traffic | longer paths keep part of it | the longest keep more than a tenth of the traffic; shortest path only would be L1 = 8, L3 = 0 |

The text of the paper does not give the figure's values, so the shape is compared. A larger β′ makes the shares differ more,
as does a higher load: the queues are on the links to and from the NVLink switches, which the detours over other rails share.

### Traffic not carried at a load of 100 %

From a load of 60 % on, fewer Gb/s arrive than the hosts offer. The paper reports flow completion times, which grow by 0.64
ms from 50 to 100 %, and not the traffic carried, so its scale of loads may differ. Limits of a load of 100 % here, by the
float64 model for all 64 hosts:

`
	notCarriedNote = `
Even spraying cannot exceed 100/1.75 = 57 Gb/s: 7 of 8 paths cross NVLink in each of the two clusters, which puts 1.75 times
the load on its links. LAPS carries more because it moves traffic to paths that cross NVLink once or not at all. With pairs
drawn at random, some rails' links have to carry more than others, and traffic that moves to other rails crosses NVLink
twice. Between hosts of one rail each pair has a path that it shares with no other pair, and a fifth more is carried. That is
still not all: every path keeps a share by its weight, longer ones too, and rates are halved when messages meet at a receiver,
less often if the traffic is smooth. Without rate control hardly more arrives, and queues are three times as long. The hosts'
links are not the limit: 200 Gb/s, as in the authors' topology files, change little.

## A path fails and is repaired
`
	outageHead = `
One flow at half of the link rate: a packet every 240 ns on average, at random times. Rail switch 3 fails for 0.6 ms, with all packets on its links; losses are detected by skips and
timers, and retransmitted. Times count from the failure, except the *detection delay*: it is the time from the last answer on the path to the probe that doubles its latency. *Segments
sent after detection* are those sent on the path between that probe and the repair, of those on all paths. *Resumed* is when the path carries the first segment after its first answer.

![Share of the failed path over time, and segments lost on it, for β′ 1, 4 and 8](laps_outage.svg)

`
	outageNote = `
The path expires two of its latencies after the last answer; the next packet detects the failure. The effect depends on β′.
With β′ 1 the doubled latency of 17.9 µs halves the path's share, from 11.9 to 6.4 %, and it takes two more probes until the
path carries one of a thousand segments. With β′ 4 the first doubling leaves it 0.7 %, with 8 0.02 %. That such paths "are not
selected" (LAPS §III-D) takes a β′ of 4 and more. β′ makes the difference, not time: the page's test computes the shares from
the doubled latencies, and the segments sent on the path are within chance of them.

While the path is down, each probe doubles the time to the next: they come 2, 6, 14, 30, 62 latencies after the last answer.
So the probe that finds the path repaired comes at most about as long after the repair as the outage lasted. With its answer
the path gets its share back. The interval between probes is limited to twice the longest latency, 34 ms with this device's 24 bits.

## Incast
`
	incastHead = `
One flow at the line rate. After 0.2 ms six more flows from other clusters join it for 1 ms, all to the same host. Times count
from the start of this burst, recovery times from its end.

![Rates, goodput and latencies during an incast](laps_incast.svg)

`
	incastNote = `
Before the burst no rate is halved. The burst fills the queues to the receiver: the queue of its link, which all paths share, and
the queue from the NVLink switch to its GPU, which all paths but one share. All latencies exceed T. Each flow halves its rate,
first to 50 Gb/s and again after each 2t while the queues last; t is the least latency of all paths. It takes time until the ACKs
of *all* eight paths show the queues: a seventh of the line rate brings a flow 1.2 ACKs per µs, and one path that was last
measured before the burst keeps t below T. Meanwhile the burst sends at full rate, seven times the output rate. This makes a queue
of megabytes; the paper's switches have 32 MB, and PFC. With latencies of some 100 µs 2t is long too, so the rates fall to the
lowest of the table before the queue is empty. From the first low latency on, each 2t raises them by half of the difference to the
expected rate; the sixth increase doubles the expected rate, and the queue fills a second time. When the burst is over and this
queue has drained, the flow that stays has the line rate again. How long the queue gets is a matter of chance:

`
	incastSeeds = `
## Losses
`
	lossHead = `
One flow at half of the link rate for 2 ms. Rail 0 loses one segment in a hundred. The link to rail 5 fails 30 µs before the
flow ends, so that no later segment follows those on it. The least timeout is 8 ms. A *skip* is an ACK of a later segment on the
same path.

![Segments dropped and segments declared lost, over time](laps_losses.svg)

`
	lossNote = `
Every dropped segment is declared lost once, by a skip or by the path's timer, and retransmitted; every segment arrives. The
*spurious* losses had arrived, but their ACKs were on the link that failed.
`
)
