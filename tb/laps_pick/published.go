// SPDX-License-Identifier: Apache-2.0

package lapspick

import "github.com/nicgen/nicgen/synth"

// Published are the figures of the paper's FPGA prototype for its Softmax, which
// takes 32 paths, one from each bank.
var Published = &synth.Published{
	Source: "LAPS prototype, Softmax (LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "26,949"},
		{Resource: "FF", Value: "7,938"},
		{Resource: "CARRY8", Value: "1,752"},
		{Resource: "RAMB36", Value: "0"},
	},
}
