// SPDX-License-Identifier: Apache-2.0

package nicprobe_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	model "github.com/nicgen/nicgen/model/nic_probe"
	"github.com/nicgen/nicgen/packet/shim"
)

var to = model.Addresses{2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1}

// Frames as the page shows them, byte by byte.
func TestWire(t *testing.T) {
	probe := model.MakeProbe(to, 0x88b5, 0x0123, []uint32{0x0a0b0c0d, 5}, 0x1234_5678_9abc)
	want := "020000000009" + "020000000001" + "88b5" + "22" + "01" + "0123" + "123456789abc" + "0a0b0c0d" + "00000005" +
		"0000000000000000" + "00000000" + "0000" + "0000000000000000000000000000"
	if got := hex.EncodeToString(probe[:]); got != want {
		t.Errorf("probe\n%s, want\n%s", got, want)
	}
	r := read(t, probe)
	answer := model.MakeAnswer(&r, 0x88b5, r.Delay(0x1234_5678_9abc+1000))
	want = "020000000001" + "020000000009" + "88b5" + "30" + "01" + "0123" + "0000000003e8" + hex.EncodeToString(make([]byte, 36))
	if got := hex.EncodeToString(answer[:]); got != want {
		t.Errorf("answer\n%s, want\n%s", got, want)
	}
}

// read returns the record of a frame, by independent layers.
func read(t *testing.T, f model.Frame) (r model.Record) {
	t.Helper()
	p := gopacket.NewPacket(f[:], layers.LayerTypeEthernet, gopacket.Default)
	s, ok := p.Layer(shim.LayerTypeShim).(*shim.Shim)
	if !ok || s.EtherType != 0 || s.LAPS == nil || s.Version != 0 || s.Next != 0 || s.LAPS.Zero != [4]byte{} {
		t.Fatalf("%x: shim %+v", f, s)
	}
	r.Subtype, r.Type = int(s.Subtype), int(s.Type)
	copy(r.Body[:], f[16:])
	copy(r.Addresses[:], f[:])
	if r.Path() != s.LAPS.Path || r.Time() != s.LAPS.Time {
		t.Fatalf("path %x, time %x, want %x, %x", r.Path(), r.Time(), s.LAPS.Path, s.LAPS.Time)
	}
	return r
}

// Random frames are read by independent layers; an answer holds the delay of the probe.
func TestFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		anchors := make([]uint32, 1+rng.IntN(4))
		for i := range anchors {
			anchors[i] = rng.Uint32()
		}
		path, sent, took := uint16(rng.Uint32()), rng.Uint64(), rng.Uint64N(1<<31)
		f := model.MakeProbe(to, 0x88b5, path, anchors, sent)
		s := gopacket.NewPacket(f[:], layers.LayerTypeEthernet, gopacket.Default).Layer(shim.LayerTypeShim).(*shim.Shim)
		if int(s.Count) != len(anchors) {
			t.Fatalf("%d anchors, want %d", s.Count, len(anchors))
		}
		for i, a := range s.LAPS.Anchors {
			if i < len(anchors) && a != anchors[i] || i >= len(anchors) && a != 0 {
				t.Fatalf("anchors %x, want %x", s.LAPS.Anchors, anchors)
			}
		}
		r := read(t, f)
		if r.Kind() != model.Probe || r.Path() != path {
			t.Fatalf("kind %d, path %x", r.Kind(), r.Path())
		}
		g := model.MakeAnswer(&r, 0x88b5, r.Delay(sent+took))
		back := read(t, g)
		if back.Kind() != model.Answer || back.Path() != path || model.Cut(back.Time()) != int32(took) || back.Addresses != to.Exchanged() {
			t.Fatalf("answer %x to a probe that took %d", g, took)
		}
		if !bytes.Equal(g[24:], make([]byte, 36)) {
			t.Fatalf("answer with anchors: %x", g)
		}
	}
}

// The decisions of the page.
func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		r    model.Record
		want model.Kind
	}{
		{model.Record{Subtype: 1, Type: 0}, model.Foreign},
		{model.Record{Subtype: 1, Type: 1}, model.Foreign},
		{model.Record{Subtype: 2, Type: 2}, model.Foreign},
		{model.Record{Subtype: 1, Type: 2}, model.Probe},
		{model.Record{Subtype: 1, Type: 3}, model.Answer},
		{model.Record{Subtype: 1, Type: 3, Bad: true}, model.Bad},
		{model.Record{Subtype: 1, Type: 1, Bad: true}, model.Foreign},
	} {
		if got := c.r.Kind(); got != c.want {
			t.Errorf("%+v: kind %d, want %d", c.r, got, c.want)
		}
	}
	for _, c := range []struct {
		delay uint64
		want  int32
	}{
		{0, 0}, {math.MaxInt32, math.MaxInt32}, {math.MaxInt32 + 1, math.MaxInt32}, {1<<47 - 1, math.MaxInt32},
		{1<<48 - 1, -1}, {1<<48 - 1<<31, math.MinInt32}, {1<<48 - 1<<31 - 1, math.MinInt32}, {1 << 47, math.MinInt32}, {1<<48 + 7, 7},
	} {
		if got := model.Cut(c.delay); got != c.want {
			t.Errorf("%x: %d, want %d", c.delay, got, c.want)
		}
	}
	r := model.Record{Body: [8]byte{0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}
	if got := r.Delay(3); got != 4 {
		t.Errorf("a delay over the wrap of the time: %d, want 4", got)
	}
}
