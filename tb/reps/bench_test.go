// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/reps"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: reps.Unit, Measure: reps.Measure,
	Random:    benchtest.Random{Seeds: 3, Cycles: 200_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 540, Misses: "send/frozen/full"},
	Overrides: overrides, OverrideCycles: 600_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: events on all ports with
// even chances, over all connections.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and the pairs of
// memory kind, number of connections and coalescing variant that make different
// hardware.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 500_000},
	{Name: "smallest", Set: "evs_bits=1 buffer_depth=2 connections=1 conn_bits=1 explore_stride=1 timer_bits=16 counter_bits=8 ram_latency=1 " +
		"carry_queue_depth=2 state_memory=lutram ev_memory=lutram random_seed=0 freezing_timeout_ns=0 num_pkts_cwnd=0 ev_base=0", Cycles: 500_000},
	{Name: "largest but for connections", Set: "evs_bits=20 buffer_depth=64 connections=256 conn_bits=24 explore_stride=64 timer_bits=64 nic_ports=8 " +
		"ack_coalescing=carry ack_coalescing_ratio=16 carry_queue_depth=64 state_memory=bram ev_memory=bram counter_bits=64 " +
		"random_seed=9223372036854775807 mode=ecmp freezing=false freezing_timeout_ns=4611686018427387903 num_pkts_cwnd=65535 ev_base=1048575", Cycles: 1_500_000},

	// memories without their output registers, flow labels, several NIC ports
	{Name: "ram_latency 1", Set: "ram_latency=1", Cycles: 500_000},
	{Name: "ram_latency 1, all in block RAM", Set: "ram_latency=1 connections=3 conn_bits=2 state_memory=bram ev_memory=bram explore_stride=8", Cycles: 500_000},
	{Name: "ram_latency 1, triple", Set: "ram_latency=1 connections=5 conn_bits=3 state_protection=triple state_memory=bram", Cycles: 500_000},
	{Name: "flow labels", Set: "evs_bits=20 ev_base=524288", Cycles: 500_000},
	{Name: "EVs of 17 bits, carry", Set: "evs_bits=17 connections=9 conn_bits=4 nic_ports=2 ack_coalescing=carry ack_coalescing_ratio=3", Cycles: 500_000},
	{Name: "three NIC ports in block RAM", Set: "connections=5 conn_bits=3 nic_ports=3 state_memory=bram ev_memory=bram", Cycles: 500_000},
	{Name: "one connection on eight NIC ports", Set: "connections=1 conn_bits=1 nic_ports=8 ack_coalescing=reuse ack_coalescing_ratio=2", Cycles: 500_000},
	{Name: "five connections on two NIC ports, reuse", Set: "connections=5 conn_bits=3 nic_ports=2 ack_coalescing=reuse ack_coalescing_ratio=2", Cycles: 500_000},
	{Name: "8192 connections on eight NIC ports", Set: "connections=8192 conn_bits=13 nic_ports=8", Cycles: 1_500_000},

	// one to three connections
	{Name: "one connection, wide number", Set: "connections=1 conn_bits=24 state_memory=bram ev_memory=bram timer_bits=64", Cycles: 500_000},
	{Name: "one connection, deep ring", Set: "connections=1 conn_bits=2 buffer_depth=64 explore_stride=1 state_memory=lutram ev_memory=bram", Cycles: 500_000},
	{Name: "two connections, no illegal number", Set: "connections=2 conn_bits=1 buffer_depth=2 explore_stride=2 evs_bits=15 timer_bits=16 freezing_timeout_ns=100", Cycles: 500_000},
	{Name: "two connections, deep ring", Set: "connections=2 conn_bits=16 buffer_depth=64 explore_stride=64 evs_bits=2 state_memory=bram ev_memory=lutram", Cycles: 500_000},
	{Name: "three connections", Set: "connections=3 conn_bits=2 nic_ports=3 mode=ops counter_bits=9", Cycles: 500_000},
	{Name: "three connections in block RAM", Set: "connections=3 conn_bits=2 state_memory=bram ev_memory=bram buffer_depth=4 explore_stride=4", Cycles: 500_000},

	// around 256
	{Name: "255 connections", Set: "connections=255 conn_bits=8 nic_ports=2", Cycles: 500_000},
	{Name: "256 connections, no illegal number", Set: "connections=256 conn_bits=8 evs_bits=8 counter_bits=8", Cycles: 500_000},
	{Name: "257 connections", Set: "connections=257 conn_bits=9 timer_bits=48 nic_ports=5 random_seed=12345", Cycles: 500_000},
	{Name: "257 connections in LUTRAM", Set: "connections=257 conn_bits=9 state_memory=lutram ev_memory=lutram buffer_depth=4 explore_stride=2", Cycles: 500_000},

	// sizes at which the choice of memories changes: 64 connections, 64 EVs, 512
	// connections
	{Name: "32 connections of 2", Set: "connections=32 conn_bits=5 buffer_depth=2 explore_stride=1", Cycles: 500_000},
	{Name: "33 connections of 2", Set: "connections=33 conn_bits=6 buffer_depth=2 explore_stride=2", Cycles: 500_000},
	{Name: "64 connections", Set: "connections=64 conn_bits=6 evs_bits=7", Cycles: 500_000},
	{Name: "65 connections", Set: "connections=65 conn_bits=7 evs_bits=9", Cycles: 500_000},
	{Name: "512 connections", Set: "connections=512 conn_bits=9", Cycles: 500_000},
	{Name: "513 connections", Set: "connections=513 conn_bits=10", Cycles: 500_000},

	// many
	{Name: "1024 connections", Set: "connections=1024 conn_bits=10 nic_ports=8", Cycles: 600_000},
	{Name: "1024 connections in LUTRAM", Set: "connections=1024 conn_bits=11 state_memory=lutram buffer_depth=2 explore_stride=1", Cycles: 600_000},
	{Name: "65536 connections", Set: "connections=65536 conn_bits=16", Cycles: 1_500_000},
	{Name: "65536 connections, wide number, shallow ring", Set: "connections=65536 conn_bits=24 buffer_depth=2 explore_stride=1 evs_bits=1 timer_bits=16 freezing_timeout_ns=32767", Cycles: 1_500_000},
	{Name: "65535 connections", Set: "connections=65535 conn_bits=16 buffer_depth=16 evs_bits=8", Cycles: 1_500_000},

	// state protection: the lanes rewrite what they do not change, whatever the memories
	{Name: "scrub, block RAM", Set: "state_protection=scrub connections=3 conn_bits=2 state_memory=bram ev_memory=bram", Cycles: 500_000},
	{Name: "scrub, LUTRAM, reuse", Set: "state_protection=scrub connections=5 conn_bits=3 state_memory=lutram ack_coalescing=reuse ack_coalescing_ratio=3", Cycles: 500_000},
	{Name: "scrub, one connection, short timer", Set: "state_protection=scrub connections=1 conn_bits=1 timer_bits=16 buffer_depth=2 explore_stride=1", Cycles: 500_000},
	{Name: "triple", Set: "state_protection=triple", Cycles: 500_000},
	{Name: "triple, block RAM, reuse", Set: "state_protection=triple connections=3 conn_bits=2 state_memory=bram ev_memory=bram ack_coalescing=reuse ack_coalescing_ratio=3", Cycles: 500_000},
	{Name: "triple, LUTRAM, carry", Set: "state_protection=triple connections=5 conn_bits=3 state_memory=lutram ev_memory=lutram ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=2", Cycles: 600_000},
	{Name: "triple, many connections", Set: "state_protection=triple connections=4096 conn_bits=12 timer_bits=64", Cycles: 600_000},

	// ACK coalescing: reuse
	{Name: "reuse 2", Set: "ack_coalescing=reuse ack_coalescing_ratio=2", Cycles: 600_000},
	{Name: "reuse 3, one connection", Set: "ack_coalescing=reuse ack_coalescing_ratio=3 connections=1 conn_bits=1 buffer_depth=2 explore_stride=1", Cycles: 500_000},
	{Name: "reuse 3, block RAM", Set: "ack_coalescing=reuse ack_coalescing_ratio=3 connections=3 conn_bits=2 state_memory=bram ev_memory=bram evs_bits=3", Cycles: 500_000},
	{Name: "reuse 16", Set: "ack_coalescing=reuse ack_coalescing_ratio=16 connections=17 conn_bits=5 buffer_depth=2", Cycles: 600_000},
	{Name: "reuse 16, deep ring", Set: "ack_coalescing=reuse ack_coalescing_ratio=16 connections=257 conn_bits=9 buffer_depth=64 explore_stride=32 timer_bits=64", Cycles: 1_000_000},

	// ACK coalescing: carry
	{Name: "carry 2, shortest queue", Set: "ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=2 connections=2 conn_bits=1", Cycles: 600_000},
	{Name: "carry 2, longest queue", Set: "ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=64 connections=257 conn_bits=9", Cycles: 600_000},
	{Name: "carry 3", Set: "ack_coalescing=carry ack_coalescing_ratio=3 carry_queue_depth=4 connections=3 conn_bits=2 nic_ports=3 state_memory=bram ev_memory=bram", Cycles: 600_000},
	{Name: "carry 16, shortest queue", Set: "ack_coalescing=carry ack_coalescing_ratio=16 carry_queue_depth=2 connections=1 conn_bits=1 evs_bits=1 buffer_depth=2 explore_stride=2", Cycles: 600_000},
	{Name: "carry 16, longest queue, LUTRAM", Set: "ack_coalescing=carry ack_coalescing_ratio=16 carry_queue_depth=64 connections=65 conn_bits=8 state_memory=lutram ev_memory=lutram timer_bits=16 freezing_timeout_ns=5", Cycles: 600_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "evs_bits", Set: "evs_bits=3"},
	{Name: "evs_bits upwards", Emitted: "evs_bits=1", Set: "evs_bits=16"},
	{Name: "buffer_depth", Set: "buffer_depth=32"},
	{Name: "buffer_depth downwards", Emitted: "buffer_depth=64 explore_stride=2", Set: "buffer_depth=2"},
	{Name: "connections", Set: "connections=5"},
	{Name: "connections upwards, in LUTRAM", Emitted: "connections=2 conn_bits=10", Set: "connections=700"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "evs_bits from the default upwards", Set: "evs_bits=20"},
	{Name: "ram_latency", Set: "ram_latency=1"},
	{Name: "explore_stride", Set: "explore_stride=8"},
	{Name: "timer_bits", Emitted: "freezing_timeout_ns=32767", Set: "timer_bits=16"},
	{Name: "timer_bits upwards", Set: "timer_bits=64"},
	{Name: "nic_ports", Set: "nic_ports=8"},
	{Name: "nic_ports downwards", Emitted: "nic_ports=6", Set: "nic_ports=1"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: "freezing_timeout_ns=1000",
		Set: "evs_bits=5 buffer_depth=16 connections=33 conn_bits=6 explore_stride=16 timer_bits=20 nic_ports=3 counter_bits=11"},
	{Name: "several, reuse", Emitted: "ack_coalescing=reuse ack_coalescing_ratio=4", Set: "buffer_depth=4 connections=9 conn_bits=4 evs_bits=9 explore_stride=2"},
	{Name: "several, carry", Emitted: "ack_coalescing=carry ack_coalescing_ratio=4", Set: "buffer_depth=4 connections=9 conn_bits=4 evs_bits=9 explore_stride=2"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
	{Check: "g_check_rows", Params: map[string]string{"CONNECTIONS": "65536", "NIC_PORTS": "2"}},
	{Check: "g_check_stride", Params: map[string]string{"EXPLORE_STRIDE": "16"}},
}
