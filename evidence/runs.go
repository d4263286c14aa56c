// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// made is a kind of record below docs/data: by which runs of nicgen it is made.
type made struct {
	kind string
	runs func(u *registry.Unit) []string // arguments, a run each
	also func() []string                 // runs that are of no unit, if set
}

// kinds are all of them.
var kinds = []made{
	{"soak", func(u *registry.Unit) []string {
		return runIf(u.Bench != nil, "soak --unit %[1]s --optimize 3 --json docs/data/soak/%[1]s.json", unitName(u))
	}, nil},
	{"coverage", func(u *registry.Unit) []string {
		// The longer a unit takes for an event, the longer the run that reaches all.
		return runIf(u.Bench != nil, "coverage --unit %[1]s --cycles %[2]d --json docs/data/coverage/%[1]s.json", unitName(u), cmp.Or(u.Evidence.CoverageCycles, 800_000))
	}, nil},
	{"mutate", func(u *registry.Unit) []string {
		return runIf(u.Bench != nil, "mutate %[1]s --json docs/data/mutate/%[1]s.json", unitName(u))
	}, nil},
	{"prove", func(u *registry.Unit) []string {
		return runIf(u.Proofs != nil, proveRun, unitName(u))
	}, func() []string { return []string{fmt.Sprintf(proveRun, registry.Library.Name)} }},
	{"upset", func(u *registry.Unit) []string {
		return runIf(u.Upset != nil, "upset %[1]s --json build/upset/%[1]s.json --record docs/data/upset/%[1]s.json", unitName(u))
	}, nil},
	{"netlist", func(u *registry.Unit) (list []string) {
		for _, c := range configurations(u) {
			list = append(list, recordRun(u, "netlist", c, "--netlist", cmp.Or(u.Evidence.NetlistCycles, 400_000)))
		}
		return list
	}, nil},
	{"simulators", func(u *registry.Unit) (list []string) {
		small := flags(u.Evidence.Small)
		icarus := "--simulator icarus"
		if u.Evidence.SmallInIcarus {
			icarus += small
		}
		for _, c := range configurations(u) {
			for _, way := range []string{icarus, "--simulator cxxrtl" + small} {
				list = append(list, recordRun(u, "simulators", c, way, cmp.Or(u.Evidence.SimulatorCycles, 20_000)))
			}
		}
		return list
	}, nil},
	{"synth", func(u *registry.Unit) []string {
		list := []string{fmt.Sprintf("synth --unit %[1]s --record docs/data/%[1]s.json", unitName(u))}
		for _, s := range u.Evidence.Syntheses {
			list = append(list, fmt.Sprintf("synth --unit %[1]s%[2]s --record docs/data/%[1]s_%[3]s.json", unitName(u), flags(s.Settings), s.Name))
		}
		return list
	}, nil},
	{"ecp5", func(u *registry.Unit) []string {
		return runIf(gen.Apart(u.New()) == nil, "synth --unit %[1]s --target ecp5 --route --record docs/data/ecp5/%[1]s.json", unitName(u))
	}, nil},
	{"yosys", func(u *registry.Unit) []string { // the newer release, which YOSYS names
		return runIf(gen.Apart(u.New()) == nil, "synth --unit %[1]s --record docs/data/yosys/%[1]s.json", unitName(u))
	}, nil},
	{"papers", func(*registry.Unit) []string { return nil }, papersMade},
}

// proveRun is the run of a subject's proofs.
const proveRun = "prove %[1]s --json docs/data/prove/%[1]s.json"

func unitName(u *registry.Unit) string { return u.New().Unit() }

// runIf is one run, or none.
func runIf(there bool, format string, args ...any) []string {
	if !there {
		return nil
	}
	return []string{fmt.Sprintf(format, args...)}
}

// configurations are those in which a unit with a bench runs for the records, as flags.
func configurations(u *registry.Unit) []string {
	if u.Bench == nil {
		return nil
	}
	list := []string{""}
	for _, c := range u.Evidence.Configurations {
		list = append(list, flags(c))
	}
	return list
}

// flags are settings, "key=value …", as flags with a blank before each.
func flags(settings string) string {
	var b strings.Builder
	for _, w := range strings.Fields(settings) {
		b.WriteString(" --set " + w)
	}
	return b.String()
}

// recordRun is a co-simulation that goes into the unit's record in a folder.
func recordRun(u *registry.Unit, folder, configuration, way string, cycles uint64) string {
	return fmt.Sprintf("cosim --unit %[1]s%[2]s %[3]s --cycles %[4]d --record docs/data/%[5]s/%[1]s.json", unitName(u), configuration, way, cycles, folder)
}

// Made lists the kinds of records that runs of nicgen make.
func Made() (names []string) {
	for _, k := range kinds {
		names = append(names, k.kind)
	}
	return names
}

// Runs returns the runs of nicgen that make the records of a kind for units; none if there is no
// such kind.
func Runs(kind string, units []registry.Unit) (list []string) {
	for _, k := range kinds {
		if k.kind == kind && k.also != nil {
			list = k.also()
		}
	}
	for i := range units {
		list = append(list, RunsOf(kind, &units[i])...)
	}
	return list
}

// RunsOf returns the runs of nicgen that make a unit's record of a kind.
func RunsOf(kind string, u *registry.Unit) []string {
	for _, k := range kinds {
		if k.kind == kind {
			return k.runs(u)
		}
	}
	return nil
}
