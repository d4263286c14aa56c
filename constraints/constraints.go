// SPDX-License-Identifier: Apache-2.0

// Package constraints holds the modules of clock domain crossings, and their constraints, as texts.
package constraints

import _ "embed"

// Cross is the name of the module that takes a word from one clock to another.
const Cross = "settings_cross"

// CrossSV is the text of the module Cross, CrossTcl the script that constrains every instance of it
// in a design, and FramesTcl the script of nic_lib_frames_cross.
var (
	//go:embed settings_cross.sv
	CrossSV string
	//go:embed settings_cross.tcl
	CrossTcl string
	//go:embed nic_lib_frames_cross.tcl
	FramesTcl string
)
