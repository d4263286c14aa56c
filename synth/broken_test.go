// SPDX-License-Identifier: Apache-2.0

//go:build unix

package synth

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nicgen/nicgen/internal/tool"
)

// fakeTool puts a shell script alone on the PATH under the name of a tool.
func fakeTool(t *testing.T, name, body string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return file
}

// scratch makes temporary files land in a folder of the test's, and returns a
// check that nothing is left there.
func scratch(t *testing.T) (empty func()) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return func() {
		t.Helper()
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// ABC reads the names of its files without quotes.
func TestTempDirWithBlanks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "two blanks here")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	for _, flow := range []Flow{NoWideLUT, ABC9} {
		rep, err := Run(t.Context(), Request{Top: "levels", Files: design(t, "levels"), Options: Options{Flow: flow}})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Counts.LUT == 0 {
			t.Errorf("%s: no LUT", flow)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestMissingYosys(t *testing.T) {
	empty := scratch(t)
	t.Setenv("PATH", t.TempDir())
	_, err := Run(t.Context(), Request{Top: "clean", Files: design(t, "clean")})
	var m *tool.Missing
	if !errors.As(err, &m) || !strings.Contains(err.Error(), "apt-get install yosys") {
		t.Errorf("got %v, want a *tool.Missing with the command that installs it", err)
	}
	empty()
}

func TestBrokenYosys(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"fails", "echo out of luck >&2; exit 3", "yosys failed: exit status 3\nout of luck"},
		{"crashes", "kill -SEGV $$", "yosys failed: signal: segmentation fault"},
		{"abc fails", "echo 'ERROR: ABC: execution of command failed'; exit 1", "yosys failed: exit status 1"},
		{"no netlist", "exit 0", "yosys failed: exited without an error, but did not write memories.json"},
		{"bad netlist", "echo '{' >memories.json", "yosys failed: netlist memories.json: unexpected end of JSON input"},
		{"empty netlist", "echo '{}' >memories.json", "yosys failed: netlist memories.json: module clean is missing"},
		{"odd netlist", `echo '{"modules":{"clean":{"cells":7}}}' >memories.json`, "yosys failed: netlist memories.json: json: cannot unmarshal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			empty := scratch(t)
			fakeTool(t, "yosys", "[ \"$1\" != -V ] || exit 0\n"+c.body)
			_, err := Run(t.Context(), Request{Top: "clean", Files: design(t, "clean")})
			var f *tool.Failed
			if !errors.As(err, &f) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want a *tool.Failed: %s", err, c.want)
			}
			empty()
		})
	}
}

func TestBrokenLint(t *testing.T) {
	for _, name := range []string{"yosys", "verilator"} {
		t.Run(name, func(t *testing.T) {
			empty := scratch(t)
			fakeTool(t, name, "echo out of luck >&2; exit 3")
			_, err := Lint(t.Context(), LintRequest{Top: "clean", Files: design(t, "clean")})
			var f *tool.Failed
			if !errors.As(err, &f) || f.Name != name {
				t.Errorf("got %v, want a *tool.Failed of %s", err, name)
			}
			empty()
		})
	}
}

// Cancelling ends Yosys and its child processes, and leaves no files.
func TestCancel(t *testing.T) {
	path := os.Getenv("PATH")
	empty := scratch(t)
	file := fakeTool(t, "yosys", "[ \"$1\" != -V ] || exit 0\nPATH="+path+"\nsleep 1000 &\necho $! >$0.tmp; mv $0.tmp $0.pid\nwait")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := Run(ctx, Request{Top: "clean", Files: design(t, "clean")})
		done <- err
	}()
	var pid int
	for pid == 0 {
		b, _ := os.ReadFile(file + ".pid")
		pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a cancelled context", err)
	}
	empty()
	for { // hangs the test if the child survives
		b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(b), ") Z ") || syscall.Kill(pid, 0) != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}

	if _, err := Run(ctx, Request{Top: "clean", Files: design(t, "clean")}); !errors.Is(err, context.Canceled) {
		t.Errorf("started with a cancelled context: got %v", err)
	}
}
