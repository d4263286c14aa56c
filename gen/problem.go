// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xrash/smetrics"
)

// Located is a Problem together with its place and, for a misspelt name, the name that was probably
// meant.
type Located struct {
	Where string // "nicgen.yaml:3:13", "--set", "--evs-bits", "default"
	Unit  string // the unit; empty if it is not known
	Problem
	Nearest string // the legal name nearest to the one found; may be empty
}

// String returns one line: the place, the key, the value found, the values allowed.
func (l Located) String() string {
	var b strings.Builder
	b.WriteString(l.Where + ": ")
	if l.Key != "" {
		if l.Unit != "" {
			b.WriteString(l.Unit + ".")
		}
		b.WriteString(l.Key + ": ")
	}
	b.WriteString("found " + l.Found)
	if l.Nearest != "" {
		b.WriteString(", nearest: " + l.Nearest)
	}
	b.WriteString(", allowed: " + l.Allowed)
	return b.String()
}

// Invalid is the error of a configuration that cannot be used. It holds all problems, in the order
// in which they were found.
type Invalid struct {
	Problems []Located
}

// Error has one line for each problem.
func (e *Invalid) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Nearest returns the name with the smallest edit distance to s, regardless of case, the first of
// several, or "" if there are no names or none has anything in common with s.
func Nearest(s string, names []string) string {
	best, least := "", len(s)
	for _, n := range names {
		d := smetrics.WagnerFischer(strings.ToLower(s), strings.ToLower(n), 1, 1, 1)
		if d < max(len(s), len(n)) && (best == "" || d < least) {
			best, least = n, d
		}
	}
	return best
}

// Allowed returns the legal values of f in words: "a whole number from 1 to 16".
func (f *Field) Allowed() string {
	switch f.Kind() {
	case Bool:
		return "true or false"
	case Enum:
		if f.Auto != nil {
			return list(append([]string{Auto}, f.Choices...))
		}
		return list(f.Choices)
	}
	what := "a whole number"
	if f.PowerOfTwo {
		what = "a power of two"
	}
	if f.Auto != nil {
		what = Auto + " or " + what
	}
	return fmt.Sprintf("%s from %d to %d", what, f.Min, f.Max)
}

// list returns "a", "a or b", "a, b or c".
func list(names []string) string { return join(names, " or ") }

// and returns "a", "a and b", "a, b and c".
func and(names []string) string { return join(names, " and ") }

func join(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + last + names[n]
}

// Value returns the field's value as text, the form that Set accepts.
func (f *Field) Value() string {
	switch f.Kind() {
	case Bool:
		return strconv.FormatBool(*f.Bool)
	case Enum:
		return *f.Enum
	}
	return strconv.FormatInt(*f.Int, 10)
}

// legal reports whether the field's present value is in its range.
func (f *Field) legal() bool {
	switch f.Kind() {
	case Bool:
		return true
	case Enum:
		for _, c := range f.Choices {
			if c == *f.Enum {
				return true
			}
		}
		return false
	}
	v := *f.Int
	return v >= f.Min && v <= f.Max && (!f.PowerOfTwo || v > 0 && v&(v-1) == 0)
}
