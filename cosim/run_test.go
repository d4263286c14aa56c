// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
)

// Neither batches nor the second thread change a result.
func TestRunPasses(t *testing.T) {
	var first *cosim.Report
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 7} {
			var last uint64
			r, err := cosim.Run(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent,
				Progress: func(done, total uint64) {
					if done <= last || total != 20000 {
						t.Errorf("progress %d of %d after %d", done, total, last)
					}
					last = done
				}})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() || r.Cycles != 20000 || r.Failure != nil || r.Events == 0 || last != 20000 || r.CyclesPerSecond <= 0 {
				t.Errorf("concurrent %t, batch %d: %+v %+v", concurrent, batch, r, r.Failure)
			}
			if first == nil {
				first = r
			}
			if d := cmp.Diff(first, r, cmpopts.IgnoreFields(cosim.Report{}, "Seconds", "CyclesPerSecond")); d != "" {
				t.Errorf("concurrent %t, batch %d: %s", concurrent, batch, d)
			}
		}
	}
}

func TestRunFailsAlike(t *testing.T) {
	var first *cosim.Report
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 50} {
			r, err := cosim.Run(t.Context(), cosimtest.Bug(t), cosim.RunOptions{Unit: "fifo", Seed: 7, Batch: batch, Concurrent: concurrent})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != cosim.Mismatch || r.Failure.Port != "level" || r.Mismatches != 1 {
				t.Errorf("%+v %+v", r, r.Failure)
			}
			if first == nil {
				first = r
			}
			if d := cmp.Diff(first, r, cmpopts.IgnoreFields(cosim.Report{}, "Seconds", "CyclesPerSecond")); d != "" {
				t.Errorf("concurrent %t, batch %d: %s", concurrent, batch, d)
			}
		}
	}
}

// Causes other than a mismatch that keep a run from passing.
func TestRunOutcomes(t *testing.T) {
	src := cosimtest.Design(t)
	never := []cosim.Point{{"a", "", true}, {"b", "", false}, {"c", "", true}, {"d", "", true}}
	for _, c := range []struct {
		name    string
		bench   *cosimtest.FIFO
		o       cosim.RunOptions
		outcome string
		cycles  uint64
		message string
	}{
		{"missed", &cosimtest.FIFO{RTL: src}, cosim.RunOptions{Cycles: 5, Seed: 1}, cosim.Missed, 5, "required coverage points not reached: push/full, pop/empty, both/full"},
		{"verdict", &cosimtest.FIFO{RTL: src, Wrong: "line 7: want 3"}, cosim.RunOptions{Cycles: 20000}, cosim.Verdict, 20000, "line 7: want 3"},
		{"verdict before missed", &cosimtest.FIFO{RTL: src, Wrong: "line 7: want 3", Reach: never}, cosim.RunOptions{Cycles: 5}, cosim.Verdict, 5, "line 7: want 3"},
		{"finite", &cosimtest.FIFO{RTL: src, Length: 3000}, cosim.RunOptions{}, cosim.Pass, 3000, ""},
		{"finite and shorter", &cosimtest.FIFO{RTL: src, Length: 3000}, cosim.RunOptions{Cycles: 2000}, cosim.Pass, 2000, ""},
		{"finite and longer", &cosimtest.FIFO{RTL: src, Length: 3000}, cosim.RunOptions{Cycles: 4000}, cosim.Pass, 3000, ""},
		{"default", &cosimtest.FIFO{RTL: src}, cosim.RunOptions{}, cosim.Pass, cosim.DefaultCycles, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := cosim.Run(t.Context(), c.bench, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != c.outcome || r.Cycles != c.cycles || r.OK() != (r.Failure == nil) {
				t.Errorf("%+v", r)
			}
			if c.message != "" && r.Failure.Message != c.message {
				t.Errorf("got %q, want %q", r.Failure.Message, c.message)
			}
		})
	}
}

// Benches that contradict themselves are an error, not an outcome.
func TestRunBadBench(t *testing.T) {
	for _, c := range []struct {
		points []cosim.Point
		want   string
	}{
		{[]cosim.Point{{Name: "a"}}, "golden model counts 4 coverage points, want 1 as its bench lists"},
		{[]cosim.Point{{Name: "a"}, {Name: "b"}, {Name: "a"}, {Name: "c"}}, `coverage point "a" appears twice`},
	} {
		_, err := cosim.Run(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t), Reach: c.points}, cosim.RunOptions{Cycles: 10})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// A run that is stopped leaves nothing behind.
func TestRunCancelled(t *testing.T) {
	for _, concurrent := range []bool{false, true} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		_, err := cosim.Run(ctx, &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{Cycles: 1 << 40, Concurrent: concurrent, OutDir: dir, Wave: "vcd", WaveTo: 100,
			Progress: func(done, total uint64) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

var (
	timeRE  = regexp.MustCompile(`(?m)^#(\d+)$`)
	scaleRE = regexp.MustCompile(`\$timescale\s+1ns\s+\$end`)
)

// A waveform covers the cycles that were asked for and has the top's ports; the
// names in a save file are in it.
func TestWaveforms(t *testing.T) {
	for _, c := range []struct {
		name        string
		from, to    uint64
		first, last uint64 // times, in nanoseconds
	}{
		{"all", 0, 0, 0, 4995},
		{"window", 100, 200, 1000, 1995},
		{"to beyond the end", 400, 9000, 4000, 4995},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			r, err := cosim.Run(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{Cycles: 500, Seed: 4, OutDir: dir, Wave: "vcd", WaveFrom: c.from, WaveTo: c.to})
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(r.Wave)
			if err != nil {
				t.Fatal(err)
			}
			times := timeRE.FindAllStringSubmatch(string(b), -1)
			first, _ := strconv.ParseUint(times[0][1], 10, 64)
			last, _ := strconv.ParseUint(times[len(times)-1][1], 10, 64)
			if first != c.first || last != c.last {
				t.Errorf("from %d to %d ns, want %d to %d", first, last, c.first, c.last)
			}
			if !scaleRE.Match(b) {
				t.Errorf("timescale: %.200s", b)
			}
			if list, _ := os.ReadDir(dir); len(list) != 1 {
				t.Errorf("files: %v", list)
			}
		})
	}
	dir := t.TempDir()
	r, err := cosim.Run(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{Cycles: 500, OutDir: dir, Wave: "vcd", WaveFrom: 600, WaveTo: 700})
	if err != nil || r.Wave != "" {
		t.Errorf("a window after the end: %+v, %v", r, err)
	}
}

// Line coverage is counted on request, into a file of Verilator's.
func TestLineCoverage(t *testing.T) {
	dir := t.TempDir()
	r, err := cosim.Run(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{Unit: "fifo", Coverage: true, OutDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if r.Lines == nil || r.Lines.Points == 0 || r.Lines.Hit != r.Lines.Points || len(r.Lines.Unreached) != 0 {
		t.Errorf("%+v", r.Lines)
	}
	r, err = cosim.Run(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t, "    if (rst) begin", "    if (rst && push && pop && data == 16'd12345 && !put) level <= '0;\n    if (rst) begin")}, cosim.RunOptions{Unit: "fifo", Coverage: true, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Lines.Unreached, []string{"fifo.sv:37 (if)"}) {
		t.Errorf("%+v", r.Lines)
	}
}

// The other simulators pass what is right, and find a fault in the cycle in which
// Verilator finds it. A register that is not reset is unknown in Icarus Verilog.
func TestOtherSimulatorsFindFaults(t *testing.T) {
	run := func(t *testing.T, b *cosimtest.FIFO, simulator string) *cosim.Report {
		r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "fifo", Seed: 7, Cycles: 2000, Simulator: simulator})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := run(t, cosimtest.Bug(t), cosim.Verilator)
	if want.Outcome != cosim.Mismatch {
		t.Fatalf("outcome %s", want.Outcome)
	}
	for _, simulator := range []string{cosim.Icarus, cosim.CXXRTL} {
		t.Run(simulator, func(t *testing.T) {
			if r := run(t, &cosimtest.FIFO{RTL: cosimtest.Design(t)}, simulator); r.Outcome != cosim.Pass || r.Events == 0 {
				t.Errorf("outcome %s after %d events", r.Outcome, r.Events)
			}
			if r := run(t, cosimtest.Bug(t), simulator); r.Outcome != cosim.Mismatch || r.Cycles != want.Cycles {
				t.Errorf("with a fault: outcome %s after %d cycles, want %s after %d", r.Outcome, r.Cycles, want.Outcome, want.Cycles)
			}
		})
	}
	t.Run("not reset", func(t *testing.T) {
		if r := run(t, &cosimtest.FIFO{RTL: cosimtest.Design(t, "      rd_q  <= '0;\n", "")}, cosim.Icarus); r.Outcome != cosim.Mismatch {
			t.Errorf("outcome %s", r.Outcome)
		}
	})
}
