// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few paths and short rings, so
// that full rings and timers are frequent.
const (
	small  = "paths=3 pid_bits=3 depth=4 lanes=2 time_bits=20 lat_bits=8 lost_queue=2 ack_queue=2"
	medium = "paths=5 pid_bits=3 depth=16 lanes=4 ring_memory=bram time_bits=24"
)

const top = "nic_laps_loss.sv"

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// the search
	{Name: "an ACK that is not found reports all segments lost", File: top, Set: medium, Edits: []string{
		"end else if (b6_any_q) begin\n      b0_q.report <= 1'b1;\n", "end else if (b6_any_q || b6_last_q) begin\n      b0_q.report <= 1'b1;\n",
		"b6_done = b6_any_q ? b6_order_q : b6_last_q;", "b6_done = b6_order_q;"}},
	{Name: "flows are not compared", File: top, Set: medium, Limit: 30, Edits: []string{
		"b4_row_q[g*WORD_W +: WORD_W] == {b4_q.flow, b4_q.seq}", "b4_row_q[g*WORD_W +: SEQ_W] == b4_q.seq && b4_q.flow == b4_q.flow"}},
	{Name: "the newest match is taken", File: top, Set: medium, Limit: 20, Edits: []string{
		"b6_oldest_q <= b5_match_q & (~b5_match_q + 1'b1);",
		"b6_oldest_q <= '0;\n    for (int unsigned i = 0; i < LANES; i++) begin\n      if (b5_match_q[i]) begin\n" +
			"        b6_oldest_q <= LANES'(1) << i;\n      end\n    end"}},
	{Name: "the search ends at the first row", File: top, Set: medium, Edits: []string{
		"b3_last_q <= b2_q.cur[PTR_W-1:LANE_W] == b2_q.tail[PTR_W-1:LANE_W];", "b3_last_q <= b2_q.first;"}},

	// reports
	{Name: "the last skipped segment is not reported", File: top, Set: medium, Edits: []string{
		"b4_final_q <= b3_q.cur + 1'b1 == b3_q.stop;", "b4_final_q <= b3_q.cur + PTR_W'(2) == b3_q.stop || (b3_q.cur + 1'b1 == b3_q.stop && b3_q.head == b3_q.cur);"}, Limit: 20},
	{Name: "a report loses its place when the queue is full", File: top, Set: small, Edits: []string{
		"b0_q.cur <= b6_q.cur + PTR_W'(b6_room_q);", "b0_q.cur <= b6_q.cur + 1'b1;"}, Limit: 20},
	{Name: "the queue of lost segments overflows", File: top, Set: small, Edits: []string{
		"b6_room_q <= lost_used_q + LOST_W'(b6_push) < LOST_W'(LOST_N);", "b6_room_q <= lost_used_q + LOST_W'(b6_push) <= LOST_W'(LOST_N);"}, Limit: 20},

	// sends
	{Name: "the ring takes one segment too many", File: top, Set: small, Edits: []string{
		"p2_legal_q && !p2_used[DEPTH_W];", "p2_legal_q && !(p2_used[DEPTH_W] && p2_used[0]);"}},
	{Name: "freed places are used too early", File: "nic_lib_ram_lut.sv", Set: small, Limit: 40, Edits: []string{
		"rd_data <= mem[rd_addr];", "rd_data <= (wr_en && wr_addr == rd_addr) ? wr_data : mem[rd_addr];"}},
	{Name: "sends on an illegal path are stored", File: top, Set: small, Edits: []string{
		"p2_send_q && p2_legal_q && !p2_used[DEPTH_W];", "p2_send_q && !p2_used[DEPTH_W];"}},

	// timers
	{Name: "a timer expires in its last ns", File: top, Set: small, Edits: []string{
		"scan_some2_q && !scan_late_q[TIME_W-1] && scan_late_q != '0;", "scan_some2_q && !scan_late_q[TIME_W-1];"}},
	{Name: "a send behind others sets the timer one ns too early", File: top, Set: small, Limit: 20, Edits: []string{
		"wr_data ({tail_wr_data, p2_deadline_q}),", "wr_data ({tail_wr_data, p2_used == '0 ? p2_deadline_q : p2_deadline_q - 1'b1}),"}},
	{Name: "the timeout is the latency, not twice the latency", File: top, Set: small, Limit: 30, Edits: []string{
		"p0_twice_q <= {s_send_latency_ns, 1'b0};", "p0_twice_q <= {1'b0, s_send_latency_ns};"}},

	{Name: "the timer of an empty ring expires", File: top, Set: small, Edits: []string{
		"b5_q.timer || (b5_q.report ? b5_q.stop : b5_q.head) + 1'b1 == b5_q.tail;", "b5_q.timer || b5_q.head + 1'b1 == b5_q.tail;"}, Limit: 20},

	// ACKs that follow each other
	{Name: "the speculated head is one too far", File: top, Set: medium, Limit: 40, Edits: []string{
		"b2_q.head <= (b1_after_q != '0) ? b1_before + 1'b1 : b1_head;", "b2_q.head <= (b1_after_q != '0) ? b1_before + PTR_W'(2) : b1_head;"}},
	{Name: "the head comes from the first ACK ahead, not the last", File: top, Set: medium, Edits: []string{
		"assign e1_after = e1_ahead & (~e1_ahead + 1'b1);",
		"always_comb begin\n    e1_after = '0;\n    for (int unsigned i = 0; i < 6; i++) begin\n      if (e1_ahead[i]) begin\n" +
			"        e1_after = 6'd1 << i;\n      end\n    end\n  end"}},
	{Name: "an ACK 6 cycles ahead is not seen", File: top, Set: medium, Seed: 2, Edits: []string{
		"assign e1_ahead = e1_same_q[5:0] & ahead_q[5:0];", "assign e1_ahead = {1'b0, e1_same_q[4:0]} & ahead_q[5:0];"}},
	{Name: "an ACK sees the tail of the one ahead", File: top, Set: medium, Limit: 60, Edits: []string{
		"b2_q.tail <= b1_tail;", "b2_q.tail <= b1_after_q[0] ? b2_q.tail : b1_tail;"}},

	// ACKs that go back
	{Name: "ACKs behind an ignored one are not replayed", File: top, Set: medium, Edits: []string{
		"b6_q.legal && !b6_order_q && follow_q[6];", "b6_q.legal && b6_any_q && !b6_order_q && follow_q[6];"}},
	{Name: "an ACK right behind is not recorded", File: top, Set: medium, Edits: []string{
		"(e1_same_q[5:0] & {6{ack_go}})", "(e1_same_q[5:0] & {{5{ack_go}}, 1'b0})"}},
	{Name: "the queue is read again one ACK too late", File: top, Set: medium, Edits: []string{
		"rd_q <= keep_q + 1'b1;", "rd_q <= keep_q + (PLACE_W+1)'(2);"}},
	{Name: "an ACK that goes back stays in stage 6", File: top, Set: medium, Edits: []string{
		"{ahead_q[5:0] & ~again, ack_go}", "{ahead_q[5] && !(again[5] && b5_q.legal && follow_q[5]), ahead_q[4:0] & ~again[4:0], ack_go}"}},
	{Name: "an ACK in e0 does not go back", File: top, Set: medium, Edits: []string{
		"!(ack_return && e0_with_e1) && !(ack_replay && e0_with_b6);", "!(ack_return && e0_with_e1) && !(ack_replay && e0_with_b6 && !e1_valid_q);"}, Limit: 30},
	{Name: "an ACK in e1 does not go back", File: top, Set: medium, Edits: []string{
		"free && !scan_go && !(ack_replay && e1_with_b6);", "free && !scan_go;"}, Limit: 20},
	{Name: "an ACK that is read in the same cycle does not go back", File: top, Set: medium, Edits: []string{
		" &&\n                  !(ack_replay && b6_q.path[QUEUE_W-1:0] == QUEUE_W'(i)));", ");"}, Limit: 20},
	{Name: "one of two that go back is forgotten", File: top, Set: medium, Edits: []string{
		"(e0_valid_q && e0_with_e1) ? (PLACE_W+1)'(2)", "(e0_valid_q && e0_with_e1) ? (PLACE_W+1)'(1)"}, Limit: 20},
	{Name: "an ACK that may go back is overwritten", File: top, Set: small, Edits: []string{
		"wr_q != {~keep_q[PLACE_W], keep_q[PLACE_W-1:0]};", "wr_q != {~rd_q[PLACE_W], rd_q[PLACE_W-1:0]};"}},

	// what is in the barrel of a path
	{Name: "an ACK enters behind a search of its path", File: top, Set: small, Limit: 40, Edits: []string{
		"(e1_same_q[5:0] & busy_q[5:0]) != '0 ||", "(e1_same_q[4:0] & busy_q[4:0]) != '0 ||"}},
	{Name: "an ACK overtakes its path's timer", File: top, Set: small, Limit: 30, Edits: []string{
		"(e1_scan_q && scan_want_q);", "(e1_scan_q && scan_busy_q);"}},
	{Name: "a timer is checked while an ACK of its path is in the barrel", File: top, Set: small, Edits: []string{
		"(valid[3] && b3_q.path == scan_path_q) ||", "(valid[3] && b3_q.path == scan_path_q && b3_q.timer) ||"}, Limit: 20},
	{Name: "a queue is not released behind a timer", File: top, Set: small, Limit: 40, Edits: []string{
		"busy_q[6] && b6_done && ends", "busy_q[6] && b6_done && ends && !b6_q.timer"}},
	{Name: "a timer check overwrites an ACK", File: top, Set: small, Limit: 40, Edits: []string{
		"free && !scan_go && !(ack_replay && e1_with_b6);", "free && !(ack_replay && e1_with_b6);"}},
	{Name: "ACKs of an illegal path are searched for", File: top, Set: small, Edits: []string{
		"b0_q.legal  <= scan_go || 32'(ack_path) < PATHS;", "b0_q.legal  <= scan_go || 32'(ack_path) <= PATHS;"}},

	// reset, counters
	{Name: "rings are not emptied after reset", File: top, Set: small, Edits: []string{
		"assign head_wr_en   = p2_wipe || b6_write;", "assign head_wr_en   = b6_write;"}, Limit: 30},
}

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in the loss detector of LAPS\n\n" +
	"Each row is a mistake planted in the emitted SystemVerilog of a small configuration of\n" +
	"[the loss detector](laps_loss.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and\n" +
	"writes a replay file that fails in the same way. The last column counts the cycles with an event in the\n" +
	"shrunk stimulus."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer paths", Set: small, Params: func(p *params.Params) { p.Paths = 2 }},
	{Name: "shorter rings", Set: small, Params: func(p *params.Params) { p.Depth = 2 }},
	{Name: "more lanes", Set: medium, Params: func(p *params.Params) { p.Lanes = 8 }},
	{Name: "narrower time", Set: small, Params: func(p *params.Params) { p.TimeBits-- }},
	{Name: "a longer queue to the sender", Set: small, Params: func(p *params.Params) { p.LostQueue = 4 }},
	{Name: "least timeout one ns longer", Set: small, Inputs: benchtest.AddInput("cfg_rto_min_ns", 1)},
	{Name: "latency one ns longer", Set: small, Inputs: benchtest.AddInput("s_ack_latency_ns", 1)},
	{Name: "sees no flow", Set: medium, Inputs: benchtest.SetInput("s_ack_flow", 0)},
	{Name: "sees no reset but the first", Set: small, Inputs: func(l *cosim.Layout, in []uint64) {
		if l.MustSlot("s_ack_valid").Get(in) != 0 {
			l.MustSlot("rst").Set(in, 0)
		}
	}},
}
