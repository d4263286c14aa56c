// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"unsafe"

	"github.com/nicgen/nicgen/gen/event"
)

// History keeps the values of a group of ports in recent cycles: the settings of a unit whose pipeline
// reads each of them in a different stage. A cycle without a change costs a comparison. Keeps binds it.
type History[S any] struct {
	codec  codec
	fields []event.Field
	same   []wordMask // the ports
	last   []uint64   // their values
	past   []moment[S]
	n      int    // changes so far
	moved  uint64 // fields that changed in the noted cycle
	stale  bool   // the last Settle wrote other values than the present ones
}

// moment is a change of the ports.
type moment[S any] struct {
	from  uint64 // cycle
	value S
}

// Keeps binds a group of ports, which are 0 at first, to a history that reaches back some cycles.
func Keeps[S any](s event.Group[S], h *History[S], cycles int) Binder {
	return func(ports *Ports, c *event.Contract) {
		x := newCodec(ports, s.Stream, c.Lanes, nil)
		same := x.masks(ports.layout.InWords)
		*h = History[S]{codec: x, fields: s.Fields, same: same, last: make([]uint64, len(same)),
			past: make([]moment[S], cycles+2), n: 1, stale: true}
	}
}

// change is the k-th change.
func (h *History[S]) change(k int) *moment[S] { return &h.past[k%len(h.past)] }

// Note records the ports in a cycle. It is called in every cycle.
func (h *History[S]) Note(in []uint64, cycle uint64) {
	h.moved = 0
	for i := range h.same {
		if s := &h.same[i]; in[s.word]&s.mask != h.last[i] {
			h.note(in, cycle)
			return
		}
	}
}

func (h *History[S]) note(in []uint64, cycle uint64) {
	for i := range h.same {
		h.last[i] = in[h.same[i].word] & h.same[i].mask
	}
	was, now := h.change(h.n-1), h.change(h.n)
	h.n++
	h.stale = true
	*now = *was
	now.from = cycle
	h.codec.decode(in, unsafe.Pointer(&now.value))
	for i := range h.fields {
		if field(&now.value, &h.fields[i]) != field(&was.value, &h.fields[i]) {
			h.moved |= 1 << i
		}
	}
}

// Moved are the fields that changed in the cycle that was noted last, a bit for each in the group's order.
func (h *History[S]) Moved() uint64 { return h.moved }

// At is the group in a cycle, valid until the next change.
func (h *History[S]) At(cycle uint64) *S {
	k := h.n - 1
	for k > 0 && k > h.n-len(h.past)+1 && h.change(k).from > cycle {
		k--
	}
	return &h.change(k).value
}

// Settle writes to to, which is the same in all calls, what each field was some cycles after start: after
// has the number for each, in the group's order. It returns false, and writes nothing, if to has the
// present values and they have held since start.
func (h *History[S]) Settle(to *S, start uint64, after []uint64) bool {
	if !h.stale {
		return false
	}
	for i := range h.fields {
		f := &h.fields[i]
		set(to, f, field(h.At(start+after[i]), f))
	}
	h.stale = h.change(h.n-1).from > start
	return true
}

func field[S any](s *S, f *event.Field) uint64 {
	return load(unsafe.Add(unsafe.Pointer(s), f.Offset), f.Size)
}

func set[S any](s *S, f *event.Field, x uint64) {
	store(unsafe.Add(unsafe.Pointer(s), f.Offset), f.Size, x)
}
