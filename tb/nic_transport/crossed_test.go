// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"testing"

	"github.com/nicgen/nicgen/sim/device"
)

// Two connections to one peer whose queue pairs have each other's numbers, as two hosts that create two each in turn
// may have them: packets of each direction are of the right one.
func TestCrossedNumbers(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, "connections=16 rows=256 kib=256 path=none window=none")
	s := start(t, lib, p, device.Config{Seed: 1})
	profile := device.Profile{Queue: true, DSCP: -1, ECN: -1}
	for i, numbers := range [][]uint32{{0x11, 0x111}, {0x111, 0x11}} {
		// With one packet in flight, none may leave before its ACK: an ACK of the wrong connection stops both.
		if n, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: numbers, Window: 1, Profile: profile}); err != nil || n != i {
			t.Fatalf("connection %d, %v: want connection %d", n, err, i)
		}
	}
	s.Rebase()
	a := &requester{t: t, s: s, qp: 0x11, own: 0x111, psn: 100, packets: 1, messages: 40, most: 16, delay: 1_000_000}
	b := &requester{t: t, s: s, qp: 0x111, own: 0x11, psn: 70_000, packets: 1, messages: 40, most: 16, delay: 1_000_000}
	if !talk(t, 800_000_000, a, b) {
		t.Errorf("%d and %d of 40 packets are acknowledged", a.acked, b.acked)
	}
	if strays, stalls := counter(t, s, "gate", "sts_stray_cnt"), counter(t, s, "gate", "sts_stall_cnt"); strays > 0 || stalls > 0 {
		t.Errorf("%d ACKs of the wrong connection, %d packets by the stall rule, want none", strays, stalls)
	}
}
