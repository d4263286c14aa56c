// SPDX-License-Identifier: Apache-2.0

package equiv

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Random graphs, node by node, against all values of their inputs: whether a node can be 1, and for
// which values.
func TestFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := map[int]int{}
	for range 300 {
		g := newAIG()
		in := g.word(3 + r.IntN(6))
		nodes := append([]lit{0}, in...)
		f := newFormula(g)
		for range 8 {
			for range 1 + r.IntN(6) {
				a, b := nodes[r.IntN(len(nodes))], nodes[r.IntN(len(nodes))]
				nodes = append(nodes, g.and(a^lit(r.IntN(2)), b^lit(r.IntN(2))))
			}
			l := nodes[len(nodes)-1] ^ lit(r.IntN(2))
			want := -1
			for values := range 1 << len(in) {
				if value(g, l, func(n int) bool { return values>>(n-1)&1 == 1 }) {
					want = 1
				}
			}
			got := f.solve(time.Hour, f.lit(l))
			if count[got]++; got != want {
				t.Fatalf("%v, node %d: found %d, want %d", g.ands, l, got, want)
			}
			if got == 1 && !value(g, l, func(n int) bool { return f.Value(f.lit(lit(n) * 2)) }) {
				t.Fatalf("%v, node %d: the values do not make it 1", g.ands, l)
			}
		}
	}
	if count[1] < 300 || count[-1] < 100 {
		t.Errorf("answers %v, want many of both kinds", count)
	}
	g := newAIG()
	if f := newFormula(g); f.solve(0, f.lit(g.input())) != 0 {
		t.Error("an answer in no time")
	}
}

// value computes a node from inputs.
func value(g *aig, l lit, input func(node int) bool) bool {
	n := int(l >> 1)
	var x bool
	switch p := g.ands[n]; {
	case n == 0:
	case p[0] == none:
		x = input(n)
	default:
		x = value(g, p[0], input) && value(g, p[1], input)
	}
	return x != (l&1 == 1)
}
