// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"math/bits"
	"math/rand/v2"
)

// Random makes the choices of a stimulus, the same for the same seed on every machine. The
// methods of rand.Rand are for the choices of an episode, Bits for the choices of every
// cycle.
type Random struct {
	*rand.Rand
	state uint64
}

// NewRandom returns a generator; stream, a constant of the unit, keeps units with
// the same seed apart.
func NewRandom(seed, stream uint64) *Random {
	return &Random{Rand: rand.New(rand.NewPCG(seed, stream)), state: seed*0x9e3779b97f4a7c15 | 1}
}

// Bits is a fast source of 64 bits; the high ones are the best.
func (r *Random) Bits() uint64 {
	r.state ^= r.state << 13
	r.state ^= r.state >> 7
	r.state ^= r.state << 17
	return r.state * 0x9e3779b97f4a7c15
}

// Pick chooses one of from, each with the same chance.
func Pick[T any](r *Random, from ...T) T { return from[r.IntN(len(from))] }

// Beyond makes a random word of 32 bits an illegal number: from n to end-1, where those
// below n are legal. It is one of the first eight, or a legal one with one bit changed, or
// any. It panics unless 0 < n < end.
func Beyond(word uint64, n, end int64) int64 {
	r, illegal := int64(word&(1<<30-1)), end-n
	switch word >> 30 & 3 {
	case 0:
		return n + r%min(illegal, 8)
	case 1:
		bit := r >> 20 % int64(bits.Len64(uint64(end-1)))
		if x := r&(1<<20-1)%n | 1<<bit; x >= n && x < end {
			return x
		}
	}
	return n + r%illegal
}
