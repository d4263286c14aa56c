// SPDX-License-Identifier: Apache-2.0

// Package starter makes a Go module outside of nicgen with one small unit that passes every check: the
// first state of somebody's own algorithm. The folder module has its text: it is compiled and tested
// here like any other package, and only names differ in what New returns.
package starter

import (
	"embed"
	"fmt"
	"go/format"
	"go/token"
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
)

// Options say what the module is named and where its nicgen is.
type Options struct {
	Unit   string // snake case: "mark_run"
	Module string // import path: "example.com/mine"
	// Source is the folder of nicgen's source, which the module then uses; empty: Version.
	Source string
	// Version is a released version of nicgen: "v1.2.0".
	Version string
}

// unitName is what a unit may be named.
var unitName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Check returns an error unless the names are usable. taken are the units that the program has.
func (o Options) Check(taken []string) error {
	switch {
	case !unitName.MatchString(o.Unit):
		return fmt.Errorf("unit: found %q, allowed: lower-case words of letters and digits, joined by underscores, such as my_unit", o.Unit)
	case slices.Contains(taken, o.Unit):
		return fmt.Errorf("unit: found %s, which nicgen has already, allowed: another name", o.Unit)
	case token.IsKeyword(o.goName()) || strings.HasSuffix(o.Unit, "_test") || o.Unit == "main":
		return fmt.Errorf("unit: found %s, which Go does not take as the name of a package, allowed: another name", o.Unit)
	}
	if err := module.CheckImportPath(o.Module); err != nil || !strings.Contains(o.Module, "/") {
		return fmt.Errorf("--module: found %q, allowed: an import path such as example.com/mine", o.Module)
	}
	if o.Module == nicgen || strings.HasPrefix(o.Module, nicgen+"/") {
		return fmt.Errorf("--module: found %s, which is nicgen's own, allowed: an import path such as example.com/mine", o.Module)
	}
	return nil
}

func (o Options) goName() string { return strings.ReplaceAll(o.Unit, "_", "") }

// New returns the files of a module, by slash-separated path.
func New(o Options) (map[string][]byte, error) {
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
		file := strings.TrimSuffix(strings.TrimPrefix(name, folder+"/"), ".txt") // of a page, which is none of nicgen's
		files[names.Replace(file)] = b
		return nil
	})
	if err != nil {
		return nil, err
	}
	files[".gitignore"] = []byte("/build/\n/nicgen-out/\n")
	if files[goModule], err = o.goMod(); err != nil {
		return nil, err
	}
	if o.Source != "" {
		files["go.sum"], err = os.ReadFile(filepath.Join(o.Source, "go.sum"))
	}
	return files, err
}

// goMod requires nicgen, and what it requires if its source is at hand.
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

// Find returns where nicgen comes from: its source in the folder dir or one above it, or the release
// that the running program was built from. The error says how to name the source.
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
func IsSource(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, goModule))
	return err == nil && modfile.ModulePath(b) == nicgen
}
