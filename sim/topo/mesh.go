// SPDX-License-Identifier: Apache-2.0

package topo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// Mesh is a network whose sources choose the route of a packet, among some of unequal length: Rail or Dragonfly of
// Wan et al., "LAPS: Latency Aware Packet Spraying", §IV-A. Nodes are numbered: first the switches.
type Mesh struct {
	*fabric.Network
	Hosts    []*fabric.Port // of each host, its end
	Switches []string       // names, by number

	out    map[[2]int]*fabric.Port // from a node to another
	first  int                     // node of the first host
	ways   func(src, dst int) [][]int
	routes map[[2]int][]fabric.Route
}

// Cables describes the cables and ports of a Mesh.
type Cables struct {
	Host   fabric.Link     `json:"host_link"`
	Fabric fabric.Link     `json:"fabric_link"` // between switches
	Queue  fabric.Queueing `json:"queue"`       // of every port of a switch
	// Memory is the bytes of a switch that its ports share evenly: a port pauses the other end of its cable when its share is
	// full except for Headroom. 0: as Queue says.
	Memory   int64 `json:"memory_bytes,omitempty"`
	Headroom int64 `json:"headroom_bytes,omitempty"`
}

func (c *Cables) check(errs []string, sizes ...any) error {
	for i := 0; i < len(sizes); i += 4 {
		if n, least, most := sizes[i+1].(int), sizes[i+2].(int), sizes[i+3].(int); n < least || n > most {
			errs = append(errs, fmt.Sprintf("%s: found %d, allowed: %d to %d", sizes[i], n, least, most))
		}
	}
	for _, l := range []struct {
		name string
		link fabric.Link
	}{{"host link", c.Host}, {"fabric link", c.Fabric}} {
		if !(l.link.Gbps > 0 && l.link.Gbps <= 100_000) || l.link.Delay < 0 {
			errs = append(errs, fmt.Sprintf("%s: found %v Gb/s, delay %d ps, allowed: above 0, at most 100000 Gb/s, and 0 ps or more", l.name, l.link.Gbps, l.link.Delay))
		}
	}
	if errs != nil {
		return errors.New("topology: " + strings.Join(errs, "; "))
	}
	return nil
}

func newMesh(switches, hosts int, seed uint64) *Mesh {
	return &Mesh{Network: fabric.New(seed), Switches: make([]string, switches), Hosts: make([]*fabric.Port, hosts),
		out: map[[2]int]*fabric.Port{}, first: switches, routes: map[[2]int][]fabric.Route{}}
}

// build makes the cables between switches, and then a cable from each host to its switch.
func (m *Mesh) build(c *Cables, cables [][2]int, of func(host int) int) {
	nodes := make([]*fabric.Switch, len(m.Switches))
	ports := make([][]*fabric.Port, len(m.Switches))
	for i := range nodes {
		nodes[i] = &fabric.Switch{Router: nowhere{}}
	}
	for _, x := range cables {
		a, b := m.Connect(nodes[x[0]], nodes[x[1]], c.Fabric, c.Queue, c.Queue)
		a.Name, b.Name = m.Switches[x[0]]+" – "+m.Switches[x[1]], m.Switches[x[1]]+" – "+m.Switches[x[0]]
		m.out[x], m.out[[2]int{x[1], x[0]}] = a, b
		ports[x[0]], ports[x[1]] = append(ports[x[0]], a), append(ports[x[1]], b)
	}
	for h := range m.Hosts {
		sw, node := of(h), m.first+h
		host, port := m.Connect(nil, nodes[sw], c.Host, fabric.Queueing{}, c.Queue)
		host.Name, port.Name = fmt.Sprintf("host %d", h), fmt.Sprintf("%s – host %d", m.Switches[sw], h)
		m.Hosts[h] = host
		m.out[[2]int{node, sw}], m.out[[2]int{sw, node}] = host, port
		ports[sw] = append(ports[sw], port)
	}
	if c.Memory > 0 {
		for _, list := range ports {
			off := c.Memory/int64(len(list)) - c.Headroom
			for _, p := range list {
				p.SetPause(fabric.Pause{Off: off, On: off / 2})
			}
		}
	}
}

// nowhere is the router of switches that only know routes.
type nowhere struct{}

func (nowhere) Route(*fabric.Packet) *fabric.Port { return nil }

// Edge is the network and its hosts' ports.
func (m *Mesh) Edge() (*fabric.Network, []*fabric.Port) { return m.Network, m.Hosts }

// Edge is the network and its hosts' ports.
func (t *Tree) Edge() (*fabric.Network, []*fabric.Port) { return t.Network, t.Hosts }

// Routes are the candidate routes from a host to another one, the shortest one first; its ID is its number among them.
func (m *Mesh) Routes(src, dst int) []fabric.Route {
	k := [2]int{src, dst}
	list, ok := m.routes[k]
	if !ok {
		for i, way := range m.Ways(src, dst) {
			r := fabric.Route{ID: uint32(i)}
			for n := range len(way) - 1 {
				r.Ports = append(r.Ports, m.out[[2]int{way[n], way[n+1]}])
			}
			list = append(list, r)
		}
		m.routes[k] = list
	}
	return list
}

// Ways are the nodes along the candidate routes from a host to another one, both hosts included.
func (m *Mesh) Ways(src, dst int) [][]int {
	ways := m.ways(src, dst)
	for i, w := range ways {
		ways[i] = append(append([]int{m.first + src}, slices.Compact(w)...), m.first+dst)
	}
	slices.SortStableFunc(ways, func(a, b []int) int { return len(a) - len(b) })
	return ways
}

// Paths are the candidate routes as the hosts of a transport know them, with the base latency of packets of a size in bytes. The node in the
// middle of a route tells it from the others.
func (m *Mesh) Paths(src, dst int, size int32) (list []transport.Path) {
	ways := m.Ways(src, dst)
	for i, r := range m.Routes(src, dst) {
		list = append(list, transport.Path{Base: Empty(&r, size, margin).NS(), Cables: len(r.Ports), Anchors: []uint32{uint32(ways[i][len(ways[i])/2])}})
	}
	return list
}

const margin = 5 // packets at each switch that transport.Path.Base includes

// Cable returns a switch's port to another switch, both by name, or nil.
func (m *Mesh) Cable(from, to string) *fabric.Port {
	return m.out[[2]int{slices.Index(m.Switches, from), slices.Index(m.Switches, to)}]
}

// Empty returns a packet's latency on a route with empty queues, or with a number of packets of its size ahead
// of it at each switch.
func Empty(r *fabric.Route, size int32, before int) (sum fabric.Instant) {
	for i, p := range r.Ports {
		sum += p.Time(size) + p.Delay()
		if i > 0 {
			sum += fabric.Instant(before) * p.Time(size)
		}
	}
	return sum
}

// Rail returns a network of clusters of GPUs with a host behind each GPU, which forwards other hosts' packets. An NVLink switch joins
// the GPUs of a cluster, a rail switch the GPUs of the same number. Between clusters there is a route over each rail: in both
// clusters over the GPU of that rail, if that is not the end. Switches are numbered: rails, GPUs, NVLink switches.
func Rail(clusters, gpus int, c *Cables, seed uint64) (*Mesh, error) {
	if err := c.check(nil, "clusters", clusters, 1, 64, "GPUs", gpus, 1, 64); err != nil {
		return nil, err
	}
	n := clusters * gpus
	m := newMesh(gpus+n+clusters, n, seed)
	gpu := func(host int) int { return gpus + host }
	nvlink := func(host int) int { return gpus + n + host/gpus }
	var cables [][2]int
	for r := range gpus {
		m.Switches[r] = fmt.Sprintf("rail %d", r)
	}
	for h := range n {
		m.Switches[gpu(h)] = fmt.Sprintf("GPU %d", h)
		m.Switches[nvlink(h)] = fmt.Sprintf("NVLink %d", h/gpus)
		cables = append(cables, [2]int{h % gpus, gpu(h)}, [2]int{nvlink(h), gpu(h)})
	}
	m.build(c, cables, gpu)
	m.ways = func(src, dst int) (list [][]int) {
		if src/gpus == dst/gpus {
			return [][]int{{gpu(src), nvlink(src), gpu(dst)}}
		}
		for r := range gpus {
			a, b := src/gpus*gpus+r, dst/gpus*gpus+r
			w := []int{gpu(src)}
			if a != src {
				w = append(w, nvlink(src), gpu(a))
			}
			w = append(w, r, gpu(b))
			if b != dst {
				w = append(w, nvlink(dst), gpu(dst))
			}
			list = append(list, w)
		}
		return list
	}
	return m, nil
}

// Dragonfly is groups of switches, each with some hosts; a cable joins any two switches of a group, and any two groups:
// the next groups in order are on the first switches, (groups-1)/switches on each. Within a group there is a route over the cable, and one over
// each other switch; between groups one over the cable, and one over each other group.
func Dragonfly(groups, switches, hosts int, c *Cables, seed uint64) (*Mesh, error) {
	var errs []string
	if switches > 0 && (groups-1)%switches != 0 {
		errs = append(errs, fmt.Sprintf("groups: found %d, allowed: 1 more than a multiple of %d switches", groups, switches))
	}
	if err := c.check(errs, "groups", groups, 2, 64, "switches", switches, 1, 64, "hosts", hosts, 1, 64); err != nil {
		return nil, err
	}
	m := newMesh(groups*switches, groups*switches*hosts, seed)
	each := (groups - 1) / switches
	// door is the switch of a group that has the cable to another one.
	door := func(from, to int) int { return from*switches + ((to-from+groups)%groups-1)/each }
	var cables [][2]int
	for g := range groups {
		for i := range switches {
			m.Switches[g*switches+i] = fmt.Sprintf("switch %d.%d", g, i)
			for k := range i {
				cables = append(cables, [2]int{g*switches + k, g*switches + i})
			}
		}
		for o := range g {
			cables = append(cables, [2]int{door(o, g), door(g, o)})
		}
	}
	m.build(c, cables, func(host int) int { return host / hosts })
	m.ways = func(src, dst int) (list [][]int) {
		a, b := src/hosts, dst/hosts
		g, o := a/switches, b/switches
		switch {
		case a == b:
			return [][]int{{a}}
		case g == o:
			list = append(list, []int{a, b})
			for k := g * switches; k < (g+1)*switches; k++ {
				if k != a && k != b {
					list = append(list, []int{a, k, b})
				}
			}
			return list
		}
		list = append(list, []int{a, door(g, o), door(o, g), b})
		for k := range groups {
			if k != g && k != o {
				list = append(list, []int{a, door(g, k), door(k, g), door(k, o), door(o, k), b})
			}
		}
		return list
	}
	return m, nil
}
