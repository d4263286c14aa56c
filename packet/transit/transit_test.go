// SPDX-License-Identifier: Apache-2.0

package transit

import (
	"bytes"
	"net"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
)

func mac(host byte) net.HardwareAddr { return net.HardwareAddr{0x02, 0x4E, 0x47, 0, 0, host + 1} }

// frames are one packet in all the ways in which a switch may see it.
func frames(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, v6 := range []bool{false, true} {
		for tags := range 3 {
			for _, with := range []bool{false, true} {
				p := &roce.Packet{Payload: bytes.Repeat([]byte{0xA5}, 100), BTH: roce.BTH{Opcode: roce.SendOnly, DestQP: 5}}
				next := layers.EthernetTypeIPv4
				if v6 {
					next = layers.EthernetTypeIPv6
					p.IPv6 = &layers.IPv6{Version: 6, TrafficClass: 2, FlowLabel: 0x12345, NextHeader: layers.IPProtocolUDP, HopLimit: 9, SrcIP: net.ParseIP("fd00::1"), DstIP: net.ParseIP("fd00::2")}
				} else {
					p.IPv4 = &layers.IPv4{Version: 4, TOS: 1, TTL: 9, Protocol: layers.IPProtocolUDP, SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, 2}}
				}
				p.UDP = layers.UDP{SrcPort: 0xC123, DstPort: roce.Port}
				p.Ethernet = layers.Ethernet{SrcMAC: mac(0), DstMAC: mac(1), EthernetType: next}
				for range tags {
					p.Tags = append([]layers.Dot1Q{{VLANIdentifier: 7, Type: p.Ethernet.EthernetType}}, p.Tags...)
					p.Ethernet.EthernetType = layers.EthernetTypeDot1Q
				}
				f, err := p.Append(nil)
				if err != nil {
					t.Fatal(err)
				}
				name := map[bool]string{true: "IPv6", false: "IPv4"}[v6] + ", " + []string{"no tags", "a tag", "two tags"}[tags]
				if with {
					name += ", a shim"
					s := &shim.Shim{Type: shim.Collect, Count: 4, Subtype: shim.HPCC, HPCC: &shim.HPCCBody{}, EtherType: p.Ethernet.EthernetType}
					b := gopacket.NewSerializeBuffer()
					if err := s.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
						t.Fatal(err)
					}
					// The shim's own EtherType precedes it, and the shim ends with the next
					// header's EtherType.
					f = append(append(append([]byte{}, f[:12]...), 0x88, 0xB5), append(b.Bytes(), f[14:]...)...)
				}
				out[name] = f
			}
		}
	}
	return out
}

// decode is a frame's layers as gopacket sees them.
func decode(t *testing.T, f []byte) gopacket.Packet {
	t.Helper()
	p := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default)
	if fail := p.ErrorLayer(); fail != nil {
		t.Fatal(fail.Error())
	}
	return p
}

// A mark changes the ECN field, keeps the checksum right, and nothing else.
func TestMark(t *testing.T) {
	for name, f := range frames(t) {
		before := bytes.Clone(f)
		if Marked(f) || !Mark(f) || !Marked(f) {
			t.Errorf("%s: no mark", name)
		}
		p := decode(t, f)
		if ip, ok := p.Layer(layers.LayerTypeIPv4).(*layers.IPv4); ok {
			if ip.TOS&3 != 3 {
				t.Errorf("%s: type of service 0x%02x", name, ip.TOS)
			}
			sum := uint32(0)
			for i := 0; i < 20; i += 2 {
				sum += uint32(ip.Contents[i])<<8 | uint32(ip.Contents[i+1])
			}
			if sum = sum&0xFFFF + sum>>16; sum&0xFFFF+sum>>16 != 0xFFFF {
				t.Errorf("%s: wrong checksum", name)
			}
		} else if ip := p.Layer(layers.LayerTypeIPv6).(*layers.IPv6); ip.TrafficClass != 3 || ip.FlowLabel != 0x12345 {
			t.Errorf("%s: traffic class 0x%02x, flow label 0x%05x", name, ip.TrafficClass, ip.FlowLabel)
		}
		differ := 0
		for i := range f {
			if f[i] != before[i] {
				differ++
			}
		}
		if differ > 3 {
			t.Errorf("%s: %d bytes have changed", name, differ)
		}
		// A packet whose sender does not know ECN stays as it is.
		at, version := IPAt(f)
		if version == 4 {
			f[at+1] &^= 3
		} else {
			f[at+1] &^= 0x30
		}
		same := bytes.Clone(f)
		if Mark(f) || !bytes.Equal(f, same) {
			t.Errorf("%s: a mark without ECT", name)
		}
	}
}

// An anchor is taken after the other, of probes and of data; what has none left, or no shim of LAPS, is not named. Probes, answers and lists of
// feedback are of NICs' own.
func TestAnchors(t *testing.T) {
	body := func(typ shim.Type, count uint8) []byte {
		s := &shim.Shim{Type: typ, Count: count, Subtype: shim.LAPS, LAPS: &shim.LAPSBody{Path: 9, Anchors: [4]uint32{3, 70000, 0, 2}}}
		b := gopacket.NewSerializeBuffer()
		if err := s.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
			t.Fatal(err)
		}
		f := append(append(append([]byte{}, mac(1)...), mac(0)...), 0x88, 0xB5)
		return append(append(f, b.Bytes()...), make([]byte, 14)...)
	}
	for _, typ := range []shim.Type{shim.Data, shim.ACK, shim.Probe, shim.Answer} {
		for count := range uint8(5) {
			f := body(typ, count)
			for hop, want := range []uint32{3, 70000, 0, 2}[:count] {
				s := decode(t, f).Layer(shim.LayerTypeShim).(*shim.Shim)
				if named, path := Follow(f); s.Next != uint8(hop) || !named || path != want {
					t.Errorf("type %d, hop %d of %d: next %d, %v, path %d, want %d", typ, hop, count, s.Next, named, path, want)
				}
			}
			before := bytes.Clone(f)
			if named, _ := Follow(f); named || !bytes.Equal(f, before) {
				t.Errorf("type %d: an anchor behind %d", typ, count)
			}
			if own, probe := Own(f); own != (typ >= shim.Probe) || probe != (typ == shim.Probe) {
				t.Errorf("type %d: %v, %v", typ, own, probe)
			}
			if named, _ := Follow(f[:39]); named {
				t.Error("an anchor of a frame that is cut off")
			}
		}
	}
	for name, f := range frames(t) {
		if named, _ := Follow(f); named {
			t.Errorf("%s: an anchor", name)
		}
		if own, _ := Own(f); own {
			t.Errorf("%s: a NIC's own", name)
		}
		at, version := IPAt(f)
		f[at+map[int]int{4: 20, 6: 40}[version]+8] = byte(roce.Feedback)
		if own, probe := Own(f); !own || probe {
			t.Errorf("%s: feedback is none of a NIC's own", name)
		}
	}
}

// Telemetry goes into the next slot, while there is one.
func TestTelemetry(t *testing.T) {
	for name, f := range frames(t) {
		before := bytes.Clone(f)
		has := len(name) > 6 && name[len(name)-6:] == "a shim"
		for hop := range 6 {
			w := shim.MakeWord(2, uint32(1000+hop), uint32(77*hop), uint32(5*hop))
			if ok := Telemetry(f, uint16(0x100<<hop), w); ok != (has && hop < 4) {
				t.Errorf("%s: hop %d: %v", name, hop, ok)
			}
		}
		if !has {
			if !bytes.Equal(f, before) {
				t.Errorf("%s: changed", name)
			}
			continue
		}
		s := decode(t, f).Layer(shim.LayerTypeShim).(*shim.Shim)
		if s.HPCC.Hops != 4 || s.HPCC.Path != 0xF00 {
			t.Errorf("%s: %d hops, path 0x%x", name, s.HPCC.Hops, s.HPCC.Path)
		}
		for i, w := range s.HPCC.Words[:4] {
			if w.Rate() != 2 || w.Time() != uint32(1000+i) || w.Bytes() != uint32(77*i) || w.Queue() != uint32(5*i) {
				t.Errorf("%s: hop %d: %x", name, i, uint64(w))
			}
		}
		if s.HPCC.Words[4] != 0 {
			t.Errorf("%s: a fifth word", name)
		}
		// An echo is not for switches.
		f[14] |= 1 << 4
		f[18], f[19] = 0, 0
		if Telemetry(f, 1, 1) {
			t.Errorf("%s: an echo was written to", name)
		}
	}
}

// ECMP looks at the fields of the flow, and at all of them.
func TestHash(t *testing.T) {
	for name, f := range frames(t) {
		at, version := IPAt(f)
		l4 := at + map[int]int{4: 20, 6: 40}[version]
		h := Hash(f, 1)
		in := map[int]bool{l4: true, l4 + 1: true, l4 + 3: true}
		if version == 4 {
			in[at+15], in[at+19] = true, true
		} else {
			in[at+2], in[at+3], in[at+23], in[at+39] = true, true, true, true
		}
		for i := range f {
			g := bytes.Clone(f)
			g[i] ^= 1
			if _, v := IPAt(g); v != version {
				continue
			}
			if in[i] && Hash(g, 1) == h {
				t.Errorf("%s: byte %d is not hashed", name, i)
			}
			if (i < 12 || i > l4+4 || i == at+8 && version == 4) && Hash(g, 1) != h {
				t.Errorf("%s: byte %d is hashed", name, i)
			}
		}
		if Hash(f, 2) == h {
			t.Errorf("%s: the seed is not", name)
		}
	}
}
