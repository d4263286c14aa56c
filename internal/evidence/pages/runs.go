// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence/record"
)

// runs returns the table of recorded co-simulations: FOLDER/<unit>.json in the units' order; a unit
// without such a file is listed as not run.
func runs(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("runs: found %d arguments, want one: a folder of records of nicgen cosim --record", len(args))
	}
	var list []record.Run
	tools := map[string]bool{}
	for _, u := range m.own() {
		name := path.Join(path.Dir(page), args[0], u.New().Unit()+".json")
		text, err := m.read(name)
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
	for _, r := range list {
		for _, t := range r.Tools {
			tools[t] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(tools)), "; ") + ".\n\n" + record.Table(list).Markdown(), nil
}
