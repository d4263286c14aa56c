// SPDX-License-Identifier: Apache-2.0

package live

import (
	"bytes"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/packet/transit"
)

var epoch = time.Unix(1_700_000_000, 0)

// take returns the frames that have arrived, and when.
func take(n *network, until time.Duration) (frames [][]byte, at []time.Duration) {
	for t := time.Duration(0); t <= until; t += time.Microsecond {
		for {
			f, ok := n.arrived(epoch.Add(t))
			if !ok {
				break
			}
			frames, at = append(frames, f.frame), append(at, t)
		}
	}
	return frames, at
}

// Paths have their delays, frames of a path keep their order, and each choice uses what it should.
func TestPaths(t *testing.T) {
	const paths, frames = 4, 400
	for _, c := range []struct {
		choose string
		ports  int // different ones
		used   func(p []uint64) bool
	}{
		{ByFlow, 1, func(p []uint64) bool { return slices.Max(p) == frames }},
		{ByFlow, 400, func(p []uint64) bool { return slices.Min(p) > frames/8 }},
		{ByPort, 4, func(p []uint64) bool { return slices.Min(p) == frames/4 }},
		{ByFrame, 1, func(p []uint64) bool { return slices.Min(p) > frames/8 }},
	} {
		n := newNetwork(Network{Paths: paths, Choose: c.choose, Dead: -1, Delay: 10 * time.Microsecond, Spread: 30 * time.Microsecond}, 1, epoch)
		by := map[uint32]int{}
		for psn := range uint32(frames) {
			p := packet(0, roce.SendOnly, 7, psn)
			p.UDP.SrcPort = layers.UDPPort(0xC000 + int(psn)%c.ports)
			f := frame(t, p)
			l := read(f)
			by[psn], _ = n.path(bytes.Clone(f), l)
			n.enter(0, f, l, epoch)
		}
		if !c.used(n.count.Paths[0]) {
			t.Errorf("%s, %d ports: frames by path %v", c.choose, c.ports, n.count.Paths[0])
		}
		got, at := take(n, time.Millisecond)
		if len(got) != frames {
			t.Fatalf("%s: %d frames arrive, want %d", c.choose, len(got), frames)
		}
		last := map[time.Duration]uint32{}
		for i, f := range got {
			psn := read(f).psn
			if at[i]%(10*time.Microsecond) != 0 || at[i] < 10*time.Microsecond || at[i] > 40*time.Microsecond {
				t.Fatalf("%s: frame %d arrives at %v", c.choose, psn, at[i])
			}
			if p, ok := last[at[i]]; ok && psn < p {
				t.Errorf("%s: frame %d arrives behind %d of its path", c.choose, psn, p)
			}
			last[at[i]] = psn
			if c.choose != ByFrame && at[i] != time.Duration(10+10*by[psn])*time.Microsecond {
				t.Errorf("%s: frame %d of path %d arrives at %v", c.choose, psn, by[psn], at[i])
			}
		}
	}
}

// A path with a rate sends one frame after the other, marks from a queue's length on, drops what its buffer does not hold, and writes
// telemetry of the queue behind a frame.
func TestQueue(t *testing.T) {
	const rate = 3.125 // bytes per ns: 25 Gb/s
	n := newNetwork(Network{Paths: 1, Choose: ByFlow, Dead: -1, Rate: rate, Buffer: 2000, MarkAt: 900}, 1, epoch)
	var size int
	for psn := range uint32(10) {
		f := collecting(t, frame(t, packet(0, roce.SendOnly, 7, psn)))
		size = len(f)
		n.enter(0, f, read(f), epoch)
	}
	holds := 2000 / size
	got, _ := take(n, time.Millisecond)
	if len(got) != holds || n.count.Full != uint64(10-holds) {
		t.Fatalf("%d arrive, %d were dropped: the buffer holds %d of 10", len(got), n.count.Full, holds)
	}
	if n.count.Told != uint64(holds) {
		t.Errorf("telemetry in %d frames, want %d", n.count.Told, holds)
	}
	per := time.Duration(float64(size+24) / rate)
	for i, f := range got {
		if marked := transit.Marked(f); marked != (i*size >= 900) {
			t.Errorf("frame %d behind %d bytes: marked %t", i, i*size, marked)
		}
		p := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default)
		s, ok := p.Layer(shim.LayerTypeShim).(*shim.Shim)
		if !ok || s.HPCC.Hops != 1 {
			t.Fatalf("frame %d: %v", i, p)
		}
		w := s.HPCC.Words[0]
		if want := uint32(size * (holds - 1 - i) / 80); w.Queue() != want || w.Rate() != 0 || w.Bytes() != uint32(i*size/128) {
			t.Errorf("frame %d: queue %d, want %d; rate %d, bytes %d", i, w.Queue(), want, w.Rate(), w.Bytes())
		}
		if want := time.Duration(i) * per; time.Duration(w.Time()) < want-5 || time.Duration(w.Time()) > want+5 {
			t.Errorf("frame %d begins at %d ns, want %v", i, w.Time(), want)
		}
	}
	// An idle path has no queue, and its next frame does not wait.
	f := frame(t, packet(0, roce.SendOnly, 7, 11))
	n.enter(0, f, read(f), epoch.Add(time.Second))
	if at, ok := n.next(); !ok || at != epoch.Add(time.Second) || n.queue[0][0].waiting != len(f) {
		t.Errorf("the next frame begins at %v, %d bytes wait", at, n.queue[0][0].waiting)
	}
}

// collecting puts a shim that collects telemetry into a frame.
func collecting(t *testing.T, f []byte) []byte {
	t.Helper()
	s := &shim.Shim{Type: shim.Collect, Count: 5, Subtype: shim.HPCC, HPCC: &shim.HPCCBody{}, EtherType: 0x0800}
	b := gopacket.NewSerializeBuffer()
	if err := s.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
		t.Fatal(err)
	}
	return append(append(append([]byte{}, f[:12]...), 0x88, 0xB5), append(b.Bytes(), f[14:]...)...)
}

// Frames sent again are counted by the PSNs of a stream; requests and responses are separate streams.
func TestAgain(t *testing.T) {
	n := newNetwork(straight(), 1, epoch)
	for _, x := range []struct {
		op  roce.Opcode
		psn uint32
	}{{roce.SendOnly, 0xFFFFFE}, {roce.SendOnly, 0xFFFFFF}, {roce.SendOnly, 0}, {roce.SendOnly, 0xFFFFFF}, {roce.SendOnly, 0}, {roce.SendOnly, 1}, {roce.ResponseMiddle, 1}, {roce.ResponseMiddle, 1}} {
		f := frame(t, packet(1, x.op, 7, x.psn))
		n.enter(1, f, read(f), epoch)
	}
	if n.count.Again != [2]uint64{0, 3} {
		t.Errorf("sent again %v, want 3 of side 1", n.count.Again)
	}
}

// A frame is read through tags and a shim; its entropy is its source port and flow label.
func TestRead(t *testing.T) {
	p := packet(0, roce.SendOnly, 7, 5)
	p.IPv6 = &layers.IPv6{Version: 6, FlowLabel: 0x12345, NextHeader: layers.IPProtocolUDP, HopLimit: 9, SrcIP: net.ParseIP("fd00::1"), DstIP: net.ParseIP("fd00::2")}
	p.IPv4, p.Ethernet.EthernetType = nil, layers.EthernetTypeIPv6
	v6 := frame(t, p)
	v4 := frame(t, packet(0, roce.SendOnly, 7, 5))
	for name, c := range map[string]struct {
		frame   []byte
		entropy uint32
		src     string
	}{
		"IPv4": {v4, 0xC001, "10.0.0.1"}, "IPv6": {v6, 0xC001 + 0x12345, "fd00::1"}, "a shim": {collecting(t, v4), 0xC001, "10.0.0.1"},
	} {
		if l := read(c.frame); !l.roce || l.made || l.kind != Request || l.qp != 7 || l.psn != 5 || l.entropy != c.entropy || l.src.String() != c.src {
			t.Errorf("%s: %+v", name, l)
		}
	}
	own := packet(0, roce.Feedback, 7, 5)
	own.Payload, own.Headers = nil, []roce.Header{&roce.FeedbackBody{EVs: []uint16{1}}}
	if l := read(frame(t, own)); !l.made || l.kind != Made {
		t.Errorf("a list of feedback: %+v", l)
	}
	for _, f := range [][]byte{nil, v4[:20], v6[:60], bytes.Repeat([]byte{0x88, 0xB5}, 10)} {
		if l := read(f); l.roce {
			t.Errorf("% x: %+v", f, l)
		}
	}
}
