// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"unsafe"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
)

// Model is the golden side of a unit behind a Frame.
type Model struct {
	Contract *event.Contract
	// Rules hold the effects of the events. Begin and End handle a stream without a rule, including
	// its handshake; the frame only counts its transfers that are lost while the unit is not ready.
	Rules []Rule
	// Holds points to what the golden side keeps: snapshots save it.
	Holds any
	// Bind binds further ports: answers, and what the golden side handles itself.
	Bind []Binder
	// Settings and Ambient receive these ports: the settings before the events of a cycle if one of
	// them has changed since the last event, the ambient inputs in every cycle.
	Settings, Ambient Sink
	// Changed is called after Settings was written; nil: nothing is to be done.
	Changed func()
	// Reset is called in the cycle in which a reset acts, after the outputs that earlier cycles caused
	// are settled; with ResetLast at the end of that cycle, for a golden side of registers: the cycle's
	// logic then still sees the registers before the reset, and its results are lost.
	Reset     func()
	ResetLast bool
	// Begin is called in every cycle before its events, after a reset that acts in it, and End after
	// them; nil: nothing happens. Neither is called before the first reset, except Begin if it is Early.
	Begin, End func(n *Now)
	Early      bool
	// Ahead is the most cycles between a call and an output that it causes; 0: the longest delay of the
	// contract. A golden side that computes answers late keeps the ring of cycles to come small.
	Ahead int
	// State describes to a person what the unit keeps for the events in a vector; nil: nothing.
	State func(in []uint64) string
}

// Frame is the predictor of a unit with a contract. A cycle has this order, which is what the frame
// means:
//
//  1. The outputs that earlier cycles caused are settled.
//  2. A reset acts, if rst was high as many cycles ago as the contract says.
//  3. Ambient inputs are read; events that need no ready unit are taken, except in the cycle of a reset.
//  4. Begin.
//  5. Handshakes: a ready output is high if the unit is ready, no stream that has precedence is
//     valid, and the rule's own condition holds.
//  6. If the unit is ready and rst is low, events act in the contract's order. If it is not ready and
//     rst is low, those without a handshake are dropped and counted. With rst, they vanish, unless
//     the unit is ready and its rst Registered.
//  7. End.
//  8. The unit becomes ready at the end of its sweep; rst ends its being ready.
type Frame struct {
	Golden
	m       Model
	now     Now
	rules   []rule
	streams []intake
	valids  []event.Place // of streams, close together: they are read in every cycle
	ring    ring

	always    uint32 // streams that need no ready unit
	handshake uint32 // streams with a ready output
	ruled     uint32 // streams with a rule
	refused   uint32 // streams whose transfers are counted if the unit is not ready
	rst       Pin
	ready     Pin

	pulse            Pin
	pulseAfter       uint64
	counter          []Pin
	most             []uint64 // that each counter gains in a cycle
	first, behind    int      // words first to behind-1 hold the counters
	illegal, dropped int
	room             int64 // cycles in which no counter can wrap

	settings, ambient func(in []uint64)
	same              []wordMask // the ports of the settings
	last              []uint64   // their values
	few               bool       // they are as fast to read as to compare
	sampled           bool       // in this cycle
	since             []bool     // rst in the cycles before
	up                bool       // ready
	shown             bool       // Show was called for this cycle
	cleared           int64
}

// intake is a stream of events in a frame.
type intake struct {
	valid, ready Pin
	over         uint32 // streams that have precedence
	when         func(n *Now) bool
	text         func(in []uint64) string // describes a transfer of a stream without a rule
}

// NewFrame binds a golden side to a layout.
func NewFrame(unit string, l *cosim.Layout, points int, bare bool, m Model) (*Frame, error) {
	c := m.Contract
	ports := NewPorts(unit, l)
	f := &Frame{Golden: NewGolden(l, points, bare), m: m, rst: ports.Pin("rst"), illegal: -1, dropped: -1,
		since: make([]bool, c.Reset), pulseAfter: uint64(c.PulseAfter), ring: newRing(l.OutWords, cmp.Or(m.Ahead, longest(c)))}
	f.now = Now{f: f, ring: &f.ring}
	if ports.Has("sts_ready") {
		f.ready = ports.Pin("sts_ready")
	}
	for _, a := range c.Answers {
		f.Always(ports.Pin(a.Valid))
	}
	f.bindCounters(ports)
	f.Always(append(f.counter, f.ready)...)
	if c.Pulse != "" {
		f.pulse = ports.Pin(c.Pulse)
		f.Always(f.pulse)
	}
	if err := f.bindRules(unit, ports); err != nil {
		return nil, err
	}
	if m.Settings.bind != nil {
		f.settings = m.Settings.bind(ports, c)
		x := newCodec(ports, c.Settings, c.Lanes, nil)
		f.same = x.masks(l.InWords)
		f.last, f.few = make([]uint64, len(f.same)), m.Changed == nil && len(c.Settings.Fields) <= 2*len(f.same)
		f.change(make([]uint64, l.InWords))
	}
	if m.Ambient.bind != nil {
		f.ambient = m.Ambient.bind(ports, c)
	}
	for _, b := range m.Bind {
		b(ports, c)
	}
	return f, ports.Err()
}

// AtEnd adds a function that is called at the end of every cycle, after Model.End: coverage that needs
// the frame.
func (f *Frame) AtEnd(end func(n *Now)) {
	if before := f.m.End; before != nil {
		f.m.End = func(n *Now) {
			before(n)
			end(n)
		}
		return
	}
	f.m.End = end
}

// longest is the longest delay of a contract, in cycles.
func longest(c *event.Contract) int {
	n := c.PulseAfter
	for _, a := range c.Answers {
		n = max(n, a.After)
	}
	for _, k := range c.Counters {
		n = max(n, k.After)
	}
	return n
}

func (f *Frame) bindCounters(ports *Ports) {
	c := f.m.Contract
	for i, k := range c.Counters {
		p := ports.Pin("sts_" + k.Name + "_cnt")
		f.counter, f.most = append(f.counter, p), append(f.most, cmp.Or(k.Most, event.MostCounts))
		if f.behind == 0 {
			f.first = p.Word
		}
		f.first, f.behind = min(f.first, p.Word), max(f.behind, p.Word+1)
		f.now.step = append(f.now.step, counterStep{p.Word, uint8(p.Shift), uint8(k.After)})
		if k.Name == c.Illegal {
			f.illegal = i
		}
		if k.Name == c.Dropped {
			f.dropped = i
		}
	}
}

func (f *Frame) bindRules(unit string, ports *Ports) error {
	c := f.m.Contract
	places := map[string]int{}
	for i, s := range c.Events {
		places[s.Name] = i
	}
	f.rules, f.streams = make([]rule, len(c.Events)), make([]intake, len(c.Events))
	for i, s := range c.Events {
		t := &f.streams[i]
		t.valid = ports.Pin(s.Valid)
		f.valids = append(f.valids, event.Place{Word: t.valid.Word, Shift: t.valid.Shift, Mask: t.valid.Mask})
		t.text = textOf(ports, c, s)
		if s.Ready != "" {
			t.ready = ports.Pin(s.Ready)
			f.Always(t.ready)
		}
		if s.Ready == "" && !s.Unready || s.Refused {
			f.refused |= 1 << i
		}
		for _, name := range s.Over {
			k, ok := places[name]
			if !ok {
				return fmt.Errorf("tb/%s: event %q yields to %q, which the contract does not have", unit, s.Name, name)
			}
			t.over |= 1 << k
		}
	}
	for _, r := range f.m.Rules {
		i, ok := places[r.stream.Name]
		if !ok {
			return fmt.Errorf("tb/%s: there is a rule for event %q, which the contract does not have", unit, r.stream.Name)
		}
		if f.rules[i] != nil {
			return fmt.Errorf("tb/%s: event %q has two rules", unit, r.stream.Name)
		}
		f.rules[i], f.streams[i].when = r.bind(ports, c), r.when
		s, bit := c.Events[i], uint32(1)<<i
		f.ruled |= bit
		if s.Ready != "" {
			f.handshake |= bit
		}
		if s.Unready {
			f.always |= bit
		}
	}
	return nil
}

// Hooks implements cosim.Predictor.
func (f *Frame) Hooks() cosim.PredictorHooks { return cosim.PredictorHooks{Overwrites: true} }

// Ready reports whether the unit is ready in the cycle to come.
func (f *Frame) Ready() bool { return f.up }

// Show writes the outputs of a cycle that do not depend on its inputs. Step, with the same want and care,
// adds the others, and calls Show unless the caller did: a predictor of a larger unit needs some outputs
// to determine the inputs.
func (f *Frame) Show(want, care []uint64) {
	switch {
	case f.shown:
	case f.Known:
		f.show(want, care)
	default:
		clear(want)
		clear(care)
	}
	f.shown = true
}

// Step implements cosim.Predictor.
func (f *Frame) Step(in, want, care []uint64) {
	n := &f.now
	n.Cycle, n.Known, n.In, n.want, n.care = f.Cycle, f.Known, in, want, care
	f.Show(want, care)
	f.shown = false
	n.Ready, n.Rst = f.up, f.rst.On(in)
	n.Acting = n.Rst
	if d := len(f.since); d > 0 {
		n.Acting = f.since[d-1]
		copy(f.since[1:], f.since)
		f.since[0] = n.Rst
	}
	if n.Acting && !f.m.ResetLast {
		f.reset()
	}
	n.Dropped, n.Illegal, f.sampled = 0, 0, false
	var on uint32
	for i := range f.valids {
		on |= uint32(f.valids[i].Get(in)) << (i & 31)
	}
	n.Offered, n.On = on, on
	if f.ambient != nil {
		f.ambient(in)
	}
	if set := on & f.always; set != 0 && !n.Acting {
		for ; set != 0; set &= set - 1 {
			if r := f.rules[bits.TrailingZeros32(set)]; r != nil {
				r.run(in, n)
			}
		}
	}
	n.On &^= f.always
	if f.m.Begin != nil && (f.Known || f.m.Early) {
		f.m.Begin(n)
	}
	if f.Known {
		f.accept(in)
		if f.m.End != nil {
			f.m.End(n)
		}
	}
	switch sweep := f.m.Contract.Sweep; {
	case n.Rst:
		f.up = false
	case sweep > 0 && f.Known && !f.up && !n.Acting:
		f.cleared++
		f.up = f.cleared == sweep
	}
	if n.Acting && f.m.ResetLast {
		f.reset()
		if !n.Rst && !f.m.Contract.Registered {
			f.drop() // again: the reset has cleared the count
		}
	}
	f.Cycle++
}

// reset is the cycle in which a reset acts.
func (f *Frame) reset() {
	f.Known, f.up, f.cleared, f.room = true, false, 0, 0
	f.now.Known = true
	clear(f.ring.all)
	clear(f.Want)
	if f.m.Reset != nil {
		f.m.Reset()
	}
}

// accept settles the handshakes of a cycle, and takes or drops its events.
func (f *Frame) accept(in []uint64) {
	n := &f.now
	if f.handshake != 0 {
		f.shake()
	}
	switch {
	case n.Rst && !(n.Ready && f.m.Contract.Registered):
	case n.Ready:
		if n.On != 0 {
			f.take(in)
		}
	case n.On&f.refused != 0:
		f.drop()
	}
}

// drop counts the events of a cycle that are lost because the unit is not ready.
func (f *Frame) drop() {
	n := &f.now
	n.Dropped = bits.OnesCount32(n.On & f.refused)
	if f.dropped >= 0 {
		n.CountN(f.dropped, uint64(n.Dropped), int(n.step[f.dropped].delay))
	}
}

// shake settles the ready outputs, and holds back transfers that are not taken.
func (f *Frame) shake() {
	n := &f.now
	if !n.Ready {
		return
	}
	for set := f.handshake; set != 0; set &= set - 1 {
		i := bits.TrailingZeros32(set)
		t := &f.streams[i]
		if n.Offered&t.over == 0 && (t.when == nil || t.when(n)) {
			t.ready.Raise(n.want)
		} else {
			n.On &^= 1 << i
		}
	}
}

// take executes the events of a cycle.
func (f *Frame) take(in []uint64) {
	n := &f.now
	if !f.sampled {
		f.sample(in)
	}
	set := n.On & f.ruled
	if set == 0 {
		return
	}
	for i := range f.rules {
		if set>>(i&31)&1 == 0 {
			continue
		}
		f.Accepted++
		if !f.rules[i].run(in, n) {
			n.CountIllegal()
		}
	}
}

// sample hands the settings of a cycle to the golden side.
func (f *Frame) sample(in []uint64) {
	f.sampled = true
	if f.few {
		f.settings(in)
		return
	}
	for i := range f.same {
		if s := &f.same[i]; in[s.word]&s.mask != f.last[i] {
			f.change(in)
			return
		}
	}
}

// change passes settings that differ from the last event's to the golden side.
func (f *Frame) change(in []uint64) {
	for i := range f.same {
		f.last[i] = in[f.same[i].word] & f.same[i].mask
	}
	f.settings(in)
	if f.m.Changed != nil {
		f.m.Changed()
	}
}

// show writes what earlier cycles caused. All counters of a word advance in one addition as long as
// none of them can be near its wrap.
func (f *Frame) show(want, care []uint64) {
	r := &f.ring
	at, k := r.at(f.Cycle), r.words
	cell := r.all[at : at+3*k]
	add, w, c := cell[:k], cell[k:][:k], cell[2*k:][:k]
	all, mask := f.Want[:k], f.Care[:k]
	want, care = want[:k], care[:k]
	if f.room--; f.room < 0 {
		f.wrap(add)
	}
	for i := f.first; i < f.behind; i++ {
		all[i] += add[i]
		add[i] = 0
	}
	for i, x := range all {
		want[i], care[i] = x|w[i], mask[i]|c[i]
		w[i], c[i] = 0, 0
	}
	if f.up {
		want[f.ready.Word] |= f.ready.Bit
	}
}

// wrap adds to the counters one by one, each modulo its width, and finds out for how many cycles they
// then need no such care.
func (f *Frame) wrap(add []uint64) {
	f.room = 1 << 40
	for i := range f.counter {
		c := &f.counter[i]
		if n := c.Get(add); n != 0 {
			c.Add(f.Want, n)
		}
		f.room = min(f.room, int64(min((c.Mask-c.Get(f.Want))/(f.most[i]+1), 1<<40)))
	}
	clear(add)
}

// Explain implements cosim.Predictor.
func (f *Frame) Explain(in []uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, ready %t", f.Cycle, f.up)
	for i, r := range f.rules {
		if s := f.m.Contract.Events[i]; f.streams[i].valid.On(in) {
			text := ""
			if r != nil {
				text = r.text(in)
			} else {
				text = f.streams[i].text(in)
			}
			fmt.Fprintf(&b, "\n%s %s", strings.ToUpper(s.Name), text)
		}
	}
	if f.m.State != nil {
		b.WriteString(f.m.State(in))
	}
	return b.String()
}

// textOf describes transfers of a stream.
func textOf(ports *Ports, c *event.Contract, s *event.Stream) func(in []uint64) string {
	x := newCodec(ports, s, c.Lanes, nil)
	return func(in []uint64) string {
		e := reflect.New(s.Type)
		x.decode(in, e.UnsafePointer())
		return fmt.Sprintf("%+v", e.Elem())
	}
}

// Sink is the destination of a group of ports; the zero Sink discards them.
type Sink struct {
	bind func(ports *Ports, c *event.Contract) (read func(in []uint64))
}

// Into names the place.
func Into[S any](s event.Group[S], to *S) Sink {
	return Sink{func(ports *Ports, c *event.Contract) func(in []uint64) {
		x := newCodec(ports, s.Stream, c.Lanes, nil)
		if fast := event.FastOf[S]().Decode; fast != nil {
			places := ports.places(s.Stream)
			return func(in []uint64) {
				fast(to, places, in)
				x.decodeArrays(in, unsafe.Pointer(to))
			}
		}
		return func(in []uint64) { x.decode(in, unsafe.Pointer(to)) }
	}}
}
