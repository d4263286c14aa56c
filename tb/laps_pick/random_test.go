// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import "testing"

// The default configuration and that with the other picker reach every coverage point.
func TestRandomDefault(t *testing.T) {
	for _, set := range []string{"", "picker=lookup"} {
		r := suite.Run(t, suite.Bench(suite.Configure(t, set)), 1, 150_000)
		t.Logf("%q: %d events", set, r.Events)
	}
}
