// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	model "github.com/nicgen/nicgen/model/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

// Counters, in the order of their ports; the first ones are in the order of reasons.
const (
	ctStored = iota
	ctUnknown
	ctBad
	ctLong
	ctFull
	ctQuota
	ctNotReady
	ctSent
	ctDiscarded
	ctEmpty
	ctPopUnknown
)

// ring is a power of two above the longest delay of what is under way.
const ring = 32

// fact is what shows in a cycle.
type fact struct {
	counts  [11]uint64
	illegal bool
	enter   *entered
	out     *output
	done    *account
}

// entered is a packet that has ended.
type entered struct {
	packet  *model.Packet
	reason  int
	charged int  // cells of its connection with it, as the verdict sees them
	above   bool // they are at the threshold
}

// output is a beat that leaves.
type output struct {
	packet *model.Packet
	beat   int
}

// account is what a visit has done.
type account struct {
	visit       *model.Visit
	packets     int
	bytes, wire int
	last, none  bool
	empty       bool
	conn        uint64
	discard     bool
	behind      int // packets that the visit saw and left
}

// incoming is a beat at the ports, for the verdict.
type incoming struct {
	packet      *model.Packet
	beat        model.Beat
	first, last bool
	user        bool
}

// pop is one that waits.
type pop struct {
	conn    uint64
	budget  int
	discard bool
}

// Where the walk is.
const (
	idle = iota
	atA  // the first beat of a cell
	atB  // the second one
	atD  // the length is known
)

// walk is nic_queue_walk.
type walk struct {
	at     int
	visit  *model.Visit
	packet int  // of the visit
	cell   int  // of the packet
	open   bool // its length is not known
	begin  bool // the first packet of the visit begins
	may    bool
}

// state is what a reset clears.
type state struct {
	m       *model.Queues
	cleared int64
	ready   bool

	// entry
	inside, store bool
	packet        *model.Packet
	quota         [2]int // one and two cycles ago
	verdicts      [params.ToCell]*incoming
	joins         [params.ToStore - params.ToCell]*entered

	// pops
	pops   queue[pop]
	behind map[uint64]int // packets that the last visit of a connection saw and left
	way    []uint64       // connections with visits under way
	picked [5]*pop        // x1 to x5
	views  [5]*model.Visit
	visits queue[*model.Visit]
	walk   walk
	ended  [3]*model.Visit // one to three cycles ago: the quota sees it later
	given  bool            // a cell, one cycle ago

	accounts [2]*account // k1, k2
	sum      account     // of the visit so far

	// flow control
	freeShown     int
	bells         queue[uint64]
	phase         int
	turned        bool // the last look was one in turn
	turn, row     uint64
	used          int
	told, toldOff bool
	toldConn      uint64
	message       bool
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p     *params.Params
	pins  *pins
	s     state
	facts [ring]fact
	cov   coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{p: p, pins: x, Golden: bench.NewGolden(l, len(points(p)), bare)}
	r.Always(append(x.counter[:], x.ready, x.popReady, x.enterValid, x.mValid, x.doneValid, x.flowValid, x.off, x.free, x.evtIl)...)
	r.clear()
	return r, nil
}

// clear is what a reset does.
func (r *predictor) clear() {
	r.s = state{m: model.New(r.p)}
	s := &r.s
	s.pops.depth, s.visits.depth, s.bells.depth = params.Pops, params.Visits, params.Bells
	s.freeShown, s.behind = int(r.p.Cells()), map[uint64]int{}
	r.facts = [ring]fact{}
	r.cov.clear()
	clear(r.Want)
}

// in is what shows some cycles later.
func (r *predictor) in(cycles uint64) *fact { return &r.facts[(r.Cycle+cycles)%ring] }

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	if r.pins.rst.On(in) {
		if r.Known && !r.Bare {
			r.coverReset()
		}
		r.Known = true
		r.clear()
	} else if r.Known {
		r.run(in)
	}
	r.Cycle++
}

// show writes what the registers show in this cycle.
func (r *predictor) show(want, care []uint64) {
	s, x := &r.s, r.pins
	now := r.in(0)
	for i, n := range now.counts {
		if n > 0 {
			x.counter[i].Add(r.Want, n)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	put := func(pin *bench.Pin, v uint64) {
		pin.Put(want, v)
		pin.Put(care, ^uint64(0))
	}
	flag := func(pin *bench.Pin, is bool) {
		v := uint64(0)
		if is {
			v = 1
		}
		put(pin, v)
	}
	flag(&x.ready, s.ready)
	flag(&x.popReady, s.ready && s.pops.room())
	flag(&x.evtIl, now.illegal)
	flag(&x.off, s.toldOff)
	put(&x.free, uint64(s.freeShown))
	flag(&x.flowValid, s.message)
	if s.message {
		put(&x.flowConn, s.toldConn)
		flag(&x.flowOff, s.told)
	}
	if e := now.enter; e != nil {
		x.enterValid.Raise(want)
		put(&x.enterConn, e.packet.Conn)
		flag(&x.enterDropped, e.reason != params.Stored)
		put(&x.enterReason, uint64(e.reason))
		put(&x.enterBytes, uint64(e.packet.Bytes))
	}
	if o := now.out; o != nil {
		b := &o.packet.Beats[o.beat]
		x.mValid.Raise(want)
		put(&x.mConn, o.packet.Conn)
		flag(&x.mFirst, o.beat == 0)
		flag(&x.mLast, o.beat == len(o.packet.Beats)-1)
		put(&x.mKeep, ^uint64(0)>>(64-b.Len))
		for i, w := range b.Data {
			x.mData.PutBits(want, 64*i, 64, w)
			if n := b.Len - 8*i; n >= 8 {
				x.mData.PutBits(care, 64*i, 64, ^uint64(0))
			} else if n > 0 {
				x.mData.PutBits(care, 64*i, 8*n, ^uint64(0))
			}
		}
		if o.beat == 0 {
			put(&x.mBytes, uint64(o.packet.Bytes))
			put(&x.mTags, uint64(o.packet.Tags))
			for i, w := range o.packet.Meta {
				n := min(64, int(r.p.MetaBits)-64*i)
				x.mMeta.PutBits(want, 64*i, n, w)
				x.mMeta.PutBits(care, 64*i, n, ^uint64(0))
			}
		}
	}
	if d := now.done; d != nil {
		x.doneValid.Raise(want)
		put(&x.doneConn, d.conn)
		flag(&x.doneDiscard, d.discard)
		put(&x.donePackets, uint64(d.packets))
		put(&x.doneBytes, uint64(d.bytes))
		put(&x.doneWire, uint64(d.wire))
		flag(&x.doneEmpty, d.empty)
	}
	*now = fact{}
}

// run takes a cycle's inputs and makes the registers of the next cycle. What is read in a cycle
// is what earlier cycles wrote: those who read come first.
func (r *predictor) run(in []uint64) {
	s, x := &r.s, r.pins
	ready, room, popsRoom := s.ready, s.bells.room(), s.pops.room()
	xoff, xon := int(x.xoff.Get(in)), int(x.xon.Get(in))

	r.offAll(int(x.freeOff.Get(in)), int(x.freeOn.Get(in)))
	look := r.look(xoff, xon, x.flowReady.On(in))
	r.finishAccount()
	sizeTaken := s.picked[2] != nil
	started, visit := r.pick()
	seen := r.view(started)
	verdict := r.verdict(s.quota[1])
	s.quota = [2]int{int(x.quota.Get(in)), s.quota[0]}
	joined := r.join()

	end, given := r.step(sizeTaken, int(x.shim.Get(in)))
	s.walk.may = x.axisReady.On(in)

	// Writes.
	if end != nil {
		s.m.Leave(end)
	}
	if v := s.ended[2]; v != nil {
		s.m.Settle(v)
	}
	s.ended = [3]*model.Visit{end, s.ended[0], s.ended[1]}
	if !r.Bare {
		r.coverJoin(joined, end)
	}
	if s.given {
		s.m.Give()
	}
	s.given = given
	if e := s.joins[0]; e != nil && e.reason == params.Stored {
		e.above = e.charged >= xoff
	}
	s.joins = [2]*entered{verdict, s.joins[0]}
	var bell *uint64
	switch {
	case joined != nil && joined.above:
		bell = &joined.packet.Conn
		r.hit(ptBellBoth, end != nil)
	case end != nil:
		bell = &end.Conn
	}
	if look.popped {
		s.bells.pop()
	}
	if bell != nil && room {
		s.bells.push(r.Cycle, *bell)
	}
	r.hit(ptBellLost, bell != nil && !room)
	s.picked = [5]*pop{started, s.picked[0], s.picked[1], s.picked[2], s.picked[3]}
	s.views = [5]*model.Visit{seen, s.views[0], s.views[1], s.views[2], s.views[3]}
	if visit != nil {
		s.visits.push(r.Cycle, visit)
	}
	if started != nil {
		s.way = append(s.way, started.conn)
	}
	if ready && x.popValid.On(in) && popsRoom {
		s.pops.push(r.Cycle, pop{x.popConn.Get(in), int(x.popBudget.Get(in)), x.popDiscard.On(in)})
	}
	r.arrive(in, ready)
	if !s.ready {
		s.cleared++
		s.ready = s.cleared == r.p.Connections
	}
}

// offAll is the flow control of all connections.
func (r *predictor) offAll(off, on int) {
	s := &r.s
	was := s.toldOff
	if s.freeShown < off {
		s.toldOff = true
	} else if s.freeShown >= on {
		s.toldOff = false
	}
	r.hit(ptAllOff, !was && s.toldOff)
	r.hit(ptAllOn, was && !s.toldOff)
	s.freeShown = s.m.Free()
}

// looked is what a look does to the bells.
type looked struct{ popped bool }

// look is a cycle of nic_queue_flow.
func (r *predictor) look(xoff, xon int, taken bool) (l looked) {
	s := &r.s
	switch s.phase {
	case 0:
		switch {
		case s.message:
			r.hit(ptFlowHeld, !taken)
			if taken {
				s.message = false
			}
			return l
		case !s.ready:
			return l
		case s.turned && s.bells.any(r.Cycle):
			s.row, l.popped, s.turned = s.bells.words[0].value, true, false
			r.hit(ptLookBell, true)
		default:
			s.row, s.turned = s.turn, true
			s.turn = (s.turn + 1) % uint64(r.p.Connections)
		}
	case 1:
		s.used = s.m.Seen(s.row)
	case 4:
		message, stop := s.m.Look(s.row, s.used, xoff, xon)
		if message {
			s.message, s.told, s.toldConn = true, stop, s.row
			r.hit(ptXoff, stop)
			r.hit(ptXon, !stop)
			r.hit(ptXoffExact, stop && s.used == xoff)
			r.hit(ptXonExact, !stop && s.used == xon)
		}
		s.phase = 0
		return l
	}
	s.phase++
	return l
}

// finishAccount ends the account of a visit, two cycles after its last packet was known.
func (r *predictor) finishAccount() {
	s := &r.s
	a := s.accounts[1]
	s.accounts = [2]*account{nil, s.accounts[0]}
	if a == nil || !a.last {
		return
	}
	// The next visit may have taken some one cycle ago.
	v := s.views[0]
	a.empty = s.m.Waiting(a.conn) == 0 && (v == nil || v.Conn != a.conn || len(v.Packets) == 0)
	r.in(1).done = a
	if !r.Bare {
		r.coverDone(a)
	}
}

// view is what a pop sees that gets its turn.
func (r *predictor) view(p *pop) *model.Visit {
	s := &r.s
	if p == nil {
		return nil
	}
	if !r.Bare {
		r.coverView(p)
	}
	v := s.m.Visit(p.conn, p.budget, p.discard)
	s.behind[p.conn] = s.m.Waiting(p.conn)
	if !r.Bare {
		r.coverVisit(p, v, s.behind[p.conn])
	}
	return v
}

// verdict is what becomes of the beat that came two cycles ago.
func (r *predictor) verdict(quota int) *entered {
	s := &r.s
	b := s.verdicts[params.ToCell-1]
	if b == nil {
		return nil
	}
	before := s.m.Free()
	s.m.Take(b.packet, b.beat)
	if !r.Bare {
		r.coverTake(b, before)
	}
	if !b.last {
		return nil
	}
	e := &entered{packet: b.packet}
	charged := 0
	if s.m.Known(b.packet.Conn) {
		charged = s.m.Charged(b.packet.Conn)
	}
	e.reason = s.m.Enter(b.packet, b.user, quota)
	e.charged = charged + b.packet.Cells()
	if !r.Bare {
		r.coverEnter(e, b, charged, quota)
	}
	return e
}

// join lets a packet enter, four cycles after its last beat.
func (r *predictor) join() *entered {
	s := &r.s
	e := s.joins[1]
	if e == nil {
		return nil
	}
	r.in(1).enter = e
	r.in(2).counts[ctStored+e.reason]++
	r.in(2).illegal = r.in(2).illegal || e.reason == params.Unknown
	if e.reason == params.Stored {
		s.m.Join(e.packet)
	}
	return e
}

// pick starts the oldest pop, and passes the visit on that is known.
func (r *predictor) pick() (started *pop, known *model.Visit) {
	s := &r.s
	if s.picked[4] != nil {
		known = s.views[4]
	}
	if !s.pops.any(r.Cycle) {
		return nil, known
	}
	p := s.pops.words[0].value
	if !s.m.Known(p.conn) {
		s.pops.pop()
		r.in(2).counts[ctPopUnknown]++
		r.in(2).illegal = true
		r.hit(ptPopUnknown, true)
		return nil, known
	}
	busy := len(s.way) == params.Visits
	r.hit(ptWayFull, busy)
	for _, c := range s.way {
		if c == p.conn {
			r.hit(ptWaySame, !busy)
			busy = true
			break
		}
	}
	if busy {
		return nil, known
	}
	r.Accepted++
	s.pops.pop()
	return &p, known
}

// step is a cycle of nic_queue_walk. end is a visit with packets that ends, and given tells that
// a cell is free again.
func (r *predictor) step(sizeTaken bool, shim int) (end *model.Visit, given bool) {
	s := &r.s
	w := &s.walk
	v := w.visit
	var finish bool
	read := func(beat int) {
		if p := v.Packets[w.packet]; beat < len(p.Beats) && !v.Discard {
			r.in(uint64(r.p.ReadLatency())).out = &output{p, beat}
		}
	}
	// next goes on behind a packet.
	next := func() {
		w.packet++
		if w.packet == len(v.Packets) {
			finish = true
			return
		}
		w.at, w.cell, w.open = atA, 0, true
	}
	// first is the first beat of a cell of a packet whose length is known.
	first := func(p *model.Packet) {
		read(2 * w.cell)
		if 2*w.cell == len(p.Beats)-1 && w.packet == len(v.Packets)-1 {
			given, finish = true, true
			return
		}
		w.at = atB
	}
	switch w.at {
	case atA:
		if len(v.Packets) == 0 {
			r.account(v, nil, true, shim)
			finish = true
			break
		}
		p := v.Packets[w.packet]
		if w.begin {
			r.account(v, p, len(v.Packets) == 1, shim)
		}
		w.begin = false
		if !w.open {
			first(p)
			break
		}
		may := w.may || v.Discard
		r.hit(ptWaitNext, !may)
		r.hit(ptWaitSize, may && sizeTaken)
		if may && !sizeTaken {
			read(0)
			w.at = atB
		}
	case atB:
		p := v.Packets[w.packet]
		read(2*w.cell + 1)
		given = true
		w.cell++
		switch {
		case w.open:
			w.at = atD
		case 2*w.cell < len(p.Beats):
			w.at = atA
		default:
			next()
		}
	case atD:
		p := v.Packets[w.packet]
		r.account(v, p, w.packet == len(v.Packets)-1, shim)
		w.open = false
		if len(p.Beats) > 2 {
			first(p)
		} else {
			next()
		}
	}
	if finish {
		w.at = idle
		s.way = s.way[1:]
		if len(v.Packets) > 0 {
			end = v
		}
	}
	if w.at == idle && s.visits.any(r.Cycle) {
		n := s.visits.words[0].value
		if may := w.may || n.Discard || len(n.Packets) == 0; may {
			s.visits.pop()
			r.hit(ptNextAtOnce, finish && len(n.Packets) > 0)
			*w = walk{at: atA, visit: n, begin: true, may: w.may}
		} else {
			r.hit(ptWaitFirst, true)
		}
	}
	return end, given
}

// account notes a packet whose length is known, or a visit without one.
func (r *predictor) account(v *model.Visit, p *model.Packet, last bool, shim int) {
	const modulo = 1<<params.SumBits - 1
	s := &r.s
	a := &s.sum
	a.conn, a.discard, a.none = v.Conn, v.Discard, p == nil
	switch {
	case p == nil:
		r.in(2).counts[ctEmpty]++
	case v.Discard:
		r.in(2).counts[ctDiscarded]++
	default:
		r.in(2).counts[ctSent]++
		a.wire = (a.wire + p.Wire(shim)) & modulo
	}
	if p != nil {
		if !r.Bare {
			r.coverLength(p, shim, a.packets > 0)
		}
		a.packets++
		a.bytes = (a.bytes + p.Bytes) & modulo
	}
	done := *a
	done.last, done.behind = last, s.behind[v.Conn]
	s.accounts[0] = &done
	if last {
		s.sum = account{}
	}
}

// arrive takes a beat.
func (r *predictor) arrive(in []uint64, ready bool) {
	s, x := &r.s, r.pins
	var b *incoming
	if x.valid.On(in) {
		first := !s.inside
		if first {
			s.store = x.store.On(in) && ready
			if x.store.On(in) && !ready {
				r.in(2).counts[ctNotReady]++
				r.hit(ptNotReady, true)
			}
			if s.store {
				s.packet = &model.Packet{Conn: x.conn.Get(in), Bytes: int(x.size.Get(in)), Tags: int(x.tags.Get(in))}
				for i := 0; i < int(r.p.MetaBits); i += 64 {
					s.packet.Meta = append(s.packet.Meta, x.meta.Bits(in, i, min(64, int(r.p.MetaBits)-i)))
				}
			}
		}
		s.inside = !x.last.On(in)
		if s.store {
			r.Accepted++
			b = &incoming{packet: s.packet, first: first, last: x.last.On(in), user: x.user.On(in)}
			b.beat.Len = length(x.keep.Get(in))
			for i := range b.beat.Data {
				b.beat.Data[i] = x.data.Bits(in, 64*i, 64)
			}
		}
	}
	copy(s.verdicts[1:], s.verdicts[:])
	s.verdicts[0] = b
}

// length is the number of bytes that tkeep tells, if it is contiguous: 1 if it is 0. What the unit
// makes of another one is known, too: a shrunk stimulus may have it.
func length(keep uint64) int {
	if keep&(keep+1) == 0 {
		return max(1, bits.OnesCount64(keep))
	}
	last := 0
	for group := 1; group < 64; group *= 2 {
		for at := group; at < 64; at += 2 * group {
			if keep>>at&1 == 1 && keep>>(at+group)&1 == 0 {
				last |= group
			}
		}
	}
	return last + 1
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	s := &r.s
	text := fmt.Sprintf("cycle %d, ready %t, %d cells free, inside of a packet %t, %d pops wait, visits under way of %v, %d visits wait, flow control in phase %d at %d",
		r.Cycle, s.ready, s.m.Free(), s.inside, len(s.pops.words), s.way, len(s.visits.words), s.phase, s.row)
	if w := &s.walk; w.at != idle {
		text += fmt.Sprintf("\nwalk: state %d, connection %d, %d packets, packet %d, cell %d, open %t", w.at, w.visit.Conn, len(w.visit.Packets), w.packet, w.cell, w.open)
	}
	for i := range min(uint64(r.p.Connections), 8) {
		text += fmt.Sprintf("\nconnection %d: %d packets wait, %d cells, %d with those that are leaving", i, s.m.Waiting(i), s.m.Seen(i), s.m.Charged(i))
	}
	return text
}
