// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_rate"
)

func TestDefaultIsValid(t *testing.T) {
	if err := gen.Validate(params.Default()); err != nil {
		t.Error(err)
	}
}

// Rules over several parameters name the one to change, what was found and what
// is allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  string
		want []gen.Problem
	}{
		{"flows=257 flow_bits=9", nil},
		{"flows=257 flow_bits=8", []gen.Problem{{Key: "flow_bits", Found: "8", Allowed: "at least 9 for flows 257"}}},
		{"flows=1 flow_bits=1", nil},
		{"lat_bits=20 time_bits=23", nil},
		{"lat_bits=20 time_bits=22", []gen.Problem{{Key: "time_bits", Found: "22", Allowed: "at least 23 with lat_bits 20"}}},
		{"rate_bits=8 max_rate=255 min_rate=255", nil},
		{"rate_bits=8 max_rate=256 min_rate=1", []gen.Problem{{Key: "max_rate", Found: "256", Allowed: "below 2^8 with rate_bits 8"}}},
		{"max_rate=99 min_rate=100", []gen.Problem{{Key: "min_rate", Found: "100", Allowed: "at most max_rate 99"}}},
	} {
		p := params.Default()
		if err := gen.SetAll(p, c.set); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, p.Check()); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.set, d)
		}
	}
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
		part := map[string]string{gen.LUTRAM: "nic_lib_ram_lut", gen.BRAM: "nic_lib_ram_block"}[c.want]
		if len(files) != 3 || files[1].Name != part+".sv" || strings.Count(files[2].Text, "  "+part+" #(") != 3 {
			t.Errorf("%d flows, %s: the text does not use %s three times", c.flows, c.memory, part)
		}
	}
}

// Every port is used in the text, no template mark is left, no line is longer than
// 100 columns, and there is a tree for each extreme that does not come ready-made.
func TestText(t *testing.T) {
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
		p := params.Default()
		if err := gen.SetAll(p, c.set); err != nil {
			t.Fatal(err)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		text := files[len(files)-1].Text
		_, body, _ := strings.Cut(text, "\n);\n")
		for _, port := range p.Ports() {
			if !regexp.MustCompile(`\b` + port.Name + `\b`).MatchString(body) {
				t.Errorf("%s: port %s is not used", c.set, port.Name)
			}
		}
		for i, l := range strings.Split(text, "\n") {
			if len([]rune(l)) > 100 || strings.Contains(l, "{{.") || strings.TrimRight(l, " ") != l {
				t.Errorf("%s: line %d: %q", c.set, i+1, l)
			}
		}
		var trees []string
		for _, name := range []string{"least", "most", "base"} {
			if strings.Contains(text, "[PATHS*LAT_W-1:0] p0_"+name+"_q;") {
				trees = append(trees, name)
			}
		}
		if d := cmp.Diff(c.trees, trees); d != "" {
			t.Errorf("%s: trees (-want +got)\n%s", c.set, d)
		}
	}
}
