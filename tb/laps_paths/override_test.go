// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "destinations", Emitted: small, Set: "destinations=7"},
	{Name: "dst_bits", Emitted: small, Set: "dst_bits=17"},
	{Name: "pid_bits", Emitted: small, Set: "pid_bits=11"},
	{Name: "tag_bits", Emitted: small, Set: "tag_bits=64"},
	{Name: "counter_bits", Emitted: own, Set: "counter_bits=33"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results. Each
// is overridden somewhere by itself.
func TestOverride(t *testing.T) { suite.Overrides(t, 200_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_destinations", Params: map[string]string{"DESTINATIONS": "1"}},
	{Check: "g_check_destinations", Params: map[string]string{"DESTINATIONS": "4097"}},
	{Check: "g_check_dst_bits", Params: map[string]string{"DST_BITS": "25"}},
	{Check: "g_check_dst_fits", Params: map[string]string{"DST_BITS": "9"}},
	{Check: "g_check_pid_bits", Params: map[string]string{"PID_BITS": "25"}},
	{Check: "g_check_pid_fits", Params: map[string]string{"PID_BITS": "12"}},
	{Check: "g_check_tag_bits", Params: map[string]string{"TAG_BITS": "0"}},
	{Check: "g_check_tag_bits", Params: map[string]string{"TAG_BITS": "65"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "7"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence
// of their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }

// A bench whose stimulus is cut short misses coverage points, and says which.
func TestShortRunMisses(t *testing.T) { suite.ShortRun(t, 8300, "probe/dead") }
