// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	params "github.com/nicgen/nicgen/gen/nic_queue"
	model "github.com/nicgen/nicgen/model/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

// Visits: from a pop to the account of what left.

// pick starts the oldest pop, and passes the visit on that is known.
func (g *golden) pick(n *bench.Now) (started *pop, known *model.Visit) {
	s := &g.s
	if s.picked[4] != nil {
		known = s.views[4]
	}
	if !s.pops.any(n.Cycle) {
		return nil, known
	}
	p := s.pops.words[0].value
	if !s.m.Known(p.conn) {
		s.pops.pop()
		n.Count(params.CountPopUnknown, true)
		n.CountIllegal()
		g.hit(ptPopUnknown, true)
		return nil, known
	}
	busy := len(s.way) == params.Visits
	g.hit(ptWayFull, busy)
	for _, c := range s.way {
		if c == p.conn {
			g.hit(ptWaySame, !busy)
			busy = true
			break
		}
	}
	if busy {
		return nil, known
	}
	g.f.Accepted++
	s.pops.pop()
	return &p, known
}

// step is a cycle of nic_queue_walk. end is a visit with packets that ends, and given tells that
// a cell is free again.
func (g *golden) step(n *bench.Now, sizeTaken bool, shim int) (end *model.Visit, given bool) {
	s := &g.s
	w := &s.walk
	v := w.visit
	var finish bool
	read := func(beat int) {
		if p := v.Packets[w.packet]; beat < len(p.Beats) && !v.Discard {
			g.leave(n, p, beat, w.packet == len(v.Packets)-1)
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
			g.account(n, v, nil, true, shim)
			finish = true
			break
		}
		p := v.Packets[w.packet]
		if w.begin {
			g.account(n, v, p, len(v.Packets) == 1, shim)
		}
		w.begin = false
		if !w.open {
			first(p)
			break
		}
		may := w.may || v.Discard
		g.hit(ptWaitNext, !may)
		g.hit(ptWaitSize, may && sizeTaken)
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
		g.account(n, v, p, w.packet == len(v.Packets)-1, shim)
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
	if w.at == idle && s.visits.any(n.Cycle) {
		head := s.visits.words[0].value
		if may := w.may || head.Discard || len(head.Packets) == 0; may {
			s.visits.pop()
			g.hit(ptNextAtOnce, finish && len(head.Packets) > 0)
			*w = walk{at: atA, visit: head, begin: true, may: w.may}
		} else {
			g.hit(ptWaitFirst, true)
		}
	}
	return end, given
}

// account notes a packet whose length is known, or a visit without one.
func (g *golden) account(n *bench.Now, v *model.Visit, p *model.Packet, last bool, shim int) {
	const modulo = 1<<params.SumBits - 1
	s := &g.s
	a := &s.sum
	a.conn, a.discard, a.none = v.Conn, v.Discard, p == nil
	switch {
	case p == nil:
		n.Count(params.CountEmpty, true)
	case v.Discard:
		n.Count(params.CountDiscarded, true)
	default:
		n.Count(params.CountSent, true)
		a.wire = (a.wire + p.Wire(shim)) & modulo
	}
	if p != nil {
		if !g.f.Bare {
			g.coverLength(n, p, shim, a.packets > 0)
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
