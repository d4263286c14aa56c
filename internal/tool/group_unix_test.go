// SPDX-License-Identifier: Apache-2.0

//go:build unix

package tool

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A cancelled context ends the program and its child processes.
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

// alive reports whether a process still runs; a zombie does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(b), ") Z ")
}
