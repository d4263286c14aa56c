// SPDX-License-Identifier: Apache-2.0

// Package speed keeps a history of measured speeds and reports modes that became slower.
//
// Speeds of different days and machines are compared as ratios to the plain C++ loop that ran
// alongside, never in cycles per second.
package speed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/rows"
)

// Record is one measurement of a unit in one configuration.
type Record struct {
	Unit     string             `json:"unit"`
	RTL      string             `json:"rtl"`      // emit.DesignDigest of the configuration; empty in the oldest records
	Revision string             `json:"revision"` // of the program that measured: a commit, or "unknown"
	Params   map[string]string  `json:"params"`   // the whole configuration, by key
	Cycles   uint64             `json:"cycles"`   // in each round
	Rounds   int                `json:"rounds"`
	Ratios   map[string]float64 `json:"ratios"` // by mode: speed ÷ speed of the plain loop in the same run
}

// NewRecord returns a measurement as the history keeps it.
func NewRecord(unit, rtl, revision string, params map[string]any, m *cosim.Measurement) Record {
	r := Record{Unit: unit, RTL: rtl, Revision: revision, Params: map[string]string{}, Cycles: m.Cycles, Rounds: m.Rounds, Ratios: map[string]float64{}}
	for k, v := range params {
		r.Params[k] = fmt.Sprint(v)
	}
	for _, s := range m.Speeds {
		if s.Mode != cosim.PlainLoop {
			r.Ratios[s.Mode] = s.Ratio
		}
	}
	return r
}

// History holds earlier measurements, oldest first.
type History []Record

// Read reads a history. A file that is not there is an empty one.
func Read(name string) (History, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of speeds: %w", err)
	}
	var h History
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return nil, fmt.Errorf("history of speeds %s: %w: want a list that nicgen bench --record wrote", name, err)
	}
	for i, r := range h {
		for mode, x := range r.Ratios {
			if r.Unit == "" || !(x > 0) {
				return nil, fmt.Errorf("history of speeds %s: entry %d: unit %q, %s: ratio %g, want a name and ratios above 0", name, i+1, r.Unit, mode, x)
			}
		}
	}
	return h, nil
}

// Text returns the history as Read reads it.
func (h History) Text() ([]byte, error) {
	return rows.Marshal(h)
}

// Before returns the last measurement of the record's unit in the record's configuration.
func (h History) Before(r Record) (Record, bool) {
	for _, old := range slices.Backward(h) {
		if old.Unit == r.Unit && maps.Equal(old.Params, r.Params) {
			return old, true
		}
	}
	return Record{}, false
}

// Change is a mode's ratio before and after.
type Change struct {
	Mode     string
	Was, Is  float64
	Slower   bool // by more than the tolerance
	Revision string
}

// Compare compares a measurement with an earlier one, mode by mode in order of name. A mode is
// slower if its ratio is below (1 - tolerance) of its earlier one. A mode without an earlier
// measurement is left out.
func Compare(was, is Record, tolerance float64) []Change {
	var list []Change
	for _, mode := range slices.Sorted(maps.Keys(is.Ratios)) {
		if old, ok := was.Ratios[mode]; ok {
			x := is.Ratios[mode]
			list = append(list, Change{Mode: mode, Was: old, Is: x, Slower: x < old*(1-tolerance), Revision: was.Revision})
		}
	}
	return list
}
