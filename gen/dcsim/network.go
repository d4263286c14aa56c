// SPDX-License-Identifier: Apache-2.0

// Package dcsim derives settings that the units of DCSIM share: the rate of SIMs and the bound
// RTTmax, in whole numbers and fractions.
//
// Source: Straussman et al., "Simulate Before Sending", NINeS 2026, Eq. 2 and 5.
package dcsim

import "math/big"

// Network has the properties of the network from which the rate of SIMs and RTTmax are derived. The
// paper's L and ℓ are lengths on the line, so the preamble and the gap of Ethernet are in them:
// PacketBytes + GapBytes and ProbeBytes + GapBytes.
type Network struct {
	RateGbps    int64 // C
	PacketBytes int64 // length of a DATA
	ProbeBytes  int64 // length of a SIM
	GapBytes    int64 // length that a packet takes on the line in addition to its own
	Hops        int64 // H
	Queue       int64 // B
	RTTNS       int64 // RTTp
}

// Period returns the time between two tokens in ns: (L + 2.1 ℓ) · 8 / C.
func (n Network) Period() *big.Rat {
	packet, probe := n.line()
	return big.NewRat((10*packet+21*probe)*8, 10*n.RateGbps)
}

// line returns L and ℓ, in bytes of the line.
func (n Network) line() (packet, probe int64) {
	return n.PacketBytes + n.GapBytes, n.ProbeBytes + n.GapBytes
}

// Token returns the rate of the bucket at a clock: gain tokens in cost clocks, in lowest terms.
func (n Network) Token(clockHz int64) (gain, cost int64) {
	clocks := new(big.Rat).Mul(n.Period(), big.NewRat(clockHz, 1_000_000_000))
	return clocks.Denom().Int64(), clocks.Num().Int64()
}

// SIMRate returns the rate of SIMs on the line in bits a ns: ℓ · 8 / Period.
func (n Network) SIMRate() *big.Rat {
	_, probe := n.line()
	return new(big.Rat).Quo(big.NewRat(8*probe, 1), n.Period())
}

// RTTMax returns Eq. 5 in ns: RTTp + 2H · (ℓ·8/C) · ((B+1)α + 2.1B + 1), with α = L/ℓ.
func (n Network) RTTMax() *big.Rat {
	packet, probe := n.line()
	in := big.NewRat(10*(n.Queue+1)*packet+(21*n.Queue+10)*probe, 10) // bytes: ℓ · (…)
	in.Mul(in, big.NewRat(2*n.Hops*8, n.RateGbps))
	return in.Add(in, big.NewRat(n.RTTNS, 1))
}

// RTTMaxClocks returns RTTMax, rounded up to clocks.
func (n Network) RTTMaxClocks(clockHz int64) int64 { return ceil(n.RTTMax(), clockHz) }

// Clocks returns a time in ns, rounded up to clocks.
func Clocks(ns, clockHz int64) int64 { return ceil(big.NewRat(ns, 1), clockHz) }

func ceil(ns *big.Rat, clockHz int64) int64 {
	c := new(big.Rat).Mul(ns, big.NewRat(clockHz, 1_000_000_000))
	q, m := new(big.Int).DivMod(c.Num(), c.Denom(), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64()
}
