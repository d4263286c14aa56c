// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
)

var update = flag.Bool("update", false, "write the page and its results")

// b is B, the packets in each small queue, of all runs.
const b = 12

// check holds a finished run to what is so whatever was lost.
func check(t *testing.T, sc Scenario, r *Result) {
	t.Helper()
	demand := (&loop{sc: sc}).demand()
	if r.Delivered != demand {
		t.Errorf("%d DATAs arrived, want %d", r.Delivered, demand)
	}
	if r.DATAs != r.Delivered+r.Again+r.DATAsDropped {
		t.Errorf("%d DATAs were sent, %d arrived, %d once more, and %d were dropped", r.DATAs, r.Delivered, r.Again, r.DATAsDropped)
	}
	if r.DATAsDropped > 0 && r.DATATimeouts == 0 {
		t.Errorf("%d DATAs were dropped, and none timed out", r.DATAsDropped)
	}
	if r.SIMs < r.DATAs || r.SIMs-r.SIMTimeouts != r.DATAs {
		t.Errorf("%d SIMs were sent, %d of them timed out, and %d DATAs were sent", r.SIMs, r.SIMTimeouts, r.DATAs)
	}
	if r.MostDATAs > uint64(sc.DataPackets) {
		t.Errorf("%d DATAs waited in a queue of %d", r.MostDATAs, sc.DataPackets)
	}
}

// lossless holds a run to the paper's claim.
func lossless(t *testing.T, r *Result) {
	t.Helper()
	if r.DATAsDropped+r.DATATimeouts+r.Reordered+r.Again > 0 {
		t.Errorf("%d DATAs were dropped, %d timed out, %d came behind a later one, %d twice: want none", r.DATAsDropped, r.DATATimeouts, r.Reordered, r.Again)
	}
}

// Golden models alone: no DATA is lost or comes out of order with B_DATA = 2B, however many
// SIMs are.
func TestGolden(t *testing.T) {
	for _, sc := range []Scenario{
		{Hosts: 2, Pattern: AllToAll, PacketBytes: 1500, Packets: 500},
		{Hosts: 8, Pattern: AllToAll, PacketBytes: 1500, Packets: 40},
		{Hosts: 5, Pattern: AllToAll, PacketBytes: 9000, Packets: 40},
		{Hosts: 8, Pattern: Incast, PacketBytes: 1500, Packets: 200},
		{Hosts: 16, Pattern: Incast, PacketBytes: 256, Packets: 100},
	} {
		sc.Queue, sc.DataPackets, sc.Seed = b, 2*b, 1
		t.Run(fmt.Sprintf("%s/%d/%d", sc.Pattern, sc.Hosts, sc.PacketBytes), func(t *testing.T) {
			t.Parallel()
			r, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			check(t, sc, r)
			lossless(t, r)
			if sc.Pattern == Incast && r.SIMsDropped == 0 {
				t.Error("no SIM was dropped: nothing was in each other's way")
			}
		})
	}
}

// A DATA queue that is too short loses DATAs. All of them arrive in the end.
func TestShortQueue(t *testing.T) {
	sc := Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 256, Queue: b, DataPackets: b / 2, Packets: 60, Seed: 3}
	r, err := Run(t.Context(), sc)
	if err != nil {
		t.Fatal(err)
	}
	check(t, sc, r)
	if r.DATAsDropped == 0 || r.Reordered == 0 {
		t.Errorf("%d DATAs were dropped and %d came behind a later one: want some", r.DATAsDropped, r.Reordered)
	}
}

// The RTL of all units, equal to the golden models in every cycle, and the results are those of
// golden models alone.
func TestRTL(t *testing.T) {
	list := []Scenario{{Hosts: 3, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 60, Seed: 5}}
	if !testing.Short() {
		list = append(list,
			Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 256, Queue: b, DataPackets: b, Packets: 100, Seed: 6},
			Scenario{Hosts: 8, Pattern: Incast, PacketBytes: 4096, Queue: b, DataPackets: 2 * b, Packets: 200, Seed: 7})
	}
	for _, sc := range list {
		t.Run(fmt.Sprintf("%s/%d/%d", sc.Pattern, sc.Hosts, sc.PacketBytes), func(t *testing.T) {
			golden, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			sc.RTL = true
			rtl, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			check(t, sc, rtl)
			if d := cmp.Diff(golden, rtl); d != "" {
				t.Errorf("another result than of golden models (-golden +rtl)\n%s", d)
			}
		})
	}
}

// wrong is a golden model that errs in one output of one cycle.
type wrong struct {
	cosim.Predictor
	left int
}

func (w *wrong) Step(in, want, care []uint64) {
	w.Predictor.Step(in, want, care)
	if w.left--; w.left == 0 {
		want[0] ^= care[0] & -care[0]
	}
}

// A difference between RTL and golden model ends the run, and names unit, port and cycle.
func TestDifference(t *testing.T) {
	l := &loop{sc: Scenario{Hosts: 3, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 60, Seed: 5, RTL: true}}
	l.flight = l.sc.flight()
	if err := l.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := l.hosts[1].responder
	at := d.cycle + 900
	d.golden = &wrong{Predictor: d.golden, left: 901}
	var err error
	for l.res.Cycles < 2000 && err == nil {
		err = l.cycle()
	}
	var found *Difference
	if !errors.As(err, &found) || found.Cycle != at || found.Port == "" || found.Device != "host 1: dcsim_responder" {
		t.Errorf("found %v, want a difference of host 1: dcsim_responder in cycle %d", err, at)
	}
	if err := l.close(); err != nil {
		t.Error(err)
	}
}

// What cannot be run is refused in words.
func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		sc   Scenario
		want string
	}{
		{Scenario{Hosts: 1, Pattern: Incast}, "hosts: found 1, allowed: 2 to 256"},
		{Scenario{Hosts: 2, Pattern: "ring"}, `pattern: found "ring", allowed: incast or all-to-all`},
		{Scenario{Hosts: 2, Pattern: Incast, PacketBytes: 100, Queue: b, DataPackets: b}, "packet_bytes"},
	} {
		if _, err := Run(t.Context(), c.sc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.sc, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Scenario{Hosts: 2, Pattern: Incast, PacketBytes: 1500, Queue: b, DataPackets: b, Packets: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// What the page says of longer runs, with 1,000 DATAs of each flow: 2B is not enough for the port
// at 322.27 MHz, it is on a clock of twice the rate, and with a gap that Eq. 2 does not know
// the hosts end in repeating DATAs.
func TestLonger(t *testing.T) {
	sc := Scenario{Hosts: 8, Pattern: AllToAll, PacketBytes: 1500, Queue: b, DataPackets: 2 * b, Packets: 1000, Seed: 1}
	t.Run("lost", func(t *testing.T) {
		t.Parallel()
		r, err := Run(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		check(t, sc, r)
		if r.DATAsDropped != longerLost {
			t.Errorf("%d DATAs were dropped, the page says %d", r.DATAsDropped, longerLost)
		}
	})
	if testing.Short() {
		return
	}
	t.Run("clock", func(t *testing.T) {
		t.Parallel()
		sc := sc
		sc.Clock = 644_531_250
		r, err := Run(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		check(t, sc, r)
		lossless(t, r)
	})
	t.Run("gap", func(t *testing.T) {
		t.Parallel()
		sc := sc
		sc.Gap = 20
		if _, err := Run(t.Context(), sc); err == nil || !strings.Contains(err.Error(), "48842 DATAs of 56000 have arrived, none for the first time") {
			t.Errorf("error %v, want one that no DATA arrives any more", err)
		}
	})
}

// record is a run of the page.
type record struct {
	Scenario Scenario `json:"scenario"`
	Result   *Result  `json:"result"`
}

var (
	docs    = filepath.Join("..", "..", "docs")
	results = filepath.Join(docs, "data", "dcsim_loop.json")
	page    = filepath.Join(docs, "units", "dcsim_loop.md")
)

// runs are those of the page.
func runs() (list []Scenario) {
	for _, pattern := range []Pattern{AllToAll, Incast} {
		for _, bytes := range []int64{256, 1500, 4096} {
			for _, data := range []int64{b, b + b/2, 2 * b, 4 * b} {
				n := uint64(200)
				if pattern == Incast {
					n = 1600
				}
				list = append(list, Scenario{Hosts: 8, Pattern: pattern, PacketBytes: bytes, Queue: b, DataPackets: data, Packets: n, Seed: 1, RTL: true})
			}
		}
	}
	return list
}

// The page has the results on record, and these come out again.
func TestPage(t *testing.T) {
	if *update {
		var list []record
		for _, sc := range runs() {
			r, err := Run(t.Context(), sc)
			if err != nil {
				t.Fatal(err)
			}
			check(t, sc, r)
			list = append(list, record{sc, r})
		}
		text, err := json.MarshalIndent(list, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(results, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	var list []record
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	var have []Scenario
	for _, r := range list {
		have = append(have, r.Scenario)
	}
	if d := cmp.Diff(runs(), have); d != "" {
		t.Fatalf("docs/data/dcsim_loop.json has other runs (-want +got), run: go test ./tb/dcsim -run TestPage -update\n%s", d)
	}
	again := []int{2} // of 256 bytes, where DATAs are lost
	if !testing.Short() {
		again = []int{2, 6, 14}
	}
	for _, i := range again {
		sc := list[i].Scenario
		sc.RTL = false
		r, err := Run(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(list[i].Result, r); d != "" {
			t.Errorf("%+v: another result than on record (-record +got), run: go test ./tb/dcsim -run TestPage -update\n%s", sc, d)
		}
	}
	want := render(list)
	if *update {
		if err := os.WriteFile(page, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/units/dcsim_loop.md is stale, run: go test ./tb/dcsim -run TestPage -update\n%s", cmp.Diff(string(want), string(got)))
	}
}

// render is the page.
func render(list []record) []byte {
	var w bytes.Buffer
	most := uint64(0) // DATAs of 256 bytes in a queue
	for _, x := range list {
		if x.Scenario.Pattern == AllToAll && x.Scenario.PacketBytes == 256 {
			most = max(most, x.Result.MostDATAs)
		}
	}
	fmt.Fprintf(&w, head, most, longerLost)
	for _, pattern := range []Pattern{AllToAll, Incast} {
		fmt.Fprintf(&w, "\n## %s%s\n\n%s\n", strings.ToUpper(string(pattern[0])), pattern[1:], about[pattern])
		w.WriteString("| L, bytes | B_DATA / B | DATAs sent | DATAs lost | behind a later one | most in a queue | SIMs sent | SIMs lost | utilisation |\n|---|---|---|---|---|---|---|---|---|\n")
		for _, x := range list {
			sc, r := x.Scenario, x.Result
			if sc.Pattern != pattern {
				continue
			}
			links := sc.Hosts
			if pattern == Incast {
				links = 1
			}
			fmt.Fprintf(&w, "| %d | %g | %d | %d | %d | %d | %d | %d | %.3f |\n", sc.PacketBytes, float64(sc.DataPackets)/float64(sc.Queue),
				r.DATAs, r.DATAsDropped, r.Reordered, r.MostDATAs, r.SIMs, r.SIMsDropped, sc.Utilisation(r, links))
		}
	}
	return w.Bytes()
}
