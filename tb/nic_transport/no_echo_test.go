// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"encoding/binary"
	"testing"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/device"
)

// An ACK of a packet that the receiver's block does not know says that it has no echo, by source port 0, and the sender's
// block takes no EV from it. The host's own source port, which is constant, never gets into REPS' buffer.
func TestNoEcho(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, repsBlock)
	s := start(t, lib, p, device.Config{Seed: 1})
	if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x11, 0x111},
		Profile: device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1}}); err != nil {
		t.Fatal(err)
	}
	s.Rebase()
	one := func() (frame []byte) {
		t.Helper()
		n := 0
		if err := s.Run(t.Context(), s.Now()+4_000_000, func(l device.Left) {
			frame = l.Data
			n++
		}); err != nil || n != 1 {
			t.Fatalf("%d frames left, %v, want 1", n, err)
		}
		if err := roce.Verify(frame); err != nil {
			t.Fatal(err)
		}
		return frame
	}
	port := func(frame []byte) uint16 { return binary.BigEndian.Uint16(frame[34:]) }
	ack := func(psn uint32) []byte { return rc(t, opAck, here, there, 0x11, psn, 0) }

	// As the receiver.
	data := rc(t, opSend, there, here, 0x111, 7, 64)
	binary.BigEndian.PutUint16(data[34:], 0xD234)
	if err := roce.Seal(data); err != nil {
		t.Fatal(err)
	}
	s.Wire(s.Now(), data)
	one()
	for _, c := range []struct {
		psn  uint32
		want uint16
	}{{7, 0xD234}, {8, 0}} {
		s.Host(s.Now(), ack(c.psn))
		if got := port(one()); got != c.want {
			t.Errorf("ACK of packet %d: source port %#x, want %#x", c.psn, got, c.want)
		}
	}

	// As the sender.
	back := func(ev uint16) (taken uint64) {
		t.Helper()
		before := counter(t, s, "reps", "sts_ack_cnt") + counter(t, s, "reps", "sts_illegal_ev_cnt")
		f := rc(t, opAck, there, here, 0x111, 100, 0)
		binary.BigEndian.PutUint16(f[34:], ev)
		if err := roce.Seal(f); err != nil {
			t.Fatal(err)
		}
		s.Wire(s.Now(), f)
		one()
		return counter(t, s, "reps", "sts_ack_cnt") + counter(t, s, "reps", "sts_illegal_ev_cnt") - before
	}
	s.Host(s.Now(), rc(t, opSend, here, there, 0x11, 100, 64))
	one()
	if n := back(0); n != 0 {
		t.Errorf("REPS took %d events from an ACK without an echo, want none", n)
	}
	if n := back(0xD234); n != 1 {
		t.Errorf("REPS took %d events from an ACK with an echo, want 1", n)
	}
}

// An ACK of a connection whose packets do not go through the gate is not counted as a stray. An ACK of an unknown packet of
// a connection with a queue is.
func TestStrays(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, repsBlock)
	s := start(t, lib, p, device.Config{Seed: 1})
	for i, queue := range []bool{false, true} {
		if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x11 + uint32(i), 0x111 + uint32(i)},
			Profile: device.Profile{Queue: queue, Path: true, EchoRX: true, DSCP: -1, ECN: -1}}); err != nil {
			t.Fatal(err)
		}
	}
	s.Rebase()
	for i, want := range []uint64{0, 5} {
		for psn := range uint32(5) {
			s.Wire(s.Now(), rc(t, opAck, there, here, 0x111+uint32(i), 100+psn, 0))
		}
		if err := s.Run(t.Context(), s.Now()+4_000_000, func(device.Left) {}); err != nil {
			t.Fatal(err)
		}
		if got := counter(t, s, "gate", "sts_stray_cnt"); got != want {
			t.Errorf("after ACKs of connection %d: %d strays, want %d", i, got, want)
		}
	}
}
