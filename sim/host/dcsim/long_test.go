// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
)

var long = flag.Bool("long", false, "make the long runs anew and write their results; half an hour")

// longRecord are the long runs, with what they were of.
type longRecord struct {
	RTL  []string `json:"rtl"` // design digests of source, responder and port
	Runs []record `json:"runs"`
}

// longRuns have the DATA queue of the paper's claim: more than ten million packets between all
// hosts through the RTL, and ten million DATAs through the golden models alone.
func longRuns() []Scenario {
	sc := Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 60_000, Seed: 1, RTL: true}
	more := sc
	more.Packets, more.Seed, more.RTL = 178_572, 2, false
	return []Scenario{sc, more}
}

var longResult = filepath.Join(docs, "data", "dcsim_loop_long.json")

// designs are the digests of the units that a scenario has.
func designs(t *testing.T, sc Scenario) []string {
	t.Helper()
	s, r, p := Settings(sc)
	var list []string
	for _, cfg := range []gen.Config{s, r, p} {
		d, err := emit.DesignDigest(cfg)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// The long runs that the page tells of are of the RTL of now, and nothing was lost in them.
func TestLong(t *testing.T) {
	if *long {
		list := runAll(t, longRuns())
		save(t, longResult, longRecord{designs(t, list[0].Scenario), list})
	}
	x := longOnRecord(t)
	var have []Scenario
	for _, r := range x.Runs {
		have = append(have, r.Scenario)
		check(t, r.Scenario, r.Result)
		lossless(t, r.Result)
	}
	if d := cmp.Diff(longRuns(), have); d != "" {
		t.Fatalf("docs/data/dcsim_loop_long.json is of other runs (-want +got), run: make dcsim-loop\n%s", d)
	}
	if d := cmp.Diff(designs(t, have[0]), x.RTL); d != "" {
		t.Errorf("docs/data/dcsim_loop_long.json is of other RTL (-now +record), run: make dcsim-loop\n%s", d)
	}
	if n := x.Runs[0].Result.packets(); n < 10_000_000 {
		t.Errorf("%d packets were sent, want ten million", n)
	}
}

func longOnRecord(t *testing.T) longRecord {
	t.Helper()
	text, err := os.ReadFile(longResult)
	if err != nil {
		t.Fatal(err)
	}
	var x longRecord
	if err := json.Unmarshal(text, &x); err != nil {
		t.Fatal(err)
	}
	if len(x.Runs) != len(longRuns()) {
		t.Fatalf("%s has %d runs, want %d", longResult, len(x.Runs), len(longRuns()))
	}
	return x
}

// packets returns the number of packets that hosts sent.
func (r *Result) packets() uint64 {
	return r.SIMs + r.SIMs - r.SIMsDropped + r.DATAs + r.DataAcks
}

// aboutLong is the page's section on the long runs.
func aboutLong(x longRecord) string {
	text := "\n**Ten million packets.** `make dcsim-loop` makes longer runs of all hosts to all, 1,500 bytes, B_DATA = 2B, no gap.\n\n" +
		"| units | packets sent | DATAs of them | DATAs lost | behind a later one | most in a queue, half / all | clocks | utilisation | by Eq. 2 |\n|---|---|---|---|---|---|---|---|---|\n"
	for _, x := range x.Runs {
		sc, r := x.Scenario, x.Result
		what := "golden models"
		if sc.RTL {
			what = "RTL, and golden models beside it"
		}
		text += fmt.Sprintf("| %s | %d | %d | %d | %d | %d / %d | %d | %.3f | %.3f |\n",
			what, r.packets(), r.DATAs, r.DATAsDropped, r.Reordered, r.MostEarly, r.MostDATAs, r.Cycles, sc.Utilisation(r), sc.Share())
	}
	return text
}
