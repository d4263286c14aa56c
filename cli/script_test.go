// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		// nicgen with the units of toy_test.go.
		"nicgen": func() { os.Exit(Main(testUnits())) },
	})
}

// Each script is one story: the commands a person types, and what they see.
func TestScripts(t *testing.T) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			// Scripts share compiled models among themselves and nothing else.
			e.Setenv("NICGEN_CACHE", cache)
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}
