// SPDX-License-Identifier: Apache-2.0

// Package mutate grades benches: it makes small mistakes in the design under test,
// one at a time, and sees whether the bench of the unit notices.
//
// Mutants are those of package mutant: many of them in one design, which Verilator
// compiles once. The bench's own stimulus and golden model run against each, briefly at
// first, then longer and with other seeds. What the comparison notices is killed. What
// survives may be equivalent to the design, which package equiv tries to show. What is
// left is a survivor: a situation that the bench never makes, or never looks at.
//
// Before any of that, the design with no mutant active must equal the golden model
// over every stimulus that the mutants get. The golden model has mutants too, those of
// package gomutant: the bench must notice when it is the model that is wrong.
package mutate
