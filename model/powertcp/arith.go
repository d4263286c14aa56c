// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"math"
	"math/bits"
)

// Number formats. UQi.f is an unsigned number with i integer and f fraction bits.
const (
	MantissaBits = 17 // a normalised mantissa, 1.16: 2^16 to 2^17-1

	PowerInt  = 8  // integer bits of a power
	NormFrac  = 18 // fraction bits of a hop's normalised power: UQ8.18
	PowerFrac = 26 // fraction bits of the smoothed power: UQ8.26
	normMax   = 1<<(PowerInt+NormFrac) - 1
	lowPower  = PowerFrac - 6 // to the reciprocal a power below 2^-6 counts as 2^-6

	WindowInt  = 23 // integer bits of a window in bytes
	WindowFrac = 2  // fraction bits of a window: UQ23.2
	BetaInt    = 20 // integer bits of β in bytes
	GammaFrac  = 16 // fraction bits of γ: UQ1.16

	RateInt  = 8  // integer bits of a pacing rate in bytes per ns
	RateFrac = 16 // fraction bits of a pacing rate: UQ8.16
	rateMax  = 1<<(RateInt+RateFrac) - 1

	queueBits = 26 // of 1 + queue/BDP times a 1.16 mantissa, saturated
	keyBias   = 8  // bias of the exponent in a key
	keyMax    = 31
)

// Float is a mantissa and an exponent: M × 2^(E-16), with M from 2^16 to 2^17-1,
// or 0 for zero.
type Float struct {
	M uint32
	E int
}

// normalise converts x, which is below 2^63, to a float. Low bits are dropped.
func normalise(x uint64) Float {
	if x == 0 {
		return Float{}
	}
	p := bits.Len64(x) - 1
	if p <= 16 {
		return Float{uint32(x << (16 - p)), p}
	}
	return Float{uint32(x >> (p - 16)), p}
}

// normaliseEven normalises with an odd exponent: M's leading one is
// at bit 15 or 16.
func normaliseEven(x uint64) Float {
	if x == 0 {
		return Float{}
	}
	e := (bits.Len64(x) - 1) | 1
	if e <= 16 {
		return Float{uint32(x << (16 - e)), e}
	}
	return Float{uint32(x >> (e - 16)), e}
}

// less orders non-negative floats.
func (a Float) less(b Float) bool {
	if a.M == 0 || b.M == 0 {
		return a.M < b.M
	}
	return a.E < b.E || a.E == b.E && a.M < b.M
}

// The reciprocal's table: its upper 6 fraction bits choose a chord of 1/x.
const (
	recipHi    = 6
	recipLo    = 16 - recipHi
	recipShift = 9
)

var recip0, recip1 = recipTable()

// recipTable holds start and slope of each chord. A chord of 1/x over [a, b] is above the curve by
// at most (1/√a - 1/√b)^2; half of that is subtracted, so the error is the same on both sides.
func recipTable() (t0, t1 [1 << recipHi]uint32) {
	for i := range t0 {
		a := 1 + float64(i)/(1<<recipHi)
		b := a + 1.0/(1<<recipHi)
		gap := 1/math.Sqrt(a) - 1/math.Sqrt(b)
		t0[i] = uint32(math.Round((1/a - gap*gap/2) * (1 << 18)))
		t1[i] = uint32(math.Round((1/a - 1/b) * (1 << (18 - recipLo + recipShift))))
	}
	return t0, t1
}

// Reciprocal returns 2^34/m for a mantissa m, with a relative error below 2^-14.7:
// 18 bits, 2^17 to 2^18-1.
func Reciprocal(m uint32) uint32 {
	hi, lo := m>>recipLo&(1<<recipHi-1), m&(1<<recipLo-1)
	return recip0[hi] - recip1[hi]*lo>>recipShift
}

// times returns a × b, truncated to a mantissa; neither is zero.
func (a Float) times(b Float) Float {
	p := uint64(a.M) * uint64(b.M)
	if p>>33 != 0 {
		return Float{uint32(p >> 17), a.E + b.E + 1}
	}
	return Float{uint32(p >> 16), a.E + b.E}
}

// over returns a ÷ b with the reciprocal's table; b must not be zero. The leading one of a's
// mantissa may be at bit 15.
func (a Float) over(b Float) Float {
	if a.M == 0 {
		return Float{}
	}
	p := uint64(a.M) * uint64(Reciprocal(b.M))
	n := bits.Len64(p) - 1 // 32 to 34
	return Float{uint32(p >> (n - 16)), a.E - b.E + n - 34}
}

// key encodes a power sortably: exponent and mantissa without its leading one, 21 bits. A power
// below 2^-8 has key 0; at 2^24 and above the exponent saturates.
func (a Float) key() uint32 {
	e := a.E + keyBias
	if a.M == 0 || e < 0 {
		return 0
	}
	return uint32(min(e, keyMax))<<16 | a.M&0xffff
}

// norm returns a key's power as UQ8.18, saturated; key 0 has 2^-8. Low bits are dropped.
func norm(key uint32) uint32 {
	m, e := 1<<16|key&0xffff, int(key>>16)-keyBias+NormFrac-16
	switch {
	case int(key>>16)-keyBias >= PowerInt:
		return normMax
	case e < 0:
		return m >> -e
	}
	return m << e
}

// share returns a queue's part of 1 + q/(b·τ), times C0's mantissa.
func (l *Link) share(qlen uint64, base uint) uint64 {
	return qlen * uint64(l.C1) >> (base + 4*l.Shift)
}

// observed returns share where the table is made for a τ of 2^16 ns: C1 is scaled by 2^16/τ.
func (l *Link) observed(qlen uint64, base uint, invTau Float) uint64 {
	c1 := uint64(l.C1) * uint64(invTau.M) >> 17
	return qlen * c1 << 17 >> (base + 4*l.Shift + uint(invTau.E))
}

// power returns the normalised power of a hop (P4): with num units of bytes that arrived in dt, it
// is max(num/dt, floor·b) · (1 + q/(b·τ)) / (b·TU).
func (l *Link) power(num uint64, dt Float, share uint64) uint32 {
	x := normaliseEven(num).over(dt)
	if x.less(l.Floor) { // P3
		x = l.Floor
	}
	v := min(uint64(l.C0.M)+share, 1<<queueBits-1) // C0's mantissa times 1 + q/(b·τ)
	f := normalise(uint64(x.M) * v)
	f.E += x.E + l.C0.E - 32
	return f.key()
}
