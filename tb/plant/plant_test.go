// SPDX-License-Identifier: Apache-2.0

package plant

import "testing"

// An edit finds its text whatever the number of blanks, and nothing else.
func TestSpaced(t *testing.T) {
	for _, c := range []struct {
		old, text string
		times     int
	}{
		{"a <= b;", "x; a    <= b;", 1},
		{"a   <= b;", "a <= b;", 1},
		{"a <= b;", "a <= b; a <= b;", 2},
		{"a <= b;", "a<= b;", 0},
		{"a <= b[1:0] + c;", "a <= b[1:0] + c;", 1},
		{"  a;\n", "// comment\n    a;\n", 1},
		{"  a;\n", "// comment\n    a; b;\n", 0},
		{"a; b", "a;\n b", 0},
	} {
		if n := len(spaced(c.old).FindAllString(c.text, -1)); n != c.times {
			t.Errorf("%q has %q %d times, want %d", c.text, c.old, n, c.times)
		}
	}
}

// Edits are made one after the other; one whose text is not there exactly once is refused.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		edits     Edits
		want, err string
	}{
		{Edits{"b <= c;", "b <= d;", "  e;\n", ""}, "// x\n  b <= d;\nend", ""},
		{Edits{"b <= c;", "b <= d;", "b <= d;", "b <= f;"}, "// x\n  b <= f;\n  e;\nend", ""},
		{Edits{"f;", ""}, "", `a.sv has "f;" 0 times, want once: the mistake cannot be planted`},
		{Edits{";", ""}, "", `a.sv has ";" 2 times, want once: the mistake cannot be planted`},
		{Edits{"e;"}, "", "a mistake needs pairs of an old and a new text"},
		{nil, "", "a mistake needs pairs of an old and a new text"},
	} {
		got, err := c.edits.Apply("a.sv", "// x\n  b    <= c;\n  e;\nend")
		if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q give %q, error %v, want %q, error %q", c.edits, got, err, c.want, c.err)
		}
	}
}
