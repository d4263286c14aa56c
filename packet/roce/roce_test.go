// SPDX-License-Identifier: Apache-2.0

package roce_test

import (
	"encoding/binary"
	"encoding/hex"
	"net"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/packet/roce"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A SEND only of 16 bytes recorded on a wire, and the same with another source port.
const (
	before = `a54dca182530 bb1d6d132cde 0800 4502003c49db40004011dcd1 0a000001 0a000002 c12312b700280000
		0440ffff0012345600000001 d6237b2ed91e3f721fcb1971174494d6 d04e2467`
	after = `a54dca182530 bb1d6d132cde 0800 4502003c49db40004011dcd1 0a000001 0a000002 feed12b700280000
		0440ffff0012345600000001 d6237b2ed91e3f721fcb1971174494d6 b298cd43`
)

func TestWire(t *testing.T) {
	for _, text := range []string{before, after} {
		frame := unhex(t, text)
		if err := roce.Verify(frame); err != nil {
			t.Error(err)
		}
		p, err := roce.Parse(frame)
		if err != nil {
			t.Fatal(err)
		}
		want := roce.BTH{Opcode: roce.SendOnly, MigReq: true, PKey: 0xFFFF, DestQP: 0x123456, PSN: 1,
			ICRC: binary.LittleEndian.Uint32(frame[len(frame)-4:])}
		if d := cmp.Diff(want, p.BTH, cmpopts.IgnoreFields(roce.BTH{}, "BaseLayer")); d != "" {
			t.Error(d)
		}
		if len(p.Payload) != 16 || p.Payload[0] != 0xd6 || len(p.Headers) != 0 {
			t.Errorf("payload % x, headers %v", p.Payload, p.Headers)
		}
		again, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(frame, again); d != "" {
			t.Error(d)
		}
	}
}

// Fields that may change in transit do not affect the ICRC; every other bit does.
func TestMasking(t *testing.T) {
	v6 := packet(roce.SendOnly, true, 2, 24, 8)
	v4 := packet(roce.SendOnly, false, 1, 24, 8)
	for _, p := range []*roce.Packet{v4, v6} {
		frame, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		at, err := roce.Locate(frame)
		if err != nil {
			t.Fatal(err)
		}
		masked := map[int]byte{at.L4 + 6: 0xFF, at.L4 + 7: 0xFF, at.L4 + 12: 0xFF}
		if at.V6 {
			masked[at.L3], masked[at.L3+1], masked[at.L3+2], masked[at.L3+3], masked[at.L3+7] = 0x0F, 0xFF, 0xFF, 0xFF, 0xFF
		} else {
			masked[at.L3+1], masked[at.L3+8], masked[at.L3+10], masked[at.L3+11] = 0xFF, 0xFF, 0xFF, 0xFF
		}
		want, err := roce.ICRC(frame[at.L3:at.ICRC])
		if err != nil {
			t.Fatal(err)
		}
		for i := at.L3; i < at.ICRC; i++ {
			for bit := range 8 {
				frame[i] ^= 1 << bit
				got, err := roce.ICRC(frame[at.L3:at.ICRC])
				if free := masked[i]>>bit&1 != 0; err == nil && (got == want) != free {
					t.Errorf("v6 %t, byte %d, bit %d of the packet: covered %t, want %t", at.V6, i-at.L3, bit, got != want, !free)
				}
				frame[i] ^= 1 << bit
			}
		}
	}
}

// The ICRC changes with the source port by w·X^e, with w in the wire's order of bits.
func TestPatchVectors(t *testing.T) {
	for _, v := range []struct {
		w     uint16
		e     int
		patch uint32
	}{
		{0x0001, 5, 0x65673b46}, {0x8000, 5, 0x9a11d850}, {0xffff, 5, 0x79ec849d},
		{0x2301, 258, 0x3bd8daa9}, {0x0001, 2293, 0x4725cbb9},
	} {
		frame := make([]byte, 14+20+4*(v.e+1))
		copy(frame[12:], unhex(t, "0800 4500 0000 0000 0000 4011"))
		binary.BigEndian.PutUint16(frame[16:], uint16(len(frame)-14))
		copy(frame[36:], unhex(t, "12b7"))
		binary.BigEndian.PutUint16(frame[38:], uint16(len(frame)-34))
		crc := func() uint32 {
			if err := roce.Seal(frame); err != nil {
				t.Fatal(err)
			}
			return binary.LittleEndian.Uint32(frame[len(frame)-4:])
		}
		old := crc()
		frame[34] ^= byte(v.w)
		frame[35] ^= byte(v.w >> 8)
		if got := old ^ crc(); got != v.patch {
			t.Errorf("w %04x, e %d: patch %08x, want %08x", v.w, v.e, got, v.patch)
		}
	}
}

// packet returns a packet of any opcode.
func packet(op roce.Opcode, v6 bool, tags, payload int, salt uint32) *roce.Packet {
	p := &roce.Packet{
		Ethernet: layers.Ethernet{DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}},
		UDP:      layers.UDP{SrcPort: layers.UDPPort(0xC000 | salt&0x3FFF), DstPort: roce.Port},
		BTH:      roce.BTH{Opcode: op, PKey: 0xFFFF, DestQP: salt * 77 & roce.Mask24, PSN: salt * 7777 & roce.Mask24},
		Payload:  make([]byte, payload),
	}
	next := layers.EthernetTypeIPv4
	if v6 {
		next = layers.EthernetTypeIPv6
		p.IPv6 = &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolUDP, HopLimit: 64, FlowLabel: salt & 0xFFFFF,
			TrafficClass: uint8(salt), SrcIP: net.ParseIP("fd00::1"), DstIP: net.ParseIP("fd00::2")}
	} else {
		p.IPv4 = &layers.IPv4{Version: 4, Protocol: layers.IPProtocolUDP, TTL: 64, Flags: layers.IPv4DontFragment,
			Id: uint16(salt), TOS: uint8(salt), SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, 2}}
	}
	for i := range tags {
		p.Tags = append([]layers.Dot1Q{{VLANIdentifier: uint16(i), Type: next}}, p.Tags...)
		next = layers.EthernetTypeDot1Q
	}
	p.Ethernet.EthernetType = next
	for i := range p.Payload {
		p.Payload[i] = byte(uint32(i) * salt)
	}
	return p
}

// every known opcode, and some that are not.
func opcodes() (all []roce.Opcode) {
	for o := range 256 {
		if roce.Opcode(o).Known() {
			all = append(all, roce.Opcode(o))
		}
	}
	return append(all, 0x15, 0x1C, 0x44, 0x66, 0xE0)
}

// header draws a header of a type with any values.
func header(t *rapid.T, l gopacket.LayerType) roce.Header {
	u8, u24 := rapid.Uint8(), rapid.Uint32Range(0, roce.Mask24)
	u32, u64 := rapid.Uint32(), rapid.Uint64()
	switch l {
	case roce.LayerTypeAETH:
		return &roce.AETH{Syndrome: u8.Draw(t, "syndrome"), MSN: u24.Draw(t, "msn")}
	case roce.LayerTypeRETH:
		return &roce.RETH{VA: u64.Draw(t, "va"), RKey: u32.Draw(t, "rkey"), Length: u32.Draw(t, "length")}
	case roce.LayerTypeAtomicETH:
		return &roce.AtomicETH{VA: u64.Draw(t, "va"), RKey: u32.Draw(t, "rkey"), SwapAdd: u64.Draw(t, "swap"), Compare: u64.Draw(t, "compare")}
	case roce.LayerTypeAtomicAckETH:
		return &roce.AtomicAckETH{Original: u64.Draw(t, "original")}
	case roce.LayerTypeDETH:
		return &roce.DETH{QKey: u32.Draw(t, "qkey"), Reserved: u8.Draw(t, "reserved"), SrcQP: u24.Draw(t, "qp")}
	case roce.LayerTypeImmDt:
		return &roce.ImmDt{Data: u32.Draw(t, "data")}
	case roce.LayerTypeIETH:
		return &roce.IETH{RKey: u32.Draw(t, "rkey")}
	case roce.LayerTypeXRCETH:
		return &roce.XRCETH{Reserved: u8.Draw(t, "reserved"), SRQ: u24.Draw(t, "srq")}
	case roce.LayerTypeCNP:
		return &roce.CNPBody{Reserved: [16]byte(rapid.SliceOfN(u8, 16, 16).Draw(t, "reserved"))}
	case roce.LayerTypeFeedback:
		f := &roce.FeedbackBody{Version: rapid.Uint8Range(0, 15).Draw(t, "version"), Flags: u8.Draw(t, "flags"),
			CE: rapid.Uint16().Draw(t, "ce"), EVs: rapid.SliceOfN(rapid.Uint16(), 1, 16).Draw(t, "evs")}
		if len(f.EVs)%2 == 1 {
			f.Unaligned[1] = u8.Draw(t, "unaligned")
		}
		return f
	}
	t.Fatalf("no values for %v", l)
	return nil
}

// draw returns a packet with any values that fit.
func draw(t *rapid.T) *roce.Packet {
	p := packet(rapid.SampledFrom(opcodes()).Draw(t, "opcode"), rapid.Bool().Draw(t, "v6"), rapid.IntRange(0, 2).Draw(t, "tags"),
		rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(0, 4096)).Draw(t, "payload"), rapid.Uint32().Draw(t, "salt"))
	h := &p.BTH
	h.Solicited, h.MigReq, h.AckReq = rapid.Bool().Draw(t, "se"), rapid.Bool().Draw(t, "m"), rapid.Bool().Draw(t, "a")
	h.FECN, h.BECN, h.Reserved6 = rapid.Bool().Draw(t, "fecn"), rapid.Bool().Draw(t, "becn"), rapid.Uint8Range(0, 63).Draw(t, "reserved6")
	h.Version, h.PKey, h.Reserved7 = rapid.Uint8Range(0, 15).Draw(t, "version"), rapid.Uint16().Draw(t, "pkey"), rapid.Uint8Range(0, 127).Draw(t, "reserved7")
	h.DestQP, h.PSN = rapid.Uint32Range(0, roce.Mask24).Draw(t, "qp"), rapid.Uint32Range(0, roce.Mask24).Draw(t, "psn")
	for _, l := range h.Opcode.Headers() {
		p.Headers = append(p.Headers, header(t, l))
	}
	return p
}

// ignores fields that gopacket keeps in addition, and an empty slice instead of nil.
var fields = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		if f, ok := p.Last().(cmp.StructField); ok {
			return f.Name() == "BaseLayer" || !('A' <= f.Name()[0] && f.Name()[0] <= 'Z')
		}
		return false
	}, cmp.Ignore()),
	cmpopts.EquateEmpty(),
	cmp.Exporter(func(reflect.Type) bool { return true }),
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		frame, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := roce.Verify(frame); err != nil {
			t.Fatal(err)
		}
		got, err := roce.Parse(frame)
		if err != nil {
			t.Fatal(err)
		}
		got.BTH.ICRC, got.Ethernet.Length, p.Ethernet.Length = p.BTH.ICRC, 0, 0
		if p.IPv4 != nil {
			got.IPv4.Padding, got.IPv4.Options = nil, nil
		}
		if d := cmp.Diff(p, got, fields); d != "" {
			t.Fatal(d)
		}
	})
}

// Each opcode's headers, written down a second time.
func TestHeaders(t *testing.T) {
	want := map[roce.Opcode]string{0x81: "CNP", 0xE1: "Feedback", 0x64: "DETH", 0x65: "DETH ImmDt"}
	rc := []string{"", "", "", "ImmDt", "", "ImmDt", "RETH", "", "", "ImmDt", "RETH", "RETH ImmDt", "RETH", "AETH", "", "AETH",
		"AETH", "AETH", "AETH AtomicAckETH", "AtomicETH", "AtomicETH", "-", "IETH", "IETH"}
	for i, h := range rc {
		want[roce.Opcode(i)] = h
		if i <= 0x0B {
			want[roce.Opcode(0x20+i)] = h
		}
		if i >= 0x0D && i <= 0x12 || h == "-" {
			want[roce.Opcode(0xA0+i)] = h
		} else {
			want[roce.Opcode(0xA0+i)] = strings.TrimSpace("XRCETH " + h)
		}
	}
	for i := range 256 {
		o := roce.Opcode(i)
		w, known := want[o]
		if known = known && w != "-"; known != o.Known() {
			t.Errorf("%v: known %t, want %t", o, o.Known(), known)
		}
		if !known {
			w = ""
		}
		var names []string
		for _, l := range o.Headers() {
			names = append(names, l.String())
		}
		if got := strings.Join(names, " "); got != w {
			t.Errorf("%v: %q, want %q", o, got, w)
		}
	}
}

// Any bytes either are refused or come back as they were.
func FuzzDecode(f *testing.F) {
	for _, o := range opcodes() {
		p := packet(o, false, 0, 0, 1)
		frame, err := p.Append(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append(frame[42:54:54], make([]byte, 48)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := gopacket.NewPacket(data, roce.LayerTypeBTH, gopacket.NoCopy)
		if p.ErrorLayer() != nil || len(p.Layers()) == 0 {
			return
		}
		b := gopacket.NewSerializeBuffer()
		for i := len(p.Layers()) - 1; i >= 0; i-- {
			if err := p.Layers()[i].(gopacket.SerializableLayer).SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(data, b.Bytes()); d != "" {
			t.Fatal(d)
		}
	})
}

// No frame makes the parser fail other than by an error, and a frame that Locate accepts can be
// sealed and then verifies.
func FuzzParse(f *testing.F) {
	f.Add(unhex(f, before))
	for i, o := range opcodes() {
		if frame, err := packet(o, i%2 == 0, i%3, 44, 9).Append(nil); err == nil {
			f.Add(frame)
		}
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		_, _ = roce.Parse(frame)
		if _, err := roce.Locate(frame); err != nil {
			return
		}
		if err := roce.Seal(frame); err != nil {
			t.Fatal(err)
		}
		if err := roce.Verify(frame); err != nil {
			t.Fatal(err)
		}
	})
}
