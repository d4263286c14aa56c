// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/internal/sample"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/sim/recycle"
)

// nic is the golden model of one simulated host: its connection 0.
type nic struct {
	b      *model.Buffer
	random bool   // draw every EV: OPS
	shared bool   // one state for all NIC ports
	flush  uint64 // ns without a packet after which the connection is flushed; 0: never
	last   uint64
}

func (n *nic) port(port int) int {
	if n.shared {
		return 0
	}
	return port
}

func (n *nic) Send(now uint64, port int) uint32 {
	if n.flush > 0 && now-n.last > n.flush {
		n.b.Flush(0, n.port(port))
	}
	n.last = now
	word := n.b.Random.Next()
	if n.random {
		return word
	}
	ev, _ := n.b.Send(0, n.port(port), word)
	return ev
}

func (n *nic) Ack(now uint64, port int, ev uint32, marked bool) {
	n.b.Ack(0, n.port(port), ev, marked, now)
}

func (n *nic) Fail(now uint64, port int) { n.b.Fail(0, n.port(port), now) }

// loopRow is a row of a table of the page: a scenario, with what assigns the EVs.
type loopRow struct {
	name string
	sc   recycle.Scenario
	set  string // parameters
	nic  nic    // as all hosts have it
	seed bool   // all generators have the same seed
}

// loopSeeds are the runs of a row.
const loopSeeds = 20

// loopMeans are the means of a row over its runs.
type loopMeans struct{ done, spread, message, drops, longest float64 }

// run simulates a row.
func (r *loopRow) run(t *testing.T) (m loopMeans) {
	t.Helper()
	p := suite.Configure(t, fmt.Sprintf("connections=1 nic_ports=%d %s", max(1, r.sc.Ports), r.set))
	var squares float64
	for seed := range uint64(loopSeeds) {
		sc := r.sc
		sc.Seed = seed
		var by []recycle.Assigner
		for h := range uint64(sc.Hosts) {
			n := r.nic
			n.b = model.New(p)
			if r.seed {
				h = 0
			}
			n.b.Random.Reset(seed<<16 | h)
			by = append(by, &n)
		}
		res, err := recycle.Run(&sc, by)
		if err != nil {
			t.Fatal(err)
		}
		done := float64(res.Done) / 1000
		m.done += done / loopSeeds
		squares += float64(done*done) / loopSeeds
		for _, ns := range res.Messages {
			m.message += float64(ns) / 1000 / float64(loopSeeds*len(res.Messages))
		}
		m.drops += float64(res.Drops) / loopSeeds
		m.longest += res.Longest / loopSeeds
	}
	m.spread = math.Sqrt(max(0, squares-float64(m.done*m.done)))
	return m
}

// cells is the row in its table.
func (r *loopRow) cells(m *loopMeans) string {
	return fmt.Sprintf("| %s | %.1f ± %.1f | %.1f | %.0f | %.0f |\n", r.name, m.done, m.spread, m.message, m.drops, m.longest)
}

// alike is a number of uplinks of the full rate.
func alike(n int) []float64 { return slices.Repeat([]float64{1}, n) }

var (
	fig2 = recycle.Scenario{Hosts: 8, Uplinks: alike(8), Links: 4, Bytes: 16 << 20, RTO: 70_000}
	fig4 = recycle.Scenario{Hosts: 4, Uplinks: []float64{0.5, 1, 1, 1}, Links: 6, Bytes: 32 << 20, RTO: 70_000}
	fig7 = recycle.Scenario{Hosts: 4, Uplinks: alike(4), Links: 6, Bytes: 32 << 20, RTO: 45_700, Recover: 650_000,
		Outages: []recycle.Outage{{Uplink: 1, From: 100_000, To: 200_000}, {Uplink: 3, From: 350_000, To: 600_000}}}
	twoPorts = recycle.Scenario{Hosts: 4, Ports: 2, Uplinks: []float64{0.5, 1, 1, 1, 1, 1, 1, 1}, Links: 6, Bytes: 64 << 20, RTO: 70_000}
	idle     = recycle.Scenario{Hosts: 4, Uplinks: alike(4), Links: 6, Bytes: 1 << 20, Messages: 50, Pause: 200_000, RTO: 45_700}
)

// with changes a scenario.
func with(sc recycle.Scenario, change func(*recycle.Scenario)) recycle.Scenario {
	change(&sc)
	return sc
}

const brief = "freezing_timeout_ns=100000 "

var (
	steady = func(sc *recycle.Scenario) { sc.Recover = 0 }
	slow   = func(sc *recycle.Scenario) { sc.Uplinks = []float64{0.5, 1, 1, 1} }
	short  = func(sc *recycle.Scenario) { sc.Bytes = 64 << 10 }
	linear = func(sc *recycle.Scenario) { sc.Linear = true }
	broken = func(sc *recycle.Scenario) {
		sc.Outages = []recycle.Outage{{Uplink: 1, From: 100_000, To: 200_000}, {Uplink: 3, From: 350_000, To: 600_000}}
	}
)

// loopTables are the tables of the page.
var loopTables = []struct {
	title, text string
	rows        []loopRow
}{
	{"The authors' micro benchmarks", "Completion as the authors' simulator gives it: Fig. 2 REPS 350.7 µs, OPS 368.8; Fig. 4 REPS 811.6, OPS 1427.6; Fig. 7 REPS 902.5\n" +
		"with 449 drops, OPS 1314.9 with 717. The paper's text: 4 % in Fig. 2, 799 and 1400 µs in Fig. 4, \"over 35 %\" in Fig. 7.",
		[]loopRow{
			{name: "Fig. 2, OPS", sc: fig2, nic: nic{random: true}},
			{name: "Fig. 2, REPS", sc: fig2},
			{name: "Fig. 4, OPS", sc: fig4, nic: nic{random: true}},
			{name: "Fig. 4, REPS", sc: fig4},
			{name: "Fig. 7, OPS", sc: fig7, set: brief, nic: nic{random: true}},
			{name: "Fig. 7, REPS", sc: fig7, set: brief},
		}},
	{"`explore_stride`", "Fig. 7. Algorithm 2 as published (`buffer_depth`, 8) completes in 1022 µs in the authors' simulator, stride 1, which is their\n" +
		"code, in 902 µs: their figure. **The default is 1.** It is the fastest here too with the authors' congestion control, which lets\n" +
		"windows grow fast from 650 µs on, with the fewest drops. Without that growth 2 is the fastest, and 1 has more drops; 8 is the\n" +
		"slowest in both.",
		[]loopRow{
			{name: "stride 1", sc: fig7, set: brief + "explore_stride=1"},
			{name: "stride 2", sc: fig7, set: brief + "explore_stride=2"},
			{name: "stride 4", sc: fig7, set: brief + "explore_stride=4"},
			{name: "stride 8", sc: fig7, set: brief + "explore_stride=8"},
			{name: "windows grow as ever, stride 1", sc: with(fig7, steady), set: brief + "explore_stride=1"},
			{name: "windows grow as ever, stride 2", sc: with(fig7, steady), set: brief + "explore_stride=2"},
			{name: "windows grow as ever, stride 4", sc: with(fig7, steady), set: brief + "explore_stride=4"},
			{name: "windows grow as ever, stride 8", sc: with(fig7, steady), set: brief + "explore_stride=8"},
		}},
	{"`nic_ports`", "Fig. 4 for NICs with two ports, each to four uplinks; one uplink of the first port is slow. An EV names another path on the\n" +
		"other port: with one state for both ports, an EV that came back unmarked from the second takes the slow uplink of the first\n" +
		"as often as a random one does. That costs 1 % of the time here, and packets. **Each connection has a state of its own on each\n" +
		"port.**",
		[]loopRow{
			{name: "OPS", sc: twoPorts, nic: nic{random: true}},
			{name: "one state for both ports", sc: twoPorts, nic: nic{shared: true}},
			{name: "a state for each port", sc: twoPorts},
		}},
	{"Idle connections", "Hosts that pause for 200 µs between messages. \"Flushed\": a packet after 30 µs without one finds an empty buffer, as of a new\n" +
		"connection. **The unit has no idle time-out.** What is stale after a pause is at most `buffer_depth` EVs of the 150 packets of a\n" +
		"round trip; each is used once, and returns only unmarked. Flushing them gains at most 0.6 % of a message's time, and nothing\n" +
		"where an uplink is slow. Where uplinks fail it saves drops, as it ends freezing too. A time stamp for each connection, read and\n" +
		"compared with each packet, would cost a RAMB18 and a fifth of the unit's LUTs. A NIC that wants the effect asks for a flush when\n" +
		"its own timer of the connection runs out (`s_flush`).",
		[]loopRow{
			{name: "1 MiB, kept", sc: idle},
			{name: "1 MiB, flushed", sc: idle, nic: nic{flush: 30_000}},
			{name: "1 MiB, one slow uplink, kept", sc: with(idle, slow)},
			{name: "1 MiB, one slow uplink, flushed", sc: with(idle, slow), nic: nic{flush: 30_000}},
			{name: "64 KiB, kept", sc: with(idle, short)},
			{name: "64 KiB, flushed", sc: with(idle, short), nic: nic{flush: 30_000}},
			{name: "1 MiB, uplinks fail, kept", sc: with(idle, broken)},
			{name: "1 MiB, uplinks fail, flushed", sc: with(idle, broken), nic: nic{flush: 30_000}},
		}},
	{"Seeds", "Fig. 2 with generators of one seed in all hosts, as NICs with one bitstream have them unless they are\n" +
		"[seeded](reps.md#random-evs), and with a seed of its own in each. The switch's hash mixes flow and EV, or is linear as a CRC is:\n" +
		"then hosts that draw the same EVs always meet on an uplink, or never, and how long it takes is chance. The means hardly differ;\n" +
		"the deviation from run to run is four times as large. **Seed each NIC.**",
		[]loopRow{
			{name: "REPS, a seed for each", sc: fig2},
			{name: "REPS, one seed", sc: fig2, seed: true},
			{name: "REPS, linear hash, a seed for each", sc: with(fig2, linear)},
			{name: "REPS, linear hash, one seed", sc: with(fig2, linear), seed: true},
			{name: "OPS, linear hash, a seed for each", sc: with(fig2, linear), nic: nic{random: true}},
			{name: "OPS, linear hash, one seed", sc: with(fig2, linear), nic: nic{random: true}, seed: true},
		}},
}

// The unit in a closed loop: what its settings do to a network. The page is
// docs/units/reps_loop.md; a short test runs a few of its rows.
func TestLoop(t *testing.T) {
	have, err := os.ReadFile("../../docs/units/reps_loop.md")
	if err != nil && testing.Short() {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString("# REPS in a closed loop\n\n" +
		"[The REPS buffer](reps.md) in the authors' micro benchmarks, simulated packet by packet ([sim/recycle](../../sim/recycle)): hosts\n" +
		"on one switch send a message each, over uplinks that a hash of flow and EV chooses, to hosts on another one. 400 Gb/s, 4 KiB,\n" +
		"queues of 100 packets that mark from 20 on, DCTCP window by ACK. The golden model gives the EVs; the RTL equals it event by\n" +
		"event. Means of 20 seeds, completion of the last message ± standard deviation.\n\n" +
		"Written by `go test ./tb/reps -run TestLoop -update`, which also checks it.\n")
	n := 0
	found := map[string]loopMeans{}
	for _, table := range loopTables {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| run | completion, µs | mean message, µs | drops | longest queue, packets |\n|---|---:|---:|---:|---:|\n", table.title, table.text)
		for i := range table.rows {
			r := &table.rows[i]
			if n++; sample.LeftOut(n, sample.Turns) {
				continue
			}
			m := r.run(t)
			found[table.title+", "+r.name] = m
			page.WriteString(r.cells(&m))
			if testing.Short() && !strings.Contains(string(have), r.cells(&m)) {
				t.Errorf("docs/units/reps_loop.md has no row %s", r.cells(&m))
			}
		}
	}
	if testing.Short() {
		return
	}
	done := func(m loopMeans) float64 { return m.done }
	for _, c := range []struct {
		less, than string
		factor     float64
		of         func(loopMeans) float64
	}{
		{"The authors' micro benchmarks, Fig. 2, REPS", "The authors' micro benchmarks, Fig. 2, OPS", 0.97, done},
		{"The authors' micro benchmarks, Fig. 4, REPS", "The authors' micro benchmarks, Fig. 4, OPS", 0.6, done},
		{"The authors' micro benchmarks, Fig. 7, REPS", "The authors' micro benchmarks, Fig. 7, OPS", 0.75, done},
		{"`explore_stride`, stride 1", "`explore_stride`, stride 8", 0.98, done},
		{"`nic_ports`, a state for each port", "`nic_ports`, one state for both ports", 0.995, done},
		{"`nic_ports`, a state for each port", "`nic_ports`, one state for both ports", 0.5, func(m loopMeans) float64 { return m.drops }},
		{"Idle connections, 1 MiB, kept", "Idle connections, 1 MiB, flushed", 1.01, func(m loopMeans) float64 { return m.message }},
		{"Idle connections, 1 MiB, one slow uplink, kept", "Idle connections, 1 MiB, one slow uplink, flushed", 1.01, func(m loopMeans) float64 { return m.message }},
		{"Seeds, REPS, linear hash, a seed for each", "Seeds, REPS, linear hash, one seed", 0.5, func(m loopMeans) float64 { return m.spread }},
		{"Seeds, OPS, linear hash, a seed for each", "Seeds, OPS, linear hash, one seed", 0.5, func(m loopMeans) float64 { return m.spread }},
	} {
		if a, b := c.of(found[c.less]), c.of(found[c.than]); a > c.factor*b {
			t.Errorf("%s gives %.1f, %s %.1f: want at most %g of it", c.less, a, c.than, b, c.factor)
		}
	}
	suite.Page(t, "loop", page.String())
}

// The default of the explore stride is what the closed loop says.
func TestDefaultStride(t *testing.T) {
	if got := params.Default().ExploreStride; got != 1 {
		t.Errorf("explore_stride is %d by default, want 1: docs/units/reps_loop.md", got)
	}
}
