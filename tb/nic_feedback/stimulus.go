// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"encoding/binary"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	model "github.com/nicgen/nicgen/model/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes lists, templates and frames in episodes: for a few connections, whose templates are there
// or not, or change, with back-pressure or without, with frames that are right or not.
type stimulus struct {
	bench.Traffic
	p         *params.Params
	x         wires
	twin      *golden
	want      []uint64
	care      []uint64
	fb, ready uint64 // chances of a list, and of tready, in 1/256
	write     uint64 // of a word of a template
	change    uint64 // of one of the packet that is made
	wrong     uint64 // of a number that is not right
	frames    uint64 // of a beat
	lists     uint64 // of a feedback packet
	bad       uint64 // of one that is not right
	back      uint64 // of m_back_ready
	counts    int    // choice of numbers of entropy values
	conns     int64  // that have lists
	aim       bool   // a reset comes while the second beat of a packet is made

	offer  bool // a list is offered
	list   [5 + params.MostEVs*params.EVBits/64]uint64
	conn   uint64 // whose template is written, from the last word down
	word   int    // the word, -1: none
	words  model.Template
	beats  [][params.DataBytes]byte // remaining beats of a frame
	first  bool                     // its first beat is to come
	side   received                 // the frame's side information
	isList bool
	good   bool
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	twin, err := newGolden(p, l, true)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x66656564, 0), twin: twin, word: -1,
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords)}
	s.Sweep = p.Connections
	return s, s.x.bind(p, l)
}

// episode chooses what the next some hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 200 + r.IntN(1500)
	s.fb = bench.Pick[uint64](r, 0, 4, 64, 256, 256)
	s.ready = bench.Pick[uint64](r, 16, 128, 240, 256, 256)
	s.write = bench.Pick[uint64](r, 0, 16, 128, 256)
	s.change = bench.Pick[uint64](r, 0, 0, 0, 16, 128)
	s.wrong = bench.Pick[uint64](r, 0, 0, 4, 64)
	s.frames = bench.Pick[uint64](r, 32, 128, 240, 256, 256)
	s.lists = bench.Pick[uint64](r, 16, 64, 200, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 16, 128)
	s.back = bench.Pick[uint64](r, 16, 128, 240, 256, 256)
	s.counts = r.IntN(4)
	s.conns = min(s.p.Connections, bench.Pick[int64](r, 1, 2, 4, 4, 16, 1<<16))
	s.MayReset(s.Sweep+10_000, 8)
	s.aim = s.SinceReset > 4*s.Sweep+3000 && r.IntN(2) == 0
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.offer, s.word, s.beats = false, -1, nil
	}
	dice := bench.Dice(s.Rng.Bits())
	if dice.Hit(s.ready) {
		x.outReady.Raise(in)
	}
	if dice.Hit(s.back) {
		x.backReady.Raise(in)
	}
	if !s.offer && dice.Hit(s.fb) {
		s.begin()
	}
	if s.offer {
		s.put(in)
	}
	s.template(in)
	if dice.Hit(s.frames) {
		s.beat(in)
	}
	s.twin.f.Step(in, s.want, s.care)
	if s.offer && x.listTaken.On(s.want) {
		s.offer = false
	}
	if s.aim && s.twin.make.head {
		s.aim, s.ResetIn = false, 1+s.Rng.IntN(12)
	}
}

// begin makes a list.
func (s *stimulus) begin() {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	s.offer = true
	for i := range s.list {
		s.list[i] = r.Bits()
	}
	s.list[0] = uint64(r.Int64N(s.conns))
	if none := int64(1)<<s.p.ConnBits - s.p.Connections; dice.Hit(s.wrong) && none > 0 {
		s.list[0] = uint64(bench.Beyond(r.Bits(), s.p.Connections, s.p.Connections+none))
	}
	s.list[1] = s.count(s.p.List, &dice)
}

// count is a number of entropy values.
func (s *stimulus) count(most int64, dice *bench.Dice) uint64 {
	r := s.Rng
	switch n := uint64(1 + r.Int64N(most)); {
	case dice.Hit(s.wrong):
		return r.Bits() & 31
	case s.counts == 0:
		return 1
	case s.counts == 1:
		return uint64(most)
	case s.counts == 2:
		return min(n, 4)
	default:
		return n
	}
}

// put offers the list.
func (s *stimulus) put(in []uint64) {
	e := params.List{Conn: s.list[0], Count: s.list[1], PSN: s.list[2], Marks: s.list[3], Again: s.list[4]&1 != 0}
	for i := range s.p.List {
		e.EVs[i] = uint16(s.list[5+i/4] >> (i % 4 * params.EVBits))
	}
	s.x.lists.Drive(in, &e)
}

// template writes a word of a template: of one that is written as a whole, its first word at the end, or a
// single one of the packet that is made.
func (s *stimulus) template(in []uint64) {
	x, r := &s.x, s.Rng
	dice := bench.Dice(r.Bits())
	if m := &s.twin.make; m.busy && dice.Hit(s.change) {
		e := params.Word{Conn: m.conn, Word: uint64(max(0, m.step-4+r.IntN(8)))}
		e.Data = r.Bits()
		x.words.Drive(in, &e)
		return
	}
	if s.word < 0 && dice.Hit(s.write) {
		s.conn, s.word = uint64(r.Int64N(s.conns)), params.Words-1
		if none := int64(1)<<s.p.ConnBits - s.p.Connections; dice.Hit(s.wrong) && none > 0 {
			s.conn = uint64(bench.Beyond(r.Bits(), s.p.Connections, s.p.Connections+none))
		}
		s.words = s.newTemplate(&dice)
	}
	if s.word < 0 || !dice.Hit(240) {
		return
	}
	x.words.Drive(in, &params.Word{Conn: s.conn, Word: uint64(s.word), Data: uint64(s.words[s.word])})
	if s.twin.f.Ready() {
		s.word--
	}
}

// newTemplate is a template of any bytes. Its place is mostly right, and the checksum is one that matters.
func (s *stimulus) newTemplate(dice *bench.Dice) (t model.Template) {
	r := s.Rng
	frame := make([]byte, 4*params.Words-2)
	for i := range frame {
		frame[i] = byte(r.Bits() >> 56)
	}
	p := model.Place{Lane: bench.Pick(r, 8, 9, 10, 13, 14, 15), Label: r.IntN(2) == 0}
	if p.Lane < 13 {
		binary.BigEndian.PutUint16(frame[4*p.Lane+2-10:], bench.Pick(r, uint16(r.IntN(100)), uint16(4*(13+r.IntN(8))), uint16(r.IntN(100))<<8, uint16(r.Bits()), 0xFFFF))
	}
	t = model.NewTemplate(frame, p)
	t[0] |= uint32(r.Bits()) & 0xFFC0 // bits without meaning
	if dice.Hit(s.wrong) {
		t[0] ^= 1 << r.IntN(6)
	}
	return t
}

// beat gives a beat of a frame.
func (s *stimulus) beat(in []uint64) {
	x, r := &s.x, s.Rng
	dice := bench.Dice(r.Bits())
	if len(s.beats) == 0 {
		s.frame(&dice)
	}
	var b params.Part
	for i := range b.Data {
		b.Data[i] = binary.LittleEndian.Uint64(s.beats[0][8*i:])
	}
	var e params.Side
	e.On = s.first && s.isList || !s.first && dice.Hit(32) // not with the first beat it means nothing
	side := r.Bits()
	if s.first {
		e.Conn, e.Lane, e.Words = s.side.conn, uint64(s.side.lane), uint64(s.side.udpLen/4)
	} else {
		e.Conn, e.Lane, e.Words = side, side>>24, side>>28
	}
	s.first = false
	if s.beats = s.beats[1:]; len(s.beats) == 0 {
		b.Last, e.Good = true, s.good
	} else {
		e.Good = dice.Hit(128)
	}
	x.parts.Drive(in, &b)
	x.side.Drive(in, &e)
}

// frame makes one: a feedback packet, or any other.
func (s *stimulus) frame(dice *bench.Dice) {
	r := s.Rng
	s.first, s.isList, s.good = true, dice.Hit(s.lists), true
	beats := bench.Pick(r, 2, 2, 2, 2, 3, 5)
	if !s.isList {
		beats = 1 + r.IntN(3)
	}
	lane := bench.Pick(r, 8, 9, 10, 13, 14, 15)
	n := int(s.count(params.MostEVs, dice)-1) & 15
	most := n / 2 // words of entropy values, less one
	s.side = received{conn: r.Bits(), lane: lane, udpLen: 4 * (8 + most + bench.Pick(r, 0, 0, 0, 1, r.IntN(40), r.IntN(4000)))}
	version := 0
	if dice.Hit(s.bad) {
		switch r.IntN(6) {
		case 0:
			version = 1 + r.IntN(15)
		case 1:
			s.side.udpLen = 4*(7+most) + r.IntN(4)
		case 2:
			s.side.udpLen = r.IntN(80)
		case 3:
			s.side.lane = r.IntN(16)
		case 4:
			beats = 1
		default:
			s.good = false
		}
	}
	s.beats = make([][params.DataBytes]byte, beats)
	for i := range s.beats {
		for k := 0; k < params.DataBytes; k += 8 {
			binary.LittleEndian.PutUint64(s.beats[i][k:], r.Bits())
		}
	}
	if at := 4*lane + 22; at < params.DataBytes*beats {
		s.beats[at/params.DataBytes][at%params.DataBytes] = byte(version<<4 | n)
	}
}
