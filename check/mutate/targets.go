// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// Targets lists the configurations in which a unit is mutated: those that it brings, or
// the default of one that brings none.
func Targets(m *bench.Mutation) []bench.Target {
	if m != nil {
		return m.Targets
	}
	return []bench.Target{{Name: "default", Why: "the default", Mutants: 1000, Steps: bench.Steps, Long: bench.Long}}
}

// apart are the modules of a configuration whose mutants are those of other units.
func apart(t bench.Target, cfg gen.Config) []string {
	if !t.Inner {
		return nil
	}
	return gen.Apart(cfg)
}

// NewJob is what a full run does in a configuration of a unit.
func NewJob(cfg gen.Config, newBench func(gen.Config) (cosim.Bench, error), t bench.Target, seed uint64) (Job, error) {
	if err := gen.Configure(cfg, t.Settings); err != nil {
		return Job{}, err
	}
	b, err := newBench(cfg)
	return Job{Unit: cfg.Unit(), Name: t.Name, Bench: b, Own: t.Own, Apart: apart(t, cfg), Mutants: t.Mutants, Seed: seed,
		Steps: t.Steps, Long: t.Long, Invariants: t.Invariants}, err
}

// HasModel tells whether a unit's bench compares with a golden model of the unit's own.
func HasModel(m *bench.Mutation) bool { return m == nil || !m.NoModel }

// modelTarget says how the golden model of a unit is mutated.
type modelTarget struct {
	Files []string // of the model that the bench compares with; empty: all
	Steps []ModelSteps
}

// modelOf gives every configuration of a unit's targets to the mutants of its model, but
// with fewer stimuli.
func modelOf(m *bench.Mutation) modelTarget {
	var t modelTarget
	if m != nil {
		t.Files = m.ModelFiles
	}
	for _, x := range Targets(m) {
		t.Steps = append(t.Steps, ModelSteps{Name: x.Name, Settings: x.Settings, Steps: x.Steps[:min(3, len(x.Steps))]})
	}
	return t
}
