// SPDX-License-Identifier: Apache-2.0

package lib

import "github.com/nicgen/nicgen/tb/bench"

// SecondStep is the line of the forwarding memories that takes a latency above 2, for units
// whose memories have none.
var SecondStep = bench.Unreachable{
	File:   "nic_lib_older.sv",
	Line:   "if (i == 0) begin (else)",
	Chance: true,
	Reason: "The loop goes over the cycles of the latency but one: with a latency of 2, the longest of this unit's memories, it has one step.",
}
