// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
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

// TestMain keeps the tests' models out of the user's cache, unless a cache is
// named.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv(cosim.CacheEnv) == "" {
			dir, err := os.MkdirTemp("", "nicgen-cosim")
			if err != nil {
				panic(err)
			}
			defer os.RemoveAll(dir)
			os.Setenv(cosim.CacheEnv, dir)
		}
		return m.Run()
	}())
}

var timeRE = regexp.MustCompile(`(?m)^#(\d+)$`)

// The waveform of a failure ends with the failing cycle, and the names in its save file are in it.
func TestWaveform(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(t.Context(), cosimtest.Bug(t), Options{RunOptions: cosim.RunOptions{Seed: 4, OutDir: dir, Wave: "vcd"}})
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
	var reports []*cosim.Report
	for _, c := range []struct {
		bench  *cosimtest.FIFO
		cycles uint64
	}{{&cosimtest.FIFO{RTL: cosimtest.Design(t)}, 20000}, {cosimtest.Bug(t), 0}, {&cosimtest.FIFO{RTL: cosimtest.Design(t)}, 5}} {
		r, err := Run(t.Context(), c.bench, Options{RunOptions: cosim.RunOptions{Unit: "fifo", Params: map[string]any{"depth": 8}, Seed: 1, Cycles: c.cycles}})
		if err != nil {
			t.Fatal(err)
		}
		r.Seconds, r.CyclesPerSecond = 0.25, 4 // not the machine's
		reports = append(reports, r)
	}
	src := cosimtest.Design(t, "  assign empty = level == '0;", "  assign empty = level == '0;\n  always_ff @(posedge clk) assert (rst || level < 4'd8);")
	r, err := Run(t.Context(), &cosimtest.FIFO{RTL: src}, Options{RunOptions: cosim.RunOptions{Unit: "other", Seed: 1}})
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
	if err := cosim.WriteJUnit(&x, reports); err != nil {
		t.Fatal(err)
	}
	golden(t, "reports.xml", x.Bytes())
}

// A fault in the RTL is a separate outcome, shrunk and saved like a mismatch.
func TestRunFault(t *testing.T) {
	src := cosimtest.Design(t, "  assign empty = level == '0;", "  assign empty = level == '0;\n  always_ff @(posedge clk) assert (rst || level < 4'd8 || data < 16'hf000);")
	dir := t.TempDir()
	r, err := Run(t.Context(), &cosimtest.FIFO{RTL: src}, Options{RunOptions: cosim.RunOptions{Unit: "fifo", Seed: 3, OutDir: dir, Wave: "vcd"}})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Failure
	if r.Outcome != cosim.Fault || r.Mismatches != 0 || f.File != "fifo.sv" || f.Line == 0 || f.Shrunk == nil {
		t.Fatalf("%+v %+v", r, f)
	}
	if f.Shrunk.Cycles != 10 {
		t.Errorf("shrunk to %d cycles, want reset, 8 pushes, failure: %v", f.Shrunk.Cycles, f.Shrunk.Inputs)
	}
	rec, err := ReadReplay(f.Replay)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Replay(t.Context(), rec, &cosimtest.FIFO{RTL: src}, cosim.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Outcome != cosim.Fault || len(again.Notes) > 0 {
		t.Errorf("replay: %+v %+v", again, again.Failure)
	}
}

// A device that ends before its first cycle is reported the same way.
func TestRunFaultAtPowerUp(t *testing.T) {
	src := cosimtest.Design(t, "  assign empty = level == '0;", "  assign empty = level == '0;\n  logic [7:0] rom[2];\n  initial $readmemh(\"nowhere.mem\", rom);\n  always_ff @(posedge clk) assert (rom[0] <= 8'd255);")
	src.Files[0].Text = strings.Replace(src.Files[0].Text, "rom[0] <= 8'd255", "rom[0] != rom[1] || rst || !rst", 1)
	dir := t.TempDir()
	r, err := Run(t.Context(), &cosimtest.FIFO{RTL: src}, Options{RunOptions: cosim.RunOptions{Unit: "fifo", OutDir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != cosim.Fault || r.Cycles != 0 || !strings.Contains(r.Failure.Message, "not found") || r.Failure.Replay == "" {
		t.Errorf("%+v %+v", r, r.Failure)
	}
}
