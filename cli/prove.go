// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/proof"
)

func (r *runner) proveCommand() *cli.Command {
	return &cli.Command{
		Name:      "prove",
		Usage:     "prove properties of units for every stimulus of any length",
		ArgsUsage: "[UNIT]…",
		Description: "Looks for an inductive invariant that implies each property, in small configurations, with\n" +
			"Yosys and its ABC; shows that the situation of each property is reachable; and plants a\n" +
			"mistake that must break it. Without arguments, proves every unit that has properties: " + strings.Join(r.provedByDefault(), ", ") +
			r.onlyByName("prove", proved(r.all)) +
			".\n\nExits with 1 if a property does not hold or cannot fail.\n\n" +
			"Examples:\n" +
			"   nicgen prove\n" +
			"   nicgen prove reps --json reps.json\n" +
			"   nicgen prove reps --waves build/prove",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "quick", DisableDefaultText: true, Usage: "only the proofs that make test also runs"},
			&cli.StringFlag{Name: "only", Usage: "only the set of properties `NAME`"},
			&cli.DurationFlag{Name: "limit", Value: 5 * time.Minute, Usage: "time limit of one search, `TIME`; a property not proved by then stays open"},
			&cli.StringFlag{Name: "waves", Usage: "write waveforms of counterexamples and of planted mistakes to `FOLDER`", TakesFile: true},
			jsonFlag("the report", "units"),
		},
		Action: func(c *cli.Context) error {
			names := c.Args().Slice()
			units := r.called(c, names)
			for _, name := range names {
				if all := proved(units); !slices.Contains(all, name) {
					return usagef("prove: unit %q has no properties%s, allowed: %s", name, nearest(name, all), strings.Join(all, ", "))
				}
			}
			only := c.String("only")
			var subjects []proof.Subject
			var sets []string // of the chosen subjects
			if len(names) == 0 {
				names = r.provedByDefault()
			}
			for _, s := range registry.Subjects(units) {
				if !slices.Contains(names, s.Name) {
					continue
				}
				sets = append(sets, s.Proofs.Names()...)
				if only == "" || slices.Contains(s.Proofs.Names(), only) {
					subjects = append(subjects, s)
				}
			}
			if len(subjects) == 0 {
				return usagef("--only: found %s%s, allowed: %s", only, nearest(only, sets), strings.Join(sets, ", "))
			}
			if c.Duration("limit") < time.Second {
				return usagef("--limit: found %s, allowed: one second or more", c.Duration("limit"))
			}
			name := c.String("json")
			if err := checkFile("--json", name); err != nil {
				return err
			}
			if c.NArg() == 0 {
				r.sayLeft("prove", proved(r.all))
			}
			var reports []*prove.Report
			found := false
			for _, s := range subjects {
				show := r.progress("prove "+s.Name, "searches")
				rep, err := prove.Run(c.Context, s, prove.Options{Quick: c.Bool("quick"), Only: only,
					Limit: c.Duration("limit"), Dir: c.String("waves"), Mistakes: c.String("waves") != "",
					Progress: func(done, total int) { show.set(0, uint64(done), uint64(total)) }})
				show.close()
				if err != nil {
					return err
				}
				reports = append(reports, rep)
				if name != "-" {
					if err := r.printProofs(rep); err != nil {
						return err
					}
				}
				for _, f := range rep.Findings() {
					r.log.Errorf("%s/%s", s.Name, f)
					found = true
				}
			}
			if name != "" {
				if err := writeJSON(r, name, reports); err != nil {
					return err
				}
			}
			if found {
				return errFound
			}
			return nil
		},
	}
}

// proved returns the names of all parts with properties: the shared parts, and these units.
func proved(units []registry.Unit) (names []string) {
	for _, s := range registry.Subjects(units) {
		names = append(names, s.Name)
	}
	return names
}

// provedByDefault returns the names of the subjects of a command without names.
func (r *runner) provedByDefault() []string {
	names := proved(registry.Own(r.env.Units))
	if r.foreign() {
		names = names[1:] // the parts are nicgen's
	}
	return names
}

func (r *runner) printProofs(rep *prove.Report) error {
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	for _, s := range rep.Sets {
		fmt.Fprintf(w, "%s/%s: %s\n", rep.Unit, s.Name, s.Claim)
		for _, p := range s.Proofs {
			how := fmt.Sprintf("%s as lemmas, induction over %s", plural(p.Lemmas, "statement"), plural(p.K, "cycle"))
			if p.Frames > 0 {
				how = fmt.Sprintf("invariant of %s found in %s", plural(p.Clauses, "clause"), plural(p.Frames, "frame"))
			}
			fmt.Fprintf(w, "  %s: %s of state; %s\n", p.Config, plural(p.Latches, "bit"), how)
		}
		for _, p := range s.Properties {
			broken := "not noticed"
			if p.Broken >= 0 {
				broken = fmt.Sprintf("cycle %d", p.Broken)
			}
			fmt.Fprintf(w, "  %s\t%s\treached in cycle %s\t%s: %s\n", p.Name, p.Status, strings.Trim(fmt.Sprint(p.Reached), "[]"), p.Mistake, broken)
		}
	}
	return w.Flush()
}
