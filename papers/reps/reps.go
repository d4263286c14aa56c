// SPDX-License-Identifier: Apache-2.0

// Package reps has the figures of the REPS paper that are simulated.
package reps

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// The units that these figures need.
const (
	unitREPS = "reps"
	unitPLB  = "plb"
)

// Figures are the figures of Bonato et al., "REPS: Recycled Entropy Packet Spraying", EuroSys 2026.
var Figures = []papers.Figure{
	{Name: "reps-4", Title: "One of four uplinks at half the rate", Paper: "REPS Fig. 4, §4.3.2", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps4)},
	{Name: "reps-7", Title: "Two uplinks fail for a while", Paper: "REPS Fig. 7, §4.3.3", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps7)},
	{Name: "reps-14", Title: "Imbalance of a hash over EV sets of different sizes", Paper: "REPS Fig. 14, §4.5.2", Work: papers.By(reps14)},
	{Name: "reps-2", Title: "Tornado through eight uplinks", Paper: "REPS Fig. 2, §4.3.1", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps2)},
	{Name: "reps-22", Title: "Three of four uplinks fail for good", Paper: "REPS Fig. 22, Appendix C.3", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps22)},
	{Name: "reps-23", Title: "Freezing on and off", Paper: "REPS Fig. 23, Appendix C.4", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps23)},
	{Name: "reps-15", Title: "EV sets of different sizes (left)", Paper: "REPS Fig. 15, §4.5.2", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps15)},
	{Name: "reps-3", Title: "Nine workloads and five schemes", Paper: "REPS Fig. 3, §4.3.1", Models: papers.Lockstep, Takes: papers.RTLHosts, Work: papers.By(reps3)},
	{Name: "reps-5", Title: "The same, with 3 % of the cables at half their rate", Paper: "REPS Fig. 5, §4.3.2", Models: papers.Lockstep, Takes: papers.RTLHosts, Work: papers.By(reps5)},
	{Name: "reps-10b", Title: "A ring AllReduce over a slow cable", Paper: "REPS Fig. 10b, §4.4.2", Models: papers.ByClock, Takes: papers.RTLHosts, Work: papers.By(reps10b)},
}

// Set-ups. The paper's text (§4.1) and the program that its authors published differ.
const (
	text     = "text"
	artifact = "artifact"
)

const (
	payload = 4096
	headers = 54 // bytes
	rate    = 400
	us      = 1_000_000 // ps
)

// setup returns what the trials of a set-up have in common, for a tree that is given without rates and queues.
func setup(name string, shape topo.Shape) *trial {
	t := &trial{setup: name, hosts: transport.Settings{Payload: payload, Headers: headers, RTO: 70_000, Deadline: 2_000_000_000}}
	// 500 ns a link and 500 ns a switch; a host is no switch, so each way of its link takes half of that.
	shape.Host, shape.Fabric = fabric.Link{Gbps: rate, Delay: us * 3 / 4}, fabric.Link{Gbps: rate, Delay: us}
	if name == artifact {
		shape.Host.Delay = us // 1000 ns a link, and none a switch
		shape.Queue = fabric.Queueing{Bytes: 100 * (payload + headers), Trim: true}
	} else {
		tree, err := topo.New(&shape, 0)
		if err != nil {
			panic(err) // of the figures below
		}
		shape.Queue.Bytes = int64(float64(tree.LongestRoundTrip(payload+headers)) / 1000 * rate / 8)
	}
	shape.Queue.Marking = fabric.Marking{Min: shape.Queue.Bytes / 5, Max: shape.Queue.Bytes * 4 / 5}
	t.shape = shape
	return t
}

// pair is two leaves with as many spines as hosts a leaf. The authors' program runs these figures in a tree of
// three tiers.
func pair(name string, hosts int) *trial {
	if name == artifact {
		return setup(name, topo.Shape{Tiers: 3, Pods: 2, Leaves: hosts, Hosts: hosts, Spines: hosts, Cores: hosts})
	}
	return setup(name, topo.Shape{Tiers: 2, Leaves: 2, Hosts: hosts, Spines: hosts})
}

// tornado lets the hosts of the first leaf send to their twins, within the time of a packet.
func tornado(senders int, bytes uint64) func(*topo.Tree, uint64) ([]workload.Flow, error) {
	return func(t *topo.Tree, seed uint64) ([]workload.Flow, error) {
		flows, err := workload.Tornado(len(t.Hosts), senders, bytes)
		workload.Spread(flows, uint64(t.Hosts[0].Time(payload+headers)), rand.New(rand.NewPCG(seed, 1)))
		return flows, err
	}
}

// permutation lets each host send to another one, within the time of a packet.
func permutation(bytes uint64) func(*topo.Tree, uint64) ([]workload.Flow, error) {
	return func(t *topo.Tree, seed uint64) ([]workload.Flow, error) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		flows, err := workload.Permutation(len(t.Hosts), bytes, rnd)
		workload.Spread(flows, uint64(t.Hosts[0].Time(payload+headers)), rnd)
		return flows, err
	}
}

func uplinks(t *topo.Tree) []*fabric.Port { return t.Leaves[0].Up }

// ops returns the trial with oblivious spraying.
func (t trial) ops() *trial {
	t.scheme, t.evBits = "OPS", 16
	return &t
}

// reps returns the trial with REPS under a name, with settings of the unit.
func (t trial) reps(scheme, set string) *trial {
	t.scheme, t.unit = scheme, unitREPS
	tree, err := topo.New(&t.shape, 0)
	if err != nil {
		panic(err) // of the figures below
	}
	bdp := float64(tree.LongestRoundTrip(t.mtu())) / 1000 * t.shape.Host.Gbps / 8
	t.set = fmt.Sprintf("num_pkts_cwnd=%.0f %s", bdp/float64(t.mtu()), set)
	return &t
}

// named returns a changed trial with its own name.
func (t trial) named(setup string, change func(t *trial)) trial {
	t.setup = setup
	change(&t)
	return t
}

func reps4(ctx context.Context, l lab, o *papers.Outcome) error {
	for _, name := range []string{text, artifact} {
		t := pair(name, 4)
		t.flows, t.watch = tornado(4, 32<<20), uplinks
		t.change = func(t *topo.Tree, _ uint64) { t.Leaves[0].Up[0].SetRate(rate / 2) }
		a, ops, err := l.runs(ctx, o, t.ops(), 3)
		if err != nil {
			return err
		}
		b, reps, err := l.runs(ctx, o, t.reps("REPS", ""), 3)
		if err != nil {
			return err
		}
		o.Claim(name, "completion with OPS", papers.About, 1400, 70, "µs", ops)
		o.Claim(name, "completion with REPS", papers.About, 799, 40, "µs", reps)
		if name == text {
			o.Claim(name, "completion with OPS, a quarter of the bytes through the slow uplink", papers.AtLeast, 1342.2, 0, "µs", ops)
			o.Claim(name, "completion with any scheme, all uplinks busy", papers.AtLeast, 767, 0, "µs", reps)
			o.Series = append(o.Series, papers.Plot{Run: "OPS", Ports: a[0].ports}, papers.Plot{Run: "REPS", Ports: b[0].ports})
		}
	}
	return nil
}

// outage lets an uplink of the first leaf fail, in both directions or in its own, from one time in µs to another; to 0:
// for good.
func outage(t *topo.Tree, uplink int, from, to int64, both bool) {
	up := t.Leaves[0].Up[uplink]
	ways := []*fabric.Port{up}
	if both {
		ways = append(ways, up.Peer())
	}
	t.At(fabric.Instant(from)*us, func() {
		for _, w := range ways {
			w.Fail()
		}
	})
	if to > 0 {
		t.At(fabric.Instant(to)*us, func() {
			for _, w := range ways {
				w.Repair()
			}
		})
	}
}

// brief is REPS' freezing time where cables fail, as in the authors' program; the paper does not state it.
const brief = "freezing_timeout_ns=100000 "

// settings names a variant of REPS by its settings.
type settings struct{ name, set string }

// lost is the number of packets that runs lost, or cut to headers.
func lost(runs []*ran) (sum float64) {
	for _, r := range runs {
		sum += float64(r.Counts.Dropped() + r.Counts.Trimmed)
	}
	return sum
}

func reps7(ctx context.Context, l lab, o *papers.Outcome) error {
	fails := func(second int64, both bool) func(*topo.Tree, uint64) {
		return func(t *topo.Tree, _ uint64) {
			outage(t, 1, 100, 200, both)
			outage(t, 3, 350, second, both)
		}
	}
	said, program := pair(text, 4), pair(artifact, 4)
	said.flows, said.watch, said.change = tornado(4, 32<<20), uplinks, fails(550, true)
	// The authors' program: only the way up fails, the second time for 250 µs; RTO 45.7 µs; windows grow fast from 650 µs on.
	program.flows, program.change = said.flows, fails(600, false)
	program.hosts.RTO, program.fast = 45_700, 650_000
	for _, c := range []struct {
		trial  trial
		others []settings
		check  bool
	}{
		{*said, []settings{{"REPS, explore_stride 8", "explore_stride=8"}}, true},
		{said.named("text, only the way up fails", func(t *trial) { t.change = fails(550, false) }), nil, true},
		{*program, []settings{{"REPS, explore_stride 8", "explore_stride=8"}}, true},
		{program.named("artifact, windows grow as ever", func(t *trial) { t.fast = 0 }), []settings{{"REPS, explore_stride 8", "explore_stride=8"}}, false},
		{program.named("artifact, no trimming", func(t *trial) { t.shape.Queue.Trim = false }), []settings{{"REPS, explore_stride 8", "explore_stride=8"}}, false},
	} {
		t := c.trial
		a, ops, err := l.runs(ctx, o, t.ops(), 3)
		if err != nil {
			return err
		}
		b, reps, err := l.runs(ctx, o, t.reps("REPS", brief), 3)
		if err != nil {
			return err
		}
		if c.check {
			o.Claim(t.setup, "REPS faster than OPS by", papers.AtLeast, 35, 0, "%", 100*(ops/reps-1))
			o.Claim(t.setup, "packets lost with OPS, of those with REPS", papers.About, 2.5, 0.5, "times", lost(a)/lost(b))
		}
		switch t.setup {
		case text:
			o.Series = append(o.Series, papers.Plot{Run: "OPS", Ports: a[0].ports}, papers.Plot{Run: "REPS", Ports: b[0].ports})
		case artifact:
			o.Claim(t.setup, "the same, by the authors' program", papers.About, 1.6, 0.16, "times", lost(a)/lost(b))
			o.Claim(t.setup, "completion with OPS, by the authors' program", papers.About, 1314.9, 65, "µs", ops)
			o.Claim(t.setup, "completion with REPS, by the authors' program", papers.About, 902.5, 45, "µs", reps)
		}
		for _, s := range c.others {
			_, m, err := l.runs(ctx, o, t.reps(s.name, brief+s.set), 3)
			if err != nil {
				return err
			}
			if t.setup == artifact {
				o.Claim(t.setup, "completion with explore_stride 8, this unit in the authors' program", papers.About, 1022.5, 51, "µs", m)
			}
		}
	}
	return nil
}

func reps14(_ context.Context, l lab, o *papers.Outcome) error {
	const ports, runs = 32, 5
	o.Head = []string{"EVs", "1 flow, %", "32 flows, %"}
	for bits := 1; bits <= 16; bits++ {
		row := []string{fmt.Sprintf("2^%d", bits)}
		for _, flows := range []int{1, 32} {
			var found []float64
			for run := range uint64(runs) {
				x, err := imbalance(ports, flows, bits, l.Seed+run)
				if err != nil {
					return err
				}
				found = append(found, 100*x)
			}
			m, _ := measure.Mean(found)
			row = append(row, fmt.Sprintf("%.2f", m))
			switch {
			case flows == 32 && bits == 7:
				o.Claim(text, "imbalance of 32 flows with 2^7 EVs", papers.AtLeast, 10, 0, "%", m)
			case flows == 32 && bits == 16:
				o.Claim(text, "imbalance of 32 flows with 2^16 EVs", papers.AtMost, 1, 0, "%", m)
			}
		}
		o.Rows = append(o.Rows, row)
	}
	return nil
}

// imbalance returns the imbalance of a switch's uplinks when each flow sends a packet with
// each EV.
func imbalance(ports, flows, bits int, seed uint64) (float64, error) {
	t, err := topo.New(&topo.Shape{Tiers: 2, Leaves: 2, Hosts: flows, Spines: ports,
		Host: fabric.Link{Gbps: rate}, Fabric: fabric.Link{Gbps: rate}}, seed)
	if err != nil {
		return 0, err
	}
	p := &fabric.Packet{}
	for f := range flows {
		p.Src, p.Dst = int32(f), int32(flows+f)
		for ev := range uint32(1) << bits {
			p.SetEV(ev)
			t.Leaves[0].Route(p).Bytes++
		}
	}
	var loads []uint64
	for _, up := range t.Leaves[0].Up {
		loads = append(loads, up.Bytes)
	}
	return measure.Imbalance(loads), nil
}

func reps2(ctx context.Context, l lab, o *papers.Outcome) error {
	for _, name := range []string{text, artifact} {
		t := setup(name, topo.Shape{Tiers: 2, Leaves: 2, Hosts: 8, Spines: 8})
		t.flows, t.watch = tornado(8, 16<<20), uplinks
		a, ops, err := l.runs(ctx, o, t.ops(), 3)
		if err != nil {
			return err
		}
		b, reps, err := l.runs(ctx, o, t.reps("REPS", ""), 3)
		if err != nil {
			return err
		}
		o.Claim(name, "REPS shorter than OPS by", papers.About, 4, 2, "%", 100*(1-reps/ops))
		// When the queues have settled, and before the first message ends.
		steady := func(list []*ran) (queue, low, high float64) {
			low = rate
			for _, r := range list {
				for _, p := range r.ports {
					for k := 12; k < 16; k++ {
						queue = max(queue, float64(p.Queue[k])/float64(t.shape.Queue.Marking.Min))
						low, high = min(low, p.Gbps[k]), max(high, p.Gbps[k])
					}
				}
			}
			return queue, low, high
		}
		queue, low, high := steady(b)
		o.Claim(name, "REPS, 240 to 320 µs: longest queue, of Kmin", papers.AtMost, 1, 0, "", queue)
		o.Claim(name, "REPS, 240 to 320 µs: lowest rate of a port in 20 µs", papers.About, 400, 20, "Gb/s", low)
		o.Claim(name, "REPS, 240 to 320 µs: highest rate of a port in 20 µs", papers.About, 400, 20, "Gb/s", high)
		_, low, high = steady(a)
		o.Claim(name, "OPS, 240 to 320 µs: lowest rate of a port in 20 µs", papers.AtMost, 340, 0, "Gb/s", low)
		if name == artifact {
			o.Claim(name, "completion with OPS (authors' program)", papers.About, 368.8, 11, "µs", ops)
			o.Claim(name, "completion with REPS (authors' program)", papers.About, 350.7, 11, "µs", reps)
		} else {
			o.Series = append(o.Series, papers.Plot{Run: "OPS", Ports: a[0].ports}, papers.Plot{Run: "REPS", Ports: b[0].ports})
		}
	}
	return nil
}

func reps22(ctx context.Context, l lab, o *papers.Outcome) error {
	fail := func(t *topo.Tree, _ uint64) {
		for i := range 3 {
			outage(t, i, 200*int64(i+1), 0, false)
		}
	}
	for _, name := range []string{text, artifact} {
		t := pair(name, 4)
		t.flows, t.change = tornado(4, 32<<20), fail
		t.hosts.Deadline = 60_000_000_000
		// The paper does not say how long REPS freezes, nor what the least window is.
		for _, least := range []float64{1, 16} {
			x := *t
			if least > 1 {
				x = t.named(fmt.Sprintf("%s, windows of at least %g packets", name, least), func(t *trial) { t.least = least })
			}
			_, ops, err := l.runs(ctx, o, x.ops(), 1)
			if err != nil {
				return err
			}
			for _, s := range []settings{
				{"REPS, frozen for 100 µs", brief},
				{"REPS, frozen for 100 µs, explore_stride 8", brief + "explore_stride=8"},
				{"REPS, frozen for 1 ms", "freezing_timeout_ns=1000000"},
				{"REPS, frozen for 10 ms (default)", ""},
			} {
				_, reps, err := l.runs(ctx, o, x.reps(s.name, s.set), 1)
				if err != nil {
					return err
				}
				o.Claim(x.setup, "completion with OPS, of that with "+s.name, papers.About, 40, 10, "times", ops/reps)
			}
		}
	}
	return nil
}

// tree128 is a tree of 128 hosts in two tiers without oversubscription.
var tree128 = topo.Shape{Tiers: 2, Leaves: 16, Hosts: 8, Spines: 8}

func reps23(ctx context.Context, l lab, o *papers.Outcome) error {
	for _, name := range []string{text, artifact} {
		t := setup(name, tree128)
		t.flows = permutation(8 << 20)
		broken := t.named(name+", a cable fails", func(t *trial) {
			// At 50 µs, for good: one of the 128 between switches.
			t.change = func(t *topo.Tree, seed uint64) {
				rnd := rand.New(rand.NewPCG(seed, 3))
				up := t.Leaves[rnd.IntN(len(t.Leaves))].Up
				p := up[rnd.IntN(len(up))]
				t.At(50*us, func() { p.Fail(); p.Peer().Fail() })
			}
		})
		_, healthy, err := l.runs(ctx, o, t.reps("REPS", ""), 1)
		if err != nil {
			return err
		}
		_, never, err := l.runs(ctx, o, t.reps("REPS, never frozen", "freezing=false"), 1)
		if err != nil {
			return err
		}
		o.Claim(name, "gain by freezing without failures", papers.About, 0, 2, "%", 100*(never/healthy-1))
		if _, never, err = l.runs(ctx, o, broken.reps("REPS, never frozen", "freezing=false"), 2); err != nil {
			return err
		}
		// The paper does not say how long REPS freezes.
		for _, s := range []settings{
			{"REPS, frozen for 100 µs", brief},
			{"REPS, frozen for 100 µs, explore_stride 8", brief + "explore_stride=8"},
			{"REPS, frozen for 10 ms (default)", ""},
		} {
			_, froze, err := l.runs(ctx, o, broken.reps(s.name, s.set), 2)
			if err != nil {
				return err
			}
			o.Claim(broken.setup, "gain by freezing: "+s.name, papers.About, 25, 10, "%", 100*(never/froze-1))
		}
	}
	return nil
}

func reps15(ctx context.Context, l lab, o *papers.Outcome) error {
	// The paper's tree has 1024 hosts, and so 32 uplinks a leaf if it has two tiers.
	wide := setup(text, topo.Shape{Tiers: 2, Leaves: 4, Hosts: 32, Spines: 32})
	wide.setup = "text, 32 uplinks a leaf"
	for _, t := range []*trial{setup(text, tree128), setup(artifact, tree128), wide} {
		name := t.setup
		t.flows = permutation(8 << 20)
		all := map[int][2]float64{} // completion with OPS and REPS, by bits
		for _, bits := range []int{16, 8, 5} {
			x := t.ops()
			x.scheme, x.evBits = fmt.Sprintf("OPS, %d EVs", 1<<bits), bits
			_, ops, err := l.runs(ctx, o, x, 1)
			if err != nil {
				return err
			}
			_, reps, err := l.runs(ctx, o, t.reps(fmt.Sprintf("REPS, %d EVs", 1<<bits), fmt.Sprintf("evs_bits=%d", bits)), 1)
			if err != nil {
				return err
			}
			all[bits] = [2]float64{ops, reps}
		}
		slower := func(scheme, bits int) float64 { return 100 * (all[bits][scheme]/all[16][scheme] - 1) }
		o.Claim(name, "REPS slower with 256 EVs", papers.About, 0, 2, "%", slower(1, 8))
		o.Claim(name, "REPS slower with 32 EVs", papers.About, 8, 4, "%", slower(1, 5))
		o.Claim(name, "OPS slower with 256 EVs", papers.About, 21, 5, "%", slower(0, 8))
		o.Claim(name, "OPS slower with 32 EVs", papers.About, 64, 10, "%", slower(0, 5))
	}
	return nil
}
