// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/emit"
)

// speed is a measurement with what was measured.
type speed struct {
	Unit   string         `json:"unit"`
	Params map[string]any `json:"params"`
	Seed   uint64         `json:"seed"`
	*cosim.Measurement
}

func (r *runner) benchCommand() *cli.Command {
	p, flags := r.parameterFlags()
	return &cli.Command{
		Name:  "bench",
		Usage: "measure the speed of co-simulation beside a plain C++ loop",
		Description: "Runs the same model under the same inputs from a loop in C++, from Go with all outputs in\n" +
			"a checksum, and from Go with every output compared to the golden model, in turns; shows\n" +
			"the median of the rounds. Fails if the ways do not agree on the outputs.\n\n" +
			"Examples:\n" +
			"   nicgen bench\n" +
			"   nicgen bench --unit reps --connections 4096 --json speed.json",
		Flags: append(flags,
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N` of the inputs"},
			&cli.Uint64Flag{Name: "cycles", Value: 500_000, Usage: "cycles of a round, `N`"},
			&cli.IntFlag{Name: "rounds", Value: 5, Usage: "rounds, `N`"},
			&cli.StringFlag{Name: "json", Usage: "write the result as JSON to `FILE`, - for standard output; a list if there are several units", TakesFile: true},
		),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			if c.Uint64("cycles") == 0 || c.Int("rounds") < 1 {
				return usagef("--cycles %d, --rounds %d: allowed: whole numbers from 1", c.Uint64("cycles"), c.Int("rounds"))
			}
			name := c.String("json")
			if err := checkFile("--json", name); err != nil {
				return err
			}
			var results []speed
			for _, u := range units {
				unit := u.Config.Unit()
				if u.Bench == nil {
					r.log.Warnf("%s has no bench: left out", unit)
					continue
				}
				b, err := u.Bench(u.Config)
				if err != nil {
					return err
				}
				var o cosim.MeasureOptions
				if u.Measure != nil {
					o = u.Measure(u.Config)
				}
				o.Seed, o.Cycles, o.Rounds = c.Uint64("seed"), c.Uint64("cycles"), c.Int("rounds")
				show := r.progress("bench "+unit, "cycles")
				o.Progress = func(done, total uint64) { show.set(0, done, total) }
				m, err := cosim.Measure(c.Context, b, o)
				show.close()
				if err != nil {
					return fmt.Errorf("%s: %w", unit, err)
				}
				results = append(results, speed{unit, emit.Values(u.Config), o.Seed, m})
				if name != "-" {
					if err := r.printSpeed(unit, m); err != nil {
						return err
					}
				}
			}
			if len(results) == 0 {
				return usagef("none of the units has a bench: nothing to measure")
			}
			if name == "" {
				return nil
			}
			text, err := marshal(results)
			if err != nil {
				return err
			}
			return r.writeFile("--json", name, text)
		},
	}
}

func (r *runner) printSpeed(unit string, m *cosim.Measurement) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rounds of %d cycles, medians; checksum %s in every mode\n", unit, m.Rounds, m.Cycles, m.Checksum)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range m.Speeds {
		fmt.Fprintf(w, "  %s\t%.1f M cycles/s\t%.2f of the C++ loop\n", s.Mode, s.CyclesPerSecond/1e6, s.Ratio)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}
