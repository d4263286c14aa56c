// SPDX-License-Identifier: Apache-2.0

// Package record holds the records of co-simulations that pages show: runs, lengths and results. It
// holds no times, so that the same run gives the same record on every machine.
package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/rows"
)

// Run is one co-simulation.
type Run struct {
	Unit       string            `json:"unit"`
	Set        map[string]string `json:"set,omitempty"` // parameters that differ from their defaults
	Design     string            `json:"design"`        // RTL or Netlist
	RTL        string            `json:"rtl"`           // emit.DesignDigest of the configuration
	Simulator  string            `json:"simulator"`     // cosim.Verilator, …
	Tools      []string          `json:"tools"`         // the programs that made and ran the model, with their versions
	Command    string            `json:"command"`       // repeats it
	Seed       uint64            `json:"seed"`
	Cycles     uint64            `json:"cycles"`     // compared
	Events     uint64            `json:"events"`     // accepted by the golden model
	Mismatches uint64            `json:"mismatches"` // number of differing outputs in the cycle at which it stopped
	Outcome    string            `json:"outcome"`    // as in cosim.Report
	Cells      map[string]int    `json:"cells,omitempty"`
}

// Designs.
const (
	RTL     = "rtl"     // the emitted SystemVerilog
	Netlist = "netlist" // the netlist that Yosys maps it to
)

// Fill copies the results of a report.
func (r *Run) Fill(rep *cosim.Report) {
	r.Unit, r.Seed, r.Cycles, r.Events = rep.Unit, rep.Seed, rep.Cycles, rep.Events
	r.Mismatches, r.Outcome = rep.Mismatches, rep.Outcome
}

// Merge adds runs to a list; one of the same design in the same configuration and simulator
// replaces the earlier one.
func Merge(list, more []Run) []Run {
	list = slices.Clone(list)
	for _, r := range more {
		i := slices.IndexFunc(list, func(o Run) bool {
			return o.Unit == r.Unit && o.Design == r.Design && o.Simulator == r.Simulator && maps.Equal(o.Set, r.Set)
		})
		if i < 0 {
			list = append(list, r)
		} else {
			list[i] = r
		}
	}
	return list
}

// Text returns the JSON of runs.
func Text(runs []Run) ([]byte, error) {
	return rows.Marshal(runs)
}

// Parse reads the output of Text.
func Parse(text []byte) ([]Run, error) {
	var runs []Run
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&runs); err != nil {
		return nil, fmt.Errorf("%w: want a list of runs as nicgen cosim --record writes it", err)
	}
	return runs, nil
}
