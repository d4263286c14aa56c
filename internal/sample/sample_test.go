// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// short runs f as a short or a full test in each turn.
func short(t *testing.T, short bool, f func(n int)) {
	t.Helper()
	was, before := turn, flag.Lookup("test.short").Value.String()
	defer func() { turn = was; _ = flag.Set("test.short", before) }()
	if err := flag.Set("test.short", fmt.Sprint(short)); err != nil {
		t.Fatal(err)
	}
	for n := range Turns {
		turn = func() uint64 { return uint64(n) }
		f(n)
	}
}

func list(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("case %d", i))
	}
	return names
}

func itself(name string) string { return name }

// In Turns turns each case runs once, alone or in a list; all run in a full test. The turns
// share a list evenly.
func TestEveryCaseRuns(t *testing.T) {
	for _, size := range []int{0, 1, 5, 12, 73, 500} {
		names := list(size)
		inList, alone, least, most := make([]int, size), make([]int, size), size, 0
		short(t, true, func(int) {
			sum := 0
			for i, runs := range Chosen(names, itself) {
				if runs {
					inList[i]++
					sum++
				}
				if !LeftOut(names[i]) {
					alone[i]++
				}
			}
			least, most = min(least, sum), max(most, sum)
		})
		for i := range names {
			if inList[i] != 1 || alone[i] != 1 {
				t.Errorf("%s of %d runs %d times in a list and %d times alone in %d turns, want once each", names[i], size, inList[i], alone[i], Turns)
			}
		}
		if most > least+1 {
			t.Errorf("a turn has %d of %d cases, another one %d", most, size, least)
		}
		short(t, false, func(n int) {
			for i, runs := range Chosen(names, itself) {
				if !runs || LeftOut(names[i]) {
					t.Errorf("a full test leaves out %s of %d in turn %d", names[i], size, n)
				}
			}
		})
	}
}

// Of a short list one case runs in each turn, and every case in Turns turns.
func TestOneOf(t *testing.T) {
	for size := 1; size <= Turns; size++ {
		runs := make([]int, size)
		short(t, true, func(n int) {
			sum := 0
			for i, r := range OneOf(list(size), itself) {
				if r {
					runs[i]++
					sum++
				}
			}
			if sum != 1 {
				t.Errorf("turn %d runs %d of %d cases, want one", n, sum, size)
			}
		})
		for i, n := range runs {
			if n < Turns/size {
				t.Errorf("case %d of %d runs %d times in %d turns, want at least %d", i, size, n, Turns, Turns/size)
			}
		}
	}
}

// The place in a list does not matter, short lists do not all begin in one turn, and names
// that differ in the last letter are spread.
func TestNamesChoose(t *testing.T) {
	names := list(30)
	backwards := list(30)
	for i := range names {
		backwards[len(names)-1-i] = names[i]
	}
	short(t, true, func(n int) {
		a, b := Chosen(names, itself), Chosen(backwards, itself)
		for i := range a {
			if a[i] != b[len(b)-1-i] {
				t.Errorf("turn %d: %s runs in one order of the list and not in the other one", n, names[i])
			}
		}
	})
	lists, cases := map[int]bool{}, map[int]bool{}
	short(t, true, func(n int) {
		for i := range 30 {
			if Chosen([]string{fmt.Sprintf("list %d", i)}, itself)[0] {
				lists[n] = true
			}
			if !LeftOut(names[i]) {
				cases[n] = true
			}
		}
	})
	if len(lists) < Turns/2 || len(cases) < Turns/2 {
		t.Errorf("30 lists of a case use %d turns and 30 cases %d, want more than half of %d", len(lists), len(cases), Turns)
	}
}

// The turn comes from the rota, or from TurnEnv, and from nothing else: neither from git nor from the time.
func TestTurn(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "os/exec\n") {
		t.Error("the package can start programs")
	}
	if n := turn(); n >= Turns {
		t.Errorf("turn %d, want less than %d", n, Turns)
	}
	for _, c := range []struct {
		text string
		want int // -1: refused
	}{{"0", 0}, {"5", 5}, {"12", 0}, {"1003", 7}, {"-1", -1}, {"x", -1}, {"1.5", -1}} {
		got := func() (n int) {
			defer func() {
				if recover() != nil {
					n = -1
				}
			}()
			return int(read(TurnEnv, c.text))
		}()
		if got != c.want {
			t.Errorf("%q is turn %d, want %d", c.text, got, c.want)
		}
	}
}
