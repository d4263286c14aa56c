// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
)

// Long runs and coverage that are on record are of the RTL as it is emitted now.
func TestResultsAreOfThisRTL(t *testing.T) {
	for _, u := range registry.Units {
		unit := u.New().Unit()
		for _, kind := range []string{"soak", "coverage"} {
			r, err := soak.ReadResult(filepath.Join("data", kind, unit+".json"))
			if errors.Is(err, fs.ErrNotExist) {
				continue // TestComplete of report has the list of what is missing
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Configs {
				cfg := u.New()
				for key, v := range c.Changed {
					if err := gen.Set(cfg, fmt.Sprintf("%s=%v", key, v)); err != nil {
						t.Fatal(err)
					}
				}
				now, err := soak.Digest(cfg)
				if err != nil {
					t.Fatal(err)
				}
				if c.RTL != now {
					t.Errorf("%s of %s, %s: the record is of RTL %.12s, and that of now is %.12s: run %s", kind, unit, c.String(), c.RTL, now, r.Command)
				}
			}
		}
	}
}

// What a record holds of is the design, not the words around it: the mark and other names
// of files, modules and guards leave its digest.
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
