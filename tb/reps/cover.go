// SPDX-License-Identifier: Apache-2.0

package reps

import (
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Event kinds in the order in which they act within a cycle.
const (
	kindAck = iota
	kindFail
	kindSend
	kinds
)

// coverage counts the points.
type coverage struct {
	p         *params.Params
	m         *model.Buffer
	time      *params.Time
	hits      []uint64
	mask, top uint64 // of a time; the largest timeout

	e       events
	was     model.Conn // of the SEND, before it
	lastNow uint64
	seen    []tracked
	apart   *bench.Distances
}

// events holds the events of a cycle. The numbers are the rows of their connections on NIC ports; -1: no
// such event, or no such row.
type events struct {
	ack, flush, thaw, freeze bool
	returned, failed, sent   int // of the ACK or the flush, the failure, the SEND
}

// quiet are the events of a cycle without any.
var quiet = events{returned: -1, failed: -1, sent: -1}

// tracked is the history of a connection for the coverage points.
type tracked struct {
	burst  uint8 // good ACKs since the last SEND
	reused uint8 // packets that the oldest valid EV has served
}

func newCoverage(p *params.Params, m *model.Buffer, time *params.Time, f *bench.Frame) *coverage {
	rows := p.Connections * p.NICPorts
	return &coverage{
		p: p, m: m, time: time, hits: f.Reached, e: quiet,
		mask: ^uint64(0) >> (64 - p.TimerBits), top: 1<<(p.TimerBits-1) - 1,
		seen: make([]tracked, rows), apart: bench.NewDistances(kinds, distances, rows, f.Reached[ptDistance:]),
	}
}

func (c *coverage) reset() { clear(c.seen) }

func (c *coverage) hit(point int, is bool) {
	if is {
		c.hits[point]++
	}
}

// row is the place of a connection on a NIC port in what coverage keeps of them; -1 if it does not exist.
func (c *coverage) row(conn uint32, port uint8) int {
	if !c.m.Legal(conn, int(port)) {
		return -1
	}
	return int(conn)*int(c.p.NICPorts) + int(port)
}

// onFlush is the place of a flush among the transfers of a cycle.
const onFlush = 1 << 2

// end counts the points of a cycle as a whole.
func (c *coverage) end(n *bench.Now) {
	switch {
	case n.Rst:
		c.hit(ptReset, n.Ready)
	case n.Ready:
		c.hit(ptTimeWrap, c.time.Now < c.lastNow)
		c.lastNow = c.time.Now
		c.hit(ptFlushWaits, c.e.ack && n.Offered&onFlush != 0)
		if c.e != quiet {
			c.pairs(n.Cycle)
			c.e = quiet
		}
	default:
		c.hit(ptNotReady, n.Dropped > 0)
	}
}

// pairs counts events on one connection and NIC port in one cycle, and their distances.
func (c *coverage) pairs(cycle uint64) {
	h, e := c.hits, &c.e
	a, f, s := e.returned, e.failed, e.sent
	if a >= 0 && a == s {
		switch {
		case e.flush:
			h[ptSameFlushSend]++
		case f == s:
			h[ptSameAll]++
			fallthrough
		default:
			h[ptSameAckSend]++
		}
		c.hit(ptSameThawSend, e.thaw)
	}
	if a >= 0 && a == f {
		if e.flush {
			h[ptSameFlushFail]++
		} else {
			h[ptSameAckFail]++
		}
		c.hit(ptSameThawFail, e.thaw)
	}
	if f >= 0 && f == s {
		h[ptSameFailSend]++
		c.hit(ptSameFreezeSend, e.freeze)
	}
	on := [kinds]bool{kindAck: e.ack && a >= 0, kindFail: f >= 0, kindSend: s >= 0}
	c.apart.Cycle(cycle, on[:], []uint32{kindAck: uint32(a), kindFail: uint32(f), kindSend: uint32(s)})
}

// ack counts the points of an ACK from the connection's state before it.
func (c *coverage) ack(e *params.ACK) {
	c.e.ack, c.e.returned = true, c.row(e.Conn, e.Port)
	s, h := c.m.Conn(e.Conn, int(e.Port)), c.hits
	c.hit(ptBase, c.m.Settings.EVBase != 0)
	if s == nil {
		c.illegal(ptIllegalAck, e.Conn)
		return
	}
	if int64((e.EV-c.m.Settings.EVBase)&(1<<c.p.WireBits()-1)) >= 1<<c.p.EVSBits {
		h[ptIllegalEV]++
		return
	}
	now := c.time.Now
	if e.ECN {
		h[ptAckECN]++
		c.hit(ptThawECN, s.Frozen && (now-s.Exit)&c.mask == 1)
		return
	}
	h[ptAckGood]++
	depth := uint8(c.p.BufferDepth)
	seen := &c.seen[c.e.returned]
	if s.Valid == depth {
		h[ptAckOverwrite]++
		if seen.reused != 0 {
			h[ptReuseRenew]++
			seen.reused = 0
		}
	}
	c.hit(ptAckFill, s.Filled == depth-1)
	if seen.burst < 255 {
		seen.burst++
		c.hit(ptAckBurst, seen.burst == depth+1)
	}
	if s.Frozen {
		switch late := (now - s.Exit) & c.mask; {
		case late == 0:
			h[ptThawExact]++
		case late > c.top+1:
			h[ptThawEarly]++
		case late == 1:
			h[ptThawNext]++
			c.num()
		default:
			h[ptThaw]++
			c.num()
		}
	}
}

// num counts the points of NUM_PKTS_CWND at the end of freezing.
func (c *coverage) num() {
	n, d := int64(c.m.Settings.NumPkts), c.p.BufferDepth
	h := c.hits
	if n == d-1 {
		h[ptNumDepthLess]++
	}
	if n == d {
		h[ptNumDepth]++
	}
	switch {
	case n == 0:
		h[ptNum0]++
	case n == 1:
		h[ptNum1]++
	case n == params.ExploreMax:
		h[ptNum255]++
	case n > params.ExploreMax:
		h[ptNumAbove]++
	}
}

// fail counts the points of a failure, from the state before it.
func (c *coverage) fail(e *params.Fail) {
	c.e.failed = c.row(e.Conn, e.Port)
	s := c.m.Conn(e.Conn, int(e.Port))
	switch {
	case s == nil:
		c.illegal(ptIllegalFail, e.Conn)
	case !c.m.Settings.Freezing:
		c.hits[ptFailOff]++
	case s.Frozen:
		c.hits[ptFailFrozen]++
	case s.Explore != 0 || s.Begin:
		c.hits[ptFailExploring]++
	default:
		c.hits[ptFailFreeze]++
		c.freeze(c.time.Now)
	}
}

// freeze counts the points of the timeout of a freezing that starts at time now.
func (c *coverage) freeze(now uint64) {
	t := c.m.Settings.Timeout
	c.hit(ptTimeout0, t == 0)
	c.hit(ptTimeoutMax, t == c.top)
	c.hit(ptExitWrap, (now+t)&c.mask < now)
}

// illegal counts an event of a connection or NIC port that does not exist.
func (c *coverage) illegal(point int, conn uint32) {
	if int64(conn) < c.p.Connections {
		point = ptIllegalPort
	}
	c.hits[point]++
}

// flush counts the points of a flush, from the state before it.
func (c *coverage) flush(e *params.Flush) {
	c.e.flush, c.e.returned = true, c.row(e.Conn, e.Port)
	s := c.m.Conn(e.Conn, int(e.Port))
	switch {
	case s == nil:
		c.illegal(ptIllegalFlush, e.Conn)
		return
	case s.Frozen:
		c.hits[ptFlushFrozen]++
	case s.Explore != 0 || s.Begin:
		c.hits[ptFlushExploring]++
	}
	c.hit(ptFlushFilled, s.Valid != 0)
	c.seen[c.e.returned] = tracked{}
}

// before notes the state before a SEND.
func (c *coverage) before(e *params.Send, seeded bool) {
	c.hit(ptInject, e.Inject)
	c.hit(ptSeedSend, seeded)
	c.e.sent = c.row(e.Conn, e.Port)
	if s := c.m.Conn(e.Conn, int(e.Port)); s != nil {
		c.was = *s
	}
}

// send counts the points of a SEND, from the states before and after it.
func (c *coverage) send(e *params.Send, src model.Source) {
	h, was := c.hits, &c.was
	switch src {
	case model.None:
		c.illegal(ptIllegalSend, e.Conn)
		return
	case model.Oblivious:
		h[ptModeOPS]++
		return
	case model.Fixed:
		h[ptModeECMP]++
		return
	}
	seen, now := &c.seen[c.e.sent], c.m.Conn(e.Conn, int(e.Port))
	seen.burst = 0
	exploring := was.Explore > 0 || was.Begin && c.m.Settings.NumPkts != 0
	c.hit(ptExploreEnd, exploring && now.Explore == 0)
	switch src {
	case model.Cached:
		h[ptSendCached]++
		c.hit(ptSendFrozenFresh, was.Frozen)
		c.hit(ptExploreMiss, exploring)
		if c.p.Coalescing == params.Reuse {
			if now.Valid == was.Valid {
				seen.reused++
				h[ptReuseAgain]++
			} else {
				seen.reused = 0
			}
		}
	case model.Frozen:
		if was.Filled == uint8(c.p.BufferDepth) {
			h[ptSendFrozenFull]++
			break
		}
		h[ptSendFrozenPart]++
		c.hit(ptSendFrozenWrap, was.Reuse+1 == was.Filled)
	case model.Explored:
		for other := range int(c.p.NICPorts) {
			if was.Valid == 0 && c.m.Conn(e.Conn, other).Valid > 0 {
				h[ptPortsApart]++
				break
			}
		}
		switch {
		case exploring && (was.Valid > 0 || was.Frozen):
			h[ptExploreHit]++
		case was.Filled == 0 && was.Frozen:
			h[ptSendFrozenNever]++
		case was.Filled == 0:
			h[ptSendNever]++
		case was.Valid == 0 && !was.Frozen:
			h[ptSendDrained]++
		}
	}
}
