// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"slices"
	"strings"
)

// operators holds the operators of more than one character (IEEE 1800-2017, annex A), longer ones
// first.
var operators = []string{
	"<<<=", ">>>=",
	"===", "!==", "==?", "!=?", "<<<", ">>>", "<<=", ">>=", "<->", "->>", "&&&", "|->", "|=>", "#-#", "#=#",
	"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "**", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"->", "=>", "*>", "::", "(*", "*)", "~&", "~|", "~^", "^~", "##", "+:", "-:", ":=", ":/", "@@", "'{", ".*",
}

// heeded holds the first words of comments that some tool interprets.
var heeded = []string{"ambit", "cadence", "exemplar", "pragma", "rtl_synthesis", "synopsys", "synthesis", "translate_off", "translate_on", "verilator", "verilator_coverage", "verilog_lint:", "vivado", "xilinx"}

// lex splits SystemVerilog into tokens without blanks and comments. A directive or the use of a
// macro is a token up to the end of its line, with single blanks. ok is false for a text that the
// split could get wrong: control characters, a string or a comment without an end, a base without
// digits, a comment that tools heed.
func lex(s string) (tokens []string, ok bool) {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' || c == 0x7f }) {
		return nil, false
	}
	for s != "" {
		n := 1
		switch c := s[0]; {
		case isBlank(c):
			s = s[1:]
			continue
		case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "/*"):
			body, rest, closed := cutComment(s)
			if first := words(body); !closed || len(first) > 0 && slices.Contains(heeded, first[0]) {
				return nil, false
			}
			s = rest
			continue
		case c == '`':
			line, rest, _ := strings.Cut(s, "\n")
			if !strings.HasSuffix(line, `\`) {
				line, _, _ = strings.Cut(line, "//")
			}
			tokens = append(tokens, strings.Join(words(line), " "))
			s = rest
			continue
		case c == '"':
			if n = stringEnd(s); n < 0 {
				return nil, false
			}
		case c == '\\':
			if n = strings.IndexAny(s, " \t\n"); n < 0 {
				n = len(s)
			}
		case c == '\'':
			t, end := based(s)
			if end < 0 {
				return nil, false
			}
			tokens = append(tokens, t)
			s = s[end:]
			continue
		case isDigit(c):
			n = numberEnd(s)
		case isLetter(c):
			n = wordEnd(s, 0)
		default:
			for _, op := range operators {
				if strings.HasPrefix(s, op) {
					n = len(op)
					break
				}
			}
		}
		tokens = append(tokens, s[:n])
		s = s[n:]
	}
	return tokens, true
}

// cutComment cuts the comment that s starts with.
func cutComment(s string) (body, rest string, closed bool) {
	if s[1] == '/' {
		body, rest, _ = strings.Cut(s[2:], "\n")
		return body, rest, true
	}
	return strings.Cut(s[2:], "*/")
}

// stringEnd returns the end of the string that s starts with, or -1 if it does not end in its line
// or if the string may be one in triple quotes.
func stringEnd(s string) int {
	if strings.HasPrefix(s, `"""`) {
		return -1
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		case '\n':
			return -1
		}
	}
	return -1
}

// based returns the token that starts with the apostrophe at the start of s, and its end: a
// based number without its size ('hff), a fill ('0), an assignment pattern's '{ or a cast's '.
// The end is -1 if a base has no digits.
func based(s string) (string, int) {
	at := 1
	if at < len(s) && (s[at] == 's' || s[at] == 'S') {
		at++
	}
	if at < len(s) && strings.IndexByte("bodhBODH", s[at]) >= 0 {
		at++
		from := at
		for from < len(s) && isBlank(s[from]) {
			from++
		}
		end := from
		for end < len(s) && (isLetter(s[end]) || isDigit(s[end]) || s[end] == '?') {
			end++
		}
		if end == from {
			return "", -1
		}
		return s[:at] + s[from:end], end
	}
	switch {
	case len(s) > 1 && strings.IndexByte("01xXzZ", s[1]) >= 0:
		return s[:wordEnd(s, 1)], wordEnd(s, 1)
	case strings.HasPrefix(s, "'{"):
		return s[:2], 2
	}
	return s[:1], 1
}

// numberEnd returns the end of the number that s starts with, with fraction, exponent and unit.
func numberEnd(s string) int {
	digits := func(i int) int {
		for i < len(s) && (isDigit(s[i]) || s[i] == '_') {
			i++
		}
		return i
	}
	end := digits(0)
	if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		end = digits(end + 1)
	}
	if end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		at := end + 1
		if at < len(s) && (s[at] == '+' || s[at] == '-') {
			at++
		}
		if at < len(s) && isDigit(s[at]) {
			end = digits(at)
		}
	}
	return wordEnd(s, end)
}

// wordEnd returns the end of the letters and digits of s that begin at a position.
func wordEnd(s string, from int) int {
	for from < len(s) && (isLetter(s[from]) || isDigit(s[from])) {
		from++
	}
	return from
}

// isWord reports whether s is an identifier or a keyword.
func isWord(s string) bool {
	return s != "" && isLetter(s[0]) && wordEnd(s, 0) == len(s)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
}

// words returns the parts of s between blanks; SystemVerilog has only ASCII blanks.
func words(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c < 0x80 && isBlank(byte(c)) })
}
