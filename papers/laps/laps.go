// SPDX-License-Identifier: Apache-2.0

// Package laps has the figures of the LAPS paper that are simulated.
package laps

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// unitLAPS is the unit that these figures need.
const unitLAPS = "laps"

// Figures are the figures of Wan et al., "LAPS: Latency Aware Packet Spraying on Unequal-cost Multi-path Data Center Networks",
// IEEE Transactions on Networking 2026.
var Figures = []papers.Figure{
	{Name: "laps-t1", Title: "Entries of PST and PIT", Paper: "LAPS Table I, §IV-A", Work: papers.By(lapsT1)},
	{Name: "laps-t3", Title: "AllReduce on Rail: 63 messages of 64 MB to one GPU", Paper: "LAPS Table III, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(lapsT3)},
	{Name: "laps-t4", Title: "AllReduce on Dragonfly: 143 messages to one server", Paper: "LAPS Table IV, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(lapsT4)},
	{Name: "laps-9", Title: "Data mining, all to all on Rail at 50 and 80 %", Paper: "LAPS Fig. 9, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(laps9)},
	{Name: "laps-12", Title: "Cloud storage, all to all on Rail at 80 %", Paper: "LAPS Fig. 12, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(laps12)},
	{Name: "laps-19", Title: "Packets on routes of different lengths on Rail: data mining", Paper: "LAPS Fig. 19, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(laps19)},
	{Name: "laps-20s", Title: "Reordering at receivers on Rail: AllScatter", Paper: "LAPS Fig. 20, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(func(ctx context.Context, l lab, o *papers.Outcome) error { return laps20(ctx, l, o, false, message/32) })},
	{Name: "laps-20r", Title: "Reordering at a receiver on Rail: AllReduce", Paper: "LAPS Fig. 20, §IV-B", Models: papers.WithFloat, Takes: papers.RTLHosts, Work: papers.By(func(ctx context.Context, l lab, o *papers.Outcome) error { return laps20(ctx, l, o, true, message) })},
}

// lab has the runs of these figures.
type lab struct{ *papers.Lab }

const (
	us = 1_000_000 // ps
	ms = 1000 * us
)

// settings names a variant of LAPS by its settings.
type settings struct{ name, set string }

// meshRun is a simulated run, without its seed, in a network whose sources choose routes.
type meshRun struct {
	setup, scheme string
	cables        topo.Cables
	dragonfly     bool // else Rail
	loss          float64
	hosts         transport.Settings
	flows         []workload.Flow
	part          float64                                     // of the paper's bytes, as a divisor: times are multiplied by it; 0: 1
	set           string                                      // settings of LAPS
	by            func(h *transport.Host) transport.Transport // nil: LAPS
	few           int                                         // senders that have the RTL, and golden models the others: large runs; 0: all
}

// Set-ups. The paper's text has PFC and queues of 150 KB at once, but ports that let others pause in time need more.
const (
	lossless = "PFC"           // 32 MB a switch, evenly shared by its ports; queues have no other limit
	dropTail = "150 KB queues" // and no PFC
)

const (
	lapsPayload = 1000 // bytes, as in the authors' files
	lapsHeaders = 48
	linkDelay   = us // as in the authors' files
	message     = 64_000_000
	hostGbps    = 200 // as in the authors' file of Rail; with 100, as the text has it, Tables III and IV cannot be
)

// mesh returns what the runs of a set-up have in common.
func mesh(name string, dragonfly bool) meshRun {
	r := meshRun{setup: name, dragonfly: dragonfly,
		cables: topo.Cables{Host: fabric.Link{Gbps: hostGbps, Delay: linkDelay}, Fabric: fabric.Link{Gbps: 100, Delay: linkDelay}},
		hosts:  transport.Settings{Payload: lapsPayload, Headers: lapsHeaders, RTO: 50_000_000, Deadline: 10_000_000_000},
	}
	// ECN of 100 Gb/s ports as in the authors' files.
	r.cables.Queue.Marking = fabric.Marking{Min: 400_000, Max: 1_600_000, Chance: 0.8}
	if name == lossless {
		// A frame and the bytes on the cable meanwhile, with a packet at each end, are 27 KB at 100 Gb/s, 52 KB at 200
		// Gb/s.
		r.cables.Memory, r.cables.Headroom = 32<<20, 55_000
	} else {
		r.cables.Queue.Bytes = 150_000
	}
	return r
}

// laps returns the run with LAPS under a name, with settings of the unit and of its hosts.
func (r meshRun) laps(scheme, set string) *meshRun {
	r.scheme, r.set = scheme, set
	return &r
}

// window bounds a flow as the authors' simulator does.
const window = "window=2"

// rdma returns the run with a RoCEv2 transport: bytes under way are bounded by the longest round trip at the host's rate,
// as in the authors' files.
func (r meshRun) rdma(scheme string, by func(h *transport.Host, window float64) transport.Transport) *meshRun {
	r.scheme = scheme
	r.hosts.GoBackN, r.hosts.RTO = true, 8_000_000
	m, err := r.network(0)
	if err != nil {
		panic(err) // of the figures below
	}
	var longest fabric.Instant
	for dst := 1; dst < len(m.Hosts); dst++ {
		for _, x := range m.Routes(0, dst) {
			longest = max(longest, topo.Empty(&x, lapsPayload+lapsHeaders, 0)+topo.Empty(&x, fabric.HeaderSize, 0))
		}
	}
	window := float64(longest) / 1000 * r.cables.Host.Gbps / 8
	r.by = func(h *transport.Host) transport.Transport { return by(h, window) }
	return &r
}

// ecmp returns the run with a route for each flow, drawn at random, and DCQCN with the authors' settings.
func (r meshRun) ecmp() *meshRun {
	return r.rdma("ECMP, DCQCN", func(h *transport.Host, window float64) transport.Transport {
		return papers.DCQCN(h, window, transport.ECMP(h))
	})
}

// letFlow returns the run with a route at random for each flowlet, and DCQCN; a flowlet ends with a pause of 50 µs.
func (r meshRun) letFlow() *meshRun {
	return r.rdma("LetFlow, DCQCN", func(h *transport.Host, window float64) transport.Transport {
		return papers.DCQCN(h, window, transport.Flowlets(h, 50_000))
	})
}

// plb returns the run with PLB and DCTCP, with the authors' settings.
func (r meshRun) plb() *meshRun {
	return r.rdma("PLB, DCTCP", func(h *transport.Host, window float64) transport.Transport {
		return transport.Pace(&transport.DCTCP{Line: h.Gbps / 8, Least: 100 * papers.Mbps, Additive: 1000 * papers.Mbps, Gain: 1. / 256, Window: window}, transport.PLB(h))
	})
}

// lossy returns the run with packets lost on each cable, both ways.
func (r meshRun) lossy(chance float64) *meshRun {
	r.loss = chance
	return &r
}

// network makes the network.
func (r *meshRun) network(seed uint64) (*topo.Mesh, error) {
	if r.dragonfly {
		return topo.Dragonfly(9, 4, 4, &r.cables, seed)
	}
	return topo.Rail(8, 8, &r.cables, seed)
}

// mesh runs a run.
func (l lab) mesh(ctx context.Context, r *meshRun, seed uint64) (*transport.Result, *topo.Mesh, error) {
	m, err := r.network(seed)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range m.Ports() {
		p.SetLoss(r.loss)
	}
	mtu := int32(r.hosts.Payload + r.hosts.Headers)
	peers := make([][]int, len(m.Hosts))
	for _, f := range r.flows {
		peers[f.Src] = append(peers[f.Src], f.Dst)
	}
	var maker func(h *transport.Host) (transport.Transport, error)
	if r.by == nil {
		if maker, err = l.Hosts(ctx, unitLAPS, r.few); err != nil {
			return nil, nil, err
		}
	}
	res, err := transport.Run(ctx, m, r.flows, &r.hosts, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Peers: peers[host], Gbps: r.cables.Host.Gbps, Seed: seed<<20 | uint64(host),
			RTO: r.hosts.RTO, Settings: r.set, Paths: func(dst int) []transport.Path { return m.Paths(host, dst, mtu) }}
		if maker != nil {
			return maker(h)
		}
		return r.by(h), nil
	})
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s, %s, seed %d: %w", r.setup, r.scheme, seed, err)
	}
	return res, m, nil
}

// times are the completion times of flows in ms: the mean and the 99th percentile.
func times(res *transport.Result) (mean, p99 float64) {
	var all []float64
	for i := range res.Flows {
		f := &res.Flows[i]
		all = append(all, float64(f.Received-fabric.Instant(f.Flow.Start))/1e9)
		mean += all[i] / float64(len(res.Flows))
	}
	return mean, measure.Percentile(all, .99)
}

func lapsT1(_ context.Context, _ lab, o *papers.Outcome) error {
	o.Head = []string{"setup", "destinations of a host (PST)", "routes (PIT)", "hosts"}
	for _, c := range []struct {
		name     string
		r        meshRun
		pst, pit float64
	}{{"Dragonfly", mesh(lossless, true), 143, 1063}, {"Rail", mesh(lossless, false), 63, 455}} {
		m, err := c.r.network(0)
		if err != nil {
			return err
		}
		var pst, pit []int
		for src := range m.Hosts {
			p, q := 0, 0
			for dst := range m.Hosts {
				if n := len(m.Routes(src, dst)); src != dst && n > 0 {
					p, q = p+1, q+n
				}
			}
			pst, pit = append(pst, p), append(pit, q)
		}
		if a, b := slices.Min(pst), slices.Max(pst); a != b || slices.Min(pit) != slices.Max(pit) {
			return fmt.Errorf("%s: hosts with %d to %d destinations, %d to %d routes", c.name, a, b, slices.Min(pit), slices.Max(pit))
		}
		o.Claim(c.name, "PST entries of a host", papers.About, c.pst, 0, "", float64(pst[0]))
		o.Claim(c.name, "PIT entries of a host", papers.About, c.pit, 0, "", float64(pit[0]))
		o.Rows = append(o.Rows, []string{c.name, fmt.Sprint(pst[0]), fmt.Sprint(pit[0]), fmt.Sprint(len(m.Hosts))})
	}
	return nil
}

// fcts runs a run, adds a row, and returns the mean and the 99th percentile of the completion times, in ms.
func (l lab) fcts(ctx context.Context, o *papers.Outcome, r *meshRun) (mean, p99 float64, err error) {
	res, m, err := l.mesh(ctx, r, l.Seed)
	if err != nil {
		return 0, 0, err
	}
	mean, p99 = times(res)
	mean, p99 = mean*max(1, r.part), p99*max(1, r.part)
	var peak int64
	for _, p := range m.Ports() {
		peak = max(peak, p.Peak)
	}
	c := &res.Counts
	o.Head = []string{"setup", "scheme", "loss a cable", "mean, ms", "99 %, ms", "pauses", "full queue", "lost", "sent again", "probes", "longest queue, KB"}
	o.Rows = append(o.Rows, []string{r.setup, r.scheme, fmt.Sprintf("%g", r.loss), fmt.Sprintf("%.4g", mean), fmt.Sprintf("%.4g", p99), fmt.Sprint(c.Pauses),
		fmt.Sprint(c.Drops[fabric.Full]), fmt.Sprint(c.Drops[fabric.Lossy]), fmt.Sprint(res.Again), fmt.Sprint(res.Probes), fmt.Sprintf("%.0f", float64(peak)/1000)})
	return mean, p99, nil
}

// told are the paper's mean and 99th percentile in ms.
type told struct{ mean, p99 float64 }

// allReduce compares the completion times of messages that all hosts send to one.
func (l lab) allReduce(ctx context.Context, o *papers.Outcome, dragonfly bool, hosts int, laps, ecmp, letFlow, plb [2]told) error {
	// Packets cannot arrive faster than the receiver's link allows, headers not counted.
	least := float64(hosts-1) * message * 8 / hostGbps / 1e6
	for _, name := range []string{lossless, dropTail} {
		base := mesh(name, dragonfly)
		base.part = 1
		if dragonfly { // runs with all bytes take long
			base.part = 4
			base.setup += ", messages of 16 MB, times × 4"
		}
		var err error
		if base.flows, err = workload.Incast(hosts, 0, hosts-1, message/uint64(base.part)); err != nil {
			return err
		}
		for i, chance := range []float64{0, 1e-6} {
			if i > 0 && (name == dropTail || dragonfly) { // of Dragonfly, the runs take long
				break
			}
			lossy := fmt.Sprintf(", loss %g", chance)
			if i == 0 {
				lossy = ""
			}
			var first told
			for _, s := range []struct {
				run  *meshRun
				says told
			}{
				{base.laps("LAPS", ""), laps[i]},
				{base.laps("LAPS, window 2T", window), laps[i]},
				{base.ecmp(), ecmp[i]},
				{base.letFlow(), letFlow[i]},
				{base.plb(), plb[i]},
			} {
				if dragonfly && name == dropTail && (s.run.set != "" || s.says == plb[i]) {
					continue
				}
				mean, p99, err := l.fcts(ctx, o, s.run.lossy(chance))
				if err != nil {
					return err
				}
				scheme := s.run.scheme + lossy
				o.Claim(base.setup, "mean, "+scheme, papers.About, s.says.mean, papers.Round(s.says.mean/10), "ms", mean)
				o.Claim(base.setup, "99 %, "+scheme, papers.About, s.says.p99, papers.Round(s.says.p99/10), "ms", p99)
				if s.run.by == nil {
					if first.p99 == 0 {
						first = told{mean, p99}
					}
					o.Claim(base.setup, "99 %, "+scheme+", the receiver's link busy", papers.AtLeast, papers.Round(least*0.99), 0, "ms", p99)
					continue
				}
				o.Claim(base.setup, "99 %, "+scheme+", of that of LAPS", papers.About, papers.Round(s.says.p99/laps[i].p99), papers.Round(s.says.p99/laps[i].p99/5), "times", p99/first.p99)
			}
		}
	}
	return nil
}

func lapsT3(ctx context.Context, l lab, o *papers.Outcome) error {
	return l.allReduce(ctx, o, false, 64, [2]told{{162, 175}, {162, 175}}, [2]told{{564, 617}, {580, 645}}, [2]told{{553, 589}, {578, 633}}, [2]told{{211, 235}, {219, 240}})
}

func lapsT4(ctx context.Context, l lab, o *papers.Outcome) error {
	return l.allReduce(ctx, o, true, 144, [2]told{{537, 574}, {538, 575}}, [2]told{{1337, 1423}, {1340, 1427}}, [2]told{{1328, 1420}, {1334, 1427}}, [2]told{{661, 690}, {661, 690}})
}

// laps20 counts what receivers hold back while one host sends to all others, or, reduce, all others to one.
func laps20(ctx context.Context, l lab, o *papers.Outcome, reduce bool, bytes uint64) error {
	o.Head = []string{"setup", "scheme", "packets", "overtaken, %", "waiting, %", "mean buffer, KB", "above 30 KB, %", "mean, ms"}
	const hosts = 64
	for _, gbps := range []float64{100, hostGbps} {
		for _, set := range []settings{{"LAPS", ""}, {"LAPS, window 2T", window}} {
			r := mesh(lossless, false).laps(set.name, set.set)
			r.setup = fmt.Sprintf("hosts of %g Gb/s", gbps)
			r.cables.Host.Gbps = gbps
			var err error
			if r.flows, err = workload.Incast(hosts, 0, hosts-1, bytes); err != nil {
				return err
			}
			for i := range r.flows {
				if f := &r.flows[i]; !reduce {
					f.Src, f.Dst = f.Dst, f.Src
				}
			}
			res, _, err := l.mesh(ctx, r, l.Seed)
			if err != nil {
				return err
			}
			x, all := &res.Order, float64(res.Packets-res.Again)
			fct, _ := times(res)
			late, mean := 100*float64(x.Late)/all, x.Bytes/all/1000
			above := 100 * float64(x.Over[slices.Index(transport.OrderSteps[:], 30_000)]) / all
			o.Rows = append(o.Rows, []string{r.setup, set.name, fmt.Sprint(res.Packets - res.Again), fmt.Sprintf("%.2f", late), fmt.Sprintf("%.2f", 100*float64(x.Early)/all),
				fmt.Sprintf("%.3f", mean), fmt.Sprintf("%.2f", above), fmt.Sprintf("%.1f", fct)})
			if reduce {
				o.Claim(r.setup, "mean buffer, "+set.name, papers.AtMost, 16, 0, "KB", mean)
				o.Claim(r.setup, "more than 30 KB, "+set.name, papers.AtMost, 4, 0, "%", above)
			} else {
				o.Claim(r.setup, "packets that were overtaken, "+set.name, papers.AtMost, 0.2, 0, "%", late)
				o.Claim(r.setup, "mean buffer, "+set.name, papers.AtMost, 0.003, 0, "KB", mean)
			}
		}
	}
	return nil
}

func laps12(ctx context.Context, l lab, o *papers.Outcome) error {
	const hosts, end = 64, 1_000_000_000 // ps
	// The paper does not state the base of the 80 %. The text's links have 100 Gb/s.
	for _, c := range []struct {
		name string
		of   float64 // Gb/s
	}{{lossless, 100}, {lossless, 50}, {lossless, 25}, {dropTail, 50}, {dropTail, 25}} {
		base := mesh(c.name, false)
		base.setup = fmt.Sprintf("%s, 80 %% of %g Gb/s", c.name, c.of)
		base.cables.Host.Gbps = 100
		var err error
		if base.flows, err = workload.All2all(hosts, workload.Storage, 0.8*c.of/8, end, rand.New(rand.NewPCG(l.Seed, 3))); err != nil {
			return err
		}
		var laps float64
		for _, s := range []struct {
			run *meshRun
			p99 float64
		}{{base.laps("LAPS", ""), 0.12}, {base.ecmp(), 0.67}, {base.letFlow(), 0.70}, {base.plb(), 0.48}} {
			_, p99, err := l.fcts(ctx, o, s.run)
			if err != nil {
				return err
			}
			o.Claim(base.setup, "99 %, "+s.run.scheme, papers.About, s.p99, papers.Round(s.p99/5), "ms", p99)
			if s.run.by == nil {
				laps = p99
			} else {
				o.Claim(base.setup, "99 %, "+s.run.scheme+", of that of LAPS", papers.About, papers.Round(s.p99/0.12), papers.Round(s.p99/0.12/4), "times", p99/laps)
			}
		}
	}
	return nil
}
