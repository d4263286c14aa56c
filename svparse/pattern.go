// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"math/big"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// part is a member or an element of a type, which takes one value of an assignment pattern.
type part struct {
	name   string // of a member
	index  int64  // of an element
	typ    typ
	offset int // from bit 0
}

// parts returns the members or elements of a type in the order of an assignment pattern, the most
// significant first. A type without members or elements has no parts.
func (t typ) parts() []part {
	var list []part
	if t.members != nil {
		for _, m := range t.members {
			list = append(list, part{name: m.name, typ: m.typ, offset: m.offset})
		}
		return list
	}
	if t.elem == nil && (!t.sized || t.width > maxElements) {
		return nil
	}
	elem := vector(1, false)
	if t.elem != nil {
		elem = *t.elem
	}
	step := int64(1)
	if t.left > t.right {
		step = -1
	}
	for i := t.left; ; i += step {
		list = append(list, part{index: i, typ: elem, offset: t.width - (len(list)+1)*elem.width})
		if i == t.right || len(list) > maxElements {
			return list
		}
	}
}

// maxElements is the largest number of values in an assignment pattern.
const maxElements = 1 << 16

// compound reports whether a value of the type consists of a value for each part and is not a
// number.
func (t typ) compound() bool { return t.members != nil || t.unpacked }

// patternOf returns an expression as an assignment pattern, if it is one.
func patternOf(x grammar.IExpressionContext) (*grammar.PatternContext, bool) {
	p, ok := x.(*grammar.PrimaryExprContext)
	if !ok {
		return nil, false
	}
	n, ok := p.Primary().(*grammar.PatternContext)
	return n, ok
}

// pattern evaluates the values of an assignment pattern for a type.
func (ev *evaluator) pattern(e *env, at Pos, items grammar.IPatternItemsContext, t typ) value {
	parts := t.parts()
	if len(parts) == 0 || len(parts) > maxElements {
		fail(at, "an assignment pattern for %d parts: want a structure or an array of at most %d", len(parts), maxElements)
	}
	given := make([]grammar.IExpressionContext, len(parts))
	var rest grammar.IExpressionContext
	n := 0
	next := func(x grammar.IExpressionContext) {
		if n < len(parts) {
			given[n] = x
		}
		n++
	}
	if items != nil {
		for _, item := range items.AllPatternItem() {
			ev.step(at)
			xs := item.AllExpression()
			switch {
			case item.DEFAULT() != nil:
				rest = xs[0]
			case item.Replicated() != nil:
				for range max(ev.integer(e, xs[0]), 0) {
					for _, x := range item.Replicated().AllExpression() {
						ev.step(at)
						next(x)
					}
				}
			case len(xs) == 2:
				given[ev.place(e, xs[0], t, parts)] = xs[1]
			default:
				next(xs[0])
			}
		}
	}
	if n > 0 && n != len(parts) {
		fail(at, "an assignment pattern of %d values, want %d", n, len(parts))
	}
	out := new(big.Int)
	for i, p := range parts {
		ev.step(at)
		var v value
		switch {
		case given[i] != nil:
			v = ev.assigned(e.sc, e.v, e.vars, given[i], p.typ)
		case rest != nil:
			v = ev.filled(e, rest, p.typ)
		case p.name != "":
			fail(at, "an assignment pattern without a value for %s", p.name)
		default:
			fail(at, "an assignment pattern without a value for index %d", p.index)
		}
		out.Or(out, new(big.Int).Lsh(v.bits, uint(p.offset)))
	}
	return value{out, t}
}

// place returns the number of the part that a key names.
func (ev *evaluator) place(e *env, key grammar.IExpressionContext, t typ, parts []part) int {
	name, index := key.GetText(), int64(0)
	if t.members == nil {
		index = ev.integer(e, key)
	}
	for i, p := range parts {
		if t.members != nil && p.name == name || t.members == nil && p.index == index {
			return i
		}
	}
	fail(e.v.posOf(key), "%s is no part of what the assignment pattern is for", e.v.text(key))
	return 0
}

// filled returns the default value of a pattern in a part: in each of the part's own parts, if it
// has any.
func (ev *evaluator) filled(e *env, x grammar.IExpressionContext, t typ) value {
	if _, ok := patternOf(x); ok || !t.compound() {
		return ev.assigned(e.sc, e.v, e.vars, x, t)
	}
	out := new(big.Int)
	for _, p := range t.parts() {
		ev.step(e.v.posOf(x))
		out.Or(out, new(big.Int).Lsh(ev.filled(e, x, p.typ).bits, uint(p.offset)))
	}
	return value{out, t}
}
