// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// counters is the number of counters.
const counters = params.CountNotReady + 1

// event is a send or an ACK.
type event struct {
	on      bool
	path    uint32
	seg     model.Segment
	latency uint64
	now     uint64
	rtoMin  uint64
}

// visit is an ACK or a timer check in the barrel.
type visit struct {
	on       bool
	timer    bool
	first    bool // an ACK in its first pass
	follow   bool // an ACK of its path has entered behind it
	apart    int  // cycles from the ACK of its path before it, if that was in the barrel
	event         // the ACK; of a timer, path
	tail     uint64
	cause    model.Cause
	passes   int             // in which the ring is still searched
	lost     []model.Segment // segments to report
	reported int             // of these
	release  int             // places of the ring that are free at the end
	was      uint64          // of an ACK that skips: the timer before it
	sent     uint64          // and how many segments had been stored on its path
	count    [counters]uint8 // the model's counts for it
}

// busy reports whether an ACK of the path must not enter behind it.
func (v *visit) busy() bool { return v.on && !v.first }

// queue holds ACKs that wait, or may have to wait again: of acks, those from keep
// to wr, of which those from rd on are in the queue.
type queue struct {
	acks         []event
	wr, rd, keep uint64
	some         bool // one may be read
	blocked      bool // its oldest ACK waits for a visit of its path in the barrel
}

// at is the ACK in a place.
func (q *queue) at(i uint64) *event { return &q.acks[i&uint64(len(q.acks)-1)] }

// loss is a lost segment on its way to the sender.
type loss struct {
	path  uint32
	timer bool
	seg   model.Segment
}

// late holds the delayed effects of a cycle.
type late struct {
	any     bool // some increment is not zero
	count   [counters]uint8
	path    uint32 // of places that are free from a later cycle on
	release int
}

// add adds increments of the model's counters.
func (c *late) add(count [counters]uint8) {
	c.any = true
	for i, n := range count {
		c.count[i] += n
	}
}

// golden is the detector behind its contract. The model executes a send in the cycle in which the tail is
// written, a timer check in the cycle after it enters, and an ACK at the end of its first pass, as before the
// sends that came since its pointers were read. The machine around it determines when the results show.
type golden struct {
	f     *bench.Frame
	p     *params.Params
	m     *model.Detector
	phase int // cycle modulo the slots
	last  int // step in which the scan of a timer ends

	time            params.Time
	ackPath, rtoMin bench.Pin
	sent            bench.Out[params.Sent]
	done            bench.Out[params.Done]
	report          bench.Out[params.Lost]

	ready   bool // rings are emptied; until a reset acts
	lastNow uint64
	shown   bool // a lost segment is shown in this cycle
	pushed  bool // an ACK is taken in it

	sends  [8]event // by cycle in which they are taken, modulo 8
	queues []queue  // of ACKs that wait
	after  int      // whose turn was last
	e0, e1 *event   // on their way from a queue to the barrel
	slots  []visit
	taken  int    // slots that are on
	walks  int    // and those that are busy
	entry  *visit // the one in stage 0
	read   *visit // the one in stage 1, whose pointers are read
	noted  uint64 // the time of the cycle before
	lost   []loss // a ring, from lostRd to lostWr
	lostRd, lostWr,
	popped uint64 // segments that the sender took in the last cycle
	begin  []uint16 // start of a path's ring, modulo the depth
	stored []uint64 // segments stored on a path
	scan   struct {
		path    uint32
		step    int  // cycles since the time was noted, up to last
		expired bool // its result
		want    bool // a timer check requests a slot
		held    bool // and must not, in this cycle
		busy    bool // it is in the barrel
	}

	ring [8]late // by cycle, modulo 8

	apart *bench.Distances
	full  []bool // the last send of a path found no room
	acked []bool // an ACK has set the timer of a path, and no send since
	ever  []bool // an ACK has set it at some time
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{
		p: p, m: model.New(p),
		queues: make([]queue, p.AckQueues), after: int(p.AckQueues) - 1,
		last:   p.ScanCycles() - 1,
		slots:  make([]visit, p.Slots()),
		lost:   make([]loss, p.LostQueue),
		stored: make([]uint64, p.Paths),
		begin:  make([]uint16, p.Paths),
		full:   make([]bool, p.Paths),
		acked:  make([]bool, p.Paths),
		ever:   make([]bool, p.Paths),
	}
	for i := range g.queues {
		g.queues[i].acks = make([]event, p.AckQueue)
	}
	for i := range g.slots {
		g.slots[i].lost = make([]model.Segment, 0, p.Depth)
	}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Ambient: bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(params.Sends, g.take, g.path),
			bench.On(params.ACKs, g.push, g.path).When(g.room),
		},
		Bind: []bench.Binder{
			bench.WirePin("s_ack_pid", &g.ackPath), bench.WirePin("cfg_rto_min_ns", &g.rtoMin),
			bench.Emits(params.SendAnswers, &g.sent), bench.Emits(params.ACKAnswers, &g.done), bench.Emits(params.Losses, &g.report),
		},
		Reset: g.reset, ResetLast: true, Begin: g.beginCycle, End: g.endCycle, State: g.state,
	})
	if err != nil {
		return nil, err
	}
	g.f = f
	g.apart = bench.NewDistances(kinds, distances(p), p.Paths, f.Reached[ptDistance(p):])
	return f, nil
}

// reset is the state after the cycle in which a reset acts.
func (g *golden) reset() {
	if g.ready {
		g.f.Reached[ptReset]++
	}
	g.m.Reset()
	g.ready = false
	g.sends, g.ring = [8]event{}, [8]late{}
	for i := range g.slots {
		g.slots[i].on, g.slots[i].first = false, false
	}
	for i := range g.queues {
		q := &g.queues[i]
		*q = queue{acks: q.acks}
	}
	g.e0, g.e1, g.after, g.taken, g.walks = nil, nil, int(g.p.AckQueues)-1, 0, 0
	g.lostRd, g.lostWr, g.popped, g.entry, g.read = 0, 0, 0, nil, nil
	g.scan.path, g.scan.step = 0, 0
	g.scan.expired, g.scan.want, g.scan.held, g.scan.busy = false, false, false, false
	clear(g.begin)
	clear(g.stored)
	clear(g.full)
	clear(g.acked)
	clear(g.ever)
}

// beginCycle shows the oldest lost segment, and executes due actions before events are taken.
func (g *golden) beginCycle(n *bench.Now) {
	if !n.Acting {
		g.ready = n.Ready
	}
	if g.shown = g.lostRd != g.lostWr; g.shown {
		l := g.lostAt(g.lostRd)
		g.report.EmitAfter(n, &params.Lost{PID: l.path, Flow: l.seg.Flow, Seq: l.seg.Seq, Timeout: l.timer}, 0)
	}
	cur := g.now(n)
	*cur = late{}
	if f := &g.ring[(n.Cycle-uint64(g.p.FreeDelay()))&7]; f.release > 0 {
		g.m.Free(f.path, f.release)
	}
	// With two cycles to a word the pointers that come are those after the send of this one.
	if g.p.RAMLatency == 1 {
		g.look()
	}
	g.send(n, cur)
	if g.p.RAMLatency == 2 {
		g.look()
	}
	g.read, g.entry, g.noted = g.entry, nil, g.time.Now
	g.sends[n.Cycle&7].on, g.pushed = false, false
}

// now returns the effects of the present cycle.
func (g *golden) now(n *bench.Now) *late { return &g.ring[n.Cycle&7] }

// room reports whether the queue of the ACK at the port, valid or not, has room.
func (g *golden) room(n *bench.Now) bool {
	q := &g.queues[g.wait(uint32(g.ackPath.Get(n.In)))]
	return q.wr-q.keep < uint64(g.p.AckQueue)
}

// take queues a send. The model checks its path later.
func (g *golden) take(n *bench.Now, e *params.Segment) bool {
	g.sends[n.Cycle&7] = g.eventOf(n, e)
	return true
}

// push puts an ACK into its queue; the model checks its path later.
func (g *golden) push(n *bench.Now, e *params.Segment) bool {
	q := &g.queues[g.wait(e.PID)]
	*q.at(q.wr) = g.eventOf(n, e)
	g.pushed = true
	return true
}

func (g *golden) eventOf(n *bench.Now, e *params.Segment) event {
	return event{
		on: true, path: e.PID, latency: e.Latency, now: g.time.Now, rtoMin: g.rtoMin.Get(n.In),
		seg: model.Segment{Flow: e.Flow, Seq: e.Seq},
	}
}

// endCycle moves the barrel and the stages before it.
func (g *golden) endCycle(n *bench.Now) {
	g.coverTaken(n)
	cur, to := g.now(n), g.wait(uint32(g.ackPath.Get(n.In)))
	g.move(n, cur, g.pushed, to)
	if cur.any {
		for i, k := range cur.count {
			if k != 0 {
				n.CountN(i, uint64(k), params.CountDelay)
			}
		}
	}
	g.popped = 0
	if g.shown {
		if g.report.Ready(n) {
			g.lostRd++
			g.popped = 1
		} else {
			g.f.Reached[ptLostWaits]++
		}
	}
	if g.phase++; g.phase == len(g.slots) {
		g.phase = 0
	}
}

// send executes the send whose tail is written in this cycle.
func (g *golden) send(n *bench.Now, cur *late) {
	e := &g.sends[(g.f.Cycle-uint64(g.p.SendWrite()))&7]
	if !e.on {
		return
	}
	m := g.m
	before := 0
	was, armed := uint64(0), false
	if legal := m.Legal(e.path); legal {
		before = len(m.Outstanding(e.path))
		was, armed = m.Deadline(e.path), before > 0
	}
	m.RTOMin = e.rtoMin
	counted := m.Count
	stored := m.Send(e.path, e.seg, e.latency, e.now)
	g.sent.EmitAfter(n, &params.Sent{Stored: stored}, params.AnswerDelay)
	cur.add(since(&counted, &m.Count))
	if !m.Legal(e.path) {
		g.f.Reached[ptIllegalSend]++
		return
	}
	if stored {
		g.stored[e.path]++
	}
	if !g.f.Bare {
		g.coverSend(e, stored, before, armed, was)
	}
}

// look reads the pointers for the ACK or the timer check that has entered, and executes
// the check; and it reads the timer whose turn it is. Both at the time of the cycle before.
func (g *golden) look() {
	v, m, now := g.read, g.m, g.noted
	g.read = nil
	switch {
	case v == nil:
	case v.timer:
		if !g.f.Bare {
			g.coverTimerCheck(v.path, now)
		}
		counted := m.Count
		v.lost = append(v.lost[:0], m.Expire(v.path, now)...)
		v.release = len(v.lost)
		v.count = since(&counted, &m.Count)
		g.retire(v)
	case m.Legal(v.path):
		v.tail = g.stored[v.path]
	}
	if s := &g.scan; g.ready && s.step == 1 && !s.busy {
		s.expired = g.expired(s.path, now)
		if !g.f.Bare {
			g.coverTimer(s.path, now)
		}
	}
}

// expired reports what the memory of timers tells of one that is read at time now: an
// ACK that skips is written there at its end.
func (g *golden) expired(path uint32, now uint64) bool {
	if g.walks > 0 {
		for i := range g.slots {
			if v := &g.slots[i]; v.busy() && v.path == path && v.cause == model.Skip && !v.timer && g.stored[path] == v.sent {
				mask := ^uint64(0) >> (64 - g.p.TimeBits)
				late := (now - v.was) & mask
				return late != 0 && late <= mask>>1
			}
			// With a segment stored since, the ring is not empty and its timer is the one set by
			// the send.
		}
	}
	return g.m.Expired(path, now)
}

// resolve executes an ACK at the end of its first pass.
func (g *golden) resolve(v *visit) {
	m := g.m
	v.passes, v.release, v.lost, v.reported = 0, 0, v.lost[:0], 0
	m.RTOMin = v.rtoMin
	counted := m.Count
	if !m.Legal(v.path) {
		g.f.Reached[ptIllegalAck]++
		v.cause, _ = m.Ack(v.path, v.seg, v.latency, v.now)
		v.count = since(&counted, &m.Count)
		return
	}
	v.sent = g.stored[v.path]
	later := int(v.sent - v.tail)
	out := m.Outstanding(v.path)
	n, at := len(out)-later, 0
	v.was = m.Deadline(v.path)
	lane := int(g.begin[v.path]) & (int(g.p.Lanes) - 1)
	if !g.f.Bare {
		g.coverAck(v, out[:n], lane)
	}
	cause, lost := m.AckBefore(v.path, v.seg, v.latency, v.now, later)
	v.count = since(&counted, &m.Count)
	switch v.cause = cause; cause {
	case model.Ignored:
		at = n
	case model.Skip:
		v.lost = append(v.lost, lost...)
		at = len(lost)
		fallthrough
	case model.Order:
		v.release = at + 1
		if !g.f.Bare && later == 0 {
			g.coverSet(v.path, v.latency, v.rtoMin, v.was)
			g.acked[v.path], g.ever[v.path] = true, true
		}
	}
	v.passes = (lane + at) / int(g.p.Lanes)
	g.retire(v)
}

// retire holds the room of what left the ring, and moves its beginning.
func (g *golden) retire(v *visit) {
	if v.release > 0 {
		g.m.Hold(v.path, v.release)
		g.begin[v.path] = uint16((int(g.begin[v.path]) + v.release) & (int(g.p.Depth) - 1))
	}
}

// since returns the counts between two readings of the model's counters.
func since(from, to *model.Counters) [counters]uint8 {
	return [counters]uint8{
		params.CountSend: uint8(to.Send - from.Send), params.CountFull: uint8(to.Full - from.Full), params.CountACK: uint8(to.Ack - from.Ack),
		params.CountSkip: uint8(to.Skip - from.Skip), params.CountIgnored: uint8(to.Ignored - from.Ignored), params.CountLost: uint8(to.Lost - from.Lost),
		params.CountTimeout: uint8(to.Timeout - from.Timeout), params.CountExpired: uint8(to.Expired - from.Expired), params.CountIllegalPath: uint8(to.IllegalPath - from.IllegalPath),
	}
}

// wait is the number of the queue of a path's ACKs.
func (g *golden) wait(path uint32) int { return int(int64(path) & (g.p.AckQueues - 1)) }

// path describes the path of a segment.
func (g *golden) path(e *params.Segment) string {
	if g.m.Legal(e.PID) {
		return fmt.Sprintf("outstanding %v, timer %d ns", g.m.Outstanding(e.PID), g.m.Deadline(e.PID))
	}
	return fmt.Sprintf("there are only %d paths", g.p.Paths)
}

// state describes the queues and the barrel.
func (g *golden) state([]uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d lost segments wait; the timer of path %d is read, step %d, a timer check requests a slot: %t",
		g.lostWr-g.lostRd, g.scan.path, g.scan.step, g.scan.want)
	for i := range g.queues {
		if q := &g.queues[i]; q.wr != q.keep {
			fmt.Fprintf(&b, "\nqueue %d, blocked %t: ACKs of", i, q.blocked)
			for j := q.keep; j != q.wr; j++ {
				if j == q.rd {
					b.WriteString(" |") // those before are beyond the queue, and may come back
				}
				fmt.Fprintf(&b, " %v@%d", q.at(j).seg, q.at(j).path)
			}
		}
	}
	for i, e := range []*event{g.e0, g.e1} {
		if e != nil {
			fmt.Fprintf(&b, "\ne%d: ACK of path %d, %v", i, e.path, e.seg)
		}
	}
	for n := range g.slots {
		switch v := g.stage(n); {
		case v.on && v.timer:
			fmt.Fprintf(&b, "\nstage %d: timer of path %d, lost %v", n, v.path, v.lost)
		case v.on && v.first:
			fmt.Fprintf(&b, "\nstage %d: ACK of path %d, %v", n, v.path, v.seg)
		case v.on:
			fmt.Fprintf(&b, "\nstage %d: ACK of path %d, %v: %v, %d passes, lost %v", n, v.path, v.seg, v.cause, v.passes, v.lost[v.reported:])
		}
	}
	return b.String()
}
