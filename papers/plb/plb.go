// SPDX-License-Identifier: Apache-2.0

// Package plb has the figures of the PLB paper that are simulated.
package plb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
)

// Figures are the figures of Qureshi et al., "PLB: Congestion Signals are Simple and Effective for Network Load Balancing", SIGCOMM 2022.
var Figures = []papers.Figure{
	{Name: "plb-2.3", Title: "How many of 32 flows a hash gives to each of 8 uplinks", Paper: "PLB §2.3", Work: papers.By(plb23)},
	{Name: "plb-t1", Title: "RPCs through uplinks of WCMP weights 1:2", Paper: "PLB Table 1, §5.1", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(plbT1)},
	{Name: "plb-t2", Title: "RPCs through uplinks of WCMP weights 1:100", Paper: "PLB Table 2, §5.1", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(plbT2)},
	{Name: "plb-13", Title: "An uplink fails and recovers", Paper: "PLB Fig. 13, §5.2", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(plb13)},
}

// plb23 lets a leaf's hash place flows with random ports and labels, again and again.
func plb23(_ context.Context, l lab, o *papers.Outcome) error {
	const flows, uplinks, trials = 32, 8, 20_000
	t, err := topo.New(&topo.Shape{Tiers: 2, Leaves: 2, Hosts: flows, Spines: uplinks, Host: fabric.Link{Gbps: rate}, Fabric: fabric.Link{Gbps: rate}}, l.Seed)
	if err != nil {
		return err
	}
	number := map[*fabric.Port]int{}
	for i, p := range t.Leaves[0].Up {
		number[p] = i
	}
	rnd := rand.New(rand.NewPCG(l.Seed, 3))
	var links [flows + 1]int // by number of flows
	p := &fabric.Packet{}
	for range trials {
		var load [uplinks]int
		for f := range flows {
			p.Src, p.Dst = int32(f), int32(flows+f)
			p.SetEV(rnd.Uint32())
			load[number[t.Leaves[0].Route(p)]]++
		}
		for _, n := range load {
			links[n]++
		}
	}
	o.Head = []string{"flows on an uplink", "uplinks, %"}
	var few, many float64
	for n, k := range links {
		share := 100 * float64(k) / (trials * uplinks)
		switch {
		case n <= 2:
			few += share
		case n >= 6:
			many += share
		}
		if n <= 12 {
			o.Rows = append(o.Rows, []string{fmt.Sprint(n), fmt.Sprintf("%.2f", share)})
		}
	}
	o.Claim("8 uplinks, 32 flows", "uplinks with 2 flows or fewer", papers.About, 20, 2, "%", few)
	o.Claim("8 uplinks, 32 flows", "uplinks with 6 flows or more", papers.About, 20, 2, "%", many)
	return nil
}

// testBed is the set-up of §5.1. The paper has no times: those between RPCs are such that uplinks with equal weights are busy for 60 % of
// the time, as before the failure of Fig. 13; round trip and marking such that a large RPC takes about 5.33 times as long as a
// small one then.
func testBed() bed {
	return bed{setup: bedSetup, think: [2]uint64{2_850 * us, 32 * ms}, rto: 5_000_000, stack: 20 * us, mark: 300_000,
		spans: []span{{bedWarm, bedEnd}}}
}

const (
	bedSetup = "think 2.85 and 32 ms"
	bedWarm  = 500 * ms
	bedEnd   = 1000 * ms
	bedSeeds = 2
)

// on returns the run with PLB and some weights.
func (b bed) on(weights ...int) *bed {
	b.scheme, b.set, b.weights = weighted(weights)+" PLB on", bedPLB, weights
	return &b
}

// off returns the run without PLB.
func (b bed) off(weights ...int) *bed {
	b.scheme, b.set, b.weights = weighted(weights)+" PLB off", "", weights
	return &b
}

// bedPLB is the paper's configuration.
const bedPLB = "mode=0 fraction=16384 idle_rounds=3 forced_rounds=12 rtt_detector=false"

func weighted(weights []int) string {
	if weights == nil {
		return "1:1"
	}
	return fmt.Sprintf("1:%d", weights[0])
}

// bedNumbers holds a table's numbers for a span; times in µs.
type bedNumbers struct {
	small, large        [2]float64 // 50 and 99 %
	ratio               float64    // of the busiest uplink's share of time to the idlest one's
	busy                float64    // mean share
	repaths             float64    // a s
	idle, flying, other float64    // of these, %
}

func (x *spent) numbers(of span) bedNumbers {
	n := bedNumbers{ratio: slices.Max(x.up) / slices.Min(x.up), repaths: x.repaths.all() * 1e12 / float64(of.to-of.from)}
	for i, p := range [2]float64{.5, .99} {
		n.small[i], n.large[i] = measure.Percentile(x.small, p), measure.Percentile(x.large, p)
	}
	for _, u := range x.up {
		n.busy += u / float64(len(x.up))
	}
	if all := x.repaths.all(); all > 0 {
		n.idle, n.flying, n.other = 100*float64(x.repaths.idle)/all, 100*float64(x.repaths.flying)/all, 100*float64(x.repaths.loss)/all
	}
	return n
}

// beds runs a run with several seeds, adds a row, and returns the means. Times in the row are relative to small, or to the
// row's own time if small is 0.
func (l lab) beds(ctx context.Context, o *papers.Outcome, b *bed, seeds int, small float64) (mean bedNumbers, err error) {
	var drops, timeouts uint64
	var up []string
	k := float64(seeds)
	for i := range seeds {
		res, out, err := l.bed(ctx, b, l.Seed+uint64(i))
		if err != nil {
			return mean, err
		}
		n := out[0].numbers(b.spans[0])
		for i := range n.small {
			mean.small[i] += n.small[i] / k
			mean.large[i] += n.large[i] / k
		}
		mean.ratio += n.ratio / k
		mean.busy += n.busy / k
		mean.repaths += n.repaths / k
		mean.idle += n.idle * n.repaths
		mean.flying += n.flying * n.repaths
		mean.other += n.other * n.repaths
		drops += res.Counts.Drops[fabric.Full]
		timeouts += res.Timeouts
		if i == 0 {
			for _, u := range out[0].up {
				up = append(up, fmt.Sprintf("%.0f", 100*u))
			}
		}
	}
	if mean.repaths > 0 {
		for _, x := range []*float64{&mean.idle, &mean.flying, &mean.other} {
			*x /= mean.repaths * k
		}
	}
	if small == 0 {
		small = mean.small[0]
	}
	o.Head = []string{"setup", "weights", "seeds", "small 50 %, µs", "small", "large", "uplinks busy, %", "mean, %", "busiest to idlest", "repaths a s", "after idle, %", "full queue", "time-outs"}
	o.Rows = append(o.Rows, []string{b.setup, b.scheme, fmt.Sprint(seeds), fmt.Sprintf("%.0f", mean.small[0]),
		fmt.Sprintf("%.2f / %.2f", mean.small[0]/small, mean.small[1]/small), fmt.Sprintf("%.2f / %.2f", mean.large[0]/small, mean.large[1]/small),
		strings.Join(up, ", "), fmt.Sprintf("%.1f", 100*mean.busy), fmt.Sprintf("%.2f", mean.ratio), fmt.Sprintf("%.0f", mean.repaths),
		fmt.Sprintf("%.1f", mean.idle), fmt.Sprint(drops), fmt.Sprint(timeouts)})
	return mean, nil
}

// three are the runs of a table: equal weights, the weights with PLB, and without.
func (b bed) three(weights []int) [3]*bed {
	return [3]*bed{b.on(), b.on(weights...), b.off(weights...)}
}

// others are set-ups with another value of what the paper does not say.
func others() []bed {
	think, trip, mark := testBed(), testBed(), testBed()
	think.setup, think.think = "think 14.3 and 14.3 ms", [2]uint64{14_300 * us, 14_300 * us}
	trip.setup, trip.stack = "round trip 30 µs", 5*us
	mark.setup, mark.mark = "marking from 100 KB", 100_000
	return []bed{think, trip, mark}
}

// tableRow is a row of Table 1 or 2, with times relative to small RPCs with equal weights.
type tableRow struct {
	small, large [2]float64
	ratio        float64
	repaths      float64 // of those with equal weights; 0: none
}

// table compares the rows of a table. The first one has equal weights, the second and third the weights, with and without PLB.
func (l lab) table(ctx context.Context, o *papers.Outcome, weights []int, rows [3]tableRow) error {
	runs := testBed().three(weights)
	var means [3]bedNumbers
	var unit float64
	for i, b := range runs {
		m, err := l.beds(ctx, o, b, bedSeeds, unit)
		if err != nil {
			return err
		}
		if i == 0 {
			unit = m.small[0]
		}
		means[i] = m
		says := &rows[i]
		for k, p := range []string{"50 %", "99 %"} {
			if i > 0 || k > 0 { // that is 1
				o.Claim(b.scheme, "small, "+p, papers.About, says.small[k], papers.Round(says.small[k]/5), "", m.small[k]/unit)
			}
			o.Claim(b.scheme, "large, "+p, papers.About, says.large[k], papers.Round(says.large[k]/5), "", m.large[k]/unit)
			if i == 0 {
				continue
			}
			if k > 0 { // the other one is the number above
				r := papers.Round(says.small[k] / rows[0].small[k])
				o.Claim(b.scheme, "small, "+p+", of that with 1:1", papers.About, r, papers.Round(r/5), "times", m.small[k]/means[0].small[k])
			}
			r := papers.Round(says.large[k] / rows[0].large[k])
			o.Claim(b.scheme, "large, "+p+", of that with 1:1", papers.About, r, papers.Round(r/5), "times", m.large[k]/means[0].large[k])
		}
		o.Claim(b.scheme, "load, busiest to idlest uplink", papers.About, says.ratio, papers.Round(says.ratio/5), "", m.ratio)
		if says.repaths > 0 && i > 0 {
			o.Claim(b.scheme, "repaths, of those with 1:1", papers.About, says.repaths, papers.Round(says.repaths/5), "times", m.repaths/means[0].repaths)
		}
	}
	for _, other := range others() {
		if l.Model == transport.RTL { // no numbers are of these
			break
		}
		unit = 0
		for _, b := range other.three(weights) {
			m, err := l.beds(ctx, o, b, 1, unit)
			if err != nil {
				return err
			}
			if unit == 0 {
				unit = m.small[0]
			}
		}
	}
	if weights[0] == 2 {
		o.Claim(runs[1].scheme, "repaths after idle", papers.AtLeast, 99.9, 0, "%", means[1].idle)
		return nil
	}
	o.Claim(runs[1].scheme, "throughput, of that with 1:1", papers.About, 100, 5, "%", 100*means[1].busy/means[0].busy)
	o.Claim(runs[2].scheme, "throughput, of that with 1:1", papers.About, 80, 5, "%", 100*means[2].busy/means[0].busy)
	return nil
}

// uniform is the first row of both tables.
var uniform = tableRow{small: [2]float64{1, 3.5}, large: [2]float64{5.33, 20}, ratio: 1, repaths: 1}

func plbT1(ctx context.Context, l lab, o *papers.Outcome) error {
	return l.table(ctx, o, []int{2, 2, 1, 1}, [3]tableRow{uniform,
		{small: [2]float64{1, 3.5}, large: [2]float64{5.33, 20}, ratio: 1.3, repaths: 1.06},
		{small: [2]float64{1.06, 4.25}, large: [2]float64{6.33, 43}, ratio: 2}})
}

func plbT2(ctx context.Context, l lab, o *papers.Outcome) error {
	return l.table(ctx, o, []int{100, 100, 1, 1}, [3]tableRow{uniform,
		{small: [2]float64{0.91, 2.5}, large: [2]float64{12.3, 46.67}, ratio: 3.5, repaths: 14},
		{small: [2]float64{10.83, 14.16}, large: [2]float64{225, 300}, ratio: 100}})
}

// plb13 lets a cable to the servers' ToR fail. The paper's failure lasts for 20 minutes, and PLB pauses for one to two after a
// time-out; here both are 1/2000 of that.
func plb13(ctx context.Context, l lab, o *papers.Outcome) error {
	const (
		pause = 30 * ms
		from  = 500 * ms
		to    = 1100 * ms
	)
	base := testBed()
	base.spans = []span{{from - 200*ms, from}, {from, to}, {to + 100*ms, to + 300*ms}}
	base.fails = &cableFailure{span: span{from, to}}
	pauses := func(ns int) string { return fmt.Sprintf("%s pause_ns=%d", bedPLB, ns) }
	o.Head = []string{"setup", "when", "small 50 / 99 %, µs", "large 50 / 99 %, µs", "uplinks busy, %", "repaths a s", "after idle, in flight, after a time-out, %", "time-outs", "stuck"}
	back, fast, slow := base, base, base
	back.fails = &cableFailure{span: base.fails.span, back: true}
	fast.rto, slow.rto = 1_000_000, 20_000_000
	three, less := base, base
	three.fails, three.weights = nil, []int{0, 1, 1, 1}
	less.think = [2]uint64{base.think[0] * 6 / 5, base.think[1] * 6 / 5}
	for i, x := range []struct {
		name string
		b    bed
		set  string
	}{
		{"PLB", base, pauses(pause / 1000)},
		{"PLB, time-outs after 1 ms", fast, pauses(pause / 1000)},
		{"PLB, time-outs after 20 ms", slow, pauses(pause / 1000)},
		{"PLB, no pause", base, pauses(0)},
		{"PLB, both ways fail", back, pauses(pause / 1000)},
		{"PLB, three uplinks, none fails", three, pauses(pause / 1000)},
		{"PLB, less load", less, pauses(pause / 1000)},
		{"no PLB", base, ""},
	} {
		if l.Model != transport.Golden && i > 0 && x.set != "" { // no numbers are of these
			continue
		}
		x.b.setup, x.b.scheme, x.b.set = x.name, "PLB §5.2", x.set
		res, out, err := l.bed(ctx, &x.b, l.Seed)
		if err != nil {
			return err
		}
		// An RPC that does not end within 15 time-outs, after which Linux gives a connection up, and not before the repair.
		stuck := 0
		for f := range res.Flows {
			for _, c := range res.Flows[f].Calls {
				if c.Start+fabric.Instant(15*x.b.rto*1000) < to && c.Acked > to {
					stuck++
				}
			}
		}
		var n [3]bedNumbers
		for k, when := range []string{"before", "while it fails", "after"} {
			n[k] = out[k].numbers(x.b.spans[k])
			var up []string
			for _, u := range out[k].up {
				up = append(up, fmt.Sprintf("%.0f", 100*u))
			}
			row := []string{x.name, when, fmt.Sprintf("%.0f / %.0f", n[k].small[0], n[k].small[1]), fmt.Sprintf("%.0f / %.0f", n[k].large[0], n[k].large[1]),
				strings.Join(up, ", "), fmt.Sprintf("%.0f", n[k].repaths), fmt.Sprintf("%.1f, %.1f, %.1f", n[k].idle, n[k].flying, n[k].other), "", ""}
			if k == 1 {
				row[7], row[8] = fmt.Sprint(res.Timeouts), fmt.Sprint(stuck)
			}
			o.Rows = append(o.Rows, row)
		}
		if i == 0 {
			more := func(k int, of func(n *bedNumbers) float64) float64 { return 100 * (of(&n[k])/of(&n[0]) - 1) }
			o.Claim(x.name, "connections given up", papers.AtMost, 0, 0, "", float64(stuck))
			o.Claim(x.name, "uplinks busy before", papers.About, 60, 3, "%", 100*n[0].busy)
			o.Claim(x.name, "large, 50 %, while it fails", papers.About, 22, 10, "%", more(1, func(n *bedNumbers) float64 { return n.large[0] }))
			o.Claim(x.name, "large, 99 %, while it fails", papers.About, 140, 40, "%", more(1, func(n *bedNumbers) float64 { return n.large[1] }))
			o.Claim(x.name, "small, 50 %, while it fails", papers.About, 12, 5, "%", more(1, func(n *bedNumbers) float64 { return n.small[0] }))
			o.Claim(x.name, "small, 99 %, while it fails", papers.About, 0, 10, "%", more(1, func(n *bedNumbers) float64 { return n.small[1] }))
		}
		if x.set == "" {
			o.Claim(x.name, "connections stuck until the repair", papers.About, 25, 3, "%", 100*float64(stuck)/float64(len(res.Flows)))
		}
	}
	return nil
}
