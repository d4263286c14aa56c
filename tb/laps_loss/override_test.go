// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "paths", Emitted: "paths=3 pid_bits=9 depth=16", Set: "paths=257"},
	{Name: "pid_bits", Emitted: "paths=64 pid_bits=6 depth=16", Set: "pid_bits=8"},
	{Name: "counter_bits", Emitted: "paths=64 depth=16", Set: "counter_bits=8"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results. Each
// is overridden somewhere by itself.
func TestOverride(t *testing.T) { suite.Overrides(t, 1_000_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_paths", Params: map[string]string{"PATHS": "0"}},
	{Check: "g_check_paths", Params: map[string]string{"PATHS": "65537", "PID_BITS": "17"}},
	{Check: "g_check_pid_bits", Params: map[string]string{"PID_BITS": "0"}},
	{Check: "g_check_pid_bits", Params: map[string]string{"PID_BITS": "25"}},
	{Check: "g_check_path_fits", Params: map[string]string{"PID_BITS": "12"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "7"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence
// of their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }
