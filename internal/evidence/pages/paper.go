// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/transport"
)

// paper shows figures of a paper from a record of nicgen reproduce: one with its numbers and runs,
// or the number of reproduced numbers of each.
func paper(m *Maker, page string, args []string) (string, error) {
	if len(args) < 1 || len(args) > 2 {
		return "", fmt.Errorf("paper: found %d arguments, want a file, and a figure or none", len(args))
	}
	name := path.Join(path.Dir(page), args[0])
	list, err := outcomes(m, name)
	if err != nil {
		return "", err
	}
	if len(args) == 1 {
		reasons, err := m.reasons(page, name)
		if err != nil {
			return "", err
		}
		t := table.Table{Head: []string{"Figure", "What it shows", "Where", "Numbers", "Why the others differ"}}
		for i := range list {
			o := &list[i]
			verdict, _ := evidence.Verdict(o)
			t.Rows = append(t.Rows, []table.Cell{table.Name("%s", o.Figure), table.Words("%s", o.Title), table.Words("%s", o.Paper),
				table.Words("%s", verdict), table.Words("%s", reasons[o.Figure])})
		}
		return t.Markdown(), nil
	}
	var names []string
	for i := range list {
		if o := &list[i]; o.Figure == args[1] {
			return figure(o), nil
		}
		names = append(names, list[i].Figure)
	}
	return "", fmt.Errorf("%s: %w", name, unknown("figure", args[1], names))
}

// reasons returns the reasons why figures of a record differ, from the page that shows the record.
func (m *Maker) reasons(page, record string) (map[string]string, error) {
	text, err := m.read(page)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return evidence.Reasons(strings.TrimSuffix(path.Base(record), ".json"), text), err
}

// outcomes reads a record of nicgen reproduce.
func outcomes(m *Maker, name string) ([]papers.Outcome, error) {
	text, err := m.read(name)
	if err != nil {
		return nil, err
	}
	list, err := papers.Outcomes(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// models shows the numbers of figures by two models side by side, from two records.
func models(m *Maker, page string, args []string) (string, error) {
	if len(args) != 2 {
		return "", fmt.Errorf("models: found %d arguments, want two files", len(args))
	}
	first, err := outcomes(m, path.Join(path.Dir(page), args[0]))
	if err != nil {
		return "", err
	}
	second, err := outcomes(m, path.Join(path.Dir(page), args[1]))
	if err != nil {
		return "", err
	}
	t := table.Table{Head: []string{"Figure", "Set-up", "Number"}}
	var heads [2][]string // models, in order: figures of one record may have different ones
	for i := range second {
		for k := range first {
			a, b := &first[k], &second[i]
			if a.Figure != b.Figure {
				continue
			}
			if len(a.Claims) != len(b.Claims) {
				return "", fmt.Errorf("models: figure %s has %d numbers in %s, %d in %s: make both records again", a.Figure, len(a.Claims), args[0], len(b.Claims), args[1])
			}
			for k, m := range []string{string(a.Model), string(b.Model)} {
				if m != "" && !slices.Contains(heads[k], m) {
					heads[k] = append(heads[k], m)
				}
			}
			for n := range a.Claims {
				x, y := &a.Claims[n], &b.Claims[n]
				t.Rows = append(t.Rows, []table.Cell{table.Name("%s", a.Figure), table.Words("%s", x.Setup), table.Words("%s", x.What), table.Words("%s", x.Comes()), table.Words("%s", y.Comes())})
			}
		}
	}
	if t.Rows == nil {
		return "", fmt.Errorf("models: %s and %s have no figure in common", args[0], args[1])
	}
	for _, h := range heads {
		t.Head = append(t.Head, strings.Join(h, ", "))
	}
	return t.Markdown(), nil
}

// lockstep shows which figures were run with RTL, and the number of their values that equal the
// golden models': all of them, as the lockstep finds any difference.
func lockstep(m *Maker, page string, args []string) (string, error) {
	if len(args) < 2 {
		return "", fmt.Errorf("lockstep: found %d arguments, want two files or more", len(args))
	}
	var lists [][]papers.Outcome
	for _, name := range args {
		list, err := outcomes(m, path.Join(path.Dir(page), name))
		if err != nil {
			return "", err
		}
		lists = append(lists, list)
	}
	golden := map[string]*papers.Outcome{}
	for _, o := range slices.Concat(lists[1:]...) {
		golden[o.Figure] = &o
	}
	t := table.Table{Head: []string{"Figure", "Senders with RTL", "Numbers", "Equal to the golden models"}}
	for _, o := range lists[0] {
		g := golden[o.Figure]
		if o.Model != transport.RTL || g == nil || len(g.Claims) != len(o.Claims) {
			return "", fmt.Errorf("lockstep: %s: figure %s: found model %q, %d numbers, allowed: %s, and the numbers of another record: make both again", args[0], o.Figure, o.Model, len(o.Claims), transport.RTL)
		}
		same := 0
		for i := range o.Claims {
			if o.Claims[i] == g.Claims[i] {
				same++
			}
		}
		in := "all"
		if o.RTLHosts > 0 {
			in = fmt.Sprintf("%d", o.RTLHosts)
		}
		t.Rows = append(t.Rows, []table.Cell{table.Name("%s", o.Figure), table.Words("%s", in), table.Number(len(o.Claims)), table.Number(same)})
	}
	return t.Markdown(), nil
}

// figure shows a figure: the paper's numbers next to ours, and the runs.
func figure(o *papers.Outcome) string {
	claims := table.Table{Head: []string{"Set-up", "Number", "Paper", "Found", "Apart", "Verdict"}}
	for i := range o.Claims {
		c := &o.Claims[i]
		claims.Rows = append(claims.Rows, []table.Cell{table.Words("%s", c.Setup), table.Words("%s", c.What), table.Words("%s", c.Says()),
			table.Words("%s", c.Comes()), table.Words("%s", c.Apart()), table.Words("%s", c.Verdict())})
	}
	runs := table.Table{Head: o.Head}
	for _, r := range o.Rows {
		var cells []table.Cell
		for _, c := range r {
			cells = append(cells, table.Words("%s", c))
		}
		runs.Rows = append(runs.Rows, cells)
	}
	by := ""
	if o.Model != "" {
		by = fmt.Sprintf(" --model %s", o.Model)
	}
	return claims.Markdown() + "\n" + runs.Markdown() + fmt.Sprintf("\nMade by `nicgen reproduce %s%s --seed %d`.\n", o.Figure, by, o.Seed)
}
