// SPDX-License-Identifier: Apache-2.0

package fabric_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/fabric"
)

// sink is a host that reads everything.
type sink struct {
	got   []fabric.Packet
	times []fabric.Instant
}

func (s *sink) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	s.got = append(s.got, *p)
	s.times = append(s.times, n.Now())
	n.Received(p)
}

const ns = agenda.PS

// line is a port to a sink, 10 bytes a ns, 100 ns long.
func line(q fabric.Queueing) (*fabric.Network, *fabric.Port, *sink) {
	n, s := fabric.New(1), &sink{}
	p, _ := n.Connect(nil, s, fabric.Link{Gbps: 80, Delay: 100 * ns}, q, fabric.Queueing{})
	return n, p, s
}

func put(n *fabric.Network, p *fabric.Port, at fabric.Instant, seq uint32, size int32, class uint8) {
	n.At(at, func() {
		x := n.Packet()
		x.Seq, x.Size, x.Class = seq, size, class
		p.Put(n, x)
	})
}

func run(t testing.TB, n *fabric.Network) {
	t.Helper()
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := n.Check(); err != nil {
		t.Fatal(err)
	}
}

// Control packets overtake data that waits, but not the packet that is being sent.
func TestOrderAndTime(t *testing.T) {
	n, p, s := line(fabric.Queueing{})
	put(n, p, 0, 1, 1000, fabric.Bulk)
	put(n, p, 1*ns, 2, 1000, fabric.Bulk)
	put(n, p, 2*ns, 3, 60, fabric.Control)
	run(t, n)
	for i, want := range []struct {
		seq uint32
		at  fabric.Instant
	}{{1, 200 * ns}, {3, 206 * ns}, {2, 306 * ns}} {
		if s.got[i].Seq != want.seq || s.times[i] != want.at {
			t.Errorf("packet %d came at %d ps, want %d at %d", s.got[i].Seq, s.times[i], want.seq, want.at)
		}
	}
	if p.Peak != 2000 || p.Bytes != 2060 || n.Count.Hops != 3 {
		t.Errorf("peak %d, bytes %d, hops %d, want 2000, 2060, 3", p.Peak, p.Bytes, n.Count.Hops)
	}
}

// A queue holds what it says, and drops or trims the next packet.
func TestFull(t *testing.T) {
	for _, trim := range []bool{false, true} {
		n, p, s := line(fabric.Queueing{Bytes: 3000, Trim: trim})
		for i := range uint32(5) {
			put(n, p, 0, i, 1000, fabric.Bulk)
		}
		run(t, n)
		full, trimmed := uint64(2), uint64(0)
		order := []uint32{0, 1, 2}
		if trim {
			full, trimmed, order = 0, 2, []uint32{0, 3, 4, 1, 2}
		}
		if n.Count.Drops[fabric.Full] != full || p.Drops[fabric.Full] != full || n.Count.Trimmed != trimmed {
			t.Errorf("trimming %t: %d dropped, %d trimmed, want %d, %d", trim, n.Count.Drops[fabric.Full], n.Count.Trimmed, full, trimmed)
		}
		for i, want := range order {
			if s.got[i].Seq != want {
				t.Fatalf("trimming %t: packet %d came, want %d", trim, s.got[i].Seq, want)
			}
			if cut := want > 2; cut != (s.got[i].Kind == fabric.Header) || cut != (s.got[i].Size == fabric.HeaderSize) {
				t.Errorf("packet %d came with %d bytes", want, s.got[i].Size)
			}
		}
	}
}

// Marks follow the queue that a packet finds: none below Min, all from Max on, in proportion between; a step if
// both are equal.
func TestMarking(t *testing.T) {
	for _, c := range []struct {
		m    fabric.Marking
		want func(before int) float64 // chance with packets of 1000 bytes before it
	}{
		{fabric.Marking{}, func(int) float64 { return 0 }},
		{fabric.Marking{Min: 3000, Max: 3000}, func(b int) float64 { return float64(b / 3 & 1) }},
		{fabric.Marking{Min: 1000, Max: 5000}, func(b int) float64 { return min(1, max(0, float64(b-1)/4)) }},
	} {
		var marks [6]float64
		const runs = 2000
		n, p, s := line(fabric.Queueing{Marking: c.m})
		for r := range fabric.Instant(runs) {
			for i := range uint32(6) {
				put(n, p, r*1000*ns, i, 1000, fabric.Bulk)
			}
		}
		run(t, n)
		for _, x := range s.got {
			if x.Marked {
				marks[x.Seq] += 1. / runs
			}
		}
		for b, got := range marks {
			if want := c.want(b); got < want-0.05 || got > want+0.05 || want == 0 && got != 0 || want == 1 && got < 0.9999 {
				t.Errorf("%+v: %.3f of the packets with %d before them are marked, want %.2f", c.m, got, b, want)
			}
		}
	}
}

// A cable that fails loses the packets on it and those sent into it, and nothing after its repair; two reasons to be
// down need two repairs.
func TestFailure(t *testing.T) {
	n, p, s := line(fabric.Queueing{})
	for i := range uint32(10) {
		put(n, p, fabric.Instant(i)*100*ns, i, 100, fabric.Bulk) // each leaves 10 ns later, and comes 100 ns after that
	}
	n.At(350*ns, p.Fail)
	n.At(360*ns, p.Fail)
	n.At(500*ns, p.Repair)
	n.At(650*ns, p.Repair)
	n.At(750*ns, func() { p.SetRate(8) })
	run(t, n)
	var got []uint32
	for _, x := range s.got {
		got = append(got, x.Seq)
	}
	want := []uint32{0, 1, 2, 7, 8, 9}
	if len(got) != len(want) || n.Count.Drops[fabric.Down] != 4 {
		t.Fatalf("%v came, %d were lost, want %v, 4", got, n.Count.Drops[fabric.Down], want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v came, want %v", got, want)
		}
	}
	if s.times[4] != 1000*ns {
		t.Errorf("a packet at a tenth of the rate came at %d ps, want %d", s.times[4], 1000*ns)
	}
}

// A lossy cable loses its share.
func TestLoss(t *testing.T) {
	n, p, s := line(fabric.Queueing{})
	p.SetLoss(0.1)
	const packets = 10_000
	for i := range uint32(packets) {
		put(n, p, 0, i, 100, fabric.Bulk)
	}
	run(t, n)
	if lost := n.Count.Drops[fabric.Lossy]; lost < packets/10-150 || lost > packets/10+150 || len(s.got)+int(lost) != packets {
		t.Errorf("%d of %d packets are lost, want a tenth", lost, packets)
	}
}

// Whatever happens, at every moment every packet that was sent was received, was dropped, or is on its way; a queue never
// holds more than it says, and packets of a class keep their order.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := fabric.Queueing{Bytes: rapid.Int64Range(0, 5000).Draw(t, "queue"), Trim: rapid.Bool().Draw(t, "trim"),
			Marking: fabric.Marking{Min: 500, Max: 2000}}
		n, p, s := line(q)
		p.SetLoss(rapid.Float64Range(0, 0.3).Draw(t, "loss"))
		check := func() {
			if err := n.Check(); err != nil {
				t.Fatal(err)
			}
			if q.Bytes > 0 && p.Waiting() > q.Bytes*(fabric.Classes-1) {
				t.Fatalf("%d bytes wait", p.Waiting())
			}
		}
		at, down := fabric.Instant(0), 0
		for i, what := range rapid.SliceOfN(rapid.IntRange(0, 9), 1, 100).Draw(t, "what happens") {
			at += fabric.Instant(rapid.IntRange(0, 80).Draw(t, "ns later")) * ns
			switch {
			case what == 0:
				n.At(at, p.Fail)
				down++
			case what == 1 && down > 0:
				n.At(at, p.Repair)
				down--
			default:
				class := uint8(what) % fabric.Classes
				put(n, p, at, uint32(i), int32(rapid.IntRange(fabric.HeaderSize, 1500).Draw(t, "size")), class)
			}
			n.At(at, check)
		}
		if err := n.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		check()
		if n.Census() != 0 {
			t.Fatalf("%d packets are left", n.Census())
		}
		last := map[[2]uint8]uint32{}
		for _, x := range s.got {
			k := [2]uint8{x.Class, uint8(x.Kind)}
			if x.Seq < last[k] {
				t.Fatalf("packet %d after %d of its class", x.Seq, last[k])
			}
			last[k] = x.Seq
		}
	})
}

// A packet that was not counted is noticed.
func TestCheckNotices(t *testing.T) {
	n, p, _ := line(fabric.Queueing{})
	put(n, p, 0, 0, 100, fabric.Bulk)
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.Packet()
	if err := n.Check(); err == nil || err.Error() != "2 packets sent, but 1 received, 0 dropped, 0 on their way" {
		t.Errorf("%v", err)
	}
}

// bounce sends every packet back.
type bounce struct{ out *fabric.Port }

func (b *bounce) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) { b.out.Put(n, p) }

// pingpong is many packets between two nodes, on and on.
func pingpong(packets int) *fabric.Network {
	n, a, b := fabric.New(1), &bounce{}, &bounce{}
	a.out, b.out = n.Connect(a, b, fabric.Link{Gbps: 400, Delay: 1000 * ns}, fabric.Queueing{}, fabric.Queueing{})
	rnd := rand.New(rand.NewPCG(1, 1))
	for range packets {
		x := n.Packet()
		x.Size, x.Class = int32(64+rnd.IntN(4000)), fabric.Bulk
		n.At(fabric.Instant(rnd.Int64N(1000*ns)), func() { a.out.Put(n, x) })
	}
	return n
}

// A network in its steady state allocates nothing.
func TestAllocations(t *testing.T) {
	n := pingpong(100)
	step := func() {
		n.At(n.Now()+200_000*ns, n.Stop)
		if err := n.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		step()
	}
	before := n.Count.Hops
	const runs = 5
	if allocs := testing.AllocsPerRun(runs, step); allocs > 10 { // of step itself, and lists that still grow
		t.Errorf("%v allocations in %d packet-hops", allocs, (n.Count.Hops-before)/(runs+1))
	}
	if hops := n.Count.Hops - before; hops < 1000 {
		t.Errorf("only %d packet-hops", hops)
	}
}

func BenchmarkHop(b *testing.B) {
	n := pingpong(1000)
	b.ResetTimer()
	for n.Count.Hops < uint64(b.N) {
		n.At(n.Now()+10_000*ns, n.Stop)
		if err := n.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n.Count.Hops)/b.Elapsed().Seconds()/1e6, "Mhops/s")
}

// Tell reports a run's progress in order, and does nothing without a listener.
func TestTell(t *testing.T) {
	n := fabric.New(1)
	var told []uint64
	n.Tell(1_000_000, nil)
	n.Tell(1_000_000, func(done, total uint64) {
		if total != 1000 {
			t.Errorf("%d ns in all, want 1000", total)
		}
		told = append(told, done)
	})
	n.At(1_000_000, n.Stop)
	run(t, n)
	if len(told) < 190 || len(told) > 201 || told[0] != 0 || told[len(told)-1] < 990 || !slices.IsSorted(told) {
		t.Errorf("told %v, want some two hundred times from 0 on", told)
	}
}

// starts notes the instants at which packets begin to leave a port, and at which they have left.
type starts struct{ begun, left []fabric.Instant }

func (*starts) Queued(fabric.Instant, int64)                          {}
func (s *starts) Left(now fabric.Instant, _ *fabric.Packet)           { s.left = append(s.left, now) }
func (*starts) Dropped(fabric.Instant, *fabric.Packet, fabric.Reason) {}
func (s *starts) Begins(now fabric.Instant, _ *fabric.Packet)         { s.begun = append(s.begun, now) }

// A Starter sees each packet begin when the one before it has left, and Until stops before an instant.
func TestStarterAndUntil(t *testing.T) {
	n := fabric.New(1)
	sink := &sink{}
	a, _ := n.Connect(sink, sink, fabric.Link{Gbps: 8, Delay: 5}, fabric.Queueing{}, fabric.Queueing{})
	s := &starts{}
	a.Watch = s
	for range 3 {
		p := n.Packet()
		p.Class, p.Size = fabric.Bulk, 10 // 10 ns
		a.Put(n, p)
	}
	if err := n.Until(t.Context(), 20_000); err != nil {
		t.Fatal(err)
	}
	if len(s.left) != 1 || n.Now() != 19_999 {
		t.Errorf("%d packets have left before 20 ns, at %d ps: want 1, at 19999", len(s.left), n.Now())
	}
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []fabric.Instant{0, 10_000, 20_000}; !slices.Equal(s.begun, want) {
		t.Errorf("packets began at %v, want %v", s.begun, want)
	}
	if a.Fail(); !a.Down() {
		t.Error("a failed way is not down")
	}
	if a.Repair(); a.Down() {
		t.Error("a repaired way is down")
	}
}
