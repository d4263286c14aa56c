// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/svparse"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/synth"
	bench "github.com/nicgen/nicgen/tb/reps_detector"
)

// A corner is a configuration, as settings that differ from the default, and the
// number of cycles that reach every coverage point and 100,000 events.
type corner struct {
	name, set string
	cycles    uint64
}

// cornerEvents is the number of events that each corner must see at least.
const cornerEvents = 100_000

// corners covers both ends of every parameter, each choice, and both sides of the
// number of connections at which the memory changes.
var corners = []corner{
	{"default", "", 300_000},
	{"smallest", "connections=1 conn_bits=1 rtt_bits=8 timer_bits=16 counter_bits=8 state_memory=lutram " +
		"rtt_threshold_ns=0 window_ns=0", 300_000},
	{"largest", "connections=65536 conn_bits=24 rtt_bits=32 timer_bits=64 counter_bits=64 state_memory=bram " +
		"trimming=true rtt_threshold_ns=4294967295 window_ns=4611686018427387903", 1_000_000},
	{"one connection in block RAM", "connections=1 conn_bits=24 state_memory=bram", 300_000},
	{"two connections, no illegal number", "connections=2 conn_bits=1 timer_bits=17", 300_000},
	{"three connections", "connections=3 conn_bits=2 rtt_bits=9", 300_000},
	{"64 connections, wide", "connections=64 conn_bits=6 rtt_bits=32 timer_bits=64 counter_bits=9", 300_000},
	{"65 connections", "connections=65 conn_bits=7 timer_bits=16", 300_000},
	{"255 connections", "connections=255 conn_bits=8 rtt_bits=31 timer_bits=63", 300_000},
	{"257 connections in LUTRAM", "connections=257 conn_bits=9 state_memory=lutram timer_bits=32", 300_000},
	{"1024 connections in LUTRAM, no illegal number", "connections=1024 conn_bits=10 state_memory=lutram", 400_000},
	{"65535 connections", "connections=65535 conn_bits=16 timer_bits=36", 1_000_000},
	{"65536 connections, no illegal number", "connections=65536 conn_bits=16 rtt_bits=8 timer_bits=16", 1_000_000},
}

// configure is the default with settings applied, one "key=value" a word.
func configure(t testing.TB, set string) *params.Params {
	t.Helper()
	p := params.Default()
	for _, s := range strings.Fields(set) {
		if err := gen.Set(p, s); err != nil {
			t.Fatal(err)
		}
	}
	// Rules over several parameters hold for defaults of run-time settings too.
	if !strings.Contains(set, "rtt_threshold_ns") {
		p.RTTThresholdNS = min(p.RTTThresholdNS, 1<<p.RTTBits-1)
	}
	if !strings.Contains(set, "window_ns") {
		p.WindowNS = min(p.WindowNS, 1<<min(p.TimerBits, 62)-1)
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// texts are the files of a configuration, as the linter takes them.
func texts(t testing.TB, p *params.Params) []synth.File {
	t.Helper()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	var out []synth.File
	for _, f := range files {
		out = append(out, synth.File(f))
	}
	return out
}

// Every corner is clean in nicgen's own parser, Verilator and Yosys, and equals the
// golden model over 100,000 events that reach every coverage point.
func TestCorners(t *testing.T) {
	for i, c := range corners {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := configure(t, c.set)
			files := texts(t, p)
			for _, f := range files {
				parsed, err := svparse.Parse(f.Name, f.Text)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range svparse.Check(parsed) {
					t.Error(x)
				}
			}
			findings, err := synth.Lint(t.Context(), synth.LintRequest{Top: p.Top(), Files: files})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range findings {
				t.Error(x)
			}
			r := run(t, &bench.Bench{P: p}, uint64(i)+1, c.cycles)
			if r.Events < cornerEvents {
				t.Errorf("%d events, want at least %d: raise the cycles", r.Events, cornerEvents)
			}
		})
	}
}

// edges lists what the corners leave out: an end of a number's range, a choice, a
// position of a switch.
func edges(t *testing.T, corners []corner) (missing []string) {
	t.Helper()
	seen := map[string]map[string]bool{}
	var fields []gen.Field
	for _, c := range corners {
		fields = configure(t, c.set).Fields()
		for _, f := range fields {
			if seen[f.Key] == nil {
				seen[f.Key] = map[string]bool{}
			}
			seen[f.Key][f.Value()] = true
		}
	}
	for _, f := range fields {
		want := []string{"true", "false"}
		switch f.Kind() {
		case gen.Enum:
			want = f.Choices
		case gen.Int:
			want = []string{fmt.Sprint(f.Min), fmt.Sprint(f.Max)}
		}
		for _, v := range want {
			if !seen[f.Key][v] {
				missing = append(missing, f.Key+"="+v)
			}
		}
	}
	return missing
}

// A parameter that is never varied hides bugs: the corners go to both ends of
// each, and a list without one of them is noticed.
func TestCornersReachEveryEnd(t *testing.T) {
	if m := edges(t, corners); len(m) > 0 {
		t.Errorf("no corner has %v", m)
	}
	m := edges(t, corners[:1])
	for _, f := range params.Default().Fields() {
		if !slices.ContainsFunc(m, func(s string) bool { return strings.HasPrefix(s, f.Key+"=") }) {
			t.Errorf("a list of only the default configuration is said to vary %s", f.Key)
		}
	}
}

// A bench whose stimulus is cut short misses coverage points, and says which.
func TestShortRunMisses(t *testing.T) {
	b := &bench.Bench{P: params.Default()}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "reps_detector", Seed: 1, Cycles: 270})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != cosim.Missed || !slices.Contains(r.Missed, "timeout/exact") {
		t.Errorf("outcome %s, missed %v: want a run of 270 cycles to miss timeout/exact", r.Outcome, r.Missed)
	}
}
