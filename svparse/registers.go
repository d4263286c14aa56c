// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"slices"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// Registers returns the sorted names of the variables that the module's own always blocks assign
// with <=: its registers and memories, in every branch that might be generated. Registers of its
// instances are not included.
func (m *Module) Registers() []string {
	var names []string
	var add func(p grammar.IPrimaryContext)
	add = func(p grammar.IPrimaryContext) {
		if cat, ok := p.(*grammar.ConcatenationContext); ok && cat.Replicated() == nil {
			for _, x := range cat.AllExpression() {
				if px, ok := x.(*grammar.PrimaryExprContext); ok {
					add(px.Primary())
				}
			}
			return
		}
		if name, _, _ := root(p); name != nil {
			names = append(names, ident(name.ScopedName().Identifier(0)))
		}
	}
	children(m.decl, func(t antlr.Tree) bool {
		if n, ok := t.(*grammar.ProceduralContext); ok {
			if n.AssignOp() != nil && n.AssignOp().LE() != nil && within[*grammar.AlwaysBlockContext](n) {
				add(n.Primary())
			}
			return false
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}
