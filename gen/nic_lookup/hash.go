// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/nicgen/nicgen/gen/sv"
)

// dense is the number of bits of a key that affect many bits of the functions: the bits of an IPv4
// address and a QP, which count up. Each other bit affects three, which takes fewer LUTs.
const dense = 56

// columns returns the constants of the two hash functions: columns[i][f] is the contribution of key
// bit i to function f.
func (p *Params) columns() [][2]uint64 {
	r := sv.CLog2(p.Rows)
	state, rows := uint64(p.HashSeed), uint64(p.Rows-1)
	next := func() uint64 { // SplitMix64
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	out := make([][2]uint64, p.KeyBits)
	for i := range out {
		if i < dense {
			for f := range 2 {
				for bits.OnesCount64(out[i][f]) < 2 {
					out[i][f] = next() & next() & rows
				}
			}
			continue
		}
		for again := true; again; {
			z, at := next(), [3]uint64{}
			for k := range at {
				at[k] = 1 << (z & 0xffff * uint64(r) >> 16)
				z >>= 16
			}
			two := i % 2
			out[i][two], out[i][1-two] = at[0]|at[1], at[2]
			again = dependent(out[i-r:i], out[i])
		}
	}
	return out
}

// dependent reports whether a column is the sum of some of a list.
func dependent(list [][2]uint64, column [2]uint64) bool {
	pivots := [64][2]uint64{} // by the highest bit of both functions
	reduce := func(c [2]uint64) (int, [2]uint64) {
		for {
			top := bits.Len64(c[0]) + 31
			if c[0] == 0 {
				top = bits.Len64(c[1]) - 1
			}
			if top < 0 || pivots[top] == [2]uint64{} {
				return top, c
			}
			c[0] ^= pivots[top][0]
			c[1] ^= pivots[top][1]
		}
	}
	for _, c := range list {
		if top, c := reduce(c); top >= 0 {
			pivots[top] = c
		}
	}
	top, _ := reduce(column)
	return top < 0
}

// perLUT is the number of key bits that a line of the text adds up, which are the inputs of a LUT.
// Without this grouping Yosys takes half as many LUTs again.
const perLUT = 6

// hashLines returns the assignments of the bits of function f, 0 or 1.
func (p *Params) hashLines(f int) []string {
	var out []string
	columns := p.columns()
	for b := range sv.CLog2(p.Rows) {
		var terms []string
		for i, c := range columns {
			if c[f]>>b&1 == 1 {
				terms = append(terms, fmt.Sprintf("key[%d]", i))
			}
		}
		start := fmt.Sprintf("assign h%d[%d] = ", f+1, b)
		if len(terms) == 0 {
			out = append(out, start+"1'b0;")
			continue
		}
		text := start
		for i := 0; i < len(terms); i += perLUT {
			if i > 0 {
				text += "\n" + strings.Repeat(" ", len(start)) + "^ "
			}
			text += "(" + strings.Join(terms[i:min(i+perLUT, len(terms))], " ^ ") + ")"
		}
		out = append(out, strings.Split(text+";", "\n")...)
	}
	return out
}

// sum is a way whose row is the first mixed function plus the second one rotated to the left by Turn bits.
type sum struct{ Way, Turn int }

// sums returns the third and the fourth way, if the table has them.
func (p *Params) sums() []sum {
	r := sv.CLog2(p.Rows)
	return []sum{{2, r / 3}, {3, 2 * r / 3}}[:p.Ways-2]
}
