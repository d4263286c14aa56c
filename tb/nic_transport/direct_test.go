// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/device"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// Data of a connection without queue, which leaves at once, asks PLB for a label too, but has no information about packets
// in flight: only packets that leave a queue have it. So it never gets a new label for idleness, whether anything is in
// flight or not; the next packet of the queue gets it. It takes a connection whose profile changes: without queue no round
// is congested.
func TestDirectIdle(t *testing.T) {
	t.Parallel()
	set := slices.IndexFunc(nictransport.Configurations, func(s string) bool { return s == nictransport.Configurations[0]+" path=plb" })
	if set < 0 {
		t.Fatal("no configuration has PLB")
	}
	p, lib := blockOf(t, nictransport.Configurations[set])
	s := start(t, lib, p, device.Config{Seed: 1})
	if err := s.Settings("plb", map[string]uint64{"cfg_idle_rounds": 1, "cfg_forced_rounds": 0}); err != nil {
		t.Fatal(err)
	}
	// Nothing is ever in flight of the first connection.
	queued := device.Profile{Queue: true, Path: true, DSCP: -1, ECN: -1}
	number := 0
	for i := range uint32(2) {
		var err error
		if number, err = s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100 + i, 0x200 + i}, Profile: queued}); err != nil {
			t.Fatal(err)
		}
	}
	profile := func(x device.Profile) {
		t.Helper()
		if err := s.Do("transport.s_profile", device.Field{Name: "conn", Words: []uint32{uint32(number)}}, device.Field{Name: "word", Words: []uint32{x.Word()}}); err != nil {
			t.Fatal(err)
		}
	}
	s.Rebase()
	// passes has a frame pass the block, and returns its UDP source port, and how many new labels there were for idleness.
	passes := func(frame []byte, fromWire bool) (port uint16, idle uint64) {
		t.Helper()
		if fromWire {
			s.Wire(s.Now(), frame)
		} else {
			s.Host(s.Now(), frame)
		}
		left := 0
		if err := s.Run(t.Context(), s.Now()+3_000_000, func(l device.Left) {
			port = binary.BigEndian.Uint16(l.Data[34:])
			left++
		}); err != nil {
			t.Fatal(err)
		}
		if left != 1 {
			t.Fatalf("%d frames left, want 1", left)
		}
		n, err := s.Counters("plb")
		if err != nil {
			t.Fatal(err)
		}
		return port, n["sts_idle_cnt"]
	}
	psn := uint32(0)
	sends := func() (port uint16, idle uint64) {
		t.Helper()
		psn++
		return passes(rc(t, opSend, here, there, 0x101, psn, 100), false)
	}
	acked := func(psn uint32) { // by an ACK that tells of congestion
		t.Helper()
		f := rc(t, opAck, there, here, 0x201, psn, 0)
		f[46] |= 0x40 // BECN
		passes(f, true)
	}
	direct := func(when string, port uint16, idle uint64) {
		t.Helper()
		profile(device.Profile{Path: true, DSCP: -1, ECN: -1})
		for i := range uint32(3) {
			if p, n := passes(rc(t, opSend, here, there, 0x101, 0x1000+i, 100), false); p != port || n != idle {
				t.Fatalf("%s: a packet that was in no queue has port %d, and there were %d new labels for idleness; want %d and %d", when, p, n, port, idle)
			}
		}
		profile(queued)
	}
	sends()
	acked(1)
	old, idle := sends()
	acked(2) // a round is over, and was congested
	direct("nothing in flight", old, idle)
	port, n := sends()
	if port == old || n != idle+1 {
		t.Fatalf("a packet of the queue has port %d, and there were %d new labels for idleness; want another one than %d, and %d", port, n, old, idle+1)
	}
	acked(3)
	sends()
	port, n = sends()
	acked(4) // another congested round, while a packet is in flight
	direct("one in flight", port, n)
	if p, m := sends(); p != port || m != n {
		t.Fatalf("a packet of the queue, behind one in flight, has port %d, and there were %d new labels for idleness; want %d and %d", p, m, port, n)
	}
	acked(6) // the label waits until nothing is in flight
	if p, m := sends(); p == port || m != n+1 {
		t.Fatalf("the next packet has port %d, and there were %d new labels for idleness; want another one than %d, and %d", p, m, port, n+1)
	}
}
