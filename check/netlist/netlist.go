// SPDX-License-Identifier: Apache-2.0

// Package netlist runs the netlist that Yosys makes of a unit in place of the unit: the device
// primitives that `nicgen synth` counts are simulated against the golden model, with the bench of
// the RTL.
//
// LUTs, carries, registers, shift registers and LUT memories are simulated by Yosys' own models,
// read from its installation. Yosys 0.23 has no models of block memory, UltraRAM and DSP; cells/
// has them, as far as the netlists use them, and a cell with other settings is refused.
//
// Values that the RTL leaves undefined at power-up are random, as in a run of the RTL: a device
// would set registers and memories without an initial value to zero, which a unit must not rely on.
package netlist

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth"
)

//go:embed cells/*.v
var cells embed.FS

// New returns a bench whose source is the netlist of the given bench's source, mapped under the
// options; everything else is the same, without the assertions that use names within the RTL.
// Netlists are kept in the cache of package cosim.
//
// Errors come from synth.Map or are a *Unmodelled.
func New(ctx context.Context, b cosim.Bench, o synth.Options) (*Bench, error) {
	src := b.Source()
	n, err := mapped(ctx, src, o)
	if err != nil {
		return nil, err
	}
	models, err := Models(n)
	if err != nil {
		return nil, err
	}
	return &Bench{Bench: b, Netlist: n, source: cosim.Source{
		Top: src.Top, Clock: src.Clock, Reset: src.Reset, Netlist: true,
		Files: append(models, cosim.File{Name: n.Gates + ".v", Text: n.Text}, cosim.File{Name: src.Top + ".v", Text: Shell(n)}),
	}}, nil
}

// Bench is a bench of the netlist of a unit. It implements cosim.Bench.
type Bench struct {
	cosim.Bench // of the RTL
	Netlist     *synth.Netlist

	source cosim.Source
}

// Source implements cosim.Bench.
func (b *Bench) Source() cosim.Source { return b.source }

// Cells counts the cells of each type.
func (b *Bench) Cells() map[string]int {
	n := map[string]int{}
	for _, c := range b.Netlist.Cells {
		n[c.Type]++
	}
	return n
}

// WithText returns the bench with another text of the netlist, such as one with a mistake in it.
func (b *Bench) WithText(text string) *Bench {
	c := *b
	c.source.Files = slices.Clone(c.source.Files)
	for i, f := range c.source.Files {
		if f.Name == b.Netlist.Gates+".v" {
			c.source.Files[i].Text = text
		}
	}
	return &c
}

// kept is the cached result for a netlist.
const kept = "netlist.json"

// mapped takes a netlist from the cache, or makes it.
func mapped(ctx context.Context, src cosim.Source, o synth.Options) (*synth.Netlist, error) {
	r := synth.Request{Top: src.Top, Params: src.Params, Options: o}
	for _, f := range src.Files {
		r.Files = append(r.Files, synth.File(f))
	}
	version, err := tool.Version(ctx, tool.Yosys)
	if err != nil {
		return nil, err
	}
	key, err := json.Marshal(struct {
		Yosys, Flow string
		Request     synth.Request
	}{version, synth.MapVersion, r})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(key)
	dir, err := cosim.CacheEntry(ctx, "netlist", hex.EncodeToString(sum[:]), func(dir string) error {
		n, err := synth.Map(ctx, r)
		if err != nil {
			return err
		}
		b, err := json.Marshal(n)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, kept), b, 0o666)
	})
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, kept))
	if err != nil {
		return nil, fmt.Errorf("cache entry: %w", err)
	}
	n := &synth.Netlist{}
	if err := json.Unmarshal(b, n); err != nil {
		return nil, fmt.Errorf("cache entry: %s: %w", kept, err)
	}
	return n, nil
}

// Shell returns the module with the ports of the design around the netlist's, whose ports
// are single bits.
func Shell(n *synth.Netlist) string {
	var ports, pins []string
	for _, p := range n.Ports {
		dir := "output wire"
		if p.Input {
			dir = "input wire"
		}
		ports = append(ports, fmt.Sprintf("  %s [%d:0] %s", dir, p.Width-1, p.Name))
		if p.Width == 1 {
			ports[len(ports)-1] = fmt.Sprintf("  %s %s", dir, p.Name)
			pins = append(pins, fmt.Sprintf("    .%s(%s)", p.Name, p.Name))
			continue
		}
		for i := range p.Width {
			pins = append(pins, fmt.Sprintf("    .\\%s[%d] (%s[%d])", p.Name, i, p.Name, i))
		}
	}
	return fmt.Sprintf("module %s (\n%s\n);\n  %s gates (\n%s\n  );\nendmodule\n",
		n.Top, strings.Join(ports, ",\n"), n.Gates, strings.Join(pins, ",\n"))
}

// own names the files in cells/ for the types that Yosys has no model of.
var own = map[string][]string{
	"DSP48E2":  {"DSP48E2.v"},
	"RAMB18E2": {"nicgen_bram.v", "RAMB18E2.v"},
	"RAMB36E2": {"nicgen_bram.v", "RAMB36E2.v"},
	"URAM288":  {"URAM288.v"},
}

// Models returns the simulation models of the netlist's cells. The error is a *Unmodelled if a cell
// or one of its settings has no model.
func Models(n *synth.Netlist) ([]cosim.File, error) {
	if err := check(n); err != nil {
		return nil, err
	}
	var types []string
	for _, c := range n.Cells {
		types = append(types, c.Type)
	}
	if slices.Contains(types, "CARRY4") {
		types = append(types, "MUXCY", "XORCY") // see synth.Netlist.Text
	}
	slices.Sort(types)
	types = slices.Compact(types)
	var files []cosim.File
	var theirs string
	for _, t := range types {
		if names, ok := own[t]; ok {
			for _, name := range names {
				b, err := cells.ReadFile("cells/" + name)
				if err != nil {
					return nil, err
				}
				f := cosim.File{Name: name, Text: string(b)}
				if !slices.Contains(files, f) {
					files = append(files, f)
				}
			}
			continue
		}
		if theirs == "" {
			b, err := library()
			if err != nil {
				return nil, err
			}
			theirs = string(b)
		}
		text := regexp.MustCompile(`(?ms)^module ` + regexp.QuoteMeta(t) + `\b.*?^endmodule$`).FindString(theirs)
		if text == "" {
			return nil, &Unmodelled{Type: t, Found: "no simulation model of it, neither in nicgen nor in Yosys"}
		}
		files = append(files, cosim.File{Name: t + ".v", Text: text + "\n"})
	}
	return files, nil
}

// library reads the models that come with Yosys, from the folder in which Yosys itself looks for
// them.
func library() ([]byte, error) {
	path, err := tool.Find(tool.Yosys)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	var tried []string
	for _, share := range []string{"share", "../share/yosys"} {
		name := filepath.Join(filepath.Dir(path), share, "xilinx", "cells_sim.v")
		b, err := os.ReadFile(name)
		if err == nil {
			return b, nil
		}
		tried = append(tried, name)
	}
	return nil, &tool.Failed{Name: tool.Yosys.Name, Err: errors.New("its simulation models are not there: looked for " + strings.Join(tried, " and "))}
}
