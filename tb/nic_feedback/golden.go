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

// received is a packet received.
type received struct {
	conn         uint64
	lane, udpLen int
	bytes        [2 * params.DataBytes]byte
	list         model.List
	ok           bool
}

// ender holds the outputs for packets received.
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

// golden is both halves behind their contract: machines of registers.
type golden struct {
	p *params.Params
	f *bench.Frame

	side       params.Side
	ready      bench.Pin // s_template_ready
	words      bench.Wires[params.Word]
	lists      bench.Wires[params.List]
	listTaken  bench.Pin // s_fb_ready
	evs, marks bench.Pin // s_fb_evs, s_fb_marks
	parts      bench.Wires[params.Part]
	beats      bench.Out[params.Made]
	values     bench.Out[params.Back]

	templates []model.Template
	known     []uint32    // a bit a word that was written
	written   bool        // a word of a template is written, that the cycle before took
	write     params.Word // this one
	make      maker
	end       ender
	cov       coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g, err := newGolden(p, l, bare)
	if err != nil {
		return nil, err
	}
	return g.f, nil
}

func newGolden(p *params.Params, l *cosim.Layout, bare bool) (g *golden, err error) {
	g = &golden{p: p, templates: make([]model.Template, p.Connections), known: make([]uint32, p.Connections)}
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Ambient: bench.Into(params.SidePorts, &g.side),
		Bind: []bench.Binder{
			bench.WireIn(params.Texts, &g.words), bench.WirePin("s_template_ready", &g.ready),
			bench.WireIn(params.Lists, &g.lists), bench.WirePin("s_fb_ready", &g.listTaken),
			bench.WirePin("s_fb_evs", &g.evs), bench.WirePin("s_fb_marks", &g.marks),
			bench.WireIn(params.Parts, &g.parts), bench.Emits(params.Beats, &g.beats), bench.Emits(params.Values, &g.values),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	return g, err
}

// begin is a cycle.
func (g *golden) begin(n *bench.Now) {
	g.show(n)
	if n.Acting {
		return
	}
	if !g.f.Bare {
		g.coverCycle(n)
	}
	g.send(n)
	g.template(n)
	g.give(n)
	g.receive(n)
}

// reset ends a cycle with the registered reset: all that came before it is gone.
func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	clear(g.templates)
	clear(g.known)
	g.written = false
	g.make, g.end = maker{}, ender{queue: g.end.queue[:0]}
}

// template takes a word of a template, and writes the word of the previous cycle.
func (g *golden) template(n *bench.Now) {
	w := &g.write
	if g.written {
		g.templates[w.Conn][w.Word] = uint32(w.Data)
		g.known[w.Conn] |= 1 << w.Word
	}
	g.written = n.Ready && g.words.Read(n.In, w)
	if !g.written {
		return
	}
	g.f.Accepted++
	if w.Conn >= uint64(g.p.Connections) {
		g.written = false
		n.CountIllegal()
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
func (g *golden) send(n *bench.Now) {
	m := &g.make
	if !m.busy {
		e := g.lists.Of(n.In)
		if !n.Ready || e == nil {
			return
		}
		g.f.Accepted++
		*m = maker{busy: true, step: atAddress, conn: e.Conn, gather: int((e.Count-1)&15) + 1}
		m.legal = m.conn < uint64(g.p.Connections) && e.Count > 0 && e.Count <= uint64(g.p.List)
		m.list = model.List{PSN: uint32(e.PSN), Again: e.Again, EVs: make([]uint16, m.gather), Marks: make([]bool, m.gather)}
		return
	}
	if at := int(g.p.List) - m.step; m.step <= m.gather && at >= 0 { // the list is gathered, whether it is offered or not
		m.list.EVs[m.gather-m.step] = uint16(g.evs.Bits(n.In, params.EVBits*at, params.EVBits))
		m.list.Marks[m.gather-m.step] = g.marks.Bits(n.In, at, 1) != 0
	}
	place, _ := m.words.Place()
	word := m.step - atWord // that goes into the beat
	final := place.Needed() + 1 + (m.gather+1)/2
	goes := false
	switch {
	case m.valid && !g.beats.Ready(n):
	case m.valid && m.last:
		*m = maker{}
		return
	case m.valid:
		m.valid, m.head = false, true
	case m.stops():
		if m.legal {
			n.Count(params.CountNoTemplate, true)
		} else {
			n.CountIllegal()
		}
		*m = maker{}
		return
	case word == tail && !m.head:
		m.valid = true
		m.frame, _ = m.words.Make(m.list)
	case word == final:
		m.valid, m.last, m.head = true, true, false
		m.frame, _ = m.words.Make(m.list)
		n.Count(params.CountPacket, true)
	default:
		goes, m.head = true, false
	}
	// The memory is read again and again while the words stand.
	at := m.step - 2
	if goes {
		at++
		m.step++
	}
	if m.conn < uint64(g.p.Connections) && at >= 0 && at < params.Words {
		m.words[at] = g.templates[m.conn][at]
		m.known = m.known&^(1<<at) | g.known[m.conn]&(1<<at)
	}
}

// give is a cycle of the lists that are given out.
func (g *golden) give(n *bench.Now) {
	e := &g.end
	e.full = len(e.queue) == params.FIFO
	if e.back && !g.values.Ready(n) {
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
		n.Count(params.CountRefused, true) // a cycle after the frame's end
	} else if i := e.step - toEVs; i >= 0 {
		e.back, e.conn, e.ev, e.mark = true, q.conn, q.list.EVs[i], q.list.Marks[i]
		if over = i == len(q.list.EVs)-1; over {
			n.Count(params.CountList, true)
		}
	}
	e.step++
	if over {
		e.busy = false
		e.queue = append(e.queue[:0], e.queue[1:]...)
	}
}

// receive takes a beat.
func (g *golden) receive(n *bench.Now) {
	e, side := &g.end, &g.side
	b := g.parts.Of(n.In)
	if b == nil {
		return
	}
	if !e.inside {
		e.beats, e.keep = 0, false
		if side.On {
			g.f.Accepted++
			e.now = received{conn: side.Conn, lane: int(side.Lane), udpLen: 4 * int(side.Words)}
			switch {
			case !model.Lane(e.now.lane):
				n.CountIllegal()
			case e.full:
				n.Count(params.CountDropped, true)
			default:
				e.keep = true
			}
		}
	}
	if e.keep && e.beats < 2 {
		for i, w := range b.Data {
			binary.LittleEndian.PutUint64(e.now.bytes[params.DataBytes*e.beats+8*i:], w)
		}
	}
	e.beats++
	e.inside = !b.Last
	if !b.Last || !e.keep {
		return
	}
	if e.beats < 2 || !side.Good {
		n.Count(params.CountRefused, true)
		return
	}
	e.now.list, e.now.ok = model.End(e.now.bytes[:], e.now.lane, e.now.udpLen)
	e.queue = append(e.queue, e.now)
}

// show writes what the registers show.
func (g *golden) show(n *bench.Now) {
	m, e := &g.make, &g.end
	if n.Ready {
		n.Raise(&g.ready)
	}
	if m.taken() {
		n.Raise(&g.listTaken)
	}
	if m.valid {
		g.showBeat(n)
	}
	if e.back {
		g.values.EmitAfter(n, &params.Back{Conn: e.conn, EV: uint64(e.ev), Mark: e.mark}, 0)
	}
}

// showBeat is the beat that leaves. Bytes of words that were never written may be anything, and so may an
// ICRC over them.
func (g *golden) showBeat(n *bench.Now) {
	m := &g.make
	place, _ := m.words.Place()
	from := 0
	if m.last {
		from = params.DataBytes
	}
	b, counts := params.Made{Last: m.last}, params.Made{Last: true, Keep: ^uint64(0)}
	whole := m.known|^(1<<place.Needed()-1) == ^uint32(0)
	for i := range min(params.DataBytes, len(m.frame)-from) {
		b.Keep |= 1 << i
		at := i + from
		if word := (at + 2) / 4; whole || at < len(m.frame)-4 && (word >= place.Needed() || m.known>>word&1 != 0) {
			b.Data[i/8] |= uint64(m.frame[at]) << (i % 8 * 8)
			counts.Data[i/8] |= 0xff << (i % 8 * 8)
		}
	}
	g.beats.EmitSome(n, &b, &counts, 0)
}

// text describes both halves.
func (g *golden) text([]uint64) string {
	m, e := &g.make, &g.end
	return fmt.Sprintf("\nmade: busy %t, step %d, connection %d, %d entropy values, beat %t, the last %t, words known %08x, frame %x\n"+
		"received: inside of a frame %t, stored %t, %d lists wait, busy %t, step %d",
		m.busy, m.step, m.conn, m.gather, m.valid, m.last, m.known, m.frame, e.inside, e.keep, len(e.queue), e.busy, e.step)
}
