// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// Workloads of Fig. 3 and 5. The paper does not say how long messages are, how many senders an incast has, nor how many connections
// at a time AllToAll.
const (
	wideIncast      = "incast"
	widePermutation = "permutation"
	wideTornado     = "tornado"
	wideSearch40    = "web search, 40 %"
	wideSearch100   = "web search, 100 %"
	wideRing        = "ring AllReduce"
	wideButterfly   = "butterfly AllReduce"
	wideAllToAll1   = "AllToAll(1)"
	wideAllToAll8   = "AllToAll(8)"
)

// wideFlows makes the flows of each workload, in the order of the table.
var wideFlows = []struct {
	name  string
	flows func(t *topo.Tree, seed uint64) ([]workload.Flow, error)
}{
	{wideIncast, func(t *topo.Tree, seed uint64) ([]workload.Flow, error) {
		flows, err := workload.Incast(len(t.Hosts), 0, 32, 1<<20)
		workload.Spread(flows, uint64(t.Hosts[0].Time(payload+headers)), rand.New(rand.NewPCG(seed, 1)))
		return flows, err
	}},
	{widePermutation, permutation(8 << 20)},
	{wideTornado, func(t *topo.Tree, seed uint64) ([]workload.Flow, error) { return tornado(len(t.Hosts), 8<<20)(t, seed) }},
	{wideSearch40, search(.4)},
	{wideSearch100, search(1)},
	{wideRing, func(t *topo.Tree, _ uint64) ([]workload.Flow, error) { return workload.Ring(numbers(t), 8<<20) }},
	{wideButterfly, func(t *topo.Tree, _ uint64) ([]workload.Flow, error) { return workload.Butterfly(numbers(t), 8<<20) }},
	{wideAllToAll1, func(t *topo.Tree, _ uint64) ([]workload.Flow, error) {
		return workload.AllToAll(numbers(t), 1, 128<<10)
	}},
	{wideAllToAll8, func(t *topo.Tree, _ uint64) ([]workload.Flow, error) {
		return workload.AllToAll(numbers(t), 8, 128<<10)
	}},
}

// search sends messages of the web search's sizes for 200 µs at a load.
func search(load float64) func(t *topo.Tree, seed uint64) ([]workload.Flow, error) {
	return func(t *topo.Tree, seed uint64) ([]workload.Flow, error) {
		return workload.All2all(len(t.Hosts), workload.WebSearch, load*rate/8, 200*us, rand.New(rand.NewPCG(seed, 4)))
	}
}

func numbers(t *topo.Tree) []int {
	list := make([]int, len(t.Hosts))
	for i := range list {
		list[i] = i
	}
	return list
}

// bender are PLB's settings as FlowBender has them (Kabbani et al., CoNEXT 2014): a round of which 5 % is marked moves the connection.
const bender = "fraction=1638 idle_rounds=1 forced_rounds=1 pause_ns=0"

// wide runs each workload with each scheme, and returns completions by workload and scheme.
func (l lab) wide(ctx context.Context, o *papers.Outcome, change func(t *topo.Tree, seed uint64)) (map[string]map[string]float64, error) {
	const seeds = 2
	found := map[string]map[string]float64{}
	for _, w := range wideFlows {
		found[w.name] = map[string]float64{}
		base := setup(text, tree128)
		base.setup, base.flows, base.change = w.name, w.flows, change
		ecmp, flowlets, plb := *base, *base, *base
		ecmp.scheme = "ECMP"
		tree, err := topo.New(&base.shape, 0)
		if err != nil {
			return nil, err
		}
		flowlets.scheme, flowlets.pause = "Flowlet", (tree.LongestRoundTrip(base.mtu()) / 2).NS()
		plb.scheme, plb.unit, plb.set = "PLB", unitPLB, bender
		for _, t := range []*trial{&ecmp, &flowlets, &plb, base.ops(), base.reps("REPS", "")} {
			t.watch = uplinks
			list, last, err := l.runs(ctx, o, t, seeds)
			if err != nil {
				return nil, err
			}
			found[w.name][t.scheme] = last
			o.Rows[len(o.Rows)-1] = append(o.Rows[len(o.Rows)-1], t.wideColumns(list)...)
		}
	}
	o.Head = append(o.Head, "slowdown, median", "99th percentile", "bins of 20 µs with a queue above Kmin, %", "above Kmax, %")
	return found, nil
}

// wideColumns are the slowdowns of runs' messages, and how often the queues of the first leaf's uplinks were long.
func (t *trial) wideColumns(runs []*ran) []string {
	var slow []float64
	var ports []measure.Series
	for _, r := range runs {
		ports = append(ports, r.ports...)
		for i := range r.Flows {
			f := &r.Flows[i].Flow
			packets := (f.Bytes + payload - 1) / payload
			host := r.tree.Hosts[f.Src]
			// The way there, and its other packets behind the first one.
			alone := r.tree.RoundTrip(f.Src, f.Dst, t.mtu(), t.mtu())/2 + fabric.Instant(packets-1)*host.Time(t.mtu())
			slow = append(slow, float64(r.Flows[i].Received-began(r.Flows, i))/float64(alone))
		}
	}
	k := t.shape.Queue.Marking
	bins := measure.QueueHistogram(ports, []int64{k.Min, k.Max})
	all := float64(bins[0] + bins[1] + bins[2])
	return []string{fmt.Sprintf("%.2f", measure.Percentile(slow, .5)), fmt.Sprintf("%.2f", measure.Percentile(slow, .99)),
		fmt.Sprintf("%.1f", 100*float64(bins[1]+bins[2])/all), fmt.Sprintf("%.1f", 100*float64(bins[2])/all)}
}

// began returns when a flow could begin.
func began(flows []transport.Done, i int) fabric.Instant {
	f := &flows[i].Flow
	var from fabric.Instant
	for _, k := range f.After {
		before := &flows[k]
		if before.Flow.Dst == f.Src {
			from = max(from, before.Received)
		} else {
			from = max(from, before.Acked)
		}
	}
	return from + fabric.Instant(f.Start)
}

// over returns a scheme's time relative to REPS; second is the best scheme other than REPS.
func over(times map[string]float64, scheme string) float64 { return times[scheme] / times["REPS"] }

func second(times map[string]float64) float64 {
	least := math.Inf(1)
	for scheme := range times {
		if scheme != "REPS" {
			least = min(least, over(times, scheme))
		}
	}
	return least
}

func reps3(ctx context.Context, l lab, o *papers.Outcome) error {
	found, err := l.wide(ctx, o, nil)
	if err != nil {
		return err
	}
	most := func(scheme string) float64 {
		return max(over(found[widePermutation], scheme), over(found[wideTornado], scheme))
	}
	o.Claim(wideIncast, "ECMP, of REPS", papers.About, 1, .05, "times", over(found[wideIncast], "ECMP"))
	o.Claim("permutation, tornado", "ECMP, of REPS, at most", papers.About, 6, 2, "times", most("ECMP"))
	o.Claim("permutation, tornado", "OPS, of REPS, at most", papers.About, 1.25, .1, "times", most("OPS"))
	o.Claim(wideSearch100, "OPS, of REPS", papers.About, 1.05, .05, "times", over(found[wideSearch100], "OPS"))
	o.Claim(wideRing, "ECMP, of REPS", papers.About, 1, .05, "times", over(found[wideRing], "ECMP"))
	o.Claim(wideRing, "OPS, of REPS", papers.About, 1, .05, "times", over(found[wideRing], "OPS"))
	for _, name := range []string{wideAllToAll1, wideAllToAll8} {
		o.Claim(name, "second best, of REPS", papers.AtLeast, 1, 0, "times", second(found[name]))
		o.Claim(name, "second best, of REPS", papers.AtMost, 1.2, 0, "times", second(found[name]))
	}
	return nil
}

func reps5(ctx context.Context, l lab, o *papers.Outcome) error {
	// 3 % of the 128 cables between switches are four.
	found, err := l.wide(ctx, o, func(t *topo.Tree, seed uint64) {
		var ups []*fabric.Port
		for _, leaf := range t.Leaves {
			ups = append(ups, leaf.Up...)
		}
		for _, k := range rand.New(rand.NewPCG(seed, 5)).Perm(len(ups))[:4] {
			ups[k].SetRate(rate / 2)
			ups[k].Peer().SetRate(rate / 2)
		}
	})
	if err != nil {
		return err
	}
	most := func(scheme string) float64 {
		return max(over(found[widePermutation], scheme), over(found[wideTornado], scheme))
	}
	o.Claim("permutation, tornado", "ECMP, of REPS, at most", papers.About, 6, 2, "times", most("ECMP"))
	o.Claim("permutation, tornado", "second best, of REPS, at most", papers.About, 1.1, .1, "times", max(second(found[widePermutation]), second(found[wideTornado])))
	o.Claim(wideSearch100, "second best, of REPS", papers.About, 1.25, .1, "times", second(found[wideSearch100]))
	o.Claim(wideSearch100, "ECMP, of REPS", papers.About, 11, 3, "times", over(found[wideSearch100], "ECMP"))
	o.Claim("AllReduce", "second best, of REPS, at most", papers.About, 1.3, .1, "times", max(second(found[wideRing]), second(found[wideButterfly])))
	for _, name := range []string{wideAllToAll1, wideAllToAll8} {
		o.Claim(name, "second best, of REPS", papers.AtLeast, 1, 0, "times", second(found[name]))
	}
	return nil
}

const (
	fpgaPayload = 8192
	// ringBytes is the number of bytes that a host sends in ten consecutive ring AllReduces of 4 MB among
	// 16 hosts.
	ringBytes = 10 * 2 * 15 * 4 << 20 / 16
)

// reps10b is the authors' FPGAs: two leaves of 8 hosts, four cables to two spines, of which one has half its rate. The ring goes from
// leaf to leaf with each step.
func reps10b(ctx context.Context, l lab, o *papers.Outcome) error {
	const gbps = 100
	ring := make([]int, 16)
	for i := range ring {
		ring[i] = i/2 + i%2*8
	}
	t := &trial{hosts: transport.Settings{Payload: fpgaPayload, Headers: headers, RTO: 70_000, Deadline: 2_000_000_000}}
	// Eight cables and the time of bits: a round trip of nearly 10 µs (§4.1).
	link := fabric.Link{Gbps: gbps, Delay: us}
	t.shape = topo.Shape{Tiers: 2, Leaves: 2, Hosts: 8, Spines: 2, Host: link, Fabric: fabric.Link{Gbps: 4 * gbps, Delay: us}}
	tree, err := topo.New(&t.shape, 0)
	if err != nil {
		return err
	}
	t.shape.Queue.Bytes = int64(float64(tree.LongestRoundTrip(t.mtu())) / 1000 * gbps / 8)
	t.shape.Queue.Marking = fabric.Marking{Min: t.shape.Queue.Bytes / 5, Max: t.shape.Queue.Bytes * 4 / 5}
	for _, c := range []struct {
		setup string
		both  bool // ways of the cable
		check bool
		flows func(*topo.Tree, uint64) ([]workload.Flow, error)
	}{
		{"pipelined, one way slow", false, true, pipelined(ring)},
		{"pipelined, both ways slow", true, true, pipelined(ring)},
		{"by steps, both ways slow", true, false, func(*topo.Tree, uint64) ([]workload.Flow, error) { return workload.Ring(ring, 4<<20) }},
	} {
		t.setup, t.flows = c.setup, c.flows
		t.change = func(t *topo.Tree, _ uint64) {
			up := t.Leaves[0].Up[0]
			up.SetRate(2 * gbps)
			if c.both {
				up.Peer().SetRate(2 * gbps)
			}
		}
		ops, _, err := l.runs(ctx, o, t.ops(), 3)
		if err != nil {
			return err
		}
		reps, _, err := l.runs(ctx, o, t.reps("REPS", ""), 3)
		if err != nil {
			return err
		}
		if !c.check {
			continue
		}
		// Eight flows have the two cables of their leaf, with 600 Gb/s, and a part of the bits is headers.
		fair := float64(6*gbps) / 8 * fpgaPayload / float64(t.mtu())
		o.Claim(c.setup, "goodput of the flows through the slow cable with REPS, of their fair share", papers.AtLeast, 95, 0, "%", 100*goodput(reps)/fair)
		o.Claim(c.setup, "goodput of the flows through the slow cable with OPS", papers.About, 50, 5, "Gb/s", goodput(ops))
	}
	return nil
}

// pipelined lets each host of a ring send all that it sends of AllReduces, without waiting for what it passes on.
func pipelined(ring []int) func(*topo.Tree, uint64) ([]workload.Flow, error) {
	return func(t *topo.Tree, seed uint64) ([]workload.Flow, error) {
		var flows []workload.Flow
		for i, src := range ring {
			flows = append(flows, workload.Flow{Src: src, Dst: ring[(i+1)%len(ring)], Bytes: ringBytes})
		}
		workload.Spread(flows, uint64(t.Hosts[0].Time(fpgaPayload+headers)), rand.New(rand.NewPCG(seed, 1)))
		return flows, nil
	}
}

// goodput is the mean rate of payload of the flows from the first leaf, in Gb/s, from a flow's beginning to its last byte.
func goodput(runs []*ran) float64 {
	var list []float64
	for _, r := range runs {
		for i := range r.Flows {
			if d := &r.Flows[i]; d.Flow.Src < 8 {
				list = append(list, float64(d.Flow.Bytes)*8*1000/float64(d.Received-began(r.Flows, i)))
			}
		}
	}
	m, _ := measure.Mean(list)
	return m
}
