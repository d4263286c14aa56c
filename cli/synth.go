// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
	"github.com/nicgen/nicgen/verilator"
)

// synthFiles is a configuration's emitted SystemVerilog for package synth.
func synthFiles(u selected) ([]synth.File, error) {
	files, err := emit.Sources(emit.Unit{Config: u.Config, Default: u.Default})
	if err != nil {
		return nil, err
	}
	var out []synth.File
	for _, f := range files {
		out = append(out, synth.File(f))
	}
	return out, nil
}

// apart returns the modules of a unit that are mapped separately: the units that it is composed of, unless it is mapped as
// a whole.
func apart(cfg gen.Config, whole bool) []string {
	if whole {
		return nil
	}
	return gen.Apart(cfg)
}

func (r *runner) synthCommand() *cli.Command {
	p, flags := r.parameterFlags("synth")
	var flows []string
	for _, f := range synth.Flows() {
		flows = append(flows, string(f))
	}
	return &cli.Command{
		Name:  "synth",
		Usage: "synthesise for UltraScale+ with Yosys and report resources of the Alveo U280 or another part",
		Description: "Counts LUT, LUTRAM, flip-flops, carry, DSP and memories, finds the longest paths in levels\n" +
			"of logic, and estimates the delays of paths in three columns: optimistic, typical and\n" +
			"pessimistic. Cell delays are published figures of the device, wires are modelled from\n" +
			"their loads; nothing is placed or routed (docs/timing.md). The figures are Yosys' and\n" +
			"nicgen's estimates, not Vivado's. Exits with 1 if Yosys reports a problem with the design;\n" +
			"an estimated path longer than the clock period is not a problem.\n\n" +
			"Examples:\n" +
			"   nicgen synth --unit reps\n" +
			"   nicgen synth --unit laps_loss --clock 250MHz --grade 2LV\n" +
			"   nicgen synth --unit plb --part U45N\n" +
			"   nicgen synth --unit nic_transport --path none --window none --whole\n" +
			"   nicgen synth --unit reps --connections 4096 --json reps.json\n" +
			"   nicgen synth --unit plb --target ecp5 --route",
		Flags: append(flags,
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "flow", Value: flows[0], Usage: "mapping flow: `FLOW` is " + strings.Join(flows, ", ")}, choices: flows},
			&cli.BoolFlag{Name: "uram", DisableDefaultText: true, Usage: "map large memories to UltraRAM"},
			&cli.BoolFlag{Name: "no-composites", DisableDefaultText: true, Usage: "leave out units composed of other units, such as laps: Yosys takes as long for one as for all of its parts"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "target", Value: targets[0], Usage: "device family: `TARGET` is xcup, UltraScale+, or ecp5, which --route needs"}, choices: targets},
			&cli.BoolFlag{Name: "route", DisableDefaultText: true, Usage: "place and route with nextpnr, and compare the longest path with the estimated one; --target ecp5 only"},
			&cli.BoolFlag{Name: "whole", DisableDefaultText: true, Usage: "map a unit composed of other units as one design, which removes unused logic of its parts"},
			partFlag("compare with the resources of a device, and estimate delays of its speed grade"),
			&cli.StringFlag{Name: "clock", Usage: "give slack against `CLOCK`, a period such as 3.2ns or a frequency such as 250MHz, instead of 3.103ns and 4ns"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "grade", DefaultText: "that of the part", Value: timing.Grades()[0].Name, Usage: "estimate delays of speed `GRADE`: " + gradeList()}, choices: gradeNames()},
			jsonFlag("the report", "units"),
			recordFlag("counts, memories and the longest paths, without their cells"),
		),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			known := false
			for _, f := range flows {
				known = known || f == c.String("flow")
			}
			if !known {
				return usagef("--flow: found %s%s, allowed: %s", c.String("flow"), nearest(c.String("flow"), flows), strings.Join(flows, ", "))
			}
			estimate := timing.Options{Grade: c.String("grade")}
			if clock := c.String("clock"); c.IsSet("clock") {
				period, err := timing.ParseClock(clock)
				if err != nil {
					return usagef("--clock: %v", err)
				}
				estimate.Periods = []float64{period}
			}
			chip, err := part(c)
			if err != nil {
				return err
			}
			if err := estimateFor(c, chip, &estimate); err != nil {
				return err
			}
			if err := checkMemories(chip, units); err != nil {
				return err
			}
			if err := estimate.Check(); err != nil {
				return usagef("--grade: %v", err)
			}
			route, err := target(c)
			if err != nil {
				return err
			}
			name := c.String("json")
			if err := checkFile("--json", name); err != nil {
				return err
			}
			if err := checkRecord(c, len(units)); err != nil {
				return err
			}
			if c.Bool("no-composites") {
				units = slices.DeleteFunc(units, func(u selected) bool {
					composite := len(gen.Apart(u.Config)) > 0
					if composite && name != "-" {
						fmt.Fprintf(r.out, "%s: left out, as it is composed of other units; run it alone with: nicgen synth --unit %[1]s\n\n", u.Config.Unit())
					}
					return composite
				})
				if len(units) == 0 {
					return usagef("--no-composites: every named unit is composed of other units: omit the option")
				}
			}
			run := func(ctx context.Context, q synth.Request) (synthReport, error) { return synth.Run(ctx, q) }
			tools := "running Yosys"
			if route {
				run = func(ctx context.Context, q synth.Request) (synthReport, error) { return synth.Route(ctx, q) }
				tools = "running Yosys and nextpnr"
			}
			ctx, stop := context.WithCancel(c.Context)
			results := inParallel(len(units), func(i int) (synthReport, error) {
				u := units[i]
				files, err := synthFiles(u)
				if err != nil {
					return nil, err
				}
				o := synth.Options{Flow: synth.Flow(c.String("flow")), URAM: c.Bool("uram"), Timing: estimate, Device: chip.Resources, Apart: apart(u.Config, c.Bool("whole"))}
				return run(ctx, synth.Request{Top: u.Config.Top(), Files: files, Published: u.Published, Options: o})
			})
			defer results.Wait()
			defer stop()
			var reports []synthReport
			found := false
			for i, u := range units {
				unit := u.Config.Unit()
				show := r.progress("synth "+unit+": "+tools, "")
				rep, err := results.of(i)
				show.close()
				var rejected *synth.Rejected
				var loop *synth.LoopError
				if errors.As(err, &rejected) || errors.As(err, &loop) {
					r.log.Errorf("%s: %v", unit, err)
					found = true
					continue
				}
				if c.Context.Err() != nil {
					return stoppedAt(i, len(units), "units", noFiles)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", unit, err)
				}
				found = found || rep.Wrong()
				reports = append(reports, rep)
				if name != "-" {
					fmt.Fprint(r.out, rep.Text())
				}
			}
			if name != "" && len(reports) > 0 {
				if err := writeJSON(r, name, reports); err != nil {
					return err
				}
			}
			if file := c.String("record"); file != "" && len(reports) > 0 {
				var rec any = reports[0]
				if rep, ok := rec.(*synth.Report); ok {
					rec = evidence.Synthesis(rep)
				}
				if err := r.writeRecord(file, rec); err != nil {
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

// synthReport is a report of synthesis for one target.
type synthReport interface {
	Text() string
	Wrong() bool // reports whether the design has findings
}

// targets are the families of devices.
var targets = []string{"xcup", "ecp5"}

// target reports whether the design is placed and routed.
func target(c *cli.Context) (route bool, err error) {
	name, route := c.String("target"), c.Bool("route")
	switch {
	case !slices.Contains(targets, name):
		return false, usagef("--target: found %s%s, allowed: %s", name, nearest(name, targets), strings.Join(targets, ", "))
	case name == "xcup" && route:
		return false, usagef("--route without --target ecp5: nextpnr has no delays of UltraScale+")
	case name == "ecp5" && !route:
		return false, usagef("--target ecp5 without --route: figures of ECP5 are those of placing and routing: add --route")
	}
	for _, other := range []string{"flow", "uram", "clock", "grade", "part"} {
		if route && c.IsSet(other) {
			return false, usagef("--%s with --target ecp5: this is a choice for UltraScale+: leave one of them out", other)
		}
	}
	return route, nil
}

// gradeList names the speed grades for the help.
func gradeList() string {
	var list []string
	for _, g := range timing.Grades() {
		list = append(list, g.Name+" is "+g.Title)
	}
	return strings.Join(list, ", ")
}

// gradeNames returns the names of the speed grades.
func gradeNames() (list []string) {
	for _, g := range timing.Grades() {
		list = append(list, g.Name)
	}
	return list
}

// ahead runs tools, one per core at a time, and returns their results in order.
type ahead[T any] struct {
	sync.WaitGroup
	done    []chan struct{}
	results []T
	errs    []error
}

// inParallel begins n runs, the first one first.
func inParallel[T any](n int, run func(i int) (T, error)) *ahead[T] {
	a := &ahead[T]{results: make([]T, n), errs: make([]error, n)}
	for range n {
		a.done = append(a.done, make(chan struct{}))
	}
	var next atomic.Int64
	for range min(runtime.NumCPU(), n) {
		a.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				a.results[i], a.errs[i] = run(i)
				close(a.done[i])
			}
		})
	}
	return a
}

// of waits for the result of a run, by its place.
func (a *ahead[T]) of(i int) (T, error) {
	<-a.done[i]
	return a.results[i], a.errs[i]
}

// wrapped returns the design of a wrapper around the unit, which is wrap.Unit, in the wrapper's own configuration.
func wrapped(u selected, kind string) (synth.LintRequest, error) {
	cfg := u.New()
	settings, err := wrap.Settings(kind)
	if err == nil {
		err = gen.SetAll(cfg, settings)
	}
	if err != nil {
		return synth.LintRequest{}, err
	}
	unit, err := emit.Sources(emit.Unit{Config: cfg, Default: u.Default})
	if err != nil {
		return synth.LintRequest{}, err
	}
	w, err := wrap.Make(kind, gen.Emission{Config: cfg, Sources: []string{unit[len(unit)-1].Name}})
	if err != nil {
		return synth.LintRequest{}, err
	}
	d := synth.LintRequest{Top: w.Top, Params: w.Lint}
	seen := map[string]bool{}
	for _, f := range slices.Concat(w.Parts, unit, w.Sources) {
		if !seen[f.Name] { // parts of both
			seen[f.Name] = true
			d.Files = append(d.Files, synth.File(f))
		}
	}
	return d, nil
}

func (r *runner) lintCommand() *cli.Command {
	p, flags := r.parameterFlags("lint")
	return &cli.Command{
		Name:  "lint",
		Usage: "check the emitted files with nicgen's parser, Verilator, Yosys and slang",
		Description: "Without --unit, checks every unit, the block " + wrap.Unit + " and each wrapper around it.\n\n" +
			"Runs nicgen's own SystemVerilog parser, Verilator with every warning on and none waived,\n" +
			"Yosys (hierarchy -check; proc; check -assert) and slang over what emit would write.\n" +
			"slang reads the files as one compilation unit and one by one. Where it is not\n" +
			"installed, lint says so and goes on without it. Exits with 1 if a tool finds something.\n\n" +
			"Examples:\n" +
			"   nicgen lint\n" +
			"   nicgen lint --unit reps --evs-bits 1 --buffer-depth 2\n" +
			"   nicgen lint --require slang",
		Flags: append(flags, jsonFlag("the findings of each unit", ""),
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "require", Usage: "exit with 3 if `TOOL` is missing; only slang may be"}, choices: []string{tool.Slang.Name}}),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if err := checkJSON(c); err != nil {
				return err
			}
			if t := c.String("require"); t != "" && t != tool.Slang.Name {
				return usagef("--require: found %s, allowed: %s; the other tools are always required", t, tool.Slang.Name)
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			var names []string
			var designs []synth.LintRequest
			for _, u := range units {
				files, err := synthFiles(u)
				if err != nil {
					return err
				}
				names = append(names, u.Config.Unit())
				designs = append(designs, synth.LintRequest{Top: u.Config.Top(), Files: files})
				if u.Config.Unit() != wrap.Unit || c.IsSet("unit") {
					continue
				}
				for _, kind := range wrap.Kinds() {
					d, err := wrapped(u, kind)
					if err != nil {
						return err
					}
					names = append(names, wrap.Unit+" --wrap "+kind)
					designs = append(designs, d)
				}
			}
			if v, number, err := verilator.Version(c.Context); err == nil && !verilator.IsTested(number) {
				r.log.Warnf("%s", verilator.Untested(v, number))
			}
			slang, broken := r.slang(c, designs)
			ctx, stop := context.WithCancel(c.Context)
			results := inParallel(len(designs), func(i int) ([]synth.Finding, error) {
				more, err := synth.Lint(ctx, designs[i])
				return append(parserFindings(designs[i].Files), more...), err
			})
			defer results.Wait()
			defer stop()
			findings := map[string][]synth.Finding{}
			n := 0
			for i, unit := range names {
				show := r.progress("lint "+unit, "")
				more, err := results.of(i)
				show.close()
				if c.Context.Err() != nil {
					return stoppedAt(i, len(units), "units", noFiles)
				}
				broken = errors.Join(broken, err)
				findings[unit] = append([]synth.Finding{}, slices.Concat(more, slang[i])...)
				n += len(findings[unit])
				if c.String("json") == "-" {
					continue
				}
				for _, f := range findings[unit] {
					fmt.Fprintf(r.out, "%s: %s\n", unit, f)
				}
				if err == nil && len(findings[unit]) == 0 {
					fmt.Fprintf(r.out, "%s: no findings in %s\n", unit, plural(len(designs[i].Files), "file"))
				}
			}
			if _, err := r.asJSON(c, findings); err != nil {
				return err
			}
			if broken != nil {
				return broken
			}
			if n > 0 {
				return errFound
			}
			return nil
		},
	}
}

// slang returns slang's findings for each design. A missing slang is an error only if it is
// required.
func (r *runner) slang(c *cli.Context, designs []synth.LintRequest) ([][]synth.Finding, error) {
	found, err := synth.Slang(c.Context, designs)
	if err == nil {
		return found, nil
	}
	var missing *tool.Missing
	if errors.As(err, &missing) && c.String("require") == "" {
		r.log.Warnf("%v; lint goes on without it", err)
		err = nil
	}
	return make([][]synth.Finding, len(designs)), err
}

// parserFindings returns the findings of nicgen's own parser: syntax errors, and constructs
// outside the subset that Verilator and Yosys agree on.
func parserFindings(files []synth.File) []synth.Finding {
	var out []synth.Finding
	add := func(rule string, pos svparse.Pos, text string) {
		out = append(out, synth.Finding{Tool: "nicgen", Rule: rule, File: pos.File, Line: pos.Line, Column: pos.Col, Text: text})
	}
	for _, f := range files {
		tree, err := svparse.Parse(f.Name, f.Text)
		var bad *svparse.SyntaxError
		if errors.As(err, &bad) {
			for _, p := range bad.Problems {
				add("syntax", p.Pos, p.Msg)
			}
			continue
		}
		if err != nil {
			add("error", svparse.Pos{File: f.Name}, err.Error())
			continue
		}
		for _, x := range svparse.Check(tree) {
			add(x.Rule, x.Pos, x.Msg)
		}
	}
	return out
}

func (r *runner) inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "show modules, parameters, ports and widths of SystemVerilog files",
		ArgsUsage: "FILE.sv…",
		Description: "Several files are read together, so that they can use each other's packages. Widths are\n" +
			"computed with the default parameters; ? marks one that cannot be evaluated, with the reason\n" +
			"below it.\n\n" +
			"Examples:\n" +
			"   nicgen inspect rtl/reps/nic_reps.sv\n" +
			"   nicgen inspect my_pkg.sv my_unit.sv --json -",
		Flags: []cli.Flag{jsonFlag("what the files hold", "")},
		Action: func(c *cli.Context) error {
			if err := checkJSON(c); err != nil {
				return err
			}
			if c.NArg() == 0 {
				return usagef("inspect: no arguments, want at least one file; `nicgen inspect --help` describes the command")
			}
			var files []*svparse.File
			var bad []error
			for _, name := range c.Args().Slice() {
				text, err := os.ReadFile(name)
				if err != nil {
					return fmt.Errorf("inspect: %w", err)
				}
				f, err := svparse.Parse(name, string(text))
				if err != nil {
					bad = append(bad, err)
					continue
				}
				files = append(files, f)
			}
			if len(bad) > 0 {
				// A syntax error is a finding about the file.
				r.log.Error(errors.Join(bad...))
				return errFound
			}
			svparse.Elaborate(files...).Annotate()
			if people, err := r.asJSON(c, files); err != nil || !people {
				return err
			}
			for _, f := range files {
				if err := svparse.WriteText(r.out, f); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
