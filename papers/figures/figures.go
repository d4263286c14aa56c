// SPDX-License-Identifier: Apache-2.0

// Package figures lists the figures of all papers.
package figures

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/papers/dcsim"
	"github.com/nicgen/nicgen/papers/laps"
	"github.com/nicgen/nicgen/papers/plb"
	"github.com/nicgen/nicgen/papers/powertcp"
	"github.com/nicgen/nicgen/papers/reps"
)

// Paper is the figures of a paper.
type Paper struct {
	Name    string // of its record and its page
	Figures []papers.Figure
}

// Papers are all papers.
var Papers = []Paper{{"reps", reps.Figures}, {"powertcp", powertcp.Figures}, {"laps", laps.Figures}, {"plb", plb.Figures}, {"dcsim", dcsim.Figures}}

// All are the figures of all papers, in order.
var All = all()

func all() (list []papers.Figure) {
	for _, p := range Papers {
		list = append(list, p.Figures...)
	}
	return list
}

// Find returns a figure by its name.
func Find(name string) (*papers.Figure, error) {
	var names []string
	for i := range All {
		if All[i].Name == name {
			return &All[i], nil
		}
		names = append(names, All[i].Name)
	}
	return nil, fmt.Errorf("figure: found %q, allowed: %s", name, strings.Join(names, ", "))
}
