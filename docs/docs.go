// SPDX-License-Identifier: Apache-2.0

// Package docs renews the generated blocks of Markdown pages. A block stands
// between two lines of its own,
//
//	<!-- nicgen:begin NAME ARGUMENTS -->
//	<!-- nicgen:end -->
//
// and is made from the tables that the generator, the benches and the synthesis
// report use, or quotes a file. Blocks lists the names. An argument with blanks stands
// between quotation marks. Marks inside fenced code are text.
package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/nicgen/nicgen/check/due"
	"github.com/nicgen/nicgen/check/table"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// Maker makes the blocks of pages.
type Maker struct {
	Units []registry.Unit
	// ReadFile reads a file of the repository by its slash-separated path from
	// the root: the data that a block's arguments name.
	ReadFile func(name string) ([]byte, error)
}

// Block describes one kind of block.
type Block struct {
	Name string
	Args string // as in a usage line
	Doc  string // one sentence: what it shows

	make func(m *Maker, page string, args []string) (string, error)
	of   func(args []string) (folder, unit string) // of records that may be due: where they are, and of which unit, empty: of all; nil: of none
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
	inFolder := func(args []string) (folder, unit string) { return args[0], "" }
	inFile := func(args []string) (folder, unit string) { return path.Dir(args[1]), args[0] }
	return []Block{
		{"blocks", "", "the kinds of blocks, from this table", blockTable, nil},
		{"coverage", unit, "the coverage points of the unit's bench", coverage, nil},
		{"files", unit, "the emitted SystemVerilog in compile order", configured(files), nil},
		{"frames", "FILE", "frames through the block nic_transport, by configuration, from FILE, which nicgen nic fuzz --json wrote; FILE is relative to the page", frames, nil},
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
		{"proofs", "FOLDER", "properties proved for every stimulus, of the shared parts and of every unit, from FOLDER/<unit>.json, which nicgen prove --json wrote; FOLDER is relative to the page", proofs, inFolder},
		{"reached", "FOLDER", "coverage of every unit's bench, from FOLDER/<unit>.json, which nicgen coverage --json wrote; FOLDER is relative to the page", reached, inFolder},
		{"resources", "FOLDER", "resources of every unit, from FOLDER/<unit>.json, a report of nicgen synth --json; FOLDER is relative to the page", resources, nil},
		{"releases", "FOLDER FOLDER", "resources and delays of units by two releases of Yosys, from reports of nicgen synth --json; FOLDERs are relative to the page", releases, nil},
		{"routed", "FOLDER", "units placed and routed, from FOLDER/<unit>.json, a report of nicgen synth --route --json; FOLDER is relative to the page", routed, nil},
		{"runs", "FOLDER", "every unit's co-simulations from FOLDER/<unit>.json, which nicgen cosim --record wrote; FOLDER is relative to the page", runs, inFolder},
		{"settings", unit, "the run-time settings", configured(func(cfg gen.Config) (string, error) { return emit.Parameters(cfg, true), nil }), nil},
		{"soaks", "FOLDER", "every unit's long runs, from FOLDER/<unit>.json, which nicgen soak --json wrote; FOLDER is relative to the page", soaks, inFolder},
		{"source", "FILE [NAME…]", "a file as code: all of it, declarations of Go, or the lines from one with a text to one with another; FILE is relative to the page", source, nil},
		{"state", unit, "the state of one connection in bits", configured(state), nil},
		{"synthesis", "UNIT FILE…", "resources and logic levels from reports of nicgen synth --json, beside the published figures; a column for each report", synthesis, nil},
		{"timing", "FOLDER", "estimated timing of every unit, from FOLDER/<unit>.json, a report of nicgen synth --json; FOLDER is relative to the page", timed, nil},
		{"units", "", "every unit with its paper; links to its page", units, nil},
		{"upsets", "UNIT FILE", "behaviour of the unit after single-event upsets, from a report of nicgen upset --json; FILE is relative to the page", upsets, inFile},
	}
}

const (
	beginMark = "<!-- nicgen:begin"
	endMark   = "<!-- nicgen:end -->"
	anyMark   = "<!-- nicgen:"
)

// Renew returns a page with every block made anew. page is its slash-separated
// path from the root of the repository, for messages and for the paths in
// arguments. A page without blocks comes back unchanged. The error joins all
// problems, each as "page:line: message".
func (m *Maker) Renew(page string, text []byte) ([]byte, error) {
	var out bytes.Buffer
	var problems []error
	problem := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s:%d: "+format, append([]any{page, line}, args...)...))
	}
	fence, open := "", 0 // the fence that closes the code; the line of the open block
	for i, l := range strings.SplitAfter(string(text), "\n") {
		line := i + 1
		t := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
			fence = t[:len(t)-len(strings.TrimLeft(t, t[:1]))]
		case strings.HasPrefix(t, beginMark):
			if open != 0 {
				problem(line, "a block begins inside that of line %d, want %s before it", open, endMark)
				continue
			}
			open = line
			out.WriteString(l)
			rest, ok := strings.CutSuffix(strings.TrimPrefix(t, beginMark), "-->")
			words := split(rest)
			if !ok || len(words) == 0 {
				problem(line, "found %q, want %s NAME ARGUMENTS -->", t, beginMark)
				continue
			}
			body, err := m.block(page, words[0], words[1:])
			if err != nil {
				for _, e := range each(err) {
					problem(line, "%w", e)
				}
				continue
			}
			out.WriteString(strings.TrimRight(body, "\n") + "\n")
			continue
		case t == endMark:
			if open == 0 {
				problem(line, "found %s without a begin mark before it", endMark)
				continue
			}
			open = 0
		case strings.HasPrefix(t, anyMark):
			problem(line, "found %q, want %s NAME ARGUMENTS --> or %s", t, beginMark, endMark)
			continue
		}
		if open == 0 {
			out.WriteString(l)
		}
	}
	if open != 0 {
		problem(open, "the block has no end: want a line %s", endMark)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// word is one of a mark: without blanks, or between quotation marks.
var word = regexp.MustCompile(`"([^"]*)"|\S+`)

// split lists the words of a mark.
func split(text string) (words []string) {
	for _, m := range word.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[0], `"`) && len(m[0]) > 1 {
			m[0] = m[1]
		}
		words = append(words, m[0])
	}
	return words
}

// each is the list of errors in one line each.
func each(err error) []error {
	var bad *gen.Invalid
	if errors.As(err, &bad) {
		var list []error
		for _, p := range bad.Problems {
			list = append(list, errors.New(p.String()))
		}
		return list
	}
	return []error{err}
}

func (m *Maker) block(page, name string, args []string) (string, error) {
	var names []string
	for _, b := range Blocks() {
		if b.Name == name {
			text, err := b.make(m, page, args)
			if err != nil || b.of == nil {
				return text, err
			}
			folder, unit := b.of(args)
			note, err := m.due(path.Base(folder), unit)
			return text + note, err
		}
		names = append(names, b.Name)
	}
	return "", unknown("block", name, names)
}

// due says of which units the records of a kind are due, as a paragraph; of one unit,
// if it is named.
func (m *Maker) due(kind, unit string) (string, error) {
	list, err := due.ReadBy(m.ReadFile)
	if err != nil {
		return "", err
	}
	names := []string{unit}
	if unit == "" {
		names = []string{registry.Library.Name}
		for _, u := range m.Units {
			names = append(names, u.New().Unit())
		}
	}
	if text := due.Sentence(list.Units(kind, names), "make "+kind); text != "" {
		return "\n" + text + "\n", nil
	}
	return "", nil
}

// unknown is the error for a name that is not in a list.
func unknown(what, name string, names []string) error {
	near := gen.Nearest(name, names)
	if near != "" {
		near = ", nearest: " + near
	}
	return fmt.Errorf("unknown %s %q%s, allowed: %s", what, name, near, strings.Join(names, ", "))
}

// unit finds a unit by name.
func (m *Maker) unit(args []string) (registry.Unit, gen.Config, error) {
	var names []string
	for _, u := range m.Units {
		cfg := u.New()
		if len(args) > 0 && cfg.Unit() == args[0] {
			return u, cfg, nil
		}
		names = append(names, cfg.Unit())
	}
	if len(args) == 0 {
		return registry.Unit{}, nil, fmt.Errorf("no unit named, allowed: %s", strings.Join(names, ", "))
	}
	return registry.Unit{}, nil, unknown("unit", args[0], names)
}

// config reads UNIT [KEY=VALUE…].
func (m *Maker) config(args []string) (registry.Unit, gen.Config, error) {
	u, cfg, err := m.unit(args)
	if err != nil {
		return u, nil, err
	}
	var list []gen.Setting
	for _, a := range args[1:] {
		s, err := gen.ParseSet(a)
		if err != nil {
			return u, nil, fmt.Errorf("argument %q, want KEY=VALUE", a)
		}
		s.Flag = "argument"
		list = append(list, s)
	}
	return u, cfg, gen.Apply([]gen.Config{cfg}, list)
}

// reports reads UNIT FILE…; the paths are relative to the page.
func (m *Maker) reports(page string, args []string) (gen.Config, []*synth.Report, error) {
	_, cfg, err := m.unit(args)
	if err != nil {
		return nil, nil, err
	}
	if len(args) < 2 {
		return nil, nil, fmt.Errorf("no report named, want a file written by nicgen synth --json")
	}
	var list []*synth.Report
	for _, a := range args[1:] {
		r, err := m.report(path.Join(path.Dir(page), a), cfg)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, r)
	}
	return cfg, list, nil
}

func (m *Maker) report(name string, cfg gen.Config) (*synth.Report, error) {
	text, err := m.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("report of nicgen synth --unit %s --json %s: %w", cfg.Unit(), name, err)
	}
	var r synth.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: not a report of nicgen synth: %w", name, err)
	}
	if r.Top != cfg.Top() {
		return nil, fmt.Errorf("%s: report of module %q, want %s", name, r.Top, cfg.Top())
	}
	return &r, nil
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

// library takes the first sentence of each part's own description.
func library(_ *Maker, _ string, args []string) (string, error) {
	if err := none(args); err != nil {
		return "", err
	}
	parts, err := rtl.All()
	if err != nil {
		return "", err
	}
	rows := [][]string{{"Part", "What it is"}}
	for _, p := range parts {
		f, err := svparse.Parse(p.Name, p.Text)
		if err != nil {
			return "", err
		}
		for _, m := range f.Modules {
			doc := strings.Join(strings.Fields(m.Doc), " ")
			if i := strings.Index(doc, ". "); i >= 0 {
				doc = doc[:i+1]
			}
			rows = append(rows, []string{"`" + m.Name + "`", doc})
		}
	}
	return emit.Table(rows), nil
}

func files(cfg gen.Config) (string, error) {
	list, err := cfg.Files()
	if err != nil {
		return "", err
	}
	rows := [][]string{{"File", "Module"}}
	for _, f := range list {
		module := strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
		if module == cfg.Top() {
			module += " (top)"
		}
		rows = append(rows, []string{"`" + f.Name + "`", module})
	}
	return emit.Table(rows), nil
}

func state(cfg gen.Config) (string, error) {
	s, ok := cfg.(gen.Stateful)
	if !ok {
		return "", fmt.Errorf("unit %s has no table of its state", cfg.Unit())
	}
	rows := [][]string{{"Field", "Bits", "Copies", "Memories", "Meaning"}}
	bits, stored := 0, 0
	for _, f := range s.State() {
		rows = append(rows, []string{"`" + f.Name + "`", fmt.Sprint(f.Bits), fmt.Sprint(len(f.Memories)),
			"`" + strings.Join(f.Memories, "`, `") + "`", f.Meaning})
		bits += f.Bits
		stored += f.Bits * len(f.Memories)
	}
	rows = append(rows, []string{"**Sum**", fmt.Sprint(bits), "", fmt.Sprintf("%d bits with all copies", stored),
		fmt.Sprintf("bytes a connection: %d, with all copies %d", (bits+7)/8, (stored+7)/8)})
	return emit.Table(rows), nil
}

// coverage has one row for points that differ in a number at the end only.
func coverage(m *Maker, _ string, args []string) (string, error) {
	u, cfg, err := m.config(args)
	if err != nil {
		return "", err
	}
	if u.Bench == nil {
		return "", fmt.Errorf("unit %s has no bench", cfg.Unit())
	}
	b, err := u.Bench(cfg)
	if err != nil {
		return "", err
	}
	yes := map[bool]string{true: "yes", false: "out of reach of this configuration"}
	rows := [][]string{{"Point", "Situation", "Required"}}
	points := b.Points()
	number := func(name string) (stem string, n int, ok bool) {
		i := strings.LastIndexByte(name, '/')
		c, err := fmt.Sscanf(name[i+1:], "%d", &n)
		return name[:i+1], n, i >= 0 && c == 1 && err == nil && fmt.Sprint(n) == name[i+1:]
	}
	for i := 0; i < len(points); i++ {
		p := points[i]
		name, doc := "`"+p.Name+"`", p.Doc
		if stem, first, ok := number(p.Name); ok {
			last, j := first, i+1
			for ; j < len(points); j++ {
				s, n, ok := number(points[j].Name)
				if !ok || s != stem || n != last+1 || points[j].Required != p.Required ||
					strings.ReplaceAll(points[j].Doc, fmt.Sprint(n), "#") != strings.ReplaceAll(p.Doc, fmt.Sprint(first), "#") {
					break
				}
				last = n
			}
			if last > first {
				name = fmt.Sprintf("`%s%d` to `%s%d`", stem, first, stem, last)
				doc = strings.ReplaceAll(doc, fmt.Sprint(first), fmt.Sprintf("%d to %d", first, last))
				i = j - 1
			}
		}
		rows = append(rows, []string{name, doc, yes[p.Required]})
	}
	return emit.Table(rows), nil
}

func synthesis(m *Maker, page string, args []string) (string, error) {
	cfg, list, err := m.reports(page, args)
	if err != nil {
		return "", err
	}
	u, _, err := m.unit(args)
	if err != nil {
		return "", err
	}
	head := []string{"Resource"}
	for _, a := range args[1:] {
		if len(list) == 1 {
			head = append(head, "Used", "Of a bare U280")
		} else {
			head = append(head, strings.TrimSuffix(path.Base(a), path.Ext(a)))
		}
	}
	published := map[string]string{}
	var order []string
	if u.Published != nil {
		head = append(head, u.Published.Source)
		for _, f := range u.Published.Figures {
			published[f.Resource] = f.Value
			order = append(order, f.Resource)
		}
	}
	rows := [][]string{head}
	row := func(name string, used func(r *synth.Report) (text string, n float64, of int)) {
		cells := []string{name}
		for _, r := range list {
			text, n, of := used(r)
			cells = append(cells, text)
			if len(list) == 1 {
				share := ""
				if of > 0 {
					share = fmt.Sprintf("%.3f %%", 100*n/float64(of))
				}
				cells = append(cells, share)
			}
		}
		if u.Published != nil {
			cells = append(cells, published[name])
			delete(published, name)
		}
		rows = append(rows, cells)
	}
	count := func(name string, n func(c *synth.Counts) int, of func(d *synth.Device) int) {
		row(name, func(r *synth.Report) (string, float64, int) {
			total := 0
			if of != nil {
				total = of(&r.Device)
			}
			return fmt.Sprint(n(&r.Counts)), float64(n(&r.Counts)), total
		})
	}
	count("LUT", func(c *synth.Counts) int { return c.LUT }, func(d *synth.Device) int { return d.LUT })
	count("of these logic", func(c *synth.Counts) int { return c.Logic }, nil)
	count("of these LUTRAM", func(c *synth.Counts) int { return c.LUTRAM }, nil)
	count("of these SRL", func(c *synth.Counts) int { return c.SRL }, nil)
	count("FF", func(c *synth.Counts) int { return c.FF }, func(d *synth.Device) int { return d.FF })
	count("CARRY8", func(c *synth.Counts) int { return c.CARRY8 }, func(d *synth.Device) int { return d.CARRY8 })
	count("DSP48E2", func(c *synth.Counts) int { return c.DSP }, func(d *synth.Device) int { return d.DSP })
	row("RAMB36", func(r *synth.Report) (string, float64, int) {
		return fmt.Sprintf("%g", r.Counts.BRAM36), r.Counts.BRAM36, r.Device.RAMB36
	})
	row("URAM288", func(r *synth.Report) (string, float64, int) {
		return r.Counts.UltraRAM(), float64(r.Counts.URAMVivado), r.Device.URAM
	})
	row("Logic levels", func(r *synth.Report) (string, float64, int) {
		if r.RegToReg == nil {
			return "none", 0, 0
		}
		return fmt.Sprint(r.RegToReg.Levels), 0, 0
	})
	row("Estimated path, ns: optimistic / typical / pessimistic", func(r *synth.Report) (string, float64, int) {
		if r.Timing == nil || r.Timing.RegToReg == nil {
			return "none", 0, 0
		}
		return r.Timing.RegToReg.Ns.String(), 0, 0
	})
	for _, name := range order {
		if _, ok := published[name]; ok {
			row(name, func(*synth.Report) (string, float64, int) { return "", 0, 0 })
		}
	}
	tools := map[string]bool{}
	for _, r := range list {
		tools[fmt.Sprintf("%s, `synth_xilinx -family %s`, flow %s. %s", r.Tool, r.Family, r.Flow, r.Note)] = true
	}
	var notes []string
	for t := range tools {
		notes = append(notes, t)
	}
	sort.Strings(notes)
	return fmt.Sprintf("Measured with `nicgen synth --unit %s`: %s\n\n%s", cfg.Unit(), strings.Join(notes, " "), emit.Table(rows)), nil
}

func memories(m *Maker, page string, args []string) (string, error) {
	_, list, err := m.reports(page, args)
	if err != nil {
		return "", err
	}
	if len(list) > 1 {
		return "", fmt.Errorf("found %d reports, want one", len(list))
	}
	rows := [][]string{{"Memory", "Depth", "Width", "Bits", "Became", "Cells"}}
	bits := int64(0)
	for _, x := range list[0].Memories {
		var cells []string
		for t, n := range x.Cells {
			cells = append(cells, fmt.Sprintf("%d %s", n, t))
		}
		slices.Sort(cells)
		if n, ok := x.Repacked(); ok {
			cells = append(cells, fmt.Sprintf("by Vivado %d", n))
		}
		rows = append(rows, []string{"`" + x.Name + "`", fmt.Sprint(x.Depth), fmt.Sprint(x.Width),
			fmt.Sprint(x.Depth * x.Width), x.Kind, strings.Join(cells, ", ")})
		bits += x.Depth * x.Width
	}
	rows = append(rows, []string{"**Sum**", "", "", fmt.Sprint(bits), "", ""})
	return emit.Table(rows), nil
}

// units is the list of all units.
func units(m *Maker, page string, args []string) (string, error) {
	if len(args) != 0 {
		return "", fmt.Errorf("found %d arguments, want none", len(args))
	}
	rows := [][]string{{"Unit", "What it is", "Paper"}}
	for _, u := range m.Units {
		cfg := u.New()
		rows = append(rows, []string{unitLink(page, cfg), cfg.Title(), cfg.Paper()})
	}
	return emit.Table(rows), nil
}

// resources is what each unit costs in its default configuration.
func resources(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of the reports", len(args))
	}
	rows := [][]string{{"Unit", "What it is", "LUT", "FF", "RAMB36", "Logic levels", "Estimated path, ns (typical)"}}
	for _, u := range m.Units {
		cfg := u.New()
		r, err := m.report(path.Join(path.Dir(page), args[0], cfg.Unit()+".json"), cfg)
		if err != nil {
			return "", err
		}
		levels := "none"
		if r.RegToReg != nil {
			levels = fmt.Sprint(r.RegToReg.Levels)
		}
		rows = append(rows, []string{unitLink(page, cfg), cfg.Title(),
			fmt.Sprint(r.Counts.LUT), fmt.Sprint(r.Counts.FF), fmt.Sprintf("%g", r.Counts.BRAM36), levels, r.TypicalPath()})
	}
	return emit.Table(rows), nil
}

// timed is the estimated timing of each unit in its default configuration.
func timed(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of the reports", len(args))
	}
	t := table.Table{Head: append([]string{"Unit"}, timing.Head...)}
	for _, u := range m.Units {
		cfg := u.New()
		r, err := m.report(path.Join(path.Dir(page), args[0], cfg.Unit()+".json"), cfg)
		if err != nil {
			return "", err
		}
		if r.Timing == nil {
			return "", fmt.Errorf("report of %s: no timing, measure it again with nicgen synth --unit %s --json", cfg.Unit(), cfg.Unit())
		}
		t.Rows = append(t.Rows, append([]table.Cell{{Text: unitLink(page, cfg)}}, r.Timing.Row()...))
	}
	return t.Markdown(), nil
}

// unitLink leads from a page to a unit's.
func unitLink(page string, cfg gen.Config) string {
	return fmt.Sprintf("[%s](%sdocs/units/%[1]s.md)", cfg.Unit(), strings.Repeat("../", strings.Count(page, "/")))
}
