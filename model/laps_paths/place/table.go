// SPDX-License-Identifier: Apache-2.0

// Package place puts the paths of a path table into the banks of the LAPS path tables
// (gen/laps_paths) and lists the control plane's writes.
package place

import (
	"cmp"
	"fmt"
	"slices"
)

// Path is one path of a table.
type Path struct {
	Name        int64    // its number in the table
	Destination int64    // as the table numbers it
	BaseNS      uint32   // latency of the empty path, above 0 ns
	LatencyNS   uint32   // latency to begin with, ns
	Anchors     []uint32 // nodes on the path; missing ones are filled up with zeros
}

// Table is the paths from one host.
type Table struct {
	Source int64
	Paths  []Path
}

// Destinations lists the table's destinations in order; the place in the list is the destination's
// number in the hardware.
func (t *Table) Destinations() []int64 {
	var list []int64
	for _, p := range t.Paths {
		list = append(list, p.Destination)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// byDestination groups the paths' places in Paths, in the order of Destinations,
// by name within one.
func (t *Table) byDestination() [][]int {
	order := make([]int, len(t.Paths))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := &t.Paths[a], &t.Paths[b]
		return cmp.Or(cmp.Compare(x.Destination, y.Destination), cmp.Compare(x.Name, y.Name))
	})
	var groups [][]int
	for i, k := range order {
		if i == 0 || t.Paths[k].Destination != t.Paths[order[i-1]].Destination {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], k)
	}
	return groups
}

// twice finds paths that occur in the table more than once: a path belongs to one destination.
func (t *Table) twice() (errs []error) {
	seen := map[int64]int64{}
	for _, p := range t.Paths {
		if d, ok := seen[p.Name]; ok {
			errs = append(errs, fmt.Errorf("path %d leads to destinations %d and %d, want one: use a separate path number for each", p.Name, d, p.Destination))
			continue
		}
		seen[p.Name] = p.Destination
	}
	return errs
}
