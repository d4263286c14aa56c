// SPDX-License-Identifier: Apache-2.0

package scripts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// farm returns a copy of the scripts of the tests, outside of any repository, with a rota.
func farm(t *testing.T, rota string) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"scripts", "internal/sample"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"test.sh", "account.sh", "extras.sh"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write("scripts/"+name, string(text))
	}
	write("scripts/deps.sh", "#!/bin/sh\necho deps \"$@\"\n")
	write("internal/sample/rota", "# comment 3\n"+rota+"\n")
	// go runs a program that takes a while as the tests of a package, by the program of -exec.
	write("go", `#!/bin/bash
echo "arguments $*, turn $NICGEN_TURN"
[ "$1" = test ] || exit 0
while [ "$1" != -exec ]; do shift; done
mkdir -p tb/x && cd tb/x && "$2" bash -c 'for ((i = 0; i < 100000; i++)); do :; done'
case "$*" in *fail*) exit 7;; esac
`)
	return root
}

// play runs a script of the farm with a turn in the environment, if it is not empty.
func play(t *testing.T, root, turn string, script ...string) (code int, out string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join(root, "scripts", script[0])}, script[1:]...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "GO=" + filepath.Join(root, "go"), "NICGEN_TURN=" + turn}
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// The turn comes from the rota or from the environment. The record has the processor time of the
// package.
func TestTurn(t *testing.T) {
	for _, c := range []struct {
		rota, turn string
		code       int
		args, want string
	}{
		{"5", "", 0, "./tb/x", "Turn 5 of 12."},
		{"5", "15", 0, "./tb/x", "Turn 3 of 12."},
		{"0", "", 7, "./fail", "Turn 0 of 12."},
	} {
		root := farm(t, c.rota)
		code, out := play(t, root, c.turn, "test.sh", "build", "-short", c.args)
		if code != c.code || !strings.Contains(out, c.want) || !strings.Contains(out, "-pgo=off") {
			t.Errorf("rota %s, environment %q: exit code %d, want %d, and output with %q:\n%s", c.rota, c.turn, code, c.code, c.want, out)
		}
		record, err := os.ReadFile(filepath.Join(root, "build", "test-time.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(record), "\ntb/x ") || !strings.Contains(out, string(record)) {
			t.Errorf("the record does not have the package:\n%s", record)
		}
		account, err := os.ReadFile(filepath.Join(root, ".cache", "nicgen", "account.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		if f := strings.Split(strings.TrimSuffix(string(account), "\n"), "\t"); len(f) != 4 || f[0] != "" || f[2] == "0.000" || f[3] != "tb/x" {
			t.Errorf("the account is %q, want nothing, two times and tb/x", account)
		}
	}
}

// Every program has a turn, and its requirements are checked first.
func TestExtras(t *testing.T) {
	seen := map[string]bool{}
	for _, turn := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"} {
		code, out := play(t, farm(t, turn), "", "extras.sh", "build", "turn")
		if code != 0 {
			t.Errorf("turn %s: exit code %d\n%s", turn, code, out)
		}
		if name, ok := strings.CutPrefix(strings.SplitN(out, "\n", 2)[0], "extras: "); ok && !strings.HasPrefix(name, "none") {
			seen[name] = true
		}
	}
	for _, name := range []string{"cocotb", "ns3", "slurm", "verilators", "yosys", "vet"} {
		if !seen[name] {
			t.Errorf("%s has no turn", name)
		}
	}
	if code, out := play(t, farm(t, "0"), "", "extras.sh", "build", "slurm", "vet", "yosys"); code != 0 ||
		!strings.Contains(out, "deps --tests --slurm\n") || !strings.Contains(out, "-tags extras -short -timeout 20m -run ^TestSlurm$ ./cli,") || !strings.Contains(out, "deps --tests --yosys\n") ||
		!strings.Contains(out, "vet -tags extras ./...") {
		t.Errorf("exit code %d, want both programs installed and tested:\n%s", code, out)
	}
	for _, args := range [][]string{{"build"}, {"build", "tea"}} {
		if code, out := play(t, farm(t, "0"), "", append([]string{"extras.sh"}, args...)...); code != 2 || !strings.Contains(out, "want") {
			t.Errorf("%v: exit code %d, want 2:\n%s", args, code, out)
		}
	}
}
