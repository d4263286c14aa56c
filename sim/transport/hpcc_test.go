// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"math"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
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

// reader notes what acknowledgements bring.
type reader struct {
	transport.Transport
	hops [][]fabric.Hop
	rtt  []uint64
}

func (r *reader) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	r.hops, r.rtt = append(r.hops, slices.Clone(a.Hops)), append(r.rtt, a.RTT)
	return r.Transport.Ack(conn, a)
}

// Packets and acknowledgements carry the bytes of a layout, and with INT-MD hosts count by the utilisation what the links carry.
func TestLayouts(t *testing.T) {
	run := func(set transport.Settings) *reader {
		t.Helper()
		tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: 3, Host: fabric.Link{Gbps: 8, Delay: 1_000_000}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var r *reader
		_, err = transport.Run(t.Context(), tree, []workload.Flow{{Src: 0, Dst: 2, Bytes: 100_000}}, &set, func(host, conns int) (transport.Transport, error) {
			by, err := ecmp(host, conns)
			r = &reader{Transport: by}
			return r, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	set := transport.Settings{Payload: 1000, Headers: 50, RTO: 1_000_000, Deadline: 100_000_000}
	bare := run(set)
	set.Telemetry = true
	for layout, bytes := range map[fabric.Layout]uint64{fabric.Exact: 0, fabric.HPCC: 42, fabric.INTMD: 92} {
		set.Layout = layout
		r := run(set)
		// A byte takes 1 ns, at two ports there and two back.
		if got := r.rtt[0] - bare.rtt[0]; got != 4*bytes {
			t.Errorf("%s: the first round trip takes %d ns more than without telemetry, want %d", layout, got, 4*bytes)
		}
		last := r.hops[len(r.hops)-1]
		if len(last) != 1 || len(bare.hops[0]) != 0 {
			t.Fatalf("%s: %d hops, and %d without telemetry, want 1, 0", layout, len(last), len(bare.hops[0]))
		}
		// A hundred packets went through, and the last one is not counted. INT-MD's utilisation is of the 5 µs before.
		want := 99 * (1050 + float64(bytes))
		if got := float64(last[0].Bytes); math.Abs(got-want) > map[fabric.Layout]float64{fabric.HPCC: 127, fabric.INTMD: 8000}[layout] {
			t.Errorf("%s: %v bytes counted, want %v", layout, got, want)
		}
		for i := 1; i < len(r.hops); i++ {
			if r.hops[i][0].Bytes < r.hops[i-1][0].Bytes {
				t.Errorf("%s: %d bytes after %d", layout, r.hops[i][0].Bytes, r.hops[i-1][0].Bytes)
			}
		}
	}
}
