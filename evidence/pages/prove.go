// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/evidence"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/proof"
)

// proofs shows reports of nicgen prove --json, of the shared parts and of every unit that has
// properties: for each set its coverage and its method of proof, then a row for each property.
func proofs(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of reports of nicgen prove --json", len(args))
	}
	var b strings.Builder
	for _, subject := range registry.Subjects(m.Units) {
		name := path.Join(path.Dir(page), args[0], subject.Name+".json")
		text, err := m.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("report of nicgen prove --json %s: %w", name, err)
		}
		var r prove.Report
		if err := json.Unmarshal(text, &r); err != nil {
			return "", fmt.Errorf("%s: not a report of nicgen prove: %w", name, err)
		}
		if r.Unit != subject.Name {
			return "", fmt.Errorf("%s: report of %q, want %s", name, r.Unit, subject.Name)
		}
		title := "The parts that units share"
		if subject.New != nil {
			title = subject.New().Title()
			title, _, _ = strings.Cut(title, ":")
		}
		fmt.Fprintf(&b, "## %s\n\n", title)
		if subject.Proofs.Note != "" {
			b.WriteString(subject.Proofs.Note + "\n\n")
		}
		for _, s := range r.Sets {
			describe(&s, subject.Proofs.Sets)
			again := ""
			if slices.ContainsFunc(subject.Proofs.Sets, func(o proof.Set) bool { return o.Name == s.Name && o.Quick }) {
				again = " Proved again by every run of the tests."
			}
			fmt.Fprintf(&b, "**%s/%s** (`%s`). %s%s\n\n", r.Unit, s.Name, s.Top, s.Claim, again)
			rows := [][]string{{"Configuration", "State, bits", "AND gates", "Lemmas", "Proof", "Solving / elaboration"}}
			for _, p := range s.Proofs {
				how := fmt.Sprintf("induction, k = %d", p.K)
				if p.Frames > 0 {
					how = fmt.Sprintf("invariant of %d clauses, k = 1", p.Clauses)
				}
				rows = append(rows, []string{"`" + p.Config + "`", fmt.Sprint(p.Latches), fmt.Sprint(p.Ands), fmt.Sprint(p.Lemmas), how, fmt.Sprintf("%.2f", p.Effort)})
			}
			b.WriteString(emit.Table(rows) + "\n")
			b.WriteString(evidence.Properties(&s).Markdown() + "\n")
		}
	}
	return b.String(), nil
}

// describe replaces the sentences of a report on a set and its properties by their current source:
// the report holds the sentences of the day on which it was made.
func describe(r *prove.SetReport, sets []proof.Set) {
	i := slices.IndexFunc(sets, func(s proof.Set) bool { return s.Name == r.Name })
	if i < 0 {
		return
	}
	r.Claim = sets[i].Claim
	for j := range r.Properties {
		p := &r.Properties[j]
		k := slices.IndexFunc(sets[i].Properties, func(s proof.Property) bool { return s.Name == p.Name })
		if k >= 0 {
			p.Claim, p.Mistake = sets[i].Properties[k].Claim, sets[i].Properties[k].Bug.Mistake
		}
	}
}
