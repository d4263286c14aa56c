// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"cmp"
	"slices"
	"strconv"
)

// Omitted is a setting that one unit did not take, and why.
type Omitted struct {
	Setting
	Unit     string
	Problems []Located // the unit's problems if the settings were applied

	index int // of the setting
}

// Share applies settings to configurations that the user did not name. It works like Apply, except
// that a setting without a unit reaches only the units in which it is legal together with the
// others. It returns the omitted settings, in their order. A setting that is legal in no unit is
// refused, and so is an illegal setting for one unit. The error is an *Invalid; the configurations
// are then partly changed.
func Share(cfgs []Config, settings []Setting) ([]Omitted, error) {
	s := &sharing{settings: settings, taken: make([]bool, len(settings))}
	for _, c := range cfgs {
		s.apply(c)
	}
	for i := range settings {
		if s.taken[i] {
			continue
		}
		known := false
		for _, o := range s.omitted {
			if o.index == i {
				known = true
				s.problems = append(s.problems, o.Problems...)
			}
		}
		if !known { // no unit has it
			a := newApplication(cfgs)
			a.set(settings[i])
			s.problems = append(s.problems, a.problems...)
		}
	}
	if len(s.problems) > 0 {
		return nil, &Invalid{s.problems}
	}
	slices.SortStableFunc(s.omitted, func(a, b Omitted) int { return cmp.Compare(a.index, b.index) })
	return s.omitted, nil
}

// sharing is the state of one Share.
type sharing struct {
	settings []Setting
	taken    []bool // by a unit, or refused already
	omitted  []Omitted
	problems []Located
}

// apply carries the settings out on one configuration.
func (s *sharing) apply(cfg Config) {
	has := map[string]bool{}
	for _, f := range cfg.Fields() {
		has[f.Key] = true
	}
	var use, open []int // the settings that it takes, and the ones that it may omit
	for i, x := range s.settings {
		switch {
		case x.Unit == cfg.Unit():
			use = append(use, i)
		case x.Unit == "" && has[x.Key]:
			open = append(open, i)
		}
	}
	restore := snapshot(cfg)
	try := func(list []int) *application {
		slices.Sort(list)
		restore()
		a := newApplication([]Config{cfg})
		for _, i := range list {
			a.set(s.settings[i])
		}
		a.finish()
		return a
	}
	take := func(list []int) {
		for _, i := range list {
			s.taken[i] = true
		}
	}
	all := slices.Concat(use, open)
	a := try(all)
	if a.err() == nil {
		take(all)
		return
	}
	if a.twice || try(use).err() != nil {
		take(all)
		s.problems = append(s.problems, a.problems...)
		return
	}
	// A setting that is illegal with some others may be legal with more of them.
	for more := true; more; {
		more = false
		open = slices.DeleteFunc(open, func(i int) bool {
			list := append(slices.Clone(use), i)
			if try(list).err() != nil {
				return false
			}
			use, more = list, true
			return true
		})
	}
	for _, i := range open {
		s.omitted = append(s.omitted, Omitted{s.settings[i], cfg.Unit(), try(append(slices.Clone(use), i)).problems, i})
	}
	try(use)
	take(use)
}

// snapshot returns a function that restores the present values of a configuration's fields.
func snapshot(cfg Config) func() {
	var values []string
	fields := cfg.Fields()
	for _, f := range fields {
		values = append(values, f.Value())
	}
	return func() {
		for i, f := range fields {
			switch f.Kind() {
			case Bool:
				*f.Bool = values[i] == "true"
			case Enum:
				*f.Enum = values[i]
			default:
				*f.Int, _ = strconv.ParseInt(values[i], 10, 64)
			}
		}
	}
}
