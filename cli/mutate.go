// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/registry"
)

func (r *runner) mutateCommand() *cli.Command {
	return &cli.Command{
		Name:      "mutate",
		Usage:     "grade a unit's bench with mutants of its RTL and golden model",
		ArgsUsage: "UNIT",
		Description: "Yosys makes mutants of the emitted design, each with one wrong bit, and the unit's own\n" +
			"bench runs against each of them. A mutant whose outputs never differ is either shown\n" +
			"equivalent, by SAT and induction, or a survivor.\n" +
			"Exits with 1 if a survivor is not in the list of known ones, if an entry of that list\n" +
			"does not survive, or if a mutant could not be run.\n\n" +
			"Results are kept in --work; the same command resumes there after a stop.\n\n" +
			"In the folder of nicgen's own sources the golden model is mutated too, as configuration\n" +
			"model: the bench must also notice a wrong model.\n\n" +
			"Examples:\n" +
			"   nicgen mutate reps\n" +
			"   nicgen mutate reps --only small --mutants 50\n" +
			"   nicgen mutate reps --json docs/data/mutate/reps.json",
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N` for drawing mutants"},
			&cli.IntFlag{Name: "mutants", Usage: "draw `N` mutants in each configuration", DefaultText: "as in a full run"},
			&cli.StringFlag{Name: "only", Usage: "only the configuration `NAME`"},
			&cli.StringFlag{Name: "work", Value: "build/mutate", Usage: "the `FOLDER` for results", TakesFile: true},
			&cli.StringFlag{Name: "survivors", Usage: "read the known survivors from `FILE`", DefaultText: "tb/UNIT/survivors.yaml", TakesFile: true},
			jsonFlag("the report", ""),
		},
		Action: func(c *cli.Context) error {
			u, err := r.unitArgument(c)
			if err != nil {
				return err
			}
			if c.IsSet("mutants") && c.Int("mutants") < 1 {
				return usagef("--mutants: found %d, allowed: a whole number from 1", c.Int("mutants"))
			}
			if err := checkFile("--json", c.String("json")); err != nil {
				return err
			}
			known, err := knownSurvivors(c, u)
			if err != nil {
				return err
			}
			return r.mutate(c, u, known)
		},
	}
}

// unitArgument returns the unit that a command's only argument names.
func (r *runner) unitArgument(c *cli.Context) (registry.Unit, error) {
	units := r.all
	var names []string
	for _, u := range units {
		if u.Bench != nil {
			names = append(names, u.New().Unit())
		}
	}
	name, err := oneArgument(c, "a unit: "+strings.Join(names, ", "))
	if err != nil {
		return registry.Unit{}, err
	}
	for _, u := range units {
		if u.Bench != nil && u.New().Unit() == name {
			return u, nil
		}
	}
	return registry.Unit{}, usagef("%s: unknown unit %q%s, allowed: %s", c.Command.Name, name, nearest(name, names), strings.Join(names, ", "))
}

// knownSurvivors reads the list that the flag names, or the unit's own list if it has one.
func knownSurvivors(c *cli.Context, u registry.Unit) ([]mutate.Survivor, error) {
	if name := c.String("survivors"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("--survivors: %w", err)
		}
		return mutate.ReadSurvivors(name, text)
	}
	if u.Mutation == nil {
		return nil, nil
	}
	return mutate.ReadSurvivors("tb/"+u.New().Unit()+"/survivors.yaml", []byte(u.Mutation.Survivors))
}

func (r *runner) mutate(c *cli.Context, u registry.Unit, known []mutate.Survivor) error {
	unit := u.New().Unit()
	rep := mutate.Report{Unit: unit, Seed: c.Uint64("seed"), Command: "nicgen mutate " + unit}
	if c.Uint64("seed") != 1 {
		rep.Command += fmt.Sprintf(" --seed %d", c.Uint64("seed"))
	}
	var names []string
	found := false
	for _, t := range mutate.Targets(u.Mutation) {
		names = append(names, t.Name)
		if only := c.String("only"); only != "" && only != t.Name {
			continue
		}
		if c.IsSet("mutants") {
			t.Mutants = c.Int("mutants")
		}
		job, err := mutate.NewJob(u.New(), u.Bench, t, rep.Seed)
		if err != nil {
			return err
		}
		show := r.progress("mutate "+unit+" "+t.Name, "mutants")
		res, err := mutate.Run(c.Context, job,
			mutate.Options{Work: c.String("work"), Progress: func(p mutate.Progress) { show.set(0, uint64(p.Done()), uint64(p.Total)) }})
		show.close()
		if res != nil {
			rep.Tool = res.Design.Tool
			rep.Configurations = append(rep.Configurations, res.Summarise(t, known))
			r.printMutants(c, &rep.Configurations[len(rep.Configurations)-1])
		}
		if err != nil {
			return err
		}
		if !c.IsSet("mutants") && rep.Seed == 1 {
			for _, s := range res.Stale(t.Name, known) {
				r.log.Errorf("%s %s: %s is in the list of survivors, but does not survive: remove the entry", unit, t.Name, s.Mutant)
				found = true
			}
		}
		last := &rep.Configurations[len(rep.Configurations)-1]
		found = found || last.Survived > 0 || last.Errors > 0
	}
	model := mutate.HasModel(u.Mutation)
	if model {
		names = append(names, mutate.ModelConfiguration)
	}
	root, rootErr := sourcesOf(&u)
	if only := c.String("only"); model && only == mutate.ModelConfiguration && rootErr != nil {
		return rootErr
	} else if model && only == "" && rootErr != nil && !c.IsSet("mutants") {
		r.log.Warnf("%s: no mutants of the golden model: %v", unit, rootErr)
	} else if model && (only == mutate.ModelConfiguration || only == "" && !c.IsSet("mutants")) {
		show := r.progress("mutate "+unit+" "+mutate.ModelConfiguration, "mutants")
		m, err := mutate.RunModel(c.Context, root, &u, known, func(p mutate.Progress) { show.set(0, uint64(p.Done()), uint64(p.Total)) })
		show.close()
		if err != nil {
			return err
		}
		rep.Model = m
		r.printModel(c, m)
		found = found || m.Survived > 0 || m.Errors > 0
		for _, s := range m.Stale(known) {
			r.log.Errorf("%s %s: %s is in the list of survivors, but does not survive: remove the entry", unit, mutate.ModelConfiguration, s.Mutant)
			found = true
		}
	}
	if len(rep.Configurations) == 0 && rep.Model == nil {
		return usagef("--only: unknown configuration %q%s, allowed: %s", c.String("only"), nearest(c.String("only"), names), strings.Join(names, ", "))
	}
	if name := c.String("json"); name != "" {
		if err := writeJSON(r, name, []mutate.Report{rep}); err != nil {
			return err
		}
	}
	if found {
		return errFound
	}
	return nil
}

// printMutants prints the results for the mutants of a configuration, unless standard
// output belongs to a file format.
func (r *runner) printMutants(c *cli.Context, x *mutate.Configuration) {
	if c.String("json") == "-" {
		return
	}
	fmt.Fprintf(r.out, "%s %s: %s: %d killed, %d equivalent, %d known survivors, %d survivors, %d errors; score %s\n",
		c.Args().First(), x.Name, plural(x.Mutants, "mutant"), x.Killed, x.Equivalent, x.Listed, x.Survived, x.Errors,
		mutate.Percent(mutate.Score(x.Killed, x.Mutants, x.Equivalent)))
	for _, f := range x.Open {
		fmt.Fprintf(r.out, "  %s %d: %s, from %s", f.Status, f.Number, f.Mutant, strings.Join(f.Source, " "))
		if f.Note != "" {
			fmt.Fprintf(r.out, ": %s", f.Note)
		}
		fmt.Fprintln(r.out)
	}
}

// printModel does the same for the mutants of the golden model.
func (r *runner) printModel(c *cli.Context, m *mutate.Model) {
	if c.String("json") == "-" {
		return
	}
	fmt.Fprintf(r.out, "%s %s: %s: %d killed, %d crashed, %d not reached, %d known survivors, %d survivors, %d errors; score %s\n",
		c.Args().First(), m.Package, plural(m.Mutants, "mutant"), m.Killed, m.Crashed, m.Unreached, m.Listed, m.Survived, m.Errors,
		mutate.Percent(m.Score()))
	for _, f := range m.Open {
		fmt.Fprintf(r.out, "  %s %d: %s", f.Status, f.Number, f.Mutant)
		if f.Note != "" {
			fmt.Fprintf(r.out, ": %s", f.Note)
		}
		fmt.Fprintln(r.out)
	}
}

// sourcesOf returns the folder of the module that holds a unit's packages: the current folder or one above
// it.
func sourcesOf(e *registry.Unit) (string, error) {
	want := e.Module()
	root, path, err := tool.ModuleRoot(".")
	if err != nil {
		return "", fmt.Errorf("the golden model's source is needed: run the command in the folder of module %s: %w", want, err)
	}
	if rest, ok := strings.CutPrefix(want, path); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(root, filepath.FromSlash(rest)), nil
	}
	return "", fmt.Errorf("the golden model's source is needed: run the command in the folder of module %s; this one is in module %s", want, path)
}
