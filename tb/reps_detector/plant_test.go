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
	{Name: "window compared as >=", File: top, Set: inBRAM, Edits: []string{"p4_age_q > p4_window_q", "p4_age_q >= p4_window_q"}},
	{Name: "window compared as a signed difference", File: top, Set: inBRAM, Edits: []string{
		"p4_age_q > p4_window_q;", "(p4_age_q > p4_window_q && !p4_age_q[TIMER_BITS-1]);"}},
	{Name: "age without wrap", File: top, Set: inLUTRAM, Edits: []string{
		"<= p3_now_q - p3_when;", "<= (p3_now_q < p3_when) ? '1 : p3_now_q - p3_when;"}},
	{Name: "age one bit short", File: top, Set: inBRAM, Edits: []string{
		"<= p3_now_q - p3_when;", "<= (p3_now_q - p3_when) & {1'b0, {(TIMER_BITS-1){1'b1}}};"}},
	{Name: "trimming switched off", File: top, Set: inBRAM, Edits: []string{"<= p3_trimming_q || ", "<= (p3_trimming_q && 1'b0) || "}},
	{Name: "trimming ignored once a high RTT was seen", File: top, Set: inBRAM, Edits: []string{
		"<= p3_trimming_q || ", "<= (p3_trimming_q && !p3_seen) || "}},
	{Name: "no sample is congestion", File: top, Set: inBRAM, Edits: []string{"p3_trimming_q || !p3_seen;", "p3_trimming_q || (!p3_seen && 1'b0);"}},
	{Name: "failures of illegal connections", File: top, Set: inBRAM, Edits: []string{
		"m_fail_valid    <= p4_timeout_q && p4_legal_q && p4_failure;", "m_fail_valid    <= p4_timeout_q && p4_failure;"}},
	{Name: "connection of the next timeout", File: top, Set: inBRAM, Edits: []string{
		"m_timeout_conn  <= p4_conn_q;", "m_timeout_conn  <= p4_conn_q & '0 | p3_conn_q;"}},

	// RTT samples
	{Name: "threshold compared as >", File: top, Set: inBRAM, Edits: []string{"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q > p0_threshold_q"}},
	{Name: "a low RTT clears an earlier high one", File: top, Set: inBRAM, Edits: []string{
		"p0_flush_q || (p0_rtt_q && p0_high)", "p0_flush_q || p0_rtt_q",
		"p1_seen_q     <= p0_rtt_q;", "p1_seen_q     <= p0_rtt_q && p0_high;"}},
	{Name: "only the first high RTT counts", File: top, Set: inLUTRAM, Edits: []string{
		".wr_en   (p1_write_q)", ".wr_en   (p1_write_q && (!p1_seen_q || !seen_q[p1_row_q]))",
		"  logic p0_high;\n", "  logic p0_high;\n  logic [3:0] seen_q;\n  always_ff @(posedge clk) begin\n" +
			"    if (p1_write_q) begin\n      seen_q[p1_row_q] <= p1_seen_q;\n    end\n  end\n"}},
	{Name: "threshold of one cycle later", File: top, Set: inBRAM, Edits: []string{
		"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q >= (p0_threshold_q & '0 | cfg_rtt_threshold_ns)"}},
	{Name: "RTTs of illegal connections are stored", File: top, Set: inBRAM, Edits: []string{
		"(p0_rtt_legal && (p0_flush_q || (p0_rtt_q && p0_high)))", "(p0_flush_q && p0_rtt_legal) || (p0_rtt_q && p0_high)"}},

	// order within and between cycles
	{Name: "an RTT takes effect one cycle late", File: top, Set: inBRAM, Edits: []string{
		".rd_addr (IDX_W'(p2_conn_q))", ".rd_addr (IDX_W'(p1_conn_q))",
		".rd_data ({p3_seen, p3_when})", ".rd_data (early)",
		"  logic [TIMER_BITS-1:0] p3_when;  // time of the last one\n",
		"  logic [TIMER_BITS-1:0] p3_when;\n  logic [TIMER_BITS:0] early;\n  always_ff @(posedge clk) begin\n    {p3_seen, p3_when} <= early;\n  end\n"}},
	{Name: "an RTT of the next cycle is seen", File: "nic_lib_ram_block.sv", Set: inBRAM, Edits: []string{
		"data_q <= mem[rd_addr];", "data_q <= (wr_en && wr_addr == rd_addr) ? wr_data[LO +: W] : mem[rd_addr];"}},
	{Name: "an RTT of the next cycle is seen in LUT RAM", File: "nic_lib_ram_lut.sv", Set: inLUTRAM, Edits: []string{
		"rd_data <= mem[rd_addr];", "rd_data <= (wr_en && wr_addr == rd_addr) ? wr_data : mem[rd_addr];"}},
	{Name: "window of one cycle later", File: top, Set: inBRAM, Edits: []string{"p4_age_q > p4_window_q", "p4_age_q > (p4_window_q & '0 | p3_window_q)"}},

	// flush, reset, counters
	{Name: "a flush leaves the record", File: top, Set: inBRAM, Edits: []string{
		"p1_seen_q     <= p0_rtt_q;", "p1_seen_q     <= p0_rtt_q || p0_flush_q;"}},
	{Name: "a flush accepted beside an RTT", File: top, Set: inBRAM, Edits: []string{
		"s_flush_valid && s_flush_ready;", "s_flush_valid && sts_ready;"}},
	{Name: "no clearing after reset", File: top, Set: inLUTRAM, Edits: []string{"<= p0_clear_q ||", "<= (p0_clear_q && 1'b0) ||"}},
	{Name: "ready one connection early", File: top, Set: inBRAM, Edits: []string{
		"clear_idx_q == IDX_W'(CONNECTIONS - 1)", "clear_idx_q == IDX_W'(CONNECTIONS - 2)"}},
	{Name: "reset leaves a timeout in the pipeline", File: top, Set: inBRAM, Edits: []string{
		"    if (rst_q) begin\n      p2_timeout_q <= 1'b0;\n    end\n", ""}},
	{Name: "a second reset does not begin again", File: top, Set: inBRAM + " connections=8 conn_bits=4", Edits: []string{
		"      clear_idx_q <= '0;\n", "      if (ready_q) begin\n        clear_idx_q <= '0;\n      end\n"}},
	{Name: "events are taken as the reset acts", File: top, Set: inBRAM, Edits: []string{"p0_rtt_q          <= s_rtt_valid && sts_ready;", "p0_rtt_q          <= s_rtt_valid && ready_q;"}},
	{Name: "the count of dropped events survives a reset", File: top, Set: inBRAM, Edits: []string{"      sts_not_ready_cnt    <= '0;\n", ""}},
	{Name: "the event of the first cycle after rst is not counted", File: top, Set: inBRAM, Edits: []string{
		"p0_late_rtt_q     <= s_rtt_valid && !sts_ready;", "p0_late_rtt_q     <= s_rtt_valid && !ready_q;"}},
	{Name: "two dropped events counted once", File: top, Set: inBRAM, Edits: []string{
		"2'(p0_late_rtt_q) + 2'(p0_late_timeout_q);", "2'(p0_late_rtt_q || p0_late_timeout_q);"}},
	{Name: "a flush that waits counts as dropped", File: top, Set: inBRAM, Edits: []string{
		"p0_late_timeout_q <= s_timeout_valid && !sts_ready;", "p0_late_timeout_q <= (s_timeout_valid || s_flush_valid) && !sts_ready;"}},
	{Name: "two illegal events counted once", File: top, Set: inBRAM, Edits: []string{
		"COUNTER_BITS'(p1_illegal_q);", "COUNTER_BITS'(p1_illegal_q != 2'd0);"}},
	{Name: "a counter saturates instead of wrapping", File: top, Set: inBRAM + " counter_bits=8", Edits: []string{
		"sts_rtt_cnt + COUNTER_BITS'(p1_rtt_q);", "sts_rtt_cnt + COUNTER_BITS'(p1_rtt_q && sts_rtt_cnt != '1);"}, Limit: 260},
	{Name: "illegal timeouts counted as congestion", File: top, Set: inBRAM, Edits: []string{
		"m_timeout_valid && m_timeout_cause == CAUSE_CONGESTION);", "m_timeout_valid && m_timeout_cause != CAUSE_FAILURE);"}},
}

// planted is the introduction of the table of planted bugs.
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
