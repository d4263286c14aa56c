// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/registry"
)

// longRuns lists the commands that take a block of other units only by name, because it would
// run for a long time. All other commands take every unit and every block by default.
var longRuns = []string{"bench", "soak", "coverage", "upset", "prove"}

// leftToNames returns the units that a command leaves out because names does not contain them: blocks, if
// the command has long runs, and nicgen's own units in the program of another module.
func leftToNames(command string, units []registry.Unit, names []string) (list []string) {
	own := map[string]bool{}
	for _, u := range registry.Own(units) {
		own[u.New().Unit()] = true
	}
	for _, u := range units {
		name := u.New().Unit()
		if long := u.ByName && slices.Contains(longRuns, command); (long || !own[name]) && !slices.Contains(names, name) {
			list = append(list, name)
		}
	}
	return list
}

// foreign reports whether the program belongs to another module than nicgen's.
func (r *runner) foreign() bool { return len(registry.Outside(r.all)) > 0 }

// leftOutLine returns the message that a command left a block out, with the command that
// includes it.
func leftOutLine(name, command string) string {
	return name + " takes long and is left out; by name: " + command
}

// onlyByName returns the part of a command's help that lists the blocks it leaves out when
// called without names; has are the names that it takes.
func (r *runner) onlyByName(command string, has []string) string {
	if r.foreign() {
		return "; nicgen's own units only by name"
	}
	list := slices.DeleteFunc(leftToNames(command, r.all, nil), func(name string) bool { return !slices.Contains(has, name) })
	if list == nil {
		return ""
	}
	return "; only by name, because it takes long: " + strings.Join(list, ", ")
}

// called returns the units from which a command with names as arguments chooses: all units if it has names,
// else the units that it takes without a name.
func (r *runner) called(c *cli.Context, names []string) []registry.Unit {
	if len(names) > 0 {
		return r.all
	}
	left := leftToNames(c.Command.Name, r.all, nil)
	return slices.DeleteFunc(slices.Clone(r.all), func(u registry.Unit) bool { return slices.Contains(left, u.New().Unit()) })
}

// sayLeft logs which blocks a command without names left out; has are the names that it takes.
func (r *runner) sayLeft(command string, has []string) {
	if r.foreign() {
		return
	}
	for _, name := range leftToNames(command, r.all, nil) {
		if slices.Contains(has, name) {
			r.log.Info(leftOutLine(name, "nicgen "+command+" "+name))
		}
	}
}
