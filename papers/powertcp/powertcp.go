// SPDX-License-Identifier: Apache-2.0

// Package powertcp has the figures of the PowerTCP paper that are simulated.
package powertcp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/workload"
)

// Figures are the figures of Addanki's dissertation, chapter 2: PowerTCP.
var Figures = []papers.Figure{
	{Name: "powertcp-2.4", Title: "A burst of ten flows", Paper: "PowerTCP Fig. 2.4 (top), §2.3.2", Models: papers.WithFloat, Takes: papers.RTLHosts | papers.Telemetry, Work: papers.By(powertcp24)},
	{Name: "powertcp-2.4b", Title: "A burst of all hosts", Paper: "PowerTCP Fig. 2.4 (bottom), §2.3.2", Models: papers.WithFloat, Takes: papers.RTLHosts | papers.Telemetry, Work: papers.By(powertcp24bottom)},
	{Name: "powertcp-2.5", Title: "Flows join and leave", Paper: "PowerTCP Fig. 2.5, §2.3.2", Models: papers.WithFloat, Takes: papers.RTLHosts | papers.Telemetry, Work: papers.By(powertcp25)},
	{Name: "powertcp-2.6", Title: "A web search at 20 and 60 % load", Paper: "PowerTCP Fig. 2.6, §2.3.2", Models: papers.WithFloat, Takes: papers.RTLHosts | papers.Telemetry, Work: papers.By(powertcp26)},
	{Name: "powertcp-2.6m", Title: "Medium flows of the web search", Paper: "PowerTCP Fig. 2.6, §2.3.2", Models: papers.WithFloat, Takes: papers.RTLHosts | papers.Telemetry, Work: papers.By(powertcp26m)},
	{Name: "powertcp-2.7", Title: "Loads, requests and memory", Paper: "PowerTCP Fig. 2.7, §2.3.2", Models: papers.WithFloat, Takes: papers.RTLHosts | papers.Telemetry, Work: papers.By(powertcp27)},
	{Name: "powertcp-theorems", Title: "Theorems 1 to 3: one equilibrium, its speed, weights", Paper: "PowerTCP Theorems 1–3, §2.2.3", Work: papers.By(theorems)},
}

// lab has the runs of these figures.
type lab struct{ *papers.Lab }

const us = 1_000_000 // ps

// fluid is the model of §2.2: flows through one queue, as rates. Each has the float64 model of Algorithm 1 for its window, which
// gets the queue's telemetry each step δt, half a round trip after it was taken, and acts on the queue half a round trip later.
type fluid struct {
	rate  float64   // b, bytes a ns
	tau   float64   // τ, ns
	gamma float64   // γ
	beta  []float64 // β of each flow, bytes
	step  float64   // δt, ns
	first float64   // aggregate window at the beginning, bytes
	queue float64   // and bytes in the queue
	// plain is Eq. 2.16 without what Algorithm 1 adds: power is not smoothed, and w(t−θ) is the mean of just those windows that the
	// telemetry's bytes are of, not the window at the end of the last round trip.
	plain bool

	flows []*model.PaperINT
	sent  []float64
	old   [][]float64      // with plain: each flow's windows, oldest first, of a round trip
	prev  []model.PaperHop // and its last telemetry
	past  []float64        // aggregate windows, oldest first, of half a round trip
	hops  []model.PaperHop
	now   float64 // ns
	tx    float64
}

const grain = 50 // ns, a step of the queue

// begin sets the flows up.
func (f *fluid) begin() error {
	half := int(f.tau/2) / grain
	for i := range f.beta {
		p, err := model.NewPaperINT(model.PaperSettings{Gamma: f.gamma, Beta: f.beta[i], Tau: f.tau, TargetUtil: 1,
			LambdaFloor: .001, MinWindow: 1, MaxWindow: 8 * f.rate * f.tau})
		if err != nil {
			return err
		}
		w := f.first / float64(len(f.beta))
		p.State.Window, p.State.OldWindow = w, w
		f.flows = append(f.flows, p)
		f.sent = append(f.sent, 0)
		f.prev = append(f.prev, f.hop())
		f.old = append(f.old, same(2*half+int(f.step)/grain, w))
	}
	for range half {
		f.past = append(f.past, f.first)
		f.hops = append(f.hops, f.hop())
	}
	return nil
}

func (f *fluid) hop() model.PaperHop {
	return model.PaperHop{QLen: uint64(math.Round(f.queue)), Tx: uint64(math.Round(f.tx)), TS: uint64(f.now), Rate: f.rate}
}

// window is the sum of all windows.
func (f *fluid) window() (sum float64) {
	for _, p := range f.flows {
		sum += p.State.Window
	}
	return sum
}

// equilibrium returns the windows and the queue of Theorem 1.
func (f *fluid) equilibrium() (window, queue float64) {
	for _, b := range f.beta {
		queue += b
	}
	return f.rate*f.tau + queue, queue
}

// pass lets some time pass, and calls note after each step δt.
func (f *fluid) pass(ns float64, note func()) {
	for end := f.now + ns; f.now < end; {
		// Eq. 2.17: windows of half a round trip ago, over the round trip, less what leaves.
		theta := f.tau + f.queue/f.rate
		w := f.past[0]
		in := w / theta
		out := min(f.rate, in+f.queue/grain)
		f.queue = max(0, f.queue+(in-out)*grain)
		f.tx += out * grain
		f.now += grain
		f.past = append(f.past[1:], f.window())
		f.hops = append(f.hops[1:], f.hop())
		for i, p := range f.flows {
			f.old[i] = append(f.old[i][1:], p.State.Window)
		}
		if math.Mod(f.now, f.step) >= grain {
			continue
		}
		for i, p := range f.flows {
			if f.plain {
				p.State.Window = f.law(i, &f.hops[0])
				continue
			}
			f.sent[i] += p.State.Window / theta * f.step
			p.Ack(model.PaperAck{Seq: uint32(f.sent[i] - p.State.Window), SndNxt: uint32(f.sent[i]), Hops: []model.PaperHop{f.hops[0]}})
		}
		if note != nil {
			note()
		}
	}
}

// law is Eq. 2.16 for a flow.
func (f *fluid) law(i int, h *model.PaperHop) float64 {
	p, w := &f.prev[i], f.flows[i].State.Window
	if h.TS == p.TS {
		return w
	}
	current := (float64(h.Tx-p.Tx) + float64(int64(h.QLen-p.QLen))) / float64(h.TS-p.TS)
	power := current * (float64(h.QLen) + f.rate*f.tau)
	*p = *h
	var old float64
	n := int(f.step) / grain
	for _, x := range f.old[i][:n] {
		old += x / float64(n)
	}
	return f.gamma*(old*f.rate*f.rate*f.tau/power+f.beta[i]) + (1-f.gamma)*w
}

// settles is the time after which the error of the aggregate window stays below a share of the first one, in steps δt.
func (f *fluid) settles(share float64) float64 {
	want, _ := f.equilibrium()
	first, last, began := math.Abs(f.first-want), 0., f.now
	f.pass(400*f.tau, func() {
		if math.Abs(f.window()-want) > share*first {
			last = f.now - began
		}
	})
	return last / f.step
}

// same returns n flows with the same β.
func same(n int, beta float64) (list []float64) {
	for range n {
		list = append(list, beta)
	}
	return list
}

// theorems checks the theorems about the control law against the float64 model of Algorithm 1: 25 Gb/s, 20 µs, γ 0.9, and ten
// flows of β 1000 bytes, unless said otherwise.
func theorems(_ context.Context, _ lab, o *papers.Outcome) error {
	const rate, tau, gamma = 3.125, 20_000., .9
	bdp := rate * tau
	o.Head = []string{"theorem", "set-up", "windows, bytes", "queue, bytes", "steps until 0.7 % of the error are left"}
	row := func(theorem, setup string, f *fluid, steps string) {
		o.Rows = append(o.Rows, []string{theorem, setup, fmt.Sprintf("%.0f", f.window()), fmt.Sprintf("%.0f", f.queue), steps})
	}
	// Theorem 1: from anywhere to (bτ + β̂, β̂).
	for _, from := range []struct{ window, queue float64 }{{bdp / 4, 0}, {bdp, 0}, {2 * bdp, bdp}, {3 * bdp, 0}, {bdp / 4, 2 * bdp}} {
		f := &fluid{rate: rate, tau: tau, gamma: gamma, beta: same(10, 1000), step: 1000, first: from.window, queue: from.queue}
		if err := f.begin(); err != nil {
			return err
		}
		f.pass(200*tau, nil)
		w, q := f.equilibrium()
		name := fmt.Sprintf("from windows of %.2f and a queue of %.2f bτ", from.window/bdp, from.queue/bdp)
		o.Claim("Theorem 1", "windows "+name, papers.About, w, w/100, "bytes", f.window())
		o.Claim("Theorem 1", "queue "+name, papers.About, q, q/100, "bytes", f.queue)
		row("1", name, f, "")
	}
	// Theorem 2: the error falls with the time constant δt/γ; after five of them 0.7 % are left.
	for _, x := range []struct {
		name        string
		step, gamma float64
		plain       bool
	}{
		{"δt = τ/20, γ = 0.9", tau / 20, .9, false}, {"δt = τ/20, γ = 0.02", tau / 20, .02, false},
		{"δt = τ/20, γ = 0.9, Eq. 2.16 alone", tau / 20, .9, true}, {"δt = τ/20, γ = 0.02, Eq. 2.16 alone", tau / 20, .02, true},
		{"δt = τ, γ = 0.9", tau, .9, false}, {"δt = τ, γ = 0.1", tau, .1, false},
	} {
		w := bdp + 10_000
		f := &fluid{rate: rate, tau: tau, gamma: x.gamma, beta: same(10, 1000), step: x.step, plain: x.plain, first: w, queue: 10_000}
		if err := f.begin(); err != nil {
			return err
		}
		f.pass(100*tau, nil)
		f.first = 1.5 * f.window()
		for _, p := range f.flows { // the perturbation
			p.State.Window *= 1.5
		}
		steps := f.settles(.007)
		o.Claim("Theorem 2", "steps until 0.7 % of the error are left, "+x.name, papers.AtMost, papers.Round(5/x.gamma), 0, "δt", steps)
		row("2", x.name, f, fmt.Sprintf("%.1f", steps))
	}
	// Theorem 3: windows in the ratio of β.
	beta := []float64{500, 1000, 1500, 2000, 5000}
	f := &fluid{rate: rate, tau: tau, gamma: gamma, beta: beta, step: 1000, first: bdp}
	if err := f.begin(); err != nil {
		return err
	}
	f.pass(2000*tau, nil)
	w, q := f.equilibrium()
	for i, b := range beta {
		want := w / q * b
		o.Claim("Theorem 3", fmt.Sprintf("window of the flow with β = %.0f bytes", b), papers.About, papers.Round(want), want/50, "bytes", f.flows[i].State.Window)
	}
	row("3", "β = 500, 1000, 1500, 2000, 5000 bytes", f, "")
	return nil
}

const unitPowerTCP = "powertcp"

// burst is Fig. 2.4: a long flow, and half a millisecond later ten others that start together, all to one host. Hosts have 25 Gb/s,
// cables between leaves and spines 100. The longest round trip in the empty network is the paper's, some 29 µs; it is τ and HPCC's
// T for all senders (§2.3.1).
type burst struct {
	scheme
	setup string // rack or tree
}

// Set-ups: the senders are on the receiver's switch, or all on the other leaf.
const (
	rack = "same rack"
	tree = "through the tree"
)

const (
	burstFlows = 10
	burstBytes = 1_000_000 // of each
	burstAt    = 500       // µs
	burstBin   = 10        // µs of a series' bin
)

// burstOutcome holds the measurements at the receiver's last cable.
type burstOutcome struct {
	peak    float64 // KB, most that waited
	calm    float64 // µs from the burst until less than a packet a flow waits
	carried float64 // % of the cable in the millisecond after that
	low     float64 // % in the worst 100 µs of it
	ends    float64 // µs from the burst to the end of its flows
	series  measure.Series
}

func (l lab) burst(ctx context.Context, b *burst) (*burstOutcome, error) {
	shape := topo.Shape{Tiers: 2, Leaves: 2, Hosts: burstFlows + 1, Spines: 2,
		Host: fabric.Link{Gbps: 25, Delay: 1 * us}, Fabric: fabric.Link{Gbps: 100, Delay: 6 * us}}
	net, err := topo.New(&shape, l.Seed)
	if err != nil {
		return nil, err
	}
	rtt := net.LongestRoundTrip(treeMTU)
	if b.setup == rack {
		shape = topo.Shape{Tiers: 1, Hosts: burstFlows + 2, Host: shape.Host}
		if net, err = topo.New(&shape, l.Seed); err != nil {
			return nil, err
		}
	}
	to := len(net.Hosts) - 1
	flows := []workload.Flow{{Src: 0, Dst: to, Bytes: 12_500_000}}
	for i := range burstFlows {
		flows = append(flows, workload.Flow{Src: 1 + i, Dst: to, Bytes: burstBytes, Start: burstAt * us})
	}
	workload.Spread(flows, uint64(net.Hosts[0].Time(treeMTU)), rand.New(rand.NewPCG(l.Seed, 1)))
	watch := measure.Watch(net.Hosts[to].Peer(), burstBin*us)
	res, err := l.hosts(ctx, net, b.scheme, flows, rtt.NS())
	if err != nil {
		return nil, fmt.Errorf("%s, %s, seed %d: %w", b.setup, b.name, l.Seed, err)
	}
	o := after(watch.Series(), burstFlows+1)
	for _, f := range res.Flows[1:] {
		o.ends = max(o.ends, float64(f.Received)/us-burstAt)
	}
	return o, nil
}

// after reads the series of a cable around a burst; with less than a packet of each flow, its queue counts as empty again.
func after(series measure.Series, flows int) *burstOutcome {
	o := &burstOutcome{series: series}
	for i, q := range o.series.Queue {
		o.peak = max(o.peak, float64(q)/1000)
		if i > burstAt/burstBin && o.calm == 0 && float64(q)/1000 < o.peak && q < int64(flows)*treeMTU {
			o.calm = float64(i*burstBin - burstAt)
		}
	}
	from := (burstAt + int(o.calm)) / burstBin
	o.low = 100
	for i := from; i+10 <= from+100 && i+10 <= len(o.series.Gbps); i++ {
		var sum float64
		for _, g := range o.series.Gbps[i : i+10] {
			sum += g / 10
		}
		o.low = min(o.low, 100*sum/25)
	}
	for i := from; i < from+100 && i < len(o.series.Gbps); i++ {
		o.carried += o.series.Gbps[i] / 25
	}
	return o
}

func powertcp24(ctx context.Context, l lab, o *papers.Outcome) error {
	o.Head = []string{"set-up", "scheme", "most in the queue, KB", "µs until it is empty again", "then carried in 1 ms, %", "in the worst 100 µs of it, %", "µs to the end of the ten flows"}
	for _, setup := range []string{rack, tree} {
		list := map[string]*burstOutcome{}
		for _, sch := range schemes[:4] {
			x, err := l.burst(ctx, &burst{sch, setup})
			if err != nil {
				return err
			}
			list[sch.name] = x
			o.Rows = append(o.Rows, []string{setup, sch.name, fmt.Sprintf("%.1f", x.peak), fmt.Sprintf("%.0f", x.calm), fmt.Sprintf("%.1f", x.carried),
				fmt.Sprintf("%.1f", x.low), fmt.Sprintf("%.0f", x.ends)})
			if setup == rack {
				x.series.Name = sch.name
				o.Series = append(o.Series, papers.Plot{Run: sch.name, Ports: []measure.Series{x.series}})
			}
		}
		p, theta, h, timely := list[nameInt], list[nameTheta], list[nameHPCC], list[nameTime]
		o.Claim(setup, "most in the queue, HPCC over PowerTCP", papers.About, 2, .4, "", h.peak/p.peak)
		o.Claim(setup, "PowerTCP carries in the worst 100 µs after the burst", papers.AtLeast, 95, 0, "%", p.low)
		o.Claim(setup, "θ-PowerTCP carries in the worst 100 µs after the burst", papers.AtLeast, 95, 0, "%", theta.low)
		o.Claim(setup, "HPCC carries in the worst 100 µs after the burst, less PowerTCP", papers.AtMost, 0, 0, "%", h.low-p.low)
		o.Claim(setup, "most in the queue, TIMELY over PowerTCP", papers.AtLeast, 1, 0, "", timely.peak/p.peak)
		o.Claim(setup, "TIMELY carries in the worst 100 µs after the burst, less PowerTCP", papers.AtMost, 0, 0, "%", timely.low-p.low)
	}
	return nil
}
