// SPDX-License-Identifier: Apache-2.0

package prove_test

import (
	"testing"

	"github.com/nicgen/nicgen/check/prove"
)

// Quick sets are proved in every test run; make prove proves all.
func TestProve(t *testing.T) {
	for _, unit := range prove.Units() {
		t.Run(unit, func(t *testing.T) {
			rep, err := prove.Run(t.Context(), unit, prove.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range rep.Findings() {
				t.Error(f)
			}
			t.Logf("%+v", rep)
		})
	}
}
