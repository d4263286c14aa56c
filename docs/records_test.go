// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/registry"
)

// Records of results name the RTL that they belong to. data/due.json lists exactly the
// records of RTL that differs from the current one; it is empty again when all are renewed.
func TestDue(t *testing.T) {
	docs := os.DirFS(".")
	list, err := due.Read(docs)
	if err != nil {
		t.Fatal(err)
	}
	found := due.List{}
	for _, subject := range registry.Subjects(slices.Concat(registry.Units, registry.Blocks)) {
		unit := subject.Name
		found[unit] = slices.DeleteFunc(slices.Clone(list[unit]), evidence.Tracked)
		for _, kind := range evidence.Kinds {
			if !evidence.Tracked(kind.Name) {
				continue
			}
			old, err := evidence.Stale(docs, registry.Units, subject, kind.Name)
			if err != nil {
				t.Fatal(err)
			}
			if old != "" {
				found[unit] = append(found[unit], kind.Name)
			}
			switch listed := list.Has(unit, kind.Name); {
			case *update:
			case old != "" && !listed:
				t.Errorf("%s of %s is due, and %s does not list it: %s: run: make %s, or, if it can wait: go test ./docs -run TestDue -update", kind.Name, unit, due.File, old, kind.Make)
			case old == "" && listed:
				t.Errorf("%s lists %s of %s, and the record is of the RTL of now: run: go test ./docs -run TestDue -update", due.File, kind.Name, unit)
			}
		}
	}
	for unit, kinds := range list {
		if found[unit] == nil {
			t.Errorf("%s lists %s of %q, which is no unit", due.File, kinds, unit)
		}
	}
	if *update {
		if err := os.WriteFile(due.File, found.Text(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A record belongs to a design, not to the words around it: the mark, and renaming files,
// modules and guards, do not change its digest.
func TestDigestsAreOfTheDesign(t *testing.T) {
	for _, u := range registry.Units {
		cfg := u.New()
		files, err := cfg.Files()
		if err != nil {
			t.Fatal(err)
		}
		want := gen.DesignDigest(cfg.Top(), files)
		marked, err := emit.Sources(emit.Unit{Config: cfg})
		if err != nil {
			t.Fatal(err)
		}
		if gen.DesignDigest(cfg.Top(), marked) != want {
			t.Errorf("%s: the digest changes with the generated mark", cfg.Unit())
		}
		for i := range files {
			files[i] = gen.File{Name: "my_" + files[i].Name, Text: regexp.MustCompile(`\b(nic_|NIC_\w+_SV\b)`).ReplaceAllString(files[i].Text, "my_$0")}
		}
		slices.Reverse(files)
		if gen.DesignDigest("my_"+cfg.Top(), files) != want {
			t.Errorf("%s: the digest changes with the names of modules and the order of files", cfg.Unit())
		}
	}
}
