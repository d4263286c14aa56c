// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLayout(t *testing.T) {
	l, err := NewLayout([]Slot{{Name: "a", Width: 1}, {Name: "b", Width: 64}, {Name: "c", Width: 65}, {Name: "d", Width: 40}, {Name: "e", Width: 23}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Slot{{"a", 3, 63, 1}, {"b", 2, 0, 64}, {"c", 0, 0, 65}, {"d", 3, 0, 40}, {"e", 3, 40, 23}}
	if d := cmp.Diff(want, l.Inputs); d != "" || l.InWords != 4 || l.OutWords != 0 {
		t.Errorf("%d words, %s", l.InWords, d)
	}
	for _, c := range []struct {
		in, out []Slot
		want    string
	}{
		{[]Slot{{Name: "a", Width: 0}}, nil, "port a: width 0, want at least 1"},
		{[]Slot{{Name: "a", Width: 1}}, []Slot{{Name: "a", Width: 1}}, "port a appears twice"},
	} {
		if _, err := NewLayout(c.in, c.out); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Values of any width survive being written, read and put in words.
func TestSlotValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int32{1, 7, 63, 64, 65, 127, 128, 129, 1024} {
		l, err := NewLayout([]Slot{{Name: "pad", Width: 5}, {Name: "x", Width: width}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, pad := l.MustSlot("x"), l.MustSlot("pad")
		for range 50 {
			v := make([]uint64, l.InWords)
			pad.Set(v, 21)
			x := make([]uint64, s.Words())
			for i := range x {
				x[i] = rng.Uint64()
			}
			s.Write(v, x)
			x[len(x)-1] &= (^uint64(0)) >> ((64 - width%64) % 64)
			if d := cmp.Diff(x, s.Read(v)); d != "" {
				t.Fatalf("%d bits: %s", width, d)
			}
			n := new(big.Int)
			for i := len(x) - 1; i >= 0; i-- {
				n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x[i]))
			}
			if got, want := s.Hex(v), fmt.Sprintf("%#x", n); got != want {
				t.Fatalf("%d bits: %s, want %s", width, got, want)
			}
			u := make([]uint64, l.InWords)
			pad.Set(u, 21)
			if err := s.SetHex(u, s.Hex(v)); err != nil || !cmp.Equal(u, v) {
				t.Fatalf("%d bits: %x %x %v", width, u, v, err)
			}
			if s.IsZero(v) != (n.Sign() == 0) {
				t.Fatalf("%d bits: zero %t", width, s.IsZero(v))
			}
		}
		v := make([]uint64, l.InWords)
		for _, bad := range []string{"", "12", "0x", "0x-1", "0xg", "0x1_0", "0x1" + strings.Repeat("0", int(width+3)/4)} {
			if err := s.SetHex(v, bad); err == nil || !s.IsZero(v) {
				t.Errorf("%d bits: %q is accepted", width, bad)
			}
		}
	}
}

// Every width passes through the shim unchanged.
func TestWidePorts(t *testing.T) {
	for _, w := range []string{"2", "8", "9", "16", "17", "32", "33", "63", "64", "65", "96", "97", "128", "129", "1024"} {
		src := source(t, "wide")
		src.Params = map[string]string{"W": w}
		m, err := Open(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, s := range append(m.Layout().Inputs, m.Layout().Outputs...) {
			order = append(order, s.Name)
		}
		if d := cmp.Diff([]string{"a__b", "seven", "x", "inv", "rot", "low"}, order); d != "" {
			t.Error(d)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 40 {
			x, rot := m.Layout().MustSlot("x"), m.Layout().MustSlot("rot")
			v := make([]uint64, x.Words())
			for i := range v {
				v[i] = rng.Uint64()
			}
			buf := make([]uint64, m.Layout().InWords+m.Layout().OutWords)
			x.Write(buf, v)
			v = x.Read(buf)
			m.SetWide("x", v...)
			m.Set("a__b", v[0]&1)
			m.Set("seven", v[0]>>1&3)
			inv := make([]uint64, len(v))
			want := make([]uint64, len(v))
			for i := range v {
				inv[i] = ^v[i]
				want[i] = v[i]<<1 | v[(i+len(v)-1)%len(v)]>>63
			}
			want[0] = want[0]&^1 | v[len(v)-1]>>((x.Width-1)%64)&1
			rot.Write(buf, want)
			want = rot.Read(buf)
			if got := m.GetWide("rot"); !cmp.Equal(got, want) {
				t.Fatalf("%s bits: %x rotated is %x, want %x", w, v, got, want)
			}
			m.Step(1)
			rot.Write(buf, inv)
			if got := m.GetWide("inv"); !cmp.Equal(got, rot.Read(buf)) {
				t.Fatalf("%s bits: %x inverted is %x", w, v, got)
			}
			if got := m.Get("low"); got != v[0]>>1&3<<1|v[0]&1 {
				t.Fatalf("%s bits: low is %x", w, got)
			}
		}
		if err := m.Err(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
