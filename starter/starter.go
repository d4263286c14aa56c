// SPDX-License-Identifier: Apache-2.0

// Package starter makes a Go module outside nicgen with one small unit that passes every check, as
// a start for a new algorithm. The folder module has its text: it is compiled and tested here like
// any other package, and New changes only names.
package starter

import (
	"embed"
	"fmt"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

//go:embed all:module
var text embed.FS

// The names that the text has here.
const (
	folder   = "module"
	toyUnit  = "mark_run"
	toyGo    = "markrun"
	nicgen   = "github.com/nicgen/nicgen"
	toyPath  = nicgen + "/starter/" + folder
	goModule = "go.mod"
	mainFile = "main.go"
)

// Options hold the name of the module and the place of its nicgen.
type Options struct {
	Unit   string // snake case: "mark_run"
	Module string // import path: "example.com/mine"
	// Source is the folder of nicgen's source, which the module then uses; if empty, it uses
	// Version.
	Source string
	// Version is a released version of nicgen: "v1.2.0".
	Version string
}

// unitName matches the legal names of a unit.
var unitName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Check returns an error unless the names are usable. taken are the program's units.
func (o Options) Check(taken []string) error {
	switch {
	case !unitName.MatchString(o.Unit):
		return fmt.Errorf("unit: found %q, allowed: lower-case words of letters and digits, joined by underscores, such as my_unit", o.Unit)
	case slices.Contains(taken, o.Unit):
		return fmt.Errorf("unit: found %s, which the program has already, allowed: another name", o.Unit)
	case token.IsKeyword(o.goName()) || strings.HasSuffix(o.Unit, "_test") || o.Unit == "main" || o.Unit == "init":
		return fmt.Errorf("unit: found %s, which Go does not take as the name of a package, allowed: another name", o.Unit)
	case strings.HasPrefix(o.Unit+"_", "lib_"):
		return fmt.Errorf("unit: found %s, but nic_lib is how the names of shared parts begin, allowed: another name", o.Unit)
	case platform(o.Unit):
		return fmt.Errorf("unit: found %s, but Go compiles files with names that end in _%s for one platform only, allowed: another name",
			o.Unit, o.Unit[strings.LastIndexByte(o.Unit, '_')+1:])
	case types.Universe.Lookup(o.goName()) != nil || slices.Contains(imported(), o.goName()):
		return fmt.Errorf("unit: found %s, a name that the module's Go files need for something else, allowed: another name", o.Unit)
	}
	if err := module.CheckImportPath(o.Module); err != nil || !strings.Contains(o.Module, "/") {
		return fmt.Errorf("--module: found %q, allowed: an import path such as example.com/mine", o.Module)
	}
	if o.Module == nicgen || strings.HasPrefix(o.Module, nicgen+"/") {
		return fmt.Errorf("--module: found %s, which is nicgen's own, allowed: an import path such as example.com/mine", o.Module)
	}
	return nil
}

// platform reports whether Go leaves a file of this name out on other operating systems or processors.
func platform(name string) bool {
	anywhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package x\n")), nil
	}}
	ok, err := anywhere.MatchFile("", name+".go")
	return err == nil && !ok
}

// imported lists the names of packages that the text imports.
func imported() (names []string) {
	_ = fs.WalkDir(text, folder, func(name string, _ fs.DirEntry, _ error) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		b, err := text.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, b, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			if p := strings.Trim(i.Path.Value, `"`); i.Name != nil {
				names = append(names, i.Name.Name)
			} else {
				names = append(names, path.Base(p))
			}
		}
		return nil
	})
	return slices.DeleteFunc(names, func(n string) bool { return n == toyGo || n == "_" })
}

func (o Options) goName() string { return strings.ReplaceAll(o.Unit, "_", "") }

// Unit returns the files of a unit in a module, by slash-separated path.
func Unit(o Options) (map[string][]byte, error) {
	files, err := write(o)
	delete(files, mainFile)
	return files, err
}

// New returns the files of a module with a unit, by slash-separated path.
func New(o Options) (map[string][]byte, error) {
	files, err := write(o)
	if err != nil {
		return nil, err
	}
	files[".gitignore"] = []byte("/build/\n/nicgen-out/\n/nicgen-report.html\n")
	if files[goModule], err = o.goMod(); err != nil {
		return nil, err
	}
	if o.Source != "" {
		files["go.sum"], err = os.ReadFile(filepath.Join(o.Source, "go.sum"))
	}
	return files, err
}

// write returns the text with the names of a module and a unit.
func write(o Options) (map[string][]byte, error) {
	names := strings.NewReplacer(toyPath, o.Module, toyUnit, o.Unit, toyGo, o.goName())
	files := map[string][]byte{}
	err := fs.WalkDir(text, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := text.ReadFile(name)
		if err != nil {
			return err
		}
		b = []byte(names.Replace(string(b)))
		if path.Ext(name) == ".go" {
			if b, err = format.Source(b); err != nil { // other names, another order of imports
				return err
			}
		}
		file := strings.TrimSuffix(strings.TrimPrefix(name, folder+"/"), ".txt") // of a page, which does not belong to nicgen
		files[names.Replace(file)] = b
		return nil
	})
	return files, err
}

// Imported returns the unit's import in main.go.
func (o Options) Imported() string {
	return fmt.Sprintf("%s %q", o.goName(), o.Module+"/tb/"+o.Unit)
}

// Entry is the unit's entry in main.go.
func (o Options) Entry() string { return o.goName() + ".Entry" }

// goMod requires nicgen, and nicgen's own requirements if its source is at hand.
func (o Options) goMod() ([]byte, error) {
	f := &modfile.File{}
	if err := f.AddModuleStmt(o.Module); err != nil {
		return nil, err
	}
	if o.Source == "" {
		if err := f.AddRequire(nicgen, o.Version); err != nil {
			return nil, err
		}
		return f.Format()
	}
	name := filepath.Join(o.Source, goModule)
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	own, err := modfile.Parse(name, b, nil)
	if err != nil {
		return nil, err
	}
	if err := f.AddGoStmt(own.Go.Version); err != nil {
		return nil, err
	}
	f.AddNewRequire(nicgen, unreleased, false)
	if err := f.AddReplace(nicgen, "", filepath.ToSlash(o.Source), ""); err != nil {
		return nil, err
	}
	for _, r := range own.Require {
		f.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
	}
	f.Cleanup()
	return f.Format()
}

// unreleased stands for the version of a module that is replaced by a folder.
const unreleased = "v0.0.0"

// Find returns the origin of nicgen: its source in the folder dir or one above it, or the release
// from which the running program was built. The error explains how to name the source.
func Find(dir string) (source, version string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if IsSource(d) {
			return d, "", nil
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if v := m.Version; m.Path == nicgen && semver.IsValid(v) && !module.IsPseudoVersion(v) && semver.Build(v) == "" {
				return "", v, nil
			}
			if m.Path == nicgen && m.Replace != nil && IsSource(m.Replace.Path) {
				return m.Replace.Path, "", nil
			}
		}
	}
	return "", "", fmt.Errorf("the module needs nicgen's source, which is neither %s nor above it, and this program is no release: name its folder with --nicgen", dir)
}

// IsSource reports whether a folder is the root of nicgen's source.
func IsSource(dir string) bool { return ModuleIn(dir) == nicgen }

// ModuleIn returns the import path of the module with its root in a folder, or "".
func ModuleIn(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, goModule))
	if err != nil {
		return ""
	}
	return modfile.ModulePath(b)
}
