// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few connections, so that
// emptying them after a reset takes few cycles.
const (
	inLUTRAM = "connections=3 conn_bits=2 state_memory=lutram timer_bits=20 window_ns=1000"
	inBRAM   = "connections=3 conn_bits=3 state_memory=bram"
)

const top = "nic_reps_detector.sv"

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// the verdict
	{Name: "window compared as >=", File: top, Set: inBRAM, Edits: []string{"p3_age_q > p3_window_q", "p3_age_q >= p3_window_q"}},
	{Name: "window compared as a signed difference", File: top, Set: inBRAM, Edits: []string{
		"p3_age_q > p3_window_q;", "(p3_age_q > p3_window_q && !p3_age_q[TIMER_BITS-1]);"}},
	{Name: "age without wrap", File: top, Set: inLUTRAM, Edits: []string{
		"<= p2_now_q - p2_when;", "<= (p2_now_q < p2_when) ? '1 : p2_now_q - p2_when;"}},
	{Name: "age one bit short", File: top, Set: inBRAM, Edits: []string{
		"<= p2_now_q - p2_when;", "<= (p2_now_q - p2_when) & {1'b0, {(TIMER_BITS-1){1'b1}}};"}},
	{Name: "trimming switched off", File: top, Set: inBRAM, Edits: []string{"<= p2_trimming_q || ", "<= (p2_trimming_q && 1'b0) || "}},
	{Name: "trimming ignored once a high RTT was seen", File: top, Set: inBRAM, Edits: []string{
		"<= p2_trimming_q || ", "<= (p2_trimming_q && !p2_seen) || "}},
	{Name: "no sample is congestion", File: top, Set: inBRAM, Edits: []string{"p2_trimming_q || !p2_seen;", "p2_trimming_q || (!p2_seen && 1'b0);"}},
	{Name: "failures of illegal connections", File: top, Set: inBRAM, Edits: []string{
		"m_fail_valid    <= p3_timeout_q && p3_legal_q && p3_failure;", "m_fail_valid    <= p3_timeout_q && p3_failure;"}},
	{Name: "connection of the next timeout", File: top, Set: inBRAM, Edits: []string{
		"m_timeout_conn  <= p3_conn_q;", "m_timeout_conn  <= p3_conn_q & '0 | p2_conn_q;"}},

	// RTT samples
	{Name: "threshold compared as >", File: top, Set: inBRAM, Edits: []string{"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q > p0_threshold_q"}},
	{Name: "a low RTT clears an earlier high one", File: top, Set: inBRAM, Edits: []string{
		"p0_flush_q || (p0_rtt_q && p0_high)", "p0_flush_q || (p0_rtt_q && (p0_high || p0_when_low))",
		"  logic p0_high;\n", "  logic p0_high;\n  logic p0_when_low;\n  assign p0_when_low = !p0_high;\n",
		".wr_data ({p0_rtt_q, p0_now_q})", ".wr_data ({p0_rtt_q && p0_high, p0_now_q})"}},
	{Name: "only the first high RTT counts", File: top, Set: inLUTRAM, Edits: []string{
		".wr_en   (p0_write)", ".wr_en   (p0_write && (!p0_rtt_q || !seen_q[IDX_W'(p0_rtt_conn_q)]))",
		"  logic p0_high;\n", "  logic p0_high;\n  logic [3:0] seen_q;\n  always_ff @(posedge clk) begin\n" +
			"    if (p0_write) begin\n      seen_q[IDX_W'(p0_rtt_conn_q)] <= p0_rtt_q;\n    end\n  end\n"}},
	{Name: "threshold of one cycle later", File: top, Set: inBRAM, Edits: []string{
		"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q >= (p0_threshold_q & '0 | cfg_rtt_threshold_ns)"}},
	{Name: "RTTs of illegal connections are stored", File: top, Set: inBRAM, Edits: []string{
		"(p0_rtt_legal && (p0_flush_q || (p0_rtt_q && p0_high)))", "(p0_flush_q && p0_rtt_legal) || (p0_rtt_q && p0_high)"}},

	// order within and between cycles
	{Name: "an RTT takes effect one cycle late", File: top, Set: inBRAM, Edits: []string{
		".rd_addr (IDX_W'(p1_conn_q))", ".rd_addr (IDX_W'(p0_timeout_conn_q))",
		".rd_data ({p2_seen, p2_when})", ".rd_data (early)",
		"  logic [TIMER_BITS-1:0] p2_when;  // time of the last one\n",
		"  logic [TIMER_BITS-1:0] p2_when;\n  logic [TIMER_BITS:0] early;\n  always_ff @(posedge clk) begin\n    {p2_seen, p2_when} <= early;\n  end\n"}},
	{Name: "an RTT of the next cycle is seen", File: "nic_lib_ram_block.sv", Set: inBRAM, Edits: []string{
		"data_q <= mem[rd_addr];", "data_q <= (wr_en && wr_addr == rd_addr) ? wr_data[LO +: W] : mem[rd_addr];"}},
	{Name: "an RTT of the next cycle is seen in LUT RAM", File: "nic_lib_ram_lut.sv", Set: inLUTRAM, Edits: []string{
		"rd_data <= mem[rd_addr];", "rd_data <= (wr_en && wr_addr == rd_addr) ? wr_data : mem[rd_addr];"}},
	{Name: "window of one cycle later", File: top, Set: inBRAM, Edits: []string{"p3_age_q > p3_window_q", "p3_age_q > (p3_window_q & '0 | p2_window_q)"}},

	// flush, reset, counters
	{Name: "a flush leaves the record", File: top, Set: inBRAM, Edits: []string{
		".wr_data ({p0_rtt_q, p0_now_q})", ".wr_data ({p0_rtt_q || p0_flush_q, p0_now_q})"}},
	{Name: "a flush accepted beside an RTT", File: top, Set: inBRAM, Edits: []string{
		"s_flush_valid && s_flush_ready;", "s_flush_valid && ready_q;"}},
	{Name: "no clearing after reset", File: top, Set: inLUTRAM, Edits: []string{"assign p0_write         = p0_clear_q ||", "assign p0_write         = (p0_clear_q && 1'b0) ||"}},
	{Name: "ready one connection early", File: top, Set: inBRAM, Edits: []string{
		"clear_idx_q == IDX_W'(CONNECTIONS - 1)", "clear_idx_q == IDX_W'(CONNECTIONS - 2)"}},
	{Name: "reset leaves a timeout in the pipeline", File: top, Set: inBRAM, Edits: []string{
		"    if (rst) begin\n      p2_timeout_q <= 1'b0;\n    end\n", ""}},
	{Name: "two illegal events counted once", File: top, Set: inBRAM, Edits: []string{
		"COUNTER_BITS'(p1_illegal_q);", "COUNTER_BITS'(p1_illegal_q != 2'd0);"}},
	{Name: "a counter saturates instead of wrapping", File: top, Set: inBRAM + " counter_bits=8", Edits: []string{
		"sts_rtt_cnt + COUNTER_BITS'(p1_rtt_q);", "sts_rtt_cnt + COUNTER_BITS'(p1_rtt_q && sts_rtt_cnt != '1);"}, Limit: 260},
	{Name: "illegal timeouts counted as congestion", File: top, Set: inBRAM, Edits: []string{
		"m_timeout_valid && m_timeout_cause == CAUSE_CONGESTION);", "m_timeout_valid && m_timeout_cause != CAUSE_FAILURE);"}},
}

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in the failure detector\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n" +
	"[the failure detector](reps_detector.md). Co-simulation with seed 1 detects it, shrinks the stimulus, and writes\n" +
	"a replay file that reproduces the failure. The last column is the number of cycles with an event or a request in\n" +
	"the shrunk stimulus."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer connections", Set: inBRAM, Params: func(p *params.Params) { p.Connections = 2 }},
	{Name: "narrower timer", Set: inBRAM, Params: func(p *params.Params) { p.TimerBits-- }},
	{Name: "window one ns longer", Set: inBRAM, Inputs: benchtest.AddInput("cfg_window_ns", 1)},
	{Name: "threshold one ns higher", Set: inBRAM, Inputs: benchtest.AddInput("cfg_rtt_threshold_ns", 1)},
	{Name: "RTT one ns longer", Set: inBRAM, Inputs: benchtest.AddInput("s_rtt_ns", 1)},
	{Name: "sees no trimming", Set: inBRAM, Inputs: benchtest.SetInput("cfg_trimming", 0)},
	{Name: "sees no flush", Set: inBRAM, Inputs: benchtest.SetInput("s_flush_valid", 0)},
	{Name: "sees no timeout", Set: inBRAM, Inputs: benchtest.SetInput("s_timeout_valid", 0)},
	{Name: "sees no reset but the first", Set: inBRAM, Inputs: func(l *cosim.Layout, in []uint64) {
		if l.MustSlot("s_timeout_valid").Get(in) != 0 && l.MustSlot("now_ns").Get(in)&1 != 0 {
			l.MustSlot("rst").Set(in, 0)
		}
	}},
}
