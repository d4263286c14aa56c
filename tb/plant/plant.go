// SPDX-License-Identifier: Apache-2.0

// Package plant edits emitted text, to see whether somebody notices.
package plant

import (
	"errors"
	"fmt"
	"regexp"
)

// Edits are old, new, old, new, …; each old occurs exactly once in the text, whatever
// the number of blanks in it: the writer of the text aligns columns.
type Edits []string

var blanks = regexp.MustCompile(` +`)

// spaced finds a text whatever the number of blanks. The ends of lines stay: what
// is before an edit may be a comment.
func spaced(text string) *regexp.Regexp {
	return regexp.MustCompile(blanks.ReplaceAllString(regexp.QuoteMeta(text), ` +`))
}

// Apply makes the edits, one after the other, in the text of a file.
func (e Edits) Apply(file, text string) (string, error) {
	if len(e) == 0 || len(e)%2 != 0 {
		return "", errors.New("a mistake needs pairs of an old and a new text")
	}
	for i := 0; i < len(e); i += 2 {
		at := spaced(e[i]).FindAllStringIndex(text, -1)
		if len(at) != 1 {
			return "", fmt.Errorf("%s has %q %d times, want once: the mistake cannot be planted", file, e[i], len(at))
		}
		text = text[:at[0][0]] + e[i+1] + text[at[0][1]:]
	}
	return text, nil
}
