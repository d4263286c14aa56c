// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// ModuleRoot returns the root of the Go module around a folder, and the module's path.
func ModuleRoot(dir string) (root, path string, err error) {
	if root, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	for from := root; ; root = filepath.Dir(root) {
		b, err := os.ReadFile(filepath.Join(root, "go.mod"))
		switch {
		case err == nil:
			return root, modfile.ModulePath(b), nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", "", err
		case root == filepath.Dir(root):
			return "", "", fmt.Errorf("neither %s nor a folder above it has a go.mod", from)
		}
	}
}
