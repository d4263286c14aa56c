// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
)

// Interface is a C interface to a model, for external programs.
type Interface struct {
	Name   string // of the libraries: libNAME.so and libNAME.a; NAME_ is before every function
	Header string // text of NAME.h
	Source string // C++ after the shim, whose functions are for it alone
}

// libraryVersion changes when Library's output for the same texts changes.
const libraryVersion = "library 2"

// LibraryID names everything in this package that can change a library.
func (t *Tools) LibraryID() string { return t.ID() + "\x00" + everyEdge + "\x00" + libraryVersion }

// Library makes the libraries libNAME.so and libNAME.a in folder out from the run-time and the
// verilated model in obj, which has Options.Savable and whose registers act at both edges of the
// clock. Only the interface is visible from outside, so that several libraries fit into one
// program.
func (t *Tools) Library(ctx context.Context, obj string, rt Runtime, glue string, i Interface, out string, o Options) error {
	const api = `#define API extern "C" __attribute__((visibility("default")))`
	if !strings.Contains(shim, api) {
		return fmt.Errorf("the shim does not define its interface as %s: report this as a fault of nicgen", api)
	}
	text := glue + "#line 1 \"shim.cpp\"\n" + strings.Replace(shim, api, "#define API static", 1) +
		"\n#line 1 \"edge.cpp\"\n" + everyEdge + "#include \"verilated_save.cpp\"\n" + i.Source
	scripts := map[string]string{
		i.Name + ".h":   i.Header,
		"exports.map":   "{ global: " + i.Name + "_*; local: *; };\n",
		"exports.names": i.Name + "_*\n",
	}
	for name, s := range scripts {
		if err := os.WriteFile(filepath.Join(obj, name), []byte(s), 0o666); err != nil {
			return err
		}
	}
	if err := t.object(ctx, obj, rt.Header, text, o); err != nil {
		return err
	}
	objects := append([]string{"all.o"}, rt.Objects...)
	shared := append([]string{"-shared", "-Wl,-Bsymbolic,--version-script=exports.map,--gc-sections", "-Wl,-soname,lib" + i.Name + ".so", "-s",
		"-o", filepath.Join(out, "lib"+i.Name+".so")}, objects...)
	if err := t.run(ctx, obj, append(shared, "-pthread", "-latomic", "-ldl")); err != nil {
		return err
	}
	// One object, whose other names are local.
	archive := filepath.Join(out, "lib"+i.Name+".a")
	for _, c := range [][]string{
		append([]string{"ld", "-r", "--force-group-allocation", "-o", "one.o"}, objects...),
		{"objcopy", "--wildcard", "--keep-global-symbols=exports.names", "--strip-debug", "one.o", "lib" + i.Name + ".o"},
		{"ar", "rcsD", archive, "lib" + i.Name + ".o"},
	} {
		path, err := tool.Find(tool.Tool{Name: c[0], Purpose: "static libraries", Install: "apt-get install binutils"})
		if err != nil {
			return err
		}
		cmd := tool.Command(ctx, path, c[1:]...)
		cmd.Dir = obj
		if _, err := tool.Run(ctx, cmd); err != nil {
			return err
		}
	}
	return nil
}
