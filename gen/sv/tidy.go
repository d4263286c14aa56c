// SPDX-License-Identifier: Apache-2.0

package sv

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// literalRange is a range whose upper end is a difference of literals: [18-1:0].
var literalRange = regexp.MustCompile(`\[(\d+)-1:0\]`)

// Tidy formats a text into which widths were filled: ranges of literals are computed, names of
// consecutive declarations are aligned in one column, and lines of more than Columns are broken
// after a comma or before an operator.
func Tidy(text string) string {
	text = literalRange.ReplaceAllStringFunc(text, func(m string) string {
		n, err := strconv.Atoi(literalRange.FindStringSubmatch(m)[1])
		if err != nil || n < 1 {
			return m
		}
		return "[" + strconv.Itoa(n-1) + ":0]"
	})
	file := []gen.File{{Text: text}}
	Align(file)
	var out []string
	for l := range strings.SplitSeq(file[0].Text, "\n") {
		out = append(out, broken(l)...)
	}
	return strings.Join(out, "\n")
}

// broken returns a line in as many as it takes.
func broken(line string) []string {
	if len(line) <= Columns || strings.Contains(line, "//") {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	hang := indent + 4
	// After an opening brace or an assignment, if that leaves room.
	for _, open := range []string{"{", "= ", "("} {
		if at := strings.Index(line, open); at >= 0 && at+len(open) < Columns/2 {
			hang = at + len(open)
			break
		}
	}
	var out []string
	for len(line) > Columns {
		at := -1
		for _, by := range []string{", ", " || ", " && ", " ? ", " : "} {
			k := strings.LastIndex(line[:Columns+1], by)
			if by == ", " {
				k++ // the comma stays
			}
			if k > hang && k > at {
				at = k
			}
		}
		if at <= hang {
			break
		}
		out = append(out, strings.TrimRight(line[:at], " "))
		line = strings.Repeat(" ", hang) + strings.TrimLeft(line[at:], " ")
	}
	return append(out, line)
}
