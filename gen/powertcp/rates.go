// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"math/big"
)

// scaleBits is the logarithm of the τ for which the link-rate table is made if the unit observes τ:
// 2^scaleBits ns.
const scaleBits = 16

// Float is a normalised number: M × 2^(E-16), with M from 2^16 to 2^17-1. M is 0 if there is no
// number.
type Float struct {
	M uint32
	E int
}

// Rate is an entry of the link-rate table, which represents a link's bandwidth b. With b in bytes
// per ns, G = ByteUnit bytes, TU the target utilisation, q = qlen_unit_bytes and SH = ShiftBase:
//
//	C0    = G / (b · TU)                                  ns
//	C1    = round(C0.M · q / (b · τ) · 2^(SH + 4·Shift)), with the largest Shift
//	        from 0 to 3 that leaves it below 2^17; where the unit observes τ, it is
//	        made for a τ of 65,536 ns, and the unit scales it
//	Floor = λ_floor · b / G                               1/ns
//
// C0 and Floor are rounded to the nearest Float, halves up. A driver that writes the table must do
// the same, and pack the fields like Entry.
type Rate struct {
	Valid bool
	C0    Float  // the inverse bandwidth
	C1    uint32 // 17 bits: the queue length's share of 1 + queue / (b · τ), times C0.M
	Shift uint   // shift code of C1, 0 to 3
	Floor Float  // the least arrival rate
}

// Rate returns the table's initial entry for a link-rate code from 0 to 15. A code with bandwidth
// 0, or with a bandwidth that Check refuses, is not valid.
func (p *Params) Rate(code int) Rate {
	r := p.rate(code)
	if r.trouble(p) != "" {
		return Rate{}
	}
	return r
}

// rate returns the Rate of any bandwidth; a value that does not fit shows in its fields.
func (p *Params) rate(code int) Rate {
	mbps := p.LinkRatesMbps[code]
	if mbps == 0 {
		return Rate{}
	}
	b := big.NewRat(mbps, 8_000) // bytes per ns
	g := big.NewRat(p.ByteUnit(), 1)
	c0 := quo(quo(g, b), big.NewRat(p.TargetPPM, 1_000_000))
	r := Rate{Valid: true, C0: nearest(c0), Floor: nearest(quo(mul(big.NewRat(p.FloorPPM, 1_000_000), b), g))}
	x := mul(big.NewRat(int64(r.C0.M), 1), quo(big.NewRat(p.QlenUnit, 1), mul(b, big.NewRat(p.rateTau(), 1))))
	for r.Shift = 3; ; r.Shift-- {
		c1 := round(mul(x, power2(p.ShiftBase()+4*int(r.Shift))))
		if c1 < 1<<MantissaBits || r.Shift == 0 {
			r.C1 = uint32(min(c1, 1<<32-1))
			return r
		}
	}
}

// rateTau returns the τ in ns for which the link-rate table is made.
func (p *Params) rateTau() int64 {
	if p.Observes() {
		return 1 << scaleBits
	}
	return p.TauNS
}

// trouble returns the allowed bandwidths if this one cannot be used.
func (r Rate) trouble(p *Params) string {
	switch {
	case !r.Valid:
		return ""
	case r.C1 >= 1<<MantissaBits:
		of := "tau_ns"
		if p.Observes() {
			of = "the table's τ"
		}
		return fmt.Sprintf("0, or a bandwidth at which %d bytes and more are sent in %s (%d)", p.QlenUnit<<p.ShiftBase(), of, p.rateTau())
	case r.C0.E < -32 || r.C0.E > 31 || r.Floor.E < -32 || r.Floor.E > 31:
		return "0, or a bandwidth that a 6-bit exponent holds with tx_unit_bytes and lambda_floor_ppm"
	}
	return ""
}

// Entry packs the entry in the format of the port s_rate_entry, from bit 0 upwards: valid 1 | C0.M
// 16, without its leading one | C0.E 6, signed | C1 17 | Shift 2 | Floor.M 16 | Floor.E 6, signed.
func (r Rate) Entry() uint64 {
	if !r.Valid {
		return 0
	}
	return 1 | uint64(r.C0.M&0xffff)<<1 | uint64(r.C0.E&0x3f)<<17 | uint64(r.C1)<<23 | uint64(r.Shift)<<40 |
		uint64(r.Floor.M&0xffff)<<42 | uint64(r.Floor.E&0x3f)<<58
}

// InvTau returns 1/τ per ns: a Float's mantissa m and the exponent e of m × 2^-(16+e).
func (p *Params) InvTau() (m uint32, e int) {
	f := nearest(big.NewRat(1, p.TauNS))
	return f.M, -f.E
}

// PortValues implements gen.Driven: the settings in the formats of the ports. It
// has the ports of every variant.
func (p *Params) PortValues() map[string]uint64 {
	const million = 1_000_000
	ratio := func(num, den int64, frac int) uint64 {
		return uint64(round(mul(big.NewRat(num, den), power2(frac))))
	}
	m, e := p.InvTau()
	return map[string]uint64{
		"cfg_gamma":       ratio(p.GammaPPM, million, 16),
		"cfg_beta":        uint64(p.BetaBytes) << 2,
		"cfg_inv_tau_m":   uint64(m),
		"cfg_inv_tau_e":   uint64(e),
		"cfg_tau_ns":      uint64(p.TauNS),
		"cfg_min_window":  uint64(p.MinWindowBytes) << 2,
		"cfg_max_window":  uint64(p.MaxWindowBytes) << 2,
		"cfg_init_power":  ratio(million, p.TargetPPM, 18),
		"cfg_theta_floor": ratio(p.FloorPPM, million, 16),
		"cfg_inv_target":  ratio(million, p.TargetPPM, 16),
	}
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// power2 returns 2^n.
func power2(n int) *big.Rat {
	x := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n))))
	if n < 0 {
		x.Inv(x)
	}
	return x
}

// round returns the integer nearest to x, which is not negative and below 2^62, with
// halves rounded up.
func round(x *big.Rat) int64 {
	twice := new(big.Int).Lsh(x.Num(), 1)
	twice.Add(twice, x.Denom())
	return twice.Quo(twice, new(big.Int).Lsh(x.Denom(), 1)).Int64()
}

// nearest returns the Float nearest to x, which is positive.
func nearest(x *big.Rat) Float {
	// 2^(n-1) < x < 2^(n+1)
	n := x.Num().BitLen() - x.Denom().BitLen()
	if x.Cmp(power2(n)) < 0 {
		n--
	}
	m := round(mul(x, power2(16-n)))
	if m == 1<<17 {
		return Float{1 << 16, n + 1}
	}
	return Float{uint32(m), n}
}
