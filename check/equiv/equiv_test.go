// SPDX-License-Identifier: Apache-2.0

package equiv_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/equiv"
	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/cosim"
)

// counter returns a design with a part that no output shows.
func counter(t *testing.T) *mutant.Design {
	t.Helper()
	text, err := os.ReadFile("testdata/counter.sv")
	if err != nil {
		t.Fatal(err)
	}
	d, err := mutant.Elaborate(t.Context(), cosim.Source{Top: "counter", Files: []cosim.File{{Name: "counter.sv", Text: string(text)}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// An invariant, if it holds, excludes states that are not reached after a reset.
func TestInvariants(t *testing.T) {
	d := counter(t)
	for _, c := range []struct{ invariant, err string }{
		{"never_q == 0", ""},
		{"!never_q", ""},
		{"never_q == 0 || valid_q == 1", "not shown"}, // it holds, and does not follow from itself
		{"never_q == 1", "not shown"},
		{"load_q != 5", "not shown"},
		{"nothing_q == 0", `no signal "nothing_q"`},
	} {
		err := equiv.CheckInvariants(t.Context(), d, []string{c.invariant})
		if got := fmt.Sprint(err); (err == nil) != (c.err == "") || !strings.Contains(got, c.err) {
			t.Errorf("%s: error %v, want %q", c.invariant, err, c.err)
		}
	}
	list, err := d.List(t.Context(), 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(m mutant.Mutant) bool { return m.Cell != "" && m.Wire == "never_q" && m.Mode == "const0" })
	if i < 0 {
		t.Fatalf("no mutant ties never_q to 0")
	}
	for _, c := range []struct {
		invariants []string
		shown      bool
	}{{nil, false}, {[]string{"never_q == 0"}, true}} {
		s, err := equiv.NewSearch(t.Context(), d, list[i:i+1], c.invariants)
		if err != nil {
			t.Fatal(err)
		}
		how, err := s.Show(t.Context(), &list[i])
		if err != nil {
			t.Fatal(err)
		}
		if (how != "") != c.shown {
			t.Errorf("with invariants %q: shown by %q, want something: %t", c.invariants, how, c.shown)
		}
	}
}

// A proof is kept for the same design, mutant and invariants, and for no others; a failed attempt
// is not kept.
func TestCached(t *testing.T) {
	t.Setenv("NICGEN_CACHE", t.TempDir())
	d := counter(t)
	list, err := d.List(t.Context(), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for i, c := range []struct {
		m          *mutant.Mutant
		invariants []string
		how        string
		err        error
		want       string
	}{
		{&list[0], nil, "", broken, ""},
		{&list[0], nil, "one", nil, "one"},
		{&list[0], nil, "two", nil, "one"},
		{&list[0], []string{"!never_q"}, "three", nil, "three"},
		{&list[1], nil, "", nil, ""},
		{&list[1], nil, "four", nil, ""},
	} {
		got, err := equiv.Cached(t.Context(), d, c.m, c.invariants, func() (string, error) { return c.how, c.err })
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("call %d: %q, error %v, want %q, error %v", i, got, err, c.want, c.err)
		}
	}
}
