// SPDX-License-Identifier: Apache-2.0

// Package pages renews the generated blocks of Markdown pages. A block lies between two lines,
//
//	<!-- nicgen:begin NAME ARGUMENTS -->
//	<!-- nicgen:end -->
//
// and is made from the tables that the generator, the benches and the synthesis report use, or
// quotes a file. Blocks lists the names. An argument with blanks is quoted. Marks inside fenced
// code are text.
package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/registry"
)

// Maker makes the blocks of pages.
type Maker struct {
	// Units are the units of the program. Blocks may be about each of them; tables of all units
	// list the units of the module itself, registry.Own.
	Units []registry.Unit
	// ReadFile reads a file named in a block's arguments, by its slash-separated path from the root
	// of the module.
	ReadFile func(name string) ([]byte, error)
	// Due are the records that are to be made again.
	Due due.List
}

// own are the units of the module.
func (m *Maker) own() []registry.Unit { return registry.Own(m.Units) }

// read reads a file of the module.
func (m *Maker) read(name string) ([]byte, error) {
	text, err := m.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if run, ok := evidence.Maker(name, m.Units); ok {
			return nil, &unmeasured{run, err}
		}
	}
	return text, err
}

// unmeasured is the error that a record does not exist yet.
type unmeasured struct {
	run   string // makes it
	cause error
}

func (u *unmeasured) Error() string { return u.cause.Error() }
func (u *unmeasured) Unwrap() error { return u.cause }

// written is the name of blocks whose text a test writes.
const written = "written"

const (
	beginMark = "<!-- nicgen:begin"
	endMark   = "<!-- nicgen:end -->"
	anyMark   = "<!-- nicgen:"
)

// Renew returns a page with every block made anew. page is its slash-separated
// path from the root of the module, for messages and for the paths in
// arguments. A page without blocks comes back unchanged. The error joins all
// problems, each as "page:line: message".
func (m *Maker) Renew(page string, text []byte) ([]byte, error) {
	var out bytes.Buffer
	var problems []error
	problem := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s:%d: "+format, append([]any{page, line}, args...)...))
	}
	fence, open := "", 0 // the fence that closes the code; the line of the open block
	kept := false        // its text stays
	for i, l := range strings.SplitAfter(string(text), "\n") {
		line := i + 1
		t := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
			fence = t[:len(t)-len(strings.TrimLeft(t, t[:1]))]
		case strings.HasPrefix(t, beginMark):
			if open != 0 {
				problem(line, "a block begins inside the block of line %d, want %s before it", open, endMark)
				continue
			}
			open = line
			out.WriteString(l)
			rest, ok := strings.CutSuffix(strings.TrimPrefix(t, beginMark), "-->")
			words := split(rest)
			if !ok || len(words) == 0 {
				problem(line, "found %q, want %s NAME ARGUMENTS -->", t, beginMark)
				continue
			}
			if words[0] == written {
				kept = true
				continue
			}
			body, err := m.block(page, words[0], words[1:])
			if err != nil {
				for _, e := range each(err) {
					problem(line, "%w", e)
				}
				continue
			}
			out.WriteString(strings.TrimRight(body, "\n") + "\n")
			continue
		case t == endMark:
			if open == 0 {
				problem(line, "found %s without a begin mark before it", endMark)
				continue
			}
			open, kept = 0, false
		case strings.HasPrefix(t, anyMark):
			problem(line, "found %q, want %s NAME ARGUMENTS --> or %s", t, beginMark, endMark)
			continue
		}
		if open == 0 || kept {
			out.WriteString(l)
		}
	}
	if open != 0 {
		problem(open, "the block has no end: want a line %s", endMark)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// word is one of a mark: without blanks, or between quotation marks.
var word = regexp.MustCompile(`"([^"]*)"|\S+`)

// split lists the words of a mark.
func split(text string) (words []string) {
	for _, m := range word.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[0], `"`) && len(m[0]) > 1 {
			m[0] = m[1]
		}
		words = append(words, m[0])
	}
	return words
}

// each returns the list of errors in one line each.
func each(err error) []error {
	var bad *gen.Invalid
	if errors.As(err, &bad) {
		var list []error
		for _, p := range bad.Problems {
			list = append(list, errors.New(p.String()))
		}
		return list
	}
	return []error{err}
}
