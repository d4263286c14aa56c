// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/registry"
)

// proveRun is the run of a subject's proofs.
const proveRun = "prove %[1]s --json docs/data/prove/%[1]s.json"

func unitName(u *registry.Unit) string { return u.New().Unit() }

// runIf returns one run, or none.
func runIf(there bool, format string, args ...any) []string {
	if !there {
		return nil
	}
	return []string{fmt.Sprintf(format, args...)}
}

// configurations returns the configurations, as flags, in which a unit with a bench runs for the
// records.
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

// flags returns settings, "key=value …", as flags with a blank before each.
func flags(settings string) string {
	var b strings.Builder
	for _, w := range strings.Fields(settings) {
		b.WriteString(" --set " + w)
	}
	return b.String()
}

// recordRun returns a co-simulation that goes into the unit's record in a folder.
func recordRun(u *registry.Unit, folder, configuration, way string, cycles uint64) string {
	return fmt.Sprintf("cosim --unit %[1]s%[2]s %[3]s --cycles %[4]d --record docs/data/%[5]s/%[1]s.json", unitName(u), configuration, way, cycles, folder)
}

// netlistRuns returns the runs of a unit's netlist.
func netlistRuns(u *registry.Unit) (list []string) {
	for _, c := range configurations(u) {
		list = append(list, recordRun(u, "netlist", c, "--netlist", cmp.Or(u.Evidence.NetlistCycles, 400_000)))
	}
	return list
}

// simulatorRuns returns the runs of a unit in other simulators.
func simulatorRuns(u *registry.Unit) (list []string) {
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
}

// synthRuns returns the syntheses of a unit.
func synthRuns(u *registry.Unit) []string {
	list := []string{fmt.Sprintf("synth --unit %[1]s --record docs/data/%[1]s.json", unitName(u))}
	for _, s := range u.Evidence.Syntheses {
		list = append(list, fmt.Sprintf("synth --unit %[1]s%[2]s --record docs/data/%[1]s_%[3]s.json", unitName(u), flags(s.Settings), s.Name))
	}
	return list
}

// Made lists the kinds of records that runs of nicgen make.
func Made() (names []string) {
	for _, k := range Kinds {
		if k.runs != nil || k.also != nil {
			names = append(names, k.Name)
		}
	}
	return names
}

// Runs returns the runs that make the records of a kind in the module of a program with these units;
// none if there is no such kind.
func Runs(kind string, units []registry.Unit) (list []string) {
	k := find(kind)
	if k == nil {
		return nil
	}
	if k.also != nil && len(registry.Outside(units)) == 0 {
		list = k.also()
	}
	own := registry.Own(units)
	for i := range own {
		list = append(list, RunsOf(kind, &own[i])...)
	}
	return list
}

// Program is the command line that runs a module's program in the module's folder.
const Program = "go run ."

// Command returns the command that makes the records of a kind: a target of nicgen's Makefile, or, in the module
// of other units, the run, or the command that lists the runs.
func Command(kind string, units []registry.Unit) string {
	if len(registry.Outside(units)) == 0 {
		if k := find(kind); k != nil {
			kind = k.Make
		}
		return "make " + kind
	}
	if runs := Runs(kind, units); len(runs) == 1 {
		return Program + " " + runs[0]
	}
	return Program + " list --runs " + kind
}

// Maker returns the run that writes the record file, a path below the module's folder; ok is false if
// no run does.
func Maker(file string, units []registry.Unit) (run string, ok bool) {
	for _, k := range Kinds {
		for _, run := range Runs(k.Name, units) {
			words := strings.Fields(run)
			for i, w := range words[1:] {
				if w == file && (words[i] == "--json" || words[i] == "--record") {
					return run, true
				}
			}
		}
	}
	return "", false
}

// RunsOf returns the runs of nicgen that make a unit's record of a kind.
func RunsOf(kind string, u *registry.Unit) []string {
	if k := find(kind); k != nil && k.runs != nil {
		return k.runs(u)
	}
	return nil
}
