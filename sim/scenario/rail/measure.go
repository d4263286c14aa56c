// SPDX-License-Identifier: Apache-2.0

package rail

import (
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
)

// Way is a route of the watched flow.
type Way struct {
	Name  string  `json:"name"`             // such as "rail 3"
	Base  uint64  `json:"base_ns"`          // baseVal: its latency without congestion, with what the paper adds
	Empty float64 `json:"empty_latency_ns"` // through empty queues
}

// Class is all routes under test of one length. Shares count segments that were sent
// after Scenario.Warm.
type Class struct {
	Links    int     `json:"links"`           // of a route
	Sent     uint64  `json:"sent_segments"`   // on its routes
	Share    float64 `json:"share"`           // of all segments under test
	Relative float64 `json:"relative_share"`  // ratio to the share under even spraying
	Latency  float64 `json:"mean_latency_ns"` // of segments that arrived
	Empty    float64 `json:"empty_latency_ns"`
	uniform  float64
	arrived  uint64
	sum      uint64
}

// Sample is the state of the watched routes and of the flows under test at an instant.
type Sample struct {
	At      uint64    // ns
	Sent    []uint64  // segments since the previous sample, in the order of Result.Watched
	Latency []float64 // last measured, ns; 0: none yet; in the order of Result.Watched
	Rate    []float64 // allowed rate of each flow under test, Gb/s
	Goodput []float64 // of each flow since the previous sample, without duplicates, Gb/s
}

// Outage is the traffic on a watched route that failed. Times count from its failure.
type Outage struct {
	Route         int     `json:"route"`                    // an index of Result.Watched
	Latency       uint64  `json:"latency_ns"`               // the last one measured before the failure was detected
	LastMeasured  int64   `json:"last_measured_ns"`         // when the last ACK or answer on the route came; negative: before the failure
	Detected      *uint64 `json:"detected_ns"`              // when the first probe after that was sent; nil: never
	LastSegment   *uint64 `json:"last_segment_ns"`          // when the last segment before the repair was sent on the route
	SentAfter     uint64  `json:"segments_after_detection"` // sent on the route between detection and repair
	SentElsewhere uint64  `json:"segments_elsewhere"`       // sent on the flow's other routes in that time
	Repaired      uint64  `json:"repaired_ns"`              // when the route was repaired
	Probes        uint64  `json:"probes_before_repair"`
	LastProbe     uint64  `json:"last_probe_before_repair_ns"`
	FirstAnswer   *uint64 `json:"first_answer_ns"` // when the first ACK or answer after the repair came
	Resumed       *uint64 `json:"resumed_ns"`      // when the first segment after that was sent on the route
	ShareBefore   float64 `json:"share_before"`    // of the flow's segments, from Warm to the failure
	ShareAfter    float64 `json:"share_after"`     // from the first answer to the end
}

// FlowResult is the outcome of a flow under test.
type FlowResult struct {
	Flow           int     `json:"flow"`
	Sent           uint64  `json:"sent_segments"` // with retransmissions
	New            uint64  `json:"new_segments"`
	Arrived        uint64  `json:"arrived_segments"` // without duplicates
	Duplicates     uint64  `json:"duplicates"`
	Dropped        uint64  `json:"dropped_segments"`
	LostBySkip     uint64  `json:"lost_by_skip"`  // declared lost by the ACK of a later segment
	LostByTimer    uint64  `json:"lost_by_timer"` // declared lost by a timer
	Retransmitted  uint64  `json:"retransmitted_segments"`
	Spurious       uint64  `json:"spurious_losses"` // declared lost but not dropped
	Decreases      uint64  `json:"decreases"`
	MinRate        float64 `json:"min_rate_gbps"`
	FirstDecrease  *uint64 `json:"first_decrease_after_ns"` // from Scenario.Event
	RateAfterFirst float64 `json:"rate_after_first_decrease_gbps"`
	Recovered      *uint64 `json:"recovered_after_ns"` // from Scenario.Repair to 99 % of the link rate
	MeanSkipDelay  float64 `json:"mean_skip_delay_ns"` // from a drop to its detection by a skip
	MaxSkipDelay   uint64  `json:"max_skip_delay_ns"`
	MaxTimerDelay  uint64  `json:"max_timer_delay_ns"` // from a drop to its detection by a timer
}

// Result is the outcome of a run.
type Result struct {
	Scenario *Scenario `json:"-"`
	Samples  []Sample  `json:"-"`
	Watched  []Way     `json:"watched,omitempty"`

	Packets   uint64       `json:"packets"` // segments sent by hosts under test
	Acks      uint64       `json:"acks"`
	Answers   uint64       `json:"probe_answers"`
	Probes    uint64       `json:"probes"`
	Goodput   float64      `json:"goodput_gbps"`        // mean of the hosts under test, from Warm to the end
	Longest   uint64       `json:"longest_queue_bytes"` // with the segment that is being sent
	Decreases uint64       `json:"decreases"`           // from Warm on, of all flows under test
	Classes   []Class      `json:"classes"`
	Outages   []Outage     `json:"outages,omitempty"`
	Flows     []FlowResult `json:"flows"`
	Drops     []uint64     `json:"-"` // when segments under test were dropped, ns
	Reports   []uint64     `json:"-"` // when segments were declared lost, ns
}

// T is the longest baseline of the watched flow's routes, in ns.
func (r *Result) T() (longest uint64) {
	for _, w := range r.Watched {
		longest = max(longest, w.Base)
	}
	return longest
}

// meter measures a run: hosts under test notify it, and it watches the ports of the network.
type meter struct {
	sc      *Scenario
	mesh    *topo.Mesh
	warm    instant
	next    instant  // of the next sample
	under   []*under // flows
	of      []*under // by flow; nil: it is not under test
	res     Result
	sentNow []uint64 // by watched route: since the previous sample
	latency []float64
	outage  []outage
	bytes   uint64
}

// under is a flow under test.
type under struct {
	*FlowResult
	class []int // of each route: an index of Result.Classes
	watch bool
	rate  float64 // bytes per ns
	next  uint32  // segment that it sends for the first time
	came  []uint64
	got   uint64 // bytes since the previous sample
	drops map[uint32]instant
	skips [2]uint64 // number of drops that skips detected, and the sum of their delays
}

// outage is an Outage as it is measured.
type outage struct {
	*Outage
	fails, repaired instant
	before, after   [2]uint64 // segments on the route, and on all routes of the flow: before the failure, after the first answer
}

func newMeter(sc *Scenario, mesh *topo.Mesh) *meter {
	m := &meter{sc: sc, mesh: mesh, warm: instant(sc.Warm) * ps, next: instant(sc.Sample) * ps, of: make([]*under, len(sc.Flows))}
	m.res.Scenario = sc
	list := sc.FlowsUnderTest()
	m.res.Flows = make([]FlowResult, len(list))
	var lengths []int
	for _, i := range list {
		for _, r := range mesh.Routes(sc.Flows[i].Src, sc.Flows[i].Dst) {
			lengths = append(lengths, len(r.Ports))
		}
	}
	slices.Sort(lengths)
	lengths = slices.Compact(lengths)
	for _, n := range lengths {
		m.res.Classes = append(m.res.Classes, Class{Links: n})
	}
	count := make([]float64, len(lengths))
	for k, i := range list {
		f := &sc.Flows[i]
		x := &under{FlowResult: &m.res.Flows[k], watch: i == sc.Watch, drops: map[uint32]instant{}}
		x.Flow = i
		m.of[i], m.under = x, append(m.under, x)
		for _, r := range mesh.Routes(f.Src, f.Dst) {
			c := slices.Index(lengths, len(r.Ports))
			x.class = append(x.class, c)
			m.res.Classes[c].Empty += float64(topo.Empty(&r, int32(sc.Segment), 0)) / ps
			count[c]++
		}
		if x.watch {
			m.watch(f)
		}
	}
	for c := range lengths {
		m.res.Classes[c].Empty /= count[c]
	}
	for _, p := range mesh.Ports() {
		p.Watch = losses{m}
	}
	for _, p := range mesh.Hosts {
		p.Peer().Watch = arrivals{losses{m}, p.Peer().Delay()}
	}
	return m
}

// watch begins to sample the routes of a flow.
func (m *meter) watch(f *Flow) {
	ways := m.mesh.Ways(f.Src, f.Dst)
	for k, r := range m.mesh.Routes(f.Src, f.Dst) {
		var names []string // of the switches on the way
		for _, node := range ways[k][1 : len(ways[k])-1] {
			names = append(names, m.mesh.Switches[node])
		}
		rail := names[slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "rail ") })]
		m.res.Watched = append(m.res.Watched, Way{Name: rail, Base: m.mesh.Paths(f.Src, f.Dst, int32(m.sc.Segment))[k].Base, Empty: float64(topo.Empty(&r, int32(m.sc.Segment), 0)) / ps})
		for _, x := range m.sc.Faults {
			if p := m.mesh.Cable(x.From, x.To); p != nil && x.Fails < x.Repaired && (slices.Contains(r.Ports, p) || slices.Contains(r.Ports, p.Peer())) {
				m.outage = append(m.outage, outage{Outage: &Outage{Route: k, Repaired: x.Repaired - x.Fails}, fails: instant(x.Fails) * ps, repaired: instant(x.Repaired) * ps})
				break
			}
		}
	}
	m.sentNow, m.latency = make([]uint64, len(ways)), make([]float64, len(ways))
}

// losses watches a port for segments that are lost.
type losses struct{ *meter }

// Queued implements fabric.Watcher.
func (losses) Queued(fabric.Instant, int64) {}

// Left implements fabric.Watcher.
func (losses) Left(fabric.Instant, *fabric.Packet) {}

// Dropped implements fabric.Watcher.
func (l losses) Dropped(now fabric.Instant, p *fabric.Packet, _ fabric.Reason) {
	x := l.of[p.Flow]
	if x == nil || p.Kind != fabric.Data {
		return
	}
	l.advance(now)
	x.Dropped++
	x.drops[p.Seq] = now
	l.res.Drops = append(l.res.Drops, now.NS())
}

// arrivals watches the port of a switch to a host: nothing is lost behind it.
type arrivals struct {
	losses
	delay instant
}

// Left implements fabric.Watcher.
func (a arrivals) Left(now fabric.Instant, p *fabric.Packet) {
	x := a.of[p.Flow]
	if x == nil || p.Kind != fabric.Data {
		return
	}
	a.advance(now)
	for uint32(len(x.came)) <= p.Seq/64 {
		x.came = append(x.came, 0)
	}
	there := now + a.delay
	if bit := uint64(1) << (p.Seq % 64); x.came[p.Seq/64]&bit != 0 {
		x.Duplicates++
	} else {
		x.came[p.Seq/64] |= bit
		x.Arrived++
		x.got += a.sc.Segment
		if there >= a.warm {
			a.bytes += a.sc.Segment
		}
	}
	if there >= a.warm {
		c := &a.res.Classes[x.class[int(p.EV())%len(x.class)]]
		c.arrived++
		c.sum += (there - p.Sent + ps/2).NS()
	}
}

// advance lets time pass up to an event.
func (m *meter) advance(to instant) {
	for m.next <= to {
		s := Sample{At: m.next.NS(), Sent: slices.Clone(m.sentNow), Latency: slices.Clone(m.latency)}
		for _, x := range m.under {
			s.Rate = append(s.Rate, 8*x.rate)
			s.Goodput = append(s.Goodput, gbps(x.got, m.sc.Sample))
			x.got = 0
		}
		clear(m.sentNow)
		m.res.Samples = append(m.res.Samples, s)
		m.next += instant(m.sc.Sample) * ps
	}
}

// gbps is a rate in Gb/s from bytes and ns.
func gbps(bytes, ns uint64) float64 { return 8 * float64(bytes) / float64(ns) }

// since is the time from an instant to another, in ns.
func since(from, to instant) *uint64 {
	ns := (to - from).NS()
	return &ns
}

// sent records a segment that a host sends.
func (m *meter) sent(flow int, seq, route uint32, now instant) {
	m.advance(now)
	x := m.of[flow]
	r := int(route) % len(x.class)
	m.res.Packets++
	x.Sent++
	if seq < x.next {
		x.Retransmitted++
	} else {
		x.New++
		x.next = seq + 1
	}
	if now >= m.warm {
		m.res.Classes[x.class[r]].Sent++
		for _, c := range x.class {
			m.res.Classes[c].uniform += 1 / float64(len(x.class))
		}
	}
	if !x.watch {
		return
	}
	m.sentNow[r]++
	for k := range m.outage {
		m.outage[k].sent(r == m.outage[k].Route, now >= m.warm, now)
	}
}

func (o *outage) sent(here, warm bool, now instant) {
	count := func(to *[2]uint64) {
		if to[1]++; here {
			to[0]++
		}
	}
	switch {
	case now < o.fails:
		if warm {
			count(&o.before)
		}
	case now < o.repaired:
		if here {
			o.LastSegment = since(o.fails, now)
		}
		if o.Detected != nil && here {
			o.SentAfter++
		} else if o.Detected != nil {
			o.SentElsewhere++
		}
	case o.FirstAnswer != nil:
		if here && o.Resumed == nil {
			o.Resumed = since(o.fails, now)
		}
		count(&o.after)
	}
}

// probed records a probe that a host sends.
func (m *meter) probed(flow int, route uint32, now instant) {
	m.res.Probes++
	for k := range m.outage {
		o := &m.outage[k]
		if !m.of[flow].watch || o.Route != int(route) || now < o.fails {
			continue
		}
		if now < o.repaired {
			o.Probes++
			o.LastProbe = (now - o.fails).NS()
		}
		if o.Detected == nil {
			o.Detected = since(o.fails, now)
		}
	}
}

// measured records the arrival of an ACK or a probe's answer.
func (m *meter) measured(flow int, a *transport.Ack, now instant) {
	m.advance(now)
	if !m.of[flow].watch {
		return
	}
	m.latency[a.EV] = float64(a.Delay)
	for k := range m.outage {
		o := &m.outage[k]
		switch {
		case o.Route != int(a.EV):
		case now < o.repaired:
			// The route was still answering: an earlier probe was no detection.
			o.Latency, o.Detected, o.SentAfter, o.SentElsewhere = a.Delay, nil, 0, 0
			o.LastMeasured = int64(now-o.fails) / ps
		case o.FirstAnswer == nil:
			o.FirstAnswer = since(o.fails, now)
		}
	}
}

// granted records a flow's rate.
func (m *meter) granted(flow int, rate float64, now instant) {
	m.advance(now)
	x := m.of[flow]
	if rate < x.rate {
		if x.Decreases++; now >= m.warm {
			m.res.Decreases++
		}
		if event := instant(m.sc.Event) * ps; now >= event && x.FirstDecrease == nil {
			x.FirstDecrease, x.RateAfterFirst = since(event, now), 8*rate
		}
	}
	x.rate = rate
	if x.MinRate == 0 || 8*rate < x.MinRate {
		x.MinRate = 8 * rate
	}
	if repair := instant(m.sc.Repair) * ps; now >= repair && x.FirstDecrease != nil && x.Recovered == nil && 8*rate >= 0.99*m.sc.Cables.Host.Gbps {
		x.Recovered = since(repair, now)
	}
}

// found records a segment that is declared lost.
func (m *meter) found(flow int, s transport.Segment, now instant) {
	x := m.of[flow]
	m.res.Reports = append(m.res.Reports, now.NS())
	if s.Timer {
		x.LostByTimer++
	} else {
		x.LostBySkip++
	}
	at, ok := x.drops[s.Seq]
	if !ok {
		x.Spurious++
		return
	}
	delete(x.drops, s.Seq)
	took := (now - at).NS()
	if s.Timer {
		x.MaxTimerDelay = max(x.MaxTimerDelay, took)
		return
	}
	x.skips[0]++
	x.skips[1] += took
	x.MaxSkipDelay = max(x.MaxSkipDelay, took)
}

func (m *meter) result() *Result {
	r := &m.res
	var sum float64
	for i := range r.Classes {
		sum += float64(r.Classes[i].Sent)
	}
	for i := range r.Classes {
		c := &r.Classes[i]
		if sum > 0 {
			c.Share = float64(c.Sent) / sum
			c.Relative = float64(c.Sent) / c.uniform
		}
		if c.arrived > 0 {
			c.Latency = float64(c.sum) / float64(c.arrived)
		}
	}
	hosts := map[int]bool{}
	for _, x := range m.under {
		hosts[m.sc.Flows[x.Flow].Src] = true
		if x.skips[0] > 0 {
			x.MeanSkipDelay = float64(x.skips[1]) / float64(x.skips[0])
		}
	}
	r.Goodput = gbps(m.bytes, m.sc.End-m.sc.Warm) / float64(len(hosts))
	for _, p := range m.mesh.Ports() {
		r.Longest = max(r.Longest, uint64(p.Peak))
	}
	for _, o := range m.outage {
		if o.before[1] > 0 {
			o.ShareBefore = float64(o.before[0]) / float64(o.before[1])
		}
		if o.after[1] > 0 {
			o.ShareAfter = float64(o.after[0]) / float64(o.after[1])
		}
		r.Outages = append(r.Outages, *o.Outage)
	}
	return r
}
