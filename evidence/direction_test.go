// SPDX-License-Identifier: Apache-2.0

package evidence_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Evidence reads what others measure, and these do not know it: only commands and tests import it.
func TestNobodyBelowImportsEvidence(t *testing.T) {
	root := os.DirFS("..")
	files := 0
	for _, folder := range []string{"check", "cosim", "gen", "model", "packet", "registry", "rtl", "sim", "synth", "tb", "verilator"} {
		err := fs.WalkDir(root, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "tb/benchtest/") {
				return err // benchtest is part of tests
			}
			text, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
			if err != nil {
				return err
			}
			files++
			for _, i := range f.Imports {
				if strings.HasPrefix(strings.Trim(i.Path.Value, `"`), "github.com/nicgen/nicgen/evidence") {
					t.Errorf("%s imports %s: results flow from there to evidence", name, i.Path.Value)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("looked at %d files, want 100 or more", files)
	}
}
