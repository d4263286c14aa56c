// SPDX-License-Identifier: Apache-2.0

package soak

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
)

// Configurations returns configurations in which to test a unit: the default; one with each other
// choice of each enumeration and switch that shapes the hardware, otherwise the default if that is
// legal; then n drawn at random. They are the same for the same seed, and no two are alike.
//
// A drawn number is at most four times its default, except for widths: a larger one takes longer to
// compile and to reset, and gives no other logic. The ends of the range are drawn more often than
// all values between them.
func Configurations(fresh func() gen.Config, n int, seed uint64) ([]gen.Config, error) {
	list := []gen.Config{fresh()}
	seen := map[string]bool{}
	add := func(cfg gen.Config) (bool, error) {
		d, err := emit.Digest(cfg)
		if err != nil || seen[d] {
			return false, err
		}
		seen[d] = true
		list = append(list, cfg)
		return true, nil
	}
	d, err := emit.Digest(list[0])
	if err != nil {
		return nil, err
	}
	seen[d] = true
	r := rand.New(rand.NewPCG(seed, 0x50a4))
	for _, f := range list[0].Fields() {
		if f.Runtime {
			continue
		}
		for _, choice := range choices(f) {
			cfg := fresh()
			// A choice that is illegal in the default becomes legal with other values of one or two
			// parameters.
			for tries := 0; gen.Set(cfg, f.Key+"="+choice) != nil || gen.Validate(cfg) != nil; tries++ {
				if tries == 10_000 {
					return nil, fmt.Errorf("%s: found no configuration with %s %s", cfg.Unit(), f.Key, choice)
				}
				cfg = fresh()
				fields := cfg.Fields()
				for range 1 + tries%2 {
					x := fields[r.IntN(len(fields))]
					if err := gen.Set(cfg, x.Key+"="+value(x, r)); err != nil {
						return nil, fmt.Errorf("%s: a value in the range of its field was refused: %w", cfg.Unit(), err)
					}
				}
			}
			if _, err := add(cfg); err != nil {
				return nil, err
			}
		}
	}
	for drawn, tries := 0, 0; drawn < n; tries++ {
		if tries > 100*(n+1) {
			return nil, fmt.Errorf("%s: %d configurations at random: found %d different ones, want fewer", list[0].Unit(), n, drawn)
		}
		cfg, err := draw(fresh, r)
		if err != nil {
			return nil, err
		}
		ok, err := add(cfg)
		if err != nil {
			return nil, err
		}
		if ok {
			drawn++
		}
	}
	return list, nil
}

// choices returns the values of an enumeration or a switch.
func choices(f gen.Field) []string {
	switch f.Kind() {
	case gen.Enum:
		return f.Choices
	case gen.Bool:
		return []string{"true", "false"}
	}
	return nil
}

// draw changes each parameter that shapes the hardware with probability one half, in a random
// order, and keeps changes that the rules over several parameters allow.
func draw(fresh func() gen.Config, r *rand.Rand) (gen.Config, error) {
	cfg := fresh()
	fields := cfg.Fields()
	for _, i := range r.Perm(len(fields)) {
		f := fields[i]
		if f.Runtime || r.IntN(2) == 0 {
			continue
		}
		was := f.Value()
		if err := gen.Set(cfg, f.Key+"="+value(f, r)); err != nil {
			return nil, fmt.Errorf("%s: a value in the range of its field was refused: %w", cfg.Unit(), err)
		}
		if gen.Validate(cfg) != nil {
			if err := gen.Set(cfg, f.Key+"="+was); err != nil {
				return nil, err
			}
		}
	}
	return cfg, nil
}

// value draws a value of a field.
func value(f gen.Field, r *rand.Rand) string {
	if list := choices(f); list != nil {
		return list[r.IntN(len(list))]
	}
	return fmt.Sprint(number(f, r))
}

// number draws a number from a field's range. Two of three are its ends, as mistakes gather there.
// The others are equally often small and large: the least, or one whose number of digits is drawn
// first.
func number(f gen.Field, r *rand.Rand) int64 {
	top := min(f.Max, max(4**f.Int, f.Min))
	if f.Unit == "bits" {
		top = f.Max // a width costs wires, and no time
	}
	x := f.Min
	switch r.IntN(3) {
	case 0:
	case 1:
		x = top
	default:
		width := bits.Len64(uint64(top - f.Min))
		if n := r.IntN(width + 1); n > 0 {
			x = min(f.Min+int64(r.Uint64()&(1<<n-1)), top)
		}
	}
	if f.PowerOfTwo && x > 0 {
		x = max(1<<(bits.Len64(uint64(x))-1), f.Min)
	}
	return x
}
