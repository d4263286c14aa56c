// SPDX-License-Identifier: Apache-2.0

package nicprobe_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_probe"
)

// The times of the page, in a unit that does nothing else.
func TestLatency(t *testing.T) {
	p := params.Default()
	sim := suite.Open(t, p)
	sim.Set("cfg_ether_type", 0x88b5)
	sim.Set("rst", 1)
	sim.Step(2)
	sim.Set("rst", 0)
	for range p.Destinations + 4 {
		sim.Step(1)
	}
	if sim.Get("sts_ready") != 1 {
		t.Fatal("not ready")
	}
	pulse := func(name string) {
		sim.Set(name, 1)
		sim.Step(1)
		sim.Set(name, 0)
	}
	until := func(what, name string, want int) {
		t.Helper()
		for n := 1; n < 50; n++ {
			if sim.Get(name) == 1 {
				if n != want {
					t.Errorf("%s: %d cycles, want %d", what, n, want)
				}
				return
			}
			sim.Step(1)
		}
		t.Fatalf("%s: nothing within 50 cycles", what)
	}
	for _, name := range []string{"m_route_ready", "m_answer_ready", "m_frame_ready"} {
		sim.Set(name, 1)
	}
	sim.Set("s_address_set", 1)
	pulse("s_address_valid")
	pulse("s_probe_valid")
	until("probe to route request", "m_route_valid", params.RouteLatency)
	sim.Step(5)
	pulse("s_route_valid")
	until("anchors to frame", "m_frame_valid", params.ProbeLatency)
	sim.Step(5)
	sim.Set("s_shim_subtype", 1)
	sim.Set("s_shim_type", params.Probe)
	pulse("s_shim_valid")
	until("probe received to answer", "m_frame_valid", params.AnswerLatency)
	sim.Step(5)
	sim.Set("s_shim_type", params.Answer)
	pulse("s_shim_valid")
	until("answer received to delay", "m_answer_valid", params.ResultLatency)

	// A probe after another one: what the path tables take, and 4 cycles.
	const tables = 5
	sim.Step(5)
	var began []uint64
	sim.Set("s_probe_valid", 1)
	for i, left := 0, 0; len(began) < 4; i++ {
		if i > 200 {
			t.Fatal("no more probes")
		}
		if sim.Get("m_route_valid") == 1 {
			left, began = tables+1, append(began, sim.Cycle())
		}
		sim.Set("s_route_valid", 0)
		if left > 0 {
			if left--; left == 0 {
				sim.Set("s_route_valid", 1)
			}
		}
		sim.Step(1)
	}
	if got := began[3] - began[2]; got != tables+4 {
		t.Errorf("a probe in %d cycles, want %d", got, tables+4)
	}
}
