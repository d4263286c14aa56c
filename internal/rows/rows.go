// SPDX-License-Identifier: Apache-2.0

// Package rows writes records as JSON with one row of data per line, so that changes of a record
// can be reviewed.
package rows

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// width is the largest length of a line with lists or objects inside.
const width = 100

// Marshal returns the JSON of a value and a final newline. A list or an object of plain values is
// one line, and so is a short one of other values; each entry of a longer one is on a separate
// line.
func Marshal(v any) ([]byte, error) {
	compact, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	write(&b, compact, 0)
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// Digest returns the SHA-256 of a value's JSON: it represents data that a record does not hold, so that
// a run which repeats them can be shown to be the same.
func Digest(v any) (string, error) {
	compact, err := marshal(v)
	sum := sha256.Sum256(compact)
	return hex.EncodeToString(sum[:]), err
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// write writes a compact value whose first line follows text on a line of this indent.
func write(b *bytes.Buffer, value []byte, indent int) {
	entries := split(value)
	if entries == nil || plain(entries) || indent+len(value) <= width {
		writeLine(b, value)
		return
	}
	b.WriteByte(value[0])
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + strings.Repeat(" ", indent+2))
		if e.key != nil {
			b.Write(e.key)
			b.WriteString(": ")
		}
		write(b, e.value, indent+2)
	}
	b.WriteString("\n" + strings.Repeat(" ", indent))
	b.WriteByte(value[len(value)-1])
}

// writeLine writes a compact value with blanks after commas and colons.
func writeLine(b *bytes.Buffer, value []byte) {
	quoted := false
	for i := 0; i < len(value); i++ {
		c := value[i]
		b.WriteByte(c)
		switch {
		case quoted && c == '\\':
			i++
			b.WriteByte(value[i])
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			b.WriteByte(' ')
		}
	}
}

// entry is one of a list, or, with a key, of an object.
type entry struct{ key, value []byte }

func plain(entries []entry) bool {
	for _, e := range entries {
		if e.value[0] == '{' || e.value[0] == '[' {
			return false
		}
	}
	return true
}

// split returns the entries of a compact list or object, or nil for a plain value.
func split(value []byte) []entry {
	if value[0] != '{' && value[0] != '[' {
		return nil
	}
	entries := []entry{}
	var key []byte
	depth, quoted, from := 0, false, 1
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth == 1 && c == ':':
			key, from = value[from:i], i+1
		case depth == 1 && (c == ',' || c == '}' || c == ']'):
			if i > from {
				entries = append(entries, entry{key, value[from:i]})
			}
			key, from = nil, i+1
		case c == '}' || c == ']':
			depth--
		}
	}
	return entries
}
