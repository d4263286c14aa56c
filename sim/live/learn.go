// SPDX-License-Identifier: Apache-2.0

package live

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net"
	"net/netip"
	"regexp"
	"slices"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
)

// Party is one end of a connection, as the hosts tell each other.
type Party struct {
	Side int              `json:"side"`
	Addr netip.Addr       `json:"addr"`
	MAC  net.HardwareAddr `json:"-"`
	QP   uint32           `json:"qp"`
	PSN  uint32           `json:"psn"` // its first
}

// Learned is a connection whose ends are both known.
type Learned struct {
	By   string   `json:"by"` // LearnPerftest or LearnCM
	Ends [2]Party `json:"ends"`
}

// Sources of connections.
const (
	LearnPerftest = "perftest" // the text that perftest's programs exchange by TCP
	LearnCM       = "cm"       // REQ and REP of the communication manager, datagrams of queue pair 1
)

// Learner reads in hosts' frames which connections they are about to use. It sees each frame once, on its way from its
// host, so that a block can be set up before the answer that completes a connection reaches the other host.
type Learner struct {
	Perftest bool // read TCP, of any port
	CM       bool // read datagrams of queue pair 1

	talks map[[2]netip.AddrPort]*talk
	reqs  map[request]Party
}

// talk is a TCP connection of perftest. Both ends tell each other their queue pairs in the same order.
type talk struct {
	said   [2]speech
	paired int
}

// speech is one direction of a TCP connection.
type speech struct {
	begun   bool
	ended   bool
	next    uint32 // sequence number of the next byte
	text    []byte // not parsed yet
	parties []Party
}

// request identifies a REQ by the side that sent it and its communication ID.
type request struct {
	side int
	id   uint32
}

// frame reads a frame of a side's host, and returns the connections that it completes.
func (l *Learner) frame(side int, frame []byte, is *look) []Learned {
	switch {
	case is.kind == Manage && l.CM:
		return l.manage(side, is.packet)
	case !is.roce && l.Perftest:
		return l.text(side, frame)
	}
	return nil
}

// element is a queue pair in perftest's text: LID, outstanding READs, QPN, PSN, remote key, address, and GID if the
// network is Ethernet.
var element = regexp.MustCompile(`[0-9a-f]{4}:[0-9a-f]{4}:([0-9a-f]{6}):([0-9a-f]{6}):[0-9a-f]{8}:[0-9a-f]{16}((?::[0-9a-f]{2}){16})?:[0-9a-f]{8}`)

// text reads a TCP segment.
func (l *Learner) text(side int, frame []byte) []Learned {
	var eth layers.Ethernet
	var ip4 layers.IPv4
	var ip6 layers.IPv6
	var tag layers.Dot1Q
	var tcp layers.TCP
	var payload gopacket.Payload
	var decoded []gopacket.LayerType
	parser := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &eth, &tag, &ip4, &ip6, &tcp, &payload)
	parser.IgnoreUnsupported = true
	if err := parser.DecodeLayers(frame, &decoded); err != nil || !slices.Contains(decoded, layers.LayerTypeTCP) {
		return nil
	}
	src, dst := ip4.SrcIP, ip4.DstIP
	if slices.Contains(decoded, layers.LayerTypeIPv6) {
		src, dst = ip6.SrcIP, ip6.DstIP
	}
	point := func(ip net.IP, port layers.TCPPort) netip.AddrPort {
		a, _ := netip.AddrFromSlice(ip)
		return netip.AddrPortFrom(a.Unmap(), uint16(port))
	}
	from, to := point(src, tcp.SrcPort), point(dst, tcp.DstPort)
	key, who := [2]netip.AddrPort{from, to}, 0
	if to.Compare(from) < 0 {
		key, who = [2]netip.AddrPort{to, from}, 1
	}
	if l.talks == nil {
		l.talks = map[[2]netip.AddrPort]*talk{}
	}
	t := l.talks[key]
	if t == nil || tcp.SYN && !tcp.ACK {
		t = &talk{}
		l.talks[key] = t
	}
	s := &t.said[who]
	if tcp.SYN {
		*s = speech{begun: true, next: tcp.Seq + 1}
		return nil
	}
	s.ended = s.ended || tcp.FIN
	if tcp.RST || s.ended && t.said[1-who].ended {
		delete(l.talks, key)
	}
	data := []byte(tcp.Payload)
	if !s.begun { // before the middle was there
		s.begun, s.next = true, tcp.Seq
	}
	if behind := int32(s.next - tcp.Seq); behind > 0 { // sent again
		data = data[min(int(behind), len(data)):]
	} else if behind < 0 { // after a segment that came late: its text is not known
		s.text = nil
	}
	s.next = tcp.Seq + uint32(len(tcp.Payload))
	if len(data) == 0 {
		return nil
	}
	s.text = append(s.text, data...)
	for {
		m := element.FindSubmatchIndex(s.text)
		if m == nil {
			break
		}
		sub := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return string(s.text[m[2*i]:m[2*i+1]])
		}
		p := Party{Side: side, Addr: from.Addr(), MAC: slices.Clone(eth.SrcMAC), QP: number(sub(1)), PSN: number(sub(2))}
		if gid, err := hex.DecodeString(string(bytes.ReplaceAll([]byte(sub(3)), []byte(":"), nil))); err == nil && len(gid) == 16 && !allZero(gid) {
			p.Addr = netip.AddrFrom16([16]byte(gid)).Unmap()
		}
		s.text = s.text[m[1]:]
		// A program repeats its first element when it waits for the other.
		if !slices.ContainsFunc(s.parties, func(q Party) bool { return q.QP == p.QP }) {
			s.parties = append(s.parties, p)
		}
	}
	const longest = 256
	if n := len(s.text); n > longest {
		s.text = s.text[n-longest:]
	}
	var list []Learned
	for t.paired < min(len(t.said[0].parties), len(t.said[1].parties)) {
		list = append(list, Learned{LearnPerftest, [2]Party{t.said[0].parties[t.paired], t.said[1].parties[t.paired]}})
		t.paired++
	}
	return list
}

// number returns the value of some hexadecimal digits.
func number(digits string) (v uint32) {
	for _, c := range []byte(digits) {
		n := uint32(c - '0')
		if c >= 'a' {
			n = uint32(c-'a') + 10
		}
		v = v<<4 | n
	}
	return v
}

func allZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// Messages of the communication manager: offsets behind the header of a MAD, as IBTA volume 1, chapter 12, has them.
const (
	madBytes   = 256
	madHeader  = 24
	classCM    = 7
	attributes = 16 // offset of the attribute's number in the header
	attrREQ    = 0x0010
	attrREP    = 0x0013

	reqID, reqQP, reqPSN = 0, 32, 44
	repOf, repQP, repPSN = 4, 12, 20
)

// manage reads a datagram of queue pair 1.
func (l *Learner) manage(side int, p *roce.Packet) []Learned {
	if p.BTH.Opcode.Service() != roce.UD || len(p.Payload) < madBytes || p.Payload[1] != classCM {
		return nil
	}
	m := p.Payload[madHeader:]
	src, _ := addresses(p)
	party := func(qp, psn int) Party {
		return Party{Side: side, Addr: src, MAC: slices.Clone(p.Ethernet.SrcMAC), QP: binary.BigEndian.Uint32(m[qp:]) >> 8, PSN: binary.BigEndian.Uint32(m[psn:]) >> 8}
	}
	switch binary.BigEndian.Uint16(p.Payload[attributes:]) {
	case attrREQ:
		if l.reqs == nil {
			l.reqs = map[request]Party{}
		}
		l.reqs[request{side, binary.BigEndian.Uint32(m[reqID:])}] = party(reqQP, reqPSN)
	case attrREP:
		of := request{1 - side, binary.BigEndian.Uint32(m[repOf:])}
		if q, ok := l.reqs[of]; ok {
			delete(l.reqs, of) // a REP that is sent again opens nothing
			return []Learned{{LearnCM, [2]Party{q, party(repQP, repPSN)}}}
		}
	}
	return nil
}
