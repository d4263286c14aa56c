// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/laps_loss"
)

// Violations of rules over several parameters name the one to change, the value found and the
// values allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "paths=8193 pid_bits=14"},
		{Set: "paths=8193 pid_bits=13", Key: "pid_bits", Found: "13", Allowed: "at least 14 for paths 8193"},
		{Set: "paths=2 pid_bits=1 ack_queues=2"},
		{Set: "paths=2 pid_bits=1 ack_queues=4", Key: "pid_bits", Found: "1", Allowed: "at least 2 for ack_queues 4"},
		{Set: "depth=16 lanes=8"},
		{Set: "depth=8 lanes=8", Key: "lanes", Found: "8", Allowed: "at most half of depth 8"},
		{Set: "time_bits=25 lat_bits=22"},
		{Set: "time_bits=25 lat_bits=23", Key: "time_bits", Found: "25", Allowed: "at least lat_bits 23 + 3, for a timeout of twice a latency to be below a quarter of the time's range"},
		{Set: "time_bits=25 rto_min_ns=8388607"},
		{Set: "time_bits=25 rto_min_ns=8388608", Key: "rto_min_ns", Found: "8388608", Allowed: "below 2^23 with time_bits 25"},
	})
}

// Under auto the memories follow the sizes; a choice overrides. Exactly the instantiated modules
// are emitted.
func TestMemoryKinds(t *testing.T) {
	for _, c := range []struct{ set, ring, state string }{
		{"paths=16 depth=16 lanes=4", gen.LUTRAM, gen.LUTRAM}, // 64 words
		{"paths=17 depth=16 lanes=4", gen.BRAM, gen.LUTRAM},
		{"paths=64 depth=64 lanes=8", gen.BRAM, gen.LUTRAM},
		{"paths=65 depth=64 lanes=8", gen.BRAM, gen.BRAM},
		{"paths=1023 depth=64 lanes=8", gen.BRAM, gen.BRAM}, // 8,184 words
		{"paths=1024 depth=64 lanes=8", gen.URAM, gen.BRAM},
		{"paths=1024 depth=64 lanes=8 ring_memory=bram", gen.BRAM, gen.BRAM},
		{"paths=65 depth=64 lanes=8 ring_memory=lutram", gen.LUTRAM, gen.BRAM},
		{"paths=1 ring_memory=uram", gen.URAM, gen.LUTRAM},
	} {
		p := gentest.Set(t, params.Default(), c.set)
		if p.RingKind() != c.ring || p.StateKind() != c.state {
			t.Errorf("%s: rings in %s, state in %s, want %s and %s", c.set, p.RingKind(), p.StateKind(), c.ring, c.state)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, f := range files {
			all += f.Text
		}
		emitted := map[string]bool{}
		for _, f := range files[:len(files)-1] {
			name := strings.TrimSuffix(f.Name, ".sv")
			emitted[name] = true
			if !strings.Contains(all, "  "+name+" #(") {
				t.Errorf("%s: %s is emitted and not used", c.set, name)
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^ +(nic_lib_\w+) #\(`).FindAllStringSubmatch(all, -1) {
			if !emitted[m[1]] {
				t.Errorf("%s: %s is used and not emitted", c.set, m[1])
			}
		}
	}
}

// The bounds of the default configuration, by hand: rows of 8 of 256 segments are 32,
// and the first may be searched again; each of 8,193 timers is read in 7 cycles, and a
// look waits twice for 33 passes of 9 and takes one, and a pass more shows the first
// segment.
func TestBounds(t *testing.T) {
	p := params.Default()
	if got := p.MaxPasses(); got != 33 {
		t.Errorf("%d passes, want 33", got)
	}
	for expired, want := range []int{8193*7 + 612, 8193*7 + 1224} {
		if got := p.MostLate(expired); got != want {
			t.Errorf("behind %d others a timer may be %d cycles late, want %d", expired, got, want)
		}
	}
}
