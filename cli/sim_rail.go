// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
)

// railLoop is one simulated run in the Rail network with its settings.
type railLoop struct {
	Scenario string          `json:"scenario"`
	Seed     uint64          `json:"seed"`
	Load     float64         `json:"load,omitempty"`
	Model    transport.Model `json:"model"`
	Checked  transport.Model `json:"checked_against,omitempty"` // made equal decisions
	Settings rail.Settings   `json:"settings"`
	Result   *rail.Result    `json:"result"`
}

// simulateRail simulates a scenario in the Rail network.
func (r *runner) simulateRail(c *cli.Context, name string, model transport.Model, table bool) error {
	maker, err := r.transport(rail.Unit)
	if err != nil {
		return err
	}
	seed := c.Uint64("seed")
	betas := rail.Betas(name)
	if c.IsSet("beta") {
		betas = []float64{c.Float64("beta")}
	}
	loads := []float64{0}
	if name == rail.Names[0] {
		loads = rail.Loads
		if c.IsSet("load") {
			loads = []float64{c.Float64("load")}
			if l := loads[0]; !(l > 0 && l <= 1) {
				return usagef("--load: found %v, allowed: above 0, at most 1", l)
			}
		}
		if n := c.Int("hosts"); n < 1 || n > rail.Hosts {
			return usagef("--hosts: found %d, allowed: 1 to %d", n, rail.Hosts)
		}
	}
	for _, b := range betas {
		if s := rail.NewSettings(b, seed); s.Check() != nil {
			return usagef("--beta: found %v, allowed: 0 to 64", b)
		}
	}
	show := r.progress("sim "+name, "ns")
	defer show.close()
	var loops []railLoop
	for _, beta := range betas {
		for _, load := range loads {
			sc := rail.AllToAll(load, c.Int("hosts"), seed)
			if name != rail.Names[0] {
				if sc, err = rail.New(name, seed); err != nil {
					return usagef("%v", err)
				}
			}
			part := len(loops)
			if part == 0 {
				for i := range len(betas) * len(loads) {
					show.set(i, 0, sc.End)
				}
			}
			l := railLoop{Scenario: name, Seed: seed, Load: load, Model: model, Settings: rail.NewSettings(beta, seed)}
			if model == transport.RTL {
				l.Checked = transport.Golden
			}
			l.Result, err = rail.Run(c.Context, sc, &l.Settings, func(h *transport.Host, underTest bool) (transport.Transport, error) {
				if !underTest {
					return maker(c.Context, transport.Float, h)
				}
				return maker(c.Context, model, h)
			}, func(done, total uint64) { show.set(part, done, total) })
			var differ *transport.Difference
			if errors.As(err, &differ) {
				_, err := fmt.Fprintf(r.out, "FAIL sim %s, %s: %v\n", name, l.label(), err)
				return errors.Join(err, errFound)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", l.label(), err)
			}
			show.set(part, sc.End, sc.End)
			loops = append(loops, l)
		}
	}
	if table {
		if err := r.printRail(loops); err != nil {
			return err
		}
	}
	return r.writeRail(c, name, loops)
}

// label names a run.
func (l *railLoop) label() string { return fmt.Sprintf("β′ %g", l.Settings.Beta) }

func (r *runner) printRail(loops []railLoop) error {
	first := loops[0]
	sc := first.Result.Scenario
	var b strings.Builder
	var packets, acks, answers uint64
	for _, l := range loops {
		packets, acks, answers = packets+l.Result.Packets, acks+l.Result.Acks, answers+l.Result.Answers
	}
	fmt.Fprintf(&b, "%s: %s; paths and rates by %s, seed %d\n", sc.Name, sc.Title, first.Model, first.Seed)
	fmt.Fprintf(&b, "%d packets, %d ACKs, %d probe answers", packets, acks, answers)
	if first.Checked != "" {
		fmt.Fprintf(&b, ": every output of every cycle equal in %s and %s", first.Model, first.Checked)
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	for i, l := range loops {
		var head, cells []string
		add := func(name, format string, args ...any) {
			head, cells = append(head, name), append(cells, fmt.Sprintf(format, args...))
		}
		l.Result.Row(add, l.Settings.Beta, l.Load)
		if i == 0 {
			row(head...)
		}
		row(cells...)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := r.out.Write([]byte(b.String()))
	return err
}

// writeRail writes the result files.
func (r *runner) writeRail(c *cli.Context, name string, loops []railLoop) error {
	var runs []plot.RailRun
	for _, l := range loops {
		runs = append(runs, plot.RailRun{Label: l.label(), Load: l.Load, Result: l.Result})
	}
	draw := map[string]func() ([]byte, error){
		"spray":        func() ([]byte, error) { return plot.Classes(runs) },
		"outage":       func() ([]byte, error) { return plot.Outage(runs) },
		"spray-incast": func() ([]byte, error) { return plot.Incast(runs[0].Result) },
		"loss":         func() ([]byte, error) { return plot.Losses(runs[0].Result) },
	}
	return r.writeAll(c, []resultFile{
		{"csv", func() ([]byte, error) {
			var b bytes.Buffer
			if name == rail.Names[0] {
				err := plot.CSVClasses(&b, runs)
				return b.Bytes(), err
			}
			err := plot.CSVPaths(&b, runs)
			return b.Bytes(), err
		}},
		{"svg", draw[name]},
		{"json", func() ([]byte, error) { return marshal(loops) }},
	})
}
