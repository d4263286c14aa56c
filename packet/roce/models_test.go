// SPDX-License-Identifier: Apache-2.0

package roce_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	edit "github.com/nicgen/nicgen/model/nic_edit"
	parse "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/traffic"
)

var settings = parse.Settings{RoCEPort: roce.Port, UETPort: 4793, MaxFrame: 9214}

func parser(t testing.TB, set string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	return p
}

// kindOf returns the parser's kind of an opcode, by the purpose of the packet.
func kindOf(o roce.Opcode) parse.Kind {
	switch op := o.Operation(); {
	case o.Connected() && op == roce.Flush && o.Service() != roce.UC:
		return parse.Read
	case !o.Known() && o.Connected():
		return parse.Request
	case !o.Known():
		return parse.Other
	case o == roce.CNP:
		return parse.CNP
	case o == roce.Feedback:
		return parse.Feedback
	case o.Request():
		return parse.Request
	case op == roce.ReadRequest || op == roce.CompareSwap || op == roce.FetchAdd:
		return parse.Read
	case op >= roce.ResponseFirst && op <= roce.ResponseOnly:
		return parse.Response
	}
	return parse.ACK
}

// want returns the parser's record of a frame that Locate takes for RoCEv2, put together from the layers.
func want(t interface{ Fatal(...any) }, frame []byte, at roce.Place) parse.Header {
	ip := frame[at.L3:]
	h := parse.Header{V6: at.V6, Tags: uint64(at.Tags), Lane: uint64(at.L4-2) / 4, Placed: true, ICRC: true, IPEnd: uint64(at.ICRC + roce.ICRCBytes)}
	h.IPSize = h.IPEnd - uint64(at.L3)
	class := ip[1]
	if at.V6 {
		var l layers.IPv6
		if err := l.DecodeFromBytes(ip[:at.ICRC+4-at.L3], gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		class, h.Flow = l.TrafficClass, uint64(l.FlowLabel)
		copy(h.Src[:], l.SrcIP)
		copy(h.Dst[:], l.DstIP)
	} else {
		copy(h.Src[12:], ip[12:16])
		copy(h.Dst[12:], ip[16:20])
	}
	h.DSCP, h.ECN = uint64(class>>2), uint64(class&3)
	udp := frame[at.L4:]
	h.SrcPort, h.UDPLen = uint64(binary.BigEndian.Uint16(udp)), uint64(binary.BigEndian.Uint16(udp[4:]))
	// A packet of unknown kind has only its number, and no other fields of BTH.
	none := func(k parse.Kind, r parse.Reason) parse.Header {
		h.Kind, h.Reason, h.ICRC = k, r, false
		h.Opcode, h.QP, h.PSN = uint64(udp[8]), uint64(binary.BigEndian.Uint32(udp[12:])&0xFFFFFF), uint64(binary.BigEndian.Uint32(udp[16:])&0xFFFFFF)
		return h
	}
	o := roce.Opcode(udp[8])
	aeth := len(o.Headers()) > 0 && o.Headers()[0] == roce.LayerTypeAETH
	switch {
	case h.IPSize+14 > settings.MaxFrame:
		h.Kind, h.Reason, h.ICRC, h.Placed, h.Unplaced = parse.Other, parse.TooLong, false, false, true
		return h
	case !o.Known() && !o.Connected():
		return none(parse.Other, parse.Opcode)
	case aeth && h.UDPLen < 28:
		return none(parse.Malformed, parse.None)
	}
	h.Kind = kindOf(o)
	// The parser ignores padding: without it every BTH can be read.
	b := bytes.Clone(udp[8:])
	pad := b[1] >> 4 & 3
	b[1] &^= 0x30
	var l roce.BTH
	if err := l.DecodeFromBytes(b[:at.ICRC+4-at.L4-8], gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	h.Opcode, h.QP, h.PSN, h.Pad = uint64(l.Opcode), uint64(l.DestQP), uint64(l.PSN), uint64(pad)
	h.FECN, h.BECN, h.AckReq = l.FECN, l.BECN, l.AckReq
	if aeth {
		var a roce.AETH
		if err := a.DecodeFromBytes(l.Payload, gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		h.Syndrome, h.MSN = uint64(a.Syndrome), uint64(a.MSN)
	}
	return h
}

// agree compares the parser's golden model with the layers, and returns the kind.
func agree(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, p *params.Params, frame []byte) parse.Kind {
	got := parse.Parse(p, frame, settings)
	at, err := roce.Locate(frame)
	switch {
	case err == nil:
		w := want(t, frame, at)
		if p.IPChecksum && !at.V6 && got.Kind == parse.Malformed && w.Kind != parse.Malformed {
			sum := uint32(0)
			for i := at.L3; i < at.L4; i += 2 {
				sum += uint32(binary.BigEndian.Uint16(frame[i:]))
			}
			if sum = sum&0xFFFF + sum>>16; sum&0xFFFF+sum>>16 == 0xFFFF {
				t.Fatalf("malformed, and the IPv4 checksum is right:\n% x", frame)
			}
			break
		}
		if d := cmp.Diff(w, got); d != "" {
			t.Fatalf("the parser (+) and the layers (-) differ:\n%s% x", d, frame)
		}
		if got.Short(uint64(len(frame))) {
			t.Fatalf("a whole frame is short:\n% x", frame)
		}
	case errors.Is(err, roce.ErrShort):
		if got.Kind >= parse.Request && got.Kind <= parse.Feedback && !got.Short(uint64(len(frame))) {
			t.Fatalf("%v, and the parser finds a whole frame of kind %d:\n% x", err, got.Kind, frame)
		}
	case got.Kind != parse.Other && !got.Illegal():
		t.Fatalf("%v, and the parser finds kind %d:\n% x", err, got.Kind, frame)
	}
	return got.Kind
}

// The golden model of the parser reads generated traffic as the layers do, and classifies crafted
// packets correctly.
func TestParserOnTraffic(t *testing.T) {
	c := traffic.Default()
	c.Frames, c.Crafted = 8000, 0.3
	trace, err := traffic.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	p := parser(t, "ip_checksum=false")
	sums := parser(t, "ip_checksum=true")
	kinds := map[parse.Kind]int{}
	for i := range trace.Frames {
		f := &trace.Frames[i]
		kind := agree(t, p, f.Data)
		kinds[kind]++
		class := map[parse.Kind]traffic.Class{parse.Other: traffic.Bypass, parse.Truncated: traffic.Truncated, parse.Malformed: traffic.Malformed}
		got, ok := class[kind]
		if !ok {
			got = traffic.RoCE
		}
		want := f.Class
		if f.Kind == traffic.Conversation {
			want = traffic.RoCE
		}
		if got != want {
			t.Errorf("%s: %v, want %v:\n% x", f.What, got, want, f.Data[:min(len(f.Data), 100)])
		}
		if kind := agree(t, sums, f.Data); (kind == parse.Malformed) != (want == traffic.Malformed || f.What == "wrong IPv4 checksum") {
			t.Errorf("%s, with ip_checksum: kind %d", f.What, kind)
		}
	}
	for _, k := range []parse.Kind{parse.Other, parse.Request, parse.Read, parse.Response, parse.ACK, parse.CNP, parse.Feedback, parse.Truncated, parse.Malformed} {
		if kinds[k] == 0 {
			t.Errorf("no packet of kind %d", k)
		}
	}
	t.Logf("%d frames, by kinds: %v", len(trace.Frames), kinds)
}

// They agree on any packet, also with a few bytes changed, or cut.
func TestParserOnAny(t *testing.T) {
	p := parser(t, "ip_checksum=false")
	rapid.Check(t, func(t *rapid.T) {
		frame, err := draw(t).Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, p, frame)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			frame[rapid.IntRange(12, min(len(frame)-1, 90)).Draw(t, "at")] ^= rapid.Byte().Draw(t, "by")
		}
		agree(t, p, frame)
		agree(t, p, frame[:rapid.IntRange(0, len(frame)).Draw(t, "cut")])
	})
}

// Editing a frame gives the frame of the edited packet.
func TestEditor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		frame, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		at, err := roce.Locate(frame)
		if err != nil {
			t.Fatal(err)
		}
		sum := uint16(0)
		if rapid.Bool().Draw(t, "sum") {
			sum = rapid.Uint16().Draw(t, "udp sum")
			binary.BigEndian.PutUint16(frame[at.L4+6:], sum)
		}
		c := edit.Command{V6: at.V6, Tags: at.Tags, Lane: (at.L4 - 2) / 4, ICRC: true, UDPLen: at.ICRC + 4 - at.L4,
			EVOn: rapid.Bool().Draw(t, "ev on"), EV: rapid.Uint32Range(0, 1<<20-1).Draw(t, "ev"), Flow: at.V6 && rapid.Bool().Draw(t, "flow"),
			DSCPOn: rapid.Bool().Draw(t, "dscp on"), DSCP: rapid.ByteRange(0, 63).Draw(t, "dscp"),
			ECNOn: rapid.Bool().Draw(t, "ecn on"), ECN: rapid.ByteRange(0, 3).Draw(t, "ecn"),
			BECNOn: rapid.Bool().Draw(t, "becn on"), BECN: rapid.Bool().Draw(t, "becn"), UDPZero: rapid.Bool().Draw(t, "zero")}
		got, ok := edit.Edit(bytes.Clone(frame), c)
		if !ok {
			t.Fatalf("illegal: %+v", c)
		}
		if c.EVOn && c.Flow {
			p.IPv6.FlowLabel = c.EV
		} else if c.EVOn {
			p.UDP.SrcPort = layers.UDPPort(c.EV & 0xFFFF)
		}
		class := new(uint8)
		if at.V6 {
			class = &p.IPv6.TrafficClass
		} else {
			class = &p.IPv4.TOS
		}
		if c.DSCPOn {
			*class = *class&3 | c.DSCP<<2
		}
		if c.ECNOn {
			*class = *class&^3 | c.ECN
		}
		if c.BECNOn {
			p.BTH.BECN = c.BECN
		}
		want, err := p.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !c.UDPZero {
			binary.BigEndian.PutUint16(want[at.L4+6:], sum)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%+v:\n% x edited is\n% x, want\n% x", c, frame, got, want)
		}
	})
}

// They know the same opcodes.
func TestOpcodes(t *testing.T) {
	for o := range 256 {
		o := roce.Opcode(o)
		kind, aeth := parse.RoCEKind(byte(o))
		l := o.Headers()
		if want := len(l) > 0 && l[0] == roce.LayerTypeAETH; kind != kindOf(o) || aeth != want {
			t.Errorf("%v: kind %d, AETH %t; want %d, %t", o, kind, aeth, kindOf(o), want)
		}
	}
}
