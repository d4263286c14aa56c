// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
)

// The predictor's part for SIMs: flows that want them, the queue and the line, SIM-ACKs, and what
// falls due.

// flows is the lane that counts what flows want.
func (r *predictor) flows(in []uint64, d *decisions) {
	s, x, c := &r.s, r.pins, r.Cycle
	join := func(flow uint32, joins bool) {
		if joins {
			s.list.push(c+2, flow)
		}
	}
	if s.served != nil { // it was chosen in the cycle before
		s.m.Number(s.served)
		s.sims.push(c, s.served)
	}
	if x.seed.On(in) {
		s.m.Seed(x.seedWord.Get(in))
	} else if s.served != nil {
		s.m.Step()
	}
	room := (s.slot-s.oldest)%uint64(r.p.Outstanding) < uint64(r.p.Outstanding)-2
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
		accepted, joins := s.m.Data(s.fresh.flow, int64(s.fresh.count))
		join(uint32(s.fresh.flow), joins)
		if accepted {
			r.count(3, ctData, s.fresh.count)
			r.Accepted++
		} else {
			r.wrong(2, ctRefused)
		}
	}
	s.slotRoom = room
	switch f := &s.fresh; {
	case !f.valid:
		*f = offer{valid: x.newValid.On(in) && r.taking(), flow: x.newFlow.Get(in), count: x.newCount.Get(in)}
		f.legal = f.flow < uint64(r.p.Flows) && f.count > 0
	case !f.legal:
		r.wrong(1, ctRefused)
		f.valid = false
	case d.fresh:
		f.valid = false
	}
}

// sendSIM offers and sends SIMs.
func (r *predictor) sendSIM(d *decisions) {
	s, c := &r.s, r.Cycle
	if s.took != nil {
		s.flight.push(c, flying{s.took, c})
		s.m.Send(s.took, c-1)
		r.count(1, ctSIM, 1)
	}
	s.took = nil
	if d.simTake {
		s.took, s.offered = s.offered, nil
		s.queued--
		r.Accepted++
	}
	if d.simLoad {
		s.offered, _ = s.sims.take(c)
	}
}

// simAck takes the SIM-ACK of the cycle before, and notes this cycle's.
func (r *predictor) simAck(in []uint64) {
	s, x, c := &r.s, r.pins, r.Cycle
	if s.ack {
		if sim := s.m.Ack(s.ackPort); sim != nil {
			s.acks.push(c+2, sim)
			r.count(3, ctSIMAck, 1)
		} else {
			r.wrong(2, ctSIMAckMissed)
		}
	}
	valid := x.simAck.On(in)
	s.ack, s.ackPort = valid && r.taking(), x.simAckPort.Get(in)
	if s.ack {
		r.Accepted++
	} else if valid {
		r.count(2, ctNotReady, 1)
	}
}

// leave takes SIMs out of the ring when they fall due.
func (r *predictor) leave(d *decisions) {
	s, c := &r.s, r.Cycle
	left := s.leaving[2]
	free := s.coming == 0
	after := s.after
	if left != nil {
		s.after = (left.Slot + 1) % uint64(r.p.Outstanding)
		if left.Acked {
			s.coming++
			s.datas.push(c+params.Settle, left)
		} else {
			r.count(1, ctSIMTimeout, 1)
		}
	}
	switch {
	case d.dataTake:
		s.coming--
		s.oldest = (s.dataTook.Slot + 1) % uint64(r.p.Outstanding)
	case free:
		s.oldest = after
	}
	s.leaving = [3]*model.SIM{nil, s.leaving[0], s.leaving[1]}
	f, any := s.flight.head(c)
	s.due = any && r.due(f.stamp, r.rttMax) && !d.due
	if d.due {
		f, _ := s.flight.take(c)
		s.leaving[0] = f.sim
		s.m.Due(f.sim)
	}
}
