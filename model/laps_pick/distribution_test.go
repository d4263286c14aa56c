// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	model "github.com/nicgen/nicgen/model/laps_pick"
)

// pickers are the three ways to choose.
var pickers = []struct{ name, picker, memory string }{
	{"race", params.Race, gen.BRAM}, {"race in LUTs", params.Race, params.LUT}, {"lookup", params.Lookup, gen.BRAM},
}

func configure(picker, memory string, paths int) *params.Params {
	p := params.Default()
	p.Picker, p.NoiseMemory, p.Paths = picker, memory, int64(paths)
	return p
}

// quantise rounds octaves to the unit's latencies.
func quantise(octaves ...float64) []uint16 {
	var out []uint16
	for _, x := range octaves {
		out = append(out, uint16(math.Round(math.Ldexp(x, params.FractionBits))))
	}
	return out
}

// The vectors LV1: latencies 10, 12 and 20 µs, T = 20 µs, with different β'.
func TestVectors(t *testing.T) {
	latency := []float64{10_000, 12_000, 20_000}
	for _, c := range []struct {
		beta float64
		want []float64
	}{
		{1, []float64{.3982, .3603, .2415}}, {4, []float64{.5538, .3712, .0750}}, {8, []float64{.6814, .3062, .0125}},
	} {
		var d []float64
		for _, l := range latency {
			d = append(d, c.beta*math.Log2E*l/20_000)
		}
		exact := model.Softmax(7, d)
		for i, want := range c.want {
			if math.Abs(exact[i]-want) > 1e-4 {
				t.Errorf("β' %g: the exact chance of path %d is %.5f, want %.4f", c.beta, i, exact[i], want)
			}
		}
		for _, k := range pickers {
			got := model.New(configure(k.picker, k.memory, 3)).Distribution(7, quantise(d...))
			if tv := model.Distance(got, exact); tv > 0.002 {
				t.Errorf("β' %g: %s picks with %v, %.2g away from %v", c.beta, k.name, got, tv, exact)
			}
		}
	}
}

// The picks have the computed distribution: chi-square over draws within five standard deviations
// of its mean.
func TestDistributionIsOfPicks(t *testing.T) {
	const draws = 400_000
	for _, k := range pickers {
		for _, c := range []struct {
			usable  uint32
			latency []uint16
		}{
			{0b11, quantise(0, 1.3)},
			{0b10111, quantise(2, 3.5, 2.25, 0, 4)},
			{0xff, quantise(1, 1, 1, 1, 9, 1, 1, 1)},
			{0x1fff, quantise(5, 5.01, 5.02, 5.5, 6, 7, 8, 9, 10, 5, 5, 5.3, 31)},
		} {
			m := model.New(configure(k.picker, k.memory, len(c.latency)))
			want := m.Distribution(c.usable, c.latency)
			count := make([]float64, len(want))
			for range draws {
				count[m.Pick(c.usable, c.latency).Index]++
			}
			x, df := 0.0, -1.0
			for i, p := range want {
				switch {
				case p*draws >= 5:
					x += (count[i] - p*draws) * (count[i] - p*draws) / (p * draws)
					df++
				case count[i] > 30:
					t.Errorf("%s: path %d was picked %g times, want about %g", k.name, i, count[i], p*draws)
				}
			}
			if z := wilsonHilferty(x, df); math.Abs(z) > 5 {
				t.Errorf("%s, %v: chi-square of the picks is %.1f standard deviations off", k.name, c.latency, z)
			}
		}
	}
}

// wilsonHilferty makes a standard normal number of a chi-square.
func wilsonHilferty(x, df float64) float64 {
	return (math.Cbrt(x/df) - (1 - 2/(9*df))) / math.Sqrt(2/(9*df))
}

// Paths that may not be picked have no chance, all equal ones the same, and a dominant
// one nearly all; where nothing races, the first usable path is picked.
func TestProperties(t *testing.T) {
	const dead = params.DeadOctave << params.FractionBits
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range pickers {
		for paths := 2; paths <= 32; paths++ {
			m := model.New(configure(k.picker, k.memory, paths))
			all := uint32(1<<paths - 1)
			d := make([]uint16, paths)
			check := func(what string, usable uint32, want func(i int) bool) {
				t.Helper()
				for range 40 {
					got := m.Pick(usable, d)
					if got.None || !want(got.Index) {
						t.Errorf("%s of %d paths: %s: picked %+v of %#x", k.name, paths, what, got, usable)
						return
					}
				}
			}
			for i := range d {
				d[i] = uint16(r.IntN(1 << params.LatencyBits))
			}
			usable := r.Uint32()&all | 1<<r.IntN(paths)
			check("usable", usable, func(i int) bool { return usable>>i&1 != 0 })

			alive := r.IntN(paths)
			for i := range d {
				d[i] = dead + uint16(r.IntN(1<<params.FractionBits))
			}
			check("all saturated", usable, func(i int) bool { return i == bits.TrailingZeros32(usable) })
			if got := m.Pick(usable, d); !got.Saturated {
				t.Errorf("%s of %d paths: all are saturated, but %+v", k.name, paths, got)
			}
			d[alive] = dead - 1
			check("one not saturated", all, func(i int) bool { return i == alive })
			d[alive] = 0
			for i := range d {
				if i != alive {
					d[i] = dead - 1
				}
			}
			check("one dominant", all, func(i int) bool { return i == alive })
			if got := m.Pick(0, d); got != (model.Result{None: true}) {
				t.Errorf("%s of %d paths: no path is usable, but %+v", k.name, paths, got)
			}
		}
	}
	for _, k := range pickers {
		for _, paths := range []int{2, 4, 8, 16, 32} { // of another number of paths, some have more of the last bits
			m := model.New(configure(k.picker, k.memory, paths))
			d := make([]uint16, paths)
			for i := range d {
				d[i] = 1234
			}
			for i, p := range m.Distribution(uint32(1<<paths-1), d) {
				if math.Abs(p*float64(paths)-1) > 1e-6 {
					t.Errorf("%s: all of %d are equal, but path %d has a chance of %g", k.name, paths, i, p)
				}
			}
		}
	}
}

// Picks are independent of each other, as far as two of them show: for picks at a distance of 1 to
// 8, the table of both numbers, which holds every bit of the generator that a step derives from
// other bits, is within five standard deviations of the product. So is the table of one pick
// against the equality of the two before: three picks show relations between the bits of several
// lanes that two do not.
func TestIndependence(t *testing.T) {
	const draws, lags = 1_500_000, 8
	for _, k := range pickers {
		for _, paths := range []int{2, 8, 32} {
			if k.memory == params.LUT && paths != 32 {
				continue
			}
			m := model.New(configure(k.picker, k.memory, paths))
			d := make([]uint16, paths)
			for i := range d {
				d[i] = uint16(1000 + 40*(i%3))
			}
			all := uint32(1<<paths - 1)
			tables := make([][]float64, lags+1)
			for i := range tables {
				tables[i] = make([]float64, paths*paths)
			}
			var past [lags]int
			for n := range draws + lags {
				pick := m.Pick(all, d).Index
				if n >= lags {
					for l, before := range past {
						tables[l][before*paths+pick]++
					}
					same := 0
					if past[0] == past[1] {
						same = 1
					}
					tables[lags][same*paths+pick]++
				}
				copy(past[1:], past[:])
				past[0] = pick
			}
			for l, table := range tables {
				name := fmt.Sprintf("lag %d", l+1)
				if l == lags {
					name = "after two that are equal or not"
				}
				if z := independence(table, paths, draws); math.Abs(z) > 5 {
					t.Errorf("%s of %d paths, %s: chi-square is %.1f standard deviations off", k.name, paths, name, z)
				} else {
					t.Logf("%s of %d paths, %s: z = %+.2f", k.name, paths, name, z)
				}
			}
		}
	}
}

// The tables do detect dependence: if addresses in the noise only move on from lane to lane, and
// one lane's is new, consecutive picks depend on each other.
func TestIndependenceNotices(t *testing.T) {
	const draws, paths = 200_000, 8
	p := configure(params.Race, gen.BRAM, paths)
	m := model.New(p)
	r := rand.New(rand.NewPCG(5, 6))
	d := make([]uint16, paths)
	random := make([]uint64, 2)
	table := make([]float64, paths*paths)
	before := 0
	for range draws {
		var lanes uint64 // the lowest bit of each word's bytes: lane 0
		for j := range 8 {
			lanes |= 1 << (j * paths)
		}
		random[0] = random[0]<<1&^lanes | r.Uint64()&lanes
		random[1] = random[1]<<1&^lanes&0xffff | r.Uint64()&(lanes&0xffff|0xffff<<16)
		pick := m.Choose(1<<paths-1, d, random).Index
		table[before*paths+pick]++
		before = pick
	}
	if z := independence(table, paths, draws); z < 20 {
		t.Errorf("chi-square is %.1f standard deviations off, want at least 20", z)
	}
}

// independence compares a square table of counts, whose last rows may be empty, with the product of
// its margins.
func independence(table []float64, n int, total float64) float64 {
	rows, columns := make([]float64, n), make([]float64, n)
	for i, x := range table {
		rows[i/n] += x
		columns[i%n] += x
	}
	x, used := 0.0, -1.0
	for i, r := range rows {
		if r == 0 {
			continue
		}
		used++
		for j, c := range columns {
			e := r * c / total
			x += (table[i*n+j] - e) * (table[i*n+j] - e) / e
		}
	}
	return wilsonHilferty(x, used*float64(n-1))
}

func BenchmarkPick(b *testing.B) {
	for _, k := range pickers {
		b.Run(k.name, func(b *testing.B) {
			m := model.New(configure(k.picker, k.memory, 32))
			d := make([]uint16, 32)
			for i := range d {
				d[i] = uint16(100 * i)
			}
			for b.Loop() {
				m.Pick(1<<32-1, d)
			}
		})
	}
}
