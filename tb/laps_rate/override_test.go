// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "flows", Emitted: "operands=extremes", Set: "flows=5"},
	{Name: "flows upwards, in LUTRAM", Emitted: "paths=2 flows=2 flow_bits=10", Set: "flows=700"},
	{Name: "flow_bits", Emitted: "operands=extremes", Set: "flow_bits=10"},
	{Name: "counter_bits", Emitted: "operands=extremes flows=100", Set: "counter_bits=8"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results. Each
// is overridden somewhere by itself.
func TestOverride(t *testing.T) { suite.Overrides(t, 175_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_flows", Params: map[string]string{"FLOWS": "0"}},
	{Check: "g_check_flows", Params: map[string]string{"FLOWS": "65537", "FLOW_BITS": "17"}},
	{Check: "g_check_flow_bits", Params: map[string]string{"FLOW_BITS": "0"}},
	{Check: "g_check_flow_bits", Params: map[string]string{"FLOW_BITS": "25"}},
	{Check: "g_check_flow_fits", Params: map[string]string{"FLOW_BITS": "9"}},
	{Check: "g_check_flow_fits", Params: map[string]string{"FLOWS": "65536", "FLOW_BITS": "15"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "7"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence
// of their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }
