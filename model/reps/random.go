// SPDX-License-Identifier: Apache-2.0

package reps

// Random is the unit's generator of random words: the linear recurrence over bits b[t] = b[t-28] ^
// b[t-61] ^ b[t-93] ^ b[t-127], advanced by as many steps per word as a word has bits: 16, or up to
// 20 for wider EVs. Its characteristic polynomial x^127 + x^99 + x^66 + x^34 + 1 is irreducible,
// and 2^127-1 is prime, so every state but zero lies on one cycle of 2^127-1 states; no number of
// steps up to 20 shares a factor with that, so words have the same period.
//
// Bit i of the state is the bit drawn i steps ago: bit 0 is the newest.
type Random struct {
	hi, lo uint64 // state bits 126..64 and 63..0
	width  uint   // bits of a word
}

// StateBits are the bits of the state.
const StateBits = 127

// NewRandom returns the generator of words of width bits, 1 to 28, in its state after reset.
func NewRandom(width int, seed uint64) Random {
	r := Random{width: uint(width)}
	r.Reset(seed)
	return r
}

// Reset sets the state that the hardware has after reset, expanded from seed by
// two steps of SplitMix64; bit 0 is then set, so the state is never zero.
func (r *Random) Reset(seed uint64) {
	r.hi, r.lo = ExpandSeed(seed)
}

// ExpandSeed gives bits 126..64 and 63..0 of the state for a seed.
func ExpandSeed(seed uint64) (hi, lo uint64) {
	next := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	hi = next() & (1<<63 - 1)
	lo = next() | 1
	return hi, lo
}

// State returns bits 126..64 and 63..0.
func (r *Random) State() (hi, lo uint64) { return r.hi, r.lo }

// Load shifts a word into the state in place of the next one: eight of them set the whole state.
// Bit 0 of each word is taken as one, so the state is never zero.
func (r *Random) Load(word uint32) { r.shift(word | 1) }

// Last returns the word that was drawn or loaded last.
func (r *Random) Last() uint32 { return uint32(r.lo) & (1<<r.width - 1) }

// Next draws a word.
func (r *Random) Next() uint32 {
	// The bit that is drawn k steps from now, 0 ≤ k < width, is the exclusive or of
	// state bits 27-k, 60-k, 92-k and 126-k. Put the first 28 of them in a row, the bit of
	// k at 27-k: the highest are the word.
	w := uint32(r.lo) ^ uint32(r.lo>>33) ^ uint32(r.hi>>1) ^ uint32(r.hi>>35)
	w = w & (1<<28 - 1) >> (28 - r.width)
	r.shift(w)
	return w
}

func (r *Random) shift(w uint32) {
	r.hi = (r.hi<<r.width | r.lo>>(64-r.width)) & (1<<63 - 1)
	r.lo = r.lo<<r.width | uint64(w)&(1<<r.width-1)
}
