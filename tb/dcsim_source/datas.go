// SPDX-License-Identifier: Apache-2.0

package dcsimsource

// The predictor's part for DATAs: their numbers, the line, DATA-ACKs, and those that time out.

// match gives SIM-ACKs their DATAs, and takes those that timed out.
func (r *predictor) match(d *decisions) {
	s, c := &r.s, r.Cycle
	if s.step[2] {
		if s.matching != nil {
			s.m.Match(s.matching, c)
		} else {
			s.m.Head(s.again.flow, s.again.seq)
		}
	}
	s.step = [3]bool{d.matchAgain || d.matchAck, s.step[0], s.step[1]}
	switch {
	case d.matchAgain:
		s.matching, s.againHead = nil, false
		s.m.Reserve()
	case d.matchAck:
		s.matching, _ = s.acks.take(c)
	}
}

// sendData offers and sends DATAs.
func (r *predictor) sendData(d *decisions) {
	s, c := &r.s, r.Cycle
	head, any := s.datas.head(c)
	s.found = s.look && any && head.Matched != 0 && c >= head.Matched+2 && !d.dataLoad
	s.look = any && !d.dataLoad
	room := s.tail-s.closed() < uint64(r.p.Copies)-2
	if s.dataTook != nil {
		f := &sent{flow: s.dataTook.Flow, seq: s.dataTook.Seq, tag: s.tail, stamp: c}
		s.copies.push(c, f)
		s.live[s.tail] = f
		s.tail = (s.tail + 1) & (1<<r.p.TagBits - 1)
		r.count(1, ctDataSent, 1)
	}
	s.copyRoom = room
	s.dataTook = nil
	if d.dataTake {
		s.dataTook, s.data = s.data, nil
		r.Accepted++
	}
	if d.dataLoad {
		s.data, _ = s.datas.take(c)
	}
}

// dataAck takes the DATA-ACK of the cycle before, and notes this cycle's.
func (r *predictor) dataAck(in []uint64) {
	s, x, c := &r.s, r.pins, r.Cycle
	if s.dataAck {
		if f := s.live[s.dataTag]; f != nil && f.acked == 0 {
			f.acked = c + 1
			r.count(3, ctDataAck, 1)
		} else {
			r.wrong(2, ctDataAckMissed)
		}
	}
	valid := x.dataAck.On(in)
	s.dataAck, s.dataTag = valid && r.taking(), x.dataAckTag.Get(in)
	if s.dataAck {
		r.Accepted++
	} else if valid {
		r.count(2, ctNotReady, 1)
	}
}

// closed is the tag of the oldest DATA that is in flight, or the next one.
func (s *state) closed() uint64 { return s.tail - uint64(s.copies.len()) }

// copy takes DATAs out of those that wait for DATA-ACKs.
func (r *predictor) copy(d *decisions) {
	s, c := &r.s, r.Cycle
	s.lost = false
	if f := s.left[1]; f != nil {
		if f.acked == 0 {
			if s.space {
				s.againHead, s.againWant = true, true
				r.count(2, ctDataTimeout, 1)
			} else {
				s.lost = true
				r.count(2, ctLost, 1)
			}
		}
		s.again = f
	}
	head, any := s.copies.head(c)
	s.copyDue = any && r.due(head.stamp, r.timeout) && !d.copyLeaves
	s.copySeen = s.copyLook && any && head.acked != 0 && head.acked < c && !d.copyLeaves
	s.copyLook = any && s.left[0] == nil && !d.copyLeaves
	s.left = [2]*sent{nil, s.left[0]}
	if d.copyLeaves {
		f, _ := s.copies.take(c)
		s.left[0] = f
		delete(s.live, f.tag)
	}
	s.space = s.m.Space()
}
