// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

// cell is a byte of a beat, and whether tkeep says that it is there. Streams that keep AXI4-Stream's
// rules have all of them but behind the end of a frame; a shorter stimulus for a failure may not.
type cell uint16

const there cell = 0x100

// cells are the bytes as they are there.
func cells(b []byte) []cell {
	out := make([]cell, len(b))
	for i, v := range b {
		out[i] = there | cell(v)
	}
	return out
}

// beat is one that leaves.
type beat struct {
	valid, last, user, shim bool
	cells                   [params.DataBytes]cell
}

// fill makes a beat of the cells from at on.
func (b *beat) fill(frame []cell, at int) {
	*b = beat{valid: true}
	copy(b.cells[:], frame[at:])
}

// passage is a frame on its way, in one direction.
type passage struct {
	inside  bool
	regular bool   // by AXI4-Stream's rules, so far
	came    []byte // what came that is there
	made    []cell // what leaves, in whole beats
	left    int    // cells that have left
}

// take takes a beat that came.
func (f *passage) take(data, keep *bench.Pin, last bool, in []uint64) (beat [params.DataBytes]cell) {
	if !f.inside {
		*f = passage{regular: true, came: f.came[:0], made: f.made[:0]}
	}
	k := keep.Get(in)
	f.regular = f.regular && k&1 != 0 && k&(k+1) == 0 && (last || k+1 == 0)
	for i := range beat {
		beat[i] = cell(data.Bits(in, 8*i, 8))
		if k>>i&1 != 0 {
			f.came = append(f.came, byte(beat[i]))
			beat[i] |= there
		}
	}
	f.inside = !last
	return beat
}

// check compares what leaves with the model's frame.
func (f *passage) check(whole []byte, direction string) {
	n := len(whole)
	for n < len(f.made) && f.made[n]&there == 0 {
		n++
	}
	if want := cells(whole); n != len(f.made) || !slices.Equal(want, f.made[:len(want)]) {
		panic(fmt.Sprintf("tb/nic_shim: %s: the whole frame becomes %x, its beats %x", direction, whole, f.made))
	}
}

// predictor is the golden model behind the unit's ports. A frame is known when it has ended, and beats
// leave before: what they are is carried on from the first one, and compared with the model's frame at
// the end.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins

	// To the network.
	tx        passage
	shim      model.Shim
	on        bool   // the frame should get it
	typ       uint16 // EtherType at its first beat
	size      int    // bytes that it gets
	out, rest beat
	txNow     events // of the cycle before
	txLast    events // of the one before that

	// From the network.
	rx     passage
	typIn  uint16 // EtherType at its first beat
	gap    int    // bytes that are taken out
	kind   model.Kind
	ring   [8]beat
	marks  [8]events
	record record
	known  bool // there was a record since the reset

	cov coverage
}

// events are what comes with a beat.
type events struct {
	frame   bool // it is the last one
	illegal bool
	record  bool // a shim is put in, or taken out
	shim    record
}

// record is what is shown of a shim.
type record struct {
	end, bad  bool
	shim      model.Shim
	addresses [params.Addresses]byte
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x}
	r.Always(x.txReady, x.outValid, x.inValid, x.recValid, x.evtTx, x.evtRx, x.frames, x.inserts, x.txIllegals, x.rxFrames, x.removes, x.ends, x.rxIllegals)
	return r, nil
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(in, want, care)
	}
	if r.pins.rst.On(in) {
		if !r.Bare {
			r.coverReset()
		}
		r.Known, r.known = true, false
		r.tx.inside, r.rx.inside = false, false
		r.out.valid, r.rest.valid, r.txNow, r.txLast = false, false, events{}, events{}
		for i := range r.ring {
			r.ring[i].valid, r.marks[i] = false, events{}
		}
		clear(r.Want)
	} else if r.Known {
		r.send(in)
		r.ring[(r.Cycle+params.RemoveLatency)%8].valid = false
		r.marks[(r.Cycle+params.RemoveLatency)%8] = events{}
		if r.pins.rxValid.On(in) {
			r.receive(in)
		}
	}
	r.Cycle++
}

// ready reports whether a beat to the network is taken.
func (r *predictor) ready(in []uint64) bool {
	return (r.pins.outReady.On(in) || !r.out.valid) && !r.rest.valid
}

// send is a cycle to the network.
func (r *predictor) send(in []uint64) {
	x := r.pins
	taken := r.ready(in) && x.txValid.On(in)
	r.txLast, r.txNow = r.txNow, events{}
	if !r.Bare {
		r.coverOut(in, taken)
	}
	switch {
	case r.out.valid && !x.outReady.On(in):
		return
	case r.rest.valid:
		r.out, r.rest.valid = r.rest, false
		return
	case !taken:
		r.out.valid = false
		return
	}
	r.Accepted++
	f, first, last := &r.tx, !r.tx.inside, x.txLast.On(in)
	beat := f.take(&x.txData, &x.txKeep, last, in)
	if first {
		r.on, r.typ = x.shimOn.On(in), uint16(x.etherType.Get(in))
		r.shim = model.Shim{Subtype: int(x.subtype.Get(in)), Type: int(x.kind.Get(in)), Count: int(x.count.Get(in)), Next: int(x.next.Get(in))}
		for i := 0; i < int(r.p.BodyBits()); i += 32 {
			binary.LittleEndian.PutUint32(r.shim.Body[i/8:], uint32(x.body.Bits(in, i, 32)))
		}
		f.made = append(f.made, beat[:params.Addresses]...)
		if r.on {
			// What the model puts in does not depend on the frame, but on whether there are 14 bytes.
			made, ok := model.Insert(r.p, make([]byte, min(params.Addresses+1+int(beat[params.Addresses+1]>>8), params.Addresses+2)), r.shim, r.typ)
			r.txNow.record, r.txNow.illegal = ok, !ok
			if ok {
				f.made = append(f.made, cells(made[params.Addresses:len(made)-2])...)
			}
		}
		f.made = append(f.made, beat[params.Addresses:]...)
		r.size = len(f.made) - params.DataBytes
		for i := range beat { // tkeep is shifted as a whole
			f.made[r.size+i] = f.made[r.size+i]&^there | beat[i]&there
		}
	} else {
		f.made = append(f.made, beat[:]...)
	}
	r.out.fill(f.made, f.left)
	for i := range r.size { // these are there: the beat goes on behind them
		r.out.cells[i] |= there
	}
	f.left += params.DataBytes
	if !last {
		return
	}
	r.txNow.frame = true
	if r.out.last = f.left >= len(f.made) || f.made[f.left]&there == 0; r.out.last {
		r.out.user = x.txUser.On(in)
	} else {
		r.rest.fill(f.made, f.left)
		r.rest.last, r.rest.user = true, x.txUser.On(in)
	}
	if f.regular {
		whole := f.came
		if r.on {
			whole, _ = model.Insert(r.p, whole, r.shim, r.typ)
		}
		f.check(whole, "out")
	}
}

// receive takes a beat from the network.
func (r *predictor) receive(in []uint64) {
	x, f := r.pins, &r.rx
	const latency = params.RemoveLatency
	r.Accepted++
	first, last, user := !f.inside, x.rxLast.On(in), x.rxUser.On(in)
	beat := f.take(&x.rxData, &x.rxKeep, last, in)
	now := &r.marks[(r.Cycle+latency)%8]
	now.frame = last
	if first {
		r.typIn = uint16(x.etherType.Get(in))
		now.shim.shim, r.kind = r.judge(&beat)
		r.gap = 0
		if r.kind == model.Removed {
			r.gap = r.p.Size(now.shim.shim.Subtype)
		}
		now.shim.end, now.shim.bad = r.kind == model.Ended, last && user
		for i := range now.shim.addresses {
			now.shim.addresses[i] = byte(beat[i])
		}
		now.record, now.illegal = r.kind == model.Removed || r.kind == model.Ended, r.kind == model.Illegal
		f.made = append(append(f.made, beat[:params.Addresses]...), beat[params.Addresses+r.gap:]...)
	} else {
		f.made = append(f.made, beat[:]...)
	}
	if !r.Bare {
		r.coverIn(first, last, user)
	}
	early, late := &r.ring[(r.Cycle+latency-1)%8], &r.ring[(r.Cycle+latency)%8]
	switch {
	case r.kind == model.Plain || r.kind == model.Illegal:
		late.fill(f.made, f.left)
		f.left += params.DataBytes
		late.last, late.user = last, last && user
	case r.kind == model.Removed:
		rest := last && beat[r.gap]&there != 0
		if !first {
			early.fill(f.made, f.left)
			for i := range params.DataBytes - r.gap { // these are not the last ones of their beat
				early.cells[i] |= there
			}
			f.left += params.DataBytes
			early.shim, early.last, early.user = true, last && !rest, last && !rest && user
		}
		if rest {
			late.fill(f.made, f.left)
			if first { // behind the addresses, the bytes' places in tkeep are those behind the shim
				for i := range params.Addresses {
					late.cells[i] = late.cells[i]&^there | beat[i+r.gap]&there
				}
			}
			late.last, late.user, late.shim = true, user, true
		}
	}
	if last && f.regular {
		whole, _, kind := model.Remove(r.p, f.came, r.typIn)
		if kind != r.kind {
			panic(fmt.Sprintf("tb/nic_shim: in: %x is %v, its first beat %v", f.came, kind, r.kind))
		}
		if kind != model.Ended {
			f.check(whole, "in")
		}
	}
}

// judge is what the model says of a first beat. It asks for three bytes whether they are there.
func (r *predictor) judge(beat *[params.DataBytes]cell) (model.Shim, model.Kind) {
	const head = params.Addresses
	frame := make([]byte, params.DataBytes)
	for i, c := range beat {
		frame[i] = byte(c)
	}
	if size := r.p.Size(int(frame[head+3] & 15)); beat[head+1]&there == 0 {
		frame = frame[:head+1]
	} else if size > 0 && beat[head+size+1]&there == 0 {
		frame = frame[:head+size+1]
	}
	_, s, kind := model.Remove(r.p, frame, r.typIn)
	return s, kind
}

// show writes what earlier cycles caused, and what follows from this one's inputs.
func (r *predictor) show(in, want, care []uint64) {
	x := r.pins
	add := func(pin *bench.Pin, is bool) {
		if is {
			pin.Add(r.Want, 1)
		}
	}
	then := &r.marks[(r.Cycle-1)%8]
	add(&x.frames, r.txLast.frame)
	add(&x.inserts, r.txLast.record)
	add(&x.txIllegals, r.txLast.illegal)
	add(&x.rxFrames, then.frame)
	add(&x.removes, then.record && !then.shim.end)
	add(&x.ends, then.record && then.shim.end)
	add(&x.rxIllegals, then.illegal)
	copy(want, r.Want)
	copy(care, r.Care)

	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
	}
	raise(&x.txReady, r.ready(in))
	raise(&x.evtTx, r.txNow.illegal)
	leave(&r.out, &x.outData, &x.outKeep, &x.outValid, &x.outLast, &x.outUser, want, care)

	now := &r.marks[r.Cycle%8]
	raise(&x.evtRx, now.illegal)
	raise(&x.recValid, now.record)
	if now.record {
		r.record, r.known = now.shim, true
	}
	if r.known {
		s := &r.record.shim
		raise(&x.recEnd, r.record.end)
		raise(&x.recBad, r.record.bad)
		x.recSubtype.Put(want, uint64(s.Subtype))
		x.recKind.Put(want, uint64(s.Type))
		x.recCount.Put(want, uint64(s.Count))
		x.recNext.Put(want, uint64(s.Next))
		for _, pin := range []*bench.Pin{&x.recEnd, &x.recBad, &x.recSubtype, &x.recKind, &x.recCount, &x.recNext} {
			pin.Put(care, ^uint64(0))
		}
		for i := 0; i < 8*(r.p.Size(s.Subtype)-params.HeadBytes); i += 32 {
			x.recBody.PutBits(want, i, 32, uint64(binary.LittleEndian.Uint32(s.Body[i/8:])))
			x.recBody.PutBits(care, i, 32, 1<<32-1)
		}
		for i := 0; i < 8*params.Addresses; i += 32 {
			x.recAddresses.PutBits(want, i, 32, uint64(binary.LittleEndian.Uint32(r.record.addresses[i/8:])))
			x.recAddresses.PutBits(care, i, 32, 1<<32-1)
		}
	}
	b := &r.ring[r.Cycle%8]
	leave(b, &x.inData, &x.inKeep, &x.inValid, &x.inLast, &x.inUser, want, care)
	if b.valid {
		raise(&x.inShim, b.shim)
		x.inShim.Put(care, 1)
	}
}

// leave writes a beat that leaves.
func leave(b *beat, data, keep, valid, last, user *bench.Pin, want, care []uint64) {
	if !b.valid {
		return
	}
	valid.Raise(want)
	if b.last {
		last.Raise(want)
	}
	if b.user {
		user.Raise(want)
	}
	last.Put(care, 1)
	user.Put(care, 1)
	keep.Put(care, ^uint64(0))
	for i, c := range b.cells {
		if c&there != 0 {
			keep.PutBits(want, i, 1, 1)
			data.PutBits(want, 8*i, 8, uint64(c&0xff))
			data.PutBits(care, 8*i, 8, 0xff)
		}
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain(in []uint64) string {
	return fmt.Sprintf("cycle %d, always ready from the network, to it %t; out: inside of a frame %t, of which %d bytes came and %d left, shim %t of subtype %d, rest %t; "+
		"in: inside %t, kind %d, %d bytes came, %d left",
		r.Cycle, r.ready(in), r.tx.inside, len(r.tx.came), r.tx.left, r.on, r.shim.Subtype, r.rest.valid, r.rx.inside, r.kind, len(r.rx.came), r.rx.left)
}
