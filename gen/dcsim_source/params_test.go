// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/gen/gentest"
)

// Rules over several parameters, on both sides of each limit. With a gap of 0 the limits follow
// from the paper's numbers.
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
		{Set: "token_bits=17 gap_bytes=0"},
		{Set: "token_bits=16 gap_bytes=0", Key: "token_bits", Found: "16", Allowed: "enough for cfg_token_cost 67419"},
		{Set: "token_bits=18"},
		{Set: "token_bits=17", Key: "token_bits", Found: "17", Allowed: "enough for cfg_token_cost 139953"},
		{Set: "time_bits=15 data_timeout_ns=50000"},
		{Set: "time_bits=15", Key: "time_bits", Found: "15", Allowed: "enough for cfg_data_timeout 19336"},
		{Set: "time_bits=22 outstanding=512 copies=1024 rate_gbps=10 packet_bytes=9216 hops=10 rtt_ns=1000000 data_timeout_ns=6000000"},
		{Set: "clock_hz=300000000 rate_gbps=800 packet_bytes=256 gap_bytes=0 full_rate=false"},
		{Set: "clock_hz=250000000 rate_gbps=800 packet_bytes=256 gap_bytes=0 full_rate=false", Key: "clock_hz", Found: "250000000",
			Allowed: "at least one clock for each token, of which there are 125 in 122 clocks"},
	})
}

// A DATA timeout is longer than the way of a DATA and its DATA-ACK.
func TestDataTimeout(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "data_timeout_ns=28883"},
		{Set: "data_timeout_ns=28882", Key: "data_timeout_ns", Found: "28882", Allowed: "above 28882, RTTmax, and what the responder waits before a DATA-ACK"},
		{Set: "packet_bytes=9000 data_timeout_ns=50000", Key: "data_timeout_ns", Found: "50000",
			Allowed: "above 122482, RTTmax, and what the responder waits before a DATA-ACK"},
		{Set: "packet_bytes=9000 data_timeout_ns=150000"},
		{Set: "rate_gbps=10 data_timeout_ns=50000", Key: "data_timeout_ns", Found: "50000",
			Allowed: "above 218624, RTTmax, and what the responder waits before a DATA-ACK"},
		{Set: "rate_gbps=10 data_timeout_ns=250000"},
	})
}

// Slots, copies and clocks that do not reach the rate are refused, unless they need not.
func TestFullRate(t *testing.T) {
	const fast = "rate_gbps=800 outstanding=1024 copies=4096 "
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "rate_gbps=100"},
		{Set: fast},
		{Set: "rate_gbps=800 copies=4096 outstanding=256", Key: "outstanding", Found: "256",
			Allowed: "at least 1024 for 800 Gb/s with DATAs of 1500 bytes; 40 % of it with full_rate=false"},
		{Set: "rate_gbps=800 outstanding=1024 copies=2048", Key: "copies", Found: "2048",
			Allowed: "at least 4096 for 800 Gb/s with DATAs of 1500 bytes and a DATA timeout of 60000 ns, after a loss; 57 % of it with full_rate=false"},
		{Set: fast + "data_timeout_ns=70000", Key: "copies", Found: "4096",
			Allowed: "8192 for 800 Gb/s with DATAs of 1500 bytes and a DATA timeout of 70000 ns, after a loss, which is beyond 4096; 99 % of it with full_rate=false"},
		{Set: fast + "clock_hz=295000000"},
		{Set: fast + "clock_hz=294700000", Key: "clock_hz", Found: "294700000",
			Allowed: "at least 294741807, 5 clocks for each SIM, for 800 Gb/s with DATAs of 1500 bytes; 99 % of it with full_rate=false"},
		{Set: "rate_gbps=800 packet_bytes=256 full_rate=false"},
		{Set: "outstanding=16 copies=16 full_rate=false"},
	})
}

// The settings of the default configuration, and of the paper's lengths without a gap: 130.752 ns a
// token are 42.137 clocks, 135.712 ns 43.735.
func TestPortValues(t *testing.T) {
	for set, list := range map[string]map[string]uint64{
		"":            {"cfg_token_gain": 3200, "cfg_token_cost": 139953, "cfg_sim_queue": 12, "cfg_rtt_max": 9308, "cfg_data_timeout": 19336},
		"gap_bytes=0": {"cfg_token_gain": 1600, "cfg_token_cost": 67419, "cfg_sim_queue": 12, "cfg_rtt_max": 9066, "cfg_data_timeout": 19336},
	} {
		v := gentest.Set(t, params.Default(), set).PortValues()
		for port, want := range list {
			if v[port] != want {
				t.Errorf("%q: %s is %d, want %d", set, port, v[port], want)
			}
		}
	}
}
