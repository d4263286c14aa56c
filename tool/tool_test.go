// SPDX-License-Identifier: Apache-2.0

package tool

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
	for _, tl := range All() {
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

// A cancelled context ends the program and what the program started.
func TestCommandCancelled(t *testing.T) {
	path := os.Getenv("PATH")
	script(t, "yosys", "PATH="+path+"\nsleep 1000 &\necho $! >$0.pid\nwait")
	file, err := Find(Yosys)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := Run(ctx, Command(ctx, file))
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
	for alive(pid) {
		time.Sleep(time.Millisecond) // hangs the test if the child survives
	}
}

// alive tells whether a process still runs; one that is dead and waits for its
// parent does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(b), ") Z ")
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
