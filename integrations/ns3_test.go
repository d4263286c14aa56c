// SPDX-License-Identifier: Apache-2.0

//go:build extras

// Package integrations tests the examples for other simulators.
package integrations

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The example as `make ns3` has it, with short messages: RTL and golden models give the same files,
// REPS is over before the others and loses the fewest packets.
func TestNS3(t *testing.T) {
	work := t.TempDir()
	run := func(env []string, name string, args ...string) (string, int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = "..", append(os.Environ(), env...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return out.String(), cmd.ProcessState.ExitCode()
	}
	nicgen, program := filepath.Join(work, "nicgen"), filepath.Join(work, "leafspine")
	if text, code := run(nil, "go", "build", "-o", nicgen, "."); code != 0 {
		t.Fatal(text)
	}
	text, code := run(nil, "integrations/ns3/build.sh", nicgen, work, "--packets=200", "--fail-at=20", "--fail-for=60")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	over, timeouts := map[string]float64{}, map[string]float64{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+) +powertcp +permutation +last message over at ([\d.]+) us, .* (\d+) timed out$`).FindAllStringSubmatch(text, -1) {
		over[m[1]], _ = strconv.ParseFloat(m[2], 64)
		timeouts[m[1]], _ = strconv.ParseFloat(m[3], 64)
	}
	if len(over) != 3 {
		t.Fatalf("the example says\n%s", text)
	}
	for _, other := range []string{"one", "random"} {
		if over["reps"] >= over[other] || timeouts["reps"] == 0 || timeouts["reps"] >= timeouts[other] {
			t.Errorf("REPS is over at %v us with %v packets lost, %s at %v us with %v", over["reps"], timeouts["reps"], other, over[other], timeouts[other])
		}
	}
	svg, err := os.ReadFile(filepath.Join(work, "ports.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(svg, []byte("leaf 0 to spine 3")) {
		t.Error("the plot does not name the port to spine 3")
	}

	// The engine is the requested one, and it returns the library's errors.
	text, code = run([]string{"NICGEN_GOLDEN=" + filepath.Join(work, "none.so")}, program, "--engine=golden", "--packets=1")
	if code != 1 || !strings.HasPrefix(text, "leafspine: no golden model: ") {
		t.Errorf("without a golden model: exit code %d\n%s", code, text)
	}
	for _, c := range []struct{ arg, want string }{
		{"--engine=fast", "leafspine: --engine: found fast, allowed: both, golden, rtl\n"},
		{"--paths=two", "leafspine: --paths: found two, allowed: one, random, reps\n"},
		{"--leaves=1", "leafspine: found a network of other than 2 to 200 leaves, and 1 to 200 spines and hosts a leaf\n"},
		{"--packets=0", "leafspine: --packets: found another number than 1 to 10000000\n"},
		{"--gbps=400000", "leafspine: a window of 8 MB is more than PowerTCP has\n"},
	} {
		if text, code := run(nil, program, c.arg); code != 2 || text != c.want {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", c.arg, code, c.want, text)
		}
	}
	if text, code := run(nil, program, "--limit=0.01"); code != 1 || text != "leafspine: 16 messages are not over after 0.01 ms\n" {
		t.Errorf("a limit that is too short: exit code %d\n%s", code, text)
	}
}
