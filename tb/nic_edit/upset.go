// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the editor's legal behaviour after a bit of its state changed: it may change
// bytes. Beats, their ends and their byte counts are in a parallel pipeline.
var upset = &bench.Upset{
	Settings: []string{""},
	Lifetime: "**The bound.** A bit in the pipeline is gone after seven cycles. What is kept from beat to beat of a frame, and whether the unit is inside " +
		"of one, is overwritten by the next first beat: one frame has wrong bytes, or its successor is not edited.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands that each beat leaves in its cycle, as the same part of its frame.
func newLaw(_ gen.Config, l *cosim.Layout) (bench.Law, error) {
	return bench.Laws{bench.NewSame(l, "m_axis_tvalid", "m_axis_tkeep", "m_axis_tlast", "m_axis_tuser")}, nil
}
