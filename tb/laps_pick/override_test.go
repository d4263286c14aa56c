// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "tag_bits", Emitted: "paths=4", Set: "tag_bits=1"},
	{Name: "counter_bits", Emitted: "paths=4 picker=lookup", Set: "counter_bits=8"},
}

// Parameters overridden at instantiation behave as those set at emission.
func TestOverride(t *testing.T) { suite.Overrides(t, 180_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_tag_bits", Params: map[string]string{"TAG_BITS": "65"}},
	{Check: "g_check_tag_bits", Params: map[string]string{"TAG_BITS": "0"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "0"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "7"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence of
// their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }
