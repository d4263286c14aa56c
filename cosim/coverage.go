// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Lines is the coverage of the RTL's lines and branches in a run, all instances
// of a module taken together.
type Lines struct {
	Points    int      `json:"points"`
	Hit       int      `json:"hit"`       // executed at least once
	Unreached []string `json:"unreached"` // "file:line (branch)" of the others
	Executed  []string `json:"-"`         // of those that were hit
	File      string   `json:"file,omitempty"`
}

// lineCoverage reads an instance's counters. If dir is not empty, they are kept
// there in a file for verilator_coverage.
func lineCoverage(i *Instance, dir, name string) (*Lines, error) {
	tmp, err := os.MkdirTemp(dir, ".nicgen-")
	if err != nil {
		return nil, fmt.Errorf("line coverage: %w", err)
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, name)
	if err := i.WriteCoverage(file); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("line coverage: %w", err)
	}
	l, err := parseCoverage(string(b))
	if err != nil || dir == "" {
		return l, err
	}
	l.File = filepath.Join(dir, name)
	if err := os.Rename(file, l.File); err != nil {
		return nil, fmt.Errorf("line coverage: %w", err)
	}
	return l, nil
}

// parseCoverage reads Verilator's coverage format: lines of C 'keys' count, a
// key being \x01 name \x02 value.
func parseCoverage(text string) (*Lines, error) {
	type point struct {
		file   string
		line   int
		branch string
		column string
	}
	hits := map[point]uint64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		body, ok := strings.CutPrefix(line, "C '")
		at := strings.LastIndex(body, "' ")
		if !ok || at < 0 {
			return nil, fmt.Errorf("line coverage: %q is not in verilator's format", line)
		}
		n, err := strconv.ParseUint(body[at+2:], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line coverage: count %q", body[at+2:])
		}
		var p point
		page := ""
		for _, kv := range strings.Split(body[:at], "\x01") {
			k, v, _ := strings.Cut(kv, "\x02")
			switch k {
			case "f":
				p.file = v
			case "l":
				p.line, _ = strconv.Atoi(v)
			case "n":
				p.column = v
			case "o":
				p.branch = v
			case "page":
				page = v
			}
		}
		if strings.HasPrefix(page, "v_line") || strings.HasPrefix(page, "v_branch") {
			hits[p] += n
		}
	}
	points := slices.SortedFunc(maps.Keys(hits), func(a, b point) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column), cmp.Compare(a.branch, b.branch))
	})
	l := &Lines{Points: len(hits), Unreached: []string{}}
	for _, p := range points {
		name := fmt.Sprintf("%s:%d (%s)", p.file, p.line, p.branch)
		if hits[p] > 0 {
			l.Executed = append(l.Executed, name)
		} else {
			l.Unreached = append(l.Unreached, name)
		}
	}
	l.Hit = len(l.Executed)
	return l, nil
}
