// SPDX-License-Identifier: Apache-2.0

// Package timing estimates the delays of a mapped netlist: those of its cells are
// published, those of its wires modelled. Nothing is placed or routed.
package timing

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/nicgen/nicgen/synth/mapped"
)

// Step is one cell on a Path, with the wire to it.
type Step struct {
	Cell  string  `json:"cell"`
	Pins  string  `json:"pins"`            // "I0→O", "C→Q", and of the last cell "D"
	Net   string  `json:"net,omitempty"`   // the designer's name of what it drives
	Loads int     `json:"loads,omitempty"` // pins on that net
	Src   string  `json:"src,omitempty"`
	Wire  float64 `json:"wire_ns"`
	Delay float64 `json:"cell_ns"` // of the last cell the setup
}

// Path is a path by the typical column.
type Path struct {
	Ns    Ns      `json:"ns"` // of this path in each column
	Logic float64 `json:"logic_ns"`
	Wire  float64 `json:"wire_ns"`
	From  string  `json:"from"`
	To    string  `json:"to"`
	Ends  int     `json:"ends"` // ends of paths from and to the same names but for indices
	Steps []Step  `json:"steps"`
}

// Group is a class of paths.
type Group struct {
	Ends  int    `json:"ends"`
	Ns    Ns     `json:"ns"` // the longest in each column, not always the same path
	Worst []Path `json:"worst"`
}

// Clock is what an estimate says for a clock.
type Clock struct {
	Period float64     `json:"period_ns"`
	Slack  Ns          `json:"slack_ns"`
	Over   [models]int `json:"over"` // ends of paths between registers without slack
}

// Net is a net with many loads.
type Net struct {
	Name   string `json:"name"`
	Driver string `json:"driver"`
	Loads  int    `json:"loads"`
	Wire   Ns     `json:"wire_ns"`
}

// Estimate is the result.
type Estimate struct {
	Note   string `json:"note"`
	Grade  string `json:"grade"`
	Delays string `json:"delays"`

	RegToReg *Group `json:"register_to_register"`
	InToReg  *Group `json:"input_to_register"`
	RegToOut *Group `json:"register_to_output"`
	InToOut  *Group `json:"input_to_output"`

	Clocks []Clock `json:"clocks"`
	Nets   []Net   `json:"nets_over_100"`

	Absorbed Absorbed `json:"absorbed"`
}

// Options choose how to estimate. The zero value is the standard.
type Options struct {
	Grade   string    // "" is the first of Grades
	Periods []float64 // of clocks, in ns; none are those of Periods
}

// Periods are those of the clocks that reports show: 322.266 MHz, which is 100 Gb/s
// Ethernet's, and 250 MHz.
func Periods() []float64 { return []float64{3.103, 4} }

// Note says what the figures are and what they are not.
const Note = "Estimate without placement, not a Vivado result. Cell delays are published figures (" + Delays + "), wires are modelled from their loads. " +
	"Against Vivado's routed worst path on 19 public designs the typical column was 0.77 to 1.25 of it; none of them is rich in block RAM, UltraRAM or DSPs."

func gradeOf(name string) (Grade, error) {
	if name == "" {
		return grades[0], nil
	}
	var names []string
	for _, g := range grades {
		if g.Name == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return Grade{}, fmt.Errorf("speed grade %q: want one of %q", name, names)
}

// end is the end of a path.
type end struct {
	net   mapped.Bit
	pin   pin
	port  string
	setup Ns
	ns    Ns
	key   string
}

var indices = regexp.MustCompile(`\[[0-9]+\]|\.[0-9]+`)

// Of estimates a netlist.
func Of(n *mapped.Netlist, o Options) (*Estimate, error) {
	d, err := newDesign(n)
	if err != nil {
		return nil, err
	}
	grade, err := gradeOf(o.Grade)
	if err != nil {
		return nil, err
	}
	periods := o.Periods
	if len(periods) == 0 {
		periods = Periods()
	}
	for _, p := range periods {
		if !(p > 0) || math.IsInf(p, 0) {
			return nil, fmt.Errorf("clock period %g ns: want more than 0", p)
		}
	}
	w := &walk{design: d, scale: scale{grade}, done: map[mapped.Bit]*node{}, active: map[mapped.Bit]bool{}}
	e := &Estimate{Note: Note, Grade: w.Title, Delays: Delays, Absorbed: d.absorbed}
	var groups [2][starts][]end
	add := func(kind int, b mapped.Bit, at pin, port string, setup Ns) error {
		nd, err := w.visit(b)
		if err != nil || nd == nil {
			return err
		}
		wire := w.wireTo(b, at)
		for k := range nd {
			if !nd[k][Typical].ok {
				continue
			}
			x := end{net: b, pin: at, port: port, setup: setup}
			for m := range models {
				x.ns[m] = nd[k][m].time + wire[m] + setup[m]
			}
			groups[kind][k] = append(groups[kind][k], x)
		}
		return nil
	}
	for _, c := range d.cells {
		for _, p := range c.inputs {
			for i, b := range p.bits {
				if !c.Ends(c.Cell, p.name) || c.readsOnly(p.name) {
					if _, err := w.visit(b); err != nil && !c.IsClock(p.name) {
						return nil, err
					}
					continue
				}
				if b == mapped.Constant {
					continue
				}
				at := pin{c, p.name, i}
				s, err := w.setup(at)
				if err != nil {
					return nil, err
				}
				if err := add(0, b, at, "", s); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, b := range sorted(d.loads) {
		for _, l := range d.loads[b] {
			if !l.valid() {
				if err := add(1, b, l, l.port, Ns{}); err != nil {
					return nil, err
				}
			}
		}
	}
	e.RegToReg = w.group(groups[0][fromRegister], fromRegister)
	e.InToReg = w.group(groups[0][fromPort], fromPort)
	e.RegToOut = w.group(groups[1][fromRegister], fromRegister)
	e.InToOut = w.group(groups[1][fromPort], fromPort)
	for _, p := range periods {
		c := Clock{Period: p}
		for m := range models {
			c.Slack[m] = math.Inf(1)
		}
		for _, x := range groups[0][fromRegister] {
			for m := range models {
				s := p - x.ns[m] - uncertainty - skew[m]
				c.Slack[m] = min(c.Slack[m], s)
				if s < 0 {
					c.Over[m]++
				}
			}
		}
		c.Slack = c.Slack.rounded()
		e.Clocks = append(e.Clocks, c)
	}
	for _, b := range sorted(d.loads) {
		if l := len(d.loads[b]); l > 100 {
			t := Net{Name: n.NameOf(b), Driver: "port", Loads: l, Wire: w.wireTo(b, pin{}).rounded()}
			if f, ok := d.drivers[b]; ok {
				t.Driver = f.cell.Type
			}
			e.Nets = append(e.Nets, t)
		}
	}
	slices.SortStableFunc(e.Nets, func(a, b Net) int { return cmp.Compare(b.Loads, a.Loads) })
	return e, nil
}

// How many paths between different names a group lists.
const worst = 6

// group lists the worst paths between different names.
func (w *walk) group(ends []end, k int) *Group {
	if len(ends) == 0 {
		return nil
	}
	g := &Group{Ends: len(ends)}
	for _, x := range ends {
		for m := range models {
			g.Ns[m] = max(g.Ns[m], x.ns[m])
		}
	}
	g.Ns = g.Ns.rounded()
	counts := map[string]int{}
	first := map[string]*end{}
	var order []*end
	for i := range ends {
		x := &ends[i]
		x.key = indices.ReplaceAllString(w.startName(x, k)+" → "+w.endName(x), "")
		counts[x.key]++
		if f := first[x.key]; f == nil {
			first[x.key] = x
		} else if x.ns[Typical] > f.ns[Typical] {
			first[x.key] = x
		}
	}
	for _, x := range first {
		order = append(order, x)
	}
	slices.SortFunc(order, func(a, b *end) int {
		return cmp.Or(cmp.Compare(b.ns[Typical], a.ns[Typical]), cmp.Compare(a.key, b.key))
	})
	for _, x := range order[:min(worst, len(order))] {
		p := w.path(x, k)
		p.Ends = counts[x.key]
		g.Worst = append(g.Worst, p)
	}
	return g
}

func (w *walk) start(x *end, k int) mapped.Bit {
	b := x.net
	for {
		m := w.done[b][k][Typical]
		if !m.in.valid() {
			return b
		}
		b = m.from
	}
}

func (w *walk) startName(x *end, k int) string {
	b := w.start(x, k)
	if name, ok := w.inputs[b]; ok {
		return name
	}
	return w.cellName(w.drivers[b].cell, b)
}

func (w *walk) endName(x *end) string {
	if !x.pin.valid() {
		return x.port
	}
	return w.cellName(x.pin.cell, mapped.Constant) + " " + x.pin.port
}

// cellName is the name that a reader knows a cell by.
func (w *walk) cellName(c *cell, b mapped.Bit) string {
	if c.name[0] != '$' {
		return c.name
	}
	if s := w.n.NetName(b); s != "" && b != mapped.Constant {
		return s
	}
	if s := w.n.OutputName(c.Cell); s != "" {
		return s
	}
	if s := w.n.Source(c.Attributes); s != "" {
		return s
	}
	return c.name
}

func (w *walk) path(x *end, k int) Path {
	p := Path{From: w.startName(x, k), To: w.endName(x), Ns: x.ns}
	wire := w.wireTo(x.net, x.pin)
	last := Step{Cell: "port", Wire: wire[Typical], Delay: x.setup[Typical]}
	if x.pin.valid() {
		last.Cell, last.Pins, last.Src = x.pin.cell.Type, x.pin.port, w.n.Source(x.pin.cell.Attributes)
	}
	p.Steps = append(p.Steps, last)
	b := x.net
	for {
		m := w.done[b][k][Typical]
		s := Step{Delay: m.cell, Net: w.n.NetName(b), Loads: len(w.loads[b]), Cell: "port"}
		out := w.drivers[b]
		if out.valid() {
			s.Cell, s.Src = out.cell.Type, w.n.Source(out.cell.Attributes)
			s.Pins = "→" + out.port
		}
		if m.in.valid() {
			s.Pins = m.in.port + "→" + out.port
			if out.cell.Kind == mapped.Carry {
				s.Cell = "CARRY8"
				s.Pins = fmt.Sprintf("%s%d→%s%d", m.in.port, m.in.cell.base+m.in.index, out.port, out.cell.base+out.index)
			}
			s.Wire = w.wireTo(m.from, m.in)[Typical]
		}
		p.Steps = append(p.Steps, s)
		if !m.in.valid() {
			break
		}
		b = m.from
	}
	slices.Reverse(p.Steps)
	for _, s := range p.Steps {
		p.Logic += s.Delay
		p.Wire += s.Wire
	}
	p.Logic, p.Wire, p.Ns = ps(p.Logic), ps(p.Wire), p.Ns.rounded()
	for i := range p.Steps {
		s := &p.Steps[i]
		s.Delay, s.Wire = ps(s.Delay), ps(s.Wire)
	}
	return p
}
