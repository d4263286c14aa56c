// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"encoding/binary"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	model "github.com/nicgen/nicgen/model/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

// Places in time, in steps since a list is begun; the words of its packet make no step while one of its
// beats waits.
const (
	atAddress = 1  // the first word is read
	atJudge   = 3  // it is looked at
	atWord    = 4  // it goes into the beat
	tail      = 16 // the word that both beats have
)

// counts are increments of counters.
type counts struct{ refused, dropped, illegal uint64 }

// maker is the packet that is made.
type maker struct {
	busy   bool
	step   int
	legal  bool
	conn   uint64
	list   model.List
	gather int  // entropy values that the list gets
	head   bool // the second beat begins
	valid  bool // a beat is there
	last   bool // it is the second
	words  model.Template
	known  uint32 // of its words, that they were written
	frame  []byte // as far as the words are there
}

// word is a word of a template that is written.
type word struct {
	valid      bool
	conn, word uint64
	data       uint32
}

// received is a packet received.
type received struct {
	conn         uint64
	lane, udpLen int
	bytes        [2 * params.DataBytes]byte
	list         model.List
	ok           bool
}

// ender is what is given out of packets received.
type ender struct {
	inside bool // of a frame
	beats  int  // of it, so far
	keep   bool // it is stored
	now    received

	queue []received
	full  bool // there was no room when the cycle began
	busy  bool
	step  int
	back  bool // an entropy value is offered
	conn  uint64
	ev    uint16
	mark  bool
}

// Steps of a list that is given out.
const (
	toHead = 2 // its number is looked at
	toEVs  = 4 // its first entropy value
)

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins

	resetAt uint64 // the cycle of the last reset
	rst     bool   // in the cycle before

	templates []model.Template
	known     []uint32 // a bit a word that was written
	write     word     // of a template, that the cycle before took
	make      maker
	end       ender
	evt       bool
	late      counts
	cov       coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x,
		templates: make([]model.Template, p.Connections), known: make([]uint32, p.Connections)}
	r.Always(x.ready, x.tReady, x.fbReady, x.out, x.back, x.evtIllegal, x.packets, x.noTemplates, x.lists, x.refused, x.dropped, x.illeg)
	return r, nil
}

// ready reports whether templates are cleared.
func (r *predictor) ready() bool {
	return !r.rst && r.Cycle >= r.resetAt+2+uint64(r.p.Connections)
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	switch {
	case r.rst:
		r.clear()
	case r.Known:
		r.evt = false
		r.pins.refused.Add(r.Want, r.late.refused)
		r.pins.dropped.Add(r.Want, r.late.dropped)
		r.pins.illeg.Add(r.Want, r.late.illegal)
		r.late = counts{}
		if !r.Bare {
			r.coverCycle(in)
		}
		r.send(in)
		r.template(in)
		r.give(in)
		r.receive(in)
	}
	if r.rst = r.pins.rst.On(in); r.rst {
		r.resetAt = r.Cycle
	}
	r.Cycle++
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *predictor) clear() {
	if !r.Bare {
		r.coverReset()
	}
	r.Known = true
	clear(r.Want)
	clear(r.templates)
	clear(r.known)
	r.write = word{}
	r.make, r.end = maker{}, ender{queue: r.end.queue[:0]}
	r.evt, r.late = false, counts{}
}

// illegal is what evt_illegal tells in the next cycle.
func (r *predictor) illegal() {
	r.evt = true
	r.late.illegal++
}

// template takes a word of a template, and writes that of the cycle before.
func (r *predictor) template(in []uint64) {
	x, w := r.pins, &r.write
	if w.valid {
		r.templates[w.conn][w.word] = w.data
		r.known[w.conn] |= 1 << w.word
	}
	*w = word{}
	if !x.tValid.On(in) || !r.ready() {
		return
	}
	r.Accepted++
	*w = word{valid: true, conn: x.tConn.Get(in), word: x.tWord.Get(in), data: uint32(x.tData.Get(in))}
	if w.conn >= uint64(r.p.Connections) {
		*w = word{}
		r.illegal()
	}
}

// stops reports whether the packet that is made ends for want of a template.
func (m *maker) stops() bool {
	if !m.busy || m.step != atJudge {
		return false
	}
	_, ok := m.words.Place()
	return !ok || !m.legal
}

// taken reports whether the list is taken.
func (m *maker) taken() bool {
	return m.busy && (m.step == m.gather || m.stops() && m.step < m.gather)
}

// send is a cycle of the packet that is made.
func (r *predictor) send(in []uint64) {
	x, m := r.pins, &r.make
	if !m.busy {
		if !x.fb.On(in) || !r.ready() {
			return
		}
		r.Accepted++
		n := x.fbCount.Get(in)
		*m = maker{busy: true, step: atAddress, conn: x.fbConn.Get(in), gather: int((n-1)&15) + 1}
		m.legal = m.conn < uint64(r.p.Connections) && n > 0 && n <= uint64(r.p.List)
		m.list = model.List{PSN: uint32(x.fbPSN.Get(in)), Again: x.fbAgain.On(in), EVs: make([]uint16, m.gather), Marks: make([]bool, m.gather)}
		return
	}
	if at := int(r.p.List) - m.step; m.step <= m.gather && at >= 0 { // the list is gathered
		m.list.EVs[m.gather-m.step] = uint16(x.fbEVs.Bits(in, params.EVBits*at, params.EVBits))
		m.list.Marks[m.gather-m.step] = x.fbMarks.Bits(in, at, 1) != 0
	}
	place, _ := m.words.Place()
	word := m.step - atWord // that goes into the beat
	final := place.Needed() + 1 + (m.gather+1)/2
	goes := false
	switch {
	case m.valid && !x.outReady.On(in):
	case m.valid && m.last:
		*m = maker{}
		return
	case m.valid:
		m.valid, m.head = false, true
	case m.stops():
		if m.legal {
			x.noTemplates.Add(r.Want, 1)
		} else {
			r.illegal()
		}
		*m = maker{}
		return
	case word == tail && !m.head:
		m.valid = true
		m.frame, _ = m.words.Make(m.list)
	case word == final:
		m.valid, m.last, m.head = true, true, false
		m.frame, _ = m.words.Make(m.list)
		x.packets.Add(r.Want, 1)
	default:
		goes, m.head = true, false
	}
	// The memory is read again and again while the words stand.
	at := m.step - 2
	if goes {
		at++
		m.step++
	}
	if m.conn < uint64(r.p.Connections) && at >= 0 && at < params.Words {
		m.words[at] = r.templates[m.conn][at]
		m.known = m.known&^(1<<at) | r.known[m.conn]&(1<<at)
	}
}

// give is a cycle of the lists that are given out.
func (r *predictor) give(in []uint64) {
	x, e := r.pins, &r.end
	e.full = len(e.queue) == params.FIFO
	if e.back && !x.backReady.On(in) {
		return
	}
	e.back = false
	if !e.busy {
		if len(e.queue) > 0 {
			e.busy, e.step = true, 1
		}
		return
	}
	q := &e.queue[0]
	over := false
	if e.step == toHead && !q.ok {
		over = true
		r.late.refused++ // a cycle later than that of the frame's end
	} else if i := e.step - toEVs; i >= 0 {
		e.back, e.conn, e.ev, e.mark = true, q.conn, q.list.EVs[i], q.list.Marks[i]
		if over = i == len(q.list.EVs)-1; over {
			x.lists.Add(r.Want, 1)
		}
	}
	e.step++
	if over {
		e.busy = false
		e.queue = append(e.queue[:0], e.queue[1:]...)
	}
}

// receive takes a beat.
func (r *predictor) receive(in []uint64) {
	x, e := r.pins, &r.end
	if !x.valid.On(in) {
		return
	}
	last := x.last.On(in)
	if !e.inside {
		e.beats, e.keep = 0, false
		if x.list.On(in) {
			r.Accepted++
			e.now = received{conn: x.conn.Get(in), lane: int(x.lane.Get(in)), udpLen: 4 * int(x.words.Get(in))}
			switch {
			case !model.Lane(e.now.lane):
				r.illegal()
			case e.full:
				r.late.dropped++
			default:
				e.keep = true
			}
		}
	}
	if e.keep && e.beats < 2 {
		for i := 0; i < params.DataBytes; i += 8 {
			binary.LittleEndian.PutUint64(e.now.bytes[params.DataBytes*e.beats+i:], x.data.Bits(in, 8*i, 64))
		}
	}
	e.beats++
	e.inside = !last
	if !last || !e.keep {
		return
	}
	if e.beats < 2 || !x.good.On(in) {
		r.late.refused++
		return
	}
	e.now.list, e.now.ok = model.End(e.now.bytes[:], e.now.lane, e.now.udpLen)
	e.queue = append(e.queue, e.now)
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x, m, e := r.pins, &r.make, &r.end
	copy(want, r.Want)
	copy(care, r.Care)
	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
	}
	raise(&x.ready, r.ready())
	raise(&x.tReady, r.ready())
	raise(&x.fbReady, m.taken())
	raise(&x.evtIllegal, r.evt)
	raise(&x.out, m.valid)
	if m.valid {
		r.showBeat(want, care)
	}
	raise(&x.back, e.back)
	if e.back {
		x.backConn.Put(want, e.conn)
		x.backEV.Put(want, uint64(e.ev))
		raise(&x.backCE, e.mark)
		for _, pin := range []*bench.Pin{&x.backConn, &x.backEV, &x.backCE} {
			pin.Put(care, ^uint64(0))
		}
	}
}

// showBeat is the beat that leaves. Bytes of words that were never written may be anything, and so may an
// ICRC over them.
func (r *predictor) showBeat(want, care []uint64) {
	x, m := r.pins, &r.make
	place, _ := m.words.Place()
	from := 0
	if m.last {
		from = params.DataBytes
		x.outLast.Raise(want)
	}
	x.outLast.Put(care, 1)
	x.outKeep.Put(care, ^uint64(0))
	whole := m.known|^(1<<place.Needed()-1) == ^uint32(0)
	for i := from; i < min(from+params.DataBytes, len(m.frame)); i++ {
		x.outKeep.PutBits(want, i-from, 1, 1)
		if word := (i + 2) / 4; whole || i < len(m.frame)-4 && (word >= place.Needed() || m.known>>word&1 != 0) {
			x.outData.PutBits(want, 8*(i-from), 8, uint64(m.frame[i]))
			x.outData.PutBits(care, 8*(i-from), 8, 0xff)
		}
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	m, e := &r.make, &r.end
	return fmt.Sprintf("cycle %d, ready %t; made: busy %t, step %d, connection %d, %d entropy values, beat %t, the last %t, words known %08x, frame %x; "+
		"received: inside of a frame %t, stored %t, %d lists wait, busy %t, step %d",
		r.Cycle, r.ready(), m.busy, m.step, m.conn, m.gather, m.valid, m.last, m.known, m.frame, e.inside, e.keep, len(e.queue), e.busy, e.step)
}
