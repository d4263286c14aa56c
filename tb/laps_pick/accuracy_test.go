// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_pick"
	model "github.com/nicgen/nicgen/model/laps_pick"
)

// A family makes vectors of latencies, in parts of T, the largest base latency.
type family struct {
	name, doc string
	make      func(r *rand.Rand, beta float64, v []float64)
}

const octave = math.Ln2 // of latency, with β' = 1

var families = []family{
	{"all equal", "", func(r *rand.Rand, _ float64, v []float64) {
		x := r.Float64()
		for i := range v {
			v[i] = x
		}
	}},
	{"uniform", "0 to T", func(r *rand.Rand, _ float64, v []float64) {
		for i := range v {
			v[i] = r.Float64()
		}
	}},
	{"close together", "T/2 to 0.6·T", func(r *rand.Rand, _ float64, v []float64) {
		for i := range v {
			v[i] = 0.5 + 0.1*r.Float64()
		}
	}},
	{"normal", "around T/2, standard deviation 0.15·T", func(r *rand.Rand, _ float64, v []float64) {
		for i := range v {
			v[i] = min(max(0.5+0.15*r.NormFloat64(), 0), 1)
		}
	}},
	{"two equal", "two lowest ones", func(r *rand.Rand, _ float64, v []float64) {
		low := 0.3 * r.Float64()
		for i := range v {
			v[i] = low + (1-low)*(0.3+0.7*r.Float64())
		}
		v[r.IntN(len(v))], v[r.IntN(len(v))] = low, low
	}},
	{"one dominant", "all others 4 to 10 octaves behind it", func(r *rand.Rand, beta float64, v []float64) {
		low := 0.2 * r.Float64()
		gap := (4 + 6*r.Float64()) * octave / max(beta, 0.1)
		for i := range v {
			v[i] = min(low+gap, 1)
		}
		v[r.IntN(len(v))] = low
	}},
	{"geometric", "steps of 0.25 to 1.25 octaves", func(r *rand.Rand, beta float64, v []float64) {
		step := (0.25 + r.Float64()) * octave / max(beta, 1)
		for i := range v {
			v[i] = min(0.05+float64(i)*step, 1)
		}
		r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	}},
	{"adversarial to the input", "halves just below and above the middle between two numbers of UQ5.9", func(r *rand.Rand, beta float64, v []float64) {
		unit := octave / 512 / max(beta, 0.1)
		x := math.Floor((0.2+0.3*r.Float64())/unit) + 0.5
		for i := range v {
			v[i] = (x + 0.002*float64(i%2) - 0.001) * unit
		}
	}},
	{"adversarial to the keys", "halves that differ in bits which keys cut off", func(r *rand.Rand, beta float64, v []float64) {
		unit := octave / 512 / max(beta, 0.1)
		x := math.Floor((0.1 + 0.2*r.Float64()) / unit)
		gap := float64(r.IntN(64))
		for i := range v {
			v[i] = min((x+gap*float64(i%2))*unit, 1)
		}
	}},
	{"adversarial to the weights", "all others 8 to 18 octaves behind one", func(r *rand.Rand, beta float64, v []float64) {
		gap := (8 + 10*r.Float64()) * octave / max(beta, 0.1)
		for i := range v {
			v[i] = min(0.02+gap, 1)
		}
		v[r.IntN(len(v))] = 0.02
	}},
}

// betas are the values of β' = β·T.
var betas = []float64{0, 0.5, 1, 2, 4, 8, 16}

// distances holds the largest distances over some vectors: from the picks to the Softmax of
// the latencies as the unit gets them, and to the Softmax of the latencies before they were
// rounded to octaves of 9 fraction bits.
type distances struct{ unit, rounded float64 }

// measure computes them for a family: vectors of each β', with the random numbers of
// a seed of the family's own.
func measure(m *model.Picker, paths int, f family, seed, each int) (d distances) {
	r := rand.New(rand.NewPCG(uint64(seed), uint64(paths)))
	all := uint32(1<<paths - 1)
	for _, beta := range betas {
		for range each {
			v := make([]float64, paths)
			f.make(r, beta, v)
			octaves, given, latency := make([]float64, paths), make([]float64, paths), make([]uint16, paths)
			for i, x := range v {
				octaves[i] = beta * x / octave
				latency[i] = uint16(math.Round(math.Ldexp(octaves[i], params.FractionBits)))
				given[i] = math.Ldexp(float64(latency[i]), -params.FractionBits)
			}
			got := m.Distribution(all, latency)
			d.unit = max(d.unit, model.Distance(got, model.Softmax(all, given)))
			d.rounded = max(d.rounded, model.Distance(got, model.Softmax(all, octaves)))
		}
	}
	return d
}

// The total variation distance between the picks and the exact Softmax is at most 2^-12,
// for the race with its noise in LUTs 2^-10, and at most 2^-10 if latencies are compared
// as they were before they were rounded. The picks' distribution is enumerated exactly. The table is docs/units/laps_pick_accuracy.md;
// a short test takes a third of its vectors and leaves it alone.
func TestAccuracy(t *testing.T) {
	list := []struct {
		name, set string
		each      int
		limit     float64
	}{
		{"race", "", 3, 1. / 4096},
		{"race, noise in LUTs", "noise_memory=lut", 3, 1. / 1024},
		{"lookup", "picker=lookup", 3, 1. / 4096},
	}
	if testing.Short() {
		for i := range list {
			list[i].each = 1
		}
	}
	counts := []int{2, 8, 32}
	results := make([][][]distances, len(list))
	var wait sync.WaitGroup
	for i, l := range list {
		results[i] = make([][]distances, len(families))
		for j, f := range families {
			results[i][j] = make([]distances, len(counts))
			for k, paths := range counts {
				m := model.New(suite.Configure(t, fmt.Sprintf("%s paths=%d", l.set, paths)))
				wait.Go(func() { results[i][j][k] = measure(m, paths, f, j, l.each) })
			}
		}
	}
	wait.Wait()
	var tables strings.Builder
	for i, l := range list {
		fmt.Fprintf(&tables, "\n## %s\n\n%d vectors for each number of paths.\n\n"+
			"| latencies | 2 paths | before rounding | 8 paths | before rounding | 32 paths | before rounding |\n|---|---:|---:|---:|---:|---:|---:|\n",
			strings.ToUpper(l.name[:1])+l.name[1:], len(families)*len(betas)*l.each)
		for j, f := range families {
			name := f.name
			if f.doc != "" {
				name += ": " + f.doc
			}
			fmt.Fprintf(&tables, "| %s |", name)
			for k, paths := range counts {
				d := results[i][j][k]
				if d.unit > l.limit || d.rounded > 1./1024 {
					t.Errorf("%s of %d paths, latencies %s: distance %.2e, before rounding %.2e, want at most %.2e and 2^-10", l.name, paths, f.name, d.unit, d.rounded, l.limit)
				}
				fmt.Fprintf(&tables, " %s | %s |", tenth(d.unit), tenth(d.rounded))
			}
			tables.WriteByte('\n')
		}
	}
	if t.Failed() || testing.Short() {
		return
	}
	suite.Page(t, "accuracy", "# Accuracy of the path picker\n\n"+
		"The largest total variation distance between the picks of [the path picker](laps_pick.md) and the exact Softmax, in\n"+
		"units of 10⁻⁴. 2⁻¹⁰ is 9.8, 2⁻¹² is 2.4. The distribution of the picks is enumerated from the tables, not sampled. Each\n"+
		"number is the largest over latency vectors with β' = 0, ½, 1, 2, 4, 8, 16. The first column of each pair compares with\n"+
		"the Softmax of the latencies that the unit is given, the second with that of the latencies before they were rounded to\n"+
		"UQ5.9 octaves.\n\n"+
		"Written by `go test ./tb/laps_pick -run TestAccuracy -update`, which also checks it.\n"+tables.String())
}

// tenth is a distance in units of 10⁻⁴.
func tenth(d float64) string { return fmt.Sprintf("%.1f", d*1e4) }

// The worst that keys can be given: half of the paths behind the other half by any part of
// an octave that their bits can tell.
func TestAccuracyOfKeys(t *testing.T) {
	for _, c := range []struct {
		set         string
		paths, step int
		limit       float64
	}{{"", 32, 1, 1. / 4096}, {"", 2, 1, 1. / 4096}, {"noise_memory=lut", 32, 3, 1. / 1024}, {"noise_memory=lut", 2, 3, 1. / 1024}} {
		if testing.Short() {
			c.step *= 5
		}
		worst, at := 0.0, 0
		m := model.New(suite.Configure(t, fmt.Sprintf("%s paths=%d", c.set, c.paths)))
		all := uint32(1<<c.paths - 1)
		for gap := 0; gap < 129; gap += c.step {
			d, exact := make([]uint16, c.paths), make([]float64, c.paths)
			for i := range d {
				d[i] = uint16(700 + gap%8 + gap*(i%2)) // any place between two keys
				exact[i] = float64(d[i]) / 512
			}
			if tv := model.Distance(m.Distribution(all, d), model.Softmax(all, exact)); tv > worst {
				worst, at = tv, gap
			}
		}
		if worst > c.limit {
			t.Errorf("%s of %d paths: halves %d/512 octaves apart: distance %.2e, want at most %.2e", c.set, c.paths, at, worst, c.limit)
		}
		t.Logf("%s of %d paths: largest distance %.2e, of halves %d/512 octaves apart", c.set, c.paths, worst, at)
	}
}

// Numbers of paths that are no power of two are within the same distance.
func TestAccuracyOfOtherCounts(t *testing.T) {
	for _, paths := range []int{13, 3, 5, 31} {
		if testing.Short() && paths != 13 {
			continue
		}
		for _, picker := range []string{"picker=race", "picker=lookup", "noise_memory=lut"} {
			m := model.New(suite.Configure(t, fmt.Sprintf("paths=%d %s", paths, picker)))
			for i, f := range families {
				if d := measure(m, paths, f, i, 1); d.rounded > 1./1024 {
					t.Errorf("%s of %d paths, latencies %s: distance %.2e, want at most 2^-10", picker, paths, f.name, d.rounded)
				}
			}
		}
	}
}
