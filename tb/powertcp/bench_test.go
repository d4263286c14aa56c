// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"fmt"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/powertcp"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: powertcp.Unit, Measure: powertcp.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 500_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 400, Misses: "queue/huge"},
	Overrides: overrides, OverrideCycles: 900_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: ACKs and flushes as in a
// measurement of speed.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// links sets all link rates.
func links(mbps int64) string {
	var b strings.Builder
	for code := range 16 {
		fmt.Fprintf(&b, " link_rate_%d_mbps=%d", code, mbps)
	}
	return b.String()
}

// corners covers both ends of every parameter and each choice; variants with both
// throughputs and both formats; and numbers of connections at which memories change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 900_000},
	{Name: "an ACK a cycle", Set: "throughput=ack", Cycles: 600_000},
	{Name: "theta", Set: "variant=theta", Cycles: 500_000},
	{Name: "both, an ACK a cycle", Set: "variant=both throughput=ack", Cycles: 600_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 hops=1 path_bits=1 state_memory=lutram ram_latency=1 counter_bits=8 rtt_bits=8 now_bits=24 " +
		"rate_bits=1 time_bits=8 tx_bits=8 tx_unit_bytes=1 qlen_bits=8 qlen_unit_bytes=1 gamma_ppm=1 beta_bytes=0 tau_ns=129 " +
		"target_utilisation_ppm=510000 lambda_floor_ppm=1000 min_window_bytes=1 max_window_bytes=1" + links(0), Cycles: 2_000_000},
	{Name: "largest", Set: "variant=both throughput=ack hop_format=fields connections=65536 conn_bits=24 hops=16 path_bits=32 state_memory=uram " +
		"counter_bits=64 rtt_bits=26 now_bits=32 rate_bits=4 time_bits=32 tx_bits=32 tx_unit_bytes=4096 qlen_bits=26 qlen_unit_bytes=4096 " +
		"gamma_ppm=1000000 beta_bytes=1048575 tau_ns=8388607 target_utilisation_ppm=1000000 lambda_floor_ppm=1000000 " +
		"min_window_bytes=8388607 max_window_bytes=8388607" + links(3_200_000), Cycles: 1_200_000},
	{Name: "theta, a window with every ACK", Set: "variant=theta theta_update=ack connections=9 conn_bits=4", Cycles: 600_000},
	{Name: "both, a window with every ACK", Set: "variant=both theta_update=ack connections=9 conn_bits=4 hops=2", Cycles: 1_000_000},
	{Name: "theta, smallest", Set: "variant=theta connections=1 conn_bits=24 rtt_bits=8 now_bits=24 state_memory=bram counter_bits=9", Cycles: 2_000_000},
	{Name: "theta, largest", Set: "variant=theta connections=65536 conn_bits=16 rtt_bits=26 now_bits=32", Cycles: 1_200_000},
	{Name: "both, two connections, no illegal number", Set: "variant=both throughput=ack connections=2 conn_bits=1 hops=1 hop_format=fields", Cycles: 1_200_000},
	{Name: "both, 257 connections, odd widths", Set: "variant=both hops=11 connections=257 conn_bits=9 path_bits=3 state_memory=bram rate_bits=2 time_bits=19 " +
		"tx_bits=15 tx_unit_bytes=64 qlen_bits=13 qlen_unit_bytes=24 rtt_bits=17 now_bits=27", Cycles: 1_500_000},
	{Name: "sixteen hops a cycle", Set: "throughput=ack hops=16 hop_format=fields connections=2 conn_bits=8", Cycles: 1_200_000},
	{Name: "sixteen hops, 65536 connections", Set: "hops=16 connections=65536 conn_bits=17", Cycles: 2_000_000},
	{Name: "one hop, 65535 connections", Set: "throughput=ack hops=1 connections=65535 conn_bits=16 state_memory=bram", Cycles: 1_200_000},
	{Name: "odd widths", Set: "hop_format=fields connections=3 conn_bits=2 hops=3 time_bits=17 tx_bits=13 tx_unit_bytes=32 qlen_bits=11 " +
		"qlen_unit_bytes=96 rtt_bits=13 counter_bits=13", Cycles: 1_500_000},
	{Name: "triple", Set: "state_protection=triple connections=5 conn_bits=3 hops=3", Cycles: 1_500_000},
	{Name: "triple, theta", Set: "state_protection=triple variant=theta connections=3 conn_bits=3 state_memory=bram", Cycles: 1_000_000},
	{Name: "triple, both, an ACK a cycle, UltraRAM in one cycle", Set: "state_protection=triple variant=both throughput=ack connections=65 conn_bits=7 hops=2 rate_bits=4 state_memory=uram ram_latency=1", Cycles: 600_000},
	{Name: "telemetry in bytes", Set: "throughput=ack connections=64 hops=5 tx_bits=32 tx_unit_bytes=1 qlen_bits=25 qlen_unit_bytes=1 rtt_bits=23", Cycles: 600_000},
	{Name: "units far apart", Set: "throughput=ack connections=65 conn_bits=7 hops=4 tx_unit_bytes=4096 qlen_unit_bytes=1 qlen_bits=26 state_memory=uram", Cycles: 600_000},
	{Name: "HPCC on the wire", Set: "rate_bits=4 time_bits=24 tx_bits=20 qlen_bits=16 connections=256 state_memory=lutram", Cycles: 900_000},
	{Name: "base RTT observed", Set: "base_rtt=observed", Cycles: 900_000},
	{Name: "base RTT observed, an ACK a cycle, LUT RAM", Set: "base_rtt=observed throughput=ack connections=5 conn_bits=3 hops=2 qlen_bits=26 qlen_unit_bytes=4096 rtt_bits=26", Cycles: 1_000_000},
	{Name: "base RTT observed, triple, block RAM in one cycle", Set: "base_rtt=observed state_protection=triple state_memory=bram ram_latency=1 connections=5 conn_bits=3 hops=3 qlen_unit_bytes=1 tx_unit_bytes=1 rtt_bits=15", Cycles: 900_000},
	{Name: "base RTT observed, one connection, one hop", Set: "base_rtt=observed connections=1 conn_bits=1 hops=1 rtt_bits=16 hop_format=fields", Cycles: 2_000_000},
	{Name: "block RAM in one cycle", Set: "ram_latency=1", Cycles: 900_000},
	{Name: "theta, block RAM in one cycle", Set: "variant=theta ram_latency=1 connections=65 conn_bits=7", Cycles: 500_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=5"},
	{Name: "connections upwards, in LUTRAM", Emitted: "throughput=ack connections=2 conn_bits=10", Set: "connections=700"},
	{Name: "conn_bits", Emitted: "variant=theta", Set: "conn_bits=8"},
	{Name: "path_bits", Emitted: "throughput=ack", Set: "path_bits=32"},
	{Name: "ram_latency", Set: "ram_latency=1"},
	{Name: "ram_latency upwards", Emitted: "variant=both throughput=ack hops=2 ram_latency=1", Set: "ram_latency=2"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "ram_latency, base RTT observed", Emitted: "base_rtt=observed", Set: "ram_latency=1"},
	{Name: "all", Emitted: "variant=both", Set: "connections=33 conn_bits=6 path_bits=1 counter_bits=11"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
}
