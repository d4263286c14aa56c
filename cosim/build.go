// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/verilator"
)

// BuildOptions choose a variant of a model.
type BuildOptions struct {
	Trace    string // "", "fst" or "vcd": the kind of waveform it can write
	Coverage bool   // count executed lines of the RTL
	Optimize int    // the compiler's -O, 1 to 3; 0 compiles fast, for a run of some million cycles
	State    bool   // registers and memories can be read and set: see Instance.State

	Simulator string // one of Simulators; empty means Verilator

	Status func(what string) // told what begins now when that may take long; may be nil
}

func (o BuildOptions) status(format string, args ...any) {
	if o.Status != nil {
		o.Status(fmt.Sprintf(format, args...))
	}
}

// parts lists what a model's entry in the cache says about it.
type parts struct {
	Clock verilator.Port
	Ports []verilator.Port // without the clock, inputs and outputs mixed, in port order
	State []Element        `json:",omitempty"` // of a model built with BuildOptions.State
}

var identRE = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// check refuses a source that cannot be compiled, and completes it.
func (s Source) check() (Source, error) {
	if s.Clock == "" {
		s.Clock = "clk"
	}
	if !identRE.MatchString(s.Top) {
		return s, fmt.Errorf("top module %q is not an identifier", s.Top)
	}
	if len(s.Files) == 0 {
		return s, fmt.Errorf("module %s: no source files", s.Top)
	}
	seen := map[string]bool{}
	for _, f := range append(append([]File{}, s.Files...), s.Bind...) {
		if !filepath.IsLocal(f.Name) || strings.HasPrefix(f.Name, "-") {
			return s, fmt.Errorf("source file %q: want a relative name within the design", f.Name)
		}
		if seen[filepath.Clean(f.Name)] {
			return s, fmt.Errorf("source file %q appears twice", f.Name)
		}
		seen[filepath.Clean(f.Name)] = true
	}
	for n := range s.Params {
		if !identRE.MatchString(n) {
			return s, fmt.Errorf("parameter %q of module %s is not an identifier", n, s.Top)
		}
	}
	return s, nil
}

// Build compiles a design, or takes it from the cache, and loads it. Nothing
// half-built stays when ctx ends. A missing program is a *tool.Missing, one that
// fails a *tool.Failed, and a design that Verilator does not accept a
// *verilator.Rejected, whose log counts warnings as errors.
func Build(ctx context.Context, src Source, o BuildOptions) (*Library, error) {
	src, err := src.check()
	if err != nil {
		return nil, err
	}
	switch o.Simulator {
	case "", Verilator:
	case Icarus, CXXRTL:
		return buildOther(ctx, src, o)
	default:
		return nil, unknownSimulator(o.Simulator)
	}
	vo := verilator.Options{Trace: verilator.Trace(o.Trace), Coverage: o.Coverage, Optimize: o.Optimize, Netlist: src.Netlist, State: o.State}
	if err := vo.Check(); err != nil {
		return nil, err
	}
	root, err := CacheDir()
	if err != nil {
		return nil, err
	}
	tools, err := verilator.FindTools(ctx)
	if err != nil {
		return nil, err
	}
	id, err := json.Marshal(struct {
		Tools, Options string
		Source         Source
	}{tools.ID(), vo.Key(), src})
	if err != nil {
		return nil, err
	}
	var notes []string
	dir, damage, err := cacheEntry(ctx, root, "model", hash(id), func(tmp string) error {
		o.status("compiling %s", src.Top)
		n, err := compile(ctx, root, tmp, tools, src, vo, o.status)
		notes = append(notes, n...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if damage != "" {
		notes = append(notes, damage)
	}
	b, err := os.ReadFile(filepath.Join(dir, "ports.json"))
	if err != nil {
		return nil, fmt.Errorf("cache entry: %w", err)
	}
	var p parts
	if err := json.Unmarshal(b, &p); err != nil {
		return nil, fmt.Errorf("cache entry: ports.json: %w", err)
	}
	layout, err := p.layout()
	if err != nil {
		return nil, err
	}
	l, err := load(filepath.Join(dir, "model.so"), layout)
	if err != nil {
		return nil, err
	}
	l.src, l.notes = src, notes
	if o.State {
		if err := l.loadState(p.State); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

func hash(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// compile fills a cache entry: model.so and ports.json.
func compile(ctx context.Context, root, tmp string, tools *verilator.Tools, src Source, o verilator.Options, status func(string, ...any)) (notes []string, err error) {
	v, notes, err := translate(ctx, root, tmp, tools, src, o, status)
	if err != nil {
		return notes, err
	}
	state := ""
	if o.State {
		if v.parts.State, state, err = stateOf(src, v.obj); err != nil {
			return notes, err
		}
	}
	if err := tools.Compile(ctx, v.obj, v.runtime, v.glue, state, filepath.Join(tmp, "model.so"), o); err != nil {
		return notes, err
	}
	b, err := json.MarshalIndent(v.parts, "", "  ")
	if err != nil {
		return notes, err
	}
	return notes, errors.Join(os.WriteFile(filepath.Join(tmp, "ports.json"), b, 0o666), v.remove())
}

// translated is a design as C++.
type translated struct {
	parts   parts
	layout  *Layout
	sv, obj string // folders of the source and the C++
	runtime verilator.Runtime
	glue    string
}

func (v *translated) remove() error { return errors.Join(os.RemoveAll(v.sv), os.RemoveAll(v.obj)) }

// translate makes C++ of a design, in folders below tmp.
func translate(ctx context.Context, root, tmp string, tools *verilator.Tools, src Source, o verilator.Options, status func(string, ...any)) (v *translated, notes []string, err error) {
	v = &translated{sv: filepath.Join(tmp, "sv"), obj: filepath.Join(tmp, "obj")}
	design := verilator.Design{Top: src.Top, Params: src.Params}
	for _, f := range append(append([]File{}, src.Files...), src.Bind...) {
		name := filepath.Join(v.sv, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, nil, err
		}
		if err := os.WriteFile(name, []byte(f.Text), 0o666); err != nil {
			return nil, nil, err
		}
		design.Files = append(design.Files, filepath.Clean(f.Name))
	}
	if o.State {
		text, err := keepRegisters(src)
		if err != nil {
			return nil, nil, err
		}
		if err := os.WriteFile(filepath.Join(v.sv, keptName), []byte(text), 0o666); err != nil {
			return nil, nil, err
		}
		design.Files = append(design.Files, keptName)
	}
	ports, warnings, err := tools.Verilate(ctx, v.sv, v.obj, design, o)
	if err != nil {
		return nil, nil, err
	}
	if ports, notes, err = declared(src, ports); err != nil {
		return nil, nil, err
	}
	if warnings != "" {
		notes = append(notes, fmt.Sprintf("%s. Its warnings about %s: %s", verilator.Untested(tools.Version, tools.Number), src.Top, warnings))
	}
	p := &v.parts
	for _, port := range ports {
		if port.Name == src.Clock {
			p.Clock = port
			continue
		}
		p.Ports = append(p.Ports, port)
	}
	if p.Clock.Name == "" || !p.Clock.Input || p.Clock.Width != 1 {
		return nil, nil, fmt.Errorf("module %s has no one-bit input %q for the clock: name its clock port in Source.Clock", src.Top, src.Clock)
	}
	if v.layout, err = p.layout(); err != nil {
		return nil, nil, err
	}
	var more []string
	if v.runtime, more, err = sharedRuntime(ctx, root, tools, v.obj, o, status); err != nil {
		return nil, nil, err
	}
	notes = append(notes, more...)
	pins := map[string]verilator.Port{}
	for _, port := range p.Ports {
		pins[port.Name] = port
	}
	place := func(slots []Slot) (out []verilator.Pin) {
		for _, s := range slots {
			out = append(out, verilator.Pin{Port: pins[s.Name], Word: s.Word, Shift: uint(s.Shift)})
		}
		return out
	}
	v.glue = verilator.Glue(p.Clock, place(v.layout.Inputs), place(v.layout.Outputs), v.layout.InWords, v.layout.OutWords)
	return v, notes, nil
}

// sharedRuntime takes the parts of Verilator's run-time that the model in obj needs from
// the cache, each as a separate entry, or compiles them.
func sharedRuntime(ctx context.Context, root string, tools *verilator.Tools, obj string, o verilator.Options, status func(string, ...any)) (rt verilator.Runtime, notes []string, err error) {
	libs, err := verilator.Libraries(obj)
	if err != nil {
		return rt, nil, err
	}
	once := sync.OnceFunc(func() { status("compiling what all models share, once for this machine") })
	dirs, damage := make([]string, len(libs)+1), make([]string, len(libs)+1)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	part := func(i int, name string, build func(tmp string) error) {
		g.Go(func() (err error) {
			dirs[i], damage[i], err = cacheEntry(ctx, root, "runtime", hash([]byte(tools.RuntimeID(o)+"\x00"+name)), func(tmp string) error {
				once()
				return build(tmp)
			})
			return err
		})
	}
	part(0, "", func(tmp string) error { return tools.BuildHeader(ctx, tmp, o) })
	for i, lib := range libs {
		part(i+1, lib, func(tmp string) error { return tools.BuildObject(ctx, tmp, lib, o) })
	}
	if err := g.Wait(); err != nil {
		return rt, nil, err
	}
	rt.Header = dirs[0]
	for i, lib := range libs {
		rt.Objects = append(rt.Objects, filepath.Join(dirs[i+1], lib+".o"))
	}
	return rt, slices.DeleteFunc(damage, func(s string) bool { return s == "" }), nil
}

// declared puts the ports that Verilator found in the order in which the module
// declares them, and checks that the two readings of the module agree: the
// widths by which a person reads the source are those that were compiled. A
// source outside svparse's subset keeps Verilator's order, and so does a netlist.
func declared(src Source, ports []verilator.Port) (sorted []verilator.Port, notes []string, err error) {
	if src.Netlist {
		return ports, nil, nil
	}
	var files []*svparse.File
	for _, f := range src.Files {
		file, err := svparse.Parse(f.Name, f.Text)
		if err != nil {
			return ports, []string{fmt.Sprintf("port order of module %s is Verilator's: %v", src.Top, err)}, nil
		}
		files = append(files, file)
	}
	widths, err := svparse.Elaborate(files...).Module(src.Top).PortWidths(src.Params)
	if err != nil {
		return ports, []string{fmt.Sprintf("port order of module %s is Verilator's: %v", src.Top, err)}, nil
	}
	byName := map[string]verilator.Port{}
	for _, p := range ports {
		byName[p.Name] = p
	}
	for _, w := range widths {
		p, ok := byName[w.Name]
		if !ok || p.Width != w.Width || p.Input != (w.Dir == "input") {
			return nil, nil, fmt.Errorf("module %s: port %s is an %s of %d bits in the source, and compiled to %+v: report this as a fault of nicgen", src.Top, w.Name, w.Dir, w.Width, p)
		}
		sorted = append(sorted, p)
	}
	if len(sorted) != len(ports) {
		return nil, nil, fmt.Errorf("module %s has %d ports in the source and %d compiled: report this as a fault of nicgen", src.Top, len(sorted), len(ports))
	}
	return sorted, notes, nil
}

func (p parts) layout() (*Layout, error) {
	var in, out []Slot
	for _, port := range p.Ports {
		s := Slot{Name: port.Name, Width: int32(port.Width)}
		if port.Input {
			in = append(in, s)
		} else {
			out = append(out, s)
		}
	}
	return NewLayout(in, out)
}
