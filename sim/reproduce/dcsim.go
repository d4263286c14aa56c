// SPDX-License-Identifier: Apache-2.0

package reproduce

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/model/dcsim"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// unitDCSIM is the unit that brings the hosts of these figures.
const unitDCSIM = "dcsim_source"

// dcsimFigures are those of Straussman et al., "Simulate Before Sending: Rethinking Transport in Datacenter Networks", NINeS 2026.
var dcsimFigures = []Figure{
	{"dcsim-eq5", "The bound on the round trip of a SIM", "DCSIM Eq. 5, §2.5", both, dcsimEq5},
	{"dcsim-8", "Five all-to-all-v, half of the core switches at 1 % of their rate", "DCSIM Fig. 8, §4.2", both, dcsim8},
	{"dcsim-10", "SIMs and DATAs at the last hop", "DCSIM Fig. 10, §4.4", both, dcsim10},
	{"dcsim-11", "Loss by the length of DATA queues", "DCSIM Fig. 11, §4.4", both, dcsim11},
}

// The network of §4.1.
const (
	dcsimRadix  = 8
	dcsimGbps   = 800
	dcsimClock  = 322_265_625 // Hz, of the units
	dcsimProbe  = 64          // bytes
	dcsimQueue  = 12          // B
	dcsimHops   = 6
	dcsimRTT    = 7800    // ns: six times a link's 200 and a node's 450, there and back
	dcsimBuffer = 500_000 // bytes of a port
	dcsimBDP    = 87      // packets of 9 KB
	jumbo       = 9000
	dcsimUnits  = 64 // clocks that a SIM and its SIM-ACK spend in units, at most: part of a host's 450 ns
)

// Payload is the last class, so it is DATA.
const (
	classSIM  = 0
	classDATA = transport.Payload
)

// collectives is a run with DCSIM, but for its seed.
type collectives struct {
	setup  string
	packet int64 // bytes of a DATA
	data   int   // DATAs that wait at a port; 0: what the buffer has room for
	flows  func(rnd *rand.Rand, hosts int) ([][]workload.Flow, error)
	change func(t *topo.Tree, period fabric.Instant)
	watch  func(t *topo.Tree, flows [][]workload.Flow)
	rtl    bool  // all hosts are RTL by that model; else one of each run is
	ack    int64 // ns that a DATA-ACK may wait; 0: three times RTTp, as in §2.4
}

// network is what Eq. 2 and 5 are of.
func (c *collectives) network() dcsim.Network {
	return dcsim.Network{RateGbps: dcsimGbps, PacketBytes: c.packet, ProbeBytes: dcsimProbe, Hops: dcsimHops, Queue: dcsimQueue, RTTNS: dcsimRTT}
}

// rttMax is Eq. 5 in µs.
func rttMax(n dcsim.Network) float64 {
	x, _ := n.RTTMax().Float64()
	return x / 1000
}

// period is the time between two tokens.
func period(n dcsim.Network) fabric.Instant {
	x, _ := n.Period().Float64()
	return fabric.Instant(x*1000 + 0.5)
}

// dcsimRan is what came out of a run.
type dcsimRan struct {
	*transport.EndpointResult
	tree *topo.Tree
	ccts []float64 // µs
	// At switches, by class.
	lost    [fabric.Classes]uint64
	longest [fabric.Classes]int
}

// collective runs a run with a seed.
func (l *Lab) collective(ctx context.Context, c *collectives, seed uint64) (r *dcsimRan, err error) {
	maker, err := l.Endpoints(unitDCSIM)
	if err != nil {
		return nil, err
	}
	n := c.network()
	data := c.data
	if data == 0 {
		data = int((dcsimBuffer - 3*dcsimQueue*dcsimProbe) / c.packet)
	}
	const half = dcsimRadix / 2
	delay := fabric.Instant(dcsimRTT * 1000 / (2 * dcsimHops))
	// Units take a part of it in hosts, which a SIM and its SIM-ACK pass four times.
	const inHost fabric.Instant = dcsimUnits * 1_000_000_000_000 / dcsimClock / 4
	shape := topo.Shape{Tiers: 3, Pods: dcsimRadix, Leaves: half, Hosts: half, Spines: half, Cores: half,
		Host: fabric.Link{Gbps: dcsimGbps, Delay: delay - inHost}, Fabric: fabric.Link{Gbps: dcsimGbps, Delay: delay},
		Queue: fabric.Queueing{Packets: [fabric.Classes]int{dcsimQueue, dcsimQueue, dcsimQueue, data}, Bucket: fabric.Bucket{Period: period(n), Size: 2}}}
	tree, err := topo.New(&shape, seed)
	if err != nil {
		return nil, err
	}
	groups, err := c.flows(rand.New(rand.NewPCG(seed, 4)), len(tree.Hosts))
	if err != nil {
		return nil, err
	}
	if c.change != nil {
		c.change(tree, period(n))
	}
	if c.watch != nil {
		c.watch(tree, groups)
	}
	var flows []workload.Flow
	own, most := make([]int, len(tree.Hosts)), 1
	for _, g := range groups {
		for _, f := range g {
			own[f.Src]++
			most = max(most, own[f.Src])
		}
		flows = append(flows, g...)
	}
	set := &transport.EndpointSettings{ClockHz: dcsimClock, Gbps: dcsimGbps, PacketBytes: c.packet, ProbeBytes: dcsimProbe, Queue: dcsimQueue, Hops: dcsimHops,
		RTTNS: dcsimRTT, AckNS: c.ack, Hosts: len(tree.Hosts), Flows: most, Seed: seed, Deadline: 50_000_000}
	if c.ack == 0 {
		set.AckNS = 3 * dcsimRTT
	}
	if !c.rtl {
		set.RTL = []int{flows[0].Src}
	}
	hosts, err := maker(ctx, l.Model, set)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := hosts.Close(); err == nil {
			err = e
		}
	}()
	res, err := transport.RunEndpoints(ctx, tree, flows, set, hosts)
	if err == nil {
		err = tree.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s, seed %d: %w", c.setup, seed, err)
	}
	r = &dcsimRan{EndpointResult: res, tree: tree}
	first := 0
	for _, g := range groups {
		var last fabric.Instant
		for i := range g {
			last = max(last, res.Flows[first+i].Received)
		}
		first += len(g)
		r.ccts = append(r.ccts, float64(last)/1e6)
	}
	for _, p := range tree.Ports() {
		for k := range fabric.Classes {
			r.lost[k] += p.Lost[k]
			if _, ok := p.Node().(*topo.Switch); ok {
				r.longest[k] = max(r.longest[k], p.Longest[k])
			}
		}
	}
	return r, nil
}

// fiveCollectives are §4.1's baseline: five all-to-all-v, each of 8, 16, 32 or 64 hosts drawn at random, with so many packets for each
// other host on average.
func fiveCollectives(packets int, bytes uint64) func(rnd *rand.Rand, hosts int) ([][]workload.Flow, error) {
	return func(rnd *rand.Rand, hosts int) (list [][]workload.Flow, err error) {
		for range 5 {
			members := rnd.Perm(hosts)[:8<<rnd.IntN(4)]
			g, err := workload.AllToAllV(members, packets, bytes, rnd)
			if err != nil {
				return nil, err
			}
			list = append(list, g)
		}
		return list, nil
	}
}

// row adds what came out of runs of a set-up, one a seed.
func dcsimRow(o *Outcome, setup string, runs []*dcsimRan) {
	o.Head = []string{"setup", "runs", "mean CCT, µs", "DATAs", "DATAs lost", "lost, %", "overtaken", "came twice", "longest DATA queue", "SIMs", "SIMs lost, %", "SIM-ACKs lost", "DATA-ACKs lost", "late SIM-ACKs", "longest SIM, µs", "DATA on its way, µs"}
	var cct, sims, simsLost, datas, lost, behind, again, late, delay, delivered float64
	var queue int
	var acks [2]float64
	var rtt uint64
	for _, r := range runs {
		m, _ := measure.Mean(r.ccts)
		cct += m / float64(len(runs))
		sims, simsLost = sims+float64(r.Hosts.Probes), simsLost+float64(r.lost[classSIM])
		datas, lost = datas+float64(r.Hosts.Packets), lost+float64(r.lost[classDATA])
		behind, again = behind+float64(r.Behind), again+float64(r.Again)
		acks[0], acks[1] = acks[0]+float64(r.lost[1]), acks[1]+float64(r.lost[2])
		late += float64(r.Hosts.LateAnswers)
		queue, rtt = max(queue, r.longest[classDATA]), max(rtt, r.Hosts.MostRTT)
		delay, delivered = delay+float64(r.Delay)/1e6, delivered+float64(r.Delivered)
	}
	o.Rows = append(o.Rows, []string{setup, fmt.Sprint(len(runs)), fmt.Sprintf("%.1f", cct), fmt.Sprintf("%.0f", datas), fmt.Sprintf("%.0f", lost), fmt.Sprintf("%.4f", 100*lost/datas),
		fmt.Sprintf("%.0f", behind), fmt.Sprintf("%.0f", again), fmt.Sprint(queue), fmt.Sprintf("%.0f", sims), fmt.Sprintf("%.2f", 100*simsLost/sims), fmt.Sprintf("%.0f", acks[0]), fmt.Sprintf("%.0f", acks[1]), fmt.Sprintf("%.0f", late),
		fmt.Sprintf("%.2f", micros(rtt)), fmt.Sprintf("%.2f", delay/delivered)})
}

// micros are clocks in µs.
func micros(clocks uint64) float64 { return float64(clocks) * 1e6 / dcsimClock }

// allToAll is one all-to-all-v of all hosts.
func allToAll(packets int, bytes uint64) func(rnd *rand.Rand, hosts int) ([][]workload.Flow, error) {
	return func(rnd *rand.Rand, hosts int) ([][]workload.Flow, error) {
		g, err := workload.AllToAllV(rnd.Perm(hosts), packets, bytes, rnd)
		return [][]workload.Flow{g}, err
	}
}

func dcsimEq5(ctx context.Context, l *Lab, o *Outcome) error {
	const rounded = "§2.5's example, α rounded down"
	for _, x := range []struct {
		packet  int64
		packets int
	}{{1500, 8}, {jumbo, 4}} {
		c := &collectives{setup: fmt.Sprintf("all-to-all-v of all hosts, %d bytes", x.packet), packet: x.packet, flows: allToAll(x.packets, uint64(x.packet)), rtl: true}
		n := c.network()
		bound := rttMax(n)
		if x.packet == 1500 {
			// The paper's α is 23: as DATAs of 23 times ℓ would have it.
			whole := n
			whole.PacketBytes = 1500 / dcsimProbe * dcsimProbe
			o.claim(rounded, "RTTmax", About, 10.3, 0.05, "µs", rttMax(whole))
			o.claim(rounded, "RTTmax, of RTTp", About, 1.32, 0.005, "times", rttMax(whole)*1000/dcsimRTT)
			o.claim("§2.5's example, as the units have it", "RTTmax", About, 10.3, 0.05, "µs", bound)
		}
		r, err := l.collective(ctx, c, l.Seed)
		if err != nil {
			return err
		}
		dcsimRow(o, c.setup, []*dcsimRan{r})
		o.claim(c.setup, "longest time from a SIM to its SIM-ACK", AtMost, round(bound), 0, "µs", micros(r.Hosts.MostRTT))
		o.claim(c.setup, "SIM-ACKs that come after RTTmax", AtMost, 0, 0, "", float64(r.Hosts.LateAnswers))
	}
	return nil
}

// halfCores leaves every other core switch a hundredth of its rate, of SIMs too if their tokens are scaled.
func halfCores(scaled bool) func(t *topo.Tree, period fabric.Instant) {
	const part = 100
	return func(t *topo.Tree, period fabric.Instant) {
		for i, core := range t.Cores {
			if i%2 != 0 {
				continue
			}
			for _, p := range core.Down {
				for _, end := range []*fabric.Port{p, p.Peer()} {
					end.SetRate(dcsimGbps / part)
					if scaled {
						end.SetBucket(fabric.Bucket{Period: part * period, Size: 2})
					}
				}
			}
		}
	}
}

// seeds runs a run with some seeds and adds a row.
func (l *Lab) collectives(ctx context.Context, o *Outcome, c *collectives, n int) (list []*dcsimRan, err error) {
	for i := range n {
		r, err := l.collective(ctx, c, l.Seed+uint64(i))
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	dcsimRow(o, c.setup, list)
	return list, nil
}

// lossOf is the share of DATAs that were lost in runs, in %.
func lossOf(list []*dcsimRan) float64 {
	var lost, sent float64
	for _, r := range list {
		lost, sent = lost+float64(r.lost[classDATA]), sent+float64(r.Hosts.Packets)
	}
	return 100 * lost / sent
}

func dcsim8(ctx context.Context, l *Lab, o *Outcome) error {
	base := collectives{packet: jumbo, flows: fiveCollectives(2*dcsimBDP, jumbo)}
	for _, x := range []struct {
		setup  string
		change func(t *topo.Tree, period fabric.Instant)
	}{{"all cores", nil}, {"half of the cores, SIMs at 1 % too", halfCores(true)}, {"half of the cores, SIMs as before", halfCores(false)}} {
		c := base
		c.setup, c.change = x.setup, x.change
		list, err := l.collectives(ctx, o, &c, dcsimSeeds)
		if err != nil {
			return err
		}
		o.claim(c.setup, "DATAs lost", AtMost, 0, 0, "%", lossOf(list))
	}
	return nil
}

// dcsimSeeds is the number of runs of each kind. The paper has 20.
const dcsimSeeds = 3

// dcsim10 watches a last hop to a host of each collective.
func dcsim10(ctx context.Context, l *Lab, o *Outcome) error {
	const bin = us / 10
	o.Head = []string{"setup", "last hop", "window, µs", "SIMs and DATAs that leave", "at a lag of, RTTmax", "that come, dropped ones too", "at a lag of, RTTmax", "SIMs and DATAs that wait", "at a lag of, RTTmax"}
	for _, x := range []struct {
		setup  string
		change func(t *topo.Tree, period fabric.Instant)
	}{{"all cores", nil}, {"half of the cores", halfCores(true)}} {
		c := &collectives{setup: x.setup, packet: jumbo, flows: fiveCollectives(2*dcsimBDP, jumbo), change: x.change}
		var traces []*measure.Classes
		c.watch = func(t *topo.Tree, groups [][]workload.Flow) {
			for _, g := range groups {
				traces = append(traces, measure.WatchClasses(t.Network, t.Hosts[g[0].Src].Peer(), bin))
			}
		}
		if _, err := l.collective(ctx, c, l.Seed); err != nil {
			return err
		}
		max := rttMax(c.network()) * us / bin // in bins
		var all, lags []float64
		for _, w := range []int{1, 2, 5, 10, 20, 50} {
			for _, t := range traces {
				row := []string{c.setup, t.Name(), fmt.Sprint(float64(w) / 10)}
				for i, of := range []*[fabric.Classes][]float64{&t.Left, &t.Came, &t.Queue} {
					lag, best := measure.Peak(measure.Windows(of[classSIM], w), measure.Windows(of[classDATA], w), int(1.5*max))
					row = append(row, fmt.Sprintf("%.2f", best), fmt.Sprintf("%.2f", float64(lag)/max))
					if i == 0 && w == 10 {
						all, lags = append(all, best), append(lags, float64(lag)/max)
					}
				}
				o.Rows = append(o.Rows, row)
			}
		}
		best, _ := measure.Mean(all)
		lag, _ := measure.Mean(lags)
		o.claim(c.setup, "highest correlation of rates in windows of 1 µs, mean of five last hops", About, 0.77, 0.05, "", best)
		o.claim(c.setup, "at a lag of", About, 0.86, 0.03, "RTTmax", lag)
	}
	return nil
}

func dcsim11(ctx context.Context, l *Lab, o *Outcome) error {
	for _, ratio := range []float64{0.5, 1, 1.5, 2, 3} {
		c := &collectives{setup: fmt.Sprintf("B_DATA = %g B", ratio), packet: jumbo, data: int(ratio * dcsimQueue), flows: fiveCollectives(2*dcsimBDP, jumbo)}
		list, err := l.collectives(ctx, o, c, dcsimSeeds)
		if err != nil {
			return err
		}
		if ratio >= 2 {
			o.claim(c.setup, "DATAs lost", AtMost, 0, 0, "%", lossOf(list))
		}
	}
	return nil
}
