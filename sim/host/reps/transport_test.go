// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/reps"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// network runs four hosts with 256 KiB each to hosts of another leaf; of four uplinks one is slow and one fails for a
// while, the second time for good.
func network(t *testing.T, set string, model func(host int) transport.Model) (*transport.Result, error) {
	t.Helper()
	link := fabric.Link{Gbps: 400, Delay: 1_000_000}
	const mtu, queue = 4150, 100 * 4150
	x, err := topo.New(&topo.Shape{Tiers: 2, Leaves: 2, Hosts: 4, Spines: 4, Host: link, Fabric: link,
		Queue: fabric.Queueing{Bytes: queue, Marking: fabric.Marking{Min: queue / 5, Max: queue * 4 / 5}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	up := x.Leaves[0].Up
	up[0].SetRate(100)
	x.At(3_000_000, up[1].Fail)
	x.At(60_000_000, up[1].Repair)
	x.At(120_000_000, up[1].Fail)
	flows, err := workload.Tornado(8, 4, 256<<10)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range flows { // a second message later, in a separate connection
		f.Start, f.Dst = 110_000_000, f.Dst^1
		flows = append(flows, f)
	}
	s := &transport.Settings{Payload: 4096, Headers: 54, RTO: 30_000, Deadline: 10_000_000}
	r, err := transport.Run(t.Context(), x, flows, s, func(host, conns int) (transport.Transport, error) {
		return reps.Transport(t.Context(), model(host), &transport.Host{Number: host, Connections: conns, Seed: uint64(host),
			Window: func() transport.Window {
				return &transport.MPRDMA{MTU: mtu, First: 50 * mtu, Most: 150 * mtu, Least: mtu}
			},
			BaseRTT: x.RoundTrip(0, 7, mtu, fabric.HeaderSize).NS(), RTO: s.RTO, Settings: set})
	})
	if err == nil {
		err = x.Check()
	}
	return r, err
}

// The RTL of buffer and detector in the NICs of a network decides as the golden models do: its lockstep finds no
// difference, and the run is the same.
func TestTransportRTL(t *testing.T) {
	const set = "freezing_timeout_ns=20000"
	golden, err := network(t, set, func(int) transport.Model { return transport.Golden })
	if err != nil {
		t.Fatal(err)
	}
	if golden.Timeouts == 0 || golden.Counts.Marked == 0 {
		t.Errorf("%+v: want time-outs and marks", golden)
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
		t.Errorf("RTL gives %+v, the golden models %+v", rtl, golden)
	}
}

// RTL that is set otherwise than the golden model differs from it, and the run ends there.
func TestTransportNotices(t *testing.T) {
	for _, c := range []struct{ set, event string }{
		{"freezing=false", "a loss"},
		{"ev_base=1", "a packet"},
	} {
		err := reps.Unlike(t.Context(), "", c.set, func(x transport.Transport) error {
			if _, err := x.Open(0, 0); err != nil {
				return err
			}
			for ns := range uint64(10) {
				if _, err := x.Send(0, ns); err != nil {
					return err
				}
				if _, err := x.Ack(0, &transport.Ack{Now: ns, RTT: 100, EV: 5 + uint32(ns)}); err != nil {
					return err
				}
				if _, err := x.Lost(0, &transport.Loss{Now: ns}); err != nil {
					return err
				}
			}
			return nil
		})
		var d *transport.Difference
		if !errors.As(err, &d) || d.Event != c.event {
			t.Errorf("%s: %v, want a difference in %s", c.set, err, c.event)
		}
	}
}

func TestTransportRefuses(t *testing.T) {
	window := func() transport.Window { return &transport.MPRDMA{} }
	for _, c := range []struct {
		model transport.Model
		set   string
		want  string
	}{
		{transport.Golden, "nic_ports=2", "sim/host/reps: found coalescing none with 2 NIC ports, allowed: an EV in each acknowledgement, 1 NIC port"},
		{"float", "", `sim/host/reps: model: found "float", allowed: golden, rtl or cycles`},
		{transport.Golden, "depth=3", "depth"},
	} {
		_, err := reps.Transport(t.Context(), c.model, &transport.Host{Connections: 1, Window: window, Settings: c.set, BaseRTT: 1000, RTO: 1000})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
