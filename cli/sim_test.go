// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without the unit there is nothing that hosts could have, whatever the model.
func TestSimWithoutUnit(t *testing.T) {
	for _, args := range []string{"sim fairness --variant int --beta-bytes 543", "sim incast --model float"} {
		t.Run(args, func(t *testing.T) {
			var out, messages strings.Builder
			code := Run(t.Context(), append([]string{"nicgen"}, strings.Fields(args)...), Env{Stdout: &out, Stderr: &messages})
			if code != WrongUse || out.Len() > 0 || !strings.HasSuffix(messages.String(), "no unit powertcp provides a transport for hosts\n") {
				t.Errorf("code %d, %q, %q", code, out.String(), messages.String())
			}
		})
	}
}

func TestSimInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out, messages strings.Builder
	code := Run(ctx, []string{"nicgen", "sim", "incast", "--csv", filepath.Join(dir, "r.csv")}, Env{Stdout: &out, Stderr: &messages, Units: simUnits()})
	if code != Interrupted || out.Len() > 0 || messages.String() != "error: interrupted\n" {
		t.Errorf("code %d, %q, %q", code, out.String(), messages.String())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left behind %v, %v", files, err)
	}
}
