// SPDX-License-Identifier: Apache-2.0

package nicecho_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_echo"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicecho "github.com/nicgen/nicgen/tb/nic_echo"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicecho.Unit, Measure: nicecho.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 500_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "flush"},
	Overrides: overrides, OverrideCycles: 400_000,
	Illegal: illegal,
	Sweep: &benchtest.Bug{File: top, Edits: []string{
		"sweep_q <= ADDR_W'(CONNECTIONS * 128 - 1);", "sweep_q <= sweep_q;",
		"logic [ADDR_W-1:0] sweep_q;", "logic [ADDR_W-1:0] sweep_q = '1;"}},
	Planted: planted, Bugs: bugs, Limit: 40,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// few is a configuration whose sweep is short.
const few = "connections=16 ring=16 "

// banked is a configuration whose ring has a whole bank of UltraRAM and part of another one.
const banked = "connections=20 ring=4096 ring_latency=5 "

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 500_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 ring=16 psn_bits=16 tag_bits=1 ev_bits=1 list=0 shim_bits=0 ring_memory=bram ring_latency=3 " +
		"timer_bits=16 counter_bits=8 feedback_packets=0 feedback_ns=0 ecn_or=true", Cycles: 300_000},
	{Name: "most connections", Set: "connections=65536 ring=16", Cycles: 8_000_000},
	{Name: "widest", Set: "connections=5 conn_bits=24 ring=4096 psn_bits=32 tag_bits=16 ev_bits=20 list=16 shim_bits=512 ring_memory=bram ring_latency=16 " +
		"timer_bits=48 counter_bits=64 feedback_packets=31 feedback_ns=140737488355327", Cycles: 500_000},
	{Name: "one EV a list, URAM", Set: few + "ring_memory=uram list=1 shim_bits=1", Cycles: 300_000},
	{Name: "two banks of the ring", Set: banked, Cycles: 3_000_000},
	{Name: "flags in block RAM", Set: "connections=600 ring=16 shim_bits=99 conn_bits=11 psn_bits=21 tag_bits=7 ev_bits=13 list=5 timer_bits=29 counter_bits=21 ring_latency=7", Cycles: 500_000},
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
	top   = "nic_echo.sv"
	ring  = "nic_echo_ring.sv"
	flags = "nic_echo_flags.sv"
	lists = "nic_echo_lists.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the receiver's side of path feedback\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [nic_echo](nic_echo.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an event that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "an ACK does not see the packet of its own cycle", Set: few, File: ring, Edits: []string{"assign word = same ? new_word : old;", "assign word = same && 1'b0 ? new_word : old;"}},
	{Name: "the tag does not count", Set: few, File: top, Edits: []string{"word[16 +: TAG_W] == late_tag", "(word[16 +: TAG_W] == late_tag || 1'b1)"}},
	{Name: "every second entry is its neighbour", Set: few + "ring_memory=uram", File: ring, Edits: []string{"assign old = odd ?", "assign old = odd && 1'b0 ?"}},
	{Name: "a mark of the ACK's own cycle comes with the next ACK", Set: few, File: flags, Edits: []string{"p2_same && p2_data ? raised_next", "p2_same && p2_data && 1'b0 ? raised_next"}},
	{Name: "two marks between ACKs are none", Set: few, File: flags, Edits: []string{"raised ^ (event_now & ~(raised ^ seen))", "raised ^ event_now"}},
	{Name: "a flush leaves marks", Set: few, File: flags, Edits: []string{"p2_empty ? seen :", "p2_empty ? raised :"}},
	{Name: "an ACK gets the shim of the cycle after it", Set: few, File: flags, Edits: []string{".wr_en   (p1_shim)", ".wr_en   (p2_shim || p1_shim)"}},
	{Name: "a duplicate goes into the list", Set: few, File: lists, Edits: []string{"p2_feedback && !p2_duplicate;", "p2_feedback && !(p2_duplicate && 1'b0);"}},
	{Name: "a full list loses the newest packet", Set: few, File: lists, Edits: []string{"head_next  = p2_lost ? head_more : head;", "head_next  = p2_lost && 1'b0 ? head_more : head;"}},
	{Name: "the time of a list is that of its last packet", Set: few, File: lists, Edits: []string{"adds && count == '0 ? p2_now", "adds ? p2_now"}},
	{Name: "a list that waited and is empty forgets a duplicate", Set: few, File: lists, Edits: []string{"(p2_take && count != '0)),", "p2_take),"}},
	{Name: "a list is due a packet late", Set: few, File: lists, Edits: []string{"grown == enough_q", "count == enough_q"}},
	{Name: "the queue of lists takes one more", Set: few, File: top, Edits: []string{"(due_valid && !busy) && room", "(due_valid && !busy) && (room || 1'b1)"}},
	{Name: "a list goes out while another one does", Set: few, File: top, Edits: []string{"due_valid && !busy;", "due_valid;"}},
	{Name: "a flush forgets its last entry", Set: few, File: top, Edits: []string{"assign flush_last    = flush_q[RING_W] ||", "assign flush_last    = (flush_q[RING_W] || &flush_q[RING_W-1:0]) ||"}},
	{Name: "the scan misses the last connection", Set: few, File: top, Edits: []string{"scan_q == IDX_W'(CONNECTIONS - 1)", "scan_q == IDX_W'(CONNECTIONS - 2)"}},
	{Name: "packets before the unit is ready count", Set: few, File: top, Edits: []string{"assign p0_data       = p0_data_q && p0_taken_q", "assign p0_data       = p0_data_q && (p0_taken_q || 1'b1)"}},
	{Name: "a miss keeps the old entropy value", Set: few, File: top, Edits: []string{"if (!hit) begin", "if (!hit && 1'b0) begin"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "a tag of a bit less", Set: few, Params: func(p *params.Params) { p.TagBits-- }},
	{Name: "a list of one less", Set: few, Params: func(p *params.Params) { p.List-- }},
	{Name: "no marks", Set: few, Inputs: benchtest.SetInput("s_data_ce", 0)},
	{Name: "no shims", Set: few, Inputs: benchtest.SetInput("s_data_shim", 0)},
	{Name: "another entropy value", Set: few, Inputs: benchtest.AddInput("s_data_ev", 1)},
	{Name: "marks since the last ACK", Set: few, Inputs: benchtest.SetInput("cfg_ecn_or", 1)},
	{Name: "time stands still", Set: few, Inputs: benchtest.SetInput("now_ns", 0)},
}
