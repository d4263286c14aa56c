// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"math"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/sim/reproduce"
	"github.com/nicgen/nicgen/sim/transport"
)

// networkSpeed is a measurement of the network simulator.
type networkSpeed struct {
	Model transport.Model `json:"model"`
	Seed  uint64          `json:"seed"`
	*reproduce.Carried
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"packet_hops_per_second"`
}

func (r *runner) benchNetworkCommand() *cli.Command {
	return &cli.Command{
		Name:   "bench network",
		Usage:  "measure the speed of the simulator of networks",
		Hidden: true, // bench names it
		Description: "Runs a permutation in a fat tree of two tiers, with REPS in all hosts, and prints how many\n" +
			"packet-hops a second of this machine's time has: a packet has one for each port that it leaves.\n" +
			"With --model rtl the same run comes again with the RTL in all hosts; with --model cycles it has a clock of its own, and\n" +
			"the run is not the same to the last packet.\n\n" +
			"Examples:\n" +
			"   nicgen bench network\n" +
			"   nicgen bench network --hosts 16 --hops 1000000 --model rtl",
		Flags: []cli.Flag{
			&cli.UintFlag{Name: "hosts", Value: 1024, Usage: "hosts, `N`, a square"},
			&cli.Uint64Flag{Name: "hops", Value: 100_000_000, Usage: "packet-hops, at least `N`"},
			&cli.StringFlag{Name: "model", Value: string(transport.Golden), Usage: fmt.Sprintf("decision model `NAME`: %s, %s or %s", transport.Golden, transport.RTL, transport.Cycles)},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed `N`"},
			&cli.StringFlag{Name: "json", Usage: "write the result as JSON to `FILE`, - for standard output", TakesFile: true},
		},
		Action: r.benchNetwork,
	}
}

// benchNetwork measures the network simulator: a run with golden models, and with RTL the same one with RTL after it.
func (r *runner) benchNetwork(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	side := int(math.Round(math.Sqrt(float64(c.Uint("hosts")))))
	load := &reproduce.Load{Side: side, Hops: c.Uint64("hops")}
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
		lab := &reproduce.Lab{Seed: c.Uint64("seed"), Model: m, Unit: r.transport}
		if m != transport.Golden { // what the first run compiles is no part of the second
			if _, err := lab.Carry(c.Context, &reproduce.Load{Side: load.Side, Hops: 1}); err != nil {
				return err
			}
		}
		start := time.Now()
		x, err := lab.Carry(c.Context, load)
		if err != nil {
			return err
		}
		s := time.Since(start).Seconds()
		list = append(list, networkSpeed{m, lab.Seed, x, s, float64(x.Hops) / s})
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
	if name != "" {
		return writeJSON(r, name, list)
	}
	return nil
}
