// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	port "github.com/nicgen/nicgen/gen/dcsim_port"
	source "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// clockedScenario is a short run between four hosts.
func clockedScenario() Scenario {
	return Scenario{Hosts: 4, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 40, Seed: 2}
}

// newClocked makes a host with its own clock that has a flow.
func newClocked(t *testing.T) *clockedHost {
	t.Helper()
	x := clockedScenario().settings()
	x.Seed = 2
	hosts, err := Endpoints(t.Context(), transport.Cycles, x)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hosts.New(0, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(h.(io.Closer).Close(), hosts.Close()); err != nil {
			t.Error(err)
		}
	})
	return h.(*clockedHost)
}

// A host with its own clock answers a SIM with the units' latency, and sends a DATA a fixed number of clocks after its SIM. Each unit runs with
// its golden model, and each register between units adds a clock.
func TestClocked(t *testing.T) {
	h := newClocked(t)
	s, r, _ := configure(clockedScenario().settings())
	sent := map[int]uint64{} // the clock of the last frame of a class
	var last *transport.Frame
	clocks := func(n uint64) {
		t.Helper()
		for range n {
			f, err := h.Clock()
			if err != nil {
				t.Fatal(err)
			}
			if f != nil {
				sent[f.Class], last = h.cycle-1, f
			}
		}
	}
	clocks(100)
	const register = 1
	at := h.cycle
	h.Receive(&transport.Frame{Class: simClass, Src: 1, Bytes: probeBytes, Port: 1234})
	clocks(100)
	if want := at + uint64(r.Latency()["SIM to SIM-ACK"]+register+port.Latency); len(sent) != 1 || sent[simAckClass] != want || last.Port != 1234 || last.Dst != 1 {
		t.Fatalf("frames begin in clocks %v, the last one is %+v, want a SIM-ACK in clock %d", sent, last, want)
	}
	h.Offer(0, 1)
	clocks(100)
	sim := sent[simClass]
	if sim == 0 {
		t.Fatal("no SIM within 100 clocks")
	}
	h.Receive(&transport.Frame{Class: simAckClass, Src: 1, Port: last.Port})
	most := uint64(s.Network().RTTMaxClocks(s.ClockHz))
	clocks(most + 100)
	if want := sim + most + source.Release; sent[dataClass] != want || last.Class != dataClass {
		t.Errorf("frames begin in clocks %v, want a DATA in clock %d", sent, want)
	}
	if n := h.Counts().LateAnswers; n > 0 {
		t.Errorf("%d late SIM-ACKs", n)
	}
}

// RTL that is not its golden model ends a run, with the clock and the port.
func TestClockedDiffers(t *testing.T) {
	h := newClocked(t)
	at := h.source.cycle + 40
	h.source.golden = &wrong{Predictor: h.source.golden, left: 41}
	h.Offer(0, 3)
	var err error
	for range 100 {
		if _, err = h.Clock(); err != nil {
			break
		}
	}
	var d *Difference
	if !errors.As(err, &d) || d.Cycle != at || d.Port == "" || d.Device != "host 0: dcsim_source" {
		t.Errorf("%v, want a difference of dcsim_source in clock %d", err, at)
	}
}

// Hosts whose clocks have a phase each do as much as those with one clock; with a phase of zero they do the same to the last packet.
func TestClockedNetwork(t *testing.T) {
	sc := clockedScenario()
	run := func(m transport.Model, phase func() fabric.Instant) *transport.EndpointResult {
		t.Helper()
		x := sc.settings()
		x.Seed, x.RTL = sc.Seed, []int{} // ignored by Cycles
		hosts, err := Endpoints(t.Context(), m, x)
		if err != nil {
			t.Fatal(err)
		}
		if phase != nil {
			hosts.(*endpoints).phase = phase
		}
		r, _, err := switchedBy(t, sc, x, hosts)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	golden := run(transport.Golden, nil)
	if d := cmp.Diff(golden, run(transport.Cycles, func() fabric.Instant { return 0 }), cmp.AllowUnexported()); d != "" {
		t.Errorf("one clock: -golden +cycles\n%s", d)
	}
	cycles := run(transport.Cycles, nil)
	if cycles.Delivered != sc.demand() || cycles.Again+cycles.Behind+cycles.Hosts.LateAnswers > 0 {
		t.Errorf("%d DATAs arrived of %d, %d again, %d behind a later one, %d late SIM-ACKs", cycles.Delivered, sc.demand(), cycles.Again, cycles.Behind, cycles.Hosts.LateAnswers)
	}
	if cycles.Hosts.SumRTT == golden.Hosts.SumRTT {
		t.Error("SIM-ACKs take as long with a phase as without")
	}
	if a, b := cycles.Clocks, golden.Clocks; a*50 > b*51 || b*50 > a*51 {
		t.Errorf("%d clocks, with golden models %d", a, b)
	}
}
