// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"
)

// Slot is the place of one port in an input or output vector: a vector is a
// slice of 64-bit words, and a port of up to 64 bits lies within one word. A
// wider port starts at bit 0 of Word and takes as many words as it needs.
//
// The types are chosen for its size: up to 32 bytes the compiler keeps it in
// registers, and Get and Set take a fifth of the time.
type Slot struct {
	Name  string
	Word  int
	Shift uint32
	Width int32 // bits, ≥ 1
}

// Mask has a one in each of the slot's bits, at bit 0. For a port wider than
// 64 bits it is the mask of its first word.
func (s Slot) Mask() uint64 {
	if s.Width >= 64 {
		return ^uint64(0)
	}
	return 1<<(uint(s.Width)&63) - 1
}

// Get reads the port's value (its low 64 bits if it is wider).
func (s Slot) Get(v []uint64) uint64 { return v[s.Word] >> (s.Shift & 63) & s.Mask() }

// Set writes the port's value, cut to its width; wider ports get x in their
// low 64 bits and keep the rest.
func (s Slot) Set(v []uint64, x uint64) {
	// The ands with 63 change nothing and spare the processor a comparison.
	m, w := s.Mask(), &v[s.Word]
	*w = *w&^(m<<(s.Shift&63)) | x&m<<(s.Shift&63)
}

// Words is the number of words the port touches.
func (s Slot) Words() int { return int(s.Width+63) / 64 }

// Layout maps the ports of a module to input and output vectors. The clock is
// not a port of it. The same layout is compiled into the model's shim.
type Layout struct {
	Inputs, Outputs   []Slot // in port order
	InWords, OutWords int
	byName            map[string]*Slot
}

// NewLayout places ports first-fit in port order: deterministic, and dense
// enough that a batch of vectors stays in the cache.
func NewLayout(inputs, outputs []Slot) (*Layout, error) {
	l := &Layout{byName: map[string]*Slot{}}
	place := func(in []Slot) ([]Slot, int, error) {
		out := make([]Slot, len(in))
		copy(out, in)
		order := make([]int, len(out))
		for i := range order {
			order[i] = i
		}
		// Wide ports first: the rest packs into the gaps.
		sort.SliceStable(order, func(a, b int) bool { return out[order[a]].Width > out[order[b]].Width })
		var used []uint32 // bits taken in each word
		for _, i := range order {
			s := &out[i]
			if s.Width < 1 {
				return nil, 0, fmt.Errorf("port %s: width %d, want at least 1", s.Name, s.Width)
			}
			if s.Width > 64 {
				s.Word, s.Shift = len(used), 0
				for n := s.Words(); n > 0; n-- {
					used = append(used, 64)
				}
				continue
			}
			w := 0
			for w < len(used) && used[w]+uint32(s.Width) > 64 {
				w++
			}
			if w == len(used) {
				used = append(used, 0)
			}
			s.Word, s.Shift = w, used[w]
			used[w] += uint32(s.Width)
		}
		return out, len(used), nil
	}
	var err error
	if l.Inputs, l.InWords, err = place(inputs); err != nil {
		return nil, err
	}
	if l.Outputs, l.OutWords, err = place(outputs); err != nil {
		return nil, err
	}
	for _, list := range [][]Slot{l.Inputs, l.Outputs} {
		for i := range list {
			if l.byName[list[i].Name] != nil {
				return nil, fmt.Errorf("port %s appears twice", list[i].Name)
			}
			l.byName[list[i].Name] = &list[i]
		}
	}
	return l, nil
}

// Slot finds a port by name.
func (l *Layout) Slot(name string) (Slot, bool) {
	s := l.byName[name]
	if s == nil {
		return Slot{}, false
	}
	return *s, true
}

// MustSlot finds a port that the caller knows to exist; it panics otherwise.
func (l *Layout) MustSlot(name string) Slot {
	s, ok := l.Slot(name)
	if !ok {
		panic(fmt.Sprintf("cosim: no port %q", name))
	}
	return s
}

// Read copies the whole value of a port of any width, low word first.
func (s Slot) Read(v []uint64) []uint64 {
	if s.Width <= 64 {
		return []uint64{s.Get(v)}
	}
	x := append([]uint64(nil), v[s.Word:s.Word+s.Words()]...)
	x[len(x)-1] &= s.topMask()
	return x
}

// Write sets the whole value of a port of any width, low word first; words that
// x does not have are zero.
func (s Slot) Write(v, x []uint64) {
	if s.Width <= 64 {
		var low uint64
		if len(x) > 0 {
			low = x[0]
		}
		s.Set(v, low)
		return
	}
	to := v[s.Word : s.Word+s.Words()]
	clear(to[copy(to, x):])
	to[len(to)-1] &= s.topMask()
}

// IsZero reports whether every bit of the port is zero.
func (s Slot) IsZero(v []uint64) bool {
	if s.Width <= 64 {
		return s.Get(v) == 0
	}
	for _, w := range s.Read(v) {
		if w != 0 {
			return false
		}
	}
	return true
}

// topMask has a one in each bit of the last word of a wide port.
func (s Slot) topMask() uint64 {
	if r := s.Width % 64; r != 0 {
		return 1<<r - 1
	}
	return ^uint64(0)
}

// Hex is the port's value in hexadecimal: "0x1f".
func (s Slot) Hex(v []uint64) string {
	words := s.Read(v)
	slices.Reverse(words)
	var b []byte
	for _, w := range words {
		b = binary.BigEndian.AppendUint64(b, w)
	}
	h := strings.TrimLeft(hex.EncodeToString(b), "0")
	if h == "" {
		h = "0"
	}
	return "0x" + h
}

// SetHex writes a value in the form of Hex. It refuses one that does not fit.
func (s Slot) SetHex(v []uint64, text string) error {
	digits, ok := strings.CutPrefix(text, "0x")
	x, valid := new(big.Int).SetString(digits, 16)
	if !ok || !valid || strings.ContainsAny(digits, "+-_") {
		return fmt.Errorf("port %s: value %q, want hexadecimal such as 0x1f", s.Name, text)
	}
	if x.BitLen() > int(s.Width) {
		return fmt.Errorf("port %s: value %s has %d bits, want at most %d", s.Name, text, x.BitLen(), s.Width)
	}
	words := make([]uint64, s.Words())
	low := new(big.Int).SetUint64(^uint64(0))
	for i := range words {
		words[i] = new(big.Int).And(x, low).Uint64()
		x.Rsh(x, 64)
	}
	s.Write(v, words)
	return nil
}

// NonZero returns the inputs of a vector that are not zero, as hexadecimal numbers by name.
func (l *Layout) NonZero(in []uint64) map[string]string {
	m := map[string]string{}
	for _, s := range l.Inputs {
		if !s.IsZero(in) {
			m[s.Name] = s.Hex(in)
		}
	}
	return m
}
