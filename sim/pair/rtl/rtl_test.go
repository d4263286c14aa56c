// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"context"
	"errors"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/device/devicetest"
	"github.com/nicgen/nicgen/sim/pair"
	"github.com/nicgen/nicgen/sim/pair/rtl"
	"github.com/nicgen/nicgen/tb/bench"
	nictransport "github.com/nicgen/nicgen/tb/nic_transport"
)

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

// Blocks that are wires are as NICs that change nothing, but for the time of beats.
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

// run runs a scenario with two blocks, each beside its golden model.
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
	res, err := pair.Run(t.Context(), sc, [2]pair.NIC{nics[0], nics[1]}, pair.Options{Window: nics[0].Window})
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
	sc := short(t, "failure", 260_000)
	sc.Event, sc.Repair = 60_000, 250_000
	sc.Paths[3].Fails, sc.Paths[3].Repaired = sc.Event, sc.Repair
	res, nics := run(t, "path=reps window=none", sc, device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1})
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

// PowerTCP's window follows the queue, by round-trip times and by telemetry: what seven flows put into it drains, and it is
// shorter at the end than that of hosts without it.
func TestPowerTCP(t *testing.T) {
	for _, c := range []struct{ set, what string }{{"path=none telemetry=theta", "theta"}, {"path=none telemetry=int", "int"}} {
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
