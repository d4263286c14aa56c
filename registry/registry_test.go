// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/registry"
	markrun "github.com/nicgen/nicgen/starter/module/tb/mark_run"
)

// Code that works on any unit names none: neither the checks, nor the scripts, nor the Makefile.
// The unit itself supplies the parts that they need.
func TestNothingGenericNamesAUnit(t *testing.T) {
	var names []string
	for _, u := range registry.Units {
		names = append(names, u.New().Unit())
	}
	name := regexp.MustCompile(`(?i)(?:^|[^a-z])(?:` + strings.Join(names, "|") + `)(?:$|[^a-z])`)
	root := os.DirFS("..")
	noUnitIn := func(file string) {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if name.MatchString(line) {
				t.Errorf("%s:%d names a unit: %s", file, i+1, strings.TrimSpace(line))
			}
		}
	}
	noUnitIn("Makefile")
	for _, folder := range []string{"check", "scripts"} {
		files := 0
		err := fs.WalkDir(root, folder, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files++
				noUnitIn(file)
			}
			return err
		})
		if err != nil || files == 0 {
			t.Errorf("%s: %d files, error %v", folder, files, err)
		}
	}
	for line, want := range map[string]bool{"tb/" + names[0]: true, "nic_" + names[0] + ".sv": true, strings.ToUpper(names[0]) + ":": true, "x" + names[0] + "ed": false} {
		if name.MatchString(line) != want {
			t.Errorf("%q: want %t", line, want)
		}
	}
}

// Each unit has everything that the documentation promises of every unit.
func TestUnitsAreComplete(t *testing.T) {
	for i := range registry.Units {
		u := &registry.Units[i]
		for what, lacks := range map[string]bool{"bench": u.Bench == nil, "measurement": u.Measure == nil, "mutation targets": u.Mutation == nil,
			"properties": u.Proofs == nil, "upsets": u.Upset == nil} {
			if lacks {
				t.Errorf("%s lacks %s", u.New().Unit(), what)
			}
		}
	}
}

// A unit's packages are in the module that the type of its configuration is in.
func TestOwn(t *testing.T) {
	all := registry.With(markrun.Entry)
	for i := range all[1:] {
		if m := all[i+1].Module(); m != "github.com/nicgen/nicgen" {
			t.Errorf("%s is in module %s", all[i+1].New().Unit(), m)
		}
	}
	if p := markrun.Entry.Package("model"); p != "github.com/nicgen/nicgen/starter/module/model/mark_run" {
		t.Errorf("the model of the starter is %s", p)
	}
	if own := registry.Own(all); len(own) != 1 || own[0].New().Unit() != "mark_run" {
		t.Errorf("%d units, want the one that was added", len(own))
	}
	if own := registry.Own(registry.With()); len(own) != len(all)-1 {
		t.Errorf("%d units of nicgen, want %d", len(own), len(all)-1)
	}
}
