// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/check/netlist"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/failure"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence/record"
	"github.com/nicgen/nicgen/synth"
)

// sorted returns the keys of a map in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// long is the number of cycles from which a single run uses two cores. In a shorter run,
// waking the other goroutine costs more than it gains.
const long = 1_000_000

func (r *runner) cosimCommand() *cli.Command {
	p, flags := r.parameterFlags("cosim")
	return &cli.Command{
		Name:  "cosim",
		Usage: "run RTL and golden model side by side and compare every output",
		Description: "Compiles the unit's RTL with Verilator, or takes it from the cache, drives it and the\n" +
			"golden model with the same stimulus, and compares. Exits with 0 only if every compared\n" +
			"output was equal and every coverage point named as required was reached, with 1\n" +
			"otherwise; a failure is shrunk and saved, and `nicgen replay` repeats it.\n\n" +
			"Examples:\n" +
			"   nicgen cosim --unit reps\n" +
			"   nicgen cosim --unit reps --evs-bits 8 --cycles 1000000 --seeds 4\n" +
			"   nicgen cosim --unit reps --trace tb/reps/testdata/symmetric.csv.gz\n" +
			"   nicgen cosim --unit reps --json - --quiet\n" +
			"   nicgen cosim --unit reps --netlist --cycles 200000",
		Flags: append(append(append(flags,
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the first seed `N`"},
			&cli.UintFlag{Name: "seeds", Value: 1, Usage: "run `N` seeds, one per core at a time"},
			&cli.Uint64Flag{Name: "cycles", Usage: "compare `N` cycles", DefaultText: fmt.Sprintf("%d, or all of a trace", cosim.DefaultCycles)},
			&cli.BoolFlag{Name: "coverage", DisableDefaultText: true, Usage: "count which lines of the RTL were executed"},
			&cli.StringFlag{Name: "trace", Usage: "play a recorded trace from a CSV `FILE`, plain or gzip, instead of random stimulus; the page docs/units/UNIT.md describes the columns; for " + orNone(r.traced()), TakesFile: true},
			&cli.StringFlag{Name: "record", Usage: "add the runs and their results, without times, to the JSON in `FILE`", TakesFile: true},
		), designFlags()...), resultFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			o, err := cosimOptions(c)
			if err != nil {
				return err
			}
			if err := checkFile("--record", c.String("record")); err != nil {
				return err
			}
			runs, err := r.plan(c, units, o)
			if err != nil {
				return err
			}
			return r.runAll(c, runs)
		},
	}
}

// resultFlags returns the flags that say where the results of runs go.
func resultFlags() []cli.Flag {
	return []cli.Flag{
		&choiceFlag{StringFlag: &cli.StringFlag{Name: "wave", Usage: "write a waveform of the run: `fst` or vcd"}, choices: []string{"fst", "vcd"}},
		&cli.StringFlag{Name: "out", Value: "nicgen-out", Usage: "the `FOLDER` for waveforms and replay files; it is made when one is written", TakesFile: true},
		jsonFlag("the report", "runs"),
		&cli.StringFlag{Name: "junit", Usage: "write the report as JUnit XML to `FILE`, - for standard output", TakesFile: true},
	}
}

// cosimOptions reads the flags of a run.
func cosimOptions(c *cli.Context) (failure.Options, error) {
	o := failure.Options{RunOptions: cosim.RunOptions{Seed: c.Uint64("seed"), Cycles: c.Uint64("cycles"), Wave: c.String("wave"), Coverage: c.Bool("coverage"), OutDir: c.String("out"),
		Simulator: c.String("simulator")}, ReplayFlags: again(c)}
	if s := cosim.Simulators(); !slices.Contains(s, o.Simulator) {
		return o, usagef("--simulator: found %s%s, allowed: %s", o.Simulator, nearest(o.Simulator, s), strings.Join(s, ", "))
	}
	if o.Simulator != cosim.Verilator && (o.Wave != "" || o.Coverage) {
		return o, usagef("--simulator: found %s with --wave or --coverage, allowed: %s, the only one that has them", o.Simulator, cosim.Verilator)
	}
	if o.Simulator == cosim.CXXRTL && c.Bool("netlist") {
		return o, usagef("--simulator: found %s with --netlist, allowed: %s, %s: a CXXRTL model is built from the RTL", o.Simulator, cosim.Verilator, cosim.Icarus)
	}
	if o.Wave != "" && o.Wave != "fst" && o.Wave != "vcd" {
		return o, usagef("--wave: found %s%s, allowed: fst or vcd", o.Wave, nearest(o.Wave, []string{"fst", "vcd"}))
	}
	if c.IsSet("cycles") && o.Cycles == 0 {
		return o, usagef("--cycles: found 0, allowed: a whole number from 1")
	}
	if c.IsSet("seeds") && c.Uint("seeds") == 0 {
		return o, usagef("--seeds: found 0, allowed: a whole number from 1")
	}
	if c.String("json") == "-" && c.String("junit") == "-" {
		return o, usagef("--json and --junit both go to standard output, want a file for one of them")
	}
	if err := checkFile("--json", c.String("json")); err != nil {
		return o, err
	}
	return o, checkFile("--junit", c.String("junit"))
}

// designFlags returns the flags that choose the design that runs alongside the golden model.
func designFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "netlist", DisableDefaultText: true, Usage: "run the netlist that nicgen synth reports on in place of the RTL"},
		&choiceFlag{StringFlag: &cli.StringFlag{Name: "simulator", Value: cosim.Verilator, Usage: "simulate the design with `NAME`: " + strings.Join(cosim.Simulators(), ", ") + "; the others are slower, and draw no waveforms"}, choices: cosim.Simulators()},
	}
}

// design returns a unit's bench with the design that the flags choose: the RTL or the
// netlist of Yosys.
func (r *runner) design(c *cli.Context, b cosim.Bench, cfg gen.Config) (cosim.Bench, error) {
	if !c.Bool("netlist") {
		return b, nil
	}
	show := r.progress("netlist "+cfg.Unit()+": Yosys is at work", "")
	defer show.close()
	return netlist.New(c.Context, b, synth.Options{Apart: gen.Apart(cfg)})
}

// again returns the flags that nicgen replay needs to repeat a failure.
func again(c *cli.Context) []string {
	var flags []string
	if c.Bool("netlist") {
		flags = append(flags, "--netlist")
	}
	if s := c.String("simulator"); s != cosim.Verilator {
		flags = append(flags, "--simulator", s)
	}
	return flags
}

func (r *runner) replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "repeat a saved failure, or a recording of a library of nicgen export",
		ArgsUsage: "FILE",
		Description: "Runs the recorded stimulus through RTL and golden model again, in the configuration of the\n" +
			"recording. Exits with 1 if it still fails, with 0 if every output is equal now. Outputs that a\n" +
			"library of nicgen export recorded have to be equal too.\n\n" +
			"Examples:\n" +
			"   nicgen replay nicgen-out/reps-seed1.replay\n" +
			"   nicgen replay --wave vcd nicgen-out/reps-seed1.replay",
		Flags: append(designFlags(), resultFlags()...),
		Action: func(c *cli.Context) error {
			name, err := oneArgument(c, "a replay file")
			if err != nil {
				return err
			}
			o, err := cosimOptions(c)
			if err != nil {
				return err
			}
			rec, err := failure.ReadReplay(name)
			if err != nil {
				return err
			}
			if rec.Cut {
				r.log.Warnf("%s has no end mark; the program that recorded it probably crashed: read up to its last complete cycle, %d, without a checksum", name, rec.Cycles-1)
			}
			u, err := r.recorded(name, rec)
			if err != nil {
				return err
			}
			bench := func() (cosim.Bench, error) { return u.Bench(u.Config) }
			run := func(ctx context.Context, b cosim.Bench, o failure.Options) (*cosim.Report, error) {
				return failure.Replay(ctx, rec, b, o.RunOptions)
			}
			return r.runAll(c, []job{{u, bench, run, o}})
		},
	}
}

// recorded returns the unit of a recording, in the recorded configuration.
func (r *runner) recorded(name string, rec *failure.Recording) (selected, error) {
	var names []string
	for _, u := range r.all {
		cfg := u.New()
		names = append(names, cfg.Unit())
		if cfg.Unit() != rec.Unit {
			continue
		}
		if u.Bench == nil {
			return selected{}, usagef("%s: unit %s has no bench", name, rec.Unit)
		}
		var settings []gen.Setting
		for _, k := range sorted(rec.Params) {
			settings = append(settings, gen.Setting{Flag: name, Unit: rec.Unit, Key: k, Value: fmt.Sprint(rec.Params[k])})
		}
		if err := gen.Apply([]gen.Config{cfg}, settings); err != nil {
			return selected{}, err
		}
		return selected{Unit: u, Config: cfg, Default: u.New()}, nil
	}
	return selected{}, usagef("%s: found unit %q%s, allowed: %s", name, rec.Unit, nearest(rec.Unit, names), strings.Join(names, ", "))
}

// job is one run: a unit with one seed.
type job struct {
	unit    selected
	bench   func() (cosim.Bench, error)
	run     func(context.Context, cosim.Bench, failure.Options) (*cosim.Report, error)
	options failure.Options
}

// plan lists the runs that the flags request.
func (r *runner) plan(c *cli.Context, units []selected, o failure.Options) ([]job, error) {
	trace := c.String("trace")
	if trace != "" {
		if len(units) != 1 || units[0].Trace == nil {
			return nil, usagef("--trace: a trace is for one unit, name it with --unit; units with a trace format: %s", orNone(r.traced()))
		}
		if c.Uint("seeds") > 1 {
			return nil, usagef("--seeds: found %d, allowed: 1 with --trace, because a trace is the same for every seed", c.Uint("seeds"))
		}
		u := units[0]
		bench := func() (cosim.Bench, error) {
			f, err := os.Open(trace)
			if err != nil {
				return nil, fmt.Errorf("--trace: %w", err)
			}
			defer f.Close()
			return u.Trace(u.Config, trace, f)
		}
		o.Unit, o.Params = u.Config.Unit(), emit.Values(u.Config)
		return []job{{u, bench, failure.Run, o}}, nil
	}
	var jobs []job
	for _, u := range units {
		if u.Bench == nil {
			r.log.Warnf("%s has no bench: left out", u.Config.Unit())
			continue
		}
		for i := range uint64(c.Uint("seeds")) {
			o := o
			o.Seed += i
			o.Unit, o.Params = u.Config.Unit(), emit.Values(u.Config)
			jobs = append(jobs, job{u, func() (cosim.Bench, error) { return u.Bench(u.Config) }, failure.Run, o})
		}
	}
	if len(jobs) == 0 {
		return nil, usagef("none of the units has a bench: nothing to run")
	}
	if len(jobs) == 1 && o.Cycles >= long && runtime.NumCPU() > 1 {
		jobs[0].options.Concurrent = true
	}
	return jobs, nil
}

// traced returns the names of the units that have a trace format.
func (r *runner) traced() (names []string) {
	for _, u := range r.env.Units {
		if u.Trace != nil {
			names = append(names, u.New().Unit())
		}
	}
	return names
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// runAll runs the jobs, one per core at a time, and prints their reports in order.
func (r *runner) runAll(c *cli.Context, jobs []job) error {
	benches := make([]cosim.Bench, len(jobs))
	for i, j := range jobs {
		b, err := j.bench()
		if err != nil {
			return err
		}
		if benches[i], err = r.design(c, b, j.unit.Config); err != nil {
			return fmt.Errorf("%s: %w", j.unit.Config.Unit(), err)
		}
	}
	what := "cosim " + jobs[0].unit.Config.Unit()
	if last := jobs[len(jobs)-1].unit.Config.Unit(); last != jobs[0].unit.Config.Unit() {
		what = "cosim"
	}
	// An output folder that stayed empty is removed.
	if out := jobs[0].options.OutDir; out != "" {
		if _, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) {
			defer os.Remove(out) // fails if it holds anything
		}
	}
	reports := make([]*cosim.Report, len(jobs))
	err := func() error {
		show := r.progress(what, "cycles")
		defer show.close()
		g, ctx := errgroup.WithContext(c.Context)
		g.SetLimit(runtime.NumCPU())
		for i, j := range jobs {
			o := j.options
			o.Progress = func(done, total uint64) { show.set(i, done, total) }
			g.Go(func() error {
				rep, err := j.run(ctx, benches[i], o)
				if err != nil {
					return fmt.Errorf("%s, seed %d: %w", o.Unit, o.Seed, err)
				}
				reports[i] = rep
				return nil
			})
		}
		return g.Wait()
	}()
	if c.Context.Err() != nil && err != nil {
		// The findings so far are not lost.
		var done []*cosim.Report
		for _, rep := range reports {
			if rep != nil {
				done = append(done, rep)
			}
		}
		r.printReports(c, done, jobs)
		return stoppedAt(len(done), len(jobs), "runs", noFiles)
	}
	if err != nil {
		return err
	}
	r.printReports(c, reports, jobs)
	if name := c.String("record"); name != "" {
		if err := r.record(c, name, jobs, benches, reports); err != nil {
			return err
		}
	}
	return r.finish(c, reports)
}

// record adds the runs to the file of --record.
func (r *runner) record(c *cli.Context, name string, jobs []job, benches []cosim.Bench, reports []*cosim.Report) error {
	var list, runs []record.Run
	switch old, err := os.ReadFile(name); {
	case err == nil:
		if list, err = record.Parse(old); err != nil {
			return fmt.Errorf("--record: %s: %w", name, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--record: %w", err)
	}
	for i, rep := range reports {
		rtl, err := emit.DesignDigest(jobs[i].unit.Config)
		if err != nil {
			return err
		}
		run := record.Run{Design: record.RTL, RTL: rtl, Simulator: jobs[i].options.Simulator, Set: map[string]string{}}
		run.Fill(rep)
		command := []string{"nicgen", "cosim", "--unit", rep.Unit}
		def := emit.Values(jobs[i].unit.Default)
		for _, k := range sorted(rep.Params) {
			if v := fmt.Sprint(rep.Params[k]); fmt.Sprint(def[k]) != v {
				run.Set[k] = v
				command = append(command, "--set", k+"="+v)
			}
		}
		tools, err := cosim.SimulatorTools(c.Context, run.Simulator)
		if err != nil {
			return err
		}
		run.Tools = tools
		if n, ok := benches[i].(*netlist.Bench); ok {
			run.Design, run.Cells = record.Netlist, n.Cells()
			run.Tools = append([]string{n.Netlist.Tool}, run.Tools...)
		}
		command = append(command, jobs[i].options.ReplayFlags...)
		run.Command = strings.Join(append(command, "--cycles", fmt.Sprint(rep.Cycles), "--seed", fmt.Sprint(rep.Seed)), " ")
		runs = append(runs, run)
	}
	text, err := record.Text(record.Merge(list, runs))
	if err != nil {
		return err
	}
	return r.writeFile("--record", name, text)
}

// finish writes the report files and chooses the verdict.
func (r *runner) finish(c *cli.Context, reports []*cosim.Report) error {
	if name := c.String("json"); name != "" {
		if err := writeJSON(r, name, reports); err != nil {
			return err
		}
	}
	if name := c.String("junit"); name != "" {
		var b bytes.Buffer
		if err := cosim.WriteJUnit(&b, reports); err != nil {
			return err
		}
		if err := r.writeFile("--junit", name, b.Bytes()); err != nil {
			return err
		}
	}
	for _, rep := range reports {
		if !rep.OK() {
			return errFound
		}
	}
	return nil
}

// printReports prints the reports for people, unless standard output belongs
// to a file format.
func (r *runner) printReports(c *cli.Context, reports []*cosim.Report, jobs []job) {
	defaults := map[string]map[string]any{}
	for _, j := range jobs {
		defaults[j.unit.Config.Unit()] = emit.Values(j.unit.Default)
	}
	var b strings.Builder
	for _, rep := range reports {
		b.WriteString(reportText(rep, defaults[rep.Unit], r.verbose))
	}
	if c.String("json") == "-" || c.String("junit") == "-" {
		return
	}
	_, _ = r.out.Write([]byte(b.String()))
}

// coverageText lists the coverage points that were reached, either one by one or as a count
// for each group. A point's group is its name up to the first slash.
func coverageText(r *cosim.Report, verbose bool) string {
	if len(r.Coverage) == 0 {
		return ""
	}
	var b strings.Builder
	hit := 0
	reached, all := map[string]int{}, map[string]int{}
	for k, n := range r.Coverage {
		group, _, _ := strings.Cut(k, "/")
		all[group]++
		if n > 0 {
			hit++
			reached[group]++
		}
	}
	fmt.Fprintf(&b, "  coverage: %d of %d points reached", hit, len(r.Coverage))
	if verbose {
		b.WriteString("\n")
		for _, k := range sorted(r.Coverage) {
			note := ""
			if r.Outcome == cosim.Missed && slices.Contains(r.Missed, k) {
				note = "  required, missed"
			}
			fmt.Fprintf(&b, "    %12d  %s%s\n", r.Coverage[k], k, note)
		}
		return b.String()
	}
	if r.Outcome != cosim.Pass && r.Outcome != cosim.Missed {
		return b.String() + "\n" // the run ended early: points that it missed mean nothing
	}
	const width = 96
	column := width
	for _, g := range sorted(all) {
		word := fmt.Sprintf("%s %d/%d", g, reached[g], all[g])
		if column+2+len(word) > width {
			b.WriteString("\n    " + word)
			column = 4 + len(word)
			continue
		}
		b.WriteString(", " + word)
		column += 2 + len(word)
	}
	b.WriteString("\n")
	if r.Outcome != cosim.Missed {
		return b.String()
	}
	for _, k := range r.Missed {
		fmt.Fprintf(&b, "    %s  required, missed\n", k)
	}
	return b.String()
}

// reportText returns a report as text. It shows only the parameters that differ from def.
func reportText(r *cosim.Report, def map[string]any, verbose bool) string {
	var b strings.Builder
	verdict := map[string]string{
		cosim.Pass: "PASS", cosim.Mismatch: "FAIL", cosim.Verdict: "FAIL", cosim.Missed: "FAIL", cosim.Fault: "ERROR",
	}[r.Outcome]
	fmt.Fprintf(&b, "%s %s seed %d: %d cycles, %d events, %d mismatches, %.3f s, %.1f M cycles/s\n",
		verdict, r.Unit, r.Seed, r.Cycles, r.Events, r.Mismatches, r.Seconds, r.CyclesPerSecond/1e6)
	var changed []string
	for _, k := range sorted(r.Params) {
		if v := fmt.Sprint(r.Params[k]); def == nil || fmt.Sprint(def[k]) != v {
			changed = append(changed, k+"="+v)
		}
	}
	if len(changed) > 0 {
		fmt.Fprintf(&b, "  parameters: %s; the others have their defaults\n", strings.Join(changed, " "))
	}
	b.WriteString(coverageText(r, verbose))
	if l := r.Lines; l != nil {
		fmt.Fprintf(&b, "  RTL lines and branches: %d of %d executed\n", l.Hit, l.Points)
		for _, u := range l.Unreached {
			fmt.Fprintf(&b, "    never: %s\n", u)
		}
	}
	if r.Wave != "" {
		fmt.Fprintf(&b, "  waveform: %s\n", r.Wave)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	if t := failureText(r); t != "" {
		b.WriteString("  " + strings.ReplaceAll(strings.TrimRight(t, "\n"), "\n", "\n  ") + "\n")
	}
	return b.String()
}
