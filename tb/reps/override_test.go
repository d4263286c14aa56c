// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

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
	{Name: "explore_stride", Set: "explore_stride=1"},
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

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results. Each
// is overridden somewhere by itself.
func TestOverride(t *testing.T) { suite.Overrides(t, 600_000, overrides) }

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []benchtest.Illegal{
	{Check: "g_check_evs_bits", Params: map[string]string{"EVS_BITS": "0"}},
	{Check: "g_check_evs_bits", Params: map[string]string{"EVS_BITS": "17"}},
	{Check: "g_check_buffer_depth", Params: map[string]string{"BUFFER_DEPTH": "1", "EXPLORE_STRIDE": "1"}},
	{Check: "g_check_buffer_depth", Params: map[string]string{"BUFFER_DEPTH": "12"}},
	{Check: "g_check_buffer_depth", Params: map[string]string{"BUFFER_DEPTH": "128"}},
	{Check: "g_check_connections", Params: map[string]string{"CONNECTIONS": "0"}},
	{Check: "g_check_connections", Params: map[string]string{"CONNECTIONS": "65537", "CONN_BITS": "17"}},
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "25"}},
	{Check: "g_check_explore_stride", Params: map[string]string{"EXPLORE_STRIDE": "0"}},
	{Check: "g_check_explore_stride", Params: map[string]string{"EXPLORE_STRIDE": "6"}},
	{Check: "g_check_explore_stride", Params: map[string]string{"EXPLORE_STRIDE": "128"}},
	{Check: "g_check_stride", Params: map[string]string{"EXPLORE_STRIDE": "16"}},
	{Check: "g_check_timer_bits", Params: map[string]string{"TIMER_BITS": "15"}},
	{Check: "g_check_timer_bits", Params: map[string]string{"TIMER_BITS": "65"}},
	{Check: "g_check_nic_ports", Params: map[string]string{"NIC_PORTS": "0"}},
	{Check: "g_check_nic_ports", Params: map[string]string{"NIC_PORTS": "9"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "7"}},
	{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "65"}},
}

// Illegal overrides stop elaboration with the sentence of their check.
func TestIllegalOverride(t *testing.T) { suite.IllegalOverrides(t, illegal) }

// The checks of the parts in the library stop elaboration as well.
func TestPartsCheckTheirParameters(t *testing.T) {
	illegal := map[string][]map[string]string{
		"nic_lib_fifo_lut g_check_depth":  {{"DEPTH": "1"}, {"DEPTH": "12"}},
		"nic_lib_normalise g_check_width": {{"WIDTH": "0"}, {"WIDTH": "65"}},
	}
	parts, err := rtl.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parts {
		top := strings.TrimSuffix(f.Name, ".sv")
		for check, sentence := range benchtest.Checks(t, f.Text) {
			list := illegal[top+" "+check]
			if len(list) == 0 {
				t.Errorf("nothing makes %s of %s fire", check, top)
			}
			for _, p := range list {
				benchtest.Refused(t, synth.LintRequest{Top: top, Files: []synth.File{synth.File(f)}, Params: p}, sentence)
			}
			delete(illegal, top+" "+check)
		}
	}
	for name := range illegal {
		t.Errorf("there is no check %s", name)
	}
}

// Rules over several parameters are the same in Go: what the text refuses, the
// generator refuses.
func TestIllegalConfiguration(t *testing.T) { suite.IllegalConfigurations(t, illegal) }
