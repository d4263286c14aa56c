// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicgate "github.com/nicgen/nicgen/tb/nic_gate"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicgate.Unit, Measure: nicgate.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 1_500_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "flush/idle"},
	Overrides: overrides, OverrideCycles: 800_000,
	Illegal: illegal,
	Sweep: &benchtest.Bug{File: top, Edits: []string{
		"sweep_q <= IDX_W'(CONNECTIONS - 1);", "sweep_q <= sweep_q;", "logic [IDX_W-1:0]  sweep_q;", "logic [IDX_W-1:0]  sweep_q = '1;"}},
	Planted: planted, Bugs: bugs, Limit: 200,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// few is a configuration in which much happens.
const few = "connections=8 ring=16 ring_latency=3 "

// banked is a configuration whose ring has a whole bank of UltraRAM and part of another one.
const banked = "connections=40 ring=1024 ring_latency=5 "

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 600_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 ring=16 psn_bits=16 lap_bits=1 byte_bits=16 packet_bits=4 ev_bits=1 ev_latency=0 timer_bits=24 " +
		"rtt_bits=16 tag_bits=1 ring_memory=bram ring_latency=3 counter_bits=8 init_window=0 quantum=1 stall_ns=0 flight_ns=0 go_back_n=false flush_force=true", Cycles: 600_000},
	{Name: "many", Set: "connections=65536 conn_bits=24 ring=16 packet_bits=20 ev_bits=20 timer_bits=48 rtt_bits=32 counter_bits=64 " +
		"stall_ns=140737488355327 flight_ns=140737488355327", Cycles: 10_000_000},
	{Name: "long", Set: "connections=16 ring=4096 psn_bits=32 lap_bits=16 byte_bits=32 ev_latency=64 tag_bits=256 ring_memory=uram ring_latency=16 " +
		"init_window=4294967295 quantum=65535", Cycles: 6_000_000},
	{Name: "few", Set: few + "conn_bits=5", Cycles: 600_000},
	{Name: "no power of two", Set: "connections=3 conn_bits=2 ring=32 ring_memory=bram ev_latency=3 psn_bits=18 lap_bits=3 byte_bits=21 packet_bits=11 ev_bits=13 timer_bits=29 rtt_bits=19 tag_bits=37 ring_latency=7 counter_bits=21", Cycles: 600_000},
	{Name: "block RAM", Set: "connections=300 ring=16 ring_latency=8 ev_latency=20", Cycles: 600_000},
	{Name: "two banks of the ring", Set: banked, Cycles: 3_000_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=20"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "tag_bits", Set: "tag_bits=70"},
	{Name: "counter_bits", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}, Yosys: "Static cast with zero or negative size!"},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
}

const (
	top     = "nic_gate.sv"
	entry   = "nic_gate_enter.sv"
	release = "nic_gate_release.sv"
	ring    = "nic_gate_ring.sv"
	ack     = "nic_gate_ack.sv"
	turn    = "nic_gate_turn.sv"
	done    = "nic_gate_done.sv"
	push    = "nic_gate_push.sv"
	flush   = "nic_gate_flush.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the window gate\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [nic_gate](nic_gate.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an event that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a connection that has its turns is told again", Set: few, File: entry, Edits: []string{"assign p2_push  = p2_enter_q && p2_out == p2_back;", "assign p2_push  = p2_enter_q && (p2_out == p2_back || p2_known);"}},
	{Name: "a packet that does not count has a PSN of its own", Set: few, File: entry, Edits: []string{"(p2_enter_q && p2_counts_q) || p2_clear_q || p2_sweep_q", "p2_enter_q || p2_clear_q || p2_sweep_q"}},
	{Name: "the PSN after the last one is a retransmission", Set: few, File: entry, Edits: []string{"p2_psn_q - p2_last - 1'b1;", "p2_psn_q - p2_last - PSN_W'(2);"}},
	{Name: "a retransmission restarts without go-back-N", Set: few, File: entry, Edits: []string{"(p2_ahead[PSN_W-1] && p2_go_back_n_q && !p2_waits)", "(p2_ahead[PSN_W-1] && (p2_go_back_n_q || 1'b1) && !p2_waits)"}},
	{Name: "a restart has the number that was taken over", Set: few, Limit: 20_000, File: entry, Edits: []string{"p3_step == p3_taken ? p3_last + 3'd2 : p3_step", "p3_step == p3_taken ? p3_taken : p3_step"}},
	{Name: "a retransmission after a NAK is the timer's", Set: few, File: entry, Edits: []string{"p3_age_q >= flight_q && !p3_naked", "p3_age_q >= flight_q && !(p3_naked && 1'b0)"}},
	{Name: "a restart is at the PSN itself", Set: few, File: entry, Edits: []string{"p3_psn_q     <= p2_psn_q - 1'b1;", "p3_psn_q     <= p2_psn_q;"}},
	{Name: "a packet that leaves an empty queue counts", Set: few, File: release, Edits: []string{"assign p2_there   = p2_in != p2_gone;", "assign p2_there   = p2_in != p2_gone || p2_known;"}},
	{Name: "a READ response adds its bytes", Set: few, File: release, Edits: []string{"p1_release_q && p1_exists_q && p1_counts_q;", "p1_release_q && p1_exists_q;"}},
	{Name: "the next PSN is one that was released before", Set: few, File: release, Edits: []string{"p2_behind  = p2_psn - p2_psn_q;", "p2_behind  = p2_psn - p2_psn_q + 1'b1;"}},
	{Name: "a retransmission whose first copy waits is the timer's", Set: few, File: entry, Edits: []string{"p3_again_q && p3_left_q &&", "p3_again_q && (p3_left_q || 1'b1) &&"}},
	{Name: "so is one while a packet is in flight", Set: few, File: entry, Edits: []string{"p3_age_q >= flight_q", "(p3_age_q >= flight_q || p3_age_q != '0)"}},
	{Name: "it takes what is in flight as lost", Set: few, File: entry, Edits: []string{"p2_go_back_n_q && !p2_waits", "p2_go_back_n_q && !(p2_waits && 1'b0)"}},
	{Name: "a jump of the PSN does not begin the ring anew", Set: few, File: release, Edits: []string{"(p2_idle || !(p2_again || p2_next))", "(p2_idle || (!(p2_again || p2_next) && 1'b0))"}},
	{Name: "nor does a packet while nothing is in flight", Set: few, File: release, Edits: []string{"(p2_idle || !(p2_again || p2_next))", "!(p2_again || p2_next)"}},
	{Name: "a PSN far behind was released before", Set: few, File: release, Edits: []string{"p2_again   = p2_known && p2_behind[PSN_W-1:RING_W] == '0;", "p2_again   = p2_known && !p2_behind[PSN_W-1];"}},
	{Name: "a ring that began anew is taken for the one before", Set: few, File: turn, Edits: []string{"g2_near ? g2_used_q[RING_W-1:0]", "(g2_near || 1'b1) ? g2_used_q[RING_W-1:0]"}},
	{Name: "a packet that leaves again moves the highest PSN", Set: few, File: release, Edits: []string{"(p2_counting_q && p2_there && !p2_again) || p2_clear_q", "(p2_counting_q && p2_there) || p2_clear_q"}},
	{Name: "idle by what was acknowledged before a restart", Set: few, File: release, Edits: []string{"if (p2_restart != p2_taken) begin", "if (p2_restart != p2_taken && 1'b0) begin"}},
	{Name: "an entry has the bytes before it", Set: few, File: release, Edits: []string{"p2_adds ? p2_nxt_next[BYTE_W-1:0] : p2_nxt[BYTE_W-1:0]", "p2_adds && 1'b0 ? p2_nxt_next[BYTE_W-1:0] : p2_nxt[BYTE_W-1:0]"}},
	{Name: "an entropy value of the packet before", Set: few, File: ring, Edits: []string{".CYCLES (REST)", ".CYCLES (REST + 1)"}},
	{Name: "an entry that is being written is found", Set: few, File: ring, Edits: []string{"assign hit = valid && !same;", "assign hit = valid && !(same && 1'b0);"}},
	{Name: "a NAK acknowledges its own PSN", Set: few, File: ack, Edits: []string{"k0_psn - PSN_W'(k0_nak)", "k0_psn - PSN_W'(k0_nak && 1'b0)"}},
	{Name: "an entry of another lap is found", Set: few, File: ack, Edits: []string{"s0_hit && s0_lap == s0_psn[RING_W +: LAP_W]", "s0_hit && (s0_lap == s0_psn[RING_W +: LAP_W] || s0_again)"}},
	{Name: "the bytes acknowledged do not wrap with an entry's", Set: few + "byte_bits=16 init_window=65535", File: ack, Edits: []string{"= s3_nxt[BYTE_W-1:0] < s3_una_q;", "= s3_nxt[BYTE_W-1:0] < s3_una_q && 1'b0;"}},
	{Name: "a packet that was sent again acknowledges without go-back-N", Set: few, File: ack, Edits: []string{"(go_back_n_q || !s1_again_q)", "(go_back_n_q || !s1_again_q || 1'b1)"}},
	{Name: "a restart that is not taken over is overlooked", Set: few, File: ack, Edits: []string{"assign s2_moved   = s2_pending ?", "assign s2_moved   = s2_pending && 1'b0 ?"}},
	{Name: "an old ACK acknowledges", Set: few, File: ack, Edits: []string{"s2_may_q && !s2_acked[BYTE_W-1];", "s2_may_q && (!s2_acked[BYTE_W-1] || 1'b1);"}},
	{Name: "the time of a packet sent again is measured", Set: few, File: ack, Edits: []string{"s3_measured_q <= s2_hit_q && !s2_nak_q && !s2_again_q;", "s3_measured_q <= s2_hit_q && !s2_nak_q && !(s2_again_q && 1'b0);"}},
	{Name: "a NAK gives a sample", Set: few, File: ack, Edits: []string{"s3_hit_q      <= s2_hit_q && !s2_nak_q;", "s3_hit_q      <= s2_hit_q;"}},
	{Name: "progress leaves the NAK", Set: few, File: ack, Edits: []string{".wr_en   (s2_naked_write),", ".wr_en   (s2_naked_write && !(s2_moved && !s2_pending && !s2_nak_q)),"}},
	{Name: "an ACK looks only if another one follows", Set: few, File: ack, Edits: []string{"s6_look_q <= s5_look_q;", "s6_look_q <= s5_look_q && s4_look_q;"}},
	{Name: "the window is open when it is full", Set: few, File: turn, Edits: []string{"assign g2_below = !g2_left[BYTE_W];", "assign g2_below = !g2_left[BYTE_W] || g2_inflight_q == g2_window_q;"}},
	{Name: "the ring has room for one more", Set: few, File: turn, Edits: []string{"assign g2_near  = g2_used_q[PSN_W-1:RING_W] == '0;", "assign g2_near  = g2_used_q[PSN_W-1:RING_W] == '0 || g2_used_q == PSN_W'(2 ** RING_W);"}},
	{Name: "nothing in flight is no reason to send", Set: few, File: turn, Edits: []string{"assign g2_open  = g2_inflight_q == '0 ||", "assign g2_open  = (g2_inflight_q == '0 && g2_window_q != '0) ||"}},
	{Name: "a budget knows no quantum", Set: few, File: turn, Edits: []string{"(CMP_W'(g2_cap) < CMP_W'(quantum_q)) ?", "(CMP_W'(g2_cap) < CMP_W'(quantum_q) || g2_used_q == '0) ?"}},
	{Name: "a budget is the window's rest, also of a connection without window", Set: few + "byte_bits=16 init_window=65535", File: turn, Edits: []string{"g3_limited_q && g3_left_q < g3_most_q", "(g3_limited_q || 1'b1) && g3_left_q < g3_most_q"}},
	{Name: "a forced turn stays forced", Set: few, File: turn, Edits: []string{"assign g2_forced_next  = !g2_sweep_q && g2_scan_q && !g2_open;", "assign g2_forced_next  = !g2_sweep_q && ((g2_scan_q && !g2_open) || g2_stall);"}},
	{Name: "the stall rule is a step too early", Set: few, File: turn, Edits: []string{"(g2_scan_q && (g2_open || g2_age >= 3'd2))", "(g2_scan_q && (g2_open || g2_age >= 3'd1))"}},
	{Name: "the scan leaves out the last connection", Set: few, File: turn, Edits: []string{"scan_q == IDX_W'(CONNECTIONS - 1)", "scan_q == IDX_W'(CONNECTIONS - 2)"}},
	{Name: "a turn that is looked at needs no place", Set: few, File: turn, Edits: []string{"3'(g1_due_q || g1_flush_q)", "3'(g1_flush_q)"}},
	{Name: "a turn of a connection that waits is legal", Set: few, File: turn, Edits: []string{"assign g2_moving   = g2_out != g2_back && !g2_waiting;", "assign g2_moving   = g2_out != g2_back;"}},
	{Name: "a visit forgets the packet that is stored at its end", Set: few, File: done, Edits: []string{"assign p4_more      = p4_in != p4_gone || p4_before_q || p4_same;", "assign p4_more      = p4_in != p4_gone || p4_before_q;"}},
	{Name: "a visit forgets the packet that is stored a cycle after it", Set: few, File: done, Edits: []string{"|| p4_before_q || p4_same;", "|| (p4_before_q && 1'b0) || p4_same;"}},
	{Name: "bytes on the wire wrap", Set: few, File: done, Edits: []string{"p1_wire[WIRE_W-1:DONE_W] != '0 ? '1 :", "p1_wire[WIRE_W-1:DONE_W] != '0 && 1'b0 ? '1 :"}},
	{Name: "a visit discards without being asked", Set: few, File: done, Edits: []string{"p4_exists_q && wanted && wanted_idx", "p4_exists_q && (wanted || 1'b1) && wanted_idx"}},
	{Name: "a first packet overtakes another", Set: few, File: push, Edits: []string{"assign straight    = free && !open_valid && wr_q == rd_q;", "assign straight    = free && !open_valid && !shown_q;"}},
	{Name: "connections found open come first always", Set: few, File: push, Edits: []string{"assign open_ready  = free && open_valid && !(shown_q && last_q);", "assign open_ready  = free && open_valid && !(shown_q && last_q && 1'b0);"}},
	{Name: "a flush leaves the last entry", Set: few, Limit: 600, File: flush, Edits: []string{"last_q <= last_q || left_q == '0;", "last_q <= last_q || left_q == LEFT_W'(1);"}},
	{Name: "a flush does not wait for a packet stored meanwhile", Set: few, Limit: 600, File: flush, Edits: []string{"if (quiet_q && !stored) begin", "if ((quiet_q || 1'b1) && !stored) begin"}},
	{Name: "a flush always waits for the turn", Set: few, Limit: 600, File: flush, Edits: []string{"mine_q || hurry_q;", "mine_q;"}},
	{Name: "a flush does not begin again", Set: few, Limit: 600, File: flush, Edits: []string{"assign anew       = hurry && !hurry_q;", "assign anew       = hurry && !hurry_q && mine_q && s_ready;"}},
	{Name: "a flush leaves the window", Set: few, Limit: 600, File: top, Edits: []string{".wr_en   (p0_window_ok || p0_clear_q[0] || p0_sweep_q),", ".wr_en   (p0_window_ok || (p0_clear_q[0] && 1'b0) || p0_sweep_q),"}},
	{Name: "an ACK of a connection that does not exist is one of another", Set: "connections=3 conn_bits=3 ring=16 ring_latency=3", File: ack, Edits: []string{"{legal_q[LAT+1:0], k0_ack && k0_exists}", "{legal_q[LAT+1:0], k0_ack && (k0_exists || 1'b1)}"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "half the ring", Set: few, Params: func(p *params.Params) { p.Ring /= 2 }},
	{Name: "no window", Set: few, Inputs: benchtest.SetInput("s_window_bytes", 1<<24-1)},
	{Name: "a byte more leaves", Set: few, Inputs: benchtest.AddInput("s_release_bytes", 1)},
	{Name: "everything counts", Set: few, Inputs: benchtest.SetInput("s_enter_counts", 1)},
	{Name: "no connection without a queue", Set: few, Inputs: benchtest.SetInput("s_ack_counts", 1)},
	{Name: "no NAKs", Set: few, Inputs: benchtest.SetInput("s_ack_nak", 0)},
	{Name: "another quantum", Set: few, Inputs: benchtest.AddInput("cfg_quantum", 1)},
	{Name: "always go-back-N", Set: few, Inputs: benchtest.SetInput("cfg_go_back_n", 1)},
	{Name: "time stands still", Set: few, Inputs: benchtest.SetInput("now_ns", 0)},
}
