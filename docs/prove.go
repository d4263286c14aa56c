// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/gen/emit"
)

// proofs shows reports of nicgen prove --json: for each set of properties what it
// covers and how it is proved, then a row for each property.
func proofs(m *Maker, page string, args []string) (string, error) {
	if len(args) == 0 {
		return "", fmt.Errorf("no report named, want a file written by nicgen prove --json")
	}
	var b strings.Builder
	for _, a := range args {
		name := path.Join(path.Dir(page), a)
		text, err := m.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("report of nicgen prove --json %s: %w", name, err)
		}
		var r prove.Report
		if err := json.Unmarshal(text, &r); err != nil || r.Unit == "" {
			return "", fmt.Errorf("%s: not a report of nicgen prove: %v", name, err)
		}
		for _, s := range r.Sets {
			fmt.Fprintf(&b, "**%s/%s** (`%s`). %s\n\n", r.Unit, s.Name, s.Top, s.Says)
			rows := [][]string{{"Configuration", "State, bits", "AND gates", "Lemmas", "Proof", "Solving / elaboration"}}
			for _, p := range s.Proofs {
				how := fmt.Sprintf("induction, k = %d", p.K)
				if p.Frames > 0 {
					how = fmt.Sprintf("invariant of %d clauses, k = 1", p.Clauses)
				}
				rows = append(rows, []string{"`" + p.Config + "`", fmt.Sprint(p.Latches), fmt.Sprint(p.Ands), fmt.Sprint(p.Lemmas), how, fmt.Sprintf("%.2f", p.Effort)})
			}
			b.WriteString(emit.Table(rows) + "\n")
			rows = [][]string{{"Property", "What holds", "Status", "Its situation occurs in cycle", "Mistake that breaks it", "in cycle"}}
			for _, p := range s.Properties {
				status := string(p.Status)
				if p.Open != "" {
					status += ": " + p.Open
				}
				rows = append(rows, []string{"`" + p.Name + "`", p.Says, status, strings.Trim(fmt.Sprint(p.Reached), "[]"), p.Mistake, fmt.Sprint(p.Broken)})
			}
			b.WriteString(emit.Table(rows) + "\n")
		}
	}
	return b.String(), nil
}
