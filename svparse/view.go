// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// A view is a source text read under one set of macro definitions.
type view struct {
	name              string
	skip              int // lines before line 1
	input             *antlr.InputStream
	tree              grammar.ISourceTextContext
	comments          []comment // active ones, in order
	directives        []Directive
	codeStart         int                           // character index of the first token
	unitItems         []grammar.IPackageItemContext // declarations outside modules and packages
	mentionsSynthesis bool
}

// parseView reads a text with macros defined; skip lines at its start are not
// counted in positions.
func parseView(name, text string, skip int, defined []string) (*view, error) {
	v := &view{name: name, skip: skip, input: antlr.NewInputStream(text)}
	lexer := newLexer(v.input)
	pp := newPreprocessor(v, defined)
	toks := pp.run(lexer)
	if len(pp.problems.list) > 0 {
		return nil, pp.problems.err()
	}
	// SLL prediction is much faster and enough for every well-formed file; only
	// a file with an error is read again, with exact prediction and recovery.
	l := &listener{view: v}
	tree, stopped := parseTokens(lexer, toks, antlr.PredictionModeSLL, l)
	if stopped != nil && stopped.p == nil {
		l.collect = true
		tree, stopped = parseTokens(lexer, toks, antlr.PredictionModeLL, l)
	}
	if stopped != nil && stopped.p != nil {
		l.problems.add(stopped.p.Pos, stopped.p.Msg)
	}
	if len(l.problems.list) > 0 {
		return nil, l.problems.err()
	}
	v.tree = tree
	for _, item := range tree.AllFileItem() {
		if p := item.PackageItem(); p != nil {
			v.unitItems = append(v.unitItems, p)
		}
	}
	return v, nil
}

// bail ends a parse from within ANTLR's callbacks: with a problem that ends the whole file, or
// without one to request the exact pass.
type bail struct{ p *Problem }

func parseTokens(lexer *grammar.NicgenSVLexer, toks []antlr.Token, mode int, l *listener) (tree grammar.ISourceTextContext, stopped *bail) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bail:
			stopped = &r
		default:
			panic(r)
		}
	}()
	parser := grammar.NewNicgenSVParser(antlr.NewCommonTokenStream(
		&tokenSource{NicgenSVLexer: lexer, toks: toks}, antlr.TokenDefaultChannel))
	parser.RemoveErrorListeners()
	parser.AddErrorListener(l)
	parser.AddParseListener(&depthGuard{view: l.view})
	parser.GetInterpreter().SetPredictionMode(mode)
	return parser.SourceText(), nil
}

func newLexer(in *antlr.InputStream) *grammar.NicgenSVLexer {
	lexer := grammar.NewNicgenSVLexer(in)
	lexer.RemoveErrorListeners() // STRAY takes every character that no other token takes
	return lexer
}

// tokenSource hands preprocessed tokens to the parser. It embeds the lexer for
// the rest of the interface.
type tokenSource struct {
	*grammar.NicgenSVLexer
	toks []antlr.Token
	next int
}

// NextToken returns the next token; at the end of the file it keeps returning EOF.
func (s *tokenSource) NextToken() antlr.Token {
	t := s.toks[min(s.next, len(s.toks)-1)]
	s.next++
	return t
}

// depthGuard stops a parse before its recursion becomes a problem.
type depthGuard struct {
	antlr.BaseParseTreeListener
	view  *view
	depth int
}

func (g *depthGuard) EnterEveryRule(ctx antlr.ParserRuleContext) {
	if g.depth++; g.depth > MaxDepth {
		panic(bail{&Problem{g.view.pos(ctx.GetStart()),
			"nested too deeply here: split the expression or the chain of statements"}})
	}
}

func (g *depthGuard) ExitEveryRule(antlr.ParserRuleContext) { g.depth-- }

// problems collects the problems, up to MaxProblems.
type problems struct {
	view *view
	list []Problem
	more bool
}

func (p *problems) add(at Pos, msg string) {
	switch n := len(p.list); {
	case n > 0 && p.list[n-1].Pos == at:
	case n >= MaxProblems:
		p.more = true
	default:
		p.list = append(p.list, Problem{at, msg})
	}
}

func (p *problems) err() error { return &SyntaxError{Problems: p.list, More: p.more} }

func (v *view) pos(t antlr.Token) Pos { return Pos{v.name, t.GetLine() - v.skip, t.GetColumn() + 1} }

// posOf returns the position at which a part of the tree starts.
func (v *view) posOf(ctx antlr.ParserRuleContext) Pos { return v.pos(ctx.GetStart()) }

// text returns the source text of a part of the tree, with white space and comments
// reduced to single blanks.
func (v *view) text(ctx antlr.ParserRuleContext) string {
	a, b := ctx.GetStart(), ctx.GetStop()
	if a == nil || b == nil || b.GetStop() < a.GetStart() {
		return ""
	}
	return collapse(v.input.GetText(a.GetStart(), b.GetStop()))
}

func collapse(s string) string {
	if strings.Contains(s, "//") || strings.Contains(s, "/*") {
		s = commentPattern.ReplaceAllStringFunc(s, func(m string) string {
			if m[0] == '"' {
				return m
			}
			return " "
		})
	}
	return strings.Join(strings.Fields(s), " ")
}
