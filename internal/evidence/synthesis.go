// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"slices"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// Synthesis returns the part of a synthesis report that the record of a unit keeps: counts, memories,
// the longest path of each kind and its delay, without the cells on the paths, the spread of slack
// and the places in the source, which nicgen synth --json has.
func Synthesis(r *synth.Report) *synth.Report {
	out := *r
	out.Memories = slices.Clone(r.Memories)
	for i := range out.Memories {
		out.Memories[i].Src = ""
	}
	for _, p := range []**synth.Path{&out.RegToReg, &out.InToReg, &out.RegToOut, &out.InToOut} {
		if *p != nil {
			short := **p
			short.FromSrc, short.ToSrc, short.Steps = "", "", nil
			*p = &short
		}
	}
	if r.Timing == nil {
		return &out
	}
	e := *r.Timing
	for _, g := range []**timing.Group{&e.RegToReg, &e.InToReg, &e.RegToOut, &e.InToOut} {
		if *g != nil {
			short := **g
			short.Pessimistic, short.Worst = nil, []timing.Path{(*g).Worst[0]}
			short.Worst[0].Steps = nil
			*g = &short
		}
	}
	e.Clocks = slices.Clone(e.Clocks)
	for i := range e.Clocks {
		e.Clocks[i].Histogram = nil
	}
	e.Nets, e.Resets = nil, nil
	out.Timing = &e
	return &out
}
