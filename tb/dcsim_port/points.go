// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	model "github.com/nicgen/nicgen/model/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptFirst      = iota        // of six: a class goes before another
	ptNoToken    = ptFirst + 6 // of three
	ptNoTokenAny = ptNoToken + 3
)

const (
	ptBurst = iota + ptNoTokenAny + 1
	ptBucketFull
	ptBlocked
	ptRow
	ptCarry
	ptOften
	ptMost
	ptIdle
	ptPause
	ptLatency
	ptDrop                        // of four
	ptLast  = ptDrop + len(names) // of four
	ptLeave = ptLast + len(names) // of four
)

const (
	ptPackets = iota + ptLeave + len(names)
	ptBytes
	ptBytesExact
	ptDepth
	ptRows
	ptWrap
	ptLowered
	ptNext
	ptShortest
	ptLongest
	ptClass
	ptZero
	ptLong
	ptReset
	ptResetOffer
)

// names of classes.
var names = [model.Classes]string{"SIM", "SIM-ACK", "DATA-ACK", "DATA"}

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	few := p.DataRows() <= 128 // an episode fills them
	var list bench.Points
	add := list.Add
	for a := range names {
		for b := a + 1; b < len(names); b++ {
			add(fmt.Sprintf("first/%s_%s", params.Classes[a], params.Classes[b]), fmt.Sprintf("a %s is picked, and a %s waits", names[a], names[b]), true)
		}
	}
	for c := model.SIMAck; c <= model.Data; c++ {
		add("no_token/"+params.Classes[c], fmt.Sprintf("a SIM waits for a token, and a %s is picked", names[c]), true)
	}
	add("no_token/none", "a SIM waits for a token, and no other frame waits", true)
	add("token/burst", "two SIMs two cycles apart", p.Bucket > 1)
	add("token/full", "a SIM begins with a full bucket", true)
	add("token/blocked", "a SIM was offered for so long that another token came", p.Bucket > 1)
	add("line/row", "two frames two cycles apart", true)
	add("line/carry", "a frame is picked in the first cycle in which the line is free, and that fell free within two", true)
	add("line/often", "a frame is picked while the line is late by two clocks or more, as only every other cycle can have one", true)
	add("line/most", "a frame is picked while the line is as late as it may be", true)
	add("line/idle", "a frame is picked after the line had nothing to send", true)
	add("line/pause", "an offered frame that is not taken at once", true)
	add("line/latency", fmt.Sprintf("a frame is offered %d cycles after its descriptor", params.Latency), true)
	for c, n := range names {
		add("drop/"+params.Classes[c], fmt.Sprintf("a %s is dropped", n), true)
	}
	for c, n := range names {
		add("last/"+params.Classes[c], fmt.Sprintf("a %s takes the last place", n), true)
	}
	for c, n := range names {
		add("leave/"+params.Classes[c], fmt.Sprintf("a %s finds room as one left in its own cycle", n), true)
	}
	add("data/packets", "a DATA is dropped for the number of packets only", true)
	add("data/bytes", "a DATA is dropped for its bytes only", true)
	add("data/bytes_exact", "a DATA fills the last byte", true)
	add("queue/depth", "a small packet is dropped as its queue has queue_depth, below cfg_queue", true)
	add("data/rows", "a DATA is dropped as all rows are in use, below cfg_data_packets", few)
	add("data/wrap", "more DATAs came than there are rows", few)
	add("limit/lowered", "a frame is dropped from a queue with more than its limit", true)
	add("arrive/next", "two frames of one class in consecutive cycles", true)
	add("length/1", "a frame of one byte", true)
	add("length/most", "a frame of max_bytes", true)
	add("illegal/class", "an illegal class", true)
	add("illegal/zero", "a length of 0", true)
	add("illegal/long", "a length above max_bytes", true)
	add("reset", "a reset with frames that wait", true)
	add("reset/offer", "a reset with a frame that is offered", true)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	lastTake  uint64 // the cycle of the last frame
	lastClass int
	lastFree  bool // the line was free in the cycle before, and nothing was picked
	left      int  // the class that left in the cycle before, or -1
	last      arrival
	datas     int64
	blocked   int64 // tokens when the SIM was picked
	wasBusy   bool  // the line was busy in the cycle before
}

// limit is the most packets in a queue.
func (g *golden) limit(class int, l model.Limits) int {
	if class == model.Data {
		return int(min(l.DataPackets, uint64(g.p.DataRows())))
	}
	return int(min(l.Queue, uint64(g.p.QueueDepth)))
}

// cover looks at what a cycle brings and decides, before it changes anything.
func (g *golden) cover(c uint64, some [model.Classes]bool, class int, pick, take bool, l model.Limits) {
	s, v := &g.s, &g.cov
	hit := func(point int, when bool) {
		if when {
			g.f.Reached[point]++
		}
	}
	tokens := s.bucket.Have()
	free := s.line.Free() && !s.offered
	if pick {
		n := ptFirst
		for a := range some {
			for b := a + 1; b < len(some); b++ {
				hit(n, class == a && some[b])
				n++
			}
		}
		hit(ptNoToken+class-1, class > 0 && some[model.SIM] && tokens == 0)
		late := s.line.Credit() >= 2*g.rate
		hit(ptCarry, v.wasBusy && !late && s.line.Credit() > 0)
		hit(ptOften, late)
		hit(ptMost, s.line.Most(g.rate))
		hit(ptIdle, v.lastFree)
		a := &s.judged[1]
		hit(ptLatency, a.is(model.Queued) && a.frame == s.m.Head(class))
		v.blocked = tokens
	}
	hit(ptNoTokenAny, free && some == [model.Classes]bool{true} && tokens == 0)
	if s.offered {
		hit(ptPause, !take)
		hit(ptBlocked, s.class == model.SIM && tokens > v.blocked)
	}
	if take {
		hit(ptRow, v.lastTake+2 == c)
		hit(ptBurst, v.lastTake+2 == c && s.class == model.SIM && v.lastClass == model.SIM)
		hit(ptBucketFull, s.class == model.SIM && tokens == g.p.Bucket)
		v.lastTake, v.lastClass = c, s.class
	}
	v.wasBusy = !s.offered && !s.line.Free()
	v.lastFree = free && !pick
	g.coverArrival(hit, l)
	v.left = -1
	if take {
		v.left = s.class
	}
}

// coverArrival looks at the descriptor of the cycle before.
func (g *golden) coverArrival(hit func(int, bool), l model.Limits) {
	s, v := &g.s, &g.cov
	a := s.came
	last := v.last
	v.last = a
	if !a.valid {
		return
	}
	f, most := a.frame, uint64(g.p.MaxBytes)
	hit(ptNext, last.valid && last.frame.Class == f.Class)
	hit(ptClass, f.Class >= model.Classes && f.Len > 0 && f.Len <= most)
	hit(ptZero, f.Class < model.Classes && f.Len == 0)
	hit(ptLong, f.Class < model.Classes && f.Len > most)
	if f.Class >= model.Classes || f.Len == 0 || f.Len > most {
		return
	}
	hit(ptShortest, f.Len == 1)
	hit(ptLongest, f.Len == most)
	class := int(f.Class)
	n, limit := s.m.Len(class), g.limit(class, l)
	packets, bytes := n >= limit, class == model.Data && s.m.Bytes()+f.Len > l.DataBytes
	hit(ptDrop+class, packets || bytes)
	hit(ptLast+class, n+1 == limit && !bytes)
	hit(ptLeave+class, n+1 == limit && !bytes && v.left == class)
	hit(ptLowered, n > limit)
	if class != model.Data {
		hit(ptDepth, n == int(g.p.QueueDepth) && l.Queue > uint64(n))
		return
	}
	hit(ptPackets, packets && !bytes)
	hit(ptBytes, bytes && !packets)
	hit(ptBytesExact, !packets && s.m.Bytes()+f.Len == l.DataBytes)
	hit(ptRows, n == int(g.p.DataRows()) && l.DataPackets > uint64(n))
	if !packets && !bytes {
		v.datas++
		hit(ptWrap, v.datas > g.p.DataRows())
	}
}

// coverReset looks at what a reset clears.
func (g *golden) coverReset() {
	s := &g.s
	n := 0
	for c := range names {
		n += s.m.Len(c)
	}
	if n > 0 {
		g.f.Reached[ptReset]++
	}
	if s.offered {
		g.f.Reached[ptResetOffer]++
	}
	g.cov = coverage{}
}
