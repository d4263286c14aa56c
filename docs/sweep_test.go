// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/registry"
)

// The plan of sweep.md, the same as flags, and the example of the command's help are grids of what the unit has.
func TestSweepExamples(t *testing.T) {
	text, err := os.ReadFile("sweep.md")
	if err != nil {
		t.Fatal(err)
	}
	nicgen := func(args ...string) string {
		t.Helper()
		var out, messages bytes.Buffer
		if code := cli.Run(t.Context(), append([]string{"nicgen"}, args...), cli.Env{Stdout: &out, Stderr: &messages, Units: registry.Units}); code != cli.Fine {
			t.Fatalf("%s: exit code %d: %s", args, code, messages.String())
		}
		return out.String()
	}
	inline := regexp.MustCompile(`(?m)^ *nicgen (sweep --seeds .* -- .*)$`)
	find := func(where, text string, pattern *regexp.Regexp) string {
		t.Helper()
		m := pattern.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("%s has nothing like %s", where, pattern)
		}
		return m[1]
	}
	dry := func(command string) string {
		return nicgen(strings.Fields(strings.Replace(command, "sweep ", "sweep --dry-run ", 1))...)
	}
	plan := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(plan, []byte(find("sweep.md", string(text), regexp.MustCompile("(?s)```yaml\n(.*?)```"))), 0o644); err != nil {
		t.Fatal(err)
	}
	runs := nicgen("sweep", plan, "--dry-run")
	if got := dry(find("sweep.md", string(text), inline)); got != runs {
		t.Errorf("the flags give\n%swant what the plan gives\n%s", got, runs)
	}
	runs += dry(find("the help", nicgen("sweep", "--help"), inline))
	tried := map[string]bool{}
	for _, m := range regexp.MustCompile(`--unit (\S+).* --set=(\S+)`).FindAllStringSubmatch(runs, -1) {
		if unit, set := m[1], m[2]; !tried[unit+set] {
			tried[unit+set] = true
			nicgen("emit", "--unit", unit, "--set", set, "--out", t.TempDir(), "--quiet")
		}
	}
	if len(tried) < 2 {
		t.Errorf("%d values of parameters, want a grid", len(tried))
	}
}
