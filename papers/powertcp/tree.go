// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// The data centre of §2.3.1: 256 hosts of 25 Gb/s in eight racks, four pods of two racks, 100 Gb/s between switches, 4:1 at the racks.
// The text has two cores; two at each of two aggregation switches of a pod, which the authors' files have, let the cores carry what the pods can send.
const (
	racks     = 8
	perRack   = 32
	uplink    = 200. / 8 // bytes a ns of a rack
	treeMTU   = 1066
	treeBytes = 1000 // of payload
)

// treeShape returns the tree's shape: 4 MB of memory per switch with dynamic thresholds, which pause input ports at an eighth of the free memory, as in
// HPCC's simulations.
func treeShape() topo.Shape {
	return topo.Shape{Tiers: 3, Pods: 4, Leaves: 2, Hosts: perRack, Spines: 2, Cores: 2,
		Host: fabric.Link{Gbps: 25, Delay: 1 * us}, Fabric: fabric.Link{Gbps: 100, Delay: 1 * us}, Core: &fabric.Link{Gbps: 100, Delay: 5 * us},
		Queue:  fabric.Queueing{Pause: fabric.Pause{Off: 4 * treeMTU, On: 2 * treeMTU, Alpha: 1. / 8}},
		Memory: fabric.Memory{Bytes: 4_000_000}}
}

// scheme is the congestion control of the hosts.
type scheme struct {
	name  string
	set   string  // of PowerTCP; empty: a baseline
	share float64 // of HPCC: N, the flows that share a link; 0: 10
	label string  // in tables; empty: its name
}

// title returns the scheme's name in tables.
func (s *scheme) title() string { return cmp.Or(s.label, s.name) }

const (
	nameInt   = "PowerTCP"
	nameTheta = "θ-PowerTCP"
	nameHPCC  = "HPCC"
	nameTime  = "TIMELY"
	nameDCQCN = "DCQCN"
	nameFree  = "DCQCN without a window" // as its paper has it; the others of HPCC's simulations have one
)

var schemes = []scheme{{name: nameInt, set: "variant=int"}, {name: nameTheta, set: "variant=theta"}, {name: nameHPCC}, {name: nameTime}, {name: nameDCQCN}, {name: nameFree}}

// treeRun is a run in the data centre.
type treeRun struct {
	scheme
	setup string
	flows func(net *topo.Tree, seed uint64) ([]workload.Flow, error)
	end   fabric.Instant // until when memories are looked at
	watch int            // host whose last cable is watched; -1: none
	more  uint64         // added to the Lab's seed
}

// treeRan holds the results of a run.
type treeRan struct {
	*transport.Result
	memory []float64 // KB in the fullest memory of the racks' switches, each 20 µs
	series measure.Series
}

// tree runs a run.
func (l lab) tree(ctx context.Context, r *treeRun) (*treeRan, error) {
	again := *l.Lab
	again.Seed += r.more
	l = lab{&again}
	shape := treeShape()
	net, err := topo.New(&shape, l.Seed)
	if err != nil {
		return nil, err
	}
	flows, err := r.flows(net, l.Seed)
	if err != nil {
		return nil, err
	}
	o := &treeRan{}
	if r.name == nameDCQCN || r.name == nameFree { // Kmin, Kmax and Pmax of HPCC §5.1, by the rate of the port
		for _, p := range net.Ports() {
			k := int64(p.Gbps() / 25 * 100_000)
			p.SetMarking(fabric.Marking{Min: k, Max: 4 * k, Chance: .2})
		}
	}
	var watch *measure.Watcher
	if r.watch >= 0 {
		watch = measure.Watch(net.Hosts[r.watch].Peer(), burstBin*us)
	}
	const every = 20 * us
	var look func()
	look = func() {
		var most int64
		for _, sw := range net.Leaves {
			most = max(most, sw.Memory.Used)
		}
		if o.memory = append(o.memory, float64(most)/1000); net.Now()+every <= r.end {
			net.At(net.Now()+every, look)
		}
	}
	if r.end > 0 {
		net.At(every, look)
	}
	if o.Result, err = l.hosts(ctx, net, r.scheme, flows, net.LongestRoundTrip(treeMTU).NS()); err != nil {
		return nil, fmt.Errorf("%s, %s, seed %d: %w", r.setup, r.name, l.Seed, err)
	}
	if watch != nil {
		o.series = watch.Series()
	}
	return o, nil
}

// hosts sends flows with a scheme; base is τ and HPCC's T, in ns.
func (l lab) hosts(ctx context.Context, net *topo.Tree, s scheme, flows []workload.Flow, base uint64) (*transport.Result, error) {
	var maker func(h *transport.Host) (transport.Transport, error)
	if s.set != "" {
		var err error
		if maker, err = l.Hosts(ctx, unitPowerTCP, 0); err != nil {
			return nil, err
		}
	}
	set := &transport.Settings{Payload: treeBytes, Headers: treeMTU - treeBytes, RTO: 10_000_000, Deadline: 5e9, Telemetry: s.set != "" && s.name != nameTheta || s.name == nameHPCC, Layout: l.Layout}
	res, err := transport.Run(ctx, net, flows, set, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Gbps: 25, Seed: l.Seed<<20 | uint64(host), BaseRTT: base, RTO: set.RTO, Settings: s.set}
		switch s.name {
		case nameHPCC:
			return &transport.HPCC{Paths: transport.ECMP(h), MTU: treeMTU, Gbps: 25, Base: float64(base), Target: .95, Stages: 5, Flows: cmp.Or(s.share, 10)}, nil
		case nameTime: // with the values of the authors' files
			return &transport.Timely{Paths: transport.ECMP(h), Gbps: 25, Base: float64(base), Alpha: .875, Beta: .8, Step: .01, Low: 50_000, High: 500_000}, nil
		case nameDCQCN, nameFree:
			window := 25. / 8 * float64(base)
			if s.name == nameFree {
				window = 1 << 40
			}
			return papers.DCQCN(h, window, transport.ECMP(h)), nil
		}
		return maker(h)
	})
	if err == nil {
		err = net.Check()
	}
	return res, err
}

// trees runs runs side by side.
func (l lab) trees(ctx context.Context, list []*treeRun) ([]*treeRan, error) {
	out := make([]*treeRan, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range list {
		g.Go(func() (err error) {
			out[i], err = l.tree(ctx, r)
			return err
		})
	}
	return out, g.Wait()
}

// traffic is the workload of a time span: messages of a web search at a load of the racks' uplinks, and
// requests.
type traffic struct {
	load  float64 // share of the cables up
	rate  float64 // requests a second; 0: none
	bytes uint64  // of the answers to one
	ms    float64
}

// servers answer a request: as many as a rack has hosts.
const servers = 32

func (t *traffic) flows(net *topo.Tree, seed uint64) ([]workload.Flow, error) {
	rnd := rand.New(rand.NewPCG(seed, 0x747265))
	end := uint64(t.ms * 1e9)
	flows, err := workload.Across(len(net.Hosts), perRack, workload.WebSearch, t.load*uplink, end, rnd)
	if err == nil && t.rate > 0 {
		var more []workload.Flow
		more, err = workload.Requests(len(net.Hosts), perRack, servers, t.bytes, t.rate, end, rnd)
		flows = append(flows, more...)
	}
	return flows, err
}

// Sizes of flows.
const (
	kindShort = "short" // below 10 KB
	kindMid   = "medium"
	kindLong  = "long" // 1 MB and more
)

// kindOf is the kind of a flow by its bytes, empty for those between short and medium.
func kindOf(bytes uint64) string {
	switch {
	case bytes < 10_000:
		return kindShort
	case bytes >= 1_000_000:
		return kindLong
	case bytes >= 100_000:
		return kindMid
	}
	return ""
}

// tails are the 99.9th percentiles of completion times by size, in µs, and how many flows there are.
func (r *treeRan) tails() (tail map[string]float64, count map[string]int) {
	list := map[string][]float64{}
	for _, f := range r.Flows {
		kind := kindOf(f.Flow.Bytes)
		list[kind] = append(list[kind], float64(f.Received-fabric.Instant(f.Flow.Start))/1e6)
	}
	tail, count = map[string]float64{}, map[string]int{}
	for kind, x := range list {
		tail[kind], count[kind] = measure.Percentile(x, .999), len(x)
	}
	return tail, count
}

// change is by how much a number is above another one, in %.
func change(a, b float64) float64 { return 100 * (a/b - 1) }

// against are a paper's differences between PowerTCP's 99.9th percentile and another scheme's, in %.
type against struct {
	kind, name, than string
	percent          float64
}

// loads runs schemes under traffic, adds rows, and returns the tails of each.
func (l lab) loads(ctx context.Context, o *papers.Outcome, setup string, t *traffic, list []scheme) (map[string]map[string]float64, map[string]*treeRan, error) {
	var runs []*treeRun
	for _, s := range list {
		runs = append(runs, &treeRun{scheme: s, setup: setup, flows: t.flows, end: fabric.Instant(t.ms * 1e9), watch: -1})
	}
	out, err := l.trees(ctx, runs)
	if err != nil {
		return nil, nil, err
	}
	tails, rans := map[string]map[string]float64{}, map[string]*treeRan{}
	for i, r := range out {
		tail, n := r.tails()
		name := list[i].name
		tails[name], rans[name] = tail, r
		cell := func(kind string) string { return fmt.Sprintf("%.0f of %d", tail[kind], n[kind]) }
		o.Rows = append(o.Rows, []string{setup, name, cell(kindShort), cell(kindMid), cell(kindLong), fmt.Sprintf("%.0f", measure.Percentile(r.memory, .5)),
			fmt.Sprintf("%.0f", measure.Percentile(r.memory, .99)), fmt.Sprint(r.Counts.Pauses), fmt.Sprint(r.Counts.Dropped())})
	}
	return tails, rans, nil
}

var loadHead = []string{"traffic", "scheme", "below 10 KB, 99.9th percentile, µs", "100 KB to 1 MB", "1 MB and more", "fullest memory of a rack's switch, median, KB", "99th percentile", "pauses", "drops"}

func powertcp26(ctx context.Context, l lab, o *papers.Outcome) error {
	o.Head = loadHead
	for _, x := range []struct {
		load float64
		list []against
	}{
		{.2, []against{{kindShort, nameInt, nameHPCC, -9}, {kindShort, nameTheta, nameHPCC, -9}, {kindShort, nameInt, nameTime, -80}, {kindShort, nameInt, nameDCQCN, -80}, {kindShort, nameInt, nameFree, -80},
			{kindMid, nameInt, nameHPCC, -33}, {kindMid, nameInt, nameTime, -62}, {kindMid, nameInt, nameDCQCN, -50}, {kindMid, nameInt, nameFree, -50}}},
		{.6, []against{{kindShort, nameInt, nameHPCC, -33}, {kindShort, nameInt, nameTime, -74}, {kindShort, nameInt, nameDCQCN, -74}, {kindShort, nameInt, nameFree, -74},
			{kindShort, nameTheta, nameHPCC, -36}, {kindShort, nameTheta, nameTime, -82}, {kindShort, nameTheta, nameDCQCN, -82}, {kindShort, nameTheta, nameFree, -82}, {kindMid, nameTheta, nameInt, 60}}},
	} {
		setup := fmt.Sprintf("%.0f %%", 100*x.load)
		tails, _, err := l.loads(ctx, o, setup, &traffic{load: x.load, ms: 100}, schemes)
		if err != nil {
			return err
		}
		for _, a := range x.list {
			o.Claim(setup, a.kind+" flows, "+a.name+" against "+a.than, papers.About, a.percent, 10, "%", change(tails[a.name][a.kind], tails[a.than][a.kind]))
		}
	}
	return nil
}

func powertcp27(ctx context.Context, l lab, o *papers.Outcome) error {
	o.Head = loadHead
	three := schemes[:3]
	const ms = 60
	// The means over what is varied of PowerTCP's and θ's tails against HPCC's.
	mean := func(list []map[string]map[string]float64, kind, name string) float64 {
		var c []float64
		for _, t := range list {
			c = append(c, change(t[name][kind], t[nameHPCC][kind]))
		}
		m, _ := measure.Mean(c)
		return m
	}
	run := func(setup string, t traffic) (map[string]map[string]float64, map[string]*treeRan, error) {
		t.ms = ms
		return l.loads(ctx, o, setup, &t, three)
	}
	var byLoad, byRate, bySize []map[string]map[string]float64
	var plain, burst map[string]*treeRan
	for _, load := range []float64{.2, .4, .6, .8, .9} {
		tails, rans, err := run(fmt.Sprintf("%.0f %%", 100*load), traffic{load: load})
		if err != nil {
			return err
		}
		if byLoad = append(byLoad, tails); load == .8 {
			plain = rans
		}
	}
	for _, rate := range []float64{1, 4, 16} { // of a host
		tails, rans, err := run(fmt.Sprintf("80 %%, %g requests/s for 2 MB", rate), traffic{load: .8, rate: rate * racks * perRack, bytes: 2_000_000})
		if err != nil {
			return err
		}
		byRate, burst = append(byRate, tails), rans
	}
	for _, mb := range []uint64{1, 8} {
		tails, _, err := run(fmt.Sprintf("80 %%, 4 requests/s for %d MB", mb), traffic{load: .8, rate: 4 * racks * perRack, bytes: mb * 1_000_000})
		if err != nil {
			return err
		}
		bySize = append(bySize, tails)
	}
	hpcc := " against HPCC"
	o.Claim("20 to 90 %", "short flows, mean, PowerTCP"+hpcc, papers.About, -36, 15, "%", mean(byLoad, kindShort, nameInt))
	o.Claim("20 to 90 %", "short flows, mean, θ-PowerTCP"+hpcc, papers.About, -55, 15, "%", mean(byLoad, kindShort, nameTheta))
	o.Claim("20 %", "long flows, PowerTCP"+hpcc, papers.About, 0, 5, "%", change(byLoad[0][nameInt][kindLong], byLoad[0][nameHPCC][kindLong]))
	o.Claim("90 %", "long flows, PowerTCP"+hpcc, papers.About, -9, 5, "%", change(byLoad[4][nameInt][kindLong], byLoad[4][nameHPCC][kindLong]))
	o.Claim("20 to 90 %", "long flows, mean, θ-PowerTCP"+hpcc, papers.About, 35, 15, "%", mean(byLoad, kindLong, nameTheta))
	o.Claim("80 %, 1 to 16 requests/s", "short flows, mean, PowerTCP"+hpcc, papers.About, -24, 10, "%", mean(byRate, kindShort, nameInt))
	o.Claim("80 %, 16 requests/s", "short flows, PowerTCP"+hpcc, papers.About, -33, 10, "%", change(byRate[2][nameInt][kindShort], byRate[2][nameHPCC][kindShort]))
	o.Claim("80 %, 1 to 16 requests/s", "long flows, mean, PowerTCP"+hpcc, papers.About, -10, 5, "%", mean(byRate, kindLong, nameInt))
	o.Claim("80 %, requests for 1 MB", "short flows, PowerTCP"+hpcc, papers.About, -20, 10, "%", change(bySize[0][nameInt][kindShort], bySize[0][nameHPCC][kindShort]))
	o.Claim("80 %, requests for 8 MB", "short flows, PowerTCP"+hpcc, papers.About, -7, 10, "%", change(bySize[1][nameInt][kindShort], bySize[1][nameHPCC][kindShort]))
	o.Claim("80 %, requests for 1 and 8 MB", "long flows, mean, PowerTCP"+hpcc, papers.About, -5, 5, "%", mean(bySize, kindLong, nameInt))
	o.Claim("80 %, requests for 1 and 8 MB", "long flows, mean, θ-PowerTCP"+hpcc, papers.About, 30, 15, "%", mean(bySize, kindLong, nameTheta))
	o.Claim("80 %, requests for 1 and 8 MB", "short flows, mean, θ-PowerTCP"+hpcc, papers.About, -9, 10, "%", mean(bySize, kindShort, nameTheta))
	memory := func(list map[string]*treeRan, name string) float64 {
		return change(measure.Percentile(list[name].memory, .99), measure.Percentile(list[nameHPCC].memory, .99))
	}
	o.Claim("80 %", "99th percentile of the fullest memory, PowerTCP"+hpcc, papers.About, -50, 15, "%", memory(plain, nameInt))
	o.Claim("80 %, 16 requests/s", "99th percentile of the fullest memory, PowerTCP"+hpcc, papers.About, -31, 15, "%", memory(burst, nameInt))
	o.Claim("80 %, 16 requests/s", "99th percentile of the fullest memory, θ-PowerTCP"+hpcc, papers.About, -31, 15, "%", memory(burst, nameTheta))
	return nil
}

// incast is Fig. 2.4, bottom: to the receiver of a long flow ten others of 1 MB, and at the same time the answers of all other hosts to a query, 2,800 bytes
// each as in the authors' files.
func incast(net *topo.Tree, seed uint64) ([]workload.Flow, error) {
	to := len(net.Hosts) - 1
	flows := []workload.Flow{{Src: 0, Dst: to, Bytes: 12_500_000}}
	for i := range burstFlows {
		flows = append(flows, workload.Flow{Src: 1 + 25*i, Dst: to, Bytes: burstBytes, Start: burstAt * us})
	}
	for src := range to {
		flows = append(flows, workload.Flow{Src: src, Dst: to, Bytes: 2800, Start: burstAt * us})
	}
	workload.Spread(flows[1:], uint64(net.Hosts[0].Time(treeMTU)), rand.New(rand.NewPCG(seed, 1)))
	return flows, nil
}

func powertcp24bottom(ctx context.Context, l lab, o *papers.Outcome) error {
	o.Head = []string{"scheme", "most in the queue, KB", "µs until it is empty again", "then carried in 1 ms, %", "in the worst 100 µs of it, %", "µs to the last answer", "pauses", "drops"}
	var runs []*treeRun
	for _, s := range schemes[:4] {
		runs = append(runs, &treeRun{scheme: s, setup: "255:1", flows: incast, watch: racks*perRack - 1})
	}
	out, err := l.trees(ctx, runs)
	if err != nil {
		return err
	}
	low := map[string]float64{}
	for i, r := range out {
		b := after(r.series, burstFlows+1)
		var last float64
		for _, f := range r.Flows[1+burstFlows:] {
			last = max(last, float64(f.Received)/us-burstAt)
		}
		name := runs[i].name
		low[name] = b.low
		r.series.Name = name
		o.Series = append(o.Series, papers.Plot{Run: name, Ports: []measure.Series{r.series}})
		o.Rows = append(o.Rows, []string{name, fmt.Sprintf("%.1f", b.peak), fmt.Sprintf("%.0f", b.calm), fmt.Sprintf("%.1f", b.carried), fmt.Sprintf("%.1f", b.low),
			fmt.Sprintf("%.0f", last), fmt.Sprint(r.Counts.Pauses), fmt.Sprint(r.Counts.Dropped())})
	}
	o.Claim("255:1", "PowerTCP carries in the worst 100 µs after the burst", papers.AtLeast, 95, 0, "%", low[nameInt])
	o.Claim("255:1", "θ-PowerTCP carries in the worst 100 µs after the burst", papers.AtLeast, 95, 0, "%", low[nameTheta])
	o.Claim("255:1", "HPCC carries in the worst 100 µs after the burst, less PowerTCP", papers.AtMost, 0, 0, "%", low[nameHPCC]-low[nameInt])
	o.Claim("255:1", "TIMELY carries in the worst 100 µs after the burst, less PowerTCP", papers.AtMost, 0, 0, "%", low[nameTime]-low[nameInt])
	return nil
}

// Fig. 2.5: four flows of hosts of a rack to another host of it begin a millisecond after each other. Each has as many bytes as fair shares let it send until it ends,
// also a millisecond after the one before it.
const (
	joiners  = 4
	joinBins = 20 // of a millisecond
)

// byFlow counts what leaves a port, by flow and bin.
type byFlow struct {
	bin   fabric.Instant
	bytes [joiners][]float64
}

func (w *byFlow) Queued(fabric.Instant, int64)                          {}
func (w *byFlow) Dropped(fabric.Instant, *fabric.Packet, fabric.Reason) {}
func (w *byFlow) Left(now fabric.Instant, p *fabric.Packet) {
	if p.Kind != fabric.Data {
		return
	}
	list := &w.bytes[p.Flow]
	for len(*list) <= int(now/w.bin) {
		*list = append(*list, 0)
	}
	(*list)[now/w.bin] += float64(p.Size)
}

// jain is the Jain index of the rates of flows from one to another one in a bin; 0 if nothing came.
func (w *byFlow) jain(first, behind, bin int) float64 {
	rates := make([]float64, behind-first)
	for i := range rates {
		if list := w.bytes[first+i]; bin < len(list) {
			rates[i] = list[bin]
		}
	}
	if slices.Max(rates) == 0 {
		return 0
	}
	return measure.Jain(rates)
}

// shares runs a scheme with a τ in ns: for each of the 2·joiners-1 milliseconds the Jain index over its second half, and after how many µs the index of 50 µs first was 0.95.
func (l lab) shares(ctx context.Context, s scheme, tau uint64) (jain, after []float64, err error) {
	shape := topo.Shape{Tiers: 1, Hosts: joiners + 1, Host: fabric.Link{Gbps: 25, Delay: 1 * us}}
	net, err := topo.New(&shape, l.Seed)
	if err != nil {
		return nil, nil, err
	}
	const ms = 1000 * us
	var flows []workload.Flow
	for f := range joiners {
		var bytes float64
		for k := f; k < f+joiners; k++ {
			first, behind := present(k)
			bytes += 25. / 8 * 1e6 / float64(behind-first) * treeBytes / treeMTU
		}
		flows = append(flows, workload.Flow{Src: f, Dst: joiners, Bytes: uint64(bytes), Start: uint64(f) * ms})
	}
	w := &byFlow{bin: ms / joinBins}
	net.Hosts[joiners].Peer().Watch = w
	if _, err = l.hosts(ctx, net, s, flows, tau); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.name, err)
	}
	for k := range 2*joiners - 1 {
		first, behind := present(k)
		var sum float64
		settled := 1000.
		for b := joinBins - 1; b >= 0; b-- {
			x := w.jain(first, behind, k*joinBins+b)
			if b >= joinBins/2 {
				sum += x / (joinBins / 2)
			}
			if x >= .95 {
				settled = float64(b) * 1000 / joinBins
			}
		}
		jain, after = append(jain, sum), append(after, settled)
	}
	return jain, after, nil
}

// present are the flows of a millisecond, with fair shares.
func present(ms int) (first, behind int) { return max(0, ms-joiners+1), min(ms+1, joiners) }

func powertcp25(ctx context.Context, l lab, o *papers.Outcome) error {
	o.Head = []string{"scheme", "Jain index in the second half of each millisecond, with 1, 2, 3, 4, 3, 2, 1 flows", "µs until it is 0.95"}
	// τ is the longest round trip of the data centre, also for near hosts (§2.3.1).
	shape := treeShape()
	net, err := topo.New(&shape, l.Seed)
	if err != nil {
		return err
	}
	tau := net.LongestRoundTrip(treeMTU).NS()
	for _, s := range schemes[:4] {
		jain, after, err := l.shares(ctx, s, tau)
		if err != nil {
			return err
		}
		list := func(format string, x []float64) string {
			var words []string
			for _, v := range x {
				words = append(words, fmt.Sprintf(format, v))
			}
			return strings.Join(words, ", ")
		}
		o.Rows = append(o.Rows, []string{s.name, list("%.3f", jain), list("%.0f", after)})
		if s.set != "" {
			o.Claim("rack", s.name+"'s least Jain index in the second half of a millisecond", papers.AtLeast, .95, 0, "", slices.Min(jain))
		}
	}
	return nil
}
