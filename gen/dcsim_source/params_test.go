// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/gen/gentest"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "flows=257 flow_bits=9"},
		{Set: "flows=257 flow_bits=8", Key: "flow_bits", Found: "8", Allowed: "at least 9 for flows 257"},
		{Set: "port_bits=10"},
		{Set: "port_bits=9", Key: "port_bits", Found: "9", Allowed: "at least 10 with outstanding 256"},
		{Set: "tag_bits=9"},
		{Set: "tag_bits=8", Key: "tag_bits", Found: "8", Allowed: "at least 9 with copies 512"},
		{Set: "want_bits=12"},
		{Set: "want_bits=11", Key: "want_bits", Found: "11", Allowed: "above 11 with outstanding 256, copies 512 and repeats 64"},
		{Set: "token_bits=17"},
		{Set: "token_bits=16", Key: "token_bits", Found: "16", Allowed: "enough for cfg_token_cost 67419"},
		{Set: "time_bits=15"},
		{Set: "time_bits=15 data_timeout_ns=60000", Key: "time_bits", Found: "15", Allowed: "enough for cfg_data_timeout 19336"},
		{Set: "clock_hz=300000000 rate_gbps=800 packet_bytes=256"},
		{Set: "clock_hz=250000000 rate_gbps=800 packet_bytes=256", Key: "clock_hz", Found: "250000000",
			Allowed: "at least one clock for each token, of which there are 125 in 122 clocks"},
	})
}

// The settings of the default configuration: 130.752 ns a token are 42.137 clocks.
func TestPortValues(t *testing.T) {
	v := params.Default().PortValues()
	for port, want := range map[string]uint64{"cfg_token_gain": 1600, "cfg_token_cost": 67419, "cfg_sim_queue": 12, "cfg_rtt_max": 9066, "cfg_data_timeout": 16114} {
		if v[port] != want {
			t.Errorf("%s is %d, want %d", port, v[port], want)
		}
	}
}
