// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/rows"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/papers/figures"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/transport"
)

func (r *runner) reproduceCommand() *cli.Command {
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "simulate figures of papers and compare the numbers",
		ArgsUsage: "[FIGURE…]",
		Description: "Simulates the network of a figure with the unit in its hosts, and prints the paper's\n" +
			"numbers, the simulated ones, their deviation, and a verdict. Without FIGURE, runs all.\n" +
			"--list prints the figures' names. A number that differs is a result, not an error:\n" +
			"docs/papers has the known reasons.\n\n" +
			"With --model rtl, the RTL decides in every host, with the golden model in lockstep: the\n" +
			"first difference ends the run. A figure without hosts has no model.\n\n" +
			"Ctrl-C keeps the figures that are finished.\n\n" +
			"Examples:\n" +
			"   nicgen reproduce --list\n" +
			"   nicgen reproduce reps-4\n" +
			"   nicgen reproduce reps-4 --model rtl --svg uplinks.svg\n" +
			"   nicgen reproduce reps-4 --csv table.csv --series uplinks.csv\n" +
			"   nicgen reproduce --json figures.json --record record.json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "list", DisableDefaultText: true, Usage: "print the figures, and run none"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed `N` of the first run of each kind; further runs use the next seeds"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "model", Value: string(transport.Golden), Usage: fmt.Sprintf("decision model `NAME`: %s, %s (the papers' formulas), %s (clock stopped between events) or %s (RTL with its own clock)", transport.Golden, transport.Float, transport.RTL, transport.Cycles)}, choices: modelNames(transport.Golden, transport.Float, transport.RTL, transport.Cycles)},
			&cli.IntFlag{Name: "rtl-hosts", Usage: fmt.Sprintf("with %s or %s: RTL in the first `N` senders of each run, golden models in the others", transport.RTL, transport.Cycles), DefaultText: "all; one in runs that would take hours"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "telemetry", Value: fabric.Exact.String(), Usage: "PowerTCP: switches write telemetry in the layout `NAME`: exact, hpcc (HPCC's header) or int-md (P4's, without counts of bytes)"}, choices: fabric.Layouts()},
			&cli.StringFlag{Name: "svg", Usage: "draw the ports of a single figure as SVG to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "csv", Usage: "write the table of a single figure as CSV to `FILE`, - for standard output", TakesFile: true},
			&cli.StringFlag{Name: "series", Usage: "write the time series of a single figure's ports as CSV to `FILE`, - for standard output", TakesFile: true},
			jsonFlag("the results, with the series of ports,", "figures"),
			recordFlag("the figures, with a digest of their series; replaces records of the same names and keeps others"),
		},
		Action: r.reproduce,
	}
}

func (r *runner) reproduce(c *cli.Context) error {
	if c.Bool("list") {
		if c.NArg() > 0 {
			return usagef("reproduce: found a figure with --list, want one of the two")
		}
		w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
		for _, f := range figures.All {
			fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, f.Paper, f.Title)
		}
		return w.Flush()
	}
	model := transport.Model(c.String("model"))
	if !slices.Contains([]transport.Model{transport.Golden, transport.Float, transport.RTL, transport.Cycles}, model) {
		return usagef("--model: found %q, allowed: %s, %s, %s or %s", model, transport.Golden, transport.Float, transport.RTL, transport.Cycles)
	}
	if n := c.Int("rtl-hosts"); c.IsSet("rtl-hosts") && (n < 1 || model != transport.RTL && model != transport.Cycles) {
		return usagef("--rtl-hosts: found %d with --model %s, allowed: 1 or more with %s or %s", n, model, transport.RTL, transport.Cycles)
	}
	layout, err := fabric.ParseLayout(c.String("telemetry"))
	if err != nil {
		return usagef("--%v", err)
	}
	var chosen []*papers.Figure
	for _, name := range c.Args().Slice() {
		f, err := figures.Find(name)
		if err != nil {
			return usagef("%v", err)
		}
		if !slices.Contains(chosen, f) {
			chosen = append(chosen, f)
		}
	}
	if chosen == nil {
		for i := range figures.All {
			chosen = append(chosen, &figures.All[i])
		}
	}
	table := true
	for _, flag := range []string{"svg", "csv", "series", "json", "record"} {
		if flag != "json" && flag != "record" && c.IsSet(flag) && len(chosen) != 1 {
			return usagef("--%s: found %d figures, allowed: 1", flag, len(chosen))
		}
		if c.String(flag) == "-" {
			if !table {
				return usagef("--%s -: another result already goes to standard output, want a file name", flag)
			}
			table = false
		}
		if err := checkFile("--"+flag, c.String(flag)); err != nil {
			return err
		}
	}
	lab := &papers.Lab{Seed: c.Uint64("seed"), Model: model, RTLHosts: c.Int("rtl-hosts"), Layout: layout, Unit: r.transport, Endpoints: r.endpoints}
	var list []*papers.Outcome
	var ended error
	for _, f := range chosen {
		o, err := r.runFigure(c, f, lab)
		if c.Context.Err() != nil && err != nil {
			kept := noFiles
			if len(list) > 0 {
				kept = "the requested files contain these"
			}
			ended = stoppedAt(len(list), len(chosen), "figures", kept)
			break
		}
		if err != nil {
			ended = err
			break
		}
		list = append(list, o)
		if table {
			if err := r.printOutcome(o); err != nil {
				return err
			}
		}
	}
	var d *transport.Difference
	if errors.As(ended, &d) {
		_, err := fmt.Fprintf(r.out, "FAIL reproduce %v\n", ended)
		ended = errors.Join(err, errFound)
	}
	if list == nil {
		return ended
	}
	return errors.Join(ended, r.writeAll(c, []resultFile{
		{"svg", func() ([]byte, error) {
			var runs []plot.PortRun
			for _, p := range list[0].Series {
				runs = append(runs, plot.PortRun{Label: p.Run, Ports: p.Ports})
			}
			if runs == nil {
				return nil, fmt.Errorf("figure %s has no ports to draw", list[0].Figure)
			}
			return plot.Ports(runs)
		}},
		{"csv", list[0].TableCSV},
		{"series", list[0].SeriesCSV},
		{"json", func() ([]byte, error) { return marshal(list) }},
		{"record", func() ([]byte, error) {
			figures, err := evidence.Figures(list)
			if err != nil {
				return nil, err
			}
			var before []papers.Outcome
			old, err := os.ReadFile(c.String("record"))
			if err == nil {
				before, err = papers.Outcomes(old)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("--record: %s: %w", c.String("record"), err)
			}
			return rows.Marshal(evidence.Merge(before, figures))
		}},
	}))
}

// transport returns the transport that a unit provides.
func (r *runner) transport(unit string) (transport.Maker, error) {
	for _, u := range r.all {
		if u.Transport != nil && u.New().Unit() == unit {
			return u.Transport, nil
		}
	}
	return nil, fmt.Errorf("no unit %s provides a transport for hosts", unit)
}

// endpoints returns the hosts that a unit provides.
func (r *runner) endpoints(unit string) (transport.EndpointsMaker, error) {
	for _, u := range r.all {
		if u.Endpoints != nil && u.New().Unit() == unit {
			return u.Endpoints, nil
		}
	}
	return nil, fmt.Errorf("no unit %s provides hosts", unit)
}

func (r *runner) runFigure(c *cli.Context, f *papers.Figure, lab *papers.Lab) (*papers.Outcome, error) {
	defer r.progress("reproduce "+f.Name, "").close()
	return f.Run(c.Context, lab)
}

// printOutcome prints a figure: the paper's numbers next to ours, and the runs.
func (r *runner) printOutcome(o *papers.Outcome) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%s), seed %d", o.Figure, o.Title, o.Paper, o.Seed)
	switch o.Model {
	case transport.RTL:
		b.WriteString(", rtl; every decision equal in golden")
	case transport.Cycles:
		b.WriteString(", rtl with its own clock; every cycle equal in golden")
	case "":
	default:
		fmt.Fprintf(&b, ", %s", o.Model)
	}
	b.WriteString("\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")) }
	row("setup", "number", "paper", "found", "deviation", "verdict")
	for i := range o.Claims {
		x := &o.Claims[i]
		row(x.Setup, x.What, x.Says(), x.Comes(), x.Apart(), x.Verdict())
	}
	row()
	row(o.Head...)
	for _, cells := range o.Rows {
		row(cells...)
	}
	row()
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}
