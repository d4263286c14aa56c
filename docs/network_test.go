// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/registry"
)

// The simulator of networks is measured with golden models, and in the same run with the RTL.
func TestBenchNetwork(t *testing.T) {
	run := func(args ...string) string {
		t.Helper()
		var out, messages bytes.Buffer
		if code := cli.Run(t.Context(), append([]string{"nicgen", "bench", "network", "--hosts", "4", "--hops", "20000"}, args...),
			cli.Env{Stdout: &out, Stderr: &messages, Units: registry.Units}); code != cli.Fine {
			t.Fatalf("%s: exit code %d: %s", args, code, messages.String())
		}
		return out.String()
	}
	want := `^4 hosts with REPS, golden: \d+ packets, \d{5} packet-hops, \d+ µs of the network in [\d.]+ s: [\d.]+ M packet-hops/s\n$`
	if got := run(); !regexp.MustCompile(want).MatchString(got) {
		t.Errorf("found %q, want %s", got, want)
	}
	var list []struct {
		Model string
		Hops  uint64  `json:"packet_hops"`
		Rate  float64 `json:"packet_hops_per_second"`
	}
	if err := json.Unmarshal([]byte(run("--model", "rtl", "--json", "-")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Model != "golden" || list[1].Model != "rtl" || list[0].Hops < 20000 || list[0].Hops != list[1].Hops || !(list[1].Rate > 0) {
		t.Errorf("%+v: want the same run with both models", list)
	}
}

// Figures with RTL in the hosts give the same numbers as with golden models.
func TestLockstepRecord(t *testing.T) {
	read := func(name string) []papers.Outcome {
		t.Helper()
		text, err := os.ReadFile("data/papers/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		list, err := papers.Outcomes(text)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	golden := map[string][]papers.Claim{}
	for _, name := range []string{"reps", "powertcp", "laps", "plb"} {
		for _, o := range read(name) {
			golden[o.Figure] = o.Claims
		}
	}
	for _, o := range read("rtl") {
		if o.Model != "rtl" || len(o.Claims) == 0 || !slices.Equal(o.Claims, golden[o.Figure]) {
			t.Errorf("%s by model %s: %+v, want %+v by rtl; run: nicgen reproduce %s --model rtl, or with --rtl-hosts 1 where the record has that, and put it into docs/data/papers/rtl.json", o.Figure, o.Model, o.Claims, golden[o.Figure], o.Figure)
		}
	}
}
