// SPDX-License-Identifier: Apache-2.0

package dcsimport_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/gen/gentest"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "descriptors=128"},
		{Set: "descriptors=64 queue_depth=32", Key: "queue_depth", Found: "32", Allowed: "at most 16 with descriptors 64"},
		{Set: "token_bits=18"},
		{Set: "token_bits=17", Key: "token_bits", Found: "17", Allowed: "enough for 3200 tokens in 139953 clocks"},
		{Set: "token_bits=17 gap_bytes=0"},
		{Set: "token_bits=16 gap_bytes=0", Key: "token_bits", Found: "16", Allowed: "enough for 1600 tokens in 67419 clocks"},
		{Set: "clock_hz=250000000 rate_gbps=800 packet_bytes=256"},
		{Set: "clock_hz=200000000 rate_gbps=800 packet_bytes=256", Key: "clock_hz", Found: "200000000",
			Allowed: "at least one clock for each token, of which there are 1250 in 1131 clocks"},
		{Set: "clock_hz=300000000 rate_gbps=800 packet_bytes=256 gap_bytes=0"},
		{Set: "clock_hz=250000000 rate_gbps=800 packet_bytes=256 gap_bytes=0", Key: "clock_hz", Found: "250000000",
			Allowed: "at least one clock for each token, of which there are 125 in 122 clocks"},
	})
}

// A DATA queue of fewer rows than DATAs that may wait has them all.
func TestAllRows(t *testing.T) {
	p := params.Default()
	p.Descriptors = 256
	if v := p.PortValues()["cfg_data_packets"]; v != 160 {
		t.Errorf("%d packets, want all 160 rows", v)
	}
}

// The settings of the default configuration, and the values for the paper's numbers, without a gap.
// 100 Gb/s are 38 26/33 bytes in a clock of 322.27 MHz; the port's line is slower than that by one
// in a million.
func TestPortValues(t *testing.T) {
	for gap, token := range map[int64][2]uint64{20: {3200, 139953}, 0: {1600, 67419}} {
		p := params.Default()
		p.GapBytes = gap
		v := p.PortValues()
		for port, want := range map[string]uint64{"cfg_token_gain": token[0], "cfg_token_cost": token[1], "cfg_line_rate": 158875, "cfg_gap": uint64(gap),
			"cfg_queue": 12, "cfg_data_packets": 416, "cfg_data_bytes": 500_000} {
			if v[port] != want {
				t.Errorf("gap of %d bytes: %s is %d, want %d", gap, port, v[port], want)
			}
		}
	}
}
