// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/registry"
)

// listEntry is a unit of the list in JSON.
type listEntry struct {
	Unit  string `json:"unit"`
	Title string `json:"title"`
	Paper string `json:"paper"`
	// Runs lists, for each kind of record below docs/data, the runs of nicgen that make it.
	Runs map[string][]string `json:"runs"`
}

func (r *runner) listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the units",
		Description: "With --runs, lists the runs of nicgen that make the records of one kind below docs/data, for\n" +
			"all units, one per line.\n\n" +
			"Examples:\n" +
			"   nicgen list\n" +
			"   nicgen list --json -\n" +
			"   nicgen list --runs coverage",
		Flags: []cli.Flag{
			jsonFlag("the list", ""),
			&cli.BoolFlag{Name: "tour", DisableDefaultText: true, Usage: "list the single-unit runs of make run: title, arguments, and the table lines in its summary, separated by tabs"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "runs", Usage: "list the runs that make records of this `KIND`: " + strings.Join(evidence.Made(), ", ")}, choices: evidence.Made()},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if err := checkJSON(c); err != nil {
				return err
			}
			if kind := c.String("runs"); kind != "" {
				if !slices.Contains(evidence.Made(), kind) {
					return usagef("--runs: found %s%s, allowed: %s", kind, nearest(kind, evidence.Made()), strings.Join(evidence.Made(), ", "))
				}
				for _, run := range evidence.Runs(kind, r.all) {
					fmt.Fprintln(r.out, run)
				}
				return nil
			}
			if c.Bool("tour") {
				for _, u := range registry.Own(r.env.Units) {
					for _, s := range u.Evidence.Tour {
						fmt.Fprintf(r.out, "%s\t%s\t%s\n", s.Title, s.Run, s.Show)
					}
				}
				return nil
			}
			list := []listEntry{}
			for i := range r.all {
				u := &r.all[i]
				cfg := u.New()
				e := listEntry{cfg.Unit(), cfg.Title(), cfg.Paper(), map[string][]string{}}
				for _, kind := range evidence.Made() {
					if runs := evidence.RunsOf(kind, u); len(runs) > 0 {
						e.Runs[kind] = runs
					}
				}
				list = append(list, e)
			}
			if people, err := r.asJSON(c, list); err != nil || !people {
				return err
			}
			w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
			for _, e := range list {
				fmt.Fprintf(w, "%s\t%s\n\t%s\n", e.Unit, e.Title, e.Paper)
			}
			return w.Flush()
		},
	}
}

// description is a unit's description in JSON.
type description struct {
	Unit       string         `json:"unit"`
	Title      string         `json:"title"`
	Paper      string         `json:"paper"`
	Top        string         `json:"top"`
	Latency    map[string]int `json:"latency_cycles"`
	Parameters []parameter    `json:"parameters"`
}

// parameter is a field in JSON.
type parameter struct {
	Key        string   `json:"key"`
	Group      string   `json:"group"`
	Type       string   `json:"type"`
	Unit       string   `json:"unit,omitempty"`
	Default    any      `json:"default"`
	Auto       string   `json:"auto,omitempty"` // the rule that the default follows
	Min        *int64   `json:"min,omitempty"`
	Max        *int64   `json:"max,omitempty"`
	PowerOfTwo bool     `json:"power_of_two,omitempty"`
	Choices    []string `json:"choices,omitempty"`
	Doc        string   `json:"doc"`
	Cost       string   `json:"cost,omitempty"`
	Ref        string   `json:"reference,omitempty"`
	Flag       string   `json:"flag,omitempty"`
	Port       string   `json:"port,omitempty"`
	SV         string   `json:"sv_parameter,omitempty"`
}

func describe(cfg gen.Config) description {
	d := description{Unit: cfg.Unit(), Title: cfg.Title(), Paper: cfg.Paper(), Top: cfg.Top(), Latency: cfg.Latency(), Parameters: []parameter{}}
	for _, f := range cfg.Fields() {
		p := parameter{Key: f.Key, Group: f.Group, Unit: f.Unit, Choices: f.Choices, PowerOfTwo: f.PowerOfTwo,
			Doc: f.Doc, Cost: f.Cost, Ref: f.Ref, Port: f.Port, SV: f.SV}
		if f.Auto != nil {
			p.Auto = f.Auto.Text
		}
		if f.Flag {
			p.Flag = "--" + strings.ReplaceAll(f.Key, "_", "-")
		}
		switch f.Kind() {
		case gen.Bool:
			p.Type, p.Default = "bool", *f.Bool
		case gen.Enum:
			p.Type, p.Default = "choice", *f.Enum
		default:
			p.Type, p.Default, p.Min, p.Max = "int", *f.Int, &f.Min, &f.Max
		}
		d.Parameters = append(d.Parameters, p)
	}
	return d
}

func (r *runner) describeCommand() *cli.Command {
	return &cli.Command{
		Name:      "describe",
		Usage:     "describe a unit and each of its parameters",
		ArgsUsage: "UNIT",
		Description: "Prints type, range, default, cost and reference of every parameter, from the table\n" +
			"that also validates them.\n\n" +
			"Examples:\n" +
			"   nicgen describe reps\n" +
			"   nicgen describe reps --json -",
		Flags: []cli.Flag{jsonFlag("the description", "")},
		Action: func(c *cli.Context) error {
			var names []string
			for _, u := range r.all {
				names = append(names, u.New().Unit())
			}
			if err := checkJSON(c, names...); err != nil {
				return err
			}
			name, err := oneArgument(c, "the name of a unit")
			if err != nil {
				return err
			}
			if i := slices.Index(names, name); i >= 0 {
				cfg := r.all[i].New()
				if people, err := r.asJSON(c, describe(cfg)); err != nil || !people {
					return err
				}
				_, err := r.out.Write([]byte(describeText(describe(cfg), cfg)))
				return err
			}
			return usagef("unknown unit %q%s, allowed: %s", name, nearest(name, names), strings.Join(names, ", "))
		},
	}
}

func describeText(d description, cfg gen.Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s\nTop module %s.\n", d.Unit, d.Title, d.Paper, d.Top)
	group := ""
	fields := cfg.Fields()
	for i, p := range d.Parameters {
		if p.Group != group {
			group = p.Group
			fmt.Fprintf(&b, "\n%s\n", group)
		}
		unit := ""
		if p.Unit != "" {
			unit = " " + p.Unit
		}
		fmt.Fprintf(&b, "\n  %s  %s, default %s%s\n", p.Key, p.Type, fields[i].Shown(), unit)
		fmt.Fprintf(&b, "      %s\n", p.Doc)
		fmt.Fprintf(&b, "      Allowed: %s.\n", fields[i].Allowed())
		if p.Cost != "" {
			fmt.Fprintf(&b, "      Cost: %s.\n", strings.TrimSuffix(p.Cost, "."))
		}
		if p.Ref != "" {
			fmt.Fprintf(&b, "      Reference: %s.\n", strings.TrimSuffix(p.Ref, "."))
		}
		var also []string
		if p.Flag != "" {
			also = append(also, "flag "+p.Flag)
		}
		if p.Port != "" {
			also = append(also, "port "+p.Port)
		}
		if p.SV != "" {
			also = append(also, "SystemVerilog parameter "+p.SV)
		}
		if len(also) > 0 {
			fmt.Fprintf(&b, "      Also: %s.\n", strings.Join(also, ", "))
		}
	}
	return b.String()
}
