// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// The golden side's part for SIMs: flows that want them, the queue and the line, SIM-ACKs, and what
// falls due.

// flows is the lane that counts what flows want.
func (g *golden) flows(n *bench.Now, d *decisions) {
	s, c := &g.s, n.Cycle
	join := func(flow uint32, joins bool) {
		if joins {
			s.list.push(c+2, flow)
		}
	}
	if s.served != nil { // it was chosen in the cycle before
		s.m.Number(s.served)
		s.sims.push(c, s.served)
	}
	var seed params.Seed
	if g.seeds.Read(n.In, &seed) {
		s.m.Seed(seed.Word)
	} else if s.served != nil {
		s.m.Step()
	}
	room := (s.slot-s.oldest)%uint64(g.p.Outstanding) < uint64(g.p.Outstanding)-2
	s.served = nil
	switch {
	case d.late:
		flow := s.leaving[2].Flow
		join(flow, s.m.Late(flow))
	case d.again:
		s.againWant = false
		join(s.again.flow, s.m.Again(s.again.flow))
	case d.serve:
		flow, _ := s.list.take(c)
		sim, stays := s.m.Queue(flow)
		s.served = sim
		join(flow, stays)
		s.queued++
		s.slot++
	case d.fresh:
		accepted, joins := s.m.Data(s.fresh.what.Flow, int64(s.fresh.what.Count))
		join(uint32(s.fresh.what.Flow), joins)
		if accepted {
			n.CountN(params.CountData, s.fresh.what.Count, 3)
			g.f.Accepted++
		} else {
			g.wrong(n, 1, params.CountRefused)
		}
	}
	s.slotRoom = room
	switch f := &s.fresh; {
	case !f.valid:
		f.valid = g.news.Read(n.In, &f.what) && n.Ready
		f.legal = f.what.Flow < uint64(g.p.Flows) && f.what.Count > 0
	case !f.legal:
		g.wrong(n, 2, params.CountRefused)
		f.valid = false
	case d.fresh:
		f.valid = false
	}
}

// sendSIM offers and sends SIMs.
func (g *golden) sendSIM(n *bench.Now, d *decisions) {
	s, c := &g.s, n.Cycle
	if s.took != nil {
		s.flight.push(c, flying{s.took, c})
		s.m.Send(s.took, c-1)
		n.Count(params.CountSIM, true)
	}
	s.took = nil
	if d.simTake {
		s.took, s.offered = s.offered, nil
		s.queued--
		g.f.Accepted++
	}
	if d.simLoad {
		s.offered, _ = s.sims.take(c)
	}
}

// simAck takes the SIM-ACK of the cycle before, and notes this cycle's.
func (g *golden) simAck(n *bench.Now) {
	s, c := &g.s, n.Cycle
	if s.ack {
		if sim := s.m.Ack(s.ackPort); sim != nil {
			s.acks.push(c+2, sim)
			n.CountN(params.CountSIMAck, 1, params.CountLatency-1)
		} else {
			g.wrong(n, 1, params.CountSIMAckMissed)
		}
	}
	var a params.SIMAck
	valid := g.simAcks.Read(n.In, &a)
	s.ack, s.ackPort = valid && n.Ready, a.Port
	if s.ack {
		g.f.Accepted++
	} else if valid {
		n.Count(params.CountNotReady, true)
	}
}

// leave takes SIMs out of the ring when they fall due.
func (g *golden) leave(n *bench.Now, d *decisions) {
	s, c := &g.s, n.Cycle
	left := s.leaving[2]
	free := s.coming == 0
	after := s.after
	if left != nil {
		s.after = (left.Slot + 1) % uint64(g.p.Outstanding)
		if left.Acked {
			s.coming++
			s.datas.push(c+params.Settle, left)
		} else {
			n.Count(params.CountSIMTimeout, true)
		}
	}
	switch {
	case d.dataTake:
		s.coming--
		s.oldest = (s.dataTook.Slot + 1) % uint64(g.p.Outstanding)
	case free:
		s.oldest = after
	}
	s.leaving = [3]*model.SIM{nil, s.leaving[0], s.leaving[1]}
	f, any := s.flight.head(c)
	s.due = any && g.due(c, f.stamp, g.was.RTTMax) && !d.due
	if d.due {
		f, _ := s.flight.take(c)
		s.leaving[0] = f.sim
		s.m.Due(f.sim)
	}
}
