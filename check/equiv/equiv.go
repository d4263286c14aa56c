// SPDX-License-Identifier: Apache-2.0

// Package equiv shows that a mutant of a design is equivalent to it: that it cannot be
// distinguished from the design at its ports.
//
// A search looks for an induction, in a graph of the design and its mutants with its own SAT
// solver. Yosys then confirms the result, from its own netlists.
package equiv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/internal/tool"
)

// satSeconds is the time limit of one call of Yosys' SAT solver; without an answer nothing is
// proved.
const satSeconds = 60

// confirm checks an induction that a search has found, with Yosys; nil is none.
func confirm(ctx context.Context, d *mutant.Design, m *mutant.Mutant, invariants []string, found *induction) (string, error) {
	if found == nil {
		return "", nil
	}
	dir, err := d.Folder()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if _, err := mutant.Yosys(ctx, dir, "read_rtlil design.il", "design -save whole", flatten(d), "write_json gold.json",
		"design -load whole", m.Command(d.Top, ""), flatten(d), "write_json gate.json"); err != nil {
		return "", err
	}
	p := &comparison{dir: dir, invariants: invariants, reset: d.Reset}
	gold, err := p.cut("gold", d)
	if err != nil {
		return "", err
	}
	gate, err := p.cut("gate", d)
	if err != nil {
		return "", err
	}
	if p.cutting, err = pair(gold, gate); err != nil {
		return "", err
	}
	p.origin(m)
	if ok, err := p.solve(ctx, found.depth, found.loose, true); !ok || err != nil {
		return "", err
	}
	if found.depth == 1 && len(found.loose) == 0 {
		return "the next state and the outputs are the same for all states and inputs", nil
	}
	if ok, err := p.solve(ctx, found.depth, found.loose, false); !ok || err != nil {
		return "", err
	}
	return fmt.Sprintf("induction over %d cycles, %d of %d registers loose", found.depth, len(found.loose), len(p.regs)), nil
}

// flatten returns the Yosys commands that prepare a design: where only the top module has mutants,
// the modules in it are cut out.
func flatten(d *mutant.Design) string {
	if d.Own {
		return ""
	}
	return "flatten"
}

// comparison is of two designs whose registers and memories are cut out.
type comparison struct {
	dir        string
	invariants []string
	reset      string
	*cutting
	seeds []string // nets that the mutation itself changes
	hit   touched  // registers and memory ports that it changes without any logic between
	// The mutated cell is a module, so that differences may be anywhere.
	anywhere bool
}

// pin is a port of a design without registers and memories.
type pin struct {
	name  string
	width int
}

// cutting is the shape of a design without registers and memories: their outputs become its inputs,
// and vice versa.
type cutting struct {
	inputs, outputs []pin
	regs            []pin // q<i> in, d<i> out
	reads           []access
	writes          []access
	graph           *graph
	named           map[string][]place // by signal: the registers that it consists of, from bit 0
}

// place is a bit of a register.
type place struct{ reg, bit int }

// unread is the place of a bit that was removed.
var unread = place{-1, -1}

// access is a port of a memory: ra<i> out and rd<i> in, or wa<i>, wd<i> and we<i> out.
type access struct {
	cell       string
	memory     string
	addr, data int // bits
}

// netlist is a module in Yosys' JSON.
type netlist struct {
	Ports    map[string]*jsonPort `json:"ports"`
	Cells    map[string]*jsonCell `json:"cells"`
	Netnames map[string]*jsonNet  `json:"netnames"`
}

type jsonNet struct {
	Bits []any `json:"bits"`
}

type jsonPort struct {
	Direction string `json:"direction"`
	Bits      []any  `json:"bits"`
}

type jsonCell struct {
	Type       string            `json:"type"`
	Parameters map[string]string `json:"parameters"`
	Directions map[string]string `json:"port_directions"`
	Pins       map[string][]any  `json:"connections"`
}

// cut reads a module from <name>.json, takes its registers and memories out, and
// writes the rest back as module name.
func (p *comparison) cut(name string, d *mutant.Design) (*cutting, error) {
	file := filepath.Join(p.dir, name+".json")
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Modules map[string]*netlist `json:"modules"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("%s of yosys: %w", filepath.Base(file), err)
	}
	n := doc.Modules[d.Top]
	if n == nil {
		return nil, fmt.Errorf("%s of yosys: module %s is missing", filepath.Base(file), d.Top)
	}
	clock := fmt.Sprint(n.Ports[d.Clock].Bits)
	delete(n.Ports, d.Clock)
	if d.Own {
		n.cutParts(d.Clock)
	}
	c := &cutting{graph: newGraph(n)}
	for _, port := range sortedKeys(n.Ports) {
		x := pin{port, len(n.Ports[port].Bits)}
		if n.Ports[port].Direction == "input" {
			c.inputs = append(c.inputs, x)
		} else {
			c.outputs = append(c.outputs, x)
		}
	}
	names := n.Netnames
	n.Netnames = map[string]*jsonNet{}
	add := func(direction, port string, i int, bits []any) {
		n.Ports[fmt.Sprintf("%s%d", port, i)] = &jsonPort{direction, bits}
	}
	for _, id := range sortedKeys(n.Cells) {
		x := n.Cells[id]
		if ck, ok := x.Pins["CLK"]; ok && x.Type != "$memrd" && x.Type != "$memrd_v2" && fmt.Sprint(ck) != clock {
			return nil, fmt.Errorf("cell %s has another clock than %s", id, d.Clock)
		}
		switch x.Type {
		case "$dff":
			i := len(c.regs)
			c.regs = append(c.regs, pin{id, len(x.Pins["Q"])})
			add("input", "_q", i, x.Pins["Q"])
			add("output", "_d", i, x.Pins["D"])
		case "$memrd", "$memrd_v2":
			if !allZero(x.Parameters["CLK_ENABLE"]) {
				return nil, fmt.Errorf("cell %s reads with a clock, want a register after it", id)
			}
			i := len(c.reads)
			c.reads = append(c.reads, access{cell: id, memory: x.Parameters["MEMID"], addr: len(x.Pins["ADDR"]), data: len(x.Pins["DATA"])})
			add("output", "_ra", i, x.Pins["ADDR"])
			add("input", "_rd", i, x.Pins["DATA"])
		case "$memwr", "$memwr_v2":
			i := len(c.writes)
			c.writes = append(c.writes, access{cell: id, memory: x.Parameters["MEMID"], addr: len(x.Pins["ADDR"]), data: len(x.Pins["DATA"])})
			add("output", "_wa", i, x.Pins["ADDR"])
			add("output", "_wd", i, x.Pins["DATA"])
			add("output", "_we", i, x.Pins["EN"])
		case "$meminit", "$meminit_v2":
			// Contents do not matter, only that they are the same.
		default:
			if x.Pins["CLK"] != nil || strings.HasPrefix(x.Type, "$mem") || strings.HasPrefix(x.Type, "$adff") || strings.Contains(x.Type, "latch") {
				return nil, fmt.Errorf("cell %s of type %s cannot be cut out", id, x.Type)
			}
			continue
		}
		delete(n.Cells, id)
	}
	c.name(n, names)
	doc.Modules = map[string]*netlist{name: n}
	if b, err = json.Marshal(map[string]any{"creator": "nicgen", "modules": doc.Modules}); err != nil {
		return nil, err
	}
	return c, os.WriteFile(file, b, 0o666)
}

// cutParts takes the modules in a module out: their outputs become inputs, and their inputs become
// outputs. Equal parts with equal inputs in every cycle have equal outputs.
func (n *netlist) cutParts(clock string) {
	for id, x := range n.Cells {
		if strings.HasPrefix(x.Type, "$") && !strings.HasPrefix(x.Type, "$paramod") {
			continue
		}
		for name, bits := range x.Pins {
			if name == clock {
				continue
			}
			direction := "output"
			if x.Directions[name] == "output" {
				direction = "input"
			}
			n.Ports[id+"."+name] = &jsonPort{direction, bits}
		}
		delete(n.Cells, id)
	}
}

// name finds the signals that consist of registers. A register bit that nothing reads was removed
// and counts as 0.
func (c *cutting) name(n *netlist, names map[string]*jsonNet) {
	at := map[string]place{}
	for i := range c.regs {
		for j, bit := range n.Ports[fmt.Sprintf("_q%d", i)].Bits {
			at[fmt.Sprint(bit)] = place{i, j}
		}
	}
	there := map[string]bool{}
	for _, x := range n.Ports {
		for _, bit := range x.Bits {
			there[fmt.Sprint(bit)] = true
		}
	}
	for _, x := range n.Cells {
		for _, bits := range x.Pins {
			for _, bit := range bits {
				there[fmt.Sprint(bit)] = true
			}
		}
	}
	c.named = map[string][]place{}
	for name, net := range names {
		var list []place
		for _, bit := range net.Bits {
			if x, ok := at[fmt.Sprint(bit)]; ok {
				list = append(list, x)
			} else if !there[fmt.Sprint(bit)] {
				list = append(list, unread)
			}
		}
		if len(list) == len(net.Bits) {
			c.named[name] = list
		}
	}
}

// wordRE matches names of signals: "ready_q", "lost.wr_q", "g_queue[0].rd_q".
var wordRE = regexp.MustCompile(`(?i)\b[a-z_]\w*(?:(?:\[\d+\])?\.\w+)*`)

// plain makes a Verilog name of the name of a signal in another module or block.
var plain = strings.NewReplacer(".", "_dot_", "[", "_", "]", "")

// holds returns Verilog for the invariants over registers with these values, and the wires
// that it needs, whose names start with prefix.
func (p *comparison) holds(prefix string, values []string) (wires, expression string, err error) {
	var b strings.Builder
	done := map[string]bool{}
	var terms []string
	for _, x := range p.invariants {
		terms = append(terms, wordRE.ReplaceAllStringFunc(x, func(word string) string {
			bits, ok := p.named[word]
			if !ok {
				err = fmt.Errorf("invariant %s: there is no signal %q that consists of registers", x, word)
				return word
			}
			name := prefix + plain.Replace(word)
			if !done[name] {
				done[name] = true
				var parts []string
				for _, at := range slices.Backward(bits) {
					switch {
					case at == unread:
						parts = append(parts, "1'b0")
					case p.regs[at.reg].width == 1:
						parts = append(parts, values[at.reg])
					default:
						parts = append(parts, fmt.Sprintf("%s[%d]", values[at.reg], at.bit))
					}
				}
				fmt.Fprintf(&b, "  wire [%d:0] %s = {%s};\n", len(bits)-1, name, strings.Join(parts, ", "))
			}
			return name
		}))
	}
	if len(terms) == 0 {
		return "", "1'b1", err
	}
	return b.String(), "(" + strings.Join(terms, ") && (") + ")", err
}

// CheckInvariants shows that, from the first cycle of a reset on, a design is always in a state in
// which the invariants hold: Verilog expressions over the names of signals that consist of
// registers. It returns an error if a tool fails, the context ends, or the invariants do not hold
// or do not follow from each other.
func CheckInvariants(ctx context.Context, d *mutant.Design, invariants []string) error {
	if len(invariants) == 0 {
		return nil
	}
	dir, err := d.Folder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := mutant.Yosys(ctx, dir, "read_rtlil design.il", flatten(d), "write_json gold.json"); err != nil {
		return err
	}
	p := &comparison{dir: dir, invariants: invariants, reset: d.Reset}
	if p.cutting, err = p.cut("gold", d); err != nil {
		return err
	}
	var ports, body strings.Builder
	var pins, now, next []string
	for i, x := range p.inputs {
		fmt.Fprintf(&ports, "  input [%d:0] i%d,\n", x.width-1, i)
		pins = append(pins, fmt.Sprintf(".\\%s (i%d)", x.name, i))
	}
	for i, x := range p.reads {
		fmt.Fprintf(&ports, "  input [%d:0] rd%d,\n", x.data-1, i)
		pins = append(pins, fmt.Sprintf("._rd%d (rd%d)", i, i))
	}
	for i, x := range p.regs {
		fmt.Fprintf(&ports, "  input [%d:0] q%d,\n", x.width-1, i)
		fmt.Fprintf(&body, "  wire [%d:0] d%d;\n", x.width-1, i)
		pins = append(pins, fmt.Sprintf("._q%d (q%d), ._d%d (d%d)", i, i, i, i))
		now, next = append(now, fmt.Sprintf("q%d", i)), append(next, fmt.Sprintf("d%d", i))
	}
	wires, before, err := p.holds("now_", now)
	if err != nil {
		return err
	}
	more, after, err := p.holds("next_", next)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("module miter (\n%s  output bad\n);\n%s  gold g (%s);\n%s%s  assign bad = (%s || %s) && !(%s);\nendmodule\n",
		ports.String(), body.String(), strings.Join(pins, ", "), wires, more, p.resetPin("i%d"), before, after)
	if err := os.WriteFile(filepath.Join(dir, "miter.v"), []byte(text), 0o666); err != nil {
		return err
	}
	out, err := p.sat(ctx, "gold.json")
	if err != nil {
		return err
	}
	if !strings.Contains(out, noModel) {
		return fmt.Errorf("module %s: the invariants %q are not shown to hold from a reset on", d.Top, invariants)
	}
	return nil
}

// resetPin returns the reset among inputs whose names have this format.
func (p *comparison) resetPin(format string) string {
	for i, x := range p.inputs {
		if x.name == p.reset {
			return fmt.Sprintf(format, i)
		}
	}
	return "1'b0"
}

func allZero(s string) bool { return strings.Trim(s, "0") == "" }

// pair checks that two designs have the same shape and returns it.
func pair(a, b *cutting) (*cutting, error) {
	if !slices.Equal(a.inputs, b.inputs) || !slices.Equal(a.outputs, b.outputs) || !slices.Equal(a.regs, b.regs) ||
		!slices.Equal(a.reads, b.reads) || !slices.Equal(a.writes, b.writes) {
		return nil, errors.New("the mutant has other registers, memories or ports than the design")
	}
	return a, nil
}

// solve proves that, in depth cycles, nothing differs that must be equal. It returns false if
// something differs, or if there was no answer in time. If same is set, the two start with equal
// states, and every cycle is checked; otherwise loose registers start with any values, and only the
// last cycle is checked. In either case, registers that are not loose are equal before the checked
// cycle.
func (p *comparison) solve(ctx context.Context, depth int, loose map[int]bool, same bool) (bool, error) {
	miter, err := p.miter(depth, loose, same)
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(p.dir, "miter.v"), []byte(miter), 0o666); err != nil {
		return false, err
	}
	text, err := p.sat(ctx, "gold.json", "gate.json")
	if err != nil {
		return false, err
	}
	switch {
	case strings.Contains(text, noModel):
		return true, nil
	case strings.Contains(text, "TIMEOUT!"), strings.Contains(text, "model found: FAIL!"):
		return false, nil
	}
	return false, &tool.Failed{Name: tool.Yosys.Name, Err: errors.New("no answer from its SAT solver"), Output: tool.Tail(text, 20)}
}

// noModel is the output of Yosys' SAT solver if nothing is bad.
const noModel = "no model found: SUCCESS!"

// sat asks whether signal bad of miter.v can be high, and returns the answer of Yosys.
func (p *comparison) sat(ctx context.Context, modules ...string) (string, error) {
	var script []string
	for _, m := range modules {
		script = append(script, "read_json "+m)
	}
	script = append(script, "read_verilog miter.v",
		"hierarchy -top miter", "proc", "flatten", "opt_clean -purge", "opt_merge", "opt_expr", "opt_merge", "opt_expr", "opt_merge", "opt_clean -purge",
		fmt.Sprintf("tee -q -o sat.txt sat -timeout %d -prove bad 0 miter", satSeconds))
	if _, err := mutant.Yosys(ctx, p.dir, script...); err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(p.dir, "sat.txt"))
	return string(b), err
}

// miter returns the Verilog of the question that solve asks.
func (p *comparison) miter(depth int, loose map[int]bool, same bool) (string, error) {
	var ports, body strings.Builder
	input := func(width int, format string, args ...any) string {
		name := fmt.Sprintf(format, args...)
		fmt.Fprintf(&ports, "  input [%d:0] %s,\n", width-1, name)
		return name
	}
	wire := func(width int, format string, args ...any) string {
		name := fmt.Sprintf(format, args...)
		fmt.Fprintf(&body, "  wire [%d:0] %s;\n", width-1, name)
		return name
	}
	gold, gate := make([]string, len(p.regs)), make([]string, len(p.regs))
	for i, r := range p.regs {
		gold[i] = input(r.width, "s%d", i)
		gate[i] = gold[i]
		if loose[i] && !same {
			gate[i] = input(r.width, "l%d", i)
		}
	}
	wires, given, err := p.holds("inv_", gold)
	if err != nil {
		return "", err
	}
	body.WriteString(wires)
	if same {
		given += " || " + p.resetPin("t1_i%d")
	}
	differ := make([][]string, len(p.regs))
	var seen []string
	state := map[int]bool{} // registers that may differ before the cycle
	if !same {
		state = loose
	}
	for t := 1; t <= depth; t++ {
		last := same || t == depth
		may := p.spread(state)
		in := make([]string, len(p.inputs))
		for i, x := range p.inputs {
			in[i] = input(x.width, "t%d_i%d", t, i)
		}
		instance := func(module string, state []string) (out, next []string, addr, data []string, wa, wd, we []string) {
			var pins []string
			pin := func(name, signal string) { pins = append(pins, fmt.Sprintf(".\\%s (%s)", name, signal)) }
			for i, x := range p.inputs {
				pin(x.name, in[i])
			}
			for i, x := range p.outputs {
				out = append(out, wire(x.width, "t%d_%s_o%d", t, module, i))
				pin(x.name, out[i])
			}
			for i, x := range p.regs {
				next = append(next, wire(x.width, "t%d_%s_d%d", t, module, i))
				pin(fmt.Sprintf("_q%d", i), state[i])
				pin(fmt.Sprintf("_d%d", i), next[i])
			}
			for i, x := range p.reads {
				addr = append(addr, wire(x.addr, "t%d_%s_ra%d", t, module, i))
				data = append(data, wire(x.data, "t%d_%s_rd%d", t, module, i))
				pin(fmt.Sprintf("_ra%d", i), addr[i])
				pin(fmt.Sprintf("_rd%d", i), data[i])
			}
			for i, x := range p.writes {
				wa = append(wa, wire(x.addr, "t%d_%s_wa%d", t, module, i))
				wd = append(wd, wire(x.data, "t%d_%s_wd%d", t, module, i))
				we = append(we, wire(x.data, "t%d_%s_we%d", t, module, i))
				pin(fmt.Sprintf("_wa%d", i), wa[i])
				pin(fmt.Sprintf("_wd%d", i), wd[i])
				pin(fmt.Sprintf("_we%d", i), we[i])
			}
			fmt.Fprintf(&body, "  %s t%d_%s (%s);\n", module, t, module, strings.Join(pins, ", "))
			return
		}
		out, next, addr, data, wa, wd, we := instance("gold", gold)
		mout, mnext, maddr, mdata, mwa, mwd, mwe := instance("gate", gate)
		for i, x := range p.reads {
			known, other := input(x.data, "t%d_known%d", t, i), input(x.data, "t%d_other%d", t, i)
			fmt.Fprintf(&body, "  assign %s = %s;\n", data[i], known)
			if may.reads[i] {
				fmt.Fprintf(&body, "  assign %s = %s == %s ? %s : %s;\n", mdata[i], addr[i], maddr[i], known, other)
			} else {
				fmt.Fprintf(&body, "  assign %s = %s;\n", mdata[i], known)
			}
		}
		if last {
			for i, x := range p.outputs {
				if !may.outputs[i] {
					continue
				}
				unequal := fmt.Sprintf("%s != %s", out[i], mout[i])
				if v := p.validOf(x.name); v >= 0 {
					unequal = fmt.Sprintf("%s && (%s)", out[v], unequal)
				}
				seen = append(seen, unequal)
			}
			for i := range p.writes {
				if !may.writes[i] {
					continue
				}
				seen = append(seen, fmt.Sprintf("%s != %s", we[i], mwe[i]),
					fmt.Sprintf("((%s ^ %s) & %s) != 0", wd[i], mwd[i], we[i]),
					fmt.Sprintf("%s != 0 && %s != %s", we[i], wa[i], mwa[i]))
			}
		}
		state = map[int]bool{}
		for i := range p.regs {
			switch {
			case !may.regs[i]:
				mnext[i] = next[i]
				continue
			case loose[i]:
				state[i] = true
			default:
				if last {
					differ[i] = append(differ[i], fmt.Sprintf("%s != %s", next[i], mnext[i]))
				}
				mnext[i] = next[i] // the assumption of the next cycle
			}
		}
		gold, gate = next, mnext
	}
	or := func(terms []string) string {
		if len(terms) == 0 {
			return "1'b0"
		}
		return "(" + strings.Join(terms, ") || (") + ")"
	}
	for _, terms := range differ {
		seen = append(seen, terms...)
	}
	fmt.Fprintf(&body, "  assign bad = (%s) && (%s);\n", given, or(seen))
	return "module miter (\n" + ports.String() + "  output bad\n);\n" + body.String() + "endmodule\n", nil
}

// validOf returns the place of the output that qualifies another one, or -1 if it always counts.
func (c *cutting) validOf(name string) int {
	if !strings.HasPrefix(name, "m_") {
		return -1
	}
	best, length := -1, 0
	for i, x := range c.outputs {
		stem, ok := strings.CutSuffix(x.name, "_valid")
		if ok && x.name != name && len(stem) > length && (name == stem || strings.HasPrefix(name, stem+"_")) {
			best, length = i, len(stem)
		}
	}
	return best
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
