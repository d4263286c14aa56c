// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// Drive is a cycle of a script: what the inputs are that are not 0.
type Drive struct {
	l  *cosim.Layout
	in []uint64
}

// Set drives an input.
func (d Drive) Set(name string, v uint64) { d.l.MustSlot(name).Set(d.in, v) }

// A Rare is a situation that random traffic hardly comes to, with a mistake that shows only
// there.
type Rare struct {
	Play   func(d Drive, c int) // cycle c after the sweep that follows the reset
	Cycles uint64
	Bug    Bug
}

// script is a stimulus that plays a situation.
type script struct {
	cosim.Autonomous
	l     *cosim.Layout
	start int
	cycle int
	play  func(d Drive, c int)
}

// Next implements cosim.Stimulus.
func (s *script) Next(in []uint64) {
	d := Drive{s.l, in}
	if s.cycle < 3 {
		d.Set("rst", 1)
	} else if c := s.cycle - s.start; c >= 0 {
		s.play(d, c)
	}
	s.cycle++
}

// Rare demands that in each situation the unit is the golden model, and is not with its
// mistake. start is the cycle from which a configuration is ready.
func (s Suite[P]) Rare(t *testing.T, start func(p P) int, list []Rare) {
	for _, c := range list {
		for _, wrong := range []bool{false, true} {
			var edit func(name, text string) string
			if wrong {
				edit = func(name, text string) string {
					if name == c.Bug.File {
						return c.Bug.Plant(t, text)
					}
					return text
				}
			}
			if r := s.play(t, start, c.Bug.Set, c, edit); (r.Outcome == cosim.Mismatch) != wrong || r.Outcome == cosim.Fault {
				t.Errorf("%s: with the mistake %t, outcome %s", c.Bug.Name, wrong, r.Outcome)
			}
		}
	}
}

// Same demands that in each situation the unit with these settings is the golden model.
func (s Suite[P]) Same(t *testing.T, start func(p P) int, set string, list []Rare) {
	for i, c := range list {
		if r := s.play(t, start, set, c, nil); r.Outcome == cosim.Mismatch || r.Outcome == cosim.Fault {
			t.Errorf("situation %d: %s", i, Summary(r))
		}
	}
}

// play co-simulates a situation.
func (s Suite[P]) play(t *testing.T, start func(p P) int, set string, c Rare, edit func(name, text string) string) *cosim.Report {
	t.Helper()
	u := *s.Unit
	u.Assertions, u.Asserts = "", nil
	u.Stimulus = func(p P, l *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
		return &script{l: l, start: start(p), play: c.Play}, nil
	}
	b := u.Bench(s.Configure(t, set))
	if edit != nil {
		b.Edit = edit
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: u.Name, Cycles: c.Cycles})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
