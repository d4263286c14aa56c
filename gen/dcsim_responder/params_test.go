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
		{Set: "flows=1024 flow_bits=10 ram_latency=2 data_ack_ns=20707"},
		{Set: "flows=1024 flow_bits=10 ram_latency=2 data_ack_ns=20706", Key: "data_ack_ns", Found: "20706",
			Allowed: "at least 20707 for flows 1024 with ram_latency 2 and clock_hz 322265625: the scan looks at each flow once in 3072 cycles; " +
				"fewer flows, ram_latency 1 or a faster clock allow less"},
		{Set: "flows=1 clock_hz=50000000 data_ack_ns=2860"},
		{Set: "flows=1 clock_hz=50000000 data_ack_ns=2859", Key: "data_ack_ns", Found: "2859",
			Allowed: "at least 2860 for flows 1 with ram_latency 1 and clock_hz 50000000: the scan looks at each flow once in 2 cycles; " +
				"fewer flows, ram_latency 1 or a faster clock allow less"},
	})
}

// The settings of the default configuration, and of the ends of the time and the clock: a tick is
// an eighth of the time less a lap of the scan and the latency, rounded down to 16 clocks.
func TestPortValues(t *testing.T) {
	for _, c := range []struct {
		set        string
		port       string
		want, most uint64
	}{
		{"", "cfg_tick", 53, 1<<params.TickBits - 1},           // 7,541 - 512 - 13 clocks: 54 times 128
		{"flows=1024", "cfg_tick", 41, 1<<params.TickBits - 1}, // 7,541 - 2,048 - 13: 42 times 128
		{"", "cfg_every", 15, 15},
		{"", "cfg_data_bytes", 1500, 1<<params.BytesBits - 1},
		{"flows=1 clock_hz=50000000 data_ack_ns=2860", "cfg_tick", 0, 1<<params.TickBits - 1}, // 143 - 2 - 13: 128
		{"flows=1 clock_hz=1000000000 data_ack_ns=1000000", "cfg_tick", 7811, 1<<params.TickBits - 1},
		{"data_ack_every=1 packet_bytes=9216", "cfg_every", 0, 15},
	} {
		v := gentest.Set(t, params.Default(), c.set).PortValues()
		if v[c.port] != c.want || c.want > c.most {
			t.Errorf("%q: %s is %d, want %d, at most %d", c.set, c.port, v[c.port], c.want, c.most)
		}
	}
}
