// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"unsafe"

	"github.com/nicgen/nicgen/gen/event"
)

// Rule says what an event of a contract does.
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
	if t.at != n.Cycle+1 {
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
	a            A // the one that is written: the caller's need not be on the heap
	delay        uint64
	valid, ready Pin
	codec        codec
	fast         func(*A, []event.Place, []uint64)
	places       []event.Place
	full, always []wordMask
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
		for _, a := range c.Answers {
			if a.Name == s.Name {
				o.delay = uint64(a.After)
			}
		}
	}
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

// EmitSome shows an answer some cycles later of which only the bits count that are set in count.
func (o *Out[A]) EmitSome(n *Now, a, count *A, cycles int) {
	o.emit(n, a, uint64(cycles), nil)
	_, care := n.Later(uint64(cycles))
	o.codec.encode(care, unsafe.Pointer(count))
}

func (o *Out[A]) emit(n *Now, a *A, cycles uint64, count []wordMask) {
	want, care := n.Later(cycles)
	want[o.valid.Word] |= o.valid.Bit
	if o.fast != nil {
		o.a = *a
		o.fast(&o.a, o.places, want)
		o.codec.encodeArrays(want, unsafe.Pointer(a))
	} else {
		o.codec.encode(want, unsafe.Pointer(a))
	}
	for i := range count {
		care[count[i].word] |= count[i].mask
	}
}
