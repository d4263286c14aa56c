// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"

	"github.com/nicgen/nicgen/gen/emit"
)

// languages are the languages of code, by file name extension.
var languages = []struct{ end, name string }{
	{".go", "go"}, {".sv", "systemverilog"}, {".sv.tmpl", "systemverilog"}, {".svh", "systemverilog"}, {".yaml", "yaml"}, {".md", "markdown"},
}

// source quotes a file or parts of it.
func source(m *Maker, page string, args []string) (string, error) {
	if len(args) == 0 {
		return "", fmt.Errorf("found no arguments, want a file")
	}
	name := path.Join(path.Dir(page), args[0])
	raw, err := m.read(name)
	if err != nil {
		return "", err
	}
	text := string(raw)
	switch {
	case len(args) == 1:
	case strings.HasSuffix(name, ".go"):
		if text, err = declarations(name, text, args[1:]); err != nil {
			return "", err
		}
	case len(args) == 3:
		if text, err = between(name, text, args[1], args[2]); err != nil {
			return "", err
		}
	default:
		return "", fmt.Errorf("%s: found %d arguments after the file, want two: a word of the first line and one of the line after the last", name, len(args)-1)
	}
	language := ""
	for _, l := range languages {
		if strings.HasSuffix(name, l.end) {
			language = l.name
		}
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.Trim(text, "\n") + "\n" + fence + "\n", nil
}

// declarations returns the named declarations of a Go file with their comments: a method is
// Type.Name.
func declarations(file, text string, names []string) (string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	found := map[string]string{}
	var all []string
	for _, d := range f.Decls {
		from, to := d.Pos(), d.End()
		var declared []string
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc = d.Doc
			declared = []string{d.Name.Name}
			if d.Recv != nil {
				t := d.Recv.List[0].Type
				if p, ok := t.(*ast.StarExpr); ok {
					t = p.X
				}
				declared[0] = fmt.Sprint(t) + "." + d.Name.Name
			}
		case *ast.GenDecl:
			doc = d.Doc
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					declared = append(declared, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						declared = append(declared, n.Name)
					}
				}
			}
		}
		if doc != nil {
			from = doc.Pos()
		}
		for _, n := range declared {
			all = append(all, n)
			found[n] = text[fset.Position(from).Offset:fset.Position(to).Offset]
		}
	}
	var parts []string
	for _, n := range names {
		if found[n] == "" {
			return "", fmt.Errorf("%s: %w", file, unknown("declaration", n, all))
		}
		parts = append(parts, found[n])
	}
	return strings.Join(parts, "\n\n"), nil
}

// between returns the lines of a text from the first one with the text from to before the next
// one with the text to.
func between(file, text, from, to string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	first := 0
	for first < len(lines) && !strings.Contains(lines[first], from) {
		first++
	}
	if first == len(lines) {
		return "", fmt.Errorf("%s: no line has %q", file, from)
	}
	last := first + 1
	for last < len(lines) && !strings.Contains(lines[last], to) {
		last++
	}
	if last == len(lines) {
		return "", fmt.Errorf("%s: no line after the one with %q has %q", file, from, to)
	}
	return strings.Join(lines[first:last], ""), nil
}

// comment is a line that only a reader needs.
var comment = regexp.MustCompile(`^\s*(//.*|# .*)?$`)

// lines counts the lines of files below a folder.
func lines(m *Maker, page string, args []string) (string, error) {
	if len(args) < 2 {
		return "", fmt.Errorf("found %d arguments, want a folder and files below it", len(args))
	}
	rows := [][]string{{"File", "Lines", "Without comments and empty lines"}}
	var sum, code int
	for _, a := range args[1:] {
		text, err := m.read(path.Join(path.Dir(page), args[0], a))
		if err != nil {
			return "", err
		}
		n, c := 0, 0
		for l := range strings.Lines(string(text)) {
			n++
			if !comment.MatchString(strings.TrimRight(l, "\n")) {
				c++
			}
		}
		rows = append(rows, []string{"`" + a + "`", fmt.Sprint(n), fmt.Sprint(c)})
		sum, code = sum+n, code+c
	}
	return emit.Table(append(rows, []string{"**Sum**", fmt.Sprint(sum), fmt.Sprint(code)})), nil
}
