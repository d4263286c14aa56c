// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// parameters holds the flags that set a command's configuration.
type parameters struct {
	units    []registry.Unit
	warn     func(format string, args ...any)
	say      func(format string, args ...any)
	command  string
	base     string // settings of the chosen units that hold unless a flag changes them
	settings []gen.Setting
	problems []gen.Located
}

// setting is the value of a flag that sets a field. It only records the value, so that all
// problems are reported together.
type setting struct {
	p       *parameters
	flag    string
	key     string // empty: --set
	boolean bool
}

// Set implements flag.Value.
func (s setting) Set(v string) error {
	if s.key != "" {
		s.p.settings = append(s.p.settings, gen.Setting{Flag: s.flag, Key: s.key, Value: v})
		return nil
	}
	x, err := gen.ParseSet(v)
	var bad *gen.Invalid
	if errors.As(err, &bad) {
		s.p.problems = append(s.p.problems, bad.Problems...)
		return nil
	}
	s.p.settings = append(s.p.settings, x)
	return err
}

// String implements flag.Value.
func (s setting) String() string { return "" }

// IsBoolFlag lets a switch appear without a value.
func (s setting) IsBoolFlag() bool { return s.boolean }

// parameterFlags returns --unit, --config, --set and one flag for each commonly changed field of
// any unit. The command decides whether blocks are included by default.
func (r *runner) parameterFlags(command string) (*parameters, []cli.Flag) {
	p := &parameters{units: r.all, warn: r.log.Warnf, say: r.log.Infof, command: command}
	every := "every unit"
	if r.foreign() {
		every += " of the module"
		p.say = func(string, ...any) {}
	} else if names := leftToNames(command, r.all, nil); names != nil {
		every += " except " + strings.Join(names, ", ") + ", which takes long"
	}
	flags := []cli.Flag{
		&cli.StringSliceFlag{Name: "unit", Usage: "the unit `NAME`; may be repeated; without it, " + every + ", and a parameter applies to the units that accept its value"},
		&cli.StringFlag{Name: "config", Usage: "read the configuration from a YAML `FILE`; nicgen emit --print-config writes one", TakesFile: true},
		&cli.GenericFlag{Name: "set", Value: setting{p: p}, Usage: "set any parameter: `KEY=VALUE` or UNIT.KEY=VALUE; may be repeated; wins over --config"},
	}
	byKey, place := map[string]*parameterFlag{}, 0
	for _, u := range r.all {
		cfg := u.New()
		for _, field := range cfg.Fields() {
			if !field.Flag {
				continue
			}
			f := byKey[field.Key]
			if f == nil {
				name := strings.ReplaceAll(field.Key, "_", "-")
				f = &parameterFlag{GenericFlag: &cli.GenericFlag{Name: name,
					Value: setting{p: p, flag: "--" + name, key: field.Key, boolean: field.Kind() == gen.Bool}}}
				byKey[field.Key] = f
				flags = append(flags, f)
			}
			place++
			f.add(field, owner{cfg.Unit(), place})
		}
	}
	return p, flags
}

// selected is one unit with its configuration, ready for use.
type selected struct {
	registry.Unit
	Config, Default gen.Config
}

// resolve reads the configuration that the flags select.
func (p *parameters) resolve(c *cli.Context) ([]selected, error) {
	problems := append([]gen.Located{}, p.problems...)
	collect := func(err error) error {
		var bad *gen.Invalid
		if errors.As(err, &bad) {
			problems = append(problems, bad.Problems...)
			return nil
		}
		return err
	}
	var names []string
	for _, u := range p.units {
		names = append(names, u.New().Unit())
	}
	wanted := map[string]bool{}
	for _, n := range c.StringSlice("unit") {
		if !slices.Contains(names, n) {
			found := "unknown unit " + n
			near := gen.Nearest(n, names)
			if several := split(n, names); several != nil {
				found, near = found+": want --unit "+strings.Join(several, " --unit "), ""
			}
			problems = append(problems, gen.Located{Where: "--unit", Problem: gen.Problem{
				Found: found, Allowed: strings.Join(names, ", ")}, Nearest: near})
		}
		wanted[n] = true
	}
	var chosen, others []selected
	left := leftToNames(p.command, p.units, c.StringSlice("unit"))
	for i, u := range p.units {
		s := selected{Unit: u, Config: u.New(), Default: u.New()}
		if len(wanted) == 0 && !slices.Contains(left, names[i]) || wanted[names[i]] {
			if err := gen.SetAll(s.Config, p.base); err != nil {
				return nil, err
			}
			chosen = append(chosen, s)
		} else {
			others = append(others, s)
		}
	}
	flat := ""
	if len(chosen) == 1 {
		flat = chosen[0].Config.Unit()
	}
	var settings, rest []gen.Setting
	if file := c.String("config"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("configuration: %w", err)
		}
		read, err := gen.ReadYAML(file, text, names, flat)
		if err := collect(err); err != nil {
			return nil, err
		}
		for _, s := range read {
			if !slices.ContainsFunc(others, func(o selected) bool { return o.Config.Unit() == s.Unit }) {
				settings = append(settings, s)
			} else {
				rest = append(rest, s)
			}
		}
	}
	configs := func(list []selected) (out []gen.Config) {
		for _, s := range list {
			out = append(out, s.Config)
		}
		return out
	}
	if all := append(settings, p.settings...); len(wanted) == 0 && len(chosen) > 1 {
		omitted, err := gen.Share(configs(chosen), all)
		if err := collect(err); err != nil {
			return nil, err
		}
		for _, line := range leftOut(omitted) {
			p.warn("%s", line)
		}
	} else if len(chosen) > 0 {
		if err := collect(gen.Apply(configs(chosen), all)); err != nil {
			return nil, err
		}
	}
	// Sections of units that this command does not use are checked too.
	if len(others) > 0 {
		if err := collect(gen.Apply(configs(others), rest)); err != nil {
			return nil, err
		}
	}
	if len(problems) > 0 {
		return nil, &gen.Invalid{Problems: problems}
	}
	if len(wanted) == 0 {
		for _, name := range left {
			p.say("%s", leftOutLine(name, "nicgen "+p.command+" --unit "+name))
		}
	}
	return chosen, nil
}

// leftOut lists the settings that were not applied to some units and why, a line for each
// setting and reason.
func leftOut(omitted []gen.Omitted) []string {
	type line struct{ what, why string }
	var lines []line
	units := map[line][]string{}
	for _, o := range omitted {
		what := o.Flag + " " + o.Value
		switch {
		case o.Flag == "--set":
			what = "--set " + o.Key + "=" + o.Value
		case o.Value == "true" || o.Value == "false":
			what = o.Flag + "=" + o.Value
		}
		var why []string
		for _, p := range o.Problems {
			if p.Key == o.Key {
				why = append(why, "allowed: "+p.Allowed)
			} else {
				why = append(why, p.Key+": found "+p.Found+", allowed: "+p.Allowed)
			}
		}
		l := line{what, strings.Join(why, "; ")}
		if units[l] == nil {
			lines = append(lines, l)
		}
		units[l] = append(units[l], o.Unit)
	}
	var out []string
	for _, l := range lines {
		out = append(out, fmt.Sprintf("%s is not applied to %s; %s", l.what, strings.Join(units[l], ", "), l.why))
	}
	return out
}

// split returns the names in a text that is a list with commas or blanks, or nil.
func split(text string, names []string) []string {
	list := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	for i, n := range list {
		if at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, n) }); at >= 0 {
			list[i] = names[at]
			continue
		}
		return nil
	}
	if len(list) < 2 {
		return nil
	}
	return list
}
