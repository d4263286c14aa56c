// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
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
		{"connections=257 conn_bits=9", nil},
		{"connections=257 conn_bits=8", []gen.Problem{{Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"}}},
		{"connections=1 conn_bits=1", nil},
		{"rtt_bits=8 rtt_threshold_ns=255", nil},
		{"rtt_bits=8 rtt_threshold_ns=256", []gen.Problem{{Key: "rtt_threshold_ns", Found: "256", Allowed: "below 2^8 with rtt_bits 8"}}},
		{"rtt_bits=32 rtt_threshold_ns=4294967295", nil},
		{"timer_bits=16 window_ns=65535", nil},
		{"timer_bits=16 window_ns=65536", []gen.Problem{{Key: "window_ns", Found: "65536", Allowed: "below 2^16 with timer_bits 16"}}},
		{"timer_bits=64 window_ns=4611686018427387903", nil},
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

// Under auto the state moves to block RAM above 64 connections; a choice overrides.
func TestStateKind(t *testing.T) {
	for _, c := range []struct {
		connections int64
		memory      string
		want        string
	}{
		{1, gen.Auto, gen.LUTRAM}, {64, gen.Auto, gen.LUTRAM}, {65, gen.Auto, gen.BRAM}, {65536, gen.Auto, gen.BRAM},
		{1, gen.BRAM, gen.BRAM}, {65536, gen.LUTRAM, gen.LUTRAM},
	} {
		p := params.Default()
		p.Connections, p.StateMemory = c.connections, c.memory
		if got := p.StateKind(); got != c.want {
			t.Errorf("%d connections, %s: %s, want %s", c.connections, c.memory, got, c.want)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]string{gen.LUTRAM: "nic_lib_ram_lut", gen.BRAM: "nic_lib_ram_block"}[c.want]
		if len(files) != 2 || files[0].Name != part+".sv" || !strings.Contains(files[1].Text, "  "+part+" #(") {
			t.Errorf("%d connections, %s: the text does not use %s", c.connections, c.memory, part)
		}
	}
}

// Every port is used in the text, no template mark is left, and no line is longer
// than 100 columns.
func TestText(t *testing.T) {
	p := params.Default()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	text := files[len(files)-1].Text
	_, body, _ := strings.Cut(text, "\n);\n")
	for _, port := range p.Ports() {
		if !regexp.MustCompile(`\b` + port.Name + `\b`).MatchString(body) {
			t.Errorf("port %s is not used", port.Name)
		}
	}
	for i, l := range strings.Split(text, "\n") {
		if len(l) > 100 || strings.Contains(l, "{{.") || strings.TrimRight(l, " ") != l {
			t.Errorf("line %d: %q", i+1, l)
		}
	}
}
