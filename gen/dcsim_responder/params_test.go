// SPDX-License-Identifier: Apache-2.0

package dcsimresponder_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/gen/gentest"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "flows=257 flow_bits=9"},
		{Set: "flows=257 flow_bits=8", Key: "flow_bits", Found: "8", Allowed: "at least 9 for flows 257"},
	})
}

// The settings of the default configuration, and of the ends of the time and the clock: a tick is
// an eighth of the time, rounded down to 16 clocks.
func TestPortValues(t *testing.T) {
	for _, c := range []struct {
		set        string
		port       string
		want, most uint64
	}{
		{"", "cfg_tick", 57, 1<<params.TickBits - 1}, // 7,541 clocks
		{"", "cfg_every", 15, 15},
		{"", "cfg_data_bytes", 1500, 1<<params.BytesBits - 1},
		{"clock_hz=50000000 data_ack_ns=2560", "cfg_tick", 0, 1<<params.TickBits - 1}, // 128 clocks
		{"clock_hz=1000000000 data_ack_ns=1000000", "cfg_tick", 7811, 1<<params.TickBits - 1},
		{"data_ack_every=1 packet_bytes=9216", "cfg_every", 0, 15},
	} {
		v := gentest.Set(t, params.Default(), c.set).PortValues()
		if v[c.port] != c.want || c.want > c.most {
			t.Errorf("%q: %s is %d, want %d, at most %d", c.set, c.port, v[c.port], c.want, c.most)
		}
	}
}
