// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/sweep"
)

// Engines of a sweep.
const (
	engineLocal      = "local"
	engineSlurm      = "slurm"
	engineKubernetes = "kubernetes"
)

var engines = []string{engineLocal, engineSlurm, engineKubernetes}

// sweepName is the command's name. A separate command line may follow its flags.
const sweepName = "sweep"

func (r *runner) sweepCommand() *cli.Command {
	return &cli.Command{
		Name:      sweepName,
		Usage:     "run a command over a grid of parameters and seeds",
		ArgsUsage: "PLAN | -- COMMAND [ARGUMENT]…",
		Description: "PLAN is a YAML file: docs/sweep.md describes it. Runs sim, reproduce, soak or mutate\n" +
			"once for each point of its grid. Without PLAN, the flags give the grid, and the command\n" +
			"follows them. The folder of --out gets a file for each result, named\n" +
			"after the run's arguments, and summary.csv. Existing results are not run again: the same\n" +
			"command resumes where it stopped, and a larger grid runs only the new points. The files\n" +
			"do not depend on the engine.\n\n" +
			"   local       the cores of this machine\n" +
			"   slurm       an array job of the installed Slurm; waits until it has ended\n" +
			"   kubernetes  writes the manifest of an Indexed Job, for kubectl; when it is\n" +
			"               done, --gather makes the summary\n\n" +
			"Ctrl-C keeps finished results; a Slurm job continues. Exits with 1 if a run\n" +
			"failed or has no result.\n\n" +
			"Examples:\n" +
			"   nicgen sweep plan.yaml --out build/sweep\n" +
			"   nicgen sweep --seeds 1-8 --grid buffer_depth=8,16 -- soak --unit reps\n" +
			"   nicgen sweep plan.yaml --out build/sweep --dry-run\n" +
			"   nicgen sweep plan.yaml --out shared/sweep --engine slurm",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "build/sweep", Usage: "the `FOLDER` for results, plan and summary", TakesFile: true},
			&cli.StringFlag{Name: "seeds", Usage: "without PLAN: the seeds, a range `FROM-TO`, a list N,N or one seed N"},
			&cli.StringSliceFlag{Name: "grid", Usage: "without PLAN: values of a parameter, `KEY=VALUE,VALUE`; may be repeated"},
			&cli.StringSliceFlag{Name: "flag", Usage: "without PLAN: values of a flag of the command, `FLAG=VALUE,VALUE`; may be repeated"},
			&cli.StringSliceFlag{Name: "number", Usage: "without PLAN: a column of the summary, `NAME=PATH` in the JSON of a result; may be repeated"},
			&cli.BoolFlag{Name: "keep", DisableDefaultText: true, Usage: "keep results that another build of nicgen made"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "engine", Value: engineLocal, Usage: "run the tasks on `NAME`: local, slurm or kubernetes"}, choices: engines},
			&cli.IntFlag{Name: "jobs", Usage: "concurrent runs, `N`; 0: one per core with local (a single one for soak and mutate, which use all cores), no limit with slurm, 16 with kubernetes"},
			&cli.StringFlag{Name: "share", Usage: "run only the tasks of a share, `PART/OF`, without a summary; used by jobs of the other engines"},
			&cli.BoolFlag{Name: "gather", DisableDefaultText: true, Usage: "run nothing; make the summary of the existing results"},
			&cli.BoolFlag{Name: "dry-run", DisableDefaultText: true, Usage: "print the commands, the script or the manifest; write nothing"},
			&cli.StringFlag{Name: "image", Usage: "kubernetes: container `IMAGE` with nicgen"},
			&cli.StringFlag{Name: "claim", Usage: "kubernetes: the PersistentVolumeClaim `NAME` of the volume that is --out"},
		},
		Action: r.sweep,
	}
}

func (r *runner) sweep(c *cli.Context) error {
	text, name, err := planOf(c)
	if err != nil {
		return err
	}
	plan, err := sweep.Parse(name, text)
	if err != nil {
		return usagef("%v", err)
	}
	if err := r.sweepFlags(c, name, plan); err != nil {
		return err
	}
	share := sweep.Share{Of: 1}
	if c.IsSet("share") {
		if share, err = sweep.ParseShare(c.String("share")); err != nil {
			return usagef("--share: %v", err)
		}
	}
	dir, err := filepath.Abs(c.String("out"))
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	s := &sweep.Store{Dir: dir}
	tasks := plan.Tasks()
	limit := sweep.MaxShares
	if c.String("engine") == engineSlurm {
		limit = sweep.SlurmLimit(c.Context)
	}
	shares := sweep.Shares(len(tasks), limit)
	cluster := sweep.Cluster{Image: c.String("image"), Claim: c.String("claim"), Keep: c.Bool("keep")}
	jobs := c.Int("jobs")
	script := s.SlurmScript(program, shares, jobs)
	if jobs == 0 {
		jobs = 16
		if c.String("engine") == engineLocal {
			jobs = plan.Jobs(runtime.NumCPU())
		}
	}
	manifest, err := cluster.Manifest(shares, jobs)
	if err != nil {
		return err
	}
	if c.Bool("dry-run") {
		switch c.String("engine") {
		case engineSlurm:
			fmt.Fprint(r.out, script)
		case engineKubernetes:
			r.out.Write(manifest) // out keeps its error
		default:
			for _, t := range share.Tasks(tasks) {
				fmt.Fprintf(r.out, "nicgen %s\n", sweep.Shell(t.Args))
			}
		}
		return nil
	}
	build := "" // --gather and a manifest make no results
	if !c.Bool("gather") && c.String("engine") != engineKubernetes {
		if build, err = sweep.Build(); err != nil {
			return err
		}
	}
	if c.String("engine") == engineSlurm && !c.Bool("gather") {
		if err := sweep.FindSlurm(); err != nil {
			return err
		}
	}
	if s, err = sweep.Open(dir, text, build, c.Bool("keep")); err != nil {
		return err
	}
	if err := s.Check(plan, tasks); err != nil {
		return err
	}
	if c.IsSet("share") {
		return r.sweepHere(c, s, program, plan, share.Tasks(tasks), jobs)
	}
	missing, err := s.Missing(tasks)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("gather") || len(missing) == 0:
	case c.String("engine") == engineKubernetes:
		name, err := s.WriteManifest(manifest)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.out, "%d of %d tasks to run. The volume of claim %s is to have %s at its root. Then:\n  %s\nand when the job has ended:\n  %s\n",
			len(missing), len(tasks), cluster.Claim, filepath.Base(s.Plan()),
			sweep.Shell([]string{"kubectl", "create", "-f", name}), sweep.Shell([]string{"nicgen", "sweep", s.Plan(), "--out", c.String("out"), "--gather"}))
		return nil
	case c.String("engine") == engineSlurm:
		job := ""
		err := s.Slurm(c.Context, script, func(number string) {
			job = number
			r.log.Infof("sweep: Slurm has it as job %s; scancel %s stops it", job, job)
		})
		if errors.Is(err, context.Canceled) && job != "" {
			err = &stopped{fmt.Sprintf("Slurm goes on with job %s; scancel %s stops it", job, job)}
		}
		if err != nil {
			return err
		}
	default:
		err = r.sweepHere(c, s, program, plan, missing, jobs)
	}
	if end := r.sweepEnd(s, plan, tasks); err == nil {
		err = end
	}
	return err
}

// planOf returns the plan, from a file or from flags, and its name for errors.
func planOf(c *cli.Context) (text []byte, name string, err error) {
	inline := false
	for _, flag := range []string{"seeds", "grid", "flag", "number"} {
		inline = inline || c.IsSet(flag)
	}
	switch {
	case inline && c.NArg() == 0:
		return nil, "", usagef("sweep: found no command, want one behind the flags, as in -- soak --unit reps")
	case inline:
		text, err = sweep.Write(c.Args().Slice(), c.String("seeds"), c.StringSlice("flag"), c.StringSlice("grid"), c.StringSlice("number"))
		if err != nil {
			return nil, "", usagef("sweep: %v", err)
		}
		return text, "sweep", nil
	case c.NArg() != 1:
		return nil, "", usagef("sweep: found %d arguments, want the file with the plan, or --seeds, --grid or --flag and a command", c.NArg())
	}
	name = c.Args().First()
	text, err = os.ReadFile(name)
	return text, name, err
}

// sweepHere runs tasks on this machine.
func (r *runner) sweepHere(c *cli.Context, s *sweep.Store, program string, plan *sweep.Plan, tasks []sweep.Task, jobs int) error {
	tasks, err := s.Missing(tasks)
	if err != nil {
		return err
	}
	p := r.progress("sweep", "tasks")
	defer p.close()
	p.set(0, 0, uint64(len(tasks)))
	n := uint64(0)
	err = s.Local(c.Context, program, plan, tasks, jobs, func() {
		n++
		p.set(0, n, uint64(len(tasks)))
	})
	if errors.Is(err, context.Canceled) {
		left, err := s.Missing(tasks)
		if err != nil {
			return err
		}
		return stoppedAt(len(tasks)-len(left), len(tasks), "tasks", "finished ones are kept in "+c.String("out")+", the same command continues")
	}
	if err == nil {
		return nil
	}
	r.log.Error(err)
	return errFound
}

// sweepEnd makes the summary, and lists missing results.
func (r *runner) sweepEnd(s *sweep.Store, plan *sweep.Plan, tasks []sweep.Task) error {
	if err := s.Summarise(plan, tasks); err != nil {
		return err
	}
	missing, err := s.Missing(tasks)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%d of %d tasks have a result; summary: %s\n", len(tasks)-len(missing), len(tasks), s.Summary())
	if len(missing) == 0 {
		return nil
	}
	for _, t := range missing[:min(3, len(missing))] {
		fmt.Fprintf(r.out, "missing: nicgen %s\n", sweep.Shell(t.Args))
	}
	if _, err := os.Stat(s.Log()); err == nil {
		fmt.Fprintf(r.out, "The output of the job's elements is in %s\n", s.Log())
	}
	fmt.Fprintln(r.out, "The same command runs only what is missing.")
	return errFound
}

// sweepFlags checks the flags of the command and those that the plan varies.
func (r *runner) sweepFlags(c *cli.Context, name string, plan *sweep.Plan) error {
	engine := c.String("engine")
	if !slices.Contains(engines, engine) {
		return usagef("--engine: found %q, allowed: %s", engine, strings.Join(engines, ", "))
	}
	if n := c.Int("jobs"); n < 0 {
		return usagef("--jobs: found %d, want 1 or more, or 0 for as many as are useful", n)
	}
	if c.Bool("gather") && c.IsSet("share") {
		return usagef("--share: found it with --gather, which runs nothing: want one of them")
	}
	if engine != engineLocal && c.IsSet("share") {
		return usagef("--share: found it with --engine %s, want it with local", engine)
	}
	for _, flag := range []string{"image", "claim"} {
		switch set := c.String(flag) != ""; {
		case engine == engineKubernetes && !set && !c.Bool("gather"):
			return usagef("--%s: missing, --engine kubernetes needs it", flag)
		case engine != engineKubernetes && set:
			return usagef("--%s: found it with --engine %s, want it with kubernetes", flag, engine)
		}
	}
	if engine == engineKubernetes && !c.Bool("gather") {
		if err := (sweep.Cluster{Image: c.String("image"), Claim: c.String("claim")}).Check(); err != nil {
			return usagef("%v", err)
		}
	}
	command := c.App.Command(plan.Command[0])
	for _, a := range plan.Axes {
		var names []string
		for _, f := range command.Flags {
			names = append(names, f.Names()...)
		}
		if !slices.Contains(names, a.Flag) {
			return usagef("%s: %s has no flag --%s%s", name, command.Name, a.Flag, nearest(a.Flag, names))
		}
	}
	return nil
}
