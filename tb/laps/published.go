// SPDX-License-Identifier: Apache-2.0

package laps

import "github.com/nicgen/nicgen/synth"

// Published are the figures of the paper's FPGA prototype: PST, PIT, Softmax and rate
// limiting tables, without Algorithm 3; 1,024 destinations of 8 paths, 8,192 paths in
// 32 sub-tables, 4 anchors, 1,024 flows. They are the sum of the table's rows: its totals
// of 33,808 LUT, 16,711 FF, 1,909 CARRY8 and 135.5 block RAMs also contain parser and
// deparser, which are not in this unit.
var Published = &synth.Published{
	Source: "LAPS prototype: PST, PIT, Softmax and rate limiting tables (rows of LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "32,985"},
		{Resource: "FF", Value: "14,957"},
		{Resource: "CARRY8", Value: "1,871"},
		{Resource: "RAMB36", Value: "128"},
	},
}
