// SPDX-License-Identifier: Apache-2.0

package bottleneck

import (
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/transport"
)

// Sample is the state of the link at an instant.
type Sample struct {
	At         uint64    // ns since the start of the scenario
	Queue      uint64    // bytes that wait
	Throughput []float64 // of each flow since the previous sample, in Gb/s
	Window     []float64 // of each flow, in bytes
}

// Total is the throughput of all flows together, in Gb/s.
func (s Sample) Total() float64 {
	var sum float64
	for _, t := range s.Throughput {
		sum += t
	}
	return sum
}

// Phase is a period in which no flow starts or stops. It is measured over its second
// half, when the flows have adapted.
type Phase struct {
	From       uint64  `json:"from_ns"`
	To         uint64  `json:"to_ns"`
	Flows      int     `json:"flows"`             // flows that send
	Throughput float64 `json:"throughput_gbps"`   // of all flows together
	Jain       float64 `json:"jain_index"`        // of the flows' throughputs: 1 is fair, 1/Flows is one flow alone
	MeanQueue  float64 `json:"mean_queue_bytes"`  // over time
	Slowest    float64 `json:"slowest_flow_gbps"` // of the flows that send
	Fastest    float64 `json:"fastest_flow_gbps"` // of the flows that send
}

// Result is the outcome of a run. Times named "after" count from Scenario.Event;
// "steady" values are measured from Scenario.Steady to the end.
type Result struct {
	Scenario *Scenario `json:"-"`
	Samples  []Sample  `json:"-"`
	Acks     uint64    `json:"acks"`

	Peak         uint64  `json:"peak_queue_bytes"`        // longest queue since Scenario.Event
	PeakAfter    uint64  `json:"peak_after_ns"`           // when the peak was first reached
	DrainedAfter *uint64 `json:"drained_after_ns"`        // when the queue was first below Scenario.Low after the peak; nil: never
	SettledAfter *uint64 `json:"settled_after_ns"`        // from when on the queue was always below Scenario.Low; nil: not before Scenario.Steady
	MeanQueue    float64 `json:"steady_mean_queue_bytes"` // over time
	Throughput   float64 `json:"steady_throughput_gbps"`  // of all flows
	Phases       []Phase `json:"phases"`
}

// total holds a meter's counts between two instants.
type total struct {
	from, to instant
	area     float64  // queue × time, in bytes × ps
	bytes    []uint64 // delivered, of each flow
}

// meter measures a run as it goes: it watches the port to the receiver.
type meter struct {
	sc     *Scenario
	now    instant
	next   instant // of the next sample
	queue  uint64
	window []float64 // 0: the flow has not begun
	res    Result
	low    instant // the first instant after the peak at which the queue was low, or -1
	above  instant // the last instant at which the queue was not low, or -1
	sample []uint64
	steady total
	phases []total
}

func newMeter(sc *Scenario) *meter {
	n := len(sc.Flows)
	span := func(from, to uint64) total {
		return total{instant(from) * ps, instant(to) * ps, 0, make([]uint64, n)}
	}
	m := &meter{sc: sc, next: instant(sc.Sample) * ps, window: make([]float64, n), sample: make([]uint64, n), low: -1, above: -1}
	m.res.Scenario = sc
	m.steady = span(sc.Steady, sc.End)
	changes := sc.changes()
	for i, from := range changes[:len(changes)-1] {
		to := changes[i+1]
		m.phases = append(m.phases, span(from+(to-from)/2, to))
		m.res.Phases = append(m.res.Phases, Phase{From: from, To: to})
	}
	return m
}

// advance lets time pass up to an event.
func (m *meter) advance(to instant) {
	for m.next <= to {
		m.pass(m.next)
		s := Sample{At: m.next.NS(), Queue: m.queue, Window: slices.Clone(m.window), Throughput: make([]float64, len(m.sample))}
		for i, b := range m.sample {
			s.Throughput[i] = gbps(b, m.sc.Sample)
		}
		clear(m.sample)
		m.res.Samples = append(m.res.Samples, s)
		m.next += instant(m.sc.Sample) * ps
	}
	m.pass(to)
}

// pass counts the queue from the last instant to this one.
func (m *meter) pass(to instant) {
	count := func(t *total) {
		if from, to := max(m.now, t.from), min(to, t.to); from < to {
			t.area += float64(float64(m.queue) * float64(to-from))
		}
	}
	count(&m.steady)
	for i := range m.phases {
		count(&m.phases[i])
	}
	if m.queue >= m.sc.Low {
		m.above = to
	}
	m.now = to
}

// Queued implements fabric.Watcher. The packet that is being sent does not wait: while there is one, the port sends.
func (m *meter) Queued(now fabric.Instant, bytes int64) {
	m.advance(now)
	m.queue = uint64(max(bytes-int64(m.sc.Segment), 0))
	if event := instant(m.sc.Event) * ps; now >= event && m.queue > m.res.Peak {
		m.res.Peak, m.res.PeakAfter, m.low = m.queue, (now - event).NS(), -1
	}
	if m.low < 0 && m.queue < m.sc.Low {
		m.low = now
	}
}

// Left implements fabric.Watcher.
func (m *meter) Left(now fabric.Instant, p *fabric.Packet) {
	m.advance(now)
	flow, bytes := p.Flow, uint64(p.Size)
	m.sample[flow] += bytes
	count := func(t *total) {
		if m.now > t.from && m.now <= t.to {
			t.bytes[flow] += bytes
		}
	}
	count(&m.steady)
	for i := range m.phases {
		count(&m.phases[i])
	}
}

// Dropped implements fabric.Watcher: the queue takes all.
func (m *meter) Dropped(fabric.Instant, *fabric.Packet, fabric.Reason) {}

func (m *meter) granted(now fabric.Instant, flow int, g transport.Grant) {
	m.advance(now)
	m.window[flow] = g.Window
}

// gbps is a rate in Gb/s from bytes and ns.
func gbps(bytes, ns uint64) float64 { return 8 * float64(bytes) / float64(ns) }

func (t *total) meanQueue() float64 { return t.area / float64(t.to-t.from) }

func (t *total) rates() (all float64, each []float64) {
	for _, b := range t.bytes {
		r := gbps(b, (t.to - t.from).NS())
		each = append(each, r)
		all += r
	}
	return all, each
}

func (m *meter) result() *Result {
	r := &m.res
	event := instant(m.sc.Event) * ps
	after := func(t instant) *uint64 {
		ns := max(t-event, 0).NS()
		return &ns
	}
	if m.low >= 0 {
		r.DrainedAfter = after(m.low)
	}
	if m.above < m.steady.from {
		r.SettledAfter = after(m.above)
	}
	r.MeanQueue = m.steady.meanQueue()
	r.Throughput, _ = m.steady.rates()
	for i := range r.Phases {
		p, t := &r.Phases[i], &m.phases[i]
		all, each := t.rates()
		var shares []float64
		for k, f := range m.sc.Flows {
			if f.Start <= p.From && f.Stop >= p.To {
				shares = append(shares, each[k])
			}
		}
		p.Flows, p.Throughput, p.Jain, p.MeanQueue = len(shares), all, measure.Jain(shares), t.meanQueue()
		if len(shares) > 0 {
			p.Slowest, p.Fastest = slices.Min(shares), slices.Max(shares)
		}
	}
	return r
}
