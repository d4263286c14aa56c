// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicpace "github.com/nicgen/nicgen/tb/nic_pace"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicpace.Unit, Measure: nicpace.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 500_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "flush"},
	Overrides: overrides, OverrideCycles: 400_000,
	Illegal: illegal,
	Sweep: &benchtest.Bug{File: top, Edits: []string{
		"sweep_q <= '1;", "sweep_q <= sweep_q;", "logic [SWEEP_W-1:0] sweep_q;", "logic [SWEEP_W-1:0] sweep_q = '1;"}},
	Planted: planted, Bugs: bugs, Limit: 200,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// few is a configuration in which much happens.
const few = "connections=8 slots=16 "

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 500_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 slots=16 slot_ns=64 timer_bits=30 frac_bits=8 counter_bits=8 allowance_ns=0 idle_ns=0 flush_force=true", Cycles: 1_200_000},
	{Name: "largest", Set: "connections=65536 conn_bits=24 slots=16384 slot_ns=65536 timer_bits=48 frac_bits=16 counter_bits=64 " +
		"allowance_ns=70368744177663 idle_ns=70368744177663", Cycles: 1_000_000},
	{Name: "long time", Set: "slots=256 slot_ns=64 timer_bits=48", Cycles: 400_000},
	{Name: "few", Set: few + "conn_bits=5", Cycles: 400_000},
	{Name: "no power of two", Set: "connections=3 conn_bits=2 slots=64 slot_ns=1024 counter_bits=21", Cycles: 800_000},
	{Name: "block RAM", Set: "connections=300 slots=256 timer_bits=40 frac_bits=12", Cycles: 500_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=20"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "counter_bits", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}, Yosys: "Static cast with zero or negative size!"},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
}

const (
	top   = "nic_pace.sv"
	wheel = "nic_pace_wheel.sv"
	due   = "nic_pace_due.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the pacer\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [nic_pace](nic_pace.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an event that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a connection is due a slot early", Set: few, File: top, Edits: []string{"assign p5_past = p5_now_q - p5_time;", "assign p5_past = p5_now_q - p5_time + 1'b1;"}},
	{Name: "a connection waits for a slot that has come, and is not taken yet", Set: few, File: top, Edits: []string{"p5_now_q <= p4_now_q;", "if (!taking_q || p5_take_q) p5_now_q <= turn_q | (p4_now_q & '0);"}},
	{Name: "the last slot of the wheel is that which is taken", Set: few, File: top, Edits: []string{"p5_last_q <= turn_q + TURN_W'(AHEAD);", "p5_last_q <= turn_q + TURN_W'(AHEAD + 1);"}},
	{Name: "a departure time far beyond the wheel is in a slot of now", Set: few, Seed: 2, File: top, Edits: []string{"p6_beyond_q ? p6_last_q : p6_slot_q", "p6_beyond_q && 1'b0 ? p6_last_q : p6_slot_q"}},
	{Name: "a slot that is taken keeps its list", Set: few, File: wheel, Edits: []string{"p8_list_next.valid = p8_insert_q;", "p8_list_next.valid = p8_insert_q || p8_take_q;"}},
	{Name: "a list forgets its first connection", Set: few, Seed: 3, File: wheel, Edits: []string{"p8_list.valid ? p8_list.head : p8_idx_q", "p8_list.valid && 1'b0 ? p8_list.head : p8_idx_q"}},
	{Name: "a list ends before its last connection", Set: few, Seed: 7, File: wheel, Edits: []string{"assign more       = at_q != tail_q &&", "assign more       = successor != tail_q &&"}},
	{Name: "a successor is read a cycle too early", Set: few, File: wheel, Edits: []string{"assign look_valid = walk_q && !step_q;", "assign look_valid = walk_q;"}},
	{Name: "a slot is taken while a list waits", Set: few, File: top, Edits: []string{"take_due_q && !taking_q && list_free", "take_due_q && !taking_q && (list_free || 1'b1)"}},
	{Name: "the next slot is chosen while one is on its way", Set: few, File: top, Edits: []string{"take_due_q && !taking_q &&", "take_due_q && (!taking_q || 1'b1) &&"}},
	{Name: "a jump of the time leaves a revolution out", Set: few, File: top, Edits: []string{"behind_q[TURN_W-1:SLOT_W+2] != '0", "behind_q[TURN_W-1:SLOT_W+1] != '0"}},
	{Name: "no slot is ever left out", Set: few, File: top, Edits: []string{"assign turn_next = take_far_q ?", "assign turn_next = take_far_q && 1'b0 ?"}},
	{Name: "the allowance does not count", Set: few, File: top, Edits: []string{"(p3_raise_q && p3_below_q)", "(p3_raise_q && p3_below_q && 1'b0)"}},
	{Name: "a PUSH has the allowance of a DONE", Set: few, File: top, Edits: []string{"p0_idle_q      <= cfg_idle_ns;", "p0_idle_q      <= cfg_idle_ns & '0 | cfg_allowance_ns;"}},
	{Name: "a DONE has the allowance of a PUSH", Set: few, File: top, Edits: []string{"p0_allowance_q <= cfg_allowance_ns;", "p0_allowance_q <= cfg_allowance_ns & '0 | cfg_idle_ns;"}},
	{Name: "a PUSH does not write", Set: few, File: top, Edits: []string{"p2_done_ok || p2_push_ok || p2_flush_ok || p2_scan_q", "p2_done_ok || p2_flush_ok || p2_scan_q"}},
	{Name: "a PUSH that is not legal writes", Set: few, File: top, Edits: []string{"p2_done_ok || p2_push_ok || p2_flush_ok || p2_scan_q", "p2_done_ok || p2_push_q || p2_flush_ok || p2_scan_q"}},
	{Name: "the scan writes over a PUSH", Set: "connections=1 conn_bits=1 slots=16", Seed: 4, Limit: 300, File: top, Edits: []string{"(push_ready && IDX_W'(push_conn) == scan_q)", "(push_ready && IDX_W'(push_conn) == scan_q && 1'b0)"}},
	{Name: "the scan has the allowance of a DONE", Set: few, File: top, Edits: []string{"p0_done_q ? p0_allowance_q", "p0_done_q || p0_scan_q ? p0_allowance_q"}},
	{Name: "a PUSH does not wait for the DONE before it", Set: few, File: top, Edits: []string{"{p3_writes_q && p3_idx_q ==", "{p3_writes_q && 1'b0 && p3_idx_q =="}},
	{Name: "the scan writes over a DONE", Set: "connections=1 conn_bits=1 slots=16", Seed: 4, Limit: 300, File: top, Edits: []string{"p0_scan_q      <= scan && scan_met_q == '0;", "p0_scan_q      <= scan && (scan_met_q == '0 || 1'b1);"}},
	{Name: "the scan forgets the last connection", Set: few + "timer_bits=30", Limit: 2000, File: top, Edits: []string{"scan_q == IDX_W'(CONNECTIONS - 1)", "scan_q == IDX_W'(CONNECTIONS - 2)"}},
	{Name: "a DONE counts twice", Set: few, File: top, Edits: []string{"p2_exists_q && !p2_inside && !p2_paid;", "p2_exists_q && !p2_inside && (!p2_paid || 1'b1);"}},
	{Name: "a connection is in the wheel twice", Set: few, File: top, Edits: []string{"assign p2_push_ok   = p2_push_q && p2_exists_q && !p2_inside;", "assign p2_push_ok   = p2_push_q && p2_exists_q && (!p2_inside || 1'b1);"}},
	{Name: "a flush empties a connection that is in the wheel", Set: few, Seed: 6, File: top, Edits: []string{"(!p2_inside || cfg_flush_force);", "(!p2_inside || cfg_flush_force || 1'b1);"}},
	{Name: "a flush leaves the rate", Set: few, Limit: 600, File: top, Edits: []string{"r0_clear_q    <= !ready_q || (flush_clear_q && !s_rate_valid);", "r0_clear_q    <= !ready_q || (flush_clear_q && !s_rate_valid && 1'b0);"}},
	{Name: "a flush writes over a RATE", Set: few, Limit: 4000, File: top, Edits: []string{"r0_clear_q    <= !ready_q || (flush_clear_q && !s_rate_valid);", "r0_clear_q    <= !ready_q || flush_clear_q;"}},
	{Name: "a RATE of a connection that does not exist counts", Set: few, File: top, Edits: []string{"assign r0_write = r0_rate_q && exists(r0_conn_q);", "assign r0_write = r0_rate_q && (exists(r0_conn_q) || 1'b1);"}},
	{Name: "the lowest bit of the bytes does not count", Set: few, Seed: 4, File: top, Edits: []string{"p3_bytes_q  <= p2_done_q ? p2_bytes_q : '0;", "p3_bytes_q  <= p2_done_q ? p2_bytes_q & ~BYTE_W'(1) : '0;"}},
	{Name: "a turn that is offered may be another one", Set: few, File: due, Edits: []string{".rd_addr (free ? rd_q[IDX_W-1:0] : shown_q)", ".rd_addr (free || 1'b1 ? rd_q[IDX_W-1:0] : shown_q)"}},
	{Name: "turns go on while many connections wait", Set: "", File: due, Edits: []string{"assign next = free && !hold &&", "assign next = free && (!hold || 1'b1) &&"}},
	{Name: "a connection that had its turn stays inside", Set: few, File: due, Edits: []string{".own_wr_data (!out && !clear_2_q)", ".own_wr_data (out && !clear_2_q)"}},
	{Name: "a reset leaves the wheel as it was", Set: few, File: top, Edits: []string{"p6_sweep_q  <= !ready_q;", "p6_sweep_q  <= !ready_q && 1'b0;"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "slots twice as long", Set: few, Params: func(p *params.Params) { p.SlotNS *= 2 }},
	{Name: "no rates", Set: few, Inputs: benchtest.SetInput("s_rate_inv", 0)},
	{Name: "a byte more", Set: few, Inputs: benchtest.AddInput("s_done_bytes", 1)},
	{Name: "no other turns", Set: few, Inputs: benchtest.SetInput("s_done_again", 0)},
	{Name: "another allowance", Set: few, Inputs: benchtest.AddInput("cfg_allowance_ns", 1)},
	{Name: "another idle allowance", Set: few, Inputs: benchtest.AddInput("cfg_idle_ns", 1)},
	{Name: "no idle allowance", Set: few, Inputs: benchtest.SetInput("cfg_idle_ns", 0)},
	{Name: "time stands still", Set: few, Inputs: benchtest.SetInput("now_ns", 0)},
}
