// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"math"
	"testing"

	"github.com/nicgen/nicgen/sim/transport"
)

// Algorithm 1 of TIMELY by hand: minRTT 20 µs, α 0.5, β 0.8, δ 0.08 Gb/s, which are 0.01 bytes a ns, T_low 50 and T_high 500 µs.
func TestTimely(t *testing.T) {
	c := &transport.Timely{Paths: transport.ECMP(&transport.Host{Connections: 1}), Gbps: 25, Base: 20_000, Alpha: .5, Beta: .8, Step: .08, Low: 50_000, High: 500_000}
	if g, err := c.Open(0, 0); err != nil || g.Rate != 3.125 || g.Window < 1e9 {
		t.Fatalf("%+v, %v at first", g, err)
	}
	rate := 3.125
	for i, x := range []struct {
		rtt    uint64
		update func()
	}{
		{60_000, func() {}},                           // the first one is stored
		{70_000, func() { rate *= 1 - .8*.25 }},       // rtt_diff is 0.5·10,000, the gradient 0.25
		{70_000, func() { rate *= 1 - .8*.125 }},      // it fades
		{60_000, func() { rate += .01 }},              // 0.5·2500 - 0.5·10,000 is below 0
		{60_000, func() { rate += .01 }},              // 2
		{60_000, func() { rate += .01 }},              // 3
		{60_000, func() { rate += .01 }},              // 4
		{60_000, func() { rate += .05 }},              // the fifth one in turn: five steps
		{40_000, func() { rate += .01 }},              // below T_low a step, whatever the gradient
		{1_000_000, func() { rate *= 1 - .8*(1-.5) }}, // above T_high
		{499_000, func() { rate += .01 }},
		{100_000, func() { rate += .01 }},
		{480_000, func() { rate = .01 }}, // a gradient above 1/β leaves the least rate
	} {
		x.update()
		g, err := c.Ack(0, &transport.Ack{Seq: uint32(10*i + 1), Next: uint32(10 * (i + 1)), RTT: x.rtt})
		if err != nil || math.Abs(g.Rate-rate) > 1e-9 {
			t.Fatalf("acknowledgement %d: %+v, %v, want a rate of %v", i, g, err, rate)
		}
		// Within the round trip nothing changes, nor by a packet that was acknowledged before.
		for _, a := range []*transport.Ack{{Seq: uint32(10*i + 5), RTT: 1}, {Seq: uint32(10*i + 11), RTT: 1, Again: true}} {
			if g, err := c.Ack(0, a); err != nil || math.Abs(g.Rate-rate) > 1e-9 {
				t.Fatalf("between %d and the next one: %+v, %v", i, g, err)
			}
		}
	}
}
