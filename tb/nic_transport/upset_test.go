// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"strings"
	"testing"

	checkupset "github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
)

// The law sees a stream that stops, and no fault in a block that is right.
func TestLaw(t *testing.T) {
	b := benchOf(t, small)
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	in, out := record(t.Context(), t, lib, b, 30_000, 1)
	care := make([]uint64, l.OutWords)
	for i := range care {
		care[i] = ^uint64(0)
	}
	for _, stops := range []string{"", "s_axis_tx_tready", "s_axis_rx_tready", "m_axis_tx_tvalid", "m_axis_rx_tvalid"} {
		law, err := newLaw(b.P, l)
		if err != nil {
			t.Fatal(err)
		}
		lawful, began := true, false
		got := make([]uint64, l.OutWords)
		for i := range len(in) / l.InWords {
			want := out[i*l.OutWords : (i+1)*l.OutWords]
			copy(got, want)
			began = began || l.MustSlot("m_axis_tx_tvalid").Get(want) == 1
			if stops != "" && began {
				l.MustSlot(stops).Set(got, 0)
			}
			lawful = law.Lawful(in[i*l.InWords:(i+1)*l.InWords], want, care, got) && lawful
		}
		if lawful != (stops == "") {
			t.Errorf("%q stops: lawful is %t", stops, lawful)
		}
	}
}

// A few upsets of the way to the wire: frames continue, because a recovery repairs a stalled
// direction.
func TestUpsets(t *testing.T) {
	t.Parallel()
	p, err := checkupset.NewPlan(params.New(), small, Entry.Bench, upset)
	if err != nil {
		t.Fatal(err)
	}
	p.Seed, p.Runs, p.Flips, p.Cycles = 1, 1, 2, 16384
	p.Of = func(name string) bool { return strings.HasPrefix(name, "core.tx.out.leave.") }
	r, err := checkupset.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range r.Elements {
		seen += e.Flips - e.Unseen
		if e.Never > 0 {
			t.Errorf("%s: the block hangs", e.Name)
		}
	}
	if len(r.Elements) < 20 || seen == 0 {
		t.Errorf("%d registers and memories, %d upsets seen: want 20 and some", len(r.Elements), seen)
	}
}
