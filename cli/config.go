// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// parameters are the flags by which a command learns its configuration.
type parameters struct {
	units    []registry.Unit
	base     string // settings that hold for the chosen units if nothing else is asked for
	settings []gen.Setting
	problems []gen.Located
}

// setting is the value of a flag that sets a field; it only takes notes, so
// that all problems are reported together.
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

// IsBoolFlag lets a switch stand without a value.
func (s setting) IsBoolFlag() bool { return s.boolean }

// parameterFlags are --unit, --config, --set and one flag for each commonly
// changed field of any unit.
func (r *runner) parameterFlags() (*parameters, []cli.Flag) {
	p := &parameters{units: r.all}
	flags := []cli.Flag{
		&cli.StringSliceFlag{Name: "unit", Usage: "the unit `NAME`; may be repeated; without it, every unit"},
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

// resolve reads the configuration that the flags ask for.
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
		known := false
		for _, k := range names {
			known = known || k == n
		}
		if !known {
			problems = append(problems, gen.Located{Where: "--unit", Problem: gen.Problem{
				Found: "unknown unit " + n, Allowed: strings.Join(names, ", ")}, Nearest: gen.Nearest(n, names)})
		}
		wanted[n] = true
	}
	var chosen, others []selected
	for i, u := range p.units {
		s := selected{Unit: u, Config: u.New(), Default: u.New()}
		if len(wanted) == 0 && !u.ByName || wanted[names[i]] {
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
			if len(wanted) == 0 || wanted[s.Unit] {
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
	if len(chosen) > 0 {
		if err := collect(gen.Apply(configs(chosen), append(settings, p.settings...))); err != nil {
			return nil, err
		}
	}
	// Sections of units that this command leaves alone are checked all the same.
	if len(others) > 0 {
		if err := collect(gen.Apply(configs(others), rest)); err != nil {
			return nil, err
		}
	}
	if len(problems) > 0 {
		return nil, &gen.Invalid{Problems: problems}
	}
	return chosen, nil
}
