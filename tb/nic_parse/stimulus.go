// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"encoding/binary"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes frames in episodes: how often gaps come, how long frames are, how many of them
// are wrong and in which way, and the settings.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	gap, wrong, bad uint64 // chances, in 1/256
	size            int    // choice of lengths
	set             params.Settings

	frame []byte
	at    int // bytes of it that are sent
	f     model.Frame
	body  [sizeMost]byte
}

// sizeMost is the most bytes of a body.
const sizeMost = 140_000

// Ways to choose a length.
const (
	minimal  = iota // headers and ICRC
	small           // up to two beats
	medium          // up to 1,500 bytes
	atLimits        // of a beat, of the longest frame
	sizes
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x70617273, 0)}
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 64 + r.IntN(800)
	s.gap = bench.Pick[uint64](r, 0, 0, 0, 16, 128, 230)
	s.wrong = bench.Pick[uint64](r, 0, 16, 64, 200)
	s.bad = bench.Pick[uint64](r, 0, 16)
	s.size = bench.Pick(r, minimal, minimal, small, small, small, medium, atLimits)
	s.settings()
	s.MayReset(2000, 6)
}

// settings chooses ports and the longest frame.
func (s *stimulus) settings() {
	r := s.Rng
	s.set.RoCEPort = uint16(bench.Pick(r, 4791, 4791, 4791, r.Uint64()&0xffff))
	s.set.UETPort = uint16(bench.Pick(r, 4793, 4793, 4793, uint64(s.set.RoCEPort), r.Uint64()&0xffff))
	s.set.MaxFrame = bench.Pick(r, 9214, 9214, 9214, 9214, 1<<params.FrameBits-1, 64, 64+r.Uint64N(200), 64+r.Uint64N(2000))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.frame = s.frame[:0]
		s.at = 0
	}
	if r.Bits()>>56 == 0 { // in mid traffic
		s.settings()
	}
	x.set.Drive(in, &s.set)

	// Bytes that are not there, and beats that are not valid, may be anything.
	var b event.Beat
	for i := range b.Data {
		b.Data[i] = r.Bits()
	}
	dice := bench.Dice(r.Bits())
	gap, bad := dice.Hit(s.gap), dice.Hit(s.bad)
	if gap {
		b.Keep, b.Last, b.User = r.Bits(), dice&1 != 0, dice&2 != 0
		x.frames.Fields(in, &b)
		return
	}
	if s.at == len(s.frame) {
		s.at = 0
		s.build()
	}
	rest := s.frame[s.at:]
	n := min(len(rest), params.DataBytes)
	var beat [params.DataBytes]byte
	for i, w := range b.Data {
		binary.LittleEndian.PutUint64(beat[8*i:], w)
	}
	copy(beat[:], rest[:n])
	for i := range b.Data {
		b.Data[i] = binary.LittleEndian.Uint64(beat[8*i:])
	}
	b.Keep = ^uint64(0) >> (params.DataBytes - n)
	s.at += n
	b.Last, b.User = s.at == len(s.frame), bad
	x.frames.Drive(in, &b)
}

// opcodes are one of each kind, and ones that are not known.
var opcodes = []byte{0x04, 0x0a, 0x00, 0x16, 0x24, 0x2a, 0x64, 0x65, 0xa4, 0x0c, 0x13, 0x14, 0xac, 0x0d, 0x0e, 0x0f, 0x10, 0xb0, 0x11, 0x12, 0x11,
	0xb1, 0x81, 0x81, 0xe1, 0xe1, 0x44, 0x15, 0x18, 0x1c, 0x2c, 0x66, 0x80, 0xe0, 0xc4}

// build makes the next frame.
func (s *stimulus) build() {
	r, f := s.Rng, &s.f
	words := [4]uint64{r.Bits(), r.Bits(), r.Bits(), r.Bits()}
	binary.LittleEndian.PutUint64(f.MAC[:], words[0])
	for i := range 2 {
		binary.LittleEndian.PutUint64(f.Src[8*i:], words[1+i])
		binary.LittleEndian.PutUint64(f.Dst[8*i:], words[1+i]*0x9e3779b97f4a7c15)
	}
	w := words[3]
	f.Class, f.TTL = byte(w>>8), byte(w>>16)
	f.Flow, f.ID = uint32(w>>24)&0xfffff, uint16(w>>44)
	f.SrcPort, f.UDPSum = uint16(words[0]>>48), uint16(words[1]>>32)
	f.Fragment = bench.Pick[uint16](r, 0, 0x4000)
	f.SumError = 0
	f.V6 = w>>60&1 != 0
	f.Tags = f.Tags[:0]
	for range bench.Pick(r, 0, 0, 0, 1, 1, 2, 2) {
		f.Tags = append(f.Tags, model.Tag{Type: bench.Pick[uint16](r, 0x8100, 0x88a8), Value: uint16(r.Bits() >> 48)})
	}
	uet := s.p.UET() && (!s.p.RoCE() || r.IntN(2) == 0)
	f.DstPort = s.set.RoCEPort
	if uet {
		f.DstPort = s.set.UETPort
	}

	n := s.length(f.L4()) - f.L4() - 8
	if uet {
		n = max(n, 12)
	} else {
		n = max(n, 16) &^ 3
	}
	f.Body = s.body[:n]
	for i := 0; i < min(n, 96); i += 8 {
		binary.LittleEndian.PutUint64(s.body[i:], r.Bits())
	}
	switch {
	case r.IntN(4) == 0: // any opcode
	case uet:
		s.body[0] = bench.Pick[byte](r, 2, 3, 13, 14, 7, 8, 9, 7, 10, 11)<<3 | s.body[0]&7
	default:
		s.body[0] = bench.Pick(r, opcodes...)
		if _, aeth := model.RoCEKind(s.body[0]); aeth && n < 20 && r.IntN(8) != 0 {
			f.Body = s.body[:20]
		}
	}
	f.Fit()
	f.Trailer = nil
	if r.Bits()>>56 < s.wrong {
		s.mistake()
		if r.IntN(4) == 0 { // choice of the one announced
			s.mistake()
		}
	}
	s.frame = f.Append(s.frame[:0])
	if r.IntN(16) == 0 {
		s.move()
	}
	s.resize()
}

// length chooses the length of a frame.
func (s *stimulus) length(l4 int) int {
	r := s.Rng
	switch s.size {
	case minimal:
		return 0
	case medium:
		if r.IntN(8) != 0 {
			return r.IntN(1500)
		}
	case atLimits:
		if r.IntN(64) == 0 {
			return bench.Pick(r, 65500, 65515, 65527, 65536-40+l4-20) // as many as the fields can say
		}
		limit := int(s.set.MaxFrame) + l4 - 34
		return bench.Pick(r, 60, 62, 64, 66, 126, 128, 130, 190, 192, 194, min(limit, 2000), min(limit, 2000)+r.IntN(9)-4)
	}
	return r.IntN(160)
}

// mistake makes a field wrong.
func (s *stimulus) mistake() {
	r, f := s.Rng, &s.f
	word := r.Bits()
	switch r.IntN(14) {
	case 0:
		f.Type = bench.Pick[uint16](r, 0x0806, 0x88b5, 0x0800, 0x86dd, 0x9100, 46, 0x0800^1<<(word&15), 0x86dd^1<<(word&15))
	case 1:
		f.Version = bench.Pick(r, 4, 6, byte(word)&15)
	case 2:
		f.IHL = byte(word) & 15
	case 3:
		f.Fragment = 1 << (word & 15)
	case 4:
		f.Protocol = bench.Pick[byte](r, 6, 253, 0, 43, 44, 17^1<<(word&7))
	case 5:
		f.DstPort = bench.Pick(r, 53, f.DstPort^1<<(word&15), s.set.UETPort, s.set.RoCEPort)
	case 6:
		f.Length ^= 1 << (word & 15)
	case 7:
		f.Length = bench.Pick(r, 0, 20, 0xffff, f.UDPLen+20, f.UDPLen, f.Length+4, f.Length-4)
	case 8:
		f.UDPLen ^= 1 << (word & 15)
	case 9: // lengths that agree, and not with the body
		f.UDPLen = uint16(bench.Pick(r, 8, 12, 16, 18, 19, 20, 21, 22, 23, 24, 26, 28, 32, 0xffff, 0xfffc, 0xffe8, 0xffd8, 0xffd4, 0xffec, int(word&0xffff)))
		f.Length = f.UDPLen
		if !f.V6 {
			f.Length += 20
		}
	case 10:
		f.SumError = bench.Pick(r, 1, 0xffff, uint16(word), 1<<(word&15))
	case 11:
		if len(f.Tags) > 0 {
			f.Tags[r.IntN(len(f.Tags))].Type ^= 1 << (word & 15)
		}
	case 12:
		f.Tags = append(f.Tags, model.Tag{Type: bench.Pick[uint16](r, 0x8100, 0x88a8), Value: uint16(word)})
	default: // a port that is a tag's type, and the like: bytes in other places
		f.SrcPort = bench.Pick[uint16](r, 0x8100, 0x88a8, 0x0800, 0x86dd, 4791)
		if len(f.Tags) > 0 {
			f.Tags[0].Value = bench.Pick[uint16](r, 0x8100, 0x0800, 0x86dd)
		}
	}
}

// move puts IPv4 options or IPv6 extension headers between IP and UDP, or makes a fragment of the packet; the length of IP
// grows with them.
func (s *stimulus) move() {
	r, f := s.Rng, &s.f
	l4 := f.L4()
	l3 := l4 - params.IPv4Bytes
	if f.V6 {
		l3 = l4 - params.IPv6Bytes
	}
	if !f.V6 {
		words := r.IntN(11)
		if words == 0 || r.IntN(4) == 0 {
			binary.BigEndian.PutUint16(s.frame[l3+6:], bench.Pick[uint16](r, 0x2000, 0x6000, 0x2000|uint16(r.IntN(8192)), 1))
		}
		s.frame[l3] = s.frame[l3]&0xf0 | byte(5+words)
		s.insert(l4, 4*words)
		s.grow(l3+2, 4*words)
		return
	}
	next := s.frame[l3+6]
	for range bench.Pick(r, 1, 1, 1, 1, 2) {
		kind := bench.Pick[byte](r, 0, 43, 60, 44, 44, 51)
		units := bench.Pick(r, 0, 0, 0, 1, 2, 3)
		if kind == 44 {
			units = 0
		}
		s.insert(l4, 8*(units+1))
		s.grow(l3+4, 8*(units+1))
		s.frame[l4], s.frame[l4+1] = next, byte(units)
		if kind == 44 {
			binary.BigEndian.PutUint16(s.frame[l4+2:], bench.Pick[uint16](r, 0, 1, 1, 6, 8, 0x8000))
			s.frame[l4+1] = bench.Pick[byte](r, 0, 0, 0, 1)
		}
		next = kind
	}
	s.frame[l3+6] = next
}

// insert puts n bytes into the frame.
func (s *stimulus) insert(at, n int) {
	var more [64]byte
	for i := range more {
		more[i] = byte(s.Rng.Bits())
	}
	s.frame = slices.Insert(s.frame, at, more[:n]...)
}

// grow adds to a length.
func (s *stimulus) grow(at, n int) {
	binary.BigEndian.PutUint16(s.frame[at:], binary.BigEndian.Uint16(s.frame[at:])+uint16(n))
}

// resize pads, cuts or extends the frame.
func (s *stimulus) resize() {
	r := s.Rng
	word := r.Bits()
	switch n := len(s.frame); {
	case word&255 < s.wrong/2: // cut
		l4 := s.f.L4()
		n = bench.Pick(r, 41, 42, 43, l4, l4+7, l4+8, l4+9, l4+19, l4+20, l4+21, l4+23, l4+24, l4+25, l4+32, l4+36, l4+8+r.IntN(80), 63, 64, 65, n-1, n-4, 1+int(word>>32)%n)
		s.frame = s.frame[:max(1, min(n, len(s.frame)))]
	case word&0x700 == 0: // longer than its IP packet
		s.frame = append(s.frame, s.body[:1+word>>32&127]...)
		if word>>16&0x1f == 0 && s.size == atLimits { // much longer
			s.frame = append(s.frame, s.body[:max(0, bench.Pick(r, 65535, 65536, 65536, 65536, 65537, 70_000, sizeMost)-len(s.frame))]...)
		}
	case n < 60 && word&0x800 != 0: // Ethernet's padding
		s.frame = append(s.frame, s.body[:60-n]...)
	}
}
