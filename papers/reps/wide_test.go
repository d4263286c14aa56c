// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// A flow that waits for others could begin when the last of them had ended at its source; goodput counts from then on, and only what
// the first leaf sends.
func TestBeganAndGoodput(t *testing.T) {
	flows := []transport.Done{
		{Flow: workload.Flow{Src: 0, Dst: 8, Bytes: 1000, Start: 5000}, Received: 85_000, Acked: 90_000},
		{Flow: workload.Flow{Src: 8, Dst: 1, Bytes: 1000}, Received: 60_000, Acked: 70_000},
		{Flow: workload.Flow{Src: 0, Dst: 9, Bytes: 2000, After: []int{0}}, Received: 250_000, Acked: 260_000},
		{Flow: workload.Flow{Src: 8, Dst: 2, Bytes: 1000, Start: 1000, After: []int{0, 1}}, Received: 100_000, Acked: 110_000},
	}
	for i, want := range []float64{5000, 0, 90_000, 86_000} {
		if got := float64(began(flows, i)); got != want {
			t.Errorf("flow %d could begin at %v ps, want %v", i, got, want)
		}
	}
	// 8000 bits in 80 ns, and 16,000 in 160 ns.
	if got := goodput([]*ran{{Result: &transport.Result{Flows: flows}}}); math.Abs(got-100) > 1e-9 {
		t.Errorf("%v Gb/s, want 100", got)
	}
}

// The second best is the fastest but REPS.
func TestSecond(t *testing.T) {
	times := map[string]float64{"REPS": 100, "OPS": 104, "ECMP": 390, "PLB": 90}
	if got := over(times, "ECMP"); got != 3.9 {
		t.Errorf("ECMP: %v, want 3.9", got)
	}
	if got := second(times); got != .9 {
		t.Errorf("second best: %v, want 0.9", got)
	}
}

// A slowdown is to the time alone: of one packet by two cables 2 · (83 + 500) ns, and 83 ns for each behind it. A bin counts by what was longest.
func TestWideColumns(t *testing.T) {
	base := &trial{hosts: transport.Settings{Payload: payload, Headers: headers}}
	base.shape = topo.Shape{Tiers: 1, Hosts: 2, Host: fabric.Link{Gbps: rate, Delay: 500_000}, Queue: fabric.Queueing{Marking: fabric.Marking{Min: 100, Max: 200}}}
	tree, err := topo.New(&base.shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	done := func(bytes, start, received uint64) transport.Done {
		return transport.Done{Flow: workload.Flow{Src: 0, Dst: 1, Bytes: bytes, Start: start * 1000}, Received: fabric.Instant(received) * 1000}
	}
	one, three := uint64(2*(83+500)), uint64(2*(83+500)+2*83)
	runs := []*ran{
		{Result: &transport.Result{Flows: []transport.Done{done(payload, 0, one), done(3*payload, 70, 70+2*three)}},
			ports: []measure.Series{{Queue: []int64{0, 100, 101, 200}}}, tree: tree},
		{Result: &transport.Result{Flows: []transport.Done{done(1, 0, 3*one), done(2*payload+1, 10, 10+10*three)}},
			ports: []measure.Series{{Queue: []int64{0, 0}}, {Queue: []int64{201, 50}}}, tree: tree},
	}
	if d := cmp.Diff([]string{"2.00", "10.00", "37.5", "12.5"}, base.wideColumns(runs)); d != "" {
		t.Error(d)
	}
}
