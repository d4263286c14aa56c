// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a unit that computes windows there is the paper's model.
func TestSimWithoutControllers(t *testing.T) {
	for _, c := range []struct {
		name, args     string
		stdout, stderr string // parts
		code           int
	}{
		{"default", "sim fairness --variant int --beta-bytes 543", "windows by float, seed 1\n", "", Fine},
		{"golden", "sim incast --model golden", "", `--model: found "golden", allowed: float` + "\n", WrongUse},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, messages strings.Builder
			code := Run(t.Context(), append([]string{"nicgen"}, strings.Fields(c.args)...), Env{Stdout: &out, Stderr: &messages})
			if code != c.code || !strings.Contains(out.String(), c.stdout) || !strings.HasSuffix(messages.String(), c.stderr) {
				t.Errorf("code %d, %q, %q; want %d, %q, %q", code, out.String(), messages.String(), c.code, c.stdout, c.stderr)
			}
		})
	}
}

func TestSimInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out, messages strings.Builder
	code := Run(ctx, []string{"nicgen", "sim", "incast", "--csv", filepath.Join(dir, "r.csv")}, Env{Stdout: &out, Stderr: &messages, Units: testUnits()})
	if code != Interrupted || out.Len() > 0 || !strings.Contains(messages.String(), "interrupted: PowerTCP, β 543 B, target 0.95: scenario incast: context canceled") {
		t.Errorf("code %d, %q, %q", code, out.String(), messages.String())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left behind %v, %v", files, err)
	}
}
