// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/plb"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// network runs RPCs from four hosts to the hosts of another leaf, through four uplinks of which two get most connections and one
// fails for a while.
func network(t *testing.T, set string, model func(host int) transport.Model) (*transport.Result, error) {
	t.Helper()
	link := fabric.Link{Gbps: 40, Delay: 2_000_000}
	const mtu = 4206
	x, err := topo.New(&topo.Shape{Tiers: 2, Leaves: 2, Hosts: 4, Spines: 4, Host: link, Fabric: link,
		Queue: fabric.Queueing{Bytes: 100 * mtu, Marking: fabric.Marking{Min: 10 * mtu, Max: 10 * mtu}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Leaves[0].Weigh([]int{4, 4, 1, 1}); err != nil {
		t.Fatal(err)
	}
	x.At(2_000_000_000, x.Spines[0].Down[1].Fail)
	x.At(5_000_000_000, x.Spines[0].Down[1].Repair)
	rnd := rand.New(rand.NewPCG(1, 1))
	small, err := workload.RPCs(4, 2, 16_000, 100_000_000, 8_000_000_000, rnd)
	if err != nil {
		t.Fatal(err)
	}
	large, err := workload.RPCs(4, 1, 1_000_000, 500_000_000, 8_000_000_000, rnd)
	if err != nil {
		t.Fatal(err)
	}
	s := &transport.Settings{Payload: 4096, Headers: 110, RTO: 1_000_000, Deadline: 100_000_000}
	r, err := transport.Run(t.Context(), x, slices.Concat(small, large), s, func(host, conns int) (transport.Transport, error) {
		return plb.Transport(t.Context(), model(host), &transport.Host{Number: host, Connections: conns, Seed: uint64(host), RTO: s.RTO, Settings: set,
			Window: func() transport.Window {
				return &transport.WindowDCTCP{MTU: mtu, First: 10 * mtu, Most: 64 * mtu, Least: 2 * mtu, Gain: 1. / 16}
			}})
	})
	if err == nil {
		err = x.Check()
	}
	return r, err
}

// The RTL in the NICs of a network decides as the golden model does: its lockstep finds no difference, and the run is the same.
func TestTransportRTL(t *testing.T) {
	const set = "connections=64 pause_ns=2097152"
	golden, err := network(t, set, func(int) transport.Model { return transport.Golden })
	if err != nil {
		t.Fatal(err)
	}
	if golden.Timeouts == 0 || golden.Counts.Marked == 0 {
		t.Errorf("%+v: want time-outs and marks", golden.Counts)
	}
	still, err := network(t, set+" mode=1", func(int) transport.Model { return transport.Golden })
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(golden, still) {
		t.Error("connections that keep their labels make no difference")
	}
	rtl, err := network(t, set, func(host int) transport.Model {
		if host < 2 {
			return transport.RTL
		}
		return transport.Golden
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(golden, rtl) {
		t.Errorf("RTL gives %+v, the golden model %+v", rtl.Counts, golden.Counts)
	}
}

// RTL that is set otherwise than the golden model differs from it, and the run ends there.
func TestTransportNotices(t *testing.T) {
	for _, c := range []struct{ rtl, golden string }{
		{"idle_rounds=2", ""},
		{"fraction=0", "fraction=32768"},
		{"mode=1", ""},
	} {
		err := plb.Unlike(t.Context(), c.rtl, c.golden, func(x transport.Transport) error {
			if _, err := x.Open(0, 0); err != nil {
				return err
			}
			for k := range uint32(10) {
				now := 100 * uint64(k)
				if _, err := x.Send(0, now); err != nil {
					return err
				}
				if _, err := x.Ack(0, &transport.Ack{Now: now + 50, RTT: 50, Marked: k%2 == 0 || c.golden == "", Seq: k, Next: k + 1, First: k + 1}); err != nil {
					return err
				}
			}
			return nil
		})
		var d *transport.Difference
		if !errors.As(err, &d) || d.Event != "a packet" {
			t.Errorf("%s: %v, want a difference in a packet", c.rtl, err)
		}
	}
}

// Of the packets of one window that time out, the first is the connection's RTO.
func TestTransportRTO(t *testing.T) {
	x, err := plb.Transport(t.Context(), transport.Golden, &transport.Host{Connections: 1, Window: func() transport.Window { return &transport.MPRDMA{First: 1} }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Open(0, 0); err != nil {
		t.Fatal(err)
	}
	send := func() uint32 {
		c, err := x.Send(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return c.EV
	}
	lost := func(ev uint32) {
		if _, err := x.Lost(0, &transport.Loss{Now: 1, EV: ev}); err != nil {
			t.Fatal(err)
		}
	}
	first := send()
	if ev := send(); ev != first {
		t.Fatalf("label %#x, want %#x", ev, first)
	}
	lost(first)
	second := send()
	lost(first)
	if ev := send(); second == first || ev != second {
		t.Errorf("labels %#x, %#x, %#x, want a new one once", first, second, ev)
	}
	lost(second)
	if ev := send(); ev == second {
		t.Errorf("label %#x again, want a new one", ev)
	}
}

func TestTransportRefuses(t *testing.T) {
	window := func() transport.Window { return &transport.MPRDMA{} }
	for _, c := range []struct {
		model transport.Model
		set   string
		want  string
	}{
		{"float", "", `sim/host/plb: model: found "float", allowed: golden, rtl or cycles`},
		{transport.Golden, "idle_rounds=16", "idle_rounds"},
	} {
		_, err := plb.Transport(t.Context(), c.model, &transport.Host{Connections: 1, Window: window, Settings: c.set})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
