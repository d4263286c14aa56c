// SPDX-License-Identifier: Apache-2.0

package plainyaml_test

import (
	"testing"

	"github.com/nicgen/nicgen/internal/plainyaml"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"a: {b: [1, 0, 0x08, 0o10, 0b1, -7, 1_000, 0.5, 00:11:22:33:44:55, '010', \"08\", x010, true]}\n", ""},
		{"a: |\n  010\n  &x *y !z\nb: '&x'\nc: a & b\n# &x 010\n", ""},
		{"a: |-\n  010\n", ""},
		{"a: >\n  010\n", ""},
		{"x: &a\n  b: 8\nreps: *a\n", "1:4: found an anchor &, want the value itself wherever it is needed: anchors are not supported"},
		{"x: *a\n", "1:4: found an alias *, want the value itself: anchors and aliases are not supported"},
		{"x:\n  <<: {a: 1}\n", "2:3: found an alias <<, want the value itself: anchors and aliases are not supported"},
		{"x: !!int 3\n", "1:4: found a tag !!int, want the value alone: tags are not supported"},
		{"%YAML 1.2\n---\nx: 1\n", "1:1: found a directive %, want plain YAML: directives are not supported"},
		{"? x\n: 1\n", "1:1: found a complex key ?, want a word and a colon: complex keys are not supported"},
		{"a: 010\n", "1:4: found 010, want no leading zero, which some read as octal: 10, or 0o10 for octal"},
		{"a:\n  - 1\n  - 08\n", "3:5: found 08, want no leading zero, which some read as octal: 8"},
		{"a: -0_9\n", "1:4: found -0_9, want no leading zero, which some read as octal: 9"},
		{"a: 00\n", "1:4: found 00, want no leading zero, which some read as octal: 0"},
		{"a: [[1]]\n", ""},
		{"a: [[[1]]]\n", "1:6: found brackets in brackets, want at most 2 levels"},
		{"a:\n- - - 1\n", "2:5: found a list in a list, want at most 2 levels"},
	} {
		got := ""
		if e := plainyaml.Check([]byte(c.text), 2); e != nil {
			got = e.Error()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// A byte-order mark is no part of the text; inside of the text it stays.
func TestText(t *testing.T) {
	if got := string(plainyaml.Text([]byte("\ufeffa: 1\ufeff"))); got != "a: 1\ufeff" {
		t.Errorf("%q", got)
	}
}
