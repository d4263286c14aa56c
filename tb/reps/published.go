// SPDX-License-Identifier: Apache-2.0

package reps

import "github.com/nicgen/nicgen/synth"

// Published are the figures of the paper's FPGA prototype: 256 connections of 8
// EVs of 16 bits.
var Published = &synth.Published{
	Source: "REPS-FPGA (REPS §4.1)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "< 0.04 % of the device"},
		{Resource: "EV memory", Value: "4 KB"},
	},
}
