// SPDX-License-Identifier: Apache-2.0

package soak_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/bench"
)

// smallest returns the unit with the shortest RTL: it compiles quickly.
func smallest(t *testing.T) registry.Unit {
	t.Helper()
	var least registry.Unit
	length := 0
	for _, u := range registry.Units {
		files, err := u.New().Files()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range files {
			n += len(f.Text)
		}
		if length == 0 || n < length {
			least, length = u, n
		}
	}
	return least
}

// plan returns a short run of the default configuration and another.
func plan(t *testing.T, work string) soak.Plan {
	t.Helper()
	u := smallest(t)
	list, err := soak.Configurations(u.New, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return soak.Plan{Unit: u.New().Unit(), Configs: []gen.Config{list[0], list[len(list)-1]}, Bench: u.Bench, Seed: 7, Events: 300_000, Cycles: 80_000, Work: work}
}

// Configurations are legal, different from each other, the same for a seed, and have
// each choice of each enumeration and switch.
func TestConfigurations(t *testing.T) {
	for _, u := range registry.Units {
		name := u.New().Unit()
		list, err := soak.Configurations(u.New, 20, 3)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		chosen := map[string]bool{}
		for _, cfg := range list {
			if err := gen.Validate(cfg); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			d, err := emit.Digest(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if seen[d] {
				t.Errorf("%s: twice %v", name, emit.Values(cfg))
			}
			seen[d] = true
			for _, f := range cfg.Fields() {
				chosen[f.Key+"="+f.Value()] = true
			}
		}
		for _, f := range u.New().Fields() {
			for _, c := range f.Choices {
				if !f.Runtime && !chosen[f.Key+"="+c] {
					t.Errorf("%s: no configuration has %s=%s", name, f.Key, c)
				}
			}
		}
		// Of the numbers that were drawn, at least as many are at an end as between.
		ends, drawn, kinds := 0, 0, map[string]bool{}
		was := u.New().Fields()
		for _, cfg := range list[len(list)-20:] {
			for i, f := range cfg.Fields() {
				if f.Kind() != gen.Int || f.Runtime || f.Value() == was[i].Value() {
					continue
				}
				drawn++
				kinds[f.Key] = true
				if x := *f.Int; x == f.Min || x == f.Max || x == 4**was[i].Int {
					ends++
				}
			}
		}
		if 2*ends < drawn && len(kinds) > 1 { // one number alone is too few to count
			t.Errorf("%s: %d of %d numbers are at an end", name, ends, drawn)
		}
		again, err := soak.Configurations(u.New, 20, 3)
		if err != nil {
			t.Fatal(err)
		}
		values := func(list []gen.Config) (out []map[string]any) {
			for _, cfg := range list {
				out = append(out, emit.Values(cfg))
			}
			return out
		}
		if d := cmp.Diff(values(list), values(again)); d != "" {
			t.Errorf("%s: another list for the same seed: %s", name, d)
		}
	}
}

// A run that is stopped and continued, also after its file was cut short, gives the
// result of one that was not.
func TestContinue(t *testing.T) {
	whole, err := soak.Run(t.Context(), plan(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if !whole.OK() || whole.Events < 300_000 || whole.Mismatches != 0 || whole.Configs[1].Chunks == 0 || whole.Configs[0].Cycles < 2*whole.Configs[1].Cycles {
		t.Errorf("%d events, failures %v, missed %v, %v", whole.Events, whole.Failures, whole.Configs[0].Missed, whole.Configs[1].Missed)
	}
	work := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	p := plan(t, work)
	p.Progress = func(uint64) { stop() }
	if _, err := soak.Run(ctx, p); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(work, "*.jsonl"))
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.HasSuffix(string(text), "}\n") {
		t.Fatalf("kept %q, %v", text, err)
	}
	if err := os.WriteFile(files[0], append(text, text[:len(text)/2]...), 0o600); err != nil {
		t.Fatal(err)
	}
	p = plan(t, work)
	var before uint64
	p.Began = func(n uint64) { before = n }
	res, err := soak.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if before == 0 {
		t.Error("nothing was kept")
	}
	if d := cmp.Diff(whole, res, cmpopts.IgnoreUnexported(soak.Config{})); d != "" {
		t.Errorf("(-in one go +stopped and continued)\n%s", d)
	}
	// A line in the middle that is no chunk is not passed over.
	if err := os.WriteFile(files[0], []byte("{\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := soak.Run(t.Context(), p); err == nil || !strings.Contains(err.Error(), ":1: ") {
		t.Errorf("a damaged file: %v", err)
	}
}

// wrong is a bench whose golden model is wrong from some event on.
type wrong struct {
	cosim.Bench
	after uint64
}

func (w wrong) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	p, err := w.Bench.NewPredictor(l, bare)
	return &wrongPredictor{Predictor: p, after: w.after}, err
}

type wrongPredictor struct {
	cosim.Predictor
	after uint64
}

func (w *wrongPredictor) Step(in, want, care []uint64) {
	w.Predictor.Step(in, want, care)
	if w.Events() > w.after {
		want[0], care[0] = ^want[0], ^uint64(0)
	}
}

// A mismatch is in the result with its seed, can be replayed, and no chunk begins after it.
func TestMismatch(t *testing.T) {
	work := t.TempDir()
	p := plan(t, work)
	right := p.Bench
	p.Bench = func(cfg gen.Config) (cosim.Bench, error) {
		b, err := right(cfg)
		return wrong{b, 3000}, err
	}
	p.Events, p.Cycles = 1_000_000, 4_000
	var told []*cosim.Report
	p.Failed = func(r *cosim.Report) { told = append(told, r) }
	res, err := soak.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if res.OK() || len(res.Failures) == 0 || len(told) != len(res.Failures) || !strings.Contains(res.Failures[0], "seed 7, default: cycle ") || res.Events > 100_000 {
		t.Errorf("%d events, told %d times of failures %v", res.Events, len(told), res.Failures)
	}
	if !slices.ContainsFunc(told, func(r *cosim.Report) bool { _, err := os.Stat(r.Failure.Replay); return err == nil }) {
		t.Error("no replay file")
	}
}

// Lines that one configuration executes do not count for another; seeds of one do.
func TestLines(t *testing.T) {
	p := plan(t, t.TempDir())
	p.Lines, p.Events = true, 0
	file := p.Configs[0].Top() + ".sv"
	reached := bench.Unreachable{File: file, Line: "if (rst_q) begin (if)", Reason: "for the test"}
	p.Unreachable = []bench.Unreachable{reached, {File: file, Line: "if (rst_q) begin (else)", Chance: true}}
	res, err := soak.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Configs {
		if c.Lines == 0 || c.Points == 0 || c.Reached == 0 {
			t.Errorf("%v: %d of %d points, %d lines", c.Changed, c.Reached, c.Points, c.Lines)
		}
	}
	if len(res.Failures) != 2 || !strings.Contains(res.Failures[0], file+": "+reached.Line+": executed, though") {
		t.Errorf("failures %q, want one for each configuration that executed %q", res.Failures, reached.Line)
	}
	if n := res.Unexecuted(); n != 0 {
		t.Errorf("%d lines not executed: %v, %v", n, res.Configs[0].Unexecuted, res.Configs[1].Unexecuted)
	}
}

// The lines on record as unreachable are in the RTL of the unit, with a reason.
func TestUnreachable(t *testing.T) {
	some := false
	for _, u := range registry.Units {
		for _, x := range u.Unreachable {
			some = true
			if !inSome(t, u, x.File, x.Line[:strings.LastIndex(x.Line, " (")]) {
				t.Errorf("no configuration of %s has %q in %s", u.New().Unit(), x.Line, x.File)
			}
			if x.Reason == "" {
				t.Errorf("%s: %s: %q: no reason", u.New().Unit(), x.File, x.Line)
			}
		}
	}
	if !some {
		t.Error("no line is on record")
	}
}

// inSome reports whether a configuration that nicgen coverage draws has a line in a file.
func inSome(t *testing.T, u registry.Unit, file, line string) bool {
	t.Helper()
	list, err := soak.Configurations(u.New, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, cfg := range list {
		files, err := cfg.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Name == file && strings.Contains(f.Text, line) {
				return true
			}
		}
	}
	return false
}

// With a record, only configurations of other RTL run, and the result equals a run without a
// record.
func TestRecord(t *testing.T) {
	whole, err := soak.Run(t.Context(), plan(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	read := func() *soak.Result {
		r, err := soak.ReadResult(name)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		name   string
		stale  int // place of the configuration of other RTL; -1: none
		chunks int // that run
	}{{"as it is", -1, 0}, {"the default", 0, whole.Configs[0].Chunks}, {"the other", 1, whole.Configs[1].Chunks}} {
		t.Run(c.name, func(t *testing.T) {
			p, ran := plan(t, t.TempDir()), 0
			p.Record, p.Progress = read(), func(uint64) { ran++ }
			if c.stale >= 0 {
				p.Record.Configs[c.stale].RTL = "other"
				p.Record.Configs[c.stale].Reached = 0
			}
			got, err := soak.Run(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if ran != c.chunks {
				t.Errorf("%d chunks ran, want %d", ran, c.chunks)
			}
			again, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(text), string(again)); d != "" {
				t.Errorf("another result than without the record (-want +got)\n%s", d)
			}
		})
	}
	for _, c := range []struct {
		name   string
		change func(p *soak.Plan)
		want   string
	}{
		{"of another seed", func(p *soak.Plan) { p.Record.Seed = 8 }, "with seed 8"},
		{"of fewer events and other RTL", func(p *soak.Plan) { p.Events, p.Record.Configs[1].RTL = 1<<40, "other" }, "of 1099511627776 events and is of other RTL in"},
		{"of fewer events and unknown points", func(p *soak.Plan) { p.Events = 1 << 40; p.Record.Configs[0].Reached-- }, "does not name the points that default did not reach"},
		{"of fewer events and failures", func(p *soak.Plan) { p.Events, p.Record.Mismatches = 1<<40, 1 }, "has failures"},
		{"of other configurations", func(p *soak.Plan) { p.Record.Configs[1].Changed["x"] = 1 }, "x=1, want"},
		{"of lines", func(p *soak.Plan) { p.Lines = true }, "count them all again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, t.TempDir())
			p.Record = read()
			c.change(&p)
			if _, err := soak.Run(t.Context(), p); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// A record with fewer events is continued: the result equals one run, for any number of parts.
func TestContinueRecord(t *testing.T) {
	whole, err := soak.Run(t.Context(), plan(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "record.json")
	for part, events := range []uint64{1, 200_000, 300_000} {
		p := plan(t, t.TempDir()) // other folders: only the record is continued
		p.Events = events
		if part > 0 {
			if p.Record, err = soak.ReadResult(name); err != nil {
				t.Fatal(err)
			}
			if p.Record.Events >= events {
				t.Fatalf("part %d has %d events: nothing is continued", part, p.Record.Events)
			}
		}
		var ran int
		p.Progress = func(uint64) { ran++ }
		res, err := soak.Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if ran == 0 || part > 0 && ran >= res.Chunks {
			t.Errorf("part %d ran %d chunks of %d", part, ran, res.Chunks)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("another result than of one run (-want +got)\n%s", d)
	}
}
