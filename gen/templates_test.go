// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// longest is the number of lines that a template may have: {{template}} takes the rest from further files.
const longest = 600

func TestTemplatesAreShort(t *testing.T) {
	n := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".tmpl" {
			return err
		}
		n++
		text, err := os.ReadFile(file)
		if lines := bytes.Count(text, []byte("\n")); lines > longest {
			t.Errorf("%s has %d lines, at most %d are allowed: move a part to a separate file", file, lines, longest)
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d templates: %v", n, err)
	}
}
