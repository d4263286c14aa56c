// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
)

func (r *runner) soakCommand() *cli.Command {
	p, flags := r.parameterFlags("soak")
	return &cli.Command{
		Name:  "soak",
		Usage: "run a bench for a long time over seeds and configurations",
		Description: "Runs the unit's bench on all cores until the given number of events is compared. Every\n" +
			"other chunk uses the default configuration; the rest cover in turn each other choice of\n" +
			"each enumeration and switch, and random configurations. Chunks are kept in --work: the\n" +
			"same command resumes where it stopped. Exits with 1 if a chunk found a\n" +
			"mismatch.\n\n" +
			"Examples:\n" +
			"   nicgen soak --unit reps --events 1000000000\n" +
			"   nicgen soak --unit powertcp --variant theta --configs 0 --json soak.json",
		Flags: append(append(flags, soakFlags(1_000_000_000, 2_000_000)...),
			&cli.StringFlag{Name: "record", Usage: "an earlier result of the same run, `FILE`: run only the configurations whose RTL has changed since; if it has fewer events than --events, continue where it ends", TakesFile: true}),
		Action: func(c *cli.Context) error { return r.soak(c, p, false) },
	}
}

func (r *runner) coverageCommand() *cli.Command {
	p, flags := r.parameterFlags("coverage")
	return &cli.Command{
		Name:  "coverage",
		Usage: "find RTL lines and coverage points that a unit's bench does not reach",
		Description: "Runs the unit's bench with line counters, over seeds and configurations as `nicgen soak`\n" +
			"does, and merges the results of each configuration. Exits with 1 if a required point, or\n" +
			"a line that is not listed as unreachable, was never reached.\n\n" +
			"Examples:\n" +
			"   nicgen coverage --unit reps\n" +
			"   nicgen coverage --unit powertcp --configs 0 --json coverage.json",
		Flags:  append(flags, soakFlags(0, 800_000)...),
		Action: func(c *cli.Context) error { return r.soak(c, p, true) },
	}
}

func soakFlags(events, cycles uint64) []cli.Flag {
	return []cli.Flag{
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N` of the first chunk and of the configurations"},
		&cli.Uint64Flag{Name: "events", Value: events, Usage: "compare at least `N` events, and run every configuration once"},
		&cli.UintFlag{Name: "configs", Value: 4, Usage: "number of random configurations, `N`"},
		&cli.Uint64Flag{Name: "cycles", Value: cycles, Usage: "cycles per chunk, `N`; a quarter of that in configurations other than the default"},
		&cli.IntFlag{Name: "optimize", Value: 1, Usage: "the C++ compiler's -O for the models, `N` from 1 to 3: 3 takes minutes to compile, for long runs"},
		&cli.StringFlag{Name: "work", Value: "build/soak", Usage: "the `FOLDER` for chunks and replay files", TakesFile: true},
		jsonFlag("the result", "units"),
	}
}

// soak carries out both commands.
func (r *runner) soak(c *cli.Context, p *parameters, lines bool) error {
	if err := noArguments(c); err != nil {
		return err
	}
	units, err := p.resolve(c)
	if err != nil {
		return err
	}
	if c.Uint64("cycles") == 0 {
		return usagef("--cycles: found 0, allowed: a whole number from 1")
	}
	if n := c.Int("optimize"); n < 1 || n > 3 {
		return usagef("--optimize: found %d, allowed: 1 to 3", n)
	}
	name := c.String("json")
	if err := checkFile("--json", name); err != nil {
		return err
	}
	var record *soak.Result
	if file := c.String("record"); file != "" {
		if len(units) != 1 {
			return usagef("--record is for one unit: choose it with --unit")
		}
		if record, err = soak.ReadResult(file); err != nil {
			return err
		}
	}
	var results []*soak.Result
	found := false
	for _, u := range units {
		unit := u.Config.Unit()
		if u.Bench == nil {
			r.log.Warnf("%s has no bench: skipped", unit)
			continue
		}
		configs, err := soak.Configurations(func() gen.Config { return copied(u) }, int(c.Uint("configs")), c.Uint64("seed"))
		if err != nil {
			return err
		}
		bench := u.Bench
		if u.Soak != nil && !lines {
			bench = u.Soak
		}
		show := r.progress(c.Command.Name+" "+unit, "events")
		start, before := time.Now(), atomic.Uint64{}
		var events atomic.Uint64
		res, err := soak.Run(c.Context, soak.Plan{
			Unit: unit, Configs: configs, Bench: bench, Seed: c.Uint64("seed"), Events: c.Uint64("events"), Cycles: c.Uint64("cycles"),
			Optimize: c.Int("optimize"), Lines: lines, Unreachable: u.Unreachable, Record: record, Work: c.String("work"),
			Began:    func(n uint64) { before.Store(n) },
			Progress: func(n uint64) { events.Store(n); show.set(0, n, max(n, c.Uint64("events"))) },
			Failed:   func(rep *cosim.Report) { r.log.Errorf("%s, seed %d: %s", unit, rep.Seed, rep.Failure.Summary()) },
		})
		show.close()
		if errors.Is(err, context.Canceled) && c.Context.Err() != nil {
			return &stopped{fmt.Sprintf("%s: finished chunks are kept in %s, the same command resumes", unit, c.String("work"))}
		}
		if err != nil {
			return err
		}
		res.Command = soakCommandLine(c, u)
		results = append(results, res)
		found = found || !res.OK() || lines && res.Unexecuted() > 0
		if name != "-" {
			fmt.Fprint(r.out, soakText(res, lines, r.verbose))
			if n := events.Load(); n > before.Load() && !lines {
				s := time.Since(start).Seconds()
				r.log.Infof("%s: %d events in %.0f s, %.2f M a second", unit, n-before.Load(), s, float64(n-before.Load())/1e6/s)
			}
		}
	}
	if len(results) == 0 {
		return usagef("none of the units has a bench: nothing to run")
	}
	if name != "" {
		if err := writeJSON(r, name, results); err != nil {
			return err
		}
	}
	if found {
		return errFound
	}
	return nil
}

// copied returns another configuration with the same values.
func copied(u selected) gen.Config {
	cfg := u.New()
	for _, f := range u.Config.Fields() {
		if err := gen.Set(cfg, f.Key+"="+f.Value()); err != nil {
			panic(fmt.Sprintf("%s: a value that was valid is refused: %v", cfg.Unit(), err))
		}
	}
	return cfg
}

// soakCommandLine returns the command that repeats a result.
func soakCommandLine(c *cli.Context, u selected) string {
	return "nicgen " + c.Command.Name + " --unit " + u.Config.Unit() + changed(u.Config, u.Default) +
		fmt.Sprintf(" --seed %d --events %d --configs %d --cycles %d", c.Uint64("seed"), c.Uint64("events"), c.Uint("configs"), c.Uint64("cycles"))
}

// changed returns the flags that turn the default configuration into this one.
func changed(cfg, from gen.Config) (flags string) {
	was := map[string]string{}
	for _, f := range from.Fields() {
		was[f.Key] = f.Value()
	}
	for _, f := range cfg.Fields() {
		if f.Value() != was[f.Key] {
			flags += fmt.Sprintf(" --set %s=%s", f.Key, f.Value())
		}
	}
	return flags
}

// soakText returns a result as text.
func soakText(res *soak.Result, lines, verbose bool) string {
	var b strings.Builder
	verdict := "PASS"
	if !res.OK() || lines && res.Unexecuted() > 0 {
		verdict = "FAIL"
	}
	fmt.Fprintf(&b, "%s %s: %d events, %d cycles, %d chunks in %d configurations, %d mismatches\n",
		verdict, res.Unit, res.Events, res.Cycles, res.Chunks, len(res.Configs), len(res.Failures))
	for _, f := range res.Failures {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	for _, x := range res.Configs {
		if !verbose && len(x.Missed) == 0 && len(x.Unexecuted) == 0 && len(x.Changed) > 0 {
			continue
		}
		fmt.Fprintf(&b, "  %s: %d events, %d of %d points", x.String(), x.Events, x.Reached, x.Points)
		if lines {
			executed, all := x.Executed()
			fmt.Fprintf(&b, ", %d of %d lines and branches", executed, all)
		}
		b.WriteString("\n")
		for _, k := range x.Missed {
			fmt.Fprintf(&b, "    %s  required, missed\n", k)
		}
		for _, k := range x.Unexecuted {
			fmt.Fprintf(&b, "    %s  never executed\n", k)
		}
		for _, k := range slices.Sorted(maps.Keys(x.Unreachable)) {
			fmt.Fprintf(&b, "    %s  unreachable: %s\n", k, x.Unreachable[k])
		}
	}
	return b.String()
}
