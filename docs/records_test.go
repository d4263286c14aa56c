// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// Long runs and coverage that are on record are of the RTL as it is emitted now.
func TestResultsAreOfThisRTL(t *testing.T) {
	for _, u := range registry.Units {
		unit := u.New().Unit()
		for _, kind := range []string{"soak", "coverage"} {
			text, err := os.ReadFile(filepath.Join("data", kind, unit+".json"))
			if err != nil {
				t.Log(err) // report.TestComplete has the list of what is missing
				continue
			}
			var r soak.Result
			if err := json.Unmarshal(text, &r); err != nil {
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
