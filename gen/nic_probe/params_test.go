// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"testing"

	"github.com/nicgen/nicgen/gen/gentest"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, Default, []gentest.Rule{
		{Set: "destinations=257 dst_bits=9"},
		{Set: "destinations=257 dst_bits=8", Key: "dst_bits", Found: "8", Allowed: "at least 9 for destinations 257"},
	})
}
