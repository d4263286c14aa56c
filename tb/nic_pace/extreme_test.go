// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// paid holds turns: their number of bytes, and their cost in units of time.
type paid struct {
	inv, bytes uint64
	turns      int
}

// TestExtremeRates gives a connection the least and the largest time of a byte, and turns of 1 to 65,535 bytes. Its next
// turn has to be in the slot of its departure time, a sum in the test that nothing rounds: not a slot before it, and at
// once when that begins. A unit decides about the slot at the end of each list.
func TestExtremeRates(t *testing.T) {
	for _, set := range []string{"", "frac_bits=9 timer_bits=31"} {
		if set != "" && testing.Short() {
			continue
		}
		p := suite.Corner(t, "no power of two")
		if err := gen.SetAll(p, set); err != nil {
			t.Fatal(err)
		}
		most := uint64(1)<<p.RateBits() - 1            // a slot, less a unit
		full := uint64(p.SlotNS) << p.FracBits / 65536 // turns of 65,535 bytes at a unit, and bytes that a slot has left then
		for _, x := range []struct {
			name string
			list []paid
		}{
			{"least", []paid{{1, 65535, int(full)}, {1, full - 1, 1}, {1, 1, 1}}},
			{"least and largest", []paid{{most, 65535, 2}, {1, 65535, 1}, {1, 65534, 1}, {1, 1, 1}}},
			{"largest, a byte", []paid{{most, 1, 3}, {1, 2, 1}, {1, 1, 1}}},
			{"largest but one", []paid{{most - 1, 1, 2}, {1, 3, 1}, {1, 1, 1}, {most - 1, 65535, 1}}},
			{"a ns", []paid{{1 << p.FracBits, 65535, 3}, {1 << p.FracBits, 1, 3}}},
		} {
			t.Run(fmt.Sprintf("%d fraction bits, %s", p.FracBits, x.name), func(t *testing.T) { turns(t, p, x.list) })
		}
	}
}

// turns gives a connection turns.
func turns(t *testing.T, p *params.Params, list []paid) {
	l := suite.Lockstep(t, p, cosim.BuildOptions{})
	const start = 1 << 20 // ns, the beginning of a slot
	now := uint64(start)
	l.Set("now_ns", now)
	l.Set("m_due_ready", 1)
	l.Cycle(benchtest.Ports{"rst": 1})
	l.Await("sts_ready", 1000)
	l.Cycle(benchtest.Ports{"s_push_valid": 1, "s_push_conn": 2})
	l.Await("m_due_valid", 20)
	ndt := new(big.Int).Lsh(big.NewInt(start), uint(p.FracBits))
	for _, x := range list {
		l.Cycle(benchtest.Ports{"s_rate_valid": 1, "s_rate_conn": 2, "s_rate_inv": x.inv})
		l.Step(4)
		cost := new(big.Int).Mul(new(big.Int).SetUint64(x.inv), new(big.Int).SetUint64(x.bytes))
		for turn := range x.turns {
			l.Cycle(benchtest.Ports{"s_done_valid": 1, "s_done_conn": 2, "s_done_bytes": x.bytes, "s_done_again": 1})
			ndt.Add(ndt, cost)
			slot := new(big.Int).Rsh(ndt, uint(p.FracBits)).Uint64() / uint64(p.SlotNS) * uint64(p.SlotNS)
			// Far ahead, the wheel leaves revolutions out.
			for now < slot-1 {
				now = min(now+1<<22, slot-1)
				l.Set("now_ns", now)
				for range 4 * 10 * int(p.Slots) {
					if l.Step(1); l.Get("m_due_valid") != 0 {
						t.Fatalf("%+v, turn %d: at %d ns, before its slot at %d", x, turn, now, slot)
					}
				}
			}
			now = max(now, slot)
			l.Set("now_ns", now)
			l.Await("m_due_valid", 40)
		}
	}
	if n := l.Get("sts_illegal_cnt"); n != 0 {
		t.Errorf("%d illegal events", n)
	}
}
