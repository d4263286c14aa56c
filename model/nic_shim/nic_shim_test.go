// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/nic_shim"
)

const (
	addresses = "a54dca182530 bb1d6d132cde"
	packet    = "0800 4500001c" // and so on
)

// wire returns a frame written by hand.
func wire(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// body of a shim of LAPS: path 0x1234, time 0x0102030405 ns, four anchors.
const (
	bodyLAPS = "1234 000102030405 0a000001 0a000002 0a000003 0a000004 00000000"
	bodyINT  = "0007 0002 0102030405060708 1112131415161718 2122232425262728 3132333435363738 4142434445464748"
)

// TestWire compares frames with bytes written from the page.
func TestWire(t *testing.T) {
	plain := addresses + packet
	for _, tt := range []struct {
		name      string
		formats   string
		shim      Shim
		body      string
		in, out   string
		inserts   bool
		back      string // result of Remove on out; empty means in
		kind      Kind
		etherType uint16
	}{
		{name: "LAPS, data: 4 anchors, the next is 1", shim: Shim{Subtype: 1, Count: 4, Next: 1}, body: bodyLAPS, in: plain,
			out: addresses + "88b5 04 11" + bodyLAPS + packet, inserts: true, kind: Removed},
		{name: "LAPS, ACK", shim: Shim{Subtype: 1, Type: ACK, Count: 15, Next: 15}, body: bodyLAPS, in: plain,
			out: addresses + "88b5 1f f1" + bodyLAPS + packet, inserts: true, kind: Removed},
		{name: "LAPS, probe: ends", shim: Shim{Subtype: 1, Type: Probe, Count: 4}, body: bodyLAPS, in: addresses + "0000",
			out: addresses + "88b5 24 01" + bodyLAPS + "0000", inserts: true, back: "-", kind: Ended},
		{name: "INT in HPCC's words, echo", shim: Shim{Subtype: 2, Type: ACK, Count: 5}, body: bodyINT, in: plain,
			out: addresses + "88b5 15 02" + bodyINT + packet, inserts: true, kind: Removed},
		{name: "INT-MD, another EtherType", shim: Shim{Subtype: 3, Count: 4}, body: bodyINT, in: plain, etherType: 0x88b6,
			out: addresses + "88b6 04 03" + bodyINT + packet, inserts: true, kind: Removed},
		{name: "no such subtype (D1)", shim: Shim{Subtype: 4}, body: bodyINT, in: plain, out: plain, kind: Plain},
		{name: "not built (D1)", formats: params.INTOnly, shim: Shim{Subtype: 1}, body: bodyLAPS, in: plain, out: plain, kind: Plain},
		{name: "13 bytes (D1)", shim: Shim{Subtype: 1}, body: bodyLAPS, in: addresses + "08", out: addresses + "08", kind: Plain},
		{name: "a second shim (D2)", shim: Shim{Subtype: 1}, body: bodyLAPS, in: addresses + "88b5 04 02" + bodyINT + packet,
			out: addresses + "88b5 00 01" + bodyLAPS + "88b5 04 02" + bodyINT + packet, inserts: true, kind: Removed},
		{name: "version 1 (D3)", in: addresses + "88b5 44 11" + bodyLAPS + packet, out: addresses + "88b5 44 11" + bodyLAPS + packet, kind: Illegal},
		{name: "subtype 5 (D3)", in: addresses + "88b5 04 15" + bodyLAPS + packet, out: addresses + "88b5 04 15" + bodyLAPS + packet, kind: Illegal},
		{name: "INT of type 2 (D3)", in: addresses + "88b5 25 02" + bodyINT + packet, out: addresses + "88b5 25 02" + bodyINT + packet, kind: Illegal},
		{name: "one byte behind the shim (D4)", in: addresses + "88b5 04 11" + bodyLAPS + "08", out: addresses + "88b5 04 11" + bodyLAPS + "08", kind: Illegal},
		{name: "two (D4)", in: addresses + "88b5 04 11" + bodyLAPS + "0800", out: addresses + "88b5 04 11" + bodyLAPS + "0800", back: addresses + "0800", kind: Removed},
		{name: "an EtherType alone", in: addresses + "88b5", out: addresses + "88b5", kind: Illegal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := params.Default()
			if tt.formats != "" {
				p.Formats = tt.formats
			}
			typ := uint16(p.EtherType)
			if tt.etherType != 0 {
				typ = tt.etherType
			}
			in, out := wire(t, tt.in), wire(t, tt.out)
			copy(tt.shim.Body[:], wire(t, tt.body))
			got, ok := Insert(p, in, tt.shim, typ)
			if ok != tt.inserts || !bytes.Equal(got, out) {
				t.Errorf("%x, %t; want %x, %t", got, ok, out, tt.inserts)
			}
			back, shim, kind := Remove(p, got, typ)
			want := in
			switch tt.back {
			case "":
			case "-":
				want = nil
			default:
				want = wire(t, tt.back)
			}
			if kind != tt.kind || !bytes.Equal(back, want) || ok && shim != tt.shim {
				t.Errorf("back: %x, %+v, %d; want %x, %+v, %d", back, shim, kind, want, tt.shim, tt.kind)
			}
		})
	}
}

// TestRoundTrip puts any shim that is known into any frame and takes it out again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		s := Shim{Subtype: rapid.IntRange(1, 3).Draw(t, "subtype"), Count: rapid.IntRange(0, 15).Draw(t, "count"), Next: rapid.IntRange(0, 15).Draw(t, "next")}
		s.Type = rapid.IntRange(0, map[bool]int{true: 3, false: 1}[s.Subtype == params.LAPS]).Draw(t, "type")
		copy(s.Body[:p.Size(s.Subtype)-params.HeadBytes], rapid.SliceOfN(rapid.Byte(), len(s.Body), len(s.Body)).Draw(t, "body"))
		frame := rapid.SliceOfN(rapid.Byte(), 14, 300).Draw(t, "frame")
		typ := rapid.Uint16().Draw(t, "EtherType")
		before := bytes.Clone(frame)
		with, ok := Insert(p, frame, s, typ)
		if !ok || len(with) != len(frame)+p.Size(s.Subtype) || !bytes.Equal(frame, before) {
			t.Fatalf("%x with %+v: %x, %t", frame, s, with, ok)
		}
		without, got, kind := Remove(p, with, typ)
		switch {
		case got != s:
			t.Fatalf("%+v, want %+v", got, s)
		case s.Type >= Probe:
			if kind != Ended || without != nil {
				t.Fatalf("a probe: %d, %x", kind, without)
			}
		case kind != Removed || !bytes.Equal(without, frame):
			t.Fatalf("%d, %x, want %x", kind, without, frame)
		}
	})
}
