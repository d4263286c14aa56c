// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"regexp"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
)

// Upset holds a unit's settings for measuring upsets: bits of registers and memories that
// change in the field, and the unit's behaviour afterwards.
type Upset struct {
	// Settings are the configurations to measure, each a text of "key=value" words on
	// top of the default one. They are small, so that traffic comes by every word.
	Settings []string
	// Hold gives inputs a value in every cycle.
	Hold map[string]uint64
	// Quiet are inputs that are zero from some time before the first upset on, such as
	// commands that would mend what an upset broke.
	Quiet []string
	// Stimulus, if set, takes the place of the bench's: one that never resets the unit,
	// where a reset that is left out would make its traffic illegal.
	Stimulus func(cfg gen.Config, l *cosim.Layout, seed uint64) (cosim.Stimulus, error)
	// Streams are AXI4-Streams into the unit, by what the names of their pins begin with: "s_axis_tx". After an upset
	// a beat that is not taken stays, as their protocol demands, and the ones behind it come later; else inputs are
	// those that were recorded, whatever the unit does.
	Streams []string
	// Sample is the number of cycles for which a test run watches a few upsets in the first
	// configuration, longer than a request may wait; 0: only a full run does.
	Sample int
	// Law returns a judge of the outputs for a configuration; nil: the law of the contract, by which
	// answers come in their cycles and the unit is ready after a sweep.
	Law func(cfg gen.Config, l *cosim.Layout) (Law, error)
	// Masked, if set, selects by name the registers and memories of a configuration in which
	// no upset may ever change an output, as they are protected; nil: none are.
	Masked func(cfg gen.Config) *regexp.Regexp
	// Of selects by name the registers and memories that are measured, of a unit whose parts are measured by
	// themselves; nil: all.
	Of func(cfg gen.Config) func(name string) bool
	// Lifetime describes the longest effect of a changed bit, for the unit's page, in
	// Markdown.
	Lifetime string
}

// Law judges outputs that may differ from the golden model's: it decides if they are legal
// in any state. It may keep its own state; it first sees cycles of an undisturbed unit.
type Law interface {
	// Clone returns a judge with the same state, which continues independently.
	Clone() Law
	// Lawful takes one cycle's inputs, the outputs of the undisturbed unit with a mask
	// of the bits that matter, and the outputs to judge.
	Lawful(in, want, care, got []uint64) bool
}

// Laws is a Law of several: each of them has to agree.
type Laws []Law

// Lawful implements Law.
func (l Laws) Lawful(in, want, care, got []uint64) bool {
	ok := true
	for _, x := range l {
		ok = x.Lawful(in, want, care, got) && ok
	}
	return ok
}

// Clone implements Law.
func (l Laws) Clone() Law {
	c := make(Laws, len(l))
	for i, x := range l {
		c[i] = x.Clone()
	}
	return c
}

// Same demands that ports are as in the undisturbed unit, such as the handshake of
// answers after a fixed time.
type Same struct{ mask []uint64 }

// NewSame is a Law about some outputs.
func NewSame(l *cosim.Layout, ports ...string) Same {
	s := Same{make([]uint64, l.OutWords)}
	for _, p := range ports {
		slot := l.MustSlot(p)
		ones := make([]uint64, slot.Words())
		for i := range ones {
			ones[i] = ^uint64(0)
		}
		slot.Write(s.mask, ones)
	}
	return s
}

// Lawful implements Law.
func (s Same) Lawful(_, want, care, got []uint64) bool {
	for i, m := range s.mask {
		if (want[i]^got[i])&care[i]&m != 0 {
			return false
		}
	}
	return true
}

// Clone implements Law.
func (s Same) Clone() Law { return s }

// Range demands that a port is within bounds in cycles in which another one is set.
type Range struct {
	When, Port Pin
	Min, Max   uint64
}

// Lawful implements Law.
func (r *Range) Lawful(_, _, _, got []uint64) bool {
	if !r.When.On(got) {
		return true
	}
	x := r.Port.Get(got)
	return x >= r.Min && x <= r.Max
}

// Clone implements Law.
func (r *Range) Clone() Law { return r }

// Answered demands that every request that is taken is answered within a number of
// cycles, and that nothing else is. An answer that is late or missing is one unlawful
// cycle, and so is one that nobody asked for.
type Answered struct {
	Valid, Ready Pin // of the request: input and, if it has one, output
	Answer       Pin
	Min, Max     uint64 // cycles from the request to the answer, inclusive
	Beats        Pin    // input, if a request comes in several beats: how many; 0 is one
	// Tags are fields of the request, each with the field of the answer that brings it
	// back: an answer belongs to the oldest request with the same ones.
	Tags [][2]Pin

	cycle uint64
	beats uint64  // of the request that comes in
	taken []taken // requests without an answer, oldest first
}

// taken is a request.
type taken struct{ cycle, tag uint64 }

// tag puts the fields of a request or an answer together.
func (a *Answered) tag(v []uint64, side int) (t uint64) {
	for i := range a.Tags {
		t = t*0x9e3779b97f4a7c15 + a.Tags[i][side].Get(v)
	}
	return t
}

// Clone implements Law.
func (a *Answered) Clone() Law {
	c := *a
	c.taken = slices.Clone(a.taken)
	return &c
}

// Lawful implements Law.
func (a *Answered) Lawful(in, _, _, got []uint64) bool {
	a.cycle++
	ok := true
	if a.Answer.On(got) {
		tag := a.tag(got, 1)
		i := slices.IndexFunc(a.taken, func(t taken) bool { return t.tag == tag && a.cycle-t.cycle >= a.Min })
		if ok = i >= 0; ok {
			a.taken = slices.Delete(a.taken, i, i+1)
		}
	}
	if len(a.taken) > 0 && a.cycle-a.taken[0].cycle >= a.Max {
		a.taken = a.taken[1:] // it will not come: later answers are judged without it
		ok = false
	}
	if a.Valid.On(in) && (a.Ready.Mask == 0 || a.Ready.On(got)) {
		if a.beats++; a.Beats.Mask == 0 || a.beats >= a.Beats.Get(in) {
			a.beats = 0
			a.taken = append(a.taken, taken{a.cycle, a.tag(in, 0)})
		}
	}
	return ok
}

// Ready demands that an output is set at least once in Max cycles, of those in which
// no input of Unless is.
type Ready struct {
	Pin    Pin
	Max    uint64
	Unless []Pin

	since uint64
}

// Clone implements Law.
func (r *Ready) Clone() Law {
	c := *r
	return &c
}

// Lawful implements Law.
func (r *Ready) Lawful(in, _, _, got []uint64) bool {
	for i := range r.Unless {
		if r.Unless[i].On(in) {
			return true
		}
	}
	r.since++
	if r.Pin.On(got) {
		r.since = 0
	}
	return r.since < r.Max
}

// Progress demands that a stream goes on: that the unit gives a word while the undisturbed one gives
// Most of them.
type Progress struct {
	Valid, Ready Pin // output, and the input by which a word is taken, if it has one
	Most         int

	behind int
}

// Clone implements Law.
func (p *Progress) Clone() Law {
	c := *p
	return &c
}

// Lawful implements Law.
func (p *Progress) Lawful(in, want, _, got []uint64) bool {
	taken := p.Ready.Mask == 0 || p.Ready.On(in)
	if taken && p.Valid.On(want) {
		p.behind++
	}
	if taken && p.Valid.On(got) {
		p.behind = 0
	}
	return p.behind < p.Most
}

// Check is a Law that keeps no state.
type Check func(in, want, care, got []uint64) bool

// Lawful implements Law.
func (c Check) Lawful(in, want, care, got []uint64) bool { return c(in, want, care, got) }

// Clone implements Law.
func (c Check) Clone() Law { return c }

// Delayed demands something of the outputs that depends on the inputs of a number of
// cycles ago.
type Delayed struct {
	Cycles int
	Words  int // of an input vector
	Check  func(in, got []uint64) bool

	past []uint64
	at   int
}

// Clone implements Law.
func (d *Delayed) Clone() Law {
	c := *d
	c.past = slices.Clone(d.past)
	return &c
}

// Lawful implements Law.
func (d *Delayed) Lawful(in, _, _, got []uint64) bool {
	if d.past == nil {
		d.past = make([]uint64, d.Cycles*d.Words)
	}
	old := d.past[d.at*d.Words : (d.at+1)*d.Words]
	ok := d.Check(old, got)
	copy(old, in)
	d.at = (d.at + 1) % d.Cycles
	return ok
}
