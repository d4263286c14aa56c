// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"slices"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Class is all paths under test of one length. Shares count segments that were put
// onto a path after Scenario.Warm.
type Class struct {
	Links    int     `json:"links"`           // length
	Sent     uint64  `json:"sent_segments"`   // on its paths
	Share    float64 `json:"share"`           // of all segments under test
	Relative float64 `json:"relative_share"`  // to the share that even spraying would give
	Latency  float64 `json:"mean_latency_ns"` // of segments that arrived
	Empty    float64 `json:"empty_latency_ns"`
	uniform  float64
	arrived  uint64
	sum      uint64
}

// Sample is what happened on the watched paths, and to the flows under test, up to an
// instant.
type Sample struct {
	At      uint64    // ns
	Sent    []uint64  // segments since the last sample, by place in Scenario.Watch
	Latency []float64 // the last one measured, ns; 0: none yet; by place in Scenario.Watch
	Rate    []float64 // Gb/s that each flow under test may send
	Goodput []float64 // Gb/s of each flow's segments that arrived since the last sample, the first time
}

// Outage is what became of the traffic on a watched path that failed. Times are in
// ns from its failure.
type Outage struct {
	Path     int     `json:"path"`
	Latency  uint64  `json:"latency_ns"`           // the last one measured before it was left
	Measured int64   `json:"last_measured_ns"`     // when the last ACK or answer on it came; below 0: before it failed
	Probed   *uint64 `json:"first_probe_ns"`       // when it was first probed after that; nil: never
	Last     *uint64 `json:"last_segment_ns"`      // when the last segment before the repair was sent on it
	After    uint64  `json:"segments_after_probe"` // sent on it between the first probe and the repair
	All      uint64  `json:"segments_elsewhere"`   // sent on the pair's other paths in that time
	Mended   uint64  `json:"mended_ns"`            // when it was mended
	Probes   uint64  `json:"probes_in_outage"`     // up to then
	Interval uint64  `json:"last_probe_before_mended_ns"`
	Answered *uint64 `json:"first_answer_ns"`       // when the first probe or segment after the repair was answered
	Back     *uint64 `json:"first_segment_back_ns"` // when the first segment after that was sent on it
	Before   float64 `json:"share_before"`          // of the pair's segments, from Warm to the failure
	Later    float64 `json:"share_later"`           // from the first answer to the end
}

// FlowResult is what became of a flow under test.
type FlowResult struct {
	Flow       int     `json:"flow"`
	Sent       uint64  `json:"sent_segments"` // with those that were sent again
	New        uint64  `json:"new_segments"`
	Arrived    uint64  `json:"arrived_segments"` // each counted once
	Duplicates uint64  `json:"duplicates"`
	Dropped    uint64  `json:"dropped_segments"`
	Skipped    uint64  `json:"lost_by_skip"`    // taken for lost by the ACK of a later segment
	Timeouts   uint64  `json:"lost_by_timeout"` // taken for lost by a timer
	Resent     uint64  `json:"resent_segments"`
	Wrong      uint64  `json:"lost_but_not_dropped"` // taken for lost, and were not dropped
	Decreases  uint64  `json:"decreases"`
	Least      float64 `json:"least_rate_gbps"`
	First      *uint64 `json:"first_decrease_after_ns"` // after Scenario.Event
	FirstRate  float64 `json:"rate_after_first_decrease_gbps"`
	Full       *uint64 `json:"full_rate_after_ns"` // after Scenario.Repair, when it was at 99 % of the line again
	Report     float64 `json:"mean_report_ns"`     // from a drop to its report, of skips
	Worst      uint64  `json:"longest_report_ns"`  // of skips
	Tail       uint64  `json:"longest_timeout_ns"` // from a drop to its report by a timer
}

// Result is what a run gave.
type Result struct {
	Scenario *Scenario `json:"-"`
	Samples  []Sample  `json:"-"`

	Packets   uint64       `json:"packets"` // choices of a path under test
	Acks      uint64       `json:"acks"`
	Answers   uint64       `json:"probe_answers"`
	Probes    uint64       `json:"probes"`
	Goodput   float64      `json:"goodput_gbps"` // of a host under test in the mean, from Warm to the end
	Longest   uint64       `json:"longest_queue_bytes"`
	Decreases uint64       `json:"decreases"` // from Warm on, of all flows under test
	Classes   []Class      `json:"classes"`
	Outages   []Outage     `json:"outages,omitempty"`
	Flows     []FlowResult `json:"flows"`
	Drops     []uint64     `json:"-"` // when segments under test were dropped, ns
	Reports   []uint64     `json:"-"` // when segments were taken for lost, ns
}

// meter measures a run as it goes.
type meter struct {
	sc      *Scenario
	warm    agenda.Instant
	next    agenda.Instant // of the next sample
	under   []int          // flows
	place   []int          // of flows in under, -1
	class   []int          // of paths under test in classes, -1
	watched []int          // place of paths in Scenario.Watch, -1
	pair    [][2]int       // by path: the first of its pair's paths, and how many they are
	rate    []float64      // by flow
	res     Result
	sent1   []uint64
	latency []float64
	got     []uint64 // bytes, by flow under test
	drops   map[Segment]agenda.Instant
	reports [][2]uint64 // by flow under test: skips of what was dropped, and how long they took together
	outage  []outage
	bytes   uint64
	uniform [][]float64 // by pair: the share of each class under even spraying
}

// outage is an Outage as it is measured.
type outage struct {
	*Outage
	fails, mended agenda.Instant
	before, sum   [2]uint64 // segments on the path and on all of the pair's: before it fails, after it answers
	probed        bool
}

func newMeter(sc *Scenario) *meter {
	m := &meter{sc: sc, warm: agenda.At(sc.Warm), next: agenda.At(sc.Sample), under: sc.Under(), drops: map[Segment]agenda.Instant{},
		rate: make([]float64, len(sc.Flows)), sent1: make([]uint64, len(sc.Watch)), latency: make([]float64, len(sc.Watch))}
	m.res.Scenario = sc
	m.got, m.reports = make([]uint64, len(m.under)), make([][2]uint64, len(m.under))
	m.place, m.watched, m.class = none(len(sc.Flows)), none(len(sc.Paths)), none(len(sc.Paths))
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
		if !sc.Pairs[p.Pair].Under {
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
			if x := &sc.Links[l]; x.Fails < x.Mended {
				m.outage = append(m.outage, outage{Outage: &Outage{Path: i, Mended: x.Mended - x.Fails},
					fails: agenda.At(x.Fails), mended: agenda.At(x.Mended)})
				break
			}
		}
	}
	return m
}

func none(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// advance lets time pass up to an event.
func (m *meter) advance(n *network, to agenda.Instant) {
	for m.next <= to {
		s := Sample{At: m.next.NS(), Sent: slices.Clone(m.sent1), Latency: slices.Clone(m.latency)}
		for k, i := range m.under {
			s.Rate = append(s.Rate, 8*m.rate[i])
			s.Goodput = append(s.Goodput, gbps(m.got[k], m.sc.Sample))
		}
		clear(m.sent1)
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
		f.Resent++
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
		m.sent1[w]++
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
	case now < o.mended:
		if here {
			o.Last = since(o.fails, now)
		}
		if o.Probed != nil && here {
			o.After++
		} else if o.Probed != nil {
			o.All++
		}
	case o.Answered != nil:
		if here && o.Back == nil {
			o.Back = since(o.fails, now)
		}
		count(&o.sum)
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
		if now < o.mended {
			o.Probes++
			o.Interval = (now - o.fails).NS()
		}
		if o.Probed == nil {
			o.Probed = since(o.fails, now)
		}
	}
}

// measured notes that an ACK or a probe's answer is back.
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
		case now < o.mended:
			// A probe that was sent when the path was expected to fail no more does not count.
			o.Latency, o.Probed, o.After, o.All = e.delay, nil, 0, 0
			o.Measured = int64(now-o.fails) / int64(agenda.PS)
		case o.Answered == nil:
			o.Answered = since(o.fails, now)
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
		if event := agenda.At(m.sc.Event); now >= event && f.First == nil {
			f.First, f.FirstRate = since(event, now), 8*r.Rate
		}
	}
	if f.Least == 0 || 8*r.Rate < f.Least {
		f.Least = 8 * r.Rate
	}
	if repair := agenda.At(m.sc.Repair); now >= repair && f.First != nil && f.Full == nil && r.Rate >= 0.99*lineRate {
		f.Full = since(repair, now)
	}
}

// reported notes a segment that is taken for lost.
func (m *meter) reported(n *network, l Lost, now agenda.Instant) {
	k := m.place[l.Flow]
	if k < 0 {
		return
	}
	f := &m.res.Flows[k]
	m.res.Reports = append(m.res.Reports, now.NS())
	if l.Timeout {
		f.Timeouts++
	} else {
		f.Skipped++
	}
	at, ok := m.drops[l.Segment]
	if !ok {
		f.Wrong++
		return
	}
	delete(m.drops, l.Segment)
	took := (now - at).NS()
	if l.Timeout {
		f.Tail = max(f.Tail, took)
		return
	}
	m.reports[k][0]++
	m.reports[k][1] += took
	f.Worst = max(f.Worst, took)
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
			r.Flows[k].Report = float64(x[1]) / float64(x[0])
		}
	}
	for _, o := range m.outage {
		if o.before[1] > 0 {
			o.Before = float64(o.before[0]) / float64(o.before[1])
		}
		if o.sum[1] > 0 {
			o.Later = float64(o.sum[0]) / float64(o.sum[1])
		}
		r.Outages = append(r.Outages, *o.Outage)
	}
	return r
}
