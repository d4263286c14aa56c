// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/laps"
)

// A rule of a part holds for the whole, and is reported once; tags leave room for a packet's
// metadata. Both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "pid_bits=13"},
		{Set: "pid_bits=12", Key: "pid_bits", Found: "12", Allowed: "at least 13 for banks 32 and rows 256"},
		{Set: "flows=1024 flow_bits=9", Key: "flow_bits", Found: "9", Allowed: "at least 10 for flows 1024"},
		{Set: "lat_bits=13 time_bits=16 rto_min_ns=0"},
		{Set: "lat_bits=14 time_bits=16 loss=false", Key: "time_bits", Found: "16", Allowed: "at least 17 with lat_bits 14"},
		{Set: "tag_bits=29"},
		{Set: "tag_bits=30", Key: "tag_bits", Found: "30", Allowed: "at most 29 with flow_bits 10 and seq_bits 24"},
		{Set: "tag_bits=64 loss=false"},
		{Set: "depth=8 lanes=8", Key: "lanes", Found: "8", Allowed: "at most half of depth 8"},
		{Set: "depth=8 lanes=8 loss=false"},
	})
}

// The parts agree on shared settings, regardless of their own ones.
func TestParts(t *testing.T) {
	p := gentest.Set(t, params.Default(), "banks=8 rows=16 lat_bits=12 time_bits=20 counter_bits=9 flow_bits=11 pid_bits=9 tag_bits=3 seq_bits=8")
	p.Rate.LatBits, p.Picker.Paths, p.Detector.Paths, p.Picker.Inject, p.Detector.CounterBits = 24, 3, 1, true, 64
	x := p.Parts()
	type shared struct{ Paths, Lat, Time, Counter int64 }
	want := shared{8, 12, 20, 9}
	if got := (shared{x.Rate.Paths, x.Rate.LatBits, x.Rate.TimeBits, x.Rate.CounterBits}); got != want {
		t.Errorf("rate control %+v, want %+v", got, want)
	}
	if got := (shared{x.Loss.Paths / 16, x.Loss.LatBits, x.Loss.TimeBits, x.Loss.CounterBits}); got != want {
		t.Errorf("loss detector %+v, want %+v", got, want)
	}
	if x.Pick.Paths != 8 || x.Pick.Inject || x.Loss.PidBits != 9 || x.Loss.FlowBits != 11 || x.Paths.TagBits != 3+1+11+8 || !x.Paths.PathLatency {
		t.Errorf("picker %+v, path tables %+v, loss detector %+v", x.Pick, x.Paths, x.Loss)
	}
	p.Loss = false
	if x = p.Parts(); x.Loss != nil || x.Paths.TagBits != 11 || x.Paths.PathLatency {
		t.Errorf("path tables %+v, loss detector %+v", x.Paths, x.Loss)
	}
	for _, baselines := range []string{"longest", "paths"} {
		p.Tables.Baselines = baselines
		if err := gen.Validate(p.Parts().Rate); err != nil {
			t.Error(err)
		}
	}
}

// Counters have one name each, with the part's before it where parts have the same.
func TestCounters(t *testing.T) {
	var ports []string
	for _, c := range params.Default().Counters() {
		if slices.Contains(ports, c.Port) {
			t.Errorf("two counters are called %s", c.Port)
		}
		ports = append(ports, c.Port)
	}
	for _, want := range []string{"sts_packet_cnt", "sts_paths_ack_cnt", "sts_rate_ack_cnt", "sts_loss_ack_cnt", "sts_rate_no_path_cnt", "sts_lost_cnt"} {
		if !slices.Contains(ports, want) {
			t.Errorf("no counter is called %s: %v", want, ports)
		}
	}
}

// The loss detector is there if it is wanted.
func TestFiles(t *testing.T) {
	for _, set := range []string{"", "loss=false", "ack_lookup=own baselines=paths", "picker=lookup loss=false ack_lookup=own"} {
		p := gentest.Set(t, params.Default(), set)
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(files, func(f gen.File) bool { return f.Name == "nic_laps_laps_loss.sv" }); got != p.Loss {
			t.Errorf("%s: loss detector: %t", set, got)
		}
	}
}
