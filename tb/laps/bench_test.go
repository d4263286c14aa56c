// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: laps.Unit, Measure: laps.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 8300, Misses: "rate/held"},
	Overrides: overrides, OverrideCycles: 120_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs, Limit: shrunk,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all destinations, paths and flows, while the sets are empty.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// small is a configuration that empties its tables in few cycles.
const small = "destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 counter_bits=16 " +
	"flows=3 flow_bits=3 rate_bits=16 max_rate=25600 min_rate=256 seq_bits=8 depth=8 lanes=2 ack_queues=2 ack_queue=2 lost_queue=2 rto_min_ns=500"

// corners covers both ends of every parameter and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 150_000},
	{Name: "smallest", Set: "destinations=2 dst_bits=1 banks=2 rows=2 pid_bits=2 anchors=1 lat_bits=8 time_bits=16 tag_bits=1 " +
		"ack_lookup=shared path_memory=bram picker=race noise_memory=lut random_seed=0 flows=1 flow_bits=1 rate_bits=8 state_memory=lutram " +
		"seq_bits=8 depth=4 lanes=2 ring_memory=lutram ring_latency=2 ram_latency=1 ack_queues=2 ack_queue=2 lost_queue=2 counter_bits=8 " +
		"beta_factor=0 max_rate=1 min_rate=1 stages=0 rto_min_ns=0", Cycles: 130_000},
	{Name: "both at once, lookup, intervals as in the simulator", Set: "destinations=5 dst_bits=4 banks=8 rows=16 pid_bits=9 ack_lookup=own path_memory=uram " +
		"state_protection=parity " +
		"picker=lookup flows=20 flow_bits=6 decrease_interval=max increase_interval=base ring_memory=bram stages=6 anchors=3 lat_bits=19 time_bits=29 rate_bits=27 least_increase=12345 seq_bits=23 ring_latency=5 random_seed=12345 counter_bits=21", Cycles: 130_000},
	{Name: "largest without Algorithm 3", Set: "loss=false destinations=4096 dst_bits=24 banks=32 rows=2048 pid_bits=24 anchors=8 lat_bits=24 time_bits=48 " +
		"tag_bits=64 ack_lookup=own baselines=paths picker=race random_seed=9223372036854775807 flows=65536 flow_bits=24 rate_bits=40 state_memory=bram " +
		"counter_bits=64 beta_factor=65535 max_rate=1099511627775 min_rate=1099511627775 least_increase=1099511627775 stages=15", Cycles: 210_000},
	{Name: "longest rings and queues", Set: "destinations=9 dst_bits=5 banks=4 rows=8 pid_bits=6 time_bits=48 tag_bits=4 flows=7 flow_bits=3 seq_bits=48 " +
		"depth=1024 lanes=64 ring_memory=uram ring_latency=12 ack_queues=8 ack_queue=512 lost_queue=512 rto_min_ns=70368744177663", Cycles: 200_000},
	{Name: "prototype's rate, lookup", Set: "loss=false destinations=16 dst_bits=4 banks=16 rows=32 pid_bits=9 picker=lookup flows=16 flow_bits=4 tag_bits=5 " +
		"decrease_interval=max", Cycles: 130_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "destinations", Emitted: small, Set: "destinations=7"},
	{Name: "dst_bits", Emitted: small, Set: "dst_bits=17"},
	{Name: "pid_bits", Emitted: small, Set: "pid_bits=11"},
	{Name: "tag_bits", Emitted: small, Set: "tag_bits=52"},
	{Name: "flows", Emitted: small, Set: "flows=6"},
	{Name: "ram_latency", Emitted: small, Set: "ram_latency=1"},
	{Name: "ring_latency", Emitted: small, Set: "ring_latency=5"},
	{Name: "counter_bits", Emitted: small + " loss=false ack_lookup=own", Set: "counter_bits=33"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_tags_fit", Params: map[string]string{"TAG_BITS": "30"}},
}

// A configuration refused by a part's own check stops the whole unit.
func TestIllegalOverrideOfPart(t *testing.T) {
	p := suite.Default()
	files := benchtest.Texts(t, p)
	for _, c := range []struct {
		file, check string
		params      map[string]string
	}{
		{"nic_laps_laps_paths.sv", "g_check_dst_fits", map[string]string{"DST_BITS": "9"}},
		{"nic_laps_laps_paths.sv", "g_check_pid_fits", map[string]string{"PID_BITS": "12"}},
		{"nic_laps_laps_rate.sv", "g_check_flow_fits", map[string]string{"FLOWS": "1025"}},
	} {
		t.Run(c.check, func(t *testing.T) {
			t.Parallel()
			for _, f := range files {
				if f.Name == c.file {
					benchtest.Refused(t, synth.LintRequest{Top: p.Top(), Files: files, Params: c.params}, benchtest.Checks(t, f.Text)[c.check], "", "")
				}
			}
		})
	}
}
