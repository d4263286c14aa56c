// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
)

// Upset is what tb/<unit> brings to a measurement of upsets: bits of registers and
// memories that change in the field, and what the unit does then.
type Upset struct {
	// Settings are the configurations to measure, each a text of "key=value" words on
	// top of the default one. They are small, so that traffic comes by every word.
	Settings []string
	// Hold gives inputs a value in every cycle, such as commands that would mend what
	// an upset broke.
	Hold map[string]uint64
	// Law returns a judge of the outputs for a configuration.
	Law func(cfg gen.Config, l *cosim.Layout) (Law, error)
	// Lifetime says what a changed bit can do at the longest, for the unit's page, in
	// Markdown.
	Lifetime string
}

// Law judges outputs that need not be those of the golden model: what is legal in any
// state. It may keep state of its own; it first sees cycles of an undisturbed unit.
type Law interface {
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

// Answered demands that every request that is taken is answered within a number of
// cycles, and that nothing else is. An answer that is late or missing is one unlawful
// cycle, and so is one that nobody asked for.
type Answered struct {
	Valid, Ready Pin // of the request: input and, if it has one, output
	Answer       Pin
	Min, Max     uint64                 // cycles from the request to the answer
	Also         func(in []uint64) bool // if set, tells which requests are answered

	cycle uint64
	taken []uint64 // cycles of requests without an answer, oldest first
}

// Lawful implements Law.
func (a *Answered) Lawful(in, _, _, got []uint64) bool {
	a.cycle++
	ok := true
	if a.Answer.On(got) {
		if ok = len(a.taken) > 0 && a.cycle-a.taken[0] >= a.Min; ok {
			a.taken = a.taken[1:]
		}
	}
	if len(a.taken) > 0 && a.cycle-a.taken[0] >= a.Max {
		a.taken = a.taken[1:] // it will not come: what follows is judged by itself
		ok = false
	}
	if a.Valid.On(in) && (a.Ready.Mask == 0 || a.Ready.On(got)) && (a.Also == nil || a.Also(in)) {
		a.taken = append(a.taken, a.cycle)
	}
	return ok
}

// Ready demands that an output is set at least once in Max cycles.
type Ready struct {
	Pin Pin
	Max uint64

	since uint64
}

// Lawful implements Law.
func (r *Ready) Lawful(_, _, _, got []uint64) bool {
	r.since++
	if r.Pin.On(got) {
		r.since = 0
	}
	return r.since < r.Max
}
