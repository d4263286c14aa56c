// SPDX-License-Identifier: Apache-2.0

package lapspaths

import "github.com/nicgen/nicgen/synth"

// Published are the figures of the paper's FPGA prototype for PST and PIT together:
// 1,024 destinations, 8,192 paths in 32 sub-tables, 4 anchors.
var Published = &synth.Published{
	Source: "LAPS prototype, PST and PIT (LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "3,024"},
		{Resource: "FF", Value: "3,153"},
		{Resource: "CARRY8", Value: "0"},
		{Resource: "RAMB36", Value: "120"},
	},
}
