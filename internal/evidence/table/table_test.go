// SPDX-License-Identifier: Apache-2.0

package table

import "testing"

func TestMarkdown(t *testing.T) {
	x := Table{Head: []string{"A", "B"}, Rows: [][]Cell{
		{Name("x | y"), Number(12345)},
		{Settings(""), Settings("a=1 b=2")},
		{{Text: "All", Kind: Total}, Verdict(false, "%d of %d", 1, 2)},
		{Words("w"), Name("")},
	}}
	const want = "| A | B |\n|---|---|\n| `x \\| y` | 12345 |\n| default | `a=1 b=2` |\n| **All** | 1 of 2 |\n| w |  |\n"
	if got := x.Markdown(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
