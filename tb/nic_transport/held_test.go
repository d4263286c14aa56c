// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
)

// held is for how many cycles the wire is held: as by a pause frame of a PFC peer, longer than any window of the watch, 2^11 cycles.
const held = 3 << 12

// running matches the text by which the watch skips cycles in which the wire does not
// accept beats.
var running = regexp.MustCompile(`(assign counts\s+= cut \?[^:]*:)\s+!wire_valid\s+\|\|\s+wire_ready;`)

// TestHeld holds the wire for longer than the watch waits for anything, with frames in front of it: that is no fault, so
// all of them leave afterwards, and none is dropped. A watch whose windows count the cycles in which the wire is held must
// be noticed.
func TestHeld(t *testing.T) {
	t.Parallel()
	p := params.Default()
	if err := gen.Configure(p, small); err != nil {
		t.Fatal(err)
	}
	for _, planted := range []bool{false, true} {
		if planted && sample.LeftOut(t.Name()+"/"+"planted") {
			continue
		}
		b := Unit.Bench(p)
		edits := 0
		b.Edit = func(name, text string) string {
			if planted {
				edits += len(running.FindAllString(text, -1))
				text = running.ReplaceAllString(text, "$1 !(wire_valid && wire_ready) || wire_ready;")
			}
			return text
		}
		if err := b.Prepare(); err != nil {
			t.Fatal(err)
		}
		lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		r := newRig(t, p, lib)
		defer r.inst.Close()
		begun := r.cycle
		for i, s := range stalled {
			if s == "m_axis_tx" {
				r.stop[i] = staller{"held", func(cycle int, _ bool, _ *rand.Rand) bool { return cycle-begun < held }}
			}
		}
		err = r.send(256)
		switch {
		case planted && edits != 1:
			t.Fatalf("the mistake was made in %d places, want 1", edits)
		case planted && err == nil:
			t.Error("a watch that takes a held wire for a fault goes unnoticed")
		case !planted && err != nil:
			t.Error(err)
		}
		t.Logf("planted %v: %v; %d cycles", planted, err, r.cycle)
	}
}
