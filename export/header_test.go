// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/export"
	"github.com/nicgen/nicgen/registry"
)

// Every unit has a header that C99 and C++ compilers take without a warning, and all of them fit
// into one program.
func TestHeaders(t *testing.T) {
	dir := t.TempDir()
	var all strings.Builder
	for _, u := range slices.Concat(registry.Units, registry.Blocks) {
		text, err := export.Header(u.New(), u.New())
		if err != nil {
			t.Error(err)
			continue
		}
		name := export.Folder(u.New().Unit()) + ".h"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		all.WriteString("#include \"" + name + "\"\n")
	}
	all.WriteString("int all;\n")
	for _, c := range [][]string{
		{"cc", "-std=c99", "all.c"},
		{"c++", "-std=c++11", "all.cc"},
	} {
		if err := os.WriteFile(filepath.Join(dir, c[2]), []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(context.Background(), c[0], c[1], "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", c[2])
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", c, err, out)
		}
	}
}
