// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/tb/bench"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

// recorder is a NIC that notes what happens to it.
type recorder struct {
	Plain
	name string
	log  *[]string
	fail error
}

func (r *recorder) Host(frame []byte) {
	*r.log = append(*r.log, r.name+" gets a frame")
	r.Plain.Host(frame)
}

func (r *recorder) Open(_ context.Context, c Connection) error {
	*r.log = append(*r.log, fmt.Sprintf("%s opens %#x of %v, %#x of %v", r.name, c.LocalQP, c.Local, c.RemoteQP, c.Remote))
	return r.fail
}

// Both NICs have a connection before the frame that completed it goes on, each from its side; one that cannot be opened is reported.
func TestOpens(t *testing.T) {
	var log []string
	full := errors.New("all numbers are in use")
	a, b := &recorder{name: "A", log: &log}, &recorder{name: "B", log: &log, fail: full}
	var seen []Learned
	hosts, end := start(t, Config{Network: straight(), NICs: [2]NIC{a, b}, Learner: &Learner{Perftest: true}, Opened: func(l Learned) { seen = append(seen, l) }})
	client, server := conversation()
	hosts[1].send(client.segment(t, told(0x21, 1, gidB)))
	hosts[0].receive(soon)
	hosts[0].send(server.segment(t, told(0x11, 2, gidA)))
	hosts[1].receive(soon)
	res := end()
	opens := []string{"A opens 0x11 of 10.0.0.1, 0x21 of 10.0.0.2", "B opens 0x21 of 10.0.0.2, 0x11 of 10.0.0.1"}
	if len(log) != 4 || log[0] != "B gets a frame" || log[3] != "A gets a frame" || !slices.Contains(log[1:3], opens[0]) || !slices.Contains(log[1:3], opens[1]) {
		t.Errorf("%q, want a frame of B's host, %q, a frame of A's host", log, opens)
	}
	if len(seen) != 1 || len(res.Learned) != 1 || !slices.Equal(res.LeftOut, []string{"NIC B: all numbers are in use"}) {
		t.Errorf("%+v; %+v; %q", seen, res.Learned, res.LeftOut)
	}
}

// A queue pair that comes again gets a new connection in the place of the old one; if all numbers are in use, the oldest goes.
func TestReopens(t *testing.T) {
	b := wires(t, nil)[0]
	most := int(b.Params.Connections)
	peer := netip.MustParseAddr("10.0.0.2")
	open := func(remote, local uint32) {
		t.Helper()
		if err := b.Open(t.Context(), Connection{Local: netip.MustParseAddr("10.0.0.1"), Remote: peer, LocalQP: local, RemoteQP: remote}); err != nil {
			t.Fatal(err)
		}
	}
	has := func() (list [][2]uint32) {
		for _, o := range b.open {
			list = append(list, [2]uint32{o.RemoteQP, o.LocalQP})
		}
		return list
	}
	open(0x11, 0x21)
	open(0x12, 0x22)
	open(0x11, 0x21)
	if want := [][2]uint32{{0x12, 0x22}, {0x11, 0x21}}; !slices.Equal(has(), want) {
		t.Errorf("%#x, want %#x", has(), want)
	}
	open(0x12, 0x23) // the peer's queue pair has another partner now
	if want := [][2]uint32{{0x11, 0x21}, {0x12, 0x23}}; !slices.Equal(has(), want) {
		t.Errorf("%#x, want %#x", has(), want)
	}
	for i := range uint32(most) {
		open(0x100+i, 0x1000+i)
	}
	if list := has(); len(list) != most || list[0] != [2]uint32{0x100, 0x1000} {
		t.Errorf("%d connections, the oldest %#x, want %d, %#x", len(list), list[0], most, 0x100)
	}
}

// A file with an unknown setting is an error.
func TestLoads(t *testing.T) {
	b := wires(t, nil)[0]
	wrong, err := load.Parse("a.yaml", []byte("settings: {gate.cfg_nothing: 2}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := b.Setup
	s.Files = []*load.File{wrong}
	if _, err := NewBlock(t.Context(), s); err == nil || !strings.Contains(err.Error(), "cfg_nothing") {
		t.Errorf("%v of a file with an unknown setting", err)
	}
}

// The block itself, with its golden model: a learned connection's packets get entropy values, all frames are accounted for, and a golden
// model of another configuration is noticed.
func TestRealBlock(t *testing.T) {
	const set = "path=reps window=none"
	if testing.Short() && sample.LeftOut(set) {
		return
	}
	p := params.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	src, err := bench.Source(p)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := cosim.Build(t.Context(), src, cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	file, err := load.Parse("a.yaml", []byte("settings: {gate.cfg_stall_ns: 2ms}\n"))
	if err != nil {
		t.Fatal(err)
	}
	other := *p
	other.EVBase = 0x8000
	for _, golden := range []*params.Params{p, &other} {
		var nics [2]NIC
		for side := range nics {
			check, err := nictransport.New(golden, lib.Layout())
			if err != nil {
				t.Fatal(err)
			}
			profile := device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1}
			b, err := NewBlock(t.Context(), Setup{Library: lib, Params: p, Checker: check, Seed: uint64(side), Profile: profile, Files: []*load.File{file}})
			if err != nil {
				if golden == p || !errors.Is(err, ErrGolden) {
					t.Fatal(err)
				}
				return // noticed early
			}
			t.Cleanup(func() { b.Close() })
			if v, err := b.d.Read("gate.cfg_stall_ns"); err != nil || v != 2_000_000 {
				t.Errorf("gate.cfg_stall_ns is %d, %v, want 2000000", v, err)
			}
			nics[side] = b
		}
		Together(nics[0].(*Block), nics[1].(*Block))
		n := straight()
		n.Paths = 4
		hosts, ports := [2]*host{}, [2]Port{}
		for s := range hosts {
			hosts[s], ports[s] = newHost(t)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		var res *Result
		go func() {
			defer close(done)
			res, err = Run(ctx, Config{Network: n, NICs: nics, Ports: ports, Learner: &Learner{Perftest: true}, Drain: soon})
		}()
		client, server := conversation()
		hosts[1].send(client.segment(t, told(0x21, 0, gidB)))
		hosts[0].receive(soon)
		hosts[0].send(server.segment(t, told(0x11, 0, gidA)))
		hosts[1].receive(soon)
		const frames = 40
		for psn := range uint32(frames) {
			hosts[1].send(frame(t, packet(1, roce.SendOnly, 0x11, psn)))
		}
		for psn := range uint32(frames) {
			if golden != p {
				<-done
				break
			}
			if f := hosts[0].receive(soon); f == nil || roce.Verify(f) != nil {
				t.Fatalf("packet %d: % x", psn, f)
			}
		}
		stop()
		<-done
		if golden != p {
			if !errors.Is(err, ErrGolden) {
				t.Errorf("%v with another golden model, want %v", err, ErrGolden)
			}
			continue
		}
		if err != nil || len(res.Faults) > 0 || res.Wire.Ports < 10 || res.Sides[1].ToWire[Request] != frames || slices.Min(res.Wire.Paths[1]) == 0 {
			t.Errorf("%v, %+v; %d entropy values, %d requests to the wire, by path %v; %+v", err, res.Faults, res.Wire.Ports, res.Sides[1].ToWire[Request], res.Wire.Paths, res.Sides[1].NIC)
		}
	}
}

// The golden model alone treats a learned connection's packets as the RTL does: entropy values, echoes, a window.
func TestGoldenAlone(t *testing.T) {
	p := params.Default()
	if err := gen.Configure(p, "window=none"); err != nil {
		t.Fatal(err)
	}
	const window, frames = 1000, 20 // an IP packet of these has 300 bytes: the window is full behind the fourth
	var nics [2]NIC
	for side := range nics {
		g, err := NewGolden(GoldenSetup{Params: p, Seed: uint64(side), Profile: device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1}, Window: window})
		if err != nil {
			t.Fatal(err)
		}
		nics[side] = g
	}
	hosts, end := start(t, Config{Network: straight(), NICs: nics, Learner: &Learner{Perftest: true}})
	client, server := conversation()
	hosts[1].send(client.segment(t, told(0x21, 0, gidB)))
	hosts[0].receive(soon)
	hosts[0].send(server.segment(t, told(0x11, 0, gidA)))
	hosts[1].receive(soon)
	for psn := range uint32(frames) {
		hosts[1].send(frame(t, packet(1, roce.SendOnly, 0x11, psn)))
	}
	ports := map[layers.UDPPort]bool{}
	for psn := uint32(0); psn < frames; {
		var newest layers.UDPPort
		for range 4 { // as many as the window lets through
			f := hosts[0].receive(soon)
			q, err := roce.Parse(f)
			if err != nil || roce.Verify(f) != nil || q.BTH.PSN != psn {
				t.Fatalf("packet %d: %v, % x", psn, err, f)
			}
			newest = q.UDP.SrcPort
			ports[newest] = true
			psn++
		}
		hosts[0].send(frame(t, packet(0, roce.Acknowledge, 0x21, psn-1)))
		f := hosts[1].receive(soon)
		if q, err := roce.Parse(f); err != nil || q.UDP.SrcPort != newest || roce.Verify(f) != nil {
			t.Fatalf("the ACK has not the entropy value of its packet, %d: %v, % x", newest, err, f)
		}
	}
	res := end()
	if len(res.Faults) > 0 || len(ports) < 4 || res.Sides[1].NIC.Registers["gate.sts_stall_cnt"] > 0 || res.Sides[1].NIC.Held > 0 || res.Sides[1].NIC.Registers["gate.sts_ack_cnt"] != frames/4 {
		t.Errorf("%+v; %d entropy values; %+v", res.Faults, len(ports), res.Sides[1].NIC)
	}
	for set, want := range map[string]string{"path=laps": "found path laps", "list=4": "found list 4"} {
		p := params.Default()
		if err := gen.Configure(p, set); err != nil {
			t.Fatal(err)
		}
		if _, err := NewGolden(GoldenSetup{Params: p}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
}

// A window that stays shut is opened for a packet by the stall rule, in the block's time.
func TestGoldenStall(t *testing.T) {
	p := params.Default()
	if err := gen.Configure(p, "window=none"); err != nil {
		t.Fatal(err)
	}
	g, err := NewGolden(GoldenSetup{Params: p, Profile: device.Profile{Queue: true, DSCP: -1, ECN: -1}, Window: 100})
	if err != nil {
		t.Fatal(err)
	}
	c := Connection{Local: netip.MustParseAddr("10.0.0.1"), Remote: netip.MustParseAddr("10.0.0.2"), LocalQP: 0x21, RemoteQP: 0x11}
	if err := g.Open(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for psn := range uint32(3) {
		g.Host(frame(t, packet(0, roce.SendOnly, 0x11, psn)))
	}
	count := func(until agenda.Instant) (n int) {
		if err := g.Run(t.Context(), until, func(Left) { n++ }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const stall = 1_000_000 // ns
	for i, want := range []int{1, 0, 1, 0, 1} {
		at := agenda.At(uint64(stall/2*i + i))
		if n := count(at); n != want {
			t.Errorf("%d packets leave at %d ns, want %d", n, at.NS(), want)
		}
	}
	if x, _ := g.End(); x.Registers["gate.sts_stall_cnt"] != 2 || x.Held != 0 {
		t.Errorf("%+v", x)
	}
}
