// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
)

// loop is one simulated run with its settings.
type loop struct {
	Scenario string              `json:"scenario"`
	Seed     uint64              `json:"seed"`
	Model    transport.Model     `json:"model"`
	Checked  transport.Model     `json:"checked_against,omitempty"` // the model whose windows were equal
	Settings bottleneck.Settings `json:"settings"`
	Result   *bottleneck.Result  `json:"result"`
}

// simModels lists the models of closed loops, from the paper to the hardware.
var simModels = []transport.Model{transport.Float, transport.Golden, transport.RTL}

// variantNames maps the variants to their display names.
var variantNames = map[bottleneck.Variant]string{bottleneck.INT: "PowerTCP", bottleneck.Theta: "θ-PowerTCP"}

func (r *runner) simCommand() *cli.Command {
	return &cli.Command{
		Name:      "sim",
		Usage:     "run a unit in a closed loop with a simulated network",
		ArgsUsage: strings.Join(scenarios(), "|"),
		Description: "Simulates a network packet by packet, with senders controlled by the model of --model. With\n" +
			"rtl, the golden model runs in lockstep, and the run fails unless all decisions are equal;\n" +
			"float is the paper's algorithm in floating point.\n\n" +
			"PowerTCP, one link of 25 Gb/s:\n" +
			"   incast\ta long flow, and ten flows that start together (Fig. 2.4)\n" +
			"   fairness\tfour flows that join and leave one by one (Fig. 2.5)\n\n" +
			"Without --beta-bytes and --target-utilisation, runs the parameter sets of the published\n" +
			"figures and text; the SVG then shows the first of them.\n\n" +
			"LAPS, the paper's Rail network of 100 Gb/s links, eight paths between two hosts:\n" +
			"   spray\t64 hosts at loads of 50 to 100 %: traffic by path length (Fig. 19)\n" +
			"   outage\ta path fails and is repaired\n" +
			"   spray-incast\tseven flows to one host\n" +
			"   loss\tone path loses segments, another fails at the end\n\n" +
			"Without --beta, runs the values of β′ compared in docs/units/laps_loop.md.\n\n" +
			"Examples:\n" +
			"   nicgen sim incast\n" +
			"   nicgen sim incast --variant theta --beta-bytes 1000 --target-utilisation 1\n" +
			"   nicgen sim fairness --model float --svg fairness.svg --csv fairness.csv\n" +
			"   nicgen sim incast --json - --quiet\n" +
			"   nicgen sim spray --beta 4 --svg spray.svg\n" +
			"   nicgen sim outage --svg outage.svg --csv outage.csv",
		Flags: []cli.Flag{
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "variant", Value: bottleneck.BothCompared, Usage: "PowerTCP: algorithm `NAME`: int (telemetry), theta (θ-PowerTCP, round-trip times) or both-compared (one after the other)"}, choices: bottleneck.Variants()},
			&cli.Float64Flag{Name: "beta-bytes", Usage: "PowerTCP: additive increase β of `N` bytes", DefaultText: "by parameter set"},
			&cli.Float64Flag{Name: "target-utilisation", Usage: "PowerTCP: target utilisation, a `FRACTION` of the link's rate, above 0, at most 1", DefaultText: "by parameter set"},
			&cli.Float64Flag{Name: "beta", Usage: "LAPS: β′ = `X`, 0 to 64: a path of latency d has weight exp(-β′·d/T)", DefaultText: "by scenario"},
			&cli.Float64Flag{Name: "load", Usage: "spray: one load, a `FRACTION` of the link rate, above 0, at most 1", DefaultText: "0.5 to 1 in six steps"},
			&cli.IntFlag{Name: "hosts", Value: rail.Tested, Usage: fmt.Sprintf("spray: `N` hosts under test, 1 to %d; the float64 model controls the others", rail.Hosts)},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed `N` of flow and message starts, sender-receiver pairs, losses and the path picker"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "model", Value: string(transport.RTL), Usage: "decision model `NAME`: " + join(simModels) + "; rtl is checked against golden"}, choices: modelNames(simModels...)},
			&cli.StringFlag{Name: "csv", Usage: "write the plotted data as CSV to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "svg", Usage: "write the figure as SVG to `FILE`, - for standard output", TakesFile: true},
			jsonFlag("settings and results", "runs"),
		},
		Action: r.simulate,
	}
}

func join(models []transport.Model) string {
	var names []string
	for _, m := range models {
		names = append(names, string(m))
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " or " + names[n]
	}
	return names[0]
}

func (r *runner) simulate(c *cli.Context) error {
	name, err := oneArgument(c, strings.Join(scenarios(), ", "))
	if err != nil {
		return err
	}
	if !slices.Contains(scenarios(), name) {
		return usagef("scenario: found %q, allowed: %s", name, strings.Join(scenarios(), ", "))
	}
	foreign := []string{"beta", "load", "hosts"}
	if slices.Contains(rail.Names, name) {
		foreign = []string{"variant", "beta-bytes", "target-utilisation"}
		if name != rail.Names[0] {
			foreign = append(foreign, "load", "hosts")
		}
	}
	for _, flag := range foreign {
		if c.IsSet(flag) {
			return usagef("--%s: found with scenario %s, allowed: with %s", flag, name, flagOf[flag])
		}
	}
	model := transport.Model(c.String("model"))
	if !slices.Contains(simModels, model) {
		return usagef("--model: found %q, allowed: %s", model, join(simModels))
	}
	table, err := outputs(c)
	if err != nil {
		return err
	}
	if slices.Contains(rail.Names, name) {
		return r.simulateRail(c, name, model, table)
	}
	maker, err := r.transport(bottleneck.Unit)
	if err != nil {
		return err
	}
	variants, err := bottleneck.ParseVariants(c.String("variant"))
	if err != nil {
		return usagef("--%v", err)
	}
	sets := bottleneck.Sets
	if c.IsSet("beta-bytes") || c.IsSet("target-utilisation") {
		one := bottleneck.Sets[0]
		if c.IsSet("beta-bytes") {
			one.Beta = c.Float64("beta-bytes")
		}
		if c.IsSet("target-utilisation") {
			one.TargetUtil = c.Float64("target-utilisation")
		}
		sets = []bottleneck.ParameterSet{one}
	}
	sc, err := bottleneck.New(name, c.Uint64("seed"))
	if err != nil {
		return usagef("%v", err)
	}
	var loops []loop
	show := r.progress("sim "+name, "ns")
	defer show.close()
	for part := range len(sets) * len(variants) {
		show.set(part, 0, sc.End)
	}
	for _, set := range sets {
		for _, v := range variants {
			part := len(loops)
			l := loop{Scenario: name, Seed: c.Uint64("seed"), Model: model, Settings: bottleneck.NewSettings(v, set)}
			if model == transport.RTL {
				l.Checked = transport.Golden
			}
			l.Result, err = bottleneck.Run(c.Context, sc, l.Settings.Words(), func(h *transport.Host) (transport.Transport, error) {
				return maker(c.Context, model, h)
			}, func(done, total uint64) { show.set(part, done, total) })
			var differ *transport.Difference
			if errors.As(err, &differ) {
				_, err := fmt.Fprintf(r.out, "FAIL sim %s, %s: %v\n", name, label(l), err)
				return errors.Join(err, errFound)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", label(l), err)
			}
			show.set(part, sc.End, sc.End)
			loops = append(loops, l)
		}
	}
	if table {
		if err := r.printLoops(loops); err != nil {
			return err
		}
	}
	return r.writeLoops(c, loops, len(variants))
}

// scenarios lists the names of all scenarios.
func scenarios() []string { return slices.Concat(bottleneck.Names, rail.Names) }

// flagOf names the scenarios that a flag belongs to.
var flagOf = map[string]string{
	"variant": "incast or fairness", "beta-bytes": "incast or fairness", "target-utilisation": "incast or fairness",
	"beta": strings.Join(rail.Names, ", "), "load": rail.Names[0], "hosts": rail.Names[0],
}

// outputs checks the files for results, and reports whether the table is printed.
func outputs(c *cli.Context) (table bool, err error) {
	table = true
	for _, flag := range []string{"csv", "svg", "json"} {
		if c.String(flag) == "-" {
			if !table {
				return false, usagef("--%s -: another result already goes to standard output, want a file name", flag)
			}
			table = false
		}
		if err := checkFile("--"+flag, c.String(flag)); err != nil {
			return false, err
		}
	}
	return table, nil
}

// label names a run.
func label(l loop) string {
	return fmt.Sprintf("%s, β %g B, target %g", variantNames[l.Settings.Variant], l.Settings.Beta, l.Settings.TargetUtil)
}

func (r *runner) printLoops(loops []loop) error {
	first := loops[0]
	sc := first.Result.Scenario
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d flows, %g Gb/s, round-trip time %g µs, τ %g µs, windows by %s, seed %d\n",
		sc.Name, len(sc.Flows), sc.Gbps, sc.RTT()/1000, first.Settings.Tau/1000, first.Model, first.Seed)
	var acks uint64
	for _, l := range loops {
		acks += l.Result.Acks
	}
	if first.Checked != "" {
		fmt.Fprintf(&b, "%d acknowledgements: every window equal in %s and %s\n", acks, first.Model, first.Checked)
	} else {
		fmt.Fprintf(&b, "%d acknowledgements\n", acks)
	}
	micro := func(ns *uint64) string {
		if ns == nil {
			return "never"
		}
		return fmt.Sprintf("%.1f", float64(*ns)/1000)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	if sc.Event > 0 {
		row("algorithm", "β, B", "target", "peak queue, KB", "peak after, µs", fmt.Sprintf("below %d KB after, µs", sc.Low/1000), "settled after, µs", "steady mean queue, KB", "steady throughput, Gb/s")
		for _, l := range loops {
			x := l.Result
			row(variantNames[l.Settings.Variant], fmt.Sprintf("%g", l.Settings.Beta), fmt.Sprintf("%g", l.Settings.TargetUtil),
				fmt.Sprintf("%.1f", float64(x.Peak)/1000), micro(&x.PeakAfter), micro(x.DrainedAfter), micro(x.SettledAfter),
				fmt.Sprintf("%.1f", x.MeanQueue/1000), fmt.Sprintf("%.2f", x.Throughput))
		}
	} else {
		row("algorithm", "β, B", "target", "from, ms", "flows", "Jain index", "throughput, Gb/s", "slowest flow", "fastest flow", "mean queue, KB")
		for _, l := range loops {
			for _, p := range l.Result.Phases {
				row(variantNames[l.Settings.Variant], fmt.Sprintf("%g", l.Settings.Beta), fmt.Sprintf("%g", l.Settings.TargetUtil),
					fmt.Sprintf("%g", float64(p.From)/1e6), fmt.Sprint(p.Flows), fmt.Sprintf("%.4f", p.Jain), fmt.Sprintf("%.2f", p.Throughput),
					fmt.Sprintf("%.2f", p.Slowest), fmt.Sprintf("%.2f", p.Fastest), fmt.Sprintf("%.1f", p.MeanQueue/1000))
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}

// writeLoops writes the result files. The figure compares the variants under the first
// parameter set.
func (r *runner) writeLoops(c *cli.Context, loops []loop, variants int) error {
	var runs []plot.Run
	for _, l := range loops {
		runs = append(runs, plot.Run{Label: label(l), Result: l.Result})
	}
	return r.writeAll(c, []resultFile{
		{"csv", func() ([]byte, error) {
			var b bytes.Buffer
			err := plot.CSV(&b, runs)
			return b.Bytes(), err
		}},
		{"svg", func() ([]byte, error) {
			if loops[0].Result.Scenario.Event > 0 {
				return plot.Reaction(runs[:variants])
			}
			return plot.Shares(runs[:variants])
		}},
		{"json", func() ([]byte, error) { return marshal(loops) }},
	})
}
