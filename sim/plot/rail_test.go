// SPDX-License-Identifier: Apache-2.0

package plot_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/rail"
)

// sprayed is two short runs with numbers that are easy to follow in a picture.
func railRuns() []plot.RailRun {
	sc := &rail.Scenario{Name: "small", Event: 100_000, Repair: 300_000, End: 600_000, Sample: 10_000, UnderTest: 1, Flows: []rail.Flow{{Stop: 600_000}}}
	var list []plot.RailRun
	for r, label := range []string{"β′ 1", "β′ <4>"} {
		res := &rail.Result{Scenario: sc, Watched: []rail.Way{{Name: "short", Base: 5000}, {Name: "<long>", Base: 9000}}, Outages: []rail.Outage{{Route: 1}}, Drops: []uint64{50_000, 90_000}, Reports: []uint64{70_000, 2_000_000},
			Classes: []rail.Class{{Links: 1, Sent: 30, Share: 0.75, Relative: 1.5 * float64(r+1), Latency: 5100, Empty: 5000},
				{Links: 2, Sent: 10, Share: 0.25, Relative: 0.5, Latency: 9100, Empty: 9000}}}
		for k := range 60 {
			res.Samples = append(res.Samples, rail.Sample{At: uint64(k+1) * 10_000, Sent: []uint64{8, uint64(k % (3 + r))},
				Latency: []float64{5000, 1000 * float64(k)}, Rate: []float64{float64(100 - k)}, Goodput: []float64{float64(k)}})
		}
		for _, load := range []float64{0.5, 1} {
			list = append(list, plot.RailRun{Label: label, Load: load, Result: res})
		}
	}
	return list
}

func TestRailCSV(t *testing.T) {
	list := railRuns()[1:2]
	list[0].Result.Samples = list[0].Result.Samples[7:8]
	for _, c := range []struct {
		name  string
		write func(io.Writer, []plot.RailRun) error
		want  string
	}{
		{"classes", plot.CSVClasses, `run,load,links,sent_segments,share,relative_share,mean_latency_ns,empty_latency_ns
β′ 1,1,1,30,0.75,1.5,5100,5000
β′ 1,1,2,10,0.25,0.5,9100,9000
`},
		{"paths", plot.CSVPaths, `run,time_ns,sent_short,sent_<long>,latency_short_ns,latency_<long>_ns,rate_0_gbps,goodput_0_gbps
β′ 1,80000,8,1,5000,7000,93,7
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.write(&b, list); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, b.String()); d != "" {
				t.Error(d)
			}
			if err := c.write(full{}, list); err == nil || err.Error() != "disk full" {
				t.Errorf("got %v, want disk full", err)
			}
			if err := c.write(&b, nil); err == nil || err.Error() != "no runs, want at least one" {
				t.Errorf("got %v, want that there are no runs", err)
			}
		})
	}
}

// The pictures are as they were last looked at.
func TestRailPictures(t *testing.T) {
	list := railRuns()
	for _, c := range []struct {
		name string
		draw func() ([]byte, error)
		text []string
	}{
		{"classes.svg", func() ([]byte, error) { return plot.Classes(list) }, []string{"L2: 2 links", "even", "β′ <4>"}},
		{"outage.svg", func() ([]byte, error) { return plot.Outage([]plot.RailRun{list[0], list[2]}) }, []string{"β′ 1", "β′ <4>", "µs since the failure"}},
		{"incast.svg", func() ([]byte, error) { return plot.Incast(list[0].Result) }, []string{"flow 1", "<long>", "T"}},
		{"losses.svg", func() ([]byte, error) { return plot.Losses(list[0].Result) }, []string{"dropped", "declared lost"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.draw()
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for dec := xml.NewDecoder(bytes.NewReader(got)); ; {
				tok, err := dec.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if c, ok := tok.(xml.CharData); ok {
					text.Write(c)
				}
			}
			for _, want := range c.text {
				if !strings.Contains(text.String(), want) {
					t.Errorf("no text %q", want)
				}
			}
			file := filepath.Join("testdata", c.name)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Errorf("differs from %s; if it is meant to, look at it and run go test ./sim/plot -update\n%s", file, d)
			}
		})
	}
}

func TestRailRefuses(t *testing.T) {
	list := railRuns()
	whole := *list[0].Result
	whole.Outages = nil
	for _, c := range []struct {
		name string
		draw func([]plot.RailRun) ([]byte, error)
		runs []plot.RailRun
		want string
	}{
		{"no runs", plot.Classes, nil, "no runs, want at least one"},
		{"no runs of an outage", plot.Outage, nil, "no runs, want at least one"},
		{"no outage", plot.Outage, []plot.RailRun{{Result: &whole}}, "scenario small: no watched route fails, want at least one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.draw(c.runs); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
