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
	{Name: "laps", Set: "path=laps window=none addr_bits=13", Cycles: 300_000},
}

const planted = "# Bugs planted in the registers\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [the registers of a NIC](nic_csr.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an access that are left."

const (
	axil   = "nic_csr_axil.sv"
	window = "nic_csr_window.sv"
	events = "nic_csr_events.sv"
	block  = "nic_csr_block_reps.sv"
)

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a write goes before its data", File: axil, Edits: []string{"!aw_ready_q && !w_ready_q && !b_valid_q", "!aw_ready_q && !b_valid_q"}},
	{Name: "three strobes are enough", File: axil, Edits: []string{"s_axil_wstrb == 4'hf", "(s_axil_wstrb | 4'h8) == 4'hf"}},
	{Name: "a refused write is answered with OKAY", File: axil, Edits: []string{"b_error_q <= !w_full_q;", "b_error_q <= 1'b0;"}},
	{Name: "a refused write is done all the same", File: axil, Edits: []string{"m_wr_go        = go && w_full_q;", "m_wr_go        = go;"}},
	{Name: "an answer does not wait", File: axil, Edits: []string{"if (b_valid_q && s_axil_bready) begin", "if (b_valid_q && (s_axil_bready || 1'b1)) begin"}},
	{Name: "holes raise no event", File: axil, Edits: []string{"evt_hole        <= p2_rd_q && !s_rd_hit;", "evt_hole        <= p2_rd_q && !s_rd_hit && 1'b0;"}},
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
	{Name: "two counters change places", File: block, Limit: 150, Edits: []string{"? sts_send_cnt", "? sts_fail_cnt", ": sts_fail_cnt)", ": sts_send_cnt)"}},
	{Name: "the block answers in another's place", File: "nic_csr.sv", Edits: []string{"reps_rd_go = rd_go && rd_addr[13:10] == 4'd1;", "reps_rd_go = rd_go && rd_addr[11:10] == 2'd1;"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "another map", Params: func(p *params.Params) { p.AddrBits-- }},
	{Name: "no strobes", Inputs: benchtest.SetInput("s_axil_wstrb", 15)},
	{Name: "no events", Inputs: benchtest.SetInput("reps_evt_freeze", 0)},
	{Name: "a window that is always ready", Inputs: benchtest.SetInput("reps_s_flush_ready", 1)},
	{Name: "a counter one higher", Inputs: benchtest.AddInput("reps_sts_ack_cnt", 1)},
}
