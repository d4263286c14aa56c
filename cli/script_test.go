// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/registry"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		// nicgen with the units of toy_test.go. Lists of units are shorter without the units for
		// sim.
		"nicgen": func() {
			switch {
			case slices.Contains(os.Args, "sim"):
				os.Exit(Main(simUnits()))
			case os.Getenv("UNITS") == "real": // figures have them in their hosts
				os.Exit(Main(registry.Units))
			case os.Getenv("UNITS") == "block":
				os.Exit(Main(blockUnits()))
			}
			os.Exit(Main(testUnits()))
		},
	})
}

// Each script is one story: the commands a person types, and what they see.
func TestScripts(t *testing.T) {
	cache := t.TempDir()
	python, err := tool.FindPackaged(tool.Python)
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			// Scripts share compiled models among themselves and nothing else.
			e.Setenv("NICGEN_CACHE", cache)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("SOURCE", source)
			// The Python that has slang goes first: scripts run outside of the repository.
			e.Setenv("PATH", filepath.Dir(python)+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
	})
}
