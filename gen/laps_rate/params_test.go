// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/laps_rate"
)

// Violations of rules over several parameters name the one to change, the value found and the
// values allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "flows=257 flow_bits=9"},
		{Set: "flows=257 flow_bits=8", Key: "flow_bits", Found: "8", Allowed: "at least 9 for flows 257"},
		{Set: "flows=1 flow_bits=1"},
		{Set: "lat_bits=20 time_bits=23"},
		{Set: "lat_bits=20 time_bits=22", Key: "time_bits", Found: "22", Allowed: "at least 23 with lat_bits 20"},
		{Set: "rate_bits=8 max_rate=255 min_rate=255"},
		{Set: "rate_bits=8 max_rate=256 min_rate=1", Key: "max_rate", Found: "256", Allowed: "below 2^8 with rate_bits 8"},
		{Set: "max_rate=99 min_rate=9 least_increase=99"},
		{Set: "max_rate=99 min_rate=9 least_increase=100", Key: "least_increase", Found: "100", Allowed: "at most max_rate 99"},
		{Set: "max_rate=99 min_rate=100", Key: "min_rate", Found: "100", Allowed: "at most max_rate 99"},
	})
}

// Under auto the state moves to block RAM above 64 flows; a choice overrides.
func TestStateKind(t *testing.T) {
	for _, c := range []struct {
		flows  int64
		memory string
		want   string
	}{
		{1, gen.Auto, gen.LUTRAM}, {64, gen.Auto, gen.LUTRAM}, {65, gen.Auto, gen.BRAM}, {65536, gen.Auto, gen.BRAM},
		{1, gen.BRAM, gen.BRAM}, {65536, gen.LUTRAM, gen.LUTRAM},
	} {
		p := params.Default()
		p.Flows, p.StateMemory = c.flows, c.memory
		if got := p.StateKind(); got != c.want {
			t.Errorf("%d flows, %s: %s, want %s", c.flows, c.memory, got, c.want)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]string{gen.LUTRAM: "nic_lib_fwd_lut", gen.BRAM: "nic_lib_fwd_block"}[c.want]
		uses := 0
		for _, f := range files {
			uses += strings.Count(f.Text, "  "+part+" #(")
		}
		if uses != 3 {
			t.Errorf("%d flows, %s: the text does not use %s three times", c.flows, c.memory, part)
		}
	}
}

// There is a tree for each extreme that does not come ready-made.
func TestTrees(t *testing.T) {
	for _, c := range []struct {
		set   string
		trees []string
	}{
		{"", []string{"least", "base"}},
		{"paths=7 decrease_interval=max", []string{"least", "most", "base"}},
		{"paths=2 operands=latencies", []string{"least"}},
		{"operands=latencies decrease_interval=max increase_interval=base", []string{"least", "most"}},
		{"operands=extremes decrease_interval=max increase_interval=base", nil},
		{"operands=extremes", nil},
	} {
		files, err := gentest.Set(t, params.Default(), c.set).Files()
		if err != nil {
			t.Fatal(err)
		}
		text := files[len(files)-1].Text
		var trees []string
		for _, name := range []string{"least", "most", "base"} {
			if strings.Contains(text, "  ) "+name+" (\n") {
				trees = append(trees, name)
			}
		}
		if d := cmp.Diff(c.trees, trees); d != "" {
			t.Errorf("%s: trees (-want +got)\n%s", c.set, d)
		}
	}
}
