// SPDX-License-Identifier: Apache-2.0

// Package gomutant makes mutants of a Go package: a copy of its text in which a variable
// selects one small mistake, so that one build holds all of them.
//
// The mutants change, inside functions only: arithmetic, comparison and logic operators;
// conditions, which are negated; numbers, to the next one, and Boolean values; op= and ++ and --;
// and assignments and calls that form a whole line, which are removed.
package gomutant

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Mutant is one mistake.
type Mutant struct {
	Number  int    // the value of the variable that makes it active, from 1
	Where   string // "ring.go:123:8"
	Func    string // "push", or "Ring.push" of a method
	Kind    Kind
	Ordinal int    // among the mutants of the kind in the function, in the order of the text, from 1
	Was     string // the text
	Now     string // the text in its place; empty if it is left out
}

// Kind is the kind of change that a mutant makes.
type Kind string

// The kinds.
const (
	Condition  Kind = "condition"  // of an if, negated
	Comparison Kind = "comparison" // by another relation, or negated
	Operator   Kind = "operator"   // of arithmetic or logic
	Number     Kind = "number"     // the next one
	Truth      Kind = "truth"      // true and false
	Call       Kind = "call"       // left out
	Assignment Kind = "assignment" // left out, or op= by another operator
	Step       Kind = "step"       // ++ and --
)

// String returns "Ring.push, comparison 3: a < b becomes a <= b", which identifies the mutant in
// records: it does not depend on source lines.
func (m *Mutant) String() string {
	place := fmt.Sprintf("%s, %s %d", m.Func, m.Kind, m.Ordinal)
	if m.Now == "" {
		return fmt.Sprintf("%s: %s is left out", place, m.Was)
	}
	return fmt.Sprintf("%s: %s becomes %s", place, m.Was, m.Now)
}

// Package is a package with all of its mutants in it.
type Package struct {
	Path    string            // import path
	Files   map[string][]byte // the text of changed and new files, by name
	Mutants []Mutant

	ordinals map[place]int // the last ones that were given
}

// place is a function and a kind of mutants in it.
type place struct {
	function string
	kind     Kind
}

// Names of the declarations added to the package.
const (
	Variable = "NicgenMutant"  // int: the mutant that is active; 0: none
	Reached  = "NicgenReached" // []bool: the mutants that were reached, by number
	Budget   = "NicgenBudget"  // int64: how many more may be reached before a panic reports an endless loop
)

// Load reads the package in a folder of the module, makes mutants in the named files, or in all of
// them if none are named, and returns the new text. Nothing is written. The error comes from the go
// command or the type checker.
func Load(ctx context.Context, dir string, names []string) (*Package, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	list := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return nil, fmt.Errorf("go list in %s: %w", dir, err)
	}
	exports, last := map[string]string{}, ""
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path], last = file, path
	}
	p := &Package{Path: last, Files: map[string][]byte{}, ordinals: map[place]int{}}

	set := token.NewFileSet()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	texts := map[*ast.File][]byte{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(set, filepath.Join(dir, e.Name()), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		texts[f] = text
	}
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	pkg, err := (&types.Config{Importer: imports}).Check(p.Path, set, files, info)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		name := set.Position(f.Pos()).Filename
		if base := filepath.Base(name); len(names) > 0 && !slices.Contains(names, base) {
			continue
		}
		e := &editor{set: set, file: f, text: texts[f], info: info, pkg: pkg, sites: map[ast.Node]*site{}, p: p}
		p.Files[name] = e.rewrite()
	}
	p.Files[filepath.Join(dir, "nicgen_mutant.go")] = fmt.Appendf(nil, `package %s

var (
	%[2]s int
	%[3]s = make([]bool, %[4]d)
	%[5]s int64
)

func nicgenAt(n int) bool {
	if %[5]s--; %[5]s == 0 {
		panic("this never ends")
	}
	%[3]s[n] = true
	return n == %[2]s
}
`, pkg.Name(), Variable, Reached, len(p.Mutants)+1, Budget)
	return p, nil
}

// editor changes one file.
type editor struct {
	set   *token.FileSet
	file  *ast.File
	text  []byte
	info  *types.Info
	pkg   *types.Package
	sites map[ast.Node]*site
	p     *Package

	function string // the one that is read
	offsets  []int  // of its mutants
}

// site is an expression or a statement with mutants.
type site struct {
	node      ast.Node
	result    string // type of an expression; empty for a statement
	number    []int
	mutations []string // text in place of it; empty: nothing
}

func (e *editor) at(p token.Pos) int { return e.set.Position(p).Offset }

func (e *editor) source(n ast.Node) string { return string(e.text[e.at(n.Pos()):e.at(n.End())]) }

// between is the text of a binary expression with another operator.
func (e *editor) operator(x, y ast.Expr, op token.Token) string {
	return e.source(x) + " " + op.String() + " " + e.source(y)
}

// add notes a mutation of a node.
func (e *editor) add(kind Kind, n ast.Node, result, now string) {
	s := e.sites[n]
	if s == nil {
		s = &site{node: n, result: result}
		e.sites[n] = s
	}
	at := e.set.Position(n.Pos())
	m := Mutant{Number: len(e.p.Mutants) + 1, Where: fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column),
		Func: e.function, Kind: kind, Was: oneLine(e.source(n)), Now: oneLine(now)}
	e.p.Mutants = append(e.p.Mutants, m)
	e.offsets = append(e.offsets, at.Offset)
	s.number, s.mutations = append(s.number, m.Number), append(s.mutations, now)
}

// oneLine returns code without comments, on one line.
func oneLine(code string) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	f := set.AddFile("", -1, len(code))
	s.Init(f, []byte(code), nil, 0)
	var b strings.Builder
	end := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		if tok.IsOperator() {
			text = tok.String()
		}
		from := f.Offset(pos)
		if from > end && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		end = from + len(text)
	}
}

// rewrite finds the places and returns the file with mutants.
func (e *editor) rewrite() []byte {
	for _, d := range e.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && f.Type.TypeParams == nil {
			e.function, e.offsets = funcName(f), nil
			first := len(e.p.Mutants)
			e.find(f.Body)
			e.number(e.p.Mutants[first:])
		}
	}
	return []byte(e.render(e.file, int(0), len(e.text)))
}

// number assigns ordinals to the mutants of a function, statement by statement, outer ones first.
func (e *editor) number(mutants []Mutant) {
	order := make([]int, len(mutants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return e.offsets[a] - e.offsets[b] })
	for _, i := range order {
		m := &mutants[i]
		e.p.ordinals[place{m.Func, m.Kind}]++
		m.Ordinal = e.p.ordinals[place{m.Func, m.Kind}]
	}
}

// funcName returns "push", or "Ring.push" of a method.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

var operators = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL, token.AND_NOT: token.AND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

var assignments = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.XOR_ASSIGN: token.OR_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.MUL_ASSIGN: token.ADD_ASSIGN,
}

// find looks for places below a node.
func (e *editor) find(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.FuncType:
			return false
		case *ast.KeyValueExpr: // a key may need to be constant
			e.find(n.Value)
			return false
		case *ast.BlockStmt:
			for _, s := range n.List {
				e.statement(s)
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				e.statement(s)
			}
		case *ast.IfStmt:
			if t := e.info.Types[n.Cond]; t.Value == nil {
				if b, ok := n.Cond.(*ast.BinaryExpr); !ok || b.Op == token.LAND || b.Op == token.LOR {
					e.add(Condition, n.Cond, "bool", "!("+e.source(n.Cond)+")")
				}
			}
		case ast.Expr:
			return e.expression(n)
		}
		return true
	})
}

// expression finds the mutants of an expression; it reports whether to descend.
func (e *editor) expression(n ast.Expr) bool {
	t, ok := e.info.Types[n]
	if !ok || t.IsType() {
		return true
	}
	if t.Value != nil {
		e.constant(n, t)
		return false
	}
	b, ok := n.(*ast.BinaryExpr)
	if !ok {
		return true
	}
	basic, _ := t.Type.Underlying().(*types.Basic)
	to, known := operators[b.Op]
	if !known || basic == nil || basic.Info()&(types.IsInteger|types.IsBoolean) == 0 {
		return true
	}
	if token.EQL <= b.Op && b.Op <= token.NEQ || b.Op == token.LSS || b.Op == token.GTR || b.Op == token.LEQ || b.Op == token.GEQ {
		e.add(Comparison, n, "bool", e.operator(b.X, b.Y, to))
		if b.Op != token.EQL && b.Op != token.NEQ {
			e.add(Comparison, n, "bool", "!("+e.source(n)+")")
		}
		return true
	}
	e.add(Operator, n, e.typeName(types.Default(t.Type)), e.operator(b.X, b.Y, to)) // a comparison in it has no type yet
	return true
}

// constant mutates a whole constant expression: a number or a truth value.
func (e *editor) constant(n ast.Expr, t types.TypeAndValue) {
	typ := types.Default(t.Type)
	basic, _ := typ.Underlying().(*types.Basic)
	switch {
	case basic == nil:
	case basic.Info()&types.IsBoolean != 0:
		e.add(Truth, n, e.typeName(typ), "!("+e.source(n)+")")
	case basic.Info()&types.IsInteger != 0:
		next := constant.BinaryOp(constant.ToInt(t.Value), token.ADD, constant.MakeInt64(1))
		if !representable(next, basic) {
			next = constant.BinaryOp(constant.ToInt(t.Value), token.SUB, constant.MakeInt64(1))
		}
		e.add(Number, n, e.typeName(typ), next.ExactString())
	}
}

// representable reports whether a type of integers has a value.
func representable(v constant.Value, t *types.Basic) bool {
	bits := map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64, types.Int: 64,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64, types.Uintptr: 64}[t.Kind()]
	if t.Info()&types.IsUnsigned != 0 {
		return constant.Sign(v) >= 0 && constant.BitLen(v) <= bits
	}
	return constant.BitLen(v) < bits
}

// statement finds the mutants of a statement in a list of statements.
func (e *editor) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "panic" {
				e.add(Call, s, "", "")
			}
		}
	case *ast.IncDecStmt:
		op := map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok]
		e.add(Step, s, "", e.source(s.X)+op)
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN {
			e.add(Assignment, s, "", "")
		} else if to, ok := assignments[s.Tok]; ok && !e.isString(s.Lhs[0]) {
			e.add(Assignment, s, "", e.source(s.Lhs[0])+" "+to.String()+" "+e.source(s.Rhs[0]))
		}
	}
}

// isString reports whether an expression is a string.
func (e *editor) isString(x ast.Expr) bool {
	t := e.info.Types[x].Type
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// typeName writes a type as this file names it.
func (e *editor) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == e.pkg {
			return ""
		}
		for _, i := range e.file.Imports {
			if i.Name != nil && strings.Trim(i.Path.Value, `"`) == p.Path() {
				return i.Name.Name
			}
		}
		return p.Name()
	})
}

// render returns the text from lo to hi below a node, with the sites inside in their new form. A
// mutation contains the original text, as only one is active.
func (e *editor) render(root ast.Node, lo, hi int) string {
	var b strings.Builder
	ast.Inspect(root, func(n ast.Node) bool {
		s := e.sites[n]
		if n == root || s == nil {
			return true
		}
		from, to := e.at(n.Pos()), e.at(n.End())
		b.Write(e.text[lo:from])
		lo = to
		body := e.render(n, from, to)
		if s.result != "" {
			b.WriteString("func() " + s.result + " { switch { ")
			for i, m := range s.mutations {
				fmt.Fprintf(&b, "case nicgenAt(%d): return %s; ", s.number[i], m)
			}
			b.WriteString("}; return " + body + " }()")
			return false
		}
		for i, m := range s.mutations {
			fmt.Fprintf(&b, "if nicgenAt(%d) { %s } else ", s.number[i], m)
		}
		b.WriteString("{ " + body + " }")
		return false
	})
	b.Write(e.text[lo:hi])
	return b.String()
}
