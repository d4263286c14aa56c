// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/powertcp"
)

// A million cycles of the default configuration reach every coverage point.
func TestRandomDefault(t *testing.T) {
	for seed := range uint64(2) {
		r := suite.Run(t, powertcp.Unit.Bench(params.Default()), seed+1, 500_000)
		t.Logf("seed %d: %d events", seed+1, r.Events)
	}
}
