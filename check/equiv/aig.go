// SPDX-License-Identifier: Apache-2.0

package equiv

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// lit is a node of an aig, 2n, or its negation, 2n+1. Node 0 is false.
type lit uint32

const none = ^lit(0)

// aig is an and-inverter graph in which equal nodes are one.
type aig struct {
	ands [][2]lit // by node; none for inputs
	hash map[[2]lit]lit
}

func newAIG() *aig { return &aig{ands: [][2]lit{{none, none}}, hash: map[[2]lit]lit{}} }

func (g *aig) input() lit {
	g.ands = append(g.ands, [2]lit{none, none})
	return lit(len(g.ands)-1) * 2
}

// word returns a word of a number of inputs.
func (g *aig) word(bits int) []lit {
	w := make([]lit, bits)
	for i := range w {
		w[i] = g.input()
	}
	return w
}

func (g *aig) and(a, b lit) lit {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == 0 || a == b^1:
		return 0
	case a == 1 || a == b:
		return b
	}
	n, ok := g.hash[[2]lit{a, b}]
	if !ok {
		n = lit(len(g.ands)) * 2
		g.ands = append(g.ands, [2]lit{a, b})
		g.hash[[2]lit{a, b}] = n
	}
	return n
}

func (g *aig) or(a, b lit) lit { return g.and(a^1, b^1) ^ 1 }

func (g *aig) mux(c, a, b lit) lit {
	if a == b {
		return a
	}
	return g.or(g.and(c, a), g.and(c^1, b))
}

// some returns the literal that is true if a word is not 0.
func (g *aig) some(w []lit) lit {
	x := lit(0)
	for _, b := range w {
		x = g.or(x, b)
	}
	return x
}

// differ returns the literal that is true if two words differ where mask is 1; nil is all ones.
func (g *aig) differ(a, b, mask []lit) lit {
	x := lit(0)
	for i := range a {
		d := g.mux(a[i], b[i]^1, b[i])
		if mask != nil {
			d = g.and(d, mask[i])
		}
		x = g.or(x, d)
	}
	return x
}

// circuit is a graph from an AIGER file, with words as inputs and outputs.
type circuit struct {
	inputs []bit // node 1 is the first
	ands   [][2]lit
	out    map[string][]lit
}

// bit is one of a word.
type bit struct {
	word string
	bit  int
}

// readCircuit reads a binary AIGER file without registers and the map that Yosys writes with it.
func readCircuit(file, mapFile string) (*circuit, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := bytes.NewReader(text)
	var m, i, l, o, a int
	if _, err := fmt.Fscanf(r, "aig %d %d %d %d %d\n", &m, &i, &l, &o, &a); err != nil || l != 0 || m != i+a {
		return nil, fmt.Errorf("%s of yosys: found header %d %d %d %d %d, want no registers", file, m, i, l, o, a)
	}
	c := &circuit{inputs: make([]bit, i), out: map[string][]lit{}}
	outs := make([]lit, o)
	for k := range outs {
		if _, err := fmt.Fscanf(r, "%d\n", &outs[k]); err != nil {
			return nil, fmt.Errorf("%s of yosys: output %d: %w", file, k, err)
		}
	}
	delta := func() (x lit) {
		for shift := 0; ; shift += 7 {
			b, err := r.ReadByte()
			if x |= lit(b&127) << shift; b < 128 || err != nil {
				return x
			}
		}
	}
	for k := range a {
		x := lit(i+1+k) * 2
		p := x - delta()
		c.ands = append(c.ands, [2]lit{p, p - delta()})
	}
	names, err := os.ReadFile(mapFile)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(names))
	for lines.Scan() {
		var kind, word string
		var index, at int
		if n, _ := fmt.Sscan(lines.Text(), &kind, &index, &at, &word); n != 4 {
			continue
		}
		switch kind {
		case "input":
			c.inputs[index] = bit{word, at}
		case "output":
			w := c.out[word]
			for len(w) <= at {
				w = append(w, 0)
			}
			w[at] = outs[index]
			c.out[word] = w
		}
	}
	c.merge()
	return c, lines.Err()
}

// merge makes equal nodes one.
func (c *circuit) merge() {
	g := newAIG()
	g.word(len(c.inputs))
	to := func(at []lit, l lit) lit { return at[l>>1] ^ l&1 }
	at := make([]lit, 1+len(c.inputs)+len(c.ands))
	for i := range 1 + len(c.inputs) {
		at[i] = lit(i) * 2
	}
	for i, p := range c.ands {
		at[1+len(c.inputs)+i] = g.and(to(at, p[0]), to(at, p[1]))
	}
	for _, w := range c.out {
		for i := range w {
			w[i] = to(at, w[i])
		}
	}
	c.ands = g.ands[1+len(c.inputs):]
}

// copied is a circuit within a graph. Nodes are made when they are asked for.
type copied struct {
	*circuit
	g    *aig
	at   []lit // by node of the circuit
	feed func(word string, bit int) lit
}

func (g *aig) copy(c *circuit, feed func(string, int) lit) *copied {
	x := &copied{circuit: c, g: g, at: slices.Repeat([]lit{none}, 1+len(c.inputs)+len(c.ands)), feed: feed}
	x.at[0] = 0
	return x
}

func (x *copied) lit(l lit) lit {
	n := int(l >> 1)
	if x.at[n] == none {
		if n <= len(x.inputs) {
			in := x.inputs[n-1]
			x.at[n] = x.feed(in.word, in.bit)
		} else {
			p := x.ands[n-1-len(x.inputs)]
			a := x.lit(p[0])
			if a != 0 {
				a = x.g.and(a, x.lit(p[1]))
			}
			x.at[n] = a
		}
	}
	return x.at[n] ^ l&1
}

// word returns an output.
func (x *copied) word(name string) []lit {
	out := x.out[name]
	w := make([]lit, len(out))
	for i := range out {
		w[i] = x.lit(out[i])
	}
	return w
}

// formula is a solver's knowledge of a graph.
type formula struct {
	*gini.Gini
	g  *aig
	at []z.Lit // by node; z.LitNull: not yet there
}

// newFormula returns a formula without clauses.
func newFormula(g *aig) *formula {
	f := &formula{Gini: gini.New(), g: g, at: make([]z.Lit, 1)}
	f.at[0] = f.Lit() // node 0
	f.clause(f.at[0].Not())
	return f
}

// clause says that at least one of the literals is true.
func (f *formula) clause(lits ...z.Lit) {
	for _, l := range lits {
		f.Add(l)
	}
	f.Add(z.LitNull)
}

// lit returns the solver's name for a node, and adds the node to the solver.
func (f *formula) lit(l lit) z.Lit {
	n := int(l >> 1)
	if n >= len(f.at) {
		f.at = append(f.at, make([]z.Lit, len(f.g.ands)-len(f.at))...)
	}
	if f.at[n] == z.LitNull {
		p := f.g.ands[n]
		if p[0] == none {
			f.at[n] = f.Lit()
		} else {
			a, b := f.lit(p[0]), f.lit(p[1])
			v := f.Lit()
			f.clause(v.Not(), a)
			f.clause(v.Not(), b)
			f.clause(v, a.Not(), b.Not())
			f.at[n] = v
		}
	}
	if l&1 == 1 {
		return f.at[n].Not()
	}
	return f.at[n]
}

// solve looks for values that satisfy all clauses and the literal. It returns 1 if such values
// exist, -1 if not, and 0 after a time limit.
func (f *formula) solve(most time.Duration, l z.Lit) int {
	f.Assume(l)
	return f.Try(most)
}
