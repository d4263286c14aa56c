// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/registry"
)

// nicgen runs the command and returns its output on both streams and its exit code.
func nicgen(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code := cli.Run(context.Background(), append([]string{"nicgen"}, args...), cli.Env{Stdout: &out, Stderr: &out, Units: registry.Units})
	return out.String(), code
}

// run runs a program and returns its output.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// The library of REPS, as a user without Go has it: self-test, package files, examples in three
// languages, and a host that takes it up in three calls. make deps-tests installs its requirements:
// pkg-config, cmake, rustc.
func TestLibrary(t *testing.T) {
	out := t.TempDir()
	args := []string{"export", "--unit", "reps", "--connections", "16", "--rtl-only", "--out", out}
	if text, code := nicgen(t, args...); code != cli.Fine {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	if text, code := nicgen(t, args...); code != cli.Fine || !strings.HasSuffix(text, ": all 10 files are up to date\n") {
		t.Errorf("again: exit code %d\n%s", code, text)
	}
	folder, work := filepath.Join(out, "nicgen_reps"), t.TempDir()
	lib := filepath.Join(folder, "lib")
	link := []string{"-I" + filepath.Join(folder, "include"), "-L" + lib, "-lnicgen_reps", "-Wl,-rpath," + lib}
	program := func(name string) string { return filepath.Join(work, name) }
	strict := []string{"-pedantic", "-Wall", "-Wextra", "-Werror"}
	selftest := filepath.Join(folder, "selftest.c")

	t.Run("SelfTest", func(t *testing.T) {
		run(t, nil, "cc", append(append([]string{"-std=c99", selftest, "-o", program("selftest")}, strict...), link...)...)
		first := run(t, nil, program("selftest"))
		// The static library is the same.
		run(t, nil, "cc", "-std=c99", selftest, "-I"+filepath.Join(folder, "include"), filepath.Join(lib, "libnicgen_reps.a"),
			"-lstdc++", "-latomic", "-ldl", "-lm", "-pthread", "-o", program("static"))
		if second := run(t, nil, program("static")); first != second || !strings.Contains(first, "RTL: 500 events four times") {
			t.Errorf("shared library:\n%sstatic library:\n%s", first, second)
		}
		// Without the golden model's library, its engine is an error that names the remedy.
		out, err := exec.CommandContext(context.Background(), program("selftest"), "both").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "nicgen_reps: new: no golden model: ") || !strings.Contains(string(out), "NICGEN_GOLDEN") {
			t.Errorf("both: %v\n%s", err, out)
		}
	})

	// The golden models' library is searched in the program's folder, not in the working directory.
	t.Run("StaticSearch", func(t *testing.T) {
		var where [2]string
		for i, dir := range []string{work, t.TempDir()} {
			cmd := exec.CommandContext(context.Background(), "sh", "-c", "PATH="+work+":$PATH; exec static both")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if want := program("libnicgen_golden.so") + ": cannot open"; err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%v, want %q in\n%s", err, want, out)
			}
			where[i] = string(out)
		}
		if where[0] != where[1] || strings.Contains(where[0], "./") {
			t.Errorf("from its folder:\n%sfrom elsewhere:\n%s", where[0], where[1])
		}
	})

	t.Run("Names", func(t *testing.T) {
		small := t.TempDir()
		if text, code := nicgen(t, "export", "--unit", "reps", "--connections", "4", "--name", "small", "--rtl-only", "--out", small); code != cli.Fine {
			t.Fatalf("exit code %d\n%s", code, text)
		}
		other := filepath.Join(small, "nicgen_small")
		common := []string{"-std=c99", "testdata/names.c", "-I" + filepath.Join(folder, "include"), "-I" + filepath.Join(other, "include")}
		const want = "16 4\n1 nicgen_small_send: conn is 4, want 0 to 3\nreps reps\n"
		run(t, nil, "cc", append(common, "-L"+lib, "-L"+filepath.Join(other, "lib"), "-lnicgen_reps", "-lnicgen_small",
			"-Wl,-rpath,"+lib+":"+filepath.Join(other, "lib"), "-o", program("shared2"))...)
		run(t, nil, "cc", append(common, filepath.Join(lib, "libnicgen_reps.a"), filepath.Join(other, "lib", "libnicgen_small.a"),
			"-lstdc++", "-latomic", "-ldl", "-lm", "-pthread", "-o", program("static2"))...)
		for _, p := range []string{"shared2", "static2"} {
			if got := run(t, nil, program(p)); got != want {
				t.Errorf("%s says\n%swant\n%s", p, got, want)
			}
		}
	})

	t.Run("Crash", func(t *testing.T) {
		run(t, nil, "cc", append(append([]string{"-std=gnu99", "testdata/crash.c", "-o", program("crash")}, strict...), link...)...)
		file := filepath.Join(work, "crash.replay")
		out, err := exec.CommandContext(context.Background(), program("crash"), file).Output()
		if err == nil {
			t.Fatal("the program did not crash")
		}
		cycles := strings.TrimSpace(string(out))
		text, code := nicgen(t, "replay", "--out", filepath.Join(t.TempDir(), "out"), file)
		if want := "PASS reps seed 3: " + cycles + " cycles, "; code != cli.Fine || !strings.Contains(text, want) || !strings.Contains(text, "read up to its last complete cycle") {
			t.Errorf("exit code %d, want 0 and %q\n%s", code, want, text)
		}
	})

	t.Run("Symbols", func(t *testing.T) {
		for _, c := range [][]string{{"nm", "-D", "--defined-only", filepath.Join(lib, "libnicgen_reps.so")},
			{"nm", "-g", "--defined-only", filepath.Join(lib, "libnicgen_reps.a")}} {
			for _, line := range strings.Split(run(t, nil, c[0], c[1:]...), "\n") {
				if f := strings.Fields(line); len(f) == 3 && !strings.HasPrefix(f[2], "nicgen_reps_") {
					t.Errorf("%s shows %s", filepath.Base(c[3]), f[2])
				}
			}
		}
	})

	t.Run("PackageFiles", func(t *testing.T) {
		flags := run(t, []string{"PKG_CONFIG_PATH=" + filepath.Join(lib, "pkgconfig")}, "pkg-config", "--cflags", "--libs", "nicgen_reps")
		for _, want := range []string{"include", "-lnicgen_reps"} {
			if !strings.Contains(flags, want) {
				t.Errorf("pkg-config says %q, want %s in it", flags, want)
			}
		}
		const lists = "cmake_minimum_required(VERSION 3.13)\nproject(try C CXX)\nfind_package(nicgen_reps WANT REQUIRED)\n" +
			"add_executable(shared SELF)\ntarget_link_libraries(shared nicgen::reps)\n" +
			"add_executable(fixed SELF)\ntarget_link_libraries(fixed nicgen::reps_static)\n"
		write := func(version string) {
			t.Helper()
			text := strings.NewReplacer("SELF", selftest, "WANT", version).Replace(lists)
			if err := os.WriteFile(filepath.Join(work, "CMakeLists.txt"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for _, version := range []string{"1", "3", "2.999", "2.0 EXACT"} {
			write(version)
			cmd := exec.CommandContext(context.Background(), "cmake", "-S", work, "-B", filepath.Join(work, "refused"), "-DCMAKE_PREFIX_PATH="+folder)
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "nicgen_reps-config.cmake, version: ") {
				t.Errorf("version %s: %v\n%s", version, err, out)
			}
		}
		write("2")
		build := filepath.Join(work, "cmake")
		run(t, nil, "cmake", "-S", work, "-B", build, "-DCMAKE_PREFIX_PATH="+folder)
		run(t, nil, "cmake", "--build", build)
		run(t, nil, filepath.Join(build, "shared"))
		run(t, nil, filepath.Join(build, "fixed"))
	})

	t.Run("Examples", func(t *testing.T) {
		run(t, nil, "c++", append(append([]string{"-std=c++11", "examples/example.cpp", "-o", program("example")}, strict...), link...)...)
		want := run(t, nil, program("example"))
		if !regexp.MustCompile(`^(\d+) from 2\n(\d+ from \d\n){3}$`).MatchString(want) {
			t.Errorf("C++ says\n%s", want)
		}
		if got := run(t, nil, "python3", "examples/example.py", folder); got != want {
			t.Errorf("Python says\n%sC++\n%s", got, want)
		}
		header, err := os.ReadFile(filepath.Join(folder, "include", "nicgen_reps.h"))
		if err != nil {
			t.Fatal(err)
		}
		abi := regexp.MustCompile(`#define NICGEN_REPS_ABI (0x[0-9a-f]{8})u`).FindSubmatch(header)
		if abi == nil {
			t.Fatal("no ABI in the header")
		}
		run(t, []string{"NICGEN_REPS_ABI=" + string(abi[1])}, "rustc", "-L", lib, "-C", "link-arg=-Wl,-rpath,"+lib, "-o", program("rust"), "examples/example.rs")
		if got := run(t, nil, program("rust")); got != want {
			t.Errorf("Rust says\n%sC++\n%s", got, want)
		}
	})

	t.Run("ClockExample", func(t *testing.T) {
		run(t, nil, "c++", append(append([]string{"-std=c++11", "examples/clock.cpp", "-o", program("three")}, strict...), link...)...)
		// The first cycle at 1000 ns or after it is number 323, and the EV comes 7 cycles later.
		if got := run(t, nil, program("three")); !regexp.MustCompile(`^1023\.990 ns: EV \d+\n1027\.093 ns: EV \d+\n1030\.196 ns: EV \d+\n$`).MatchString(got) {
			t.Errorf("the example says\n%s", got)
		}
	})

	t.Run("Clock", func(t *testing.T) {
		run(t, nil, "cc", append(append([]string{"-std=c99", "testdata/clock.c", "-o", program("clock")}, strict...), link...)...)
		want, err := os.ReadFile("testdata/clock.txt")
		if err != nil {
			t.Fatal(err)
		}
		got := run(t, nil, program("clock"), work)
		if got != string(want) {
			t.Errorf("the program says\n%swant\n%s", got, want)
		}
		testClocked(t, filepath.Join(work, "events.txt"))
		testRecording(t, filepath.Join(work, "run.replay"), got[strings.LastIndex(got, "\n\n")+2:])
	})

	t.Run("Host", func(t *testing.T) {
		text, err := os.ReadFile("examples/reps_nic.hpp")
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n >= 60 {
			t.Errorf("reps_nic.hpp has %d lines, want fewer than 60", n)
		}
		run(t, nil, "c++", append(append([]string{"-std=c++17", "examples/host.cpp", "-o", program("host")}, strict...), link...)...)
		if got := run(t, nil, program("host")); !regexp.MustCompile(`^random \d+ ns, \d+ packets sent again\nREPS \d+ ns, \d+ packets sent again\n$`).MatchString(got) {
			t.Errorf("the host says\n%s", got)
		}
	})

	t.Run("Cost", func(t *testing.T) {
		run(t, nil, "c++", append(append([]string{"-std=c++17", "examples/cost.cpp", "-o", program("cost")}, strict...), link...)...)
		if got := run(t, nil, program("cost"), "640", work); !regexp.MustCompile(`\nRTL: [\d.]+, [\d.]+, [\d.]+; [\d.]+, [\d.]+, [\d.]+\nrecorded: SEND in a batch [\d.]+ µs, [1-9]\d* bytes a cycle\n$`).MatchString(got) {
			t.Errorf("the program says\n%s", got)
		}
	})

	t.Run("Contract", func(t *testing.T) {
		run(t, nil, "cc", append(append([]string{"-std=c99", "testdata/contract.c", "-pthread", "-o", program("contract")}, strict...), link...)...)
		want, err := os.ReadFile("testdata/contract.txt")
		if err != nil {
			t.Fatal(err)
		}
		if got := run(t, nil, program("contract")); got != string(want) {
			t.Errorf("the program says\n%swant\n%s", got, want)
		}
	})

	t.Run("ForeignFiles", func(t *testing.T) {
		header := filepath.Join(folder, "include", "nicgen_reps.h")
		if err := os.WriteFile(header, []byte("mine\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		text, code := nicgen(t, args...)
		if code != cli.WrongUse || !strings.Contains(text, header+": edited by hand since nicgen wrote it\nnothing was written") {
			t.Errorf("exit code %d\n%s", code, text)
		}
	})
}

// testRecording repeats a recording of a number of cycles, and changed ones.
func testRecording(t *testing.T, name, cycles string) {
	recording, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// A SEND at 1001 ns entered in the cycle at 1002.269 ns, and events that were given for one time in one cycle.
	if !regexp.MustCompile(`(?m)^in \d+ now_ns=0x3ea .*s_send_valid=0x1 `).Match(recording) {
		t.Error("no SEND at 1002 ns")
	}
	if !regexp.MustCompile(`(?m)^in \d+ .*s_ack_valid=0x1 .*s_fail_valid=0x1 .*s_send_valid=0x1 `).Match(recording) {
		t.Error("no cycle has an ACK, a failure and a SEND")
	}
	const sum = "sha256 "
	at := strings.LastIndex(string(recording), sum)
	for _, c := range []struct {
		from, to string
		sealed   bool
		code     int
		want     string
	}{
		{"", "", true, cli.Fine, "PASS reps seed 11: " + strings.TrimSpace(cycles) + ", "},
		{" m_ev=0x1267", " m_ev=0x1266", true, cli.Found, ": output m_ev was recorded as 0x1266, the golden model has 0x1267"},
		{" s_send_random=0x1267", " s_send_random=0x1266", true, cli.Found, ": output m_ev was recorded as 0x1267, the golden model has 0x1266"},
		{" m_ev=0x1267", " m_ev=0x1266", false, cli.WrongUse, "its content has changed"},
		{"\n" + sum, "\n", false, cli.Fine, "has no end mark"},
		{"nicgen replay 1", "nicgen replay 2", false, cli.WrongUse, "version"},
	} {
		text := string(recording)
		if c.sealed {
			text = strings.Replace(text[:at], c.from, c.to, 1)
			text += fmt.Sprintf("%s%x\n", sum, sha256.Sum256([]byte(text)))
		} else {
			text = strings.Replace(text, c.from, c.to, 1)
		}
		if c.from != "" && text == string(recording) {
			t.Errorf("%q is not in the recording", c.from)
		}
		file := filepath.Join(t.TempDir(), "changed.replay")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, code := nicgen(t, "replay", "--out", filepath.Join(t.TempDir(), "out"), file); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%q for %q: exit code %d, want %d and %q\n%s", c.to, c.from, code, c.code, c.want, out)
		}
	}
}

// Bad input is refused before anything is compiled.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "error: export: name at least one unit with --unit: a library takes a while to compile\n"},
		{[]string{"--unit", "rep"}, "unknown unit rep"},
		{[]string{"--unit", "reps", "--optimize", "4"}, "error: --optimize: found 4, allowed: 1 to 3\n"},
		{[]string{"--unit", "reps", "--connections", "0"}, "connections"},
		{[]string{"--unit", "reps", "--name", "plb"}, "--name: found plb, which is the name of another library"},
		{[]string{"--unit", "reps", "--name", "golden"}, "--name: found golden, which is the name of another library"},
		{[]string{"--unit", "reps", "--name", "My-NIC"}, `--name: found "My-NIC", allowed: a word of lower-case letters`},
		{[]string{"--unit", "reps", "--unit", "plb", "--name", "mine"}, "--name: found 2 units, allowed: one"},
	} {
		if text, code := nicgen(t, append([]string{"export", "--rtl-only", "--out", filepath.Join(t.TempDir(), "out")}, c.args...)...); code != cli.WrongUse || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit code %d, want 2 and %q\n%s", c.args, code, c.want, text)
		}
	}
}
