// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
)

// Design names the modules to compile, within a folder of sources.
type Design struct {
	Top    string
	Files  []string          // in compile order, relative to the folder
	Params map[string]string // of Top, overridden at instantiation
}

// Rejected is the error for a design that Verilator does not accept.
type Rejected struct {
	Top      string
	Log      string // every warning and error, as Verilator words them
	Untested string // that the release is not tested, if so
}

// Error holds Verilator's whole log. A warning is an error in the releases that nicgen
// is tested with.
func (r *Rejected) Error() string {
	how := " (a warning counts as an error)"
	if r.Untested != "" {
		how = " (" + r.Untested + ")"
	}
	return fmt.Sprintf("verilator rejects %s%s:\n%s", r.Top, how, strings.TrimSpace(r.Log))
}

// unusable returns the error for a Verilator whose output nicgen cannot use.
func unusable(what error) *tool.Failed {
	return &tool.Failed{Name: tool.Verilator.Name, Err: fmt.Errorf("%w: nicgen is tested with Verilator %s", what, Tested())}
}

// Verilate translates the design in folder src to C++ in folder obj, and returns the ports of the
// top module, and a line about the warnings of an untested release.
func (t *Tools) Verilate(ctx context.Context, src, obj string, d Design, o Options) (ports []Port, warnings string, err error) {
	ports, warnings, err = t.verilate(ctx, src, obj, d, o)
	var rejected *Rejected
	if errors.As(err, &rejected) {
		if bad := t.try(ctx, obj); bad != nil {
			return nil, "", bad
		}
	}
	return ports, warnings, err
}

// Works tries the Verilator on the PATH on a module that has nothing to reject, in a new folder
// below dir. The error is a *tool.Missing, a *tool.Failed or the context's own.
func Works(ctx context.Context, dir string) error {
	path, err := tool.Find(tool.Verilator)
	if err != nil {
		return err
	}
	return (&Tools{Verilator: path}).try(ctx, filepath.Join(dir, "nicgen"))
}

// try translates a design that has nothing to reject. It returns an error if the Verilator is
// incomplete or does not know nicgen's flags.
func (t *Tools) try(ctx context.Context, obj string) error {
	dir := obj + ".try"
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	const text = "module nicgen_try (\n  input  logic clk,\n  input  logic d,\n  output logic q\n);\n  always_ff @(posedge clk) q <= d;\nendmodule\n"
	if err := os.WriteFile(filepath.Join(dir, "nicgen_try.sv"), []byte(text), 0o666); err != nil {
		return err
	}
	_, _, err := t.verilate(ctx, dir, filepath.Join(dir, "obj"), Design{Top: "nicgen_try", Files: []string{"nicgen_try.sv"}}, Options{})
	var rejected *Rejected
	if errors.As(err, &rejected) {
		failed := unusable(errors.New("it does not take a module of one register"))
		failed.Output = strings.TrimSpace(rejected.Log)
		return failed
	}
	return err
}

func (t *Tools) verilate(ctx context.Context, src, obj string, d Design, o Options) (ports []Port, warnings string, err error) {
	args := append(t.verilatorFlags(o), "--top-module", d.Top, "-Mdir", obj)
	names := make([]string, 0, len(d.Params))
	for n := range d.Params {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		args = append(args, "-G"+n+"="+d.Params[n])
	}
	cmd := tool.Command(ctx, t.Verilator, append(args, d.Files...)...)
	cmd.Dir = src // messages then name the files as the caller does
	out, err := tool.Run(ctx, cmd)
	if err != nil {
		var failed *tool.Failed
		if errors.As(err, &failed) && strings.Contains(out, "%") && !strings.Contains(out, "Internal Error") {
			return nil, "", &Rejected{Top: d.Top, Log: out, Untested: Untested(t.Version, t.Number)}
		}
		return nil, "", err
	}
	header, err := os.ReadFile(filepath.Join(obj, "Vm.h"))
	if err != nil {
		return nil, "", unusable(err)
	}
	if ports, err = Ports(string(header)); err != nil {
		return nil, "", fmt.Errorf("module %s: %w", d.Top, err)
	}
	if !o.Netlist && warningRE.MatchString(out) {
		warnings = summary(out)
	}
	return ports, warnings, nil
}

var globalRE = regexp.MustCompile(`(?m)^[ \t]+(verilated\w*)`)

// Libraries reads which parts of Verilator's run-time the model in obj needs.
func Libraries(obj string) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(obj, "Vm_classes.mk"))
	if err != nil {
		return nil, unusable(err)
	}
	var libs []string
	for _, m := range globalRE.FindAllStringSubmatch(string(b), -1) {
		if m[1] != "verilated_save" { // compiled with the model: see Library
			libs = append(libs, m[1])
		}
	}
	if len(libs) == 0 {
		return nil, unusable(errors.New("no run-time library in Vm_classes.mk, which is written in a new form"))
	}
	return libs, nil
}

// pch is the header that all translation units of a model begin with.
const pch = `#include "verilated.h"
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
`

// Runtime is the part that all models of an optimization level share.
type Runtime struct {
	Header  string   // the folder of pch.h
	Objects []string // Verilator's libraries
}

// BuildHeader writes the header into dir, and for g++ its precompiled form.
func (t *Tools) BuildHeader(ctx context.Context, dir string, o Options) error {
	if err := os.WriteFile(filepath.Join(dir, "pch.h"), []byte(hooks+pch), 0o666); err != nil || t.clang {
		return err
	}
	return t.cxx(ctx, dir, o, "-x", "c++-header", "pch.h", "-o", "pch.h.gch")
}

// BuildObject compiles a library of the run-time into dir, as lib with the suffix .o.
func (t *Tools) BuildObject(ctx context.Context, dir, lib string, o Options) error {
	// A library begins with hundreds of other lines: the precompiled header saves nothing.
	if err := os.WriteFile(filepath.Join(dir, "pch.h"), []byte(hooks+pch), 0o666); err != nil {
		return err
	}
	return t.cxx(ctx, dir, o, "-include", "pch.h", "-c", filepath.Join(t.Include, lib+".cpp"), "-o", lib+".o")
}

// Compile makes the shared library from the verilated model in obj, the glue, the output of
// StateGlue if the model has Options.State, and the run-time.
func (t *Tools) Compile(ctx context.Context, obj string, rt Runtime, glue, state, out string, o Options) error {
	if err := t.object(ctx, obj, rt.Header, glue+"#line 1 \"shim.cpp\"\n"+shim+state, o); err != nil {
		return err
	}
	args := append([]string{"-shared", "-Wl,-Bsymbolic", "-o", out, filepath.Join(obj, "all.o")}, rt.Objects...)
	args = append(args, "-pthread", "-latomic")
	if o.Trace == FST {
		args = append(args, "-lz")
		if _, err := os.Stat(filepath.Join(t.Include, "fstcpp")); err == nil { // from 5.048 on
			args = append(args, "-llz4")
		}
	}
	return t.run(ctx, obj, args)
}

// object compiles the verilated model in obj and the appended text to all.o.
func (t *Tools) object(ctx context.Context, obj, header, text string, o Options) error {
	cpp, err := filepath.Glob(filepath.Join(obj, "*.cpp"))
	if err != nil {
		return err
	}
	var all strings.Builder
	all.WriteString(variant(o))
	for _, f := range cpp {
		include := fmt.Sprintf("#include %q\n", filepath.Base(f))
		if !t.clang && (strings.Contains(f, "__Slow") || strings.Contains(f, "__Syms")) {
			// Code that runs once at power-up takes a fifth of the time of a compilation, half for
			// a netlist.
			include = "#pragma GCC push_options\n#pragma GCC optimize (\"O0\")\n" + include + "#pragma GCC pop_options\n"
		}
		all.WriteString(include)
	}
	all.WriteString("#include \"Vm.h\"\n")
	all.WriteString(text)
	if err := os.WriteFile(filepath.Join(obj, "all.cc"), []byte(all.String()), 0o666); err != nil {
		return err
	}
	if o.Coverage {
		if err := plainCounters(obj); err != nil {
			return err
		}
	}
	return t.cxx(ctx, obj, o, "-include", filepath.Join(header, "pch.h"), "-I.", "-c", "all.cc", "-o", "all.o")
}

// variant defines the symbols by which the shim distinguishes variants. Verilator's run-time does
// not use them: all variants share it.
func variant(o Options) string {
	return fmt.Sprintf("#define VM_COVERAGE %s\n#define VM_TRACE_FST %s\n#define VM_TRACE_VCD %s\n#define VM_TRACE %s\n",
		bit(o.Coverage), bit(o.Trace == FST), bit(o.Trace == VCD), bit(o.Trace != NoTrace))
}

// plainCounters replaces the atomic counters of old Verilators, which make a
// run three times as slow, by plain ones: a model runs in one thread at a time.
func plainCounters(obj string) error {
	files, err := filepath.Glob(filepath.Join(obj, "Vm*.*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		s := strings.ReplaceAll(string(b), "std::atomic<uint32_t>", "PlainCounter")
		if s == string(b) {
			continue
		}
		if err := os.WriteFile(f, []byte(s), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tools) cxx(ctx context.Context, dir string, o Options, args ...string) error {
	return t.run(ctx, dir, append(t.cxxFlags(o), args...))
}

func (t *Tools) run(ctx context.Context, dir string, args []string) error {
	cmd := tool.Command(ctx, t.CXX[0], append(append([]string{}, t.CXX[1:]...), args...)...)
	cmd.Dir = dir
	// Temporary files of a killed compiler are removed with the folder.
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	out, err := tool.Run(ctx, cmd)
	var failed *tool.Failed
	if errors.As(err, &failed) {
		// A compiler's first message explains the others.
		failed.Output = firstErrors(out, 10)
		if m := headerMissing.FindStringSubmatch(out); m != nil {
			failed.Output += fmt.Sprintf("\nwaveforms in FST need it: install it with: apt-get install %s; or choose VCD", libraries[m[1]])
		}
	}
	return err
}

// headerMissing finds the headers of libraries that the writer of FST needs.
var headerMissing = regexp.MustCompile(`fatal error: '?(zlib\.h|lz4\.h)`)

// libraries are the Debian packages of these headers.
var libraries = map[string]string{"zlib.h": "zlib1g-dev", "lz4.h": "liblz4-dev"}

// firstErrors returns n lines of a compiler's output from the first error on.
func firstErrors(out string, n int) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, l := range lines {
		if strings.Contains(l, "error") {
			lines = lines[i:]
			break
		}
	}
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
