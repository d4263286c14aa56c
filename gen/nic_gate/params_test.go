// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_gate"
)

// Rules over several parameters, on both sides of each limit, and their messages.
func TestRules(t *testing.T) {
	for set, want := range map[string]string{
		"connections=257 conn_bits=9":                     "",
		"connections=257 conn_bits=8":                     "nic_gate.conn_bits: found 8, allowed: at least 9 for connections 257",
		"psn_bits=16 ring=512 lap_bits=7":                 "",
		"psn_bits=16 ring=512 lap_bits=8":                 "nic_gate.lap_bits: found 8, allowed: at most 7 with psn_bits 16 and ring 512",
		"connections=1024 ring=1024":                      "",
		"connections=1025 ring=1024":                      "nic_gate.ring: found 1024, allowed: at most 1023 with connections 1025",
		"timer_bits=25 stall_ns=16777215":                 "",
		"timer_bits=24 rtt_bits=25":                       "nic_gate.rtt_bits: found 25, allowed: at most timer_bits 24",
		"timer_bits=25 stall_ns=16777216":                 "nic_gate.stall_ns: found 16777216, allowed: below 2^24 with timer_bits 25",
		"init_window=8388607":                             "",
		"init_window=8388608":                             "nic_gate.init_window: found 8388608, allowed: below 2^23, or 16777215 with byte_bits 24",
		"byte_bits=16 init_window=65535":                  "",
		"byte_bits=16 init_window=16777215":               "nic_gate.init_window: found 16777215, allowed: below 2^15, or 65535 with byte_bits 16",
		"byte_bits=32 init_window=4294967295 psn_bits=32": "",
		"ring_latency=3":                                  "",
		"connections=257 ring_latency=5":                  "",
		"connections=257 ring_latency=4":                  "nic_gate.ring_latency: found 4, allowed: at least 5 with connections 257 and ring 128, as the ring has 2 banks",
	} {
		err := gen.Configure(params.Default(), set)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", set, err, want)
		}
	}
}

// The ring's memory, when its entry is written, and how long a sample takes.
func TestRing(t *testing.T) {
	for _, c := range []struct {
		set      string
		memory   string
		written  int64
		sampled  int
		cleaning int64
	}{
		{"", gen.URAM, 9, 11, 32768},
		{"connections=16 ev_latency=0", gen.BRAM, 4, 11, 2048},
		{"connections=17 ev_latency=3 ring_latency=3", gen.URAM, 4, 9, 2176},
		{"connections=17 ring_memory=bram ev_latency=64 ring_latency=16", gen.BRAM, 65, 22, 2176},
	} {
		p := params.Default()
		if err := gen.Configure(p, c.set); err != nil {
			t.Fatal(err)
		}
		if p.RingKind() != c.memory || p.ToRing() != c.written || p.SampleLatency() != c.sampled || p.Sweep() != c.cleaning {
			t.Errorf("%q: %s, %d, %d, %d", c.set, p.RingKind(), p.ToRing(), p.SampleLatency(), p.Sweep())
		}
	}
}

// State names memories that the text has.
func TestState(t *testing.T) {
	p := params.Default()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range files {
		text += f.Text
	}
	for _, s := range p.State() {
		for _, m := range s.Memories {
			for _, part := range strings.Split(m, ".") {
				if !strings.Contains(text, ") "+part+" (") {
					t.Errorf("state %s is in %s: there is no instance %s", s.Name, m, part)
				}
			}
		}
	}
}
