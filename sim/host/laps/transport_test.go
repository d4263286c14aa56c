// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	clock "github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/laps"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// fewPaths is a pipeline for few paths, which compiles quickly.
const fewPaths = "banks=2 rows=16 destinations=16 anchors=1 flows=64 depth=32 lanes=2 ack_queues=2 rto_min_ns=100000"

// two is two clusters of two GPUs: two routes between clusters.
func two(t testing.TB, queue int64) *topo.Mesh {
	t.Helper()
	link := func(gbps float64) fabric.Link { return fabric.Link{Gbps: gbps, Delay: 1_000_000} }
	m, err := topo.Rail(2, 2, &topo.Cables{Host: link(200), Fabric: link(100), Queue: fabric.Queueing{Bytes: queue}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func simulate(t *testing.T, m *topo.Mesh, flows []workload.Flow, set string, model func(host int) transport.Model) *transport.Result {
	t.Helper()
	s := &transport.Settings{Payload: 1000, Headers: 48, RTO: 1_000_000, Deadline: 100_000_000}
	r, err := transport.Run(t.Context(), m, flows, s, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Seed: uint64(host), Gbps: 200, Settings: set, Paths: func(dst int) []transport.Path { return m.Paths(host, dst, 1048) }}
		for _, f := range flows {
			if f.Src == host {
				h.Peers = append(h.Peers, f.Dst)
			}
		}
		return laps.Transport(t.Context(), model(host), h)
	})
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func golden(int) transport.Model { return transport.Golden }

// The RTL of the pipeline in the NICs of a network decides as the golden model does: its lockstep finds no difference, and the
// run is the same to the last time, with rates that fall and rise, probes, and segments that an ACK skips and that only a timer
// finds.
func TestTransportRTL(t *testing.T) {
	run := func(model func(int) transport.Model) *transport.Result {
		m := two(t, 12_000)
		for _, p := range m.Routes(0, 3)[1].Ports[1:3] {
			p.SetLoss(0.02)
		}
		flows := []workload.Flow{{Src: 0, Dst: 3, Bytes: 150_000}, {Src: 1, Dst: 3, Bytes: 100_000, Start: 20_000_000}, {Src: 0, Dst: 2, Bytes: 30_000, Start: 100_000_000},
			{Src: 0, Dst: 1, Bytes: 20_000, Start: 120_000_000}}
		return simulate(t, m, flows, fewPaths, model)
	}
	want := run(golden)
	if want.Found == 0 || want.Probes == 0 || want.Counts.Drops[fabric.Lossy] == 0 || want.Counts.Drops[fabric.Full] == 0 {
		t.Errorf("%+v: want losses, found losses and probes", want)
	}
	got := run(func(host int) transport.Model {
		if host == 0 {
			return transport.RTL
		}
		return transport.Golden
	})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("RTL gives %+v, the golden model %+v", got, want)
	}
}

// With different random numbers, what two of them decide differs at once.
func TestTransportLockstep(t *testing.T) {
	run := func(seed uint64) error {
		m := two(t, 12_000)
		for _, p := range m.Routes(0, 3)[1].Ports[1:3] {
			p.SetLoss(0.02)
		}
		s := &transport.Settings{Payload: 1000, Headers: 48, RTO: 1_000_000, Deadline: 100_000_000}
		_, err := transport.Run(t.Context(), m, []workload.Flow{{Src: 0, Dst: 3, Bytes: 150_000}, {Src: 1, Dst: 3, Bytes: 100_000, Start: 20_000_000}}, s, func(host, conns int) (transport.Transport, error) {
			h := transport.Host{Number: host, Connections: conns, Peers: []int{3}, Seed: uint64(host), Gbps: 200, Settings: fewPaths,
				Paths: func(dst int) []transport.Path { return m.Paths(host, dst, 1048) }}
			first, err := laps.Transport(t.Context(), transport.RTL, &h)
			if err != nil {
				return nil, err
			}
			h.Seed += seed
			second, err := laps.Transport(t.Context(), transport.Golden, &h)
			return transport.Lockstep(first, "rtl", second, "golden"), err
		})
		return err
	}
	if err := run(0); err != nil {
		t.Error(err)
	}
	var d *transport.Difference
	if err := run(1); !errors.As(err, &d) || d.Event != "a packet" || d.Conn != 0 {
		t.Errorf("%v, want a difference in the path of a packet", err)
	}
}

// Two senders of another cluster share what a host's two ways in carry, and nobody starves; a window bounds the queues.
func TestTransportShares(t *testing.T) {
	const size = 2_000_000
	flows := []workload.Flow{{Src: 0, Dst: 2, Bytes: size}, {Src: 1, Dst: 2, Bytes: size}}
	for _, set := range []string{"", "window=2"} {
		m := two(t, 0)
		r := simulate(t, m, flows, set, golden)
		// 200 Gb/s, and 5 µs before the first packet is there.
		least := fabric.Instant(2*size*8/200*1000) + 5_000_000
		for _, f := range r.Flows {
			if f.Received < least/2 || f.Received > 2*least {
				t.Errorf("%q: a flow takes %d ps, want about %d", set, f.Received, least)
			}
		}
		var peak int64
		for _, p := range m.Ports() {
			peak = max(peak, p.Peak)
		}
		var T fabric.Instant
		for _, x := range m.Routes(0, 2) {
			T = max(T, topo.Empty(&x, 1048, 5))
		}
		if most := int64(2 * 2 * float64(T) / 1000 * 25); set != "" && peak > most {
			t.Errorf("%q: a queue of %d bytes, want at most %d, the windows of two flows", set, peak, most)
		}
		if r.Routes[4].Packets == 0 || r.Routes[6].Packets == 0 || r.Duplicates > 0 || r.Again > 0 {
			t.Errorf("%q: %+v", set, r)
		}
	}
}

// With RTL with its own clock, a packet arrives later than with the golden model by the unit's latency for a path, and is stamped when it leaves,
// so its latency is the same. A network of such hosts, with losses and probes, carries as much traffic as one of golden models.
func TestClockedNetwork(t *testing.T) {
	clocked := func(host int) transport.Model {
		if host < 2 {
			return transport.Cycles
		}
		return transport.Golden
	}
	one := []workload.Flow{{Src: 0, Dst: 3, Bytes: 1000}}
	later := simulate(t, two(t, 0), one, fewPaths, clocked).Flows[0].Received - simulate(t, two(t, 0), one, fewPaths, golden).Flows[0].Received
	p := params.Default()
	if err := gen.SetAll(p, fewPaths); err != nil {
		t.Fatal(err)
	}
	if want := clock.At(uint64(p.PacketLatency() + 1)); later != want {
		t.Errorf("a packet is %d ps later, want %d", later, want)
	}
	flows := []workload.Flow{{Src: 0, Dst: 3, Bytes: 400_000}, {Src: 1, Dst: 3, Bytes: 400_000, Start: 20_000_000}, {Src: 0, Dst: 2, Bytes: 30_000, Start: 100_000_000}}
	run := func(model func(int) transport.Model) *transport.Result {
		m := two(t, 30_000)
		for _, p := range m.Routes(0, 3)[1].Ports[1:3] {
			p.SetLoss(0.02)
		}
		return simulate(t, m, flows, fewPaths+" tick=20", model)
	}
	want, got := run(golden), run(clocked)
	if got.Found == 0 || got.Probes == 0 || got.Counts.Drops[fabric.Lossy] == 0 || got.Counts.Drops[fabric.Full] == 0 {
		t.Errorf("%+v: want losses, found losses and probes", got)
	}
	if reflect.DeepEqual(got, want) {
		t.Error("latency changes nothing: the clock may stand still")
	}
	if a, b := float64(got.Packets), float64(want.Packets); math.Abs(a/b-1) > .1 {
		t.Errorf("%.0f packets, with golden models %.0f", a, b)
	}
	for i, f := range got.Flows {
		if a, b := float64(f.Received), float64(want.Flows[i].Received); math.Abs(a/b-1) > .2 {
			t.Errorf("flow %d takes %.0f ps, with golden models %.0f", i, a, b)
		}
	}
}

func TestTransportRefuses(t *testing.T) {
	h := &transport.Host{Connections: 1, Peers: []int{1}, Gbps: 100, Paths: func(int) []transport.Path { return []transport.Path{{Base: 1000, Anchors: []uint32{1}}} }}
	for _, c := range []struct {
		model transport.Model
		set   string
		want  string
	}{
		{"fluid", "", `sim/host/laps: model: found "fluid", allowed: golden, float, rtl or cycles`},
		{transport.Golden, "softmax=x", `softmax: found "x", allowed: a number from 0 to 64`},
		{transport.Golden, "tick=0", `tick: found "0", allowed: a number from 1 to 1e+06`},
		{transport.Golden, "stages=16", "stages"},
	} {
		h.Settings = c.set
		if _, err := laps.Transport(t.Context(), c.model, h); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
