// SPDX-License-Identifier: Apache-2.0

package gomutant_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/check/gomutant"
)

// load makes mutants of a package with this text.
func load(t *testing.T, text string) []gomutant.Mutant {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module toy\n\ngo 1.24\n", "toy.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := gomutant.Load(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.Mutants
}

func keys(list []gomutant.Mutant) (keys []string) {
	for i := range list {
		keys = append(keys, list[i].String())
	}
	return keys
}

const toy = `package toy

type Ring struct{ n, size int }

func (r *Ring) Push(k int) bool {
	if r.n < r.size && k > 0 {
		r.n++
		r.grow(k)
		return true
	}
	return r.n < 2
}

func (r *Ring) grow(k int) { r.size += k }

func limit(k int) int {
	if k < 2 {
		k = 2
	}
	return k * 3
}
`

// A mutant is known by its function, its kind and its place among those, each of them once.
func TestKeys(t *testing.T) {
	want := []string{
		"Ring.Push, condition 1: r.n < r.size && k > 0 becomes !(r.n < r.size && k > 0)",
		"Ring.Push, operator 1: r.n < r.size && k > 0 becomes r.n < r.size || k > 0",
		"Ring.Push, comparison 1: r.n < r.size becomes r.n <= r.size",
		"Ring.Push, comparison 2: r.n < r.size becomes !(r.n < r.size)",
		"Ring.Push, comparison 3: k > 0 becomes k >= 0",
		"Ring.Push, comparison 4: k > 0 becomes !(k > 0)",
		"Ring.Push, number 1: 0 becomes 1",
		"Ring.Push, step 1: r.n++ becomes r.n--",
		"Ring.Push, call 1: r.grow(k) is left out",
		"Ring.Push, truth 1: true becomes !(true)",
		"Ring.Push, comparison 5: r.n < 2 becomes r.n <= 2",
		"Ring.Push, comparison 6: r.n < 2 becomes !(r.n < 2)",
		"Ring.Push, number 2: 2 becomes 3",
		"Ring.grow, assignment 1: r.size += k becomes r.size -= k",
		"limit, comparison 1: k < 2 becomes k <= 2",
		"limit, comparison 2: k < 2 becomes !(k < 2)",
		"limit, number 1: 2 becomes 3",
		"limit, assignment 1: k = 2 is left out",
		"limit, number 2: 2 becomes 3",
		"limit, operator 1: k * 3 becomes k + 3",
		"limit, number 3: 3 becomes 4",
	}
	if d := cmp.Diff(want, keys(load(t, toy))); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Comments, empty lines and other functions change the place of a mutant in the file, and not
// its key.
func TestKeysStay(t *testing.T) {
	before := load(t, toy)
	after := load(t, strings.NewReplacer(
		"type Ring", "// first is new.\nfunc first(a int) bool { return a < 1 }\n\n// Ring is a ring.\ntype Ring",
		"\tif", "\t// There is room.\n\n\tif", "k > 0", "\n\t\t// and something to store\n\t\tk > 0").Replace(toy))
	after = slices.DeleteFunc(after, func(m gomutant.Mutant) bool { return m.Func == "first" })
	if d := cmp.Diff(keys(before), keys(after)); d != "" {
		t.Errorf("-before +after:\n%s", d)
	}
	for i := range before {
		if before[i].Where == after[i].Where {
			t.Errorf("%s is at %s in both texts: nothing was moved", &before[i], before[i].Where)
		}
	}
}
