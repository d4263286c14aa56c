// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"testing"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "destinations", Emitted: small, Set: "destinations=7"},
	{Name: "dst_bits", Emitted: small, Set: "dst_bits=17"},
	{Name: "pid_bits", Emitted: small, Set: "pid_bits=11"},
	{Name: "tag_bits", Emitted: small, Set: "tag_bits=52"},
	{Name: "flows", Emitted: small, Set: "flows=6"},
	{Name: "counter_bits", Emitted: small + " loss=false ack_lookup=own", Set: "counter_bits=33"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results. Each
// is overridden somewhere by itself.
func TestOverride(t *testing.T) { suite.Overrides(t, 110_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_destinations", Params: map[string]string{"DESTINATIONS": "1"}},
	{Check: "g_check_dst_bits", Params: map[string]string{"DST_BITS": "25"}},
	{Check: "g_check_pid_bits", Params: map[string]string{"PID_BITS": "1"}},
	{Check: "g_check_tag_bits", Params: map[string]string{"TAG_BITS": "0"}},
	{Check: "g_check_tags_fit", Params: map[string]string{"TAG_BITS": "30"}},
	{Check: "g_check_flows", Params: map[string]string{"FLOWS": "65537"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence
// of their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }

// What a part's own check refuses stops the whole.
func TestIllegalOverrideOfPart(t *testing.T) {
	p := suite.Default()
	files := benchtest.Texts(t, p)
	for _, c := range []struct {
		file, check string
		params      map[string]string
	}{
		{"nic_laps_paths.sv", "g_check_dst_fits", map[string]string{"DST_BITS": "9"}},
		{"nic_laps_paths.sv", "g_check_pid_fits", map[string]string{"PID_BITS": "12"}},
		{"nic_laps_rate.sv", "g_check_flow_fits", map[string]string{"FLOWS": "1025"}},
	} {
		t.Run(c.check, func(t *testing.T) {
			t.Parallel()
			for _, f := range files {
				if f.Name == c.file {
					benchtest.Refused(t, synth.LintRequest{Top: p.Top(), Files: files, Params: c.params}, benchtest.Checks(t, f.Text)[c.check])
				}
			}
		})
	}
}

// A bench whose stimulus is cut short misses coverage points, and says which.
func TestShortRunMisses(t *testing.T) { suite.ShortRun(t, 8300, "rate/held") }
