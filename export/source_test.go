// SPDX-License-Identifier: Apache-2.0

package export

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/verilator"
)

// The code of every unit's library, and its self-test, are texts that a compiler takes: the other
// tests compile designs of some units only.
func TestSources(t *testing.T) {
	tools, err := verilator.FindTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fake, err := filepath.Abs("testdata/fake.h")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compile := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%.3000s", args, err, out)
		}
	}
	var all strings.Builder
	fmt.Fprintf(&all, "#include %q\n", fake)
	for i, u := range slices.Concat(registry.Units, registry.Blocks) {
		if sample.LeftOut(i, sample.Turns) {
			continue
		}
		cfg := u.New()
		d, err := describe(cfg, u.New())
		if err != nil {
			t.Error(err)
			continue
		}
		src, err := source(cfg)
		if err != nil {
			t.Fatal(err)
		}
		v := view{unit: d, Version: Version, Follows: u.ByName}
		if v.layout, err = cosim.Ports(src); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"header.h.tmpl", "library.cpp.tmpl", "selftest.c.tmpl"} {
			text, err := v.render(name)
			if err != nil {
				t.Error(err)
			}
			switch name {
			case "header.h.tmpl":
				write(d.Prefix+".h", text)
			case "library.cpp.tmpl":
				// Each in a namespace of its own, for the headers that they need were read before.
				fmt.Fprintf(&all, "#undef GLUE_IN\n#undef GLUE_OUT\n#undef EXPORT\n#undef NICGEN_CODES\n#define GLUE_IN %d\n#define GLUE_OUT %d\nnamespace of_%s {\n%s\n}\n",
					v.layout.InWords, v.layout.OutWords, d.Name, text)
			default:
				write(d.Prefix+".c", text)
			}
		}
		compile("cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", d.Prefix+".c")
	}
	write("all.cc", all.String())
	compile("c++", "-std=gnu++17", "-Wall", "-Wno-subobject-linkage", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-const-variable", "-Werror", "-fsyntax-only", "-I"+tools.Include, "all.cc")
}
