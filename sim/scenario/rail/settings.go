// SPDX-License-Identifier: Apache-2.0

package rail

import (
	"fmt"
	"math"
	"strings"
)

// Unit is the one whose transport the scenarios are for.
const Unit = "laps"

// Settings are the settings of the unit's transport, which Words puts into words.
type Settings struct {
	Beta    float64 `json:"beta"`          // β′: a path of latency d weighs exp(-β′·d/T), T the longest baseline of its pair
	MaxRate float64 `json:"max_rate_gbps"` // initial and largest rate of a flow
	MinRate float64 `json:"min_rate_gbps"` // lower bound of a decrease
	Stages  int     `json:"stages"`        // N: increases before the expected rate is doubled
	RTOMin  uint64  `json:"least_timeout_ns"`
	Tick    uint64  `json:"tick_us"` // time between looks at the timers
	Seed    uint64  `json:"seed"`    // of the path pickers' random numbers
}

// NewSettings returns the paper's settings at 100 Gb/s for a β′ and a seed: N = 5, rates from a hundredth of the line rate.
func NewSettings(beta float64, seed uint64) Settings {
	return Settings{Beta: beta, MaxRate: lineRate, MinRate: lineRate / 100, Stages: 5, RTOMin: 8 * ms, Tick: 500, Seed: seed}
}

// Check returns every setting outside its range.
func (s *Settings) Check() error {
	var bad []string
	rule := func(ok bool, name string, found any, allowed string) {
		if !ok {
			bad = append(bad, fmt.Sprintf("%s: found %v, allowed: %s", name, found, allowed))
		}
	}
	rule(s.Beta >= 0 && s.Beta <= 64, "β′", s.Beta, "0 to 64")
	rule(s.MaxRate > 0 && s.MaxRate <= 1000, "largest rate", s.MaxRate, "above 0, at most 1000 Gb/s")
	rule(s.MinRate > 0 && s.MinRate <= s.MaxRate, "least rate", s.MinRate, "above 0, at most the largest rate")
	rule(s.Stages >= 0 && s.Stages <= 15, "stages", s.Stages, "0 to 15")
	rule(s.RTOMin < 1<<30, "least timeout", s.RTOMin, "less than 2^30 ns")
	rule(s.Tick > 0 && s.Tick <= 1e6, "tick", s.Tick, "1 to 1000000 µs")
	if bad != nil {
		return fmt.Errorf("settings: %s", strings.Join(bad, "; "))
	}
	return nil
}

// Words are the settings as transport.Host has them; rates of the unit are in 1/256 Mb/s.
func (s *Settings) Words() string {
	rate := func(gbps float64) int64 { return int64(math.Round(gbps * 256_000)) }
	return fmt.Sprintf("softmax=%v max_rate=%d min_rate=%d stages=%d rto_min_ns=%d tick=%d", s.Beta, rate(s.MaxRate), rate(s.MinRate), s.Stages, s.RTOMin, s.Tick)
}
