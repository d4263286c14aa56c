// SPDX-License-Identifier: Apache-2.0

package laps

import "github.com/nicgen/nicgen/synth"

// Published are the figures of the paper's FPGA prototype: PST, PIT, Softmax and rate
// limiting tables, without Algorithm 3; 1,024 destinations of 8 paths, 8,192 paths in
// 32 sub-tables, 4 anchors, 1,024 flows.
var Published = &synth.Published{
	Source: "LAPS prototype, without Algorithm 3 (LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "33,808"},
		{Resource: "FF", Value: "16,711"},
		{Resource: "CARRY8", Value: "1,909"},
		{Resource: "RAMB36", Value: "135.5"},
	},
}
