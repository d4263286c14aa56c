// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points of a port, by index after the previous port's, in the order of the table in points.
const (
	ptWay  = iota // of four
	ptMiss = ptWay + params.MaxWays
)

const (
	ptCopied = iota + ptMiss + 1
	ptConflict
	ptNear
	ptEarly
	ptAfter
	ptLargest
	perPort
)

// Coverage points after both ports' points.
const (
	ptSame = iota + ports*perPort
	ptBoth
	ptWait0
	ptWait1
	ptWait4
	ptSet
	ptReplace
	ptDelete
	ptReadSet
	ptReadNone
	ptIllegalWay
	ptIllegalRow
	ptIllegalConn
	ptIllegalRead
	ptOffered
	ptResetSearch
	ptResetOp
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	several, small := p.Connections > 1, p.Rows <= 4096
	for _, port := range []string{"a", "b"} {
		for w := range params.MaxWays {
			add(fmt.Sprintf("%s/way/%d", port, w), fmt.Sprintf("a search on port %s finds its key in way %d alone", port, w), int64(w) < p.Ways)
		}
		add(port+"/miss", "a search does not find its key", true)
		add(port+"/copied", "it finds its key twice, with one connection, as in a move", true)
		add(port+"/conflict", "it finds its key with two connections", several)
		add(port+"/near", "it does not find its key, but one that differs in one bit, in a place of its own", true)
		add(port+"/early", "a search before the table is clear", true)
		add(port+"/after", "a search reads a place in the cycle after it was written", true)
		add(port+"/largest", "the connection that is found is the last one", true)
	}
	add("same", "a search on port a reads a place in the cycle in which it is written", true)
	add("both", "both ports find the same key in the same cycle", true)
	add("wait/0", "an operation does not wait", true)
	add("wait/1", "it waits for one cycle", true)
	add("wait/4", "it waits for four cycles or more", true)
	add("write/set", "a free place gets an entry", true)
	add("write/replace", "an entry replaces another one", true)
	add("write/delete", "an entry is deleted", true)
	add("read/set", "an entry is read back", true)
	add("read/none", "a free place is read back", true)
	add("illegal/way", "an operation on a way that does not exist", p.Ways < params.MaxWays)
	add("illegal/row", "a write to a row that does not exist", true)
	add("illegal/conn", "an entry of a connection that does not exist", p.Connections != 1<<p.ConnBits)
	add("illegal/read", "a row that does not exist is read back", true)
	add("offered", "an operation is offered while another one is under way", true)
	add("reset/search", "a reset with searches on their way", small)
	add("reset/operation", "a reset with an operation under way", small)
	return list
}

// hit counts a point if it is reached.
func (r *golden) hit(point int, is bool) {
	if is {
		r.f.Reached[point]++
	}
}

// coverSearches counts the points of the searches that read the table in this cycle, before an operation is
// carried out.
func (r *golden) coverSearches() {
	found := [ports]bool{}
	for i := range r.ring {
		r.hit(i*perPort+ptEarly, r.at(i, 0).valid && !r.at(i, 0).live)
		s := r.at(i, params.ReadStage)
		if !s.valid || !s.live {
			continue
		}
		a := &s.answer
		found[i] = a.Hit
		n, way := 0, 0
		for w, f := range a.Found {
			if f {
				n, way = n+1, w
			}
		}
		at := i * perPort
		r.hit(at+ptWay+way, n == 1)
		r.hit(at+ptMiss, n == 0)
		r.hit(at+ptCopied, n > 1 && !a.Conflict)
		r.hit(at+ptConflict, a.Conflict)
		r.hit(at+ptLargest, a.Hit && int64(a.Conn) == r.p.Connections-1)
		rows := r.m.Rows(s.key)
		if n == 0 {
			for w := range int(r.p.Ways) {
				e, _ := r.m.Read(w, rows[w])
				r.hit(at+ptNear, e.Set && apart(e.Key, s.key) == 1)
			}
		}
		r.hit(at+ptAfter, r.wrote && rows[r.last.Way] == r.last.Row)
		o := &r.op
		if i == portA && o.valid && !r.waits && !o.read && r.cycle == o.began+1 && int64(o.write.Way) < r.p.Ways {
			r.hit(ptSame, rows[o.write.Way] == o.write.Row)
		}
	}
	r.hit(ptBoth, found[portA] && found[portB] && r.at(portA, params.ReadStage).key == r.at(portB, params.ReadStage).key)
}

// apart is the number of bits in which keys differ.
func apart(a, b model.Key) int {
	n := 0
	for i := range a {
		n += bits.OnesCount64(a[i] ^ b[i])
	}
	return n
}

// coverOperation counts the points of an operation, on a place with an entry or without.
func (r *golden) coverOperation(was model.Entry) {
	o := &r.op
	legal, write := o.err == nil, !o.read
	r.hit(ptWait0, o.waited == 0)
	r.hit(ptWait1, o.waited == 1)
	r.hit(ptWait4, o.waited >= 4)
	r.hit(ptSet, legal && write && o.write.Entry.Set && !was.Set)
	r.hit(ptReplace, legal && write && o.write.Entry.Set && was.Set)
	r.hit(ptDelete, legal && write && !o.write.Entry.Set && was.Set)
	r.hit(ptReadSet, legal && o.read && was.Set)
	r.hit(ptReadNone, legal && o.read && !was.Set)
	way, row := int64(o.write.Way) >= r.p.Ways, int64(o.write.Row) >= r.p.Rows
	r.hit(ptIllegalWay, way)
	r.hit(ptIllegalRow, !way && row && write)
	r.hit(ptIllegalConn, !way && !row && !legal)
	r.hit(ptIllegalRead, !way && row && o.read)
}

// coverReset counts the points of a reset.
func (r *golden) coverReset() {
	r.hit(ptResetSearch, r.f.Ready() && r.at(portA, 1).valid && r.at(portB, 1).valid)
	r.hit(ptResetOp, r.op.valid && r.busy)
}
