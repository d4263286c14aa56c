// SPDX-License-Identifier: Apache-2.0

package bench

import "github.com/nicgen/nicgen/cosim"

// Traffic is the frame of a random stimulus, which embeds it: episodes that are each of
// another kind, resets in the middle of traffic, numbers in favour, and a time that passes
// in several ways and wraps. What a seed gives is on record, in replay files and in lists of
// mutants: no method may draw other random numbers, or draw them in another order.
type Traffic struct {
	cosim.Autonomous
	Rng        *Random
	Left       int      // cycles of the episode still to come
	Reset      int      // cycles of reset still to come
	ResetIn    int      // cycles to a reset of one cycle; 0: none is planned
	SinceReset int64    // cycles
	Sweep      int64    // cycles that it takes to clear after a reset: another may come within; 0: none does
	Now, Mask  uint64   // the time, and its ones
	Hot        []uint32 // numbers in favour, such as connections; none: all alike
	Pace       Pace

	began bool    // the first reset is over
	again *Random // of resets within a sweep, separate from the other choices
}

// Pace is the way in which time passes from one cycle to the next. A unit may add its own
// ones from PaceOwn on.
type Pace int

// Ways in which time passes.
const (
	PaceClock  Pace = iota // 3 ns, as at 322 MHz
	PaceStill              // not at all
	PaceOne                // 1 ns
	PaceRandom             // 0 to 15 ns
	PaceJump               // now and then by what matters to the unit
	PaceOwn
)

// NewTraffic begins with a reset of three cycles. stream is a constant of the unit, see
// NewRandom, and timeBits the width of the time, 0 without a time. Start comes before the
// first episode.
func NewTraffic(seed, stream uint64, timeBits int64) Traffic {
	return Traffic{Rng: NewRandom(seed, stream), again: NewRandom(seed, ^stream), Reset: 3, Mask: ^uint64(0) >> (64 - timeBits)}
}

// Start draws the time from which it passes.
func (t *Traffic) Start() { t.Now = t.Rng.Uint64() & t.Mask }

// Cycle begins a cycle, with a new episode where the last one is over. It reports whether it
// is one of a reset.
func (t *Traffic) Cycle(episode func()) bool {
	if t.Left--; t.Left < 0 {
		episode()
	}
	t.SinceReset++
	if t.ResetIn > 0 {
		if t.ResetIn--; t.ResetIn == 0 {
			t.Reset = 1
		}
	}
	if t.Reset == 0 {
		return false
	}
	t.SinceReset = 0
	if t.Reset--; t.Reset == 0 {
		t.resetAgain()
	}
	return true
}

// resetAgain plans another reset after every other one but the first, while what the last one
// began is still under way: a register of the sweep that a reset leaves as it is shows only
// then. Some come within a few cycles.
func (t *Traffic) resetAgain() {
	if t.began && t.Sweep > 0 && t.ResetIn == 0 && t.again.IntN(2) == 0 {
		t.ResetIn = 1 + t.again.IntN(int(Pick(t.again, min(t.Sweep, 8), t.Sweep, t.Sweep, t.Sweep)))
	}
	t.began = true
}

// MayReset plans a reset of one to three cycles, one time in oneIn, if the last one is more
// than rest cycles ago.
func (t *Traffic) MayReset(rest int64, oneIn int) {
	if t.SinceReset > rest && t.Rng.IntN(oneIn) == 0 {
		t.Reset = 1 + t.Rng.IntN(3)
	}
}

// MayWrap brings the time close to its wrap, one time in oneIn.
func (t *Traffic) MayWrap(oneIn int) {
	if t.Rng.IntN(oneIn) == 0 {
		t.Now = (t.Mask - t.Rng.Uint64N(min(3000, t.Mask))) & t.Mask
	}
}

// Favour puts some of n numbers in favour, as many as one of counts says, or one time in six
// none.
func (t *Traffic) Favour(n int64, counts ...int) {
	t.Hot = t.Hot[:0]
	for range Pick(t.Rng, counts...) {
		t.Hot = append(t.Hot, uint32(t.Rng.Int64N(n)))
	}
	if n > 1 && t.Rng.IntN(6) == 0 {
		t.Hot = t.Hot[:0]
	}
}

// Target chooses each of to among the numbers in favour, or all n. It returns the remainder
// of the random bits that it drew.
func (t *Traffic) Target(to []uint32, n int64) uint64 {
	b := t.Rng.Bits()
	for i := range to {
		if hot := len(t.Hot); hot > 0 {
			to[i] = t.Hot[int(b&0xff)*hot>>8]
			b >>= 8
		} else {
			to[i] = uint32((t.Rng.Bits() >> 40) * uint64(n) >> 24)
		}
	}
	return b
}

// Connection chooses a connection as Target does, or, if none is set, one that does not exist: a number of
// the given width from n upwards, if there are such.
func (t *Traffic) Connection(n, width int64, none bool) uint32 {
	var c [1]uint32
	t.Target(c[:], n)
	if end := int64(1) << width; none && end > n {
		c[0] = uint32(Beyond(t.Rng.Bits()>>32, n, end))
	}
	return c[0]
}

// Pass lets the time go on. What PaceJump and the unit's own steps do is up to other.
func (t *Traffic) Pass(other func()) {
	switch t.Pace {
	case PaceClock:
		t.Now += 3
	case PaceStill:
	case PaceOne:
		t.Now++
	case PaceRandom:
		t.Now += t.Rng.Bits() >> 60
	default:
		other()
	}
	t.Now &= t.Mask
}

// Dice are the random bits of a cycle.
type Dice uint64

// Hit reports whether something happens whose chance is p in 256. Each call uses eight
// fresh bits, so eight are at hand.
func (d *Dice) Hit(p uint64) bool {
	hit := uint64(*d)&255 < p
	*d >>= 8
	return hit
}
