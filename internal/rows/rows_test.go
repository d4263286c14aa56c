// SPDX-License-Identifier: Apache-2.0

package rows_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/rows"
)

type step struct {
	Seed   int    `json:"seed"`
	Cycles int    `json:"cycles"`
	Text   string `json:"text,omitempty"`
}

// Rows are single lines of any length; a value that holds rows is split into lines unless it is
// short.
func TestMarshal(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for _, c := range []struct {
		value any
		want  string
	}{
		{7, "7"},
		{[]int{}, "[]"},
		{map[string]int{}, "{}"},
		{nil, "null"},
		{step{1, 2, ""}, `{"seed": 1, "cycles": 2}`},
		{step{1, 2, "a: \"b\", {<c>} \\"}, `{"seed": 1, "cycles": 2, "text": "a: \"b\", {<c>} \\"}`},
		{[]step{{1, 2, ""}, {3, 4, ""}}, `[{"seed": 1, "cycles": 2}, {"seed": 3, "cycles": 4}]`},
		{[]step{{1, 2, long}, {3, 4, ""}}, "[\n  {\"seed\": 1, \"cycles\": 2, \"text\": \"" + long + "\"},\n  {\"seed\": 3, \"cycles\": 4}\n]"},
		{map[string]any{"a": []int{1}, "b": []step{{1, 2, long}}, "c": "x"},
			"{\n  \"a\": [1],\n  \"b\": [\n    {\"seed\": 1, \"cycles\": 2, \"text\": \"" + long + "\"}\n  ],\n  \"c\": \"x\"\n}"},
	} {
		got, err := rows.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want+"\n", string(got)); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.value, d)
		}
	}
	if _, err := rows.Marshal(func() {}); err == nil {
		t.Error("a function has JSON")
	}
}

// The records keep their content: each is the same value when written again, and the same text.
func TestRecords(t *testing.T) {
	files, err := filepath.Glob("../../docs/data/*/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("found %d records, want 100 or more (%v)", len(files), err)
	}
	top, err := filepath.Glob("../../docs/data/*.json")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, top...)
	lines := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(text), "\n")
		if base := filepath.Base(name); base == "due.json" || base == "fuzz.json" {
			continue // a list with a different layout, and a record that a shell writes
		}
		again, err := rows.Marshal(json.RawMessage(text))
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(text) {
			t.Errorf("%s is not written as package rows writes it", name)
		}
	}
	// Series and lists of elements belong below build, and their digests here.
	if most := 40_000; lines > most {
		t.Errorf("the records have %d lines, want at most %d", lines, most)
	}
}

// A digest is of the value, not of how it is written.
func TestDigest(t *testing.T) {
	a, err := rows.Digest([]step{{1, 2, "x"}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := rows.Digest(json.RawMessage("[{\"seed\": 1,\n\"cycles\": 2, \"text\": \"x\"}]"))
	if err != nil || a != b || len(a) != 64 {
		t.Errorf("%s and %s (%v), want the same 64 digits", a, b, err)
	}
	if c, _ := rows.Digest([]step{{1, 3, "x"}}); c == a {
		t.Error("another value has the same digest")
	}
}
