// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/tb/bench"
)

// mutation returns the score of a unit's bench with its known survivors.
func mutation(m *Maker, page string, args []string) (string, error) {
	if len(args) != 2 {
		return "", fmt.Errorf("found %d arguments, want a unit and a report of nicgen mutate --json", len(args))
	}
	name := path.Join(path.Dir(page), args[1])
	text, err := m.read(name)
	if err != nil {
		return "", fmt.Errorf("report of nicgen mutate %s --json %s: %w", args[0], name, err)
	}
	var r mutate.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return "", fmt.Errorf("%s: not a report of nicgen mutate: %w", name, err)
	}
	if r.Unit != args[0] {
		return "", fmt.Errorf("%s: report of unit %q, want %s", name, r.Unit, args[0])
	}
	u, _, err := m.unit(args[:1])
	if err != nil {
		return "", err
	}
	if err := explain(&r, u.Mutation); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Measured with `%s`, seed %d, %s; a score is killed ÷ (mutants − equivalent).\n\n", r.Command, r.Seed, r.Tool)
	b.WriteString(evidence.Mutants(&r).Markdown() + "\n")
	for _, c := range r.Configurations {
		settings := "the default configuration"
		if c.Settings != "" {
			settings = "`" + c.Settings + "`"
		}
		fmt.Fprintf(&b, "- %s: %s (%s).\n", c.Name, c.Why, settings)
	}
	if g := r.Model; g != nil {
		fmt.Fprintf(&b, "\nOf the golden model, %s: %d mutants, %d killed by the comparison, %d end in a panic or not in time, %d in code that the bench does not reach, "+
			"%d survivors listed, %d open; score %s of those that run to an end.\n", g.Package, g.Mutants, g.Killed, g.Crashed, g.Unreached, g.Listed, g.Survived+g.Errors, mutate.Percent(g.Score()))
	}
	rows := [][]string{{"Survivor", "Configuration", "Why no bench notices it"}}
	for _, c := range r.Configurations {
		for _, f := range c.Survivors {
			rows = append(rows, []string{"`" + f.Mutant + "`", c.Name, f.Reason})
		}
	}
	if r.Model != nil {
		for _, f := range r.Model.Survivors {
			rows = append(rows, []string{"`" + f.Mutant + "`", mutate.ModelConfiguration, f.Reason})
		}
	}
	if len(rows) > 1 {
		b.WriteString("\n" + emit.Table(rows))
	}
	return b.String(), nil
}

// explain replaces the sentences of a report, on the purpose of a configuration and the reasons for
// survivors, by their current source: the report holds the sentences of the day on which it was
// made.
func explain(r *mutate.Report, m *bench.Mutation) error {
	if m == nil {
		return nil
	}
	known, err := mutate.ReadSurvivors("tb/"+r.Unit+"/survivors.yaml", []byte(m.Survivors))
	if err != nil {
		return err
	}
	reasons := map[[2]string]string{}
	for _, s := range known {
		reasons[[2]string{s.Configuration, s.Mutant}] = s.Reason
	}
	renew := func(configuration string, list []mutate.Finding) {
		for i := range list {
			if reason := reasons[[2]string{configuration, list[i].Mutant}]; reason != "" {
				list[i].Reason = reason
			}
		}
	}
	for i := range r.Configurations {
		c := &r.Configurations[i]
		if k := slices.IndexFunc(m.Targets, func(t bench.Target) bool { return t.Name == c.Name }); k >= 0 {
			c.Why = m.Targets[k].Why
		}
		renew(c.Name, c.Survivors)
	}
	if r.Model != nil {
		renew(mutate.ModelConfiguration, r.Model.Survivors)
	}
	return nil
}
