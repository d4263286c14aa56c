// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

const (
	maxMacroDepth = 16    // macros within macros
	maxMacros     = 1_000 // uses of macros in one file, those within macros included
	maxArgLen     = 40    // characters of a token quoted in a message
)

// A preprocessor turns the lexer's tokens into the tokens for the parser: it follows conditionals,
// expands macros without arguments, and records other directives and comments.
type preprocessor struct {
	view     *view
	macros   map[string]string
	conds    []cond
	problems problems
	out      []antlr.Token
	open     []antlr.Token // brackets not closed yet
	used     int           // macros so far
	stopped  bool          // no use in reading on
	lastLine int           // line on which the last active token ended
}

// cond is one open `ifdef.
type cond struct {
	active, taken, final bool // this branch is read; one was; `else was seen
	at                   Pos
}

func newPreprocessor(v *view, defined []string) *preprocessor {
	p := &preprocessor{view: v, macros: map[string]string{}, problems: problems{view: v}}
	for _, d := range defined {
		p.macros[d] = ""
	}
	v.codeStart = -1
	return p
}

func (p *preprocessor) active() bool { return len(p.conds) == 0 || p.conds[len(p.conds)-1].active }

// run reads all tokens. The result ends with the end-of-file token.
func (p *preprocessor) run(lexer *grammar.NicgenSVLexer) []antlr.Token {
	n := 0
	next := func() antlr.Token { n++; return lexer.NextToken() }
	t := next()
	for t.GetTokenType() != antlr.TokenEOF {
		if n > MaxTokens || len(p.out) > MaxTokens {
			p.problems.add(p.view.pos(t), fmt.Sprintf("more than %d tokens: split the file", MaxTokens))
			return nil
		}
		if p.problems.more || p.stopped {
			return nil
		}
		tt := t.GetTokenType()
		if p.view.codeStart < 0 && tt != grammar.NicgenSVLexerLINE_COMMENT && tt != grammar.NicgenSVLexerBLOCK_COMMENT {
			p.view.codeStart = t.GetStart()
		}
		switch tt {
		case grammar.NicgenSVLexerDIRECTIVE:
			t = p.directive(t, next)
			continue
		case grammar.NicgenSVLexerTIMESCALE:
			if p.active() {
				p.note("timescale", strings.TrimPrefix(t.GetText(), "`timescale"), t)
			}
		case grammar.NicgenSVLexerDEFINE:
			if p.active() {
				p.define(t)
			}
		case grammar.NicgenSVLexerLINE_COMMENT, grammar.NicgenSVLexerBLOCK_COMMENT:
			if p.active() {
				p.comment(t)
			}
		default:
			if p.active() {
				p.token(t)
			}
		}
		t = next()
	}
	for _, c := range p.conds {
		p.problems.add(c.at, "conditional without `endif: close it")
	}
	for _, o := range p.open {
		p.problems.add(p.view.pos(o), fmt.Sprintf("%s is never closed: want %q before the end of the file",
			quote(o.GetText()), closing(o.GetText())))
	}
	return append(p.out, t)
}

// visible quotes a character, by its number if it cannot be seen.
func visible(s string) string {
	if r, _ := utf8.DecodeRuneInString(s); !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == utf8.RuneError {
		return fmt.Sprintf("U+%04X", r)
	}
	return quote(s)
}

// token passes one token on, after the checks that need no grammar.
func (p *preprocessor) token(t antlr.Token) {
	at := p.view.pos(t)
	switch t.GetTokenType() {
	case grammar.NicgenSVLexerOPEN_COMMENT:
		p.problems.add(at, "comment is never closed: want */ before the end of the file")
		return
	case grammar.NicgenSVLexerOPEN_STRING:
		p.problems.add(at, "string is never closed: want \" before the end of the line")
		return
	case grammar.NicgenSVLexerSTRAY:
		p.problems.add(at, fmt.Sprintf("stray character %s: no SystemVerilog token starts with it", visible(t.GetText())))
		return
	case grammar.NicgenSVLexerRESERVED:
		p.problems.add(at, fmt.Sprintf("%s is a SystemVerilog keyword outside the subset: rename it, or write the construct another way", quote(t.GetText())))
		return
	case grammar.NicgenSVLexerLPAREN, grammar.NicgenSVLexerLBRACK, grammar.NicgenSVLexerLBRACE:
		if p.open = append(p.open, t); len(p.open) > MaxNesting {
			p.problems.add(at, fmt.Sprintf("more than %d brackets within brackets: split the expression", MaxNesting))
			p.stopped = true
			return
		}
	case grammar.NicgenSVLexerRPAREN, grammar.NicgenSVLexerRBRACK, grammar.NicgenSVLexerRBRACE:
		n := len(p.open)
		if n == 0 && p.atStar() {
			break // @(*) opens with the token (*
		}
		if n > 0 && closing(p.open[n-1].GetText()) == t.GetText() {
			p.open = p.open[:n-1]
			break
		}
		if p.atStar() {
			break
		}
		if n == 0 {
			p.problems.add(at, fmt.Sprintf("%s closes nothing", quote(t.GetText())))
			return
		}
		p.problems.add(at, fmt.Sprintf("%s closes %s of line %d, want %q", quote(t.GetText()),
			quote(p.open[n-1].GetText()), p.open[n-1].GetLine(), closing(p.open[n-1].GetText())))
		p.open = p.open[:n-1]
		return
	}
	p.out = append(p.out, t)
	p.lastLine = t.GetLine() + strings.Count(t.GetText(), "\n")
}

// atStar reports whether the last token is the (* of @(*).
func (p *preprocessor) atStar() bool {
	n := len(p.out)
	return n > 1 && p.out[n-1].GetTokenType() == grammar.NicgenSVLexerATTR_OPEN &&
		p.out[n-2].GetTokenType() == grammar.NicgenSVLexerAT
}

func closing(open string) string {
	return map[string]string{"(": ")", "[": "]", "{": "}"}[open]
}

func (p *preprocessor) note(name, arg string, t antlr.Token) {
	p.view.directives = append(p.view.directives, Directive{name, collapse(arg), p.view.pos(t)})
}

func (p *preprocessor) comment(t antlr.Token) {
	text := t.GetText()
	line := t.GetLine()
	p.view.comments = append(p.view.comments, comment{
		text: text, line: line, last: line + strings.Count(text, "\n"),
		own: p.lastLine != line, start: t.GetStart(),
	})
}

var definePattern = regexp.MustCompile("^`define[ \t]+([a-zA-Z_][a-zA-Z0-9_$]*)(\\(?)((?s:.*))$")

// commentPattern finds comments, and strings so that they can be left alone.
var commentPattern = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?s:/\*.*?\*/)`)

func (p *preprocessor) define(t antlr.Token) {
	m := definePattern.FindStringSubmatch(t.GetText())
	switch {
	case m == nil:
		p.problems.add(p.view.pos(t), fmt.Sprintf("%s without a name: want `define NAME text", quote("`define")))
	case m[2] != "":
		p.problems.add(p.view.pos(t), fmt.Sprintf("macro %s has arguments, which the subset does not have: write a function or a parameter", quote(m[1])))
	default:
		p.macros[m[1]] = collapse(strings.ReplaceAll(strings.ReplaceAll(m[3], "\\\r\n", " "), "\\\n", " "))
		p.note("define", m[1]+" "+m[3], t)
	}
}

// directive handles t and returns the token after it.
func (p *preprocessor) directive(t antlr.Token, next func() antlr.Token) antlr.Token {
	name := t.GetText()[1:]
	at := p.view.pos(t)
	var arg antlr.Token // the token after it on the same line
	after := next()
	if after.GetLine() == t.GetLine() && after.GetTokenType() != antlr.TokenEOF {
		arg = after
	}
	// word takes the argument as the name it must be.
	word := func() string {
		if arg == nil || !isWord(arg.GetText()) {
			p.problems.add(at, fmt.Sprintf("%s without a name on the same line", quote("`"+name)))
			return ""
		}
		after = next()
		return arg.GetText()
	}
	switch name {
	case "ifdef", "ifndef":
		w := word()
		p.see(w)
		_, def := p.macros[w]
		yes := def == (name == "ifdef")
		p.conds = append(p.conds, cond{active: p.active() && yes, taken: yes || !p.active(), at: at})
	case "elsif":
		w := word()
		p.see(w)
		if c := p.top(name, at); c != nil {
			_, def := p.macros[w]
			c.active = def && !c.taken
			c.taken = c.taken || def
		}
	case "else":
		if c := p.top(name, at); c != nil {
			c.active, c.taken, c.final = !c.taken, true, true
		}
	case "endif":
		if n := len(p.conds); n == 0 {
			p.problems.add(at, "`endif without `ifdef or `ifndef")
		} else {
			p.conds = p.conds[:n-1]
		}
	case "undef":
		if w := word(); p.active() {
			delete(p.macros, w)
			p.note(name, w, t)
		}
	case "default_nettype", "unconnected_drive", "begin_keywords":
		if name == "begin_keywords" {
			if arg != nil {
				after = next()
			}
		} else if w := word(); p.active() {
			p.note(name, w, t)
		}
	case "resetall", "celldefine", "endcelldefine", "nounconnected_drive", "end_keywords", "undefineall":
		if p.active() {
			p.note(name, "", t)
		}
	case "line", "pragma", "include":
		if name == "include" && p.active() {
			p.problems.add(at, "`include is outside the subset: list the file before this one instead")
		}
		for after.GetLine() == t.GetLine() && after.GetTokenType() != antlr.TokenEOF {
			after = next()
		}
	default:
		if p.active() {
			p.expand(name, t, 0)
		}
	}
	return after
}

func isWord(s string) bool {
	return s != "" && (s[0] == '_' || s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}

// see remembers that the text depends on SYNTHESIS.
func (p *preprocessor) see(macro string) {
	if macro == "SYNTHESIS" {
		p.view.mentionsSynthesis = true
	}
}

// top returns the innermost conditional, for an `else or `elsif of it.
func (p *preprocessor) top(name string, at Pos) *cond {
	n := len(p.conds)
	if n == 0 {
		p.problems.add(at, fmt.Sprintf("%s without `ifdef or `ifndef", quote("`"+name)))
		return nil
	}
	if p.conds[n-1].final {
		p.problems.add(at, fmt.Sprintf("%s after the `else of the same conditional", quote("`"+name)))
		return nil
	}
	return &p.conds[n-1]
}

// expand puts a macro's text in place of its use at t.
func (p *preprocessor) expand(name string, t antlr.Token, depth int) {
	at := p.view.pos(t)
	body, ok := p.macros[name]
	if !ok {
		p.problems.add(at, fmt.Sprintf("macro %s is not defined: define it above, in this file", quote("`"+name)))
		return
	}
	if depth >= maxMacroDepth {
		p.problems.add(at, fmt.Sprintf("macro %s: more than %d macros within macros", quote("`"+name), maxMacroDepth))
		return
	}
	// A macro without text adds no tokens at any number of uses.
	if p.used++; p.used > maxMacros {
		p.problems.add(at, fmt.Sprintf("more than %d macros used: split the file", maxMacros))
		p.stopped = true
		return
	}
	lexer := newLexer(antlr.NewInputStream(body))
	for b := lexer.NextToken(); b.GetTokenType() != antlr.TokenEOF; b = lexer.NextToken() {
		if len(p.out) > MaxTokens || p.problems.more || p.stopped {
			return
		}
		switch b.GetTokenType() {
		case grammar.NicgenSVLexerDIRECTIVE:
			p.expand(b.GetText()[1:], t, depth+1)
		case grammar.NicgenSVLexerDEFINE, grammar.NicgenSVLexerTIMESCALE:
			p.problems.add(at, fmt.Sprintf("macro %s holds a directive, which the subset does not have", quote("`"+name)))
		default:
			// The token has the macro's text and the place of its use.
			p.token(antlr.CommonTokenFactoryDEFAULT.Create(t.GetSource(), b.GetTokenType(), b.GetText(),
				antlr.TokenDefaultChannel, t.GetStart(), t.GetStop(), t.GetLine(), t.GetColumn()))
		}
	}
}

// quote shows a token in a message.
func quote(s string) string {
	if r := []rune(s); len(r) > maxArgLen {
		s = string(r[:maxArgLen]) + "..."
	}
	for _, r := range s {
		if r < ' ' || r == 0x7f || r == '\uFFFD' {
			return fmt.Sprintf("%+q", s)
		}
	}
	return "'" + s + "'"
}
