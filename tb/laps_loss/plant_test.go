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

const (
	top    = "nic_laps_loss.sv"
	send   = "nic_laps_loss_send.sv"
	watch  = "nic_laps_loss_watch.sv"
	acks   = "nic_laps_loss_acks.sv"
	barrel = "nic_laps_loss_barrel.sv"
	ring   = "nic_laps_loss_ring.sv"
	scan   = "nic_laps_loss_scan.sv"
)

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// the search
	{Name: "an ACK that is not found reports all segments lost", File: barrel, Set: medium, Edits: []string{
		"end else if (last_any_q) begin\n      enter_report = 1'b1;\n", "end else if (last_any_q || last_last_q) begin\n      enter_report = 1'b1;\n",
		"last_done = last_any_q ? last_order_q : last_last_q;", "last_done = last_order_q;"}},
	{Name: "flows are not compared", File: barrel, Set: medium, Limit: 30, Edits: []string{
		"row[i*WORD_W +: WORD_W] == words_q[READ*WORD_W +: WORD_W]", "row[i*WORD_W +: 24] == words_q[READ*WORD_W +: 24]"}},
	{Name: "the newest match is taken", File: barrel, Set: medium, Limit: 20, Edits: []string{
		"last_oldest_q <= match_q & (~match_q + 1'b1);",
		"last_oldest_q <= '0;\n    for (int unsigned i = 0; i < LANES; i++) begin\n      if (match_q[i]) begin\n" +
			"        last_oldest_q <= LANES'(1) << i;\n      end\n    end"}},
	{Name: "the search ends at the first row", File: barrel, Set: medium, Limit: 20, Edits: []string{
		"<= cur_row != tail_row;", "<= cur_row != tail_row && !first_q[READ-2];"}},

	// rings
	{Name: "a word of ultra RAM overwrites its neighbour", File: "nic_lib_lanes_ultra.sv", Set: medium + " ring_memory=uram", Limit: 20, Edits: []string{
		"if (wr_en[i/BYTES]) begin", "if (wr_en != '0) begin"}},
	{Name: "the row of the column selected before is taken", File: ring, Set: "paths=2049 pid_bits=12 depth=64 lanes=2 time_bits=24", Limit: 40, Edits: []string{
		".CYCLES (READ)", ".CYCLES (READ + 1)"}},

	// reports
	{Name: "the last skipped segment is not reported", File: barrel, Set: medium, Edits: []string{
		"<= cur + 1'b1 == stops_q[(READ-1)*PTR_W +: PTR_W];", "<= cur + PTR_W'(2) == stops_q[(READ-1)*PTR_W +: PTR_W] ||\n" +
			"                    (cur + 1'b1 == stops_q[(READ-1)*PTR_W +: PTR_W] && heads_q[(READ-1)*PTR_W +: PTR_W] == cur);"}, Limit: 20},
	{Name: "a report loses its place when the queue is full", File: barrel, Set: small, Edits: []string{
		"enter_cur = last_cur + PTR_W'(lost_room);", "enter_cur = last_cur + 1'b1;"}, Limit: 20},
	{Name: "the queue of lost segments overflows", File: top, Set: small, Edits: []string{
		"lost_room_q <= lost_used_q + LOST_W'(lost_push) < LOST_W'(LOST_N);", "lost_room_q <= lost_used_q + LOST_W'(lost_push) <= LOST_W'(LOST_N);"}, Limit: 20},

	// sends
	{Name: "the ring takes one segment too many", File: send, Set: small, Edits: []string{
		"legal_q && !used[DEPTH_W];", "legal_q && !(used[DEPTH_W] && used[0]);"}},
	{Name: "freed places are used too early", File: "nic_lib_ram_lut.sv", Set: small, Limit: 40, Edits: []string{
		"data_q <= mem[rd_addr];", "data_q <= (wr_en && wr_addr == rd_addr) ? wr_data : mem[rd_addr];"}},
	{Name: "sends on an illegal path are stored", File: send, Set: small, Edits: []string{
		"send_q[WRITE] && legal_q && !used[DEPTH_W];", "send_q[WRITE] && !used[DEPTH_W];"}},

	// timers
	{Name: "a timer expires in its last ns", File: scan, Set: small, Edits: []string{
		"some2_q && !late_q[TIME_W-1] && late_q != '0;", "some2_q && !late_q[TIME_W-1];"}},
	{Name: "a send behind others sets the timer one ns too early", File: send, Set: small, Limit: 20, Edits: []string{
		"timer_wr_deadline <= deadline;", "timer_wr_deadline <= (used == '0) ? deadline : deadline - 1'b1;"}},
	{Name: "the timeout is the latency, not twice the latency", File: send, Set: small, Limit: 30, Edits: []string{
		"p0_twice_q <= {s_latency, 1'b0};", "p0_twice_q <= {1'b0, s_latency};"}},
	{Name: "the timer of an empty ring expires", File: barrel, Set: small, Edits: []string{
		"(report_q[READ+1] ? match_stop : match_head) + 1'b1 == match_tail;", "(report_q[READ+1] && match_stop == '0 ? match_stop : match_head) + 1'b1 == match_tail;"}, Limit: 20},

	// ACKs that follow each other
	{Name: "the speculated head is one too far", File: barrel, Set: medium, Limit: 60, Edits: []string{
		"row_head = (after != '0) ? assumed : ram_head;", "row_head = (after != '0) ? assumed + 1'b1 : ram_head;"}},
	{Name: "the head comes from the first ACK ahead, not the last", File: barrel, Set: medium, Limit: 35, Edits: []string{
		"assign ack_after = ack_ahead & (~ack_ahead + 1'b1) & {LAST{!scan_enters}};",
		"always_comb begin\n    ack_after = '0;\n    for (int unsigned i = 0; i < LAST; i++) begin\n      if (ack_ahead[i] && !scan_enters) begin\n" +
			"        ack_after = LAST'(1) << i;\n      end\n    end\n  end"}},
	{Name: "an ACK as far ahead as can be is not seen", File: barrel, Set: medium, Seed: 2, Edits: []string{
		"assign ack_ahead = ack_same & ahead_q[LAST-1:0];", "assign ack_ahead = {1'b0, ack_same[LAST-2:0]} & ahead_q[LAST-1:0];"}},
	{Name: "an ACK sees the tail of the one ahead", File: barrel, Set: medium, Limit: 60, Edits: []string{
		"row_tail = tail_rd_data;", "row_tail = after[0] ? tails_q[ADDR*PTR_W +: PTR_W] : tail_rd_data;"}},

	// ACKs that go back
	{Name: "ACKs behind an ignored one are not replayed", File: barrel, Set: medium, Edits: []string{
		"legal_q[LAST] && !last_order_q && follow_q[LAST];", "legal_q[LAST] && last_any_q && !last_order_q && follow_q[LAST];"}},
	{Name: "an ACK right behind is not recorded", File: barrel, Set: medium, Edits: []string{
		"(ack_same & {LAST{ack_enters}})", "(ack_same & {{(LAST-1){ack_enters}}, 1'b0})"}},
	{Name: "the queue is read again one ACK too late", File: acks, Set: medium, Edits: []string{
		"rd_q <= keep_q + 1'b1;", "rd_q <= keep_q + (PLACE_W+1)'(2);"}},
	{Name: "an ACK that goes back stays in the stage before the last", File: barrel, Set: medium, Edits: []string{
		"{ahead_q[LAST-1:0] & ~again, ack_enters}", "{ahead_q[LAST-1] && !(again[LAST-1] && legal_q[LAST-1] && follow_q[LAST-1]), ahead_q[LAST-2:0] & ~again[LAST-2:0], ack_enters}"}},
	{Name: "an ACK in e0 does not go back", File: acks, Set: medium, Edits: []string{
		"!(replay && e0_queue == last_queue);", "!(replay && e0_queue == last_queue && !e1_valid_q);"}, Limit: 30},
	{Name: "an ACK in e1 does not go back", File: acks, Set: medium, Edits: []string{
		"free && !scan_enters &&\n                      !(replay && e1_queue == last_queue);", "free && !scan_enters;"}, Limit: 20},
	{Name: "an ACK that is read in the same cycle does not go back", File: acks, Set: medium, Edits: []string{
		" &&\n                  !(replay && last_queue == QUEUE_W'(i)));", ");"}, Limit: 45},
	{Name: "one of two that go back is forgotten", File: acks, Set: medium, Edits: []string{
		"(e0_valid_q && e0_queue == e1_queue) ? (PLACE_W+1)'(2)", "(e0_valid_q && e0_queue == e1_queue) ? (PLACE_W+1)'(1)"}, Limit: 70},
	{Name: "an ACK that may go back is overwritten", File: acks, Set: small, Edits: []string{
		"wr_q != {~keep_q[PLACE_W], keep_q[PLACE_W-1:0]};", "wr_q != {~rd_q[PLACE_W], rd_q[PLACE_W-1:0]};"}},

	// visits of a path in the barrel
	{Name: "an ACK enters behind a search of its path", File: acks, Set: small, Limit: 40, Edits: []string{
		"(e1_same_q[LAST-1:0] & busy[LAST-1:0]) != '0 ||", "(e1_same_q[LAST-2:0] & busy[LAST-2:0]) != '0 ||"}},
	{Name: "an ACK overtakes its path's timer", File: acks, Set: small, Limit: 60, Edits: []string{
		"(e1_scan_q && scan_want);", "1'b0;"}},
	{Name: "a timer is checked while an ACK of its path is in the barrel", File: scan, Set: small, Edits: []string{
		"if (i != D - 1) begin", "if (i != D - 1 && i != 3) begin"}, Limit: 20},
	{Name: "a queue is not released while a timer check waits", File: acks, Set: small, Limit: 80, Edits: []string{
		"busy[LAST] && last_done && ends", "busy[LAST] && last_done && ends && !scan_want"}},
	{Name: "a timer check overwrites an ACK", File: acks, Set: small, Limit: 40, Edits: []string{
		"free && !scan_enters &&\n                      !(replay && e1_queue == last_queue);", "free && !(replay && e1_queue == last_queue);"}},
	{Name: "ACKs of an illegal path are searched for", File: barrel, Set: small, Edits: []string{
		"free ? scan_enters || 32'(ack_path) < PATHS", "free ? scan_enters || 32'(ack_path) <= PATHS"}},

	// reset, counters
	{Name: "rings are not emptied after reset", File: barrel, Set: small, Edits: []string{
		"assign head_wr_en       = wipe || write;", "assign head_wr_en       = write;"}, Limit: 30},
	{Name: "the reset does not stop what enters stage 1", File: send, Set: small, Limit: 30, Edits: []string{
		"send_q[WRITE:1] <= '0;", "send_q[WRITE:2] <= '0;"}},
	{Name: "sends that come before the unit is ready are counted as sent too", File: send, Set: small, Limit: 20, Edits: []string{
		"{send_q[WRITE-1:0], s_valid && ready}", "{send_q[WRITE-1:0], s_valid && !rst}"}},
	{Name: "a dropped send is not counted in the cycle of the reset", File: top, Set: small, Limit: 20, Edits: []string{
		"dropped_q   <= s_send_valid && !sts_ready;", "dropped_q   <= s_send_valid && !sts_ready && !rst_q;"}},
}

// planted is the introduction of the table of planted bugs.
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
