// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

func (r *runner) nicFuzzCommand() *cli.Command {
	p, flags := r.blockFlags()
	return &cli.Command{
		Name:  "nic fuzz",
		Usage: "send crafted frames among good ones through the RTL of the block nic_transport",
		Description: "Sends frames through the RTL of nic_transport from both sides: conversations of RoCEv2, other\n" +
			"traffic, and frames that are cut, lengthened, mutated, random, or marked as bad. All streams stall\n" +
			"at random, and connections and their profiles change. Its golden model runs alongside, and each\n" +
			"cycle is compared. In addition, nothing may hang, and after each conversation all frames are\n" +
			"accounted for: each has left, ended in the block, or was dropped and counted.\n\n" +
			"Every other chunk uses the configuration of the flags; the rest take turns. Chunks run on all\n" +
			"cores and are kept in --work: the same command resumes where it stopped. Exits with 1 if a\n" +
			"chunk found something, or if a required kind of frame never occurred.\n\n" +
			"Examples:\n" +
			"   nicgen nic fuzz --frames 10000000 --json fuzz.json\n" +
			"   nicgen nic fuzz --frames 50000 --configs 0 --seed 7 --path plb",
		Flags: append([]cli.Flag{
			&cli.Uint64Flag{Name: "frames", Value: 10_000_000, Usage: "compare at least `NUMBER` frames, and run every configuration once"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the first chunk, a `NUMBER`; each further chunk uses the next one"},
			&cli.IntFlag{Name: "configs", Value: len(nictransport.Configurations), Usage: fmt.Sprintf("`NUMBER` of other configurations, 0 to %d", len(nictransport.Configurations))},
			&cli.Uint64Flag{Name: "cycles", Value: 400_000, Usage: "`NUMBER` of cycles per chunk; a quarter of that in the other configurations"},
			&cli.IntFlag{Name: "optimize", Value: 1, Usage: "the C++ compiler's -O for the models, a `NUMBER` from 1 to 3: 3 takes minutes to compile, for long runs"},
			&cli.StringFlag{Name: "work", Value: "build/fuzz", Usage: "the `FOLDER` for chunks and replay files", TakesFile: true},
			jsonFlag("the result", ""),
			&cli.StringFlag{Name: "record", Usage: "an earlier result of the same run, `FILE`: run only the configurations whose RTL has changed since; if it has fewer frames than --frames, continue where it ends", TakesFile: true},
		}, flags...),
		Action: func(c *cli.Context) error { return r.nicFuzz(c, p) },
	}
}

func (r *runner) nicFuzz(c *cli.Context, flags *parameters) error {
	if err := noArguments(c); err != nil {
		return err
	}
	p, err := flags.block(c)
	if err != nil {
		return err
	}
	frames, cycles, others := c.Uint64("frames"), c.Uint64("cycles"), c.Int("configs")
	switch n := c.Int("optimize"); {
	case frames == 0:
		return usagef("nic fuzz: --frames: found 0, allowed: a whole number from 1")
	case cycles < 1000:
		return usagef("nic fuzz: --cycles: found %d, allowed: a whole number from 1000: the block clears its tables first", cycles)
	case others < 0 || others > len(nictransport.Configurations):
		return usagef("nic fuzz: --configs: found %d, allowed: 0 to %d", others, len(nictransport.Configurations))
	case n < 1 || n > 3:
		return usagef("nic fuzz: --optimize: found %d, allowed: 1 to 3", n)
	}
	name := c.String("json")
	if err := checkFile("--json", name); err != nil {
		return err
	}
	var record *soak.Result
	if file := c.String("record"); file != "" {
		if record, err = soak.ReadResult(file); err != nil {
			return err
		}
	}
	configs := []gen.Config{p}
	digest, err := emit.Digest(p)
	if err != nil {
		return err
	}
	seen := []string{digest}
	for _, words := range nictransport.Configurations[:others] {
		x := params.Default()
		if err := gen.Configure(x, words); err != nil {
			return err
		}
		if digest, err = emit.Digest(x); err != nil {
			return err
		}
		if !slices.Contains(seen, digest) { // the flags may select the same configuration
			configs, seen = append(configs, x), append(seen, digest)
		}
	}
	show := r.progress("nic fuzz", "frames")
	start := time.Now()
	var before, now atomic.Uint64
	res, err := soak.Run(c.Context, soak.Plan{
		Unit: p.Unit(), Configs: configs, Bench: func(cfg gen.Config) (cosim.Bench, error) { return nictransport.Fuzz.New(cfg) },
		Seed: c.Uint64("seed"), Events: frames, Cycles: cycles, Optimize: c.Int("optimize"), Record: record, Work: c.String("work"),
		Began:    func(n uint64) { before.Store(n); now.Store(n) },
		Progress: func(n uint64) { now.Store(n); show.set(0, n, max(n, frames)) },
		Failed:   func(rep *cosim.Report) { r.log.Errorf("nic fuzz, seed %d: %s", rep.Seed, rep.Failure.Summary()) },
	})
	show.close()
	if errors.Is(err, context.Canceled) && c.Context.Err() != nil {
		return fmt.Errorf("nic fuzz: finished chunks are kept in %s, the same command resumes: %w", c.String("work"), err)
	}
	if err != nil {
		return fmt.Errorf("nic fuzz: %w", err)
	}
	res.Command = fuzzLine(c, p)
	if name != "-" {
		fmt.Fprint(r.out, fuzzText(res))
		if n := now.Load() - before.Load(); n > 0 {
			s := time.Since(start).Seconds()
			r.log.Infof("nic fuzz: %d frames in %.0f s, %.0f a second", n, s, float64(n)/s)
		}
	}
	if name != "" {
		if err := writeJSON(r, name, []*soak.Result{res}); err != nil {
			return err
		}
	}
	if !res.OK() {
		return errFound
	}
	return nil
}

// fuzzLine returns the command that repeats a result.
func fuzzLine(c *cli.Context, p *params.Params) string {
	return "nicgen nic fuzz" + changed(p, params.Default()) + fmt.Sprintf(" --seed %d --frames %d --configs %d --cycles %d", c.Uint64("seed"), c.Uint64("frames"), c.Int("configs"), c.Uint64("cycles"))
}

// fuzzText returns a result as text.
func fuzzText(res *soak.Result) string {
	verdict := "PASS"
	if !res.OK() {
		verdict = "FAIL"
	}
	s := fmt.Sprintf("%s nic fuzz: %d frames, %d cycles, %s in %s, %s\n", verdict, res.Events, res.Cycles,
		plural(res.Chunks, "chunk"), plural(len(res.Configs), "configuration"), plural(len(res.Failures), "failure"))
	for _, f := range res.Failures {
		s += fmt.Sprintf("  %s\n", f)
	}
	for _, x := range res.Configs {
		s += fmt.Sprintf("  %s: %d frames, %d of %d kinds of frames\n", x.String(), x.Events, x.Reached, x.Points)
		for _, k := range x.Missed {
			s += fmt.Sprintf("    %s  required, missed\n", k)
		}
	}
	return s
}
