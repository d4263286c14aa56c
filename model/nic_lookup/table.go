// SPDX-License-Identifier: Apache-2.0

// Package niclookup is the golden model of the connection lookup: a table of several ways, written
// place by place, and searches in it. docs/units/nic_lookup.md describes the unit.
package niclookup

import (
	"fmt"

	params "github.com/nicgen/nicgen/gen/nic_lookup"
)

// Entry is the content of a place.
type Entry struct {
	Set  bool
	Key  Key
	Conn uint32
}

// Write is a write to a place.
type Write struct {
	Way, Row int
	Entry    Entry
}

// Answer is the result of a search.
type Answer struct {
	Hit      bool
	Conn     uint32
	Found    [params.MaxWays]bool // the ways with an entry of the key
	Conflict bool                 // their connections differ
}

// Table is the unit's state.
type Table struct {
	*Hash
	p      *params.Params
	places []Entry // row after row, a row's ways side by side
}

// New returns the table in its state after reset.
func New(p *params.Params) *Table {
	return &Table{Hash: NewHash(p), p: p, places: make([]Entry, p.Ways*p.Rows)}
}

// Reset clears all places.
func (t *Table) Reset() { clear(t.places) }

// place returns a place of the table, or nil.
func (t *Table) place(way, row int) *Entry {
	if way < 0 || int64(way) >= t.p.Ways || row < 0 || int64(row) >= t.p.Rows {
		return nil
	}
	return &t.places[int64(row)*t.p.Ways+int64(way)]
}

// Write executes a write. An illegal one, to a nonexistent place or for a nonexistent connection,
// returns an error and changes nothing.
func (t *Table) Write(w Write) error {
	at := t.place(w.Way, w.Row)
	if at == nil {
		return fmt.Errorf("way %d, row %d: there is no such place", w.Way, w.Row)
	}
	if w.Entry.Set && int64(w.Entry.Conn) >= t.p.Connections {
		return fmt.Errorf("connection %d: want 0 to %d", w.Entry.Conn, t.p.Connections-1)
	}
	*at = w.Entry
	return nil
}

// Read returns the content of a place.
func (t *Table) Read(way, row int) (Entry, error) {
	at := t.place(way, row)
	if at == nil {
		return Entry{}, fmt.Errorf("way %d, row %d: there is no such place", way, row)
	}
	return *at, nil
}

// Search looks for a key in its places. The lowest way that has it gives the connection.
func (t *Table) Search(k Key) Answer {
	var a Answer
	rows := t.Rows(k)
	for w := range int(t.p.Ways) {
		e := t.place(w, rows[w])
		if !e.Set || e.Key != k {
			continue
		}
		a.Found[w] = true
		if !a.Hit {
			a.Hit, a.Conn = true, e.Conn
		}
		a.Conflict = a.Conflict || e.Conn != a.Conn
	}
	return a
}
