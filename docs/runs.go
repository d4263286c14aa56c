// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/record"
	"github.com/nicgen/nicgen/gen/emit"
)

// runs is the table of recorded co-simulations: FOLDER/<unit>.json in the units' order; a
// unit without such a file is named as one that has not been run.
func runs(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("runs: found %d arguments, want one: a folder of records of nicgen cosim --record", len(args))
	}
	var list []record.Run
	tools := map[string]bool{}
	for _, u := range m.Units {
		name := path.Join(path.Dir(page), args[0], u.New().Unit()+".json")
		text, err := m.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			list = append(list, record.Run{Unit: u.New().Unit()})
			continue
		}
		if err != nil {
			return "", err
		}
		more, err := record.Parse(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, more...)
	}
	cells := false
	for _, r := range list {
		cells = cells || len(r.Cells) > 0
		for _, t := range r.Tools {
			tools[t] = true
		}
	}
	head := []string{"Unit", "Parameters", "Simulator", "Seed", "Cycles", "Events", "Mismatches", "Result"}
	if cells {
		head = append(head, "Cells")
	}
	rows := [][]string{head}
	for _, r := range list {
		if r.Outcome == "" {
			row := make([]string, len(head))
			row[0], row[7] = "`"+r.Unit+"`", "no record"
			rows = append(rows, row)
			continue
		}
		set := "default"
		if len(r.Set) > 0 {
			var words []string
			for _, k := range sortedKeys(r.Set) {
				words = append(words, "`"+k+"="+r.Set[k]+"`")
			}
			set = strings.Join(words, " ")
		}
		row := []string{"`" + r.Unit + "`", set, r.Simulator, fmt.Sprint(r.Seed), fmt.Sprint(r.Cycles), fmt.Sprint(r.Events), fmt.Sprint(r.Mismatches), r.Outcome}
		if cells {
			var words []string
			for _, k := range sortedKeys(r.Cells) {
				words = append(words, fmt.Sprintf("%d %s", r.Cells[k], k))
			}
			row = append(row, strings.Join(words, ", "))
		}
		rows = append(rows, row)
	}
	versions := make([]string, 0, len(tools))
	for t := range tools {
		versions = append(versions, t)
	}
	slices.Sort(versions)
	return strings.Join(versions, "; ") + ".\n\n" + emit.Table(rows), nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
