// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/bench"
)

// A frame begins with three cycles of reset, then one of its episodes follows the other;
// resets come after a rest, and a planned one when its time is over.
func TestTraffic(t *testing.T) {
	x := bench.NewTraffic(1, 2, 16)
	x.Start()
	episodes, resets := 0, 0
	episode := func() {
		episodes++
		x.Left = 9
		x.MayReset(100, 1)
	}
	for i := range 1000 {
		rst := x.Cycle(episode)
		if i < 3 && !rst {
			t.Errorf("cycle %d is not one of reset", i)
		}
		if rst {
			resets++
			if x.SinceReset != 0 {
				t.Errorf("cycle %d of reset is %d cycles after it", i, x.SinceReset)
			}
		}
	}
	// A reset of one to three cycles in the first episode that begins 101 cycles after the last.
	if episodes != 100 || resets < 3+9 || resets > 3+9*3 {
		t.Errorf("%d episodes and %d cycles of reset in 1000 cycles", episodes, resets)
	}
	x.Reset, x.ResetIn = 0, 5
	x.Left = 100
	for i := range 6 {
		if rst := x.Cycle(nil); rst != (i == 4) {
			t.Errorf("cycle %d: reset %t, planned for the fifth", i, rst)
		}
	}
}

// Within the sweep after a reset another one comes, every other time, at any place in it; not
// after the first one, and none where there is no sweep.
func TestResetsInSweeps(t *testing.T) {
	for _, sweep := range []int64{0, 100} {
		x := bench.NewTraffic(1, 2, 16)
		x.Sweep = sweep
		x.Start()
		alone, within := 0, make([]int, 110)
		for i := range 200_000 {
			since := x.SinceReset
			if x.Cycle(func() { x.Left = 999; x.MayReset(0, 1) }) && since > 0 && i > 3 {
				if since < int64(len(within)) {
					within[since]++
				} else {
					alone++
				}
			}
			if i < 900 && x.SinceReset == 0 && i >= 3 {
				t.Fatalf("a reset in cycle %d", i)
			}
		}
		early, late, beyond := 0, 0, 0
		for gap, n := range within {
			switch {
			case int64(gap) > sweep:
				beyond += n
			case gap <= 8:
				early += n
			case gap > 50:
				late += n
			}
		}
		if beyond > 0 || sweep == 0 && early+late > 0 || sweep > 0 && (early < 20 || late < 20 || alone < 100) {
			t.Errorf("sweep of %d: %d resets after more, %d in the first cycles, %d in the second half, %d behind it", sweep, alone, early, late, beyond)
		}
	}
}

// The time stays in its width, comes close to the wrap, and passes as its pace says.
func TestPass(t *testing.T) {
	x := bench.NewTraffic(1, 2, 12)
	x.Start()
	if x.Mask != 0xfff || x.Now > x.Mask {
		t.Errorf("time %#x, ones %#x", x.Now, x.Mask)
	}
	x.MayWrap(1)
	if x.Now < x.Mask-3000 {
		t.Errorf("time %#x is not close to the wrap", x.Now)
	}
	for _, c := range []struct {
		pace        bench.Pace
		least, most uint64
	}{{bench.PaceClock, 3, 3}, {bench.PaceStill, 0, 0}, {bench.PaceOne, 1, 1}, {bench.PaceRandom, 0, 15}, {bench.PaceJump, 100, 100}, {bench.PaceOwn, 100, 100}} {
		x.Pace = c.pace
		for range 1000 {
			was := x.Now
			x.Pass(func() { x.Now += 100 })
			if d := (x.Now - was) & x.Mask; d < c.least || d > c.most || x.Now > x.Mask {
				t.Errorf("pace %d: from %#x to %#x", c.pace, was, x.Now)
			}
		}
	}
}

// Numbers in favour are a few of all, and what is chosen is one of them.
func TestFavour(t *testing.T) {
	x := bench.NewTraffic(1, 2, 0)
	none := 0
	for range 600 {
		x.Favour(50, 1, 3)
		hot := map[uint32]bool{}
		for _, n := range x.Hot {
			hot[n] = true
		}
		if none += 1 - min(1, len(hot)); len(hot) > 3 {
			t.Fatalf("in favour are %v, want up to three", x.Hot)
		}
		var to [4]uint32
		x.Target(to[:], 50)
		for _, n := range to {
			if n >= 50 || len(hot) > 0 && !hot[n] {
				t.Fatalf("%d is chosen, in favour are %v of 50", n, x.Hot)
			}
		}
	}
	if none < 60 || none > 150 {
		t.Errorf("none is in favour %d times of 600, want about a hundred", none)
	}
	x.Favour(1, 2)
	if len(x.Hot) != 2 {
		t.Errorf("of one number %v are in favour", x.Hot)
	}
}

// Each of eight throws has its own bits.
func TestDice(t *testing.T) {
	d := bench.Dice(0x0807060504030201)
	for i := range uint64(8) {
		low := d
		if low.Hit(i+1) || !d.Hit(i+2) {
			t.Errorf("throw %d is not %d", i, i+1)
		}
	}
}
