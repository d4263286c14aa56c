// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

// requester is a host behind the block, and its peer across the wire, as Linux' soft-RoCE behaves: it asks for an
// ACK in the last packet of a message and after 64 packets without one; the peer answers only packets that ask, and
// a gap by one NAK. Both know nothing of the block.
type requester struct {
	t *testing.T
	s *device.Program

	qp, own  uint32         // of the peer and of the host; own 0: qp + 0x100
	psn      uint32         // of the first packet
	packets  int            // of a message
	messages int            // in all
	most     int            // unacknowledged packets
	delay    agenda.Instant // one way
	timer    agenda.Instant // 0: it never runs out

	sent, acked int // packets
	next        int // that the peer expects
	naked       bool
	progress    agenda.Instant // time of the last ACK that acknowledged, or of the first packet after it
	again       int            // packets sent again
	asked       int            // packets that asked for an ACK on the wire
	arrived     int            // packets on the wire
	done        agenda.Instant
}

const mtu = 1024

// number is the host's own queue pair.
func (r *requester) number() uint32 {
	if r.own != 0 {
		return r.own
	}
	return r.qp + 0x100
}

func (r *requester) total() int { return r.packets * r.messages }

// frame returns packet i.
func (r *requester) frame(i int) []byte {
	op := roce.Opcode(0x01) // SEND middle
	switch at := i % r.packets; {
	case r.packets == 1:
		op = opSend
	case at == 0:
		op = 0x00
	case at == r.packets-1:
		op = 0x02
	}
	p := packet(op, here, there, r.qp, r.psn+uint32(i), mtu)
	p.BTH.AckReq = i%r.packets == r.packets-1 || i%r.packets%64 == 63
	return framed(r.t, p)
}

// answer sends an ACK, or a NAK of the packet that the peer expects.
func (r *requester) answer(at agenda.Instant, nak bool) {
	syndrome, psn := uint8(0x1f), r.next-1
	if nak {
		syndrome, psn = 0x60, r.next
	}
	p := packet(roce.Acknowledge, there, here, r.number(), r.psn+uint32(psn), 0)
	p.Headers = []roce.Header{&roce.AETH{Syndrome: syndrome}}
	r.s.Wire(at, framed(r.t, p))
}

// bth returns the transport header of a frame of one of the requester's connections, whose ICRC must be right.
func bth(t *testing.T, frame []byte) *roce.BTH {
	t.Helper()
	if err := roce.Verify(frame); err != nil {
		t.Fatalf("%x: %v", frame, err)
	}
	h, _ := gopacket.NewPacket(frame, layers.LayerTypeEthernet, gopacket.Default).Layer(roce.LayerTypeBTH).(*roce.BTH)
	if h == nil {
		t.Fatalf("%x has no BTH", frame)
	}
	return h
}

// fromWire is a frame at the peer.
func (r *requester) fromWire(l device.Left) {
	h := bth(r.t, l.Data)
	if h.DestQP != r.qp {
		return
	}
	r.arrived++
	if h.AckReq {
		r.asked++
	}
	i := int((h.PSN - r.psn) & roce.Mask24)
	at := l.Gone + 2*r.delay
	switch {
	case i == r.next:
		r.next, r.naked = r.next+1, false
		if h.AckReq {
			r.answer(at, false)
		}
	case i < r.next && h.AckReq: // it has it
		r.answer(at, false)
	case i > r.next && i < r.total() && !r.naked:
		r.naked = true
		r.answer(at, true)
	}
}

// fromNIC is a frame at the host.
func (r *requester) fromNIC(l device.Left) {
	h := bth(r.t, l.Data)
	if h.DestQP != r.number() || h.Opcode != roce.Acknowledge {
		return
	}
	upTo := int((h.PSN-r.psn)&roce.Mask24) + 1
	a := gopacket.NewPacket(l.Data, layers.LayerTypeEthernet, gopacket.Default).Layer(roce.LayerTypeAETH).(*roce.AETH)
	nak := a.Syndrome>>5 == 3
	if nak {
		upTo--
	}
	if upTo > r.total() { // of a queue pair that had the number before
		return
	}
	if upTo > r.acked {
		r.acked, r.progress = upTo, l.Last
	}
	if nak {
		r.back()
	}
	if r.acked == r.total() && r.done == 0 {
		r.done = l.Last
	}
}

// back sends again from the first packet that is not acknowledged.
func (r *requester) back() {
	r.again += r.sent - r.acked
	r.sent = r.acked
}

// give hands packets to the block, as far as the host has some.
func (r *requester) give() {
	if r.timer > 0 && r.sent > r.acked && r.s.Now()-r.progress > r.timer {
		r.back()
		r.progress = r.s.Now()
	}
	if host, _ := r.s.Waiting(); host > 16 {
		return
	}
	for n := 0; n < 16 && r.sent < r.total() && r.sent-r.acked < r.most; n++ {
		if r.sent == r.acked {
			r.progress = r.s.Now()
		}
		r.s.Host(r.s.Now(), r.frame(r.sent))
		r.sent++
	}
}

// talk lets hosts that share a block talk until all have their ACKs, or until an instant. It reports whether they had.
func talk(t *testing.T, until agenda.Instant, hosts ...*requester) bool {
	t.Helper()
	s := hosts[0].s
	for s.Now() < until {
		done := true
		for _, r := range hosts {
			r.give()
			done = done && r.acked == r.total()
		}
		if done {
			return true
		}
		if err := s.Run(t.Context(), s.Now()+agenda.Instant(500_000), func(l device.Left) {
			for _, r := range hosts {
				if l.ToHost {
					r.fromNIC(l)
				} else {
					r.fromWire(l)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	return false
}

// counter reads one of the block's counters.
func counter(t *testing.T, s *device.Program, block, name string) uint64 {
	t.Helper()
	list, err := s.Counters(block)
	if err != nil {
		t.Fatal(err)
	}
	v, ok := list[name]
	if !ok {
		t.Fatalf("%s has no counter %s", block, name)
	}
	return v
}
