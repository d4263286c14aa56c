// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	seu "github.com/nicgen/nicgen/check/upset"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/powertcp"
)

const protected = "connections=4 conn_bits=3 state_memory=bram "

// tables lists the changes caused by an upset of the link-rate table or of a τ: outputs, or
// the state at the end. The logic that writes the table must not write it without a
// request.
func tables(t *testing.T, b *bench.Bench[*params.Params], settings string) (found []string) {
	t.Helper()
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	p, err := seu.NewPlan(suite.Configure(t, settings), "", powertcp.New, powertcp.Upset)
	if err != nil {
		t.Fatal(err)
	}
	p.Bench = b
	p.Seed, p.Runs, p.Flips, p.Cycles = 1, 2, 24, 8192
	r, err := seu.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	memories := 0
	for _, e := range r.Elements {
		part := strings.Split(e.Name, ".")
		switch {
		case slices.Contains(part, "rates"), slices.Contains(part, "knowns"), slices.Contains(part, "taus") && e.Words > 1:
			memories++
			if e.Unseen < e.Flips {
				found = append(found, e.Name+" is seen")
			}
			if e.Kept > 0 {
				found = append(found, e.Name+" is kept")
			}
		case e.Name == "links.new_q" && e.Legal > 0:
			found = append(found, e.Name+" stays")
		}
	}
	if memories == 0 {
		t.Fatal("there is no memory to protect")
	}
	return found
}

// With state protection no upset of the link-rate table or of a connection's τ is ever
// seen, and it is mended.
func TestProtection(t *testing.T) {
	for _, set := range []string{
		"state_protection=triple hops=2",
		"state_protection=triple hops=2 throughput=ack",
		"state_protection=triple variant=theta",
	} {
		if sample.LeftOut(t.Name() + "/" + set) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			for _, f := range tables(t, powertcp.Unit.Bench(suite.Configure(t, protected+set)), protected+set) {
				t.Error(f)
			}
		})
	}
}

// Protection that does not work is noticed: mistakes which only an upset shows.
func TestProtectionNotices(t *testing.T) {
	const vote = "(a & b) | (a & c) | (b & c);"
	for _, b := range []struct{ name, set, file, from, to, want string }{
		{"there is none", "state_protection=none hops=2", "", "", "", "links.g_copy[0].rates is seen"},
		{"one copy decides", "state_protection=triple variant=theta", "nic_lib_vote.sv", vote, "a;", "base.taus.g_slice[0].mem is seen"},
		{"one of two is enough for a one", "state_protection=triple hops=2", "nic_lib_vote.sv", vote, "(a & b) | (a & c) | b;", "links.g_copy[0].knowns is seen"},
		{"an entry is not written back", "state_protection=triple hops=2", inRates, "late_differ && !new_q[RATE_LAT];", "late_differ && 1'b0;", "links.g_copy[0].rates is kept"},
		{"whether there is an entry is not written back", "state_protection=triple hops=2", inRates, "p1_differ && !new_q[0];", "p1_differ && 1'b0;", "links.g_copy[0].knowns is kept"},
		{"an entry is written back to the next row", "state_protection=triple hops=2", inRates, "code_q : back_code_q;", "code_q : back_code_q + 1'b1;", "links.g_copy[0].rates is kept"},
	} {
		if sample.LeftOut(t.Name() + "/" + b.name) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			x := powertcp.Unit.Bench(suite.Configure(t, protected+b.set))
			x.Edit = func(name, text string) string {
				if name != b.file {
					return text
				}
				if n := strings.Count(text, b.from); n != 1 {
					t.Fatalf("%s has %q %d times, want once", name, b.from, n)
				}
				return strings.Replace(text, b.from, b.to, 1)
			}
			if found := tables(t, x, protected+b.set); !slices.Contains(found, b.want) {
				t.Errorf("found %q, want %q", found, b.want)
			}
		})
	}
}

// The cost of state protection, by variant. The table is docs/units/powertcp_protection.md.
func TestProtectionCost(t *testing.T) {
	var designs []benchtest.Design
	var sets []string
	for _, variant := range []string{"variant=int", "throughput=ack", "variant=theta"} {
		for _, kind := range []string{params.None, params.Triple} {
			set := variant + " state_protection=" + kind
			p := suite.Configure(t, set)
			sets = append(sets, set)
			designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p)})
		}
	}
	var rows strings.Builder
	for i, r := range suite.Synthesise(t, "protection", designs) {
		n := r.Counts
		fmt.Fprintf(&rows, "| %s | %d | %d | %d | %d | %g | %d |\n", sets[i], n.LUT, n.LUTRAM, n.FF, n.DSP, n.BRAM36, r.RegToReg.Levels)
		if r.RegToReg.Levels > 6 {
			t.Errorf("%s: %d logic levels, want at most 6", sets[i], r.RegToReg.Levels)
		}
	}
	suite.Page(t, "protection", "# Cost of state protection\n\n"+
		"[The PowerTCP window unit](powertcp_details.md#state-protection) with and without protection of its state, all else as by\n"+
		"default, synthesised by Yosys for the U280's family: an estimate, not a Vivado result. The latency is the same.\n\n"+
		"Written by `go test ./tb/powertcp -run TestProtectionCost -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit powertcp --set KEY=VALUE` measures.\n\n"+
		"| settings | LUT | of them LUTRAM | FF | DSP | RAMB36 | logic levels |\n|---|---:|---:|---:|---:|---:|---:|\n"+rows.String())
}
