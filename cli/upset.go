// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/registry"
)

func (r *runner) upsetCommand() *cli.Command {
	return &cli.Command{
		Name:      "upset",
		Usage:     "flip bits of a unit's state during traffic, and measure the time to recover",
		ArgsUsage: "[UNIT]…",
		Description: "Flips one bit of a register or memory of the emitted RTL at a time, at random moments of\n" +
			"random traffic, and compares all outputs with the golden model, which is not disturbed.\n" +
			"Reports for each register and memory the number of events until the outputs were correct\n" +
			"again, or legal again. Without arguments, measures every unit that defines legal outputs: " + strings.Join(upsetUnits(registry.Own(r.env.Units)), ", ") +
			r.onlyByName("upset", upsetUnits(r.all)) +
			".\n\nExits with 1 if a unit hung or stayed illegal.\n\n" +
			"Examples:\n" +
			"   nicgen upset reps\n" +
			"   nicgen upset reps --set connections=4 --set buffer_depth=2 --flips 100\n" +
			"   nicgen upset reps --json elements.json --record docs/data/upset/reps.json",
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N` of traffic, moments and bits"},
			&cli.IntFlag{Name: "runs", Value: 8, Usage: "number of recorded runs, `N`, over which the flips are distributed, each with the next seed"},
			&cli.IntFlag{Name: "flips", Value: 256, Usage: "number of flips, `N`, of each register and memory"},
			&cli.IntFlag{Name: "cycles", Value: 8192, Usage: fmt.Sprintf("cycles, `N`, after each flip, a multiple of %d", upset.Step)},
			&cli.StringSliceFlag{Name: "set", Usage: "measure one configuration instead of the unit's own list: the default with `KEY=VALUE`; may be repeated"},
			jsonFlag("the report, with every register and memory,", "units"),
			recordFlag("the sums by instance, with a digest of the elements"),
		},
		Action: r.upset,
	}
}

// upsetUnits returns the names of the units whose benches define legal outputs.
func upsetUnits(units []registry.Unit) (names []string) {
	for _, u := range units {
		if u.Upset != nil {
			names = append(names, u.New().Unit())
		}
	}
	return names
}

func (r *runner) upset(c *cli.Context) error {
	names := c.Args().Slice()
	units := r.called(c, names)
	all := upsetUnits(units)
	if len(names) == 0 {
		names = all
	}
	for _, n := range names {
		if !slices.Contains(all, n) {
			return usagef("upset: unit %q does not define legal outputs%s, allowed: %s", n, nearest(n, all), strings.Join(all, ", "))
		}
	}
	for _, name := range []string{"runs", "flips"} {
		if n := c.Int(name); n < 1 {
			return usagef("--%s: found %d, allowed: a whole number from 1", name, n)
		}
	}
	if n := c.Int("cycles"); n < 4*upset.Step || n%upset.Step != 0 {
		return usagef("--cycles: found %d, allowed: a multiple of %d from %d", n, upset.Step, 4*upset.Step)
	}
	file := c.String("json")
	if err := checkFile("--json", file); err != nil {
		return err
	}
	if err := checkRecord(c, len(names)); err != nil {
		return err
	}
	if c.NArg() == 0 {
		r.sayLeft("upset", upsetUnits(r.all))
	}
	own := c.StringSlice("set")
	var reports []*upset.Report
	found := false
	for _, u := range units {
		unit := u.New().Unit()
		if u.Upset == nil || !slices.Contains(names, unit) {
			continue
		}
		rep := &upset.Report{Unit: unit, Command: fmt.Sprintf("nicgen upset %s --seed %d --runs %d --flips %d --cycles %d", unit, c.Uint64("seed"), c.Int("runs"), c.Int("flips"), c.Int("cycles"))}
		settings := u.Upset.Settings
		if len(own) > 0 {
			settings = []string{strings.Join(own, " ")}
			rep.Command += " --set " + strings.Join(own, " --set ")
		}
		for _, s := range settings {
			res, err := r.upsetOf(c, u, s)
			if err != nil {
				return err
			}
			rep.Results = append(rep.Results, *res)
			found = found || !res.OK()
			if file != "-" {
				fmt.Fprint(r.out, upsetText(res, r.verbose))
			}
		}
		reports = append(reports, rep)
	}
	if file != "" {
		if err := writeJSON(r, file, reports); err != nil {
			return err
		}
	}
	if name := c.String("record"); name != "" {
		rec, err := reports[0].Record()
		if err != nil {
			return err
		}
		if err := r.writeRecord(name, rec); err != nil {
			return err
		}
	}
	if found {
		return errFound
	}
	return nil
}

// upsetOf measures one configuration of a unit.
func (r *runner) upsetOf(c *cli.Context, u registry.Unit, settings string) (*upset.Result, error) {
	p, err := upset.NewPlan(u.New(), settings, u.Bench, u.Upset)
	if err != nil {
		return nil, err
	}
	show := r.progress("upset "+p.Unit, "upsets")
	defer show.close()
	p.Seed, p.Runs, p.Flips, p.Cycles = c.Uint64("seed"), c.Int("runs"), c.Int("flips"), c.Int("cycles")
	p.Progress = func(done, total uint64) { show.set(0, done, total) }
	return upset.Run(c.Context, p)
}

// upsetText returns a result as text: the elements that stayed illegal, or with verbose all
// of them.
func upsetText(res *upset.Result, verbose bool) string {
	var b strings.Builder
	verdict := "PASS"
	if !res.OK() {
		verdict = "FAIL"
	}
	settings := res.Settings
	if settings == "" {
		settings = "default"
	}
	fmt.Fprintf(&b, "%s %s (%s): %s\n", verdict, res.Unit, settings, strings.ReplaceAll(res.Sentence(), "**", ""))
	for _, e := range res.Elements {
		if verbose || e.Never > 0 {
			fmt.Fprintf(&b, "  %s: %d flips, %d unseen, %d right again after at most %d events, %d legal after at most %d events, %d never, %d kept\n",
				e.Name, e.Flips, e.Unseen, e.Right, e.Again.MaxEvents, e.Legal, e.Law.MaxEvents, e.Never, e.Kept)
		}
	}
	return b.String()
}
