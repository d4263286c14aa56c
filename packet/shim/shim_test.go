// SPDX-License-Identifier: Apache-2.0

package shim_test

import (
	"bytes"
	"encoding/hex"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/packet/shim"
)

var ethernet = layers.Ethernet{DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, EthernetType: shim.EtherType}

// frame returns a shim's frame with some bytes after it.
func frame(t interface{ Fatal(...any) }, s *shim.Shim, behind []byte) []byte {
	b, e := gopacket.NewSerializeBuffer(), ethernet
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{}, &e, s, gopacket.Payload(behind)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()[:14+s.Subtype.Size()+len(behind)] // without padding to 60
}

// Bytes put together by hand from the format.
func TestWire(t *testing.T) {
	for _, v := range []struct {
		s    shim.Shim
		want string
	}{
		{shim.Shim{Type: shim.Answer, Count: 4, Next: 2, Subtype: shim.LAPS, EtherType: 0x0800,
			LAPS: &shim.LAPSBody{Path: 0x1234, Time: 0x0102030405FF, Anchors: [4]uint32{1, 2, 3, 0xAABBCCDD}}},
			`88b5 34 21 1234 0102030405ff 00000001 00000002 00000003 aabbccdd 00000000 0800`},
		{shim.Shim{Type: shim.Echo, Count: 5, Subtype: shim.HPCC, EtherType: 0x86DD,
			HPCC: &shim.HPCCBody{Path: 0x0ABC, Hops: 1, Words: [5]shim.Word{shim.MakeWord(2, 0x123456, 0xFFFFF, 1)}}},
			// 2 | 0x123456<<3 | 0xFFFFF<<27 | 1<<47 = 0x0000FFFFF891A2B2
			`88b5 15 02 0abc 0001 b2a291f8ffff0000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 86dd`},
		{shim.Shim{Count: 4, Subtype: shim.INTMD, EtherType: 0x8100,
			INTMD: &shim.INTMDBody{Version: 2, Exceeded: true, HopWords: 2, Remaining: 7, Instructions: shim.InstructionQueue | shim.InstructionUtilisation,
				Domain: 1, DomainInstructions: 2, DomainFlags: 3, Hops: [4]shim.INTHop{{5, 0x060708, 9}}}},
			`88b5 04 03 24000207 1100 0001 0002 0003 05060708 00000009 0000000000000000 0000000000000000 0000000000000000 8100`},
	} {
		want := strings.ReplaceAll(v.want, " ", "")
		f := frame(t, &v.s, nil)
		if got := hex.EncodeToString(f[12:]); got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
	}
	w := shim.MakeWord(5, 0xABCDEF, 0x12345, 0x1FFFE)
	if w.Rate() != 5 || w.Time() != 0xABCDEF || w.Bytes() != 0x12345 || w.Queue() != 0x1FFFE {
		t.Errorf("%x", uint64(w))
	}
}

func draw(t *rapid.T) *shim.Shim {
	u16, u32 := rapid.Uint16(), rapid.Uint32()
	s := &shim.Shim{Version: rapid.Uint8Range(0, 3).Draw(t, "version"), Type: shim.Type(rapid.Uint8Range(0, 3).Draw(t, "type")),
		Count: rapid.Uint8Range(0, 15).Draw(t, "count"), Next: rapid.Uint8Range(0, 15).Draw(t, "next"),
		Subtype: shim.Subtype(rapid.Uint8Range(1, 3).Draw(t, "subtype")), EtherType: 0x88B6}
	switch s.Subtype {
	case shim.LAPS:
		s.LAPS = &shim.LAPSBody{Path: u16.Draw(t, "path"), Time: rapid.Uint64Range(0, 1<<48-1).Draw(t, "time"),
			Zero: [4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "zero"))}
		for i := range s.LAPS.Anchors {
			s.LAPS.Anchors[i] = u32.Draw(t, "anchor")
		}
	case shim.HPCC:
		s.HPCC = &shim.HPCCBody{Path: u16.Draw(t, "path"), Hops: u16.Draw(t, "hops")}
		for i := range s.HPCC.Words {
			s.HPCC.Words[i] = shim.MakeWord(rapid.Uint8().Draw(t, "rate"), u32.Draw(t, "time"), u32.Draw(t, "bytes"), u32.Draw(t, "queue"))
		}
	case shim.INTMD:
		s.INTMD = &shim.INTMDBody{Version: rapid.Uint8Range(0, 15).Draw(t, "int"), Discard: rapid.Bool().Draw(t, "d"),
			Exceeded: rapid.Bool().Draw(t, "e"), MTU: rapid.Bool().Draw(t, "m"), Reserved: rapid.Uint16Range(0, 0xFFF).Draw(t, "reserved"),
			HopWords: rapid.Uint8Range(0, 31).Draw(t, "words"), Remaining: rapid.Uint8().Draw(t, "remaining"), Instructions: u16.Draw(t, "instructions"),
			Domain: u16.Draw(t, "domain"), DomainInstructions: u16.Draw(t, "more"), DomainFlags: u16.Draw(t, "flags")}
		for i := range s.INTMD.Hops {
			s.INTMD.Hops[i] = shim.INTHop{Queue: rapid.Uint8().Draw(t, "queue"), Occupancy: rapid.Uint32Range(0, 1<<24-1).Draw(t, "occupancy"),
				Utilisation: u32.Draw(t, "utilisation")}
		}
	}
	return s
}

func parse(f []byte) *shim.Shim {
	p := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.NoCopy)
	s, _ := p.Layer(shim.LayerTypeShim).(*shim.Shim)
	return s
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		if d := cmp.Diff(s, parse(frame(t, s, make([]byte, 50))), cmpopts.IgnoreFields(shim.Shim{}, "BaseLayer")); d != "" {
			t.Fatal(d)
		}
	})
}

// The golden model inserts and removes shims as these layers write and read them: shims that it
// removes, ends, and does not know.
func TestModel(t *testing.T) {
	p := params.Default()
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		behind := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "behind")
		f := frame(t, s, behind)
		plain := append(bytes.Clone(f[:12]), 0x88, 0xB6)
		plain = append(plain, behind...)
		body := model.Shim{Subtype: int(s.Subtype), Type: int(s.Type), Count: int(s.Count), Next: int(s.Next)}
		copy(body.Body[:], f[16:12+s.Subtype.Size()])

		out, got, kind := model.Remove(p, f, uint16(shim.EtherType))
		want := model.Removed
		switch {
		case s.Version != 0 || s.Subtype != shim.LAPS && s.Type > shim.Echo:
			want = model.Illegal
		case s.Type >= shim.Probe:
			want = model.Ended
		}
		if kind != want {
			t.Fatalf("the model takes out %v, want %v: %+v", kind, want, s)
		}
		switch kind {
		case model.Illegal:
			if !bytes.Equal(out, f) {
				t.Fatal("changed")
			}
			return
		case model.Removed:
			if !bytes.Equal(out, plain) {
				t.Fatalf("% x, want % x", out, plain)
			}
		}
		if d := cmp.Diff(body, got); d != "" {
			t.Fatal(d)
		}
		if in, ok := model.Insert(p, plain, body, uint16(shim.EtherType)); !ok || !bytes.Equal(in, f) {
			t.Fatalf("the model puts in\n% x, want\n% x", in, f)
		}
	})
}

func TestErrors(t *testing.T) {
	for _, s := range []shim.Shim{
		{}, {Subtype: 4}, {Subtype: shim.LAPS}, {Subtype: shim.LAPS, LAPS: &shim.LAPSBody{Time: 1 << 48}},
		{Subtype: shim.HPCC, HPCC: &shim.HPCCBody{}, LAPS: &shim.LAPSBody{}}, {Version: 4, Subtype: shim.HPCC, HPCC: &shim.HPCCBody{}},
		{Subtype: shim.INTMD, INTMD: &shim.INTMDBody{HopWords: 32}},
		{Subtype: shim.INTMD, INTMD: &shim.INTMDBody{Hops: [4]shim.INTHop{{Occupancy: 1 << 24}}}},
	} {
		if err := s.SerializeTo(gopacket.NewSerializeBuffer(), gopacket.SerializeOptions{}); err == nil {
			t.Errorf("%+v is written", s)
		}
	}
}

// Any bytes either are refused or come back as they were.
func FuzzDecode(f *testing.F) {
	for i := range byte(5) {
		f.Add(append([]byte{0x14, i}, make([]byte, 60)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &shim.Shim{}
		if s.DecodeFromBytes(data, gopacket.NilDecodeFeedback) != nil {
			return
		}
		b := gopacket.NewSerializeBuffer()
		if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{}, s, gopacket.Payload(s.Payload)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), data) {
			t.Fatalf("% x, want % x", b.Bytes(), data)
		}
	})
}
