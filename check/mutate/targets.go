// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// Targets lists the configurations in which a unit is mutated: the unit's own list, or else its
// default.
func Targets(m *bench.Mutation) []bench.Target {
	if m != nil {
		return m.Targets
	}
	return []bench.Target{{Name: "default", Why: "the default", Mutants: 1000, Steps: bench.Steps, Long: bench.Long}}
}

// apart returns the modules of a configuration whose mutants belong to other units.
func apart(t bench.Target, cfg gen.Config) []string {
	if !t.Inner {
		return nil
	}
	return gen.Apart(cfg)
}

// NewJob returns the job of a full run for a configuration of a unit.
func NewJob(cfg gen.Config, newBench func(gen.Config) (cosim.Bench, error), t bench.Target, seed uint64) (Job, error) {
	if err := gen.Configure(cfg, t.Settings); err != nil {
		return Job{}, err
	}
	b, err := newBench(cfg)
	return Job{Unit: cfg.Unit(), Name: t.Name, Bench: b, Own: t.Own, Apart: apart(t, cfg), Mutants: t.Mutants, Seed: seed,
		Steps: t.Steps, Long: t.Long, Invariants: t.Invariants}, err
}

// HasModel reports whether a unit's bench compares with the unit's own golden model.
func HasModel(m *bench.Mutation) bool { return m == nil || !m.NoModel }

// modelTarget returns the mutation target for the golden model of a unit.
type modelTarget struct {
	Files []string // of the model that the bench compares with; empty: all
	Steps []ModelSteps
}

// modelOf uses every configuration of a unit's targets for the mutants of its model, with fewer
// stimuli.
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
