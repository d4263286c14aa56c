// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	model "github.com/nicgen/nicgen/model/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

// entered is a packet that has ended.
type entered struct {
	packet  *model.Packet
	reason  int
	charged int  // cells of its connection with it, as the verdict sees them
	above   bool // they are at the threshold
}

// account counts a visit's actions.
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

// Position of the walk.
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

// state holds the registers that a reset clears.
type state struct {
	m *model.Queues

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

// golden is the queues behind their contract: a machine of registers.
type golden struct {
	p *params.Params
	f *bench.Frame
	s state

	set       params.Settings
	beat      params.Beat // that comes
	beats     bench.Wires[params.Beat]
	pops      bench.Wires[params.Pop]
	popReady  bench.Pin // s_pop_ready
	mayBegin  bench.Pin // m_axis_ready
	enters    bench.Out[params.Entered]
	leaves    bench.Out[params.Out]
	dones     bench.Out[params.Done]
	tells     bench.Out[params.Flow]
	off, free bench.Pin
	cov       coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p}
	g.clear()
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set),
		Bind: []bench.Binder{
			bench.WireIn(params.Beats, &g.beats), bench.WireIn(params.Visiting, &g.pops), bench.WirePin("s_pop_ready", &g.popReady),
			bench.WirePin("m_axis_ready", &g.mayBegin), bench.Emits(params.Enters, &g.enters), bench.Emits(params.Leaves, &g.leaves),
			bench.Emits(params.Dones, &g.dones), bench.Emits(params.Tells, &g.tells),
			bench.WirePin("sts_off", &g.off), bench.WirePin("sts_free_cells", &g.free),
		},
		Reset: g.reset, ResetLast: true, Begin: g.cycle, State: g.text,
	})
	if err != nil {
		return nil, err
	}
	g.f.Always(g.off, g.free)
	return g.f, nil
}

// clear performs a reset.
func (g *golden) clear() {
	g.s = state{m: model.New(g.p)}
	s := &g.s
	s.pops.depth, s.visits.depth, s.bells.depth = params.Pops, params.Visits, params.Bells
	s.freeShown, s.behind = int(g.p.Cells()), map[uint64]int{}
	g.cov.clear()
}

func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	g.clear()
}

// cycle runs a cycle; in a reset cycle, only the registers' outputs are valid.
func (g *golden) cycle(n *bench.Now) {
	n.Sample()
	s := &g.s
	want, _ := n.Later(0)
	if n.Ready && s.pops.room() {
		n.Raise(&g.popReady)
	}
	if s.toldOff {
		n.Raise(&g.off)
	}
	g.free.Put(want, uint64(s.freeShown))
	if s.message {
		g.tells.EmitAfter(n, &params.Flow{Conn: s.toldConn, Off: s.told}, 0)
	}
	if !n.Rst {
		g.run(n)
	}
}

// leave shows a beat of a packet. Bytes that are not there may be anything, and so may what goes with a
// first beat with another one. final: it is the last packet of its visit.
func (g *golden) leave(n *bench.Now, p *model.Packet, beat int, final bool) {
	b := &p.Beats[beat]
	all := ^uint64(0)
	e := params.Out{Data: b.Data, Keep: all >> (64 - b.Len), Last: beat == len(p.Beats)-1, First: beat == 0, Conn: p.Conn}
	counts := params.Out{Keep: all, Last: true, First: true, Conn: all}
	for i := range counts.Data {
		counts.Data[i] = event.Spread(e.Keep >> (8 * i))
	}
	if e.First {
		e.Bytes, e.Tags, counts.Bytes, counts.Tags = uint64(p.Bytes), uint64(p.Tags), all, all
		e.Final, counts.Final = final, true
		for i := range copy(e.Meta[:], p.Meta) {
			counts.Meta[i] = all
		}
	}
	g.leaves.EmitSome(n, &e, &counts, int(g.p.ReadLatency()))
}

// run takes a cycle's inputs and makes the registers of the next cycle. Reads of a cycle see
// the writes of earlier cycles, so readers come first.
func (g *golden) run(n *bench.Now) {
	s, set := &g.s, &g.set
	room, popsRoom := s.bells.room(), s.pops.room()
	xoff, xon := int(set.Xoff), int(set.Xon)

	g.offAll(int(set.FreeOff), int(set.FreeOn))
	look := g.look(n, xoff, xon)
	g.finishAccount(n)
	sizeTaken := s.picked[2] != nil
	started, visit := g.pick(n)
	seen := g.view(n, started)
	verdict := g.verdict(n, s.quota[1])
	s.quota = [2]int{int(set.Quota), s.quota[0]}
	joined := g.join(n)

	end, given := g.step(n, sizeTaken, int(set.Shim))
	s.walk.may = g.mayBegin.On(n.In)

	// Writes.
	if end != nil {
		s.m.Leave(end)
	}
	if v := s.ended[2]; v != nil {
		s.m.Settle(v)
	}
	s.ended = [3]*model.Visit{end, s.ended[0], s.ended[1]}
	if !g.f.Bare {
		g.coverJoin(n, joined, end)
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
		g.hit(ptBellBoth, end != nil)
	case end != nil:
		bell = &end.Conn
	}
	if look.popped {
		s.bells.pop()
	}
	if bell != nil && room {
		s.bells.push(n.Cycle, *bell)
	}
	g.hit(ptBellLost, bell != nil && !room)
	s.picked = [5]*pop{started, s.picked[0], s.picked[1], s.picked[2], s.picked[3]}
	s.views = [5]*model.Visit{seen, s.views[0], s.views[1], s.views[2], s.views[3]}
	if visit != nil {
		s.visits.push(n.Cycle, visit)
	}
	if started != nil {
		s.way = append(s.way, started.conn)
	}
	if e := g.pops.Of(n.In); n.Ready && popsRoom && e != nil {
		s.pops.push(n.Cycle, pop{e.Conn, int(e.Budget), e.Discard})
	}
	g.arrive(n)
}

// offAll is the flow control of all connections.
func (g *golden) offAll(off, on int) {
	s := &g.s
	was := s.toldOff
	if s.freeShown < off {
		s.toldOff = true
	} else if s.freeShown >= on {
		s.toldOff = false
	}
	g.hit(ptAllOff, !was && s.toldOff)
	g.hit(ptAllOn, was && !s.toldOff)
	s.freeShown = s.m.Free()
}

// looked is the effect of a check on the bells.
type looked struct{ popped bool }

// look is a cycle of nic_queue_flow.
func (g *golden) look(n *bench.Now, xoff, xon int) (l looked) {
	s, taken := &g.s, g.tells.Ready(n)
	switch s.phase {
	case 0:
		switch {
		case s.message:
			g.hit(ptFlowHeld, !taken)
			if taken {
				s.message = false
			}
			return l
		case !n.Ready:
			return l
		case s.turned && s.bells.any(n.Cycle):
			s.row, l.popped, s.turned = s.bells.words[0].value, true, false
			g.hit(ptLookBell, true)
		default:
			s.row, s.turned = s.turn, true
			s.turn = (s.turn + 1) % uint64(g.p.Connections)
		}
	case 1:
		s.used = s.m.Seen(s.row)
	case 4:
		message, stop := s.m.Look(s.row, s.used, xoff, xon)
		if message {
			s.message, s.told, s.toldConn = true, stop, s.row
			g.hit(ptXoff, stop)
			g.hit(ptXon, !stop)
			g.hit(ptXoffExact, stop && s.used == xoff)
			g.hit(ptXonExact, !stop && s.used == xon)
		}
		s.phase = 0
		return l
	}
	s.phase++
	return l
}

// finishAccount ends the account of a visit, two cycles after its last packet was known.
func (g *golden) finishAccount(n *bench.Now) {
	s := &g.s
	a := s.accounts[1]
	s.accounts = [2]*account{nil, s.accounts[0]}
	if a == nil || !a.last {
		return
	}
	// The next visit may have taken some one cycle ago.
	v := s.views[0]
	a.empty = s.m.Waiting(a.conn) == 0 && (v == nil || v.Conn != a.conn || len(v.Packets) == 0)
	g.dones.Emit(n, &params.Done{
		Conn: a.conn, Discard: a.discard, Packets: uint64(a.packets), Bytes: uint64(a.bytes), Wire: uint64(a.wire), Empty: a.empty,
	})
	if !g.f.Bare {
		g.coverDone(a)
	}
}

// view returns the visit that a pop sees when it gets its turn.
func (g *golden) view(n *bench.Now, p *pop) *model.Visit {
	s := &g.s
	if p == nil {
		return nil
	}
	if !g.f.Bare {
		g.coverView(n, p)
	}
	v := s.m.Visit(p.conn, p.budget, p.discard)
	s.behind[p.conn] = s.m.Waiting(p.conn)
	if !g.f.Bare {
		g.coverVisit(p, v, s.behind[p.conn])
	}
	return v
}

// verdict decides on the beat that came two cycles ago.
func (g *golden) verdict(n *bench.Now, quota int) *entered {
	s := &g.s
	b := s.verdicts[params.ToCell-1]
	if b == nil {
		return nil
	}
	before := s.m.Free()
	s.m.Take(b.packet, b.beat)
	if !g.f.Bare {
		g.coverTake(b, before)
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
	if !g.f.Bare {
		g.coverEnter(n, e, b, charged, quota)
	}
	return e
}

// join lets a packet enter, four cycles after its last beat.
func (g *golden) join(n *bench.Now) *entered {
	s := &g.s
	e := s.joins[1]
	if e == nil {
		return nil
	}
	g.enters.Emit(n, &params.Entered{Conn: e.packet.Conn, Dropped: e.reason != params.Stored, Reason: uint64(e.reason), Bytes: uint64(e.packet.Bytes)})
	n.Count(params.CountStored+e.reason, true)
	if e.reason == params.Unknown {
		n.CountIllegal()
	}
	if e.reason == params.Stored {
		s.m.Join(e.packet)
	}
	return e
}

// arrive takes a beat.
func (g *golden) arrive(n *bench.Now) {
	s, e := &g.s, &g.beat
	var b *incoming
	if g.beats.Read(n.In, e) {
		first := !s.inside
		if first {
			s.store = e.Store && n.Ready
			if e.Store && !n.Ready {
				n.Count(params.CountNotReady, true)
				g.hit(ptNotReady, true)
			}
			if s.store {
				s.packet = &model.Packet{Conn: e.Conn, Bytes: int(e.Bytes), Tags: int(e.Tags), Meta: slices.Clone(e.Meta[:(g.p.MetaBits+63)/64])}
			}
		}
		s.inside = !e.Last
		if s.store {
			g.f.Accepted++
			b = &incoming{packet: s.packet, first: first, last: e.Last, user: e.User}
			b.beat.Len, b.beat.Data = length(e.Keep), e.Data
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

// text describes the queues.
func (g *golden) text([]uint64) string {
	s := &g.s
	text := fmt.Sprintf("\n%d cells free, inside of a packet %t, %d pops wait, visits under way of %v, %d visits wait, flow control in phase %d at %d",
		s.m.Free(), s.inside, len(s.pops.words), s.way, len(s.visits.words), s.phase, s.row)
	if w := &s.walk; w.at != idle {
		text += fmt.Sprintf("\nwalk: state %d, connection %d, %d packets, packet %d, cell %d, open %t", w.at, w.visit.Conn, len(w.visit.Packets), w.packet, w.cell, w.open)
	}
	for i := range min(uint64(g.p.Connections), 8) {
		text += fmt.Sprintf("\nconnection %d: %d packets wait, %d cells, %d with those that are leaving", i, s.m.Waiting(i), s.m.Seen(i), s.m.Charged(i))
	}
	return text
}
