// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"flag"
	"testing"
)

// In Turns turns each entry of a list runs as often as the list's share says.
func TestEveryEntryRuns(t *testing.T) {
	was, before := turn, flag.Lookup("test.short").Value.String()
	defer func() { turn = was; _ = flag.Set("test.short", before) }()
	if err := flag.Set("test.short", "true"); err != nil {
		t.Fatal(err)
	}
	for _, every := range []int{1, 2, 3, 4, 6, 12} {
		runs := make([]int, 20)
		for n := range Turns {
			turn = func() int { return n }
			for i := range runs {
				if !LeftOut(i, every) {
					runs[i]++
				}
			}
		}
		for i, n := range runs {
			if n != Turns/every {
				t.Errorf("entry %d of a list of which one in %d runs: %d times in %d turns, want %d", i, every, n, Turns, Turns/every)
			}
		}
	}
	if err := flag.Set("test.short", "false"); err != nil {
		t.Fatal(err)
	}
	if LeftOut(1, 6) {
		t.Error("a full test leaves an entry out")
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // -1: refused
	}{{"", 0}, {"0", 0}, {"5", 5}, {"12", 0}, {"1003", 7}, {"-1", -1}, {"x", -1}, {"1.5", -1}} {
		got := func() (n int) {
			defer func() {
				if recover() != nil {
					n = -1
				}
			}()
			return read(c.text)
		}()
		if got != c.want {
			t.Errorf("%q is turn %d, want %d", c.text, got, c.want)
		}
	}
}
