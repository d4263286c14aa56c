// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	mdast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// walk calls f for every file that belongs to the project's text.
func walk(t *testing.T, root fs.FS, f func(name string)) {
	t.Helper()
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "build" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.Type().IsRegular():
			f(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// markdown lists the pages.
func markdown(t *testing.T, root fs.FS) []string {
	t.Helper()
	var list []string
	walk(t, root, func(name string) {
		if path.Ext(name) == ".md" {
			list = append(list, name)
		}
	})
	return list
}

// parsed holds the parts of a page that the checks need.
type parsed struct {
	links   []string
	anchors map[string]bool
	code    []string // code in the running text and in tables
}

func parse(src []byte) parsed {
	p := parsed{anchors: map[string]bool{}}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	_ = mdast.Walk(md.Parser().Parse(text.NewReader(src)), func(n mdast.Node, enter bool) (mdast.WalkStatus, error) {
		if !enter {
			return mdast.WalkContinue, nil
		}
		switch x := n.(type) {
		case *mdast.Link:
			p.links = append(p.links, string(x.Destination))
		case *mdast.Image:
			p.links = append(p.links, string(x.Destination))
		case *mdast.Heading:
			slug := slug(plain(x, src))
			for i := 1; p.anchors[slug]; i++ {
				slug = fmt.Sprintf("%s-%d", strings.TrimSuffix(slug, fmt.Sprintf("-%d", i-1)), i)
			}
			p.anchors[slug] = true
		case *mdast.CodeSpan:
			p.code = append(p.code, plain(x, src))
		}
		return mdast.WalkContinue, nil
	})
	return p
}

// plain is the text of a node without markup.
func plain(n mdast.Node, src []byte) string {
	var b strings.Builder
	_ = mdast.Walk(n, func(n mdast.Node, enter bool) (mdast.WalkStatus, error) {
		if x, ok := n.(*mdast.Text); ok && enter {
			b.Write(x.Value(src))
		}
		return mdast.WalkContinue, nil
	})
	return b.String()
}

// slug is the anchor that repository hosts give a heading.
func slug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// brokenLinks lists the links within the repository that lead nowhere.
func brokenLinks(root fs.FS, page string) ([]string, error) {
	src, err := fs.ReadFile(root, page)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, l := range parse(src).links {
		u, err := url.Parse(l)
		if err != nil || u.Path != "" && strings.HasPrefix(u.Path, "/") && u.Host == "" {
			list = append(list, fmt.Sprintf("%s: link %q, want a path relative to the page, or a URL", page, l))
			continue
		}
		if u.Scheme != "" {
			continue
		}
		target := page
		if u.Path != "" {
			target = path.Join(path.Dir(page), u.Path)
			if _, err := fs.Stat(root, target); err != nil {
				list = append(list, fmt.Sprintf("%s: link %q: there is no file %s", page, l, target))
				continue
			}
		}
		if u.Fragment == "" {
			continue
		}
		to, err := fs.ReadFile(root, target)
		if err != nil || !parse(to).anchors[u.Fragment] {
			list = append(list, fmt.Sprintf("%s: link %q: %s has no heading #%s", page, l, target, u.Fragment))
		}
	}
	return list, nil
}

func TestLinksResolve(t *testing.T) {
	root := os.DirFS("..")
	for _, name := range markdown(t, root) {
		list, err := brokenLinks(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			t.Error(l)
		}
	}
	list, err := brokenLinks(fstest.MapFS{
		"d/a.md":   {Data: []byte("# A `b`: C\n[x](b.md) [x](../c) [x](#a-b-c) [x](#d) ![](p.svg) <https://x.y> [x](/c)\n\n    [x](code)\n")},
		"c/e.md":   {Data: []byte("## E\n## E\n[x](#e-1) [x](../d/a.md#a-b-c)")},
		"d/.index": {},
	}, "d/a.md")
	want := []string{
		`d/a.md: link "b.md": there is no file d/b.md`,
		`d/a.md: link "#d": d/a.md has no heading #d`,
		`d/a.md: link "p.svg": there is no file d/p.svg`,
		`d/a.md: link "/c", want a path relative to the page, or a URL`,
	}
	if d := cmp.Diff(want, list); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

var (
	testName   = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark|Example)[A-Z0-9]\w*$|^Example$`)
	makeTarget = regexp.MustCompile(`^make ([a-z-]+)$`)
	// Paths on the machine of the page's author.
	machinePath = regexp.MustCompile(`(?:^|[\s"'(=` + "`" + `])(/(?:work|root|home|tmp|Users|usr|opt|mnt|var)/\S*|[A-Z]:\\\S*)`)
)

// Tests, examples and make targets that the pages name exist.
func TestCitedNamesExist(t *testing.T) {
	root := os.DirFS("..")
	tests, targets := map[string]bool{}, map[string]bool{}
	walk(t, root, func(name string) {
		if !strings.HasSuffix(name, "_test.go") {
			return
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && testName.MatchString(d.Name.Name) {
				tests[d.Name.Name] = true
			}
		}
	})
	// The subtests of a unit's TestBench.
	suite, err := fs.ReadFile(root, "tb/benchtest/suite.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`t\.Run\("(\w+)", s\.`).FindAllStringSubmatch(string(suite), -1) {
		tests["TestBench/"+m[1]] = true
	}
	make, err := fs.ReadFile(root, "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(make), -1) {
		targets[m[1]] = true
	}
	missing := func(code string) string {
		name, sub, _ := strings.Cut(code, "/")
		if name == "TestBench" && sub != "" && !tests[code] {
			return "a bench has no test " + sub
		}
		if testName.MatchString(name) && !tests[name] {
			return "there is no test " + name
		}
		if m := makeTarget.FindStringSubmatch(code); m != nil && !targets[m[1]] {
			return "there is no make target " + m[1]
		}
		return ""
	}
	for _, name := range markdown(t, root) {
		src, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range parse(src).code {
			if m := missing(c); m != "" {
				t.Errorf("%s: %s", name, m)
			}
		}
	}
	for code, want := range map[string]string{
		"TestCitedNamesExist": "", "TestCitedNamesExist/sub": "", "make test": "", "Testing": "", "TestNobodyWrote/x": "there is no test TestNobodyWrote",
		"TestBench": "", "TestBench/Corners": "", "TestBench/Nothing": "a bench has no test Nothing",
		"BenchmarkNothing": "there is no test BenchmarkNothing", "make tea": "there is no make target tea",
	} {
		if got := missing(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestNoMachinePaths(t *testing.T) {
	root := os.DirFS("..")
	for _, name := range markdown(t, root) {
		src, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(string(src), "\n") {
			if m := machinePath.FindStringSubmatch(l); m != nil {
				t.Errorf("%s:%d: path %q of some machine, want one relative to the repository", name, i+1, m[1])
			}
		}
	}
	for text, want := range map[string]bool{
		"in /home/a/b": true, "`/tmp/x`": true, `see C:\x`: true, "out=/usr/x": true,
		"rtl/var/x": false, "https://a.b/home/c": false, "ACK/SEND": false, "(/)": false,
	} {
		if machinePath.MatchString(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

// Every page that is not generated can be reached from the first one.
func TestPagesAreLinked(t *testing.T) {
	root := os.DirFS("..")
	seen := map[string]bool{}
	var visit func(page string)
	visit = func(page string) {
		if seen[page] {
			return
		}
		seen[page] = true
		src, err := fs.ReadFile(root, page)
		if err != nil {
			return // TestLinksResolve says it
		}
		for _, l := range parse(src).links {
			if u, err := url.Parse(l); err == nil && u.Scheme == "" && path.Ext(u.Path) == ".md" {
				visit(path.Join(path.Dir(page), u.Path))
			}
		}
	}
	visit("README.md")
	for _, name := range markdown(t, root) {
		src, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		if !seen[name] && !slices.Contains(strings.Split(string(src), "\n"), "<!-- Code generated by nicgen; DO NOT EDIT. -->") {
			t.Errorf("%s: no page that leads from README.md links to it", name)
		}
	}
}
