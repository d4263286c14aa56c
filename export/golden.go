// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/tb/bench"
)

// GoldenName is the file name of the golden models' library, which all units share.
const GoldenName = "libnicgen_golden.so"

// goldenLabel stands for it in names of folders.
const goldenLabel = "golden"

// GoldenTree returns the folder of the golden models' library, next to the units' folders, for
// emit.Write.
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

// goldenFolder is the folder of the main package around the golden models, which exists only for
// the compiler.
const goldenFolder = "nicgen_golden"

// goldenMain is the template of this package: the imports of units from outside nicgen, and their
// entries.
const goldenMain = `package main

import (
	"github.com/nicgen/nicgen/export/golden"
%s)

func init() { golden.Units = append(golden.Units%s) }

func main() {} // a library has none, and the linker wants one
`

// Golden builds the library of the golden models, which are Go, in the module whose root is the
// folder root: nicgen's source, or a module that uses it. more are units from outside nicgen. It
// needs Go and a C compiler.
func Golden(ctx context.Context, root string, more []bench.Entry) (lib []byte, err error) {
	goPath, err := tool.Find(goTool)
	if err != nil {
		return nil, err
	}
	tmp, err := tool.TempDir("nicgen-golden-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	var imports, entries strings.Builder
	for i := range more {
		e := &more[i]
		fmt.Fprintf(&imports, "\tunit%d %q\n", i, e.Package("tb"))
		fmt.Fprintf(&entries, ", unit%d.Entry", i)
	}
	main := filepath.Join(tmp, "main.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, goldenFolder, "main.go"): main}})
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{main: fmt.Appendf(nil, goldenMain, imports.String(), entries.String()), filepath.Join(tmp, "overlay.json"): overlay} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(tmp, GoldenName)
	cmd := tool.Command(ctx, goPath, "build", "-buildmode=c-shared", "-overlay", filepath.Join(tmp, "overlay.json"), "-trimpath",
		"-ldflags=-s -w -buildid= -extldflags=-Wl,-soname,"+GoldenName, "-buildvcs=false", "-o", file, "./"+goldenFolder)
	cmd.Dir = root
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "CGO_ENABLED=") || strings.HasPrefix(s, "GOFLAGS=")
	}), "CGO_ENABLED=1", "GOFLAGS=")
	if _, err := tool.Run(ctx, cmd); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// Source finds the module in which golden models are compiled: nicgen's source, or a module that
// requires it, in the folder dir or one above it, or in the folder in which the running program was
// compiled.
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
		root, _, err := tool.ModuleRoot(from)
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil {
			return "", fmt.Errorf("search for nicgen's source: %w", err)
		}
		if bytes.Contains(text, []byte("github.com/nicgen/nicgen")) {
			return root, nil
		}
	}
	return "", fmt.Errorf("the golden model's library is made from nicgen's source, which is neither in %s nor where this program was compiled: "+
		"run the command in a copy of the repository or in a module that requires it, or leave the golden model out with --rtl-only", dir)
}
