// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

// beat is one that leaves.
type beat struct {
	valid, last, user, illegal bool
	patched                    bool // an ICRC that is patched begins in it
	keep                       uint64
	data                       [params.KeepBits]byte
}

// predictor is the golden model behind the unit's ports. The RTL has to answer before a frame
// has ended: a frame that is cut off is edited like the beginning of the whole one. When it has
// ended, the model edits the whole of it, and all beats must have been those of the result.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins

	inside  bool // a frame has begun
	command model.Command
	legal   bool
	frame   []byte // so far
	edited  []byte // what left of it
	ring    [16]beat
	cov     coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x}
	r.Always(x.mValid, x.evtIllegal, x.frames, x.illegals)
	if p.ICRC {
		r.Always(x.patches)
	}
	return r, nil
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	now := &r.ring[r.Cycle%16]
	now.valid = false
	switch {
	case r.pins.rst.On(in):
		if !r.Bare {
			r.coverReset(in)
		}
		r.Known, r.inside = true, false
		for i := range r.ring {
			r.ring[i].valid = false
		}
		clear(r.Want)
	case r.Known && r.pins.valid.On(in):
		r.take(in, now)
	}
	r.Cycle++
}

// take takes a beat.
func (r *predictor) take(in []uint64, b *beat) {
	x := r.pins
	r.Accepted++
	first := !r.inside
	if first {
		r.command = x.command(in).Built(r.p)
		r.legal = r.command.Legal()
		r.frame, r.edited = r.frame[:0], r.edited[:0]
	}
	*b = beat{valid: true, last: x.last.On(in), user: x.user.On(in), illegal: first && !r.legal, keep: x.keep.Get(in)}
	at := len(r.frame)
	for i := 0; i < params.DataBits; i += 64 {
		r.frame = binary.LittleEndian.AppendUint64(r.frame, x.data.Bits(in, i, 64))
	}
	// Beats that nothing is written to need no model: the whole frame will tell.
	begin := r.command.ICRCAt()
	patch := r.legal && r.command.Patched()
	part := r.frame
	if at < 2*params.KeepBits || patch && begin < len(r.frame) && begin+4 > at {
		part, _ = model.Edit(r.frame, r.command)
	}
	copy(b.data[:], part[at:])
	b.patched = patch && begin >= at && begin < len(r.frame)
	r.edited = append(r.edited, b.data[:]...)
	if !r.Bare {
		r.cover(b, first, at)
	}
	r.inside = !b.last
	if b.last && at >= 2*params.KeepBits {
		if whole, _ := model.Edit(r.frame, r.command); !bytes.Equal(whole, r.edited) {
			panic(fmt.Sprintf("tb/nic_edit: %+v: the whole frame is edited to %x, its beats to %x", r.command, whole, r.edited))
		}
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if c := &r.ring[(r.Cycle-params.Latency-1)%16]; c.valid {
		if c.last {
			x.frames.Add(r.Want, 1)
		}
		if c.illegal {
			x.illegals.Add(r.Want, 1)
		}
		if c.patched && r.p.ICRC {
			x.patches.Add(r.Want, 1)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	b := &r.ring[(r.Cycle-params.Latency)%16]
	if !b.valid {
		return
	}
	x.mValid.Raise(want)
	raise := func(pin *bench.Pin, is bool) {
		if is {
			pin.Raise(want)
		}
		pin.Put(care, 1)
	}
	raise(&x.mLast, b.last)
	raise(&x.mUser, b.user)
	if b.illegal {
		x.evtIllegal.Raise(want)
	}
	x.mKeep.Put(want, b.keep)
	x.mKeep.Put(care, ^uint64(0))
	for i := 0; i < params.KeepBits; i += 8 {
		x.mData.PutBits(want, 8*i, 64, binary.LittleEndian.Uint64(b.data[i:]))
		x.mData.PutBits(care, 8*i, 64, spread(b.keep>>i))
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	return fmt.Sprintf("cycle %d, always ready; inside of a frame %t, of which %d bytes came; command %+v, legal %t",
		r.Cycle, r.inside, len(r.frame), r.command, r.legal)
}
