// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with, or writes, a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// bug is a FIFO that refuses a push while it is full and popped.
func bug(t *testing.T) *fifoBench {
	return &fifoBench{src: source(t, "fifo", "(DEPTH) || take)", "(DEPTH))")}
}

// Neither batches nor the second thread change a result.
func TestRunPasses(t *testing.T) {
	var first *Report
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 7} {
			var last uint64
			r, err := Run(t.Context(), &fifoBench{src: source(t, "fifo")}, RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent,
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
			if d := cmp.Diff(first, r, cmpopts.IgnoreFields(Report{}, "Seconds", "CyclesPerSecond")); d != "" {
				t.Errorf("concurrent %t, batch %d: %s", concurrent, batch, d)
			}
		}
	}
}

func TestRunFailsAlike(t *testing.T) {
	var first *Report
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 50} {
			r, err := Run(t.Context(), bug(t), RunOptions{Unit: "fifo", Seed: 7, Batch: batch, Concurrent: concurrent})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != Mismatch || r.Failure.Port != "level" || r.Failure.Shrunk.Cycles != 11 || r.Mismatches != 1 || r.Failure.Replay != "" {
				t.Errorf("%+v %+v", r, r.Failure)
			}
			if first == nil {
				first = r
			}
			if d := cmp.Diff(first, r, cmpopts.IgnoreFields(Report{}, "Seconds", "CyclesPerSecond")); d != "" {
				t.Errorf("concurrent %t, batch %d: %s", concurrent, batch, d)
			}
		}
	}
	r, err := Run(t.Context(), bug(t), RunOptions{Unit: "fifo", Seed: 7, NoShrink: true, OutDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != Mismatch || r.Failure.Shrunk != nil || r.Failure.Replay != "" {
		t.Errorf("not to be shrunk: %+v", r.Failure)
	}
}

// What else than a mismatch keeps a run from passing.
func TestRunOutcomes(t *testing.T) {
	src := source(t, "fifo")
	never := []Point{{"a", "", true}, {"b", "", false}, {"c", "", true}, {"d", "", true}}
	for _, c := range []struct {
		name    string
		bench   *fifoBench
		o       RunOptions
		outcome string
		cycles  uint64
		message string
	}{
		{"missed", &fifoBench{src: src}, RunOptions{Cycles: 5, Seed: 1}, Missed, 5, "required coverage points not reached: push/full, pop/empty, both/full"},
		{"verdict", &fifoBench{src: src, judge: "line 7: want 3"}, RunOptions{Cycles: 20000}, Verdict, 20000, "line 7: want 3"},
		{"verdict before missed", &fifoBench{src: src, judge: "line 7: want 3", points: never}, RunOptions{Cycles: 5}, Verdict, 5, "line 7: want 3"},
		{"finite", &fifoBench{src: src, length: 3000}, RunOptions{}, Pass, 3000, ""},
		{"finite and shorter", &fifoBench{src: src, length: 3000}, RunOptions{Cycles: 2000}, Pass, 2000, ""},
		{"finite and longer", &fifoBench{src: src, length: 3000}, RunOptions{Cycles: 4000}, Pass, 3000, ""},
		{"default", &fifoBench{src: src}, RunOptions{}, Pass, DefaultCycles, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Run(t.Context(), c.bench, c.o)
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
		points []Point
		want   string
	}{
		{[]Point{{Name: "a"}}, "golden model counts 4 coverage points, want 1 as its bench lists"},
		{[]Point{{Name: "a"}, {Name: "b"}, {Name: "a"}, {Name: "c"}}, `coverage point "a" appears twice`},
	} {
		_, err := Run(t.Context(), &fifoBench{src: source(t, "fifo"), points: c.points}, RunOptions{Cycles: 10})
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
		_, err := Run(ctx, &fifoBench{src: source(t, "fifo")}, RunOptions{Cycles: 1 << 40, Concurrent: concurrent, OutDir: dir, Wave: "vcd", WaveTo: 100,
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
			r, err := Run(t.Context(), &fifoBench{src: source(t, "fifo")}, RunOptions{Cycles: 500, Seed: 4, OutDir: dir, Wave: "vcd", WaveFrom: c.from, WaveTo: c.to})
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
	r, err := Run(t.Context(), &fifoBench{src: source(t, "fifo")}, RunOptions{Cycles: 500, OutDir: dir, Wave: "vcd", WaveFrom: 600, WaveTo: 700})
	if err != nil || r.Wave != "" {
		t.Errorf("a window after the end: %+v, %v", r, err)
	}

	r, err = Run(t.Context(), bug(t), RunOptions{Seed: 4, OutDir: dir, Wave: "vcd"})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Failure
	vcd, err := os.ReadFile(f.Wave)
	if err != nil {
		t.Fatal(err)
	}
	save, err := os.ReadFile(f.Save)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "failure.gtkw", bytes.ReplaceAll(save, []byte(filepath.Base(f.Wave)), []byte("WAVE")))
	top := string(vcd[bytes.Index(vcd, []byte("$scope module TOP")):])
	top = top[:strings.Index(top[1:], "$scope")]
	for line := range strings.Lines(string(save)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "TOP."); ok {
			name, _, _ = strings.Cut(name, "[")
			if !strings.Contains(top, " "+name+" ") {
				t.Errorf("%s is not in the waveform:\n%s", name, top)
			}
		}
	}
	if times := timeRE.FindAllStringSubmatch(string(vcd), -1); times[len(times)-1][1] != strconv.FormatUint(f.Shrunk.Cycle*10+5, 10) {
		t.Errorf("the waveform ends at %s, the failing cycle is %d", times[len(times)-1][1], f.Shrunk.Cycle)
	}
}

// Reports have the documented keys, and say the same in JUnit's form.
func TestReports(t *testing.T) {
	var reports []*Report
	for _, c := range []struct {
		bench  *fifoBench
		cycles uint64
	}{{&fifoBench{src: source(t, "fifo")}, 20000}, {bug(t), 0}, {&fifoBench{src: source(t, "fifo")}, 5}} {
		r, err := Run(t.Context(), c.bench, RunOptions{Unit: "fifo", Params: map[string]any{"depth": 8}, Seed: 1, Cycles: c.cycles})
		if err != nil {
			t.Fatal(err)
		}
		r.Seconds, r.CyclesPerSecond = 0.25, 4 // not the machine's
		reports = append(reports, r)
	}
	src := source(t, "fifo", "  assign empty = level == '0;", "  assign empty = level == '0;\n  always_ff @(posedge clk) assert (rst || level < 4'd8);")
	r, err := Run(t.Context(), &fifoBench{src: src}, RunOptions{Unit: "other", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.Seconds, r.CyclesPerSecond = 1, 1
	reports = append(reports, r)

	b, err := json.MarshalIndent(reports, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "reports.json", append(b, '\n'))
	var keys []map[string]any
	if err := json.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"unit", "params", "seed", "cycles", "events", "mismatches", "coverage", "missed", "seconds", "cycles_per_second", "failure"} {
		if _, ok := keys[0][k]; !ok {
			t.Errorf("no key %q", k)
		}
	}
	var x bytes.Buffer
	if err := WriteJUnit(&x, reports); err != nil {
		t.Fatal(err)
	}
	golden(t, "reports.xml", x.Bytes())
}

// Line coverage is counted on request, into a file of Verilator's.
func TestLineCoverage(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(t.Context(), &fifoBench{src: source(t, "fifo")}, RunOptions{Unit: "fifo", Coverage: true, OutDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if r.Lines == nil || r.Lines.Points == 0 || r.Lines.Hit != r.Lines.Points || len(r.Lines.Unreached) != 0 {
		t.Errorf("%+v", r.Lines)
	}
	r, err = Run(t.Context(), &fifoBench{src: source(t, "fifo", "    if (rst) begin", "    if (rst && push && pop && data == 16'd12345 && !put) level <= '0;\n    if (rst) begin")}, RunOptions{Unit: "fifo", Coverage: true, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Lines.Unreached, []string{"fifo.sv:37 (if)"}) {
		t.Errorf("%+v", r.Lines)
	}
}
