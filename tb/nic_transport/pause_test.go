// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"testing"
	"time"

	nicpace "github.com/nicgen/nicgen/gen/nic_pace"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// A packet after a pause of any length leaves as soon as one without a pause: in a NIC whose clock runs on, and, except
// within nicpace.Horizon before a whole turn of the time, also if the time jumps and the block sees none of the pause.
func TestPauses(t *testing.T) {
	p := params.Default()
	lib := build(t, p)
	const whole = 1 << 32 * time.Nanosecond // of now_ns
	pauses := []time.Duration{
		time.Millisecond, 100 * time.Millisecond, 268 * time.Millisecond, 900 * time.Millisecond,
		whole/4 - time.Millisecond, whole/4 + time.Millisecond, 1200 * time.Millisecond, 1900 * time.Millisecond,
		whole/2 - time.Millisecond, whole/2 + time.Millisecond, 2500 * time.Millisecond, 3 * whole / 4, 4 * time.Second, 4100 * time.Millisecond,
		4200 * time.Millisecond, whole - time.Millisecond, whole, whole + time.Millisecond, 5500 * time.Millisecond,
		2*whole - 50*time.Millisecond, 2*whole + whole/2, time.Minute,
	}
	for _, c := range []struct {
		name  string
		scan  int64
		waits func(pause time.Duration) bool
	}{
		{"the clock runs on", p.Pace().ScanCycles(), func(time.Duration) bool { return false }},
		{"the time jumps", 0, func(pause time.Duration) bool {
			return whole-pause%whole <= nicpace.Horizon || pause%whole < time.Millisecond
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, lib, p, device.Config{Seed: 1, Skip: true, Scan: uint64(c.scan)})
			for i := range pauses {
				profile := device.Profile{Queue: true, Path: true, DSCP: -1, ECN: -1}
				if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100 + uint32(i)}, Profile: profile, Rate: 1}); err != nil {
					t.Fatal(err)
				}
			}
			s.Rebase()
			for i, pause := range pauses {
				if c.waits(pause) {
					continue
				}
				for psn := range uint32(2) {
					at := s.Now() + agenda.At(uint64(pause.Nanoseconds()))*agenda.Instant(psn)
					s.Host(at, rc(t, opUCSend, here, there, 0x100+uint32(i), psn, 1000))
					var left []agenda.Instant
					if err := s.Run(t.Context(), at+agenda.At(50_000), func(l device.Left) { left = append(left, l.First-at) }); err != nil {
						t.Fatal(err)
					}
					if len(left) != 1 || left[0] > agenda.At(1000) {
						t.Errorf("packet %d, behind a pause of %v: left %v ps after it came, want once within 1 µs", psn, pause, left)
					}
				}
			}
		})
	}
}
