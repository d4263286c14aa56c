// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"math/big"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// flow is the way in which a statement of a constant function ended.
type flow int

const (
	flowNext flow = iota
	flowBreak
	flowContinue
	flowReturn
)

// function finds the function that is called.
func (ev *evaluator) function(e *env, n *grammar.CallPrimaryContext) *symbol {
	name, ok := n.Primary().(*grammar.NamePrimaryContext)
	if !ok {
		fail(e.v.posOf(n), "%s cannot be evaluated as a constant", e.v.text(n))
	}
	s := ev.resolve(e.sc, e.v, name.ScopedName())
	if s.kind != symFunc {
		fail(e.v.posOf(n), "%s is not a function", e.v.text(name))
	}
	return s
}

func (ev *evaluator) returnType(s *symbol) typ {
	switch {
	case s.fn.VOID() != nil:
		fail(s.at, "function %s has no result", s.name)
	case s.fn.DataType() != nil:
		return ev.typeOf(s.scope, s.view, s.fn.DataType())
	case s.fn.ImplicitType() != nil:
		return ev.typeOf(s.scope, s.view, s.fn.ImplicitType())
	}
	return vector(1, false)
}

// call runs a constant function.
func (ev *evaluator) call(e *env, n *grammar.CallPrimaryContext) value {
	s := ev.function(e, n)
	at := e.v.posOf(n)
	if ev.calls++; ev.calls > maxCalls {
		fail(at, "%s: more than %d calls within calls", e.v.text(n), maxCalls)
	}
	defer func() { ev.calls-- }()

	result := value{new(big.Int), ev.returnType(s)}
	locals := map[string]*value{s.name: &result}
	in := &env{sc: s.scope, v: s.view, vars: []map[string]*value{locals}}

	type formal struct {
		name string
		typ  typ
		def  grammar.IExpressionContext
	}
	var formals []formal
	var last antlr.ParserRuleContext
	for _, p := range s.fn.AllTfPort() {
		if d := p.Direction(); d != nil && d.INPUT() == nil {
			fail(at, "function %s has an argument that is not an input", s.name)
		}
		switch {
		case p.DataType() != nil:
			last = p.DataType()
		case p.ImplicitType() != nil:
			last = p.ImplicitType()
		case p.Direction() != nil:
			last = nil
		}
		formals = append(formals, formal{ident(p.Identifier()), ev.typeOf(s.scope, s.view, last), p.Expression()})
	}
	for _, p := range s.fn.AllTfPortDecl() {
		var t antlr.ParserRuleContext
		if p.DataType() != nil {
			t = p.DataType()
		} else if p.ImplicitType() != nil {
			t = p.ImplicitType()
		}
		for _, id := range p.AllIdentifier() {
			formals = append(formals, formal{ident(id), ev.typeOf(s.scope, s.view, t), nil})
		}
	}
	actuals := map[string]grammar.IExpressionContext{}
	for i, a := range n.ArgumentList().AllArgument() {
		switch {
		case a.DOT() != nil && a.Expression() != nil:
			actuals[ident(a.Identifier())] = a.Expression()
		case a.Expression() != nil && i < len(formals):
			actuals[formals[i].name] = a.Expression()
		case a.Expression() != nil:
			fail(at, "%s has %d arguments, want %d", e.v.text(n), i+1, len(formals))
		}
	}
	for _, f := range formals {
		var v value
		switch x := actuals[f.name]; {
		case x != nil:
			v = ev.assigned(e.sc, e.v, e.vars, x, f.typ)
		case f.def != nil:
			v = ev.assigned(s.scope, s.view, nil, f.def, f.typ)
		default:
			fail(at, "%s: argument %s of function %s is missing", e.v.text(n), f.name, s.name)
		}
		locals[f.name] = &v
	}
	for _, item := range s.fn.AllBlockItem() {
		if ev.blockItem(in, item) != flowNext {
			break
		}
	}
	return result
}

func (ev *evaluator) blockItem(e *env, item grammar.IBlockItemContext) flow {
	top := e.vars[len(e.vars)-1]
	switch {
	case item.DataDecl() != nil:
		d := item.DataDecl()
		t := vector(1, false)
		if d.DataType() != nil {
			t = ev.typeOf(e.sc, e.v, d.DataType())
		} else if d.ImplicitType() != nil {
			t = ev.typeOf(e.sc, e.v, d.ImplicitType())
		}
		for _, x := range d.AllDeclarator() {
			if len(x.AllUnpackedDim()) > 0 {
				fail(e.v.posOf(x), "array %s in a constant function cannot be evaluated", ident(x.Identifier()))
			}
			v := value{new(big.Int), t}
			if x.Expression() != nil {
				v = ev.assigned(e.sc, e.v, e.vars, x.Expression(), t)
			}
			top[ident(x.Identifier())] = &v
		}
		return flowNext
	case item.ParamDecl() != nil:
		for _, a := range item.ParamDecl().AllParamAssign() {
			if a.Expression() == nil {
				continue
			}
			v := ev.self(e, a.Expression())
			if t := item.ParamDecl().ParamType(); t != nil {
				v = ev.assigned(e.sc, e.v, e.vars, a.Expression(), ev.typeOf(e.sc, e.v, t))
			}
			top[ident(a.Identifier())] = &v
		}
		return flowNext
	case item.Statement() != nil:
		return ev.run(e, item.Statement())
	}
	fail(e.v.posOf(item), "%s cannot be evaluated in a constant function", e.v.text(item))
	return flowNext
}

// inner returns e with one more block of local variables.
func (e *env) inner() *env {
	vars := append(append([]map[string]*value{}, e.vars...), map[string]*value{})
	return &env{sc: e.sc, v: e.v, vars: vars}
}

func (ev *evaluator) run(e *env, st grammar.IStatementContext) flow {
	n := st.StatementBody()
	ev.step(e.v.posOf(n))
	switch {
	case n.Block() != nil:
		in := e.inner()
		for _, item := range n.Block().AllBlockItem() {
			if f := ev.blockItem(in, item); f != flowNext {
				return f
			}
		}
		return flowNext
	case n.IF() != nil:
		if ev.isTrue(e, n.Expression()) {
			return ev.run(e, n.Statement(0))
		}
		if n.ELSE() != nil {
			return ev.run(e, n.Statement(1))
		}
		return flowNext
	case n.CASE() != nil && n.INSIDE() == nil:
		return ev.runCase(e, n)
	case n.FOR() != nil:
		in := e.inner()
		if init := n.ForInit(); init != nil {
			for _, fv := range init.AllForVar() {
				t := atomTypes["int"]
				if fv.DataType() != nil {
					t = ev.typeOf(e.sc, e.v, fv.DataType())
				}
				v := ev.assigned(in.sc, in.v, in.vars, fv.Expression(), t)
				in.vars[len(in.vars)-1][ident(fv.Identifier())] = &v
			}
			for _, a := range init.AllAssignment() {
				ev.assign(in, a.Primary(), func(t typ) value { return ev.assigned(in.sc, in.v, in.vars, a.Expression(), t) })
			}
		}
		for n.Expression() == nil || ev.isTrue(in, n.Expression()) {
			ev.step(e.v.posOf(n))
			if f := ev.run(in, n.Statement(0)); f == flowBreak {
				break
			} else if f == flowReturn {
				return f
			}
			if n.ForStep() != nil {
				for _, p := range n.ForStep().AllProcedural() {
					ev.procedural(in, p)
				}
			}
		}
		return flowNext
	case n.WHILE() != nil || n.REPEAT() != nil:
		do := n.DO() != nil
		count := int64(0)
		if n.REPEAT() != nil {
			count = ev.integer(e, n.Expression())
		}
		for {
			ev.step(e.v.posOf(n))
			if n.REPEAT() != nil {
				if count--; count < 0 {
					return flowNext
				}
			} else if !do && !ev.isTrue(e, n.Expression()) {
				return flowNext
			}
			do = false
			if f := ev.run(e, n.Statement(0)); f == flowBreak {
				return flowNext
			} else if f == flowReturn {
				return f
			}
		}
	case n.ReturnStatement() != nil:
		if x := n.ReturnStatement().Expression(); x != nil {
			// The result is the first variable declared in the outermost block that has the
			// function's name.
			result := ev.resultOf(e, st)
			*result = ev.assigned(e.sc, e.v, e.vars, x, result.typ)
		}
		return flowReturn
	case n.JumpStatement() != nil:
		if n.JumpStatement().BREAK() != nil {
			return flowBreak
		}
		return flowContinue
	case n.Procedural() != nil:
		ev.procedural(e, n.Procedural())
		return flowNext
	case n.GetStart() == n.GetStop() && n.GetText() == ";", n.ImmediateAssertion() != nil:
		return flowNext
	}
	fail(e.v.posOf(n), "%s cannot be evaluated in a constant function", quote(e.v.text(n)))
	return flowNext
}

// resultOf returns the result variable of the function around a statement.
func (ev *evaluator) resultOf(e *env, st antlr.Tree) *value {
	for t := st; t != nil; t = t.GetParent() {
		if f, ok := t.(*grammar.FunctionDeclContext); ok {
			return e.vars[0][ident(f.Identifier())]
		}
	}
	return nil
}

func (ev *evaluator) runCase(e *env, n grammar.IStatementBodyContext) flow {
	var fallback grammar.ICaseItemContext
	for _, item := range n.AllCaseItem() {
		if item.DEFAULT() != nil {
			fallback = item
			continue
		}
		for _, r := range item.AllValueRange() {
			if r.LBRACK() != nil {
				fail(e.v.posOf(r), "%s cannot be evaluated in a constant function", e.v.text(r))
			}
			x := r.Expression(0)
			t := wider(ev.sizeOf(e, n.Expression()), ev.sizeOf(e, x))
			if ev.eval(e, n.Expression(), t.width, t.signed).Cmp(ev.eval(e, x, t.width, t.signed)) == 0 {
				return ev.run(e, item.Statement())
			}
		}
	}
	if fallback != nil {
		return ev.run(e, fallback.Statement())
	}
	return flowNext
}

// assign stores into a local variable or a part of it.
func (ev *evaluator) assign(e *env, target grammar.IPrimaryContext, rhs func(typ) value) {
	switch n := target.(type) {
	case *grammar.NamePrimaryContext:
		if x := ev.localOf(e, n); x != nil {
			*x = rhs(x.typ)
			return
		}
	case *grammar.SelectPrimaryContext:
		if name, ok := n.Primary().(*grammar.NamePrimaryContext); ok {
			if x := ev.localOf(e, name); x != nil {
				t, off := ev.selected(e, n)
				if off < 0 || off+int64(t.width) > int64(x.typ.width) {
					fail(e.v.posOf(n), "%s writes outside of the %d bits there are", e.v.text(n), x.typ.width)
				}
				hole := new(big.Int).Lsh(mask(big.NewInt(-1), t.width), uint(off))
				b := new(big.Int).AndNot(x.bits, hole)
				x.bits = b.Or(b, new(big.Int).Lsh(rhs(t).bits, uint(off)))
				return
			}
		}
	}
	fail(e.v.posOf(target), "%s is not a local variable of the constant function", e.v.text(target))
}

// compound are the operators of the assignments that also read their target.
var compound = map[int]func(a, b *big.Int) *big.Int{
	grammar.NicgenSVParserPLUS_EQ:  func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) },
	grammar.NicgenSVParserMINUS_EQ: func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) },
	grammar.NicgenSVParserSTAR_EQ:  func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) },
	grammar.NicgenSVParserAND_EQ:   func(a, b *big.Int) *big.Int { return new(big.Int).And(a, b) },
	grammar.NicgenSVParserOR_EQ:    func(a, b *big.Int) *big.Int { return new(big.Int).Or(a, b) },
	grammar.NicgenSVParserXOR_EQ:   func(a, b *big.Int) *big.Int { return new(big.Int).Xor(a, b) },
	grammar.NicgenSVParserSHL_EQ:   shiftBy(true),
	grammar.NicgenSVParserASHL_EQ:  shiftBy(true),
	grammar.NicgenSVParserSHR_EQ:   shiftBy(false),
	grammar.NicgenSVParserASHR_EQ:  shiftBy(false),
}

func shiftBy(left bool) func(a, b *big.Int) *big.Int {
	return func(a, b *big.Int) *big.Int {
		by := uint(maxWidth)
		if b.IsUint64() && b.Uint64() < maxWidth {
			by = uint(b.Uint64())
		}
		if left {
			return new(big.Int).Lsh(a, by)
		}
		return new(big.Int).Rsh(a, by)
	}
}

func (ev *evaluator) procedural(e *env, p grammar.IProceduralContext) {
	ev.step(e.v.posOf(p))
	switch {
	case p.INC() != nil || p.DEC() != nil:
		by := int64(1)
		if p.DEC() != nil {
			by = -1
		}
		ev.assign(e, p.Primary(), func(t typ) value {
			old := ev.primaryValue(e, p.Primary())
			return value{mask(new(big.Int).Add(old.bits, big.NewInt(by)), t.width), t}
		})
	case p.AssignOp() == nil:
		if c, ok := p.Primary().(*grammar.SystemCallContext); ok && c != nil {
			return // a message task has no effect on the result
		}
		fail(e.v.posOf(p), "%s cannot be evaluated in a constant function", e.v.text(p))
	case p.AssignOp().ASSIGN_EQ() != nil:
		ev.assign(e, p.Primary(), func(t typ) value { return ev.assigned(e.sc, e.v, e.vars, p.Expression(), t) })
	default:
		f := compound[p.AssignOp().GetStart().GetTokenType()]
		if f == nil {
			fail(e.v.posOf(p), "%s: operator %s cannot be evaluated in a constant function", e.v.text(p), p.AssignOp().GetText())
		}
		ev.assign(e, p.Primary(), func(t typ) value {
			old := ev.primaryValue(e, p.Primary())
			rhs := ev.assigned(e.sc, e.v, e.vars, p.Expression(), vector(max(t.width, ev.sizeOf(e, p.Expression()).width), t.signed))
			return value{mask(f(old.number(), rhs.number()), t.width), t}
		})
	}
}
