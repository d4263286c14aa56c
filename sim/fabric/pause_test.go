// SPDX-License-Identifier: Apache-2.0

package fabric_test

import (
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
)

// to is a router with one port.
type to struct{ port *fabric.Port }

func (r *to) Route(*fabric.Packet) *fabric.Port { return r.port }

// source is a host with packets of a class to send.
type source struct {
	left int
	seq  uint32
}

func (s *source) Next(n *fabric.Network, _ *fabric.Port) *fabric.Packet {
	if s.left == 0 {
		return nil
	}
	s.left--
	x := n.Packet()
	x.Class, x.Size, x.Seq = fabric.Bulk, 1000, s.seq
	s.seq++
	return x
}

// chain is two hosts on one switch, a second switch behind that, and a slow sink behind this one.
type chain struct {
	*fabric.Network
	hosts [2]*fabric.Port
	ins   []*fabric.Port // ports of the switches that packets come in by: of the hosts, and of the first switch
	slow  *fabric.Port
	sink  *sink
}

func newChain(q fabric.Queueing, packets int) *chain {
	c := &chain{Network: fabric.New(1), sink: &sink{}}
	first, second := &fabric.Switch{}, &fabric.Switch{}
	link := fabric.Link{Gbps: 80, Delay: 100 * ns}
	for i := range c.hosts {
		var in *fabric.Port
		c.hosts[i], in = c.Connect(nil, first, link, fabric.Queueing{}, q)
		c.hosts[i].Attach(&sink{}, &source{left: packets})
		c.ins = append(c.ins, in)
	}
	out, in := c.Connect(first, second, link, q, q)
	c.ins = append(c.ins, in)
	c.slow, _ = c.Connect(second, c.sink, fabric.Link{Gbps: 8, Delay: 100 * ns}, q, fabric.Queueing{})
	first.Router, second.Router = &to{out}, &to{c.slow}
	return c
}

// Two hosts send ten times what the last cable carries. Without pauses the queue before it drops; with them nothing is lost, the
// pause reaches the hosts over two switches, every packet comes in its host's order, and no port holds more than its threshold
// plus the packets in flight.
func TestPause(t *testing.T) {
	const packets, room = 200, 25_000
	for _, c := range []struct {
		pause fabric.Pause
		lost  bool
	}{
		{fabric.Pause{}, true},
		{fabric.Pause{Off: 8000, On: 4000}, false},
		{fabric.Pause{Off: 5000, On: 4999}, false},
	} {
		x := newChain(fabric.Queueing{Bytes: room, Pause: c.pause}, packets)
		for _, h := range x.hosts {
			x.At(0, func() { h.Kick(x.Network) })
		}
		run(t, x.Network)
		if lost := x.Count.Dropped() > 0; lost != c.lost || (x.Count.Pauses > 0) == c.lost {
			t.Fatalf("%+v: %+v", c.pause, x.Count)
		}
		if c.lost {
			continue
		}
		if len(x.sink.got) != 2*packets {
			t.Fatalf("%+v: %d packets came, want %d", c.pause, len(x.sink.got), 2*packets)
		}
		// A frame takes 6.4 and 100 ns; meanwhile, and from the time that a packet is in the wire, 10 bytes a ns come.
		way := int64((6.4+2*100)*10) + 2*1000
		for i, in := range x.ins {
			if in.Held < c.pause.Off || in.Held > c.pause.Off+way {
				t.Errorf("%+v: port %d held %d bytes, allowed: %d to %d", c.pause, i, in.Held, c.pause.Off, c.pause.Off+way)
			}
		}
		for i, h := range x.hosts {
			// The last cable takes 2·200 packets at 1 byte a ns, a host's own cable a tenth of its half.
			if h.Quiet < 2*packets*1000*ns*3/4 {
				t.Errorf("%+v: host %d was paused for %d ps", c.pause, i, h.Quiet)
			}
		}
	}
}

// A paused class waits; the others, acknowledgements and headers among them, go on, and a class goes on where it stopped.
func TestPauseIsOfAClass(t *testing.T) {
	x := newChain(fabric.Queueing{Pause: fabric.Pause{Off: 2000, On: 1000}}, 20)
	h := x.hosts[0]
	x.At(0, func() { h.Kick(x.Network) })
	put(x.Network, h, 5000*ns, 1000, 64, fabric.Control)
	put(x.Network, h, 5001*ns, 1001, 500, fabric.Bulk+1)
	run(t, x.Network)
	place := map[uint32]int{}
	for i, p := range x.sink.got {
		place[p.Seq] = i
		if p.Seq < 20 && i > 0 && x.sink.got[i-1].Seq > p.Seq && x.sink.got[i-1].Seq < 20 {
			t.Errorf("packet %d after %d", p.Seq, x.sink.got[i-1].Seq)
		}
	}
	if len(place) != 22 || place[1000] > 8 || place[1001] < 10 {
		t.Errorf("%v: want packet 1000 soon after 5 of 20 µs, and 1001, of a lower class, behind those that were under way", place)
	}
}

// A frame arrives after its own bytes and the cable's delay: meanwhile a host goes on sending.
func TestPauseTime(t *testing.T) {
	n, s := fabric.New(1), &sink{}
	sw := &fabric.Switch{}
	q := fabric.Queueing{Pause: fabric.Pause{Off: 3000, On: 1000}}
	host, in := n.Connect(nil, sw, fabric.Link{Gbps: 80, Delay: 100 * ns}, fabric.Queueing{}, q)
	out, _ := n.Connect(sw, s, fabric.Link{Gbps: 8, Delay: 100 * ns}, q, fabric.Queueing{})
	sw.Router = &to{out}
	host.Attach(s, &source{left: 10})
	n.At(0, func() { host.Kick(n) })
	run(t, n)
	// Packets begin each 100 ns and are there 200 ns later: the third one at 400 ns. The frame is at the host at 506.4 ns, when the
	// sixth packet has begun. The first one leaves the switch at 1200 ns.
	if in.Held != 6000 || n.Count.Dropped() > 0 || len(s.got) != 10 {
		t.Errorf("%d bytes held, %d packets came, want 6000 and 10", in.Held, len(s.got))
	}
}

// A switch does not count dropped packets as held: a port that is full again and again does not
// stay paused.
func TestPauseAndDrop(t *testing.T) {
	x := newChain(fabric.Queueing{Bytes: 3500, Pause: fabric.Pause{Off: 3000, On: 1000}}, 100)
	for _, h := range x.hosts {
		x.At(0, func() { h.Kick(x.Network) })
	}
	run(t, x.Network)
	if d := x.Count.Drops[fabric.Full]; d == 0 || x.Count.Sent != 200 || uint64(len(x.sink.got)) != 200-d {
		t.Errorf("%+v: want some of 200 packets dropped, and the others received", x.Count)
	}
}

// Between the thresholds the chance of a mark grows up to the one that is set.
func TestMarkChance(t *testing.T) {
	for _, chance := range []float64{0, 0.25} {
		n, p, s := line(fabric.Queueing{Marking: fabric.Marking{Min: 1000, Max: 1_000_000, Chance: chance}})
		for i := range uint32(999) {
			put(n, p, 0, i, 1000, fabric.Bulk)
		}
		run(t, n)
		marks := 0.
		for _, x := range s.got {
			if x.Marked {
				marks++
			}
		}
		want := 999. / 2
		if chance > 0 {
			want *= chance
		}
		if marks < 0.8*want || marks > 1.2*want {
			t.Errorf("chance %v: %v marks, want about %v", chance, marks, want)
		}
	}
}

// A packet that is cut to its header holds nothing any more of the port that it came in by: nobody has to pause.
func TestPauseAndTrim(t *testing.T) {
	const packets = 150
	x := newChain(fabric.Queueing{Bytes: 6000, Trim: true, Pause: fabric.Pause{Off: 8000, On: 4000}}, packets)
	for _, h := range x.hosts {
		x.At(0, func() { h.Kick(x.Network) })
	}
	run(t, x.Network)
	if len(x.sink.got) != 2*packets || x.Count.Trimmed < packets || x.Count.Pauses > 0 {
		t.Errorf("%d packets came, %+v: want %d, many of them trimmed, and no pause", len(x.sink.got), x.Count, 2*packets)
	}
}
