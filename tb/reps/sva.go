// SPDX-License-Identifier: Apache-2.0

package reps

import (
	_ "embed"
	"strings"

	params "github.com/nicgen/nicgen/gen/reps"
)

//go:embed nic_reps_sva.sv
var assertionText string

// assertions are attached to the unit by bind: what must hold inside it whatever
// the golden model says.
func assertions(p *params.Params) string {
	return strings.ReplaceAll(assertionText, "@USES@", "1")
}
