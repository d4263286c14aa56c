// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// A connection whose window, ring or queue is shut has an ACK under way, however seldom its host asks for one: without
// the block's own requests it would stand until the stall rule lets a packet go.
func TestAsks(t *testing.T) {
	t.Parallel()
	p, lib := blockOf(t, "connections=16 rows=256 kib=256 path=none window=none")
	for _, c := range []struct {
		packets, messages int // of a message; in all
		window            uint32
		stands            bool // without the block's requests
	}{
		{16, 20, 4_000, true},
		{16, 20, 8 << 10, true},
		{16, 20, 64 << 10, false},
		{1024, 1, 4_000, true},
		{1024, 1, 64 << 10, true},
		{1024, 1, 1<<24 - 1, false}, // no window: the ring of 128 PSNs
	} {
		t.Run(fmt.Sprintf("%d KiB, window %d", c.packets, c.window), func(t *testing.T) {
			for _, ask := range []uint64{1, 0} {
				s := start(t, lib, p, device.Config{Seed: 1})
				if err := s.Settings("transport", map[string]uint64{"cfg_ask": ask}); err != nil {
					t.Fatal(err)
				}
				wholeQueue(t, s, p)
				if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x11, 0x111}, Window: c.window, Profile: device.Profile{Queue: true, DSCP: -1, ECN: -1}}); err != nil {
					t.Fatal(err)
				}
				s.Rebase()
				r := &requester{t: t, s: s, qp: 0x11, psn: 0xfffff0, packets: c.packets, messages: c.messages, most: 128, delay: 1_000_000}
				// One that stands does so for 1 ms, until the stall rule.
				until := agenda.Instant(2_000_000_000)
				if ask == 0 {
					until = 500_000_000
				}
				done := talk(t, until, r)
				stalls := counter(t, s, "gate", "sts_stall_cnt")
				t.Logf("ask %d: %d of %d packets acknowledged after %d ns, %d asked for an ACK, %d stalls", ask, r.acked, r.total(), s.Now().NS(), r.asked, stalls)
				switch {
				case ask == 1 && (!done || stalls > 0 || r.again > 0):
					t.Errorf("%d of %d packets are acknowledged, %d were sent again, %d left by the stall rule; want all, and none of the others", r.acked, r.total(), r.again, stalls)
				case ask == 1 && r.asked > r.total()/2 && c.window > 8<<10:
					t.Errorf("%d of %d packets ask for an ACK: only the last one of a visit should", r.asked, r.total())
				case ask == 0 && done == c.stands:
					t.Errorf("without requests: all are acknowledged is %t, want %t", done, !c.stands)
				}
			}
		})
	}
}
