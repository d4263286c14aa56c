// SPDX-License-Identifier: Apache-2.0

// Package spray is a packet-level model of hosts that spray the packets of a flow
// over paths of unequal length: the hosts' links and rate limiters, every egress
// queue on the way, probes, losses, links that fail and are repaired. A Controller
// chooses each packet's path and each flow's rate, and declares segments lost. It may
// be Algorithms 1 to 3 of LAPS in floating point, a golden model, or RTL; the package
// imports only the first of them.
//
// A run depends only on its scenario, its settings and its controllers.
package spray

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/transport"
)

// Segment is a data segment: the flow it belongs to and its number in the flow.
type Segment struct{ Flow, Seq uint32 }

// Packet is a data segment that needs a path. Times do not wrap: a hardware controller
// truncates them to its width.
type Packet struct {
	Segment
	Pair  int    // the pair whose paths it may take, an index of Scenario.Pairs
	Track bool   // report it if it is lost
	Now   uint64 // ns
}

// Choice is the answer to a packet.
type Choice struct {
	Path  int    // an index of Scenario.Paths; -1: no path
	Probe int    // the path to probe; -1: none
	Lost  []Lost // as in Reaction
}

// Ack is an acknowledgement as it reaches the sender.
type Ack struct {
	Segment
	Path  int
	Delay uint64 // of the segment, one way, in ns
	Now   uint64 // ns
}

// Cause is the effect of an acknowledgement on its flow's rate.
type Cause uint8

// Causes.
const (
	Held      Cause = iota // unchanged
	Decreased              // halved: every path is slower than the longest baseline
	Increased              // raised by half of the difference to the expected rate
	Doubled                // as Increased, after the expected rate was doubled
)

// Reaction is the answer to an acknowledgement.
type Reaction struct {
	Rate  float64 // of the flow from now on, in bytes per ns
	Cause Cause
	Lost  []Lost // in the order of detection; valid until the next call
}

// Answer is the answer to a probe as it reaches the sender.
type Answer struct {
	Path  int
	Delay uint64 // of the probe, one way, in ns
	Now   uint64 // ns
}

// Lost is a segment that the controller declares lost.
type Lost struct {
	Segment
	Path    int  // the path that it was sent on
	Timeout bool // detected by a timer, not by the ACK of a later segment
}

// Controller chooses paths and rates, for the flows and pairs of hosts that it was
// made for. Its methods are called in order of time. An error ends the run.
type Controller interface {
	// Open starts a new flow and returns its rate in bytes per ns.
	Open(flow int, now uint64) (float64, error)
	// Packet chooses a path.
	Packet(p *Packet) (Choice, error)
	// Ack records a latency, decides the rate, and detects losses.
	Ack(a *Ack) (Reaction, error)
	// Answer records the latency that a probe measured.
	Answer(a *Answer) error
	// Tick checks the timers and returns the segments that they declare lost.
	Tick(now uint64) ([]Lost, error)
}

// Settings configure a controller.
type Settings struct {
	Beta    float64 `json:"beta"`              // β′: a path of latency d weighs exp(-β′·d/T), T the pair's longest baseline
	MaxRate float64 `json:"max_rate_bytes_ns"` // initial and largest rate of a flow
	MinRate float64 `json:"min_rate_bytes_ns"` // lower bound of a decrease
	Stages  int     `json:"stages"`            // N: increases before the expected rate is doubled
	RTOMin  uint64  `json:"least_timeout_ns"`  // lower bound of a path's timer
	Seed    uint64  `json:"seed"`              // of the path picker's random numbers
}

// NewSettings returns the paper's settings at 100 Gb/s for a β′ and a seed: N = 5, rates
// from a hundredth of the line rate.
func NewSettings(beta float64, seed uint64) Settings {
	return Settings{Beta: beta, MaxRate: lineRate, MinRate: lineRate / 100, Stages: 5, RTOMin: 8 * ms, Seed: seed}
}

// Check returns every setting outside its range.
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

// A Maker makes a unit's controller for a scenario and the model transport.Golden or transport.RTL,
// and returns an error for any other model. The controller serves the scenario's pairs
// under test and their flows. An RTL controller runs in lockstep with the golden model
// and fails with a *Difference as soon as an output differs. A controller that is an
// io.Closer is closed after its run. The context can cancel the compilation of RTL and
// the run.
type Maker func(ctx context.Context, m transport.Model, sc *Scenario, s Settings) (Controller, error)

// Difference is the error of an output that differs between RTL and golden model.
type Difference struct {
	Events uint64 // events on which they agreed
	Event  string // the event on which they did not
	Port   string
	Cycles int    // since the event
	RTL    string // value of the port
	Golden string // expected value
}

// Error names the event, the port and both values.
func (d *Difference) Error() string {
	return fmt.Sprintf("after %d equal events: %s: %d cycles later rtl shows %s on %s, golden %s", d.Events, d.Event, d.Cycles, d.RTL, d.Port, d.Golden)
}

// Link is one direction of a cable with the egress queue before it.
type Link struct {
	Name     string
	Rate     float64 // bytes per ns
	Delay    uint64  // ns
	Buffer   uint64  // size of the queue in bytes; 0: unbounded
	Fails    uint64  // ns: the link delivers nothing from here ...
	Repaired uint64  // ns: ... to here; equal to Fails: it never fails
	Loss     uint32  // chance that a data segment is lost, in units of 2^-32
}

// Path is a way from one host to another.
type Path struct {
	Pair    int
	Name    string   // for results, such as "rail 3"
	Links   []int    // indices of Scenario.Links
	Anchors []uint32 // nodes that distinguish it from the pair's other paths
	Base    uint32   // baseVal: its latency without congestion, in ns
}

// Pair is two hosts and the paths from the first to the second.
type Pair struct {
	Source, Destination int  // host numbers
	UnderTest           bool // served by the run's controller, not by the float64 model in the background
}

// Flow is a sender's traffic for a pair.
type Flow struct {
	Pair  int
	Start uint64  // ns
	Stop  uint64  // ns: from here on only lost segments are sent
	Load  float64 // mean bytes per ns, in messages at random times; 0: always data to send
	Limit uint32  // segments to send in all; 0: no limit
	Track bool    // losses are detected and retransmitted
}

// Scenario is the course of events in the network. All times are in ns.
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
	Ack     uint64 // bytes of an ACK; ACKs have priority and never wait
	Message uint32 // segments of a message

	End    uint64
	Event  uint64 // when the observed event begins: an outage or a burst
	Repair uint64 // when it ends
	Warm   uint64 // end of the warm-up: shares and latencies count from here on
	Sample uint64 // time between samples
	Watch  []int  // paths whose traffic is sampled
	Tick   uint64 // time between checks of the controllers' timers; 0: no checks
}

// classes lists the lengths of the paths under test, ascending.
func (sc *Scenario) classes() []int {
	var all []int
	for i := range sc.Paths {
		if p := &sc.Paths[i]; sc.Pairs[p.Pair].UnderTest {
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

// FlowsUnderTest lists the scenario's flows under test.
func (sc *Scenario) FlowsUnderTest() []int {
	var all []int
	for i, f := range sc.Flows {
		if sc.Pairs[f.Pair].UnderTest {
			all = append(all, i)
		}
	}
	return all
}

// Empty is the latency through empty queues, in ns.
func (sc *Scenario) Empty(path int, bytes uint64) float64 {
	var sum float64
	for _, l := range sc.Paths[path].Links {
		sum += float64(sc.Links[l].Delay) + float64(bytes)/sc.Links[l].Rate
	}
	return sum
}

// Check returns every error in a scenario.
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
		rule(l.Fails <= l.Repaired, fmt.Sprintf("link %d: fails, repaired", i), []uint64{l.Fails, l.Repaired}, "fails at most repaired")
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
