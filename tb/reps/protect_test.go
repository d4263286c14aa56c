// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/reps"
)

// A timer that wraps soon ends what an exit time does.
const protected = "connections=4 conn_bits=3 evs_bits=8 timer_bits=16 "

// upsets makes upsets in a bench. Random words come in through the port, so that the
// generator's state, which an upset changes for good, is not seen. There are flushes now
// and then, after which a connection is as a new one: what then still differs stays.
// If the unit is idle, there is nothing from before the first upset on.
func upsets(t *testing.T, b *bench.Bench[*params.Params], settings string, idle bool) *upset.Result {
	t.Helper()
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	p, err := upset.NewPlan(suite.Configure(t, settings), "", reps.New, reps.Upset)
	if err != nil {
		t.Fatal(err)
	}
	p.Bench, p.Hold, p.Quiet = b, map[string]uint64{"s_send_inject": 1}, nil
	p.Seed, p.Runs, p.Flips, p.Cycles = 1, 2, 24, 8192
	if idle {
		p.Quiet, p.Cycles = []string{"s_ack_valid", "s_fail_valid", "s_flush_valid", "s_send_valid", "s_seed_valid"}, 256
	}
	r, err := upset.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lasting lists what an upset changed for good, and, if words are kept three times, the
// memories in which it was seen at all. The ring and the queue of coalesced ACKs are not
// protected: what is wrong in them is used or overwritten.
func lasting(r *upset.Result, triple bool) (found []string) {
	for _, e := range r.Elements {
		if e.Never > 0 || e.Legal > 0 {
			found = append(found, e.Name+" stays")
		}
		if memory := e.Words > 1 && !strings.HasPrefix(e.Name, "answer.ring.") && !strings.HasPrefix(e.Name, "carry."); triple && memory && e.Unseen < e.Flips {
			found = append(found, e.Name+" is seen")
		}
	}
	return found
}

// kept lists the memories in which an upset is not mended by the turns of an idle unit's
// connections: of shared bits, and if words are kept three times of the rest. An exit
// time is mended once its connection is not frozen.
func kept(r *upset.Result, triple bool) (found []string) {
	for _, e := range r.Elements {
		flags := strings.Contains(e.Name, "_flag")
		words := strings.HasPrefix(e.Name, "lanes.memories.ack_") || strings.HasPrefix(e.Name, "lanes.memories.send_")
		if (flags || triple && words) && e.Words > 1 && e.Kept > 0 {
			found = append(found, e.Name+" is kept")
		}
	}
	return found
}

// With state protection no upset, of whatever register or memory, lasts; with words
// kept three times none of their memories is ever seen.
func TestProtection(t *testing.T) {
	for _, set := range []string{
		"state_protection=scrub state_memory=bram ev_memory=bram",
		"state_protection=scrub state_memory=lutram ack_coalescing=reuse ack_coalescing_ratio=3",
		"state_protection=triple state_memory=bram ev_memory=bram ack_coalescing=carry ack_coalescing_ratio=2",
		"state_protection=triple state_memory=lutram",
	} {
		if sample.LeftOut(t.Name() + "/" + set) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			p := suite.Configure(t, protected+set)
			triple := p.Protection == params.Triple
			for _, f := range lasting(upsets(t, reps.Unit.Bench(p), protected+set, false), triple) {
				t.Error(f)
			}
			if p.StateMemory == gen.LUTRAM && !triple {
				return // its flags have two copies, in one memory with two ports
			}
			for _, f := range kept(upsets(t, reps.Unit.Bench(p), protected+set, true), triple) {
				t.Error(f)
			}
		})
	}
}

// Protection that does not work is noticed: mistakes which only an upset shows.
func TestProtectionNotices(t *testing.T) {
	const bram = "state_memory=bram ev_memory=bram state_protection="
	for _, b := range []struct{ name, set, file, from, to, want string }{
		{"there is none", bram + "none", "", "", "", "lanes.memories.fail_flag.own_copy.ram.g_slice[0].mem stays"},
		{"one copy decides", bram + "triple", "nic_lib_vote.sv", "(a & b) | (a & c) | (b & c);", "a;",
			"lanes.memories.ack_to_ack.ram.g_slice[0].mem is seen"},
		{"one of two is enough for a one", bram + "triple", "nic_lib_vote.sv", "(b & c);", "b;",
			"lanes.memories.ack_to_ack.ram.g_slice[0].mem is seen"},
		{"ACK's state is not rewritten", bram + "triple", "nic_reps_lanes.sv", "p2_good || p2_flush || p2_scrub;", "p2_good || p2_flush;",
			"lanes.memories.ack_to_ack.ram.g_slice[0].mem is kept"},
		{"SEND's state is not rewritten", bram + "triple", "nic_reps_lanes.sv", "!send_flush) || p2_settle || p2_scrub;", "!send_flush) || p2_settle;",
			"lanes.memories.send_to_send.ram.g_slice[0].mem is kept"},
		{"FAIL's state is not rewritten", bram + "scrub", "nic_reps_lanes.sv", "fail_freezes || p2_settle || p2_scrub;", "fail_freezes || p2_settle;",
			"lanes.memories.fail_flag.other_copy.ram.g_slice[0].mem is kept"},
		{"a connection is left out", bram + "scrub", "nic_reps.sv", "if (clear_idx_q == IDX_W'(ROWS - 1)) begin",
			"if (clear_idx_q == (ready_q ? IDX_W'(ROWS - 2) : IDX_W'(ROWS - 1))) begin",
			"lanes.memories.fail_flag.own_copy.ram.g_slice[0].mem is kept"},
		{"each lane believes itself", bram + "scrub", "nic_reps_lanes.sv", "most = (a && b) || (a && c) || (b && c);", "most = a && (b || c || !c);",
			"lanes.memories.ack_flags.own_copy.ram.g_slice[0].mem is kept"},
	} {
		if sample.LeftOut(t.Name() + "/" + b.name) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			x := reps.Unit.Bench(suite.Configure(t, protected+b.set))
			x.Edit = func(name, text string) string {
				if name != b.file {
					return text
				}
				if n := strings.Count(text, b.from); n != 1 {
					t.Fatalf("%s has %q %d times, want once", name, b.from, n)
				}
				return strings.Replace(text, b.from, b.to, 1)
			}
			triple, idle := strings.HasSuffix(b.set, "triple"), strings.HasSuffix(b.want, "kept")
			r := upsets(t, x, protected+b.set, idle)
			found := lasting(r, triple)
			if idle {
				found = kept(r, triple)
			}
			if !slices.Contains(found, b.want) {
				t.Errorf("found %q, want %q", found, b.want)
			}
		})
	}
}

// A copy of freeze that differs is mended in its connection's turn and counted once. A
// freezing that two lanes know of goes on; one that the ACK lane does not know of, which
// then would never end, ends.
func TestFreezeCopies(t *testing.T) {
	b := reps.Unit.Bench(suite.Configure(t, protected+"state_protection=scrub state_memory=bram ev_memory=bram"))
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{State: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, c := range []struct {
		copy    string
		bit     int
		freezes uint64 // with the one after the upset
	}{
		{"lanes.memories.fail_flag.own_copy.ram.g_slice[0].mem", 0, 1},
		{"lanes.memories.fail_flag.other_copy.ram.g_slice[0].mem", 0, 1},
		{"lanes.memories.fail_to_ack.ram.g_slice[0].mem", int(b.P.TimerBits), 2},
	} {
		const conn = 2
		l := lib.Layout()
		m, err := lib.New(cosim.InstanceOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		out := make([]uint64, l.OutWords)
		run := func(cycles int, set map[string]uint64) {
			in := make([]uint64, l.InWords)
			l.MustSlot("cfg_freezing").Set(in, 1)
			l.MustSlot("cfg_freezing_timeout_ns").Set(in, 1000)
			for port, x := range set {
				l.MustSlot(port).Set(in, x)
			}
			for range cycles {
				if _, err := m.Run(in, out); err != nil {
					t.Fatal(err)
				}
			}
		}
		fail := map[string]uint64{"s_fail_valid": 1, "s_fail_conn": conn}
		run(2, map[string]uint64{"rst": 1})
		run(int(2*b.P.Connections)+2, nil)
		run(1, fail)
		run(5, nil)
		state, err := m.State(nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(lib.Elements(), func(e cosim.Element) bool { return e.Name == c.copy })
		if i < 0 {
			t.Fatalf("no memory %s", c.copy)
		}
		lib.Elements()[i].Flip(state, conn, c.bit)
		if err := m.SetState(state); err != nil {
			t.Fatal(err)
		}
		run(int(4*b.P.Connections), nil)
		run(1, fail)
		run(6, nil)
		if got := l.MustSlot("sts_freeze_cnt").Get(out); got != c.freezes {
			t.Errorf("%s: %d freezings, want %d", c.copy, got, c.freezes)
		}
		if got := l.MustSlot("sts_corrected_cnt").Get(out); got != 1 {
			t.Errorf("%s: corrected %d times, want once", c.copy, got)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The cost of state protection, by number of connections. The table is
// docs/units/reps_protection.md.
func TestProtectionCost(t *testing.T) {
	var designs []benchtest.Design
	var sets []string
	for _, connections := range []int{64, 256, 4096} {
		for _, kind := range []string{params.None, params.Scrub, params.Triple} {
			set := fmt.Sprintf("connections=%d state_protection=%s", connections, kind)
			p := suite.Configure(t, set)
			sets = append(sets, set)
			designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p)})
		}
	}
	reports := suite.Synthesise(t, "protection", designs)
	var rows strings.Builder
	for i, r := range reports {
		n := r.Counts
		fmt.Fprintf(&rows, "| %s | %d | %d | %d | %g | %d |\n", sets[i], n.LUT, n.LUTRAM, n.FF, n.BRAM36, r.RegToReg.Levels)
		if none := reports[i/3*3]; r.RegToReg.Levels > max(8, none.RegToReg.Levels) {
			t.Errorf("%s: %d logic levels, want no more than without protection, or 8", sets[i], r.RegToReg.Levels)
		}
	}
	suite.Page(t, "protection", "# Cost of state protection\n\n"+
		"[The REPS buffer](reps_details.md#state-protection) with and without protection of its state, all else as by default, synthesised\n"+
		"by Yosys for the U280's family: an estimate, not a Vivado result. The latency is the same in all of them.\n\n"+
		"Written by `go test ./tb/reps -run TestProtectionCost -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit reps --set KEY=VALUE` measures.\n\n"+
		"| settings | LUT | of them LUTRAM | FF | RAMB36 | logic levels |\n|---|---:|---:|---:|---:|---:|\n"+rows.String())
}
