// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"regexp"
	"sort"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// comment is one comment of the source.
type comment struct {
	text       string
	line, last int  // first and last line
	own        bool // nothing else before it on its line
	start      int  // character index
}

// children visits t and everything below it, parents first; f returns false to skip the nodes
// below.
func children(t antlr.Tree, f func(antlr.Tree) bool) {
	if !f(t) {
		return
	}
	for _, c := range t.GetChildren() {
		children(c, f)
	}
}

func build(name string, v *view) *File {
	f := &File{Name: name, Directives: v.directives, Doc: v.fileDoc(), sim: v, syn: v}
	for _, item := range v.tree.AllFileItem() {
		switch {
		case item.PackageDecl() != nil:
			f.Packages = append(f.Packages, v.buildPackage(item.PackageDecl()))
		case item.ModuleDecl() != nil:
			f.Modules = append(f.Modules, v.buildModule(item.ModuleDecl()))
		}
	}
	// The comment at the top of a file with one module describes the module.
	if len(f.Modules) == 1 && len(f.Packages) == 0 && f.Modules[0].Doc == "" {
		f.Modules[0].Doc = f.Doc
	}
	children(v.tree, func(t antlr.Tree) bool {
		b, ok := t.(*grammar.BindDirectiveContext)
		if ok {
			for _, inst := range v.instances(b.Instantiation()) {
				for _, target := range b.AllBindTarget() {
					f.Binds = append(f.Binds, &Bind{Target: v.text(target), Instance: inst, Pos: v.posOf(b)})
				}
			}
		}
		return !ok
	})
	return f
}

func (v *view) buildPackage(d grammar.IPackageDeclContext) *Package {
	p := &Package{Name: ident(d.Identifier()), Doc: v.docAbove(d), Pos: v.posOf(d.Identifier()), decl: d, view: v}
	for _, item := range d.AllPackageItem() {
		switch {
		case item.ParamDecl() != nil:
			p.Params = append(p.Params, v.buildParams(item.ParamDecl(), "localparam")...)
		case item.TypedefDecl() != nil && item.TypedefDecl().DataType() != nil:
			t := item.TypedefDecl()
			p.Types = append(p.Types, Typedef{Name: ident(t.Identifier()), Type: v.text(t.DataType()), Unpacked: v.dims(t.AllUnpackedDim()),
				Doc: v.docOf(t), Pos: v.posOf(t.Identifier())})
		case item.FunctionDecl() != nil:
			p.Functions = append(p.Functions, ident(item.FunctionDecl().Identifier()))
		}
	}
	return p
}

func (v *view) buildModule(d grammar.IModuleDeclContext) *Module {
	m := &Module{Name: ident(d.Identifier()), Interface: d.INTERFACE() != nil,
		Doc: v.docAbove(d), Pos: v.posOf(d.Identifier()), decl: d, view: v}
	if list := d.ParameterPortList(); list != nil {
		kind, typ := "parameter", ""
		for _, p := range list.AllParamPort() {
			switch {
			case p.LOCALPARAM() != nil:
				kind, typ = "localparam", ""
			case p.PARAMETER() != nil:
				kind, typ = "parameter", ""
			}
			q := Param{Kind: kind, Header: true, Doc: v.docOf(p)}
			if p.ParamAssign() == nil { // a type
				q.Name, q.Pos, typ = ident(p.Identifier()), v.posOf(p.Identifier()), "type"
				if p.DataType() != nil {
					q.Default = v.text(p.DataType())
				}
			} else {
				if p.ParamType() != nil {
					typ = v.text(p.ParamType())
				}
				a := p.ParamAssign()
				q.Name, q.Pos = ident(a.Identifier()), v.posOf(a.Identifier())
				if a.Expression() != nil {
					q.Default = v.text(a.Expression())
				}
				q.Type = strings.TrimSpace(typ + " " + v.dims(a.AllUnpackedDim()))
				m.Params = append(m.Params, q)
				continue
			}
			q.Type = typ
			m.Params = append(m.Params, q)
		}
	}
	// Below a parameter list in the header, a parameter of the body cannot be
	// overridden.
	kind := "parameter"
	if d.ParameterPortList() != nil {
		kind = "localparam"
	}
	for _, item := range d.AllModuleItem() {
		if b := item.ModuleItemBody(); b != nil && b.ParamDecl() != nil {
			m.Params = append(m.Params, v.buildParams(b.ParamDecl(), kind)...)
		}
	}
	if d.PortList() != nil {
		m.Ports = v.buildPorts(d.PortList())
		v.bodyPorts(m)
	}
	children(d, func(t antlr.Tree) bool {
		switch n := t.(type) {
		case *grammar.BindDirectiveContext:
			return false
		case *grammar.InstantiationContext:
			m.Instances = append(m.Instances, v.instances(n)...)
			return false
		}
		return true
	})
	return m
}

func (v *view) buildParams(d grammar.IParamDeclContext, kind string) []Param {
	if d.LOCALPARAM() != nil {
		kind = "localparam"
	}
	var out []Param
	if d.TYPE() != nil {
		for i, id := range d.AllIdentifier() {
			out = append(out, Param{Name: ident(id), Kind: kind, Type: "type", Default: v.text(d.DataType(i)),
				Doc: v.docOf(d), Pos: v.posOf(id)})
		}
	}
	for _, a := range d.AllParamAssign() {
		q := Param{Name: ident(a.Identifier()), Kind: kind, Doc: v.docOf(d), Pos: v.posOf(a.Identifier())}
		if d.ParamType() != nil {
			q.Type = v.text(d.ParamType())
		}
		q.Type = strings.TrimSpace(q.Type + " " + v.dims(a.AllUnpackedDim()))
		if a.Expression() != nil {
			q.Default = v.text(a.Expression())
		}
		out = append(out, q)
	}
	return out
}

func (v *view) buildPorts(list grammar.IPortListContext) []Port {
	var out []Port
	var last Port
	for _, p := range list.AllPort() {
		ids := p.AllIdentifier()
		name := ids[len(ids)-1]
		q := Port{Name: ident(name), Doc: v.docOf(p), Pos: v.posOf(name), decl: p, dims: p.AllUnpackedDim(), Unpacked: v.dims(p.AllUnpackedDim())}
		bare := p.Direction() == nil && p.NetType() == nil && p.VAR() == nil
		switch {
		case p.INTERFACE() != nil || p.DOT() != nil:
			q.Interface = true
			var words []string
			if p.INTERFACE() != nil {
				words = append(words, "interface")
			}
			for _, id := range ids[:len(ids)-1] {
				words = append(words, ident(id))
			}
			q.Type = strings.Join(words, ".")
		case bare && p.PortType() == nil && len(out) > 0 && !last.Interface:
			// "input wire [3:0] a, b": b is like a.
			q.Dir, q.Type, q.Net, q.Signed, q.Range, q.decl = last.Dir, last.Type, last.Net, last.Signed, last.Range, last.decl
		case bare && p.PortType() != nil && p.PortType().DataType() != nil && p.PortType().DataType().ScopedName() != nil:
			q.Interface = true
			q.Type = v.text(p.PortType())
		default:
			if p.Direction() != nil {
				q.Dir = p.Direction().GetText()
			} else {
				q.Dir = last.Dir
			}
			if p.NetType() != nil {
				q.Net = p.NetType().GetText()
			} else if p.VAR() != nil {
				q.Net = "var"
			}
			q.Type = "logic"
			if p.PortType() != nil {
				v.portType(&q, p.PortType())
			}
		}
		out = append(out, q)
		last = q
	}
	return out
}

// dims returns the source text of unpacked dimensions.
func (v *view) dims(list []grammar.IUnpackedDimContext) string {
	var all strings.Builder
	for _, u := range list {
		all.WriteString(v.text(u))
	}
	return all.String()
}

// bodyPorts completes ports that the header only names: their directions and types are
// declared in the body.
func (v *view) bodyPorts(m *Module) {
	named := map[string]*Port{}
	for i := range m.Ports {
		if p := &m.Ports[i]; p.Dir == "" && !p.Interface {
			named[p.Name] = p
		}
	}
	for _, item := range m.decl.AllModuleItem() {
		b := item.ModuleItemBody()
		if b == nil || b.PortDecl() == nil {
			continue
		}
		d := b.PortDecl()
		for _, x := range d.AllDeclarator() {
			p := named[ident(x.Identifier())]
			if p == nil {
				continue
			}
			p.Dir, p.decl, p.body = d.Direction().GetText(), d, true
			p.dims, p.Unpacked = x.AllUnpackedDim(), v.dims(x.AllUnpackedDim())
			p.Pos = v.posOf(x)
			if doc := v.docOf(d); doc != "" {
				p.Doc = doc
			}
			if d.NetType() != nil {
				p.Net = d.NetType().GetText()
			} else if d.VAR() != nil {
				p.Net = "var"
			}
			if d.PortType() != nil {
				v.portType(p, d.PortType())
			}
		}
	}
}

// portType fills in type, sign and range.
func (v *view) portType(q *Port, t grammar.IPortTypeContext) {
	var dims []grammar.IPackedDimContext
	var signing grammar.ISigningContext
	if d := t.DataType(); d != nil {
		dims, signing = d.AllPackedDim(), d.Signing()
		switch {
		case d.ScopedName() != nil:
			q.Type = v.text(d.ScopedName())
		case d.LBRACE() != nil || d.TYPE() != nil:
			q.Type = v.text(d)
			return
		default:
			q.Type = d.GetStart().GetText()
			switch q.Type {
			case "byte", "shortint", "int", "longint", "integer":
				q.Signed = true
			}
		}
	} else {
		dims, signing = t.ImplicitType().AllPackedDim(), t.ImplicitType().Signing()
	}
	if signing != nil {
		q.Signed = signing.SIGNED() != nil
	}
	for _, d := range dims {
		q.Range += v.text(d)
	}
}

func (v *view) instances(n grammar.IInstantiationContext) []*Instance {
	var params []Connection
	if n.ParamConnections() != nil {
		for _, c := range n.ParamConnections().AllParamConnection() {
			q := Connection{}
			if c.Identifier() != nil {
				q.Name = ident(c.Identifier())
			}
			if c.Expression() != nil {
				q.Value = v.text(c.Expression())
			} else if c.DataType() != nil {
				q.Value = v.text(c.DataType())
			}
			params = append(params, q)
		}
	}
	var out []*Instance
	for _, i := range n.AllInstance() {
		inst := &Instance{Module: ident(n.Identifier()), Name: ident(i.Identifier()), Params: params, Pos: v.posOf(i)}
		for _, c := range i.AllConnection() {
			switch {
			case c.DOT_STAR() != nil:
				inst.Wildcard = true
			case c.Identifier() != nil:
				q := Connection{Name: ident(c.Identifier())}
				if c.Expression() != nil {
					q.Value = v.text(c.Expression())
				} else if c.LPAREN() == nil {
					q.Value = q.Name
				}
				inst.Ports = append(inst.Ports, q)
			default:
				inst.Ports = append(inst.Ports, Connection{Value: v.text(c.Expression())})
			}
		}
		out = append(out, inst)
	}
	return out
}

// ident returns a name without the mark of an escaped identifier.
func ident(id grammar.IIdentifierContext) string {
	return strings.TrimPrefix(id.GetText(), `\`)
}

// fileDoc returns the first comment block, if it is above all code.
func (v *view) fileDoc() string {
	var block []comment
	for _, c := range v.comments {
		if v.codeStart >= 0 && c.start > v.codeStart || len(block) > 0 && c.line > block[len(block)-1].last+1 {
			break
		}
		block = append(block, c)
	}
	return docText(block)
}

// docAbove returns the comment block that ends on the line above ctx.
func (v *view) docAbove(ctx antlr.ParserRuleContext) string {
	line := ctx.GetStart().GetLine()
	end := sort.Search(len(v.comments), func(i int) bool { return v.comments[i].last >= line })
	first := end
	for first > 0 && v.comments[first-1].own && v.comments[first-1].last == line-1 {
		first--
		line = v.comments[first].line
	}
	return docText(v.comments[first:end])
}

// docOf returns the comment after ctx on its last line or, without one, the comment above it.
func (v *view) docOf(ctx antlr.ParserRuleContext) string {
	stop := ctx.GetStop()
	i := sort.Search(len(v.comments), func(i int) bool { return v.comments[i].start > stop.GetStop() })
	if i < len(v.comments) && v.comments[i].line == stop.GetLine() && !v.comments[i].own && v.lastOnLine(stop, v.comments[i]) {
		return docText(v.comments[i : i+1])
	}
	return v.docAbove(ctx)
}

// lastOnLine reports that only punctuation is between t and the comment, which therefore describes
// t and nothing after it.
func (v *view) lastOnLine(t antlr.Token, c comment) bool {
	return t.GetStop()+1 > c.start-1 ||
		strings.Trim(v.input.GetText(t.GetStop()+1, c.start-1), " \t,;)") == ""
}

// Lines by which tools recognise a generated file, and the lines that nicgen writes below the first
// one.
var (
	generatedMark = regexp.MustCompile(`^Code generated .* DO NOT EDIT\.$`)
	provenance    = regexp.MustCompile(`^(Command: nicgen |(Configuration|Body) SHA-256: [0-9a-f]{64}$)`)
)

// docText joins comments, without their marks.
func docText(cs []comment) string {
	var lines []string
	for _, c := range cs {
		t := c.text
		if strings.HasPrefix(t, "/*") {
			t = strings.TrimSuffix(t[2:], "*/")
			for _, l := range strings.Split(t, "\n") {
				lines = append(lines, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "*")))
			}
			continue
		}
		t = strings.TrimRight(strings.TrimPrefix(strings.TrimLeft(t, "/"), " "), " \t\r")
		if strings.HasPrefix(t, "SPDX-License-Identifier:") || generatedMark.MatchString(t) || provenance.MatchString(t) {
			continue // for tools, not for readers
		}
		lines = append(lines, t)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
