// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=5"},
	{Name: "connections upwards, in LUTRAM", Emitted: "throughput=ack connections=2 conn_bits=10", Set: "connections=700"},
	{Name: "conn_bits", Emitted: "variant=theta", Set: "conn_bits=8"},
	{Name: "path_bits", Emitted: "throughput=ack", Set: "path_bits=32"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: "variant=both", Set: "connections=33 conn_bits=6 path_bits=1 counter_bits=11"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results. Each
// is overridden somewhere by itself.
func TestOverride(t *testing.T) { suite.Overrides(t, 900_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_connections", Params: map[string]string{"CONNECTIONS": "0"}},
	{Check: "g_check_connections", Params: map[string]string{"CONNECTIONS": "65537", "CONN_BITS": "17"}},
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}},
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "25"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
	{Check: "g_check_path_bits", Params: map[string]string{"PATH_BITS": "0"}},
	{Check: "g_check_path_bits", Params: map[string]string{"PATH_BITS": "33"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "7"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence
// of their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }
