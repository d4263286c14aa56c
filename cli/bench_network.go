// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/papers/reps"
	"github.com/nicgen/nicgen/sim/transport"
)

// networkSpeed is a measurement of the network simulator.
type networkSpeed struct {
	Model  transport.Model `json:"model,omitempty"`
	Beside string          `json:"beside,omitempty"` // instead of a model: the user's command
	Seed   uint64          `json:"seed,omitempty"`
	*reps.Carried
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"packet_hops_per_second"`
}

func (r *runner) benchNetworkCommand() *cli.Command {
	return &cli.Command{
		Name:   "bench network",
		Usage:  "measure the speed of the network simulator",
		Hidden: true, // the help of bench names it
		Description: "Runs a permutation in a two-tier fat tree with REPS in all hosts, and prints the packet-hops\n" +
			"per second of this machine's time. A packet makes one hop at each port that it leaves.\n" +
			"With --model rtl the same run is repeated with the RTL in all hosts. With --model cycles the RTL has its own clock, and\n" +
			"the two runs differ in single packets.\n\n" +
			"With --against, your own command, such as another simulator, then runs in a shell on the same flows,\n" +
			"and its time is printed next to nicgen's. NICGEN_FLOWS names a CSV file of the flows, with source, destination, bytes and\n" +
			"start in ps; NICGEN_HOSTS is the number of hosts. There are √hosts leaves, √hosts spines and √hosts hosts per leaf; links have 400 Gb/s.\n\n" +
			"Examples:\n" +
			"   nicgen bench network\n" +
			"   nicgen bench network --hosts 16 --hops 1000000 --model rtl\n" +
			"   nicgen bench network --hosts 64 --against './mine $NICGEN_FLOWS'",
		Flags: []cli.Flag{
			&cli.UintFlag{Name: "hosts", Value: 1024, Usage: "number of hosts, `N`, a square"},
			&cli.Uint64Flag{Name: "hops", Value: 100_000_000, Usage: "run at least `N` packet-hops"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "model", Value: string(transport.Golden), Usage: fmt.Sprintf("decision model `NAME`: %s, %s or %s", transport.Golden, transport.RTL, transport.Cycles)}, choices: modelNames(transport.Golden, transport.RTL, transport.Cycles)},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N`"},
			&cli.StringFlag{Name: "against", Usage: "also run `COMMAND`, such as another simulator, on the same flows and print its time"},
			&cli.StringFlag{Name: "beside", Hidden: true}, // the earlier name of --against
			jsonFlag("the result", ""),
		},
		Action: r.benchNetwork,
	}
}

// benchNetwork measures the network simulator: a run with golden models and, if asked for, the same run with RTL.
func (r *runner) benchNetwork(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	side := int(math.Round(math.Sqrt(float64(c.Uint("hosts")))))
	load := &reps.Load{Side: side, Hops: c.Uint64("hops")}
	if side*side != int(c.Uint("hosts")) {
		return usagef("--hosts: found %d, allowed: the square of a whole number", c.Uint("hosts"))
	}
	if err := load.Check(); err != nil {
		return usagef("bench network: %v", err)
	}
	models := []transport.Model{transport.Golden}
	switch m := transport.Model(c.String("model")); m {
	case transport.Golden:
	case transport.RTL, transport.Cycles:
		models = append(models, m)
	default:
		return usagef("--model: found %q, allowed: %s, %s or %s", m, transport.Golden, transport.RTL, transport.Cycles)
	}
	name := c.String("json")
	if err := checkFile("--json", name); err != nil {
		return err
	}
	var list []networkSpeed
	for _, m := range models {
		lab := &papers.Lab{Seed: c.Uint64("seed"), Model: m, Unit: r.transport}
		if m != transport.Golden { // the second run's time excludes compilation, which the first run did
			if _, err := (&reps.Load{Side: load.Side, Hops: 1}).Carry(c.Context, lab); err != nil {
				return err
			}
		}
		start := time.Now()
		x, err := load.Carry(c.Context, lab)
		if err != nil {
			return err
		}
		s := time.Since(start).Seconds()
		list = append(list, networkSpeed{Model: m, Seed: lab.Seed, Carried: x, Seconds: s, Rate: float64(x.Hops) / s})
		if name == "-" {
			continue
		}
		text := fmt.Sprintf("%d hosts with REPS, %s: %d packets, %d packet-hops, %.0f µs of the network in %.1f s: %.2f M packet-hops/s",
			x.Hosts, m, x.Packets, x.Hops, x.Last, s, float64(x.Hops)/s/1e6)
		if m != transport.Golden {
			text += fmt.Sprintf(", %.2f of the golden models", list[1].Rate/list[0].Rate)
		}
		if _, err := fmt.Fprintln(r.out, text); err != nil {
			return err
		}
	}
	if len(list) == 2 && list[1].Model == transport.RTL && list[0].Hops != list[1].Hops {
		return fmt.Errorf("bench network: %d packet-hops with golden models, %d with RTL: two runs of one seed differ", list[0].Hops, list[1].Hops)
	}
	command := c.String("against")
	if command == "" {
		command = c.String("beside")
	}
	if command != "" {
		b, err := runAgainst(c.Context, command, list[0].Carried, r.env.Stderr)
		if err != nil {
			return err
		}
		list = append(list, *b)
		if name != "-" {
			if _, err := fmt.Fprintf(r.out, "--against: %.1f s, %.2f M packet-hops/s; nicgen with golden models: %.2f times as many\n",
				b.Seconds, b.Rate/1e6, list[0].Rate/b.Rate); err != nil {
				return err
			}
		}
	}
	if name != "" {
		return writeJSON(r, name, list)
	}
	return nil
}

// runAgainst runs the user's command on the flows of a run, and counts that run's packet-hops as the command's.
func runAgainst(ctx context.Context, command string, x *reps.Carried, out io.Writer) (*networkSpeed, error) {
	dir, err := tool.TempDir("nicgen-beside-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "flows.csv")
	text := "source,destination,bytes,start_ps\n"
	for _, f := range x.Flows {
		text += fmt.Sprintf("%d,%d,%d,%d\n", f.Src, f.Dst, f.Bytes, f.Start)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Env = append(os.Environ(), "NICGEN_FLOWS="+file, fmt.Sprintf("NICGEN_HOSTS=%d", x.Hosts))
	cmd.Stdout, cmd.Stderr = out, out
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("--against %q: %w; its output is above", command, err)
	}
	s := time.Since(start).Seconds()
	return &networkSpeed{Beside: command, Carried: x, Seconds: s, Rate: float64(x.Hops) / s}, nil
}
