// SPDX-License-Identifier: Apache-2.0

package workload_test

import (
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/sim/workload"
)

// Each host sends as many packets, to others of the collective only, and not the same number to each.
func TestAllToAllV(t *testing.T) {
	hosts := []int{3, 9, 4, 11, 20}
	flows, err := workload.AllToAllV(hosts, 100, 9000, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	in := map[int]bool{}
	for _, h := range hosts {
		in[h] = true
	}
	sent, sizes := map[int]uint64{}, map[uint64]bool{}
	for _, f := range flows {
		if !in[f.Src] || !in[f.Dst] || f.Src == f.Dst || f.Bytes%9000 != 0 || f.Bytes < 50*9000 || f.Bytes > 150*9000 {
			t.Errorf("%+v", f)
		}
		sent[f.Src] += f.Bytes / 9000
		sizes[f.Bytes] = true
	}
	if len(flows) != 20 || len(sizes) < 5 {
		t.Errorf("%d flows of %d sizes, want 20 of several", len(flows), len(sizes))
	}
	for _, h := range hosts {
		if sent[h] != 400 {
			t.Errorf("host %d sends %d packets, want 400", h, sent[h])
		}
	}
	if _, err := workload.AllToAllV(hosts[:1], 1, 1, nil); err == nil || err.Error() != "all-to-all-v: found 1 hosts, 1 packets of 1 bytes, allowed: 2 or more, and 1 or more" {
		t.Errorf("%v", err)
	}
}
