// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// The page that explains a unit lists each file of the starter's.
func TestAddingAUnitIsComplete(t *testing.T) {
	text, err := os.ReadFile("adding-a-unit.md")
	if err != nil {
		t.Fatal(err)
	}
	const root = "../starter/module"
	n := 0
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(name, "/") {
			if n++; !bytes.Contains(text, []byte("| `"+name+"` |")) {
				t.Errorf("adding-a-unit.md does not list %s", name)
			}
		}
		return err
	})
	if err != nil || n < 10 {
		t.Errorf("%d files, error %v", n, err)
	}
}
