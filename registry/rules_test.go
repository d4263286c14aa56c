// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// values returns the ends and the default of a field, powers of two and their neighbours between, or
// all choices.
func values(f gen.Field) (list []string) {
	switch f.Kind() {
	case gen.Bool:
		return []string{"false", "true"}
	case gen.Enum:
		return f.Choices
	}
	numbers := []int64{f.Min, f.Max, *f.Int}
	for k := range bits.Len64(uint64(f.Max)) {
		for _, v := range []int64{1<<k - 1, 1 << k, 1<<k + 1} {
			if v >= f.Min && v <= f.Max && (!f.PowerOfTwo || v&(v-1) == 0) {
				numbers = append(numbers, v)
			}
		}
	}
	slices.Sort(numbers)
	for _, v := range slices.Compact(numbers) {
		list = append(list, fmt.Sprint(v))
	}
	return list
}

// everything returns all units and blocks.
func everything() []Unit { return slices.Concat(Units, Blocks) }

// A default that follows others is the documented one in the default configuration.
func TestRulesAtTheDefaults(t *testing.T) {
	for _, u := range everything() {
		cfg := u.New()
		for _, f := range cfg.Fields() {
			if f.Auto != nil && !f.IsAuto() {
				t.Errorf("%s.%s is %s, its rule (%s) gives %s", cfg.Unit(), f.Key, f.Value(), f.Auto.Text, f.AutoValue())
			}
		}
		if err := gen.Apply([]gen.Config{cfg}, nil); err != nil {
			t.Error(err)
		}
		was := u.New().Fields()
		for i, f := range cfg.Fields() {
			if f.Value() != was[i].Value() {
				t.Errorf("%s.%s: %s became %s", cfg.Unit(), f.Key, was[i].Value(), f.Value())
			}
		}
	}
}

// cannot lists the defaults that cannot follow every value of another parameter, with that
// parameter: the setting is then refused, for these reasons.
var cannot = map[string]string{
	"powertcp.link_rate_0_mbps with rtt_bits":  lowRate,
	"powertcp.link_rate_0_mbps with tau_ns":    lowRate,
	"powertcp.link_rate_1_mbps with tau_ns":    lowRate,
	"powertcp.link_rate_7_mbps with tau_ns":    lowRate,
	"dcsim_source.outstanding with rtt_ns":     tooLong,
	"dcsim_source.copies with rtt_ns":          tooLong,
	"dcsim_source.copies with data_timeout_ns": tooLong,
}

const (
	lowRate = "a bandwidth is that of a link, and the table holds none so low with so short a τ"
	tooLong = "the largest memory is too small for the whole rate with so long a time"
)

// A default that depends on another parameter follows it: no value of one parameter is refused
// because of the default of another one.
func TestDefaultsFollow(t *testing.T) {
	met := map[string]bool{}
	for _, u := range everything() {
		unit := u.New().Unit()
		for _, f := range u.New().Fields() {
			for _, v := range values(f) {
				var bad *gen.Invalid
				if errors.As(gen.Configure(u.New(), f.Key+"="+v), &bad) {
					for _, p := range bad.Problems {
						with := fmt.Sprintf("%s.%s with %s", unit, p.Key, f.Key)
						if met[with] = true; p.Key != f.Key && cannot[with] == "" {
							t.Errorf("%s=%s: %s", f.Key, v, p)
						}
					}
				}
			}
		}
	}
	for with := range cannot {
		if !met[with] {
			t.Errorf("%s: nothing is refused: the entry is not needed", with)
		}
	}
}

// For any written setting, a refusal names a written setting: the value of a parameter with its
// place, or a default that follows it and cannot. A default that follows departs from the
// documented one for some value of a parameter that its rule names, and for no other one.
func TestOnlyWhatIsWrittenIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, u := range everything() {
		unit := u.New().Unit()
		moved := map[string]bool{}
		check := func(settings string) bool {
			cfg := u.New()
			err := gen.Configure(cfg, settings)
			var bad *gen.Invalid
			if err != nil && !errors.As(err, &bad) {
				t.Fatal(err)
			}
			if bad != nil {
				for _, p := range bad.Problems {
					if p.Where == "default" {
						t.Errorf("%s with %s: %s", unit, settings, p)
					}
				}
			}
			def := u.New().Fields()
			for i, f := range cfg.Fields() {
				if f.Auto != nil && f.Value() != def[i].Value() && !strings.Contains(" "+settings, " "+f.Key+"=") {
					moved[f.Key] = true
				}
			}
			return err == nil
		}
		fields := u.New().Fields()
		for _, f := range fields {
			for _, v := range values(f) {
				check(f.Key + "=" + v)
			}
		}
		good := 0
		for range 300 {
			var words []string
			for range 1 + r.IntN(4) {
				f := fields[r.IntN(len(fields))]
				list := values(f)
				words = append(words, f.Key+"="+list[r.IntN(len(list))])
			}
			if check(strings.Join(words, " ")) {
				good++
			}
		}
		t.Logf("%s: %d of 300 drawn settings are legal", unit, good)
		for _, f := range fields {
			if f.Auto != nil && !moved[f.Key] {
				t.Errorf("%s.%s: no value of another parameter changes its default: no rule is needed", unit, f.Key)
			}
		}
	}
}
