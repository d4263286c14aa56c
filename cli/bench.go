// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence/speed"
)

// measurement is a result with the configuration that it belongs to.
type measurement struct {
	Unit   string         `json:"unit"`
	Params map[string]any `json:"params"`
	Seed   uint64         `json:"seed"`
	*cosim.Measurement
}

func (r *runner) benchCommand() *cli.Command {
	p, flags := r.parameterFlags("bench")
	return &cli.Command{
		Name:  "bench",
		Usage: "measure the speed of co-simulation against a plain C++ loop",
		Description: "Runs one model with the same inputs in three modes, in turn: from a loop in C++, from Go\n" +
			"with a checksum of all outputs, and from Go with every output compared with the golden\n" +
			"model. Shows the median of the rounds. Fails if the modes disagree on the outputs.\n\n" +
			"The block nic_transport gets packets: conversations at line rate in both directions. Packets counts\n" +
			"those that left and were compared; Gb/s are their bits per second of this machine's time.\n\n" +
			"`nicgen bench network` measures the network simulator.\n\n" +
			"With --history it compares each mode's ratio to the C++ loop with the last record of the\n" +
			"same unit and configuration, and exits with 1 if a mode became slower.\n\n" +
			"Examples:\n" +
			"   nicgen bench\n" +
			"   nicgen bench --history docs/data/speed.json\n" +
			"   nicgen bench --unit reps --connections 4096 --json speed.json\n" +
			"   nicgen bench --unit nic_transport --cycles 50000",
		Flags: append(flags,
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N` of the inputs"},
			&cli.Uint64Flag{Name: "cycles", Value: 500_000, Usage: "cycles per round, `N`"},
			&cli.IntFlag{Name: "rounds", Value: 5, Usage: "number of rounds, `N`"},
			&cli.StringFlag{Name: "history", Usage: "compare with the last records in `FILE`", TakesFile: true},
			&cli.BoolFlag{Name: "record", DisableDefaultText: true, Usage: "add the result to the history"},
			&cli.Float64Flag{Name: "tolerance", Value: 0.1, Usage: "a mode is slower if its ratio fell by more than the fraction `X`"},
			jsonFlag("the result", "units"),
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
			past, err := readHistory(c)
			if err != nil {
				return err
			}
			var results []measurement
			var slower []string
			for _, u := range units {
				unit := u.Config.Unit()
				if u.Bench == nil {
					r.log.Warnf("%s has no bench: skipped", unit)
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
				results = append(results, measurement{unit, emit.Values(u.Config), o.Seed, m})
				rtl, err := emit.DesignDigest(u.Config)
				if err != nil {
					return err
				}
				record := speed.NewRecord(unit, rtl, revision(), emit.Values(u.Config), m)
				var changes []speed.Change
				if was, ok := past.Before(record); ok {
					changes = speed.Compare(was, record, c.Float64("tolerance"))
				}
				for _, x := range changes {
					if x.Slower {
						slower = append(slower, fmt.Sprintf("%s became slower: %s is %.2f of the C++ loop, was %.2f at %s", unit, x.Mode, x.Is, x.Was, x.Revision))
					}
				}
				past = append(past, record)
				if name != "-" {
					if err := r.printSpeed(unit, m, changes); err != nil {
						return err
					}
				}
			}
			if len(results) == 0 {
				return usagef("none of the units has a bench: nothing to measure")
			}
			if c.Bool("record") {
				text, err := past.Text()
				if err != nil {
					return err
				}
				if err := r.writeFile("--history", c.String("history"), text); err != nil {
					return err
				}
			}
			if name != "" {
				if err := writeJSON(r, name, results); err != nil {
					return err
				}
			}
			for _, s := range slower {
				r.log.Error(s)
			}
			if slower != nil {
				return errFound
			}
			return nil
		},
	}
}

// readHistory reads the history file that the flags name.
func readHistory(c *cli.Context) (speed.History, error) {
	name := c.String("history")
	if x := c.Float64("tolerance"); !(x >= 0 && x < 1) {
		return nil, usagef("--tolerance: found %g, allowed: from 0 to below 1", x)
	}
	if name == "" {
		if c.Bool("record") {
			return nil, usagef("--record without --history: want the file to add the result to")
		}
		return nil, nil
	}
	if c.Bool("record") {
		if err := checkFile("--history", name); err != nil {
			return nil, err
		}
	} else if _, err := os.Stat(name); err != nil {
		return nil, usagef("--history: %v: use --record to start a history", err)
	}
	return speed.Read(name)
}

// revision returns the commit that the program was built from.
func revision() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return s.Value[:12]
			}
		}
	}
	return "unknown"
}

// printSpeed prints a measurement, and the changes since the last record by mode.
func (r *runner) printSpeed(unit string, m *cosim.Measurement, changes []speed.Change) error {
	var b strings.Builder
	what := ""
	if m.Packets > 0 {
		what = fmt.Sprintf(", %d packets of %d bytes on average", m.Packets, m.Bytes/m.Packets)
	}
	fmt.Fprintf(&b, "%s: %d rounds of %d cycles%s, medians; checksum %s in every mode\n", unit, m.Rounds, m.Cycles, what, m.Checksum)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range m.Speeds {
		if m.Packets > 0 {
			fmt.Fprintf(w, "  %s\t%.0f packets/s\t%.0f cycles/s\t%.3f Gb/s\t%.2f of the C++ loop", s.Mode, s.PacketsPerSecond, s.CyclesPerSecond, s.BitsPerSecond/1e9, s.Ratio)
		} else {
			fmt.Fprintf(w, "  %s\t%.1f M cycles/s\t%.2f of the C++ loop", s.Mode, s.CyclesPerSecond/1e6, s.Ratio)
		}
		for _, x := range changes {
			if x.Mode == s.Mode {
				fmt.Fprintf(w, ", was %.2f", x.Was)
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}
