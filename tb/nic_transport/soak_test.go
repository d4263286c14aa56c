// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
)

// The bench of long runs keeps the streams busy: a beat in each cycle of each, except between conversations and for frames
// that wait in queues. Its events are beats: at least one in and one out for each frame.
func TestLineRateBench(t *testing.T) {
	p := params.Default()
	if err := gen.Configure(p, small); err != nil {
		t.Fatal(err)
	}
	b := LineRate.Bench(p)
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: 40_000})
	if err != nil || !r.OK() {
		t.Fatalf("%v: %+v", err, r.Failure)
	}
	m := regexp.MustCompile(`^(\d+) packets from the host, (\d+) frames to the wire, (\d+) to the host`).FindStringSubmatch(r.Notes[0])
	if m == nil {
		t.Fatalf("the report says %q", r.Notes)
	}
	frames := uint64(0)
	for _, n := range m[1:] {
		k, err := strconv.ParseUint(n, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		frames += k
	}
	if r.Events < 40_000 || r.Events < 3*frames || r.Events > 4*40_000 {
		t.Errorf("%d beats in 40000 cycles, %d frames", r.Events, frames)
	}
}
