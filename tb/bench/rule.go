// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/nicgen/nicgen/gen/event"
)

// Rule is the effect of an event of a contract.
type Rule struct {
	stream *event.Stream
	bind   func(ports *Ports, c *event.Contract) rule
	when   func(n *Now) bool
}

// On is the rule of a stream. do executes an event and reports whether it is legal: the frame counts
// an illegal one and shows the pulse. e is valid until do returns. state describes to a person what the
// unit keeps that concerns an event.
func On[E any](s event.In[E], do func(n *Now, e *E) bool, state ...func(e *E) string) Rule {
	return Rule{stream: s.Stream, bind: func(ports *Ports, c *event.Contract) rule {
		return &typedRule[E]{codec: newCodec(ports, s.Stream, c.Lanes, nil), do: do, state: state, fast: event.FastOf[E]().Decode, places: ports.places(s.Stream)}
	}}
}

// When returns the rule of a stream with a handshake whose ready output also needs a condition. It is
// asked in every cycle in which the unit is ready and no stream with precedence is valid.
func (r Rule) When(ready func(n *Now) bool) Rule {
	r.when = ready
	return r
}

// rule is a Rule bound to a layout.
type rule interface {
	run(in []uint64, n *Now) (legal bool)
	text(in []uint64) string
	field(f *event.Field) uint64 // of the last event
}

type typedRule[E any] struct {
	e      E
	do     func(n *Now, e *E) bool
	state  []func(e *E) string
	fast   func(*E, []event.Place, []uint64)
	places []event.Place
	codec  codec
	at     uint64 // cycle + 1 of the event in e
}

func (t *typedRule[E]) decode(in []uint64) {
	if t.fast != nil {
		t.fast(&t.e, t.places, in)
		t.codec.decodeArrays(in, unsafe.Pointer(&t.e))
		return
	}
	t.codec.decode(in, unsafe.Pointer(&t.e))
}

func (t *typedRule[E]) run(in []uint64, n *Now) bool {
	switch {
	case t.at == n.Cycle+1:
	case t.fast != nil && !t.codec.more:
		t.fast(&t.e, t.places, in)
	default:
		t.decode(in)
	}
	return t.do(n, &t.e)
}

func (t *typedRule[E]) text(in []uint64) string {
	var e E
	t.codec.decode(in, unsafe.Pointer(&e))
	text := fmt.Sprintf("%+v", e)
	for _, f := range t.state {
		text += ": " + f(&e)
	}
	return text
}

func (t *typedRule[E]) field(f *event.Field) uint64 {
	return load(unsafe.Add(unsafe.Pointer(&t.e), f.Offset), f.Size)
}

// Peek shows the event of a stream before its rule is called, for coverage that looks at a cycle as a
// whole.
type Peek[E any] struct {
	bit  uint32
	rule *typedRule[E]
}

// PeekAt returns the view of a stream that has a rule.
func PeekAt[E any](f *Frame, s event.In[E]) Peek[E] {
	for i, x := range f.m.Contract.Events {
		if r, ok := f.rules[i].(*typedRule[E]); ok && x.Name == s.Name {
			return Peek[E]{1 << i, r}
		}
	}
	panic(fmt.Sprintf("bench: there is no rule for event %q", s.Name))
}

// Of returns the event that is taken in a cycle, or nil.
func (p *Peek[E]) Of(n *Now) *E {
	if n.On&p.bit == 0 {
		return nil
	}
	if p.rule.at != n.Cycle+1 {
		p.rule.at = n.Cycle + 1
		p.rule.decode(n.In)
	}
	return &p.rule.e
}

// Out emits the answers of a stream. Emits binds it.
type Out[A any] struct {
	a            A // the one that is written: the caller's stays on the caller's stack
	delay        uint64
	valid, ready Pin
	codec        codec
	fast         func(*A, []event.Place, []uint64)
	places       []event.Place
	full, always []wordMask
	single       []wordMask // the fields that are no arrays
	lanes        [][]lane   // the fields that are
}

// Emits binds the answers of a stream.
func Emits[A any](s event.Out[A], o *Out[A]) Binder {
	return func(ports *Ports, c *event.Contract) {
		o.codec = newCodec(ports, s.Stream, c.Lanes, nil)
		o.valid = o.codec.valid
		if s.Ready != "" {
			o.ready = ports.Pin(s.Ready)
		}
		o.fast, o.places = event.FastOf[A]().Encode, ports.places(s.Stream)
		o.full = o.codec.masks(ports.layout.OutWords)
		always := newCodec(ports, s.Stream, c.Lanes, func(f *event.Field) bool { return f.Always })
		o.always = always.masks(ports.layout.OutWords)
		single := newCodec(ports, s.Stream, c.Lanes, func(f *event.Field) bool { return f.Elements == 0 })
		o.single, o.lanes = single.masks(ports.layout.OutWords), nil
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Elements > 0 && (!f.Optional || ports.Has(f.Port)) {
				o.lanes = append(o.lanes, newLanes(ports, f, c.Lanes[f.Port]))
			}
		}
		for _, a := range c.Answers {
			if a.Name == s.Name {
				o.delay = uint64(a.After)
			}
		}
	}
}

// Answer returns an answer to be filled in and emitted: it saves a copy. It is all zeros, and valid until the
// next call of a method.
func (o *Out[A]) Answer() *A {
	var zero A
	o.a = zero
	return &o.a
}

// Emit shows an answer as many cycles after the present one as the contract says.
func (o *Out[A]) Emit(n *Now, a *A) { o.emit(n, a, o.delay, o.full) }

// EmitAfter shows an answer some cycles later; 0 is the present cycle.
func (o *Out[A]) EmitAfter(n *Now, a *A, cycles int) { o.emit(n, a, uint64(cycles), o.full) }

// EmitAlways shows an answer some cycles later of which only the fields count that the contract marks
// Always.
func (o *Out[A]) EmitAlways(n *Now, a *A, cycles int) { o.emit(n, a, uint64(cycles), o.always) }

// Ready reports whether the receiver takes an answer that is shown in the present cycle.
func (o *Out[A]) Ready(n *Now) bool { return o.ready.On(n.In) }

// EmitIllegal shows the answer to an illegal event: only the fields that the contract marks count.
func (o *Out[A]) EmitIllegal(n *Now, a *A) { o.emit(n, a, o.delay, o.always) }

func (o *Out[A]) emit(n *Now, a *A, cycles uint64, count []wordMask) {
	want, care := n.Later(cycles)
	want[o.valid.Word] |= o.valid.Bit
	if o.fast != nil {
		if a != &o.a {
			o.a = *a
		}
		o.fast(&o.a, o.places, want)
		o.codec.encodeArrays(want, unsafe.Pointer(a))
	} else {
		o.codec.encode(want, unsafe.Pointer(a))
	}
	for i := range count {
		care[count[i].word] |= count[i].mask
	}
}

// EmitLanes shows an answer some cycles later. Of fields that are arrays it writes only the elements whose
// bits are set in lanes; the others do not count.
func (o *Out[A]) EmitLanes(n *Now, a *A, lanes uint32, cycles int) {
	want, care := n.Later(uint64(cycles))
	o.valid.Raise(want)
	o.codec.single.encode(want, unsafe.Pointer(a))
	for i := range o.single {
		care[o.single[i].word] |= o.single[i].mask
	}
	for _, list := range o.lanes {
		for set := lanes; set != 0; set &= set - 1 {
			if i := bits.TrailingZeros32(set); i < len(list) {
				list[i].put(want, load(unsafe.Add(unsafe.Pointer(a), list[i].off), list[i].size))
				list[i].put(care, ^uint64(0))
			}
		}
	}
}

// EmitSome shows an answer some cycles later. Only the bits that are set in count count.
func (o *Out[A]) EmitSome(n *Now, a, count *A, cycles int) {
	want, _ := n.Later(uint64(cycles))
	o.valid.Raise(want)
	o.Fields(n, a, count, cycles)
}

// Fields is EmitSome without the valid: for fields that another stream shares.
func (o *Out[A]) Fields(n *Now, a, count *A, cycles int) {
	want, care := n.Later(uint64(cycles))
	o.codec.encode(want, unsafe.Pointer(a))
	o.codec.encode(care, unsafe.Pointer(count))
}

// lane is an element of an array: at most 64 bits, which may reach into the next word.
type lane struct {
	mask       uint64
	off, size  uintptr
	word, next int32
	shift      uint8
}

// newLanes are the elements of an array that its port reaches.
func newLanes(ports *Ports, f *event.Field, width int) (list []lane) {
	pin := ports.Pin(f.Port)
	for i, x := range elements(f, ports.Width(f.Port), width) {
		first := int(pin.Shift) + x.at
		list = append(list, lane{
			^uint64(0) >> (64 - x.bits), f.Offset + uintptr(i)*f.Size, f.Size,
			int32(pin.Word + first/64), int32(pin.Word + (first+x.bits-1)/64), uint8(first % 64),
		})
	}
	return list
}

// put writes the element where zeros are.
func (m *lane) put(v []uint64, x uint64) {
	x &= m.mask
	v[m.word] |= x << (m.shift & 63)
	v[m.next] |= x >> 1 >> (63 - m.shift&63) // nothing, unless it reaches there
}
