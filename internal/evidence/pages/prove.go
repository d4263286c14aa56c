// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/proof"
)

// proofs shows reports of nicgen prove --json, of the shared parts and of every unit that has
// properties: for each set its coverage and its method of proof, then a row for each property.
func proofs(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 && len(args) != 2 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of reports of nicgen prove --json, or two: the folder and a unit", len(args))
	}
	var b strings.Builder
	subjects, err := m.subjects(args[1:])
	if err != nil {
		return "", err
	}
	for _, subject := range subjects {
		name := path.Join(path.Dir(page), args[0], subject.Name+".json")
		text, err := m.read(name)
		var none *unmeasured
		if errors.As(err, &none) {
			heading(&b, subject, args)
			b.WriteString(section.Unmeasured(evidence.Program+" "+none.run) + "\n")
			continue
		}
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
		heading(&b, subject, args)
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

// subjects returns the subjects with properties: the unit in named, or the units of the module and, in
// nicgen's own module, the shared parts.
func (m *Maker) subjects(named []string) ([]proof.Subject, error) {
	if len(named) > 0 {
		u, cfg, err := m.unit(named)
		if err != nil {
			return nil, err
		}
		if u.Proofs == nil {
			return nil, fmt.Errorf("unit %s has no properties to prove", cfg.Unit())
		}
		return []proof.Subject{u.Subject()}, nil
	}
	list := registry.Subjects(m.own())
	if len(registry.Outside(m.Units)) > 0 {
		list = list[1:]
	}
	return list, nil
}

// heading is the heading of a subject among others.
func heading(b *strings.Builder, subject proof.Subject, args []string) {
	if len(args) > 1 {
		return
	}
	title := "The parts that units share"
	if subject.New != nil {
		title, _, _ = strings.Cut(subject.New().Title(), ":")
	}
	fmt.Fprintf(b, "## %s\n\n", title)
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
