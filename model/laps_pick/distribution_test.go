// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// A family makes latency vectors: each latency over T, the largest base latency.
type family struct {
	name string
	make func(r *rand.Rand, beta float64, v []float64)
}

const octave = math.Ln2 // of latency, for β' = 1

var families = []family{
	{"all equal", func(r *rand.Rand, _ float64, v []float64) {
		x := r.Float64()
		for i := range v {
			v[i] = x
		}
	}},
	{"uniform", func(r *rand.Rand, _ float64, v []float64) {
		for i := range v {
			v[i] = r.Float64()
		}
	}},
	{"close together", func(r *rand.Rand, _ float64, v []float64) {
		for i := range v {
			v[i] = 0.5 + 0.1*r.Float64()
		}
	}},
	{"normal", func(r *rand.Rand, _ float64, v []float64) {
		for i := range v {
			v[i] = min(max(0.5+0.15*r.NormFloat64(), 0), 1)
		}
	}},
	{"two equal", func(r *rand.Rand, _ float64, v []float64) {
		low := 0.3 * r.Float64()
		for i := range v {
			v[i] = low + (1-low)*(0.3+0.7*r.Float64())
		}
		v[r.IntN(len(v))], v[r.IntN(len(v))] = low, low
	}},
	{"one dominant", func(r *rand.Rand, beta float64, v []float64) {
		low := 0.2 * r.Float64()
		gap := (4 + 6*r.Float64()) * octave / max(beta, 0.1)
		for i := range v {
			v[i] = min(low+gap, 1)
		}
		v[r.IntN(len(v))] = low
	}},
	{"geometric", func(r *rand.Rand, beta float64, v []float64) {
		step := (0.25 + r.Float64()) * octave / max(beta, 1)
		for i := range v {
			v[i] = min(0.05+float64(i)*step, 1)
		}
		r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	}},
	// Halves just below and just above the middle between two numbers of UQ5.9.
	{"adversarial to the input", func(r *rand.Rand, beta float64, v []float64) {
		unit := octave / 512 / max(beta, 0.1)
		x := math.Floor((0.2+0.3*r.Float64())/unit) + 0.5
		for i := range v {
			v[i] = (x + 0.002*float64(i%2) - 0.001) * unit
		}
	}},
	// Halves whose latencies differ in bits that keys cut off, or that the table of the
	// lookup interpolates.
	{"adversarial to the keys", func(r *rand.Rand, beta float64, v []float64) {
		unit := octave / 512 / max(beta, 0.1)
		x := math.Floor((0.1 + 0.2*r.Float64()) / unit)
		gap := float64(r.IntN(64))
		for i := range v {
			v[i] = min((x+gap*float64(i%2))*unit, 1)
		}
	}},
	// The others so far behind that their weights are lost in the lookup's last bits.
	{"adversarial to the weights", func(r *rand.Rand, beta float64, v []float64) {
		gap := (8 + 10*r.Float64()) * octave / max(beta, 0.1)
		for i := range v {
			v[i] = min(0.02+gap, 1)
		}
		v[r.IntN(len(v))] = 0.02
	}},
}

// betas are the values of β' = β·T of the table.
var betas = []float64{0, 0.5, 1, 2, 4, 8, 16}

// octaves scales latencies over T to octaves; quantise rounds those to the unit's.
func octaves(beta float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = beta * x / octave
	}
	return out
}

func quantise(d []float64) []uint16 {
	out := make([]uint16, len(d))
	for i, x := range d {
		out[i] = uint16(min(math.Round(math.Ldexp(x, params.FractionBits)), 1<<params.LatencyBits-1))
	}
	return out
}

func float(d []uint16) []float64 {
	out := make([]float64, len(d))
	for i, x := range d {
		out[i] = math.Ldexp(float64(x), -params.FractionBits)
	}
	return out
}

func TestExplore(t *testing.T) {
	for _, pk := range []struct{ picker, mem string }{{"race", "bram"}, {"race", "lut"}, {"lookup", "bram"}} {
		for _, k := range []int64{2, 8, 32} {
			p := params.Default()
			p.Paths, p.Picker, p.NoiseMemory = k, pk.picker, pk.mem
			m := New(p)
			r := rand.New(rand.NewPCG(1, uint64(k)))
			for _, f := range families {
				var self, total float64
				n := 4
				if pk.mem == "lut" {
					n = 1
				}
				for _, b := range betas {
					for range n {
						v := make([]float64, k)
						f.make(r, b, v)
						d := octaves(b, v)
						q := quantise(d)
						all := uint32(1<<k - 1)
						got := m.Distribution(all, q)
						self = max(self, Distance(got, Softmax(all, float(q))))
						total = max(total, Distance(got, Softmax(all, d)))
					}
				}
				fmt.Printf("%s/%s K=%d %-30s self %.2e total %.2e\n", pk.picker, pk.mem, k, f.name, self, total)
			}
		}
	}
}
