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
	entry       model.Entry // the entry read back
}

// golden is the table behind its contract: a machine of registers.
type golden struct {
	f       *bench.Frame
	p       *params.Params
	m       *model.Table
	latency int

	searches  [ports]bench.Wires[params.Search]
	founds    [ports]bench.Out[params.Found]
	conflicts [ports]bench.Pin
	dones     bench.Out[params.Done]
	readSet   bench.Pin
	e         params.Search

	registers
}

// registers holds the registers that a reset clears.
type registers struct {
	cycle uint64
	ring  [ports][16]search // by cycle, modulo 16
	busy  bool              // no operation would be taken
	waits bool              // one was taken and has not begun
	op    operation
	last  model.Write // the write of the previous cycle
	wrote bool
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	r := &golden{p: p, m: model.New(p), latency: p.SearchLatency()}
	bind := []bench.Binder{bench.Emits(params.Dones, &r.dones), bench.WirePin("m_write_set", &r.readSet)}
	for i, name := range []string{"a", "b"} {
		bind = append(bind, bench.WireIn(params.Searches[i], &r.searches[i]), bench.Emits(params.Founds[i], &r.founds[i]),
			bench.WirePin("evt_"+name+"_conflict", &r.conflicts[i]))
	}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    r,
		Contract: p.Contract(),
		Rules:    []bench.Rule{bench.On(params.Operations, r.operate).When(func(*bench.Now) bool { return !r.busy })},
		Bind:     bind, Reset: r.reset, ResetLast: true, Begin: r.begin, End: r.end, State: r.state,
	})
	if err != nil {
		return nil, err
	}
	f.Always(r.conflicts[:]...)
	r.f = f
	return f, nil
}

func (r *golden) reset() {
	r.m.Reset()
	r.registers = registers{}
}

// at is the search of a number of cycles ago on a port.
func (r *golden) at(port int, ago uint64) *search { return &r.ring[port][(r.cycle-ago)%16] }

// begin lets the table go on by a cycle.
func (r *golden) begin(n *bench.Now) {
	r.cycle = n.Cycle
	if n.Acting {
		if !r.f.Bare {
			r.coverReset()
		}
		return
	}
	for i := range r.ring {
		s := r.at(i, 0)
		if s.valid = r.searches[i].Poll(n.In, &r.e); s.valid {
			s.live, s.key, s.answer = n.Ready, r.e.Key, model.Answer{}
			r.f.Accepted++
		}
	}
	// Searches that read now see writes of earlier cycles.
	for i := range r.ring {
		if s := r.at(i, params.ReadStage); s.valid {
			if s.live {
				s.answer = r.m.Search(s.key)
			}
			r.answer(n, i, &s.answer)
		}
	}
	if !r.f.Bare {
		r.coverSearches()
	}
	r.wrote = false
	if r.op.valid && !r.waits && n.Cycle == r.op.began+1 {
		r.carryOut(n)
	}
	if r.waits {
		wait := r.at(portB, 2).valid
		n.Count(params.CountWait, wait)
		if wait {
			r.op.waited++
		} else {
			r.waits, r.op.began = false, n.Cycle
		}
	}
	if !r.f.Bare {
		r.hit(ptOffered, r.op.valid && r.busy && n.Offered&onOperation != 0)
	}
}

// onOperation is the bit of an operation in bench.Now.Offered.
const onOperation = 1 << ports

// answer answers a search that reads in this cycle.
func (r *golden) answer(n *bench.Now, port int, a *model.Answer) {
	left, first := r.latency-params.ReadStage, port*params.CountsOfPort
	e := params.Found{Hit: a.Hit, Conn: a.Conn}
	count := first + params.CountMiss
	if a.Hit {
		r.founds[port].EmitAfter(n, &e, left)
		count = first + params.CountHit
	} else {
		r.founds[port].EmitAlways(n, &e, left)
	}
	n.CountN(first+params.CountSearch, 1, left+1)
	n.CountN(count, 1, left+1)
	if a.Conflict {
		want, _ := n.Later(uint64(left + 1))
		r.conflicts[port].Raise(want)
		n.CountN(first+params.CountConflict, 1, left+2)
	}
}

// operate takes an operation.
func (r *golden) operate(_ *bench.Now, e *params.Operation) bool {
	r.busy, r.waits = true, true
	r.op = operation{valid: true, read: e.Read, write: model.Write{Way: int(e.Way), Row: int(e.Row),
		Entry: model.Entry{Set: e.Set, Key: e.Key, Conn: e.Conn}}}
	return true
}

// end lets the next operation come after an answer.
func (r *golden) end(n *bench.Now) {
	if !n.Acting && r.op.valid && !r.waits && n.Cycle+1 == r.op.began+uint64(r.latency)-2 {
		r.busy = false
	}
}

// carryOut executes the operation on the table.
func (r *golden) carryOut(n *bench.Now) {
	o := &r.op
	was, err := r.m.Read(o.write.Way, o.write.Row)
	if o.read {
		o.entry, o.err = was, err
	} else {
		o.err = r.m.Write(o.write)
		r.wrote, r.last = o.err == nil, o.write
	}
	if !r.f.Bare {
		r.coverOperation(was)
	}
	left := r.latency - 3 // cycles to the answer
	e := params.Done{Error: o.err != nil, Set: o.entry.Set, Key: o.entry.Key, Conn: o.entry.Conn}
	switch {
	case o.read && o.err == nil && e.Set:
		r.dones.EmitAfter(n, &e, left)
	default:
		r.dones.EmitAlways(n, &e, left)
		if o.read && o.err == nil {
			_, care := n.Later(uint64(left))
			r.readSet.Put(care, 1)
		}
	}
	switch {
	case o.err != nil:
		n.CountIllegalOf(2) // it was taken two cycles ago, if it did not wait
	case !o.read:
		n.CountN(params.CountWrite, 1, left+1)
	}
}

// state describes the answers of this cycle and the operation.
func (r *golden) state([]uint64) string {
	text := ""
	for i, name := range []string{"a", "b"} {
		if s := r.at(i, uint64(r.latency)); s.valid {
			text += fmt.Sprintf("\nport %s answers the search for %x in rows %v: %+v", name, s.key, r.m.Rows(s.key), s.answer)
		}
	}
	if r.op.valid {
		text += fmt.Sprintf("\noperation %+v", r.op)
	}
	return text
}
