// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"
	"fmt"
	"net"
	"slices"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
)

// keyOf is the remote key of a flow's memory, and base where it begins.
func keyOf(flow int) uint32 { return 0x4E470000 | uint32(flow) }

const base = uint64(0x10_0000_0000)

// Counts of a flow.
type Counts struct {
	Packets   uint64 `json:"packets"` // that the requester sent
	Again     uint64 `json:"again"`   // of them, a second time or more
	NAKs      uint64 `json:"naks"`    // that the requester got
	Timeouts  uint64 `json:"timeouts"`
	ACKs      uint64 `json:"acks"`       // that the requester got
	BECN      uint64 `json:"becn"`       // of them, with BECN
	Received  uint64 `json:"received"`   // packets that the responder got
	CE        uint64 `json:"ce"`         // of them, marked
	Duplicate uint64 `json:"duplicates"` // of them, twice
	Early     uint64 `json:"early"`      // of them, ahead of a missing one
	Messages  uint64 `json:"messages"`   // that are complete
	Bytes     uint64 `json:"bytes"`      // of payload, each counted once
}

// flow is the requester and the responder of a connection.
type flow struct {
	*Flow
	r      *run
	number int
	Counts

	// Requester. Positions count packets from the first one.
	next   int64 // is sent next
	high   int64 // behind all that were sent
	una    int64 // the first without ACK
	limit  int64 // behind the last one; -1: until the stop
	sent   []agenda.Instant
	acked  []bool // by position modulo the window, if placed
	resend []int64
	watch  bool // a timeout is on the agenda
	since  agenda.Instant
	begun  []agenda.Instant // messages that are not complete
	id     [2]uint16

	// Responder.
	expect int64
	got    []bool // by position modulo twice the window, if placed
	count  map[int64]int
	first  int64 // message that begun begins with
	nak    bool
	done   []agenda.Instant // duration of each message
	last   agenda.Instant
}

func newFlow(r *run, number int) *flow {
	f := &flow{Flow: &r.sc.Flows[number], r: r, number: number, limit: -1, count: map[int64]int{}}
	if f.Count > 0 {
		f.limit = int64(f.Count) * int64(f.PerMessage())
	}
	f.sent = make([]agenda.Instant, f.Window)
	f.acked = make([]bool, f.Window)
	f.got = make([]bool, f.Window)
	return f
}

// over reports whether everything is sent and acknowledged.
func (f *flow) over(now agenda.Instant) bool {
	return now >= agenda.At(f.Start) && f.una == f.high && !f.more(now)
}

// more reports whether there is a new packet to send.
func (f *flow) more(now agenda.Instant) bool {
	if f.high%int64(f.PerMessage()) != 0 { // a message has begun
		return true
	}
	if f.limit >= 0 {
		return f.high < f.limit
	}
	return now < agenda.At(f.r.sc.Stop)
}

// pump sends what may be sent.
func (f *flow) pump(now agenda.Instant) error {
	for len(f.resend) > 0 {
		at := f.resend[0]
		f.resend = f.resend[1:]
		if at < f.una || f.acked[at%int64(f.Window)] {
			continue
		}
		if err := f.send(at, true, now); err != nil {
			return err
		}
	}
	for f.next-f.una < int64(f.Window) && (f.next < f.high || f.more(now)) {
		again := f.next < f.high
		if !again {
			if f.next%int64(f.PerMessage()) == 0 {
				f.begun = append(f.begun, now)
			}
			f.acked[f.next%int64(f.Window)] = false
			f.high++
		}
		f.next++
		if err := f.send(f.next-1, again, now); err != nil {
			return err
		}
	}
	f.guard(now)
	return nil
}

// send sends the packet of a position.
func (f *flow) send(at int64, again bool, now agenda.Instant) error {
	f.Counts.Packets++
	if again {
		f.Again++
	}
	if f.una == at || f.since == 0 {
		f.since = now
	}
	f.sent[at%int64(f.Window)] = now
	n := int64(f.PerMessage())
	message, i := at/n, at%n
	offset := message*int64(f.Message) + i*int64(f.MTU)
	size := min(f.MTU, f.Message-int(i)*f.MTU)
	p := &roce.Packet{Payload: content(f.r.sc.Seed, f.number, offset, size)}
	first, last := i == 0, i == n-1
	op := roce.SendFirst
	if f.Op == Write {
		op = roce.WriteFirst
	}
	switch {
	case f.Place:
		op, first, last = roce.WriteOnly, true, true
	case first && last:
		op += roce.SendOnly
	case first:
	case last:
		op += roce.SendLast
	default:
		op += roce.SendMiddle
	}
	if f.Op == Write && first {
		length := f.Message
		if f.Place {
			length = size
		}
		p.Headers = []roce.Header{&roce.RETH{VA: base + uint64(offset), RKey: keyOf(f.number), Length: uint32(length)}}
	}
	p.BTH = roce.BTH{Opcode: op, PSN: f.psn(at), AckReq: f.Place || last || at%int64(f.Every) == int64(f.Every)-1 || at+1 == f.una+int64(f.Window)}
	return f.emit(0, p, 2, now)
}

func (f *flow) psn(at int64) uint32 { return (f.FirstPSN + uint32(at)) & roce.Mask24 }

// position returns the position of a PSN near another position.
func (f *flow) position(psn uint32, near int64) int64 {
	d := int64((psn - f.psn(near)) & roce.Mask24)
	if d >= 1<<23 {
		d -= 1 << 24
	}
	return near + d
}

// guard puts a timeout onto the agenda.
func (f *flow) guard(now agenda.Instant) {
	if f.watch || f.una == f.high {
		return
	}
	f.watch = true
	f.r.at(max(now, f.oldest()+agenda.At(f.Timeout)), func(now agenda.Instant) error {
		f.watch = false
		if f.una == f.high {
			return nil
		}
		if !f.Place {
			if now-f.since >= agenda.At(f.Timeout) {
				f.Timeouts++
				f.since, f.next = now, f.una
			}
			return f.pump(now)
		}
		for at := f.una; at < f.high; at++ {
			if k := at % int64(f.Window); !f.acked[k] && now-f.sent[k] >= agenda.At(f.Timeout) {
				f.Timeouts++
				f.resend = append(f.resend, at)
			}
		}
		return f.pump(now)
	})
}

// oldest returns when the oldest unacknowledged packet was sent.
func (f *flow) oldest() agenda.Instant {
	if !f.Place {
		return f.since
	}
	t := f.sent[f.una%int64(f.Window)]
	for at := f.una; at < f.high; at++ {
		if k := at % int64(f.Window); !f.acked[k] {
			t = min(t, f.sent[k])
		}
	}
	return t
}

// answer takes an ACK or NAK.
func (f *flow) answer(p *roce.Packet, now agenda.Instant) error {
	h := roce.Find[roce.AETH](p)
	if h == nil {
		return fmt.Errorf("flow %d: an ACK without AETH", f.number)
	}
	at := f.position(p.BTH.PSN, f.una)
	if p.BTH.BECN {
		f.BECN++
	}
	switch kind, value := h.Kind(); {
	case kind == roce.ACK:
		f.ACKs++
		if at >= f.high {
			return fmt.Errorf("flow %d: an ACK of PSN %d, which was not sent", f.number, p.BTH.PSN)
		}
		if at < f.una {
			return nil
		}
		if !f.Place {
			f.una = at + 1
			f.since = now
			f.next = max(f.next, f.una)
			break
		}
		f.acked[at%int64(f.Window)] = true
		for f.una < f.high && f.acked[f.una%int64(f.Window)] {
			f.una++
		}
	case kind == roce.NAK && value == roce.NAKSequence && !f.Place:
		f.NAKs++
		if at < f.una || at >= f.high {
			return nil
		}
		f.una, f.next, f.since = at, at, now
	default:
		return fmt.Errorf("flow %d: an answer of syndrome 0x%02x", f.number, h.Syndrome)
	}
	return f.pump(now)
}

// request takes a packet of the requester.
func (f *flow) request(p *roce.Packet, ce bool, now agenda.Instant) error {
	at := f.position(p.BTH.PSN, f.expect)
	f.Received++
	if ce {
		f.CE++
	}
	ack := roce.Syndrome(roce.ACK, roce.NoCredits)
	switch {
	case at < f.expect, f.Place && at < f.expect+int64(f.Window) && f.got[at%int64(f.Window)]:
		f.Duplicate++
		if !f.Place {
			at = f.expect - 1
		}
		return f.reply(at, ack, now)
	case at > f.expect && !f.Place:
		f.Early++
		if f.nak {
			return nil
		}
		f.nak = true
		return f.reply(f.expect, roce.Syndrome(roce.NAK, roce.NAKSequence), now)
	case at >= f.expect+int64(f.Window):
		return fmt.Errorf("flow %d: PSN %d is beyond the window", f.number, p.BTH.PSN)
	}
	if at > f.expect {
		f.Early++
	}
	f.nak = false
	if err := f.place(p, at, now); err != nil {
		return fmt.Errorf("flow %d, PSN %d: %w", f.number, p.BTH.PSN, err)
	}
	f.got[at%int64(f.Window)] = true
	for f.got[f.expect%int64(f.Window)] {
		f.got[f.expect%int64(f.Window)] = false
		f.expect++
	}
	if !p.BTH.AckReq {
		return nil
	}
	return f.reply(at, ack, now)
}

// place compares a packet's payload with the payload sent, and completes messages.
func (f *flow) place(p *roce.Packet, at int64, now agenda.Instant) error {
	n := int64(f.PerMessage())
	message, i := at/n, at%n
	offset := message*int64(f.Message) + i*int64(f.MTU)
	if h := roce.Find[roce.RETH](p); h != nil && (h.VA != base+uint64(offset) || h.RKey != keyOf(f.number)) {
		return fmt.Errorf("address 0x%x, key 0x%x: want 0x%x, 0x%x", h.VA, h.RKey, base+uint64(offset), keyOf(f.number))
	}
	want := content(f.r.sc.Seed, f.number, offset, min(f.MTU, f.Message-int(i)*f.MTU))
	if !slices.Equal(p.Payload, want) {
		return fmt.Errorf("%d bytes of payload are not those that were sent", len(p.Payload))
	}
	f.Bytes += uint64(len(want))
	f.last = now
	if f.count[message]++; f.count[message] == int(n) {
		delete(f.count, message)
		f.Messages++
		f.done = append(f.done, now-f.begun[message])
	}
	return nil
}

func (f *flow) reply(at int64, syndrome uint8, now agenda.Instant) error {
	p := &roce.Packet{Headers: []roce.Header{&roce.AETH{Syndrome: syndrome, MSN: uint32(f.Messages) & roce.Mask24}}}
	p.BTH = roce.BTH{Opcode: roce.Acknowledge, PSN: f.psn(at)}
	return f.emit(1, p, 0, now)
}

// emit gives a packet to a host's NIC.
func (f *flow) emit(host int, p *roce.Packet, ecn uint8, now agenda.Instant) error {
	src, dst := f.Address(host), f.Address(1-host)
	p.BTH.PKey, p.BTH.DestQP = 0xFFFF, QP(f.number, 1-host)
	p.UDP = layers.UDP{SrcPort: layers.UDPPort(0xC000 | (0x1021*(f.number+1)+0x2000*host)&0x3FFF), DstPort: roce.Port}
	p.Ethernet = layers.Ethernet{SrcMAC: MAC(host), DstMAC: MAC(1 - host), EthernetType: layers.EthernetTypeIPv4}
	f.id[host]++
	if f.IPv6 {
		p.Ethernet.EthernetType = layers.EthernetTypeIPv6
		p.IPv6 = &layers.IPv6{Version: 6, TrafficClass: 26<<2 | ecn, FlowLabel: uint32(0x2357*(f.number+1)) & 0xFFFFF, NextHeader: layers.IPProtocolUDP, HopLimit: 64,
			SrcIP: src.AsSlice(), DstIP: dst.AsSlice()}
	} else {
		p.IPv4 = &layers.IPv4{Version: 4, TOS: 26<<2 | ecn, Id: f.id[host], Flags: layers.IPv4DontFragment, TTL: 64, Protocol: layers.IPProtocolUDP,
			SrcIP: src.AsSlice(), DstIP: dst.AsSlice()}
	}
	frame, err := p.Append(nil)
	if err != nil {
		return err
	}
	f.r.fromHost(host, now, frame)
	return nil
}

// MAC is a host's Ethernet address.
func MAC(host int) net.HardwareAddr { return net.HardwareAddr{0x02, 0x4E, 0x47, 0, 0, byte(host + 1)} }

// content is a flow's bytes from an offset on.
func content(seed uint64, flow int, offset int64, n int) []byte {
	out := make([]byte, 0, n+16)
	for word := offset &^ 7; len(out) < n+int(offset&7); word += 8 {
		x := (seed+uint64(flow)<<40+uint64(word))*0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03
		x ^= x >> 29
		x *= 0xBF58476D1CE4E5B9
		out = binary.LittleEndian.AppendUint64(out, x^x>>32)
	}
	return out[offset&7:][:n]
}
