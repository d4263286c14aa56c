// SPDX-License-Identifier: Apache-2.0

package topo_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
)

var link = fabric.Link{Gbps: 400, Delay: 1_000_000}

// sink counts what a host reads.
type sink struct{ got int }

func (s *sink) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	s.got++
	n.Received(p)
}

func build(t interface{ Fatal(...any) }, s topo.Shape, seed uint64) *topo.Tree {
	s.Host, s.Fabric = link, link
	tree, err := topo.New(&s, seed)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// In every tree, whatever its EV, a packet reaches its host, over no more hops than the tree is high.
func TestEveryPacketArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.IntRange(1, 4)
		s := topo.Shape{Tiers: rapid.IntRange(1, 3).Draw(t, "tiers"), Pods: small.Draw(t, "pods"), Leaves: small.Draw(t, "leaves"),
			Hosts: small.Draw(t, "hosts"), Spines: small.Draw(t, "spines"), Cores: small.Draw(t, "cores")}
		tree := build(t, s, rapid.Uint64().Draw(t, "seed"))
		sinks := make([]sink, len(tree.Hosts))
		for i, p := range tree.Hosts {
			p.Attach(&sinks[i], nil)
		}
		src, dst := rapid.IntRange(0, len(sinks)-1).Draw(t, "from"), rapid.IntRange(0, len(sinks)-1).Draw(t, "to")
		for range 5 {
			x := tree.Packet()
			x.Src, x.Dst, x.Size = int32(src), int32(dst), 100
			x.SetEV(rapid.Uint32Range(0, 1<<20-1).Draw(t, "EV"))
			tree.Hosts[src].Put(tree.Network, x)
		}
		if err := tree.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if sinks[dst].got != 5 || tree.Count.Hops > uint64(5*2*s.Tiers) {
			t.Fatalf("%d of 5 packets came, over %d hops", sinks[dst].got, tree.Count.Hops)
		}
	})
}

// A packet of a host that does not exist is dropped, and so is one that cannot go up.
func TestNoRoute(t *testing.T) {
	tree := build(t, topo.Shape{Tiers: 1, Hosts: 2}, 1)
	for _, dst := range []int32{2, -1} {
		x := tree.Packet()
		x.Dst, x.Size = dst, 100
		tree.Hosts[0].Put(tree.Network, x)
	}
	if err := tree.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := tree.Count.Drops[fabric.NoRoute]; got != 2 {
		t.Errorf("%d packets had no route, want 2", got)
	}
}

// shares counts the EVs that a switch sends to each port up.
func shares(sw *topo.Switch, evs uint32) map[*fabric.Port]int {
	p, found := &fabric.Packet{Src: 0, Dst: 5}, map[*fabric.Port]int{}
	for ev := range evs {
		p.SetEV(ev)
		found[sw.Route(p)]++
	}
	return found
}

// EVs spread evenly over ports up, or by weights; every switch spreads them in its own way.
func TestHash(t *testing.T) {
	tree := build(t, topo.Shape{Tiers: 3, Pods: 2, Leaves: 2, Hosts: 2, Spines: 4, Cores: 4}, 7)
	const evs = 1 << 16
	leaf := tree.Leaves[0]
	for p, n := range shares(leaf, evs) {
		if n < evs/4-700 || n > evs/4+700 {
			t.Errorf("%s has %d of %d EVs, want a quarter", p.Name, n, evs)
		}
	}
	if err := leaf.Weigh([]int{1, 2, 0, 5}); err != nil {
		t.Fatal(err)
	}
	found := shares(leaf, evs)
	for i, w := range []int{1, 2, 0, 5} {
		if n := found[leaf.Up[i]]; n < evs*w/8-700 || n > evs*w/8+700 || w == 0 && n > 0 {
			t.Errorf("%s has %d of %d EVs, want %d in 8", leaf.Up[i].Name, n, evs, w)
		}
	}
	// With one hash for all switches, the EVs that reach a spine would all go on to the same core.
	p, same := &fabric.Packet{Src: 0, Dst: 5}, 0
	for ev := range uint32(1000) {
		p.SetEV(ev)
		a, b := tree.Spines[0].Route(p), tree.Spines[1].Route(p)
		for i := range tree.Spines[0].Up {
			if a == tree.Spines[0].Up[i] && b == tree.Spines[1].Up[i] {
				same++
			}
		}
	}
	if same < 150 || same > 350 {
		t.Errorf("two switches agree on %d of 1000 EVs, want a quarter", same)
	}
	// Nor do all connections that chose the same EV take one way: sources and destinations differ.
	for _, other := range []*fabric.Packet{{Src: 1, Dst: 5}, {Src: 0, Dst: 4}} {
		same := 0
		for ev := range uint32(1000) {
			p.SetEV(ev)
			other.SetEV(ev)
			if tree.Leaves[1].Route(p) == tree.Leaves[1].Route(other) {
				same++
			}
		}
		if same < 150 || same > 350 {
			t.Errorf("from host 0 to 5 and from %d to %d go %d of 1000 EVs the same way, want a quarter", other.Src, other.Dst, same)
		}
	}
	for _, c := range []struct {
		weights []int
		want    string
	}{
		{[]int{1}, "weights: found 1, allowed: 4, one for each port up"},
		{[]int{1, 1, 1, -1}, "weight 3: found -1, allowed: 0 to 4096"},
		{[]int{0, 0, 0, 0}, "weights: found only zeros, allowed: at least one above 0"},
	} {
		if err := tree.Leaves[1].Weigh(c.weights); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.weights, err, c.want)
		}
	}
}

// A round trip is delays and the time of each packet on each link.
func TestRoundTrip(t *testing.T) {
	for tiers := 1; tiers <= 3; tiers++ {
		tree := build(t, topo.Shape{Tiers: tiers, Pods: 2, Leaves: 2, Hosts: 2, Spines: 2, Cores: 2}, 1)
		want := fabric.Instant(2*tiers) * (2*link.Delay + (4150+64)*20)
		if got := tree.RoundTrip(0, len(tree.Hosts)-1, 4150, 64); got != want {
			t.Errorf("%d tiers: %d ps, want %d", tiers, got, want)
		}
	}
}

func TestBadShape(t *testing.T) {
	_, err := topo.New(&topo.Shape{Tiers: 2, Hosts: 0, Leaves: 1, Spines: 5000, Fabric: fabric.Link{Gbps: 400, Delay: -1},
		Queue: fabric.Queueing{Marking: fabric.Marking{Min: 2, Max: 1}}}, 1)
	want := "topology: hosts: found 0, allowed: 1 to 4096; spines: found 5000, allowed: 1 to 4096; " +
		"host link: found 0 Gb/s, allowed: above 0, at most 100000; fabric link: found a delay of -1 ps, allowed: 0 or more; " +
		"marking: found from 2 to 1 bytes, allowed: from at most to"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := topo.New(&topo.Shape{Tiers: 3, Pods: 100, Leaves: 100, Hosts: 100, Spines: 1, Cores: 1, Host: link, Fabric: link}, 1); err == nil ||
		!strings.Contains(err.Error(), "all hosts: found 1000000, allowed: 1 to 65536") {
		t.Errorf("%v", err)
	}
}

// A linear hash is even over EVs, and hosts that use the same EVs meet on a port up always or never.
func TestLinearHash(t *testing.T) {
	shape := topo.Shape{Tiers: 2, Leaves: 2, Hosts: 4, Spines: 4, Hash: topo.Linear}
	meets := func(s topo.Shape, seed uint64, a, b int32) (met int) {
		tree := build(t, s, seed)
		route := func(src int32, ev uint32) *fabric.Port {
			p := &fabric.Packet{Src: src, Dst: src + 4}
			p.SetEV(ev)
			return tree.Leaves[0].Route(p)
		}
		sent := map[*fabric.Port]int{}
		for ev := range uint32(1 << 12) {
			sent[route(a, ev)]++
			if route(a, ev) == route(b, ev) {
				met++
			}
		}
		for _, p := range tree.Leaves[0].Up {
			if sent[p] != 1<<10 && s.Hash == topo.Linear {
				t.Errorf("seed %d: %d of %d EVs by %s, want a quarter", seed, sent[p], 1<<12, p.Name)
			}
		}
		return met
	}
	always, never := 0, 0
	for seed := range uint64(20) {
		switch n := meets(shape, seed, 0, 1); n {
		case 1 << 12:
			always++
		case 0:
			never++
		default:
			t.Errorf("seed %d: hosts meet with %d of %d EVs, want all or none", seed, n, 1<<12)
		}
	}
	if always == 0 || never == 0 {
		t.Errorf("hosts always meet with %d seeds of 20, never with %d: want some of both", always, never)
	}
	mixing := shape
	mixing.Hash = topo.Mixing
	if n := meets(mixing, 1, 0, 1); n < 800 || n > 1250 {
		t.Errorf("with a hash that mixes hosts meet with %d of %d EVs, want about a quarter", n, 1<<12)
	}
}
