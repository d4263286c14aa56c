// SPDX-License-Identifier: Apache-2.0

// Package table holds results as a table without a format: the pages write it as Markdown, the
// report as HTML.
package table

import (
	"fmt"

	"github.com/nicgen/nicgen/gen/emit"
)

// Table is a table; each row has as many cells as Head.
type Table struct {
	Head []string
	Rows [][]Cell
}

// Cell is a cell of a table.
type Cell struct {
	Text string
	Kind Kind
	Link string // "#mutation", or empty; of the report only
}

// Kind is the kind of a cell.
type Kind string

// The kinds.
const (
	Plain   Kind = ""        // words
	Count   Kind = "number"  // a number
	Code    Kind = "code"    // a name, settings or a command
	Total   Kind = "total"   // the name of a row that sums up
	Good    Kind = "good"    // shown, and as it should be
	Bad     Kind = "bad"     // shown, and not as it should be
	Differs Kind = "differs" // shown, and different from the published result
	Due     Kind = "due"     // was good, and is to be measured again
	Absent  Kind = "none"    // not measured
)

// Words returns a cell of words.
func Words(format string, args ...any) Cell { return Cell{Text: fmt.Sprintf(format, args...)} }

// Number returns a cell with a number.
func Number[T int | uint64](n T) Cell { return Cell{Text: fmt.Sprint(n), Kind: Count} }

// Name returns a cell of code.
func Name(format string, args ...any) Cell {
	return Cell{Text: fmt.Sprintf(format, args...), Kind: Code}
}

// Verdict returns a cell that is Good or Bad.
func Verdict(ok bool, format string, args ...any) Cell {
	c := Cell{Text: fmt.Sprintf(format, args...), Kind: Bad}
	if ok {
		c.Kind = Good
	}
	return c
}

// Settings returns a cell with a configuration, "key=value …" on top of the default.
func Settings(text string) Cell {
	if text == "" {
		return Words("default")
	}
	return Name("%s", text)
}

// Markdown returns the table in a page.
func (t *Table) Markdown() string {
	rows := [][]string{t.Head}
	for _, r := range t.Rows {
		var row []string
		for _, c := range r {
			switch {
			case c.Text == "":
			case c.Kind == Code:
				c.Text = "`" + c.Text + "`"
			case c.Kind == Total:
				c.Text = "**" + c.Text + "**"
			}
			row = append(row, c.Text)
		}
		rows = append(rows, row)
	}
	return emit.Table(rows)
}
