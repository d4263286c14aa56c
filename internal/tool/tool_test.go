// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script puts a program of the given name on an otherwise empty PATH.
func script(t *testing.T, name, body string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

func TestFindMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, tl := range []Tool{Verilator, GXX, Yosys, ABC, GTKWave} {
		_, err := Find(tl)
		var m *Missing
		if !errors.As(err, &m) || m.Name != tl.Name {
			t.Fatalf("%s: got %v, want a *Missing", tl.Name, err)
		}
		want := tl.Name + " not found, needed for " + tl.Purpose + ": install it with: " + tl.Install
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, c := range []struct {
		name, body, want, err string
	}{
		{"first line", "echo Yosys 9.9\necho more", "Yosys 9.9", ""},
		{"nothing", "exit 0", "", ""},
		{"fails", "echo broken >&2\nexit 3", "broken", "exit status 3\nbroken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			script(t, "yosys", c.body)
			got, err := Version(t.Context(), Yosys)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			var f *Failed
			switch {
			case c.err == "" && err != nil:
				t.Errorf("got error %v", err)
			case c.err != "" && (!errors.As(err, &f) || !strings.HasSuffix(err.Error(), c.err)):
				t.Errorf("got error %v, want one ending in %q", err, c.err)
			}
		})
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"a\nb\nc\n", 2, "b\nc"}, {"a", 2, "a"}, {"", 1, ""}} {
		if got := Tail(c.text, c.n); got != c.want {
			t.Errorf("Tail(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

// Each run of a program leaves one line, also one that fails; without a file to write to,
// nothing happens.
func TestAccount(t *testing.T) {
	file := filepath.Join(t.TempDir(), "account.tsv")
	script(t, "yosys", "exit 3")
	t.Setenv(AccountEnv, filepath.Join(t.TempDir(), "missing", "folder"))
	_, _ = Version(t.Context(), Yosys)
	t.Setenv(AccountEnv, file)
	_, _ = Version(t.Context(), Yosys)
	_, _ = Version(t.Context(), Yosys)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2: %q", len(lines), text)
	}
	for _, l := range lines {
		var wall, cpu float64
		if n, err := fmt.Sscanf(l, "yosys\t%f\t%f", &wall, &cpu); n != 2 || err != nil || wall <= 0 {
			t.Errorf("line %q, want the name, the time and the processor's time", l)
		}
	}
}

// A program of the virtual environment goes before the one on the PATH, and is found from
// every folder below.
func TestFindPackaged(t *testing.T) {
	script(t, "python3", "")
	root := t.TempDir()
	below := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(below, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(below)
	path, err := FindPackaged(Python)
	if want := filepath.Join(os.Getenv("PATH"), "python3"); err != nil || path != want {
		t.Errorf("without an environment: got %s, %v, want %s", path, err, want)
	}
	want := filepath.Join(root, Environment, "bin", "python3")
	if err := os.MkdirAll(filepath.Dir(want), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(want, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := FindPackaged(Python); err != nil || path != want {
		t.Errorf("with an environment: got %s, %v, want %s", path, err, want)
	}
	if err := os.RemoveAll(filepath.Join(root, "build")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", root)
	var m *Missing
	if _, err := FindPackaged(Python); !errors.As(err, &m) || m.Name != Python.Name {
		t.Errorf("without Python: got %v, want a *Missing", err)
	}
}
