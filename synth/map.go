// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"context"
	_ "embed" // carry.v
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth/mapped"
)

// Netlist is a design mapped like Run's: instances of the family's primitives and the nets between
// them.
type Netlist struct {
	Top   string
	Tool  string // version that Yosys reports
	Ports []NetlistPort
	Cells []Cell
	// Text is the netlist in structural Verilog. Its only module is Gates, not Top: every port is
	// one bit wide there, and bit 3 of the port x is called \x[3] , or x if it is the only bit.
	// Nets are single bits as well: simulators get buses wrong whose bits depend on each other. For
	// the same reason a CARRY4 is written as four MUXCY and four XORCY, of which it consists. An
	// initial value with some known bits has zeros for the others, as the device has: Verilator
	// 5.006 makes all bits of such a value random.
	Text  string
	Gates string // name of the module in Text
}

// NetlistPort is a port of the design.
type NetlistPort struct {
	Name  string
	Input bool
	Width int // bits
}

// Cell is an instance of a primitive.
type Cell struct {
	Name, Type string
	Params     map[string]string   // text, or a number as bits, the highest first, of 0, 1 and x
	Pins       map[string][]string // for each bit of a pin, the lowest first: 0, 1, x, or the number of a net
}

// Bits of Netlist.Cells' pins that no net drives.
const constants = "01xz"

// Constant returns the value of a pin that no net drives, as bits, the highest first; ok is false
// if a net drives one of them or the pin is not connected.
func (c *Cell) Constant(pin string) (bits string, ok bool) {
	for _, b := range c.Pins[pin] {
		if !strings.Contains(constants, b) {
			return "", false
		}
		bits = b + bits
	}
	return bits, bits != ""
}

//go:embed carry.v
var carry string

// carryFile is the path at which the commands of Map find it; a name without .v is no source.
const carryFile = "nicgen_carry.map"

// MapVersion changes when the commands of Map change, for use in cache keys.
const MapVersion = "4"

// Map maps a design like Run, with the same commands, and returns the netlist on which Run reports.
// Errors are the same as Run's.
func Map(ctx context.Context, r Request) (*Netlist, error) {
	n := &Netlist{Top: r.Top, Gates: r.Top + "_gates"}
	files := append(append([]File{}, r.Files...), File{Name: carryFile, Text: carry})
	r.Files = files
	j, _, err := mapDesign(ctx, r,
		"rename "+r.Top+" "+n.Gates,
		"techmap -map "+carryFile, // after the report's netlist is written
		"splitnets -ports",
		"write_verilog -noattr gates.v")
	if err != nil {
		return nil, err
	}
	defer j.close()
	if n.Tool, err = tool.Version(ctx, tool.Yosys); err != nil {
		return nil, err
	}
	fail := func(err error) (*Netlist, error) {
		return nil, &tool.Failed{Name: tool.Yosys.Name, Err: fmt.Errorf("netlist of %s: %w", r.Top, err)}
	}
	text, err := os.ReadFile(filepath.Join(j.dir, "gates.v"))
	if err != nil {
		return fail(err)
	}
	n.Text = known(string(text))
	b, err := os.ReadFile(filepath.Join(j.dir, "netlist.json"))
	if err != nil {
		return fail(err)
	}
	var doc struct {
		Modules map[string]struct {
			Ports map[string]struct {
				Direction string
				Bits      []json.RawMessage
			}
			Cells map[string]struct {
				Type        string
				Parameters  map[string]string
				Connections map[string][]json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return fail(err)
	}
	m, ok := doc.Modules[r.Top]
	if !ok {
		return fail(fmt.Errorf("module %s is missing", r.Top))
	}
	for _, name := range sortedKeys(m.Ports) {
		p := m.Ports[name]
		n.Ports = append(n.Ports, NetlistPort{Name: name, Input: p.Direction == "input", Width: len(p.Bits)})
	}
	for _, name := range sortedKeys(m.Cells) {
		c := m.Cells[name]
		if mapped.Ignored(c.Type) {
			continue
		}
		pins := map[string][]string{}
		for pin, bits := range c.Connections {
			for _, b := range bits {
				pins[pin] = append(pins[pin], strings.Trim(string(b), `"`))
			}
		}
		n.Cells = append(n.Cells, Cell{Name: name, Type: c.Type, Params: c.Parameters, Pins: pins})
	}
	return n, nil
}

// initial is a parameter with the value of a cell at power-up or after a reset.
var initial = regexp.MustCompile(`\.(?:INIT\w*|SRVAL_[AB])\(\d+'[bh]([0-9a-fx]+)\)`)

// known replaces the unknown bits of partly known initial values by zeros.
func known(text string) string {
	return initial.ReplaceAllStringFunc(text, func(s string) string {
		value := initial.FindStringSubmatch(s)[1]
		if strings.Trim(value, "x") == "" {
			return s
		}
		return s[:len(s)-len(value)-1] + strings.ReplaceAll(value, "x", "0") + ")"
	})
}

// mapDesign runs the commands that map a design to primitives, and then the given ones. It writes
// memories.json, with the memories under their own names before mapping, and netlist.json. The
// caller closes the job.
func mapDesign(ctx context.Context, r Request, then ...string) (*job, []Finding, error) {
	flow := r.Options.Flow
	if flow == "" {
		flow = NoWideLUT
	}
	args, ok := flowArgs[flow]
	if !ok {
		return nil, nil, fmt.Errorf("flow %q: want one of %q", flow, Flows())
	}
	if r.Options.URAM || slices.ContainsFunc(r.Files, asksForURAM) {
		args += " -uram"
	}
	j, err := newJob(ctx, tool.Yosys, r.Top, r.Files)
	if err != nil {
		return nil, nil, err
	}
	version, err := tool.Version(ctx, tool.Yosys)
	if err != nil {
		j.close()
		return nil, nil, err
	}
	j.models23 = strings.HasPrefix(version, "Yosys 0.23 ")
	j.keepsHierarchy = len(r.Options.Apart) > 0 || slices.ContainsFunc(r.Files, keepsHierarchy)
	j.noMerging = slices.ContainsFunc(r.Files, refusesMerging)
	j.noShregs = slices.ContainsFunc(r.Files, refusesShregs)
	findings, err := j.mapDesign(ctx, r, args, then)
	if err != nil {
		j.close()
		return nil, nil, err
	}
	return j, findings, nil
}

// keepRegisters keeps the flip-flops of registers with the attribute shreg_extract = "no", which
// Vivado heeds, out of shift registers: Yosys 0.23's xilinx_srl heeds keep alone. It comes after
// every command that could drop a flip-flop. Releases after 0.23 have mapped flip-flops by then.
const keepRegisters = "setattr -set keep 1 a:shreg_extract=no %ci1:+[Q] t:$_*DFF* t:FD* %u %i"

// keepApart keeps registers with the attribute dont_touch, which Vivado heeds, from being merged
// with others of the same input: Yosys heeds the attribute on cells, not on wires.
const keepApart = "proc\nsetattr -set keep 1 a:dont_touch %ci1:+[Q] t:$*dff* %i"

// mergeHierarchy makes one module of a design whose parts were mapped separately, for readers of
// the netlist: paths go through all of it.
const mergeHierarchy = "setattr -unset keep_hierarchy; setattr -mod -unset keep_hierarchy; flatten"

// withoutModels drops the contents of the family's library cells. In releases after 0.23 they have
// processes, and write_json accepts no process in any module.
const withoutModels = "blackbox =A:whitebox"

// apart returns the command that makes Yosys map instances of modules separately, after
// elaboration: Yosys names a module with non-default parameters $paramod\NAME\…, or, if that is too
// long, $paramod$HASH\NAME.
func apart(modules []string) (string, error) {
	command := "setattr -set keep_hierarchy 1"
	for _, m := range modules {
		if !identifier.MatchString(m) {
			return "", fmt.Errorf("module %q: want a SystemVerilog name", m)
		}
		command += fmt.Sprintf(` t:%[1]s t:$paramod\%[1]s\* t:$paramod$*\%[1]s`, m)
	}
	return command, nil
}

func (j *job) mapDesign(ctx context.Context, r Request, args string, then []string) ([]Finding, error) {
	elaborate, err := j.elaborate(r.Params)
	if err != nil {
		return nil, err
	}
	if len(r.Options.Apart) > 0 {
		command, err := apart(r.Options.Apart)
		if err != nil {
			return nil, err
		}
		elaborate += "\n" + command
	}
	if j.noMerging {
		elaborate += "\n" + keepApart
	}
	map1 := "synth_xilinx -family xcup -flatten -noiopad -noclkbuf" + args
	commands := []string{elaborate, map1 + " -run begin:map_memory"}
	add := func(when bool, more ...string) {
		if when {
			commands = append(commands, more...)
		}
	}
	// A copy of the design changes the order in which Yosys visits it, and thereby some choices of
	// the mapper: 0.23, whose figures the pages show, makes no copy.
	copied := j.keepsHierarchy || !j.models23
	add(copied, "design -save kept")
	add(j.keepsHierarchy, mergeHierarchy)
	add(!j.models23, withoutModels)
	add(true, "write_json memories.json")
	add(copied, "design -load kept")
	add(true, "log -stderr "+mappedMark, map1+" -run map_memory:map_luts")
	add(j.noShregs, keepRegisters)
	add(true, map1+" -run map_luts:")
	add(j.noShregs, "setattr -unset keep a:shreg_extract=no %ci1:+[Q] t:FD* %i")
	add(j.noMerging, "setattr -unset keep a:dont_touch %ci1:+[Q] t:FD* %i")
	add(j.keepsHierarchy, mergeHierarchy)
	add(true, "write_json netlist.json")
	out, err := j.yosys(ctx, append(commands, then...)...)
	findings, rejected := j.parseYosys(out)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case rejected:
		return nil, &Rejected{findings}
	}
	return findings, err
}
