// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/internal/sample"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// loop is a scenario of the page: hosts send messages through the first tier of a tree, of which uplinks may be slow
// or fail. Times are in ns.
type loop struct {
	shape    topo.Shape
	senders  int
	ports    int // of a NIC, used in rotation, each with separate uplinks; 0 acts as 1
	bytes    uint64
	messages int    // of each sender, one after the other; 0 is 1
	pause    uint64 // from the last acknowledgement of a message to the next one
	slow     bool   // the first uplink has half of the rate
	fail     bool   // the second uplink fails for 100 µs, and the last one later for 250
	fast     uint64 // when windows begin to grow by a packet an acknowledgement; 0: never
	rto      uint64
}

// The authors' program: 400 Gb/s, 4 KiB, 1 µs a link, queues of 100 packets that mark from 20 to 80 and trim.
const (
	loopPayload = 4096
	loopPacket  = loopPayload + 54
	loopGbps    = 400
	loopUS      = 1_000_000 // ps
)

// tree is a topology with the links and queues of all.
func tree(s topo.Shape, link fabric.Instant) topo.Shape {
	s.Host, s.Fabric = fabric.Link{Gbps: loopGbps, Delay: link}, fabric.Link{Gbps: loopGbps, Delay: link}
	s.Queue = fabric.Queueing{Bytes: 100 * loopPacket, Trim: true, Marking: fabric.Marking{Min: 20 * loopPacket, Max: 80 * loopPacket}}
	return s
}

// loopRow is a row of a table of the page: a scenario, with what chooses the EVs.
type loopRow struct {
	name   string
	loop   loop
	set    string // parameters
	random bool   // draw every EV: OPS
	shared bool   // one state for all ports of a NIC
	flush  uint64 // ns without a packet after which a connection is flushed; 0: never
	seed   bool   // all generators have the same seed
}

// nic is the golden model in a NIC: all messages are its connection 0. The port of the NIC is in the flow label, above
// the model's EV.
type nic struct {
	b      *model.Buffer
	ports  int
	random bool // draw every EV: OPS
	shared bool // one state for all ports
	flush  uint64
	turn   int // the port of the next packet
	last   uint64
}

const portBit = 16 // of an EV, from which on it is the port

func (n *nic) state(ev uint32) int {
	if n.shared {
		return 0
	}
	return int(ev >> portBit)
}

// Send implements transport.Paths.
func (n *nic) Send(_ int, now uint64) (transport.Choice, error) {
	port := uint32(n.turn) << portBit
	n.turn = (n.turn + 1) % n.ports
	if n.flush > 0 && now-n.last > n.flush {
		n.b.Flush(0, n.state(port))
	}
	n.last = now
	word := n.b.Random.Next()
	if n.random {
		return transport.Choice{EV: port | word&(1<<portBit-1)}, nil
	}
	ev, _ := n.b.Send(0, n.state(port), word)
	return transport.Choice{EV: port | ev}, nil
}

// Ack implements transport.Paths.
func (n *nic) Ack(_ int, a *transport.Ack) (uint8, error) {
	n.b.Ack(0, n.state(a.EV), a.EV&(1<<portBit-1), a.Marked, a.Now)
	return 0, nil
}

// Lost implements transport.Paths: a full queue is no failure.
func (n *nic) Lost(_ int, l *transport.Loss) (uint8, error) {
	if !l.Trimmed {
		n.b.Fail(0, n.state(l.EV), l.Now)
	}
	return 0, nil
}

// split is the first leaf as a switch for each port of the NICs: a port has its part of the uplinks.
type split struct {
	up    []*fabric.Port
	ports int
	salt  uint64
	down  fabric.Router
}

// Route implements fabric.Router.
func (s *split) Route(p *fabric.Packet) *fabric.Port {
	if out := s.down.Route(p); !slices.Contains(s.up, out) {
		return out
	}
	n := len(s.up) / s.ports
	port := int(p.EV()>>portBit) % s.ports
	h := rand.New(rand.NewPCG(s.salt, uint64(p.Src)<<32|uint64(p.EV()))).IntN(n)
	return s.up[port*n+h]
}

// loopSeeds are the runs of a row.
const loopSeeds = 20

// loopMeans are the means of a row over its runs.
type loopMeans struct{ done, spread, message, lost, longest float64 }

// flows are the messages of a run: a host sends to the one with its place in the other half of the tree.
func (l *loop) flows(hosts int, seed uint64) (flows []workload.Flow) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	for h := range l.senders {
		f := workload.Flow{Src: h, Dst: h + hosts/2, Bytes: l.bytes, Start: rnd.Uint64N(loopPacket * 8 * 1000 / loopGbps)}
		for range max(1, l.messages) {
			flows = append(flows, f)
			f.After, f.Start = []int{len(flows) - 1}, l.pause*1000
		}
	}
	return flows
}

// run simulates a row.
func (r *loopRow) run(t *testing.T) (m loopMeans) {
	t.Helper()
	var done []float64
	for seed := range uint64(loopSeeds) {
		m.add(t, r, seed, &done)
	}
	m.done, m.spread = measure.Mean(done)
	return m
}

// add simulates a run of a row.
func (m *loopMeans) add(t *testing.T, r *loopRow, seed uint64, done *[]float64) {
	t.Helper()
	l := &r.loop
	net, err := topo.New(&l.shape, seed)
	if err != nil {
		t.Fatal(err)
	}
	up := net.Leaves[0].Up
	if l.slow {
		up[0].SetRate(loopGbps / 2)
	}
	if l.fail {
		for _, o := range []struct {
			port     *fabric.Port
			from, to fabric.Instant
		}{{up[1], 100, 200}, {up[len(up)-1], 350, 600}} {
			net.At(o.from*loopUS, o.port.Fail)
			net.At(o.to*loopUS, o.port.Repair)
		}
	}
	ports := max(1, l.ports)
	if ports > 1 {
		net.Leaves[0].Router = &split{up, ports, seed, net.Leaves[0].Router}
	}
	p := params.Default()
	if err := gen.SetAll(p, fmt.Sprintf("connections=1 nic_ports=%d %s", ports, r.set)); err != nil {
		t.Fatal(err)
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	bdp := float64(net.RoundTrip(0, len(net.Hosts)-1, loopPacket, fabric.HeaderSize)) / 1000 * l.shape.Host.Gbps / 8
	settings := transport.Settings{Payload: loopPayload, Headers: loopPacket - loopPayload, RTO: l.rto, Deadline: 1e9}
	flows := l.flows(len(net.Hosts), seed)
	res, err := transport.Run(t.Context(), net, flows, &settings, func(host, _ int) (transport.Transport, error) {
		window := &transport.MPRDMA{MTU: loopPacket, First: bdp, Most: 1.5 * bdp, Least: loopPacket, Fast: l.fast}
		own := uint64(host)
		if r.seed {
			own = 0
		}
		n := &nic{b: model.New(p), ports: ports, random: r.random, shared: r.shared, flush: r.flush}
		n.b.Random.Reset(seed<<20 | own)
		return transport.Join(window, n), nil
	})
	if err == nil {
		err = net.Check()
	}
	if err != nil {
		t.Fatalf("%s, seed %d: %v", r.name, seed, err)
	}
	*done = append(*done, res.Last())
	for i := range res.Flows {
		f := &res.Flows[i]
		begun := fabric.Instant(f.Flow.Start)
		for _, k := range f.Flow.After {
			begun += res.Flows[k].Acked
		}
		m.message += float64(f.Acked-begun) / loopUS / float64(loopSeeds*len(res.Flows))
	}
	m.lost += float64(res.Counts.Dropped()+res.Counts.Trimmed) / loopSeeds
	peak := int64(0)
	for _, leaf := range net.Leaves {
		for _, port := range leaf.Up {
			peak = max(peak, port.Peak)
		}
	}
	m.longest += float64(peak) / loopPacket / loopSeeds
}

// cells is the row in its table.
func (r *loopRow) cells(m *loopMeans) string {
	return fmt.Sprintf("| %s | %.1f ± %.1f | %.1f | %.0f | %.0f |\n", r.name, m.done, m.spread, m.message, m.lost, m.longest)
}

// Figures 4 and 7 are in a tree of three tiers, Fig. 2 in one of two.
var (
	four     = tree(topo.Shape{Tiers: 3, Pods: 2, Leaves: 4, Hosts: 4, Spines: 4, Cores: 4}, loopUS)
	fig2     = loop{shape: tree(topo.Shape{Tiers: 2, Leaves: 2, Hosts: 8, Spines: 8}, loopUS), senders: 8, bytes: 16 << 20, rto: 70_000}
	fig4     = loop{shape: four, senders: 4, bytes: 32 << 20, slow: true, rto: 70_000}
	fig7     = loop{shape: four, senders: 4, bytes: 32 << 20, fail: true, fast: 650_000, rto: 45_700}
	idle     = loop{shape: four, senders: 4, bytes: 1 << 20, messages: 50, pause: 200_000, rto: 45_700}
	twoPorts = loop{shape: twice(topo.Shape{Tiers: 2, Leaves: 2, Hosts: 4, Spines: 8}), senders: 4, ports: 2, bytes: 64 << 20, slow: true, rto: 70_000}
)

// twice is a tree whose hosts have two ports: a cable of twice the rate to the first leaf, which splits it.
func twice(s topo.Shape) topo.Shape {
	s = tree(s, loopUS*3/2) // the delay of six cables in four
	s.Host.Gbps *= 2
	return s
}

// with changes a scenario.
func with(l loop, change func(*loop)) loop {
	change(&l)
	return l
}

const brief = "freezing_timeout_ns=100000 "

var (
	steady = func(l *loop) { l.fast = 0 }
	slow   = func(l *loop) { l.slow = true }
	short  = func(l *loop) { l.bytes = 64 << 10 }
	linear = func(l *loop) { l.shape.Hash = topo.Linear }
	broken = func(l *loop) { l.fail = true }
)

// loopTables are the tables of the page.
var loopTables = []struct {
	title, text string
	rows        []loopRow
}{
	{"The authors' micro benchmarks", "Completion as the authors' simulator gives it: Fig. 2 REPS 350.7 µs, OPS 368.8; Fig. 4 REPS 811.6, OPS 1427.6; Fig. 7 REPS 902.5\n" +
		"with 449 drops, OPS 1314.9 with 717. The paper's text: 4 % in Fig. 2, 799 and 1400 µs in Fig. 4, \"over 35 %\" in Fig. 7.",
		[]loopRow{
			{name: "Fig. 2, OPS", loop: fig2, random: true},
			{name: "Fig. 2, REPS", loop: fig2},
			{name: "Fig. 4, OPS", loop: fig4, random: true},
			{name: "Fig. 4, REPS", loop: fig4},
			{name: "Fig. 7, OPS", loop: fig7, set: brief, random: true},
			{name: "Fig. 7, REPS", loop: fig7, set: brief},
		}},
	{"`explore_stride`", "Fig. 7. Algorithm 2 as published (`buffer_depth`, 8) completes in 1022 µs in the authors' simulator, stride 1, which is their\n" +
		"code, in 902 µs: their figure. **The default is 1.** It is the fastest here too with the authors' congestion control, which lets\n" +
		"windows grow fast from 650 µs on, with the fewest drops. Without that growth 2 is the fastest, and 1 has more drops; 8 is the\n" +
		"slowest in both.",
		[]loopRow{
			{name: "stride 1", loop: fig7, set: brief + "explore_stride=1"},
			{name: "stride 2", loop: fig7, set: brief + "explore_stride=2"},
			{name: "stride 4", loop: fig7, set: brief + "explore_stride=4"},
			{name: "stride 8", loop: fig7, set: brief + "explore_stride=8"},
			{name: "standard window growth, stride 1", loop: with(fig7, steady), set: brief + "explore_stride=1"},
			{name: "standard window growth, stride 2", loop: with(fig7, steady), set: brief + "explore_stride=2"},
			{name: "standard window growth, stride 4", loop: with(fig7, steady), set: brief + "explore_stride=4"},
			{name: "standard window growth, stride 8", loop: with(fig7, steady), set: brief + "explore_stride=8"},
		}},
	{"`nic_ports`", "Fig. 4 for NICs with two ports, each to four uplinks; one uplink of the first port is slow. An EV names another path on the\n" +
		"other port: with one state for both ports, an EV that came back unmarked from the second takes the slow uplink of the first\n" +
		"as often as a random one does. That costs 2 % of the time here, and packets. **Each connection has a state of its own on each\n" +
		"port.**",
		[]loopRow{
			{name: "OPS", loop: twoPorts, random: true},
			{name: "one state for both ports", loop: twoPorts, shared: true},
			{name: "a state for each port", loop: twoPorts},
		}},
	{"Idle connections", "Hosts that pause for 200 µs between messages. \"Flushed\": a packet after 30 µs without one finds an empty buffer, as of a new\n" +
		"connection. **The unit has no idle time-out.** What is stale after a pause is at most `buffer_depth` EVs of the 150 packets of a\n" +
		"round trip; each is used once, and returns only unmarked. Flushing them gains 0.6 % of a message's time, and nothing\n" +
		"where an uplink is slow. Where uplinks fail it gains 1 %, and saves packets, as it ends freezing too. A time stamp for each connection, read and\n" +
		"compared with each packet, would cost a RAMB18 and a fifth of the unit's LUTs. A NIC that wants the effect asks for a flush when\n" +
		"its own timer of the connection runs out (`s_flush`).",
		[]loopRow{
			{name: "1 MiB, kept", loop: idle},
			{name: "1 MiB, flushed", loop: idle, flush: 30_000},
			{name: "1 MiB, one slow uplink, kept", loop: with(idle, slow)},
			{name: "1 MiB, one slow uplink, flushed", loop: with(idle, slow), flush: 30_000},
			{name: "64 KiB, kept", loop: with(idle, short)},
			{name: "64 KiB, flushed", loop: with(idle, short), flush: 30_000},
			{name: "1 MiB, uplinks fail, kept", loop: with(idle, broken)},
			{name: "1 MiB, uplinks fail, flushed", loop: with(idle, broken), flush: 30_000},
		}},
	{"Seeds", "Fig. 2 with generators of one seed in all hosts, as NICs with one bitstream have them unless they are\n" +
		"[seeded](reps_details.md#random-evs), and with a seed of its own in each. The switch's hash mixes flow and EV, or is linear as a CRC is:\n" +
		"then hosts that draw the same EVs always meet on an uplink, or never. With OPS how long it takes is chance: the deviation from\n" +
		"run to run is five times as large. REPS repeats only EVs that came back unmarked, and does not suffer. **Seed each NIC**: it\n" +
		"also has to start, explore and fall back to OPS.",
		[]loopRow{
			{name: "REPS, a seed for each", loop: fig2},
			{name: "REPS, one seed", loop: fig2, seed: true},
			{name: "REPS, linear hash, a seed for each", loop: with(fig2, linear)},
			{name: "REPS, linear hash, one seed", loop: with(fig2, linear), seed: true},
			{name: "OPS, linear hash, a seed for each", loop: with(fig2, linear), random: true},
			{name: "OPS, linear hash, one seed", loop: with(fig2, linear), random: true, seed: true},
		}},
}

const loopPage = "../../../docs/units/reps_loop.md"

// The unit in a closed loop: what its settings do to a network. The page is
// docs/units/reps_loop.md; a short test runs a few of its rows.
func TestLoop(t *testing.T) {
	have, err := os.ReadFile(loopPage)
	if err != nil && testing.Short() {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString("# REPS in a closed loop\n\n" +
		"[The REPS buffer](reps.md) in the authors' micro benchmarks, in the [network](../network.md) of the figures: hosts\n" +
		"of one leaf send a message each, over uplinks that a hash of flow and EV chooses, to hosts of another one. 400 Gb/s, 4 KiB,\n" +
		"queues of 100 packets that mark from 20 on and trim, the DCTCP window of MP-RDMA. The golden model gives the EVs; the RTL\n" +
		"equals it event by event. Means of 20 seeds, completion of the last message ± standard deviation.\n\n" +
		"Written by `go test ./sim/host/reps -run TestLoop -update`, which also checks it.\n")
	found := map[string]loopMeans{}
	for _, table := range loopTables {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| run | completion, µs | mean message, µs | lost or trimmed | longest queue, packets |\n|---|---:|---:|---:|---:|\n", table.title, table.text)
		for i := range table.rows {
			r := &table.rows[i]
			if sample.LeftOut(t.Name() + "/" + fmt.Sprintf("%s/%d", table.title, i)) {
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
		{"`nic_ports`, a state for each port", "`nic_ports`, one state for both ports", 0.5, func(m loopMeans) float64 { return m.lost }},
		{"Idle connections, 1 MiB, kept", "Idle connections, 1 MiB, flushed", 1.01, func(m loopMeans) float64 { return m.message }},
		{"Idle connections, 1 MiB, one slow uplink, kept", "Idle connections, 1 MiB, one slow uplink, flushed", 1.01, func(m loopMeans) float64 { return m.message }},
		{"Seeds, REPS, linear hash, one seed", "Seeds, REPS, linear hash, a seed for each", 1.01, done},
		{"Seeds, OPS, linear hash, a seed for each", "Seeds, OPS, linear hash, one seed", 0.5, func(m loopMeans) float64 { return m.spread }},
	} {
		if a, b := c.of(found[c.less]), c.of(found[c.than]); a > c.factor*b {
			t.Errorf("%s gives %.1f, %s %.1f: want at most %g of it", c.less, a, c.than, b, c.factor)
		}
	}
	if benchtest.Updating() {
		if err := os.WriteFile(loopPage, []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(have), page.String()); d != "" {
		t.Errorf("%s is stale (-have +want), run: go test ./sim/host/reps -run TestLoop -update\n%s", loopPage, d)
	}
}

// The default of the explore stride is what the closed loop says.
func TestDefaultStride(t *testing.T) {
	if got := params.Default().ExploreStride; got != 1 {
		t.Errorf("explore_stride is %d by default, want 1: docs/units/reps_loop.md", got)
	}
}
