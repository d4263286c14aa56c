// SPDX-License-Identifier: Apache-2.0

// Package verilator turns SystemVerilog into a shared library with a small C interface: it finds
// the tools, chooses their flags, and holds the C++ around a model. The caller decides where
// results are kept.
package verilator

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nicgen/nicgen/internal/tool"
)

//go:embed shim/shim.cpp
var shim string

//go:embed shim/edge.cpp
var everyEdge string

//go:embed shim/hooks.h
var hooks string

// Tools are the programs that build a model, found once per process.
type Tools struct {
	Verilator string   // path of the program
	Version   string   // version that it reports
	Number    int      // its version: 5006 is 5.006, 0 is unknown
	Include   string   // folder of verilated.h
	CXX       []string // the C++ compiler and the arguments that come with it
	CXXName   string   // version that the compiler reports
	clang     bool
}

// found caches version lines of programs: asking costs a process.
var found sync.Map // of a program's path, size and time of change to its text

// ask runs a program and returns its first line of output; it runs the program once for each state
// of its file.
func ask(ctx context.Context, path string, args ...string) (string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := fmt.Sprint(path, st.Size(), st.ModTime().UnixNano(), args)
	if s, ok := found.Load(key); ok {
		return s.(string), nil
	}
	out, err := tool.Run(ctx, tool.Command(ctx, path, args...))
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	found.Store(key, line)
	return line, nil
}

// FindTools looks for Verilator and a C++ compiler on the PATH; the variable CXX, which may contain
// arguments, has precedence over g++, and g++ over clang++. The error is a *tool.Missing, a
// *tool.Failed or the context's own.
func FindTools(ctx context.Context) (*Tools, error) {
	t := &Tools{}
	var err error
	if t.Verilator, err = tool.Find(tool.Verilator); err != nil {
		return nil, err
	}
	root, err := ask(ctx, t.Verilator, "--getenv", "VERILATOR_ROOT")
	if err != nil {
		return nil, err
	}
	t.Include = filepath.Join(root, "include")
	if t.Version, t.Number, err = version(ctx, t.Verilator, t.Include); err != nil {
		return nil, err
	}

	if t.CXX, t.CXXName, err = Compiler(ctx); err != nil {
		return nil, err
	}
	t.clang = strings.Contains(t.CXXName, "clang")
	return t, nil
}

// Compiler returns the C++ compiler with its arguments, and its version line: the compiler in CXX,
// or else g++, or else clang++. The error is a *tool.Missing, a *tool.Failed or the context's own.
func Compiler(ctx context.Context) (command []string, name string, err error) {
	candidates := []tool.Tool{tool.GXX, tool.Clang}
	if cxx := strings.Fields(os.Getenv("CXX")); len(cxx) > 0 {
		candidates, command = []tool.Tool{chosen(cxx[0])}, cxx[1:]
	}
	path := ""
	for _, t := range candidates {
		p, bad := exec.LookPath(t.Name)
		if bad == nil {
			path, err = p, nil
			break
		}
		if err == nil {
			err = &tool.Missing{Tool: t, Err: bad}
		}
	}
	if err != nil {
		return nil, "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, "", err
	}
	name, err = ask(ctx, path, append(slices.Clone(command), "--version")...)
	return append([]string{path}, command...), name, err
}

// chosen returns the compiler that CXX names.
func chosen(name string) tool.Tool {
	t := tool.Tool{Name: name, Purpose: "co-simulation, as CXX names it", Install: tool.GXX.Install + "; then unset CXX"}
	for _, known := range []tool.Tool{tool.GXX, tool.Clang} {
		if suffix, ok := strings.CutPrefix(filepath.Base(name), known.Name); ok { // g++-12
			t.Install = known.Install + suffix
			break
		}
	}
	return t
}

// ID names everything about the tools that can change a result.
func (t *Tools) ID() string {
	return strings.Join([]string{t.Version, t.CXXName, strings.Join(t.CXX, " "), t.Include, shim, hooks, glueVersion}, "\x00")
}

// RuntimeID names everything that can change the run-time that models share.
func (t *Tools) RuntimeID(o Options) string {
	return strings.Join(append(t.cxxFlags(o), t.Version, t.CXXName, strings.Join(t.CXX, " "), hooks, pch), "\x00")
}

// Trace is the kind of waveform that a model can write.
type Trace string

// The kinds of waveform. A model built for one is hardly slower while none is
// being written.
const (
	NoTrace Trace = ""
	FST     Trace = "fst" // compact, slow to write
	VCD     Trace = "vcd" // text
)

// Options choose a variant of a model.
type Options struct {
	Trace    Trace
	Coverage bool // count executed lines
	Optimize int  // the compiler's -O, 1 to 3; 0 means a faster compilation at -O1, see quick
	Netlist  bool // the text comes from a synthesis tool: no lint, and without the optimisations that go wrong on netlists
	State    bool // the design becomes one module, whose variables Variables lists: a configuration among its files names those to keep
	Savable  bool // a model can be written to bytes and read again; needs no other run-time
}

// netlistVersion changes with how netlists are compiled.
const netlistVersion = "netlist 1"

// Key names the options in a cache key.
func (o Options) Key() string {
	key := fmt.Sprintf("trace=%s coverage=%t -O%d", o.Trace, o.Coverage, o.level())
	if o.Optimize == 0 {
		key += " " + strings.Join(quick, " ")
	}
	if o.Coverage {
		key += " -fno-split"
	}
	if o.Netlist {
		key += " " + netlistVersion
	}
	if o.State {
		key += " " + stateVersion
	}
	if o.Savable {
		key += " savable"
	}
	return key
}

// level returns the optimization level, 1 by default: 2 takes twice the time to compile, and the model
// is hardly faster.
func (o Options) level() int {
	if o.Optimize == 0 {
		return 1
	}
	return o.Optimize
}

// quick disables passes of g++ whose time grows with the square of a function's length: without
// them, nic_transport compiles in little more than half the time, and its model runs 4 % slower.
// docs/testing.md has the measurements.
var quick = []string{"-fno-tree-dominator-opts", "-fno-tree-dse", "-fno-tree-fre", "-fno-tree-pta", "-fno-tree-sink"}

// Check refuses options that do not exist.
func (o Options) Check() error {
	switch o.Trace {
	case NoTrace, FST, VCD:
	default:
		return fmt.Errorf("waveform format %q, want fst or vcd", o.Trace)
	}
	if o.Optimize < 0 || o.Optimize > 3 {
		return fmt.Errorf("optimization level %d, want 1 to 3, or 0 for a quick compilation", o.Optimize)
	}
	return nil
}

// verilatorFlags returns the arguments of verilator that do not name the design. Assertions are on;
// undefined values of the RTL are random; the time of a waveform is in nanoseconds. A warning is an
// error in a tested release: another one may have unknown warnings.
func (t *Tools) verilatorFlags(o Options) []string {
	f := []string{"--cc", "-O3", "--assert", "--x-assign", "unique", "--x-initial", "unique",
		"--prefix", "Vm", "--timescale-override", "1ns/1ns"}
	if o.Netlist {
		// Verilator 5.006 miscompiles netlists with these optimisations.
		f = append(f, "-Wno-lint", "-Wno-style", "-Wno-fatal", "-fno-dfg", "-fno-const-bit-op-tree")
	} else {
		f = append(f, "-Wall")
		if !IsTested(t.Number) {
			f = append(f, "-Wno-fatal")
		}
	}
	switch o.Trace {
	case FST:
		f = append(f, "--trace-fst", "--trace-structs")
	case VCD:
		f = append(f, "--trace", "--trace-structs")
	}
	if o.Coverage {
		// Verilator 5.006 moves a counter of a branch whose condition calls a function before the
		// call when it splits blocks, and it then counts nothing.
		f = append(f, "--coverage-line", "--coverage-user", "-fno-split")
	}
	if o.State {
		f = append(f, "--flatten")
	}
	if o.Savable {
		f = append(f, "--savable")
	}
	return f
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// cxxFlags returns the compiler's arguments for every translation unit of an optimization level; a
// precompiled header is only used under equal ones. Several models live in one process, so
// libraries must not share anything.
func (t *Tools) cxxFlags(o Options) []string {
	f := []string{"-std=gnu++17", "-O" + strconv.Itoa(o.level()), "-fPIC", "-fvisibility=hidden", "-faligned-new", "-w",
		"-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVL_USER_WARN",
		"-I" + t.Include, "-I" + filepath.Join(t.Include, "vltstd")}
	if !t.clang {
		f = append(f, "-fno-gnu-unique")
		if o.Optimize == 0 {
			f = append(f, quick...)
		}
	}
	if runtime.GOARCH == "amd64" {
		f = append(f, "-fcf-protection=none")
	}
	return f
}
