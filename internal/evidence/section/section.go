// SPDX-License-Identifier: Apache-2.0

// Package section reads and writes the sections of a unit's page of evidence,
// docs/units/<unit>_evidence.md, that tests write: the text between the lines
//
//	<!-- nicgen:begin written NAME -->
//	<!-- nicgen:end -->
package section

import (
	"fmt"
	"strings"
)

// File returns a unit's page of evidence below the folder docs.
func File(unit string) string { return "units/" + unit + "_evidence.md" }

const end = "<!-- nicgen:end -->\n"

const notYet = "Not measured yet"

// Unmeasured returns the text in place of a measurement that a command has not made yet.
func Unmeasured(command string) string { return notYet + "; run: `" + command + "`.\n" }

// Written reports whether a measurement has written the text of a section.
func Written(text string) bool { return !strings.Contains(text, notYet) }

// bounds returns the beginning and the end of a section's text in a page.
func bounds(page, name string) (from, to int, ok bool) {
	begin := "\n<!-- nicgen:begin written " + name + " -->\n"
	i := strings.Index(page, begin)
	if i < 0 {
		return 0, 0, false
	}
	from = i + len(begin)
	n := strings.Index(page[from:], end)
	return from, from + n, n >= 0
}

// Of returns the text of a section; ok reports whether the page has it.
func Of(page, name string) (text string, ok bool) {
	from, to, ok := bounds(page, name)
	return page[from:to], ok
}

// Replace returns a page with another text in a section.
func Replace(page, name, text string) (string, error) {
	from, to, ok := bounds(page, name)
	if !ok {
		return "", fmt.Errorf("the page has no section %s: want the lines <!-- nicgen:begin written %[1]s --> and <!-- nicgen:end -->", name)
	}
	return page[:from] + strings.TrimRight(text, "\n") + "\n" + page[to:], nil
}

// Lower moves the headings of a page one level down, as part of another page.
func Lower(page string) string {
	return headings(page, func(line string) string { return "#" + line })
}

// Raise undoes Lower.
func Raise(part string) string { return headings(part, func(line string) string { return line[1:] }) }

// headings changes the headings of a page.
func headings(page string, change func(line string) string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if strings.HasPrefix(line, "#") && !fenced {
			line = change(line)
		}
		b.WriteString(line)
	}
	return b.String()
}
