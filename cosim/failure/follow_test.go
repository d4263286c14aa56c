// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
)

// It finds what is not free: a word that changed. Shrinking, the explanation and a replay follow the
// device too.
func TestFollowerFails(t *testing.T) {
	var first *cosim.Report
	b := &cosimtest.Following{FIFO: &cosimtest.FIFO{RTL: cosimtest.Design(t, "mem[wr_q] <= data;", "mem[wr_q] <= wr_q == 3'd5 ? data ^ W'(4) : data;")}}
	dir := t.TempDir()
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 50} {
			r, err := Run(t.Context(), b, Options{RunOptions: cosim.RunOptions{Unit: "fifo", Seed: 7, Batch: batch, Concurrent: concurrent, OutDir: dir}, NoWave: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != cosim.Mismatch || r.Failure.Port != "head" || r.Failure.Shrunk == nil || r.Failure.Shrunk.Cycle > 14 ||
				!strings.HasSuffix(r.Failure.Explain, " words") || r.Failure.Shrunk.Explain != "1 words" {
				t.Fatalf("concurrent %t, batch %d: %+v %+v", concurrent, batch, r.Failure, r.Failure.Shrunk)
			}
			if first == nil {
				first = r
			}
			if d := cmp.Diff(first, r, cmpopts.IgnoreFields(cosim.Report{}, "Seconds", "CyclesPerSecond")); d != "" {
				t.Errorf("concurrent %t, batch %d: %s", concurrent, batch, d)
			}
		}
	}
	rec, err := ReadReplay(first.Failure.Replay)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(t.Context(), rec, b, cosim.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Port != "head" || len(r.Notes) > 0 {
		t.Errorf("replayed: %+v, notes %v", r.Failure, r.Notes)
	}
}

// A stimulus that reacts gives the same run with batches and a second thread as without, and its failure is
// recorded as what it did.
func TestReactive(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		b := &cosimtest.Polite{FIFO: &cosimtest.FIFO{RTL: cosimtest.Design(t)}}
		if wrong {
			b.RTL = cosimtest.Bug(t).RTL
		}
		var first *cosim.Report
		for _, concurrent := range []bool{false, true} {
			for _, batch := range []int{0, 1, 7} {
				r, err := Run(t.Context(), b, Options{RunOptions: cosim.RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent, OutDir: t.TempDir()}, NoWave: true})
				if err != nil {
					t.Fatal(err)
				}
				if r.OK() == wrong || wrong && (r.Outcome != cosim.Mismatch || r.Failure.Port != "level" || r.Failure.Shrunk == nil) {
					t.Fatalf("wrong %t, concurrent %t, batch %d: %+v %+v", wrong, concurrent, batch, r, r.Failure)
				}
				if first == nil {
					first = r
				}
				if d := cmp.Diff(first, r, cmpopts.IgnoreFields(cosim.Report{}, "Seconds", "CyclesPerSecond"), cmpopts.IgnoreFields(cosim.Failure{}, "Replay", "Command")); d != "" {
					t.Errorf("wrong %t, concurrent %t, batch %d: %s", wrong, concurrent, batch, d)
				}
			}
		}
	}
}
