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

// leftToNames returns the blocks that a command leaves out because names does not contain
// them.
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

// leftOutLine returns the message that a command left a block out, with the command that
// includes it.
func leftOutLine(name, command string) string {
	return name + " takes long and is left out; by name: " + command
}

// onlyByName returns the part of a command's help that lists the blocks it leaves out when
// called without names; has are the names that it takes.
func (r *runner) onlyByName(command string, has []string) string {
	list := slices.DeleteFunc(leftToNames(command, r.all, nil), func(name string) bool { return !slices.Contains(has, name) })
	if list == nil {
		return ""
	}
	return "; only by name, because it takes long: " + strings.Join(list, ", ")
}

// called returns the units of a command whose arguments are names: the named ones, or without
// names all that need not be named.
func (r *runner) called(c *cli.Context, names []string) []registry.Unit {
	left := leftToNames(c.Command.Name, r.all, names)
	return slices.DeleteFunc(slices.Clone(r.all), func(u registry.Unit) bool { return slices.Contains(left, u.New().Unit()) })
}

// sayLeft logs which blocks a command without names left out; has are the names that it takes.
func (r *runner) sayLeft(command string, has []string) {
	for _, name := range leftToNames(command, r.all, nil) {
		if slices.Contains(has, name) {
			r.log.Info(leftOutLine(name, "nicgen "+command+" "+name))
		}
	}
}
