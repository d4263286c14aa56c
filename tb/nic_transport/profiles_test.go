// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/bench"
)

// restless makes benches in which the profiles of two connections change all the time, so that a write falls on every cycle
// around the end of a search.
var restless = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: "",
	Stimulus: func(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
		return newSteadyTraffic(p, l, seed, manner{hostile: true, restless: true}, fuzzedFrames)
	},
	Predictor: newWatcher,
	Points:    fuzzPoints,
}

// mistimed lists mistakes in the cycle from which a profile takes effect. The copy of each direction is written through separate
// signals: too late, so that a search that ends in the next cycle takes the old profile, or too early, so that one that ends with
// the write takes the new one.
var mistimed = []struct{ name, wr, row, word string }{
	{"", "profile_wr_q", "profile_row_q", "profile_word_q"},
	{"from the host: a profile counts a cycle late", "late_wr_q", "late_row_q", "late_word_q"},
	{"from the host: a profile counts a cycle early", "soon_wr", "soon_row", "soon_word"},
	{"from the wire: a profile counts a cycle late", "late_wr_q", "late_row_q", "late_word_q"},
	{"from the wire: a profile counts a cycle early", "soon_wr", "soon_row", "soon_word"},
}

// mistime plants them, to be chosen by an input, and tells how many places it found.
func mistime(text string) (string, int) {
	places := 0
	// The writes of both copies.
	for i, port := range []string{"s_tx_row", "s_rx_row"} {
		at := strings.Index(text, ".rd_addr ("+port)
		if at < 0 {
			continue
		}
		late, soon := mistimed[2*i+1], mistimed[2*i+2]
		choose := func(is, late, soon string) string {
			return fmt.Sprintf("(nic_transport.%s == 8'd%d) ? %s : (nic_transport.%s == 8'd%d) ? %s : %s", planted, 2*i+1, late, planted, 2*i+2, soon, is)
		}
		begin := strings.LastIndex(text[:at], ".wr_en ")
		text = text[:begin] + fmt.Sprintf(".wr_en (%s),\n    .wr_addr (%s),\n    .wr_data (%s),\n    ", choose(mistimed[0].wr, late.wr, soon.wr),
			choose(mistimed[0].row, late.row, soon.row), choose(mistimed[0].word, late.word, soon.word)) + text[at:]
		places++
	}
	// The signals: what the registers of the write have a cycle later, and what they take.
	const before = "  assign unused_profile"
	more := ""
	for _, x := range []string{"wr", "row", "word"} {
		_, takes, ok := strings.Cut(text, "    profile_"+x+"_q ")
		if !ok {
			continue
		}
		_, takes, _ = strings.Cut(takes, "<= ")
		takes, _, _ = strings.Cut(takes, ";")
		more += fmt.Sprintf("  logic [$bits(profile_%[1]s_q)-1:0] late_%[1]s_q;\n  logic [$bits(profile_%[1]s_q)-1:0] soon_%[1]s;\n"+
			"  always_ff @(posedge clk) late_%[1]s_q <= profile_%[1]s_q;\n  assign soon_%[1]s = %[2]s;\n", x, takes)
		places++
	}
	places += strings.Count(text, before)
	return strings.Replace(text, before, more+before, 1), places
}

// A profile counts for exactly those packets whose search ends after its write: in frames with and without shims, of any number of
// beats. A cycle more or less is noticed, in each direction.
func TestProfiles(t *testing.T) {
	t.Parallel()
	for _, set := range []string{telling, small + lapsSet, small, listing} {
		if sample.LeftOut(Unit.Name + "/" + set) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			p := params.Default()
			if err := gen.Configure(p, set); err != nil {
				t.Fatal(err)
			}
			b := restless.Bench(p)
			places := 0
			b.Edit = func(name, text string) string {
				switch name {
				case profiles:
					text, places = mistime(text)
				case top:
					text = strings.Replace(text, "module nic_transport (", "module nic_transport (\n  input wire logic [7:0] "+planted+",", 1)
				}
				return text
			}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			if places != 6 {
				t.Fatalf("%d places for the mistakes, want 6", places)
			}
			lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer lib.Close()
			for k, x := range mistimed {
				seeds := uint64(1)
				if x.name == "" {
					seeds = 4
				}
				for seed := uint64(1); seed <= seeds; seed++ {
					r, err := cosim.RunOn(t.Context(), lib, &chosen{b, uint64(k)}, cosim.RunOptions{Unit: unitName, Seed: seed, Cycles: *cycles})
					if err != nil {
						t.Fatal(err)
					}
					quiet := r.Outcome == cosim.Pass || r.Outcome == cosim.Missed
					if !quiet {
						t.Logf("%q, seed %d: cycle %d: %s%s", x.name, seed, r.Failure.Cycle, r.Failure.Explain, r.Failure.Message)
					}
					if quiet != (x.name == "") {
						t.Errorf("%q, seed %d: %s, of %d frames", x.name, seed, r.Outcome, r.Events)
					}
				}
			}
		})
	}
}
