// SPDX-License-Identifier: Apache-2.0

// Package nicparse is the golden model of the NIC's parser: the headers of a frame, as in
// docs/units/nic_parse.md, read one after another from its bytes.
package nicparse

import (
	"encoding/binary"

	params "github.com/nicgen/nicgen/gen/nic_parse"
)

// Kind is the kind of a packet.
type Kind uint8

// Kinds of packets.
const (
	Other      Kind = 0  // for the reason given
	Request    Kind = 1  // with payload: SEND, WRITE
	Read       Kind = 2  // READ or atomic request
	Response   Kind = 3  // READ response
	ACK        Kind = 4  // or atomic ACK
	CNP        Kind = 5  // congestion notification
	Feedback   Kind = 6  // opcode 0xE1
	UETRequest Kind = 7  // RUD or ROD
	UETACK     Kind = 8  // with or without congestion control
	Truncated  Kind = 14 // the frame ends before the headers do
	Malformed  Kind = 15 // lengths or the checksum are wrong
)

// Reason is the reason for which a packet is Other.
type Reason uint8

// Reasons, in the order of the checks.
const (
	None     Reason = 0
	NotIP    Reason = 1 // another EtherType, or another version in the IP header
	TagCount Reason = 2 // more tags than are parsed
	Options  Reason = 3 // IPv4 header of another length than 20 bytes
	Fragment Reason = 4 // IPv4 fragment
	NotUDP   Reason = 5 // another protocol, or an extension header
	Port     Reason = 6 // another UDP destination port
	Opcode   Reason = 7 // a service or opcode that is not known
	TooLong  Reason = 8 // longer than the longest frame
)

// Headers is the number of bytes at a frame's beginning that decide its kind; later ones change
// nothing.
const Headers = 128

// Settings are the values that a running NIC may change: the UDP destination ports of the profiles,
// and the longest frame in bytes, without tags.
//
// The port of a profile that the configuration lacks is 0 and is not compared.
type Settings = params.Settings

// Header is the header record of a packet. Fields that the packet does not have are 0; if it is not
// UDP or not Placed, all except the kind and the reason.
type Header struct {
	Kind   Kind
	Reason Reason

	// Placed: QP is the packet's number, for any kind, and the addresses are the packet's; with a
	// Lane Opcode and PSN too. Unplaced: it may belong to a connection, and its number was not
	// found.
	Placed, Unplaced bool

	V6             bool
	Tags, Lane     uint64
	DSCP, ECN      uint64
	Flow           uint64
	Src, Dst       [16]byte // an IPv4 address in the last four
	SrcPort        uint64
	UDPLen, IPSize uint64 // IPSize: with the IP header
	IPEnd          uint64 // the frame's bytes up to the end of the IP packet

	Opcode, QP, PSN    uint64
	FECN, BECN, AckReq bool
	Pad                uint64
	Syndrome, MSN      uint64
	ICRC               bool
}

// Illegal reports whether the packet is truncated or malformed.
func (h *Header) Illegal() bool { return h.Kind == Truncated || h.Kind == Malformed }

// LongestTold is the length up to which frame lengths are reported, in bytes; a longer frame is
// never short.
const LongestTold = 65536

// Short reports whether a frame of a number of bytes ends before its IP packet does.
func (h *Header) Short(bytes uint64) bool { return bytes < h.IPEnd && bytes <= LongestTold }

// EtherTypes.
const (
	typeIPv4 = 0x0800
	typeIPv6 = 0x86dd
	typeTag  = 0x8100
	typeSTag = 0x88a8
)

// Protocols and next headers.
const (
	protocolUDP  = 17
	nextFragment = 44
	nextAH       = 51
)

// Parse reads the headers of a frame. The first Headers bytes are enough.
func Parse(p *params.Params, frame []byte, s Settings) (h Header) {
	if len(frame) < params.Shortest {
		return Header{Kind: Truncated}
	}
	tags, at := uint64(0), 12
	kind := binary.BigEndian.Uint16(frame[at:])
	for kind == typeTag || kind == typeSTag {
		if tags == uint64(p.Tags) {
			return Header{Reason: TagCount}
		}
		tags++
		at += 4
		kind = binary.BigEndian.Uint16(frame[at:])
	}
	l3 := at + 2
	ip := frame[l3:]
	version := ip[0] >> 4
	size := params.IPv4Bytes
	switch {
	case kind == typeIPv4 && version == 4:
		switch {
		case ip[0]&15 != 5:
			return far(p, frame, l3, tags, Options, s)
		case binary.BigEndian.Uint16(ip[6:])&0x3fff != 0:
			return far(p, frame, l3, tags, Fragment, s)
		case ip[9] != protocolUDP:
			return Header{Reason: NotUDP}
		}
	case p.IPv6 && kind == typeIPv6 && version == 6:
		size = params.IPv6Bytes
		if ip[6] != protocolUDP {
			return far(p, frame, l3, tags, NotUDP, s)
		}
	default:
		return Header{Reason: NotIP}
	}
	l4 := l3 + size
	if len(frame) < l4+8 {
		return Header{Kind: Truncated}
	}
	h = network(p, ip[:size])
	h.Tags = tags
	h.Lane = uint64(l4-2) / 4
	h.IPEnd = uint64(l3) + h.IPSize
	udp := frame[l4:]
	h.SrcPort = uint64(binary.BigEndian.Uint16(udp))
	h.UDPLen = uint64(binary.BigEndian.Uint16(udp[4:]))

	t := Header{} // result of the transport header
	t.Kind, t.Reason = judge(p, &h, ip[:size], udp, s, &t)
	h.Kind, h.Reason = t.Kind, t.Reason
	ours := h.Kind != Other && !h.Illegal()
	h.Placed, h.Unplaced = ours || t.Placed, t.Unplaced
	if h.Placed {
		h.Opcode, h.QP, h.PSN = t.Opcode, t.QP, t.PSN
	}
	if ours {
		h.FECN, h.BECN, h.AckReq = t.FECN, t.BECN, t.AckReq
		h.Pad, h.Syndrome, h.MSN, h.ICRC = t.Pad, t.Syndrome, t.MSN, t.ICRC
	}
	return h
}

// extension reports whether an IPv6 next header is an extension header, which UDP may follow.
func extension(next byte) bool {
	switch next {
	case 0, 43, nextFragment, nextAH, 60: // hop-by-hop options, routing, fragment, authentication, destination options
		return true
	}
	return false
}

// far looks for the QP of a packet that is Other because of its IP header: after IPv4 options, in a
// first fragment, or after one IPv6 extension header of at most 24 bytes.
func far(p *params.Params, frame []byte, l3 int, tags uint64, reason Reason, s Settings) Header {
	h := Header{Reason: reason}
	ip := frame[l3:]
	size, at, udp, fits := params.IPv4Bytes, 4*int(ip[0]&15), ip[9] == protocolUDP, ip[0]&15 >= 5 && binary.BigEndian.Uint16(ip[6:])&0x1fff == 0
	if reason == NotUDP {
		size = params.IPv6Bytes
		next := ip[6]
		switch {
		case !extension(next):
			return h
		case next == nextAH || !p.RoCE():
			h.Unplaced = true
			return h
		case len(ip) < size+8:
			return h
		}
		ext := ip[size:]
		at = size + 8*(1+int(ext[1]))
		fits = ext[1] <= 2
		if next == nextFragment {
			fits = ext[1] == 0 && binary.BigEndian.Uint16(ext[2:])&0xfff8 == 0
		}
		udp = ext[0] == protocolUDP
		if extension(ext[0]) {
			udp, fits = true, false
		}
	}
	switch {
	case !udp:
	case !fits || !p.RoCE():
		h.Unplaced = true
	case len(ip) < at+20 || binary.BigEndian.Uint16(ip[at+2:]) != s.RoCEPort:
	default:
		n := network(p, ip[:size])
		if h.Unplaced = n.IPSize+params.EthernetBytes > s.MaxFrame; !h.Unplaced {
			h.Placed, h.V6, h.Tags, h.Src, h.Dst, h.IPSize = true, n.V6, tags, n.Src, n.Dst, n.IPSize
			h.QP = uint64(binary.BigEndian.Uint32(ip[at+12:]) & 0xffffff)
		}
	}
	return h
}

// network reads an IP header.
func network(p *params.Params, ip []byte) (h Header) {
	class, src, dst := ip[1], ip[12:16], ip[16:20]
	h.IPSize = uint64(binary.BigEndian.Uint16(ip[2:]))
	if len(ip) == params.IPv6Bytes {
		h.V6 = true
		first := binary.BigEndian.Uint32(ip)
		class = byte(first >> 20)
		h.Flow = uint64(first & 0xfffff)
		h.IPSize = uint64(binary.BigEndian.Uint16(ip[4:])) + params.IPv6Bytes
		src, dst = ip[8:24], ip[24:40]
	}
	h.DSCP, h.ECN = uint64(class>>2), uint64(class&3)
	if p.Addresses {
		copy(h.Src[16-len(src):], src)
		copy(h.Dst[16-len(dst):], dst)
	}
	return h
}

// judge classifies a UDP packet, and reads its transport header into t.
func judge(p *params.Params, h *Header, ip, udp []byte, s Settings, t *Header) (Kind, Reason) {
	port := binary.BigEndian.Uint16(udp[2:])
	roce := p.RoCE() && port == s.RoCEPort
	if !roce && !(p.UET() && port == s.UETPort) {
		return Other, Port
	}
	if len(udp) < 20 {
		return Truncated, None
	}
	shortest := uint64(20)
	if roce {
		shortest = 24
	}
	kind, reason := Other, None
	if roce {
		kind, reason = readRoCE(h, udp, t)
		t.Placed = kind != Truncated
	} else {
		kind, reason = readUET(udp, t)
		t.Placed = kind != Other
	}
	switch {
	case h.IPSize != h.UDPLen+uint64(len(ip)),
		roce && h.UDPLen%4 != 0,
		h.UDPLen < shortest,
		p.IPChecksum && !h.V6 && !checked(ip):
		return Malformed, None
	case h.IPSize+params.EthernetBytes > s.MaxFrame:
		t.Placed, t.Unplaced = false, true
		return Other, TooLong
	}
	return kind, reason
}

// checked reports whether the checksum of an IPv4 header is right (RFC 1071).
func checked(ip []byte) bool {
	sum := uint32(0)
	for i := 0; i < len(ip); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return sum == 0xffff
}

// readRoCE reads BTH and AETH.
func readRoCE(h *Header, udp []byte, t *Header) (Kind, Reason) {
	bth := udp[8:]
	kind, aeth := RoCEKind(bth[0])
	t.Opcode = uint64(bth[0])
	t.QP = uint64(binary.BigEndian.Uint32(bth[4:]) & 0xffffff)
	t.PSN = uint64(binary.BigEndian.Uint32(bth[8:]) & 0xffffff)
	switch {
	case kind == Other:
		return Other, Opcode
	case aeth && len(udp) < 24:
		return Truncated, None
	case aeth && h.UDPLen < 28:
		return Malformed, None
	}
	t.Pad = uint64(bth[1] >> 4 & 3)
	t.FECN, t.BECN = bth[4]&0x80 != 0, bth[4]&0x40 != 0
	t.AckReq = bth[8]&0x80 != 0
	if aeth {
		t.Syndrome = uint64(bth[12])
		t.MSN = uint64(binary.BigEndian.Uint32(bth[12:]) & 0xffffff)
	}
	t.ICRC = true
	return kind, None
}

// RoCEKind returns the kind for which an opcode of BTH stands, or Other, and reports whether AETH
// follows.
func RoCEKind(opcode byte) (kind Kind, aeth bool) {
	const (
		rc  = 0x00
		uc  = 0x20
		ud  = 0x60
		xrc = 0xa0
	)
	switch opcode {
	case 0x81:
		return CNP, false
	case 0xe1:
		return Feedback, false
	case ud | 0x04, ud | 0x05:
		return Request, false
	}
	service, operation := opcode&0xe0, opcode&0x1f
	switch {
	case service == uc:
		return Request, false
	case service != rc && service != xrc:
		return Other, false
	}
	switch operation {
	case 0x0c, 0x13, 0x14, 0x1c: // READ, atomic, FLUSH
		return Read, false
	case 0x0d, 0x0f, 0x10:
		return Response, true
	case 0x0e:
		return Response, false
	case 0x11, 0x12:
		return ACK, true
	}
	return Request, false // ATOMIC WRITE and unknown opcodes, which keep their place in the connection
}

// Flags of PDS.
const (
	flagM    = 0x20 // of an ACK: its packet was marked
	flagRetx = 0x10
	flagAR   = 0x08 // of a request: an ACK is asked for
	flagSYN  = 0x04 // in a request: bytes 10 and 11 are PDC information and a PSN offset
)

// readUET reads the first twelve bytes of PDS.
func readUET(udp []byte, t *Header) (kind Kind, reason Reason) {
	pds := udp[8:]
	flags := pds[1]
	t.Opcode = uint64(pds[0] >> 3)
	if flags&flagRetx != 0 {
		t.Opcode |= 0x80
	}
	switch t.Opcode & 0x1f {
	case 2, 3, 13, 14:
		kind = UETRequest
		t.AckReq = flags&flagAR != 0
		if flags&flagSYN != 0 {
			t.Opcode |= 0x40
		}
	case 7, 8, 9:
		kind = UETACK
		t.BECN = flags&flagM != 0
		t.MSN = uint64(binary.BigEndian.Uint16(pds[2:]))
	default:
		return Other, Opcode
	}
	t.PSN = uint64(binary.BigEndian.Uint32(pds[4:]))
	t.QP = uint64(binary.BigEndian.Uint16(pds[10:]))
	return kind, None
}
