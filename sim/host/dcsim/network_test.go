// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// switched runs a scenario of the loop in the simulator of networks, whose switch is no dcsim_port.
func switched(t *testing.T, sc Scenario, m transport.Model, rtl []int) (*transport.EndpointResult, int, error) {
	t.Helper()
	x := sc.settings()
	x.RTL, x.Seed = rtl, sc.Seed
	hosts, err := Endpoints(t.Context(), m, x)
	if err != nil {
		t.Fatal(err)
	}
	return switchedBy(t, sc, x, hosts)
}

// switchedBy does so with hosts.
func switchedBy(t *testing.T, sc Scenario, x *transport.EndpointSettings, hosts transport.Endpoints) (*transport.EndpointResult, int, error) {
	t.Helper()
	x.Deadline = 10_000_000
	token, _ := network(x).Period().Float64()
	shape := topo.Shape{Tiers: 1, Hosts: sc.Hosts, Host: fabric.Link{Gbps: gbps, Delay: linkNS * 1000},
		Queue: fabric.Queueing{Packets: [fabric.Classes]int{b, b, b, int(sc.DataPackets)}, Bucket: fabric.Bucket{Period: fabric.Instant(token * 1000), Size: 2}}}
	tree, err := topo.New(&shape, sc.Seed)
	if err != nil {
		t.Fatal(err)
	}
	var flows []workload.Flow
	for src := range sc.Hosts {
		for dst := range sc.Hosts {
			if (&loop{sc: sc}).sends(src, dst) {
				flows = append(flows, workload.Flow{Src: src, Dst: dst, Bytes: sc.Packets * uint64(sc.PacketBytes)})
			}
		}
	}
	res, err := transport.RunEndpoints(t.Context(), tree, flows, x, hosts)
	if e := errors.Join(tree.Check(), hosts.Close()); e != nil {
		t.Error(e)
	}
	most := 0
	for _, p := range tree.Leaves[0].Down {
		most = max(most, p.Longest[dataClass])
	}
	return res, most, err
}

// A port of the simulator behaves like a dcsim_port: hosts around a switch of either kind have nearly the same results.
func TestNetwork(t *testing.T) {
	for _, sc := range []Scenario{
		{Hosts: 8, Pattern: AllToAll, PacketBytes: 1500, Packets: 100},
		{Hosts: 6, Pattern: Incast, PacketBytes: 9000, Packets: 30},
	} {
		sc.Queue, sc.DataPackets, sc.Seed = b, 2*b, 1
		t.Run(string(sc.Pattern), func(t *testing.T) {
			want, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			got, most, err := switched(t, sc, transport.Golden, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Delivered != sc.demand() || got.Again+got.Behind > 0 || got.Hosts.Packets != sc.demand() {
				t.Errorf("%d DATAs arrived of %d, %d again, %d behind a later one, %d sent", got.Delivered, sc.demand(), got.Again, got.Behind, got.Hosts.Packets)
			}
			near := func(what string, got, want, percent uint64) {
				if got*100 < want*(100-percent) || got*100 > want*(100+percent) {
					t.Errorf("%s: %d, around dcsim_port %d", what, got, want)
				}
			}
			near("clocks to the last DATA", got.Clocks, want.Last, 2)
			near("SIMs", got.Hosts.Probes, want.SIMs, 5)
			near("clocks of the longest SIM", got.Hosts.MostRTT, want.MostRTT, 10)
			near("DATAs in a queue", uint64(most), want.MostDATAs, 20)
		})
	}
}

// With RTL in one host or in all, the network has the same results as with golden models.
func TestNetworkRTL(t *testing.T) {
	sc := Scenario{Hosts: 4, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 40, Seed: 2}
	golden, _, err := switched(t, sc, transport.Golden, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, hosts := range [][]int{nil, {2}} {
		rtl, _, err := switched(t, sc, transport.RTL, hosts)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(golden, rtl, cmp.AllowUnexported()); d != "" {
			t.Errorf("-golden +rtl\n%s", d)
		}
	}
	if _, err := Endpoints(t.Context(), "float", sc.settings()); err == nil || err.Error() != `sim/host/dcsim: model: found "float", allowed: golden, rtl or cycles` {
		t.Errorf("%v", err)
	}
	x := sc.settings()
	x.TimeoutNS = 10
	if _, err := Endpoints(t.Context(), transport.Golden, x); err == nil || !strings.Contains(err.Error(), "data_timeout_ns") {
		t.Errorf("error %v, want one of data_timeout_ns", err)
	}
}

// A host whose NIC has too many DATAs sends none: none is lost there, or twice.
func TestFullNIC(t *testing.T) {
	// 800 Gb/s with 1,500 bytes are more frames than a port of 322 MHz can send.
	sc := Scenario{Hosts: 3, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 300, Seed: 3}
	x := sc.settings()
	x.Gbps, x.Seed, x.Deadline = 800, 3, 1_000_000
	token, _ := network(x).Period().Float64()
	tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: sc.Hosts, Host: fabric.Link{Gbps: 800, Delay: linkNS * 1000},
		Queue: fabric.Queueing{Packets: [fabric.Classes]int{b, 0, 0, 0}, Bucket: fabric.Bucket{Period: fabric.Instant(token * 1000), Size: 2}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	hosts, err := Endpoints(t.Context(), transport.Golden, x)
	if err != nil {
		t.Fatal(err)
	}
	res, err := transport.RunEndpoints(t.Context(), tree, []workload.Flow{{Src: 0, Dst: 1, Bytes: 3_000_000}, {Src: 1, Dst: 0, Bytes: 3_000_000}, {Src: 2, Dst: 0, Bytes: 3_000_000}}, x, hosts)
	if err != nil {
		t.Fatal(err)
	}
	if res.Hosts.MostWaiting < nicDATAs {
		t.Errorf("at most %d DATAs waited in a NIC, want %d and more", res.Hosts.MostWaiting, nicDATAs)
	}
	if n := res.Hosts.Packets; n != 6000 || res.Again > 0 || res.Hosts.Dropped[dataClass] > 0 {
		t.Errorf("%d DATAs sent, %d came again, %d dropped by NICs, want 6000, and none", n, res.Again, res.Hosts.Dropped[dataClass])
	}
}

// Hosts with a bucket of twice the rate send twice the SIMs, where half of them are lost anyway.
func TestProbeRate(t *testing.T) {
	sc := Scenario{Hosts: 3, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 300, Seed: 3}
	probes := func(rate int64) uint64 {
		x := sc.settings()
		x.ProbeRate, x.Deadline = rate, 1_000_000
		token, _ := network(x).Period().Float64()
		tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: sc.Hosts, Host: fabric.Link{Gbps: float64(x.Gbps), Delay: linkNS * 1000},
			Queue: fabric.Queueing{Packets: [fabric.Classes]int{b, 0, 0, 0}, Bucket: fabric.Bucket{Period: fabric.Instant(token * 1000), Size: 2}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		hosts, err := Endpoints(t.Context(), transport.Golden, x)
		if err != nil {
			t.Fatal(err)
		}
		res, err := transport.RunEndpoints(t.Context(), tree, []workload.Flow{{Src: 0, Dst: 2, Bytes: 450_000}, {Src: 1, Dst: 2, Bytes: 450_000}}, x, hosts)
		if err != nil {
			t.Fatal(err)
		}
		return res.Hosts.Probes
	}
	// Two hosts at full rate exceed a port by one, hosts at twice the rate by three.
	if one, two := probes(0), probes(2); float64(one) < 1.7*600 || float64(two) < 1.7*float64(one) || float64(two) > 2.1*float64(one) {
		t.Errorf("%d SIMs for 600 DATAs, %d with twice the rate, want about twice the DATAs, and twice that", one, two)
	}
	x := sc.settings()
	x.ProbeRate = 1 << 24
	if _, err := Endpoints(t.Context(), transport.Golden, x); err == nil || !strings.Contains(err.Error(), "gain of a bucket: found") {
		t.Errorf("error %v, want one of a bucket's gain", err)
	}
}
