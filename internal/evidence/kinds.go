// SPDX-License-Identifier: Apache-2.0

// Package evidence knows the kinds of records below docs/data: the runs that make a record, its
// RTL, the part of a result that it keeps, and the tables of pages and report. It reads results of
// packages check, synth and sim, and none of these knows it.
package evidence

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// Kind is a kind of record.
type Kind struct {
	Name string // "soak"; the folder below docs/data, if each unit has a file
	Make string // the target of make that makes it again

	runs    func(u *registry.Unit) []string // arguments of nicgen, one string per run; nil if no run of a unit makes it
	also    func() []string                 // runs of no unit, for nicgen itself; nil without such runs
	designs func(docs fs.FS, units []registry.Unit, unit string) ([]design, error)
}

// Kinds are all kinds of records.
var Kinds = []Kind{
	{Name: "soak", Make: "soak", designs: soaked, runs: func(u *registry.Unit) []string {
		return runIf(u.Bench != nil, "soak --unit %[1]s --optimize 3 --json docs/data/soak/%[1]s.json", unitName(u))
	}},
	{Name: "coverage", Make: "coverage", designs: covered, runs: func(u *registry.Unit) []string {
		// The longer a unit takes for an event, the longer a run has to be to reach all points.
		return runIf(u.Bench != nil, "coverage --unit %[1]s --cycles %[2]d --json docs/data/coverage/%[1]s.json", unitName(u), cmp.Or(u.Evidence.CoverageCycles, 800_000))
	}},
	{Name: "mutate", Make: "mutate", designs: mutated, runs: func(u *registry.Unit) []string {
		return runIf(u.Bench != nil, "mutate %[1]s --json docs/data/mutate/%[1]s.json", unitName(u))
	}},
	{Name: "prove", Make: "prove", designs: proved, runs: func(u *registry.Unit) []string {
		return runIf(u.Proofs != nil, proveRun, unitName(u))
	}, also: func() []string { return []string{fmt.Sprintf(proveRun, registry.Library.Name)} }},
	{Name: "upset", Make: "upset", designs: upsets, runs: func(u *registry.Unit) []string {
		return runIf(u.Upset != nil, "upset %[1]s --json build/upset/%[1]s.json --record docs/data/upset/%[1]s.json", unitName(u))
	}},
	{Name: "netlist", Make: "netlist", designs: cosimulated("netlist"), runs: netlistRuns},
	{Name: "simulators", Make: "simulators", designs: cosimulated("simulators"), runs: simulatorRuns},
	{Name: "synth", Make: "doc-data", designs: synthesised, runs: synthRuns},
	{Name: "ecp5", Make: "ecp5", runs: func(u *registry.Unit) []string {
		return runIf(gen.Apart(u.New()) == nil, "synth --unit %[1]s --target ecp5 --route --record docs/data/ecp5/%[1]s.json", unitName(u))
	}},
	{Name: "yosys", Make: "yosys", runs: func(u *registry.Unit) []string { // the newer release, which YOSYS names
		return runIf(gen.Apart(u.New()) == nil, "synth --unit %[1]s --record docs/data/yosys/%[1]s.json", unitName(u))
	}},
	{Name: "papers", Make: "papers", also: papersMade},
	{Name: "speed", Make: "bench", designs: measured, runs: func(u *registry.Unit) []string {
		cycles := ""
		if u.ByName {
			cycles = " --cycles 50000"
		}
		return runIf(u.Bench != nil, "bench --unit %s%s --history docs/data/speed.json --record", unitName(u), cycles)
	}},
}

// find returns the kind of a name, or nil.
func find(name string) *Kind {
	if i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return &Kinds[i]
	}
	return nil
}
