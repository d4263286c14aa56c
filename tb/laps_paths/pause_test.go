// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// A path whose measurement grew old in a pause is probed by the next packet, if it expired up to half of the time's range before, to
// whole ranges; otherwise it counts as fresh, and is probed when it has expired once more. The measurement of a path that is
// fresh is what weighs either way.
func TestPauses(t *testing.T) {
	const (
		tiny    = "destinations=2 dst_bits=2 banks=2 rows=2 pid_bits=3 anchors=1 lat_bits=8 time_bits=16 tag_bits=4"
		latency = 20
		age     = 2 * latency
	)
	p := suite.Configure(t, tiny)
	half := uint64(1) << (p.TimeBits - 1)
	d := open(t, p)
	play(d, p, "t=100; path 0 0 8 20; list 0; commit 0")
	now := uint64(1000)
	probed := func() bool {
		got := play(d, p, fmt.Sprintf("t=%d; packet 0; *20", now&(2*half-1)))
		if !strings.HasPrefix(got, "{") {
			t.Fatalf("a packet has no path: %q", got)
		}
		return strings.Contains(got, "+0")
	}
	for _, pause := range append(benchtest.Pauses(int(p.TimeBits), 50), age, age+1, age+half, age+half+1, age+2*half, age+2*half+1, age+3*half, age+3*half+1) {
		if got := play(d, p, fmt.Sprintf("t=%d; ack 0 %d; *30", now&(2*half-1), latency)); got == "illegal" {
			t.Fatal(got)
		}
		now += pause
		over := (pause - age) % (2 * half)
		if got, want := probed(), over > 0 && over <= half; got != want {
			t.Errorf("a packet %d ns after a measurement of %d ns, %d beyond its age: probes %t, want %t", pause, latency, over, got, want)
		} else if !got {
			now += 2*half - over + 1
			if !probed() {
				t.Errorf("pause of %d ns: no probe 1 ns after the path has expired again", pause)
			}
		}
		now += 3
	}
}
