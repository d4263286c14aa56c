// SPDX-License-Identifier: Apache-2.0

package upset

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/tb/bench"
)

// NewPlan plans upsets of one configuration of a unit: its default one with settings, a text of
// "key=value" words. The caller still chooses Seed, Flips and Cycles.
func NewPlan(cfg gen.Config, settings string, newBench func(gen.Config) (cosim.Bench, error), u *bench.Upset) (Plan, error) {
	if err := gen.Configure(cfg, settings); err != nil {
		return Plan{}, err
	}
	b, err := newBench(cfg)
	if err != nil {
		return Plan{}, fmt.Errorf("upset: %w", err)
	}
	rtl, err := emit.DesignDigest(cfg)
	if err != nil {
		return Plan{}, fmt.Errorf("upset: %w", err)
	}
	p := Plan{Unit: cfg.Unit(), Settings: settings, RTL: rtl, Bench: b, Hold: u.Hold, Quiet: u.Quiet, Streams: u.Streams,
		Law: func(l *cosim.Layout) (bench.Law, error) { return u.Judge(cfg, l) }}
	if u.Masked != nil {
		p.Masked = u.Masked(cfg)
	}
	if u.Of != nil {
		p.Of = u.Of(cfg)
	}
	if u.Stimulus != nil {
		p.Stimulus = func(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) { return u.Stimulus(cfg, l, seed) }
	}
	return p, nil
}
