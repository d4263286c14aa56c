// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
)

// packet is a SEND, or another packet, of a queue pair.
func packet(t *testing.T, v6 bool, op roce.Opcode, qp, psn uint32) []byte {
	t.Helper()
	p := &roce.Packet{Payload: bytes.Repeat([]byte{byte(psn)}, 40), BTH: roce.BTH{Opcode: op, DestQP: qp, PSN: psn}}
	if op == roce.Acknowledge {
		p.Payload = nil
		p.Headers = []roce.Header{&roce.AETH{}}
	}
	p.Ethernet = layers.Ethernet{SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, EthernetType: layers.EthernetTypeIPv4}
	if v6 {
		p.Ethernet.EthernetType = layers.EthernetTypeIPv6
		p.IPv6 = &layers.IPv6{Version: 6, NextHeader: layers.IPProtocolUDP, HopLimit: 9, SrcIP: net.ParseIP("fd00::1"), DstIP: net.ParseIP("fd00::2")}
	} else {
		p.IPv4 = &layers.IPv4{Version: 4, TTL: 9, Protocol: layers.IPProtocolUDP, SrcIP: net.IP{10, 0, 0, 1}, DstIP: net.IP{10, 0, 0, 2}}
	}
	p.UDP = layers.UDP{SrcPort: 0xC001, DstPort: roce.Port}
	f, err := p.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// place returns the positions of a frame's parts.
func place(t *testing.T, f []byte) roce.Place {
	t.Helper()
	p, err := roce.Locate(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shimmed is a frame with a shim of HPCC.
func shimmed(t *testing.T, f []byte) []byte {
	t.Helper()
	s := &shim.Shim{Subtype: shim.HPCC, HPCC: &shim.HPCCBody{}, EtherType: layers.EthernetType(binary.BigEndian.Uint16(f[12:]))}
	b := gopacket.NewSerializeBuffer()
	if err := s.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(f[:12], []byte{0x88, 0xB5}, b.Bytes(), f[14:])
}

// Each edit is recognised, and a change that no edit may make is reported.
func TestEdits(t *testing.T) {
	seal := func(f []byte) {
		if err := roce.Seal(f); err != nil {
			t.Fatal(err)
		}
	}
	for _, v6 := range []bool{false, true} {
		f := packet(t, v6, roce.SendOnly, 5, 9)
		p := place(t, f)
		for _, c := range []struct {
			what string
			do   func(g []byte) []byte
			want []Edit
			fail string
		}{
			{"nothing", func(g []byte) []byte { return g }, nil, ""},
			{"source port", func(g []byte) []byte { g[p.L4+1] ^= 0x55; seal(g); return g }, []Edit{SourcePort, ICRC}, ""},
			{"source port, ICRC as it was", func(g []byte) []byte { g[p.L4] ^= 1; return g }, []Edit{SourcePort}, "the ICRC was right and is not"},
			{"BECN", func(g []byte) []byte { g[p.L4+8+4] |= 0x40; return g }, []Edit{BECN}, ""},
			{"FECN", func(g []byte) []byte { g[p.L4+8+4] |= 0x80; return g }, []Edit{BECN}, "FECN"},
			{"A", func(g []byte) []byte { g[p.L4+8+8] |= 0x80; seal(g); return g }, []Edit{AckReq, ICRC}, ""},
			{"A, ICRC as it was", func(g []byte) []byte { g[p.L4+8+8] |= 0x80; return g }, []Edit{AckReq}, "the ICRC was right and is not"},
			{"UDP checksum", func(g []byte) []byte { g[p.L4+6] = 7; return g }, []Edit{Checksum}, "not to 0"},
			{"payload", func(g []byte) []byte { g[p.ICRC-3] ^= 1; seal(g); return g }, nil, "never came"},
			{"PSN", func(g []byte) []byte { g[p.L4+8+11] ^= 1; seal(g); return g }, nil, "never came"},
			{"length", func(g []byte) []byte { return append(g, 0) }, nil, "never came"},
			{"TTL", func(g []byte) []byte { g[p.L3+8-map[bool]int{true: 1}[v6]] ^= 1; return g }, nil, "never came"},
			{"class", func(g []byte) []byte {
				if v6 {
					g[p.L3+1] |= 0x20
				} else {
					g[p.L3+1] |= 2
					sum := binary.BigEndian.Uint16(g[p.L3+10:])
					binary.BigEndian.PutUint16(g[p.L3+10:], sum-2)
				}
				return g
			}, []Edit{Class}, ""},
			{"shim", func(g []byte) []byte { return shimmed(t, g) }, []Edit{ShimIn}, ""},
		} {
			b := newBook()
			b.came(capture.TX, f)
			b.entered(capture.TX, 0, 100)
			out := c.do(bytes.Clone(f))
			err := b.left(capture.TX, out, 500, false)
			if (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) {
				t.Errorf("IPv6 %v, %s: want an error with %q, got %v", v6, c.what, c.fail, err)
			}
			if c.fail != "" {
				continue
			}
			r := b.close()[0]
			var got []Edit
			for _, e := range Edits {
				if r.Edits[e] > 0 {
					got = append(got, e)
				}
			}
			if !slices.Equal(got, c.want) || r.In != 1 || r.Out != 1 || r.Gone != 0 || r.Latency[0] != 400 || (r.Edited > 0) != (c.want != nil) {
				t.Errorf("IPv6 %v, %s: %v, want %v; %+v", v6, c.what, got, c.want, r)
			}
			// On the way back the shim goes.
			if c.what == "shim" {
				b := newBook()
				b.came(capture.RX, out)
				if err := b.left(capture.RX, f, 0, false); err != nil || b.close()[0].Edits[ShimOut] != 1 {
					t.Errorf("a shim that is taken out: %v", err)
				}
			}
		}
	}
	// The label of IPv6.
	f := packet(t, true, roce.SendOnly, 5, 9)
	g := bytes.Clone(f)
	g[place(t, f).L3+3] ^= 9
	if what, err := EditsOf(f, g); err != nil || !slices.Equal(what, []Edit{FlowLabel}) {
		t.Errorf("%v, %v", what, err)
	}
	// A frame that ends within its packet.
	for n := range 30 {
		f = packet(t, true, roce.SendOnly, 5, 9)
		at := place(t, f).L4
		f = f[:len(f)-1-n]
		g = bytes.Clone(f)
		g[at] ^= 9
		g[len(g)-1] ^= map[bool]byte{true: 1}[n < 3] // of the ICRC
		b := newBook()
		b.came(capture.TX, f)
		if err := b.left(capture.TX, g, 0, true); err != nil {
			t.Errorf("%d bytes short: %v", n+1, err)
		}
	}
	// A packet of which the headers alone were captured: its ICRC is not judged.
	f = packet(t, false, roce.SendOnly, 5, 9)
	clear(f[60:])
	g = bytes.Clone(f)
	g[place(t, f).L4] ^= 9
	g[len(g)-1] ^= 5
	if what, err := EditsOf(f, g); err != nil || !slices.Equal(what, []Edit{SourcePort, ICRC}) {
		t.Errorf("headers alone: %v, %v", what, err)
	}
	// A wrong IPv4 checksum.
	f = packet(t, false, roce.SendOnly, 5, 9)
	g = bytes.Clone(f)
	g[place(t, f).L3+11] ^= 9
	if _, err := EditsOf(f, g); err == nil || !strings.Contains(err.Error(), "IPv4 checksum") {
		t.Errorf("%v", err)
	}
}

// Order holds among the data of a queue pair, among its answers, and among frames of no queue pair; answers may
// pass data.
func TestOrder(t *testing.T) {
	in := [][]byte{
		packet(t, false, roce.SendOnly, 5, 1), packet(t, false, roce.SendOnly, 5, 2), packet(t, false, roce.SendOnly, 6, 1),
		packet(t, false, roce.Acknowledge, 5, 1), packet(t, false, roce.Acknowledge, 5, 2), packet(t, false, roce.Acknowledge, 6, 2),
		{5: 1, 99: 0}, {5: 2, 99: 0},
	}
	for _, c := range []struct {
		dir   capture.Direction
		order []int
		fail  bool
	}{
		{capture.TX, []int{0, 1, 2, 3, 4, 5, 6, 7}, false}, {capture.TX, []int{5, 6, 7, 3, 2, 0, 4, 1}, false},
		{capture.TX, []int{1, 0, 2, 3, 4, 5, 6, 7}, true}, {capture.TX, []int{0, 1, 2, 4, 3, 5, 6, 7}, true}, {capture.TX, []int{0, 1, 2, 3, 4, 5, 7, 6}, true},
		{capture.RX, []int{0, 2, 1, 3, 4, 5, 6, 7}, true}, {capture.RX, []int{0, 1, 2, 3, 4, 5, 6, 7}, false},
	} {
		b := newBook()
		for _, f := range in {
			b.came(c.dir, f)
		}
		var fail error
		for _, i := range c.order {
			if err := b.left(c.dir, in[i], 0, false); err != nil {
				fail = err
			}
		}
		if (fail != nil) != c.fail {
			t.Errorf("%v %v: %v", c.dir, c.order, fail)
		}
	}
	// Two frames of one content, of which one leaves.
	b := newBook()
	b.came(capture.TX, in[0])
	b.came(capture.TX, in[0])
	if err := b.left(capture.TX, in[0], 0, true); err != nil {
		t.Fatal(err)
	}
	if r := b.close()[0]; r.In != 2 || r.Out != 1 || r.Gone != 1 || r.Bad != 1 {
		t.Errorf("%+v", r)
	}
	// Packets with IPv4 options, of two queue pairs, are in no order; of one they are.
	options := func(qp, psn uint32) []byte {
		f := packet(t, false, roce.SendOnly, qp, psn)
		f[14], f[17] = 0x46, f[17]+4
		return slices.Insert(f, 34, 0x94, 4, 0, 0)
	}
	for _, qp := range []uint32{5, 6} {
		b = newBook()
		first, second := options(5, 1), options(qp, 2)
		b.came(capture.TX, first)
		b.came(capture.TX, second)
		if err := errors.Join(b.left(capture.TX, second, 0, false), b.left(capture.TX, first, 0, false)); (err != nil) != (qp == 5) {
			t.Errorf("options, queue pairs 5 and %d: %v", qp, err)
		}
	}
	// One that was dropped, and came again later.
	b = newBook()
	for _, f := range [][]byte{in[0], in[1], in[0]} {
		b.came(capture.TX, f)
	}
	if err := errors.Join(b.left(capture.TX, in[1], 0, false), b.left(capture.TX, in[0], 0, false)); err != nil {
		t.Error(err)
	}
	if r := b.close()[0]; r.In != 3 || r.Out != 2 || r.Gone != 1 {
		t.Errorf("%+v", r)
	}
	// And one too many.
	b = newBook()
	b.came(capture.TX, in[0])
	_ = b.left(capture.TX, in[0], 0, false)
	if err := b.left(capture.TX, in[0], 0, false); err == nil {
		t.Error("a frame leaves twice")
	}
}

// Frames that a block does not understand have no connection's order: more tags than it reads, IPv6 if it is built
// without.
func TestSight(t *testing.T) {
	plain, later := packet(t, false, roce.SendOnly, 5, 1), packet(t, false, roce.SendOnly, 5, 2)
	tagged := func(f []byte, n int) []byte {
		for range n {
			f = slices.Concat(f[:12], []byte{0x81, 0, 0, 3}, f[12:])
		}
		return f
	}
	for _, c := range []struct {
		sight
		v6   bool
		tags int
		kind Kind
	}{
		{sight{0, true}, false, 0, Request}, {sight{0, true}, false, 1, Other}, {sight{0, true}, true, 0, Request},
		{sight{1, true}, false, 1, Request}, {sight{1, true}, false, 2, Other}, {sight{2, true}, false, 2, Request},
		{sight{2, false}, false, 2, Request}, {sight{2, false}, true, 0, Other}, {sight{2, true}, true, 2, Request},
	} {
		f := tagged(packet(t, c.v6, roce.SendOnly, 5, 1), c.tags)
		if k, _, data := c.kindOf(f); k != c.kind || data != (k == Request) {
			t.Errorf("%+v: IPv6 %v with %d tags is %s", c.sight, c.v6, c.tags, k)
		}
		// The same for frames that end early.
		if k, _, _ := c.kindOf(f[:len(f)-45]); k != c.kind && !(c.kind == Request && k == Unknown) {
			t.Errorf("%+v: the beginning of IPv6 %v with %d tags is %s", c.sight, c.v6, c.tags, k)
		}
		// And for those that are to RoCEv2's port and malformed.
		f[place(t, f).L4+5] ^= 1
		if k, _, _ := c.kindOf(f); (k == Unknown) != (c.kind == Request) || (k == Other) != (c.kind == Other) {
			t.Errorf("%+v: malformed, IPv6 %v with %d tags is %s", c.sight, c.v6, c.tags, k)
		}
	}
	// A tagged packet passes those before it that wait in their queue, where the block reads no tags.
	for tags := range 3 {
		b := newBook()
		b.sight.tags = tags
		b.came(capture.TX, plain)
		b.came(capture.TX, tagged(later, 2))
		b.in[capture.TX][0].where, b.in[capture.TX][1].where = "a.pcap: frame 7", "a.pcap: frame 9"
		err := errors.Join(b.left(capture.TX, tagged(later, 2), 0, false), b.left(capture.TX, plain, 0, false))
		if tags < 2 && err != nil {
			t.Errorf("%d tags: %v", tags, err)
		}
		if tags == 2 && (err == nil || err.Error() != "a.pcap: frame 7, PSN 1 of queue pair 0x000005, leaves behind a.pcap: frame 9, PSN 2 of the same connection, which the host sent later") {
			t.Errorf("%d tags: %v", tags, err)
		}
	}
}
