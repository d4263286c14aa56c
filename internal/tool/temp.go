// SPDX-License-Identifier: Apache-2.0

package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
)

// TempDir makes a new folder for temporary files, whose name starts with prefix. The error names
// the folder that TMPDIR sets.
func TempDir(prefix string) (string, error) {
	dir, err := os.MkdirTemp("", prefix)
	if err == nil {
		return dir, nil
	}
	place := os.TempDir()
	info, stat := os.Stat(place)
	why := err.Error()
	switch {
	case errors.Is(stat, fs.ErrNotExist):
		why = "which is not there"
	case stat == nil && !info.IsDir():
		why = "which is a file"
	}
	if os.Getenv("TMPDIR") == "" {
		return "", fmt.Errorf("folder for temporary files: found %s, %s; allowed: a folder that can be written: name one with TMPDIR", place, why)
	}
	return "", fmt.Errorf("TMPDIR: found %s, %s; allowed: a folder that can be written: make it, or unset TMPDIR", place, why)
}

// CommandIn prepares a Command that works in a folder and keeps its temporary files there. The
// program sees that folder as ".": Yosys 0.23 passes file names to ABC without quotes, so that a
// blank in TMPDIR would end one.
func CommandIn(ctx context.Context, dir, path string, args ...string) *exec.Cmd {
	cmd := Command(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR=.")
	return cmd
}
