// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

// kinds of packets that have a point.
var kinds = []struct {
	kind      model.Kind
	key, doc  string
	roce, uet bool // a parser of these has them
}{
	{model.Request, "request", "a request with payload", true, false},
	{model.Read, "read", "a READ or atomic request", true, false},
	{model.Response, "response", "a READ response", true, false},
	{model.ACK, "ack", "an ACK", true, false},
	{model.CNP, "cnp", "a CNP", true, false},
	{model.Feedback, "feedback", "a feedback packet", true, false},
	{model.UETRequest, "uet_request", "a UET request", false, true},
	{model.UETACK, "uet_ack", "a UET ACK", false, true},
}

// reasons for which a packet is other, from 1 on.
var reasons = []struct{ key, doc string }{
	{"ip", "is not IP"}, {"tags", "has too many tags"}, {"options", "has IPv4 options"}, {"fragment", "is a fragment"}, {"udp", "is not UDP"},
	{"port", "has another UDP port"}, {"opcode", "has an unknown opcode"}, {"long", "is longer than the longest frame"},
}

// Coverage points, by index, in the order of the table in points.
const (
	ptKind     = 0
	ptReason   = ptKind + 8
	ptPlace    = ptReason + 8 // IPv4 with 0 to 2 tags, IPv6
	ptFirstOwn = ptPlace + 6
)

const (
	ptBelow42 = iota + ptFirstOwn
	ptExact42
	ptNoUDP
	ptNoBTH
	ptNoAETH
	ptExactUDP
	ptExactBTH
	ptExactAETH
	ptLengths
	ptFour
	ptFewest
	ptFewestExact
	ptShortAETH
	ptShortAETHExact
	ptSum
	ptSumOther
	ptWrap
	ptLongest
	ptSamePort
	ptRow
	ptTwoBeats
	ptGap
	ptGapLater
	ptEndExact
	ptEndShort
	ptEndLonger
	ptEndOther
	ptEndMost
	ptEndOver
	ptBad
	ptReset
	ptResetRecord
	ptFarOptions
	ptFarFragment
	ptFarExtension
	ptFarExact
	ptFarNoBTH
	ptPlacedMalformed
	ptUnplaced
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	roce, uet, any := p.RoCE(), p.UET(), true
	for _, k := range kinds {
		add("kind/"+k.key, k.doc, roce && k.roce || uet && k.uet)
	}
	for _, r := range reasons {
		add("other/"+r.key, "a packet that "+r.doc, any)
	}
	for i := range 6 {
		name := "v4"
		if i > 2 {
			name = "v6"
		}
		add(fmt.Sprintf("place/%s_%d", name, i%3), fmt.Sprintf("a packet with IP%s and %d tags that is not other", name, i%3), int64(i%3) <= p.Tags && (i < 3 || p.IPv6))
	}
	add("truncated/41", "a frame of 41 bytes", any)
	add("truncated/42", "a frame of 42 bytes", any)
	add("truncated/udp", "a frame that ends within IP or UDP, behind 42 bytes", p.Tags > 0 || p.IPv6)
	add("truncated/bth", "a frame that ends within BTH or PDS", any)
	add("truncated/aeth", "a frame that ends within AETH", roce)
	add("exact/udp", "a frame that ends with the UDP header", any)
	add("exact/bth", "a frame that ends with BTH or PDS", any)
	add("exact/aeth", "a frame that ends with AETH", roce)
	add("malformed/lengths", "an IP length that is not the UDP length's", any)
	add("malformed/four", "a UDP length that is no multiple of four, and nothing else is wrong", roce)
	add("malformed/fewest", "a UDP length below the least, and nothing else is wrong", any)
	add("exact/fewest", "the least UDP length", any)
	add("malformed/aeth", "a UDP length that leaves no room for AETH", roce)
	add("exact/fewest_aeth", "the least UDP length with AETH", roce)
	add("malformed/sum", "a wrong IPv4 checksum, and nothing else is wrong", p.IPChecksum)
	add("sum/not_checked", "a wrong IPv4 checksum in a packet that is not other", !p.IPChecksum)
	add("malformed/wrap", "lengths that would agree modulo 2^16", any)
	add("exact/longest", "a packet as long as the longest", any)
	add("port/same", "UET has the port of RoCE, and a packet has it", roce && uet)
	add("row/single", "a frame of one beat right behind another one", any)
	add("row/two", "a frame of two beats, then one of one beat, without a gap", any)
	add("gap/second", "a gap before the second beat", any)
	add("gap/later", "a gap before a later beat", any)
	add("end/exact", "a frame that ends with its IP packet", any)
	add("end/short", "a frame that is one byte shorter than its IP packet", any)
	add("end/longer", "a frame that is longer than its IP packet", any)
	add("end/other", "the end of a frame that is no UDP packet, behind one that is", any)
	add("end/most", "a frame of 65,536 bytes", any)
	add("end/over", "a longer frame", any)
	add("end/bad", "a bad frame", any)
	add("reset/frame", "a reset within a frame", any)
	add("reset/record", "a reset with a header record under way", any)
	add("far/options", "the number of a packet with IPv4 options", roce)
	add("far/fragment", "the number of a first fragment", roce)
	add("far/extension", "the number of a packet with an IPv6 extension header", roce && p.IPv6)
	add("far/exact", "a frame that ends with BTH, behind IPv4 options or an IPv6 extension header", roce)
	add("far/no_bth", "a frame with them that ends a byte earlier", roce)
	add("placed/malformed", "the number of a malformed packet", any)
	add("unplaced", "a packet that may belong to a connection, without a number", any)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	gap     bool // before this beat
	lastOne bool // the last frame had one beat, in the cycle before
	lastTwo bool // or two
	wasUDP  bool // the frame before was UDP
}

// coverReset looks at what a reset clears.
func (g *golden) coverReset() {
	if g.beats > 0 {
		g.f.Reached[ptReset]++
	}
	for i := range g.ring {
		if g.ring[i].headers && (g.f.Cycle-uint64(i))&7 < 4 {
			g.f.Reached[ptResetRecord]++
			break
		}
	}
	g.cov = coverage{}
}

// coverGap notes a cycle without a beat.
func (g *golden) coverGap() {
	g.cov.gap, g.cov.lastOne, g.cov.lastTwo = true, false, false
}

// coverBeat looks at a beat, which is counted.
func (g *golden) coverBeat(last bool) {
	v := &g.cov
	single := g.beats == 1 && last
	g.hit(ptRow, single && v.lastOne)
	g.hit(ptTwoBeats, single && v.lastTwo)
	g.hit(ptGap, g.beats == 2 && v.gap)
	g.hit(ptGapLater, g.beats > 2 && v.gap)
	v.lastOne, v.lastTwo, v.gap = single, g.beats == 2 && last, false
}

func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

// cover looks at a packet.
func (g *golden) cover(s *slot, settings *model.Settings) {
	h, n := &s.record, s.n
	for i := range kinds {
		g.hit(ptKind+i, h.Kind == kinds[i].kind)
	}
	if h.Reason != model.None {
		g.f.Reached[ptReason+int(h.Reason)-1]++
	}
	g.hit(ptBelow42, n == params.Shortest-1)
	g.hit(ptExact42, n == params.Shortest)
	g.hit(ptUnplaced, h.Unplaced)
	g.hit(ptPlacedMalformed, h.Placed && h.Illegal())
	g.hit(ptFarOptions, h.Placed && h.Reason == model.Options)
	g.hit(ptFarFragment, h.Placed && h.Reason == model.Fragment)
	g.hit(ptFarExtension, h.Placed && h.Reason == model.NotUDP)
	if h.Placed && h.Lane == 0 {
		less := model.Parse(g.p, s.raw[:n-1], *settings)
		g.hit(ptFarExact, !less.Placed)
	}
	if h.Lane == 0 && !h.Placed && !h.Unplaced && n < len(s.raw) {
		more := model.Parse(g.p, s.raw[:n+1], *settings)
		g.hit(ptFarNoBTH, more.Placed && more.Lane == 0)
	}
	isUDP := h.Lane != 0
	if !isUDP {
		g.hit(ptNoUDP, h.Kind == model.Truncated && n >= params.Shortest)
		return
	}
	l4 := int(4*h.Lane + 2)
	ip := l4 - 14 - 4*int(h.Tags)
	if h.Kind != model.Other && !h.Illegal() {
		place := int(h.Tags)
		if h.V6 {
			place += 3
		}
		g.f.Reached[ptPlace+place]++
	}
	udp := s.raw[l4:]
	port := uint16(udp[2])<<8 | uint16(udp[3])
	roce := g.p.RoCE() && port == settings.RoCEPort
	uet := !roce && g.p.UET() && port == settings.UETPort
	g.hit(ptExactUDP, n == l4+8)
	if !roce && !uet {
		return
	}
	g.hit(ptSamePort, roce && settings.UETPort == settings.RoCEPort)
	g.hit(ptNoBTH, n == l4+19)
	if n < l4+20 {
		return
	}
	g.hit(ptExactBTH, n == l4+20 && !h.Illegal())
	fewest := uint64(24)
	if uet {
		fewest = 20
	}
	_, aeth := model.RoCEKind(udp[8])
	aeth = aeth && roce
	lengths := h.IPSize == h.UDPLen+uint64(ip)
	four := uet || h.UDPLen%4 == 0
	sum := h.V6 || g.sum(s.raw[l4-ip:l4])
	checked := sum || !g.p.IPChecksum
	g.hit(ptLengths, !lengths)
	g.hit(ptWrap, !lengths && uint16(h.IPSize) == uint16(h.UDPLen+uint64(ip)))
	g.hit(ptFour, lengths && !four && h.UDPLen > fewest && checked)
	g.hit(ptFewest, lengths && four && h.UDPLen < fewest && h.UDPLen+4 >= fewest && checked)
	g.hit(ptFewestExact, !h.Illegal() && h.UDPLen == fewest)
	g.hit(ptSum, h.Kind == model.Malformed && lengths && four && h.UDPLen >= fewest && !sum)
	g.hit(ptSumOther, h.Kind != model.Other && !h.Illegal() && !sum)
	if h.Kind == model.Malformed && !(lengths && four && h.UDPLen >= fewest && checked) {
		return
	}
	g.hit(ptLongest, h.IPSize+14 == settings.MaxFrame && h.Reason == model.None)
	if !aeth || h.Reason != model.None {
		return
	}
	g.hit(ptNoAETH, n == l4+23)
	g.hit(ptExactAETH, n == l4+24)
	g.hit(ptShortAETH, n >= l4+24 && h.UDPLen == 24)
	g.hit(ptShortAETHExact, n >= l4+24 && h.UDPLen == 28)
}

// sum reports whether an IPv4 header adds up to all ones.
func (g *golden) sum(ip []byte) bool {
	sum := uint64(0)
	for i := 0; i < len(ip); i += 2 {
		sum += uint64(ip[i])<<8 | uint64(ip[i+1])
	}
	return sum%0xffff == 0
}

// coverEnd looks at a frame's end.
func (g *golden) coverEnd(s *slot) {
	end := g.record.IPEnd
	g.hit(ptEndExact, end != 0 && s.bytes == end)
	g.hit(ptEndShort, s.bytes+1 == end)
	g.hit(ptEndLonger, end != 0 && s.bytes > end)
	g.hit(ptEndOther, end == 0 && g.cov.wasUDP)
	g.hit(ptEndMost, s.bytes == model.LongestTold)
	g.hit(ptEndOver, s.bytes > model.LongestTold)
	g.hit(ptBad, s.bad)
	g.cov.wasUDP = end != 0
}
