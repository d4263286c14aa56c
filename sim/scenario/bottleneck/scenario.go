// SPDX-License-Identifier: Apache-2.0

package bottleneck

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Flow is one sender that always has data to send between two instants.
type Flow struct {
	Start  uint64 // ns
	Jitter uint64 // ns from Start to its first packet
	Stop   uint64 // ns; the scenario's end or later: it never stops
}

// Scenario is the course of events at the link. All times are in ns.
type Scenario struct {
	Name    string
	Flows   []Flow // one connection each, each on a separate host
	End     uint64 // the run ends
	Event   uint64 // when the observed event begins
	Steady  uint64 // when the measurement of steady state begins
	Low     uint64 // bytes: a shorter queue counts as drained
	Sample  uint64 // time between samples
	Segment uint64 // bytes of a packet

	Gbps  float64        // of the cables of all hosts
	Delay fabric.Instant // of each of them: a packet crosses two, and its acknowledgement two
}

// RTT is the round-trip time through empty queues, in ns.
func (sc *Scenario) RTT() float64 {
	return 4*float64(sc.Delay)/ps + 2*float64(sc.Segment+fabric.HeaderSize)/(sc.Gbps/8)
}

// Names are the scenarios, as New takes them.
var Names = []string{"incast", "fairness"}

// New returns a scenario by its name. The seed delays each flow's first packet
// by less than a packet time, so that hosts are not in step.
func New(name string, seed uint64) (*Scenario, error) {
	switch name {
	case "incast":
		return Incast(10, seed), nil
	case "fairness":
		return Fairness(4, seed), nil
	}
	return nil, fmt.Errorf("scenario: found %q, allowed: %s or %s", name, Names[0], Names[1])
}

const (
	us = 1000
	ms = 1000 * us
)

// base has cables of 25 Gb/s with a round-trip time of 5 µs: 1.08 µs a cable, and what packet and acknowledgement take to
// leave two ports each.
func base(name string) *Scenario {
	return &Scenario{Name: name, Segment: segment, Gbps: gbits, Delay: 1_079_760, Low: 20_000, Sample: us}
}

// Incast is the paper's Fig. 2.4: one long flow, and n that start together half a
// millisecond later. Steady state is measured from 1 to 3 ms after that.
func Incast(n int, seed uint64) *Scenario {
	sc := base("incast")
	sc.Event, sc.Steady, sc.End = 500*us, 1500*us, 3500*us
	sc.Flows = append(sc.Flows, Flow{0, 0, sc.End})
	for range n {
		sc.Flows = append(sc.Flows, Flow{sc.Event, 0, sc.End})
	}
	sc.shift(seed)
	return sc
}

// Fairness is the paper's Fig. 2.5: n flows that join one by one and leave one by
// one in the same order, 4 ms apart.
func Fairness(n int, seed uint64) *Scenario {
	const phase = 4 * ms
	sc := base("fairness")
	sc.Sample = 10 * us
	sc.End = uint64(2*n-1) * phase
	for i := range n {
		sc.Flows = append(sc.Flows, Flow{uint64(i) * phase, 0, uint64(n+i) * phase})
	}
	sc.shift(seed)
	return sc
}

// shift delays each first packet by less than a packet time.
func (sc *Scenario) shift(seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 0))
	for i := range sc.Flows {
		sc.Flows[i].Jitter = rnd.Uint64N(uint64(float64(sc.Segment) / (sc.Gbps / 8)))
	}
}

// changes lists the instants at which flows start or stop, with 0 and the end.
func (sc *Scenario) changes() []uint64 {
	all := []uint64{0, sc.End}
	for _, f := range sc.Flows {
		all = append(all, min(f.Start, sc.End), min(f.Stop, sc.End))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Check returns every error in a scenario, or nil.
func (sc *Scenario) Check() error {
	var errs []error
	rule := func(ok bool, name string, found any, allowed string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: found %v, allowed: %s", name, found, allowed))
		}
	}
	rule(len(sc.Flows) > 0, "flows", len(sc.Flows), "at least 1")
	for i, f := range sc.Flows {
		rule(f.Jitter < 1<<33 && f.Start < 1<<33 && f.Start+f.Jitter < f.Stop, fmt.Sprintf("flow %d: start, jitter, stop", i), []uint64{f.Start, f.Jitter, f.Stop}, "start and jitter below 2^33 ns, stop after start + jitter")
	}
	rule(sc.Event <= sc.Steady && sc.Steady < sc.End, "event, steady, end", []uint64{sc.Event, sc.Steady, sc.End}, "event at most steady, steady before the end")
	rule(sc.Sample > 0, "sample", sc.Sample, "at least 1 ns")
	rule(sc.Segment > 0 && sc.Segment <= 1<<16, "segment", sc.Segment, "1 to 65536 bytes")
	rule(sc.Gbps > 0 && sc.Gbps <= 8000, "rate", sc.Gbps, "above 0, at most 8000 Gb/s")
	rule(sc.End < 1<<33, "end", sc.End, "less than 2^33 ns")
	rule(sc.Delay >= 0 && sc.Delay < 1<<40, "delay", sc.Delay, "0 to 2^40 - 1 ps")
	return errors.Join(errs...)
}
