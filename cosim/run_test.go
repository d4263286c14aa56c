// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"testing"
)

func TestRunPasses(t *testing.T) {
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 7} {
			var last uint64
			r, err := Run(t.Context(), &fifoBench{src: source(t, "fifo")}, RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent,
				Progress: func(done, total uint64) {
					if done <= last || total != 20000 {
						t.Errorf("progress %d of %d after %d", done, total, last)
					}
					last = done
				}})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() || r.Cycles != 20000 || r.Failure != nil || r.Events == 0 || last != 20000 {
				t.Errorf("concurrent %t, batch %d: %+v %+v", concurrent, batch, r, r.Failure)
			}
		}
	}
}

func TestRunFindsBug(t *testing.T) {
	bug := source(t, "fifo", "(DEPTH) || take)", "(DEPTH))")
	for _, concurrent := range []bool{false, true} {
		r, err := Run(t.Context(), &fifoBench{src: bug}, RunOptions{Unit: "fifo", Seed: 7, Concurrent: concurrent})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != Mismatch || r.Failure == nil || r.Failure.Port != "level" {
			t.Errorf("%+v %+v", r, r.Failure)
		}
		t.Logf("%+v", r.Failure)
	}
}
