// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// maxEnumNames is the largest bound of a range of enumeration names.
const maxEnumNames = 4095

// addEnumNames declares the constants of an enumeration.
func (ev *evaluator) addEnumNames(sc *scope, v *view, d grammar.IDataTypeContext) {
	if d == nil || d.ENUM() == nil {
		return
	}
	before := "" // the name before, whose value the next one exceeds by one
	for _, n := range d.AllEnumName() {
		xs := n.AllExpression()
		var first grammar.IExpressionContext
		if n.ASSIGN_EQ() != nil {
			first, xs = xs[len(xs)-1], xs[:len(xs)-1]
		}
		names, problem := enumRange(v, ident(n.Identifier()), xs)
		for _, name := range names {
			prev, x := before, first
			sc.add(&symbol{kind: symParam, name: name, at: v.posOf(n), view: v, enum: func() value {
				ev.step(v.posOf(n))
				if problem != "" {
					fail(v.posOf(n), "%s: %s", v.text(n), problem)
				}
				t := ev.typeOf(sc, v, d)
				if x != nil {
					return ev.assigned(sc, v, nil, x, t)
				}
				bits := new(big.Int)
				if prev != "" {
					bits.Add(ev.symbolValue(sc.names[prev]).bits, big.NewInt(1))
				}
				return value{mask(bits, t.width), t}
			}})
			before, first = name, nil
		}
	}
}

// enumRange returns the names for which a name with a range stands: S[3] is S0, S1 and S2, S[5:7]
// is S5, S6 and S7. The bounds are numbers, not expressions.
func enumRange(v *view, name string, bounds []grammar.IExpressionContext) (names []string, problem string) {
	if len(bounds) == 0 {
		return []string{name}, ""
	}
	var at [2]int
	for i, x := range bounds {
		n, err := strconv.Atoi(strings.ReplaceAll(x.GetText(), "_", ""))
		if err != nil || n < 0 || n > maxEnumNames {
			return []string{name}, fmt.Sprintf("bound %s, want a number of at most %d", v.text(x), maxEnumNames)
		}
		at[i] = n
	}
	from, to := at[0], at[1]
	if len(bounds) == 1 {
		if from == 0 {
			return []string{name}, "no names, want 1 or more"
		}
		from, to = 0, from-1
	}
	step := 1
	if from > to {
		step = -1
	}
	for i := from; ; i += step {
		names = append(names, name+strconv.Itoa(i))
		if i == to {
			return names, ""
		}
	}
}
