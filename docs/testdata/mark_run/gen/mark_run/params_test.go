// SPDX-License-Identifier: Apache-2.0

package markrun_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/mark_run"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
		{Set: "run_bits=6 threshold=63"},
		{Set: "run_bits=6 threshold=64", Key: "threshold", Found: "64", Allowed: "below 2^6 with run_bits 6"},
	})
}
