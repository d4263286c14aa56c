// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/bench"
)

// widths holds the widths of a layout in which ports share words and two are wide.
var widths = []struct {
	name string
	bits int32
}{{"one", 1}, {"byte", 8}, {"wide", 100}, {"odd", 37}, {"full", 64}, {"widest", 320}, {"rest", 17}}

func layout(t *testing.T) *cosim.Layout {
	t.Helper()
	var in []cosim.Slot
	for _, w := range widths {
		in = append(in, cosim.Slot{Name: w.name, Width: w.bits})
	}
	l, err := cosim.NewLayout(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A pin reads and writes what the layout's slot does.
func TestPin(t *testing.T) {
	l := layout(t)
	ports := bench.NewPorts("toy", l)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, w := range widths {
		t.Run(w.name, func(t *testing.T) {
			slot, p := l.MustSlot(w.name), ports.Pin(w.name)
			for range 1000 {
				x, n := rng.Uint64(), rng.Uint64()
				noise := make([]uint64, l.InWords)
				for i := range noise {
					noise[i] = rng.Uint64()
				}
				slot.Write(noise, nil)

				put, set := slices.Clone(noise), slices.Clone(noise)
				p.Put(put, x)
				slot.Write(set, []uint64{x & slot.Mask()})
				check(t, "put", put, set)
				if got := p.Get(put); got != slot.Get(set) || got != x&slot.Mask() {
					t.Fatalf("%#x is read as %#x", x&slot.Mask(), got)
				}
				if got := p.On(put); got != (x&1 == 1) {
					t.Fatalf("%#x is on: %t", x, got)
				}
				p.Add(put, n)
				slot.Set(set, slot.Get(set)+n)
				check(t, "add", put, set)

				put, set = slices.Clone(noise), slices.Clone(noise)
				p.Raise(put)
				slot.Write(set, []uint64{1})
				check(t, "raise", put, set)

				all := make([]uint64, slot.Words())
				for i := range all {
					all[i] = rng.Uint64()
				}
				put, set = slices.Clone(noise), slices.Clone(noise)
				slot.Write(set, all)
				for lo := 0; lo < int(w.bits); {
					k := min(1+rng.IntN(64), int(w.bits)-lo)
					p.PutBits(put, lo, k, part(all, lo)|^(^uint64(0)>>(64-k))) // bits above k are cut off
					lo += k
				}
				for lo := range int(w.bits) {
					if got, want := p.Bits(put, lo, 1), part(all, lo)&1; got != want {
						t.Fatalf("bit %d is %d, want %d", lo, got, want)
					}
				}
				check(t, "put bits", put, set)
				lo := rng.IntN(int(w.bits))
				k := min(1+rng.IntN(64), int(w.bits)-lo)
				if got, want := p.Bits(set, lo, k), part(all, lo)&(^uint64(0)>>(64-k)); got != want {
					t.Fatalf("%d bits from %d are %#x, want %#x", k, lo, got, want)
				}
			}
		})
	}
	if err := ports.Err(); err != nil {
		t.Error(err)
	}
}

// part is a number's 64 bits from lo on.
func part(words []uint64, lo int) uint64 {
	x := words[lo/64] >> (lo % 64)
	if lo%64 != 0 && lo/64+1 < len(words) {
		x |= words[lo/64+1] << (64 - lo%64)
	}
	return x
}

func check(t *testing.T, what string, got, want []uint64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s gives %#x, want %#x", what, got, want)
	}
}

// The first missing port is named; its pin reads as zero and drops writes.
func TestMissingPort(t *testing.T) {
	ports := bench.NewPorts("toy", layout(t))
	ports.Pin("byte")
	if err := ports.Err(); err != nil {
		t.Errorf("error %v before anything is missing", err)
	}
	p := ports.Pin("first")
	ports.Pin("second")
	if err, want := ports.Err(), "tb/toy: the module has no port first"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	v := []uint64{5}
	p.Put(v, 2)
	p.Raise(v)
	p.Add(v, 3)
	if v[0] != 5 || p.Get(v) != 0 || p.On(v) {
		t.Errorf("vector %d, value %d, on %t, want 5, 0 and false", v[0], p.Get(v), p.On(v))
	}
}

// flag begins with a pin.
type flag struct {
	bench.Pin
	other int
}

// bound are pins of each kind, and what is none.
type bound struct {
	one, byte bench.Pin    `port:"one byte"`
	odd       flag         `port:"odd"`
	full      bench.Pin    `optional:"full"`
	gone      bench.Pin    `optional:"gone"`
	list      []bench.Pin  `each:"wide%s"`
	array     [2]bench.Pin `each:"wide%s"`
	none      int
}

// Fields are set by their tags; the rest stays.
func TestBind(t *testing.T) {
	l := layout(t)
	ports := bench.NewPorts("toy", l)
	x := bound{none: 3}
	if err := bench.Bind("toy", l, &x, "", "st"); err != nil {
		t.Fatal(err)
	}
	wide := [2]bench.Pin{ports.Pin("wide"), ports.Pin("widest")}
	if x.one != ports.Pin("one") || x.byte != ports.Pin("byte") || x.odd != (flag{Pin: ports.Pin("odd")}) || x.full != ports.Pin("full") ||
		x.gone != (bench.Pin{}) || !slices.Equal(x.list, wide[:]) || x.array != wide || x.none != 3 {
		t.Errorf("bound as %+v", x)
	}
	if err, want := bench.Bind("toy", l, &x, "", "r"), "tb/toy: the module has no port wider"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	for _, c := range []struct {
		pins any
		want string
	}{
		{&struct {
			one int `port:"one"`
		}{}, "bench: field one is a int, want a Pin"},
		{&struct {
			wide [3]bench.Pin `each:"wide%s"`
		}{}, "bench: pins in a [3]bench.Pin, want [2]Pin or []Pin"},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("panic %v, want %s", got, c.want)
				}
			}()
			_ = bench.Bind("toy", l, c.pins, "", "st")
		}()
	}
}
