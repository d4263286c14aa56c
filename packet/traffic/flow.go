// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"math/rand/v2"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
)

// flow is one direction of a connection: the requester on one side and its
// responder on the other. Positions count packets from the flow's first one; PSN =
// first PSN + position.
type flow struct {
	s    *sim
	c    *conn
	side int // the requester's

	// requester
	messages []*message // all, in order
	open     int        // the first one that is not finished
	end      int64      // the next new message's position
	send     int64      // the next PSN to send
	high     int64      // after everything sent
	una      int64      // the first that is not acknowledged
	reads    int        // READs and atomics without all of their answers
	waiting  bool       // a step is on the agenda
	until    int64      // nothing before: RNR
	watched  bool       // a timeout is on the agenda
	progress int64      // when una grew, or all was sent again
	back     int64      // PSN to which the flow went back last, and the time
	backAt   int64

	// responder
	expect  int64
	msn     uint32
	nak     bool // a NAK for expect was sent
	rnr     bool // an RNR NAK for expect
	owed    int  // packets that requested an ACK since the last one
	owedSet bool // its timer is on the agenda
	cnp     int64
}

// message is a request.
type message struct {
	op       roce.Opcode // SendOnly, WriteOnly, ReadRequest, CompareSwap, FetchAdd
	imm, inv bool
	at       int64 // first position
	n        int64 // positions
	length   int
	va       uint64
	key      uint32
	data     uint32 // immediate
	original uint64 // the value that an atomic finds
	got      int64  // answers up to this position have come
}

func (m *message) answered() bool { return m.op >= roce.ReadRequest }

// packet is a packet on its way.
type packet struct {
	op       roce.Opcode // operation
	at       int64
	n        int64 // positions that it takes
	m        *message
	ack      bool // requested
	syndrome uint8
	msn      uint32
}

// kick has the requester take a step soon.
func (f *flow) kick(in int64) {
	if f.waiting {
		return
	}
	f.waiting = true
	f.s.at(max(f.s.now+in, f.until), func() { f.waiting = false; f.step() })
}

// step sends a packet, if there is one to send.
func (f *flow) step() {
	s := f.s
	if s.now < f.until {
		f.kick(0)
		return
	}
	if f.send == f.end {
		if !s.more() {
			return
		}
		f.draw()
	}
	m := f.find(f.send)
	if f.c.Service == roce.RC {
		if f.send-f.una >= windowPSNs || f.send >= f.high && f.send == m.at && m.answered() && f.reads >= 4 {
			return // an ACK is passed on
		}
	}
	p := f.request(m, f.send)
	if f.send >= f.high && m.answered() && f.send == m.at {
		f.reads++
	}
	if f.una == f.high {
		f.progress = s.now
	}
	f.send += p.n
	f.high = max(f.high, f.send)
	left := f.transmit(f.side, p, f.arrived)
	f.watch()
	gap := int64(0)
	if s.Gap > 0 {
		gap = int64(s.rng.ExpFloat64() * float64(s.Gap.Nanoseconds()*nanosecond))
	} else if m.at+m.n == f.send && s.rng.IntN(4) == 0 {
		gap = s.rng.Int64N(5 * microsecond)
	}
	f.kick(left - s.now + gap)
}

// draw makes a new message.
func (f *flow) draw() {
	r, mtu := f.s.rng, f.c.MTU
	m := &message{at: f.end, op: roce.SendOnly, va: r.Uint64(), key: r.Uint32(), data: r.Uint32(), original: r.Uint64()}
	switch r.IntN(5) {
	case 0: // any short one, also of 0 bytes
		m.length = r.IntN(min(64, mtu))
	case 1: // whole packets
		m.length = mtu * (1 + r.IntN(4))
	case 2:
		m.length = r.IntN(mtu + 1)
	default:
		m.length = r.IntN(8 * mtu)
	}
	kinds := []roce.Opcode{roce.SendOnly, roce.WriteOnly, roce.WriteOnly, roce.ReadRequest, roce.CompareSwap, roce.FetchAdd}
	switch f.c.Service {
	case roce.UD:
		m.length, kinds = m.length%(mtu+1), kinds[:1]
	case roce.UC:
		kinds = kinds[:2]
	}
	m.op = kinds[r.IntN(len(kinds))]
	m.n = max(1, int64((m.length+mtu-1)/mtu))
	if m.op >= roce.CompareSwap {
		m.length, m.n, m.va = 8, 1, m.va&^7
	}
	m.got = m.at
	switch r.IntN(3) {
	case 0:
		m.imm = !m.answered()
	case 1:
		m.inv = m.op == roce.SendOnly && f.c.Service == roce.RC
	}
	f.messages = append(f.messages, m)
	f.end += m.n
}

// find returns the message at a position that is not finished, or later.
func (f *flow) find(at int64) *message {
	for i := f.open; ; i++ {
		if m := f.messages[i]; at < m.at+m.n {
			return m
		}
	}
}

// request returns a message's packet at a position; of a READ, the rest of it.
func (f *flow) request(m *message, at int64) *packet {
	p := &packet{m: m, at: at, n: 1, op: m.op}
	first, last := at == m.at, at == m.at+m.n-1
	switch {
	case m.op == roce.ReadRequest:
		p.n, p.ack = m.at+m.n-at, true
	case m.answered():
		p.ack = true
	default:
		base := roce.SendFirst
		if m.op == roce.WriteOnly {
			base = roce.WriteFirst
		}
		switch {
		case last && m.inv && first:
			p.op = roce.SendOnlyInv
		case last && m.inv:
			p.op = roce.SendLastInv
		case first && last:
			p.op = base + roce.SendOnly
		case first:
			p.op = base
		case last:
			p.op = base + roce.SendLast
		default:
			p.op = base + roce.SendMiddle
		}
		if last && m.imm {
			p.op++
		}
		// Retransmitted requests ask for an ACK too.
		p.ack = f.c.Service == roce.RC && (last || at%16 == 15)
	}
	return p
}

// watch goes back when nothing comes.
func (f *flow) watch() {
	if f.c.Service != roce.RC || f.watched || f.una >= f.high {
		return
	}
	f.watched = true
	f.s.at(max(f.s.now, f.progress+timeout), func() {
		f.watched = false
		if f.una < f.high && f.s.now-f.progress >= timeout {
			f.goBack(f.una)
		}
		f.watch()
	})
}

// goBack sends again from a position on.
func (f *flow) goBack(at int64) {
	if at == f.back && f.backAt > 0 && f.s.now-f.backAt < backAgain {
		return
	}
	f.back, f.backAt, f.progress = at, f.s.now, f.s.now
	f.send = min(f.send, at)
	f.kick(0)
}

// acknowledge marks all positions before at as done. If an answer should have come by then, it is
// requested again, and the result is false.
func (f *flow) acknowledge(at int64) bool {
	whole := true
	for f.open < len(f.messages) {
		m := f.messages[f.open]
		if m.answered() && m.got < m.at+m.n {
			if whole = m.got >= at; !whole {
				at = m.got
			}
			break
		}
		if m.at+m.n > at {
			break
		}
		f.open++
		if m.answered() {
			f.reads--
		}
	}
	if at > f.una {
		f.una, f.progress = at, f.s.now
	}
	f.send = max(f.send, f.una)
	if !whole {
		f.goBack(at)
	}
	f.kick(0)
	return whole
}

// answer handles an answer at the requester.
func (f *flow) answer(p *packet) {
	switch {
	case p.op == roce.Acknowledge:
		switch kind, value := (&roce.AETH{Syndrome: p.syndrome}).Kind(); {
		case kind == roce.ACK:
			if p.at >= f.una && p.at < f.high {
				f.acknowledge(p.at + 1)
			}
		case p.at < f.una || p.at >= f.high: // of the past
		case f.acknowledge(p.at):
			if kind == roce.RNR {
				f.until, f.backAt = f.s.now+rnrTime[value], 0
			}
			f.goBack(p.at)
		}
	case p.at < p.m.got: // once more
	case !f.acknowledge(p.m.at):
	case p.at > p.m.got:
		f.goBack(p.m.got)
	default:
		p.m.got++
		f.acknowledge(p.m.got)
	}
}

// rnrTime are the times of an RNR NAK's codes that are used.
var rnrTime = map[uint8]int64{1: 10 * microsecond, 2: 20 * microsecond, 3: 30 * microsecond, 4: 40 * microsecond}

// arrived handles a request at the responder.
func (f *flow) arrived(p *packet) {
	if f.c.Service != roce.RC {
		return
	}
	switch {
	case p.at < f.expect:
		switch {
		case p.m.answered():
			f.respond(p)
		default:
			f.reply(&packet{op: roce.Acknowledge, at: f.expect - 1, syndrome: roce.Syndrome(roce.ACK, f.c.Credits)})
		}
		return
	case p.at > f.expect:
		if !f.nak && !f.rnr {
			f.nak = true
			f.reply(&packet{op: roce.Acknowledge, at: f.expect, syndrome: roce.Syndrome(roce.NAK, roce.NAKSequence)})
		}
		return
	}
	first, last := p.at == p.m.at, p.at+p.n == p.m.at+p.m.n
	if p.m.op == roce.SendOnly && first || p.m.op == roce.WriteOnly && p.m.imm && last {
		if f.s.chance(f.s.RNR) {
			f.nak, f.rnr = false, true
			f.reply(&packet{op: roce.Acknowledge, at: f.expect, syndrome: roce.Syndrome(roce.RNR, uint8(1+f.s.rng.IntN(len(rnrTime))))})
			return
		}
	}
	f.nak, f.rnr = false, false
	f.expect += p.n
	if last {
		f.msn++
	}
	switch {
	case p.m.answered():
		f.respond(p)
	case p.ack:
		f.owed++
		if f.owed >= f.c.Every {
			f.pay()
		} else if !f.owedSet {
			f.owedSet = true
			f.s.at(f.s.now+ackDelay, func() { f.owedSet = false; f.pay() })
		}
	}
}

// pay sends the ACK that is owed.
func (f *flow) pay() {
	if f.owed > 0 {
		f.reply(&packet{op: roce.Acknowledge, at: f.expect - 1, syndrome: roce.Syndrome(roce.ACK, f.c.Credits)})
	}
}

// respond answers a READ from where it is requested, or an atomic.
func (f *flow) respond(p *packet) {
	ack := roce.Syndrome(roce.ACK, f.c.Credits)
	if p.m.op != roce.ReadRequest {
		f.reply(&packet{op: roce.AtomicAck, at: p.at, m: p.m, syndrome: ack})
		return
	}
	for i := range p.n {
		op := roce.ResponseMiddle
		switch {
		case p.n == 1:
			op = roce.ResponseOnly
		case i == 0:
			op = roce.ResponseFirst
		case i == p.n-1:
			op = roce.ResponseLast
		}
		f.reply(&packet{op: op, at: p.at + i, m: p.m, syndrome: ack})
	}
}

func (f *flow) reply(p *packet) {
	f.owed = 0
	p.msn = f.msn & roce.Mask24
	f.transmit(1-f.side, p, f.answer)
}

// transmit sends a packet from a side.
func (f *flow) transmit(from int, p *packet, arrive func(*packet)) int64 {
	data, err := f.c.frame(from, f.build(p))
	if err != nil {
		f.s.err = err
		return f.s.now
	}
	frame := Frame{Kind: Conversation, Conn: f.c.number, What: (f.c.Service | p.op).String()}
	frame.Data = data
	return f.s.send(from, frame, func(marked bool) {
		if marked {
			f.notify(1 - from)
		}
		arrive(p)
	})
}

// notify sends a CNP from a side, which has seen a marked packet.
func (f *flow) notify(from int) {
	if f.s.now-f.cnp < cnpEvery || f.c.Service == roce.UD {
		return
	}
	f.cnp = f.s.now
	p := &roce.Packet{Headers: []roce.Header{&roce.CNPBody{}}}
	p.BTH = roce.BTH{Opcode: roce.CNP, BECN: true}
	data, err := f.c.frame(from, p)
	if err != nil {
		f.s.err = err
		return
	}
	frame := Frame{Kind: Conversation, Conn: f.c.number, What: roce.CNP.String()}
	frame.Data = data
	f.s.send(from, frame, func(bool) {})
}

// build returns a packet's BTH, headers and payload.
func (f *flow) build(p *packet) *roce.Packet {
	m, mtu := p.m, f.c.MTU
	out := &roce.Packet{BTH: roce.BTH{
		Opcode: f.c.Service | p.op,
		AckReq: p.ack,
		PSN:    (f.c.Sides[f.side].FirstPSN + uint32(p.at)) & roce.Mask24,
	}}
	offset := 0
	if m != nil {
		offset = int(p.at-m.at) * mtu
		out.BTH.Solicited = out.BTH.Opcode.Ends() && m.imm
	}
	for _, l := range out.BTH.Opcode.Headers() {
		var h roce.Header
		switch l {
		case roce.LayerTypeDETH:
			h = &roce.DETH{QKey: f.c.QKey, SrcQP: f.c.Sides[f.side].QP}
		case roce.LayerTypeRETH:
			h = &roce.RETH{VA: m.va + uint64(offset), RKey: m.key, Length: uint32(m.length - offset)}
		case roce.LayerTypeAtomicETH:
			a := &roce.AtomicETH{VA: m.va, RKey: m.key, SwapAdd: uint64(m.data)}
			if m.op == roce.CompareSwap {
				a.Compare = m.original
			}
			h = a
		case roce.LayerTypeAETH:
			h = &roce.AETH{Syndrome: p.syndrome, MSN: p.msn}
		case roce.LayerTypeAtomicAckETH:
			h = &roce.AtomicAckETH{Original: m.original}
		case roce.LayerTypeIETH:
			h = &roce.IETH{RKey: m.key}
		case roce.LayerTypeImmDt:
			h = &roce.ImmDt{Data: m.data}
		}
		out.Headers = append(out.Headers, h)
	}
	if m != nil && (m.op <= roce.WriteOnly || m.op == roce.ReadRequest && p.op != roce.ReadRequest) {
		out.Payload = make([]byte, min(mtu, m.length-offset))
		r := rand.NewPCG(f.s.Seed, uint64(f.c.number)<<33|uint64(f.side)<<32|uint64(p.at))
		for i := 0; i < len(out.Payload); i += 8 {
			v := r.Uint64()
			for j := i; j < min(i+8, len(out.Payload)); j++ {
				out.Payload[j] = byte(v >> (8 * (j - i)))
			}
		}
	}
	return out
}

// frame returns a packet's frame, from a side to the other one.
func (c *conn) frame(from int, p *roce.Packet) ([]byte, error) {
	c.address(from, p)
	return p.Append(nil)
}

// address fills in the headers below the BTH, and the BTH's queue pair.
func (c *conn) address(from int, p *roce.Packet) {
	src, dst := &c.Sides[from], &c.Sides[1-from]
	p.BTH.DestQP, p.BTH.PKey, p.BTH.MigReq = dst.QP, 0xFFFF, true
	p.UDP = layers.UDP{SrcPort: layers.UDPPort(src.Port), DstPort: roce.Port}
	class := uint8(26<<2 | 2) // AF31, ECT(0)
	if p.BTH.Opcode == roce.CNP {
		class = 48 << 2
	}
	next := layers.EthernetTypeIPv4
	if src.IP.Is6() {
		next = layers.EthernetTypeIPv6
		p.IPv6 = &layers.IPv6{Version: 6, TrafficClass: class, FlowLabel: src.Flow, NextHeader: layers.IPProtocolUDP, HopLimit: 64,
			SrcIP: src.IP.AsSlice(), DstIP: dst.IP.AsSlice()}
	} else {
		c.id++
		p.IPv4 = &layers.IPv4{Version: 4, TOS: class, Id: c.id, Flags: layers.IPv4DontFragment, TTL: 64, Protocol: layers.IPProtocolUDP,
			SrcIP: src.IP.AsSlice(), DstIP: dst.IP.AsSlice()}
	}
	p.Ethernet = layers.Ethernet{SrcMAC: src.MAC, DstMAC: dst.MAC, EthernetType: next}
	p.Tags = nil
	for i := len(c.Tags) - 1; i >= 0; i-- {
		p.Tags = append([]layers.Dot1Q{{VLANIdentifier: c.Tags[i] & 0xFFF, Priority: uint8(c.Tags[i] >> 13), Type: p.Ethernet.EthernetType}}, p.Tags...)
		p.Ethernet.EthernetType = layers.EthernetTypeDot1Q
		if len(c.Tags) == 2 && i == 0 {
			p.Ethernet.EthernetType = layers.EthernetTypeQinQ
		}
	}
}

// mark sets CE in a frame whose packet is ECN-capable.
func mark(frame []byte) {
	p, err := roce.Locate(frame)
	if err != nil {
		return
	}
	if p.V6 {
		if frame[p.L3+1]>>4&3 != 0 {
			frame[p.L3+1] |= 0x30
		}
		return
	}
	if frame[p.L3+1]&3 == 0 || frame[p.L3+1]&3 == 3 {
		return
	}
	frame[p.L3+1] |= 3
	sumIPv4(frame[p.L3 : p.L3+20])
}

// sumIPv4 writes the checksum of an IPv4 header.
func sumIPv4(h []byte) {
	h[10], h[11] = 0, 0
	sum := uint32(0)
	for i := 0; i < len(h); i += 2 {
		sum += uint32(h[i])<<8 | uint32(h[i+1])
	}
	for sum>>16 != 0 {
		sum = sum&0xFFFF + sum>>16
	}
	h[10], h[11] = byte(^sum>>8), byte(^sum)
}
