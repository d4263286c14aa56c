// SPDX-License-Identifier: Apache-2.0

// Package cxxrtl makes a shared library out of the C++ that Yosys writes for a design:
// Yosys' reading of the SystemVerilog text, before any mapping, simulated by its own
// run-time.
package cxxrtl

import (
	"context"
	_ "embed" // the shim
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/verilator"
)

// Shim is the C++ around a model.
//
//go:embed shim/shim.cpp
var Shim string

// Design is the design to build: files in compile order, and the glue between the ports of
// the top module and vectors.
type Design struct {
	Top          string
	Names, Texts []string
	Params       map[string]string
	Glue         string
}

// mangle is the name that Yosys gives a port or module in C++.
func mangle(name string) string { return "p_" + strings.ReplaceAll(name, "_", "__") }

// helpers move words to inputs and from outputs. A port is a value, or a wire if it is a
// register at the same time.
const helpers = `
template <size_t B> cxxrtl::value<B>& writable(cxxrtl::value<B>& v) { return v; }
template <size_t B> cxxrtl::value<B>& writable(cxxrtl::wire<B>& w) { return w.next; }
template <size_t B> const cxxrtl::value<B>& readable(const cxxrtl::value<B>& v) { return v; }
template <size_t B> const cxxrtl::value<B>& readable(const cxxrtl::wire<B>& w) { return w.curr; }
template <class P> void put(P& port, const uint64_t* v, unsigned shift, unsigned width) {
  auto& to = writable(port);
  for (unsigned i = 0; i < (width + 31) / 32; i++) {
    const unsigned left = width - 32 * i, at = shift + 32 * i;
    uint64_t x = v[at / 64] >> (at % 64);
    to.data[i] = left >= 32 ? uint32_t(x) : uint32_t(x) & ((1u << left) - 1);
  }
}
template <class P> void get(const P& port, uint64_t* v, unsigned shift, unsigned width) {
  auto& from = readable(port);
  for (unsigned i = 0; i < (width + 31) / 32; i++) {
    const unsigned at = shift + 32 * i;
    v[at / 64] |= uint64_t(from.data[i]) << (at % 64);
    if (at % 64 > 32 && width - 32 * i > 64 - at % 64) v[at / 64 + 1] |= uint64_t(from.data[i]) >> (64 - at % 64);
  }
}
`

// Glue writes the C++ that moves the ports to and from vectors.
func Glue(clock verilator.Port, in, out []verilator.Pin, inWords, outWords int) string {
	var b strings.Builder
	b.WriteString(helpers)
	fmt.Fprintf(&b, "#define GLUE_IN %d\n#define GLUE_OUT %d\n", inWords, outWords)
	fmt.Fprintf(&b, "static void glue_clk(Top& t, bool v) { uint64_t x = v; put(t.%s, &x, 0, 1); }\n", mangle(clock.Name))
	b.WriteString("static void glue_in(Top& t, const uint64_t* v) {\n")
	for _, p := range in {
		fmt.Fprintf(&b, "  put(t.%s, v + %d, %d, %d);\n", mangle(p.Name), p.Word, p.Shift, p.Width)
	}
	fmt.Fprintf(&b, "}\nstatic void glue_out(Top& t, uint64_t* v) {\n  for (int i = 0; i < %d; i++) v[i] = 0;\n", outWords)
	for _, p := range out {
		fmt.Fprintf(&b, "  get(t.%s, v + %d, %d, %d);\n", mangle(p.Name), p.Word, p.Shift, p.Width)
	}
	b.WriteString("}\n")
	return b.String()
}

// include finds the run-time's headers, which Debian has in a separate package.
func include(yosys string) (string, error) {
	if real, err := filepath.EvalSymlinks(yosys); err == nil {
		yosys = real
	}
	for _, share := range []string{"share", "../share/yosys"} {
		dir := filepath.Join(filepath.Dir(yosys), share, "include")
		if _, err := os.Stat(filepath.Join(dir, "backends", "cxxrtl", "cxxrtl.h")); err == nil {
			return dir, nil
		}
	}
	missing := tool.Yosys
	missing.Name, missing.Purpose, missing.Install = "cxxrtl.h", "CXXRTL models", "apt-get install yosys-dev"
	return "", &tool.Missing{Tool: missing, Err: os.ErrNotExist}
}

// Build makes the shared library out, with intermediate files in folder dir, by the C++
// compiler cxx and its first arguments.
func Build(ctx context.Context, dir string, d Design, cxx []string, out string) error {
	yosys, err := tool.Find(tool.Yosys)
	if err != nil {
		return err
	}
	headers, err := include(yosys)
	if err != nil {
		return err
	}
	work := filepath.Join(dir, "work")
	for i, name := range d.Names {
		path := filepath.Join(work, "sv", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(d.Texts[i]), 0o666); err != nil {
			return err
		}
	}
	script := "read_verilog -sv"
	for _, name := range d.Names {
		script += " " + filepath.Join("sv", name)
	}
	script += "\nhierarchy -check -top " + d.Top
	keys := make([]string, 0, len(d.Params))
	for k := range d.Params {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		script += " -chparam " + k + " " + d.Params[k]
	}
	// A name that -chparam derives is not the module's own.
	script += "\nrename -top " + d.Top + "\nproc\nflatten\nwrite_cxxrtl -g0 model.cc\n"
	if err := os.WriteFile(filepath.Join(work, "run.ys"), []byte(script), 0o666); err != nil {
		return err
	}
	cmd := tool.Command(ctx, yosys, "-q", "-s", "run.ys")
	cmd.Dir = work
	if _, err := tool.Run(ctx, cmd); err != nil {
		return err
	}
	all := "#include \"model.cc\"\ntypedef cxxrtl_design::" + mangle(d.Top) + " Top;\n" + d.Glue + "#line 1 \"shim.cpp\"\n" + Shim
	if err := os.WriteFile(filepath.Join(work, "all.cc"), []byte(all), 0o666); err != nil {
		return err
	}
	args := append(append([]string{}, cxx[1:]...), "-std=gnu++17", "-O1", "-fPIC", "-fvisibility=hidden", "-w",
		"-I"+headers, "-shared", "-Wl,-Bsymbolic", "all.cc", "-o", out)
	cmd = tool.Command(ctx, cxx[0], args...)
	cmd.Dir = work
	if log, err := tool.Run(ctx, cmd); err != nil {
		var failed *tool.Failed
		if errors.As(err, &failed) {
			failed.Output = log[:min(len(log), 2000)]
		}
		return err
	}
	return os.RemoveAll(work)
}
