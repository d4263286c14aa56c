// SPDX-License-Identifier: Apache-2.0

package bench

// Mutation holds a unit's settings for grading its bench with mutants of the RTL and of the
// golden model.
type Mutation struct {
	// Targets are the configurations in which the unit is mutated. One of them should be
	// the default, except for the width of its event counters: 32 bits do not wrap in a run
	// of practical length, and each of their upper bits would be one more copy of the same
	// survivor. The others have small memories, so that all of the state is soon in use,
	// and hardware variants that the default leaves out.
	Targets []Target
	// ModelFiles are the files of model/<unit> that the bench compares with; empty: all.
	ModelFiles []string
	// NoModel is set if the bench compares with no golden model of the unit's own.
	NoModel bool
	// Survivors is the list of mutants that no bench notices, with the reasons, in YAML:
	// tb/<unit>/survivors.yaml.
	Survivors string
}

// Target is one configuration in which a unit is mutated.
type Target struct {
	Name     string // "small"
	Settings string // "key=value …" on top of the default; empty for the default itself
	Why      string // purpose of the configuration
	Own      bool   // mutants of the top module only, of its logic and its connections to the modules in it
	Inner    bool   // with Own: of the modules in it too that are no units, gen.Apart
	Mutants  int    // drawn by a full run
	Sample   int    // of them, judged by every test run
	Steps    []Step // stimuli before it is tried to show that a mutant is equivalent
	Long     []Step // those after it
	// Invariants of the design after a reset, over its registers, by which it can be shown
	// that a mutant makes no difference where the design never is.
	Invariants []string
}

// Step is one stimulus that mutants get.
type Step struct {
	Seed   uint64 `json:"seed"`
	Cycles uint64 `json:"cycles"`
}

// Steps are the stimuli of a unit that is at work after some hundred cycles.
var Steps = []Step{{1, 4_000}, {2, 20_000}, {3, 100_000}, {4, 200_000}}

// Long holds the steps for a mutant that is not shown equivalent: three million cycles.
var Long = []Step{{5, 500_000}, {6, 500_000}, {7, 1_000_000}, {8, 1_000_000}}

// LongWide holds the steps for larger units, whose cycles take longer: a million and a
// half.
var LongWide = []Step{{5, 500_000}, {6, 1_000_000}}
