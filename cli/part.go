// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/device"
	"github.com/nicgen/nicgen/synth/timing"
)

// partFlag returns --part; what describes its effect.
func partFlag(what string) cli.Flag {
	return &choiceFlag{StringFlag: &cli.StringFlag{Name: "part", Value: device.Boards()[0],
		Usage: what + ": `PART` is " + device.Allowed()}, choices: device.Boards()}
}

// part returns the part that --part names.
func part(c *cli.Context) (device.Part, error) {
	p, err := device.Find(c.String("part"))
	if err != nil {
		return p, usagef("--part: %v%s", err, nearest(strings.ToUpper(c.String("part")), device.Boards()))
	}
	return p, nil
}

// ultra matches the attribute that requests UltraRAM in a file.
var ultra = regexp.MustCompile(`\bram_style\s*=\s*"ultra"`)

// checkMemories refuses units that need UltraRAM on a part that has none.
func checkMemories(p device.Part, units []selected) error {
	if !p.LacksURAM() {
		return nil
	}
	var problems []gen.Located
	for _, u := range units {
		files, err := u.Config.Files()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(files, func(f gen.File) bool { return ultra.MatchString(f.Text) }) {
			continue
		}
		problem := func(key, found, allowed string) {
			problems = append(problems, gen.Located{Where: "--part", Unit: u.Config.Unit(), Problem: gen.Problem{Key: key, Found: found,
				Allowed: allowed + ": " + p.Name + " has no UltraRAM"}})
		}
		named := false
		for _, f := range u.Config.Fields() {
			if f.Kind() != gen.Enum || !slices.Contains(f.Choices, gen.URAM) || !slices.Contains([]string{gen.URAM, gen.Auto}, f.Value()) {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(f.Choices), func(s string) bool { return s == gen.URAM || s == gen.Auto })
			problem(f.Key, f.Value(), strings.Join(others, ", "))
			named = true
		}
		if !named {
			problem("", u.Config.Unit()+", whose memories are UltraRAM", "a part that has it")
		}
	}
	if len(problems) > 0 {
		return &gen.Invalid{Problems: problems}
	}
	return nil
}

// estimateFor chooses the delays for a part; the default is its speed grade.
func estimateFor(c *cli.Context, p device.Part, o *timing.Options) error {
	switch {
	case c.IsSet("grade"):
	case p.Grade == "":
		return usagef("--part: %s is of speed grade -%s, for which there are no delays: add --grade with %s to estimate with the delays of another grade",
			p.Name, p.Speed, strings.Join(gradeNames(), ", "))
	default:
		o.Grade = p.Grade
	}
	if c.Bool("uram") && p.LacksURAM() {
		return usagef("--uram with --part %s, which has no UltraRAM: omit one of them", p.Name)
	}
	return nil
}
