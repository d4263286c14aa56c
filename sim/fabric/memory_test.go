// SPDX-License-Identifier: Apache-2.0

package fabric_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Two hosts flood one port each, or both the same one, of a switch with a shared memory of dynamic thresholds. A queue grows to α times the
// free memory: with n of them full each has α·B/(1+n·α), to a packet.
func TestDynamicThresholds(t *testing.T) {
	const bytes, size = 100_000, 1000
	for _, c := range []struct {
		alpha  float64
		queues int
	}{{1, 1}, {1, 2}, {.25, 1}, {.25, 2}, {8, 2}} {
		t.Run(fmt.Sprintf("alpha %v, %d queues", c.alpha, c.queues), func(t *testing.T) {
			n, sw, m := fabric.New(1), &fabric.Switch{}, &fabric.Memory{Bytes: bytes, Alpha: c.alpha}
			var out []*fabric.Port
			for range c.queues {
				p, _ := n.Connect(sw, &sink{}, fabric.Link{Gbps: 1, Delay: 100 * ns}, fabric.Queueing{}, fabric.Queueing{})
				p.SetMemory(m)
				out = append(out, p)
			}
			sw.Router = &turns{ports: out}
			host, in := n.Connect(nil, sw, fabric.Link{Gbps: 100, Delay: 100 * ns}, fabric.Queueing{}, fabric.Queueing{})
			in.SetMemory(m)
			host.Attach(&sink{}, &source{left: 400})
			n.At(0, func() { host.Kick(n) })
			run(t, n)
			want := c.alpha * bytes / (1 + float64(c.queues)*c.alpha)
			for i, p := range out {
				if got := float64(p.Peak); got > want+size || got < want-3*size {
					t.Errorf("queue %d: %v bytes, want %v", i, got, want)
				}
			}
			if m.Used != 0 || m.Peak > bytes || n.Count.Drops[fabric.Full] == 0 {
				t.Errorf("%+v, %+v: want an empty memory, and drops", m, n.Count)
			}
		})
	}
}

// turns sends packets to its ports in rotation.
type turns struct {
	ports []*fabric.Port
	next  int
}

func (r *turns) Route(*fabric.Packet) *fabric.Port {
	r.next++
	return r.ports[r.next%len(r.ports)]
}

// Without a share, a queue may fill the memory, and no more.
func TestMemoryIsFull(t *testing.T) {
	m := &fabric.Memory{Bytes: 5500}
	x := newChain(fabric.Queueing{}, 100)
	x.slow.SetMemory(m)
	x.At(0, func() { x.hosts[0].Kick(x.Network) })
	run(t, x.Network)
	if m.Peak != 5000 || x.Count.Drops[fabric.Full] == 0 {
		t.Errorf("%+v, %+v: want a peak of 5000 bytes, and drops", m, x.Count)
	}
}

// Pauses at a share of the free memory lose nothing; the less memory is free, the less a port's packets may hold.
func TestPauseByMemory(t *testing.T) {
	var held [2]int64
	for i, bytes := range []int64{200_000, 40_000} {
		m := &fabric.Memory{Bytes: bytes}
		q := fabric.Queueing{Pause: fabric.Pause{Off: 2000, On: 1000, Alpha: 1. / 8}}
		x := newChain(q, 400)
		x.slow.SetMemory(m)
		for _, in := range x.ins {
			in.SetMemory(m)
		}
		for _, h := range x.hosts {
			x.At(0, func() { h.Kick(x.Network) })
		}
		run(t, x.Network)
		if x.Count.Dropped() != 0 || x.Count.Pauses == 0 || m.Used != 0 {
			t.Fatalf("%d bytes: %+v, %d used", bytes, x.Count, m.Used)
		}
		held[i] = x.ins[2].Held
		if off := 2000 + float64(bytes)/8; float64(held[i]) > off+5000 {
			t.Errorf("%d bytes: %d held, want little above %v", bytes, held[i], off)
		}
	}
	if held[0] <= held[1] {
		t.Errorf("%d bytes are held with a large memory, %d with a small one", held[0], held[1])
	}
}
