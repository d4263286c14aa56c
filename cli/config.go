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

// switchFlag is the flag of a switch: it stands alone or with =true or =false.
type switchFlag struct{ *cli.GenericFlag }

// TakesValue tells the help, and permute, that the next word is not its value.
func (switchFlag) TakesValue() bool { return false }

// String is the flag's line in the help.
func (f switchFlag) String() string { return cli.FlagStringer(f) }

// parameterFlags are --unit, --config, --set and one flag for each commonly
// changed field of any unit.
func (r *runner) parameterFlags() (*parameters, []cli.Flag) {
	p := &parameters{units: r.env.Units}
	flags := []cli.Flag{
		&cli.StringSliceFlag{Name: "unit", Usage: "the unit `NAME`; may be repeated; without it, every unit"},
		&cli.StringFlag{Name: "config", Usage: "read the configuration from a YAML `FILE`; nicgen emit --print-config writes one", TakesFile: true},
		&cli.GenericFlag{Name: "set", Value: setting{p: p}, Usage: "set any parameter: `KEY=VALUE` or UNIT.KEY=VALUE; may be repeated; wins over --config"},
	}
	type use struct {
		field gen.Field
		units []string
	}
	var order []string
	uses := map[string]*use{}
	for _, u := range r.env.Units {
		cfg := u.New()
		for _, f := range cfg.Fields() {
			if !f.Flag {
				continue
			}
			if uses[f.Key] == nil {
				uses[f.Key] = &use{field: f}
				order = append(order, f.Key)
			}
			uses[f.Key].units = append(uses[f.Key].units, cfg.Unit())
		}
	}
	for _, key := range order {
		u := uses[key]
		name := strings.ReplaceAll(key, "_", "-")
		isSwitch := u.field.Kind() == gen.Bool
		placeholder := map[gen.Kind]string{gen.Int: "`N`", gen.Enum: "`CHOICE`", gen.Bool: "true or false"}[u.field.Kind()]
		if !isSwitch {
			placeholder += " is " + u.field.Allowed()
		}
		f := &cli.GenericFlag{
			Name:     name,
			Category: "parameters",
			Value:    setting{p: p, flag: "--" + name, key: key, boolean: isSwitch},
			Usage: fmt.Sprintf("%s: %s (%s; default %s)", strings.Join(u.units, ", "),
				strings.ReplaceAll(strings.TrimSuffix(u.field.Doc, "."), "`", "'"), placeholder, u.field.Value()),
		}
		if isSwitch {
			f.Usage = strings.Replace(f.Usage, "true or false", "--"+name+"=false to switch it off", 1)
			flags = append(flags, switchFlag{f})
			continue
		}
		flags = append(flags, f)
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
		if len(wanted) == 0 || wanted[names[i]] {
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
