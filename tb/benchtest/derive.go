// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/gen/sv"
)

// derivedCycles reach every point of a small unit, besides the sweeps after resets.
const derivedCycles = 300_000

// complete fills in the lists that a unit leaves to its parameter table.
func (s Suite[P]) complete(t *testing.T) Suite[P] {
	t.Helper()
	if s.OverrideCycles == 0 {
		s.OverrideCycles = derivedCycles
	}
	if len(s.Corners) > 0 && (len(s.Overrides) > 0 || len(sv.Overridable(s.Default())) == 0) {
		return s // nothing is left to the table
	}
	odd := s.oddValues(t)
	if len(s.Corners) == 0 {
		s.Corners = s.deriveCorners(t, odd)
	}
	if len(s.Overrides) == 0 {
		s.Overrides = s.deriveOverrides(t, odd)
	}
	return s
}

// values are settings, one of each key, in the order of the table.
type values []string

func (v values) String() string { return strings.Join(v, " ") }

// choose makes settings of a function of each field; an empty text leaves the default.
func (s Suite[P]) choose(value func(f *gen.Field) string) (list values) {
	for _, f := range s.Default().Fields() {
		if v := value(&f); v != "" {
			list = append(list, f.Key+"="+v)
		}
	}
	return list
}

// deriveCorners are the default configuration, all parameters at their lower and at their upper ends,
// all numbers at odd values, and each other choice on top of the default.
func (s Suite[P]) deriveCorners(t *testing.T, odd values) []Corner {
	t.Helper()
	end := func(upper bool) values {
		return s.choose(func(f *gen.Field) string {
			switch f.Kind() {
			case gen.Bool:
				return fmt.Sprint(upper)
			case gen.Enum:
				if upper {
					return f.Choices[len(f.Choices)-1]
				}
				return f.Choices[0]
			}
			if upper {
				return fmt.Sprint(f.Max)
			}
			return fmt.Sprint(f.Min)
		})
	}
	list := []Corner{{Name: "default"}, {Name: "lower ends", Set: end(false).String()}, {Name: "upper ends", Set: end(true).String()}, {Name: "odd", Set: odd.String()}}
	for _, f := range s.Default().Fields() {
		if f.Kind() == gen.Enum {
			for _, c := range f.Choices[1:max(1, len(f.Choices)-1)] {
				list = append(list, Corner{Name: f.Key + " " + c, Set: f.Key + "=" + c})
			}
		}
	}
	for i := range list {
		list[i].Cycles = derivedCycles
		if c := event.Of(s.Configure(t, list[i].Set)); c != nil {
			list[i].Cycles += 4 * uint64(c.Sweep)
		}
	}
	return list
}

// deriveOverrides overrides each parameter alone, and all of them at once.
func (s Suite[P]) deriveOverrides(t *testing.T, odd values) (list []Override) {
	t.Helper()
	var baked, all values
	for _, set := range odd {
		key, _, _ := strings.Cut(set, "=")
		if slices.ContainsFunc(sv.Overridable(s.Default()), func(f gen.Field) bool { return f.Key == key }) {
			all = append(all, set)
		} else {
			baked = append(baked, set)
		}
	}
	for _, f := range sv.Overridable(s.Default()) {
		tries := []string{fmt.Sprint(f.Max), fmt.Sprint(f.Min)}
		for _, set := range odd {
			if v, ok := strings.CutPrefix(set, f.Key+"="); ok {
				tries = append([]string{v}, tries...)
			}
		}
		if f.Kind() == gen.Enum {
			tries = f.Choices
		}
		for _, v := range tries {
			p := s.Default()
			if set := f.Key + "=" + v; v != f.Value() && gen.SetAll(p, set) == nil && gen.Validate(p) == nil {
				list = append(list, Override{Name: f.Key, Set: set})
				break
			}
		}
	}
	if len(all) > 0 {
		list = append(list, Override{Name: "all", Emitted: baked.String(), Set: all.String()})
	}
	return list
}

// oddValues are values of the numbers that are neither the default, nor an end, nor a power of two,
// and together make a legal configuration.
func (s Suite[P]) oddValues(t *testing.T) (list values) {
	t.Helper()
	set := map[string]int64{}
	for _, f := range s.Default().Fields() {
		if f.Kind() == gen.Int && !f.PowerOfTwo {
			set[f.Key] = nextOdd(&f, root(f.Min, f.Max))
		}
	}
	for range 8 {
		list = s.choose(func(f *gen.Field) string {
			if v, ok := set[f.Key]; ok && v != 0 {
				return fmt.Sprint(v)
			}
			return ""
		})
		p := s.Default()
		if err := gen.SetAll(p, list.String()); err != nil {
			return nil
		}
		problems := p.Check()
		if len(problems) == 0 {
			return list
		}
		for _, x := range problems {
			s.repair(set, x.Key, list)
		}
	}
	return nil
}

// repair looks for a value of a parameter with which the rules say nothing of it.
func (s Suite[P]) repair(set map[string]int64, key string, list values) {
	for _, f := range s.Default().Fields() {
		if f.Key != key || f.Kind() != gen.Int {
			continue
		}
		for v, tries := nextOdd(&f, f.Min), 0; v != 0 && tries < mostTries; v, tries = nextOdd(&f, v), tries+1 {
			p := s.Default()
			if gen.SetAll(p, list.String()+" "+key+"="+fmt.Sprint(v)) == nil &&
				!slices.ContainsFunc(p.Check(), func(x gen.Problem) bool { return x.Key == key }) {
				set[key] = v
				return
			}
		}
		delete(set, key)
	}
}

// mostTries is the number of values among which repair looks.
const mostTries = 1000

// nextOdd is the first odd number above v that is neither the default nor an end nor a power of two,
// or 0.
func nextOdd(f *gen.Field, v int64) int64 {
	for v |= 1; v < f.Max; {
		if v += 2; v > f.Min && v < f.Max && v != *f.Int && v&(v-1) != 0 {
			return v
		}
	}
	return 0
}

// root is about the geometric mean.
func root(low, high int64) int64 {
	return max(1, low) * max(1, int64(math.Ceil(math.Sqrt(float64(high/max(1, low))))))
}
