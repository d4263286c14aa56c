// SPDX-License-Identifier: Apache-2.0

package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// runs are two short runs with numbers that are easy to follow in a picture.
func runs() []plot.Run {
	sc := &bottleneck.Scenario{Name: "small", Event: 100_000, End: 600_000, Flows: []bottleneck.Flow{{Start: 0}, {Start: 100_000}, {Start: 100_000}}}
	var list []plot.Run
	for r, label := range []string{"PowerTCP", "θ <PowerTCP>"} {
		res := &bottleneck.Result{Scenario: sc}
		for k := range 60 {
			x := float64(k % 10)
			res.Samples = append(res.Samples, bottleneck.Sample{At: uint64(k+1) * 10_000, Queue: uint64(1000 * k * (r + 1)),
				Throughput: []float64{x, 5, 2.5 * float64(r)}, Window: []float64{1000, 2000.5, 3000}})
		}
		list = append(list, plot.Run{Label: label, Result: res})
	}
	return list
}

func TestCSV(t *testing.T) {
	list := runs()
	for i := range list {
		list[i].Result.Samples = list[i].Result.Samples[8:10]
	}
	var b bytes.Buffer
	if err := plot.CSV(&b, list); err != nil {
		t.Fatal(err)
	}
	const want = `run,time_ns,queue_bytes,throughput_gbps,throughput_0_gbps,throughput_1_gbps,throughput_2_gbps,window_0_bytes,window_1_bytes,window_2_bytes
PowerTCP,90000,8000,13,8,5,0,1000,2000.5,3000
PowerTCP,100000,9000,14,9,5,0,1000,2000.5,3000
θ <PowerTCP>,90000,16000,15.5,8,5,2.5,1000,2000.5,3000
θ <PowerTCP>,100000,18000,16.5,9,5,2.5,1000,2000.5,3000
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestCSVTellsOfErrors(t *testing.T) {
	if err := plot.CSV(full{}, runs()); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v, want disk full", err)
	}
}

// The pictures are as they were last looked at.
func TestPictures(t *testing.T) {
	for name, draw := range map[string]func([]plot.Run) ([]byte, error){"reaction.svg": plot.Reaction, "shares.svg": plot.Shares} {
		t.Run(name, func(t *testing.T) {
			got, err := draw(runs())
			if err != nil {
				t.Fatal(err)
			}
			again, err := draw(runs())
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, again) {
				t.Error("a second picture differs")
			}
			dec := xml.NewDecoder(bytes.NewReader(got))
			var text strings.Builder
			for {
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
			for _, want := range []string{"PowerTCP", "θ <PowerTCP>", "Queue at the bottleneck", "Gb/s"} {
				if !strings.Contains(text.String(), want) {
					t.Errorf("no text %q", want)
				}
			}
			file := filepath.Join("testdata", name)
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

func TestRefuses(t *testing.T) {
	other := runs()
	sc := *other[1].Result.Scenario
	sc.Flows = sc.Flows[:2]
	other[1].Result.Scenario = &sc
	lonely := runs()[:1]
	lonely[0].Result.Scenario.Event = 50
	for _, c := range []struct {
		name string
		draw func([]plot.Run) error
		runs []plot.Run
		want string
	}{
		{"no runs in a table", func(r []plot.Run) error { return plot.CSV(io.Discard, r) }, nil, "no runs, want at least one"},
		{"no runs in a picture", svg(plot.Reaction), nil, "no runs, want at least one"},
		{"no runs in the other", svg(plot.Shares), nil, "no runs, want at least one"},
		{"two scenarios", svg(plot.Shares), other, "run θ <PowerTCP>: scenario small with 2 flows, want small with 3 as in run PowerTCP"},
		{"no event", svg(plot.Reaction), lonely, "scenario small: no flow starts at 50 ns, want at least one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.draw(c.runs); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func svg(draw func([]plot.Run) ([]byte, error)) func([]plot.Run) error {
	return func(r []plot.Run) error {
		_, err := draw(r)
		return err
	}
}
