// SPDX-License-Identifier: Apache-2.0

// Package topo builds networks: a single switch, and fat trees of two and three tiers, with any
// oversubscription. Switches route by a hash over addresses, source port and flow label, salted
// with a number that differs between switches.
package topo

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Shape is a tree. With one tier there is a single switch; with two, Leaves switches under
// Spines ones, a cable from each to each; with three, Pods of these, whose Spines have Cores
// cables each, the k-th spine of every pod to the same cores.
type Shape struct {
	Tiers  int `json:"tiers"`
	Pods   int `json:"pods,omitempty"`   // of three tiers
	Leaves int `json:"leaves,omitempty"` // of a pod; of two tiers: all
	Hosts  int `json:"hosts"`            // of a leaf, or of the single switch
	Spines int `json:"spines,omitempty"` // of a pod; of two tiers: all
	Cores  int `json:"cores,omitempty"`  // cables of a spine to cores

	Host   fabric.Link     `json:"host_link"`
	Fabric fabric.Link     `json:"fabric_link"`         // between switches
	Core   *fabric.Link    `json:"core_link,omitempty"` // between spines and cores; nil: as Fabric
	Queue  fabric.Queueing `json:"queue"`               // of every port of a switch
	Memory fabric.Memory   `json:"memory"`              // of every switch
	Hash   Hash            `json:"hash,omitempty"`      // of every switch
}

// Hash is a switch's mapping of a packet to one of its uplinks.
type Hash string

// Hashes.
const (
	Mixing Hash = ""       // every bit of the result depends on every bit of addresses, port and label
	Linear Hash = "linear" // each switch has an XOR of some of these bits for each bit of the result, as with a CRC
)

// core is the cable between a spine and a core.
func (s *Shape) core() fabric.Link {
	if s.Core != nil {
		return *s.Core
	}
	return s.Fabric
}

// Check returns every error in a shape.
func (s *Shape) Check() error {
	var bad []string
	count := func(name string, n, least, most int) {
		if n < least || n > most {
			bad = append(bad, fmt.Sprintf("%s: found %d, allowed: %d to %d", name, n, least, most))
		}
	}
	const most = 1 << 12
	count("tiers", s.Tiers, 1, 3)
	count("hosts", s.Hosts, 1, most)
	if s.Tiers > 1 {
		count("leaves", s.Leaves, 1, most)
		count("spines", s.Spines, 1, most)
	}
	if s.Tiers > 2 {
		count("pods", s.Pods, 1, most)
		count("cores", s.Cores, 1, most)
	}
	if n := s.hosts(); bad == nil && n > 1<<16 {
		bad = append(bad, fmt.Sprintf("all hosts: found %d, allowed: 1 to %d", n, 1<<16))
	}
	for _, l := range []struct {
		name string
		link fabric.Link
		used bool
	}{{"host link", s.Host, true}, {"fabric link", s.Fabric, s.Tiers > 1}, {"core link", s.core(), s.Core != nil && s.Tiers > 2}} {
		if l.used && !(l.link.Gbps > 0 && l.link.Gbps <= 100_000) {
			bad = append(bad, fmt.Sprintf("%s: found %v Gb/s, allowed: above 0, at most 100000", l.name, l.link.Gbps))
		}
		if l.used && l.link.Delay < 0 {
			bad = append(bad, fmt.Sprintf("%s: found a delay of %d ps, allowed: 0 or more", l.name, l.link.Delay))
		}
	}
	if m := s.Queue.Marking; m.Min < 0 || m.Min > m.Max {
		bad = append(bad, fmt.Sprintf("marking: found from %d to %d bytes, allowed: from at most to", m.Min, m.Max))
	}
	if m := s.Memory; m.Bytes < 0 || !(m.Alpha >= 0) {
		bad = append(bad, fmt.Sprintf("memory: found %d bytes, alpha %v, allowed: 0 or more of both", m.Bytes, m.Alpha))
	}
	if s.Hash != Mixing && s.Hash != Linear {
		bad = append(bad, fmt.Sprintf("hash: found %q, allowed: %q or %q", s.Hash, Mixing, Linear))
	}
	if bad != nil {
		return errors.New("topology: " + strings.Join(bad, "; "))
	}
	return nil
}

func (s *Shape) hosts() int {
	switch s.Tiers {
	case 1:
		return s.Hosts
	case 2:
		return s.Leaves * s.Hosts
	}
	return s.Pods * s.Leaves * s.Hosts
}

// Tree is a network that a Shape describes.
type Tree struct {
	*fabric.Network
	Shape  Shape
	Hosts  []*fabric.Port // of each host, its end
	Leaves []*Switch      // of all pods, in the order of their hosts; the single switch
	Spines []*Switch      // of all pods
	Cores  []*Switch
}

// Switch is a switch of a Tree.
type Switch struct {
	fabric.Switch
	Down, Up []*fabric.Port // to what is below and above it, in order
	Memory   fabric.Memory  // that they share
	table    table
}

// New builds the network. The seed gives marks, losses and salts.
func New(s *Shape, seed uint64) (*Tree, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	t := &Tree{Network: fabric.New(seed), Shape: *s}
	pods, leaves := 1, 1
	switch s.Tiers {
	case 2:
		leaves = s.Leaves
	case 3:
		pods, leaves = s.Pods, s.Leaves
	}
	salt := seed
	sw := func() *Switch {
		x := &Switch{table: table{to: make([]int32, s.hosts())}}
		salt += 0x9e3779b97f4a7c15
		x.table.salt = mix(salt)
		if s.Hash == Linear {
			x.table.rows = rows(x.table.salt)
		}
		x.Router = &x.table
		return x
	}
	for range pods * leaves {
		l := sw()
		for range s.Hosts {
			host, port := t.Connect(nil, l, s.Host, fabric.Queueing{}, s.Queue)
			host.Name, port.Name = fmt.Sprintf("host %d", len(t.Hosts)), fmt.Sprintf("to host %d", len(t.Hosts))
			t.Hosts = append(t.Hosts, host)
			l.Down = append(l.Down, port)
		}
		t.Leaves = append(t.Leaves, l)
	}
	join := func(below, above *Switch, link fabric.Link, name string) {
		up, down := t.Connect(below, above, link, s.Queue, s.Queue)
		up.Name, down.Name = name+", up", name+", down"
		below.Up, above.Down = append(below.Up, up), append(above.Down, down)
	}
	if s.Tiers > 1 {
		for pod := range pods {
			for k := range s.Spines {
				sp := sw()
				for i, l := range t.Leaves[pod*leaves:][:leaves] {
					join(l, sp, s.Fabric, fmt.Sprintf("leaf %d – spine %d", pod*leaves+i, pod*s.Spines+k))
				}
				t.Spines = append(t.Spines, sp)
			}
		}
	}
	if s.Tiers > 2 {
		for k := range s.Spines {
			for c := range s.Cores {
				core := sw()
				for pod := range pods {
					join(t.Spines[pod*s.Spines+k], core, s.core(), fmt.Sprintf("spine %d – core %d", pod*s.Spines+k, k*s.Cores+c))
				}
				t.Cores = append(t.Cores, core)
			}
		}
	}
	for _, list := range [][]*Switch{t.Leaves, t.Spines, t.Cores} {
		for _, sw := range list {
			sw.Memory = s.Memory
			for _, p := range slices.Concat(sw.Down, sw.Up) {
				p.SetMemory(&sw.Memory)
			}
		}
	}
	t.route()
	return t, nil
}

// route fills the tables: a host below a switch by its port, any other one by any port up.
func (t *Tree) route() {
	s := &t.Shape
	perPod := s.Leaves * s.Hosts
	for i, l := range t.Leaves {
		l.fill(func(host int) int {
			if host/s.Hosts == i {
				return host % s.Hosts
			}
			return -1
		})
	}
	for i, sp := range t.Spines {
		pod := i / s.Spines
		sp.fill(func(host int) int {
			if host/perPod == pod {
				return host % perPod / s.Hosts
			}
			return -1
		})
	}
	for _, c := range t.Cores {
		c.fill(func(host int) int { return host / perPod })
	}
}

// fill makes the groups of a switch: one for each port down, and one of all ports up.
func (x *Switch) fill(down func(host int) int) {
	for _, p := range x.Down {
		x.table.groups = append(x.table.groups, group{ports: []*fabric.Port{p}})
	}
	x.table.groups = append(x.table.groups, group{ports: x.Up})
	for host := range x.table.to {
		x.table.to[host] = int32(down(host))
		if x.table.to[host] < 0 {
			x.table.to[host] = int32(len(x.Down))
		}
	}
}

// Weigh gives the ports up of a switch weights (WCMP): a port gets a share of the hash's values
// in proportion. A weight of 0 takes a port out.
func (x *Switch) Weigh(weights []int) error {
	g := &x.table.groups[len(x.Down)]
	if len(weights) != len(x.Up) {
		return fmt.Errorf("weights: found %d, allowed: %d, one for each port up", len(weights), len(x.Up))
	}
	*g = group{}
	for i, w := range weights {
		if w < 0 || w > 1<<12 {
			return fmt.Errorf("weight %d: found %d, allowed: 0 to %d", i, w, 1<<12)
		}
		for range w {
			g.ports = append(g.ports, x.Up[i])
		}
	}
	if g.ports == nil {
		return errors.New("weights: found only zeros, allowed: at least one above 0")
	}
	return nil
}

// Route is the port by which a switch sends a packet on.
func (x *Switch) Route(p *fabric.Packet) *fabric.Port { return x.table.Route(p) }

// group is ports to one destination; a port of weight n is there n times.
type group struct{ ports []*fabric.Port }

// table is the routing table of a switch.
type table struct {
	salt   uint64
	rows   *[96]uint32 // of a linear hash: what each bit of EV, destination and source changes
	to     []int32     // group of each host
	groups []group
}

// Route implements fabric.Router.
func (t *table) Route(p *fabric.Packet) *fabric.Port {
	if uint32(p.Dst) >= uint32(len(t.to)) {
		return nil
	}
	g := &t.groups[t.to[p.Dst]]
	switch len(g.ports) {
	case 0:
		return nil
	case 1:
		return g.ports[0]
	}
	return g.ports[t.hash(p)>>32*uint64(len(g.ports))>>32]
}

// hash is a number whose upper half chooses a port.
func (t *table) hash(p *fabric.Packet) uint64 {
	if t.rows == nil {
		h := mix(t.salt ^ (uint64(uint32(p.Src))<<32 | uint64(uint32(p.Dst))))
		return mix(h ^ uint64(p.EV()))
	}
	h := uint32(t.salt)
	for i, word := range [3]uint32{p.EV(), uint32(p.Dst), uint32(p.Src)} {
		for ; word != 0; word &= word - 1 {
			h ^= t.rows[32*i+bits.TrailingZeros32(word)]
		}
	}
	return uint64(h) << 32
}

// rows draws a linear hash.
func rows(salt uint64) *[96]uint32 {
	r := new([96]uint32)
	rnd := rand.New(rand.NewPCG(salt, 0))
	for i := range r {
		r[i] = rnd.Uint32()
	}
	return r
}

// mix is the finalizer of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// RoundTrip is the time from the first bit of a packet to the last bit of its answer between two hosts, through empty
// queues.
func (t *Tree) RoundTrip(src, dst int, size, answer int32) fabric.Instant {
	return t.way(src, dst, size) + t.way(dst, src, answer)
}

// LongestRoundTrip is RoundTrip between the first and the last host, whose answer has no payload.
func (t *Tree) LongestRoundTrip(size int32) fabric.Instant {
	return t.RoundTrip(0, len(t.Hosts)-1, size, fabric.HeaderSize)
}

func (t *Tree) way(src, dst int, size int32) (sum fabric.Instant) {
	p := &fabric.Packet{Src: int32(src), Dst: int32(dst)}
	port := t.Hosts[src]
	for {
		sum += port.Time(size) + port.Delay()
		sw, ok := port.Peer().Node().(*Switch)
		if !ok {
			return sum
		}
		port = sw.Route(p)
	}
}
