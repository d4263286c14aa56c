// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"math/big"
	"math/bits"
	"strings"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// env is the environment of an expression: its names, its source, and the local variables of the
// constant function being run, innermost last.
type env struct {
	sc   *scope
	v    *view
	vars []map[string]*value
}

func newEnv(sc *scope, v *view) *env { return &env{sc: sc, v: v} }

func (e *env) local(name string) *value {
	for i := len(e.vars) - 1; i >= 0; i-- {
		if x := e.vars[i][name]; x != nil {
			return x
		}
	}
	return nil
}

// paramValue evaluates a parameter in its declared type, or in the type of its
// value if none is declared.
func (ev *evaluator) paramValue(s *symbol) value {
	sc, view := s.scope, s.view
	if s.override != nil {
		// The value comes from outside the module.
		sc, view = newScope("the value of parameter "+s.name, nil), s.override
	}
	var t typ
	switch pt, ok := s.ctx.(*grammar.ParamTypeContext); {
	case s.ctx == nil:
		t = ev.sizeOf(newEnv(sc, view), s.expr)
	case ok && pt.ImplicitType() != nil && len(pt.ImplicitType().AllPackedDim()) == 0:
		// "parameter signed P = 5": the width comes from the value.
		t = ev.sizeOf(newEnv(sc, view), s.expr)
		t.signed = ev.typeOf(s.scope, s.view, s.ctx).signed
	default:
		t = ev.typeOf(s.scope, s.view, s.ctx)
	}
	if len(s.dims) > 0 {
		t = ev.unpacked(s.scope, s.view, t, s.dims)
	}
	t.fill = false
	return ev.assigned(sc, view, nil, s.expr, t)
}

// assigned evaluates the right side of an assignment to a target of type t.
func (ev *evaluator) assigned(sc *scope, v *view, vars []map[string]*value, x grammar.IExpressionContext, t typ) value {
	e := &env{sc: sc, v: v, vars: vars}
	if n, ok := patternOf(x); ok {
		return ev.pattern(e, v.posOf(x), n.PatternItems(), t)
	}
	if t.str {
		own := ev.sizeOf(e, x)
		own.str = true
		return value{ev.eval(e, x, own.width, false), own}
	}
	own := ev.sizeOf(e, x)
	w := max(t.width, own.width)
	return value{mask(ev.eval(e, x, w, own.signed), t.width), t}
}

// self evaluates an expression on its own.
func (ev *evaluator) self(e *env, x grammar.IExpressionContext) value {
	t := ev.sizeOf(e, x)
	t.fill = false
	return value{ev.eval(e, x, t.width, t.signed), t}
}

// integer evaluates an expression that must be a number of reasonable size.
func (ev *evaluator) integer(e *env, x grammar.IExpressionContext) int64 {
	n := ev.self(e, x).number()
	if !n.IsInt64() || n.Int64() > 1<<31 || n.Int64() < -(1<<31) {
		fail(e.v.posOf(x), "%s is %s, want a number of at most 32 bits", e.v.text(x), n)
	}
	return n.Int64()
}

func (ev *evaluator) isTrue(e *env, x grammar.IExpressionContext) bool {
	return ev.self(e, x).bits.Sign() != 0
}

func (ev *evaluator) width(e *env, at Pos, n int64) int {
	if n < 0 || n > maxWidth {
		fail(at, "%d bits wide, want 0 to %d", n, maxWidth)
	}
	return int(n)
}

// sizeOf returns the self-determined type of an expression.
func (ev *evaluator) sizeOf(e *env, x grammar.IExpressionContext) typ {
	ev.step(e.v.posOf(x))
	switch n := x.(type) {
	case *grammar.PrimaryExprContext:
		return ev.sizeOfPrimary(e, n.Primary())
	case *grammar.UnaryExprContext:
		switch n.GetOp().GetTokenType() {
		case grammar.NicgenSVParserPLUS, grammar.NicgenSVParserMINUS, grammar.NicgenSVParserTILDE:
			t := ev.sizeOf(e, n.Expression())
			return vector(t.width, t.signed)
		}
		return vector(1, false)
	case *grammar.BinaryExprContext:
		switch n.GetOp().GetTokenType() {
		case grammar.NicgenSVParserPOW, grammar.NicgenSVParserSHL, grammar.NicgenSVParserSHR,
			grammar.NicgenSVParserASHL, grammar.NicgenSVParserASHR:
			t := ev.sizeOf(e, n.Expression(0))
			return vector(t.width, t.signed)
		case grammar.NicgenSVParserSTAR, grammar.NicgenSVParserSLASH, grammar.NicgenSVParserPERCENT,
			grammar.NicgenSVParserPLUS, grammar.NicgenSVParserMINUS, grammar.NicgenSVParserAMP,
			grammar.NicgenSVParserPIPE, grammar.NicgenSVParserCARET, grammar.NicgenSVParserXNOR:
			return wider(ev.sizeOf(e, n.Expression(0)), ev.sizeOf(e, n.Expression(1)))
		}
		return vector(1, false)
	case *grammar.TernaryExprContext:
		a, b := ev.sizeOf(e, n.Expression(1)), ev.sizeOf(e, n.Expression(2))
		if a.str && b.str {
			return typ{width: max(a.width, b.width), str: true}
		}
		return wider(a, b)
	case *grammar.InsideExprContext:
		return vector(1, false)
	}
	fail(e.v.posOf(x), "%s cannot be evaluated", e.v.text(x))
	return typ{}
}

// wider returns the type of an operator whose operands take each other's width.
func wider(a, b typ) typ {
	return typ{width: max(a.width, b.width), signed: a.signed && b.signed,
		left: int64(max(a.width, b.width) - 1), sized: true, fill: a.fill && b.fill}
}

// eval evaluates an expression to w bits (at least its own width), with signed operands if s: the
// width and sign of the whole expression apply to the operands.
func (ev *evaluator) eval(e *env, x grammar.IExpressionContext, w int, s bool) *big.Int {
	ev.step(e.v.posOf(x))
	switch n := x.(type) {
	case *grammar.PrimaryExprContext:
		return ev.evalPrimary(e, n.Primary(), w, s)
	case *grammar.UnaryExprContext:
		return ev.unary(e, n, w, s)
	case *grammar.BinaryExprContext:
		return ev.binary(e, n, w, s)
	case *grammar.TernaryExprContext:
		if ev.isTrue(e, n.Expression(0)) {
			return ev.eval(e, n.Expression(1), w, s)
		}
		return ev.eval(e, n.Expression(2), w, s)
	}
	fail(e.v.posOf(x), "%s cannot be evaluated as a constant", e.v.text(x))
	return nil
}

func bit(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

func (ev *evaluator) unary(e *env, n *grammar.UnaryExprContext, w int, s bool) *big.Int {
	x := n.Expression()
	switch n.GetOp().GetTokenType() {
	case grammar.NicgenSVParserPLUS:
		return ev.eval(e, x, w, s)
	case grammar.NicgenSVParserMINUS:
		return mask(new(big.Int).Neg(ev.eval(e, x, w, s)), w)
	case grammar.NicgenSVParserTILDE:
		return mask(new(big.Int).Not(ev.eval(e, x, w, s)), w)
	}
	v := ev.self(e, x)
	ones := 0
	for _, word := range v.bits.Bits() {
		ones += bits.OnesCount(uint(word))
	}
	var r bool
	switch n.GetOp().GetTokenType() {
	case grammar.NicgenSVParserBANG, grammar.NicgenSVParserNOR:
		r = ones == 0
	case grammar.NicgenSVParserPIPE:
		r = ones > 0
	case grammar.NicgenSVParserAMP:
		r = ones == v.typ.width
	case grammar.NicgenSVParserNAND:
		r = ones != v.typ.width
	case grammar.NicgenSVParserCARET:
		r = ones%2 == 1
	case grammar.NicgenSVParserXNOR:
		r = ones%2 == 0
	}
	return bit(r)
}

func (ev *evaluator) binary(e *env, n *grammar.BinaryExprContext, w int, s bool) *big.Int {
	x, y := n.Expression(0), n.Expression(1)
	op := n.GetOp().GetTokenType()
	as := func(b *big.Int) *big.Int { // the operand as a number
		if s {
			return signedInt(b, w)
		}
		return b
	}
	switch op {
	case grammar.NicgenSVParserAND2:
		return bit(ev.isTrue(e, x) && ev.isTrue(e, y))
	case grammar.NicgenSVParserOR2:
		return bit(ev.isTrue(e, x) || ev.isTrue(e, y))
	case grammar.NicgenSVParserIMPLIES:
		return bit(!ev.isTrue(e, x) || ev.isTrue(e, y))
	case grammar.NicgenSVParserIFF_OP:
		return bit(ev.isTrue(e, x) == ev.isTrue(e, y))
	case grammar.NicgenSVParserEQ, grammar.NicgenSVParserNE, grammar.NicgenSVParserCASE_EQ,
		grammar.NicgenSVParserCASE_NE, grammar.NicgenSVParserLT, grammar.NicgenSVParserLE,
		grammar.NicgenSVParserGT, grammar.NicgenSVParserGE:
		t := wider(ev.sizeOf(e, x), ev.sizeOf(e, y))
		a, b := ev.eval(e, x, t.width, t.signed), ev.eval(e, y, t.width, t.signed)
		c := value{a, t}.number().Cmp(value{b, t}.number())
		switch op {
		case grammar.NicgenSVParserEQ, grammar.NicgenSVParserCASE_EQ:
			return bit(c == 0)
		case grammar.NicgenSVParserNE, grammar.NicgenSVParserCASE_NE:
			return bit(c != 0)
		case grammar.NicgenSVParserLT:
			return bit(c < 0)
		case grammar.NicgenSVParserLE:
			return bit(c <= 0)
		case grammar.NicgenSVParserGT:
			return bit(c > 0)
		}
		return bit(c >= 0)
	case grammar.NicgenSVParserSHL, grammar.NicgenSVParserASHL, grammar.NicgenSVParserSHR, grammar.NicgenSVParserASHR:
		a := ev.eval(e, x, w, s)
		by := uint(w) // everything out
		if b := ev.self(e, y).bits; b.IsUint64() && b.Uint64() < uint64(w) {
			by = uint(b.Uint64())
		}
		switch op {
		case grammar.NicgenSVParserSHR:
			return new(big.Int).Rsh(a, by)
		case grammar.NicgenSVParserASHR:
			return mask(new(big.Int).Rsh(as(a), by), w)
		}
		return mask(new(big.Int).Lsh(a, by), w)
	case grammar.NicgenSVParserPOW:
		a, b := as(ev.eval(e, x, w, s)), ev.self(e, y).number()
		if b.Sign() < 0 {
			one := big.NewInt(1)
			switch {
			case a.Cmp(one) == 0:
				return one
			case a.Cmp(big.NewInt(-1)) == 0:
				if b.Bit(0) == 1 {
					return mask(a, w)
				}
				return one
			case a.Sign() == 0:
				fail(e.v.posOf(n), "%s divides by zero", e.v.text(n))
			}
			return new(big.Int)
		}
		return new(big.Int).Exp(mask(a, w), b, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	a, b := ev.eval(e, x, w, s), ev.eval(e, y, w, s)
	r := new(big.Int)
	switch op {
	case grammar.NicgenSVParserPLUS:
		r.Add(a, b)
	case grammar.NicgenSVParserMINUS:
		r.Sub(a, b)
	case grammar.NicgenSVParserSTAR:
		r.Mul(a, b)
	case grammar.NicgenSVParserSLASH, grammar.NicgenSVParserPERCENT:
		if b.Sign() == 0 {
			fail(e.v.posOf(n), "%s divides by zero", e.v.text(n))
		}
		if op == grammar.NicgenSVParserSLASH {
			r.Quo(as(a), as(b))
		} else {
			r.Rem(as(a), as(b))
		}
	case grammar.NicgenSVParserAMP:
		r.And(a, b)
	case grammar.NicgenSVParserPIPE:
		r.Or(a, b)
	case grammar.NicgenSVParserCARET:
		r.Xor(a, b)
	case grammar.NicgenSVParserXNOR:
		r.Not(r.Xor(a, b))
	default:
		fail(e.v.posOf(n), "%s: operator %s cannot be evaluated as a constant", e.v.text(n), n.GetOp().GetText())
	}
	return mask(r, w)
}

func (ev *evaluator) sizeOfPrimary(e *env, p grammar.IPrimaryContext) typ {
	ev.step(e.v.posOf(p))
	at := e.v.posOf(p)
	switch n := p.(type) {
	case *grammar.LiteralPrimaryContext:
		return ev.literal(e, n.Literal()).typ
	case *grammar.ParenPrimaryContext:
		return ev.sizeOf(e, n.Expression(0))
	case *grammar.NamePrimaryContext:
		if x := ev.localOf(e, n); x != nil {
			return x.typ
		}
		return ev.symbolType(ev.resolve(e.sc, e.v, n.ScopedName()))
	case *grammar.SizeCastContext:
		if s := ev.castSymbol(e, n.Primary()); s != nil {
			t := ev.symbolType(s)
			t.fill = false
			return t
		}
		return vector(ev.castWidth(e, n), ev.sizeOf(e, n.Expression()).signed)
	case *grammar.TypedPatternContext:
		if s := ev.castSymbol(e, n.Primary()); s != nil {
			return ev.symbolType(s)
		}
		fail(at, "%s is not a type", e.v.text(n.Primary()))
	case *grammar.PatternContext:
		fail(at, "%s has no type here: write the type before it", e.v.text(n))
	case *grammar.TypeCastContext:
		switch word := n.CastType().GetText(); word {
		case "signed", "unsigned":
			t := ev.sizeOf(e, n.Expression())
			return vector(t.width, word == "signed")
		case "const":
			return ev.sizeOf(e, n.Expression())
		case "bit", "logic", "reg":
			return vector(1, false)
		case "string", "real":
			fail(at, "%s cannot be evaluated as a constant", e.v.text(n))
			return typ{}
		default:
			return atomTypes[word]
		}
	case *grammar.ConcatenationContext:
		if rep := n.Replicated(); rep != nil {
			var sum int64
			for _, x := range rep.AllExpression() {
				sum += int64(ev.sizeOf(e, x).width)
			}
			count := ev.integer(e, n.Expression(0))
			if count < 0 {
				fail(at, "%s replicates %d times, want 0 or more", e.v.text(n), count)
			}
			if sum > maxWidth {
				fail(at, "more than %d bits wide", maxWidth)
			}
			return vector(ev.width(e, at, sum*count), false)
		}
		var sum int64
		for _, x := range n.AllExpression() {
			sum += int64(ev.sizeOf(e, x).width)
		}
		return vector(ev.width(e, at, sum), false)
	case *grammar.SystemCallContext:
		switch n.SYSTEM_ID().GetText() {
		case "$signed", "$unsigned":
			t := ev.sizeOf(e, ev.oneArg(e, n))
			return vector(t.width, n.SYSTEM_ID().GetText() == "$signed")
		case "$onehot", "$onehot0":
			return vector(1, false)
		}
		return vector(32, true)
	case *grammar.CallPrimaryContext:
		s := ev.function(e, n)
		return ev.returnType(s)
	case *grammar.MemberPrimaryContext:
		return ev.memberOf(e, n).typ
	case *grammar.SelectPrimaryContext:
		t, _ := ev.selected(e, n)
		return t
	}
	fail(at, "%s cannot be evaluated as a constant", e.v.text(p))
	return typ{}
}

func (ev *evaluator) localOf(e *env, n *grammar.NamePrimaryContext) *value {
	if n.ScopedName().COLON2() != nil {
		return nil
	}
	return e.local(ident(n.ScopedName().Identifier(0)))
}

// castSymbol returns the type named before the apostrophe of a cast, if one is.
func (ev *evaluator) castSymbol(e *env, p grammar.IPrimaryContext) *symbol {
	n, ok := p.(*grammar.NamePrimaryContext)
	if !ok || ev.localOf(e, n) != nil {
		return nil
	}
	if s := ev.resolve(e.sc, e.v, n.ScopedName()); s.kind == symType {
		return s
	}
	return nil
}

func (ev *evaluator) castWidth(e *env, n *grammar.SizeCastContext) int {
	t := ev.sizeOfPrimary(e, n.Primary())
	b := value{ev.evalPrimary(e, n.Primary(), t.width, t.signed), t}.number()
	if !b.IsInt64() || b.Int64() < 1 || b.Int64() > maxWidth {
		fail(e.v.posOf(n), "%s casts to %s bits, want 1 to %d", e.v.text(n), b, maxWidth)
	}
	return int(b.Int64())
}

func (ev *evaluator) oneArg(e *env, n *grammar.SystemCallContext) grammar.IExpressionContext {
	var args []grammar.IArgumentContext
	if n.ArgumentList() != nil {
		args = n.ArgumentList().AllArgument()
	}
	if len(args) != 1 || args[0].DOT() != nil || args[0].Expression() == nil {
		fail(e.v.posOf(n), "%s has %d arguments, want one expression", e.v.text(n), len(args))
	}
	return args[0].Expression()
}

// evalPrimary evaluates to w bits, with sign extension if s is set and the operand is signed.
func (ev *evaluator) evalPrimary(e *env, p grammar.IPrimaryContext, w int, s bool) *big.Int {
	at := e.v.posOf(p)
	extend := func(v value) *big.Int {
		v.typ.signed = v.typ.signed && s
		return v.resize(w)
	}
	switch n := p.(type) {
	case *grammar.LiteralPrimaryContext:
		v := ev.literal(e, n.Literal())
		if v.typ.fill && v.bits.Sign() != 0 {
			return mask(big.NewInt(-1), w)
		}
		return extend(v)
	case *grammar.ParenPrimaryContext:
		return ev.eval(e, n.Expression(0), w, s)
	case *grammar.NamePrimaryContext:
		if x := ev.localOf(e, n); x != nil {
			return extend(*x)
		}
		sym := ev.resolve(e.sc, e.v, n.ScopedName())
		if sym.kind != symParam {
			fail(at, "%s is not a constant", e.v.text(n))
		}
		return extend(ev.symbolValue(sym))
	case *grammar.SizeCastContext:
		t := ev.sizeOfPrimary(e, n)
		return extend(ev.assigned(e.sc, e.v, e.vars, n.Expression(), t))
	case *grammar.TypeCastContext:
		t := ev.sizeOfPrimary(e, n)
		return extend(ev.assigned(e.sc, e.v, e.vars, n.Expression(), t))
	case *grammar.ConcatenationContext:
		list, count := n.AllExpression(), int64(1)
		if rep := n.Replicated(); rep != nil {
			list, count = rep.AllExpression(), ev.integer(e, n.Expression(0))
		}
		total := ev.sizeOfPrimary(e, n)
		one, oneW := new(big.Int), 0
		for _, x := range list {
			if t := ev.sizeOf(e, x); t.fill {
				fail(e.v.posOf(x), "%s has no width of its own within a concatenation: write 1'b0 or 1'b1", e.v.text(x))
			}
			v := ev.self(e, x)
			one.Or(one.Lsh(one, uint(v.typ.width)), v.bits)
			oneW += v.typ.width
		}
		out := new(big.Int)
		for i := int64(0); i < count && oneW > 0; i++ {
			ev.step(at)
			out.Or(out.Lsh(out, uint(oneW)), one)
		}
		return extend(value{out, total})
	case *grammar.TypedPatternContext:
		return extend(ev.pattern(e, at, n.PatternItems(), ev.sizeOfPrimary(e, n)))
	case *grammar.SystemCallContext:
		return extend(ev.systemCall(e, n))
	case *grammar.CallPrimaryContext:
		return extend(ev.call(e, n))
	case *grammar.MemberPrimaryContext:
		m := ev.memberOf(e, n)
		base := ev.primaryValue(e, n.Primary())
		return extend(value{mask(new(big.Int).Rsh(base.bits, uint(m.offset)), m.typ.width), m.typ})
	case *grammar.SelectPrimaryContext:
		t, off := ev.selected(e, n)
		base := ev.primaryValue(e, n.Primary())
		if off < 0 || off+int64(t.width) > int64(base.typ.width) {
			fail(at, "%s reads outside of the %d bits there are", e.v.text(n), base.typ.width)
		}
		return extend(value{mask(new(big.Int).Rsh(base.bits, uint(off)), t.width), t})
	}
	fail(at, "%s cannot be evaluated as a constant", e.v.text(p))
	return nil
}

func (ev *evaluator) primaryValue(e *env, p grammar.IPrimaryContext) value {
	t := ev.sizeOfPrimary(e, p)
	return value{ev.evalPrimary(e, p, t.width, t.signed), t}
}

func (ev *evaluator) memberOf(e *env, n *grammar.MemberPrimaryContext) member {
	t := ev.sizeOfPrimary(e, n.Primary())
	for _, m := range t.members {
		if m.name == ident(n.Identifier()) {
			return m
		}
	}
	fail(e.v.posOf(n), "%s has no member %s that can be evaluated", e.v.text(n.Primary()), ident(n.Identifier()))
	return member{}
}

// selected returns the type of a bit, element or part select and its offset from bit 0 of the
// selected object.
func (ev *evaluator) selected(e *env, n *grammar.SelectPrimaryContext) (typ, int64) {
	base := ev.sizeOfPrimary(e, n.Primary())
	at := e.v.posOf(n)
	if !base.sized && !base.unpacked {
		base.left, base.right = int64(base.width-1), 0
	}
	if base.members != nil {
		base.elem = nil
	}
	elem := vector(1, false)
	if base.elem != nil {
		elem = *base.elem
	}
	ew := int64(elem.width)
	place := func(i int64) int64 { // index to element number from the right
		if base.left >= base.right {
			return i - base.right
		}
		return base.right - i
	}
	xs := n.AllExpression()
	a := ev.integer(e, xs[0])
	if n.GetOp() == nil {
		return elem, place(a) * ew
	}
	b := ev.integer(e, xs[1])
	var first, last int64 // element numbers, the lower one first
	switch n.GetOp().GetTokenType() {
	case grammar.NicgenSVParserCOLON:
		first, last = place(b), place(a)
	case grammar.NicgenSVParserPLUS_COLON:
		first, last = place(a), place(a+b-1)
		if first > last {
			first, last = last, first
		}
	default:
		first, last = place(a-b+1), place(a)
		if first > last {
			first, last = last, first
		}
	}
	if first > last {
		fail(at, "%s selects backwards", e.v.text(n))
	}
	return vector(ev.width(e, at, (last-first+1)*ew), false), first * ew
}

// systemCall evaluates the functions of the language that yield constants.
func (ev *evaluator) systemCall(e *env, n *grammar.SystemCallContext) value {
	at := e.v.posOf(n)
	number := func(i int64) value { return value{mask(big.NewInt(i), 32), vector(32, true)} }
	switch name := n.SYSTEM_ID().GetText(); name {
	case "$clog2":
		v := ev.self(e, ev.oneArg(e, n)).bits
		if v.Sign() == 0 {
			return number(0)
		}
		return number(int64(new(big.Int).Sub(v, big.NewInt(1)).BitLen()))
	case "$countones", "$onehot", "$onehot0":
		var ones int64
		for _, w := range ev.self(e, ev.oneArg(e, n)).bits.Bits() {
			ones += int64(bits.OnesCount(uint(w)))
		}
		switch name {
		case "$onehot":
			return value{bit(ones == 1), vector(1, false)}
		case "$onehot0":
			return value{bit(ones <= 1), vector(1, false)}
		}
		return number(ones)
	case "$signed", "$unsigned":
		v := ev.self(e, ev.oneArg(e, n))
		return value{v.bits, vector(v.typ.width, name == "$signed")}
	case "$bits", "$size", "$left", "$right", "$high", "$low":
		t := ev.argType(e, n)
		if name == "$bits" {
			return number(int64(t.width))
		}
		if !t.sized && !t.unpacked {
			t.left, t.right = int64(t.width-1), 0
		}
		switch name {
		case "$left":
			return number(t.left)
		case "$right":
			return number(t.right)
		case "$high":
			return number(max(t.left, t.right))
		case "$low":
			return number(min(t.left, t.right))
		}
		return number(max(t.left, t.right) - min(t.left, t.right) + 1)
	default:
		fail(at, "%s: %s cannot be evaluated as a constant", e.v.text(n), name)
	}
	return value{}
}

// argType returns the type of the argument of $bits and similar functions: a type or an expression.
func (ev *evaluator) argType(e *env, n *grammar.SystemCallContext) typ {
	if n.ArgumentList() != nil {
		if args := n.ArgumentList().AllArgument(); len(args) == 1 && args[0].BuiltinType() != nil {
			return ev.typeOf(e.sc, e.v, args[0].BuiltinType())
		}
	}
	return ev.sizeOf(e, ev.oneArg(e, n))
}

// literal reads a number or string.
func (ev *evaluator) literal(e *env, l grammar.ILiteralContext) value {
	text := strings.ReplaceAll(l.GetText(), "_", "")
	at := e.v.posOf(l)
	switch {
	case l.DECIMAL() != nil:
		n, _ := new(big.Int).SetString(text, 10)
		w := max(32, n.BitLen()+1)
		if w > maxWidth {
			fail(at, "number of %d digits is too large", len(text))
		}
		return value{n, vector(w, true)}
	case l.UNBASED() != nil:
		t := vector(1, false)
		t.fill = true
		switch text[1] {
		case '0':
			return value{new(big.Int), t}
		case '1':
			return value{big.NewInt(1), t}
		}
	case l.STRING() != nil:
		b := []byte(unquote(l.GetText()))
		return value{new(big.Int).SetBytes(b), typ{width: 8 * len(b), str: true}}
	case l.BASED() != nil:
		return based(at, text)
	}
	fail(at, "%s is not a number of two-valued bits", quote(l.GetText()))
	return value{}
}

// based reads a literal such as 8'shFF.
func based(at Pos, text string) value {
	size, rest, _ := strings.Cut(text, "'")
	size, rest = strings.TrimSpace(size), strings.ToLower(rest)
	signed := rest[0] == 's'
	rest = strings.TrimPrefix(rest, "s")
	base := map[byte]int{'b': 2, 'o': 8, 'd': 10, 'h': 16}[rest[0]]
	digits := strings.TrimSpace(rest[1:])
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		fail(at, "%s has unknown bits, want a number", quote(text))
	}
	w := 32
	if size != "" {
		s, ok := new(big.Int).SetString(size, 10)
		if !ok || !s.IsInt64() || s.Int64() < 1 || s.Int64() > maxWidth {
			fail(at, "%s is %s bits wide, want 1 to %d", quote(text), size, maxWidth)
		}
		w = int(s.Int64())
	} else {
		w = max(w, n.BitLen())
	}
	return value{mask(n, w), vector(w, signed)}
}

// unquote takes the quotes and escapes from a string.
func unquote(s string) string {
	s = s[1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '\n':
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
