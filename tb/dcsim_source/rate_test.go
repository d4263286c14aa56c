// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/gen/gentest"
)

// share is the part of Eq. 2's rate at which SIMs leave: all are acknowledged at once, and the line
// takes all that is offered.
func share(t *testing.T, set string, flows int) float64 {
	t.Helper()
	h := start(t, fmt.Sprintf("%s full_rate=false flows=8 copies=4096 data_timeout_ns=%d", set, 1_000_000))
	v := h.p.PortValues()
	from := 3*int(v["cfg_rtt_max"]) + 200
	waiting := make([]int, flows)
	sims := 0
	for h.now < 2*from {
		for flow := range flows {
			if waiting[flow] < 255 {
				h.data(uint64(flow), 255)
				waiting[flow] += 255
			}
		}
		sim, _ := h.cycle(true, true)
		if sim == nil {
			continue
		}
		h.simAck(sim.port)
		if waiting[sim.flow]--; h.now > from {
			sims++
		}
	}
	return float64(sims) / float64(from) * float64(v["cfg_token_cost"]) / float64(v["cfg_token_gain"])
}

// The page's largest rates by slots and lengths, as Check has them: one Gb/s more is refused. The
// RTL reaches the whole rate there, and with fewer slots the part that the message says.
func TestLargestRate(t *testing.T) {
	for _, c := range []struct {
		slots, bytes, most int64
	}{{256, 1500, 147}, {256, 4096, 372}, {256, 9000, 796}, {512, 1500, 589}, {512, 4096, 800}, {1024, 1500, 800}} {
		refused := func(rate int64) bool {
			p := gentest.Set(t, params.Default(), fmt.Sprintf("outstanding=%d packet_bytes=%d rate_gbps=%d", c.slots, c.bytes, rate))
			return slices.ContainsFunc(p.Check(), func(x gen.Problem) bool { return x.Key == "outstanding" })
		}
		if refused(c.most) || c.most < 800 && !refused(c.most+1) {
			t.Errorf("%d slots, %d bytes: %d Gb/s is not the largest rate", c.slots, c.bytes, c.most)
		}
	}
	for _, c := range []struct {
		set         string
		flows       int
		least, most float64
	}{
		{"rate_gbps=147", 8, 0.998, 1.002},
		{"rate_gbps=800", 8, 0.41, 0.42},
		{"rate_gbps=800 outstanding=1024", 1, 0.998, 1.002},
		{"rate_gbps=800 outstanding=1024 packet_bytes=256 hops=2 rtt_ns=0", 1, 0.290, 0.293}, // 5 clocks a SIM
		{"rate_gbps=800 outstanding=1024 packet_bytes=256 hops=2 rtt_ns=0", 8, 0.725, 0.730}, // 2 clocks
	} {
		got := share(t, c.set, c.flows)
		if math.IsNaN(got) || got < c.least || got > c.most {
			t.Errorf("%s, %d flows: %.3f of the rate, want %.3f to %.3f", c.set, c.flows, got, c.least, c.most)
		}
	}
}
