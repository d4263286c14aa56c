// SPDX-License-Identifier: Apache-2.0

package markrun_test

import (
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/starter/module/gen/mark_run"
	model "github.com/nicgen/nicgen/starter/module/model/mark_run"
)

// The run is the number of marked ACKs since the last unmarked one of the same connection,
// as counted on the record of all ACKs, up to the largest that fits.
func TestEqualsRecord(t *testing.T) {
	p := params.Default()
	p.Connections, p.RunBits = 3, 2
	c, r := model.New(p), rand.New(rand.NewPCG(1, 1))
	record := make([][]bool, p.Connections)
	for range 10_000 {
		conn, marked, threshold := r.Uint64N(4), r.IntN(4) > 0, r.Uint64N(4)
		run, hot, ok := c.ACK(conn, marked, threshold)
		if conn == 3 {
			if ok {
				t.Fatal("an ACK of a connection that does not exist has an answer")
			}
			continue
		}
		record[conn] = append(record[conn], marked)
		want := uint64(0)
		for i := len(record[conn]) - 1; i >= 0 && record[conn][i] && want < 3; i-- {
			want++
		}
		if run != want || hot != (want >= threshold) || !ok {
			t.Fatalf("connection %d: run %d, hot %t, ok %t; want %d with threshold %d", conn, run, hot, ok, want, threshold)
		}
	}
}
