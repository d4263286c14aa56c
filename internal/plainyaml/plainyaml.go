// SPDX-License-Identifier: Apache-2.0

// Package plainyaml defines the subset of YAML in the program's files: mappings, lists and scalars.
// All readers refuse the rest with the same messages, and read numbers in the same way.
package plainyaml

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Error is something in a file that is not plain.
type Error struct {
	Line, Column int // from 1
	Found, Want  string
}

// Error returns "line:column: found …, want …".
func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: found %s, want %s", e.Line, e.Column, e.Found, e.Want)
}

// bom is the byte-order mark, which YAML allows in front of a text.
var bom = []byte("\xef\xbb\xbf")

// leadingZero is a number that some read as octal and some as decimal.
var leadingZero = regexp.MustCompile(`^[-+]?0[0-9_]+$`)

// Text returns a file's text without a byte-order mark.
func Text(file []byte) []byte { return bytes.TrimPrefix(file, bom) }

// Check refuses anchors, aliases, tags, directives and complex keys, numbers with a leading zero,
// and lists or brackets nested deeper than a number of levels: a parser needs more than linear time
// for some of them. If keys are given, it refuses all others. It returns the first problem, or nil.
// The text must have no byte-order mark.
func Check(text []byte, nesting int, keys ...string) *Error {
	depth, dashes := 0, 0
	for _, t := range lexer.Tokenize(string(text)) {
		refuse := func(found, want string) *Error {
			return &Error{t.Position.Line, t.Position.Column, found, want}
		}
		if t.Type != token.SequenceEntryType {
			dashes = 0
		}
		switch t.Type {
		case token.AnchorType:
			return refuse("an anchor &", "the value itself wherever it is needed: anchors are not supported")
		case token.AliasType, token.MergeKeyType:
			return refuse("an alias "+t.Value, "the value itself: anchors and aliases are not supported")
		case token.TagType:
			return refuse("a tag "+t.Value, "the value alone: tags are not supported")
		case token.DirectiveType:
			return refuse("a directive "+t.Value, "plain YAML: directives are not supported")
		case token.MappingKeyType:
			return refuse("a complex key ?", "a word and a colon: complex keys are not supported")
		case token.SequenceEntryType:
			if dashes++; dashes > nesting {
				return refuse("a list in a list", fmt.Sprintf("at most %d levels", nesting))
			}
		case token.SequenceStartType, token.MappingStartType:
			if depth++; depth > nesting {
				return refuse("brackets in brackets", fmt.Sprintf("at most %d levels", nesting))
			}
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.MappingValueType:
			key := ""
			if t.Prev != nil {
				key = t.Prev.Value
			}
			if len(keys) > 0 && !slices.Contains(keys, key) {
				return refuse(fmt.Sprintf("key %.40q", key), strings.Join(keys, ", "))
			}
		case token.StringType, token.IntegerType, token.OctetIntegerType:
			block := t.Prev != nil && (t.Prev.Type == token.LiteralType || t.Prev.Type == token.FoldedType)
			key := t.Next != nil && t.Next.Type == token.MappingValueType // or the lexer's idea of an Ethernet address
			if !block && !key && leadingZero.MatchString(t.Value) {
				digits := strings.TrimLeft(strings.TrimLeft(t.Value, "-+"), "0_")
				if digits == "" {
					digits = "0"
				}
				want := digits
				if !strings.ContainsAny(digits, "89") && digits != "0" {
					want += ", or 0o" + digits + " for octal"
				}
				return refuse(t.Value, "no leading zero, which some read as octal: "+want)
			}
		}
	}
	return nil
}
