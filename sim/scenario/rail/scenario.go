// SPDX-License-Identifier: Apache-2.0

package rail

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
)

// Flow is a sender's traffic for another host.
type Flow struct {
	Src, Dst int
	Start    uint64  // ns
	Stop     uint64  // ns: from here on only lost segments are sent
	Gbps     float64 // in the mean, in messages at random times; 0: always data to send
}

// Fault is an event on a cable between two switches.
type Fault struct {
	From, To string
	Fails    uint64  // ns: nothing gets through, neither way, from here ...
	Repaired uint64  // ns: ... to here; equal to Fails: it never fails
	Loss     float64 // chance that a packet is lost on the way there
}

// Scenario is the course of events in a Rail network. All times are in ns.
type Scenario struct {
	Name      string
	Title     string // for people
	Cables    topo.Cables
	Faults    []Fault
	Flows     []Flow
	UnderTest int    // hosts from 0 on that are under test; the float64 model is in the others
	Seed      uint64 // of messages and losses
	Segment   uint64 // bytes
	Message   uint64 // segments of a message

	End    uint64
	Event  uint64 // when the observed event begins: an outage or a burst
	Repair uint64 // when it ends
	Warm   uint64 // end of the warm-up: shares and latencies count from here on
	Sample uint64 // time between samples
	Watch  int    // flow under test whose routes are sampled; -1: none
}

const (
	us = 1000
	ms = 1000 * us
)

// The set-up of the paper's evaluation: 100 Gb/s on every link, packets of 1,500
// bytes (a queue of 150 KB is "~100 packets"), 1 µs a link as in the authors' files.
const (
	lineRate  = 100 // Gb/s
	segment   = 1500
	linkDelay = us

	clusters = 8
	gpus     = 8 // of a cluster, and rail switches
)

const (
	Hosts  = clusters * gpus // hosts in the network
	Peers  = 4               // hosts that each host of AllToAll sends to
	Tested = gpus            // hosts under test by default: one cluster
)

// Names are the scenarios, as New takes them.
var Names = []string{"spray", "outage", "spray-incast", "loss"}

// New returns a scenario by its name and a seed.
func New(name string, seed uint64) (*Scenario, error) {
	switch name {
	case "spray":
		return AllToAll(1, Tested, seed), nil
	case "outage":
		return OneOutage(seed), nil
	case "spray-incast":
		return Incast(7, seed), nil
	case "loss":
		return Losses(seed), nil
	}
	return nil, fmt.Errorf("scenario: found %q, allowed: %q", name, Names)
}

func empty(name, title string, seed uint64) *Scenario {
	cable := fabric.Link{Gbps: lineRate, Delay: linkDelay * ps}
	return &Scenario{Name: name, Title: title, Seed: seed, Segment: segment, Message: 43, Sample: 5 * us, UnderTest: Hosts, Watch: -1,
		Cables: topo.Cables{Host: cable, Fabric: cable}}
}

// Loads are the loads of the paper's Fig. 19.
var Loads = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1}

// AllToAll is the set-up of the paper's Fig. 19 on the Rail network: each of the 64
// hosts sends to four hosts of other clusters and receives from four, at a load that is
// a fraction of the link rate, in messages of 64.5 KB at random times. The seed draws
// the pairs. Hosts below underTest are under test.
func AllToAll(load float64, underTest int, seed uint64) *Scenario {
	sc := empty("spray", fmt.Sprintf("64 hosts of the Rail network, each sending to %d others at %g %% of the link rate", Peers, 100*load), seed)
	const end = 400 * us
	sc.Warm, sc.End, sc.Event, sc.Repair, sc.UnderTest = end/4, end, 0, end, underTest
	rnd := rand.New(rand.NewPCG(seed, 0))
	sc.allToAll(load, func(int) []int { return crossing(rnd) })
	return sc
}

// OwnRail is AllToAll, except that each host sends to hosts on its rail in four other
// clusters: each pair has an exclusive path of four links.
func OwnRail(load float64, underTest int, seed uint64) *Scenario {
	sc := AllToAll(load, underTest, seed)
	sc.Title += ", on its own rail"
	sc.Flows = nil
	sc.allToAll(load, func(k int) []int {
		to := make([]int, Hosts)
		for i := range to {
			to[i] = (i + (k+1)*gpus) % Hosts
		}
		return to
	})
	return sc
}

// allToAll adds a flow from each host to its destination in each permutation.
func (sc *Scenario) allToAll(load float64, to func(k int) []int) {
	for k := range Peers {
		for from, to := range to(k) {
			sc.Flows = append(sc.Flows, Flow{Src: from, Dst: to, Start: uint64(k), Stop: sc.End, Gbps: load * lineRate / Peers})
		}
	}
}

// crossing draws a permutation that maps each host to another cluster.
func crossing(rnd *rand.Rand) []int {
	to := rnd.Perm(Hosts)
	for again := true; again; {
		again = false
		for i := range to {
			if i/gpus == to[i]/gpus {
				k := rnd.IntN(Hosts)
				to[i], to[k] = to[k], to[i]
				again = true
			}
		}
	}
	return to
}

// OneOutage is a host that sends to another over eight rails; one of the rail switches
// fails and is repaired.
func OneOutage(seed uint64) *Scenario {
	sc := empty("outage", "one flow of the Rail network at half of the link rate, rail 3 fails", seed)
	sc.Warm, sc.Event, sc.Repair, sc.End, sc.Sample = 100*us, 400*us, 1000*us, 2500*us, 10*us
	sc.Message, sc.Watch = 1, 0
	sc.Flows = []Flow{{Src: 0, Dst: gpus, Stop: sc.End, Gbps: lineRate / 2}}
	for c := range clusters {
		sc.Faults = append(sc.Faults, Fault{From: fmt.Sprintf("GPU %d", c*gpus+3), To: "rail 3", Fails: sc.Event, Repaired: sc.Repair})
	}
	return sc
}

// Incast is a host that receives n flows, each from another cluster: the first all the
// time, the others for 1 ms.
func Incast(n int, seed uint64) *Scenario {
	sc := empty("spray-incast", fmt.Sprintf("one flow of the Rail network, and %d more to the same host for 1 ms", n-1), seed)
	sc.Event, sc.Repair, sc.End, sc.Sample = 200*us, 1200*us, 2500*us, 5*us
	sc.Warm, sc.Watch = sc.Event, 0
	rnd := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		f := Flow{Src: (i+1)*gpus + rnd.IntN(gpus), Dst: 0, Start: sc.Event + rnd.Uint64N(segment*8/lineRate), Stop: sc.Repair}
		if i == 0 {
			f.Start, f.Stop = 0, sc.End
		}
		sc.Flows = append(sc.Flows, f)
	}
	return sc
}

// Losses is a host that sends to another at half of the link rate for 2 ms. One rail
// loses a hundredth of the segments. Another one fails shortly before the end: only a
// timer can detect the loss of the segments on it.
func Losses(seed uint64) *Scenario {
	sc := empty("loss", "one flow of the Rail network at half of the link rate; rail 0 loses 1 % of the segments, rail 5 fails at the end", seed)
	sc.Sample, sc.End = 20*us, 12*ms
	sc.Event, sc.Repair = 1970*us, 2100*us
	sc.Message, sc.Watch = 1, 0
	sc.Flows = []Flow{{Src: 0, Dst: gpus, Stop: 2 * ms, Gbps: lineRate / 2}}
	sc.Faults = []Fault{{From: "GPU 0", To: "rail 0", Loss: 0.01}, {From: "GPU 5", To: "rail 5", Fails: sc.Event, Repaired: sc.Repair}}
	return sc
}

// Check returns every error in a scenario, or nil.
func (sc *Scenario) Check() error {
	var errs []error
	rule := func(ok bool, what string, found any, allowed string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: found %v, allowed: %s", what, found, allowed))
		}
	}
	rule(len(sc.Flows) > 0, "flows", len(sc.Flows), "1 or more")
	rule(sc.Segment > 0 && sc.Segment <= 1<<16, "segment", sc.Segment, "1 to 65536 bytes")
	rule(sc.Sample > 0, "sample", sc.Sample, "at least 1 ns")
	rule(sc.Message > 0 && sc.Message < 1<<16, "message", sc.Message, "1 to 65535 segments")
	rule(sc.UnderTest > 0 && sc.UnderTest <= Hosts, "hosts under test", sc.UnderTest, fmt.Sprintf("1 to %d", Hosts))
	rule(sc.Event <= sc.Repair && sc.Repair <= sc.End && sc.Warm < sc.End && sc.End < 1<<33, "event, repair, warm, end",
		[]uint64{sc.Event, sc.Repair, sc.Warm, sc.End}, "event at most repair, at most end; warm before the end, that below 2^33 ns")
	for i, f := range sc.Flows {
		host := func(h int) bool { return h >= 0 && h < Hosts }
		rule(host(f.Src) && host(f.Dst) && f.Src/gpus != f.Dst/gpus, fmt.Sprintf("flow %d: hosts", i), []int{f.Src, f.Dst}, fmt.Sprintf("two of the %d, of different clusters", Hosts))
		rule(f.Gbps >= 0 && f.Gbps <= 1000, fmt.Sprintf("flow %d: load", i), f.Gbps, "0 to 1000 Gb/s")
		rule(f.Start < f.Stop && f.Stop < 1<<33, fmt.Sprintf("flow %d: start, stop", i), []uint64{f.Start, f.Stop}, "start before stop, that below 2^33 ns")
	}
	for i, f := range sc.Faults {
		rule(f.Fails <= f.Repaired && f.Repaired <= sc.End, fmt.Sprintf("fault %d: fails, repaired", i), []uint64{f.Fails, f.Repaired}, "fails at most repaired, at most the end")
		rule(f.Loss >= 0 && f.Loss <= 1, fmt.Sprintf("fault %d: loss", i), f.Loss, "0 to 1")
	}
	rule(sc.Watch < len(sc.Flows) && (sc.Watch < 0 || sc.underTest(sc.Flows[sc.Watch].Src)), "watch", sc.Watch, "a flow under test, or -1")
	return errors.Join(errs...)
}

func (sc *Scenario) underTest(host int) bool { return host < sc.UnderTest }

// FlowsUnderTest lists the scenario's flows under test.
func (sc *Scenario) FlowsUnderTest() []int {
	var all []int
	for i, f := range sc.Flows {
		if sc.underTest(f.Src) {
			all = append(all, i)
		}
	}
	return all
}
