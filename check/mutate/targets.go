// SPDX-License-Identifier: Apache-2.0

package mutate

import "github.com/nicgen/nicgen/tb/bench"

// Targets lists the configurations in which a unit is mutated: those that it brings, or
// the default of one that brings none.
func Targets(m *bench.Mutation) []bench.Target {
	if m != nil {
		return m.Targets
	}
	return []bench.Target{{Name: "default", Why: "the default", Mutants: 1000, Steps: bench.Steps, Long: bench.Long}}
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
