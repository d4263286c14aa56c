// SPDX-License-Identifier: Apache-2.0

// Package mutate grades benches: it makes small mistakes in the design under test,
// one at a time, and sees whether the bench of the unit notices.
//
// Yosys reads the emitted SystemVerilog, makes it flat, draws mutants from it and
// writes many of them into one design, where an input selects the one that is active.
// Verilator compiles that design once, and the bench's own stimulus and golden model
// run against each mutant, briefly at first, then longer and with other seeds. What
// the comparison notices is killed. For what survives, Prove tries to show by SAT and
// induction that the mutant cannot be told from the design at its ports. What is left
// is a survivor: a situation that the bench never makes, or never looks at.
//
// Before any of that, the design with no mutant active must equal the golden model
// over every stimulus that the mutants get.
package mutate
