// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// resumed plays connections that resume at once after their windows were shut for two round-trip times.
type resumed struct {
	conns   int
	quantum uint64  // bytes of a visit
	rate    float64 // bytes per ns of all connections: the rate of the port that they share in the network
}

// Results of a resumption.
type burst struct {
	early int     // bytes on the wire in the first τ/8
	queue float64 // the most bytes that wait at a port of that rate
}

const (
	tau     = 28_960                    // ns
	payload = 1024                      // bytes of a packet
	ip      = 20 + 8 + 12 + payload + 4 // its bytes: headers, payload, ICRC
	frame   = 14 + ip
)

// play gives each connection a window of rate/conns · τ and that rate, and three windows of packets. The first window
// leaves, and its ACKs come together two round-trip times later.
func (x resumed) play(t *testing.T, lib *cosim.Library, p *params.Params) burst {
	t.Helper()
	s := start(t, lib, p, device.Config{Seed: 1})
	for block, values := range map[string]map[string]uint64{
		"gate":  {"cfg_quantum": x.quantum, "cfg_stall_ns": 1_000_000_000},
		"queue": {"cfg_quota": uint64(p.Queue().Cells())},
	} {
		if err := s.Settings(block, values); err != nil {
			t.Fatal(err)
		}
	}
	rate := x.rate / float64(x.conns)
	window := int(rate * tau)
	qp := func(c int) uint32 { return 0x100 + uint32(c) }
	for c := range x.conns {
		profile := device.Profile{Queue: true, Path: true, DSCP: -1, ECN: -1}
		if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{qp(c), 0x1000 + qp(c)}, Profile: profile,
			Rate: rate, Window: uint32(window)}); err != nil {
			t.Fatal(err)
		}
	}
	s.Rebase()
	for psn := range uint32(3 * window / payload) {
		for c := range x.conns {
			s.Host(s.Now(), rc(t, opSend, here, there, qp(c), psn, payload))
		}
	}
	sent := make([]uint32, x.conns) // packets
	run := func(until agenda.Instant, wire func(l device.Left, bytes int)) {
		if err := s.Run(t.Context(), until, func(l device.Left) {
			if !l.ToHost {
				sent[l.Data[49]]++ // the low byte of the queue pair's number
				wire(l, len(l.Data)+device.Gap)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	begin := agenda.At(5 * tau)
	run(begin, func(l device.Left, _ int) {
		if l.First > begin-agenda.At(2*tau) {
			t.Fatalf("%+v: a packet at %v, while the window is shut", x, l.First)
		}
	})
	for c := range x.conns {
		if got := int(sent[c]) * ip; got < window-frame || got > window+frame {
			t.Fatalf("%+v: connection %d has %d bytes in flight, its window is %d", x, c, got, window)
		}
		s.Wire(begin, rc(t, opAck, there, here, 0x1000+qp(c), sent[c]-1, 0))
	}
	var b burst
	var first, at agenda.Instant
	queue := 0.0
	run(begin+agenda.At(tau), func(l device.Left, bytes int) {
		if first == 0 {
			first, at = l.First, l.First
		}
		queue = max(0, queue-float64(l.First-at)/agenda.PS*x.rate) + float64(bytes)
		at, b.queue = l.First, max(b.queue, queue)
		if l.First < first+agenda.At(tau/8) {
			b.early += bytes
		}
	})
	return b
}

// A connection that waited for the ACKs of a window resumes at its rate, not at the line's: it may make up for cfg_idle_ns,
// and for what a turn is early. Where k connections resume together, a port of their rates' sum gets k·quantum + idle·rate more
// than it sends.
func TestResume(t *testing.T) {
	p := params.Default()
	lib := build(t, p)
	const wire = frame + device.Gap
	for _, x := range []resumed{
		{1, 4096, 2.5}, {2, 4096, 6.25}, {8, 4096, 6.25}, {16, 4096, 6.25}, {2, 1, 6.25}, {8, 1, 6.25}, {16, 1, 6.25},
	} {
		visit := float64((int(x.quantum) + ip - 1) / ip * wire) // packets until the quantum is used
		allowed := float64(p.Pace().IdleNS+p.Pace().SlotNS) * x.rate
		queue := float64(x.conns)*visit + allowed
		early := queue + x.rate*tau/8
		b := x.play(t, lib, p)
		t.Logf("%2d connections, quantum %4d, %.2f bytes per ns: %6d bytes in the first τ/8, at most %6.0f; %6.0f wait at a port of that rate, at most %6.0f",
			x.conns, x.quantum, x.rate, b.early, early, b.queue, queue)
		if float64(b.early) > early || b.queue > queue {
			t.Errorf("%+v: %+v, want at most %.0f in the first τ/8 and %.0f at the port", x, b, early, queue)
		}
	}
}
