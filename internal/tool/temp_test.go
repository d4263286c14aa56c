// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTempDir(t *testing.T) {
	place := filepath.Join(t.TempDir(), "with blanks")
	if err := os.Mkdir(place, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", place)
	dir, err := TempDir("nicgen-test-")
	if err != nil || filepath.Dir(dir) != place {
		t.Errorf("got %q, %v, want a folder in %s", dir, err, place)
	}
	file := filepath.Join(place, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(place, "none"): "which is not there",
		file:                         "which is a file",
	} {
		t.Setenv("TMPDIR", name)
		want = "TMPDIR: found " + name + ", " + want + "; allowed: a folder that can be written: make it, or unset TMPDIR"
		if dir, err := TempDir("nicgen-test-"); err == nil || err.Error() != want {
			t.Errorf("got %q, %v, want the error %q", dir, err, want)
		}
	}
}

// Temporary folders of commands are made by TempDir, whose errors name TMPDIR.
func TestTempDirIsUsed(t *testing.T) {
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "build" || d.Name() == "grammar") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || path == filepath.Join("..", "..", "internal", "tool", "temp.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			name, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || name.Sel.Name != "MkdirTemp" && name.Sel.Name != "CreateTemp" {
				return true
			}
			if dir, ok := call.Args[0].(*ast.BasicLit); ok && dir.Value == `""` {
				t.Errorf("%s: os.%s in the folder for temporary files, want tool.TempDir", fset.Position(call.Pos()), name.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCommandIn(t *testing.T) {
	script(t, "yosys", `pwd; echo "$TMPDIR"`)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, err := Find(Yosys)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(t.Context(), CommandIn(t.Context(), dir, path))
	if want := dir + "\n.\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestYosysEnv(t *testing.T) {
	script(t, "other-yosys", "echo Yosys 9.9")
	if _, err := Find(Yosys); err == nil {
		t.Error("found yosys, which is not there")
	}
	t.Setenv(YosysEnv, "other-yosys")
	if got, err := Version(t.Context(), Yosys); err != nil || got != "Yosys 9.9" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := Find(ABC); err == nil {
		t.Errorf("found %s by %s", ABC.Name, YosysEnv)
	}
	// A relative name refers to the working directory, wherever the program runs.
	path, err := Find(Yosys)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(path))
	t.Setenv(YosysEnv, "./other-yosys")
	if path, err = Find(Yosys); err != nil {
		t.Fatal(err)
	}
	if got, err := Run(t.Context(), CommandIn(t.Context(), t.TempDir(), path)); err != nil || got != "Yosys 9.9\n" {
		t.Errorf("by a relative name: got %q, %v", got, err)
	}
	t.Setenv(YosysEnv, "none")
	const want = "none not found, which YOSYS names: want a program of Yosys, or nothing for the one on the PATH"
	if _, err := Find(Yosys); err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}
