// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// The estimate of a unit as people and as programs see it; programs can read it back.
func TestGolden(t *testing.T) {
	e, err := Of(frozen(t, "reps_detector"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"estimate.txt": e.Text(), "estimate.json": string(b) + "\n"} {
		file := "testdata/" + name
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got), rewrite with go test ./synth/timing -update:\n%s", name, d)
		}
	}
	var back Estimate
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(e, &back); d != "" {
		t.Errorf("JSON read back (-written +read):\n%s", d)
	}
}

// The text's verdicts on slack; it never says that a clock is reached.
func TestVerdicts(t *testing.T) {
	b := newBuilder()
	b.ff(b.lut(b.start())) // 0.28, 0.34 and 0.45 ns
	for _, c := range []struct {
		period float64
		want   string
	}{
		{1, "ends have none\n"},
		{0.45, "ends have none: at risk\n"},
		{0.35, "ends have none: too slow by the typical column\n"},
	} {
		e, err := Of(b.Netlist, Options{Periods: []float64{c.period}})
		if err != nil {
			t.Fatal(err)
		}
		text := e.Text()
		if !strings.Contains(text, c.want) {
			t.Errorf("%g ns: want %q in\n%s", c.period, c.want, text)
		}
		for _, word := range []string{"meets", "met ", "passes", "closes"} {
			if strings.Contains(text, word) {
				t.Errorf("%g ns: the text says %q:\n%s", c.period, word, text)
			}
		}
	}
}

// A design without registers, and one without anything.
func TestTextOfNothing(t *testing.T) {
	for _, b := range []*builder{newBuilder(), func() *builder { b := newBuilder(); b.lut(b.net()); return b }()} {
		e := b.estimate(t)
		if text := e.Text(); !strings.HasPrefix(text, "Estimated path: none between registers; -2L at 0.85 V\n") {
			t.Errorf("got\n%s", text)
		}
		if _, err := json.Marshal(e); err != nil {
			t.Error(err)
		}
	}
}

func TestParseClock(t *testing.T) {
	for text, want := range map[string]float64{"4ns": 4, "3.103ns": 3.103, "250MHz": 4, "500 MHz": 2} {
		if got, err := ParseClock(text); err != nil || got != want {
			t.Errorf("%s: %g, %v, want %g", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"250":    `clock "250": want a period such as 4ns or a frequency such as 250MHz`,
		"":       `clock "": want a period such as 4ns or a frequency such as 250MHz`,
		"0MHz":   `clock "0MHz": want more than 0, as 4ns or 250MHz`,
		"-4ns":   `clock "-4ns": want more than 0, as 4ns or 250MHz`,
		"NaNns":  `clock "NaNns": want more than 0, as 4ns or 250MHz`,
		"InfMHz": `clock "InfMHz": want more than 0, as 4ns or 250MHz`,
		"fastns": `clock "fastns": want more than 0, as 4ns or 250MHz`,
	} {
		if _, err := ParseClock(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
