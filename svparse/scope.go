// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"fmt"
	"slices"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

const (
	maxWidth = 1 << 20 // bits of one value or port
	maxSteps = 1 << 20 // evaluated expressions and statements of one question
	maxCalls = 200     // constant functions within constant functions
)

type symKind int

const (
	symParam  symKind = iota // parameter, localparam or enumeration constant
	symType                  // typedef
	symFunc                  // function
	symObject                // port, net or variable: it has a type and no value
)

// A symbol is a name in a module, package or file, evaluated on demand.
type symbol struct {
	kind  symKind
	name  string
	scope *scope // scope in which its text is read
	at    Pos
	view  *view                      // of its text
	expr  grammar.IExpressionContext // value of a parameter; name of the type of a type parameter
	ctx   antlr.ParserRuleContext    // its type: dataType, implicitType, paramType, port or nil
	dims  []grammar.IUnpackedDimContext
	fn    grammar.IFunctionDeclContext

	override *view        // text of expr, if it replaces the declared value
	enum     func() value // value of an enumeration constant

	state int // 0 new, 1 being evaluated, 2 known
	val   value
	typ   typ
}

// A scope holds the names of a module, a package or the compilation unit.
type scope struct {
	names     map[string]*symbol
	wildcards []string // packages imported as a whole
	explicit  map[string]string
	exports   []string // packages whose imported names a package exports; "*": all
	parent    *scope
	what      string // for messages: "module nic_reps"
}

// evaluator evaluates constants and types. One goroutine uses it, for one set of overrides.
type evaluator struct {
	design   *Design
	packages map[string]*scope
	units    map[*view]*scope
	steps    int
	calls    int
}

func newEvaluator(d *Design) *evaluator {
	return &evaluator{design: d, packages: map[string]*scope{}, units: map[*view]*scope{}}
}

// evalError carries an error out of the recursion.
type evalError struct{ err error }

func fail(at Pos, format string, args ...any) {
	panic(evalError{fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))})
}

// guard turns a failed evaluation into its error.
func guard(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case evalError:
			err = r.err
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func (ev *evaluator) step(at Pos) {
	if ev.steps++; ev.steps > maxSteps {
		fail(at, "constant takes more than %d steps: does a loop of its function end?", maxSteps)
	}
}

func (sc *scope) add(s *symbol) {
	s.scope = sc
	if sc.names[s.name] == nil {
		sc.names[s.name] = s
	}
}

func newScope(what string, parent *scope) *scope {
	return &scope{names: map[string]*symbol{}, explicit: map[string]string{}, parent: parent, what: what}
}

// unitScope has the declarations of a file outside of modules and packages.
func (ev *evaluator) unitScope(v *view) *scope {
	if sc := ev.units[v]; sc != nil {
		return sc
	}
	sc := newScope("file "+v.name, nil)
	ev.units[v] = sc
	for _, item := range v.unitItems {
		ev.addPackageItem(sc, v, item)
	}
	return sc
}

func (ev *evaluator) packageScope(p *Package) *scope {
	if sc := ev.packages[p.Name]; sc != nil {
		return sc
	}
	sc := newScope("package "+p.Name, ev.unitScope(p.view))
	ev.packages[p.Name] = sc
	for _, item := range p.decl.AllPackageItem() {
		ev.addPackageItem(sc, p.view, item)
	}
	return sc
}

func (ev *evaluator) addPackageItem(sc *scope, v *view, item grammar.IPackageItemContext) {
	switch {
	case item.ParamDecl() != nil:
		ev.addParams(sc, v, item.ParamDecl())
	case item.TypedefDecl() != nil:
		ev.addTypedef(sc, v, item.TypedefDecl())
	case item.FunctionDecl() != nil:
		ev.addFunction(sc, v, item.FunctionDecl())
	case item.ImportDecl() != nil:
		addImports(sc, item.ImportDecl())
	case item.ExportDecl() != nil:
		if item.ExportDecl().AllSTAR() != nil && len(item.ExportDecl().AllImportItem()) == 0 {
			sc.exports = append(sc.exports, "*")
		}
		for _, i := range item.ExportDecl().AllImportItem() {
			sc.exports = append(sc.exports, ident(i.Identifier(0)))
			if i.STAR() == nil { // exporting a name imports it
				sc.explicit[ident(i.Identifier(1))] = ident(i.Identifier(0))
			}
		}
	case item.DataDecl() != nil:
		ev.addData(sc, v, item.DataDecl())
	}
}

func (ev *evaluator) moduleScope(m *Module) *scope {
	v := m.view
	sc := newScope("module "+m.Name, ev.unitScope(v))
	for _, d := range m.decl.AllImportDecl() {
		addImports(sc, d)
	}
	if list := m.decl.ParameterPortList(); list != nil {
		var last antlr.ParserRuleContext
		types := false // as long as nothing else is said, after a type parameter
		for _, p := range list.AllParamPort() {
			if p.ParamAssign() == nil { // TYPE, or a type after it
				sym := &symbol{kind: symType, name: ident(p.Identifier()), at: v.posOf(p.Identifier()), view: v}
				if p.DataType() != nil {
					sym.ctx = p.DataType()
				}
				sc.add(sym)
				types = true
				continue
			}
			switch {
			case p.ParamType() != nil:
				last, types = p.ParamType(), false
				ev.addEnumNames(sc, v, p.ParamType().DataType())
			case p.PARAMETER() != nil || p.LOCALPARAM() != nil:
				last, types = nil, false
			}
			if types {
				a := p.ParamAssign()
				sc.add(&symbol{kind: symType, name: ident(a.Identifier()), at: v.posOf(a.Identifier()), view: v, expr: a.Expression()})
				continue
			}
			ev.addParam(sc, v, p.ParamAssign(), last)
		}
	}
	for i := range m.Ports {
		p := &m.Ports[i]
		sc.add(&symbol{kind: symObject, name: p.Name, at: p.Pos, view: v, ctx: p.decl, dims: p.dims})
	}
	for _, item := range m.decl.AllModuleItem() {
		b := item.ModuleItemBody()
		switch {
		case b == nil:
		case b.ParamDecl() != nil:
			ev.addParams(sc, v, b.ParamDecl())
		case b.TypedefDecl() != nil:
			ev.addTypedef(sc, v, b.TypedefDecl())
		case b.FunctionDecl() != nil:
			ev.addFunction(sc, v, b.FunctionDecl())
		case b.ImportDecl() != nil:
			addImports(sc, b.ImportDecl())
		case b.DataDecl() != nil:
			ev.addData(sc, v, b.DataDecl())
		case b.NetDecl() != nil:
			n := b.NetDecl()
			var t antlr.ParserRuleContext
			if n.DataType() != nil {
				t = n.DataType()
			} else if n.ImplicitType() != nil {
				t = n.ImplicitType()
			}
			ev.addObjects(sc, v, t, n.AllDeclarator())
		}
	}
	return sc
}

func addImports(sc *scope, d grammar.IImportDeclContext) {
	for _, i := range d.AllImportItem() {
		pkg := ident(i.Identifier(0))
		if i.STAR() != nil {
			sc.wildcards = append(sc.wildcards, pkg)
		} else {
			sc.explicit[ident(i.Identifier(1))] = pkg
		}
	}
}

func (ev *evaluator) addParams(sc *scope, v *view, d grammar.IParamDeclContext) {
	for i, id := range d.AllIdentifier() {
		sc.add(&symbol{kind: symType, name: ident(id), at: v.posOf(id), view: v, ctx: d.DataType(i)})
	}
	var t antlr.ParserRuleContext
	if d.ParamType() != nil {
		t = d.ParamType()
		ev.addEnumNames(sc, v, d.ParamType().DataType())
	}
	for _, a := range d.AllParamAssign() {
		ev.addParam(sc, v, a, t)
	}
}

func (ev *evaluator) addParam(sc *scope, v *view, a grammar.IParamAssignContext, t antlr.ParserRuleContext) {
	sc.add(&symbol{kind: symParam, name: ident(a.Identifier()), at: v.posOf(a.Identifier()), view: v,
		expr: a.Expression(), ctx: t, dims: a.AllUnpackedDim()})
}

func (ev *evaluator) addTypedef(sc *scope, v *view, d grammar.ITypedefDeclContext) {
	if d.DataType() == nil {
		return // a forward declaration
	}
	sc.add(&symbol{kind: symType, name: ident(d.Identifier()), at: v.posOf(d.Identifier()), view: v,
		ctx: d.DataType(), dims: d.AllUnpackedDim()})
	ev.addEnumNames(sc, v, d.DataType())
}

func (ev *evaluator) addFunction(sc *scope, v *view, d grammar.IFunctionDeclContext) {
	sc.add(&symbol{kind: symFunc, name: ident(d.Identifier()), at: v.posOf(d.Identifier()), view: v, fn: d})
}

func (ev *evaluator) addData(sc *scope, v *view, d grammar.IDataDeclContext) {
	var t antlr.ParserRuleContext
	if d.DataType() != nil {
		t = d.DataType()
		ev.addEnumNames(sc, v, d.DataType())
	} else if d.ImplicitType() != nil {
		t = d.ImplicitType()
	}
	if d.CONST() != nil {
		for _, x := range d.AllDeclarator() {
			sc.add(&symbol{kind: symParam, name: ident(x.Identifier()), at: v.posOf(x), view: v,
				expr: x.Expression(), ctx: t, dims: x.AllUnpackedDim()})
		}
		return
	}
	ev.addObjects(sc, v, t, d.AllDeclarator())
}

func (ev *evaluator) addObjects(sc *scope, v *view, t antlr.ParserRuleContext, ds []grammar.IDeclaratorContext) {
	for _, x := range ds {
		sc.add(&symbol{kind: symObject, name: ident(x.Identifier()), at: v.posOf(x), view: v, ctx: t, dims: x.AllUnpackedDim()})
	}
}

// find looks a plain name up: here, in imported packages, further out.
func (ev *evaluator) find(sc *scope, name string, at Pos) *symbol {
	for ; sc != nil; sc = sc.parent {
		if s := sc.names[name]; s != nil {
			return s
		}
		if pkg, ok := sc.explicit[name]; ok {
			return ev.inPackage(pkg, name, at)
		}
		for _, pkg := range sc.wildcards {
			if s := ev.pkg(pkg, at).names[name]; s != nil {
				return s
			}
		}
	}
	return nil
}

func (ev *evaluator) pkg(name string, at Pos) *scope {
	ps := ev.design.packages[name]
	switch len(ps) {
	case 0:
		fail(at, "package %s is not in the files: give its file too", name)
	case 1:
		return ev.packageScope(ps[0])
	}
	fail(at, "package %s is declared at %s and again at %s: rename one", name, ps[0].Pos, ps[1].Pos)
	return nil
}

func (ev *evaluator) inPackage(pkg, name string, at Pos) *symbol {
	if ev.calls++; ev.calls > maxCalls {
		fail(at, "more than %d packages that export each other's %s", maxCalls, name)
	}
	defer func() { ev.calls-- }()
	sc := ev.pkg(pkg, at)
	s := sc.names[name]
	if s == nil && len(sc.exports) > 0 {
		passes := func(p string) bool { return slices.Contains(sc.exports, "*") || slices.Contains(sc.exports, p) }
		if p, ok := sc.explicit[name]; ok && passes(p) && p != pkg {
			return ev.inPackage(p, name, at)
		}
		for _, p := range sc.wildcards {
			if passes(p) && p != pkg {
				if s = ev.pkg(p, at).names[name]; s != nil {
					break
				}
			}
		}
	}
	if s == nil {
		fail(at, "package %s has no %s", pkg, name)
	}
	return s
}

// resolve finds the symbol of a possibly scoped name.
func (ev *evaluator) resolve(sc *scope, v *view, n grammar.IScopedNameContext) *symbol {
	at := v.posOf(n)
	ids := n.AllIdentifier()
	if len(ids) == 2 {
		return ev.inPackage(ident(ids[0]), ident(ids[1]), at)
	}
	if n.DOLLAR_UNIT() != nil {
		for sc.parent != nil {
			sc = sc.parent
		}
	}
	s := ev.find(sc, ident(ids[0]), at)
	if s == nil {
		fail(at, "%s is not declared in %s: declare it, or give the file that does", ident(ids[0]), sc.what)
	}
	return s
}

// once evaluates a symbol the first time and notices circles.
func (s *symbol) once(f func()) {
	switch s.state {
	case 1:
		fail(s.at, "%s depends on itself", s.name)
	case 0:
		s.state = 1
		defer func() {
			if s.state == 1 {
				s.state = 0 // failed: report it again the next time
			}
		}()
		f()
		s.state = 2
	}
}

// symbolValue returns the value of a constant.
func (ev *evaluator) symbolValue(s *symbol) value {
	if s.kind != symParam {
		fail(s.at, "%s is not a constant", s.name)
	}
	s.once(func() {
		if s.enum != nil {
			s.val = s.enum()
			return
		}
		if s.expr == nil {
			fail(s.at, "parameter %s has no default: override it", s.name)
		}
		if len(s.dims) > 0 && s.ctx == nil {
			fail(s.at, "%s is an array without a type: write the type of its elements", s.name)
		}
		s.val = ev.paramValue(s)
	})
	return s.val
}

// symbolType returns the type behind a typedef, object or constant.
func (ev *evaluator) symbolType(s *symbol) typ {
	if s.kind == symParam {
		return ev.symbolValue(s).typ
	}
	if s.kind == symFunc {
		fail(s.at, "%s is a function, want a type", s.name)
	}
	s.once(func() {
		if s.kind == symType && s.expr != nil {
			s.typ = ev.symbolType(ev.typeNamed(s.scope, s.view, s.expr))
			return
		}
		if s.kind == symType && s.ctx == nil {
			fail(s.at, "type parameter %s has no default", s.name)
		}
		s.typ = ev.typeOf(s.scope, s.view, s.ctx)
		if len(s.dims) > 0 {
			s.typ = ev.unpacked(s.scope, s.view, s.typ, s.dims)
		}
	})
	return s.typ
}

// constant returns the value of a name of a scope.
func (ev *evaluator) constant(sc *scope, name string) (v value, err error) {
	err = guard(func() { v = ev.symbolValue(sc.names[name]) })
	return v, err
}

// namedType returns the type of a name of a scope.
func (ev *evaluator) namedType(sc *scope, name string) (t typ, err error) {
	err = guard(func() { t = ev.symbolType(sc.names[name]) })
	return t, err
}

// portWidth returns the shape of one port of a module, and reports whether it is an unpacked array
// or structure.
func (ev *evaluator) portWidth(sc *scope, p *Port) (w PortWidth, unpacked bool, err error) {
	err = guard(func() {
		switch {
		case p.Interface:
			fail(p.Pos, "port %s is an interface: want flat vectors", p.Name)
		case p.Dir == "":
			fail(p.Pos, "port %s has no direction: want input or output before it", p.Name)
		}
		t := ev.symbolType(sc.names[p.Name])
		if t.width < 1 {
			fail(p.Pos, "port %s has type %s, want bits", p.Name, p.Type)
		}
		w, unpacked = PortWidth{p.Name, p.Dir, t.width, t.signed}, t.unpacked
	})
	return w, unpacked, err
}
