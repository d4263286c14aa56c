// SPDX-License-Identifier: Apache-2.0

package reps

import _ "embed" // the assertions

// assertions are attached to the unit by bind: what must hold inside it whatever
// the golden model says.
//
//go:embed nic_reps_sva.sv
var assertions string
