// SPDX-License-Identifier: Apache-2.0

package nicfeedback_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket/layers"

	model "github.com/nicgen/nicgen/model/nic_feedback"
	"github.com/nicgen/nicgen/packet/roce"
)

// number makes random bytes.
func number(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// packet returns a feedback packet of any connection, and where its things are.
func packet(r *rand.Rand) (*roce.Packet, model.Place) {
	v6, tags := r.IntN(2) == 0, r.IntN(3)
	p := &roce.Packet{
		Ethernet: layers.Ethernet{DstMAC: number(r, 6), SrcMAC: number(r, 6)},
		UDP:      layers.UDP{SrcPort: layers.UDPPort(r.Uint32()), DstPort: roce.Port},
		BTH:      roce.BTH{Opcode: roce.Feedback, PKey: uint16(r.Uint32()), BECN: r.IntN(2) == 0, DestQP: r.Uint32() & roce.Mask24},
		Headers:  []roce.Header{&roce.FeedbackBody{EVs: []uint16{1}}},
	}
	next := layers.EthernetTypeIPv4
	if v6 {
		next = layers.EthernetTypeIPv6
		p.IPv6 = &layers.IPv6{Version: 6, TrafficClass: uint8(r.Uint32()), FlowLabel: r.Uint32() & 0xFFFFF, HopLimit: uint8(r.Uint32()),
			NextHeader: layers.IPProtocolUDP, SrcIP: net.IP(number(r, 16)), DstIP: net.IP(number(r, 16))}
	} else {
		p.IPv4 = &layers.IPv4{Version: 4, TOS: uint8(r.Uint32()), Id: uint16(r.Uint32()), Flags: layers.IPv4DontFragment, TTL: uint8(r.Uint32()),
			Protocol: layers.IPProtocolUDP, SrcIP: net.IP(number(r, 4)), DstIP: net.IP(number(r, 4))}
	}
	p.Ethernet.EthernetType = next
	for range tags {
		p.Ethernet.EthernetType = layers.EthernetTypeDot1Q
		p.Tags = append(p.Tags, layers.Dot1Q{VLANIdentifier: uint16(r.IntN(4096)), Type: layers.EthernetTypeDot1Q})
	}
	if tags > 0 {
		p.Tags[tags-1].Type = next
	}
	return p, model.Place{Lane: model.LaneOf(v6, tags), V6: v6, Label: v6 && r.IntN(2) == 0}
}

// template returns the template of a packet, made of its bytes: the checksum of IPv4 matches a total
// length of 0, and fields that the unit writes have any value.
func template(t *testing.T, r *rand.Rand, p *roce.Packet, place model.Place) model.Template {
	t.Helper()
	frame, err := p.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, err := roce.Locate(frame)
	if err != nil {
		t.Fatal(err)
	}
	if at.L4 != 4*place.Lane+2 {
		t.Fatalf("UDP at byte %d is not at lane %d", at.L4, place.Lane)
	}
	ip, udp := frame[at.L3:], frame[at.L4:]
	if place.V6 {
		copy(ip[4:6], number(r, 2))
	} else {
		ip[2], ip[3], ip[10], ip[11] = 0, 0, 0, 0
		sum := uint32(0)
		for i := 0; i < 20; i += 2 {
			sum += uint32(binary.BigEndian.Uint16(ip[i:]))
		}
		for sum > 0xFFFF {
			sum = sum&0xFFFF + sum>>16
		}
		binary.BigEndian.PutUint16(ip[10:], ^uint16(sum))
		copy(ip[2:4], number(r, 2))
	}
	copy(udp[4:8], number(r, 4))
	copy(udp[17:20], number(r, 3))
	return model.NewTemplate(frame[:at.L4+20], place)
}

// list returns any list.
func list(r *rand.Rand) model.List {
	l := model.List{PSN: r.Uint32() & roce.Mask24, Again: r.IntN(2) == 0}
	for range 1 + r.IntN(16) {
		l.EVs = append(l.EVs, uint16(r.Uint32()))
		l.Marks = append(l.Marks, r.IntN(2) == 0)
	}
	return l
}

// TestFrames compares frames with frames of the layers, which compute lengths, checksums and the
// ICRC themselves, for all numbers of entropy values, IPv4 and IPv6, tags and places of the entropy
// value.
func TestFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		p, place := packet(r)
		tpl := template(t, r, p, place)
		l := list(r)
		got, ok := tpl.Make(l)
		if !ok {
			t.Fatal("there is no template")
		}
		body := &roce.FeedbackBody{EVs: l.EVs}
		for i, marked := range l.Marks {
			if marked {
				body.CE |= 1 << i
			}
		}
		if l.Again {
			body.Flags = roce.FeedbackDuplicate
		}
		p.Headers[0], p.BTH.PSN = body, l.PSN
		newest := l.EVs[len(l.EVs)-1]
		if place.Label {
			p.IPv6.FlowLabel = p.IPv6.FlowLabel&^0xFFFF | uint32(newest)
		} else {
			p.UDP.SrcPort = layers.UDPPort(newest)
		}
		want, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%+v, %d entropy values:\n%x, want\n%x", place, len(l.EVs), got, want)
		}

		// And back.
		at, err := roce.Locate(got)
		if err != nil {
			t.Fatal(err)
		}
		back, ok := model.End(append(got, make([]byte, 128-len(got))...), place.Lane, int(p.UDP.Length))
		l.PSN, l.Again = 0, false
		if diff := cmp.Diff(l, back); !ok || diff != "" || int(p.UDP.Length) != at.ICRC+4-at.L4 {
			t.Fatalf("comes back, %t, as (-want +got)\n%s", ok, diff)
		}
	}
}

// TestWire has frames put together by hand, ICRC and IPv4 checksum by other programs' rules: a zero-sum
// header, and the CRC-32 of the masked bytes.
func TestWire(t *testing.T) {
	frame, err := hex.DecodeString(strings.ReplaceAll("02aabbccddee 021122334455 0800"+
		"4502 0000 0000 4000 4011 0000 0a000001 0a000002"+ // total length and checksum are filled in
		"0000 12b7 0000 0000 e1 00 ffff 00 001234 00 000000", " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	// 4502 + 4000 + 4011 + 0a00 + 0001 + 0a00 + 0002 = d916; ~d916 = 26e9.
	copy(frame[24:], []byte{0x26, 0xE9})
	tpl := model.NewTemplate(frame, model.Place{Lane: 8})
	got, ok := tpl.Make(model.List{PSN: 0xABCDEF, EVs: []uint16{0xC001, 0xC002, 0xC003}, Marks: []bool{true, false, true}})
	want := "02aabbccddee021122334455" + "0800" +
		"4502" + "0038" + "0000" + "4000" + "4011" + "26b1" + "0a0000010a000002" + // 20 + 36 bytes; 26e9 - 38
		"c003" + "12b7" + "0024" + "0000" + "e100ffff" + "00001234" + "00abcdef" +
		"02" + "00" + "0005" + "c001" + "c002" + "c003" + "0000"
	if head := hex.EncodeToString(got[:len(got)-4]); !ok || head != want {
		t.Errorf("%s, want\n%s", head, want)
	}
	if err := roce.Verify(got); err != nil {
		t.Error(err)
	}
}

// TestNone has templates that are none, and packets that are refused.
func TestNone(t *testing.T) {
	for lane := range 16 {
		tpl := model.NewTemplate(make([]byte, 96), model.Place{Lane: lane})
		_, ok := tpl.Make(model.List{EVs: []uint16{1}, Marks: []bool{false}})
		if want := lane >= 8 && lane <= 10 || lane >= 13; ok != want || model.Lane(lane) != want {
			t.Errorf("lane %d: %t, want %t", lane, ok, want)
		}
		tpl[0] &^= 1 << 5
		if _, ok := tpl.Make(model.List{EVs: []uint16{1}, Marks: []bool{false}}); ok {
			t.Errorf("lane %d: a template that is not valid", lane)
		}
	}
	frame := make([]byte, 128)
	for n := range 16 {
		for version := range 16 {
			for udpLen := 0; udpLen < 80; udpLen += 4 {
				frame[54] = byte(version<<4 | n)
				l, ok := model.End(frame, 8, udpLen)
				// UDP and BTH have 20 bytes, the ICRC 4, the list 4 and whole words of two.
				if want := version == 0 && udpLen >= 20+4+4+4*((n+2)/2); ok != want || ok && len(l.EVs) != n+1 {
					t.Errorf("version %d, %d entropy values, UDP length %d: %t, %d", version, n+1, udpLen, ok, len(l.EVs))
				}
			}
		}
	}
}
