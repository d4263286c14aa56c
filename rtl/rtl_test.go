// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/benchtest"
)

const fix = "run: make generate"

// variants is the folder of the block's variants.
const variants = "nic_transport_variants"

// compare lists the changed, missing and extra files of a folder against a tree.
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
		case d.IsDir() && name == variants:
			return fs.SkipDir // TestVariantsAreEmitted
		case d.IsDir(), !strings.Contains(name, "/"): // hand-written, next to the units
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
	for _, u := range slices.Concat(registry.Units, registry.Blocks) {
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

// body returns an emitted file without its mark, which names the configuration.
func body(text []byte) string {
	_, rest, _ := strings.Cut(string(text), "\n// SPDX")
	return rest
}

// Of a variant of the block, the modules are checked in that are the block's own and not the same as in the default.
// -update writes them.
func TestVariantsAreEmitted(t *testing.T) {
	render := func(p *nictransport.Params) emit.Tree {
		tree, err := emit.Run{Units: []emit.Unit{{Config: p, Default: nictransport.New()}}}.Render()
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	usual := render(nictransport.Default())
	want := emit.Tree{}
	for _, v := range nictransport.Variants {
		p := nictransport.Default()
		if err := gen.Configure(p, v.Settings); err != nil {
			t.Fatal(err)
		}
		tree := render(p)
		for _, name := range p.OwnFiles() {
			text, ok := tree[path.Join(p.Unit(), name)]
			if !ok {
				t.Fatalf("%s: no module %s", v.Name, name)
			}
			if body(text) != body(usual[path.Join(p.Unit(), name)]) {
				want[path.Join(v.Name, name)] = text
			}
		}
	}
	if benchtest.Updating() {
		if err := os.RemoveAll(variants); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			file := filepath.Join(variants, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := compare(variants, want)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) > 0 {
		t.Errorf("%s; or delete what is extra:\n%s", fix, strings.Join(list, "\n"))
	}
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/same": "1", "a/changed": "2", "a/extra": "3", "lib/extra.sv": "4", variants + "/plb/x.sv": "5", "a/x.go": "4", "README.md": "5"} {
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
