// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"math"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// Algorithm 1 of HPCC by hand: 25 Gb/s and 20 µs are 62,500 bytes, η 0.95, ten flows: W_AI is 312.5 bytes.
func TestHPCC(t *testing.T) {
	const us = 1_000_000 // ps
	c := &transport.HPCC{Paths: transport.ECMP(&transport.Host{Connections: 2}), MTU: 1000, Gbps: 25, Base: 20_000, Target: .95, Stages: 5, Flows: 10}
	g, err := c.Open(1, 0)
	if err != nil || g.Window != 62_500 || g.Rate != 3.125 {
		t.Fatalf("%+v, %v at first", g, err)
	}
	hop := fabric.Hop{Gbps: 25}
	for i, x := range []struct {
		seq, next uint32
		ns        fabric.Instant // since the hop before
		bytes     uint64         // and what the port sent since
		queue     int64
		want      float64
	}{
		{0, 10, 0, 0, 31_250, 62_500},                                  // the first one is stored
		{1, 10, 1000, 3125, 40_000, 62_500/(1.025/.95) + 312.5},        // U = 0.95·1 + 0.05·(0.5 + 1); the reference stays
		{2, 11, 0, 0, 40_000, 62_500/(1.025/.95) + 312.5},              // the same time again tells nothing
		{11, 20, 20_000, 62_500, 62_500, 62_500/((.64+1)/.95) + 312.5}, // a round trip: U = 40,000/62,500 + 1, and it is the reference
		{21, 30, 40_000, 62_500, 0, 62_500/((.64+1)/.95) + 2*312.5},    // U = 0.5: a step up, from the reference
		{22, 30, 40_000, 62_500, 0, 62_500/((.64+1)/.95) + 3*312.5},    // within the round trip: from the new reference, which stays
		{31, 40, 40_000, 62_500, 0, 62_500/((.64+1)/.95) + 3*312.5},    // 2
		{41, 50, 40_000, 62_500, 0, 62_500/((.64+1)/.95) + 4*312.5},    // 3
		{51, 60, 40_000, 62_500, 0, 62_500/((.64+1)/.95) + 5*312.5},    // 4
		{61, 70, 40_000, 62_500, 0, 62_500/((.64+1)/.95) + 6*312.5},    // 5: the last step
		{71, 80, 40_000, 62_500, 0, 62_500},                            // then by U, to 0.95: bounded
		{81, 90, 20_000, 625_000_000, 62_500, 1000},                    // far too much: a packet at least
	} {
		hop.At += x.ns * us / 1000
		hop.Bytes += x.bytes
		hop.Queue = x.queue
		g, err := c.Ack(1, &transport.Ack{Seq: x.seq, Next: x.next, Hops: []fabric.Hop{hop}})
		if err != nil || math.Abs(g.Window-x.want) > 1e-6 || math.Abs(g.Rate-x.want/20_000) > 1e-9 {
			t.Fatalf("acknowledgement %d: %+v, %v, want a window of %v", i, g, err, x.want)
		}
	}
	// Of two links the more loaded one counts; an acknowledgement of a packet that was acknowledged changes nothing.
	if _, err := c.Open(0, 0); err != nil {
		t.Fatal(err)
	}
	a, b := fabric.Hop{Gbps: 100}, fabric.Hop{Gbps: 25}
	for i, want := range []float64{62_500, 62_500/(1.1/.95) + 312.5, 62_500/(1.1/.95) + 312.5} {
		a.At, b.At = a.At+20*us, b.At+20*us
		a.Bytes, b.Bytes = a.Bytes+62_500, b.Bytes+68_750
		g, err := c.Ack(0, &transport.Ack{Seq: uint32(i), Next: 9, Hops: []fabric.Hop{a, b}, Again: i == 2})
		if err != nil || math.Abs(g.Window-want) > 1e-6 {
			t.Errorf("two links, acknowledgement %d: %+v, %v, want %v", i, g, err, want)
		}
	}
}
