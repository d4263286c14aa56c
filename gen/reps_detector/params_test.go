// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/reps_detector"
)

// Violations of rules over several parameters name the one to change, the value found and the
// values allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
		{Set: "connections=1 conn_bits=1"},
		{Set: "rtt_bits=8 rtt_threshold_ns=255"},
		{Set: "rtt_bits=8 rtt_threshold_ns=256", Key: "rtt_threshold_ns", Found: "256", Allowed: "below 2^8 with rtt_bits 8"},
		{Set: "rtt_bits=32 rtt_threshold_ns=4294967295"},
		{Set: "timer_bits=16 window_ns=65535"},
		{Set: "timer_bits=16 window_ns=65536", Key: "window_ns", Found: "65536", Allowed: "below 2^16 with timer_bits 16"},
		{Set: "timer_bits=64 window_ns=4611686018427387903"},
	})
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
