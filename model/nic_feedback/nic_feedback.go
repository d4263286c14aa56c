// SPDX-License-Identifier: Apache-2.0

// Package nicfeedback is the golden model of feedback packets: the frame of a list, and the list of a
// frame. docs/units/nic_feedback.md has the format and the decisions.
package nicfeedback

import (
	"encoding/binary"
	"hash/crc32"

	params "github.com/nicgen/nicgen/gen/nic_feedback"
)

// Sizes in bytes.
const (
	ethernet = 14
	ipv4     = 20
	ipv6     = 40
	udp      = 8
	bth      = 12
	head     = 4 // of a list
	icrc     = 4
)

// Template is a connection's template, in its words.
type Template [params.Words]uint32

// Place is the content of a template's first word.
type Place struct {
	Lane  int  // of UDP
	V6    bool // it follows from the lane
	Label bool // the entropy value is in the flow label
}

// lanes are the lanes at which UDP can begin, with the number of tags for each.
var lanes = map[int]struct {
	v6   bool
	tags int
}{8: {false, 0}, 9: {false, 1}, 10: {false, 2}, 13: {true, 0}, 14: {true, 1}, 15: {true, 2}}

// Lane reports whether UDP can be at a lane.
func Lane(lane int) bool {
	_, ok := lanes[lane]
	return ok
}

// LaneOf returns the lane of UDP in a frame with a number of tags, 0 if there are too many.
func LaneOf(v6 bool, tags int) int {
	for lane, of := range lanes {
		if of.v6 == v6 && of.tags == tags {
			return lane
		}
	}
	return 0
}

// NewTemplate makes a template of the beginning of a frame, to the end of the BTH at least. Fields
// that the unit writes may have any value, but the checksum of IPv4 has to match a total length of
// 0.
func NewTemplate(frame []byte, p Place) (t Template) {
	var b [4 * params.Words]byte
	binary.LittleEndian.PutUint16(b[:], uint16(p.Lane)|1<<params.ValidBit)
	if p.Label {
		b[0] |= 1 << params.LabelBit
	}
	copy(b[2:], frame)
	for i := range t {
		t[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return t
}

// Place returns the positions of the fields; ok is false if the connection has no template.
func (t *Template) Place() (p Place, ok bool) {
	p.Lane = int(t[0] & (1<<params.LaneBits - 1))
	of, ok := lanes[p.Lane]
	p.V6 = of.v6
	p.Label = p.V6 && t[0]>>params.LabelBit&1 != 0
	return p, ok && t[0]>>params.ValidBit&1 != 0
}

// Needed returns the number of words of the template that a frame is made of.
func (p Place) Needed() int { return p.Lane + 1 + (udp+bth)/4 }

// List is the entropy values and marks of packets received, oldest first.
type List struct {
	PSN   uint32 // of the newest
	EVs   []uint16
	Marks []bool
	Again bool // a packet came that had come before
}

// Make returns the frame of a list; ok is false if there is no template.
func (t *Template) Make(l List) (frame []byte, ok bool) {
	p, ok := t.Place()
	if !ok {
		return nil, false
	}
	var b []byte
	for _, w := range t {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	size := ipv4
	if p.V6 {
		size = ipv6
	}
	l4 := 4*p.Lane + 2
	l3, payload := l4-size, l4+udp+bth
	frame = append(frame, b[2:2+payload]...)

	// The list.
	flags, ce := byte(0), uint16(0)
	if l.Again {
		flags = 2
	}
	for i, marked := range l.Marks {
		if marked {
			ce |= 1 << i
		}
	}
	frame = append(frame, byte(len(l.EVs)-1), flags)
	frame = binary.BigEndian.AppendUint16(frame, ce)
	for _, ev := range l.EVs {
		frame = binary.BigEndian.AppendUint16(frame, ev)
	}
	if len(l.EVs)%2 != 0 {
		frame = append(frame, 0, 0)
	}

	// Values that follow from it.
	newest := l.EVs[len(l.EVs)-1]
	ip, seg := frame[l3:], frame[l4:]
	bytes := len(frame) + icrc - l4 // of UDP
	if p.V6 {
		binary.BigEndian.PutUint16(ip[4:], uint16(bytes))
		if p.Label {
			binary.BigEndian.PutUint16(ip[2:], newest)
		}
	} else {
		total := bytes + ipv4
		binary.BigEndian.PutUint16(ip[2:], uint16(total))
		// The complement of the header's checksum is the sum to which the new fields are added.
		sum := uint32(^binary.BigEndian.Uint16(ip[10:])) + uint32(total)
		sum = sum&0xFFFF + sum>>16
		binary.BigEndian.PutUint16(ip[10:], ^uint16(sum))
	}
	if !p.Label {
		binary.BigEndian.PutUint16(seg, newest)
	}
	binary.BigEndian.PutUint16(seg[4:], uint16(bytes))
	seg[6], seg[7] = 0, 0
	seg[udp+9], seg[udp+10], seg[udp+11] = byte(l.PSN>>16), byte(l.PSN>>8), byte(l.PSN)

	return binary.LittleEndian.AppendUint32(frame, invariant(ip, p.V6)), true
}

// invariant returns the ICRC of a packet from its IP header on.
func invariant(ip []byte, v6 bool) uint32 {
	m := append([]byte{255, 255, 255, 255, 255, 255, 255, 255}, ip...)
	h := m[8:]
	mask := func(at ...int) {
		for _, i := range at {
			h[i] = 255
		}
	}
	if v6 {
		h[0] |= 15
		mask(1, 2, 3, 7, ipv6+6, ipv6+7, ipv6+udp+4)
	} else {
		mask(1, 8, 10, 11, ipv4+6, ipv4+7, ipv4+udp+4)
	}
	return crc32.ChecksumIEEE(m)
}

// End returns the list of a feedback packet whose UDP header is at a lane and has a length; ok is
// false if its version is another one, or if it is too short for its number of entropy values. The
// frame has to have 118 bytes; bytes after its end have any value. PSN and Again are not set.
func End(frame []byte, lane, udpLen int) (l List, ok bool) {
	b := frame[4*lane+2+udp+bth:]
	n := int(b[0]&15) + 1
	if b[0]>>4 != 0 || udp+bth+head+(2*n+2)/4*4+icrc > udpLen {
		return List{}, false
	}
	ce := binary.BigEndian.Uint16(b[2:])
	for i := range n {
		l.EVs = append(l.EVs, binary.BigEndian.Uint16(b[head+2*i:]))
		l.Marks = append(l.Marks, ce>>i&1 != 0)
	}
	return l, true
}
