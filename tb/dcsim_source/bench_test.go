// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/benchtest"
	source "github.com/nicgen/nicgen/tb/dcsim_source"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: source.Unit, Measure: source.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 600, Misses: "slots/full"},
	Overrides: overrides, OverrideCycles: 300_000,
	Illegal: []benchtest.Illegal{
		{Check: "g_check_flow_bits", Params: map[string]string{"FLOW_BITS": "0"}, Verilator: benchtest.NoWidth,
			Yosys: "Static cast with zero or negative size!"},
		{Check: "g_check_flow_fits", Params: map[string]string{"FLOW_BITS": "7"}},
	},
	Planted: planted, Bugs: bugs, Limit: 900, // a DATA times out after hundreds of events at the earliest in some
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, and both sides of the numbers of rows at which
// memories change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 400_000},
	{Name: "smallest", Set: "flows=1 flow_bits=1 outstanding=16 port_bits=8 copies=16 repeats=4 tag_bits=4 seq_bits=8 want_bits=10 time_bits=10 bucket=1 " +
		"token_bits=8 counter_bits=8 random_seed=1 full_rate=false clock_hz=312500000 rate_gbps=800 packet_bytes=256 probe_bytes=64 gap_bytes=0 hops=2 rtt_ns=0 " +
		"sim_queue=4 data_timeout_ns=100", Cycles: 400_000},
	{Name: "largest", Set: "flows=1024 flow_bits=24 outstanding=1024 port_bits=16 copies=4096 repeats=1024 tag_bits=16 seq_bits=32 want_bits=32 time_bits=32 " +
		"bucket=4 token_bits=48 counter_bits=64 random_seed=2147483647 full_rate=false clock_hz=1000000000 rate_gbps=800 packet_bytes=9216 probe_bytes=256 " +
		"gap_bytes=255 hops=10 rtt_ns=1000000 sim_queue=32 data_timeout_ns=1000000000", Cycles: 1_000_000},
	{Name: "few slots", Set: "outstanding=16 port_bits=14 full_rate=false", Cycles: 400_000},
	{Name: "slowest", Set: "flows=2 flow_bits=1 clock_hz=50000000 rate_gbps=10 packet_bytes=256 probe_bytes=64 data_timeout_ns=120000", Cycles: 400_000},
	{Name: "long times", Set: "flows=16 time_bits=22 outstanding=512 copies=1024 rate_gbps=10 packet_bytes=9216 hops=10 rtt_ns=1000000 " +
		"data_timeout_ns=6000000", Cycles: 600_000},
	{Name: "few places", Set: "flows=3 flow_bits=2 outstanding=32 port_bits=13 copies=32 repeats=8 tag_bits=7 seq_bits=9 want_bits=12 bucket=3 full_rate=false token_bits=29 counter_bits=21 random_seed=12345", Cycles: 400_000},
	{Name: "LUTRAM", Set: "flows=64 flow_bits=6 outstanding=64 copies=64 repeats=16 tag_bits=6 full_rate=false", Cycles: 400_000},
	{Name: "block RAM", Set: "flows=65 flow_bits=7 outstanding=128 copies=128 repeats=128 full_rate=false", Cycles: 400_000},
}

// overrides are configurations of which one is emitted and the other made of it by overriding
// SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "flow_bits", Set: "flow_bits=8"},
	{Name: "flow_bits upwards", Set: "flow_bits=24"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: small, Set: small + " flow_bits=3 counter_bits=11"},
}

// small is the configuration in which planted bugs are looked for.
const small = "flows=3 flow_bits=4 outstanding=32 port_bits=11 copies=32 repeats=4 tag_bits=8 seq_bits=8 want_bits=12 full_rate=false"

// The files with the mistakes.
const (
	top        = "nic_dcsim_source.sv"
	fileBucket = "nic_lib_bucket.sv"
	fileQueue  = "nic_dcsim_source_queue.sv"
	fileRing   = "nic_dcsim_source_ring.sv"
	fileWant   = "nic_dcsim_source_want.sv"
	fileMatch  = "nic_dcsim_source_match.sv"
	fileRandom = "nic_dcsim_source_random.sv"
	fileSIMs   = "nic_dcsim_source_sims.sv"
	fileFlight = "nic_dcsim_source_flight.sv"
	fileDatas  = "nic_dcsim_source_datas.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in DCSIM's source host\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n" +
	"[the source host](dcsim_source.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and\n" +
	"writes a replay file that fails in the same way. The last column counts the cycles with an event or a\n" +
	"request in the shrunk stimulus."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a full bucket keeps its fraction", File: fileBucket, Set: small, Edits: []string{
		"      credit_q          <= step_q;\n      credit_q[TOKEN_W] <= take && step_q[TOKEN_W];\n", "      credit_q <= take ? credit_q + step_q : credit_q;\n"}},
	{Name: "a bucket of one token more", File: fileBucket, Set: small, Edits: []string{
		"$clog2(BUCKET) : 1", "$clog2(BUCKET + 1) : 1", "tokens_q == CNT_W'(BUCKET - 1)", "tokens_q == CNT_W'(BUCKET)"}},
	{Name: "a token each cost + 1 clocks", File: fileBucket, Set: small, Edits: []string{
		"step_q <= {1'b0, gain} - {1'b0, cost};", "step_q <= {1'b0, gain} - {1'b0, cost} - 1'b1;"}},
	{Name: "a SIM-ACK at RTTmax comes too late", File: fileRing, Set: small, Edits: []string{"now + TIME_W'(2) - span", "now + TIME_W'(3) - span"}},
	{Name: "a SIM-ACK one cycle after RTTmax counts", File: fileRing, Set: small, Edits: []string{"now + TIME_W'(2) - span", "now + TIME_W'(1) - span"}},
	{Name: "waits are compared in 20 bits", File: fileRing, Set: small + " time_bits=24", Edits: []string{
		"assign behind = past_q - head_time;", "assign behind = TIME_W'(signed'(20'(past_q - head_time)));"}},
	{Name: "a SIM-ACK of a slot that is not in flight counts", File: fileRing, Set: small, Edits: []string{"p1_live_q  <= p0_place < flying;", "p1_live_q  <= p0_place < flying || 1'b1;"}},
	{Name: "a SIM-ACK counts twice", File: fileRing, Set: small, Edits: []string{" && ack_ok && p1_sent_mark == p1_left_mark;", " && ack_ok && (p1_sent_mark == p1_left_mark || 1'b1);"}},
	{Name: "random bits of the port do not count", File: fileFlight, Set: small, Edits: []string{".ack_ok    (p1_random_q == p1_random)", ".ack_ok    (1'b1 || p1_random_q == p1_random)"}},
	{Name: "an old number is taken", File: fileDatas, Set: small, Edits: []string{"look_q  <= queue_any && !load;", "look_q  <= queue_any;"}},
	{Name: "one slot too many", File: fileSIMs, Set: small, Edits: []string{"slots < SLOT_W'((1 << SLOT_W) - 2)", "slots < SLOT_W'((1 << SLOT_W) - 1)"}},
	{Name: "the SIM on the line counts in the queue", File: fileSIMs, Set: small, Edits: []string{"queued_q < queue_size &&", "queued_q + QUEUE_W'(sent_q) < queue_size &&"}},
	{Name: "more SIMs than DATAs", File: fileWant, Set: small, Edits: []string{"w1_want != WANT_W'(1)", "w1_want != WANT_W'(0)"}},
	{Name: "a flow joins the list twice", File: fileWant, Set: small, Edits: []string{": w1_want == '0);", ": w1_want[WANT_W-1:1] == '0);"}},
	{Name: "too many new DATAs are taken", File: fileWant, Set: small, Edits: []string{"(w1_data_q && !w1_want[WANT_W-1])", "w1_data_q"}},
	{Name: "a count of 0 is taken", File: top, Set: small, Edits: []string{" && s_data_count != '0;", ";"}},
	{Name: "a number is used again after a DATA that timed out", File: fileMatch, Set: small, Edits: []string{"SEQ_W'(!again_q && !some_q)", "SEQ_W'(!some_q)"}},
	{Name: "a seed does not take effect beside a SIM", File: fileRandom, Set: small, Edits: []string{"if (seed_valid) begin", "if (seed_valid && !step) begin"}},
	{Name: "a word is read before it is written", File: fileQueue, Set: small, Edits: []string{"load ? after != tail_q[POS_W-1:0] : read_q != tail_q[POS_W-1:0];", "(load ? after != tail_q[POS_W-1:0] : read_q != tail_q[POS_W-1:0]) || push;"}},
	{Name: "a reset leaves an offered SIM", File: fileSIMs, Set: small, Edits: []string{"      valid_q     <= 1'b0;\n      next_slot_q <= '0;", "      next_slot_q <= '0;"}},
	{Name: "the sweep ends early", File: top, Set: small, Edits: []string{"if (clear_idx_q == '1) begin", "if (clear_idx_q[SWEEP_W-1:1] == '1) begin"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "a bucket of one", Set: small, Params: func(p *params.Params) { p.Bucket = 1 }},
	{Name: "fewer flows", Set: small, Params: func(p *params.Params) { p.Flows = 2 }},
	{Name: "fewer places", Set: small, Params: func(p *params.Params) { p.Repeats = 2 }},
	{Name: "another seed", Set: small, Params: func(p *params.Params) { p.RandomSeed = 2 }},
	{Name: "RTTmax one more", Set: small, Inputs: benchtest.AddInput("cfg_rtt_max", 1)},
	{Name: "a timeout one more", Set: small, Inputs: benchtest.AddInput("cfg_data_timeout", 1)},
	{Name: "a queue of one more", Set: small, Inputs: benchtest.AddInput("cfg_sim_queue", 1)},
	{Name: "a token costs one more", Set: small, Inputs: benchtest.AddInput("cfg_token_cost", 1)},
	{Name: "sees no DATA-ACK", Set: small, Inputs: benchtest.SetInput("s_data_ack_valid", 0)},
}
