// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"testing"

	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// repsBlock is the configuration of a block with REPS.
const repsBlock = "connections=16 rows=256 kib=256 window=none"

// repsProfile is a connection of which REPS chooses the path.
var repsProfile = device.Profile{Queue: true, Path: true, EchoRX: true, DSCP: -1, ECN: -1}

// A host's timer runs out while the block paces its packets: they come again before the first copies have left. That is
// no sign of a failed path: no TIMEOUT is counted, and REPS does not freeze.
func TestTimerWhilePaced(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, repsBlock)
	s := start(t, lib, p, device.Config{Seed: 1})
	wholeQueue(t, s, p)
	// 1 Gb/s: a packet of 1 KiB takes 8.7 µs, longer than the host's timer.
	if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x11, 0x111}, Rate: 0.125, Profile: repsProfile}); err != nil {
		t.Fatal(err)
	}
	s.Rebase()
	r := &requester{t: t, s: s, qp: 0x11, psn: 1000, packets: 8, messages: 4, most: 8, delay: 1_000_000, timer: 6_000_000}
	done := talk(t, agenda.Instant(8_000_000_000), r)
	timeouts, early := counter(t, s, "gate", "sts_timeout_cnt"), counter(t, s, "gate", "sts_retransmit_cnt")
	freezes := counter(t, s, "reps", "sts_freeze_cnt")
	t.Logf("%d of %d packets acknowledged after %d ns, %d sent again; %d retransmissions, %d timeouts, %d freezes", r.acked, r.total(), s.Now().NS(), r.again, early, timeouts, freezes)
	if !done || r.again == 0 || early == 0 {
		t.Errorf("done %t, %d packets were sent again, %d retransmissions counted: want all done, and some", done, r.again, early)
	}
	if timeouts > 0 || freezes > 0 {
		t.Errorf("%d timeouts and %d freezes, want none: no packet was lost", timeouts, freezes)
	}
}

// A number of a queue pair is used again, without a flush: the PSNs jump, ahead or behind, and the connection goes on as
// a new one does.
func TestNumberUsedAgain(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, repsBlock)
	for _, c := range []struct {
		name        string
		first, then uint32
	}{{"ahead", 1000, 0x40_0000}, {"behind", 0x40_0000, 1000}, {"a little ahead", 1000, 1000 + 64 + 200}, {"across the end", 0xff_ff00, 0x10_0000}} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, lib, p, device.Config{Seed: 1})
			wholeQueue(t, s, p)
			if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x11, 0x111}, Window: 64 << 10, Profile: repsProfile}); err != nil {
				t.Fatal(err)
			}
			s.Rebase()
			// Few messages and a long way: all leave within one round-trip time, and a packet that waits for an ACK first doubles it.
			one := func(psn uint32, messages int, delay agenda.Instant) (took agenda.Instant) {
				t.Helper()
				begin := s.Now()
				r := &requester{t: t, s: s, qp: 0x11, psn: psn, packets: 16, messages: messages, most: 128, delay: delay}
				if !talk(t, begin+900_000_000, r) {
					t.Fatalf("PSNs from %d on: %d of %d packets are acknowledged, then nothing moves", psn, r.acked, r.total())
				}
				return s.Now() - begin
			}
			for _, x := range []struct {
				messages int
				delay    agenda.Instant
			}{{40, 1_000_000}, {3, 20_000_000}} {
				a, b := one(c.first, x.messages, x.delay), one(c.then, x.messages, x.delay)
				timeouts, stalls := counter(t, s, "gate", "sts_timeout_cnt"), counter(t, s, "gate", "sts_stall_cnt")
				t.Logf("%d messages: %d ns, then %d ns, %d timeouts, %d stalls", x.messages, a.NS(), b.NS(), timeouts, stalls)
				if float64(a)/float64(b) < 0.9 || timeouts > 0 || stalls > 0 {
					t.Errorf("%d messages: %d ns, then %d ns, %d timeouts, %d stalls: want as fast as before to 0.9, and none", x.messages, a.NS(), b.NS(), timeouts, stalls)
				}
			}
		})
	}
}
