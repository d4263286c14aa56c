// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
	"github.com/nicgen/nicgen/tb/bench"
)

// search is one on its way.
type search struct {
	valid  bool
	live   bool // the table was clear when it came
	key    model.Key
	answer model.Answer
}

// operation is one on the table.
type operation struct {
	valid, read bool
	write       model.Write
	began       uint64 // the cycle in which it got port B
	waited      int
	err         error
	entry       model.Entry // what was read back
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p       *params.Params
	pins    *pins
	m       *model.Table
	latency uint64

	ready   bool
	cleared int64
	ring    [ports][16]search // by cycle, modulo 16
	open    bool              // an operation would be taken
	waits   bool              // one was taken and has not begun
	op      operation
	last    model.Write // what was written in the cycle before
	wrote   bool
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x, m: model.New(p), latency: uint64(p.SearchLatency())}
	r.Always(x.ready, x.opReady, x.done, x.evtIllegal, x.writes, x.waits, x.illegals)
	for i := range x.search {
		s := &x.search[i]
		r.Always(s.mValid, s.evtConflict, s.searches, s.hits, s.misses, s.conflicts)
	}
	return r, nil
}

// at is the search of a number of cycles ago on a port.
func (r *predictor) at(port int, ago uint64) *search { return &r.ring[port][(r.Cycle-ago)%16] }

// done tells whether the operation's answer leaves in a cycle.
func (r *predictor) done(cycle uint64) bool {
	return r.op.valid && !r.waits && cycle == r.op.began+r.latency-2
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	x := r.pins
	rst := x.rst.On(in)
	if rst && !r.Bare {
		r.coverReset()
	}
	for i := range r.ring {
		s := r.at(i, 0)
		s.valid = !rst && r.Known && x.search[i].valid.On(in)
		if s.valid {
			s.live, s.key, s.answer = r.ready, x.key(&x.search[i].key, in), model.Answer{}
			r.Accepted++
		}
	}
	switch {
	case rst:
		r.m.Reset()
		r.Known, r.ready, r.cleared, r.open, r.waits, r.wrote = true, false, 0, false, false, false
		r.op = operation{}
		r.ring = [ports][16]search{}
		clear(r.Want)
	case r.Known:
		r.cycle(in)
	}
	r.Cycle++
}

// cycle lets the table go on by a cycle.
func (r *predictor) cycle(in []uint64) {
	x := r.pins
	// The searches that read now see what was written in earlier cycles.
	for i := range r.ring {
		if s := r.at(i, params.ReadStage); s.valid && s.live {
			s.answer = r.m.Search(s.key)
		}
	}
	if !r.Bare {
		r.coverSearches()
	}
	r.wrote = false
	if r.op.valid && !r.waits && r.Cycle == r.op.began+1 {
		r.carryOut()
	}
	if r.waits {
		if r.at(portB, 2).valid {
			r.op.waited++
			x.waits.Add(r.Want, 1)
		} else {
			r.waits, r.op.began = false, r.Cycle
		}
	}
	if r.done(r.Cycle) {
		switch {
		case r.op.err != nil:
			x.illegals.Add(r.Want, 1)
		case !r.op.read:
			x.writes.Add(r.Want, 1)
		}
	}
	if !r.Bare {
		r.hit(ptOffered, r.op.valid && !r.open && x.opValid.On(in))
	}
	if r.open && x.opValid.On(in) {
		r.open, r.waits = false, true
		r.op = operation{valid: true, read: x.opRead.On(in), write: model.Write{Way: int(x.opWay.Get(in)), Row: int(x.opRow.Get(in)),
			Entry: model.Entry{Set: x.opSet.On(in), Key: x.key(&x.opKey, in), Conn: uint32(x.opConn.Get(in))}}}
		r.Accepted++
	}
	if r.done(r.Cycle + 1) {
		r.open = true
	}
	if !r.ready {
		if r.cleared++; r.cleared == r.p.Rows {
			r.ready, r.open = true, true
			x.ready.Raise(r.Want)
		}
	}
}

// carryOut executes the operation on the table.
func (r *predictor) carryOut() {
	o := &r.op
	was, err := r.m.Read(o.write.Way, o.write.Row)
	if o.read {
		o.entry, o.err = was, err
	} else {
		o.err = r.m.Write(o.write)
		r.wrote, r.last = o.err == nil, o.write
	}
	if !r.Bare {
		r.coverOperation(was)
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	for i := range r.ring {
		p := &x.search[i]
		if s := r.at(i, r.latency+1); s.valid {
			p.searches.Add(r.Want, 1)
			if s.answer.Hit {
				p.hits.Add(r.Want, 1)
			} else {
				p.misses.Add(r.Want, 1)
			}
		}
		if s := r.at(i, r.latency+2); s.valid && s.answer.Conflict {
			p.conflicts.Add(r.Want, 1)
		}
	}
	o := &r.op
	copy(want, r.Want)
	copy(care, r.Care)
	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
		pin.Put(care, 1)
	}
	for i := range r.ring {
		p := &x.search[i]
		if s := r.at(i, r.latency+1); s.valid && s.answer.Conflict {
			p.evtConflict.Raise(want)
		}
		if s := r.at(i, r.latency); s.valid {
			p.mValid.Raise(want)
			raise(&p.mHit, s.answer.Hit)
			if s.answer.Hit {
				p.mConn.Put(want, uint64(s.answer.Conn))
				p.mConn.Put(care, ^uint64(0))
			}
		}
	}
	raise(&x.opReady, r.open)
	if !r.done(r.Cycle) {
		return
	}
	x.done.Raise(want)
	raise(&x.failed, o.err != nil)
	if o.err != nil {
		x.evtIllegal.Raise(want)
	}
	if o.read && o.err == nil {
		raise(&x.readSet, o.entry.Set)
		if o.entry.Set {
			x.putKey(&x.readKey, want, o.entry.Key)
			x.putKey(&x.readKey, care, model.Key{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)})
			x.readConn.Put(want, uint64(o.entry.Conn))
			x.readConn.Put(care, ^uint64(0))
		}
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	text := fmt.Sprintf("cycle %d, ready %t", r.Cycle, r.ready)
	for i, name := range []string{"a", "b"} {
		if s := r.at(i, r.latency); s.valid {
			text += fmt.Sprintf("\nport %s answers the search for %x in rows %v: %+v", name, s.key, r.m.Rows(s.key), s.answer)
		}
	}
	if r.op.valid {
		text += fmt.Sprintf("\noperation %+v", r.op)
	}
	return text
}
