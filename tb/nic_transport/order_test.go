// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// Each packet of a connection whose packets are queued keeps its place, whatever its opcode: a FLUSH that overtakes the
// WRITEs before it is loss of data.
func TestOpcodesKeepTheirPlace(t *testing.T) {
	p := params.Default()
	s := start(t, build(t, p), p, device.Config{Seed: 1})
	profile := device.Profile{Queue: true, Path: true, DSCP: -1, ECN: -1}
	const number = 0x100
	// A byte each 10 ns: packets wait for one another.
	if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{number}, Profile: profile, Rate: 0.1}); err != nil {
		t.Fatal(err)
	}
	s.Rebase()
	var want, got []uint32
	for i, op := range []roce.Opcode{roce.SendOnly, roce.Flush, roce.SendOnly, roce.AtomicWrite, roce.SendOnly, 0x18, 0x15, roce.SendOnly, roce.SendOnly} {
		f := rc(t, roce.SendOnly, here, there, number, uint32(i), 64)
		at, err := roce.Locate(f)
		if err != nil {
			t.Fatal(err)
		}
		f[at.L4+8] = byte(op)
		want = append(want, uint32(i))
		s.Host(s.Now(), f)
	}
	err := s.Run(t.Context(), s.Now()+agenda.At(200_000), func(l device.Left) {
		at, err := roce.Locate(l.Data)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, uint32(l.Data[at.L4+8+11]))
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("PSNs leave as %d, %v; want %d", got, err, want)
	}
}
