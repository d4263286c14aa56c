// SPDX-License-Identifier: Apache-2.0

package nicparse_test

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_parse"
)

// settings are the settings of the default configuration.
var settings = model.Settings{RoCEPort: 4791, UETPort: 4793, MaxFrame: 9214}

// parser returns the default configuration with some settings.
func parser(t testing.TB, set string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	return p
}

// unhex reads bytes; blanks are for people.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// address returns an IP address, an IPv4 one in the last four bytes.
func address(text string) (a [16]byte) {
	ip := netip.MustParseAddr(text)
	copy(a[16-ip.BitLen()/8:], ip.AsSlice())
	return a
}

const (
	macs  = "a54dca182530 bb1d6d132cde "
	ipv4  = "4502003c49db40004011dcd1 0a000001 0a000002 " // 60 bytes, DSCP 0, ECN 2
	udp   = "c12312b7 00280000 "                          // 4791, 40 bytes
	bth   = "0440ffff 00123456 00000001 "                 // SEND only, M, QP 0x123456, PSN 1
	data  = "d6237b2ed91e3f721fcb1971174494d6 "
	icrc  = "d04e2467"
	send  = bth + data + icrc
	v6udp = "6b8abcde 00281140 20010db8000000000000000000000001 20010db8000000000000000000000002 "
	ack   = "1100ffff 40123456 00000007 " + "1f00000c " + icrc // BECN, AETH: credits 0x1f, MSN 12
)

// plain returns the record of the packet with the right ICRC.
func plain() model.Header {
	return model.Header{Kind: model.Request, Placed: true, Lane: 8, ECN: 2, Src: address("10.0.0.1"), Dst: address("10.0.0.2"), SrcPort: 0xc123, UDPLen: 40, IPSize: 60,
		IPEnd: 74, Opcode: 0x04, QP: 0x123456, PSN: 1, ICRC: true}
}

// with returns a record with changes.
func with(h model.Header, change func(h *model.Header)) model.Header {
	change(&h)
	return h
}

// Packets made by hand, one for each rule of docs/units/nic_parse.md, with their classes.
func TestVectors(t *testing.T) {
	var (
		other = func(r model.Reason) model.Header { return model.Header{Reason: r} }
		trunc = model.Header{Kind: model.Truncated}
		mixed = "profile=both"
		uet   = func(h *model.Header) {
			h.Opcode, h.QP, h.PSN, h.ICRC, h.UDPLen, h.IPSize, h.IPEnd = 0, 0, 0, false, 0x14, 0x28, 54
		}
		none = func(h *model.Header) { h.Kind, h.Placed, h.Opcode, h.QP, h.PSN, h.ICRC = 0, false, 0, 0, 0, false }
		kept = func(h *model.Header) { h.Kind, h.ICRC = 0, false }
		lost = func(r model.Reason) model.Header { return model.Header{Reason: r, Unplaced: true} }
		far  = func(r model.Reason, size uint64) model.Header {
			return model.Header{Reason: r, Placed: true, Src: address("10.0.0.1"), Dst: address("10.0.0.2"), IPSize: size, QP: 0x123456}
		}
		far6 = func(size uint64) model.Header {
			return model.Header{Reason: model.NotUDP, Placed: true, V6: true, Src: address("2001:db8::1"), Dst: address("2001:db8::2"), IPSize: size, QP: 0x123456}
		}
		// An IPv6 packet with a next header, and the bytes between IP and UDP.
		ext = func(next, headers string) string {
			return macs + "86dd" + strings.Replace(v6udp, "1140", next+"40", 1) + headers + udp + send
		}
	)
	six := with(plain(), func(h *model.Header) {
		h.V6, h.Lane, h.DSCP, h.ECN, h.Flow, h.IPSize, h.IPEnd = true, 13, 0x2e, 0, 0xabcde, 80, 94
		h.Src, h.Dst = address("2001:db8::1"), address("2001:db8::2")
	})
	for _, c := range []struct {
		name, set, frame string
		want             model.Header
	}{
		{"request", "", macs + "0800" + ipv4 + udp + send, plain()},
		{"one tag", "", macs + "8100 6005 0800" + ipv4 + udp + send, with(plain(), func(h *model.Header) { h.Tags, h.Lane, h.IPEnd = 1, 9, 78 })},
		{"two tags", "", macs + "88a8 0001 8100 6005 0800" + ipv4 + udp + send, with(plain(), func(h *model.Header) { h.Tags, h.Lane, h.IPEnd = 2, 10, 82 })},
		{"three tags", "", macs + "88a8 0001 8100 6005 8100 6005 0800" + ipv4 + udp + send, other(model.TagCount)},
		{"two tags, one allowed", "tags=1", macs + "88a8 0001 8100 6005 0800" + ipv4 + udp + send, other(model.TagCount)},
		{"a tag, none allowed", "tags=0", macs + "8100 6005 0800" + ipv4 + udp + send, other(model.TagCount)},
		{"IPv6", "", macs + "86dd" + v6udp + udp + send, six},
		{"IPv6 and two tags", "", macs + "8100 0001 8100 0002 86dd" + v6udp + udp + send, with(six, func(h *model.Header) { h.Tags, h.Lane, h.IPEnd = 2, 15, 102 })},
		{"IPv6 switched off", "ipv6=false", macs + "86dd" + v6udp + udp + send, other(model.NotIP)},
		{"no addresses", "addresses=false", macs + "0800" + ipv4 + udp + send, with(plain(), func(h *model.Header) { h.Src, h.Dst = [16]byte{}, [16]byte{} })},

		{"ARP", "", macs + "0806 0001080006040001 a54dca182530 0a000001 000000000000 0a000002", other(model.NotIP)},
		{"a shim", "", macs + "88b5" + strings.Repeat("00", 46), other(model.NotIP)},
		{"802.3 length", "", macs + "0026 424203" + strings.Repeat("00", 43), other(model.NotIP)},
		{"version 6 in an IPv4 packet", "", macs + "0800 6" + ipv4[1:] + udp + send, other(model.NotIP)},
		{"version 4 in an IPv6 packet", "", macs + "86dd 4" + v6udp[1:] + udp + send, other(model.NotIP)},
		{"options", "", macs + "0800" + "4602004049db40004011dcd1 0a000001 0a000002 94040000" + udp + send, far(model.Options, 64)},
		{"all options, two tags", "", macs + "88a8 0001 8100 6005 0800" + "4f02006449db40004011dcd1 0a000001 0a000002" + strings.Repeat("01", 40) + udp + send,
			with(far(model.Options, 100), func(h *model.Header) { h.Tags = 2 })},
		{"options to another port", "", macs + "0800" + "4602004049db40004011dcd1 0a000001 0a000002 94040000" + strings.Replace(udp, "12b7", "0035", 1) + send, other(model.Options)},
		{"options, cut in BTH", "", macs + "0800" + "4602004049db40004011dcd1 0a000001 0a000002 94040000" + udp + bth[:len(bth)-3], other(model.Options)},
		{"options before TCP", "", macs + "0800" + "4602004049db40004006dcd1 0a000001 0a000002 94040000" + udp + send, other(model.Options)},
		{"options in a fragment", "", macs + "0800" + "4602004049db00014011dcd1 0a000001 0a000002 94040000" + udp + send, lost(model.Options)},
		{"options, longer than the longest", "", macs + "0800" + "4602ff4049db40004011dcd1 0a000001 0a000002 94040000" + udp + send, lost(model.Options)},
		{"options in a UET parser", "profile=uet", macs + "0800" + "4602004049db40004011dcd1 0a000001 0a000002 94040000" + udp + send, lost(model.Options)},
		{"hop-by-hop options", "", ext("00", "1100 010400000000"), far6(80)},
		{"destination options of 24 bytes, two tags", "", strings.Replace(ext("3c", "1102 0114"+strings.Repeat("00", 20)), "86dd", "8100 0001 8100 0002 86dd", 1),
			with(far6(80), func(h *model.Header) { h.Tags = 2 })},
		{"routing of 32 bytes", "", ext("2b", "1103 0000"+strings.Repeat("00", 28)), lost(model.NotUDP)},
		{"first IPv6 fragment", "", ext("2c", "1100 0001 00000007"), far6(80)},
		{"second IPv6 fragment", "", ext("2c", "1100 0008 00000007"), lost(model.NotUDP)},
		{"two extension headers", "", ext("00", "3c00 010400000000 1100 010400000000"), lost(model.NotUDP)},
		{"authentication header", "", ext("33", "1104 0000"+strings.Repeat("00", 20)), lost(model.NotUDP)},
		{"hop-by-hop options before TCP", "", ext("00", "0600 010400000000"), other(model.NotUDP)},
		{"header of four words", "", macs + "0800" + "44" + ipv4[2:] + udp + send, lost(model.Options)},
		{"first fragment", "", macs + "0800" + "4502003c49db20004011dcd1 0a000001 0a000002" + udp + send, far(model.Fragment, 60)},
		{"last fragment", "", macs + "0800" + "4502003c49db00014011dcd1 0a000001 0a000002" + udp + send, lost(model.Fragment)},
		{"reserved flag", "", macs + "0800" + "4502003c49dbc0004011dcd1 0a000001 0a000002" + udp + send, plain()},
		{"TCP", "", macs + "0800" + "4502003c49db40004006dcd1 0a000001 0a000002" + udp + send, other(model.NotUDP)},
		{"native UET", mixed, macs + "0800" + "4502003c49db400040fddcd1 0a000001 0a000002" + udp + send, other(model.NotUDP)},
		{"IPv6 routing header", "", macs + "86dd" + strings.Replace(v6udp, "1140", "2b40", 1) + udp + send, other(model.NotUDP)},
		{"DNS", "", macs + "0800" + ipv4 + strings.Replace(udp, "12b7", "0035", 1) + send, with(plain(), func(h *model.Header) { none(h); h.Reason = model.Port })},
		{"UET in a RoCE parser", "", macs + "0800" + ipv4 + strings.Replace(udp, "12b7", "12b9", 1) + send, with(plain(), func(h *model.Header) { none(h); h.Reason = model.Port })},

		{"41 bytes", "", macs + "0806" + strings.Repeat("00", 27), trunc},
		{"42 bytes of RoCE", "", macs + "0800" + ipv4 + udp, with(plain(), func(h *model.Header) { none(h); h.Kind = model.Truncated })},
		{"within UDP", "", macs + "8100 0001 0800" + ipv4 + udp[:len(udp)-3], trunc},
		{"BTH except for a byte", "", macs + "0800" + ipv4 + udp + bth[:len(bth)-3], with(plain(), func(h *model.Header) { none(h); h.Kind = model.Truncated })},
		{"BTH and no more", "", macs + "0800" + ipv4 + udp + bth, plain()},
		{"58 bytes", "", macs + "0800" + "4502002c49db40004011dce1 0a000001 0a000002 c12312b7 00180000" + bth + icrc,
			with(plain(), func(h *model.Header) { h.UDPLen, h.IPSize, h.IPEnd = 24, 44, 58 })},
		{"ACK", "", macs + "0800" + "4502003049db40004011dcdd 0a000001 0a000002 c12312b7 001c0000" + ack, with(plain(), func(h *model.Header) {
			h.Kind, h.Opcode, h.BECN, h.PSN, h.Syndrome, h.MSN, h.UDPLen, h.IPSize, h.IPEnd = model.ACK, 0x11, true, 7, 0x1f, 12, 28, 48, 62
		})},
		{"ACK without AETH", "", macs + "0800" + "4502003049db40004011dcdd 0a000001 0a000002 c12312b7 001c0000" + ack[:len("1100ffff 40123456 00000007 1f0000")],
			with(plain(), func(h *model.Header) { none(h); h.Kind, h.UDPLen, h.IPSize, h.IPEnd = model.Truncated, 28, 48, 62 })},
		{"ACK whose length leaves no AETH", "", macs + "0800" + "4502002c49db40004011dce1 0a000001 0a000002 c12312b7 00180000" + ack,
			with(plain(), func(h *model.Header) {
				kept(h)
				h.Kind, h.Opcode, h.PSN, h.UDPLen, h.IPSize, h.IPEnd = model.Malformed, 0x11, 7, 24, 44, 58
			})},

		{"UDP shorter than IP", "", macs + "0800" + ipv4 + strings.Replace(udp, "0028", "0024", 1) + send,
			with(plain(), func(h *model.Header) { kept(h); h.Kind, h.UDPLen = model.Malformed, 36 })},
		{"no multiple of four", "", macs + "0800" + "4502003d49db40004011dcd0 0a000001 0a000002 c12312b7 00290000" + send + "00",
			with(plain(), func(h *model.Header) { kept(h); h.Kind, h.UDPLen, h.IPSize, h.IPEnd = model.Malformed, 41, 61, 75 })},
		{"wrong checksum, not looked at", "", macs + "0800" + strings.Replace(ipv4, "dcd1", "dcd2", 1) + udp + send, plain()},
		{"wrong checksum", "ip_checksum=true", macs + "0800" + strings.Replace(ipv4, "dcd1", "dcd2", 1) + udp + send,
			with(plain(), func(h *model.Header) { kept(h); h.Kind = model.Malformed })},
		{"right checksum", "ip_checksum=true", macs + "0800" + ipv4 + udp + send, plain()},

		{"RD", "", macs + "0800" + ipv4 + udp + "44" + send[2:], with(plain(), func(h *model.Header) { kept(h); h.Reason, h.Opcode = model.Opcode, 0x44 })},
		{"UD", "", macs + "0800" + ipv4 + udp + "64" + send[2:], with(plain(), func(h *model.Header) { h.Opcode = 0x64 })},
		{"XRC atomic", "", macs + "0800" + ipv4 + udp + "b4" + send[2:], with(plain(), func(h *model.Header) { h.Kind, h.Opcode = model.Read, 0xb4 })},
		{"READ response with AETH", "", macs + "0800" + ipv4 + udp + "10" + send[2:],
			with(plain(), func(h *model.Header) { h.Kind, h.Opcode, h.Syndrome, h.MSN = model.Response, 0x10, 0xd6, 0x237b2e })},
		{"READ response without", "", macs + "0800" + ipv4 + udp + "0e" + send[2:], with(plain(), func(h *model.Header) { h.Kind, h.Opcode = model.Response, 0x0e })},
		{"CNP", "", macs + "0800" + ipv4 + udp + "8130ffff c0123456 80000000" + data + icrc, with(plain(), func(h *model.Header) {
			h.Kind, h.Opcode, h.Pad, h.FECN, h.BECN, h.AckReq, h.PSN = model.CNP, 0x81, 3, true, true, true, 0
		})},
		{"feedback", "", macs + "0800" + ipv4 + udp + "e1" + send[2:], with(plain(), func(h *model.Header) { h.Kind, h.Opcode = model.Feedback, 0xe1 })},

		{"UET request", mixed, macs + "0800" + "4502002849db40004011dce5 0a000001 0a000002 c12312b9 00140000" + "1198 0102 89abcdef 1234 5678", with(plain(), func(h *model.Header) {
			uet(h)
			h.Kind, h.Opcode, h.PSN, h.QP, h.AckReq = model.UETRequest, 0x82, 0x89abcdef, 0x5678, true
		})},
		{"UET request with SYN", mixed, macs + "0800" + "4502002849db40004011dce5 0a000001 0a000002 c12312b9 00140000" + "6804 0102 89abcdef 1234 5678", with(plain(), func(h *model.Header) {
			uet(h)
			h.Kind, h.Opcode, h.PSN, h.QP = model.UETRequest, 0x4d, 0x89abcdef, 0x5678
		})},
		{"UET ACK", mixed, macs + "0800" + "4502002849db40004011dce5 0a000001 0a000002 c12312b9 00140000" + "3820 fffe 89abcdef 1234 5678", with(plain(), func(h *model.Header) {
			uet(h)
			h.Kind, h.Opcode, h.PSN, h.QP, h.BECN, h.MSN = model.UETACK, 7, 0x89abcdef, 0x5678, true, 0xfffe
		})},
		{"UET NACK", mixed, macs + "0800" + "4502002849db40004011dce5 0a000001 0a000002 c12312b9 00140000" + "5020 fffe 89abcdef 1234 5678",
			with(plain(), func(h *model.Header) { uet(h); h.Kind, h.Placed, h.Reason = model.Other, false, model.Opcode })},
		{"RoCE in a UET parser", "profile=uet", macs + "0800" + ipv4 + udp + send, with(plain(), func(h *model.Header) { none(h); h.Reason = model.Port })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := model.Parse(parser(t, c.set), unhex(t, c.frame), settings)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The longest frame: tags do not count.
func TestMaxFrame(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		for _, tags := range []int{0, 2} {
			for _, length := range []int{9214, 9218} {
				f := model.Frame{V6: v6, Tags: slices.Repeat([]model.Tag{{Type: 0x8100}}, tags), DstPort: 4791}
				f.Body = make([]byte, length-(f.L4()-4*tags)-8)
				f.Fit()
				frame := f.Append(nil)
				limit := settings
				limit.MaxFrame = 9214 // a multiple of four from the port
				h := model.Parse(params.Default(), frame, limit)
				if (h.Reason == model.TooLong) != (length > 9214) || (h.Kind == model.Request) != (length <= 9214) || h.IPEnd != uint64(len(frame)) {
					t.Errorf("IPv6 %t, %d tags, %d bytes: %+v", v6, tags, length, h)
				}
			}
		}
	}
}

// Every opcode. RC and XRC are alike. Unknown opcodes of both are requests, and so are all opcodes
// of UC; UD has two SENDs.
func TestOpcodes(t *testing.T) {
	const (
		q = model.Request
		r = model.Read
		p = model.Response
		a = model.ACK
		o = model.Other
	)
	rc := [32]model.Kind{q, q, q, q, q, q, q, q, q, q, q, q, r, p, p, p, p, a, a, r, r, q, q, q, q, q, q, q, r, q, q, q}
	withAETH := [32]bool{0x0d: true, 0x0f: true, 0x10: true, 0x11: true, 0x12: true}
	for opcode := range 256 {
		want, aeth := o, false
		switch op := opcode & 31; opcode >> 5 {
		case 0, 5:
			want, aeth = rc[op], withAETH[op]
		case 1:
			want = q
		case 3:
			if op == 4 || op == 5 {
				want = q
			}
		case 4:
			if op == 1 {
				want = model.CNP
			}
		case 7:
			if op == 1 {
				want = model.Feedback
			}
		}
		if kind, got := model.RoCEKind(byte(opcode)); kind != want || got != aeth {
			t.Errorf("opcode %02x: kind %d, AETH %t; want %d, %t", opcode, kind, got, want, aeth)
		}
	}
}

// frames draws frames of all kinds: right ones, ones with some wrong field, cut ones.
var frames = rapid.Custom(func(t *rapid.T) []byte {
	u16 := func(name string) uint16 { return rapid.Uint16().Draw(t, name) }
	f := model.Frame{V6: rapid.Bool().Draw(t, "IPv6"), Class: rapid.Byte().Draw(t, "class"), Flow: rapid.Uint32Range(0, 0xfffff).Draw(t, "label"),
		ID: u16("id"), TTL: rapid.Byte().Draw(t, "TTL"), SrcPort: u16("source port"), UDPSum: u16("checksum")}
	for range rapid.IntRange(0, 3).Draw(t, "tags") {
		f.Tags = append(f.Tags, model.Tag{Type: rapid.SampledFrom([]uint16{0x8100, 0x88a8}).Draw(t, "tag"), Value: u16("tag value")})
	}
	copy(f.Src[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "source"))
	copy(f.Dst[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "destination"))
	f.DstPort = rapid.SampledFrom([]uint16{4791, 4791, 4793, 53}).Draw(t, "port")
	f.Body = rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "body")
	f.Fit()
	if rapid.IntRange(0, 3).Draw(t, "wrong") == 0 {
		switch rapid.IntRange(0, 6).Draw(t, "field") {
		case 0:
			f.Type = rapid.SampledFrom([]uint16{0x0806, 0x0800, 0x86dd, 0x88b5}).Draw(t, "type")
		case 1:
			f.Version = rapid.ByteRange(0, 15).Draw(t, "version")
		case 2:
			f.IHL = rapid.ByteRange(0, 15).Draw(t, "IHL")
		case 3:
			f.Fragment = u16("fragment")
		case 4:
			f.Protocol = rapid.Byte().Draw(t, "protocol")
		case 5:
			f.Length = u16("length")
		case 6:
			f.SumError = u16("sum")
		}
	}
	b := f.Append(nil)
	return b[:len(b)-rapid.IntRange(0, len(b)-1).Draw(t, "cut")*rapid.IntRange(0, 1).Draw(t, "is cut")]
})

// configurations draws one.
var configurations = rapid.Custom(func(t *rapid.T) *params.Params {
	p := params.Default()
	p.Profile = rapid.SampledFrom([]string{params.RoCE, params.UET, params.Both}).Draw(t, "profile")
	p.Tags = rapid.Int64Range(0, 2).Draw(t, "tags")
	p.IPv6, p.Addresses, p.IPChecksum = rapid.Bool().Draw(t, "ipv6"), rapid.Bool().Draw(t, "addresses"), rapid.Bool().Draw(t, "sum")
	return p
})

// Bytes after the headers change nothing, and every frame, even a malformed one, can be parsed.
func TestHeaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := configurations.Draw(t, "configuration")
		frame := rapid.OneOf(frames, rapid.SliceOfN(rapid.Byte(), 1, 200)).Draw(t, "frame")
		h := model.Parse(p, frame, settings)
		if len(frame) >= model.Headers {
			more := append(slices.Clone(frame[:model.Headers]), rapid.SliceOf(rapid.Byte()).Draw(t, "more")...)
			if g := model.Parse(p, more, settings); g != h {
				t.Fatalf("%+v, with another end %+v", h, g)
			}
		}
		if h.Reason != model.None && h.Kind != model.Other || h.ICRC && (h.Kind < model.Request || h.Kind > model.Feedback) {
			t.Fatalf("%+v", h)
		}
	})
}

// A frame has the record of the fields that it was made of.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := model.Frame{V6: rapid.Bool().Draw(t, "IPv6"), Class: rapid.Byte().Draw(t, "class"), TTL: 64, DstPort: 4791,
			SrcPort: rapid.Uint16().Draw(t, "source port"), Tags: make([]model.Tag, rapid.IntRange(0, 2).Draw(t, "tags"))}
		for i := range f.Tags {
			f.Tags[i] = model.Tag{Type: 0x8100, Value: rapid.Uint16().Draw(t, "tag")}
		}
		want := model.Header{Kind: model.ACK, Placed: true, V6: f.V6, Tags: uint64(len(f.Tags)), Lane: uint64(8 + len(f.Tags)), DSCP: uint64(f.Class >> 2),
			ECN: uint64(f.Class & 3), SrcPort: uint64(f.SrcPort), Opcode: 0x11, QP: rapid.Uint64Range(0, 1<<24-1).Draw(t, "QP"),
			PSN: rapid.Uint64Range(0, 1<<24-1).Draw(t, "PSN"), FECN: rapid.Bool().Draw(t, "FECN"), BECN: rapid.Bool().Draw(t, "BECN"),
			AckReq: rapid.Bool().Draw(t, "A"), Pad: rapid.Uint64Range(0, 3).Draw(t, "pad"), Syndrome: rapid.Uint64Range(0, 255).Draw(t, "syndrome"),
			MSN: rapid.Uint64Range(0, 1<<24-1).Draw(t, "MSN"), ICRC: true}
		from := 12
		if f.V6 {
			f.Flow = rapid.Uint32Range(0, 0xfffff).Draw(t, "label")
			want.Flow, want.Lane = uint64(f.Flow), want.Lane+5
			from = 0
		}
		copy(f.Src[from:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "source"))
		copy(f.Dst[from:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "destination"))
		want.Src, want.Dst = f.Src, f.Dst
		flag := func(on bool, bit byte) byte {
			if on {
				return bit
			}
			return 0
		}
		three := func(x uint64) []byte { return []byte{byte(x >> 16), byte(x >> 8), byte(x)} }
		f.Body = slices.Concat([]byte{0x11, byte(want.Pad) << 4, 0xff, 0xff, flag(want.FECN, 0x80) | flag(want.BECN, 0x40)}, three(want.QP),
			[]byte{flag(want.AckReq, 0x80)}, three(want.PSN), []byte{byte(want.Syndrome)}, three(want.MSN), make([]byte, 4+4*rapid.IntRange(0, 30).Draw(t, "words")))
		f.Fit()
		frame := f.Append(nil)
		want.UDPLen, want.IPEnd = uint64(f.UDPLen), uint64(len(frame))
		want.IPSize = want.IPEnd - 14 - 4*want.Tags
		if diff := cmp.Diff(want, model.Parse(params.Default(), frame, settings)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

// gopacket finds the same fields in the same places. It knows more tags, IPv4 options and extension
// headers, so the test compares frames that the model takes for UDP, and frames that gopacket takes
// for UDP after plain headers.
func TestEqualsGopacket(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		frame := frames.Draw(t, "frame")
		h := model.Parse(params.Default(), frame, settings)
		udp := h.UDPLen != 0 || h.SrcPort != 0 || h.IPSize != 0 // the record has it
		packet := gopacket.NewPacket(frame, layers.LayerTypeEthernet, gopacket.DecodeOptions{NoCopy: true})
		tags, v6 := uint64(0), false
		var length uint64
		var class byte
		var src, dst [16]byte
		plain, flow := true, uint64(0)
		for _, l := range packet.Layers() {
			switch l := l.(type) {
			case *layers.Dot1Q:
				tags++
			case *layers.IPv4:
				length, class = uint64(len(l.LayerContents())+len(l.LayerPayload())), l.TOS
				copy(src[12:], l.SrcIP.To4())
				copy(dst[12:], l.DstIP.To4())
				whole := len(l.Contents) >= 20 && l.Contents[2]|l.Contents[3] != 0 // else gopacket takes the bytes that there are
				plain = plain && whole && l.Version == 4 && l.IHL == 5 && l.FragOffset == 0 && l.Flags&layers.IPv4MoreFragments == 0
			case *layers.IPv6:
				length, class, v6 = uint64(l.Length)+40, l.TrafficClass, true
				copy(src[:], l.SrcIP)
				copy(dst[:], l.DstIP)
				flow = uint64(l.FlowLabel)
				plain = plain && l.Version == 6 && l.NextHeader == layers.IPProtocolUDP
			}
		}
		layer, found := packet.Layer(layers.LayerTypeUDP).(*layers.UDP)
		found = found && len(layer.Contents) == 8 && plain && tags <= 2
		seen[found]++
		if found && !udp {
			t.Fatalf("gopacket finds UDP: %v\n%+v", packet, h)
		}
		if !found || packet.Metadata().Truncated {
			return
		}
		if h.Tags != tags || h.V6 != v6 || h.DSCP<<2|h.ECN != uint64(class) || h.Flow != flow || h.Src != src || h.Dst != dst ||
			h.SrcPort != uint64(layer.SrcPort) || h.UDPLen != uint64(layer.Length) {
			t.Fatalf("gopacket: %v\n%+v", packet, h)
		}
		if layer.DstPort != 4791 && h.Reason != model.Port {
			t.Fatalf("port %d: %+v", layer.DstPort, h)
		}
		if h.IPSize < length {
			t.Fatalf("IP packet of %d bytes: %+v", length, h)
		}
	})
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("gopacket found UDP %d times and did not %d times", seen[true], seen[false])
	}
}
