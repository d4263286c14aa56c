// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"testing"

	counter "github.com/nicgen/nicgen/internal/toy"
	markrun "github.com/nicgen/nicgen/starter/module/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

// From a contract follows that answers come in their cycles, and that the unit is ready after a sweep.
func TestLawOfContract(t *testing.T) {
	p := markrun.Default()
	p.Connections = 4
	l, err := bench.LayoutOf(p.Ports())
	if err != nil {
		t.Fatal(err)
	}
	law, err := (&bench.Upset{}).Judge(p, l)
	if err != nil {
		t.Fatal(err)
	}
	care := make([]uint64, l.OutWords)
	for i := range care {
		care[i] = ^uint64(0)
	}
	step := func(law bench.Law, set map[string]uint64) bool {
		want, got := make([]uint64, l.OutWords), make([]uint64, l.OutWords)
		l.MustSlot("m_ack_valid").Set(want, 1)
		for port, v := range set {
			l.MustSlot(port).Set(got, v)
		}
		return law.Lawful(make([]uint64, l.InWords), want, care, got)
	}
	fine := map[string]uint64{"m_ack_valid": 1, "sts_ready": 1, "m_ack_run": 3}
	if !step(law, fine) || step(law.Clone(), map[string]uint64{"sts_ready": 1}) || !step(law, fine) {
		t.Error("another run is not legal, or a missing answer is")
	}
	for cycle := 1; ; cycle++ {
		if ok := step(law, map[string]uint64{"m_ack_valid": 1}); ok != (cycle < 4+8) {
			t.Errorf("not ready for %d cycles of a sweep of 4: legal is %t", cycle, ok)
		}
		if cycle == 4+8 {
			break
		}
	}
	if _, err := (&bench.Upset{}).Judge(counter.New(), l); err == nil {
		t.Error("a unit without a contract has a law")
	}
}
