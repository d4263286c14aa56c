// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/device/devicetest"
	"github.com/nicgen/nicgen/sim/scenario/pair"
	"github.com/nicgen/nicgen/sim/scenario/pair/rtl"
	"github.com/nicgen/nicgen/tb/bench"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// short is a scenario that takes little time.
func short(t *testing.T, name string, stop uint64) *pair.Scenario {
	t.Helper()
	sc, err := pair.New(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	sc.Stop = stop
	for i := range sc.Flows {
		sc.Flows[i].Message = 16 << 10
	}
	return sc
}

type pass struct{}

func (pass) Step([]uint64, []uint64) error { return nil }
func (pass) End() error                    { return nil }

// Blocks that act as wires equal NICs that change nothing, except for the timing of beats.
func TestWires(t *testing.T) {
	for _, set := range []string{"", "path=spray telemetry=int", "path=none window=none"} {
		p := params.Default()
		if err := gen.Configure(p, set); err != nil {
			t.Fatal(err)
		}
		lib, _ := devicetest.Wires(t, p)
		sc := short(t, "failure", 50_000)
		var nics [2]pair.NIC
		for host := range nics {
			n, err := rtl.New(t.Context(), lib, p, pass{}, sc, host, rtl.Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer n.Close()
			nics[host] = n
		}
		res, err := pair.Run(t.Context(), sc, nics, pair.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := pair.Run(t.Context(), sc, [2]pair.NIC{&pair.Plain{}, &pair.Plain{}}, pair.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range res.Flows {
			w := want.Flows[i]
			if f.Messages < 2 || f.Again != 0 || f.Early != 0 || f.Median < w.Median*0.95 || f.Median > w.Median*1.05 {
				t.Errorf("%q, flow %d: %+v, want about %+v", set, i, f, w)
			}
		}
	}
}

// block compiles the block.
func block(t *testing.T, set string) (*params.Params, *cosim.Library, *csr.Map) {
	t.Helper()
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
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	return p, lib, m
}

// configurations are the scenarios' configurations. Each takes several seconds to compile, so a
// short test uses one of them for everything.
var configurations = []string{reps, lists, plb, laps, theta, inband}

const (
	reps   = "path=reps window=none"
	lists  = "path=reps window=none list=16"
	plb    = "path=plb window=none"
	laps   = "path=laps window=none"
	theta  = "path=none telemetry=theta"
	inband = "path=none telemetry=int"
)

// leftOut reports whether a short test leaves a configuration out.
func leftOut(set string) bool {
	return !sample.OneOf(configurations, func(set string) string { return set })[slices.Index(configurations, set)]
}

// run runs a scenario with two blocks, each with its golden model.
func run(t *testing.T, set string, sc *pair.Scenario, profile device.Profile) (*pair.Result, [2]*rtl.NIC) {
	t.Helper()
	p, lib, _ := block(t, set)
	var nics [2]*rtl.NIC
	for host := range nics {
		check, err := nictransport.New(p, lib.Layout())
		if err != nil {
			t.Fatal(err)
		}
		n, err := rtl.New(t.Context(), lib, p, check, sc, host, rtl.Options{Seed: 1, Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { n.Close() })
		nics[host] = n
	}
	rtl.Together(nics[:]...)
	res, err := pair.Run(t.Context(), sc, [2]pair.NIC{nics[0], nics[1]}, pair.Options{Capture: true, Window: nics[0].Window})
	if err != nil {
		t.Fatal(err)
	}
	for host, n := range nics {
		if err := n.End(); err != nil {
			t.Errorf("NIC %d: %v", host, err)
		}
	}
	return res, nics
}

// REPS leaves a path that fails: its share while it is down is a small part of what it was.
func TestREPS(t *testing.T) {
	if leftOut(reps) {
		return
	}
	sc := short(t, "failure", 260_000)
	sc.Event, sc.Repair = 60_000, 250_000
	sc.Paths[3].Fails, sc.Paths[3].Repaired = sc.Event, sc.Repair
	res, nics := run(t, reps, sc, device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1})
	before, down := res.Share(3, 20_000, sc.Event), res.Share(3, 150_000, sc.Repair)
	t.Logf("share of the failed path: %.3f before, %.3f while it is down; %d failures; %+v", before, down, nics[0].Failures(), res.Hosts)
	if before < 0.06 || down > before/2 || nics[0].Failures() == 0 || res.Hosts[0].Dropped[pair.Failed] == 0 {
		t.Errorf("share of the failed path: %.3f before, %.3f while it is down; %d failures", before, down, nics[0].Failures())
	}
	for i, f := range res.Flows {
		if f.NAKs != 0 || f.Messages < 3 {
			t.Errorf("flow %d: %+v", i, f.Counts)
		}
	}
}

// PowerTCP's window follows the queue, by round-trip times and by telemetry: the queue of seven flows drains, and is
// shorter at the end than with hosts without PowerTCP.
func TestPowerTCP(t *testing.T) {
	for _, c := range []struct{ set, what string }{{theta, "theta"}, {inband, "int"}} {
		if leftOut(c.set) {
			continue
		}
		sc := short(t, "burst", 420_000)
		sc.Event, sc.Repair = 60_000, 60_000
		for i := range sc.Flows[1:] {
			sc.Flows[1+i].Start = sc.Event
		}
		res, nics := run(t, c.set, sc, device.Profile{Queue: true, EchoTX: true, EchoRX: true, Window: true, Telemetry: c.what == "int", DSCP: -1, ECN: -1})
		peak, at := res.Peak(0, sc.Event, sc.Stop)
		end := res.MeanQueue(0, sc.Stop-60_000, sc.Stop)
		least := 1e9
		for i := range sc.Flows {
			if w, ok := nics[0].Window(i); ok {
				least = min(least, w)
			}
		}
		t.Logf("%s: peak %d bytes at %d ns, %.0f at the end, payload %.1f Gb/s, least window %.0f", c.what, peak, at, end, res.Goodput(sc.Stop-60_000, sc.Stop), least)
		if peak < 200_000 || end > float64(peak)/4 || least > 20_000 {
			t.Errorf("%s: peak %d bytes, %.0f at the end, least window %.0f", c.what, peak, end, least)
		}
		if told := res.Forward[0].Told; (told > 0) != (c.what == "int") {
			t.Errorf("%s: %d shims were written", c.what, told)
		}
		for i, f := range res.Flows {
			if f.Again+f.NAKs+f.Timeouts > 0 {
				t.Errorf("%s, flow %d: %+v", c.what, i, f.Counts)
			}
		}
	}
}

// Ctrl-C ends the setup, and the run.
func TestStop(t *testing.T) {
	p := params.Default()
	lib, _ := devicetest.Wires(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := rtl.New(ctx, lib, p, pass{}, short(t, "burst", 1), 0, rtl.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("want %v, got %v", context.Canceled, err)
	}
}

// LAPS shares by latency: before and while others load the shortest path its packets are shared as the formula gives it by the mean
// latencies that were measured, the loaded path has little of them, and nothing is lost.
func TestLAPS(t *testing.T) {
	if leftOut(laps) {
		return
	}
	sc := short(t, "share", 260_000)
	sc.Event, sc.Repair = 80_000, 250_000
	sc.Paths[0].Load.From, sc.Paths[0].Load.To = sc.Event, sc.Repair
	res, _ := run(t, laps, sc, device.Profile{Queue: true, Path: true, Telemetry: true, DSCP: -1, ECN: -1})
	for _, span := range [][2]uint64{{30_000, sc.Event}, {150_000, sc.Repair}} {
		weights := rtl.Weights(res, span[0], span[1])
		for p := range sc.Paths {
			share := res.Share(p, span[0], span[1])
			t.Logf("%d to %d ns, path %d: %.3f of the packets, %.3f by its latency, %.0f ns", span[0], span[1], p, share, weights[p], res.Latency(p, span[0], span[1]))
			if share < weights[p]-0.05 || share > weights[p]+0.05 {
				t.Errorf("%d to %d ns, path %d: %.3f of the packets, want about %.3f", span[0], span[1], p, share, weights[p])
			}
		}
	}
	before, loaded := res.Share(0, 30_000, sc.Event), res.Share(0, 150_000, sc.Repair)
	if before < 0.25 || loaded > before/3 {
		t.Errorf("share of the shortest path: %.3f before, %.3f while it is loaded", before, loaded)
	}
	for i, f := range res.Flows {
		if f.Again+f.Timeouts+f.NAKs != 0 || f.Messages < 3 {
			t.Errorf("flow %d: %+v", i, f.Counts)
		}
	}
	for host, h := range res.Hosts {
		if len(h.Dropped) != 0 {
			t.Errorf("host %d: %+v", host, h)
		}
	}
}

// A path that fails is not measured, its latency doubles with each probe, and the packets go by others.
func TestLAPSProbes(t *testing.T) {
	if leftOut(laps) {
		return
	}
	sc := short(t, "failure", 260_000)
	sc.Event, sc.Repair = 60_000, 250_000
	sc.Paths[3].Fails, sc.Paths[3].Repaired = sc.Event, sc.Repair
	res, _ := run(t, laps, sc, device.Profile{Queue: true, Path: true, Telemetry: true, DSCP: -1, ECN: -1})
	before, down := res.Share(3, 20_000, sc.Event), res.Share(3, 150_000, sc.Repair)
	probes := res.Forward[3].Probes
	t.Logf("share of the failed path: %.3f before, %.3f while it is down; %d probes; %+v", before, down, probes, res.Hosts)
	if before < 0.08 || down > before/4 || probes < 3 {
		t.Errorf("share of the failed path: %.3f before, %.3f while it is down; %d probes", before, down, probes)
	}
	if h := res.Hosts; h[0].Made < probes || h[1].Made == 0 || h[0].Ended != h[1].Made {
		t.Errorf("probes and answers: %+v", h)
	}
}

// The documented file of tables equals the scenario's, and blocks accept it from a file.
func TestTables(t *testing.T) {
	sc, err := pair.New("share", 1)
	if err != nil {
		t.Fatal(err)
	}
	const name = "testdata/share.yaml"
	if want := rtl.Tables(sc); *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s is not that of the scenario: go test ./sim/scenario/pair/rtl -run TestTables -update", name)
	}
	f, err := load.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	if leftOut(laps) {
		return
	}
	p, lib, _ := block(t, laps)
	n, err := rtl.New(t.Context(), lib, p, pass{}, sc, 0, rtl.Options{Tables: f})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if v, err := n.Read("laps.cfg_rto_min_ns"); err != nil || v != sc.Flows[0].Timeout {
		t.Errorf("laps.cfg_rto_min_ns is %d, %v", v, err)
	}
	f.Connections = append(f.Connections, load.Connection{})
	if _, err := rtl.New(t.Context(), lib, p, pass{}, sc, 0, rtl.Options{Tables: f}); err == nil || !strings.Contains(err.Error(), "1 connections, want none") {
		t.Errorf("error %v", err)
	}
}

// Lists of feedback bring entropy values back: REPS leaves the failed path by them, and the hosts see none.
func TestLists(t *testing.T) {
	if leftOut(lists) {
		return
	}
	sc := short(t, "failure", 260_000)
	sc.Event, sc.Repair = 60_000, 250_000
	sc.Paths[3].Fails, sc.Paths[3].Repaired = sc.Event, sc.Repair
	res, _ := run(t, lists, sc, device.Profile{Queue: true, Path: true, Feedback: true, DSCP: -1, ECN: -1})
	before, down := res.Share(3, 20_000, sc.Event), res.Share(3, 150_000, sc.Repair)
	t.Logf("share of the failed path: %.3f before, %.3f while it is down; %+v", before, down, res.Hosts)
	if h := res.Hosts; h[0].Made != 0 || h[1].Made < 100 || h[1].Ended == 0 || before < 0.06 || down > before/2 {
		t.Errorf("share of the failed path: %.3f before, %.3f while it is down; %+v", before, down, h)
	}
}

// PLB takes a new label for connections that time out: connections leave the failed path.
func TestPLB(t *testing.T) {
	if leftOut(plb) {
		return
	}
	sc := short(t, "failure", 300_000)
	sc.Event, sc.Repair = 60_000, 290_000
	sc.Paths[3].Fails, sc.Paths[3].Repaired = sc.Event, sc.Repair
	res, _ := run(t, plb, sc, device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1})
	before, down := res.Share(3, 20_000, sc.Event), res.Share(3, 200_000, sc.Repair)
	t.Logf("share of the failed path: %.3f before, %.3f while it is down; %+v", before, down, res.Hosts)
	if res.Hosts[0].Dropped[pair.Failed] == 0 || down > before/2 {
		t.Errorf("share of the failed path: %.3f before, %.3f while it is down", before, down)
	}
}
