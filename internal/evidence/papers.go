// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/papers/figures"
)

// paperRuns are the runs that make the records of papers: the arguments of nicgen reproduce, and
// the record to which its figures go. A record of two runs has the figures of both.
var paperRuns = []struct{ record, arguments string }{
	{"reps", allOf("reps")},
	{"powertcp", allOf("powertcp")},
	{"laps", allOf("laps")},
	{"plb", allOf("plb")},
	{"dcsim", "dcsim-eq5"},
	{"dcsim", "dcsim-8 dcsim-10 dcsim-11 --model rtl"}, // the first sender of a run has the RTL
	{"rtl", "reps-4 reps-7 reps-2 reps-22 reps-23 reps-15 reps-3 reps-5 reps-10b powertcp-2.4 powertcp-2.4b powertcp-2.5 plb-t1 plb-t2 plb-13 --model rtl"},
	{"rtl", "powertcp-2.6 powertcp-2.6m laps-t4 laps-9 laps-12 laps-19 laps-20s laps-20r --model rtl --rtl-hosts 1"},
	{"cycles", "reps-4 reps-7 reps-2 powertcp-2.4 powertcp-2.5 plb-t1 plb-13 laps-20s dcsim-eq5 dcsim-8 dcsim-11 --model cycles"},
	{"float", "powertcp-2.4 laps-20s laps-20r --model float"},
}

// allOf returns the names of a paper's figures.
func allOf(paper string) string {
	var names []string
	for _, p := range figures.Papers {
		if p.Name != paper {
			continue
		}
		for _, f := range p.Figures {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, " ")
}

// papersMade returns the runs behind the records of papers. The series of figures are written below
// build.
func papersMade() (list []string) {
	for i, r := range paperRuns {
		list = append(list, fmt.Sprintf("reproduce %s --json build/papers/%d_%[3]s.json --record docs/data/papers/%[3]s.json", r.arguments, i+1, r.record))
	}
	return list
}
