// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
)

// b is B, the packets in each small queue, of all runs.
const b = 12

// check holds a finished run to what is so whatever was lost.
func check(t *testing.T, sc Scenario, r *Result) {
	t.Helper()
	demand := sc.demand()
	if r.Delivered != demand {
		t.Errorf("%d DATAs arrived, want %d", r.Delivered, demand)
	}
	if r.DATAs != r.Delivered+r.Again+r.DATAsDropped {
		t.Errorf("%d DATAs were sent, %d arrived, %d once more, and %d were dropped", r.DATAs, r.Delivered, r.Again, r.DATAsDropped)
	}
	if r.SIMTimeouts != r.SIMsDropped {
		t.Errorf("%d SIMs timed out, %d were dropped: Eq. 5 does not hold", r.SIMTimeouts, r.SIMsDropped)
	}
	s, _, _ := Settings(sc)
	if most := uint64(s.Network().RTTMaxClocks(sc.clock())); r.MostRTT == 0 || r.MostRTT > most {
		t.Errorf("a SIM-ACK took %d clocks, Eq. 5 allows %d", r.MostRTT, most)
	}
	if r.AcksDropped > 0 {
		t.Errorf("%d SIM-ACKs and DATA-ACKs were dropped", r.AcksDropped)
	}
	if r.DATAsDropped > 0 && r.DATATimeouts == 0 {
		t.Errorf("%d DATAs were dropped, and none timed out", r.DATAsDropped)
	}
	if r.SIMs < r.DATAs || r.SIMs-r.SIMTimeouts != r.DATAs {
		t.Errorf("%d SIMs were sent, %d of them timed out, and %d DATAs were sent", r.SIMs, r.SIMTimeouts, r.DATAs)
	}
	if r.MostDATAs > uint64(sc.DataPackets) {
		t.Errorf("%d DATAs waited in a queue of %d", r.MostDATAs, sc.DataPackets)
	}
}

// lossless holds a run to the paper's claim.
func lossless(t *testing.T, r *Result) {
	t.Helper()
	if r.DATAsDropped+r.DATATimeouts+r.Reordered+r.Again > 0 {
		t.Errorf("%d DATAs were dropped, %d timed out, %d came behind a later one, %d twice: want none", r.DATAsDropped, r.DATATimeouts, r.Reordered, r.Again)
	}
}

// Golden models alone: no DATA is lost or reordered with B_DATA = 2B, whatever the number
// of lost SIMs.
func TestGolden(t *testing.T) {
	for _, sc := range []Scenario{
		{Hosts: 2, Pattern: AllToAll, PacketBytes: 1500, Packets: 500},
		{Hosts: 8, Pattern: AllToAll, PacketBytes: 1500, Packets: 40},
		{Hosts: 5, Pattern: AllToAll, PacketBytes: 9000, Packets: 40},
		{Hosts: 8, Pattern: Incast, PacketBytes: 1500, Packets: 200},
		{Hosts: 8, Pattern: Incast, PacketBytes: 256, Packets: 200},
		{Hosts: 16, Pattern: Incast, PacketBytes: 1500, Packets: 60},
	} {
		sc.Queue, sc.DataPackets, sc.Seed = b, 2*b, 1
		t.Run(fmt.Sprintf("%s/%d/%d", sc.Pattern, sc.Hosts, sc.PacketBytes), func(t *testing.T) {
			t.Parallel()
			r, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			check(t, sc, r)
			lossless(t, r)
			if sc.Pattern == Incast && r.SIMsDropped == 0 {
				t.Error("no SIM was dropped: nothing was in each other's way")
			}
		})
	}
}

// A DATA queue that is too short loses DATAs. All of them arrive in the end.
func TestShortQueue(t *testing.T) {
	sc := Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 256, Queue: b, DataPackets: b / 2, Packets: 60, Seed: 3}
	r, err := Run(t.Context(), sc)
	if err != nil {
		t.Fatal(err)
	}
	check(t, sc, r)
	if r.DATAsDropped == 0 || r.Reordered == 0 {
		t.Errorf("%d DATAs were dropped and %d came behind a later one: want some", r.DATAsDropped, r.Reordered)
	}
}

// The RTL of all units, equal to the golden models in every cycle, with the same results as
// golden models alone.
func TestRTL(t *testing.T) {
	list := []Scenario{{Hosts: 3, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 60, Seed: 5}}
	if !testing.Short() {
		list = append(list,
			Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 256, Queue: b, DataPackets: b, Packets: 100, Seed: 6},
			Scenario{Hosts: 8, Pattern: Incast, PacketBytes: 4096, Queue: b, DataPackets: 2 * b, Packets: 200, Seed: 7})
	}
	for _, sc := range list {
		t.Run(fmt.Sprintf("%s/%d/%d", sc.Pattern, sc.Hosts, sc.PacketBytes), func(t *testing.T) {
			golden, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			sc.RTL = true
			rtl, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			check(t, sc, rtl)
			if d := cmp.Diff(golden, rtl); d != "" {
				t.Errorf("another result than of golden models (-golden +rtl)\n%s", d)
			}
		})
	}
}

// wrong is a golden model that errs in one output of one cycle.
type wrong struct {
	cosim.Predictor
	left int
}

func (w *wrong) Step(in, want, care []uint64) {
	w.Predictor.Step(in, want, care)
	if w.left--; w.left == 0 {
		want[0] ^= care[0] & -care[0]
	}
}

// A difference between RTL and golden model ends the run, and names unit, port and cycle.
func TestDifference(t *testing.T) {
	l := &loop{sc: Scenario{Hosts: 3, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 60, Seed: 5, RTL: true}}
	l.flight = l.sc.flight()
	if err := l.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := l.hosts[1].responder
	at := d.cycle + 900
	d.golden = &wrong{Predictor: d.golden, left: 901}
	var err error
	for l.res.Cycles < 2000 && err == nil {
		err = l.cycle()
	}
	var found *Difference
	if !errors.As(err, &found) || found.Cycle != at || found.Port == "" || found.Device != "host 1: dcsim_responder" {
		t.Errorf("found %v, want a difference of host 1: dcsim_responder in cycle %d", err, at)
	}
	if err := l.close(); err != nil {
		t.Error(err)
	}
}

// Invalid scenarios are refused with an error.
func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		sc   Scenario
		want string
	}{
		{Scenario{Hosts: 1, Pattern: Incast}, "hosts: found 1, allowed: 2 to 256"},
		{Scenario{Hosts: 2, Pattern: "ring"}, `pattern: found "ring", allowed: incast or all-to-all`},
		{Scenario{Hosts: 2, Pattern: Incast, PacketBytes: 100, Queue: b, DataPackets: b}, "packet_bytes"},
	} {
		if _, err := Run(t.Context(), c.sc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.sc, err, c.want)
		}
	}
	many := Scenario{Hosts: 16, Pattern: Incast, PacketBytes: 256, Queue: b, DataPackets: 2 * b, Packets: 100, Seed: 1}
	if _, err := Run(t.Context(), many); err == nil || !strings.Contains(err.Error(), "a port takes one a cycle") {
		t.Errorf("error %v, want that a port gets more frames than one a cycle", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Scenario{Hosts: 2, Pattern: Incast, PacketBytes: 1500, Queue: b, DataPackets: b, Packets: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
