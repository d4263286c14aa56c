// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMain keeps the tests' models out of the user's cache, unless a cache is
// named.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv(CacheEnv) == "" {
			dir, err := os.MkdirTemp("", "nicgen-cosim")
			if err != nil {
				panic(err)
			}
			defer os.RemoveAll(dir)
			os.Setenv(CacheEnv, dir)
		}
		return m.Run()
	}())
}

// source reads a module below testdata.
func source(t testing.TB, module string) Source {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", module+".sv"))
	if err != nil {
		t.Fatal(err)
	}
	top := filepath.Base(module)
	return Source{Top: top, Files: []File{{top + ".sv", string(b)}}}
}
