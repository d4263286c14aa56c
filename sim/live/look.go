// SPDX-License-Identifier: Apache-2.0

package live

import (
	"net/netip"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/transit"
	"github.com/nicgen/nicgen/sim/replay"
)

// Kind is a frame's kind in the counts.
type Kind string

// Kinds.
const (
	Request  Kind = "request"  // of RC, UC or UD, also READ and atomic requests
	Response Kind = "response" // READ responses and atomic ACKs
	ACK      Kind = "ack"
	NAK      Kind = "nak"
	RNR      Kind = "rnr"
	CNP      Kind = "cnp"
	Made     Kind = "made" // by a block itself: probes, their answers, lists of feedback
	Manage   Kind = "mad"  // of queue pair 1: RDMA-CM
	Other    Kind = "other"
)

// Kinds are all of them, in the order of reports.
var Kinds = []Kind{Request, Response, ACK, NAK, RNR, CNP, Made, Manage, Other}

// look holds the fields of a frame that the middle reads, by gopacket's layers.
type look struct {
	kind     Kind
	roce     bool
	made     bool
	packet   *roce.Packet // nil: none of RoCEv2
	src, dst netip.Addr
	qp, psn  uint32
	entropy  uint32 // source port and flow label, added
}

// read looks at a frame, through a shim if there is one.
func read(frame []byte) *look {
	l := &look{kind: Other}
	if own, _ := transit.Own(frame); own {
		l.kind, l.made = Made, true
	}
	bare, _ := replay.Strip(frame)
	p, err := roce.Parse(bare)
	if err != nil {
		return l
	}
	l.packet, l.roce = p, true
	l.src, l.dst = addresses(p)
	l.qp, l.psn = p.BTH.DestQP, p.BTH.PSN
	l.entropy = uint32(p.UDP.SrcPort)
	if p.IPv6 != nil {
		l.entropy += p.IPv6.FlowLabel
	}
	if l.made {
		return l
	}
	switch op := p.BTH.Opcode; {
	case op == roce.CNP:
		l.kind = CNP
	case l.qp == 1:
		l.kind = Manage
	case op.Operation() == roce.Acknowledge:
		l.kind = ACK
		if h := roce.Find[roce.AETH](p); h != nil {
			switch k, _ := h.Kind(); k {
			case roce.NAK:
				l.kind = NAK
			case roce.RNR:
				l.kind = RNR
			}
		}
	case op.Operation() >= roce.ResponseFirst && op.Operation() <= roce.AtomicAck:
		l.kind = Response
	case op.Known():
		l.kind = Request
	}
	return l
}

// addresses returns the addresses of a packet.
func addresses(p *roce.Packet) (src, dst netip.Addr) {
	if p.IPv4 != nil {
		src, _ = netip.AddrFromSlice(p.IPv4.SrcIP)
		dst, _ = netip.AddrFromSlice(p.IPv4.DstIP)
	} else {
		src, _ = netip.AddrFromSlice(p.IPv6.SrcIP)
		dst, _ = netip.AddrFromSlice(p.IPv6.DstIP)
	}
	return src.Unmap(), dst.Unmap()
}
