// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/registry"
)

// library lists the folders with a package that a program can import: neither main, nor of tests only,
// nor below internal, nor of the module that nicgen new makes.
func library(root fs.FS) (list []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); name != "." && (strings.HasPrefix(b, ".") || b == "build" || b == "testdata" || b == "internal" || name == "starter/module") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || slices.Contains(list, path.Dir(name)) {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
		if err == nil && f.Name.Name != "main" {
			list = append(list, path.Dir(name))
		}
		return err
	})
	return list, err
}

var (
	packageRow  = regexp.MustCompile(`^\| ((?:[\[\x60].*?)) \| `)
	packageName = regexp.MustCompile("\\[([\\w/]+)\\]\\(|`([\\w/<>]+)`")
)

// listed returns the packages in the tables of packages.md: the ones under the heading Public packages, and
// all. <unit> stands for each unit.
func listed(page string) (public, all []string) {
	heading := ""
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "## ") {
			heading = strings.TrimSpace(line[3:])
		}
		row := packageRow.FindStringSubmatch(line)
		if row == nil {
			continue
		}
		for _, m := range packageName.FindAllStringSubmatch(row[1], -1) {
			names := []string{m[1] + m[2]}
			if room, ok := strings.CutSuffix(names[0], "<unit>"); ok {
				names = nil
				for _, u := range registry.With() {
					names = append(names, room+u.New().Unit())
				}
			}
			all = append(all, names...)
			if heading == "Public packages" {
				public = append(public, names...)
			}
		}
	}
	return public, all
}

// unlisted are packages that the page does not list, and names on it that are no packages.
func unlisted(root fs.FS, page string) ([]string, error) {
	packages, err := library(root)
	if err != nil {
		return nil, err
	}
	_, all := listed(page)
	var bad []string
	for _, p := range packages {
		if !slices.Contains(all, p) {
			bad = append(bad, p+": neither below internal nor in packages.md")
		}
	}
	for _, p := range all {
		if !slices.Contains(packages, p) {
			bad = append(bad, p+": packages.md lists it, and there is no such package")
		}
	}
	return bad, nil
}

// A package is public, below internal, or has a reason why it is neither.
func TestPackagesArePublicOrInternal(t *testing.T) {
	page, err := os.ReadFile("packages.md")
	if err != nil {
		t.Fatal(err)
	}
	bad, err := unlisted(os.DirFS(".."), string(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bad {
		t.Error(b)
	}
	if public, all := listed(string(page)); len(public) < 15 || len(all) < 2*len(public) {
		t.Errorf("%d public packages of %d", len(public), len(all))
	}
	file := func(name string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("package " + name + "\n")} }
	bad, err = unlisted(fstest.MapFS{"a/a.go": file("a"), "a/b/b.go": file("b"), "internal/c/c.go": file("c"), "d/d.go": file("main"), "e/e_test.go": file("e")},
		"## Public packages\n\n| [a](../a) | x |\n| `gone` | `a/b` |\n")
	if d := cmp.Diff([]string{"a/b: neither below internal nor in packages.md", "gone: packages.md lists it, and there is no such package"}, bad); d != "" || err != nil {
		t.Errorf("%v, (-want +got):\n%s", err, d)
	}
}

// A comment on a public identifier begins with its name, and on a package with "Package name".
func TestDocCommentsBeginWithNames(t *testing.T) {
	page, err := os.ReadFile("packages.md")
	if err != nil {
		t.Fatal(err)
	}
	public, _ := listed(string(page))
	root := os.DirFS("..")
	for _, p := range public {
		names, err := fs.Glob(root, p+"/*.go")
		if err != nil {
			t.Fatal(err)
		}
		documented := false
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			bad, has := misnamed(t, name, string(text))
			documented = documented || has
			for _, b := range bad {
				t.Error(b)
			}
		}
		if !documented {
			t.Errorf("%s: no file has a comment that begins with Package", p)
		}
	}
	for text, want := range map[string]string{
		"// Package x is.\npackage x\n\n// F does.\nfunc F() {}\n\n// A T is.\ntype T int\n\n// M does.\nfunc (T) M() {}\n": "",
		"package x\n\n// Does.\nfunc F() {}\n":                      "x.go:4:1: F: the comment does not begin with the name",
		"package x\n\n// FF does.\nfunc F() {}\n":                   "x.go:4:1: F: the comment does not begin with the name",
		"package x\n\n// F and G are.\ntype (\n\tF int\n\tG int\n)": "",
		"package x\n\n// F and G are.\ntype (\n\tF int\n\tH int\n)": "x.go:6:2: H: the comment does not begin with the name",
		"package x\n\ntype t int\n\n// Does.\nfunc (t) M() {}":      "",
	} {
		bad, _ := misnamed(t, "x.go", text)
		if got := strings.Join(bad, "\n"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// notInName reports whether a character ends a name.
func notInName(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// misnamed lists the public identifiers of a file with comments that do not begin with the name, and reports
// whether the file documents the package.
func misnamed(t *testing.T, name, text string) (bad []string, documented bool) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	check := func(n ast.Node, name string, doc *ast.CommentGroup) {
		words := strings.Fields(doc.Text())
		if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
			words = words[1:]
		}
		if len(words) == 0 || strings.TrimRight(words[0], ",:.") != name && !strings.HasPrefix(words[0], name+"'") {
			bad = append(bad, fset.Position(n.Pos()).String()+": "+name+": the comment does not begin with the name")
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && public(d) {
				check(d, d.Name.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					switch {
					case s.Doc == nil && d.Lparen.IsValid() && slices.Contains(strings.FieldsFunc(d.Doc.Text(), notInName), s.Name.Name):
						// the comment is on several types, and names them
					case s.Doc == nil:
						check(s, s.Name.Name, d.Doc)
					default:
						check(s, s.Name.Name, s.Doc)
					}
				case *ast.ValueSpec:
					if s.Names[0].IsExported() && !d.Lparen.IsValid() {
						check(s, s.Names[0].Name, d.Doc)
					}
				}
			}
		}
	}
	return bad, f.Doc != nil && strings.HasPrefix(f.Doc.Text(), "Package "+f.Name.Name+" ")
}

// A package is in one place of the tables of packages.md.
func TestPackagesAreListedOnce(t *testing.T) {
	page, err := os.ReadFile("packages.md")
	if err != nil {
		t.Fatal(err)
	}
	_, all := listed(string(page))
	count := map[string]int{}
	for _, p := range all {
		count[p]++
	}
	for _, p := range slices.Sorted(maps.Keys(count)) {
		if count[p] > 1 {
			t.Errorf("%s is listed %d times", p, count[p])
		}
	}
}
