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

// Whatever precedes its BTH, and whatever fault its lengths have, it leaves unchanged.
func TestShapesKeepTheirPlace(t *testing.T) {
	p := params.Default()
	s := start(t, build(t, p), p, device.Config{Seed: 1})
	profile := device.Profile{Queue: true, Path: true, DSCP: 10, ECN: 2}
	const number = 0x100
	if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{number}, Profile: profile, Rate: 0.1}); err != nil {
		t.Fatal(err)
	}
	s.Rebase()
	const l3 = 14
	shapes := []struct {
		name   string
		change func(f []byte) []byte // nil: none, it is edited
	}{
		{"plain", nil},
		{"IPv4 options", func(f []byte) []byte {
			f[l3], f[l3+3] = 0x4a, f[l3+3]+20
			return slices.Insert(f, l3+20, make([]byte, 20)...)
		}},
		{"plain", nil},
		{"all IPv4 options", func(f []byte) []byte {
			f[l3], f[l3+3] = 0x4f, f[l3+3]+40
			return slices.Insert(f, l3+20, make([]byte, 40)...)
		}},
		{"first fragment", func(f []byte) []byte { f[l3+6] |= 0x20; return f }},
		{"plain", nil},
		{"an RD opcode", func(f []byte) []byte { f[l3+28] = 0x44; return f }},
		{"a UDP length that is not that of IP", func(f []byte) []byte { f[l3+25] -= 4; return f }},
		{"plain", nil},
	}
	var sent [][]byte
	for i, x := range shapes {
		f := rc(t, roce.SendOnly, here, there, number, uint32(i), 64)
		f[l3+1] = byte(i) << 2
		if x.change != nil {
			f = x.change(f)
		}
		sent = append(sent, slices.Clone(f))
		s.Host(s.Now(), f)
	}
	left := 0
	err := s.Run(t.Context(), s.Now()+agenda.At(200_000), func(l device.Left) {
		if left >= len(shapes) {
			t.Fatalf("%d frames leave, want %d", left+1, len(shapes))
		}
		x, same := shapes[left], slices.Equal(l.Data, sent[left])
		if len(l.Data) != len(sent[left]) || same != (x.change != nil) {
			t.Errorf("frame %d, %s: left as % x, came as % x", left, x.name, l.Data, sent[left])
		}
		left++
	})
	if err != nil || left != len(shapes) {
		t.Errorf("%d frames left, %v; want %d", left, err, len(shapes))
	}
}
