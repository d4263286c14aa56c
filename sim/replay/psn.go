// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/packet/roce"
)

// This file checks the order of connections by their packets' sequence numbers. It reads frames by its own rules, without
// the block's parser, its golden model or package roce, so that an omission common to all of them is noticed.

// psnStream is the packets of one direction of a reliable or unreliable connection that keep their order: requests, or READ
// responses. ACKs may pass both.
type psnStream struct {
	dst       string // IP address
	qp        uint32
	responses bool
}

// psnPacket identifies a packet of a stream.
type psnPacket struct {
	psn    uint32
	opcode byte
}

// psnOf finds the BTH of a RoCEv2 packet behind IPv4 options, IPv6 extension headers, and as many VLAN tags as the block is
// configured to read; IPv6 if it reads that. The third result reports whether there is one, of a service with connections.
func psnOf(frame []byte, reads sight) (s psnStream, p psnPacket, ok bool) {
	at, tags := 12, 0
	u16 := func(i int) int { return int(binary.BigEndian.Uint16(frame[i:])) }
	for at+4 <= len(frame) && (u16(at) == 0x8100 || u16(at) == 0x88A8 || u16(at) == 0x9100) {
		at += 4
		tags++
	}
	if tags > reads.tags || at+2+20 > len(frame) {
		return s, p, false
	}
	kind := u16(at)
	at += 2
	next := byte(0)
	switch {
	case kind == 0x0800 && frame[at]>>4 == 4:
		if u16(at+6)&0x1FFF != 0 { // not the first fragment
			return s, p, false
		}
		next, s.dst = frame[at+9], string(frame[at+16:at+20])
		at += 4 * int(frame[at]&15)
	case kind == 0x86DD && reads.v6 && frame[at]>>4 == 6 && at+40 <= len(frame):
		next, s.dst = frame[at+6], string(frame[at+24:at+40])
		at += 40
		// Hop-by-hop, routing, fragment, destination options.
		for slices.Contains([]byte{0, 43, 44, 60}, next) && at+8 <= len(frame) {
			if next == 44 && u16(at+2)&0xFFF8 != 0 {
				return s, p, false
			}
			length := 8 * (1 + int(frame[at+1]))
			if next == 44 {
				length = 8
			}
			next = frame[at]
			at += length
		}
	default:
		return s, p, false
	}
	if next != 17 || at+8+12 > len(frame) || u16(at+2) != roce.Port {
		return s, p, false
	}
	bth := frame[at+8:]
	operation := bth[0] & 0x1F
	switch bth[0] >> 5 {
	case 0, 1, 5: // RC, UC, XRC
	default:
		return s, p, false
	}
	if operation == 0x11 || operation == 0x12 { // ACK, atomic ACK
		return s, p, false
	}
	s.responses = operation >= 0x0D && operation <= 0x10 && bth[0]>>5 != 1
	s.qp = binary.BigEndian.Uint32(bth[4:]) & 0xFFFFFF
	return s, psnPacket{binary.BigEndian.Uint32(bth[8:]) & 0xFFFFFF, bth[0]}, true
}

// psnOrder holds what the host sent, by stream, and checks that it leaves in that order; what was dropped is missing.
type psnOrder struct {
	sent map[psnStream][]psnSent
	next map[psnStream]int // the place behind the one that left last
}

type psnSent struct {
	packet psnPacket
	frame  int // its number among the host's frames
}

func newPSNOrder() *psnOrder {
	return &psnOrder{sent: map[psnStream][]psnSent{}, next: map[psnStream]int{}}
}

// came enters a frame of the host.
func (o *psnOrder) came(frame []byte, reads sight, number int) {
	if s, p, ok := psnOf(frame, reads); ok {
		o.sent[s] = append(o.sent[s], psnSent{p, number})
	}
}

// left checks a frame that leaves to the wire. name is what the error calls a frame of the host.
func (o *psnOrder) left(frame []byte, reads sight, name func(number int) string) error {
	s, p, ok := psnOf(frame, reads)
	if !ok {
		return nil
	}
	same := func(x psnSent) bool { return x.packet == p }
	list, from := o.sent[s], o.next[s]
	if i := slices.IndexFunc(list[from:], same); i >= 0 {
		o.next[s] = from + i + 1
		return nil
	}
	i := slices.IndexFunc(list, same)
	if i < 0 {
		return nil // it never came: the book says so
	}
	return fmt.Errorf("%s, PSN %d of queue pair 0x%06x, leaves behind %s, PSN %d of the same connection, which the host sent later",
		name(list[i].frame), p.psn, s.qp, name(list[from-1].frame), list[from-1].packet.psn)
}
