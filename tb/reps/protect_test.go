// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/upset"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/reps"
)

// A timer that wraps soon ends what an exit time does.
const protected = "connections=4 conn_bits=3 evs_bits=8 timer_bits=16 "

// upsets makes upsets in a bench. Random words come in through the port, so that the
// generator's state, which an upset changes for good, is not seen. There are flushes now
// and then, after which a connection is as a new one: what then still differs stays.
func upsets(t *testing.T, b *bench.Bench[*params.Params], settings string) *upset.Result {
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
	r, err := upset.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stays lists what an upset changed for good, or in a tripled memory at all. The ring and
// the queue of coalesced ACKs are not protected: what is wrong in them is used or
// overwritten. An exit time is rewritten once its connection is not frozen.
func stays(r *upset.Result, triple bool) (found []string) {
	for _, e := range r.Elements {
		memory := triple && e.Words > 1 && !strings.HasPrefix(e.Name, "ring.") && !strings.HasPrefix(e.Name, "carry.")
		switch {
		case e.Never > 0:
			found = append(found, e.Name+" is illegal")
		case e.Legal > 0:
			found = append(found, e.Name+" stays")
		case memory && e.Unseen < e.Flips:
			found = append(found, e.Name+" is seen")
		case memory && e.Kept > 0 && !strings.HasPrefix(e.Name, "fail_to_ack."):
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
		t.Run(set, func(t *testing.T) {
			p := suite.Configure(t, protected+set)
			r := upsets(t, reps.Unit.Bench(p), protected+set)
			for _, f := range stays(r, p.Protection == params.Triple) {
				t.Error(f)
			}
		})
	}
}

// Protection that does not work is noticed: mistakes which only an upset shows.
func TestProtectionNotices(t *testing.T) {
	const bram = "state_memory=bram ev_memory=bram state_protection="
	for _, b := range []struct{ name, set, file, from, to, want string }{
		{"there is none", bram + "none", "", "", "", "fail_flag.own_copy.ram.g_slice[0].mem stays"},
		{"one copy decides", bram + "triple", "nic_lib_vote.sv", "(a & b) | (a & c) | (b & c);", "a;",
			"ack_to_ack.ram.g_slice[0].mem is seen"},
		{"one of two is enough for a one", bram + "triple", "nic_lib_vote.sv", "(b & c);", "b;",
			"send_to_send.ram.g_slice[0].mem is seen"},
		{"SEND's state is not rewritten", bram + "triple", "nic_reps.sv", "!send_flush) || p1_settle_q || p1_scrub_q;", "!send_flush) || p1_settle_q;",
			"send_to_send.ram.g_slice[0].mem is kept"},
		{"FAIL's state is not rewritten", bram + "triple", "nic_reps.sv", "fail_freezes || p1_settle_q || p1_scrub_q;", "fail_freezes || p1_settle_q;",
			"fail_flag.ram.g_slice[0].mem is kept"},
		{"the last connection is left out", bram + "triple", "nic_reps.sv", "if (clear_idx_q == IDX_W'(CONNECTIONS - 1)) begin",
			"if (clear_idx_q == (ready_q ? IDX_W'(CONNECTIONS - 2) : IDX_W'(CONNECTIONS - 1))) begin",
			"fail_flag.ram.g_slice[0].mem is kept"},
		{"each lane believes itself", bram + "scrub", "nic_reps.sv", "most = (a && b) || (a && c) || (b && c);", "most = a && (b || c || !c);",
			"fail_flag.own_copy.ram.g_slice[0].mem stays"},
		{"nothing is made of an ACK lane that knows of no freezing", bram + "scrub", "nic_reps.sv", "|| ack_freeze != most_freeze;", ";",
			"fail_to_ack.ram.g_slice[0].mem stays"},
	} {
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
			found := stays(upsets(t, x, protected+b.set), strings.HasSuffix(b.set, "triple"))
			if !slices.Contains(found, b.want) {
				t.Errorf("found %q, want %q", found, b.want)
			}
		})
	}
}

// What state protection costs, by the number of connections. The table is
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
	reports := benchtest.Synthesise(t, designs)
	var rows strings.Builder
	for i, r := range reports {
		n := r.Counts
		fmt.Fprintf(&rows, "| %s | %d | %d | %d | %g | %d |\n", sets[i], n.LUT, n.LUTRAM, n.FF, n.BRAM36, r.RegToReg.Levels)
		if none := reports[i/3*3]; r.RegToReg.Levels > max(6, none.RegToReg.Levels) {
			t.Errorf("%s: %d logic levels, want no more than without protection, or 6", sets[i], r.RegToReg.Levels)
		}
	}
	suite.Page(t, "protection", "# What state protection costs\n\n"+
		"[The REPS buffer](reps.md#state-protection) with and without protection of its state, all else as by default, synthesised\n"+
		"by Yosys for the U280's family: an estimate, not a Vivado result. The latency is the same in all of them.\n\n"+
		"Written by `go test ./tb/reps -run TestProtectionCost -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit reps --set KEY=VALUE` measures.\n\n"+
		"| settings | LUT | of them LUTRAM | FF | RAMB36 | logic levels |\n|---|---:|---:|---:|---:|---:|\n"+rows.String())
}
