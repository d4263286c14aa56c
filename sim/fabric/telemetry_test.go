// SPDX-License-Identifier: Apache-2.0

package fabric_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/fabric"
)

// collector is a host that sends packets that collect telemetry, and one that keeps what they bring, and sends it back.
type collector struct {
	source
	hops  [][]fabric.Hop
	kinds []fabric.Kind
	back  *fabric.Port

	layout fabric.Layout
}

func (c *collector) Next(n *fabric.Network, out *fabric.Port) *fabric.Packet {
	x := c.source.Next(n, out)
	if x != nil && x.Seq != 2 {
		n.Collect(x, c.layout)
	}
	return x
}

func (c *collector) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	c.hops = append(c.hops, append([]fabric.Hop(nil), p.Hops()...))
	c.kinds = append(c.kinds, p.Kind)
	if c.back == nil {
		n.Received(p)
		return
	}
	n.Answered()
	p.Kind, p.Class, p.Size = fabric.Ack, fabric.Control, fabric.HeaderSize
	c.back.Put(n, p)
}

// Each switch on the way writes one hop, when it starts to send a packet: the bytes that wait behind it, the bytes before it, the
// time and the rate. The sender writes none, a packet that does not collect gets none, and an answer brings back the hops of the
// forward way.
func TestTelemetry(t *testing.T) {
	n := fabric.New(1)
	from, to := &collector{source: source{left: 4}}, &collector{}
	first, second := &fabric.Switch{}, &fabric.Switch{}
	fast := fabric.Link{Gbps: 80, Delay: 100 * ns} // 100 ns a packet
	host, up := n.Connect(nil, first, fast, fabric.Queueing{}, fabric.Queueing{})
	middle, way := n.Connect(first, second, fabric.Link{Gbps: 20, Delay: 100 * ns}, fabric.Queueing{}, fabric.Queueing{}) // 400 ns
	last, end := n.Connect(second, to, fast, fabric.Queueing{}, fabric.Queueing{})
	to.back = end
	host.Attach(from, from)
	first.Router, second.Router = fork{middle, up, fabric.Ack}, fork{last, way, fabric.Ack}
	n.At(0, func() { host.Kick(n) })
	run(t, n)
	// Packets are at the first switch at 200, 300, 400 and 500 ns, and leave it from 200, 600, 1000 and 1400 ns on. At the second one,
	// 500 ns later, none waits.
	want := [][]fabric.Hop{
		{{0, 0, 200 * ns, 20, 0}, {0, 0, 700 * ns, 80, 0}},
		{{2000, 1000, 600 * ns, 20, 0}, {0, 1000, 1100 * ns, 80, 0}},
		nil,
		{{0, 3000, 1400 * ns, 20, 0}, {0, 3000, 1900 * ns, 80, 0}},
	}
	if d := cmp.Diff(want, to.hops); d != "" {
		t.Errorf("telemetry at the receiver (-want +got)\n%s", d)
	}
	if d := cmp.Diff(want, from.hops); d != "" {
		t.Errorf("telemetry of the answers (-want +got)\n%s", d)
	}
}

// fork sends packets of a kind one way, and others another one.
type fork struct {
	ahead, back *fabric.Port
	kind        fabric.Kind
}

func (f fork) Route(p *fabric.Packet) *fabric.Port {
	if p.Kind == f.kind {
		return f.back
	}
	return f.ahead
}

// A packet that passes more switches than there is room for keeps the first ones, and one that comes from the free list begins
// without any.
func TestTelemetryIsFull(t *testing.T) {
	for layout, room := range map[fabric.Layout]int{fabric.Exact: fabric.MaxHops, fabric.HPCC: 5, fabric.INTMD: 5} {
		telemetryIsFull(t, layout, room)
	}
}

func telemetryIsFull(t *testing.T, layout fabric.Layout, room int) {
	n := fabric.New(1)
	from, to := &collector{source: source{left: 2}, layout: layout}, &collector{}
	link := fabric.Link{Gbps: 80, Delay: 100 * ns}
	at := &fabric.Switch{}
	host, _ := n.Connect(nil, at, link, fabric.Queueing{}, fabric.Queueing{})
	for range fabric.MaxHops + 1 {
		next := &fabric.Switch{}
		out, _ := n.Connect(at, next, link, fabric.Queueing{}, fabric.Queueing{})
		at.Router = fork{ahead: out, kind: fabric.Ack}
		at = next
	}
	out, _ := n.Connect(at, to, link, fabric.Queueing{}, fabric.Queueing{})
	at.Router = fork{ahead: out, kind: fabric.Ack}
	host.Attach(from, from)
	n.At(0, func() { host.Kick(n) })
	n.At(100_000*ns, func() { from.left = 1; host.Kick(n) })
	run(t, n)
	for i, h := range to.hops {
		if i < 2 && len(h) != room || i == 2 && len(h) != 0 {
			t.Errorf("%s: packet %d has %d hops, want %d", layout, i, len(h), room)
		}
	}
	if len(to.hops) != 3 {
		t.Errorf("%d packets came", len(to.hops))
	}
}

// The values of a hop that each layout keeps, computed by hand.
func TestLayouts(t *testing.T) {
	h := fabric.Hop{Queue: 1234, Bytes: 100_000, At: 1_234_567_890, Gbps: 100, Used: 1. / 3}
	for _, c := range []struct {
		name string
		size int32
		want fabric.Hop
	}{
		{"exact", 0, h},
		{"hpcc", 42, fabric.Hop{Queue: 15 * 80, Bytes: 781 * 128, At: 1_234_567_000, Gbps: 100}},
		{"int-md", 92, fabric.Hop{Queue: 1234, At: 1_234_567_000, Gbps: 100, Used: 1_431_655_765. / (1<<32 - 1)}},
	} {
		l, err := fabric.ParseLayout(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Pass(h); l.String() != c.name || l.Size() != c.size || got != c.want {
			t.Errorf("%s: %d bytes, %+v, want %d, %+v", l, l.Size(), got, c.size, c.want)
		}
	}
	// Queues that are longer than fields are.
	h.Queue = 1 << 40
	if a, b := fabric.HPCC.Pass(h).Queue, fabric.INTMD.Pass(h).Queue; a != (1<<17-1)*80 || b != 1<<24-1 {
		t.Errorf("queues of %d and %d bytes, want the most that fit", a, b)
	}
	if _, err := fabric.ParseLayout("hpc"); err == nil || err.Error() != `telemetry: found "hpc", allowed: exact, hpcc, int-md` {
		t.Errorf("%v", err)
	}
}

// A port tells what part of its rate it has used in the last 5 µs or more, as of the packet that ended them.
func TestUsed(t *testing.T) {
	n := fabric.New(1)
	from, to := &collector{source: source{left: 60}}, &collector{}
	sw := &fabric.Switch{}
	host, _ := n.Connect(nil, sw, fabric.Link{Gbps: 20, Delay: 100 * ns}, fabric.Queueing{}, fabric.Queueing{}) // a packet in 400 ns
	out, _ := n.Connect(sw, to, fabric.Link{Gbps: 80, Delay: 100 * ns}, fabric.Queueing{}, fabric.Queueing{})   // in 100
	sw.Router = fork{ahead: out, kind: fabric.Ack}
	host.Attach(from, from)
	n.At(0, func() { host.Kick(n) })
	run(t, n)
	var used []float64
	for _, h := range to.hops {
		if len(h) > 0 && (len(used) == 0 || h[0].Used != used[len(used)-1]) {
			used = append(used, h[0].Used)
		}
	}
	// The first window begins 500 ns before the first packet: 12 packets of 1000 bytes are 1200 of the first 5300 ns; then 13 packets in 5200 ns, a quarter.
	if len(used) < 3 || used[0] != 0 || used[1] < .22 || used[1] > .25 || used[2] != .25 || used[len(used)-1] != .25 {
		t.Errorf("used %v, want nothing known at first, and then a quarter", used)
	}
}
