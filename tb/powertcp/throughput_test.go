// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// traffics choose the connection of each ACK, out of 256.
var traffics = []struct {
	name string
	next func(r *rand.Rand) func() uint64
}{
	{"256, round robin", func(*rand.Rand) func() uint64 {
		n := uint64(0)
		return func() uint64 { n++; return n % 256 }
	}},
	{"256, uniform", func(r *rand.Rand) func() uint64 { return func() uint64 { return r.Uint64N(256) } }},
	{"256, skewed: the n-th with weight 1/n", func(r *rand.Rand) func() uint64 {
		var sum []float64
		total := 0.0
		for n := range 256 {
			total += 1 / float64(n+1)
			sum = append(sum, total)
		}
		return func() uint64 {
			at, _ := slices.BinarySearch(sum, r.Float64()*total)
			return uint64(min(at, 255))
		}
	}},
	{"16, uniform", func(r *rand.Rand) func() uint64 { return func() uint64 { return r.Uint64N(16) } }},
	{"2, uniform", func(r *rand.Rand) func() uint64 { return func() uint64 { return r.Uint64N(2) } }},
	{"1", func(*rand.Rand) func() uint64 { return func() uint64 { return 7 } }},
}

// The waiting of ACKs for earlier ones of their connection, with an ACK offered in
// every cycle: no ACK waits for longer than the page says, and one that waits does so
// for exactly as long as its predecessor needs. The table is
// docs/units/powertcp_throughput.md.
func TestThroughput(t *testing.T) {
	const acks = 20_000
	var rows strings.Builder
	for _, c := range []struct {
		name, set string
		hops      int
	}{
		{"hop per cycle, 5 hops", "", 5},
		{"hop per cycle, 1 hop", "", 1},
		{"ACK per cycle", "throughput=ack", 5},
		{"theta", "variant=theta", 0},
	} {
		d := open(t, suite.Configure(t, c.set))
		for _, traffic := range traffics {
			next := traffic.next(rand.New(rand.NewPCG(1, 2)))
			w := d.offer(acks, c.hops, next)
			if limit := d.p.Distance(); w.longest > limit {
				t.Errorf("%s, %s: an ACK waits for %d cycles, want at most %d", c.name, traffic.name, w.longest, limit)
			}
			fmt.Fprintf(&rows, "| %s | %s | %.3f | %.1f | %.2f | %d |\n", c.name, traffic.name,
				float64(acks)/float64(w.cycles), 100*float64(w.held)/acks, float64(w.waited)/acks, w.longest)
		}
	}
	suite.Page(t, "throughput", "# PowerTCP window: throughput\n\nAn ACK waits at the port while an earlier ACK of its connection is in progress, and blocks the ACKs behind it (head-of-line blocking). "+
		fmt.Sprintf("Measured in the RTL over %d ACKs for each row, with an ACK offered in every cycle.\n\nWritten by `go test ./tb/powertcp -run TestThroughput -update`, which also checks it.\n\n", acks)+
		"| unit | connections | ACKs per cycle | waiting ACKs, % | mean wait, cycles | longest wait, cycles |\n|---|---|---:|---:|---:|---:|\n"+rows.String())
}

// waits sums up how ACKs waited.
type waits struct{ cycles, held, waited, longest int }

// offer drives a number of ACKs as fast as they are taken.
func (d *device) offer(acks, hops int, next func() uint64) (w waits) {
	d.t.Helper()
	m := d.m
	lanes := int(d.p.Lanes())
	if d.p.HasINT() {
		m.Set("s_ack_hop_cnt", uint64(hops))
	}
	free := map[uint64]int{} // cycle from which an ACK of a connection is taken
	m.Set("s_ack_valid", 1)
	for range acks {
		conn := next()
		m.Set("s_ack_conn", conn)
		wait := 0
		for m.Get("s_ack_ready") == 0 && wait < math.MaxUint16 {
			m.Step(1)
			w.cycles++
			wait++
		}
		if w.cycles < free[conn] || wait > 0 && w.cycles != free[conn] {
			d.t.Fatalf("an ACK of connection %d is taken in cycle %d after a wait of %d, want cycle %d", conn, w.cycles, wait, free[conn])
		}
		beats := max(1, (hops+lanes-1)/lanes)
		m.Step(beats)
		w.cycles += beats
		free[conn] = w.cycles + d.p.Distance()
		w.waited += wait
		w.longest = max(w.longest, wait)
		if wait > 0 {
			w.held++
		}
	}
	m.Set("s_ack_valid", 0)
	m.Step(d.p.WindowLatency() + 1)
	w.cycles = max(w.cycles, 1)
	if err := m.Err(); err != nil {
		d.t.Fatal(err)
	}
	return w
}
