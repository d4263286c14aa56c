// SPDX-License-Identifier: Apache-2.0

package dcsimsource

// Random is the generator b[t] = b[t-28] ^ b[t-31], some bits per word. Its period is 2^31 - 1
// bits.
type Random struct {
	state uint64 // the last 31 bits, the newest lowest
	bits  int
}

// NewRandom returns the generator after reset, with a number of bits per word. The state is the
// upper half, except for one bit, of the product of the seed and 2^64 over the golden ratio.
func NewRandom(seed int64, bits int) Random {
	const golden = 11400714819323198485
	state := uint64(seed) * golden >> 33
	if state == 0 {
		state = 1
	}
	return Random{state: state, bits: bits}
}

// Word returns the newest word.
func (r *Random) Word() uint64 { return r.state & (1<<r.bits - 1) }

// Step makes the next word.
func (r *Random) Step() {
	for range r.bits {
		r.push(r.state>>27 ^ r.state>>30)
	}
}

// Seed takes a word in place of the next one, with bit 0 set.
func (r *Random) Seed(word uint64) {
	word |= 1
	for i := r.bits - 1; i >= 0; i-- {
		r.push(word >> i)
	}
}

func (r *Random) push(bit uint64) { r.state = (r.state<<1 | bit&1) & (1<<31 - 1) }
