// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"encoding/binary"
	"slices"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
)

// Class is the class in which a parser should put a crafted packet.
type Class uint8

// Classes.
const (
	Bypass    Class = iota // not RoCEv2 as far as a parser goes: leave it alone
	Truncated              // the frame ends before the headers do
	Malformed              // lengths disagree
	RoCE                   // RoCEv2, regardless of other mistakes
)

// String returns the class in words.
func (c Class) String() string {
	return [...]string{"bypass", "truncated", "malformed", "RoCEv2"}[c]
}

// crafter makes a crafted packet from a well-formed one.
type crafter struct {
	s    *sim
	c    *conn
	from int
}

// Cases returns the names of the crafted packets, each with its class.
func Cases() map[string]Class {
	all := map[string]Class{}
	for _, c := range cases {
		all[c.name] = c.class
	}
	return all
}

// on restricts a case to IPv4 or IPv6.
var cases = []struct {
	name  string
	class Class
	on    Versions
	make  func(*crafter) []byte
}{
	{"cut within the IP header", Truncated, BothIP, func(g *crafter) []byte {
		return g.send(64)[:14+g.s.rng.IntN(28)]
	}},
	{"cut within the BTH", Truncated, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		return f[:at(f).L4+8+g.s.rng.IntN(12)]
	}},
	{"cut within the AETH", Truncated, BothIP, func(g *crafter) []byte {
		f := g.ack(g.s.rng.Uint32())
		return f[:at(f).L4+20+g.s.rng.IntN(4)]
	}},
	{"IP length does not match UDP", Malformed, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		put16(f[at(f).L4+4:], uint16(72+4*g.s.rng.IntN(4)))
		return f
	}},
	{"length is no multiple of 4", Malformed, BothIP, func(g *crafter) []byte {
		return lengths(g.send(64), -1-g.s.rng.IntN(3))
	}},
	{"length leaves no room for the ICRC", Malformed, BothIP, func(g *crafter) []byte {
		return lengths(g.send(64), -68)
	}},
	{"length leaves no room for the AETH", Malformed, BothIP, func(g *crafter) []byte {
		return lengths(g.ack(g.s.rng.Uint32()), -4)
	}},
	{"frame ends within the packet", RoCE, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		return f[:len(f)-1-g.s.rng.IntN(60)]
	}},
	{"padding behind the ICRC", RoCE, BothIP, func(g *crafter) []byte {
		return append(g.send(64), make([]byte, 1+g.s.rng.IntN(100))...)
	}},
	{"58 bytes in 60", RoCE, OnlyIPv4, func(g *crafter) []byte { return g.untagged(0) }},
	{"58 bytes", RoCE, OnlyIPv4, func(g *crafter) []byte { return g.untagged(0)[:58] }},
	{"IPv4 fragment, the first", Bypass, OnlyIPv4, func(g *crafter) []byte {
		return g.ipv4(func(h []byte) { put16(h[6:], 0x2000) })
	}},
	{"IPv4 fragment, a later one", Bypass, OnlyIPv4, func(g *crafter) []byte {
		return g.ipv4(func(h []byte) { put16(h[6:], uint16(1+g.s.rng.IntN(0x1FFF))) })
	}},
	{"IPv4 with options", Bypass, OnlyIPv4, func(g *crafter) []byte {
		f := g.send(64)
		p := at(f)
		f = slices.Insert(f, p.L4, 1, 1, 1, 0) // no operation, three times; end
		f[p.L3] = 0x46
		put16(f[p.L3+2:], uint16(len(f)-p.L3))
		sumIPv4(f[p.L3 : p.L3+24])
		return f
	}},
	{"IPv6 with a hop-by-hop header", Bypass, OnlyIPv6, func(g *crafter) []byte {
		f := g.send(64)
		p := at(f)
		f = slices.Insert(f, p.L4, 17, 0, 1, 4, 0, 0, 0, 0) // PadN of 4
		f[p.L3+6] = 0
		put16(f[p.L3+4:], uint16(len(f)-p.L4))
		return f
	}},
	{"three tags", Bypass, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		for at(f).Tags < 2 {
			f = slices.Insert(f, 12, 0x81, 0, 0, 7)
		}
		return slices.Insert(f, 12, 0x88, 0xA8, 0, 9)
	}},
	{"a tag of type 0x9100", Bypass, BothIP, func(g *crafter) []byte {
		return slices.Insert(g.send(64), 12, 0x91, 0, 0, 9)
	}},
	{"802.3 length", Bypass, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		put16(f[12:], uint16(len(f)-14))
		return f
	}},
	{"EtherType of the other IP version", Bypass, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		p := at(f)
		put16(f[p.L3-2:], 0x0800^0x86DD^get16(f[p.L3-2:]))
		return f
	}},
	{"another UDP port", Bypass, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		put16(f[at(f).L4+2:], 4790)
		return f
	}},
	{"an opcode that is not known", Bypass, BothIP, func(g *crafter) []byte {
		return g.header(func(h *roce.BTH) {
			h.Opcode = []roce.Opcode{0x40, 0x44, 0x5F, 0x60, 0x66, 0x80, 0xC4, 0xE0}[g.s.rng.IntN(8)] // of no connection
		})
	}},
	{"wrong IPv4 checksum", RoCE, OnlyIPv4, func(g *crafter) []byte {
		f := g.send(64)
		f[at(f).L3+10+g.s.rng.IntN(2)] ^= byte(1 + g.s.rng.IntN(255))
		return f
	}},
	{"UDP checksum", RoCE, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		p := at(f)
		put16(f[p.L4+6:], sumUDP(f, p))
		return f
	}},
	{"wrong UDP checksum", RoCE, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		p := at(f)
		put16(f[p.L4+6:], sumUDP(f, p)^1)
		return f
	}},
	{"wrong ICRC", RoCE, BothIP, func(g *crafter) []byte {
		f := g.send(64)
		f[at(f).ICRC+g.s.rng.IntN(4)] ^= byte(1 + g.s.rng.IntN(255))
		return f
	}},
	{"9,214 bytes", RoCE, BothIP, func(g *crafter) []byte { return g.jumbo(0) }},
	{"above 9,214 bytes", Bypass, BothIP, func(g *crafter) []byte { return g.jumbo(4) }},
	{"ACK of a PSN that was never sent", RoCE, BothIP, func(g *crafter) []byte {
		f := g.c.flows[1-g.from]
		return g.ack(f.c.Sides[f.side].FirstPSN + uint32(f.high) + 1<<20)
	}},
	{"ACK of an old PSN", RoCE, BothIP, func(g *crafter) []byte {
		f := g.c.flows[1-g.from]
		return g.ack(f.c.Sides[f.side].FirstPSN + uint32(f.una) - 1<<20)
	}},
	{"ACK with an entropy that is not in use", RoCE, BothIP, func(g *crafter) []byte {
		f := g.ack(g.s.rng.Uint32())
		put16(f[at(f).L4:], 0x8000|uint16(g.s.rng.IntN(0x4000)))
		return sealed(f)
	}},
	{"version 1 in the BTH", RoCE, BothIP, func(g *crafter) []byte {
		return g.header(func(h *roce.BTH) { h.Version = 1 })
	}},
	{"another P_Key", RoCE, BothIP, func(g *crafter) []byte {
		return g.header(func(h *roce.BTH) { h.PKey = 0x1234 })
	}},
	{"a queue pair of no connection", RoCE, BothIP, func(g *crafter) []byte {
		return g.header(func(h *roce.BTH) { h.DestQP = 0xFFFFFE })
	}},
	{"feedback", RoCE, BothIP, func(g *crafter) []byte {
		b := &roce.FeedbackBody{CE: uint16(g.s.rng.IntN(4)), Flags: roce.FeedbackDuplicate}
		for range 1 + g.s.rng.IntN(16) {
			b.EVs = append(b.EVs, 0xC000|uint16(g.s.rng.IntN(0x4000)))
		}
		return g.frame(&roce.Packet{BTH: roce.BTH{Opcode: roce.Feedback, PSN: g.s.rng.Uint32() & roce.Mask24}, Headers: []roce.Header{b}})
	}},
}

// crafted puts one of the cases onto the wire.
func (s *sim) crafted() {
	for {
		c := &cases[s.rng.IntN(len(cases))]
		g := &crafter{s: s, c: s.conns[s.rng.IntN(len(s.conns))], from: s.rng.IntN(2)}
		v6 := g.c.Sides[local].IP.Is6()
		if c.on == OnlyIPv4 && v6 || c.on == OnlyIPv6 && !v6 {
			continue // every version has cases
		}
		f := Frame{Kind: Crafted, Conn: g.c.number, What: c.name, Class: c.class}
		f.Data = c.make(g)
		s.send(g.from, f, nil)
		return
	}
}

func (g *crafter) frame(p *roce.Packet) []byte {
	f, err := g.c.frame(g.from, p)
	if err != nil {
		panic(err) // a case asks for an impossible frame
	}
	return f
}

// send returns a SEND only with a number of bytes.
func (g *crafter) send(n int) []byte {
	p := &roce.Packet{Payload: make([]byte, n)}
	p.BTH = roce.BTH{Opcode: roce.SendOnly, AckReq: true, PSN: g.s.rng.Uint32() & roce.Mask24}
	for i := range p.Payload {
		p.Payload[i] = byte(g.s.rng.Uint32())
	}
	return g.frame(p)
}

// untagged returns the same without tags.
func (g *crafter) untagged(n int) []byte {
	c := *g.c
	c.Tags = nil
	g.c = &c
	return g.send(n)
}

// jumbo returns a SEND of 9,214 bytes without tags, and some more.
func (g *crafter) jumbo(more int) []byte {
	head := 20
	if g.c.Sides[local].IP.Is6() {
		head = 40
	}
	return g.send(9214 - 14 - head - 8 - roce.BTHBytes - roce.ICRCBytes + more)
}

func (g *crafter) ack(psn uint32) []byte {
	return g.frame(&roce.Packet{
		BTH:     roce.BTH{Opcode: roce.Acknowledge, PSN: psn & roce.Mask24},
		Headers: []roce.Header{&roce.AETH{Syndrome: roce.Syndrome(roce.ACK, g.c.Credits), MSN: g.s.rng.Uint32() & roce.Mask24}},
	})
}

// header returns a SEND with another BTH.
func (g *crafter) header(change func(*roce.BTH)) []byte {
	f := g.send(64)
	p, err := roce.Parse(f)
	if err != nil {
		panic(err)
	}
	h := p.BTH
	change(&h)
	b := gopacket.NewSerializeBuffer()
	if err := h.SerializeTo(b, gopacket.SerializeOptions{}); err != nil {
		panic(err)
	}
	copy(f[at(f).L4+8:], b.Bytes()[:roce.BTHBytes])
	return sealed(f)
}

// ipv4 returns a SEND with another IPv4 header.
func (g *crafter) ipv4(change func(h []byte)) []byte {
	f := g.send(64)
	h := f[at(f).L3:][:20]
	change(h)
	sumIPv4(h)
	return f
}

// lengths changes the lengths of IP and UDP.
func lengths(f []byte, by int) []byte {
	p := at(f)
	add := func(b []byte) { put16(b, uint16(int(get16(b))+by)) }
	add(f[p.L4+4:])
	if p.V6 {
		add(f[p.L3+4:])
	} else {
		add(f[p.L3+2:])
		sumIPv4(f[p.L3:p.L4])
	}
	return f
}

func sealed(f []byte) []byte {
	if err := roce.Seal(f); err != nil {
		panic(err)
	}
	return f
}

func at(f []byte) roce.Place {
	p, err := roce.Locate(f)
	if err != nil {
		panic(err)
	}
	return p
}

// sumUDP returns the checksum that a UDP packet should have.
func sumUDP(f []byte, p roce.Place) uint16 {
	sum := uint32(0)
	add := func(b []byte) {
		for i, v := range b {
			sum += uint32(v) << (8 * (1 - i%2))
		}
	}
	if p.V6 {
		add(f[p.L3+8 : p.L3+40])
	} else {
		add(f[p.L3+12 : p.L3+20])
	}
	udp := f[p.L4 : p.ICRC+roce.ICRCBytes]
	add([]byte{0, byte(layers.IPProtocolUDP)})
	add(udp[4:6])
	add(udp[:6])
	add(udp[8:])
	for sum>>16 != 0 {
		sum = sum&0xFFFF + sum>>16
	}
	if c := ^uint16(sum); c != 0 {
		return c
	}
	return 0xFFFF
}

func get16(b []byte) uint16    { return binary.BigEndian.Uint16(b) }
func put16(b []byte, v uint16) { binary.BigEndian.PutUint16(b, v) }
