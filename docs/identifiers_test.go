// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Every public identifier, method and package has a comment. Generated files and
// tests are left out.
func TestPublicIdentifiersAreDocumented(t *testing.T) {
	packages := map[string]bool{} // folder: whether a file documents the package
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != ".." && (strings.HasPrefix(name, ".") || name == "build" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		packages[dir] = packages[dir] || f.Doc != nil
		if ast.IsGenerated(f) {
			return nil
		}
		missing := func(n ast.Node, what string) {
			t.Errorf("%s: %s has no comment", fset.Position(n.Pos()), what)
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() && decl.Doc == nil && public(decl) {
					missing(decl, decl.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						if spec.Name.IsExported() && decl.Doc == nil && spec.Doc == nil {
							missing(spec, spec.Name.Name)
						}
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							if name.IsExported() && decl.Doc == nil && spec.Doc == nil && spec.Comment == nil {
								missing(spec, name.Name)
							}
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range packages {
		if !ok {
			t.Errorf("%s: no file has a package comment", dir)
		}
	}
}

// public reports whether a function is one, or a method of a public type.
func public(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	x := f.Recv.List[0].Type
	if s, ok := x.(*ast.StarExpr); ok {
		x = s.X
	}
	id, ok := x.(*ast.Ident)
	return !ok || id.IsExported()
}
