// SPDX-License-Identifier: Apache-2.0

package sat_test

import (
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/check/equiv/sat"
)

// Small random formulas, clause by clause and under assumptions, against all values tried.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var count [3]int
	for range 2000 {
		n := 3 + r.IntN(10)
		s := &sat.Solver{}
		for range n {
			s.NewVar()
		}
		var clauses [][]sat.Lit
		for range 6 {
			for range r.IntN(2*n) + 1 {
				var c []sat.Lit
				for range 1 + r.IntN(4) {
					c = append(c, sat.Lit(r.IntN(2*n)))
				}
				clauses = append(clauses, c)
				s.Add(c...)
			}
			var assumed []sat.Lit
			for range r.IntN(3) {
				assumed = append(assumed, sat.Lit(r.IntN(2*n)))
			}
			whole := clauses
			for _, l := range assumed {
				whole = append(whole, []sat.Lit{l})
			}
			want := sat.Unsatisfiable
			for values := range 1 << n {
				if holds(whole, func(l sat.Lit) bool { return values>>(l>>1)&1 == 1 != (l&1 == 1) }) {
					want = sat.Satisfiable
					break
				}
			}
			got := s.Solve(1_000_000, assumed...)
			count[got]++
			if got != want {
				t.Fatalf("%v: found %d, want %d", whole, got, want)
			}
			if got == sat.Satisfiable && !holds(whole, s.Value) {
				t.Fatalf("%v: the values do not satisfy it", whole)
			}
		}
	}
	if count[sat.Satisfiable] < 1000 || count[sat.Unsatisfiable] < 1000 {
		t.Errorf("answers %v, want many of both kinds", count)
	}
}

func holds(clauses [][]sat.Lit, value func(sat.Lit) bool) bool {
	for _, c := range clauses {
		some := false
		for _, l := range c {
			some = some || value(l)
		}
		if !some {
			return false
		}
	}
	return true
}

// n+1 pigeons do not fit into n holes: hard enough that learning, restarts and forgetting
// take part; and a bound on conflicts ends it.
func TestPigeons(t *testing.T) {
	const n = 7
	s := &sat.Solver{}
	var in [n + 1][n]sat.Lit
	for p := range in {
		for h := range n {
			in[p][h] = s.NewVar()
		}
		s.Add(in[p][:]...)
	}
	for h := range n {
		for p := range in {
			for q := range p {
				s.Add(in[p][h].Not(), in[q][h].Not())
			}
		}
	}
	if got := s.Solve(50); got != sat.Unknown || s.Conflicts != 50 {
		t.Errorf("answer %d after %d conflicts, want none after 50", got, s.Conflicts)
	}
	if got := s.Solve(10_000_000); got != sat.Unsatisfiable {
		t.Errorf("answer %d, want unsatisfiable", got)
	}
	t.Logf("%d conflicts", s.Conflicts)
}
