// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/registry"
)

// longRuns are the commands that take a block of other units only where it is named, since they
// would run it for a long time. All others take every unit and every block if none is named.
var longRuns = []string{"bench", "soak", "coverage", "upset", "prove"}

// leftToNames are the blocks among units that a command leaves out, as names has none of them.
func leftToNames(command string, units []registry.Unit, names []string) (list []string) {
	if !slices.Contains(longRuns, command) {
		return nil
	}
	for _, u := range units {
		if name := u.New().Unit(); u.ByName && !slices.Contains(names, name) {
			list = append(list, name)
		}
	}
	return list
}

// leftOutLine says that a command left a block out, and which command takes it.
func leftOutLine(name, command string) string {
	return name + " takes long and is left out; by name: " + command
}

// onlyByName is how the help of a command whose arguments are names says which blocks it leaves
// out if there are none; has are the names that it takes.
func (r *runner) onlyByName(command string, has []string) string {
	list := slices.DeleteFunc(leftToNames(command, r.all, nil), func(name string) bool { return !slices.Contains(has, name) })
	if list == nil {
		return ""
	}
	return "; only by name, as it takes long: " + strings.Join(list, ", ")
}

// called are the units of a command whose arguments are names: those that are named, if any, and
// those that need not be.
func (r *runner) called(c *cli.Context, names []string) []registry.Unit {
	left := leftToNames(c.Command.Name, r.all, names)
	return slices.DeleteFunc(slices.Clone(r.all), func(u registry.Unit) bool { return slices.Contains(left, u.New().Unit()) })
}

// sayLeft says which blocks a command without names left out; has are the names that it takes.
func (r *runner) sayLeft(command string, has []string) {
	for _, name := range leftToNames(command, r.all, nil) {
		if slices.Contains(has, name) {
			r.log.Info(leftOutLine(name, "nicgen "+command+" "+name))
		}
	}
}
