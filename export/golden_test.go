// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/export"
	"github.com/nicgen/nicgen/internal/sample"
)

// The golden models behind the same calls: the self-test of units with a table of events drives
// RTL, model and both, with snapshots of each.
//
// To compile the models for C takes a minute after each change of a package that all of them
// use: short tests do that every twelfth time.
func TestGoldenLibrary(t *testing.T) {
	if sample.LeftOut(t.Name()) {
		return
	}
	units := []string{"reps", "spray", "plb", "laps_pick", "reps_detector", "powertcp", "nic_gate", "nic_lookup", "dcsim_source", "dcsim_port", "dcsim_responder", "laps_rate", "laps_loss", "laps", "nic_echo"}
	if testing.Short() {
		units = units[:2]
	}
	args := []string{"export", "--out", t.TempDir()}
	for _, u := range units {
		args = append(args, "--unit", u)
	}
	out := args[2]
	if text, code := nicgen(t, args...); code != cli.Fine {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	defer t.Run("Shared", func(t *testing.T) { testShared(t, out) })
	for _, u := range units {
		t.Run(u, func(t *testing.T) {
			folder := filepath.Join(out, export.Folder(u))
			lib, program := filepath.Join(folder, "lib"), filepath.Join(t.TempDir(), "selftest")
			link := []string{"-I" + filepath.Join(folder, "include"), "-L" + lib, "-l" + export.Folder(u), "-Wl,-rpath," + lib}
			run(t, nil, "cc", append([]string{"-std=c99", "-Wall", "-Wextra", "-Werror", filepath.Join(folder, "selftest.c"), "-o", program}, link...)...)
			lines := strings.Split(run(t, nil, program, "both"), "\n")
			if len(lines) != 4 {
				t.Fatalf("the self-test says\n%s", strings.Join(lines, "\n"))
			}
			digest := func(line string) string { return line[strings.LastIndex(line, " "):] }
			// Of nic_lookup's answer to a write only the error counts: the model shows no more, and the third
			// run compares the rest in every cycle.
			if digest(lines[0]) != digest(lines[2]) || u != "nic_lookup" && digest(lines[0]) != digest(lines[1]) {
				t.Errorf("the engines differ:\n%s", strings.Join(lines, "\n"))
			}
			// A recording is repeated: the same cycles, and outputs as they were.
			file := filepath.Join(t.TempDir(), "a.replay")
			cycles := strings.TrimPrefix(run(t, nil, program, "record", file), "nicgen_"+u+": ")
			text, code := nicgen(t, "replay", "--out", filepath.Join(t.TempDir(), "out"), file)
			if want := "PASS " + u + " seed 1: " + strings.TrimSpace(cycles) + ", "; code != cli.Fine || !strings.Contains(text, want) || !strings.Contains(text, "the recorded outputs equal the golden model's") {
				t.Errorf("exit code %d, want 0 and %q\n%s", code, want, text)
			}
			if u != "reps" {
				return
			}
			host := filepath.Join(t.TempDir(), "host")
			run(t, nil, "c++", append([]string{"-std=c++17", "examples/host.cpp", "-o", host}, link...)...)
			if rtl, both := run(t, nil, host), run(t, nil, host, "both"); rtl != both {
				t.Errorf("the host says\n%swith the golden model\n%s", rtl, both)
			}
			explain := filepath.Join(t.TempDir(), "explain")
			run(t, nil, "cc", append([]string{"-std=c99", "-Wall", "-Wextra", "-Werror", "testdata/explain.c", "-o", explain}, link...)...)
			ev, text, _ := strings.Cut(run(t, nil, explain), "\n")
			if want := "ACK on connection 3, NIC port 0: valid 1, filled 2, head 2, explore "; ev != "10" || !strings.Contains(text, want) || !strings.Contains(text, "frozen true until ") || !strings.Contains(text, "EVs 10 [12] >- ") {
				t.Errorf("EV %s, want 10, and the golden model says\n%s\nwant %s", ev, text, want)
			}
			// Deferred cycles, run in a batch, equal cycles run immediately.
			ahead, late := filepath.Join(t.TempDir(), "ahead"), filepath.Join(t.TempDir(), "late.replay")
			run(t, nil, "cc", append([]string{"-std=c99", "-Wall", "-Wextra", "-Werror", "testdata/ahead.c", "-o", ahead}, link...)...)
			cycles = strings.TrimSpace(run(t, nil, ahead, late))
			text, code = nicgen(t, "replay", "--out", filepath.Join(t.TempDir(), "out"), late)
			if want := "PASS reps seed 5: " + cycles + " cycles, "; code != cli.Fine || !strings.Contains(text, want) {
				t.Errorf("exit code %d, want 0 and %q\n%s", code, want, text)
			}
			// A file that is no library is an error.
			other := filepath.Join(t.TempDir(), "other.so")
			if err := os.WriteFile(other, []byte("nothing"), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(context.Background(), program, "both")
			cmd.Env = append(os.Environ(), "NICGEN_GOLDEN="+other)
			if text, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(text), "no golden model: ") {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}

// testShared has two units in one program, each with its copy of the golden models' library: it is
// loaded once. A static program finds one in its own folder.
func testShared(t *testing.T, out string) {
	golden, err := os.ReadFile(filepath.Join(out, export.Folder("golden"), "lib", export.GoldenName))
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	shared, static := []string{"-o", filepath.Join(work, "shared")}, []string{"-o", filepath.Join(work, "static")}
	var archives []string
	for _, u := range []string{"reps", "spray"} {
		folder := filepath.Join(out, export.Folder(u))
		lib, include := filepath.Join(folder, "lib"), "-I"+filepath.Join(folder, "include")
		if err := os.WriteFile(filepath.Join(lib, export.GoldenName), golden, 0o777); err != nil {
			t.Fatal(err)
		}
		shared = append(shared, include, "-L"+lib, "-Wl,-rpath,"+lib, "-l"+export.Folder(u))
		static = append(static, include)
		archives = append(archives, filepath.Join(lib, "lib"+export.Folder(u)+".a"))
	}
	if err := os.WriteFile(filepath.Join(work, export.GoldenName), golden, 0o777); err != nil {
		t.Fatal(err)
	}
	run(t, nil, "cc", append([]string{"-std=c99", "testdata/shared.c"}, shared...)...)
	run(t, nil, "cc", append(append(append([]string{"-std=c99", "testdata/shared.c"}, static...), archives...), "-lstdc++", "-latomic", "-ldl", "-lm", "-pthread")...)
	for _, p := range []string{"shared", "static"} {
		if got := run(t, nil, filepath.Join(work, p)); got != "1\n" {
			t.Errorf("%s: golden models' libraries in the program: %swant 1", p, got)
		}
	}
}

// The source is found from any folder in it, and asked for elsewhere.
func TestSource(t *testing.T) {
	here, err := export.Source("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(here, "export", "golden", "golden.go")); err != nil {
		t.Error(err)
	}
}
