// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"slices"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Class is all paths under test of one length. Shares count segments that were sent
// after Scenario.Warm.
type Class struct {
	Links    int     `json:"links"`           // of a path
	Sent     uint64  `json:"sent_segments"`   // on its paths
	Share    float64 `json:"share"`           // of all segments under test
	Relative float64 `json:"relative_share"`  // ratio to the share under even spraying
	Latency  float64 `json:"mean_latency_ns"` // of segments that arrived
	Empty    float64 `json:"empty_latency_ns"`
	uniform  float64
	arrived  uint64
	sum      uint64
}

// Sample is the state of the watched paths and of the flows under test at an instant.
type Sample struct {
	At      uint64    // ns
	Sent    []uint64  // segments since the previous sample, in the order of Scenario.Watch
	Latency []float64 // last measured, ns; 0: none yet; in the order of Scenario.Watch
	Rate    []float64 // allowed rate of each flow under test, Gb/s
	Goodput []float64 // of each flow since the previous sample, without duplicates, Gb/s
}

// Outage is the traffic on a watched path that failed. Times count from its failure.
type Outage struct {
	Path          int     `json:"path"`
	Latency       uint64  `json:"latency_ns"`               // the last one measured before the failure was detected
	LastMeasured  int64   `json:"last_measured_ns"`         // when the last ACK or answer on the path came; negative: before the failure
	Detected      *uint64 `json:"detected_ns"`              // when the first probe after that was sent; nil: never
	LastSegment   *uint64 `json:"last_segment_ns"`          // when the last segment before the repair was sent on the path
	SentAfter     uint64  `json:"segments_after_detection"` // sent on the path between detection and repair
	SentElsewhere uint64  `json:"segments_elsewhere"`       // sent on the pair's other paths in that time
	Repaired      uint64  `json:"repaired_ns"`              // when the path was repaired
	Probes        uint64  `json:"probes_before_repair"`
	LastProbe     uint64  `json:"last_probe_before_repair_ns"`
	FirstAnswer   *uint64 `json:"first_answer_ns"` // when the first ACK or answer after the repair came
	Resumed       *uint64 `json:"resumed_ns"`      // when the first segment after that was sent on the path
	ShareBefore   float64 `json:"share_before"`    // of the pair's segments, from Warm to the failure
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
	Recovered      *uint64 `json:"recovered_after_ns"` // from Scenario.Repair to 99 % of the line rate
	MeanSkipDelay  float64 `json:"mean_skip_delay_ns"` // from a drop to its detection by a skip
	MaxSkipDelay   uint64  `json:"max_skip_delay_ns"`
	MaxTimerDelay  uint64  `json:"max_timer_delay_ns"` // from a drop to its detection by a timer
}

// Result is the outcome of a run.
type Result struct {
	Scenario *Scenario `json:"-"`
	Samples  []Sample  `json:"-"`

	Packets   uint64       `json:"packets"` // segments sent on paths under test
	Acks      uint64       `json:"acks"`
	Answers   uint64       `json:"probe_answers"`
	Probes    uint64       `json:"probes"`
	Goodput   float64      `json:"goodput_gbps"` // mean of the hosts under test, from Warm to the end
	Longest   uint64       `json:"longest_queue_bytes"`
	Decreases uint64       `json:"decreases"` // from Warm on, of all flows under test
	Classes   []Class      `json:"classes"`
	Outages   []Outage     `json:"outages,omitempty"`
	Flows     []FlowResult `json:"flows"`
	Drops     []uint64     `json:"-"` // when segments under test were dropped, ns
	Reports   []uint64     `json:"-"` // when segments were declared lost, ns
}

// meter measures a run as it goes.
type meter struct {
	sc      *Scenario
	warm    agenda.Instant
	next    agenda.Instant // of the next sample
	under   []int          // flows
	place   []int          // by flow: its index in under, or -1
	class   []int          // by path: its index in Result.Classes, or -1
	watched []int          // by path: its index in Scenario.Watch, or -1
	rate    []float64      // by flow
	res     Result
	sentNow []uint64 // by watched path: since the previous sample
	latency []float64
	got     []uint64 // bytes, by flow under test
	drops   map[Segment]agenda.Instant
	reports [][2]uint64 // by flow under test: number of drops that skips detected, and the sum of their delays
	outage  []outage
	bytes   uint64
	uniform [][]float64 // by pair: the share of each class under even spraying
}

// outage is an Outage as it is measured.
type outage struct {
	*Outage
	fails, repaired agenda.Instant
	before, after   [2]uint64 // segments on the path, and on all paths of the pair: before the failure, after the first answer
}

func newMeter(sc *Scenario) *meter {
	m := &meter{sc: sc, warm: agenda.At(sc.Warm), next: agenda.At(sc.Sample), under: sc.FlowsUnderTest(), drops: map[Segment]agenda.Instant{},
		rate: make([]float64, len(sc.Flows)), sentNow: make([]uint64, len(sc.Watch)), latency: make([]float64, len(sc.Watch))}
	m.res.Scenario = sc
	m.got, m.reports = make([]uint64, len(m.under)), make([][2]uint64, len(m.under))
	m.place, m.watched, m.class = noIndex(len(sc.Flows)), noIndex(len(sc.Paths)), noIndex(len(sc.Paths))
	for k, i := range m.under {
		m.place[i] = k
		m.res.Flows = append(m.res.Flows, FlowResult{Flow: i})
	}
	lengths := sc.classes()
	for _, n := range lengths {
		m.res.Classes = append(m.res.Classes, Class{Links: n})
	}
	m.uniform = make([][]float64, len(sc.Pairs))
	paths := make([]float64, len(sc.Pairs))
	count := make([]float64, len(lengths))
	for i := range sc.Paths {
		p := &sc.Paths[i]
		if !sc.Pairs[p.Pair].UnderTest {
			continue
		}
		c := slices.Index(lengths, len(p.Links))
		m.class[i] = c
		if m.uniform[p.Pair] == nil {
			m.uniform[p.Pair] = make([]float64, len(lengths))
		}
		m.uniform[p.Pair][c]++
		paths[p.Pair]++
		m.res.Classes[c].Empty += sc.Empty(i, sc.Segment)
		count[c]++
	}
	for c := range lengths {
		m.res.Classes[c].Empty /= count[c]
	}
	for p, u := range m.uniform {
		for c := range u {
			u[c] /= paths[p]
		}
	}
	for k, i := range sc.Watch {
		m.watched[i] = k
		for _, l := range sc.Paths[i].Links {
			if x := &sc.Links[l]; x.Fails < x.Repaired {
				m.outage = append(m.outage, outage{Outage: &Outage{Path: i, Repaired: x.Repaired - x.Fails},
					fails: agenda.At(x.Fails), repaired: agenda.At(x.Repaired)})
				break
			}
		}
	}
	return m
}

// noIndex is a list of n entries of -1.
func noIndex(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// advance lets time pass up to an event.
func (m *meter) advance(n *network, to agenda.Instant) {
	for m.next <= to {
		s := Sample{At: m.next.NS(), Sent: slices.Clone(m.sentNow), Latency: slices.Clone(m.latency)}
		for k, i := range m.under {
			s.Rate = append(s.Rate, 8*m.rate[i])
			s.Goodput = append(s.Goodput, gbps(m.got[k], m.sc.Sample))
		}
		clear(m.sentNow)
		clear(m.got)
		m.res.Samples = append(m.res.Samples, s)
		m.next += agenda.At(m.sc.Sample)
	}
}

// gbps is a rate in Gb/s from bytes and ns.
func gbps(bytes, ns uint64) float64 { return 8 * float64(bytes) / float64(ns) }

// since is the time from an instant to another, in ns.
func since(from, to agenda.Instant) *uint64 {
	ns := (to - from).NS()
	return &ns
}

func (m *meter) sent(n *network, i int, seq uint32, path int, again bool, now agenda.Instant) {
	k := m.place[i]
	if k < 0 {
		return
	}
	f := &m.res.Flows[k]
	m.res.Packets++
	f.Sent++
	if again {
		f.Retransmitted++
	} else {
		f.New++
	}
	if now >= m.warm {
		m.res.Classes[m.class[path]].Sent++
		for c, u := range m.uniform[m.sc.Paths[path].Pair] {
			m.res.Classes[c].uniform += u
		}
	}
	if w := m.watched[path]; w >= 0 {
		m.sentNow[w]++
	}
	for o := range m.outage {
		m.outage[o].sent(m, path, now)
	}
}

func (o *outage) sent(m *meter, path int, now agenda.Instant) {
	if m.sc.Paths[path].Pair != m.sc.Paths[o.Path].Pair {
		return
	}
	here := path == o.Path
	count := func(to *[2]uint64) {
		if to[1]++; here {
			to[0]++
		}
	}
	switch {
	case now < o.fails:
		if now >= m.warm {
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

func (m *meter) probed(path int, now agenda.Instant) {
	if m.class[path] < 0 {
		return
	}
	m.res.Probes++
	for k := range m.outage {
		o := &m.outage[k]
		if o.Path != path || now < o.fails {
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
func (m *meter) measured(e *event, now agenda.Instant) {
	if m.class[e.path] < 0 {
		return
	}
	if e.probe {
		m.res.Answers++
	} else {
		m.res.Acks++
	}
	if w := m.watched[e.path]; w >= 0 {
		m.latency[w] = float64(e.delay)
	}
	for k := range m.outage {
		o := &m.outage[k]
		switch {
		case o.Path != int(e.path):
		case now < o.repaired:
			// The path was still answering: an earlier probe was no detection.
			o.Latency, o.Detected, o.SentAfter, o.SentElsewhere = e.delay, nil, 0, 0
			o.LastMeasured = int64(now-o.fails) / int64(agenda.PS)
		case o.FirstAnswer == nil:
			o.FirstAnswer = since(o.fails, now)
		}
	}
}

func (m *meter) dropped(n *network, e *event, now agenda.Instant) {
	k := m.place[e.flow]
	if k < 0 || e.probe {
		return
	}
	m.res.Flows[k].Dropped++
	m.res.Drops = append(m.res.Drops, now.NS())
	m.drops[Segment{e.flow, e.seq}] = now
}

func (m *meter) delivered(n *network, e *event, now agenda.Instant, delay uint64) {
	k := m.place[e.flow]
	if k < 0 {
		return
	}
	f, x := &m.res.Flows[k], &n.flows[e.flow]
	for uint32(len(x.got)) <= e.seq/64 {
		x.got = append(x.got, 0)
	}
	if x.got[e.seq/64]>>(e.seq%64)&1 != 0 {
		f.Duplicates++
	} else {
		x.got[e.seq/64] |= 1 << (e.seq % 64)
		f.Arrived++
		m.got[k] += m.sc.Segment
		if now >= m.warm {
			m.bytes += m.sc.Segment
		}
	}
	if now >= m.warm {
		c := &m.res.Classes[m.class[e.path]]
		c.arrived++
		c.sum += delay
	}
}

func (m *meter) acked(n *network, i int, r *Reaction, now agenda.Instant) {
	m.rate[i] = r.Rate
	k := m.place[i]
	if k < 0 {
		return
	}
	f := &m.res.Flows[k]
	if r.Cause == Decreased {
		if f.Decreases++; now >= m.warm {
			m.res.Decreases++
		}
		if event := agenda.At(m.sc.Event); now >= event && f.FirstDecrease == nil {
			f.FirstDecrease, f.RateAfterFirst = since(event, now), 8*r.Rate
		}
	}
	if f.MinRate == 0 || 8*r.Rate < f.MinRate {
		f.MinRate = 8 * r.Rate
	}
	if repair := agenda.At(m.sc.Repair); now >= repair && f.FirstDecrease != nil && f.Recovered == nil && r.Rate >= 0.99*lineRate {
		f.Recovered = since(repair, now)
	}
}

// reported records a segment that is declared lost.
func (m *meter) reported(n *network, l Lost, now agenda.Instant) {
	k := m.place[l.Flow]
	if k < 0 {
		return
	}
	f := &m.res.Flows[k]
	m.res.Reports = append(m.res.Reports, now.NS())
	if l.Timeout {
		f.LostByTimer++
	} else {
		f.LostBySkip++
	}
	at, ok := m.drops[l.Segment]
	if !ok {
		f.Spurious++
		return
	}
	delete(m.drops, l.Segment)
	took := (now - at).NS()
	if l.Timeout {
		f.MaxTimerDelay = max(f.MaxTimerDelay, took)
		return
	}
	m.reports[k][0]++
	m.reports[k][1] += took
	f.MaxSkipDelay = max(f.MaxSkipDelay, took)
}

func (m *meter) result(n *network) *Result {
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
	for _, i := range m.under {
		hosts[m.sc.Pairs[m.sc.Flows[i].Pair].Source] = true
	}
	r.Goodput = gbps(m.bytes, m.sc.End-m.sc.Warm) / float64(len(hosts))
	for i := range n.links {
		l := &n.links[i]
		r.Longest = max(r.Longest, uint64(float64(l.longest)/l.byteTime+0.5))
	}
	for k := range r.Flows {
		if x := m.reports[k]; x[0] > 0 {
			r.Flows[k].MeanSkipDelay = float64(x[1]) / float64(x[0])
		}
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
