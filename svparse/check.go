// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// Finding is a use of a construct that a tool rejects or translates wrongly, or that nicgen does
// not emit.
type Finding struct {
	Rule string `json:"rule"` // name of a Rule
	Tool Tool   `json:"tool"`
	Pos  Pos    `json:"pos"`
	Msg  string `json:"msg"` // the value found, the reason, the remedy
}

// String returns "file:line:col: message (rule)".
func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.Pos, f.Msg, f.Rule) }

// Rules lists the rules of Check, by name.
func Rules() []Rule {
	return slices.SortedFunc(maps.Values(rules), func(a, b Rule) int { return cmp.Compare(a.Name, b.Name) })
}

// Check reports uses of constructs outside the subset that Verilator 5.006, Yosys 0.23 and slang
// 12.1 agree on, in order of place. Rules for Yosys apply to the text that Yosys reads: not to text
// under `ifndef SYNTHESIS. Files that only a simulator reads, those with a bind directive or a name
// that ends in _sva.sv, need to keep only the rules for simulators.
func Check(f *File) []Finding {
	bench := len(f.Binds) > 0 || strings.HasSuffix(f.Name, "_sva.sv")
	seen := map[Finding]bool{}
	keep := func(list []Finding, wanted func(Rule) bool) {
		for _, x := range list {
			r := rules[x.Rule]
			if wanted(r) && (r.Bench || !bench) {
				seen[x] = true
			}
		}
	}
	keep(checkView(f, f.sim), func(r Rule) bool { return r.Tool != Yosys || f.sim == f.syn })
	if f.sim != f.syn {
		keep(checkView(f, f.syn), func(r Rule) bool { return r.Tool == Yosys || r.Tool == Style })
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Msg, b.Msg))
	})
}

// Kinds of declared names that the rules distinguish.
type declKind int

const (
	declNone declKind = iota
	declParam
	declType
	declFunc
	declObject // net, variable or port
	declMemory // the same with unpacked dimensions
	declGenvar
	declPlace     // instance or named block
	declInterface // interface port
)

type checker struct {
	v      *view
	ev     *evaluator
	decls  map[antlr.Tree]map[string]declKind // by the construct that holds them
	places map[antlr.Tree]map[string]int      // the tokens at which they are declared
	folded map[antlr.Tree]map[string]string   // the names by their lower case
	scopes map[antlr.Tree]*scope              // of modules, by their declaration
	out    []Finding
}

func checkView(f *File, v *view) []Finding {
	g := f
	if v != f.sim {
		g = build(f.Name, v)
	}
	c := &checker{v: v, ev: newEvaluator(Elaborate(g)),
		decls: map[antlr.Tree]map[string]declKind{}, places: map[antlr.Tree]map[string]int{}, folded: map[antlr.Tree]map[string]string{}, scopes: map[antlr.Tree]*scope{}}
	c.collect(v.tree, v.tree)
	c.directives(g)
	for _, m := range g.Modules {
		c.scopes[m.decl] = c.ev.moduleScope(m)
		for _, p := range m.Ports {
			c.port(p)
		}
		c.drivers(m)
	}
	children(v.tree, func(t antlr.Tree) bool {
		if ctx, ok := t.(antlr.ParserRuleContext); ok {
			c.visit(ctx)
		}
		return true
	})
	return c.out
}

func (c *checker) report(name string, at antlr.ParserRuleContext) {
	c.reportAt(name, c.v.posOf(at), quote(c.v.text(at)))
}

func (c *checker) reportAt(name string, at Pos, what string) {
	r, ok := rules[name]
	if !ok {
		panic("svparse: no rule " + name)
	}
	c.out = append(c.out, Finding{name, r.Tool, at, what + ": " + r.Reason + "; " + r.Instead})
}

func (c *checker) directives(f *File) {
	if len(f.Modules) == 0 {
		return
	}
	first := f.Modules[0]
	none, open := false, false
	for _, d := range f.Directives {
		switch {
		case d.Name == "default_nettype":
			open = d.Arg == "none"
			none = none || open && d.Pos.before(first.Pos)
		case d.Name == "resetall":
			open = false
		}
	}
	switch {
	case !none:
		c.reportAt("default-nettype", first.Pos, "module "+first.Name+" without `default_nettype none")
	case open:
		c.reportAt("resetall", Pos{f.Name, f.sim.lastLine(), 1}, "end of file")
	}
}

func (v *view) lastLine() int {
	if stop := v.tree.EOF(); stop != nil {
		return stop.GetSymbol().GetLine()
	}
	return 1
}

func (c *checker) port(p Port) {
	switch {
	case p.Interface:
		c.reportAt("interface", p.Pos, "port "+p.Name)
	case p.Dir == "" || p.body:
		c.reportAt("port-direction", p.Pos, "port "+p.Name)
	case p.Unpacked != "":
		c.reportAt("unpacked-port", p.Pos, "port "+p.Name)
	}
}

// collect notes every declaration under the construct that holds it.
func (c *checker) collect(t, holder antlr.Tree) {
	declare := func(at antlr.Tree, name string, k declKind) {
		if c.decls[at] == nil {
			c.decls[at] = map[string]declKind{}
			c.places[at] = map[string]int{}
			c.folded[at] = map[string]string{}
		}
		switch lower := strings.ToLower(name); c.folded[at][lower] {
		case "":
			c.folded[at][lower] = name
		case name: // a label at both ends of a block, or declared twice
		default:
			c.reportAt("similar-name", c.v.posOf(t.(antlr.ParserRuleContext)), "'"+name+"' beside '"+c.folded[at][lower]+"'")
		}
		c.decls[at][name] = k
		c.places[at][name] = t.(antlr.ParserRuleContext).GetStart().GetTokenIndex()
	}
	object := func(dims []grammar.IUnpackedDimContext) declKind {
		if len(dims) > 0 {
			return declMemory
		}
		return declObject
	}
	switch n := t.(type) {
	case *grammar.ModuleDeclContext, *grammar.PackageDeclContext, *grammar.GenerateBlockContext,
		*grammar.BlockContext, *grammar.LoopGenerateContext:
		if g, ok := t.(*grammar.GenerateBlockContext); ok {
			for _, l := range g.AllEndLabel() {
				declare(holder, ident(l.Identifier()), declPlace)
			}
			if id := g.Identifier(); id != nil {
				declare(holder, ident(id), declPlace)
			}
		}
		holder = t
		if l, ok := t.(*grammar.LoopGenerateContext); ok && l.GENVAR() != nil {
			declare(holder, ident(l.Identifier()), declGenvar)
		}
	case *grammar.ModportDeclContext:
		return // names of ports and arguments, not of the module
	case *grammar.FunctionDeclContext:
		declare(holder, ident(n.Identifier()), declFunc)
		holder = t
	case *grammar.TaskDeclContext:
		declare(holder, ident(n.Identifier()), declFunc)
		holder = t
	case *grammar.StatementBodyContext:
		if n.FOR() != nil {
			holder = t
		}
	case *grammar.PortContext:
		ids := n.AllIdentifier()
		k := object(n.AllUnpackedDim())
		if n.INTERFACE() != nil || n.DOT() != nil {
			k = declInterface
		}
		declare(holder, ident(ids[len(ids)-1]), k)
	case *grammar.ParamPortContext:
		if n.ParamAssign() == nil {
			declare(holder, ident(n.Identifier()), declType)
		}
	case *grammar.ParamAssignContext:
		declare(holder, ident(n.Identifier()), declParam)
	case *grammar.EnumNameContext:
		declare(holder, ident(n.Identifier()), declParam)
	case *grammar.TypedefDeclContext:
		declare(holder, ident(n.Identifier()), declType)
	case *grammar.DeclaratorContext:
		switch p := n.GetParent().(type) {
		case *grammar.StructMemberContext: // a member is not a separate name
		case *grammar.DataDeclContext:
			if p.CONST() != nil {
				declare(holder, ident(n.Identifier()), declParam)
			} else {
				declare(holder, ident(n.Identifier()), object(n.AllUnpackedDim()))
			}
		default:
			declare(holder, ident(n.Identifier()), object(n.AllUnpackedDim()))
		}
	case *grammar.TfPortContext:
		declare(holder, ident(n.Identifier()), object(n.AllUnpackedDim()))
	case *grammar.ForVarContext:
		if n.DataType() != nil {
			declare(holder, ident(n.Identifier()), declObject)
		}
	case *grammar.GenvarDeclContext:
		for _, id := range n.AllIdentifier() {
			declare(holder, ident(id), declGenvar)
		}
	case *grammar.InstanceContext:
		declare(holder, ident(n.Identifier()), declPlace)
	}
	for _, child := range t.GetChildren() {
		c.collect(child, holder)
	}
}

// lookup finds the meaning of a plain name at its place of use, and the construct that declares it.
func (c *checker) lookup(from antlr.Tree, name string) (declKind, antlr.Tree) {
	for t := from; t != nil; t = t.GetParent() {
		if k := c.decls[t][name]; k != declNone {
			return k, t
		}
	}
	return declNone, nil
}

// declaredLater reports a name whose visible declarations all come after its use.
func (c *checker) declaredLater(use antlr.ParserRuleContext, name string) {
	at := use.GetStart().GetTokenIndex()
	later := false
	for t := antlr.Tree(use); t != nil; t = t.GetParent() {
		switch c.decls[t][name] {
		case declNone:
		case declFunc, declPlace: // may come later
			return
		default:
			if c.places[t][name] <= at {
				return
			}
			later = true
		}
	}
	if later {
		c.report("declared-later", use)
	}
}

// kindOf returns the kind of the name that a primary is.
func (c *checker) kindOf(p grammar.IPrimaryContext) declKind {
	n, ok := p.(*grammar.NamePrimaryContext)
	if !ok {
		return declNone
	}
	s := n.ScopedName()
	if ids := s.AllIdentifier(); len(ids) == 2 {
		ps := c.ev.design.packages[ident(ids[0])]
		if len(ps) != 1 {
			// The package is in another file, so rely on nicgen's naming of types.
			if name := ident(ids[1]); strings.HasSuffix(name, "_t") || strings.HasSuffix(name, "_e") {
				return declType
			}
			return declNone
		}
		return c.decls[ps[0].decl][ident(ids[1])]
	}
	k, _ := c.lookup(n, ident(s.Identifier(0)))
	return k
}

// root returns the name at the left of selects and members.
func root(p grammar.IPrimaryContext) (name *grammar.NamePrimaryContext, selects, members bool) {
	for {
		switch n := p.(type) {
		case *grammar.NamePrimaryContext:
			return n, selects, members
		case *grammar.SelectPrimaryContext:
			selects, p = true, n.Primary()
		case *grammar.MemberPrimaryContext:
			members, p = true, n.Primary()
		default:
			return nil, selects, members
		}
	}
}

func within[T any](t antlr.Tree) bool {
	for ; t != nil; t = t.GetParent() {
		if _, ok := t.(T); ok {
			return true
		}
	}
	return false
}

func (c *checker) visit(ctx antlr.ParserRuleContext) {
	switch n := ctx.(type) {
	case *grammar.DataTypeContext:
		c.dataType(n)
	case *grammar.ImplicitTypeContext:
		if len(n.AllPackedDim()) > 1 {
			c.report("packed-dims", n)
		}
	case *grammar.EnumBaseContext:
		if len(n.AllPackedDim()) > 1 {
			c.report("packed-dims", n)
		}
	case *grammar.ParamPortContext:
		switch {
		case n.ParamAssign() == nil:
			c.report("type-param", n)
		case n.PARAMETER() == nil && n.LOCALPARAM() == nil && n.ParamType() != nil && n.ParamType().DataType() != nil:
			c.report("param-keyword", n)
		}
		if n.ParamType() != nil && n.ParamType().DataType() != nil && n.ParamType().DataType().STRING_KW() != nil {
			c.report("string-param", n)
		}
	case *grammar.ParamDeclContext:
		if n.TYPE() != nil {
			c.report("type-param", n)
		}
		if n.ParamType() != nil && n.ParamType().DataType() != nil && n.ParamType().DataType().STRING_KW() != nil {
			c.report("string-param", n)
		}
	case *grammar.ParamAssignContext:
		if len(n.AllUnpackedDim()) > 0 {
			c.report("unpacked-param", n)
		}
	case *grammar.PortContext:
		if n.ASSIGN_EQ() != nil {
			c.report("port-default", n)
		}
	case *grammar.NetTypeContext:
		if n.WIRE() == nil && n.TRI() == nil {
			c.report("net-type", n)
		}
	case *grammar.ImportDeclContext:
		c.report("import", n)
	case *grammar.TimeunitDeclContext:
		c.report("timeunit", n)
	case *grammar.ScopedNameContext:
		if n.DOLLAR_UNIT() != nil {
			c.report("unit-scope", n)
		} else if ids := n.AllIdentifier(); len(ids) == 1 {
			c.declaredLater(n, ident(ids[0]))
		}
	case *grammar.ModuleDeclContext:
		if n.INTERFACE() != nil {
			c.reportAt("interface", c.v.posOf(n), "interface "+ident(n.Identifier()))
		}
	case *grammar.AttributeSpecContext:
		if ident(n.Identifier()) == "rom_style" && n.Expression() != nil && n.Expression().GetText() == `"distributed"` {
			c.report("rom-distributed", n)
		}
	case *grammar.DataDeclContext:
		c.dataDecl(n)
	case *grammar.FunctionDeclContext:
		if n.VOID() != nil {
			c.reportAt("void", c.v.posOf(n), "function "+ident(n.Identifier()))
		}
	case *grammar.TfPortContext:
		if n.ASSIGN_EQ() != nil {
			c.report("default-argument", n)
		}
		if len(n.AllUnpackedDim()) > 0 {
			c.report("unpacked-argument", n)
		}
	case *grammar.ArgumentContext:
		if n.DOT() != nil {
			c.report("named-argument", n)
		}
	case *grammar.StatementBodyContext:
		c.statement(n)
	case *grammar.ForInitContext:
		if len(n.AllForVar())+len(n.AllAssignment()) > 1 {
			c.report("for-list", n)
		}
	case *grammar.ForStepContext:
		if len(n.AllProcedural()) > 1 {
			c.report("for-list", n)
		}
	case *grammar.ReturnStatementContext:
		c.report("return", n)
	case *grammar.JumpStatementContext:
		c.report("jump", n)
	case *grammar.ForeachLoopContext:
		c.reportAt("foreach", c.v.posOf(n), "foreach")
	case *grammar.ProceduralContext:
		if (n.INC() != nil || n.DEC() != nil) && n.GetStart().GetTokenType() != n.Primary().GetStart().GetTokenType() {
			c.report("prefix-increment", n)
		}
		if n.Delay() != nil || n.EventControl() != nil {
			c.report("timing", n)
		}
	case *grammar.EventTermContext:
		if n.IFF() != nil {
			c.report("event-iff", n)
		}
	case *grammar.InitialBlockContext:
		if n.FINAL() != nil {
			c.reportAt("final-block", c.v.posOf(n), "final")
		} else if !c.setsState(n) {
			c.reportAt("initial", c.v.posOf(n), "initial")
		}
	case *grammar.ElabTaskContext:
		c.elabTask(n)
	case *grammar.ConnectionContext:
		switch {
		case n.DOT_STAR() != nil:
			c.report("dot-star", n)
		case n.DOT() == nil:
			c.report("positional", n)
		case n.LPAREN() == nil: // .name stands for .name(name)
			c.declaredLater(n, ident(n.Identifier()))
		}
	case *grammar.ParamConnectionContext:
		if n.DOT() == nil {
			c.report("positional", n)
		}
	case *grammar.ConcurrentAssertionContext:
		c.report("concurrent-assertion", n)
	case *grammar.PropertyDeclContext:
		c.reportAt("concurrent-assertion", c.v.posOf(n), "property "+ident(n.Identifier()))
	case *grammar.DefaultClockingContext:
		c.report("concurrent-assertion", n)
		if n.DISABLE() != nil {
			c.report("sequence", n)
		}
	case *grammar.SequenceDeclContext:
		c.reportAt("sequence", c.v.posOf(n), "sequence "+ident(n.Identifier()))
	case *grammar.CycleDelayContext, *grammar.RepetitionContext:
		c.report("sequence", n)
	case *grammar.PropertyExprContext:
		if n.AND() != nil || n.OR() != nil || n.IF() != nil || n.THROUGHOUT() != nil || n.WITHIN() != nil || n.INTERSECT() != nil {
			c.report("sequence", n)
		}
	case *grammar.ImmediateAssertionContext:
		switch {
		case n.HASH() != nil || n.ActionBlock().ELSE() != nil || n.ActionBlock().GetText() != ";":
			c.report("assert-action", n)
		default:
			c.report("assert-cell", n)
		}
	case *grammar.InsideExprContext:
		c.report("inside", n)
	case *grammar.BinaryExprContext:
		switch n.GetOp().GetTokenType() {
		case grammar.NicgenSVParserWILD_EQ, grammar.NicgenSVParserWILD_NE:
			c.report("wildcard-equal", n)
		case grammar.NicgenSVParserIMPLIES, grammar.NicgenSVParserIFF_OP:
			c.report("implication", n)
		}
	case *grammar.StreamingContext:
		c.report("streaming", n)
	case *grammar.PatternContext, *grammar.TypedPatternContext:
		c.report("assignment-pattern", n)
	case *grammar.TypeCastContext:
		if n.CastType().SIGNED() == nil && n.CastType().UNSIGNED() == nil {
			c.report("type-cast", n)
		}
	case *grammar.SizeCastContext:
		if c.kindOf(n.Primary()) == declType {
			c.report("type-cast", n)
		} else if widthOfCastCounts(n) {
			c.report("cast-operand", n)
		}
	case *grammar.CallPrimaryContext:
		if _, ok := n.Primary().(*grammar.MemberPrimaryContext); ok {
			c.report("enum-method", n)
		}
	case *grammar.MemberPrimaryContext:
		c.member(n)
	case *grammar.SelectPrimaryContext:
		if name, _, _ := root(n); name == nil {
			c.report("select-of-expression", n)
		}
	case *grammar.ConcatenationContext:
		c.replication(n)
	case *grammar.LiteralContext:
		if s := strings.ToLower(n.GetText()); (n.BASED() != nil || n.UNBASED() != nil) && strings.ContainsAny(s[strings.IndexByte(s, '\'')+1:], "xz?") && !within[*grammar.ValueRangeContext](n) {
			c.report("unknown-value", n)
		}
		if n.GetText() == "'1" && c.onesAreConstant(n) {
			c.report("constant-ones", n)
		}
	}
}

func (c *checker) dataType(n *grammar.DataTypeContext) {
	dims := len(n.AllPackedDim())
	// Within a packed structure Yosys accepts several dimensions.
	inStruct := within[*grammar.StructMemberContext](n)
	switch {
	case n.ScopedName() != nil && dims > 0:
		c.report("named-type-dims", n)
	case dims > 1 && !inStruct:
		c.report("packed-dims", n)
	case n.TYPE() != nil:
		c.report("type-operator", n)
	case (n.STRUCT() != nil || n.UNION() != nil) && n.PACKED() == nil:
		c.report("unpacked-struct", n)
	case n.REAL_KW() != nil || n.REALTIME() != nil || n.SHORTREAL() != nil || n.EVENT() != nil ||
		n.CHANDLE() != nil || n.STRING_KW() != nil || n.TIME_KW() != nil:
		if !within[*grammar.ParamTypeContext](n) {
			c.report("not-bits", n)
		}
	}
}

func (c *checker) dataDecl(n *grammar.DataDeclContext) {
	if _, ok := n.GetParent().(*grammar.BlockItemContext); ok {
		if n.Lifetime() != nil {
			c.report("local-init", n)
			return
		}
		for _, d := range n.AllDeclarator() {
			if d.ASSIGN_EQ() != nil {
				c.report("local-init", d)
			}
		}
		return
	}
	if n.CONST() != nil {
		return
	}
	for _, d := range n.AllDeclarator() {
		if d.Expression() != nil && !c.isConstant(d.Expression()) {
			c.report("declaration-init", d)
		}
	}
}

// isConstant reports whether an expression reads no signal. A loop variable is not a signal: loops
// are unrolled.
func (c *checker) isConstant(x grammar.IExpressionContext) bool {
	constant := true
	children(x, func(t antlr.Tree) bool {
		if p, ok := t.(*grammar.NamePrimaryContext); ok {
			switch c.kindOf(p) {
			case declObject:
				_, where := c.lookup(p, ident(p.ScopedName().Identifier(0)))
				_, loop := where.(*grammar.StatementBodyContext)
				constant = loop
			case declMemory, declPlace, declInterface:
				constant = false
			}
		}
		return constant
	})
	return constant
}

// onesAreConstant reports whether Yosys evaluates an unbased '1 when it reads the source, where it
// is a single bit: in the value of a constant, in an operation on constants, and in any function
// that may be constant. In a size cast, and in an operation with a signal, it has the right width.
func (c *checker) onesAreConstant(n *grammar.LiteralContext) bool {
	if within[*grammar.FunctionDeclContext](n) { // constant if called with constants
		return true
	}
	for below, t := antlr.Tree(n), n.GetParent(); ; below, t = t, t.GetParent() {
		switch x := t.(type) {
		case *grammar.LiteralPrimaryContext, *grammar.PrimaryExprContext, *grammar.ParenPrimaryContext, *grammar.ValueRangeContext:
		case *grammar.UnaryExprContext:
			return true
		case *grammar.BinaryExprContext:
			return c.isConstant(x)
		case *grammar.TernaryExprContext:
			if below == antlr.Tree(x.Expression(0)) || !c.isConstant(x.Expression(0)) {
				return false
			}
			return true
		case *grammar.CaseItemContext:
			body, ok := x.GetParent().(*grammar.StatementBodyContext)
			return ok && c.isConstant(body.Expression())
		case *grammar.ParamAssignContext, *grammar.ParamConnectionContext, *grammar.EnumNameContext, *grammar.ArgumentContext,
			*grammar.IfGenerateContext, *grammar.CaseGenerateContext, *grammar.CaseGenerateItemContext:
			return true
		default:
			return false
		}
	}
}

// widthOfCastCounts reports whether a size cast is an operand of an operation whose width or upper
// bits count. Yosys makes such an operation as wide as the operand of the cast, if that is wider.
// Widths of names are unknown here: only casts of parts, concatenations, and operations on them are
// checked.
func widthOfCastCounts(n *grammar.SizeCastContext) bool {
	if !isWide(n.Expression()) {
		return false
	}
	operand := false
	for below, t := antlr.Tree(n), n.GetParent(); ; below, t = t, t.GetParent() {
		switch x := t.(type) {
		case *grammar.PrimaryExprContext, *grammar.ParenPrimaryContext:
		case *grammar.UnaryExprContext:
			if reduces(x) {
				return operand
			}
			operand = true
		case *grammar.TernaryExprContext:
			if below == antlr.Tree(x.Expression(0)) {
				return operand
			}
			operand = true
		case *grammar.BinaryExprContext:
			right := below == antlr.Tree(x.Expression(1))
			switch x.GetOp().GetTokenType() {
			case grammar.NicgenSVParserSHR, grammar.NicgenSVParserASHR, grammar.NicgenSVParserSLASH, grammar.NicgenSVParserPERCENT:
				if right || operand { // upper bits come down
					return operand
				}
			case grammar.NicgenSVParserSHL, grammar.NicgenSVParserASHL, grammar.NicgenSVParserPOW:
				if right {
					return operand
				}
			}
			if decides(x) {
				return operand
			}
			operand = true
		case *grammar.ConcatenationContext, *grammar.ReplicatedContext, *grammar.SelectPrimaryContext, *grammar.SystemCallContext:
			return operand
		default: // an assignment, a cast or an argument has its own width
			return false
		}
	}
}

// isWide reports whether an expression has several bits, judged by its form.
func isWide(x antlr.Tree) bool {
	switch x := x.(type) {
	case *grammar.PrimaryExprContext:
		return isWide(x.Primary())
	case *grammar.ParenPrimaryContext:
		return isWide(x.Expression(0))
	case *grammar.ConcatenationContext:
		return true
	case *grammar.SelectPrimaryContext:
		return x.GetOp() != nil
	case *grammar.TernaryExprContext:
		return isWide(x.Expression(1)) || isWide(x.Expression(2))
	case *grammar.UnaryExprContext:
		return !reduces(x) && isWide(x.Expression())
	case *grammar.BinaryExprContext:
		return !decides(x) && (isWide(x.Expression(0)) || isWide(x.Expression(1)))
	}
	return false
}

// reduces reports whether the result of an operation is one bit for any width of its operand.
func reduces(x *grammar.UnaryExprContext) bool {
	op := x.GetStart().GetText()
	return op != "~" && op != "-" && op != "+"
}

// decides reports the same for an operation with two operands.
func decides(x *grammar.BinaryExprContext) bool {
	switch x.GetOp().GetTokenType() {
	case grammar.NicgenSVParserPOW, grammar.NicgenSVParserSTAR, grammar.NicgenSVParserSLASH, grammar.NicgenSVParserPERCENT,
		grammar.NicgenSVParserPLUS, grammar.NicgenSVParserMINUS, grammar.NicgenSVParserSHL, grammar.NicgenSVParserASHL,
		grammar.NicgenSVParserSHR, grammar.NicgenSVParserASHR, grammar.NicgenSVParserAMP, grammar.NicgenSVParserPIPE,
		grammar.NicgenSVParserCARET, grammar.NicgenSVParserXNOR:
		return false
	}
	return true
}

func (c *checker) statement(n *grammar.StatementBodyContext) {
	at := c.v.posOf(n)
	switch {
	case n.IF() != nil && n.Uniqueness() != nil:
		c.reportAt("unique-if", at, n.Uniqueness().GetText()+" if")
	case n.INSIDE() != nil:
		c.reportAt("inside", at, "case inside")
	case n.CASEZ() != nil || n.CASEX() != nil:
		c.reportAt("casez", at, n.GetStart().GetText())
	case n.WHILE() != nil || n.FOREVER() != nil:
		// Constant functions may loop, but only its calls show whether a function is constant.
		if !within[*grammar.FunctionDeclContext](n) || n.DO() != nil || n.FOREVER() != nil {
			c.reportAt("while", at, n.GetStart().GetText())
		}
	case n.DISABLE() != nil:
		c.report("disable", n)
	case n.VOID() != nil:
		c.report("void", n)
	case n.WAIT() != nil:
		c.reportAt("timing", at, "wait")
	case n.Delay() != nil:
		c.report("timing", n.Delay())
	case n.EventControl() != nil:
		// The one directly under always is the sensitivity list.
		if s, ok := n.GetParent().(*grammar.StatementContext); ok {
			if _, ok := s.GetParent().(*grammar.AlwaysBlockContext); !ok {
				c.report("timing", n.EventControl())
			}
		}
	}
}

// setsState reports that an initial block only fills memories and sets variables; drivers checks
// the other writers of these.
func (c *checker) setsState(n *grammar.InitialBlockContext) bool {
	ok := true
	children(n.Statement(), func(t antlr.Tree) bool {
		switch p := t.(type) {
		case *grammar.ForStepContext, *grammar.ForInitContext:
			return false
		case *grammar.ImmediateAssertionContext, *grammar.ConcurrentAssertionContext:
			ok = false
		case *grammar.ProceduralContext:
			if s, is := p.Primary().(*grammar.SystemCallContext); is {
				switch s.SYSTEM_ID().GetText() {
				case "$readmemh", "$readmemb":
				default:
					ok = false
				}
				return false
			}
			name, _, _ := root(p.Primary())
			if name == nil || p.AssignOp() == nil {
				ok = false
				return false
			}
			switch kind, where := c.lookup(name, ident(name.ScopedName().Identifier(0))); {
			case kind == declMemory, kind == declObject && where != nil:
			default:
				ok = false
			}
			return false
		}
		return ok
	})
	return ok
}

func (c *checker) elabTask(n *grammar.ElabTaskContext) {
	if n.SYSTEM_ID().GetText() != "$error" {
		c.report("elab-task", n)
		return
	}
	if n.ArgumentList() == nil {
		return
	}
	args := n.ArgumentList().AllArgument()
	if len(args) > 1 || strings.Contains(n.ArgumentList().GetText(), "%") {
		c.report("elab-text", n)
	}
}

func (c *checker) member(n *grammar.MemberPrimaryContext) {
	if p, ok := n.GetParent().(*grammar.CallPrimaryContext); ok && p.Primary() == grammar.IPrimaryContext(n) {
		return // a method, reported as such
	}
	if p, ok := n.GetParent().(*grammar.MemberPrimaryContext); ok && p != nil {
		return // reported for the whole
	}
	name, _, _ := root(n)
	if name == nil {
		return
	}
	id := ident(name.ScopedName().Identifier(0))
	switch kind, where := c.lookup(n, id); kind {
	case declPlace:
		c.report("hierarchical", n)
	case declObject, declMemory:
		// A select left of a member: s[1].x, also as part of a.s[1].x.
		for p := n.Primary(); p != nil; {
			switch q := p.(type) {
			case *grammar.SelectPrimaryContext:
				c.report("array-member", n)
				return
			case *grammar.MemberPrimaryContext:
				p = q.Primary()
			default:
				return
			}
		}
	case declFunc:
		for t := antlr.Tree(n); t != nil && t != where; t = t.GetParent() {
			if f, ok := t.(*grammar.FunctionDeclContext); ok && ident(f.Identifier()) == id {
				c.report("result-member", n)
			}
		}
	}
}

// replication evaluates the counts that depend on constants alone.
func (c *checker) replication(n *grammar.ConcatenationContext) {
	if n.Replicated() == nil || within[*grammar.IfGenerateContext](n) || within[*grammar.CaseGenerateContext](n) {
		return // under a generate if the count may never be built
	}
	for t := antlr.Tree(n); t != nil; t = t.GetParent() {
		d, ok := t.(*grammar.ModuleDeclContext)
		if !ok {
			continue
		}
		sc := c.scopes[d]
		c.ev.steps = 0
		_ = guard(func() { // a value that is not constant here is no finding
			if ev := c.ev; sc != nil && ev.integer(newEnv(sc, c.v), n.Expression(0)) < 0 {
				c.report("negative-replication", n)
			}
		})
		return
	}
}

// drivers finds variables with illegal drivers: always_ff and something else; initial and one of
// always_ff, always_comb and always_latch; initial without an always @(...); and a process for a
// variable declared with a value.
func (c *checker) drivers(m *Module) {
	type key struct {
		where antlr.Tree
		name  string
	}
	type writes = map[key][]antlr.ParserRuleContext
	valued := map[key]antlr.ParserRuleContext{} // declared with a value
	clocked, others, initial, processes, kept := writes{}, writes{}, writes{}, writes{}, writes{}
	target := func(p grammar.IPrimaryContext, note func(key, antlr.ParserRuleContext)) {
		var each func(p grammar.IPrimaryContext)
		each = func(p grammar.IPrimaryContext) {
			if cat, ok := p.(*grammar.ConcatenationContext); ok && cat.Replicated() == nil {
				for _, x := range cat.AllExpression() {
					if px, ok := x.(*grammar.PrimaryExprContext); ok {
						each(px.Primary())
					}
				}
				return
			}
			name, _, _ := root(p)
			if name == nil {
				return
			}
			id := ident(name.ScopedName().Identifier(0))
			kind, where := c.lookup(name, id)
			if kind != declObject && kind != declMemory {
				return
			}
			note(key{where, id}, p)
		}
		each(p)
	}
	other := func(k key, p antlr.ParserRuleContext) { others[k] = append(others[k], p) }
	children(m.decl, func(t antlr.Tree) bool {
		switch n := t.(type) {
		case *grammar.DeclaratorContext:
			if _, ok := n.GetParent().(*grammar.DataDeclContext); ok && n.Expression() != nil {
				if kind, where := c.lookup(n, ident(n.Identifier())); kind == declObject {
					valued[key{where, ident(n.Identifier())}] = n
				}
			}
		case *grammar.ContinuousAssignContext:
			for _, a := range n.AllAssignment() {
				target(a.Primary(), other)
			}
			return false
		case *grammar.ProceduralContext:
			if n.AssignOp() == nil {
				return false
			}
			for p := n.GetParent(); p != nil; p = p.GetParent() {
				switch b := p.(type) {
				case *grammar.AlwaysBlockContext:
					target(n.Primary(), func(k key, p antlr.ParserRuleContext) {
						if b.ALWAYS() == nil {
							processes[k] = append(processes[k], p)
						} else {
							kept[k] = append(kept[k], p)
						}
						if n.AssignOp().LE() != nil {
							clocked[k] = append(clocked[k], p)
						} else {
							other(k, p)
						}
					})
					return false
				case *grammar.InitialBlockContext:
					target(n.Primary(), func(k key, p antlr.ParserRuleContext) { initial[k] = append(initial[k], p) })
					return false
				case *grammar.FunctionDeclContext, *grammar.TaskDeclContext:
					return false
				}
			}
			return false
		}
		return true
	})
	clash := func(rule string, list, with writes) {
		for k := range list {
			for _, at := range list[k] {
				if slices.ContainsFunc(with[k], func(w antlr.ParserRuleContext) bool { return !alternatives(at, w) }) {
					c.report(rule, at)
					break
				}
			}
		}
	}
	clash("mixed-drivers", others, clocked)
	clash("initial-and-process", processes, initial)
	for k, list := range initial {
		if c.decls[k.where][k.name] == declObject && !within[*grammar.InitialBlockContext](k.where) && len(kept[k])+len(processes[k]) == 0 {
			c.report("initial", list[0])
		}
	}
	for k, d := range valued {
		if len(processes[k])+len(kept[k]) > 0 {
			c.report("initial-value", d)
		}
	}
}

// alternatives reports whether at most one of two places is generated: they are in different
// branches of one generate if or case.
func alternatives(a, b antlr.Tree) bool {
	above := map[antlr.Tree]bool{}
	for t := a; t != nil; t = t.GetParent() {
		above[t] = true
	}
	for t := b; t != nil; t = t.GetParent() {
		if above[t] {
			switch t.(type) {
			case *grammar.IfGenerateContext, *grammar.CaseGenerateContext:
				return true
			}
			return false
		}
	}
	return false
}
