// SPDX-License-Identifier: Apache-2.0

package niccsr_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/benchtest"
	niccsr "github.com/nicgen/nicgen/tb/nic_csr"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: niccsr.Unit, Measure: niccsr.Measure,
	Random:  benchtest.Random{Seeds: 1, Cycles: 300_000},
	Corners: corners,
	Short:   benchtest.Short{Cycles: 300, Misses: "commit/torn"},
	Planted: planted, Bugs: bugs, Limit: 40, // a bus is slow: an access takes some cycles
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "path=none window=none addr_bits=12 counter_bits=8", Cycles: 600_000},
	{Name: "plb", Set: "path=plb window=none addr_bits=32 counter_bits=64", Cycles: 300_000},
	{Name: "spray", Set: "path=spray counter_bits=33", Cycles: 300_000},
	{Name: "totals", Set: "totals=true counter_bits=10", Cycles: 300_000},
	{Name: "totals of few", Set: "path=none window=none addr_bits=12 counter_bits=8 totals=true", Cycles: 500_000},
	{Name: "totals of many", Set: "path=laps totals=true counter_bits=16", Cycles: 300_000},
	{Name: "laps", Set: "path=laps window=none addr_bits=13", Cycles: 300_000},
}

// totalled is a configuration with totals.
const totalled = "totals=true counter_bits=10"

const planted = "# Bugs planted in the registers\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [the registers of a NIC](nic_csr.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an access that are left."

const (
	top       = "nic_csr.sv"
	axil      = "nic_csr_axil.sv"
	constants = "nic_csr_constants.sv"
	levels    = "nic_csr_levels.sv"
	totals    = "nic_csr_totals.sv"
	window    = "nic_csr_window.sv"
	events    = "nic_csr_events.sv"
	block     = "nic_csr_block_reps.sv"
)

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a read takes a total's turn, and the turn goes on", Set: totalled, File: totals, Edits: []string{"go_q    <= !here ||", "go_q    <= 1'b1 ||"}},
	{Name: "a total is not cleared", Set: totalled, File: totals, Edits: []string{"new_q   <= t3_clear_q ? '0 :", "new_q   <= t3_clear_q && 1'b0 ? '0 :"}},
	{Name: "a total's carry is lost", Set: totalled, File: totals, Edits: []string{"sum_q   <= old_q + 64'(new_q);", "sum_q   <= {old_q[63:12], old_q[11:0] + 12'(new_q)};"}},
	{Name: "the high word of a total is its low one", Set: totalled, File: totals, Edits: []string{"high_q <= p2_low_q ? word[64-1:32] : '0;", "high_q <= p2_low_q ? word[31:0] : '0;"}},
	{Name: "a block has a total too many", Set: totalled, Limit: 100, File: totals, Edits: []string{"{1'b0, place} < count;", "{1'b0, place} <= count;"}},
	{Name: "a write goes before its data", File: axil, Edits: []string{"!aw_ready_q && !w_ready_q && !b_valid_q", "!aw_ready_q && !b_valid_q"}},
	{Name: "three strobes are enough", File: axil, Edits: []string{"s_axil_wstrb == 4'hf", "(s_axil_wstrb | 4'h8) == 4'hf"}},
	{Name: "a refused write is answered with OKAY", File: axil, Edits: []string{"b_error_q <= !w_full_q;", "b_error_q <= 1'b0;"}},
	{Name: "a refused write is done all the same", File: axil, Edits: []string{"m_wr_go        = go && w_full_q;", "m_wr_go        = go;"}},
	{Name: "an answer does not wait", File: axil, Edits: []string{"if (b_valid_q && s_axil_bready) begin", "if (b_valid_q && (s_axil_bready || 1'b1)) begin"}},
	{Name: "holes raise no event", File: axil, Edits: []string{"evt_hole        <= p3_rd_q && !s_rd_hit;", "evt_hole        <= p3_rd_q && !s_rd_hit && 1'b0;"}},
	{Name: "two illegal accesses in one cycle count as one", File: axil, Edits: []string{"32'(evt_write), evt_hole};", "32'(evt_write && !evt_hole), evt_hole};"}},
	{Name: "the answer of a read survives a reset", File: axil, Edits: []string{"      ar_ready_q <= 1'b1;\n      r_valid_q  <= 1'b0;\n      p0_rd_q    <= 1'b0;\n", "      ar_ready_q <= 1'b1;\n      p0_rd_q    <= 1'b0;\n"}},
	{Name: "a clear wins over the event", File: events, Edits: []string{"(m_events & ~(s_data & {EVENTS{s_clear}})) | s_event", "(m_events | s_event) & ~(s_data & {EVENTS{s_clear}})"}},
	{Name: "events that are not enabled interrupt", File: events, Edits: []string{"(m_events & m_enable) != '0", "m_events != '0"}},
	{Name: "a window does not wait for ready", File: window, Edits: []string{"m_valid ? !s_ready : s_start", "m_valid ? !s_ready && 1'b0 : s_start"}},
	{Name: "a window forgets what it missed", File: window, Edits: []string{"(m_valid && (s_start || s_write))", "(m_valid && s_write)"}},
	{Name: "data changes while a word is offered", File: block, Edits: []string{"if (wr_s_flush_conn_q && !s_flush_valid) begin", "if (wr_s_flush_conn_q) begin"}},
	{Name: "a setting counts without a commit", File: block, Edits: []string{"      cfg_ev_base <= next_cfg_ev_base_q;\n    end\n", "    end\n    cfg_ev_base <= next_cfg_ev_base_q;\n"}},
	{Name: "a wide setting commits one word", File: block, Edits: []string{"cfg_freezing_timeout_ns <= next_cfg_freezing_timeout_ns_q;", "cfg_freezing_timeout_ns[31:0] <= next_cfg_freezing_timeout_ns_q[31:0];"}},
	{Name: "a commit leaves settings pending", File: block, Edits: []string{"      pending_q <= 1'b0;\n      cfg_mode", "      cfg_mode"}},
	{Name: "a write of 0 commits", File: block, Edits: []string{"wr_commit_q && s_wr_data[0]", "wr_commit_q"}},
	{Name: "two counters change places", Limit: 150, File: top, Edits: []string{"reps_sts_flush_cnt, reps_sts_send_cnt,", "reps_sts_send_cnt, reps_sts_flush_cnt,"}},
	{Name: "the block is written in another's place", File: top, Edits: []string{"reps_wr_go = wr_go && wr_addr[13:10] == 4'd1;", "reps_wr_go = wr_go && wr_addr[11:10] == 2'd1;"}},
	{Name: "a word of a hole is that of another place", File: constants, Edits: []string{"p1_in_q   <= s_rd_addr[7:5] == '0 &&", "p1_in_q   <= (s_rd_addr[7:5] & 3'd5) == '0 &&"}},
	{Name: "a word that never changes cannot be read", Limit: 150, File: constants, Edits: []string{"p2_word_q[33:32] != 2'b01", "p2_word_q[34:32] != 3'b101"}},
	{Name: "a group of words answers for the next one", Limit: 150, File: levels, Edits: []string{"s_number[6:4] != 3'd1", "s_number[6:4] == 3'd0"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "another map", Params: func(p *params.Params) { p.AddrBits-- }},
	{Name: "no strobes", Inputs: benchtest.SetInput("s_axil_wstrb", 15)},
	{Name: "no events", Inputs: benchtest.SetInput("reps_evt_freeze", 0)},
	{Name: "a window that is always ready", Inputs: benchtest.SetInput("reps_s_flush_ready", 1)},
	{Name: "a counter one higher", Inputs: benchtest.AddInput("reps_sts_ack_cnt", 1)},
}
