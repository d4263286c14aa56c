// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/rows"
)

// jsonFlag returns --json, which means the same in every command. what names the result;
// several, if not empty, names the things of which a command may have several.
func jsonFlag(what, several string) cli.Flag {
	if several != "" {
		several = "; a list if there are several " + several
	}
	return &cli.StringFlag{Name: "json", Usage: "write " + what + " as JSON to `FILE`, - for standard output" + several, TakesFile: true}
}

// recordFlag returns --record for commands whose results hold more than the pages show; what
// names the part that is kept.
func recordFlag(what string) cli.Flag {
	return &cli.StringFlag{Name: "record", Usage: "write the record of the result that docs/data keeps to `FILE`: " + what, TakesFile: true}
}

// checkRecord returns an error if --record is given for more than one result.
func checkRecord(c *cli.Context, results int) error {
	if c.IsSet("record") && results != 1 {
		return usagef("--record: found %d results, allowed: 1", results)
	}
	return checkFile("--record", c.String("record"))
}

// writeRecord writes a record to the file of --record.
func (r *runner) writeRecord(name string, record any) error {
	text, err := rows.Marshal(record)
	if err != nil {
		return err
	}
	return r.writeFile("--record", name, text)
}

// asJSON writes a result to the file of --json, if set, and reports whether standard output
// is free for text.
func (r *runner) asJSON(c *cli.Context, result any) (people bool, err error) {
	name := c.String("json")
	if name == "" {
		return true, nil
	}
	return name != "-", writeJSON(r, name, []any{result})
}

// checkJSON refuses, before anything is written, a --json that was meant as a switch, as it once
// was in some commands: its value is a unit, a register or a SystemVerilog file. names are words
// that the command takes as arguments.
func checkJSON(c *cli.Context, names ...string) error {
	name := c.String("json")
	switch ext := filepath.Ext(name); {
	case name == "":
		if c.IsSet("json") {
			return usagef("--json: found \"\", %s", jsonForm(c.Command))
		}
	case slices.Contains(names, name), slices.Contains([]string{".sv", ".svh", ".v", ".vh"}, ext):
		return usagef("--json: found %s, %s", name, jsonForm(c.Command))
	}
	return checkFile("--json", name)
}

// jsonForm returns an example of how to write --json.
func jsonForm(command *cli.Command) string {
	line := "nicgen " + command.Name
	if command.ArgsUsage != "" {
		line += " " + command.ArgsUsage
	}
	return fmt.Sprintf("want a FILE, or - for standard output: `%s --json -`", line)
}

// valueError matches the flag package's message about a value that it cannot read.
var valueError = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-+([^:]+): `)

// fromOne lists the flags whose minimum is 1.
var fromOne = []string{"seeds", "cycles", "frames", "hosts"}

// allowedValues returns in words the values that a flag takes, or "" if its type does not
// determine them.
func allowedValues(f cli.Flag) string {
	least := 0
	if slices.Contains(fromOne, f.Names()[0]) {
		least = 1
	}
	switch f.(type) {
	case *cli.Uint64Flag, *cli.UintFlag:
		return fmt.Sprintf("a whole number from %d to %d", least, uint64(math.MaxUint64))
	case *cli.IntFlag, *cli.Int64Flag:
		return fmt.Sprintf("a whole number of up to %d", int64(math.MaxInt64))
	case *cli.Float64Flag:
		return "a number, such as 0.5"
	case *cli.DurationFlag:
		return "a time with its unit, such as 300ms, 90s or 5m"
	case *cli.BoolFlag:
		return "true or false"
	}
	return ""
}

// wrongValue rewrites the flag package's message about a value that it cannot read, naming the
// flag, the value found and the values allowed. It returns "" for any other message.
func wrongValue(msg string, flags []cli.Flag) string {
	m := valueError.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	for _, f := range flags {
		if !slices.Contains(f.Names(), m[2]) {
			continue
		}
		if allowed := allowedValues(f); allowed != "" {
			found := m[1]
			if found == "" || strings.ContainsAny(found, " \t") {
				found = fmt.Sprintf("%q", found)
			}
			return fmt.Sprintf("--%s: found %s, allowed: %s", m[2], found, allowed)
		}
	}
	return ""
}
