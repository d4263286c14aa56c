// SPDX-License-Identifier: Apache-2.0

// Package dcsim has the figures of the DCSIM paper that are simulated.
package dcsim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/nicgen/nicgen/gen/dcsim"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// unitDCSIM is the unit that brings the hosts of these figures.
const unitDCSIM = "dcsim_source"

// Figures are the figures of Straussman et al., "Simulate Before Sending: Rethinking Transport in Datacenter Networks", NINeS
// 2026.
var Figures = []papers.Figure{
	{Name: "dcsim-eq5", Title: "The bound on the round trip of a SIM", Paper: "DCSIM Eq. 5, §2.5", Models: papers.ByClock, Work: papers.By(dcsimEq5)},
	{Name: "dcsim-8", Title: "Five all-to-all-v, half of the core switches at 1 % of their rate", Paper: "DCSIM Fig. 8, §4.2", Models: papers.ByClock, Work: papers.By(dcsim8)},
	{Name: "dcsim-10", Title: "SIMs and DATAs at the last hop", Paper: "DCSIM Fig. 10, §4.4", Models: papers.ByClock, Work: papers.By(dcsim10)},
	{Name: "dcsim-11", Title: "Loss by the length of DATA queues", Paper: "DCSIM Fig. 11, §4.4", Models: papers.ByClock, Work: papers.By(dcsim11)},
}

// lab has the runs of these figures.
type lab struct{ *papers.Lab }

const us = 1_000_000 // ps

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

// collectives is a run with DCSIM without its seed.
type collectives struct {
	setup  string
	packet int64 // bytes of a DATA
	data   int   // DATAs that wait at a port; 0: what the buffer has room for
	flows  func(rnd *rand.Rand, hosts int) ([][]workload.Flow, error)
	change func(t *topo.Tree, period fabric.Instant)
	watch  func(t *topo.Tree, flows [][]workload.Flow)
	rtl    bool  // all hosts are RTL by that model; else one of each run is, but with Cycles
	ack    int64 // ns that a DATA-ACK may wait; 0: three times RTTp, as in §2.4
	sims   int64 // times the rate of Eq. 2 at which hosts may send SIMs; 0: 1
}

// network returns the network that Eq. 2 and 5 describe.
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

// shape is the network.
func (c *collectives) shape() topo.Shape {
	data := c.data
	if data == 0 {
		data = int((dcsimBuffer - 3*dcsimQueue*dcsimProbe) / c.packet)
	}
	const half = dcsimRadix / 2
	const delay fabric.Instant = dcsimRTT * 1000 / (2 * dcsimHops)
	// Units take a part of it in hosts, which a SIM and its SIM-ACK pass four times.
	const inHost fabric.Instant = dcsimUnits * 1_000_000_000_000 / dcsimClock / 4
	return topo.Shape{Tiers: 3, Pods: dcsimRadix, Leaves: half, Hosts: half, Spines: half, Cores: half,
		Host: fabric.Link{Gbps: dcsimGbps, Delay: delay - inHost}, Fabric: fabric.Link{Gbps: dcsimGbps, Delay: delay},
		Queue: fabric.Queueing{Packets: [fabric.Classes]int{dcsimQueue, dcsimQueue, dcsimQueue, data}, Bucket: fabric.Bucket{Period: period(c.network()), Size: 2}}}
}

// dcsimRan holds the results of a run.
type dcsimRan struct {
	*transport.EndpointResult
	tree *topo.Tree
	ccts []float64 // µs
	// At switches, by class.
	lost    [fabric.Classes]uint64
	longest [fabric.Classes]int
}

// open makes the network and the flows of a run with a seed.
func (c *collectives) open(shape *topo.Shape, seed uint64) (*topo.Tree, [][]workload.Flow, error) {
	tree, err := topo.New(shape, seed)
	if err != nil {
		return nil, nil, err
	}
	groups, err := c.flows(rand.New(rand.NewPCG(seed, 4)), len(tree.Hosts))
	return tree, groups, err
}

// collective runs a run with a seed.
func (l lab) collective(ctx context.Context, c *collectives, seed uint64) (r *dcsimRan, err error) {
	maker, err := l.Endpoints(unitDCSIM)
	if err != nil {
		return nil, err
	}
	n := c.network()
	shape := c.shape()
	tree, groups, err := c.open(&shape, seed)
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
	}
	flows = slices.Concat(groups...)
	set := &transport.EndpointSettings{ClockHz: dcsimClock, Gbps: dcsimGbps, PacketBytes: c.packet, ProbeBytes: dcsimProbe, ProbeRate: c.sims, Queue: dcsimQueue, Hops: dcsimHops,
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
	return ranOf(tree, groups, res), nil
}

// ranOf returns the results of a run with groups of flows.
func ranOf(tree *topo.Tree, groups [][]workload.Flow, res *transport.EndpointResult) *dcsimRan {
	r := &dcsimRan{EndpointResult: res, tree: tree}
	r.ccts = ccts(groups, res.Flows)
	for _, p := range tree.Ports() {
		for k := range fabric.Classes {
			r.lost[k] += p.Lost[k]
			if _, ok := p.Node().(*topo.Switch); ok {
				r.longest[k] = max(r.longest[k], p.Longest[k])
			}
		}
	}
	return r
}

// ccts are the completion times of collectives in µs, of all their flows in order.
func ccts(groups [][]workload.Flow, flows []transport.Done) (list []float64) {
	for _, g := range groups {
		var last fabric.Instant
		for _, f := range flows[:len(g)] {
			last = max(last, f.Received)
		}
		flows = flows[len(g):]
		list = append(list, float64(last)/1e6)
	}
	return list
}

// fiveCollectives returns §4.1's baseline: five all-to-all-v, each of 8, 16, 32 or 64 hosts drawn at random, with the given average
// number of packets for each other host.
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

// meanCCT returns the mean completion time of all collectives of the runs, in µs.
func meanCCT(runs []*dcsimRan) (sum float64) {
	for _, r := range runs {
		m, _ := measure.Mean(r.ccts)
		sum += m / float64(len(runs))
	}
	return sum
}

// dcsimRow adds a row with the results of a set-up's runs, one run per seed. A scheme whose probes are not answered has no SIMs, and
// dashes for them.
func dcsimRow(o *papers.Outcome, setup string, runs []*dcsimRan) {
	o.Head = []string{"setup", "runs", "mean CCT, µs", "DATAs", "DATAs lost", "lost, %", "overtaken", "came twice", "longest DATA queue", "SIMs", "SIMs lost, %", "SIM-ACKs lost", "DATA-ACKs lost", "late SIM-ACKs", "SIM to SIM-ACK, mean / longest, µs", "DATA on its way, mean, µs"}
	var sims, simsLost, datas, lost, behind, again, late, delay, delivered float64
	var queue int
	var acks [2]float64
	var rtt, sum, answers uint64
	for _, r := range runs {
		sims, simsLost = sims+float64(r.Hosts.Probes), simsLost+float64(r.lost[classSIM])
		datas, lost = datas+float64(r.Hosts.Packets), lost+float64(r.lost[classDATA])
		behind, again = behind+float64(r.Behind), again+float64(r.Again)
		acks[0], acks[1] = acks[0]+float64(r.lost[1]), acks[1]+float64(r.lost[2])
		late += float64(r.Hosts.LateAnswers)
		queue, rtt = max(queue, r.longest[classDATA]), max(rtt, r.Hosts.MostRTT)
		sum, answers = sum+r.Hosts.SumRTT, answers+r.Hosts.Answers
		delay, delivered = delay+float64(r.Delay)/1e6, delivered+float64(r.Delivered)
	}
	bySIMs := []string{"–", "–", "–", "–", "–", "–"}
	if answers > 0 {
		bySIMs = []string{fmt.Sprintf("%.0f", sims), fmt.Sprintf("%.2f", 100*simsLost/sims), fmt.Sprintf("%.0f", acks[0]), fmt.Sprintf("%.0f", acks[1]), fmt.Sprintf("%.0f", late),
			fmt.Sprintf("%.2f / %.2f", micros(sum)/float64(answers), micros(rtt))}
	}
	o.Rows = append(o.Rows, slices.Concat([]string{setup, fmt.Sprint(len(runs)), fmt.Sprintf("%.1f", meanCCT(runs)), fmt.Sprintf("%.0f", datas), fmt.Sprintf("%.0f", lost),
		fmt.Sprintf("%.4f", 100*lost/datas), fmt.Sprintf("%.0f", behind), fmt.Sprintf("%.0f", again), fmt.Sprint(queue)}, bySIMs, []string{fmt.Sprintf("%.2f", delay/delivered)}))
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

func dcsimEq5(ctx context.Context, l lab, o *papers.Outcome) error {
	const rounded = "§2.5's example, α rounded down"
	for _, x := range []struct {
		packet  int64
		packets int
	}{{1500, 6}, {jumbo, 2}} {
		c := &collectives{setup: fmt.Sprintf("all-to-all-v of all hosts, %d bytes", x.packet), packet: x.packet, flows: allToAll(x.packets, uint64(x.packet)), rtl: true}
		n := c.network()
		bound := rttMax(n)
		if x.packet == 1500 {
			// The paper's α is 23: as DATAs of 23 times ℓ would have it.
			whole := n
			whole.PacketBytes = 1500 / dcsimProbe * dcsimProbe
			o.Claim(rounded, "RTTmax", papers.About, 10.3, 0.05, "µs", rttMax(whole))
			o.Claim(rounded, "RTTmax, of RTTp", papers.About, 1.32, 0.005, "times", rttMax(whole)*1000/dcsimRTT)
			o.Claim("§2.5's example, as the units have it", "RTTmax", papers.About, 10.3, 0.05, "µs", bound)
		}
		r, err := l.collective(ctx, c, l.Seed)
		if err != nil {
			return err
		}
		dcsimRow(o, c.setup, []*dcsimRan{r})
		o.Claim(c.setup, "longest time from a SIM to its SIM-ACK", papers.AtMost, papers.Round(bound), 0, "µs", micros(r.Hosts.MostRTT))
		o.Claim(c.setup, "SIM-ACKs that come after RTTmax", papers.AtMost, 0, 0, "", float64(r.Hosts.LateAnswers))
	}
	return nil
}

// halfCores leaves every other core switch a hundredth of its rate, of SIMs too.
func halfCores(t *topo.Tree, period fabric.Instant) {
	const part = 100
	for i, core := range t.Cores {
		if i%2 != 0 {
			continue
		}
		for _, p := range core.Down {
			for _, end := range []*fabric.Port{p, p.Peer()} {
				end.SetRate(dcsimGbps / part)
				end.SetBucket(fabric.Bucket{Period: part * period, Size: 2})
			}
		}
	}
}

// collectives runs a run with some seeds and adds a row.
func (l lab) collectives(ctx context.Context, o *papers.Outcome, c *collectives, n int) (list []*dcsimRan, err error) {
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

func dcsim8(ctx context.Context, l lab, o *papers.Outcome) error {
	c := &collectives{setup: "half of the cores", packet: jumbo, flows: fiveCollectives(2*dcsimBDP, jumbo), change: halfCores}
	list, err := l.collectives(ctx, o, c, dcsimSeeds)
	if err != nil {
		return err
	}
	o.Claim(c.setup, "DATAs lost", papers.AtMost, 0, 0, "%", lossOf(list))
	if err := l.rivals(ctx, o, c, list); err != nil {
		return err
	}
	// The cost of a host's bucket: half of its tokens go to SIMs that are lost.
	more := *c
	more.setup, more.sims = c.setup+", hosts send twice the SIMs", 2
	_, err = l.collectives(ctx, o, &more, dcsimSeeds)
	return err
}

// dcsimSeeds is the number of runs of each kind, which take minutes each. The paper has 20.
const dcsimSeeds = 1

// dcsim10 watches the last hops to five hosts.
func dcsim10(ctx context.Context, l lab, o *papers.Outcome) error {
	const bin = us / 10
	o.Head = []string{"setup", "window, µs", "SIMs and DATAs that leave: correlation", "at a lag of, RTTmax", "that come, dropped ones too", "at a lag of, RTTmax", "that wait", "at a lag of, RTTmax",
		"SIMs lost, %", "SIM to SIM-ACK, mean, µs", "DATA on its way, mean, µs"}
	for _, x := range []struct {
		setup  string
		flows  func(rnd *rand.Rand, hosts int) ([][]workload.Flow, error)
		change func(t *topo.Tree, period fabric.Instant)
	}{{"five all-to-all-v", fiveCollectives(2*dcsimBDP, jumbo), nil}, {"five all-to-all-v, half of the cores", fiveCollectives(2*dcsimBDP, jumbo), halfCores},
		{"one all-to-all-v of all hosts", allToAll(16, jumbo), nil}} {
		c := &collectives{setup: x.setup, packet: jumbo, flows: x.flows, change: x.change}
		var traces []*measure.Classes
		c.watch = func(t *topo.Tree, groups [][]workload.Flow) {
			for i := range 5 {
				g := groups[i%len(groups)]
				traces = append(traces, measure.WatchClasses(t.Network, t.Hosts[g[i*len(g)/5].Src].Peer(), bin))
			}
		}
		r, err := l.collective(ctx, c, l.Seed)
		if err != nil {
			return err
		}
		max := rttMax(c.network()) * us / bin // in bins
		for _, w := range []int{1, 2, 5, 10, 20, 50} {
			row := []string{c.setup, fmt.Sprint(float64(w) * bin / us)}
			for i := range 3 {
				var best, lag float64
				for _, t := range traces {
					of := []*[fabric.Classes][]float64{&t.Left, &t.Came, &t.Queue}[i]
					k, high := measure.Peak(measure.Windows(of[classSIM], w), measure.Windows(of[classDATA], w), int(1.5*max))
					best, lag = best+high/float64(len(traces)), lag+float64(k)/max/float64(len(traces))
				}
				row = append(row, fmt.Sprintf("%.2f", best), fmt.Sprintf("%.2f", lag))
				if i == 0 && w == 10 {
					o.Claim(c.setup, "highest correlation of rates, windows of 1 µs, mean of five last hops", papers.About, 0.77, 0.05, "", best)
					o.Claim(c.setup, "its lag", papers.About, 0.86, 0.03, "RTTmax", lag)
				}
			}
			o.Rows = append(o.Rows, append(row, fmt.Sprintf("%.1f", 100*float64(r.lost[classSIM])/float64(r.Hosts.Probes)),
				fmt.Sprintf("%.2f", micros(r.Hosts.SumRTT)/float64(r.Hosts.Answers)), fmt.Sprintf("%.2f", float64(r.Delay)/1e6/float64(r.Delivered))))
		}
	}
	return nil
}

func dcsim11(ctx context.Context, l lab, o *papers.Outcome) error {
	five := fiveCollectives(2*dcsimBDP, jumbo)
	// Twelve DATAs of each of 63 flows at full rate: then DATA-ACKs are no more than Eq. 2 leaves them.
	rare, _ := (&collectives{packet: jumbo}).network().Period().Float64()
	for _, x := range []struct {
		ratio float64
		ack   int64
	}{{1, 0}, {1.5, 0}, {2, 0}, {3, 0}, {2, int64(12 * 63 * rare)}} {
		c := &collectives{setup: fmt.Sprintf("B_DATA = %g B", x.ratio), packet: jumbo, data: int(x.ratio * dcsimQueue), flows: five, ack: x.ack}
		if x.ack > 0 {
			c.setup += fmt.Sprintf(", DATA-ACKs after %d µs", x.ack/1000)
		}
		list, err := l.collectives(ctx, o, c, dcsimSeeds)
		if err != nil {
			return err
		}
		if loss := lossOf(list); x.ratio >= 2 {
			o.Claim(c.setup, "DATAs lost", papers.AtMost, 0, 0, "%", loss)
		} else if x.ratio == 1 {
			o.Claim(c.setup, "runs that lose DATAs", papers.AtLeast, 1, 0, "", float64(losing(list)))
		}
	}
	return nil
}

// losing is the number of runs in which DATAs were lost.
func losing(list []*dcsimRan) (n int) {
	for _, r := range list {
		if r.lost[classDATA] > 0 {
			n++
		}
	}
	return n
}
