// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"math/big"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// typ is a type as far as constants and widths need it.
type typ struct {
	width    int // bits; 0 if it is not made of bits
	signed   bool
	str      bool     // a string: bits of its characters
	members  []member // of a packed structure or union
	elem     *typ     // of a vector: the element that one index selects; nil is a bit
	left     int64    // of a vector: bounds of its first dimension
	right    int64
	unpacked bool
	fill     bool // of '0, '1: takes any width
	sized    bool // declared by a range, so that select bounds are known
}

type member struct {
	name   string
	typ    typ
	offset int // from bit 0
}

var atomTypes = map[string]typ{
	"byte":     vector(8, true),
	"shortint": vector(16, true),
	"int":      vector(32, true),
	"integer":  vector(32, true),
	"longint":  vector(64, true),
	"time":     vector(64, false),
}

func vector(width int, signed bool) typ {
	return typ{width: width, signed: signed, left: int64(width - 1), sized: true}
}

// typeOf evaluates a type. ctx may be nil: a single bit.
func (ev *evaluator) typeOf(sc *scope, v *view, ctx antlr.ParserRuleContext) typ {
	switch t := ctx.(type) {
	case nil:
		return vector(1, false)
	case *grammar.PortContext:
		if t.PortType() == nil {
			return vector(1, false)
		}
		return ev.typeOf(sc, v, t.PortType())
	case *grammar.PortDeclContext:
		if t.PortType() == nil {
			return vector(1, false)
		}
		return ev.typeOf(sc, v, t.PortType())
	case *grammar.PortTypeContext:
		if t.DataType() != nil {
			return ev.typeOf(sc, v, t.DataType())
		}
		return ev.typeOf(sc, v, t.ImplicitType())
	case *grammar.ParamTypeContext:
		if t.DataType() != nil {
			return ev.typeOf(sc, v, t.DataType())
		}
		return ev.typeOf(sc, v, t.ImplicitType())
	case *grammar.ImplicitTypeContext:
		return ev.packed(sc, v, vector(1, isSigned(t.Signing())), t.AllPackedDim())
	case *grammar.EnumBaseContext:
		switch {
		case t.ImplicitType() != nil:
			return ev.typeOf(sc, v, t.ImplicitType())
		case t.ScopedName() != nil:
			return ev.packed(sc, v, ev.symbolType(ev.typeSymbol(sc, v, t.ScopedName())), t.AllPackedDim())
		}
		return ev.builtin(sc, v, t.GetStart().GetText(), t.Signing(), t.AllPackedDim())
	case *grammar.BuiltinTypeContext:
		return ev.builtin(sc, v, t.GetStart().GetText(), t.Signing(), t.AllPackedDim())
	case *grammar.DataTypeContext:
		ev.step(v.posOf(t))
		switch {
		case t.STRUCT() != nil || t.UNION() != nil:
			return ev.structure(sc, v, t)
		case t.ENUM() != nil:
			if t.EnumBase() == nil {
				return vector(32, true)
			}
			return ev.typeOf(sc, v, t.EnumBase())
		case t.TYPE() != nil:
			return ev.sizeOf(newEnv(sc, v), t.Expression())
		case t.ScopedName() != nil:
			return ev.packed(sc, v, ev.symbolType(ev.typeSymbol(sc, v, t.ScopedName())), t.AllPackedDim())
		case t.STRING_KW() != nil:
			return typ{str: true}
		case t.REAL_KW() != nil || t.REALTIME() != nil || t.SHORTREAL() != nil || t.EVENT() != nil || t.CHANDLE() != nil:
			fail(v.posOf(t), "type %s is not made of bits", v.text(t))
		}
		return ev.builtin(sc, v, t.GetStart().GetText(), t.Signing(), t.AllPackedDim())
	}
	fail(v.posOf(ctx), "%s is not a type", v.text(ctx))
	return typ{}
}

// builtin returns bit, logic, reg or one of the integer types.
func (ev *evaluator) builtin(sc *scope, v *view, word string, s grammar.ISigningContext, dims []grammar.IPackedDimContext) typ {
	t, ok := atomTypes[word]
	if !ok {
		t = vector(1, false)
	}
	if s != nil {
		t.signed = isSigned(s)
	}
	return ev.packed(sc, v, t, dims)
}

// typeNamed returns the type that an expression names.
func (ev *evaluator) typeNamed(sc *scope, v *view, x grammar.IExpressionContext) *symbol {
	if p, ok := x.(*grammar.PrimaryExprContext); ok {
		if n, ok := p.Primary().(*grammar.NamePrimaryContext); ok {
			return ev.typeSymbol(sc, v, n.ScopedName())
		}
	}
	fail(v.posOf(x), "%s is not a type", v.text(x))
	return nil
}

func isSigned(s grammar.ISigningContext) bool { return s != nil && s.SIGNED() != nil }

func (ev *evaluator) typeSymbol(sc *scope, v *view, n grammar.IScopedNameContext) *symbol {
	s := ev.resolve(sc, v, n)
	if s.kind != symType {
		fail(v.posOf(n), "%s is not a type", v.text(n))
	}
	return s
}

// packed adds packed dimensions to a type, the last one innermost.
func (ev *evaluator) packed(sc *scope, v *view, t typ, dims []grammar.IPackedDimContext) typ {
	for i := len(dims) - 1; i >= 0; i-- {
		es := dims[i].AllExpression()
		if len(es) != 2 {
			fail(v.posOf(dims[i]), "dimension %s has no bounds", v.text(dims[i]))
		}
		l, r := ev.integer(newEnv(sc, v), es[0]), ev.integer(newEnv(sc, v), es[1])
		n := l - r
		if n < 0 {
			n = -n
		}
		n++
		// The bounds fit in 32 bits each, so that n cannot wrap.
		if n > maxWidth || n*int64(t.width) > maxWidth {
			fail(v.posOf(dims[i]), "range %s is %d wide, want at most %d bits", v.text(dims[i]), n, maxWidth)
		}
		elem := t
		t = typ{width: int(n) * t.width, signed: t.signed, left: l, right: r, sized: true}
		if elem.width != 1 || elem.members != nil || i < len(dims)-1 {
			t.elem = &elem
		}
	}
	return t
}

// unpacked adds unpacked dimensions: only the total size matters.
func (ev *evaluator) unpacked(sc *scope, v *view, t typ, dims []grammar.IUnpackedDimContext) typ {
	for i := len(dims) - 1; i >= 0; i-- {
		es := dims[i].AllExpression()
		var l, r int64
		switch len(es) {
		case 1:
			r = ev.integer(newEnv(sc, v), es[0]) - 1
		case 2:
			l, r = ev.integer(newEnv(sc, v), es[0]), ev.integer(newEnv(sc, v), es[1])
		default:
			fail(v.posOf(dims[i]), "dimension %s has no bounds", v.text(dims[i]))
		}
		n := l - r
		if n < 0 {
			n = -n
		}
		n++
		if n > maxWidth || n*int64(t.width) > 64*maxWidth {
			fail(v.posOf(dims[i]), "array %s is too large", v.text(dims[i]))
		}
		elem := t
		t = typ{width: int(n) * t.width, elem: &elem, left: l, right: r, unpacked: true}
	}
	return t
}

func (ev *evaluator) structure(sc *scope, v *view, t *grammar.DataTypeContext) typ {
	out := typ{signed: isSigned(t.Signing()), unpacked: t.PACKED() == nil}
	for _, m := range t.AllStructMember() {
		mt := ev.typeOf(sc, v, m.DataType())
		for _, d := range m.AllDeclarator() {
			dt := mt
			if len(d.AllUnpackedDim()) > 0 {
				dt = ev.unpacked(sc, v, mt, d.AllUnpackedDim())
			}
			if dt.width < 1 {
				fail(v.posOf(d), "member %s is not made of bits", ident(d.Identifier()))
			}
			out.members = append(out.members, member{name: ident(d.Identifier()), typ: dt})
			if t.UNION() != nil {
				out.width = max(out.width, dt.width)
			} else {
				out.width += dt.width
			}
			if out.width > maxWidth {
				fail(v.posOf(m), "structure is more than %d bits wide", maxWidth)
			}
		}
	}
	if t.UNION() == nil {
		// The first member is the most significant one.
		off := out.width
		for i := range out.members {
			off -= out.members[i].typ.width
			out.members[i].offset = off
		}
	}
	out.left, out.sized = int64(out.width-1), true
	return out
}

// value is a constant: bits is in [0, 2^width).
type value struct {
	bits *big.Int
	typ  typ
}

func mask(x *big.Int, width int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return new(big.Int).And(x, m.Sub(m, big.NewInt(1)))
}

// signedInt reads width bits as two's complement.
func signedInt(x *big.Int, width int) *big.Int {
	if width > 0 && x.Bit(width-1) == 1 {
		return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	return x
}

// number returns the value with its sign.
func (v value) number() *big.Int {
	if v.typ.signed {
		return signedInt(v.bits, v.typ.width)
	}
	return v.bits
}

// String returns the value in decimal, the text of a string, or the first values of the assignment
// pattern of an unpacked value.
func (v value) String() string {
	if v.typ.unpacked {
		var list []string
		for i, p := range v.typ.parts() {
			if i == 16 {
				list = append(list, "...")
				break
			}
			name := ""
			if p.name != "" {
				name = p.name + ": "
			}
			list = append(list, name+value{mask(new(big.Int).Rsh(v.bits, uint(p.offset)), p.typ.width), p.typ}.String())
		}
		return "'{" + strings.Join(list, ", ") + "}"
	}
	if v.typ.str {
		return string(v.bits.Bytes())
	}
	return v.number().String()
}

// resize cuts or extends the value; it extends by its sign if it has one.
func (v value) resize(width int) *big.Int {
	return mask(v.number(), width)
}
