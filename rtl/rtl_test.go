// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
)

const fix = "run: make generate"

// compare says what is changed, missing or extra in a folder against a tree.
func compare(dir string, want emit.Tree) ([]string, error) {
	var list []string
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && slices.ContainsFunc(registry.Blocks, func(u registry.Unit) bool { return u.New().Unit() == name }):
			return fs.SkipDir // repeats its units, and is not checked in
		case d.IsDir(), !strings.Contains(name, "/"): // hand-written, beside the units
			return nil
		}
		seen[name] = true
		text, ok := want[name]
		if !ok {
			list = append(list, "extra: "+name)
			return nil
		}
		got, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(string(text), string(got)); diff != "" {
			list = append(list, "changed: "+name+" (-emitted +checked in)\n"+diff)
		}
		return nil
	})
	for name := range want {
		if !seen[name] {
			list = append(list, "missing: "+name)
		}
	}
	slices.Sort(list)
	return list, err
}

func TestCheckedInIsEmitted(t *testing.T) {
	var units []emit.Unit
	for _, u := range registry.Units {
		units = append(units, emit.Unit{Config: u.New(), Default: u.New()})
	}
	want, err := emit.Run{Units: units}.Render()
	if err != nil {
		t.Fatal(err)
	}
	list, err := compare(".", want)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) > 0 {
		t.Errorf("%s; or delete what is extra:\n%s", fix, strings.Join(list, "\n"))
	}
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/same": "1", "a/changed": "2", "a/extra": "3", "lib/extra.sv": "4", "nic_transport/nic_transport.sv": "5", "a/x.go": "4", "README.md": "5"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := compare(dir, emit.Tree{"a/same": []byte("1"), "a/changed": []byte("x"), "b/missing": nil})
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range got {
		got[i], _, _ = strings.Cut(l, " (")
	}
	if d := cmp.Diff([]string{"changed: a/changed", "extra: a/extra", "extra: a/x.go", "extra: lib/extra.sv", "missing: b/missing"}, got); d != "" {
		t.Error(d)
	}
}
