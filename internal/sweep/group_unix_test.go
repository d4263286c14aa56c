// SPDX-License-Identifier: Apache-2.0

//go:build unix

package sweep_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A run is not in the group that gets a terminal's Ctrl-C: it has one signal, from the sweep.
func TestOwnGroup(t *testing.T) {
	prog, dir := program(t)
	if err := os.WriteFile(filepath.Join(dir, "eight"), []byte(`ps -o pgid= -p $$ > "$dir/group"`), 0o644); err != nil {
		t.Fatal(err)
	}
	s, p, tasks := open(t, plan)
	if err := s.Run(t.Context(), prog, p, &tasks[1]); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "group"))
	if err != nil {
		t.Fatal(err)
	}
	group, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || group == syscall.Getpgrp() {
		t.Errorf("the run is in group %d, %v; want one that is not the sweep's, %d", group, err, syscall.Getpgrp())
	}
}

// Neither is sbatch, which would seem to say that elements failed.
func TestSlurmGroup(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\nps -o pgid= -p $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	s, _, _ := open(t, plan)
	group := ""
	if err := s.Slurm(t.Context(), "", func(text string) { group = strings.TrimSpace(text) }); err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(group); err != nil || n == syscall.Getpgrp() {
		t.Errorf("sbatch is in group %q, %v; want one that is not the sweep's, %d", group, err, syscall.Getpgrp())
	}
}
