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
}

func (c *collector) Next(n *fabric.Network, out *fabric.Port) *fabric.Packet {
	x := c.source.Next(n, out)
	if x != nil && x.Seq != 2 {
		n.Collect(x)
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

// Each switch on the way writes one hop, as it begins to send a packet: what waits behind it, the bytes before it, the time
// and the rate. The sender writes none, a packet that does not collect gets none, and an answer brings back those of the way there.
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
		{{0, 0, 200 * ns, 20}, {0, 0, 700 * ns, 80}},
		{{2000, 1000, 600 * ns, 20}, {0, 1000, 1100 * ns, 80}},
		nil,
		{{0, 3000, 1400 * ns, 20}, {0, 3000, 1900 * ns, 80}},
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
	n := fabric.New(1)
	from, to := &collector{source: source{left: 2}}, &collector{}
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
		if i < 2 && len(h) != fabric.MaxHops || i == 2 && len(h) != 0 {
			t.Errorf("packet %d has %d hops", i, len(h))
		}
	}
	if len(to.hops) != 3 {
		t.Errorf("%d packets came", len(to.hops))
	}
}
