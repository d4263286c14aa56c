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

// OtherFour are the branches of the memory in banks that take more than four of them, for units whose runs have no more.
var OtherFour = []bench.Unreachable{
	{File: "nic_lib_banks_ultra.sv", Line: "if (wr_bank[2 +: FOUR_W] == FOUR_W'(g)) begin (else)", Reason: oneFour},
	{File: "nic_lib_banks_ultra.sv", Line: "if (rd_first[2 +: FOUR_W] == FOUR_W'(g)) begin (else)", Reason: oneFour},
}

const oneFour = "The configuration that is run has four banks: every address is of them. The bench runs others, of 32."
