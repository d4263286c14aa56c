// SPDX-License-Identifier: Apache-2.0

package topo_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
)

var cables = topo.Cables{Host: fabric.Link{Gbps: 200, Delay: 1_000_000}, Fabric: fabric.Link{Gbps: 100, Delay: 1_000_000}}

func rail(t testing.TB) *topo.Mesh {
	m, err := topo.Rail(8, 8, &cables, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func dragonfly(t testing.TB) *topo.Mesh {
	m, err := topo.Dragonfly(9, 4, 4, &cables, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The networks of LAPS §IV-A have as many switches, cables and hosts as the paper says, and as many routes as its authors'
// path search tables have for each pair.
func TestMeshes(t *testing.T) {
	for _, c := range []struct {
		name                   string
		mesh                   *topo.Mesh
		switches, hosts, ports int
		links                  map[int]int // routes of host 0, by their number of cables
		first                  int         // number of the first host in the authors' table
		sources                int         // in it
	}{
		// A rail switch and an NVLink switch have 8 cables each, a GPU one more to its host. Of 49 hosts on other rails of other
		// clusters each has two routes over one GPU more, those over the own rail and over its rail.
		{"rail", rail(t), 8 + 64 + 8, 64, 2 * (64 + 64 + 64), map[int]int{4: 7 + 7, 6: 7 * 7 * 2, 8: 7*7*6 + 7*7}, 80, 64},
		// 6 cables in each of 9 groups, 36 between them. 12 hosts of the group and 8 of other groups are behind the next switch.
		{"dragonfly", dragonfly(t), 36, 144, 2 * (54 + 36 + 144), map[int]int{2: 3, 3: 12 + 8, 4: 80, 5: 168, 6: 360, 7: 432}, 36, 4},
	} {
		if len(c.mesh.Switches) != c.switches || len(c.mesh.Hosts) != c.hosts || len(c.mesh.Ports()) != c.ports {
			t.Errorf("%s: %d switches, %d hosts, %d ports", c.name, len(c.mesh.Switches), len(c.mesh.Hosts), len(c.mesh.Ports()))
		}
		f, err := os.Open("../../model/laps_paths/place/testdata/" + c.name + "-pst.txt.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		pairs := 0
		for {
			var src, dst, n, pid int
			if _, err := fmt.Fscan(z, &src, &dst, &n); err != nil {
				break
			}
			for range n {
				fmt.Fscan(z, &pid)
			}
			pairs++
			if got := len(c.mesh.Routes(src-c.first, dst-c.first)); got != n {
				t.Fatalf("%s: %d routes from host %d to %d, want %d", c.name, got, src-c.first, dst-c.first, n)
			}
		}
		if want := c.sources * (c.hosts - 1); pairs != want {
			t.Errorf("%s: %d pairs in the authors' table, want %d", c.name, pairs, want)
		}
		links := map[int]int{}
		for dst := 1; dst < c.hosts; dst++ {
			for _, r := range c.mesh.Routes(0, dst) {
				links[len(r.Ports)]++
			}
		}
		if !maps.Equal(links, c.links) {
			t.Errorf("%s: routes by cables: %v, want %v", c.name, links, c.links)
		}
	}
}

// Rail's routes equal the LAPS authors' tables, node by node.
func TestRailIsTheAuthors(t *testing.T) {
	file, err := os.Open("../../model/laps_paths/place/testdata/rail-80-pit.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string][]string{} // destination: nodes along its routes
	for lines := bufio.NewScanner(text); lines.Scan(); {
		f := strings.Fields(lines.Text())
		nodes := f[2+(len(f)-3)/2:]
		dst := nodes[len(nodes)-1]
		theirs[dst] = append(theirs[dst], strings.Join(nodes, " "))
	}
	m := rail(t)
	for dst := 1; dst < len(m.Hosts); dst++ {
		var ours []string
		for _, w := range m.Ways(0, dst) {
			ours = append(ours, strings.Trim(fmt.Sprint(w), "[]"))
		}
		name := fmt.Sprint(80 + dst)
		slices.Sort(ours)
		slices.Sort(theirs[name])
		if !slices.Equal(ours, theirs[name]) {
			t.Errorf("to %s: %q, want %q", name, ours, theirs[name])
		}
	}
	if len(theirs) != 63 {
		t.Errorf("%d destinations in the table, want 63", len(theirs))
	}
}

// The route data of hosts: the base latency has five packets at each switch, and the anchor is the node in the middle.
func TestPaths(t *testing.T) {
	m := rail(t)
	list := m.Paths(0, 8, 1000)
	// By rail 0: hosts' cables of 200 Gb/s, and two of 100 Gb/s.
	if want := (transport.Path{Base: 4000 + 2*80 + 2*40 + 5*(80+80+40), Cables: 4, Anchors: []uint32{0}}); len(list) != 8 || !reflect.DeepEqual(list[0], want) {
		t.Errorf("%d paths, the first one %+v, want 8, %+v", len(list), list[0], want)
	}
	anchors := map[uint32]bool{}
	for _, p := range list {
		anchors[p.Anchors[0]] = true
	}
	if len(anchors) != len(list) {
		t.Errorf("%d anchors of %d paths", len(anchors), len(list))
	}
	if p := m.Cable("GPU 0", "rail 0"); p == nil || p != m.Routes(0, 8)[0].Ports[1] {
		t.Errorf("the cable from GPU 0 to rail 0 is not the second one by rail 0")
	}
	for _, x := range [][2]string{{"GPU 0", "rail 1"}, {"GPU 0", "host"}, {"", ""}} {
		if m.Cable(x[0], x[1]) != nil {
			t.Errorf("%q: a cable, want none", x)
		}
	}
}

// end is a host that notes what came, and answers data if it can.
type end struct {
	port *fabric.Port
	got  []*fabric.Packet
	at   fabric.Instant
}

func (e *end) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	e.got, e.at = append(e.got, p), n.Now()
	if p.Kind != fabric.Data {
		n.Received(p)
		return
	}
	n.Answered()
	p.Kind, p.Class, p.Size = fabric.Ack, fabric.Control, fabric.HeaderSize
	p.Back()
	e.port.Put(n, p)
}

type passed struct {
	p    *fabric.Port
	list *[]*fabric.Port
}

func (w passed) Queued(fabric.Instant, int64)                          {}
func (w passed) Left(fabric.Instant, *fabric.Packet)                   { *w.list = append(*w.list, w.p) }
func (w passed) Dropped(fabric.Instant, *fabric.Packet, fabric.Reason) {}

// A packet goes by the ports of its route and no others, arrives when Empty says, and its answer goes back by the other ends
// of the same cables. No route passes a node twice.
func TestRoutes(t *testing.T) {
	for _, m := range []*topo.Mesh{rail(t), dragonfly(t)} {
		ends := make([]end, len(m.Hosts))
		var list []*fabric.Port
		for i, p := range m.Hosts {
			ends[i].port = p
			p.Attach(&ends[i], nil)
		}
		for _, p := range m.Ports() {
			p.Watch = passed{p, &list}
		}
		for _, src := range []int{0, 5, 37} {
			for dst := range m.Hosts {
				if src == dst {
					continue
				}
				ways, routes := m.Ways(src, dst), m.Routes(src, dst)
				for i := range routes {
					r := &routes[i]
					way := slices.Clone(ways[i])
					if len(way) != len(r.Ports)+1 {
						t.Fatalf("%d nodes along a route of %d cables", len(way), len(r.Ports))
					}
					slices.Sort(way)
					if len(slices.Compact(way)) != len(ways[i]) {
						t.Fatalf("from %d to %d: nodes %v", src, dst, ways[i])
					}
					if i > 0 && (slices.Equal(ways[i], ways[i-1]) || len(ways[i]) < len(ways[i-1])) {
						t.Fatalf("from %d to %d: nodes %v, then %v", src, dst, ways[i-1], ways[i])
					}
					list = list[:0]
					begin := m.Now()
					p := m.Packet()
					p.Kind, p.Class, p.Size, p.Route = fabric.Data, fabric.Bulk, 1048, r
					m.Hosts[src].Put(m.Network, p)
					if err := m.Run(t.Context()); err != nil {
						t.Fatal(err)
					}
					want := slices.Clone(r.Ports)
					for k := len(r.Ports) - 1; k >= 0; k-- {
						want = append(want, r.Ports[k].Peer())
					}
					if !slices.Equal(list, want) {
						t.Fatalf("from %d to %d, route %d: %d ports, want %d", src, dst, i, len(list), len(want))
					}
					back := fabric.Instant(0)
					for _, p := range r.Ports {
						back += p.Peer().Time(fabric.HeaderSize) + p.Peer().Delay()
					}
					if got := m.Now() - begin; got != topo.Empty(r, 1048, 0)+back {
						t.Fatalf("from %d to %d, route %d: %d ps, want %d", src, dst, i, got, topo.Empty(r, 1048, 0)+back)
					}
				}
			}
		}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
	}
	m := rail(t)
	if got, want := topo.Empty(&m.Routes(0, 8)[0], 1000, 5), fabric.Instant(4_000_000+80_000*2+40_000*2+5*(80_000*2+40_000)); got != want {
		t.Errorf("%d ps with five packets at each switch, want %d", got, want)
	}
}

// Groups are joined as in the authors' file of Dragonfly.
func TestDragonflyCables(t *testing.T) {
	m := dragonfly(t)
	for _, c := range [][2]int{{0, 7}, {0, 11}, {1, 14}, {2, 25}, {3, 32}, {6, 29}, {7, 32}, {12, 23}, {24, 35}, {28, 35}} {
		a, b := m.Ways(4*c[0], 4*c[1])[0], m.Ways(4*c[1]+3, 4*c[0]+3)[0]
		if !slices.Equal(a[1:3], c[:]) || len(a) != 4 || len(b) != 4 {
			t.Errorf("switches %v: ways %v and %v, want a cable", c, a, b)
		}
	}
}

// flood is a host that sends packets of 1000 bytes by a route.
type flood struct {
	route *fabric.Route
	left  int
}

func (f *flood) Next(n *fabric.Network, _ *fabric.Port) *fabric.Packet {
	if f.left == 0 {
		return nil
	}
	f.left--
	p := n.Packet()
	p.Class, p.Size, p.Kind, p.Route = fabric.Bulk, 1000, fabric.Probe, f.route
	return p
}

// Ports of a switch share its memory except for the headroom, which suffices: with queues as large as the switch's memory nothing is
// lost, and no port holds more than its share.
func TestMemory(t *testing.T) {
	c := cables
	c.Memory, c.Headroom, c.Queue.Bytes = 300_000, 55_000, 300_000
	m, err := topo.Rail(2, 2, &c, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got end
	for i, p := range m.Hosts {
		var from *flood
		if i != 2 {
			from = &flood{route: &m.Routes(i, 2)[0], left: 2000}
			p.Attach(&got, from)
			m.At(0, func() { p.Kick(m.Network) })
			continue
		}
		p.Attach(&got, nil)
	}
	if err := m.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(got.got) != 6000 || m.Count.Dropped() > 0 || m.Count.Pauses == 0 {
		t.Errorf("%d packets, %+v", len(got.got), m.Count)
	}
	var held int64
	for _, p := range m.Ports() {
		if held = max(held, p.Held); p.Held > 150_000 { // of a switch with two ports
			t.Errorf("%s: held %d bytes, want a share at most", p.Name, p.Held)
		}
	}
	if held < 300_000/3-55_000 || held < 300_000/2-55_000 && held > 300_000/3 {
		t.Errorf("at most %d bytes are held", held)
	}
}

func TestMeshRefuses(t *testing.T) {
	for _, c := range []struct {
		make func() (*topo.Mesh, error)
		want string
	}{
		{func() (*topo.Mesh, error) { return topo.Rail(0, 8, &cables, 1) }, "topology: clusters: found 0, allowed: 1 to 64"},
		{func() (*topo.Mesh, error) { return topo.Dragonfly(8, 4, 4, &cables, 1) }, "topology: groups: found 8, allowed: 1 more than a multiple of 4 switches"},
		{func() (*topo.Mesh, error) { return topo.Rail(2, 2, &topo.Cables{Host: cables.Host}, 1) }, "topology: fabric link: found 0 Gb/s"},
	} {
		if _, err := c.make(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
