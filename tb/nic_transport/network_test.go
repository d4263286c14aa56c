// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"fmt"
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// A connection of a window unit that has no sample yet sends HostBw·τ and no more, at HostBw, if its file names both. One
// without a window unit has no window, nor has any without network.
func TestFirstWindow(t *testing.T) {
	p := params.Default()
	lib := build(t, p)
	const given, window = 120, 100_000 // packets, fewer than the ring; bytes: 50 Gb/s for 16 µs
	const network = "network: {rate_gbps: 50, rtt: 16us, mtu: 1024}\n"
	for _, x := range []struct {
		name, network, profile string
		packets                int     // that leave
		ns                     float64 // from the first to the last one
	}{
		{"with network", network, "windowed", (window + ip - 1) / ip, 16_000},
		{"without a window unit", network, "queued", given, 0},
		{"without network", "", "windowed", given, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			n := newNode(t, lib, p, x.network+fmt.Sprintf(`profiles: {windowed: {queue: true, window: true}, queued: {queue: true}}
settings: {queue.cfg_quota: 2000}
connections: [{conn: 7, address: %v, remote_qp: 0x107, local_qp: 0x207, profile: %s}]
`, there, x.profile))
			for psn := range uint32(given) {
				n.Host(n.Now(), rc(t, opSend, here, there, 0x107, psn, payload))
			}
			var first, last agenda.Instant
			packets := 0
			if err := n.Run(t.Context(), n.Now()+agenda.At(100_000), func(l device.Left) {
				if packets++; packets == 1 {
					first = l.First
				}
				last = l.First
			}); err != nil {
				t.Fatal(err)
			}
			took := float64(last-first) / agenda.PS
			t.Logf("%d packets in %.0f ns", packets, took)
			if packets != x.packets || took < 0.95*x.ns {
				t.Errorf("%d packets in %.0f ns, want %d in %.0f", packets, took, x.packets, x.ns)
			}
		})
	}
}
