// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"math/big"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// bounds are the settings of a part of TestExtremes.
type bounds struct {
	most, least uint64 // rates
	stages      uint64
}

// ideal are the rates of a flow in numbers of any size, by the steps that the page has.
type ideal struct {
	current, expected *big.Int
	left              uint64
}

func (f *ideal) open(b bounds) {
	f.current, f.expected, f.left = new(big.Int).SetUint64(b.most), new(big.Int).SetUint64(b.most), b.stages
}

// smaller and larger are the smaller and the larger of two numbers.
func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func (f *ideal) decrease(b bounds) {
	f.expected = smaller(f.current, new(big.Int).SetUint64(b.most))
	f.current = larger(new(big.Int).Rsh(f.expected, 1), new(big.Int).SetUint64(b.least))
	f.left = b.stages
}

func (f *ideal) increase(b bounds, step int64) {
	most := new(big.Int).SetUint64(b.most)
	if f.left == 0 {
		f.expected = new(big.Int).Lsh(f.expected, 1)
	} else {
		f.left--
	}
	f.expected = smaller(f.expected, most)
	next := new(big.Int).Add(f.expected, f.current)
	next.Rsh(next, 1)
	if step > 0 {
		next = larger(next, new(big.Int).Add(f.current, big.NewInt(step)))
	}
	if f.current.Cmp(most) > 0 {
		next = most
	}
	f.current = smaller(next, most)
	if step > 0 {
		f.expected = larger(f.expected, f.current)
	}
}

// TestExtremes takes a flow from the greatest rate to the least, and back, with settings at the ends of their ranges: sums
// have a bit more than a rate, a doubled rate too, and with a least step so has a third sum.
func TestExtremes(t *testing.T) {
	for _, corner := range []string{"extremes ready-made", "least step 1", "longest step"} {
		t.Run(corner, func(t *testing.T) {
			t.Parallel()
			extremes(t, suite.Corner(t, corner))
		})
	}
}

func extremes(t *testing.T, p *params.Params) {
	l := suite.Lockstep(t, p, cosim.BuildOptions{})
	all := uint64(1)<<p.RateBits - 1
	now := uint64(0)
	var f ideal
	var b bounds
	set := func(x bounds) {
		b = x
		l.Set("cfg_max_rate", b.most)
		l.Set("cfg_min_rate", b.least)
		l.Set("cfg_stages", b.stages)
	}
	answers := func(what string) {
		t.Helper()
		l.Await("m_rate_valid", p.RateLatency()+1)
		if got, expected := l.Get("m_rate_current"), l.Get("m_rate_expected"); got != f.current.Uint64() || expected != f.expected.Uint64() {
			t.Fatalf("%s with %+v: rates 0x%x and 0x%x, want 0x%x and 0x%x", what, b, got, expected, f.current, f.expected)
		}
	}
	open := func() {
		t.Helper()
		l.Cycle(benchtest.Ports{"s_open_valid": 1, "s_open_flow": 2})
		f.open(b)
		answers("opened")
	}
	ack := func(congested bool) {
		t.Helper()
		now = (now + 1000) & (1<<p.TimeBits - 1) // beyond each interval
		l.Set("now_ns", now)
		l.Cycle(benchtest.Ports{
			"s_ack_valid": 1, "s_ack_flow": 2, "s_ack_usable": 1, "s_ack_min_latency_ns": 20 + benchtest.Bit(congested), "s_ack_max_base_ns": 20,
		})
		if congested {
			f.decrease(b)
			answers("decreased")
		} else {
			f.increase(b, p.Least)
			answers("increased")
		}
	}
	set(bounds{all, 1, 5})
	l.Cycle(benchtest.Ports{"rst": 1})
	l.Await("sts_ready", int(p.ReadyDelay())+2)
	bottom := false
	for _, x := range []bounds{{all, 1, 5}, {all, 1, 0}, {all, 0, 15}, {all - 1, 1, 3}, {1, 1, 0}, {all, all, 15}, {all, all >> 1, 1}, {3, 2, 0}} {
		set(x)
		open()
		for range p.RateBits + 2 {
			ack(true)
		}
		bottom = bottom || f.current.Cmp(big.NewInt(1)) == 0
		for range p.RateBits + 20 {
			ack(false)
		}
	}
	// The greatest rate is lowered by one, which is all that the expected rate is above it.
	set(bounds{all, 1, 15})
	open()
	set(bounds{all - 1, 1, 15})
	ack(false)
	// The greatest rate is lowered to 1, and raised again.
	set(bounds{all, 1, 0})
	open()
	for range 4 {
		set(bounds{1, 1, 0})
		ack(false)
		set(bounds{all, 1, 0})
		for range 2*p.RateBits + 4 {
			ack(false)
		}
		// Halves are rounded down: without a least step a unit is left.
		if f.current.Uint64() < all-benchtest.Bit(p.Least == 0) {
			t.Fatalf("a rate of 0x%x after so many increases", f.current)
		}
	}
	if !bottom {
		t.Error("no rate was 1")
	}
}
