// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/tool"
)

// GoldenName is the file of the golden models' library, which is one for all units.
const GoldenName = "libnicgen_golden.so"

// goldenLabel stands for it in names of folders.
const goldenLabel = "golden"

// GoldenTree is the folder of the golden models' library, beside those of units, for emit.Write.
func GoldenTree(lib []byte) (emit.Tree, error) {
	m := emit.Manifest{Generator: emit.Mark, Version: gen.Version, Unit: goldenLabel, Command: "nicgen export", Sources: []string{}}
	tree := emit.Tree{}
	licenses, err := texts.ReadFile("c/golden.md")
	if err != nil {
		return nil, err
	}
	for path, text := range map[string][]byte{"lib/" + GoldenName: lib, "LICENSES.md": licenses} {
		tree[Folder(goldenLabel)+"/"+path] = text
		m.Add(path, text)
	}
	tree[Folder(goldenLabel)+"/"+emit.ManifestName], err = m.Seal()
	return tree, err
}

// goTool compiles the golden models.
var goTool = tool.Tool{Name: "go", Purpose: "the golden model's library", Install: "https://go.dev/dl, or leave the golden model out with --rtl-only"}

// Golden builds the library of the golden models, which are Go, from nicgen's source in folder
// source. It needs Go and a C compiler.
func Golden(ctx context.Context, source string) (lib []byte, err error) {
	goPath, err := tool.Find(goTool)
	if err != nil {
		return nil, err
	}
	tmp, err := tool.TempDir("nicgen-golden-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	file := filepath.Join(tmp, GoldenName)
	cmd := tool.Command(ctx, goPath, "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w -buildid= -extldflags=-Wl,-soname,"+GoldenName, "-buildvcs=false", "-o", file, "./export/golden")
	cmd.Dir = source
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "CGO_ENABLED=") || strings.HasPrefix(s, "GOFLAGS=")
	}), "CGO_ENABLED=1", "GOFLAGS=")
	if _, err := tool.Run(ctx, cmd); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// Source finds nicgen's source: in the folder dir or one above it, or where the program that
// is running was compiled.
func Source(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	_, here, _, _ := runtime.Caller(0)
	for _, from := range []string{dir, filepath.Dir(here)} {
		if !filepath.IsAbs(from) {
			continue // compiled with -trimpath
		}
		for d := from; ; d = filepath.Dir(d) {
			text, err := os.ReadFile(filepath.Join(d, "go.mod"))
			switch {
			case err == nil && bytes.Contains(text, []byte("module github.com/nicgen/nicgen\n")):
				return d, nil
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return "", fmt.Errorf("search for nicgen's source: %w", err)
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	return "", fmt.Errorf("the golden model's library is made from nicgen's source, which is neither in %s nor where this program was compiled: "+
		"run the command in a copy of the repository, or leave the golden model out with --rtl-only", dir)
}
