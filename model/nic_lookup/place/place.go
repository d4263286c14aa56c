// SPDX-License-Identifier: Apache-2.0

// Package place decides where the entries of nic_lookup go, as software does for the unit: a key
// has one place in each way, and entries move to other places of theirs to make room (cuckoo
// hashing). Each change is a list of writes, to be executed in order.
//
// After every prefix of every list, each key that was in the table before, and is not deleted, is
// found with its connection: an entry is first copied to its new place, and the old place is
// overwritten afterwards. A list that stops in the middle leaves a duplicate entry, which is legal.
package place

import (
	"errors"
	"fmt"

	params "github.com/nicgen/nicgen/gen/nic_lookup"
	model "github.com/nicgen/nicgen/model/nic_lookup"
)

// Errors of changes, which then change nothing.
var (
	ErrFull    = errors.New("no moves make room for the key")
	ErrKnown   = errors.New("the table has the key")
	ErrUnknown = errors.New("the table does not have the key")
	ErrTaken   = errors.New("the place has another entry")
)

// Table is software's copy of the unit's table.
type Table struct {
	p      *params.Params
	hash   *model.Hash
	places []model.Entry     // way after way
	at     map[model.Key]int // the place of each key
}

// New returns an empty table.
func New(p *params.Params) *Table {
	return &Table{p: p, hash: model.NewHash(p), places: make([]model.Entry, p.Ways*p.Rows), at: map[model.Key]int{}}
}

// Len returns the number of entries.
func (t *Table) Len() int { return len(t.at) }

// Lookup returns the connection of a key.
func (t *Table) Lookup(k model.Key) (conn uint32, ok bool) {
	at, ok := t.at[k]
	if ok {
		conn = t.places[at].Conn
	}
	return conn, ok
}

// of returns the places that a key may have, by way.
func (t *Table) of(k model.Key) []int {
	rows := t.hash.Rows(k)
	out := make([]int, t.p.Ways)
	for w := range out {
		out[w] = w*int(t.p.Rows) + rows[w]
	}
	return out
}

// put sets a place and returns the write that does it.
func (t *Table) put(at int, e model.Entry) model.Write {
	t.places[at] = e
	if e.Set {
		t.at[e.Key] = at
	}
	return model.Write{Way: at / int(t.p.Rows), Row: at % int(t.p.Rows), Entry: e}
}

// Insert adds a key with its connection. The fewest moves make room for it, and it is written last.
func (t *Table) Insert(k model.Key, conn uint32) ([]model.Write, error) {
	if int64(conn) >= t.p.Connections {
		return nil, fmt.Errorf("connection %d: want 0 to %d", conn, t.p.Connections-1)
	}
	if k != k.Cut(t.p.KeyBits) {
		return nil, fmt.Errorf("a key of more than %d bits", t.p.KeyBits)
	}
	if _, ok := t.at[k]; ok {
		return nil, ErrKnown
	}
	path := t.room(k)
	if path == nil {
		return nil, ErrFull
	}
	var out []model.Write
	for i := len(path) - 1; i > 0; i-- { // into the free place first
		out = append(out, t.put(path[i], t.places[path[i-1]]))
	}
	return append(out, t.put(path[0], model.Entry{Set: true, Key: k, Conn: conn})), nil
}

// room searches, breadth first, for the shortest path from a place of the key to a free one, on
// which each entry may move to the next place, or nil.
func (t *Table) room(k model.Key) []int {
	from := map[int]int{} // the place before, -1 for the first
	var queue []int
	visit := func(places []int, before int) {
		for _, at := range places {
			if _, seen := from[at]; !seen {
				from[at] = before
				queue = append(queue, at)
			}
		}
	}
	visit(t.of(k), -1)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if t.places[at].Set {
			visit(t.of(t.places[at].Key), at)
			continue
		}
		var path []int
		for ; at >= 0; at = from[at] {
			path = append([]int{at}, path...)
		}
		return path
	}
	return nil
}

// Move moves a key's entry to its place in another way, which must be free: a copy, then the
// deletion of the old one.
func (t *Table) Move(k model.Key, way int) ([]model.Write, error) {
	old, ok := t.at[k]
	if !ok {
		return nil, ErrUnknown
	}
	if way < 0 || int64(way) >= t.p.Ways {
		return nil, fmt.Errorf("way %d: want 0 to %d", way, t.p.Ways-1)
	}
	to := t.of(k)[way]
	if to == old {
		return nil, nil
	}
	if t.places[to].Set {
		return nil, ErrTaken
	}
	return []model.Write{t.put(to, t.places[old]), t.put(old, model.Entry{})}, nil
}

// Delete removes a key.
func (t *Table) Delete(k model.Key) ([]model.Write, error) {
	at, ok := t.at[k]
	if !ok {
		return nil, ErrUnknown
	}
	delete(t.at, k)
	return []model.Write{t.put(at, model.Entry{})}, nil
}
