// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"
	"math"
	"math/rand/v2"
)

const (
	us = 1000
	ms = 1000 * us
)

// The set-up of the paper's evaluation: 100 Gb/s on every link, packets of 1,500
// bytes (a queue of 150 KB is "~100 packets"), 1 µs a link as in the authors' files.
const (
	lineRate  = 12.5 // bytes per ns
	segment   = 1500 // bytes
	linkDelay = us
	margin    = 5 // packets of queue at each switch that baseVal includes
)

// rail is the paper's Rail network: clusters of GPUs, each with a host behind it; the
// GPUs of a cluster are on an NVLink switch, those of the same number in all clusters
// on a rail switch. Nodes are numbered as in the authors' tables: rail switches,
// GPUs, NVLink switches, hosts.
type rail struct {
	sc    *Scenario
	cable map[[2]uint32]int // the link from one node to another
}

const (
	clusters = 8
	gpus     = 8 // of a cluster, and rail switches
	hosts    = clusters * gpus
)

func newRail(sc *Scenario) *rail { return &rail{sc, map[[2]uint32]int{}} }

func gpuNode(host int) uint32     { return uint32(gpus + host) }
func nvNode(cluster int) uint32   { return uint32(gpus + hosts + cluster) }
func hostNode(host int) uint32    { return uint32(gpus + hosts + clusters + host) }
func cluster(host int) int        { return host / gpus }
func name(from, to uint32) string { return fmt.Sprintf("%d-%d", from, to) }

// link is the link from one node to another.
func (r *rail) link(from, to uint32) int {
	k := [2]uint32{from, to}
	i, ok := r.cable[k]
	if !ok {
		i = len(r.sc.Links)
		r.cable[k] = i
		r.sc.Links = append(r.sc.Links, Link{Name: name(from, to), Rate: lineRate, Delay: linkDelay})
	}
	return i
}

// nodes lists the nodes of the path between hosts of two clusters over a rail switch,
// through the GPU of that rail in each cluster.
func nodes(from, to, over int) []uint32 {
	list := []uint32{hostNode(from), gpuNode(from)}
	a, b := cluster(from)*gpus+over, cluster(to)*gpus+over
	if a != from {
		list = append(list, nvNode(cluster(from)), gpuNode(a))
	}
	list = append(list, uint32(over), gpuNode(b))
	if b != to {
		list = append(list, nvNode(cluster(to)), gpuNode(to))
	}
	return append(list, hostNode(to))
}

// pair adds two hosts of different clusters with their paths, one over each rail.
func (r *rail) pair(from, to int, underTest bool) int {
	k := len(r.sc.Pairs)
	r.sc.Pairs = append(r.sc.Pairs, Pair{from, to, underTest})
	for over := range gpus {
		list := nodes(from, to, over)
		// Packets take the shortest path from anchor to anchor.
		anchors := []uint32{gpuNode(cluster(from)*gpus + over), uint32(over), gpuNode(cluster(to)*gpus + over)}
		p := Path{Pair: k, Name: fmt.Sprintf("rail %d", over), Anchors: anchors}
		for i := range len(list) - 1 {
			p.Links = append(p.Links, r.link(list[i], list[i+1]))
		}
		p.Base = base(len(p.Links))
		r.sc.Paths = append(r.sc.Paths, p)
	}
	return k
}

// base is a path's baseVal: its latency without congestion plus five packets at each
// switch.
func base(links int) uint32 {
	const packet = segment / lineRate // ns
	return uint32(links*(linkDelay+packet) + (links-1)*margin*packet)
}

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
	return &Scenario{Name: name, Title: title, Seed: seed, Segment: segment, Probe: 64, Ack: 64, Message: 43, Sample: 5 * us}
}

const (
	Peers  = 4     // hosts that each host of AllToAll sends to
	Hosts  = hosts // hosts in the network
	Tested = gpus  // hosts under test by default: one cluster
)

// Loads are the loads of the paper's Fig. 19.
var Loads = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1}

// AllToAll is the set-up of the paper's Fig. 19 on the Rail network: each of the 64
// hosts sends to four hosts of other clusters and receives from four, at a load that is
// a fraction of the link rate, in messages of 64.5 KB at random times. The seed draws
// the pairs. Hosts below underTest are under test.
func AllToAll(load float64, underTest int, seed uint64) *Scenario {
	sc := empty("spray", fmt.Sprintf("64 hosts of the Rail network, each sending to %d others at %g %% of the link rate", Peers, 100*load), seed)
	const end = 400 * us
	sc.Warm, sc.End, sc.Event, sc.Repair = end/4, end, 0, end
	rnd := rand.New(rand.NewPCG(seed, 0))
	sc.allToAll(load, underTest, func(int) []int { return crossing(rnd) })
	return sc
}

// OwnRail is AllToAll, except that each host sends to the hosts of its own rail in four
// other clusters: each pair has a path of four links to itself.
func OwnRail(load float64, underTest int, seed uint64) *Scenario {
	sc := AllToAll(load, underTest, seed)
	sc.Title += ", on its own rail"
	sc.Links, sc.Paths, sc.Pairs, sc.Flows = nil, nil, nil, nil
	sc.allToAll(load, underTest, func(k int) []int {
		to := make([]int, hosts)
		for i := range to {
			to[i] = (i + (k+1)*gpus) % hosts
		}
		return to
	})
	return sc
}

// allToAll adds a flow from each host to its destination in each permutation.
func (sc *Scenario) allToAll(load float64, underTest int, to func(k int) []int) {
	r := newRail(sc)
	for k := range Peers {
		for from, to := range to(k) {
			p := r.pair(from, to, from < underTest)
			sc.Flows = append(sc.Flows, Flow{Pair: p, Start: uint64(k), Stop: sc.End, Load: load * lineRate / Peers})
		}
	}
}

// crossing draws a permutation that maps each host to another cluster.
func crossing(rnd *rand.Rand) []int {
	to := rnd.Perm(hosts)
	for again := true; again; {
		again = false
		for i := range to {
			if cluster(i) == cluster(to[i]) {
				k := rnd.IntN(hosts)
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
	sc.Message = 1
	r := newRail(sc)
	p := r.pair(0, gpus, true)
	sc.Flows = append(sc.Flows, Flow{Pair: p, Stop: sc.End, Load: lineRate / 2})
	for i := range sc.Links {
		if x := &sc.Links[i]; x.Name == name(gpuNode(3), 3) || x.Name == name(3, gpuNode(gpus+3)) {
			x.Fails, x.Repaired = sc.Event, sc.Repair
		}
	}
	sc.Watch = sc.pathsOf(p)
	return sc
}

// pathsOf lists the paths of a pair.
func (sc *Scenario) pathsOf(pair int) (list []int) {
	for i := range sc.Paths {
		if sc.Paths[i].Pair == pair {
			list = append(list, i)
		}
	}
	return list
}

// Incast is a host that receives n flows, each from another cluster: the first all the
// time, the others for 1 ms.
func Incast(n int, seed uint64) *Scenario {
	sc := empty("spray-incast", fmt.Sprintf("one flow of the Rail network, and %d more to the same host for 1 ms", n-1), seed)
	sc.Event, sc.Repair, sc.End, sc.Sample = 200*us, 1200*us, 2500*us, 5*us
	sc.Warm = sc.Event
	r := newRail(sc)
	rnd := rand.New(rand.NewPCG(seed, 0))
	const to = 0
	for i := range n {
		p := r.pair((i+1)*gpus+rnd.IntN(gpus), to, true)
		f := Flow{Pair: p, Start: sc.Event + rnd.Uint64N(segment/lineRate), Stop: sc.Repair}
		if i == 0 {
			f.Start, f.Stop = 0, sc.End
			sc.Watch = sc.pathsOf(p)
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
	sc.Sample, sc.End, sc.Tick = 20*us, 12*ms, 500*us
	sc.Event, sc.Repair = 1970*us, 2100*us
	sc.Message = 1
	r := newRail(sc)
	p := r.pair(0, gpus, true)
	sc.Flows = append(sc.Flows, Flow{Pair: p, Stop: 2 * ms, Load: lineRate / 2, Track: true})
	for i := range sc.Links {
		switch x := &sc.Links[i]; x.Name {
		case name(gpuNode(0), 0):
			x.Loss = math.MaxUint32 / 100
		case name(gpuNode(5), 5):
			x.Fails, x.Repaired = sc.Event, sc.Repair
		}
	}
	sc.Watch = sc.pathsOf(p)
	return sc
}
