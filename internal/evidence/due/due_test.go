// SPDX-License-Identifier: Apache-2.0

package due_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/evidence/due"
)

// A list comes back from its text, units and kinds in order; a unit without due records is not
// named.
func TestText(t *testing.T) {
	l := due.List{"b": {"soak", "prove"}, "a": {"mutate"}, "c": nil}
	const want = "{\n  \"a\": [\"mutate\"],\n  \"b\": [\"prove\", \"soak\"]\n}\n"
	if got := string(l.Text()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got, err := due.Read(fstest.MapFS{due.File: {Data: l.Text()}})
	if d := cmp.Diff(due.List{"a": {"mutate"}, "b": {"prove", "soak"}}, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	if got := string(due.List{}.Text()); got != "{}\n" {
		t.Errorf("an empty list is %q", got)
	}
	if !got.Has("b", "soak") || got.Has("a", "soak") || got.Has("c", "soak") {
		t.Error("want soak of b alone")
	}
	if u := got.Units("soak", []string{"c", "b", "a"}); !cmp.Equal(u, []string{"b"}) {
		t.Errorf("soak is due of %q, want b", u)
	}
}

func TestRead(t *testing.T) {
	if l, err := due.Read(fstest.MapFS{}); err != nil || len(l) > 0 {
		t.Errorf("of no file: %v, %v", l, err)
	}
	_, err := due.Read(fstest.MapFS{due.File: {Data: []byte(`["soak"]`)}})
	if err == nil || !strings.Contains(err.Error(), "docs/data/due.json") {
		t.Errorf("of a file that is no list: %v", err)
	}
}

func TestSentence(t *testing.T) {
	if s := due.Sentence(nil, "make soak"); s != "" {
		t.Errorf("of no units: %q", s)
	}
	const want = "Due again, as the RTL has changed since it was measured: a, b (`make soak`)."
	if s := due.Sentence([]string{"a", "b"}, "make soak"); s != want {
		t.Errorf("got %q, want %q", s, want)
	}
}

// Marks that are written are read again; a folder without marks gives none, and a broken file is
// named.
func TestMarks(t *testing.T) {
	dir := t.TempDir()
	m, err := due.ReadMarks(dir)
	if err != nil || len(m) > 0 {
		t.Fatalf("of no file: %v, %v", m, err)
	}
	m["scaling"] = "abc"
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	if again, err := due.ReadMarks(dir); err != nil || !maps.Equal(again, m) {
		t.Errorf("%v, %v, want %v", again, err, m)
	}
	if err := os.WriteFile(filepath.Join(dir, "testdata", "measured.json"), []byte("["), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := due.ReadMarks(dir); err == nil || !strings.Contains(err.Error(), "testdata/measured.json") {
		t.Errorf("of a broken file: %v", err)
	}
}
