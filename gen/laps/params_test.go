// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
)

func TestDefaultIsValid(t *testing.T) {
	if err := gen.Validate(params.Default()); err != nil {
		t.Error(err)
	}
}

func configured(t *testing.T, sets string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.SetAll(p, sets); err != nil {
		t.Fatal(err)
	}
	return p
}

// A rule of a part holds for the whole, and is said once; tags leave room for what goes
// with a packet. Both sides of each limit.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  string
		want []gen.Problem
	}{
		{"pid_bits=13", nil},
		{"pid_bits=12", []gen.Problem{
			{Key: "pid_bits", Found: "12", Allowed: "at least 13 for banks 32 and rows 256"}}},
		{"flows=1024 flow_bits=9", []gen.Problem{{Key: "flow_bits", Found: "9", Allowed: "at least 10 for flows 1024"}}},
		{"lat_bits=13 time_bits=16 rto_min_ns=0", nil},
		{"lat_bits=14 time_bits=16 loss=false", []gen.Problem{{Key: "time_bits", Found: "16", Allowed: "at least 17 with lat_bits 14"}}},
		{"tag_bits=29", nil},
		{"tag_bits=30", []gen.Problem{{Key: "tag_bits", Found: "30", Allowed: "at most 29 with flow_bits 10 and seq_bits 24"}}},
		{"tag_bits=64 loss=false", nil},
		{"depth=8 lanes=8", []gen.Problem{{Key: "lanes", Found: "8", Allowed: "at most half of depth 8"}}},
		{"depth=8 lanes=8 loss=false", nil},
	} {
		if d := cmp.Diff(c.want, configured(t, c.set).Check()); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.set, d)
		}
	}
}

// The parts agree on what they share, whatever their own settings were.
func TestParts(t *testing.T) {
	p := configured(t, "banks=8 rows=16 lat_bits=12 time_bits=20 counter_bits=9 flow_bits=11 pid_bits=9 tag_bits=3 seq_bits=8")
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

// Every port is used in the text, no template mark is left, and no line is longer than
// 100 columns; every file is there once, the top last.
func TestText(t *testing.T) {
	for _, set := range []string{"", "loss=false", "ack_lookup=own baselines=paths", "picker=lookup loss=false ack_lookup=own"} {
		p := configured(t, set)
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, f := range files {
			if seen[f.Name] {
				t.Errorf("%s: file %s is there twice", set, f.Name)
			}
			seen[f.Name] = true
		}
		last := files[len(files)-1]
		if last.Name != p.Top()+".sv" || seen["nic_laps_loss.sv"] != p.Loss {
			t.Errorf("%s: the last file is %s; loss detector: %t", set, last.Name, seen["nic_laps_loss.sv"])
		}
		_, body, _ := strings.Cut(last.Text, "\n);\n")
		for _, port := range p.Ports() {
			if !regexp.MustCompile(`\b` + port.Name + `\b`).MatchString(body) {
				t.Errorf("%s: port %s is not used", set, port.Name)
			}
		}
		for i, l := range strings.Split(last.Text, "\n") {
			if len(l) > 100 || strings.Contains(l, "{{.") || strings.TrimRight(l, " ") != l {
				t.Errorf("%s: line %d: %q", set, i+1, l)
			}
		}
	}
}
