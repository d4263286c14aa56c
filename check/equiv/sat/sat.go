// SPDX-License-Identifier: Apache-2.0

// Package sat decides whether a formula in conjunctive normal form can be satisfied: conflict-driven
// clause learning with two watched literals, activities, saved phases and restarts by
// Luby's sequence. The same calls give the same answers on every machine: effort is
// counted in conflicts, not in time.
package sat

import "slices"

// Lit is a variable, 2n, or its negation, 2n+1.
type Lit int32

// Not is the other one of a variable's two.
func (l Lit) Not() Lit { return l ^ 1 }

// Answer is what Solve found.
type Answer int

const (
	Unknown       Answer = iota // the conflicts did not suffice
	Satisfiable                 // Value tells by which values
	Unsatisfiable               // by no values that agree with what was assumed
)

type clause struct {
	lits     []Lit // the first two are watched
	activity float64
	learnt   bool
	gone     bool
}

// watch is an entry for a literal whose negation a clause watches: if the other literal
// is true, there is no need to look at the clause.
type watch struct {
	c     *clause
	other Lit
}

// Solver holds a formula.
type Solver struct {
	watches  [][]watch // by the literal that, being true, makes one of the clause false
	learnts  []*clause
	value    []int8 // by literal: 1 true, -1 false, 0 open
	level    []int32
	reason   []*clause
	phase    []bool // by variable: true if last seen false
	activity []float64
	bump     float64
	bumpC    float64
	heap     []int32 // variables, the most active first
	place    []int32 // of a variable in heap; -1 if it is not there
	trail    []Lit
	limits   []int // of the levels in trail
	head     int   // of what is to be propagated in trail
	model    []int8
	seen     []bool
	broken   bool // unsatisfiable without assumptions

	Conflicts int // so far
}

// NewVar adds a variable and returns it as a literal.
func (s *Solver) NewVar() Lit {
	v := int32(len(s.level))
	s.watches = append(s.watches, nil, nil)
	s.value = append(s.value, 0, 0)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, nil)
	s.phase = append(s.phase, true)
	s.activity = append(s.activity, 0)
	s.seen = append(s.seen, false)
	s.place = append(s.place, -1)
	s.insert(v)
	return Lit(2 * v)
}

// Add adds a clause: at least one of the literals is true.
func (s *Solver) Add(lits ...Lit) {
	if s.broken {
		return
	}
	s.back(0)
	list := slices.Clone(lits)
	slices.Sort(list)
	kept := list[:0]
	last := Lit(-1)
	for _, l := range list {
		if s.value[l] > 0 || l == last.Not() && last >= 0 {
			return
		}
		if s.value[l] == 0 && l != last {
			kept = append(kept, l)
			last = l
		}
	}
	switch len(kept) {
	case 0:
		s.broken = true
	case 1:
		s.assign(kept[0], nil)
		s.broken = s.propagate() != nil
	default:
		s.attach(&clause{lits: kept})
	}
}

func (s *Solver) attach(c *clause) {
	s.watches[c.lits[0].Not()] = append(s.watches[c.lits[0].Not()], watch{c, c.lits[1]})
	s.watches[c.lits[1].Not()] = append(s.watches[c.lits[1].Not()], watch{c, c.lits[0]})
}

func (s *Solver) assign(l Lit, why *clause) {
	s.value[l], s.value[l.Not()] = 1, -1
	s.level[l>>1] = int32(len(s.limits))
	s.reason[l>>1] = why
	s.trail = append(s.trail, l)
}

// back undoes the levels above one.
func (s *Solver) back(level int) {
	if len(s.limits) <= level {
		return
	}
	for i := len(s.trail) - 1; i >= s.limits[level]; i-- {
		l := s.trail[i]
		s.value[l], s.value[l.Not()] = 0, 0
		s.phase[l>>1] = l&1 == 1
		s.insert(int32(l >> 1))
	}
	s.trail = s.trail[:s.limits[level]]
	s.limits = s.limits[:level]
	s.head = len(s.trail)
}

// propagate follows clauses with one literal left. It returns one that has none.
func (s *Solver) propagate() *clause {
	for s.head < len(s.trail) {
		p := s.trail[s.head]
		s.head++
		list := s.watches[p]
		kept := list[:0]
	next:
		for i, w := range list {
			if s.value[w.other] > 0 {
				kept = append(kept, w)
				continue
			}
			c := w.c
			if c.gone {
				continue
			}
			if c.lits[0] == p.Not() {
				c.lits[0], c.lits[1] = c.lits[1], c.lits[0]
			}
			first := c.lits[0]
			if s.value[first] > 0 {
				kept = append(kept, watch{c, first})
				continue
			}
			for k := 2; k < len(c.lits); k++ {
				if l := c.lits[k]; s.value[l] >= 0 {
					c.lits[1], c.lits[k] = l, c.lits[1]
					s.watches[l.Not()] = append(s.watches[l.Not()], watch{c, first})
					continue next
				}
			}
			kept = append(kept, watch{c, first})
			if s.value[first] < 0 {
				kept = append(kept, list[i+1:]...)
				s.watches[p] = kept
				s.head = len(s.trail)
				return c
			}
			s.assign(first, c)
		}
		s.watches[p] = kept
	}
	return nil
}

// learn finds the clause that a conflict teaches, the literal that it makes true first,
// and the level to which it leads back.
func (s *Solver) learn(c *clause) (lits []Lit, level int) {
	lits = []Lit{0}
	open, at := 0, len(s.trail)-1
	p := Lit(-1)
	for {
		if c.learnt {
			s.bumpClause(c)
		}
		for _, q := range c.lits {
			v := q >> 1
			if q == p || s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.bumpVar(int32(v))
			if int(s.level[v]) == len(s.limits) {
				open++
			} else {
				lits = append(lits, q)
			}
		}
		for !s.seen[s.trail[at]>>1] {
			at--
		}
		p = s.trail[at]
		at--
		c = s.reason[p>>1]
		s.seen[p>>1] = false
		if open--; open == 0 {
			break
		}
	}
	lits[0] = p.Not()
	// What the other literals imply is left out.
	all := slices.Clone(lits)
	kept := lits[:1]
	for _, q := range all[1:] {
		if !s.implied(q) {
			kept = append(kept, q)
		}
	}
	for _, q := range all {
		s.seen[q>>1] = false
	}
	lits = kept
	if len(lits) > 1 {
		best := 1
		for i, q := range lits {
			if i > 1 && s.level[q>>1] > s.level[lits[best]>>1] {
				best = i
			}
		}
		lits[1], lits[best] = lits[best], lits[1]
		level = int(s.level[lits[1]>>1])
	}
	return lits, level
}

// implied tells of a literal of a clause being learnt whose reason has only others of it.
func (s *Solver) implied(q Lit) bool {
	c := s.reason[q>>1]
	if c == nil {
		return false
	}
	for _, l := range c.lits {
		if v := l >> 1; v != q>>1 && !s.seen[v] && s.level[v] > 0 {
			return false
		}
	}
	return true
}

// Solve looks for values by which all clauses and all that is assumed are true, until it
// has met so many more conflicts.
func (s *Solver) Solve(conflicts int, assumed ...Lit) Answer {
	defer s.back(0)
	s.back(0)
	if s.bump == 0 {
		s.bump, s.bumpC = 1, 1
	}
	limit := s.Conflicts + conflicts
	for round := 1; !s.broken; round++ {
		restart := s.Conflicts + 100*luby(round)
		for {
			if c := s.propagate(); c != nil {
				s.Conflicts++
				if len(s.limits) == 0 {
					s.broken = true
					return Unsatisfiable
				}
				lits, level := s.learn(c)
				s.back(level)
				if len(lits) == 1 {
					s.assign(lits[0], nil)
				} else {
					c := &clause{lits: lits, learnt: true, activity: s.bumpC}
					s.learnts = append(s.learnts, c)
					s.attach(c)
					s.assign(lits[0], c)
				}
				s.bump /= 0.95
				s.bumpC /= 0.999
				continue
			}
			if s.Conflicts >= limit {
				return Unknown
			}
			if s.Conflicts >= restart {
				s.back(0)
				break
			}
			if len(s.learnts) > 4000+s.Conflicts/8+len(s.trail) {
				s.forget()
			}
			l, state := s.decide(assumed)
			switch state {
			case Satisfiable:
				s.model = append(s.model[:0], s.value...)
				return Satisfiable
			case Unsatisfiable:
				return Unsatisfiable
			}
			s.limits = append(s.limits, len(s.trail))
			if l >= 0 {
				s.assign(l, nil)
			}
		}
	}
	return Unsatisfiable
}

// decide takes the next literal to try; -1 for one that is true anyway.
func (s *Solver) decide(assumed []Lit) (Lit, Answer) {
	if n := len(s.limits); n < len(assumed) {
		switch l := assumed[n]; {
		case s.value[l] > 0:
			return -1, Unknown
		case s.value[l] < 0:
			return -1, Unsatisfiable
		default:
			return l, Unknown
		}
	}
	for len(s.heap) > 0 {
		v := s.pop()
		if s.value[2*v] == 0 {
			if s.phase[v] {
				return Lit(2*v + 1), Unknown
			}
			return Lit(2 * v), Unknown
		}
	}
	return -1, Satisfiable
}

// Value is that of a literal by which the last Solve satisfied the formula.
func (s *Solver) Value(l Lit) bool { return s.model[l] > 0 }

// forget drops the less active half of what was learnt and is no reason now.
func (s *Solver) forget() {
	slices.SortStableFunc(s.learnts, func(a, b *clause) int {
		switch {
		case a.activity > b.activity:
			return -1
		case a.activity < b.activity:
			return 1
		}
		return 0
	})
	kept := s.learnts[:0]
	for i, c := range s.learnts {
		if first := c.lits[0]; i < len(s.learnts)/2 || len(c.lits) == 2 || s.value[first] > 0 && s.reason[first>>1] == c {
			kept = append(kept, c)
		} else {
			c.gone = true
		}
	}
	clear(s.learnts[len(kept):])
	s.learnts = kept
}

func (s *Solver) bumpClause(c *clause) {
	if c.activity += s.bumpC; c.activity > 1e100 {
		for _, x := range s.learnts {
			x.activity *= 1e-100
		}
		s.bumpC *= 1e-100
	}
}

func (s *Solver) bumpVar(v int32) {
	if s.activity[v] += s.bump; s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.bump *= 1e-100
	}
	if s.place[v] >= 0 {
		s.up(s.place[v])
	}
}

// luby is Luby's sequence: 1 1 2 1 1 2 4 …
func luby(i int) int {
	for k := 1; ; k++ {
		switch n := 1<<k - 1; {
		case i == n:
			return 1 << (k - 1)
		case i < n:
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

// The variables that are open are in a heap.

func (s *Solver) insert(v int32) {
	if s.place[v] < 0 {
		s.place[v] = int32(len(s.heap))
		s.heap = append(s.heap, v)
		s.up(s.place[v])
	}
}

func (s *Solver) pop() int32 {
	top, last := s.heap[0], s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	s.place[top] = -1
	if top != last {
		s.heap[0], s.place[last] = last, 0
		s.down(0)
	}
	return top
}

func (s *Solver) up(i int32) {
	v := s.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if s.activity[s.heap[parent]] >= s.activity[v] {
			break
		}
		s.heap[i], s.place[s.heap[parent]] = s.heap[parent], i
		i = parent
	}
	s.heap[i], s.place[v] = v, i
}

func (s *Solver) down(i int32) {
	v := s.heap[i]
	for {
		child := 2*i + 1
		if int(child) >= len(s.heap) {
			break
		}
		if int(child+1) < len(s.heap) && s.activity[s.heap[child+1]] > s.activity[s.heap[child]] {
			child++
		}
		if s.activity[s.heap[child]] <= s.activity[v] {
			break
		}
		s.heap[i], s.place[s.heap[child]] = s.heap[child], i
		i = child
	}
	s.heap[i], s.place[v] = v, i
}
