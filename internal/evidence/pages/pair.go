// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"

	"github.com/nicgen/nicgen/internal/evidence/table"
)

// Pair is a record of nicgen nic pair: the tables that it prints.
type Pair struct {
	Command  string      `json:"command"`
	Scenario string      `json:"scenario"`
	Title    string      `json:"title"`
	Seed     uint64      `json:"seed"`
	Before   [2]uint64   `json:"before_ns"` // times to which the values before and after belong
	After    [2]uint64   `json:"after_ns"`
	Tables   []PairTable `json:"tables"`
	Note     string      `json:"note,omitempty"`
}

// PairTable is a table of a Pair.
type PairTable struct {
	Head []string   `json:"head"`
	Rows [][]string `json:"rows"`
}

// pairs returns a table from a record of nicgen nic pair: all columns, or the ones with the given
// numbers, counted from 1.
func pairs(m *Maker, page string, args []string) (string, error) {
	if len(args) < 2 {
		return "", fmt.Errorf("pair: found %d arguments, want a file, the number of a table, and columns", len(args))
	}
	name := path.Join(path.Dir(page), args[0])
	text, err := m.read(name)
	if err != nil {
		return "", err
	}
	var p Pair
	if err := json.Unmarshal(text, &p); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	number := func(text string, most int) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("%s: found %q, want a number from 1 to %d", name, text, most)
		}
		return n - 1, nil
	}
	at, err := number(args[1], len(p.Tables))
	if err != nil {
		return "", err
	}
	from := p.Tables[at]
	var columns []int
	for _, a := range args[2:] {
		c, err := number(a, len(from.Head))
		if err != nil {
			return "", err
		}
		columns = append(columns, c)
	}
	if columns == nil {
		for c := range from.Head {
			columns = append(columns, c)
		}
	}
	t := table.Table{}
	for _, c := range columns {
		t.Head = append(t.Head, from.Head[c])
	}
	for _, r := range from.Rows {
		if len(r) != len(from.Head) {
			return "", fmt.Errorf("%s: a row of %d cells, want %d", name, len(r), len(from.Head))
		}
		var cells []table.Cell
		for _, c := range columns {
			kind := table.Plain
			if _, err := strconv.ParseFloat(r[c], 64); err == nil || r[c] == "–" {
				kind = table.Count
			}
			cells = append(cells, table.Cell{Text: r[c], Kind: kind})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t.Markdown() + fmt.Sprintf("\nMade by `%s`.\n", p.Command), nil
}
