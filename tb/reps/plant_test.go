// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/reps"
)

var update = flag.Bool("update", false, "write the generated tables and golden files")

// Configurations in which planted bugs are looked for: few connections, so that
// emptying them after a reset takes few cycles.
const (
	inLUTRAM = "connections=3 conn_bits=2 buffer_depth=4 explore_stride=4 state_memory=lutram ev_memory=lutram"
	inBRAM   = "connections=3 conn_bits=2 buffer_depth=4 explore_stride=4 state_memory=bram ev_memory=bram"
	narrow   = "connections=4 conn_bits=3 buffer_depth=2 explore_stride=2 evs_bits=1"
	reused   = inLUTRAM + " ack_coalescing=reuse ack_coalescing_ratio=3"
	carried  = inLUTRAM + " ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=2"
)

// bug is a mistake in the RTL: an edit of one emitted file.
type bug struct {
	name, file, set string
	edits           []string // old, new, old, new, …; each old occurs exactly once
	limit           int      // cycles with events that its shrunk stimulus may have; 0 means handful
}

// handful is the number of cycles with events to which a failure must shrink.
const handful = 12

var bugs = []bug{
	// the ring
	{"slot off by one", "nic_reps.sv", inLUTRAM, []string{
		"p2_head_q + (p2_less_valid_q | SLOT_W'(p2_pushed_q));", "p2_head_q + (p2_less_valid_q | SLOT_W'(p2_pushed_q)) + 1'b1;"}, 0},
	{"overwrite in the cycle of a SEND not seen", "nic_reps.sv", inBRAM, []string{
		"p2_pushed_q <= send_good && send_full;", "p2_pushed_q <= send_good && send_full && 1'b0;"}, 0},
	{"ring read in the wrong bank", "nic_reps.sv", inBRAM, []string{
		".rd_addr ({p2_idx_q, p2_slot})", ".rd_addr ({p2_idx_q ^ IDX_W'(1), p2_slot})"}, 0},
	{"ring written at the head without moves", "nic_reps.sv", inLUTRAM, []string{
		"assign ack_slot   = ack_ack.acks + ack_moves;", "assign ack_slot   = ack_ack.acks + (ack_moves & '0);"}, 0},
	{"ring counts as full one EV early", "nic_reps.sv", inLUTRAM, []string{
		"ack_ack.full || ack_ack.acks == '1;", "ack_ack.full || ack_ack.acks == SLOT_W'(BUFFER_DEPTH - 2);"}, 0},
	{"overwriting counts as one more valid EV", "nic_reps.sv", inLUTRAM, []string{
		"ack_next.pushes  = ack_full ? ack_ack.pushes : ack_ack.pushes + 1'b1;",
		"ack_next.pushes  = (ack_full && 1'b0) ? ack_ack.pushes : ack_ack.pushes + 1'b1;"}, 0},
	{"reuse of a partly filled ring wraps one EV late", "nic_reps.sv", inLUTRAM, []string{
		"(send_reuse_inc == send_ack.acks) ? '0", "(send_reuse == send_ack.acks) ? '0"}, 0},
	{"reuse goes on where the last freeze ended", "nic_reps.sv", inLUTRAM, []string{
		"assign send_reuse     = send_asked ? '0 : send_send.reuse;", "assign send_reuse     = (send_asked && 1'b0) ? '0 : send_send.reuse;"}, 0},

	// forwarding, in each kind of memory
	{"no forwarding in block RAM", "nic_lib_fwd_block.sv", inBRAM, []string{
		"hit_q      <= wr_addr == rd_addr;", "hit_q      <= 1'b0;"}, 0},
	{"forwarding in block RAM ignores the address", "nic_lib_fwd_block.sv", inBRAM, []string{
		"hit_q      <= wr_addr == rd_addr;", "hit_q      <= 1'b1;"}, 0},
	{"no forwarding in LUT RAM", "nic_lib_fwd_lut.sv", inLUTRAM, []string{
		"logic [ADDR_W-1:0] rd_addr_q = '0;", "logic [WIDTH-1:0]  rd_data_q = '0;",
		"rd_addr_q <= rd_addr;", "rd_data_q <= mem[rd_addr];",
		"rd_addr_q <= '0;", "rd_data_q <= '0;",
		"assign rd_data = mem[rd_addr_q];", "assign rd_data = rd_data_q;"}, 0},
	{"no forwarding to the other lane in LUT RAM", "nic_lib_state_lut.sv", inLUTRAM, []string{
		"logic [ADDR_W-1:0] other_addr_q = '0;", "logic [WIDTH-1:0]  other_data_q = '0;",
		"other_addr_q <= other_addr;", "other_data_q <= mem[other_addr];",
		"other_addr_q <= '0;", "other_data_q <= '0;",
		"assign other_data = mem[other_addr_q];", "assign other_data = other_data_q;"}, 0},

	// freezing
	{"exit time compared as >=", "nic_reps.sv", inLUTRAM, []string{
		"p0_now_q - ~p0_timeout_q;", "p0_now_q + p0_timeout_q;"}, 0},
	{"exit time compared without wrap", "nic_reps.sv", inBRAM, []string{
		"!ack_late[TIMER_BITS-1];", "p1_now_q >= ack_exit && !(ack_late[TIMER_BITS-1] && 1'b0);"}, 0},
	{"a failure freezes while exploring", "nic_reps.sv", inLUTRAM, []string{
		"fail_thaw != fail_freeze || fail_explore != fail_explored;",
		"fail_thaw != fail_freeze || (fail_explore != fail_explored && 1'b0);"}, 0},
	{"a failure acts before the ACK of its cycle", "nic_reps.sv", inLUTRAM, []string{
		"((p1_ack_is_fail_q && ack_thaws) ? p1_num_none_q", "((p1_ack_is_fail_q && ack_thaws && 1'b0) ? p1_num_none_q"}, 0},
	{"a SEND acts before the failure of its cycle", "nic_reps.sv", inLUTRAM, []string{
		"(p1_fail_is_send_q && p1_fail_q && !send_exploring);", "(p1_fail_is_send_q && p1_fail_q && !send_exploring && 1'b0);"}, 0},
	{"freezing cannot be switched off", "nic_reps.sv", inLUTRAM, []string{
		"p0_fail_q && p0_fail_legal && p0_freezing_q;", "p0_fail_q && p0_fail_legal && (p0_freezing_q || 1'b1);"}, 0},

	// exploring
	{"NUM_PKTS_CWND wraps at 256", "nic_reps.sv", inLUTRAM, []string{
		"p0_num_q <= '1;", "p0_num_q <= cfg_num_pkts_cwnd[EXPLORE_W-1:0];"}, 0},
	{"stride mask one bit short", "nic_reps.sv", inLUTRAM, []string{
		"STRIDE_MASK = EXPLORE_W'(EXPLORE_STRIDE - 1);", "STRIDE_MASK = EXPLORE_W'(EXPLORE_STRIDE / 2 - 1);"}, 0},
	{"end of freezing in the cycle of a SEND not seen", "nic_reps.sv", inLUTRAM, []string{
		"send_draws    = send_thaws ? p1_num_hits_q", "send_draws    = (send_thaws && 1'b0) ? p1_num_hits_q"}, 0},
	{"exploration starts anew after the SEND that began it", "nic_reps.sv", inLUTRAM, []string{
		"assign send_restart   = send_asked || send_thaws;", "assign send_restart   = send_asked || (send_thaws && 1'b0);"}, 0},
	{"NUM_PKTS_CWND of 0 explores", "nic_reps.sv", inLUTRAM, []string{
		"ack_explore ^ (ack_thaws && !p1_num_none_q);", "ack_explore ^ ack_thaws;"}, 0},

	// events and settings
	{"marked EVs are cached", "nic_reps.sv", inLUTRAM, []string{
		"p1_good_q         <= p0_ack_q && p0_ack_legal && p0_ev_legal && !p0_ack_ecn_q;",
		"p1_good_q         <= p0_ack_q && p0_ack_legal && p0_ev_legal;"}, 0},
	{"EV base not taken off", "nic_reps.sv", narrow, []string{
		"p0_ack_ev_q - p0_base_q;", "p0_ack_ev_q - (p0_base_q & '0);"}, 0},
	{"EV base or'ed instead of added", "nic_reps.sv", inLUTRAM, []string{
		"p3_ev + p3_base_q;", "p3_ev | p3_base_q;"}, 0},
	{"ECMP folds with or", "nic_reps.sv", narrow, []string{
		"p2_fold[i % EVS_BITS] ^ p2_idx_q[i];", "p2_fold[i % EVS_BITS] | p2_idx_q[i];"}, 0},
	{"illegal connection can fail", "nic_reps.sv", narrow, []string{
		"p0_fail_q && p0_fail_legal && p0_freezing_q;", "p0_fail_q && p0_freezing_q;"}, 0},
	{"illegal connections of a cycle counted once", "nic_reps.sv", inLUTRAM, []string{
		"COUNTER_BITS'(p1_illegal_conn_q);", "COUNTER_BITS'(p1_illegal_conn_q != 2'd0);"}, 0},
	{"flush leaves the ring full", "nic_reps.sv", inLUTRAM, []string{
		"ack_next.full    = 1'b0;", "ack_next.full    = ack_ack.full;"}, 0},
	{"flush leaves the connection frozen", "nic_reps.sv", inBRAM, []string{
		"ack_thaw_next    = ack_freeze;", "ack_thaw_next    = ack_thaw;"}, 0},
	{"answers one cycle late", "nic_reps.sv", inLUTRAM, []string{
		"  // Events, one cycle each, and their counters.\n", "  logic late_q;\n  always_ff @(posedge clk) begin\n    late_q <= p3_valid_q && !rst;\n  end\n",
		"m_ev_valid  <= p3_valid_q;", "m_ev_valid  <= late_q;"}, 0},
	{"counter stops instead of wrapping", "nic_reps.sv", inLUTRAM + " counter_bits=8", []string{
		"sts_send_cnt + COUNTER_BITS'(p1_legal_q);", "sts_send_cnt + COUNTER_BITS'(p1_legal_q && sts_send_cnt != '1);"}, 272},

	// random words
	{"wrong tap", "nic_reps.sv", inLUTRAM, []string{"random_q[92:77]", "random_q[93:78]"}, 0},
	{"seed word may be zero", "nic_reps.sv", inLUTRAM, []string{"s_seed_word | 16'd1;", "s_seed_word;"}, 0},
	{"generator stands still for OPS and ECMP", "nic_reps.sv", inLUTRAM, []string{
		"if (p1_legal_q || p1_seed_valid_q) begin", "if (p1_reps_q || p1_seed_valid_q) begin"}, 0},

	// reset
	{"SEND survives the reset", "nic_reps.sv", inLUTRAM, []string{"      p0_send_q       <= 1'b0;\n", ""}, 0},
	{"copies of the state not made equal after reset", "nic_reps.sv", inBRAM, []string{
		"p0_settle_q     <= !ready_q && !again_q;", "p0_settle_q     <= !ready_q && !again_q && 1'b0;"}, 0},

	// ACK coalescing
	{"reuse: an EV lives one packet too short", "nic_reps.sv", reused, []string{"USE_W'(USES - 1);", "USE_W'(USES - 2);"}, 0},
	{"reuse: overwriting leaves the life of the oldest", "nic_reps.sv", reused, []string{
		"send_ack.renew != send_send.renewed || (send_good && send_full);",
		"send_ack.renew != send_send.renewed || (send_good && send_full && 1'b0);"}, 0},
	{"carry: an ACK is lost while another leaves the queue", "nic_lib_fifo_lut.sv", carried, []string{
		"if (s_valid && s_ready) begin", "if (s_valid && s_ready && !(m_valid && m_ready)) begin"}, 0},
	{"carry: a full queue takes one more", "nic_lib_fifo_lut.sv", carried, []string{
		"wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};", "wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]} || m_ready;"}, 0},
	{"carry: more EVs than fit are believed", "nic_reps_carry.sv", carried, []string{
		"arrived.count = CNT_W'(N);", "arrived.count = s_ack_count;"}, 0},
}

// broken is the bench of a configuration with a bug planted.
func (b *bug) bench(t *testing.T) *reps.Bench {
	t.Helper()
	found := false
	bench := &reps.Bench{P: configure(t, b.set)}
	bench.Edit = func(name, text string) string {
		if name != b.file {
			return text
		}
		found = true
		for i := 0; i < len(b.edits); i += 2 {
			at := spaced(b.edits[i]).FindAllStringIndex(text, -1)
			if len(at) != 1 {
				t.Fatalf("%s has %q %d times, want once: the bug cannot be planted", name, b.edits[i], len(at))
			}
			text = text[:at[0][0]] + b.edits[i+1] + text[at[0][1]:]
		}
		return text
	}
	if err := bench.Prepare(); err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Fatalf("the configuration has no file %s", b.file)
	}
	return bench
}

// spaced finds a text whatever the width of its white space: columns move.
func spaced(text string) *regexp.Regexp {
	return regexp.MustCompile(regexp.MustCompile(`\s+`).ReplaceAllString(regexp.QuoteMeta(text), `\s+`))
}

// eventful counts the cycles of a stimulus in which something happens: an event,
// a request or a seed word. Resets and waiting do not count.
func eventful(s *cosim.Shrunk) int {
	n := 0
	for _, c := range s.Inputs {
		for port := range c.Ports {
			if strings.HasSuffix(port, "_valid") {
				n += int(c.Last - c.Cycle + 1)
				break
			}
		}
	}
	return n
}

// where is what noticed a failure: an output port, or an assertion's sentence.
func where(f *cosim.Failure) string {
	if f.Kind == cosim.Fault {
		message, _, _ := strings.Cut(f.Message, "\n")
		if i := strings.LastIndex(message, ": "); i >= 0 {
			message = message[i+2:]
		}
		return "assertion: " + message
	}
	return "`" + f.Port + "`"
}

// Every planted bug is noticed, shrinks to a handful of events, and its replay file
// fails in the same way again. The table of them is docs/units/reps_planted.md.
func TestPlantedBugs(t *testing.T) {
	rows := make([]string, len(bugs))
	t.Run("bugs", func(t *testing.T) {
		for i := range bugs {
			b := &bugs[i]
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				bench := b.bench(t)
				r, err := cosim.Run(t.Context(), bench, cosim.RunOptions{Unit: "reps", Seed: 1, Cycles: 1_000_000, OutDir: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				if r.Outcome != cosim.Mismatch && r.Outcome != cosim.Fault {
					t.Fatalf("outcome %s after %d cycles: the bug went unnoticed", r.Outcome, r.Cycles)
				}
				f := r.Failure
				if f.Shrunk == nil || f.Replay == "" || f.Wave == "" || f.Save == "" {
					t.Fatalf("%s: shrunk %v, replay file %q, waveform %q, save file %q; notes %v", f.Summary(), f.Shrunk, f.Replay, f.Wave, f.Save, r.Notes)
				}
				if f.Kind == cosim.Mismatch && (f.Want == f.Got || !strings.Contains(f.Explain, "ready") || f.Shrunk.Explain == "") {
					t.Errorf("%s: want %q, got %q, explained as %q and %q", f.Summary(), f.Want, f.Got, f.Explain, f.Shrunk.Explain)
				}
				n, limit := eventful(f.Shrunk), b.limit
				if limit == 0 {
					limit = handful
				}
				if n > limit {
					t.Errorf("%s: shrunk to %d cycles with events, want at most %d: %v", f.Summary(), n, limit, f.Shrunk.Inputs)
				}
				again(t, bench, f)
				rows[i] = fmt.Sprintf("| %s | `%s` | %s | %d | %d |\n", b.name, b.file, where(f), f.Cycle, n)
			})
		}
	})
	if t.Failed() {
		return
	}
	table(t, "../../docs/units/reps_planted.md", "# Planted bugs\n\n"+
		"Each row is a mistake put into the emitted SystemVerilog of a small configuration. Co-simulation with seed 1\n"+
		"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column\n"+
		"counts the cycles with an event or a request that are left.\n\n"+
		"Written by `go test ./tb/reps -run TestPlantedBugs -update`, which also checks it.\n\n"+
		"| bug | file | noticed by | in cycle | shrunk to |\n|---|---|---|---:|---:|\n"+strings.Join(rows, ""))
}

// again replays a failure's file: it must fail as it did.
func again(t *testing.T, bench cosim.Bench, f *cosim.Failure) {
	t.Helper()
	rec, err := cosim.ReadReplay(f.Replay)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Replay(t.Context(), rec, bench, cosim.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Kind != f.Kind || len(r.Notes) > 0 || r.Failure.Cycle != f.Shrunk.Cycle {
		t.Errorf("the replay file gives %s (%v) with notes %v, want %s in cycle %d", r.Outcome, r.Failure, r.Notes, f.Kind, f.Shrunk.Cycle)
	}
	// Without the bug nothing happens.
	good := &reps.Bench{P: bench.(*reps.Bench).P}
	if err := good.Prepare(); err != nil {
		t.Fatal(err)
	}
	if r, err = cosim.Replay(t.Context(), rec, good, cosim.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	if !r.OK() {
		t.Errorf("the replay file gives %s without the bug, want %s", r.Outcome, cosim.Pass)
	}
}

// table compares a generated page with its file, or writes it.
func table(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(text)) {
		t.Errorf("%s is stale (-have +want), run: go test ./tb/reps -run '%s' -update\n%s", file, t.Name(), cmp.Diff(string(want), text))
	}
}

// wrong is a bench whose golden model is at fault: it sees other inputs than the
// device, or bends what is expected.
type wrong struct {
	*reps.Bench
	inputs func(l *cosim.Layout, in []uint64)
	answer func(l *cosim.Layout, want, care []uint64)
}

type wrongPredictor struct {
	cosim.Predictor
	w  *wrong
	l  *cosim.Layout
	in []uint64
}

func (w *wrong) NewPredictor(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := w.Bench.NewPredictor(l)
	return &wrongPredictor{p, w, l, make([]uint64, l.InWords)}, err
}

func (p *wrongPredictor) Step(in, want, care []uint64) {
	copy(p.in, in)
	if p.w.inputs != nil {
		p.w.inputs(p.l, p.in)
	}
	p.Predictor.Step(p.in, want, care)
	if p.w.answer != nil {
		p.w.answer(p.l, want, care)
	}
}

// A golden model that is wrong is noticed as well: the comparison goes both ways.
func TestWrongModel(t *testing.T) {
	set := func(port string, v uint64) func(*cosim.Layout, []uint64) {
		return func(l *cosim.Layout, in []uint64) { l.MustSlot(port).Set(in, v) }
	}
	// settings is a model that was given other parameters than the RTL.
	settings := func(change func(p *params.Params)) func(t *testing.T, b *reps.Bench) *wrong {
		return func(t *testing.T, b *reps.Bench) *wrong {
			b.Emitted = b.P
			p := *b.P
			change(&p)
			b.P = &p
			return &wrong{Bench: b}
		}
	}
	inputs := func(f func(l *cosim.Layout, in []uint64)) func(t *testing.T, b *reps.Bench) *wrong {
		return func(t *testing.T, b *reps.Bench) *wrong { return &wrong{Bench: b, inputs: f} }
	}
	for _, c := range []struct {
		name, set string
		make      func(t *testing.T, b *reps.Bench) *wrong
	}{
		{"other explore stride", inLUTRAM, settings(func(p *params.Params) { p.ExploreStride = 2 })},
		{"other seed of the generator", inLUTRAM, settings(func(p *params.Params) { p.RandomSeed = 2 })},
		{"other depth", inLUTRAM, settings(func(p *params.Params) { p.BufferDepth = 8 })},
		{"fewer connections", inLUTRAM, settings(func(p *params.Params) { p.Connections = 2 })},
		{"narrower EVs", inLUTRAM, settings(func(p *params.Params) { p.EVSBits = 15 })},
		{"narrower timer", inLUTRAM, settings(func(p *params.Params) { p.TimerBits = 34 })},
		{"reuse: other ratio", reused, settings(func(p *params.Params) { p.Ratio = 2 })},
		{"carry: other queue depth", carried, settings(func(p *params.Params) { p.CarryDepth = 4 })},
		{"sees no mark", inLUTRAM, inputs(set("s_ack_ecn", 0))},
		{"sees no failure", inLUTRAM, inputs(set("s_fail_valid", 0))},
		{"sees no flush", inLUTRAM, inputs(set("s_flush_valid", 0))},
		{"misses some resets", inLUTRAM, func(t *testing.T, b *reps.Bench) *wrong {
			return &wrong{Bench: b, inputs: func(l *cosim.Layout, in []uint64) {
				if l.MustSlot("now_ns").Get(in)&1 == 1 && l.MustSlot("s_send_valid").Get(in) == 1 {
					l.MustSlot("rst").Set(in, 0)
				}
			}}
		}},
		{"freezes one ns longer", inLUTRAM, inputs(func(l *cosim.Layout, in []uint64) {
			s := l.MustSlot("cfg_freezing_timeout_ns")
			s.Set(in, s.Get(in)+1)
		})},
		{"turns a bit of the EV over", inLUTRAM, func(t *testing.T, b *reps.Bench) *wrong {
			return &wrong{Bench: b, answer: func(l *cosim.Layout, want, care []uint64) {
				if s := l.MustSlot("m_ev"); s.Get(care) != 0 {
					s.Set(want, s.Get(want)^1<<15)
				}
			}}
		}},
		{"expects no answer when the source is fixed", inLUTRAM, func(t *testing.T, b *reps.Bench) *wrong {
			return &wrong{Bench: b, answer: func(l *cosim.Layout, want, care []uint64) {
				if l.MustSlot("m_ev_source").Get(want) == 4 {
					l.MustSlot("m_ev_valid").Set(want, 0)
				}
			}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := c.make(t, &reps.Bench{P: configure(t, c.set)})
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "reps", Seed: 1, Cycles: 1_000_000, NoShrink: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != cosim.Mismatch {
				t.Errorf("outcome %s after %d cycles: the fault of the model went unnoticed", r.Outcome, r.Cycles)
			}
		})
	}
}
