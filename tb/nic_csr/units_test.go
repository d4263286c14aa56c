// SPDX-License-Identifier: Apache-2.0

package niccsr_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/laps"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Units in specific configurations: counters of two words, settings at the ends of their ranges, two
// of a kind under two names, one with other streams, one without anything to write, and one with the
// maximum.
func TestUnits(t *testing.T) {
	with := func(cfg gen.Config, set string) gen.Config {
		if err := gen.Configure(cfg, set); err != nil {
			t.Fatal(err)
		}
		return cfg
	}
	p := params.Default()
	p.AddrBits = 15
	p.Units = []csr.Unit{
		{Name: "reps", Config: with(reps.New(), "counter_bits=64 conn_bits=24 nic_ports=4")},
		{Name: "other", Config: with(reps.New(), "counter_bits=33 timer_bits=64 freezing_timeout_ns=4294967296"), Streams: []string{"s_fail", "s_flush"}},
		{Name: "laps", Config: with(laps.New(), "counter_bits=40")},
		{Name: "pick", Config: lapspick.New(), Streams: []string{}},
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	lint := synth.LintRequest{Top: p.Top(), Files: benchtest.Texts(t, p)}
	findings, err := synth.Lint(t.Context(), lint)
	if err != nil {
		t.Fatal(err)
	}
	more, err := synth.Slang(t.Context(), []synth.LintRequest{lint})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range append(findings, more[0]...) {
		t.Error(x)
	}
	r := suite.Run(t, suite.Bench(p), 1, 600_000)
	t.Logf("%d events", r.Events)
}
