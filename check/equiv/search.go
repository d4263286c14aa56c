// SPDX-License-Identifier: Apache-2.0

package equiv

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-air/gini/z"

	"github.com/nicgen/nicgen/check/mutant"
)

// depths are the lengths of the inductions to try, in cycles. A difference that no output shows
// leaves a unit's pipeline within this many cycles.
var depths = []int{1, 2, 3, 5, 8}

// effort bounds the search for one induction: the SAT solver's time. It is far more than any search
// has taken, so that the answer does not depend on the machine.
const effort = 20 * time.Minute

// Search looks for inductions that show mutants of a design equivalent: their lengths, and the
// registers that are loose in them. It works on a graph that has the common parts of the design and
// the mutant once. Its results are not trusted: Yosys confirms them, from its own netlists.
type Search struct {
	design     *mutant.Design
	mutants    []mutant.Mutant
	invariants []string

	*cutting
	whole *circuit // with all mutants, chosen by Select
	rst   string   // the word of the input for a reset
	reset string   // the same, for a start with a reset
}

// NewSearch makes a design with several mutants ready.
func NewSearch(ctx context.Context, d *mutant.Design, mutants []mutant.Mutant, invariants []string) (*Search, error) {
	dir, err := d.Folder()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	script := append([]string{"read_rtlil design.il"}, d.Selectable(mutants)...)
	script = append(script, flatten(d), "opt_clean", "write_json whole.json")
	if _, err := mutant.Yosys(ctx, dir, append([]string{"read_rtlil design.il", flatten(d), "write_json gold.json", "design -reset"}, script...)...); err != nil {
		return nil, err
	}
	p := &comparison{dir: dir, invariants: invariants, reset: d.Reset}
	gold, err := p.cut("gold", d)
	if err != nil {
		return nil, err
	}
	if p.cutting, err = p.cut("whole", d); err != nil {
		return nil, err
	}
	p.named = gold.named // a mutant of a register's output comes between it and its name
	// Its ports become words with short names, and the invariants another output.
	var ports, body strings.Builder
	var pins, now []string
	port := func(direction string, width int, name, of string) {
		fmt.Fprintf(&ports, "  %s [%d:0] %s,\n", direction, width-1, name)
		if direction == "output" { // Yosys names no outputs that are constant
			fmt.Fprintf(&body, "  wire [%d:0] x_%s;\n  assign %s = x_%s ^ {%d{zero}};\n", width-1, name, name, name, width)
			name = "x_" + name
		}
		pins = append(pins, fmt.Sprintf(".\\%s (%s)", of, name))
	}
	for i, x := range p.inputs {
		port("input", x.width, fmt.Sprintf("i%d", i), x.name)
	}
	for i, x := range p.outputs {
		port("output", x.width, fmt.Sprintf("o%d", i), x.name)
	}
	for i, x := range p.regs {
		port("input", x.width, fmt.Sprintf("q%d", i), fmt.Sprintf("_q%d", i))
		port("output", x.width, fmt.Sprintf("d%d", i), fmt.Sprintf("_d%d", i))
		now = append(now, fmt.Sprintf("q%d", i))
	}
	for i, x := range p.reads {
		port("output", x.addr, fmt.Sprintf("ra%d", i), fmt.Sprintf("_ra%d", i))
		port("input", x.data, fmt.Sprintf("rd%d", i), fmt.Sprintf("_rd%d", i))
	}
	for i, x := range p.writes {
		port("output", x.addr, fmt.Sprintf("wa%d", i), fmt.Sprintf("_wa%d", i))
		port("output", x.data, fmt.Sprintf("wd%d", i), fmt.Sprintf("_wd%d", i))
		port("output", x.data, fmt.Sprintf("we%d", i), fmt.Sprintf("_we%d", i))
	}
	wires, holds, err := p.holds("inv_", now)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("module top (\n%s  input zero,\n  output holds\n);\n%s  whole w (%s);\n%s  assign holds = (%s) ^ zero;\nendmodule\n",
		ports.String(), body.String(), strings.Join(pins, ", "), wires, holds)
	if err := os.WriteFile(filepath.Join(dir, "top.v"), []byte(text), 0o666); err != nil {
		return nil, err
	}
	_, err = mutant.Yosys(ctx, dir, "read_json whole.json", "read_verilog top.v", "hierarchy -top top", "flatten", "setundef -undriven -zero",
		"opt_expr", "opt_clean", "techmap", "setundef -zero", "aigmap", "write_aiger -map top.aim top.aig")
	if err != nil {
		return nil, err
	}
	s := &Search{design: d, mutants: mutants, invariants: invariants, cutting: p.cutting, rst: p.resetPin("i%d")}
	if len(invariants) > 0 {
		s.reset = s.rst
	}
	s.whole, err = readCircuit(filepath.Join(dir, "top.aig"), filepath.Join(dir, "top.aim"))
	return s, err
}

// Show tries to show that one of the mutants cannot be distinguished from the design at its ports.
// It returns the method, or an empty string if it found no proof: the mutant may still be
// equivalent. The error is a tool's or the context's.
//
// Registers and memories of the two start with the same arbitrary values. Induction over the cycles
// shows that they keep the same values, except for a set of registers, called loose, in which the
// mutant may show; that the outputs are the same in every cycle; and that the writes to the
// memories are the same. A search finds the loose ones: the registers that can differ within depth
// cycles. The step of the induction starts with any values for them, depth cycles earlier. So a
// difference that vanishes unseen is followed through the pipeline, and one that stays is not lost.
//
// Memories are cut out: reads from the same address of the same contents give the same unknown
// value. If only the top module has mutants, the modules in it are cut out too: their inputs must
// be the same in every cycle. An output m_x_y is the same if it is equal in the cycles in which
// m_x_valid is high, if the design has such a port.
//
// With invariants, the two start with a reset, and only states in which all of them hold are
// considered; CheckInvariants must have shown that no others are reachable after a reset.
func (s *Search) Show(ctx context.Context, m *mutant.Mutant) (string, error) {
	place := slices.IndexFunc(s.mutants, func(x mutant.Mutant) bool { return x.Number == m.Number }) + 1
	return confirm(ctx, s.design, m, s.invariants, s.find(uint64(place)))
}

// induction is one that shows a mutant equivalent.
type induction struct {
	depth int
	loose map[int]bool
}

// find looks for an induction for the mutant with this value of Select, and returns nil if it finds
// none.
func (s *Search) find(place uint64) *induction {
	if s.shows(place) {
		return nil
	}
	h := &hunt{Search: s, place: place, left: effort}
	loose := map[int]bool{}
	for _, depth := range depths {
		if !h.base(depth, loose) {
			return nil
		}
		trial := maps.Clone(loose)
		for {
			if depth == 1 && len(loose) == 0 {
				return &induction{depth, loose} // the base says it all
			}
			state, differ := h.ask(depth, trial, false)
			if state == unclear {
				return nil
			}
			if state == visible {
				break
			}
			if len(differ) > 0 {
				maps.Copy(trial, differ)
				continue
			}
			// With more loose registers, the start of the induction changes.
			n := len(trial)
			if n > len(loose) && !h.base(depth, trial) {
				return nil
			}
			if len(trial) == n {
				return &induction{depth, trial}
			}
		}
	}
	return nil
}

// show runs this often, for this many cycles
const rounds, trials = 4, 80

// shows reports whether random inputs, from some equal states, distinguish a mutant from the
// design: it then has no induction of any length. 64 runs are made at a time, one in each bit of a
// word.
func (s *Search) shows(place uint64) bool {
	r := rand.New(rand.NewPCG(1, place))
	c := s.whole
	size := 1 + len(c.inputs) + len(c.ands)
	gold, gate := make([]uint64, size), make([]uint64, size)
	run := func(at []uint64) {
		n := 1 + len(c.inputs)
		for i, p := range c.ands {
			at[n+i] = (at[p[0]>>1] ^ -uint64(p[0]&1)) & (at[p[1]>>1] ^ -uint64(p[1]&1))
		}
	}
	value := func(at []uint64, l lit) uint64 { return at[l>>1] ^ -uint64(l&1) }
	// differ is 1 for the runs in which a word differs.
	differ := func(word string, mask []lit) (x uint64) {
		for i, l := range c.out[word] {
			d := value(gold, l) ^ value(gate, l)
			if mask != nil {
				d &= value(gold, mask[i])
			}
			x |= d
		}
		return x
	}
	some := func(word string) (x uint64) {
		for _, l := range c.out[word] {
			x |= value(gold, l)
		}
		return x
	}
	for k := range rounds * trials {
		t := k % trials
		// All registers take over their next values together.
		next := make([][2]uint64, 1+len(c.inputs))
		for i, in := range c.inputs {
			n := i + 1
			x := [2]uint64{r.Uint64()}
			x[1] = x[0]
			switch {
			case in.word == "zero":
				x = [2]uint64{}
			case in.word == s.reset:
				x[0] = -b64(t == 0)
				x[1] = x[0]
			case s.isSelect(in.word):
				x = [2]uint64{0, -(place >> in.bit & 1)}
			case in.word[0] == 'q' && t > 0:
				l := c.out["d"+in.word[1:]][in.bit]
				x = [2]uint64{value(gold, l), value(gate, l)}
			case in.word == s.rst:
				x[0] &= r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
				x[1] = x[0]
			}
			next[n] = x
		}
		for n := range next {
			gold[n], gate[n] = next[n][0], next[n][1]
		}
		run(gold)
		run(gate)
		// Reads from other addresses give other values.
		moved := map[string]uint64{}
		for range s.reads {
			again := false
			for i := range s.reads {
				if d := differ(fmt.Sprintf("ra%d", i), nil); d&^moved[fmt.Sprintf("rd%d", i)] != 0 {
					moved[fmt.Sprintf("rd%d", i)] |= d
					again = true
				}
			}
			if !again {
				break
			}
			for i, in := range c.inputs {
				if m := moved[in.word]; m != 0 {
					gate[i+1] = gold[i+1]&^m | r.Uint64()&m
				}
			}
			run(gate)
		}
		for i, x := range s.outputs {
			d := differ(fmt.Sprintf("o%d", i), nil)
			if v := s.validOf(x.name); v >= 0 {
				d &= value(gold, c.out[fmt.Sprintf("o%d", v)][0])
			}
			if d != 0 {
				return true
			}
		}
		for i := range s.writes {
			we := fmt.Sprintf("we%d", i)
			if differ(we, nil)|differ(fmt.Sprintf("wd%d", i), c.out[we])|some(we)&differ(fmt.Sprintf("wa%d", i), nil) != 0 {
				return true
			}
		}
	}
	return false
}

func b64(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// hunt is the search for one mutant.
type hunt struct {
	*Search
	place uint64
	left  time.Duration // of the SAT solver
}

// Results of ask.
type state int

const (
	hidden  state = iota // no difference at the ports
	visible              // there may be one
	unclear              // the effort did not suffice
)

// base finds the registers that differ within depth cycles from equal states and adds them to
// loose. It returns false if the ports may differ.
func (h *hunt) base(depth int, loose map[int]bool) bool {
	for {
		state, differ := h.ask(depth, loose, true)
		if state != hidden {
			return false
		}
		if len(differ) == 0 {
			return true
		}
		maps.Copy(loose, differ)
	}
}

// ask calls comparison.solve for all registers that are not loose and can differ.
func (h *hunt) ask(depth int, loose map[int]bool, same bool) (state, map[int]bool) {
	g := newAIG()
	seen, given, differ := h.miter(g, depth, loose, same)
	f := newFormula(g)
	f.clause(f.lit(given))
	solve := func(l z.Lit) int {
		start := time.Now()
		defer func() { h.left -= time.Since(start) }()
		return f.solve(h.left, l)
	}
	if seen != 0 {
		switch solve(f.lit(seen)) {
		case 1:
			return visible, nil
		case 0:
			return unclear, nil
		}
	}
	found := map[int]bool{}
	for {
		// A new variable is true if one of the registers not found yet differs.
		some := f.Lit()
		clause := []z.Lit{some.Not()}
		for i := range h.regs {
			if differ[i] != 0 && !found[i] {
				clause = append(clause, f.lit(differ[i]))
			}
		}
		if len(clause) == 1 {
			return hidden, found
		}
		f.clause(clause...)
		switch solve(some) {
		case -1:
			return hidden, found
		case 0:
			return unclear, nil
		}
		for i := range h.regs {
			if differ[i] != 0 && !found[i] && f.Value(f.lit(differ[i])) {
				found[i] = true
			}
		}
	}
}

// miter returns comparison.miter as a graph: a visible difference, the states to consider, and the
// registers that differ.
func (h *hunt) miter(g *aig, depth int, loose map[int]bool, same bool) (seen, given lit, differ []lit) {
	gold, gate := make([][]lit, len(h.regs)), make([][]lit, len(h.regs))
	for i, r := range h.regs {
		gold[i] = g.word(r.width)
		gate[i] = gold[i]
		if loose[i] && !same {
			gate[i] = g.word(r.width)
		}
	}
	differ = make([]lit, len(h.regs))
	given = 1
	for t := 1; t <= depth; t++ {
		last := same || t == depth
		in := map[string][]lit{"zero": {0}}
		for i, x := range h.inputs {
			in[fmt.Sprintf("i%d", i)] = g.word(x.width)
		}
		for i, x := range h.reads {
			in[fmt.Sprintf("rd%d", i)] = g.word(x.data)
		}
		now := gold
		a := g.copy(h.whole, func(word string, bit int) lit {
			if w, ok := in[word]; ok {
				if h.isSelect(word) {
					return 0
				}
				return w[bit]
			}
			return now[number(word)][bit]
		})
		then, read := gate, map[string][]lit{}
		var b *copied
		b = g.copy(h.whole, func(word string, bit int) lit {
			switch {
			case strings.HasPrefix(word, "q"):
				return then[number(word)][bit]
			case h.isSelect(word):
				return lit(h.place >> bit & 1)
			case !strings.HasPrefix(word, "rd"):
				return in[word][bit]
			}
			// Reads from the same address give the same value.
			w, ok := read[word]
			if !ok {
				addr := "ra" + word[2:]
				w = in[word]
				if moved := g.differ(a.word(addr), b.word(addr), nil); moved != 0 {
					other := g.word(len(w))
					for i, known := range in[word] {
						other[i] = g.mux(moved, other[i], known)
					}
					w = other
				}
				read[word] = w
			}
			return w[bit]
		})
		if t == 1 {
			given = a.word("holds")[0]
			if w, ok := in[h.reset]; ok && same {
				given = g.or(given, w[0])
			}
		}
		if last {
			for i, x := range h.outputs {
				name := fmt.Sprintf("o%d", i)
				d := g.differ(a.word(name), b.word(name), nil)
				if v := h.validOf(x.name); v >= 0 && d != 0 {
					d = g.and(d, a.word(fmt.Sprintf("o%d", v))[0])
				}
				seen = g.or(seen, d)
			}
			for i := range h.writes {
				we, wd, wa := fmt.Sprintf("we%d", i), fmt.Sprintf("wd%d", i), fmt.Sprintf("wa%d", i)
				en := a.word(we)
				seen = g.or(seen, g.differ(en, b.word(we), nil))
				seen = g.or(seen, g.differ(a.word(wd), b.word(wd), en))
				seen = g.or(seen, g.and(g.some(en), g.differ(a.word(wa), b.word(wa), nil)))
			}
		}
		gold, gate = make([][]lit, len(h.regs)), make([][]lit, len(h.regs))
		for i := range h.regs {
			name := fmt.Sprintf("d%d", i)
			if t < depth || last {
				gold[i] = a.word(name)
			}
			gate[i] = gold[i] // the assumption of the next cycle
			switch {
			case loose[i]:
				gate[i] = b.word(name)
			case last:
				differ[i] = g.or(differ[i], g.differ(gold[i], b.word(name), nil))
			}
		}
	}
	return seen, given, differ
}

// isSelect reports whether an input chooses the mutant.
func (s *Search) isSelect(word string) bool {
	return strings.HasPrefix(word, "i") && s.inputs[number(word)].name == mutant.Select
}

// number returns the number at the end of a word's name.
func number(word string) (n int) {
	for _, c := range strings.TrimLeft(word, "adioqrw") {
		n = 10*n + int(c-'0')
	}
	return n
}
