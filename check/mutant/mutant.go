// SPDX-License-Identifier: Apache-2.0

// Package mutant reads a design with Yosys, draws mutants of it, each with one wrong bit, and
// writes many of them into one design, where an input selects the one that is active.
package mutant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/tool"
)

// Select is the additional input of a mutated design: the number of the mutant that is active, from
// 1; 0 selects the original design.
const Select = "nicgen_mutant"

// SelectBits is the width of Select.
const SelectBits = 12

// Mutant is one change of one bit, as Yosys' mutate lists it.
type Mutant struct {
	Number  int      `json:"number"`             // place in the list, from 1
	Mode    string   `json:"mode"`               // inv, const0, const1; cnot0 and cnot1 invert if another bit of the port is 0 or 1
	Cell    string   `json:"cell"`               // of the flattened design, as Yosys names it
	Place   string   `json:"place"`              // the cell's name in records, which lines of the source do not change
	Port    string   `json:"port"`               // of the cell
	PortBit int      `json:"port_bit"`           // the bit that changes
	CtrlBit int      `json:"ctrl_bit"`           // the other bit of cnot0 and cnot1; -1 without one
	Wire    string   `json:"wire,omitempty"`     // the signal, if it has a name
	WireBit int      `json:"wire_bit,omitempty"` // the bit of it
	Source  []string `json:"source"`             // "file:line.column-line.column", where the cell comes from
}

// String returns the mutation in words, "inv port Y bit 3 of ring.$add#7 (ring.next[3])", which
// identifies it in records.
func (m *Mutant) String() string {
	s := m.Mode
	if m.CtrlBit >= 0 {
		s += fmt.Sprintf(" by bit %d,", m.CtrlBit)
	}
	s += fmt.Sprintf(" port %s bit %d of %s", m.Port, m.PortBit, m.Place)
	if m.Wire != "" {
		s += fmt.Sprintf(" (%s[%d])", m.Wire, m.WireBit)
	}
	return s
}

// Command returns the Yosys command that makes the change, with further options.
func (m *Mutant) Command(module, options string) string {
	s := fmt.Sprintf("mutate %s -mode %s -module %s -cell %s -port %s -portbit %d", options, m.Mode, module, m.Cell, m.Port, m.PortBit)
	if m.CtrlBit >= 0 {
		s += fmt.Sprintf(" -ctrlbit %d", m.CtrlBit)
	}
	return s
}

// parseMutant reads a line of mutate -list.
func parseMutant(number int, line string) (Mutant, error) {
	m := Mutant{Number: number, CtrlBit: -1, Source: []string{}}
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "mutate" || len(words)%2 == 0 {
		return m, fmt.Errorf("line %d of mutate -list: found %q, want mutate and pairs of options and values", number, line)
	}
	for i := 1; i < len(words); i += 2 {
		name, value := words[i], words[i+1]
		var err error
		switch name {
		case "-mode":
			m.Mode = value
		case "-cell":
			m.Cell = value
		case "-port":
			m.Port = value
		case "-portbit":
			m.PortBit, err = strconv.Atoi(value)
		case "-ctrlbit":
			m.CtrlBit, err = strconv.Atoi(value)
		case "-wire":
			m.Wire = value
		case "-wirebit":
			m.WireBit, err = strconv.Atoi(value)
		case "-src":
			m.Source = append(m.Source, value)
		case "-module":
		default:
			err = fmt.Errorf("unknown option")
		}
		if err != nil {
			return m, fmt.Errorf("line %d of mutate -list: option %s %s: %w", number, name, value, err)
		}
	}
	slices.Sort(m.Source)
	return m, nil
}

// Design is a design without processes, made by Yosys; it is flat unless only the top module is
// mutated.
type Design struct {
	Top   string
	Clock string // clock port
	Reset string // reset port
	Tool  string // version that Yosys reports
	Own   bool   // not flat: only the top module has mutants
	rtlil string

	places map[string]string // names of the cells in records
}

// Elaborate reads a design. Assertions in Source.Bind are left out: the bench is graded by its
// comparison with the golden model. With own, only the top module has mutants, in its logic and in
// its connections to the modules in it; if apart names modules, all others become part of it. The
// error is a *tool.Missing, a *tool.Failed or the context's.
func Elaborate(ctx context.Context, src cosim.Source, own bool, apart ...string) (*Design, error) {
	if len(src.Params) > 0 {
		return nil, fmt.Errorf("module %s: found %d overridden parameters, want none: emit the configuration instead", src.Top, len(src.Params))
	}
	version, err := tool.Version(ctx, tool.Yosys)
	if err != nil {
		return nil, err
	}
	dir, err := tool.TempDir("nicgen-mutate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var names []string
	for _, f := range src.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(f.Text), 0o666); err != nil {
			return nil, err
		}
		names = append(names, f.Name)
	}
	flatten, keep := "flatten", ""
	if own && len(apart) == 0 {
		flatten = ""
	} else if own {
		// A module with non-default parameters is $paramod\NAME\…, or $paramod$HASH\NAME.
		keep = "setattr -set keep_hierarchy 1"
		for _, m := range apart {
			keep += fmt.Sprintf(` t:%[1]s t:$paramod\%[1]s\* t:$paramod$*\%[1]s`, m)
		}
	}
	_, err = Yosys(ctx, dir,
		"read_verilog -sv "+strings.Join(names, " "),
		"hierarchy -check -top "+src.Top,
		// Zero extensions are removed: a mutant in one of them is another form of a mutant in the
		// logic. Selectors of several wires become trees, which are defined for any value of the
		// wires.
		"setattr -unset keep_hierarchy", // of parts of a unit: a hint for synthesis
		keep,
		"proc", flatten, "opt_expr; wreduce; pmuxtree; opt_clean",
		"write_rtlil design.il")
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, "design.il"))
	if err != nil {
		return nil, err
	}
	d := &Design{Top: src.Top, Clock: src.Clock, Reset: src.Reset, Tool: version, Own: own, rtlil: string(b)}
	d.places = places(d.rtlil, d.Top)
	if d.Clock == "" {
		d.Clock = "clk"
	}
	if d.Reset == "" {
		d.Reset = "rst"
	}
	return d, nil
}

// Hash identifies the design: the same text, read by the same Yosys, has the same mutants.
func (d *Design) Hash() string {
	h := sha256.Sum256([]byte(d.Tool + "\x00" + d.rtlil))
	return hex.EncodeToString(h[:])
}

// Place returns the name of a cell in records, from its name in Yosys, or "" if the design has no
// such cell.
func (d *Design) Place(cell string) string { return d.places[cell] }

// List draws n mutants, spread evenly over cells, signals and lines of the source. A
// small design may have fewer. The same seed gives the same ones.
func (d *Design) List(ctx context.Context, n int, seed uint64) ([]Mutant, error) {
	dir, err := d.Folder()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// Some are left out, so more are drawn.
	if _, err := Yosys(ctx, dir, "read_rtlil design.il", fmt.Sprintf("mutate -list %d -seed %d -o list.txt %s", n+n/4, seed, d.Top),
		"select -write initial.txt a:init", "select -write contents.txt t:$meminit t:$meminit_v2"); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, "list.txt"))
	if err != nil {
		return nil, err
	}
	initial, err := objects(filepath.Join(dir, "initial.txt"))
	if err != nil {
		return nil, err
	}
	contents, err := objects(filepath.Join(dir, "contents.txt"))
	if err != nil {
		return nil, err
	}
	var list []Mutant
	for line := range strings.Lines(string(b)) {
		m, err := parseMutant(len(list)+1, line)
		if err != nil {
			return nil, err
		}
		if m.Place = d.Place(m.Cell); m.Place == "" {
			return nil, fmt.Errorf("line %d of mutate -list: module %s has no cell %s", m.Number, d.Top, m.Cell)
		}
		// Yosys forgets the value at power-up of a register whose output it changes.
		if len(list) < n && !m.unreal(d.Clock) && !contents[m.Cell] && !(m.Port == "Q" && initial[m.Wire]) {
			list = append(list, m)
		}
	}
	return list, nil
}

// objects reads names of cells or signals from a file written by Yosys' select.
func objects(file string) (map[string]bool, error) {
	b, err := os.ReadFile(file)
	names := map[string]bool{}
	for _, name := range strings.Fields(string(b)) {
		_, name, _ = strings.Cut(name, "/")
		names[name] = true
	}
	return names, err
}

// unreal reports whether a pin is no part of the hardware's logic: clocks, and the enable of a
// memory that is read without a clock.
func (m *Mutant) unreal(clock string) bool {
	return m.Port == "CLK" || m.Port == clock || m.Port == "EN" && strings.Contains(m.Cell, "$memrd$")
}

// Mutated returns the design with several mutants. Input Select makes one of them active: 1 for the
// first of them. The text is Verilog for the simulator.
func (d *Design) Mutated(ctx context.Context, mutants []Mutant) (cosim.Source, error) {
	if len(mutants) >= 1<<SelectBits {
		return cosim.Source{}, fmt.Errorf("found %d mutants for one design, want fewer than %d", len(mutants), 1<<SelectBits)
	}
	dir, err := d.Folder()
	if err != nil {
		return cosim.Source{}, err
	}
	defer os.RemoveAll(dir)
	script := append([]string{"read_rtlil design.il"}, d.Selectable(mutants)...)
	// Nets whose bits depend on each other are split: Verilator 5.006 simulates them wrongly.
	script = append(script, "flatten", "opt_clean", "splitnets -driver", "write_verilog -noattr mutated.v")
	if _, err := Yosys(ctx, dir, script...); err != nil {
		return cosim.Source{}, err
	}
	b, err := os.ReadFile(filepath.Join(dir, "mutated.v"))
	if err != nil {
		return cosim.Source{}, err
	}
	return cosim.Source{Top: d.Top, Clock: d.Clock, Reset: d.Reset, Netlist: true, Files: []cosim.File{{Name: d.Top + "_mutated.v", Text: string(b)}}}, nil
}

// Selectable returns the Yosys commands that put mutants into the design, for input Select.
func (d *Design) Selectable(mutants []Mutant) []string {
	var script []string
	for i := range mutants {
		script = append(script, mutants[i].Command(d.Top, fmt.Sprintf("-ctrl %s %d %d", Select, SelectBits, i+1)))
	}
	return script
}

// Folder makes a folder that holds the design as design.il.
func (d *Design) Folder() (string, error) {
	dir, err := tool.TempDir("nicgen-mutate-")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "design.il"), []byte(d.rtlil), 0o666); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// Yosys runs a script in a folder and returns its output.
func Yosys(ctx context.Context, dir string, script ...string) (string, error) {
	path, err := tool.Find(tool.Yosys)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "run.ys"), []byte(strings.Join(script, "\n")+"\n"), 0o666); err != nil {
		return "", err
	}
	return tool.Run(ctx, tool.CommandIn(ctx, dir, path, "-q", "-s", "run.ys"))
}
