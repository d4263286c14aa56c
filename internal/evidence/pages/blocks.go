// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/registry"
)

// Block describes one kind of block.
type Block struct {
	Name string
	Args string // as in a usage line
	Doc  string // one sentence: its content

	make func(m *Maker, page string, args []string) (string, error)
	of   func(args []string) (kind, unit string) // of records that may be due: their kind, and their unit, or "" for all units; nil if the block has no records
}

// Blocks lists the kinds of blocks by name.
func Blocks() []Block {
	const unit = "UNIT [KEY=VALUE…]"
	configured := func(f func(cfg gen.Config) (string, error)) func(*Maker, string, []string) (string, error) {
		return func(m *Maker, _ string, args []string) (string, error) {
			_, cfg, err := m.config(args)
			if err != nil {
				return "", err
			}
			return f(cfg)
		}
	}
	inFolder := func(args []string) (kind, unit string) { return path.Base(args[0]), "" }
	inFile := func(args []string) (kind, unit string) { return path.Base(path.Dir(args[1])), args[0] }
	return []Block{
		{"blocks", "", "the kinds of blocks, from this table", blockTable, nil},
		{"coverage", unit, "the coverage points of the unit's bench", coverage, nil},
		{"files", unit, "the emitted SystemVerilog in compile order", configured(files), nil},
		{"frames", "FILE", "frames through the block nic_transport, by configuration, from FILE, which nicgen nic fuzz --json wrote; FILE is relative to the page", frames, nil},
		{"index", "FILE…", "pages with what each of them has, in the words of its line <!-- about: … -->; FILEs are relative to the page", index, nil},
		{"latency", unit, "latencies in cycles", configured(func(cfg gen.Config) (string, error) { return emit.Latency(cfg), nil }), nil},
		{"library", "", "the shared parts in rtl/lib", library, nil},
		{"lines", "FOLDER FILE…", "the lines of files below a folder; FOLDER is relative to the page", lines, nil},
		{"lockstep", "FILE FILE…", "the figures of a record of nicgen reproduce by the model rtl, and how many of their numbers are those of the records behind it", lockstep, nil},
		{"memories", "UNIT FILE", "the RAM primitives of each memory, from a report of nicgen synth --json; FILE is relative to the page", memories, nil},
		{"models", "FILE FILE", "the numbers of figures by two models, from two records of nicgen reproduce: of each figure that both have; FILEs are relative to the page", models, nil},
		{"modules", "", "the modules of nic_transport that are no unit's, with their lines", modules, nil},
		{"mutation", "UNIT FILE", "the mutation score of the unit's bench, from a report of nicgen mutate --json; FILE is relative to the page", mutation, inFile},
		{"pair", "FILE TABLE [COLUMN…]", "a table of a record of nicgen nic pair, by its number; all columns, or some by their numbers; FILE is relative to the page", pairs, nil},
		{"paper", "FILE [FIGURE]", "a figure of a paper, its numbers beside ours, from FILE, which nicgen reproduce --json wrote; or the number of those that come out, of each figure; FILE is relative to the page", paper, nil},
		{"parameters", unit, "the parameters that shape the hardware", configured(func(cfg gen.Config) (string, error) { return emit.Parameters(cfg, false), nil }), nil},
		{"ports", unit, "the interface", configured(func(cfg gen.Config) (string, error) { return emit.Ports(cfg), nil }), nil},
		{"proofs", "FOLDER [UNIT]", "properties proved for every stimulus, of the shared parts and of every unit, or of one, from FOLDER/<unit>.json, which nicgen prove --json wrote; FOLDER is relative to the page", proofs, func(args []string) (kind, unit string) {
			return path.Base(args[0]), strings.Join(args[1:], "")
		}},
		{"reached", "FOLDER", "coverage of every unit's bench, from FOLDER/<unit>.json, which nicgen coverage --json wrote; FOLDER is relative to the page", reached, inFolder},
		{"resources", "FOLDER", "resources of every unit, from FOLDER/<unit>.json, a report of nicgen synth --json; FOLDER is relative to the page", resources, nil},
		{"reference", unit, "interface, parameters, run-time settings and state, each under a heading", configured(reference), nil},
		{"releases", "FOLDER FOLDER", "resources and delays of units by two releases of Yosys, from reports of nicgen synth --json; FOLDERs are relative to the page", releases, nil},
		{"routed", "FOLDER", "units placed and routed, from FOLDER/<unit>.json, a report of nicgen synth --route --json; FOLDER is relative to the page", routed, nil},
		{"runs", "FOLDER", "every unit's co-simulations from FOLDER/<unit>.json, which nicgen cosim --record wrote; FOLDER is relative to the page", runs, inFolder},
		{"settings", unit, "the run-time settings", configured(func(cfg gen.Config) (string, error) { return emit.Parameters(cfg, true), nil }), nil},
		{"soaks", "FOLDER", "every unit's long runs, from FOLDER/<unit>.json, which nicgen soak --json wrote; FOLDER is relative to the page", soaks, inFolder},
		{"source", "FILE [NAME…]", "a file as code: all of it, declarations of Go, or the lines from one with a text to one with another; FILE is relative to the page", source, nil},
		{"state", unit, "the state of one connection in bits", configured(state), nil},
		{"synthesis", "UNIT FILE…", "resources and logic levels from reports of nicgen synth --json, beside the published figures; a column for each report", synthesis, func(args []string) (kind, unit string) { return "synth", args[0] }},
		{"timing", "FOLDER", "estimated timing of every unit, from FOLDER/<unit>.json, a report of nicgen synth --json; FOLDER is relative to the page", timed, nil},
		{"units", "", "every unit by its group; links to its page", units, nil},
		{"upsets", "UNIT FILE", "behaviour of the unit after single-event upsets, from a report of nicgen upset --json; FILE is relative to the page", upsets, inFile},
		{written, "NAME", "what a test writes with -update; it stays as it is", nil, nil},
	}
}

func (m *Maker) block(page, name string, args []string) (string, error) {
	var names []string
	for _, b := range Blocks() {
		if b.Name == name {
			text, err := b.make(m, page, args)
			var none *unmeasured
			if errors.As(err, &none) {
				return section.Unmeasured(evidence.Program + " " + none.run), nil
			}
			if err != nil || b.of == nil {
				return text, err
			}
			kind, unit := b.of(args)
			return text + m.due(kind, unit), nil
		}
		names = append(names, b.Name)
	}
	return "", unknown("block", name, names)
}

// due returns a paragraph that names the units whose records of a kind are due; for one unit, if it
// is named.
func (m *Maker) due(kind, unit string) string {
	names := []string{unit}
	if unit == "" {
		names = []string{registry.Library.Name}
		for _, u := range m.own() {
			names = append(names, u.New().Unit())
		}
	}
	if text := due.Sentence(m.Due.Units(kind, names), evidence.Command(kind, m.Units)); text != "" {
		return "\n" + text + "\n"
	}
	return ""
}

// unknown returns the error for a name that is not in a list.
func unknown(what, name string, names []string) error {
	near := gen.Nearest(name, names)
	if near != "" {
		near = ", nearest: " + near
	}
	return fmt.Errorf("unknown %s %q%s, allowed: %s", what, name, near, strings.Join(names, ", "))
}

func none(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	return nil
}

func blockTable(_ *Maker, _ string, args []string) (string, error) {
	if err := none(args); err != nil {
		return "", err
	}
	rows := [][]string{{"Name", "Arguments", "What it shows"}}
	for _, b := range Blocks() {
		args := ""
		if b.Args != "" {
			args = "`" + b.Args + "`"
		}
		rows = append(rows, []string{"`" + b.Name + "`", args, b.Doc})
	}
	return emit.Table(rows), nil
}
