// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few connections, so that making
// them new after a reset takes few cycles.
const (
	telemetry = "connections=3 conn_bits=3 hops=2 state_memory=lutram"
	together  = telemetry + " throughput=ack"
	trips     = "variant=theta connections=3 conn_bits=3 state_memory=lutram"
	tripled   = telemetry + " state_protection=triple"
	observed  = telemetry + " base_rtt=observed"
	mixed     = "variant=both connections=3 conn_bits=3 hops=2 state_memory=lutram"
)

// Files in which bugs are planted.
const (
	inTop   = "nic_powertcp.sv"
	inHop   = "nic_powertcp_hop.sv"
	inAck   = "nic_powertcp_ack.sv"
	inTheta = "nic_powertcp_theta.sv"

	inGate   = "nic_powertcp_gate.sv"
	inRates  = "nic_powertcp_rates.sv"
	inLane   = "nic_powertcp_lane.sv"
	inPick   = "nic_powertcp_pick.sv"
	inBase   = "nic_powertcp_base.sv"
	inSmooth = "nic_powertcp_smooth.sv"
	inWindow = "nic_powertcp_window.sv"
	inPace   = "nic_powertcp_pace.sv"
)

// late is the limit of bugs that take a written link-rate table to show: that comes
// late in a run, and the search for a shorter stimulus ends at its bounds.
const late = 500

var bugs = []benchtest.Bug{
	// Handshake, reset, flush. Cycles in which an ACK waits count as events, hence limits.
	{Name: "an ACK is held for one cycle less", File: inGate, Set: telemetry, Edits: []string{
		"i < HOLD; i++", "i < HOLD - 1; i++"}},
	{Name: "an ACK of one hop takes two beats", File: inGate, Set: telemetry, Edits: []string{
		"s_ack_beats <= beat_q", "s_ack_beats < beat_q"}},
	{Name: "a flush changes nothing", File: inTop, Set: telemetry, Edits: []string{
		"|| pw_flush)) || pw_clear;", "|| (pw_flush && 1'b0))) || pw_clear;"}},

	// effects of an ACK
	{Name: "the path is not compared", File: inTop, Set: telemetry, Edits: []string{
		"p1_path == p1_q.path &&", "(p1_path == p1_q.path || 1'b1) &&"}},
	{Name: "the variant of the ACK before is not compared", File: inTop, Set: mixed, Edits: []string{
		"p1_theta == p1_q.theta &&", "(p1_theta == p1_q.theta || 1'b1) &&"}},
	{Name: "the mark is compared without wrap", File: inTop, Seed: 2, Set: telemetry, Edits: []string{
		"is_before(p1_q.seq, p1_mark);", "p1_q.seq < p1_mark;"}, Limit: 24},
	{Name: "the mark itself ends a round trip", File: inTop, Set: telemetry, Edits: []string{
		"p2_short_q || p2_equal_q)", "p2_short_q || (p2_equal_q && 1'b0))"}},
	{Name: "a mark ahead of what was sent stays", File: inTop, Set: together, Edits: []string{
		"|| p2_ahead_q;", "|| (p2_ahead_q && 1'b0);"}},

	// telemetry
	{Name: "a hop with its old time is stored", File: inLane, Seed: 3, Set: telemetry, Edits: []string{
		"s_use && (!s_update || !p2_stale);", "s_use && (!s_update || !p2_stale || 1'b1);"}},
	{Name: "a hop with an unknown rate code is not stored", File: inLane, Set: together, Edits: []string{
		"s_use && (!s_update || !p2_stale);", "s_use && (!s_update || (!p2_stale && s_known));"}},
	{Name: "of equal powers the last one wins", File: inPick, Set: telemetry, Edits: []string{
		"s_key > best_key_q", "s_key >= best_key_q"}},
	{Name: "of equal powers the last one wins, in the tree", File: inPick, Set: together, Edits: []string{
		"(b[PICK_W-1 -: KEY_W] > a[PICK_W-1 -: KEY_W])", "(b[PICK_W-1 -: KEY_W] >= a[PICK_W-1 -: KEY_W])"}},
	{Name: "the largest power of the ACK before stays", File: inPick, Set: telemetry, Edits: []string{
		"if (s_first || s_key", "if ((s_first && 1'b0) || s_key"}},
	{Name: "an entry of the link-rate table is seen in parts", File: inRates, Set: together, Edits: []string{
		"if (new_q[RATE_LAT]) begin", "if (new_q[RATE_LAT-1] || (new_q[RATE_LAT] && 1'b0)) begin"}, Limit: late},

	// powers
	{Name: "a time that wraps counts as none", File: inHop, Seed: 5, Set: telemetry, Edits: []string{
		"s_time - s_old_time;", "(s_time < s_old_time) ? '0 : s_time - s_old_time;"}},
	{Name: "a quarter of the range counts as drained", File: inHop, Seed: 4, Set: together, Edits: []string{
		"p1_num_q[SUM_W-1 -: 3] == '1;", "p1_num_q[SUM_W-1 -: 2] == '1;"}},

	// smoothing and window
	{Name: "a weight above 1", File: inSmooth, Set: telemetry, Edits: []string{
		"if (overflow)", "if (overflow && 1'b0)"}},
	{Name: "a power below 2^-6 has a reciprocal", File: inWindow, Set: telemetry, Edits: []string{
		"if (p19_low_q)", "if (p19_low_q && 1'b0)"}},
	{Name: "the target is not rounded", File: inWindow, Set: together, Edits: []string{
		"27'(p27_target_q[0])", "27'(p27_target_q[0] && 1'b0)"}},
	{Name: "the window moves without an update", File: inWindow, Set: telemetry, Edits: []string{
		"if (!s_update)", "if (!s_update && 1'b0)"}},
	{Name: "cwnd_old follows every ACK", File: inAck, Set: together, Edits: []string{
		"assign old_wr_en = p31_renew;", "assign old_wr_en = p31_renew || p31_keep;"}},
	{Name: "1/τ is read a cycle early for the rate", File: inPace, Set: telemetry, Edits: []string{
		"p33_inv_e_q <= (p32_inv_e_q < 5'd8)", "p33_inv_e_q <= (s_inv_e < 5'd8)"}},

	// round-trip times
	{Name: "the second ACK waits for a round trip", File: inTop, Set: trips, Edits: []string{
		"p2_mark = p2_fresh_q ? p2_seq_q : p2_nxt_q;", "p2_mark = (p2_fresh_q && 1'b0) ? p2_seq_q : p2_nxt_q;"}},
	{Name: "another path begins a round trip", File: inTop, Seed: 2, Set: trips, Edits: []string{
		"p2_begin = p2_fresh_q;", "p2_begin = p2_fresh_q || 1'b1;"}},
	{Name: "of two offers before the unit is ready one is counted", File: inGate, Set: trips, Edits: []string{
		"{s_ack_valid && s_flush_valid, s_ack_valid ^ s_flush_valid};", "{1'b0, s_ack_valid || s_flush_valid};"}},
	{Name: "the base RTT follows the last sample", File: inBase, Set: trips, Edits: []string{
		"(p3_some_q && p3_rtt_q < p3_base_q)", "(p3_some_q && (p3_rtt_q < p3_base_q || 1'b1))"}},
	{Name: "a falling round-trip time counts as rising", File: inTheta, Set: trips, Edits: []string{
		"p2_fall_q <= p1_diff_q[RTT_W];", "p2_fall_q <= p1_diff_q[RTT_W] && 1'b0;"}},

	// a base round-trip time that is observed
	{Name: "observed: the base RTT follows the last sample", File: inBase, Set: observed, Edits: []string{
		"(p3_some_q && p3_rtt_q < p3_base_q)", "(p3_some_q && (p3_rtt_q < p3_base_q || 1'b1))"}},
	{Name: "observed: another path keeps the base RTT", File: inTop, Set: observed, Edits: []string{
		"(p1_same || !p1_q.some);", "(p1_same || !p1_q.some || 1'b1);"}},
	{Name: "observed: without telemetry a round-trip time counts", File: inTop, Set: observed, Edits: []string{
		"p1_q.some && p1_q.timed;", "p1_q.timed;"}},
	{Name: "observed: the exponent of 1/τ does not scale the queue", File: inLane, Set: observed, Edits: []string{
		"{1'b0, s_inv_e};", "{1'b0, s_inv_e & 5'd0};"}},

	// state protection
	{Name: "triple: a hop reads the row of lanes without one", File: inRates, Set: tripled, Edits: []string{
		"hop_use[g] ?", "(hop_use[g] && 1'b0) ?"}},
	{Name: "triple: whether there is an entry is not written", File: inRates, Seed: 2, Set: tripled, Edits: []string{
		"new_q[0] ? entry_q[0] : p2_known_q;", "(new_q[0] && 1'b0) ? entry_q[0] : p2_known_q;"}, Limit: late},
}

// planted is the introduction of the table of planted bugs.
const planted = "# PowerTCP window: planted bugs\n\nMistakes put into the emitted RTL, one at a time, and how the bench detects each: " +
	"by which output or assertion, in which cycle of a random run, and to how many cycles with events the stimulus shrinks."

// input makes a model see a port with some bits replaced by others.
func input(port string, mask, value uint64) func(*cosim.Layout, []uint64) {
	return func(l *cosim.Layout, in []uint64) {
		s := l.MustSlot(port)
		s.Set(in, s.Get(in)&^mask|value)
	}
}

// all selects all bits of a port.
const all = ^uint64(0)

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "queues in units of 64 bytes", Set: telemetry, Params: func(p *params.Params) { p.QlenUnit = 64 }},
	{Name: "paths of eleven bits", Set: telemetry, Inputs: input("s_ack_path", 1<<11, 0)},
	{Name: "another link", Set: together, Params: func(p *params.Params) { p.LinkRatesMbps[1] = 51_000 }},
	{Name: "one hop less", Set: telemetry, Params: func(p *params.Params) { p.Hops = 1 }},
	{Name: "one connection less", Set: trips, Params: func(p *params.Params) { p.Connections = 2 }},
	{Name: "sequence numbers of 31 bits", Set: telemetry, Inputs: input("s_ack_seq", 1<<31, 0)},
	{Name: "snd_nxt without its lowest bit", Set: together, Inputs: input("s_ack_snd_nxt", 1, 0)},
	{Name: "flushes are not seen", Set: telemetry, Inputs: input("s_flush_valid", all, 0)},
	{Name: "β is 0", Set: together, Inputs: input("cfg_beta", all, 0)},
	{Name: "γ without its lowest bit", Set: telemetry, Inputs: input("cfg_gamma", 1, 0)},
	{Name: "the link-rate table is not written", Set: telemetry, Inputs: input("s_rate_valid", all, 0)},
	{Name: "every ACK has a round-trip time", Set: trips, Inputs: input("s_ack_rtt_valid", all, 1)},
	{Name: "observed: every ACK has a round-trip time", Set: observed, Inputs: input("s_ack_rtt_valid", all, 1)},
	{Name: "the time in units of 2 ns", Set: trips, Inputs: input("now_ns", 1, 0)},
	{Name: "no fraction in a window", Set: together, Answer: func(l *cosim.Layout, want, _ []uint64) {
		s := l.MustSlot("m_win_bytes")
		s.Set(want, s.Get(want)&^3)
	}},
	{Name: "the bottleneck is always the first hop", Set: telemetry, Answer: func(l *cosim.Layout, want, _ []uint64) {
		l.MustSlot("m_win_hop").Set(want, 0)
	}},
	{Name: "ACKs are taken at all times", Set: mixed, Answer: func(l *cosim.Layout, want, _ []uint64) {
		l.MustSlot("s_ack_ready").Set(want, 1)
	}},
}
