// SPDX-License-Identifier: Apache-2.0

// Package mutate grades benches: it makes small mistakes in the design under test, one at a time,
// and checks whether the unit's bench notices them.
//
// Package mutant makes the mutants, many of them in one design, which Verilator compiles once. The
// bench's own stimulus and golden model run against each, briefly at first, then longer and with
// other seeds. A mutant that the comparison notices is killed. One that survives may be equivalent
// to the design, which package equiv tries to show. Any other one is a survivor: a situation that
// the bench never creates, or never checks.
//
// Before any of that, the design with no mutant active must equal the golden model over every
// stimulus of the mutants. The golden model has mutants too, from package gomutant: the bench must
// notice when it is the model that is wrong.
package mutate
