// SPDX-License-Identifier: Apache-2.0

// Package dcsim models the token bucket that the units of DCSIM share, in whole numbers.
//
// Source: Straussman et al., "Simulate Before Sending", NINeS 2026, Theorem 3.
package dcsim

// Bucket is a token bucket with a rational rate, gain/cost tokens a clock. It is full after reset,
// and a full bucket keeps no fraction. Its level is
//
//	tokens + 1 + credit/cost    with credit from -cost to 0
//
// and no operation rounds.
type Bucket struct {
	size   int64
	tokens int64
	credit int64 // missing part of the next token, in 1/cost; at 0 or above the token is earned
}

// NewBucket returns a full bucket of a number of tokens.
func NewBucket(size int64) *Bucket { return &Bucket{size: size, tokens: size, credit: -1} }

// Have returns the number of tokens in this clock.
func (b *Bucket) Have() int64 {
	if b.credit >= 0 {
		return b.tokens + 1
	}
	return b.tokens
}

// Clock ends this clock, in which a token was used or not.
func (b *Bucket) Clock(take bool, gain, cost int64) {
	have := b.Have()
	switch {
	case have == b.size:
		b.credit = -cost
		if take {
			b.credit += gain
		}
	case b.credit >= 0:
		b.credit += gain - cost
	default:
		b.credit += gain
	}
	b.tokens = have
	if take {
		b.tokens--
	}
}
