// SPDX-License-Identifier: Apache-2.0

// Package spray is a packet-level model of hosts that spray the packets of a flow
// over paths of unequal length: the hosts' links and rate limiters, every egress
// queue on the way, probes, losses, links that fail and are repaired. Which path a
// packet takes, at what rate a flow sends, and what is taken for lost comes from a
// Controller, behind which there may be Algorithms 1 to 3 of LAPS in floating point,
// a golden model, or RTL; the package knows none of the latter two.
//
// A run depends on its scenario, its settings and its controllers alone.
package spray

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim"
)

// Segment is a data segment: the flow it belongs to and its number in the flow.
type Segment struct{ Flow, Seq uint32 }

// Packet is a data segment that wants a path. Times do not wrap: a controller of
// hardware cuts them to its width.
type Packet struct {
	Segment
	Pair  int    // whose paths it can take, an index of Scenario.Pairs
	Track bool   // it is to be reported if it gets lost
	Now   uint64 // ns
}

// Choice is the answer to a packet.
type Choice struct {
	Path  int    // an index of Scenario.Paths; -1: there is none
	Probe int    // a path that a probe is to be sent on, -1: none
	Lost  []Lost // as in Reaction
}

// Ack is an acknowledgement as it reaches the sender.
type Ack struct {
	Segment
	Path  int
	Delay uint64 // of the segment, one way, in ns
	Now   uint64 // ns
}

// Cause is what an acknowledgement did to its flow's rate.
type Cause uint8

// Causes.
const (
	Held      Cause = iota // nothing
	Decreased              // every path is slower than the slowest one is without congestion: halved
	Increased              // half of the way to the expected rate
	Doubled                // the same, the expected rate doubled before
)

// Reaction is the answer to an acknowledgement.
type Reaction struct {
	Rate  float64 // of the flow from now on, in bytes per ns
	Cause Cause
	Lost  []Lost // in the order in which they were found; good until the next call
}

// Answer is the answer to a probe as it reaches the sender.
type Answer struct {
	Path  int
	Delay uint64 // of the probe, one way, in ns
	Now   uint64 // ns
}

// Lost is a segment that is taken for lost.
type Lost struct {
	Segment
	Path    int  // that it was sent on
	Timeout bool // a timer found it, not an acknowledgement of a later segment
}

// Controller chooses paths and rates, for all flows and all pairs of hosts that it
// was made for. Its methods are called in the order of time. An error ends the run.
type Controller interface {
	// Open makes a flow a new one and returns its rate in bytes per ns.
	Open(flow int, now uint64) (float64, error)
	// Packet chooses a path.
	Packet(p *Packet) (Choice, error)
	// Ack takes a measurement, decides the rate, and looks for losses.
	Ack(a *Ack) (Reaction, error)
	// Answer takes a measurement.
	Answer(a *Answer) error
	// Tick gives timers that have expired the time to be seen.
	Tick(now uint64) ([]Lost, error)
}

// Settings are what a controller is configured with.
type Settings struct {
	Beta    float64 `json:"beta"`              // β′: a path of latency d weighs exp(-β′·d/T), T the pair's longest baseline
	MaxRate float64 `json:"max_rate_bytes_ns"` // of a flow that is opened, and cap
	MinRate float64 `json:"min_rate_bytes_ns"` // no decrease leads below
	Stages  int     `json:"stages"`            // N: increases before the expected rate is doubled
	RTOMin  uint64  `json:"least_timeout_ns"`  // of a path's timer
	Seed    uint64  `json:"seed"`              // of the picker's random numbers
}

// NewSettings are the paper's settings at 100 Gb/s with a choice of β′ and a seed:
// N 5, rates from a hundredth of the line.
func NewSettings(beta float64, seed uint64) Settings {
	return Settings{Beta: beta, MaxRate: lineRate, MinRate: lineRate / 100, Stages: 5, RTOMin: 8 * ms, Seed: seed}
}

// Check refuses settings that make no sense.
func (s *Settings) Check() error {
	var bad []string
	rule := func(ok bool, name string, found any, allowed string) {
		if !ok {
			bad = append(bad, fmt.Sprintf("%s: found %v, allowed: %s", name, found, allowed))
		}
	}
	rule(s.Beta >= 0 && s.Beta <= 64, "β′", s.Beta, "0 to 64")
	rule(s.MaxRate > 0 && s.MaxRate <= 1000, "largest rate", s.MaxRate, "above 0, at most 1000 bytes/ns")
	rule(s.MinRate > 0 && s.MinRate <= s.MaxRate, "least rate", s.MinRate, "above 0, at most the largest rate")
	rule(s.Stages >= 0 && s.Stages <= 15, "stages", s.Stages, "0 to 15")
	rule(s.RTOMin < 1<<30, "least timeout", s.RTOMin, "less than 2^30 ns")
	if bad != nil {
		return fmt.Errorf("settings: %s", strings.Join(bad, "; "))
	}
	return nil
}

// A Maker makes the controllers of a unit for a scenario and the models that it
// knows, of sim.Golden and sim.RTL; for another it returns an error. The controller
// serves the pairs of the scenario that are under test, and their flows. One of RTL
// has the golden model beside it and fails with a *Difference as soon as an output
// differs. A controller that is an io.Closer is closed after its run. The context
// ends the compilation of RTL, and the run.
type Maker func(ctx context.Context, m sim.Model, sc *Scenario, s Settings) (Controller, error)

// Difference is the error of RTL and golden model that do not agree.
type Difference struct {
	Events uint64 // on which they agreed
	Event  string // the next one
	Port   string
	Cycles int    // since the event
	RTL    string // what the port shows
	Golden string // what it should show
}

// Error tells what the two showed at which event.
func (d *Difference) Error() string {
	return fmt.Sprintf("after %d equal events: %s: %d cycles later rtl shows %s on %s, golden %s", d.Events, d.Event, d.Cycles, d.RTL, d.Port, d.Golden)
}

// Link is one direction of a cable with the egress queue before it.
type Link struct {
	Name   string
	Rate   float64 // bytes per ns
	Delay  uint64  // ns
	Buffer uint64  // bytes that can wait, 0: any number
	Fails  uint64  // ns: from here on nothing arrives ...
	Mended uint64  // ns: ... up to here; the same as Fails: it never fails
	Loss   uint32  // of 2^32 data segments, how many get lost
}

// Path is a way from one host to another.
type Path struct {
	Pair    int
	Name    string   // what it goes over
	Links   []int    // indices of Scenario.Links
	Anchors []uint32 // nodes that tell it from the pair's other paths
	Base    uint32   // baseVal: its latency without congestion, in ns
}

// Pair is two hosts with the paths from the first to the second.
type Pair struct {
	Source, Destination int  // as the network numbers hosts
	Under               bool // under test: the controller of the run has it; else the float64 model
}

// Flow is a sender's traffic for a pair.
type Flow struct {
	Pair  int
	Start uint64  // ns
	Stop  uint64  // ns: from here on nothing new is sent; losses are
	Load  float64 // bytes per ns in the mean, in messages at random times; 0: there is always something to send
	Limit uint32  // segments to be sent in all, 0: any number
	Track bool    // losses are detected and resent
}

// Scenario is what happens in the network. All times are in ns.
type Scenario struct {
	Name    string
	Title   string // for people
	Links   []Link
	Paths   []Path
	Pairs   []Pair
	Flows   []Flow
	Seed    uint64 // of messages and losses
	Segment uint64 // bytes
	Probe   uint64 // bytes of a probe
	Ack     uint64 // bytes of an ACK; they have priority and never wait
	Message uint32 // segments of a message

	End    uint64
	Event  uint64 // what is observed begins
	Repair uint64 // what was broken is mended, or the burst ends
	Warm   uint64 // shares and latencies count from here on
	Sample uint64 // a sample is taken each time this has passed
	Watch  []int  // paths whose traffic is sampled
	Tick   uint64 // controllers look at their timers at least each time this has passed; 0: never
}

// classes are the lengths that paths under test have, ascending.
func (sc *Scenario) classes() []int {
	var all []int
	for i := range sc.Paths {
		if p := &sc.Paths[i]; sc.Pairs[p.Pair].Under {
			all = append(all, len(p.Links))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// T is the longest baseline of a pair's paths, in ns.
func (sc *Scenario) T(pair int) uint32 {
	var longest uint32
	for i := range sc.Paths {
		if p := &sc.Paths[i]; p.Pair == pair {
			longest = max(longest, p.Base)
		}
	}
	return longest
}

// Under are the scenario's flows under test.
func (sc *Scenario) Under() []int {
	var all []int
	for i, f := range sc.Flows {
		if sc.Pairs[f.Pair].Under {
			all = append(all, i)
		}
	}
	return all
}

// Empty is the latency of a packet that waits nowhere, in ns.
func (sc *Scenario) Empty(path int, bytes uint64) float64 {
	var sum float64
	for _, l := range sc.Paths[path].Links {
		sum += float64(sc.Links[l].Delay) + float64(bytes)/sc.Links[l].Rate
	}
	return sum
}

// Check tells everything that is wrong with a scenario.
func (sc *Scenario) Check() error {
	var bad []string
	rule := func(ok bool, what string, found any, allowed string) {
		if !ok {
			bad = append(bad, fmt.Sprintf("%s: found %v, allowed: %s", what, found, allowed))
		}
	}
	rule(len(sc.Flows) > 0, "flows", len(sc.Flows), "1 or more")
	rule(sc.Segment > 0 && sc.Segment < 1<<20, "segment", sc.Segment, "1 to 1048575 bytes")
	rule(sc.Probe > 0 && sc.Probe <= sc.Segment, "probe", sc.Probe, "1 byte to a segment")
	rule(sc.Ack <= sc.Segment, "ACK", sc.Ack, "at most a segment")
	rule(sc.Sample > 0, "sample", sc.Sample, "at least 1 ns")
	rule(sc.Message > 0, "message", sc.Message, "at least 1 segment")
	rule(sc.Event <= sc.Repair && sc.Repair <= sc.End && sc.Warm < sc.End && sc.End < 1<<40, "event, repair, warm, end",
		[]uint64{sc.Event, sc.Repair, sc.Warm, sc.End}, "event at most repair, at most end; warm before the end, that below 2^40 ns")
	for i, l := range sc.Links {
		rule(l.Rate > 0 && l.Rate <= 1000, fmt.Sprintf("link %d: rate", i), l.Rate, "above 0, at most 1000 bytes/ns")
		rule(l.Delay < 1<<30, fmt.Sprintf("link %d: delay", i), l.Delay, "less than 2^30 ns")
		rule(l.Fails <= l.Mended, fmt.Sprintf("link %d: fails, mended", i), []uint64{l.Fails, l.Mended}, "fails at most mended")
	}
	for i, p := range sc.Paths {
		rule(p.Pair >= 0 && p.Pair < len(sc.Pairs), fmt.Sprintf("path %d: pair", i), p.Pair, fmt.Sprintf("0 to %d", len(sc.Pairs)-1))
		rule(len(p.Links) > 0, fmt.Sprintf("path %d: links", i), len(p.Links), "1 or more")
		rule(p.Base > 0, fmt.Sprintf("path %d: baseline", i), p.Base, "at least 1 ns")
		for _, l := range p.Links {
			rule(l >= 0 && l < len(sc.Links), fmt.Sprintf("path %d: link", i), l, fmt.Sprintf("0 to %d", len(sc.Links)-1))
		}
	}
	for i, f := range sc.Flows {
		rule(f.Pair >= 0 && f.Pair < len(sc.Pairs), fmt.Sprintf("flow %d: pair", i), f.Pair, fmt.Sprintf("0 to %d", len(sc.Pairs)-1))
		rule(f.Load >= 0 && !math.IsInf(f.Load, 0), fmt.Sprintf("flow %d: load", i), f.Load, "a finite number of bytes/ns from 0")
		rule(f.Start <= f.Stop && f.Stop < 1<<40, fmt.Sprintf("flow %d: start, stop", i), []uint64{f.Start, f.Stop}, "start at most stop, that below 2^40 ns")
	}
	if bad != nil {
		return fmt.Errorf("scenario %s: %s", sc.Name, strings.Join(bad, "; "))
	}
	return nil
}
