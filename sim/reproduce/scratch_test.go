package reproduce

import (
	"fmt"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
	"github.com/nicgen/nicgen/tb/laps"
	"os"
	"strconv"
	"testing"
	"time"
)

func env(k string, d float64) float64 {
	if v := os.Getenv(k); v != "" {
		x, _ := strconv.ParseFloat(v, 64)
		return x
	}
	return d
}
func TestScratch(t *testing.T) {
	l := &Lab{Seed: 1, Model: transport.Golden, Unit: func(string) (transport.Maker, error) { return laps.Transport, nil }}
	r := &meshRun{setup: "x", scheme: "LAPS", set: os.Getenv("SET"), dragonfly: os.Getenv("DF") != ""}
	r.cables = topo.Cables{Host: fabric.Link{Gbps: env("HOST", 200), Delay: linkDelay}, Fabric: fabric.Link{Gbps: 100, Delay: linkDelay}, Memory: 32 << 20, Headroom: 50_000}
	r.cables.Queue.Marking = fabric.Marking{Min: int64(env("KMIN", 400_000)), Max: int64(env("KMAX", 1_600_000)), Chance: env("PMAX", 0.8)}
	r.hosts = transport.Settings{Payload: lapsPayload, Headers: lapsHeaders, RTO: uint64(env("RTO", 50) * 1e6), GoBackN: os.Getenv("GBN") != "", Deadline: 10_000_000_000}
	n := 64
	if r.dragonfly {
		n = 144
	}
	r.flows, _ = workload.Incast(n, 0, n-1, uint64(env("MB", 4)*1e6))
	if os.Getenv("ECMP") != "" {
		r.by = func(h *transport.Host, r *meshRun) transport.Transport {
			d := &transport.DCQCN{Line: h.Gbps / 8, Least: env("LEAST", 0.0125), Alpha: uint64(env("ALPHA", 1000)), Decrease: uint64(env("DEC", 4000)), Timer: uint64(env("TIMER", 300_000)), Gain: 1. / 256, Fast: 1, Additive: env("AI", 5) / 8000, Hyper: env("HAI", 50) / 8000, Window: env("WIN", 425e3), Clamp: os.Getenv("CLAMP") != ""}
			return transport.Pace(d, transport.ECMP(h))
		}
	}
	if os.Getenv("PLB") != "" {
		r.by = func(h *transport.Host, r *meshRun) transport.Transport {
			return transport.Pace(&transport.DCTCP{Line: h.Gbps / 8, Least: env("LEAST", 0.0125), Gain: env("G", 1./16), Additive: env("AI", 1000) / 8000, Window: env("WIN", 425e3)}, transport.PLB(h))
		}
	}
	if v := os.Getenv("Q"); v != "" {
		r.cables.Queue.Bytes = int64(env("Q", 0))
	}
	r.cables.Memory = int64(env("MEM", 32<<20))
	r.loss = env("LOSS", 0)
	start := time.Now()
	res, m, err := l.mesh(t.Context(), r, 1)
	if err != nil {
		t.Fatal(err)
	}
	mean, p99 := times(res)
	fmt.Printf("mean %.3f p99 %.3f ms; bound %.3f; %d packets again %d dup %d timeouts %d probes %d found %d %+v\n order %+v routes %v\n %v\n", mean, p99, float64(n-1)*env("MB", 4)*8/env("HOST", 200), res.Packets, res.Again, res.Duplicates, res.Timeouts, res.Probes, res.Found, res.Counts, res.Order, res.Routes, time.Since(start))
	var peak int64
	var quiet fabric.Instant
	for _, p := range m.Ports() {
		if p.Peak > peak {
			peak = p.Peak
		}
		if p.Quiet > quiet {
			quiet = p.Quiet
		}
	}
	fmt.Printf("peak %d quiet %.3f ms\n", peak, float64(quiet)/1e9)
	for _, p := range m.Ports() {
		if p.Peak > 500000 {
			fmt.Printf("  %s peak %d bytes %d\n", p.Name, p.Peak, p.Bytes)
		}
	}
}
