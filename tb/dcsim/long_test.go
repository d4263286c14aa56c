// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
)

var long = flag.Bool("long", false, "run 10^7 DATAs through the RTL and write the result; an hour")

// longRecord is the long run, with what it was of.
type longRecord struct {
	RTL []string `json:"rtl"` // design digests of source, responder and port
	record
}

// longRun is ten million DATAs between all hosts, with the DATA queue of the paper's claim.
var longRun = Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 178_572, Seed: 1, RTL: true}

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

// The long run that the page tells of is one of the RTL of now, and nothing was lost in it.
func TestLong(t *testing.T) {
	if *long {
		began := time.Now()
		r, err := Run(t.Context(), longRun)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %+v", time.Since(began).Round(time.Second), *r)
		text, err := json.MarshalIndent(longRecord{designs(t, longRun), record{longRun, r}}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(longResult, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x := longOnRecord(t)
	if d := cmp.Diff(longRun, x.Scenario); d != "" {
		t.Fatalf("docs/data/dcsim_loop_long.json is of another run (-want +got), run: make dcsim-loop\n%s", d)
	}
	if d := cmp.Diff(designs(t, longRun), x.RTL); d != "" {
		t.Errorf("docs/data/dcsim_loop_long.json is of other RTL (-now +record), run: make dcsim-loop\n%s", d)
	}
	if x.Result.Delivered < 10_000_000 {
		t.Errorf("%d DATAs arrived, want ten million", x.Result.Delivered)
	}
	check(t, x.Scenario, x.Result)
	lossless(t, x.Result)
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
	return x
}

// aboutLong is the page's section on the long run.
func aboutLong(x longRecord) string {
	r, sc := x.Result, x.Scenario
	return fmt.Sprintf(`
**Ten million DATAs.** `+"`make dcsim-loop`"+` runs %d DATAs of %d bytes between all %d hosts, B_DATA = 2B, through the same %d instances of
RTL with the golden models beside them: %d cycles, %d packets at units, %d SIMs. DATAs lost: %d. Behind a later one of
their flow: %d. At most %d DATAs waited in a queue of the switch, %d until half of them had arrived. Utilisation: %.3f, by Eq. 2 %.3f.
`, r.DATAs, sc.PacketBytes, sc.Hosts, 4*sc.Hosts, r.Cycles, r.Events, r.SIMs, r.DATAsDropped, r.Reordered, r.MostDATAs, r.MostEarly, sc.Utilisation(r), sc.Share())
}
