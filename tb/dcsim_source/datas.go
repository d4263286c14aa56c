// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// The golden side's part for DATAs: their numbers, the line, DATA-ACKs, and those that time out.

// match gives SIM-ACKs their DATAs, and takes those that timed out.
func (g *golden) match(n *bench.Now, d *decisions) {
	s, c := &g.s, n.Cycle
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
func (g *golden) sendData(n *bench.Now, d *decisions) {
	s, c := &g.s, n.Cycle
	head, any := s.datas.head(c)
	s.found = s.look && any && head.Matched != 0 && c >= head.Matched+2 && !d.dataLoad
	s.look = any && !d.dataLoad
	room := s.tail-s.closed() < uint64(g.p.Copies)-2
	if s.dataTook != nil {
		f := &sent{flow: s.dataTook.Flow, seq: s.dataTook.Seq, tag: s.tail, stamp: c}
		s.copies.push(c, f)
		s.live[s.tail] = f
		s.tail = (s.tail + 1) & (1<<g.p.TagBits - 1)
		n.Count(params.CountDataSent, true)
	}
	s.copyRoom = room
	s.dataTook = nil
	if d.dataTake {
		s.dataTook, s.data = s.data, nil
		g.f.Accepted++
	}
	if d.dataLoad {
		s.data, _ = s.datas.take(c)
	}
}

// dataAck takes the DATA-ACK of the cycle before, and notes this cycle's.
func (g *golden) dataAck(n *bench.Now) {
	s, c := &g.s, n.Cycle
	if s.dataAck {
		if f := s.live[s.dataTag]; f != nil && f.acked == 0 {
			f.acked = c + 1
			n.CountN(params.CountDataAck, 1, params.CountLatency-1)
		} else {
			g.wrong(n, 1, params.CountDataAckMissed)
		}
	}
	var a params.DataAck
	valid := g.dataAcks.Read(n.In, &a)
	s.dataAck, s.dataTag = valid && n.Ready, a.Tag
	if s.dataAck {
		g.f.Accepted++
	} else if valid {
		n.Count(params.CountNotReady, true)
	}
}

// closed is the tag of the oldest DATA that is in flight, or the next one.
func (s *state) closed() uint64 { return s.tail - uint64(s.copies.len()) }

// copy takes DATAs out of those that wait for DATA-ACKs.
func (g *golden) copy(n *bench.Now, d *decisions) {
	s, c := &g.s, n.Cycle
	s.lost = false
	if f := s.left[1]; f != nil {
		if f.acked == 0 {
			if s.space {
				s.againHead, s.againWant = true, true
				n.Count(params.CountDataTimeout, true)
			} else {
				s.lost = true
				n.Count(params.CountLost, true)
			}
		}
		s.again = f
	}
	head, any := s.copies.head(c)
	s.copyDue = any && g.due(c, head.stamp, g.was.DataTimeout) && !d.copyLeaves
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
