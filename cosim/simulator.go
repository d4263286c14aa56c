// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/cosim/cxxrtl"
	"github.com/nicgen/nicgen/cosim/icarus"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/verilator"
)

// The simulators. Verilator is the one for work; the others are there for a second
// and a third opinion: they share no code with it. They write no waveforms, count no
// lines and take no bound assertions.
const (
	Verilator = "verilator"
	Icarus    = "icarus" // Icarus Verilog: four states, so that unknown bits are seen
	CXXRTL    = "cxxrtl" // Yosys' C++ model of what it elaborates
)

// Simulators lists the simulators, the usual one first.
func Simulators() []string { return []string{Verilator, Icarus, CXXRTL} }

// SimulatorTools names the programs that make and run a simulator's models, with
// their versions.
func SimulatorTools(ctx context.Context, simulator string) ([]string, error) {
	var list []tool.Tool
	switch simulator {
	case "", Verilator:
		list = []tool.Tool{tool.Verilator}
	case Icarus:
		list = []tool.Tool{tool.Icarus}
	case CXXRTL:
		list = []tool.Tool{tool.Yosys}
	default:
		return nil, unknownSimulator(simulator)
	}
	var names []string
	for _, t := range list {
		v, err := tool.Version(ctx, t)
		if err != nil {
			return nil, err
		}
		names = append(names, v)
	}
	return names, nil
}

func unknownSimulator(name string) error {
	return fmt.Errorf("simulator %q, want one of %s", name, strings.Join(Simulators(), ", "))
}

// buildOther is Build for the simulators besides Verilator.
func buildOther(ctx context.Context, src Source, o BuildOptions) (*Library, error) {
	if o.Trace != "" || o.Coverage {
		return nil, fmt.Errorf("simulator %s: waveforms and line coverage are Verilator's", o.Simulator)
	}
	root, err := CacheDir()
	if err != nil {
		return nil, err
	}
	layout, clock, pins, err := sourcePorts(src)
	if err != nil {
		return nil, err
	}
	place := func(slots []Slot) (out []verilator.Pin) {
		for _, s := range slots {
			out = append(out, verilator.Pin{Port: pins[s.Name], Word: s.Word, Shift: uint(s.Shift)})
		}
		return out
	}
	in, out := place(layout.Inputs), place(layout.Outputs)
	versions, err := SimulatorTools(ctx, o.Simulator)
	if err != nil {
		return nil, err
	}
	var names, texts []string
	for _, f := range src.Files {
		names, texts = append(names, f.Name), append(texts, f.Text)
	}
	var build func(tmp string) error
	var glue, product string
	switch o.Simulator {
	case Icarus:
		product = "model.vvp"
		glue = icarus.Bench(src.Top, src.Clock, src.Params, in, out, layout.InWords, layout.OutWords)
		build = func(tmp string) error {
			dir := filepath.Join(tmp, "sv")
			files, err := icarus.Write(dir, names, texts)
			if err != nil {
				return err
			}
			const bench = "nicgen_bench.v"
			if err := os.WriteFile(filepath.Join(dir, bench), []byte(glue), 0o666); err != nil {
				return err
			}
			if err := icarus.Compile(ctx, dir, append(files, bench), filepath.Join(tmp, product)); err != nil {
				return err
			}
			return os.RemoveAll(dir)
		}
	case CXXRTL:
		product = "model.so"
		glue = cxxrtl.Glue(clock, in, out, layout.InWords, layout.OutWords)
		tools, err := verilator.FindTools(ctx)
		if err != nil {
			return nil, err
		}
		versions = append(versions, tools.CXXName)
		build = func(tmp string) error {
			return cxxrtl.Build(ctx, tmp, cxxrtl.Design{Top: src.Top, Names: names, Texts: texts, Params: src.Params, Glue: glue}, tools.CXX, filepath.Join(tmp, product))
		}
	}
	id, err := json.Marshal(struct {
		Tools  []string
		Glue   string
		Source Source
		Shim   string
	}{versions, glue, src, cxxrtl.Shim})
	if err != nil {
		return nil, err
	}
	dir, damage, err := cacheEntry(ctx, root, o.Simulator, hash(id), func(tmp string) error {
		o.status("compiling %s for %s", src.Top, o.Simulator)
		return build(tmp)
	})
	if err != nil {
		return nil, err
	}
	l := &Library{layout: layout, refs: 1}
	if o.Simulator == CXXRTL {
		if l, err = load(filepath.Join(dir, product), layout); err != nil {
			return nil, err
		}
	} else {
		l.program = filepath.Join(dir, product)
	}
	l.src = src
	if damage != "" {
		l.notes = append(l.notes, damage)
	}
	return l, nil
}

// sourcePorts reads the ports of the top module from the text.
func sourcePorts(src Source) (*Layout, verilator.Port, map[string]verilator.Port, error) {
	fail := func(err error) (*Layout, verilator.Port, map[string]verilator.Port, error) {
		return nil, verilator.Port{}, nil, err
	}
	var files []*svparse.File
	var bad []error
	for _, f := range src.Files {
		if src.Netlist && f.Name != src.Top+".v" {
			continue // written by a synthesis tool; its ports equal the shell's
		}
		file, err := svparse.Parse(f.Name, f.Text)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		files = append(files, file)
	}
	widths, err := svparse.Elaborate(files...).Module(src.Top).PortWidths(src.Params)
	if err != nil {
		return fail(fmt.Errorf("module %s: %w", src.Top, errors.Join(append(bad, err)...)))
	}
	var p parts
	pins := map[string]verilator.Port{}
	for _, w := range widths {
		port := verilator.Port{Name: w.Name, Ident: w.Name, Input: w.Dir == "input", Width: w.Width}
		if w.Name == src.Clock {
			p.Clock = port
			continue
		}
		pins[w.Name] = port
		p.Ports = append(p.Ports, port)
	}
	if p.Clock.Name == "" || !p.Clock.Input || p.Clock.Width != 1 {
		return fail(fmt.Errorf("module %s has no one-bit input %q for the clock: name its clock port in Source.Clock", src.Top, src.Clock))
	}
	l, err := p.layout()
	if err != nil {
		return fail(err)
	}
	return l, p.Clock, pins, nil
}

// fatalRE finds what Icarus Verilog prints of a $fatal or $error.
var fatalRE = regexp.MustCompile(`(?m)^(FATAL|ERROR): ([^:\n]+):(\d+): (.*)$`)

// runProcess is Run of an instance of Icarus Verilog.
func (i *Instance) runProcess(in, out []uint64, n int) (int, error) {
	if cap(i.unknown) < len(out) {
		i.unknown = make([]uint64, len(out))
	}
	i.unknown = i.unknown[:len(out)]
	done, err := i.process.Run(in, out, i.unknown, n)
	i.cycles += uint64(done)
	if err == nil {
		return done, nil
	}
	e := &SimError{Kind: "finish", Cycle: i.cycles, Message: "$finish", Log: i.process.Log()}
	if m := fatalRE.FindStringSubmatch(e.Log); m != nil {
		e.Kind, e.File, e.Message = strings.ToLower(m[1]), m[2], m[4]
		e.Line, _ = strconv.Atoi(m[3])
	} else if !errors.Is(err, io.EOF) {
		e.Kind, e.Message = "fatal", err.Error()
	}
	i.err = e
	return done, e
}

// known refuses unknown bits where they matter: it turns them into the opposite of
// what the golden model wants.
func (i *Instance) known(at int, want, care, got []uint64) {
	if i.process == nil {
		return
	}
	for w := range got {
		bad := i.unknown[at+w] & care[w]
		got[w] = got[w]&^bad | ^want[w]&bad
	}
}
