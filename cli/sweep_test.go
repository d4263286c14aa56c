// SPDX-License-Identifier: Apache-2.0

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/registry"
)

// Without Slurm, a tool is missing.
func TestSweepWithoutSlurm(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	plan := filepath.Join(dir, "plan.yaml")
	if err := os.WriteFile(plan, []byte("command: reproduce reps-14\nseeds: 1-2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	args := []string{"nicgen", "sweep", plan, "--out", filepath.Join(dir, "out"), "--engine", "slurm"}
	code := cli.Run(t.Context(), args, cli.Env{Stdout: &out, Stderr: &messages, Units: registry.Units})
	if code != cli.BrokenTool || !strings.Contains(messages.String(), "there is no sbatch in PATH") {
		t.Errorf("exit code %d, %q; want %d", code, messages.String(), cli.BrokenTool)
	}
}
