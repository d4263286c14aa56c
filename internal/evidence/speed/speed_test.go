// SPDX-License-Identifier: Apache-2.0

package speed_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/evidence/speed"
)

// measured returns a measurement with these ratios of the golden comparison.
func measured(one, two float64) *cosim.Measurement {
	return &cosim.Measurement{Cycles: 1000, Rounds: 3, Speeds: []cosim.Speed{
		{Mode: cosim.PlainLoop, Ratio: 1}, {Mode: cosim.GoldenSequential, Ratio: one}, {Mode: cosim.GoldenConcurrent, Ratio: two}}}
}

func TestCompare(t *testing.T) {
	small := map[string]any{"depth": int64(4)}
	h := speed.History{
		speed.NewRecord("one", "0123", "a", small, measured(0.5, 0.5)),
		speed.NewRecord("one", "0123", "b", small, measured(0.8, 0.9)),
		speed.NewRecord("one", "0123", "c", map[string]any{"depth": int64(8)}, measured(0.1, 0.1)),
		speed.NewRecord("two", "0123", "d", small, measured(0.2, 0.2)),
	}
	r := speed.NewRecord("one", "0123", "e", small, measured(0.7, 0.85))
	was, ok := h.Before(r)
	if !ok || was.Revision != "b" {
		t.Fatalf("compared with %+v, want the last of the same configuration", was)
	}
	want := []speed.Change{
		{Mode: cosim.GoldenSequential, Was: 0.8, Is: 0.7, Slower: true, Revision: "b"},
		{Mode: cosim.GoldenConcurrent, Was: 0.9, Is: 0.85, Revision: "b"},
	}
	if d := cmp.Diff(want, speed.Compare(was, r, 0.1)); d != "" {
		t.Error(d)
	}
	if _, ok := h.Before(speed.NewRecord("three", "0123", "e", small, measured(1, 1))); ok {
		t.Error("a unit that was never measured has a measurement before")
	}
}

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.json")
	if h, err := speed.Read(name); err != nil || len(h) != 0 {
		t.Errorf("no file: %v, %v", h, err)
	}
	for text, want := range map[string]string{
		`[{"unit": "one", "revision": "a", "params": {}, "cycles": 1, "rounds": 1, "ratios": {"x": 0.5}}]`: "",
		`{}`:                                     "want a list that nicgen bench --record wrote",
		`[{"speed": 1}]`:                         `unknown field "speed"`,
		`[{"ratios":{"x":1}}]`:                   `entry 1: unit ""`,
		`[{"unit": "one", "ratios": {"x": -1}}]`: "x: ratio -1",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := speed.Read(name)
		if got := ""; err != nil {
			got = err.Error()
			if want == "" || !strings.Contains(got, want) {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: read, want %s", text, want)
		}
	}
}
