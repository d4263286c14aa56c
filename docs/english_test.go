// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// A wording is a row of the tables in english.md.
type wording struct {
	pattern      string
	re           *regexp.Regexp
	better       string
	wrong, right string // the example, before and after its arrow
	kinds        string // of the passages that are searched
}

// A passage is text of a file that the wordings apply to.
type passage struct {
	kind string // "comment", "heading", "help" or "prose"
	text string // words separated by single blanks
	at   []int  // line of each word
}

// wordings reads the tables of english.md.
func wordings(page string) ([]wording, error) {
	scopes := map[string]string{
		"In all texts":                   "comment help heading prose",
		"In comments, headings and help": "comment help heading",
		"At the beginning of a comment":  "comment help",
		"In headings":                    "heading",
	}
	var list []wording
	seen := map[string]bool{}
	scope := ""
	for i, l := range strings.Split(page, "\n") {
		if name, ok := strings.CutPrefix(l, "## "); ok {
			scope, seen[name] = scopes[name], true
			continue
		}
		if scope == "" || !strings.HasPrefix(l, "| `") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(l, `\|`, "\x00"), "|")
		for j := range cells {
			cells[j] = strings.TrimSpace(strings.ReplaceAll(cells[j], "\x00", "|"))
		}
		if len(cells) != 5 {
			return nil, fmt.Errorf("line %d: %d cells, want 3", i+1, len(cells)-2)
		}
		w := wording{pattern: strings.Trim(cells[1], "`"), better: cells[2], kinds: scope}
		var err error
		if w.re, err = regexp.Compile("(?i)" + w.pattern); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		var ok bool
		if w.wrong, w.right, ok = strings.Cut(cells[3], " → "); !ok || w.better == "" {
			return nil, fmt.Errorf("line %d: want a better wording, and an example with an arrow", i+1)
		}
		list = append(list, w)
	}
	for name := range scopes {
		if !seen[name] {
			return nil, fmt.Errorf("no section %q", name)
		}
	}
	return list, nil
}

// builder collects the words of a passage.
type builder struct {
	words []string
	at    []int
}

func (b *builder) add(line int, text string) {
	for _, w := range strings.Fields(text) {
		b.words = append(b.words, w)
		b.at = append(b.at, line)
	}
}

// flush appends the collected words to list as a passage.
func (b *builder) flush(list *[]passage, kind string) {
	if len(b.words) > 0 {
		*list = append(*list, passage{kind: kind, text: strings.Join(b.words, " "), at: b.at})
	}
	*b = builder{}
}

// goPassages returns the comments of a Go file, by paragraph, and the help texts of a file of package cli.
// A generated file has none.
func goPassages(name string, src []byte) ([]passage, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	var list []passage
	for _, g := range f.Comments {
		var b builder
		for _, c := range g.List {
			line := fset.Position(c.Pos()).Line
			for i, l := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/"), "\n") {
				l, slashes := strings.CutPrefix(l, "//")
				switch {
				case slashes && (strings.HasPrefix(l, "\t") || directive.MatchString(l)):
					b.flush(&list, "comment") // code
				case strings.TrimSpace(l) == "":
					b.flush(&list, "comment")
				default:
					b.add(line+i, l)
				}
			}
		}
		if strings.HasPrefix(strings.Join(b.words, " "), "Output:") {
			continue
		}
		b.flush(&list, "comment")
	}
	if path.Dir(name) != "cli" || strings.HasSuffix(name, "_test.go") {
		return list, nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || !helpField.MatchString(key.Name) {
			return true
		}
		var b builder
		ast.Inspect(kv.Value, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err == nil {
				b.add(fset.Position(lit.Pos()).Line, text)
			}
			return true
		})
		b.flush(&list, "help")
		return false
	})
	return list, nil
}

var (
	directive = regexp.MustCompile(`^(?:[a-z]+:[a-z]|line |export |#)`)
	helpField = regexp.MustCompile(`^(?:Usage|UsageText|ArgsUsage|Description)$`)
	codeSpan  = regexp.MustCompile("`[^`]*`")
	emitted   = regexp.MustCompile(`^rtl/\w+/`) // the generator's output, whose text is data of the units
)

// pagePassages returns the headings of a Markdown page and, if the page is not generated, the paragraphs
// outside of code and generated blocks.
func pagePassages(src []byte) []passage {
	lines := strings.Split(string(src), "\n")
	var list []passage
	var b builder
	fence, block, generated := "", false, false
	for i, l := range lines {
		mark := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(mark, "```"):
			b.flush(&list, "prose")
			if fence == "" {
				fence = mark[:3]
			} else {
				fence = ""
			}
		case fence != "":
		case strings.HasPrefix(l, "<!-- Code generated "):
			generated = true
		case strings.HasPrefix(l, "<!-- nicgen:begin "):
			b.flush(&list, "prose")
			block = true
		case strings.HasPrefix(l, "<!-- nicgen:end"):
			block = false
		case heading.MatchString(l):
			b.flush(&list, "prose")
			b.add(i+1, codeSpan.ReplaceAllString(strings.TrimLeft(l, "# "), "CODE"))
			b.flush(&list, "heading")
		case mark == "" || generated || block:
			b.flush(&list, "prose")
		default:
			b.add(i+1, codeSpan.ReplaceAllString(l, "CODE"))
		}
	}
	b.flush(&list, "prose")
	return list
}

var heading = regexp.MustCompile(`^#{1,6} `)

// findings returns the places in a passage that a wording applies to.
func (w wording) findings(name string, p passage) []string {
	if !strings.Contains(w.kinds, p.kind) {
		return nil
	}
	var list []string
	for _, m := range w.re.FindAllStringIndex(p.text, -1) {
		line := p.at[strings.Count(p.text[:m[0]], " ")]
		list = append(list, fmt.Sprintf("%s:%d: %s has %q (%s), want: %s", name, line, p.kind, p.text[m[0]:m[1]], w.pattern, w.better))
	}
	return list
}

// english returns the findings of a file.
func english(list []wording, name string, src []byte) ([]string, error) {
	var passages []passage
	switch path.Ext(name) {
	case ".go":
		var err error
		if passages, err = goPassages(name, src); err != nil {
			return nil, err
		}
	case ".md":
		passages = pagePassages(src)
	}
	var found []string
	for _, p := range passages {
		for _, w := range list {
			found = append(found, w.findings(name, p)...)
		}
	}
	return found, nil
}

// Comments, help texts, headings and pages have none of the wordings that english.md lists.
func TestEnglish(t *testing.T) {
	page, err := os.ReadFile("english.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := wordings(string(page))
	if err != nil {
		t.Fatal(err)
	}
	root := os.DirFS("..")
	files := map[string][]string{}
	walk(t, root, func(name string) {
		if ext := path.Ext(name); name != "docs/english.md" && !emitted.MatchString(name) && (ext == ".go" || ext == ".md") {
			room, _, _ := strings.Cut(name, "/")
			files[room] = append(files[room], name)
		}
	})
	for room, names := range files {
		t.Run(room, func(t *testing.T) {
			for _, name := range names {
				src, err := fs.ReadFile(root, name)
				if err != nil {
					t.Fatal(err)
				}
				found, err := english(list, name, src)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range found {
					t.Error(f)
				}
			}
		})
	}
}

// Each pattern finds its example, and not the example's better wording.
func TestEnglishExamples(t *testing.T) {
	page, err := os.ReadFile("english.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := wordings(string(page))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 30 {
		t.Errorf("%d wordings, want 30 or more", len(list))
	}
	for _, w := range list {
		if !w.re.MatchString(w.wrong) {
			t.Errorf("%s does not match %q", w.pattern, w.wrong)
		}
		for _, x := range list {
			if x.re.MatchString(w.right) && strings.HasPrefix(w.kinds, x.kinds) {
				t.Errorf("%s matches %q, the better wording of %s", x.pattern, w.right, w.pattern)
			}
		}
	}
	for text, want := range map[string]string{
		"## In all texts\n| `a(` | b | a → b |":        "line 2: error parsing regexp: missing closing ): `(?i)a(`",
		"## In all texts\n| `a` | b | a |":             "line 2: want a better wording, and an example with an arrow",
		"## In all texts\n| `a\\|b` | b | c | a → b |": "line 2: 4 cells, want 3",
		"## In headings": "",
	} {
		if _, err := wordings(text); err == nil || want != "" && err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Mistakes are found in each kind of text, on their lines, and not in code.
func TestEnglishFinds(t *testing.T) {
	page, err := os.ReadFile("english.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := wordings(string(page))
	if err != nil {
		t.Fatal(err)
	}
	planted := fstest.MapFS{
		"gen/a.go": {Data: []byte("package gen\n\n// Lookup is that\n// of the table.\nvar Lookup int\n\n" +
			"// Run returns an error\n// also if it ends.\n//\n//\tbut for code\nfunc Run() { _ = 1 // whoever calls\n}\n\nvar s = \"but for text\"\n")},
		"gen/gen.go":    {Data: []byte("// Code generated by nicgen; DO NOT EDIT.\n\npackage gen\n\n// All but for one.\nvar X int\n")},
		"gen/ok.go":     {Data: []byte("package gen\n\n// Full reports whether the queue has no room.\nvar Full bool\n")},
		"gen/e_test.go": {Data: []byte("package gen\n\nfunc ExampleX() {\n\t// Output: all but for one\n\t_ = 1\n}\n")},
		"cli/a.go":      {Data: []byte("package cli\n\nvar c = Command{\n\tUsage: \"show x\",\n\tDescription: \"All frames \" +\n\t\t\"but \" +\n\t\t\"for one.\",\n}\n")},
		"docs/a.md": {Data: []byte("# What it does\n\nAll `but for` one,\nand windows grow\nas ever.\n\n```\nbut for\n```\n\n" +
			"<!-- nicgen:begin x -->\nbut for\n<!-- nicgen:end -->\n")},
		"docs/b.md": {Data: []byte("<!-- Code generated by nicgen; DO NOT EDIT. -->\n\n# When it is late\n\nbut for\n")},
	}
	var got []string
	walk(t, planted, func(name string) {
		src, err := fs.ReadFile(planted, name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := english(list, name, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			at, _, _ := strings.Cut(f, " (")
			got = append(got, at)
		}
	})
	want := []string{
		`cli/a.go:6: help has "but for"`,
		`docs/a.md:1: heading has "What"`,
		`docs/a.md:5: prose has "as ever"`,
		`docs/b.md:3: heading has "When"`,
		`gen/a.go:3: comment has "that of"`,
		`gen/a.go:3: comment has "Lookup is that"`,
		`gen/a.go:8: comment has "also if"`,
		`gen/a.go:11: comment has "whoever"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if _, err := english(list, "gen/bad.go", []byte("package")); err == nil {
		t.Error("a file that is not Go: no error")
	}
}
