// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/powertcp"
	"github.com/nicgen/nicgen/sim/transport"
)

// The RTL as a host's transport gives what the golden model gives, which Lockstep compares, for any telemetry; windows are in their
// range and follow it.
func TestTransport(t *testing.T) {
	for _, variant := range []string{"int", "theta"} {
		h := &transport.Host{Connections: 3, Gbps: 25, BaseRTT: 20_000, Seed: 1, Settings: "variant=" + variant}
		x, err := powertcp.Transport(t.Context(), transport.RTL, h)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		hops := []fabric.Hop{{Gbps: 25}, {Gbps: 100}, {Gbps: 25}}
		now, least, most := uint64(1000), 1e9, 0.
		for conn := range h.Connections {
			if g, err := x.Open(conn, 0); err != nil || g.Window != 62_500 || g.Rate != 3.125 {
				t.Fatalf("%s: %+v, %v at first", variant, g, err)
			}
		}
		for i := range uint32(600) {
			now += 1000 + r.Uint64N(1000)
			for k := range hops {
				hops[k].At = fabric.Instant(now) * agenda.PS
				hops[k].Bytes += r.Uint64N(6000)
				hops[k].Queue = r.Int64N(1 << r.IntN(20))
			}
			a := &transport.Ack{Seq: i, Next: i + 40, Now: now, RTT: 20_000 + r.Uint64N(60_000), Hops: hops[:3], Again: i%50 == 49}
			g, err := x.Ack(int(i)%h.Connections, a)
			if err != nil {
				t.Fatalf("%s, acknowledgement %d: %v", variant, i, err)
			}
			least, most = min(least, g.Window), max(most, g.Window)
		}
		if least < 1000 || most > 62_500 || least > most/2 {
			t.Errorf("%s: windows from %v to %v bytes, want them to move, from 1000 to 62500", variant, least, most)
		}
		if err := x.(interface{ Close() error }).Close(); err != nil {
			t.Error(err)
		}
	}
}

// Illegal settings and telemetry.
func TestTransportRefuses(t *testing.T) {
	for set, want := range map[string]string{
		"variant=both":       `variant: found "both", allowed: int or theta`,
		"window=3":           `settings: found "window=3", allowed: variant, beta, tau, target, min, max, gamma, floor, theta_update, base_rtt`,
		"theta_update=often": `theta_update: found "often", allowed: round_trip or ack`,
		"base_rtt=seen":      `base_rtt: found "seen", allowed: setting or observed`,
		"beta=many":          `beta: found "many", allowed: a number`,
		"beta=0.5":           "beta: found 0.5, allowed: a whole number of bytes",
		"variant=compare":    `variant: found "compare"`,
	} {
		_, err := powertcp.Transport(t.Context(), transport.Golden, &transport.Host{Connections: 1, Gbps: 25, BaseRTT: 20_000, Settings: set})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
	if _, err := powertcp.Transport(t.Context(), "fluid", &transport.Host{Connections: 1, Gbps: 25, BaseRTT: 20_000}); err == nil || !strings.Contains(err.Error(), `model: found "fluid"`) {
		t.Error(err)
	}
	x, err := powertcp.Transport(t.Context(), transport.Golden, &transport.Host{Connections: 1, Gbps: 25, BaseRTT: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		hops []fabric.Hop
		want string
	}{{make([]fabric.Hop, 6), "hops: found 6, allowed: 0 to 5"}, {[]fabric.Hop{{Gbps: 7}}, "hop 0: found a link of 7 Gb/s"}} {
		if _, err := x.Ack(0, &transport.Ack{Hops: c.hops}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// With its own clock, the RTL ends with the windows of the golden model without a clock, if acknowledgements are further apart than its latency; each
// window comes a latency later, even where acknowledgements come at once.
func TestTransportClocked(t *testing.T) {
	for _, variant := range []string{"int", "theta"} {
		h := &transport.Host{Connections: 3, Gbps: 25, BaseRTT: 20_000, Seed: 1, Settings: "variant=" + variant}
		x, err := powertcp.Transport(t.Context(), transport.Cycles, h)
		if err != nil {
			t.Fatal(err)
		}
		golden, err := powertcp.Transport(t.Context(), transport.Golden, h)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b transport.Grant) bool { return a == b }
		if variant == "theta" { // it reads the time of its cycle, some ns later
			near = func(a, b transport.Grant) bool { return math.Abs(a.Window/b.Window-1) < .001 }
		}
		formulas, err := powertcp.Transport(t.Context(), transport.Float, h)
		if err != nil {
			t.Fatal(err)
		}
		c := x.(transport.Clocked)
		for conn := range h.Connections {
			for _, x := range []transport.Transport{c, golden, formulas} {
				if _, err := x.Open(conn, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		hops := []fabric.Hop{{Gbps: 25}, {Gbps: 100}, {Gbps: 25}}
		now := uint64(1000)
		ack := func(i uint32) *transport.Ack {
			for k := range hops {
				hops[k].At = fabric.Instant(now) * agenda.PS
				hops[k].Bytes += r.Uint64N(6000)
				hops[k].Queue = r.Int64N(1 << r.IntN(20))
			}
			return &transport.Ack{At: fabric.Instant(now) * agenda.PS, Seq: i, Next: i + 40, Now: now, RTT: 20_000 + r.Uint64N(60_000), Hops: hops[:3]}
		}
		for i := range uint32(300) {
			now += 1000 + r.Uint64N(1000)
			conn, a := int(i)%h.Connections, ack(i)
			before, err := c.Ack(conn, a)
			if err != nil {
				t.Fatal(err)
			}
			want, err := golden.Ack(conn, a)
			if err != nil {
				t.Fatal(err)
			}
			if f, err := formulas.Ack(conn, a); err != nil || math.Abs(f.Window/want.Window-1) > .15 {
				t.Fatalf("%s, acknowledgement %d: %+v in float64, %v, golden %+v", variant, i, f, err, want)
			}
			due, ok := c.Due()
			if !ok || due <= a.At || due > a.At+500*agenda.PS {
				t.Fatalf("%s, acknowledgement %d: due at %d, %t", variant, i, due, ok)
			}
			if list, err := c.Answers(due - 10*agenda.PS); err != nil || len(list) != 0 {
				t.Fatalf("%s, acknowledgement %d: %+v before its time, %v", variant, i, list, err)
			}
			list, err := c.Answers(due + 10*agenda.PS)
			if err != nil || len(list) != 1 || !list[0].Grants || list[0].Conn != conn || !near(list[0].Grant, want) {
				t.Fatalf("%s, acknowledgement %d: %+v, %v after %+v, want %+v", variant, i, list, err, before, want)
			}
		}
		for i := range uint32(9) { // at once, of all connections
			if _, err := c.Ack(int(i)%h.Connections, ack(300+i)); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		for due, ok := c.Due(); ok && n < 100; due, ok = c.Due() {
			list, err := c.Answers(due)
			if err != nil {
				t.Fatal(err)
			}
			n += len(list)
		}
		if n != 9 {
			t.Errorf("%s: %d windows for 9 acknowledgements at once", variant, n)
		}
		if err := x.(interface{ Close() error }).Close(); err != nil {
			t.Error(err)
		}
	}
}
