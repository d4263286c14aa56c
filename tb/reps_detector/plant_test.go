// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	bench "github.com/nicgen/nicgen/tb/reps_detector"
)

var update = flag.Bool("update", false, "write the generated tables")

// Configurations in which planted bugs are looked for: few connections, so that
// emptying them after a reset takes few cycles.
const (
	inLUTRAM = "connections=3 conn_bits=2 state_memory=lutram timer_bits=20 window_ns=1000"
	inBRAM   = "connections=3 conn_bits=3 state_memory=bram"
)

// handful is the number of cycles with events to which a failure must shrink.
const handful = 12

const top = "nic_reps_detector.sv"

// bugs are mistakes in the RTL: edits of one emitted file.
var bugs = []struct {
	name, file, set string
	edits           []string // old, new, old, new, …; each old occurs exactly once
	limit           int      // cycles with events that its shrunk stimulus may have; 0 means handful
}{
	// the verdict
	{"window compared as >=", top, inBRAM, []string{"p3_age_q > p3_window_q", "p3_age_q >= p3_window_q"}, 0},
	{"window compared as a signed difference", top, inBRAM, []string{
		"p3_age_q > p3_window_q;", "(p3_age_q > p3_window_q && !p3_age_q[TIMER_BITS-1]);"}, 0},
	{"age without wrap", top, inLUTRAM, []string{
		"<= p2_now_q - p2_when;", "<= (p2_now_q < p2_when) ? '1 : p2_now_q - p2_when;"}, 0},
	{"age one bit short", top, inBRAM, []string{
		"<= p2_now_q - p2_when;", "<= (p2_now_q - p2_when) & {1'b0, {(TIMER_BITS-1){1'b1}}};"}, 0},
	{"trimming switched off", top, inBRAM, []string{"<= p2_trimming_q || ", "<= (p2_trimming_q && 1'b0) || "}, 0},
	{"trimming ignored once a high RTT was seen", top, inBRAM, []string{
		"<= p2_trimming_q || ", "<= (p2_trimming_q && !p2_seen) || "}, 0},
	{"no sample is congestion", top, inBRAM, []string{"p2_trimming_q || !p2_seen;", "p2_trimming_q || (!p2_seen && 1'b0);"}, 0},
	{"failures of illegal connections", top, inBRAM, []string{
		"m_fail_valid    <= p3_timeout_q && p3_legal_q && p3_failure;", "m_fail_valid    <= p3_timeout_q && p3_failure;"}, 0},
	{"connection of the next timeout", top, inBRAM, []string{
		"m_timeout_conn  <= p3_conn_q;", "m_timeout_conn  <= p3_conn_q & '0 | p2_conn_q;"}, 0},

	// RTT samples
	{"threshold compared as >", top, inBRAM, []string{"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q > p0_threshold_q"}, 0},
	{"a low RTT ends what a high one began", top, inBRAM, []string{
		"p0_flush_q || (p0_rtt_q && p0_high)", "p0_flush_q || (p0_rtt_q && (p0_high || p0_when_low))",
		"  logic p0_high;\n", "  logic p0_high;\n  logic p0_when_low;\n  assign p0_when_low = !p0_high;\n",
		".wr_data ({p0_rtt_q, p0_now_q})", ".wr_data ({p0_rtt_q && p0_high, p0_now_q})"}, 0},
	{"only the first high RTT counts", top, inLUTRAM, []string{
		".wr_en   (p0_write)", ".wr_en   (p0_write && (!p0_rtt_q || !seen_q[IDX_W'(p0_rtt_conn_q)]))",
		"  logic p0_high;\n", "  logic p0_high;\n  logic [3:0] seen_q;\n  always_ff @(posedge clk) begin\n" +
			"    if (p0_write) begin\n      seen_q[IDX_W'(p0_rtt_conn_q)] <= p0_rtt_q;\n    end\n  end\n"}, 0},
	{"threshold of one cycle later", top, inBRAM, []string{
		"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q >= (p0_threshold_q & '0 | cfg_rtt_threshold_ns)"}, 0},
	{"RTTs of illegal connections are stored", top, inBRAM, []string{
		"(p0_rtt_legal && (p0_flush_q || (p0_rtt_q && p0_high)))", "(p0_flush_q && p0_rtt_legal) || (p0_rtt_q && p0_high)"}, 0},

	// order within and between cycles
	{"an RTT is seen one cycle late", top, inBRAM, []string{
		".rd_addr (IDX_W'(p1_conn_q))", ".rd_addr (IDX_W'(p0_timeout_conn_q))",
		".rd_data ({p2_seen, p2_when})", ".rd_data (early)",
		"  logic [TIMER_BITS-1:0] p2_when;  // time of the last one\n",
		"  logic [TIMER_BITS-1:0] p2_when;\n  logic [TIMER_BITS:0] early;\n  always_ff @(posedge clk) begin\n    {p2_seen, p2_when} <= early;\n  end\n"}, 0},
	{"an RTT of the next cycle is seen", "nic_lib_ram_block.sv", inBRAM, []string{
		"data_q <= mem[rd_addr];", "data_q <= (wr_en && wr_addr == rd_addr) ? wr_data[LO +: W] : mem[rd_addr];"}, 0},
	{"an RTT of the next cycle is seen in LUT RAM", "nic_lib_ram_lut.sv", inLUTRAM, []string{
		"rd_data <= mem[rd_addr];", "rd_data <= (wr_en && wr_addr == rd_addr) ? wr_data : mem[rd_addr];"}, 0},
	{"window of one cycle later", top, inBRAM, []string{"p3_age_q > p3_window_q", "p3_age_q > (p3_window_q & '0 | p2_window_q)"}, 0},

	// flush, reset, counters
	{"a flush leaves the record", top, inBRAM, []string{
		".wr_data ({p0_rtt_q, p0_now_q})", ".wr_data ({p0_rtt_q || p0_flush_q, p0_now_q})"}, 0},
	{"a flush without its turn", top, inBRAM, []string{
		"s_flush_valid && s_flush_ready;", "s_flush_valid && ready_q;"}, 0},
	{"no emptying after reset", top, inLUTRAM, []string{"assign p0_write         = p0_clear_q ||", "assign p0_write         = (p0_clear_q && 1'b0) ||"}, 0},
	{"ready one connection early", top, inBRAM, []string{
		"clear_idx_q == IDX_W'(CONNECTIONS - 1)", "clear_idx_q == IDX_W'(CONNECTIONS - 2)"}, 0},
	{"reset leaves a timeout in the pipeline", top, inBRAM, []string{
		"    if (rst) begin\n      p2_timeout_q <= 1'b0;\n    end\n", ""}, 0},
	{"two illegal events counted once", top, inBRAM, []string{
		"COUNTER_BITS'(p1_illegal_q);", "COUNTER_BITS'(p1_illegal_q != 2'd0);"}, 0},
	{"a counter that stays at its end", top, inBRAM + " counter_bits=8", []string{
		"sts_rtt_cnt + COUNTER_BITS'(p1_rtt_q);", "sts_rtt_cnt + COUNTER_BITS'(p1_rtt_q && sts_rtt_cnt != '1);"}, 260},
	{"illegal timeouts counted as congestion", top, inBRAM, []string{
		"m_timeout_valid && m_timeout_cause == CAUSE_CONGESTION);", "m_timeout_valid && m_timeout_cause != CAUSE_FAILURE);"}, 0},
}

// eventful counts the cycles of a stimulus in which something happens. Resets and
// waiting do not count.
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
// fails in the same way again, but not without the bug. The table of them is
// docs/units/reps_detector_planted.md.
func TestPlantedBugs(t *testing.T) {
	rows := make([]string, len(bugs))
	t.Run("bugs", func(t *testing.T) {
		for i, b := range bugs {
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				found := false
				bad := &bench.Bench{P: configure(t, b.set)}
				bad.Edit = func(name, text string) string {
					if name != b.file {
						return text
					}
					found = true
					for i := 0; i < len(b.edits); i += 2 {
						if n := strings.Count(text, b.edits[i]); n != 1 {
							t.Fatalf("%s has %q %d times, want once: the bug cannot be planted", name, b.edits[i], n)
						}
						text = strings.Replace(text, b.edits[i], b.edits[i+1], 1)
					}
					return text
				}
				if err := bad.Prepare(); err != nil {
					t.Fatal(err)
				}
				if !found {
					t.Fatalf("the configuration has no file %s", b.file)
				}
				r, err := cosim.Run(t.Context(), bad, cosim.RunOptions{Unit: "reps_detector", Seed: 1, Cycles: 1_000_000, OutDir: t.TempDir()})
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
				n, limit := eventful(f.Shrunk), b.limit
				if limit == 0 {
					limit = handful
				}
				if n > limit {
					t.Errorf("%s: shrunk to %d cycles with events, want at most %d: %v", f.Summary(), n, limit, f.Shrunk.Inputs)
				}
				again(t, bad, f)
				rows[i] = fmt.Sprintf("| %s | `%s` | %s | %d | %d |\n", b.name, b.file, where(f), f.Cycle, n)
			})
		}
	})
	if t.Failed() {
		return
	}
	table(t, "../../docs/units/reps_detector_planted.md", "# Bugs planted in the failure detector\n\n"+
		"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n"+
		"[the failure detector](reps_detector.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and\n"+
		"writes a replay file that fails again in the same way. The last column counts the cycles with an event or a\n"+
		"request that are left.\n\n"+
		"Written by `go test ./tb/reps_detector -run TestPlantedBugs -update`, which also checks it.\n\n"+
		"| bug | file | noticed by | in cycle | shrunk to |\n|---|---|---|---:|---:|\n"+strings.Join(rows, ""))
}

// again replays a failure's file: it must fail as it did, and pass without the bug.
func again(t *testing.T, bad *bench.Bench, f *cosim.Failure) {
	t.Helper()
	rec, err := cosim.ReadReplay(f.Replay)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Replay(t.Context(), rec, bad, cosim.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Kind != f.Kind || len(r.Notes) > 0 || r.Failure.Cycle != f.Shrunk.Cycle {
		t.Errorf("the replay file gives %s (%v) with notes %v, want %s in cycle %d", r.Outcome, r.Failure, r.Notes, f.Kind, f.Shrunk.Cycle)
	}
	good := &bench.Bench{P: bad.P}
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
		t.Errorf("%s is stale (-have +want), run: go test ./tb/reps_detector -run '%s' -update\n%s", file, t.Name(), cmp.Diff(string(want), text))
	}
}

// wrong is a bench whose golden model sees other inputs than the device.
type wrong struct {
	*bench.Bench
	inputs func(l *cosim.Layout, in []uint64)
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
}

// A golden model that is wrong is noticed as well: the comparison goes both ways.
func TestWrongModel(t *testing.T) {
	more := func(port string, n uint64) func(*cosim.Layout, []uint64) {
		return func(l *cosim.Layout, in []uint64) {
			s := l.MustSlot(port)
			s.Set(in, s.Get(in)+n)
		}
	}
	none := func(port string) func(*cosim.Layout, []uint64) {
		return func(l *cosim.Layout, in []uint64) { l.MustSlot(port).Set(in, 0) }
	}
	for _, c := range []struct {
		name   string
		change func(p *params.Params)
		inputs func(l *cosim.Layout, in []uint64)
	}{
		{"fewer connections", func(p *params.Params) { p.Connections = 2 }, nil},
		{"narrower timer", func(p *params.Params) { p.TimerBits-- }, nil},
		{"window one ns longer", nil, more("cfg_window_ns", 1)},
		{"threshold one ns higher", nil, more("cfg_rtt_threshold_ns", 1)},
		{"RTT one ns longer", nil, more("s_rtt_ns", 1)},
		{"sees no trimming", nil, none("cfg_trimming")},
		{"sees no flush", nil, none("s_flush_valid")},
		{"sees no timeout", nil, none("s_timeout_valid")},
		{"sees no reset but the first", nil, func(l *cosim.Layout, in []uint64) {
			if l.MustSlot("s_timeout_valid").Get(in) != 0 && l.MustSlot("now_ns").Get(in)&1 != 0 {
				l.MustSlot("rst").Set(in, 0)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := configure(t, inBRAM)
			b := &bench.Bench{P: p, Emitted: p}
			if c.change != nil {
				q := *p
				c.change(&q)
				b.P = &q
			}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), &wrong{b, c.inputs}, cosim.RunOptions{Unit: "reps_detector", Seed: 1, Cycles: 1_000_000, NoShrink: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != cosim.Mismatch {
				t.Errorf("outcome %s after %d cycles: the fault of the model went unnoticed", r.Outcome, r.Cycles)
			}
		})
	}
}
