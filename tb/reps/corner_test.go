// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/svparse"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/reps"
)

// A corner is a configuration, as settings that differ from the default, and the
// number of cycles that reach every coverage point and 100,000 events.
type corner struct {
	name, set string
	cycles    uint64
}

// cornerEvents is the number of events that each corner must see at least.
const cornerEvents = 100_000

// corners covers both ends of every parameter, each choice, and the pairs of
// memory kind, number of connections and coalescing variant that make different
// hardware.
var corners = []corner{
	{"default", "", 500_000},
	{"smallest", "evs_bits=1 buffer_depth=2 connections=1 conn_bits=1 explore_stride=1 timer_bits=16 counter_bits=8 " +
		"carry_queue_depth=2 state_memory=lutram ev_memory=lutram random_seed=0 freezing_timeout_ns=0 num_pkts_cwnd=0 ev_base=0", 500_000},
	{"largest but for connections", "evs_bits=16 buffer_depth=64 connections=256 conn_bits=24 explore_stride=64 timer_bits=64 nic_ports=8 " +
		"ack_coalescing=carry ack_coalescing_ratio=16 carry_queue_depth=64 state_memory=bram ev_memory=bram counter_bits=64 " +
		"random_seed=9223372036854775807 mode=ecmp freezing=false freezing_timeout_ns=4611686018427387903 num_pkts_cwnd=65535 ev_base=65535", 1_500_000},

	// one to three connections
	{"one connection, wide number", "connections=1 conn_bits=24 state_memory=bram ev_memory=bram timer_bits=64", 500_000},
	{"one connection, deep ring", "connections=1 conn_bits=2 buffer_depth=64 explore_stride=1 state_memory=lutram ev_memory=bram", 500_000},
	{"two connections, no illegal number", "connections=2 conn_bits=1 buffer_depth=2 explore_stride=2 evs_bits=15 timer_bits=16 freezing_timeout_ns=100", 500_000},
	{"two connections, deep ring", "connections=2 conn_bits=16 buffer_depth=64 explore_stride=64 evs_bits=2 state_memory=bram ev_memory=lutram", 500_000},
	{"three connections", "connections=3 conn_bits=2 nic_ports=3 mode=ops counter_bits=9", 500_000},
	{"three connections in block RAM", "connections=3 conn_bits=2 state_memory=bram ev_memory=bram buffer_depth=4 explore_stride=4", 500_000},

	// around 256
	{"255 connections", "connections=255 conn_bits=8 nic_ports=2", 500_000},
	{"256 connections, no illegal number", "connections=256 conn_bits=8 evs_bits=8 counter_bits=8", 500_000},
	{"257 connections", "connections=257 conn_bits=9 timer_bits=48 nic_ports=5", 500_000},
	{"257 connections in LUTRAM", "connections=257 conn_bits=9 state_memory=lutram ev_memory=lutram buffer_depth=4 explore_stride=2", 500_000},

	// where the choice of memories changes: 64 connections, 64 EVs, 512 connections
	{"32 connections of 2", "connections=32 conn_bits=5 buffer_depth=2 explore_stride=1", 500_000},
	{"33 connections of 2", "connections=33 conn_bits=6 buffer_depth=2 explore_stride=2", 500_000},
	{"64 connections", "connections=64 conn_bits=6 evs_bits=7", 500_000},
	{"65 connections", "connections=65 conn_bits=7 evs_bits=9", 500_000},
	{"512 connections", "connections=512 conn_bits=9", 500_000},
	{"513 connections", "connections=513 conn_bits=10", 500_000},

	// many
	{"1024 connections", "connections=1024 conn_bits=10 nic_ports=8", 600_000},
	{"1024 connections in LUTRAM", "connections=1024 conn_bits=11 state_memory=lutram buffer_depth=2 explore_stride=1", 600_000},
	{"65536 connections", "connections=65536 conn_bits=16", 1_500_000},
	{"65536 connections, wide number, shallow ring", "connections=65536 conn_bits=24 buffer_depth=2 explore_stride=1 evs_bits=1 timer_bits=16 freezing_timeout_ns=32767", 1_500_000},
	{"65535 connections", "connections=65535 conn_bits=16 buffer_depth=16 evs_bits=8", 1_500_000},

	// ACK coalescing: reuse
	{"reuse 2", "ack_coalescing=reuse ack_coalescing_ratio=2", 600_000},
	{"reuse 3, one connection", "ack_coalescing=reuse ack_coalescing_ratio=3 connections=1 conn_bits=1 buffer_depth=2 explore_stride=1", 500_000},
	{"reuse 3, block RAM", "ack_coalescing=reuse ack_coalescing_ratio=3 connections=3 conn_bits=2 state_memory=bram ev_memory=bram evs_bits=3", 500_000},
	{"reuse 16", "ack_coalescing=reuse ack_coalescing_ratio=16 connections=17 conn_bits=5 buffer_depth=2", 600_000},
	{"reuse 16, deep ring", "ack_coalescing=reuse ack_coalescing_ratio=16 connections=257 conn_bits=9 buffer_depth=64 explore_stride=32 timer_bits=64", 1_000_000},

	// ACK coalescing: carry
	{"carry 2, shortest queue", "ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=2 connections=2 conn_bits=1", 600_000},
	{"carry 2, longest queue", "ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=64 connections=257 conn_bits=9", 600_000},
	{"carry 3", "ack_coalescing=carry ack_coalescing_ratio=3 carry_queue_depth=4 connections=3 conn_bits=2 nic_ports=3 state_memory=bram ev_memory=bram", 600_000},
	{"carry 16, shortest queue", "ack_coalescing=carry ack_coalescing_ratio=16 carry_queue_depth=2 connections=1 conn_bits=1 evs_bits=1 buffer_depth=2 explore_stride=2", 600_000},
	{"carry 16, longest queue, LUTRAM", "ack_coalescing=carry ack_coalescing_ratio=16 carry_queue_depth=64 connections=65 conn_bits=8 state_memory=lutram ev_memory=lutram timer_bits=16 freezing_timeout_ns=5", 600_000},
}

// configure is the default with settings applied, one "key=value" a word.
func configure(t testing.TB, set string) *params.Params {
	t.Helper()
	p := params.Default()
	// Rules over several parameters hold for defaults of run-time settings too.
	for _, s := range strings.Fields(set) {
		if err := gen.Set(p, s); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(set, "timer_bits") && !strings.Contains(set, "freezing_timeout_ns") {
		p.FreezingTimeoutNS = min(p.FreezingTimeoutNS, 1<<min(p.TimerBits-1, 62)-1)
	}
	if !strings.Contains(set, "explore_stride") {
		p.ExploreStride = min(p.ExploreStride, p.BufferDepth)
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
			r := run(t, &reps.Bench{P: p}, uint64(i)+1, c.cycles)
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
	b := &reps.Bench{P: params.Default()}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(context.Background(), b, cosim.RunOptions{Unit: "reps", Seed: 1, Cycles: 540})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != cosim.Missed || !slices.Contains(r.Missed, "send/frozen/full") {
		t.Errorf("outcome %s, missed %v: want a run of 540 cycles to miss send/frozen/full", r.Outcome, r.Missed)
	}
}
