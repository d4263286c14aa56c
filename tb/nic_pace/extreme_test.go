// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// TestExtremeRates gives a connection the least and the largest time of a byte, and 1 and 65,535 bytes a turn, and demands
// that its next turn is in the slot of its departure time, a sum in the test without any rounding: not a slot before it,
// and at once when that begins.
func TestExtremeRates(t *testing.T) {
	for i, set := range []string{"connections=3 conn_bits=2 slots=64 slot_ns=1024", "connections=3 conn_bits=2 slots=64 slot_ns=1024 frac_bits=9 timer_bits=31"} {
		if i > 0 && benchtest.LeftOut(i) {
			continue
		}
		p := suite.Configure(t, set)
		most := uint64(1)<<p.RateBits() - 1
		for _, x := range []struct {
			inv, bytes uint64
			turns      int
		}{
			{1, 65535, 1100}, {1, 1, 20}, {2, 32768, 1030},
			{most, 1, 5}, {most - 1, 1, 3}, {most, 65535, 3}, {most, 65534, 1}, {most &^ 0xff, 65535, 2}, {1 << p.FracBits, 65535, 4},
		} {
			t.Run(fmt.Sprintf("%d fraction bits, %d units a byte, %d bytes", p.FracBits, x.inv, x.bytes), func(t *testing.T) {
				turns(t, p, x.inv, x.bytes, x.turns)
			})
		}
	}
}

// turns gives a connection so many turns.
func turns(t *testing.T, p *params.Params, inv, bytes uint64, n int) {
	l := suite.Lockstep(t, p, cosim.BuildOptions{})
	const start = 1 << 20 // ns, the beginning of a slot
	now := uint64(start)
	l.Set("now_ns", now)
	l.Set("m_due_ready", 1)
	l.Pulse(map[string]uint64{"rst": 1})
	l.Until("sts_ready", 1000)
	l.Pulse(map[string]uint64{"s_rate_valid": 1, "s_rate_conn": 2, "s_rate_inv": inv})
	l.Pulse(map[string]uint64{"s_push_valid": 1, "s_push_conn": 2})
	l.Until("m_due_valid", 20)
	cost := new(big.Int).Mul(new(big.Int).SetUint64(inv), new(big.Int).SetUint64(bytes))
	ndt := new(big.Int).Lsh(big.NewInt(start), uint(p.FracBits))
	for turn := range n {
		l.Pulse(map[string]uint64{"s_done_valid": 1, "s_done_conn": 2, "s_done_bytes": bytes, "s_done_again": 1})
		ndt.Add(ndt, cost)
		slot := new(big.Int).Rsh(ndt, uint(p.FracBits)).Uint64() / uint64(p.SlotNS) * uint64(p.SlotNS)
		if slot <= now {
			l.Until("m_due_valid", 20)
			continue
		}
		// Far ahead, the wheel leaves revolutions out.
		for now < slot-1 {
			now = min(now+1<<22, slot-1)
			l.Set("now_ns", now)
			for range 4 * 10 * int(p.Slots) {
				if l.Step(1); l.Get("m_due_valid") != 0 {
					t.Fatalf("turn %d at %d ns, before that of its slot, %d", turn, now, slot)
				}
			}
		}
		now = slot
		l.Set("now_ns", now)
		l.Until("m_due_valid", 40)
	}
	if n := l.Get("sts_illegal_cnt"); n != 0 {
		t.Errorf("%d illegal events", n)
	}
}
