// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Idle cycles are skipped, and the time jumps over them. After a jump to any place next to the boundaries of its range, a packet gets its path
// after the unit's latency, and all of its time: its timer of 105 µs expires once, found by the next lap of the timers. The same holds for a
// packet in flight during a jump that ends less than half of the range beyond its timer.
func TestClockedPauses(t *testing.T) {
	const (
		us    = fabric.Instant(1_000_000)
		rto   = 105 * us
		every = 20 * us
	)
	x := newFew(t)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for conn := range 3 {
		_, err := x.Open(conn, 0)
		check(err)
	}
	_, err := x.Answers(clocked.At(100))
	check(err)
	at, seq := 1000*us, uint32(0)
	ask := func(pause uint64) {
		t.Helper()
		seq++
		check(x.Ask(0, seq, at))
		list, err := x.Answers(at + x.Latency())
		check(err)
		if len(list) != 1 || list[0].Grants {
			t.Fatalf("pause of %d ns: %+v, want a path", pause, list)
		}
	}
	// looked returns the segments that a lap of the timers finds lost.
	looked := func(now fabric.Instant) []transport.Segment {
		t.Helper()
		check(x.Tick(now.NS()))
		_, err := x.Answers(clocked.At(x.looks + 100))
		check(err)
		return x.Missing()
	}
	for _, pause := range append(benchtest.Pauses(32, 200_000), 10<<32, 1<<40) {
		at += fabric.Instant(pause) * 1000
		ask(pause)
		want := []transport.Segment{{Conn: 0, Seq: seq, Timer: true}}
		for now := at + every; ; now += every {
			found := looked(now)
			if now <= at+rto && len(found) > 0 || now > at+rto && !slices.Equal(found, want) {
				t.Fatalf("behind a pause of %d ns: lost %v %d µs after the packet, want %v behind 105", pause, found, (now-at)/us, want)
			}
			if now > at+rto {
				at = now + every
				break
			}
		}
	}
	for _, pause := range []uint64{1 << 20, 1<<31 - 1, 1<<31 + 90_000, 1<<32 + 200_000, 2<<32 + 200_000} {
		ask(pause)
		at += fabric.Instant(pause) * 1000
		if found := looked(at); len(found) != 1 || found[0].Seq != seq {
			t.Errorf("a packet on its way in a pause of %d ns: lost %v, want %d", pause, found, seq)
		}
		at += every
	}
	if x.unit.LeftOut < 1000*x.unit.Cycles {
		t.Errorf("%d cycles simulated, %d left out: want far more of these", x.unit.Cycles, x.unit.LeftOut)
	}
}
