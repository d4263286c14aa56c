// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	records "github.com/nicgen/nicgen/internal/rows"
)

var update = flag.Bool("update", false, "write the page and its results")

// record is a run of the page.
type record struct {
	Scenario Scenario `json:"scenario"`
	Result   *Result  `json:"result"`
}

var (
	docs    = filepath.Join("..", "..", "..", "docs")
	results = filepath.Join(docs, "data", "dcsim_loop.json")
	page    = filepath.Join(docs, "units", "dcsim_loop.md")
)

// The runs of the page: a row has three seeds, of which the first is of the RTL.
const seeds = 3

// lengths lists lengths of DATAs, with the number of them in each flow: in a run all hosts send
// to all for some 300,000 clocks.
var lengths = []struct {
	bytes   int64
	packets uint64
}{{256, 4200}, {1500, 1000}, {4096, 380}, {9000, 176}}

// rows are the tables' rows, by table.
func rows(gap int64, pattern Pattern) (list []Scenario) {
	most := []int64{b, b + b/2, 2 * b, 4 * b}
	if gap > 0 {
		most = []int64{2 * b}
	}
	for _, l := range lengths {
		for _, data := range most {
			list = append(list, Scenario{Hosts: 8, Pattern: pattern, PacketBytes: l.bytes, Queue: b, DataPackets: data, Packets: l.packets, Seed: 1, RTL: true, Gap: gap})
		}
	}
	return list
}

// runs are all of the page.
func runs() (list []Scenario) {
	for _, gap := range []int64{0, 20} {
		for _, pattern := range []Pattern{AllToAll, Incast} {
			for _, sc := range rows(gap, pattern) {
				for ; sc.Seed <= seeds; sc.Seed, sc.RTL = sc.Seed+1, false {
					list = append(list, sc)
				}
			}
		}
	}
	return list
}

// runAll carries out scenarios, as many at a time as there are cores.
func runAll(t *testing.T, scenarios []Scenario) []record {
	t.Helper()
	list := make([]record, len(scenarios))
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(runtime.NumCPU())
	for i, sc := range scenarios {
		g.Go(func() error {
			r, err := Run(ctx, sc)
			list[i] = record{sc, r}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	return list
}

// save writes results as JSON.
func save(t *testing.T, name string, results any) {
	t.Helper()
	text, err := records.Marshal(results)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// The page has the recorded results, and they are reproduced.
func TestPage(t *testing.T) {
	if *update {
		save(t, results, runAll(t, runs()))
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
		t.Fatalf("docs/data/dcsim_loop.json has other runs (-want +got), run: go test ./sim/host/dcsim -run TestPage -update\n%s", d)
	}
	for _, x := range list {
		check(t, x.Scenario, x.Result)
	}
	again := 1
	if !testing.Short() {
		again = 6
	}
	for i := range again {
		x := list[i*len(list)/again]
		sc := x.Scenario
		sc.RTL = false
		r, err := Run(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(x.Result, r); d != "" {
			t.Errorf("%+v: another result than on record (-record +got), run: go test ./sim/host/dcsim -run TestPage -update\n%s", sc, d)
		}
	}
	want := render(list, longOnRecord(t))
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
		t.Errorf("docs/units/dcsim_loop.md is stale, run: go test ./sim/host/dcsim -run TestPage -update\n%s", cmp.Diff(string(want), string(got)))
	}
}

const head = `<!-- written by: go test ./sim/host/dcsim -run TestPage -update -->

# DCSIM in a closed loop

Eight hosts around one switch. A host is a [dcsim_source](dcsim_source.md), a [dcsim_responder](dcsim_responder.md) and a
[dcsim_port](dcsim_port.md); the switch has a dcsim_port to each host. All of them are the **RTL**, 32 instances clocked
together at 322.27 MHz, with the golden models alongside: a run fails unless every output of every unit is equal in every
cycle. [sim/host/dcsim](../../sim/host/dcsim) implements everything between the ports: registers, links, and the frames themselves.

Links have 100 Gb/s and a delay of 500 ns. The switch stores and forwards. ℓ = 64 bytes, B = 12 packets. H = 2: the NIC and the
switch. RTTp is four links and 64 clocks for the units. DATA queues of the switch hold B_DATA packets; a source waits with a DATA
while four are in its NIC's queue. A DATA-ACK has 46 bytes and two for each tag, at least 64, and is sent after the time
in which twelve DATAs of a flow come at full rate: with fewer than eleven tags DATA-ACKs take more than the 0.1 ℓ that Eq. 2
leaves them, and more DATAs come due than the lines of NICs carry. The DATA timeout is the sum that dcsim_responder's page has: %s with 1,500
bytes. A run ends when every DATA has arrived.

Each row is three runs with other random ports; the first is the RTL, the others are the golden models alone. Of what is
lost and behind a later one it has the sum, of what waited and of the longest SIM the most, and else what the first has.

In all of them every SIM that is not dropped is answered in time: as many SIMs time out as ports drop, and the longest time
from a SIM to its SIM-ACK is below RTTmax (Eq. 5). No port drops a SIM-ACK or DATA-ACK.

%s
The tables say how many DATAs waited in a queue of the switch at most, in the first half of a run and in all of it: if
these differ much, the queue was still growing. Utilisation is that of the links to receivers by DATAs that arrived for
the first time, from the first quarter of them to the third, beside what Eq. 2 leaves to them: L / (L + 2.1 ℓ), both
lengths with the gap. An incast of 9,000 bytes has 616 DATAs in that time; those that waited in the queue at its beginning
bring it above.
`

// claim returns the runs' conclusion for a DATA queue of 2B packets.
func claim(list []record) string {
	runs, all, lossy := 0, 0, map[int64]uint64{}
	for _, x := range list {
		if x.Scenario.DataPackets < 2*x.Scenario.Queue {
			continue
		}
		runs++
		all += int(x.Result.Delivered)
		if lost := x.Result.DATAsDropped; lost+x.Result.Reordered > 0 {
			lossy[x.Scenario.PacketBytes] += lost
		}
	}
	text := fmt.Sprintf("**The paper's claim** (§3.1) is that a DATA queue of 2B packets loses nothing. With 2B and more there\nare %d runs in the tables below, of %d DATAs. ", runs, all)
	if len(lossy) == 0 {
		return text + "No DATA is lost in any of them, and none comes behind a later one of\nits flow.\n"
	}
	for _, l := range lengths {
		if n, ok := lossy[l.bytes]; ok {
			text += fmt.Sprintf("With %d bytes %d are lost. ", l.bytes, n)
		}
	}
	return text + "\n"
}

var about = map[Pattern]string{
	AllToAll: "Each host has DATAs for each other one, 4,200 to 176 by length, for some 300,000 clocks.\n",
	Incast:   "Seven hosts have as many DATAs each for host 0. SIMs are what gets lost: the switch passes as many as it has room for DATAs.\n",
}

// render is the page.
func render(list []record, long longRecord) []byte {
	var w bytes.Buffer
	s, _, _ := Settings(long.Runs[0].Scenario)
	fmt.Fprintf(&w, head, fmt.Sprintf("%.1f µs", float64(s.DataTimeoutNS)/1000), claim(list))
	w.WriteString(aboutLong(long))
	for _, gap := range []int64{0, 20} {
		for _, pattern := range []Pattern{AllToAll, Incast} {
			title := strings.ToUpper(string(pattern[0])) + string(pattern[1:])
			text := about[pattern]
			if gap > 0 {
				title += fmt.Sprintf(", with a gap of %d bytes", gap)
				text = "The same with the preamble and the gap of Ethernet, which are in Eq. 2 and Eq. 5 then.\n"
			}
			fmt.Fprintf(&w, "\n## %s\n\n%s\n", title, text)
			w.WriteString("| L, bytes | B_DATA / B | DATAs sent | lost | behind a later one | most in a queue, half / all | in a NIC's | SIMs sent | SIMs lost | DATAs a DATA-ACK | longest SIM / RTTmax, clocks | utilisation | by Eq. 2 |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
			for i := 0; i < len(list); i += seeds {
				if sc := list[i].Scenario; sc.Pattern == pattern && sc.Gap == gap {
					w.WriteString(row(list[i : i+seeds]))
				}
			}
		}
	}
	return w.Bytes()
}

// row returns the row of the three runs.
func row(list []record) string {
	sc, r := list[0].Scenario, list[0].Result
	var lost, behind, early, most, nic, rtt uint64
	for _, x := range list {
		lost += x.Result.DATAsDropped
		behind += x.Result.Reordered
		early, most, nic = max(early, x.Result.MostEarly), max(most, x.Result.MostDATAs), max(nic, x.Result.MostNIC)
		rtt = max(rtt, x.Result.MostRTT)
	}
	s, _, _ := Settings(sc)
	return fmt.Sprintf("| %d | %g | %d | %d | %d | %d / %d | %d | %d | %d | %.2f | %d / %d | %.3f | %.3f |\n", sc.PacketBytes, float64(sc.DataPackets)/float64(sc.Queue),
		r.DATAs, lost, behind, early, most, nic, r.SIMs, r.SIMsDropped, float64(r.Delivered+r.Again)/float64(r.DataAcks),
		rtt, s.Network().RTTMaxClocks(sc.clock()), sc.Utilisation(r), sc.Share())
}
