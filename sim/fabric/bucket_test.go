// SPDX-License-Identifier: Apache-2.0

package fabric_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/fabric"
)

// got notes when packets have come, and of which class.
type got struct{ list [][2]int64 }

func (g *got) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	g.list = append(g.list, [2]int64{int64(n.Now()) / 1000, int64(p.Class)})
	n.Received(p)
}

// A bucket of two tokens, one in 300 ns: two packets of class Control leave at once, the others when their tokens come, and other
// classes go before them. A packet of any class takes 100 ns.
func TestBucket(t *testing.T) {
	n, to := fabric.New(1), &got{}
	p, _ := n.Connect(nil, to, fabric.Link{Gbps: 80}, fabric.Queueing{Bucket: fabric.Bucket{Period: 300 * ns, Size: 2}}, fabric.Queueing{})
	put := func(class uint8, packets int) {
		for range packets {
			x := n.Packet()
			x.Class, x.Size = class, 1000
			p.Put(n, x)
		}
	}
	n.At(0, func() { put(fabric.Control, 5) })
	n.At(250*ns, func() { put(3, 1) }) // on the line when the third token comes
	n.At(650*ns, func() { put(3, 2) }) // after the fourth one
	n.At(5000*ns, func() { put(fabric.Control, 3) })
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := [][2]int64{{100, 0}, {200, 0}, {350, 3}, {450, 0}, {700, 0}, {800, 3}, {900, 3}, {1000, 0}, {5100, 0}, {5200, 0}, {5400, 0}}
	if d := cmp.Diff(want, to.list); d != "" {
		t.Error(d)
	}
	if err := n.Check(); err != nil {
		t.Error(err)
	}
}

// A class has room for its packets in addition to the one being sent. Other classes have
// their own room.
func TestPackets(t *testing.T) {
	n, to := fabric.New(1), &got{}
	p, _ := n.Connect(nil, to, fabric.Link{Gbps: 80}, fabric.Queueing{Packets: [fabric.Classes]int{2, 0, 0, 3}}, fabric.Queueing{})
	n.At(0, func() {
		for _, c := range []struct {
			class   uint8
			packets int
		}{{0, 5}, {1, 9}, {3, 7}} {
			for range c.packets {
				x := n.Packet()
				x.Class, x.Size = c.class, 1000
				p.Put(n, x)
			}
		}
	})
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([fabric.Classes]uint64{2, 0, 0, 4}, p.Lost); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([fabric.Classes]int{2, 9, 0, 3}, p.Longest); d != "" {
		t.Error(d)
	}
	for class := range fabric.Classes {
		if p.Count(class) != 0 {
			t.Errorf("%d packets of class %d wait at the end", p.Count(class), class)
		}
	}
}
