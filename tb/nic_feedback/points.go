// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	model "github.com/nicgen/nicgen/model/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

// order is the order of lanes in lists of points.
var order = []int{8, 9, 10, 13, 14, 15}

// Coverage points, by index, in the order of the table in points.
const (
	ptLane     = iota      // of six, made
	ptEnd      = iota + 5  // of six, received
	ptCount    = ptEnd + 6 // of 16, made
	ptReceived = ptCount + 16
	ptFirst    = ptReceived + 16
)

const (
	ptLabel = iota + ptFirst
	ptNoLabel
	ptBorrow
	ptCarry
	ptAgain
	ptMarked
	ptShortest
	ptWaitFirst
	ptWaitLast
	ptWaitList
	ptNone
	ptLaneWrong
	ptLateTaken
	ptNumber
	ptConn
	ptTemplate
	ptSame
	ptHeld
	ptEarly
	ptResetMade
	ptVersion
	ptFits
	ptShort
	ptNoRoom
	ptLong
	ptBad
	ptSingle
	ptBeats
	ptGap
	ptRow
	ptFull
	ptFreed
	ptDropped
	ptBackWait
	ptLaneEnd
	ptIgnored
	ptTwice
	ptResetEnd
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	several := p.List > 3
	illegal := p.Connections < 1<<p.ConnBits
	for _, lane := range order {
		add(fmt.Sprintf("made/lane/%d", lane), "a packet made with UDP at this lane", true)
	}
	for _, lane := range order {
		add(fmt.Sprintf("received/lane/%d", lane), "a list given out of a packet with UDP at this lane", true)
	}
	for n := range int64(params.MostEVs) {
		add(fmt.Sprintf("made/evs/%d", n+1), "a packet made of so many entropy values", n < p.List)
	}
	for n := range params.MostEVs {
		add(fmt.Sprintf("received/evs/%d", n+1), "one received", true)
	}
	add("made/label", "the entropy value is in the flow label", true)
	add("made/no_label", "an IPv4 template wants it there", true)
	add("made/borrow", "the IPv4 checksum is below the length", true)
	add("made/carry", "the IPv4 checksum is the length", true)
	add("made/again", "a packet that says that one came again", true)
	add("made/marked", "the newest and the oldest are marked, others not", several)
	add("made/shortest", "a packet of 66 bytes", true)
	add("made/wait/first", "a first beat waits for tready", true)
	add("made/wait/last", "a last beat waits for tready", true)
	add("made/wait/list", "a list waits for the packet before it", true)
	add("made/none", "a list of a connection without template", true)
	add("made/lane", "one with a template whose lane is none", true)
	add("made/late", "a list without template is taken before it is gathered", several)
	add("made/number", "a list of no entropy values, or too many", true)
	add("made/conn", "a list of a connection that does not exist", illegal)
	add("template/conn", "a template of one", illegal)
	add("template/same", "a word of a template is written in the cycle in which it is read", true)
	add("template/held", "the same while a beat waits", true)
	add("template/early", "a word of a template waits for the unit", true)
	add("made/reset", "a reset while a packet is made", true)
	add("received/version", "another version", true)
	add("received/fits", "a list that just fits", true)
	add("received/short", "one that does not fit by a word", true)
	add("received/no_room", "a UDP length without room for any", true)
	add("received/long", "a UDP length above 63", true)
	add("received/bad", "a bad packet", true)
	add("received/single", "a packet of one beat", true)
	add("received/beats", "one of more than two", true)
	add("received/gap", "a cycle between the first two beats", true)
	add("received/row", "the first beat of a packet comes in the cycle after the last of one", true)
	add("received/full", "the last place of the queue is taken", true)
	add("received/freed", "a packet comes in the cycle in which a place becomes free", true)
	add("received/dropped", "a packet for which there is no place", true)
	add("received/wait", "an entropy value waits for m_back_ready", true)
	add("received/lane", "a lane that is none", true)
	add("received/ignored", "s_list_valid with another beat than the first", true)
	add("received/twice", "two packets are refused in one cycle", true)
	add("received/reset", "a reset while lists wait", true)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	first uint64 // the cycle of a first beat
	last  uint64 // the cycle of the last beat of a feedback packet, and one
}

// hit counts a point.
func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

// coverReset looks at a reset.
func (g *golden) coverReset() {
	g.hit(ptResetMade, g.make.busy)
	g.hit(ptResetEnd, len(g.end.queue) > 1)
}

// coverCycle looks at a cycle, before it.
func (g *golden) coverCycle(n *bench.Now) {
	hit, m := g.hit, &g.make
	var w params.Word
	write := g.words.Read(n.In, &w)
	hit(ptEarly, write && !n.Ready)
	hit(ptTemplate, write && n.Ready && w.Conn >= uint64(g.p.Connections))
	hit(ptWaitList, m.busy && m.step > m.gather && g.lists.On(n.In))
	if m.busy {
		g.coverMade(n)
	}
	g.coverReceived(n)
}

// coverMade looks at a packet that is made.
func (g *golden) coverMade(n *bench.Now) {
	hit, m := g.hit, &g.make
	held := m.valid || m.step == atWord+tail && !m.head
	at := m.step - 1
	if held {
		at--
	}
	same := g.written && g.write.Conn == m.conn && g.write.Word == uint64(at)
	hit(ptSame, same && !held)
	hit(ptHeld, same && held)
	hit(ptWaitFirst, m.valid && !m.last && !g.beats.Ready(n))
	hit(ptWaitLast, m.valid && m.last && !g.beats.Ready(n))
	p, ok := m.words.Place()
	if m.stops() {
		hit(ptNone, m.legal && m.words[0]>>params.ValidBit&1 == 0)
		hit(ptLaneWrong, m.legal && m.words[0]>>params.ValidBit&1 != 0)
		hit(ptLateTaken, m.step < m.gather)
		hit(ptNumber, !m.legal && m.conn < uint64(g.p.Connections))
		hit(ptConn, !m.legal && m.conn >= uint64(g.p.Connections))
	}
	if !ok || !m.valid || !m.last || !g.beats.Ready(n) {
		return
	}
	for i, lane := range order {
		hit(ptLane+i, p.Lane == lane)
	}
	k := len(m.list.EVs)
	hit(ptCount+k-1, true)
	hit(ptLabel, p.Label)
	hit(ptNoLabel, !p.V6 && m.words[0]>>params.LabelBit&1 != 0)
	if !p.V6 {
		word := m.words[p.Lane-2]
		sum := int(word>>16&0xff<<8 | word>>24)
		total := 4 * (12 + (k+1)/2)
		hit(ptBorrow, sum < total)
		hit(ptCarry, sum == total)
	}
	hit(ptAgain, m.list.Again)
	hit(ptMarked, k > 2 && m.list.Marks[0] && m.list.Marks[k-1] && !m.list.Marks[1])
	hit(ptShortest, len(m.frame) == 66)
}

// coverReceived looks at what is received and given out.
func (g *golden) coverReceived(n *bench.Now) {
	hit, e, v, side := g.hit, &g.end, &g.cov, &g.side
	goes := !e.back || g.values.Ready(n)
	hit(ptBackWait, !goes)
	wrong := false
	frees := false
	if e.busy && goes {
		q := &e.queue[0]
		wrong = e.step == toHead && !q.ok
		frees = wrong || q.ok && e.step-toEVs == len(q.list.EVs)-1
		if q.ok && e.step == toEVs {
			for i, lane := range order {
				hit(ptEnd+i, q.lane == lane)
			}
			k := len(q.list.EVs)
			hit(ptReceived+k-1, true)
			hit(ptFits, q.udpLen == 28+(k+1)/2*4)
			hit(ptLong, q.udpLen > 63)
		}
		if wrong {
			at := q.bytes[4*q.lane+22]
			hit(ptVersion, at>>4 != 0)
			hit(ptShort, at>>4 == 0 && q.udpLen == 28+int(at&15)/2*4 && q.udpLen >= 32)
			hit(ptNoRoom, at>>4 == 0 && q.udpLen < 32)
		}
	}
	var b params.Part
	if !g.parts.Read(n.In, &b) {
		return
	}
	first, last := !e.inside, b.Last
	full := len(e.queue) == params.FIFO
	if first && side.On {
		lane := model.Lane(int(side.Lane))
		hit(ptLaneEnd, !lane)
		hit(ptDropped, full && lane)
		hit(ptFreed, full && lane && frees)
		hit(ptSingle, last && lane && !full)
		hit(ptRow, v.last == n.Cycle)
		hit(ptTwice, last && lane && !full && wrong)
	}
	hit(ptIgnored, !first && side.On)
	if e.inside && e.keep {
		hit(ptGap, e.beats == 1 && v.first+1 < n.Cycle)
		hit(ptBeats, e.beats > 1 && last)
		hit(ptBad, last && !side.Good)
		hit(ptFull, last && side.Good && len(e.queue) == params.FIFO-1 && !frees)
		if last {
			v.last = n.Cycle + 1
		}
	}
	if first {
		v.first = n.Cycle
	}
}
