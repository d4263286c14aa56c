// SPDX-License-Identifier: Apache-2.0

// Package timing estimates the delays of a mapped netlist: the delays of its cells are published,
// the delays of its wires modelled. Nothing is placed or routed.
package timing

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/synth/mapped"
)

// Step is one cell on a Path, with the wire to it. The CARRY8 of a chain are one step.
type Step struct {
	Cell  string  `json:"cell"`
	Count int     `json:"count,omitempty"` // cells, if more than one
	Pins  string  `json:"pins"`            // "I0→O", of the first cell "→Q", of the last "D"
	Net   string  `json:"net,omitempty"`   // the designer's name of the driven net
	Loads int     `json:"loads,omitempty"` // pins on that net
	Src   string  `json:"src,omitempty"`
	Wire  float64 `json:"wire_ns"`
	Delay float64 `json:"cell_ns"` // of the last cell the setup
}

// Path is the longest path to an end, step by step in one column.
type Path struct {
	Ns    Ns      `json:"ns"` // of the longest path to this end in each column
	Logic float64 `json:"logic_ns"`
	Wire  float64 `json:"wire_ns"`
	From  string  `json:"from"`
	To    string  `json:"to"`
	Ends  int     `json:"ends"`            // ends of paths from and to the same names except for indices
	Steps []Step  `json:"steps,omitempty"` // of the first paths of a group
}

// Group is a class of paths.
type Group struct {
	Ends  int    `json:"ends"`
	Ns    Ns     `json:"ns"` // the longest in each column, not always the same path
	Worst []Path `json:"worst"`
	// Pessimistic is the longest path by the pessimistic column, if it is not among Worst.
	Pessimistic *Path `json:"pessimistic,omitempty"`
}

// Clock is the estimate for a clock.
type Clock struct {
	Period float64 `json:"period_ns"`
	Slack  Ns      `json:"slack_ns"` // of paths between registers
	Over   Ends    `json:"over"`     // ends of those without slack
	// Histogram counts the ends of paths between registers by slack, smallest first.
	Histogram []Bin `json:"histogram"`
}

// Bin is a part of a histogram: from From up to BinWidth more.
type Bin struct {
	From float64 `json:"from_ns"`
	Ends Ends    `json:"ends"`
}

// BinWidth is the width of the bins of histograms, in ns.
const BinWidth = 0.25

// Ends counts ends of paths in each column.
type Ends [models]int

// Net is a net with its loads, or several nets with the same name except for the index.
type Net struct {
	Name   string `json:"name"`
	Nets   int    `json:"nets"`
	Driver string `json:"driver"`  // cell type, or "port"
	Loads  int    `json:"loads"`   // pins on each
	Wire   Ns     `json:"wire_ns"` // to the farthest
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
	Nets   []Net   `json:"nets_over_100"` // most loads first
	Resets []Net   `json:"resets"`        // those named rst and rst_q

	Absorbed Absorbed `json:"absorbed"`
}

// Options choose how to estimate. The zero value is the standard.
type Options struct {
	Grade   string    // "" is the first of Grades
	Periods []float64 // of clocks, in ns; if empty, those in Periods
}

// Periods returns the periods of the clocks in reports: 322.266 MHz, which is 100 Gb/s Ethernet's, and
// 250 MHz.
func Periods() []float64 { return []float64{3.103, 4} }

// Note explains the meaning and the limits of the figures.
const Note = "Estimate without placement, not a Vivado result. Cell delays are published figures (" + Delays + "), wires are modelled from their loads. " +
	"Against Vivado's routed worst path on 19 public designs the typical column was 0.77 to 1.25 of it; none of them is rich in block RAM, UltraRAM or DSPs."

// joinChains makes one step of the cells of a carry chain.
func joinChains(steps []Step) (list []Step) {
	for _, s := range steps {
		if last := len(list) - 1; last >= 0 && s.Cell == "CARRY8" && list[last].Cell == "CARRY8" && strings.HasPrefix(s.Pins, "CI0→") {
			l := &list[last]
			in, _, _ := strings.Cut(l.Pins, "→")
			_, out, _ := strings.Cut(s.Pins, "→")
			l.Pins, l.Count, l.Net, l.Loads = in+"→"+out, max(1, l.Count)+1, s.Net, s.Loads
			l.Wire += s.Wire
			l.Delay += s.Delay
			continue
		}
		list = append(list, s)
	}
	return list
}

// Check returns the problems of options.
func (o Options) Check() error {
	if _, err := o.grade(); err != nil {
		return err
	}
	for _, p := range o.Periods {
		if !(p > 0) || math.IsInf(p, 0) {
			return fmt.Errorf("clock period %g ns: want more than 0", p)
		}
	}
	return nil
}

func (o Options) grade() (Grade, error) {
	if o.Grade == "" {
		return grades[0], nil
	}
	var names []string
	for _, g := range grades {
		if g.Name == o.Grade {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return Grade{}, fmt.Errorf("speed grade %q: want %s", o.Grade, strings.Join(names, ", "))
}

// ParseClock reads the period of a clock, "3.103ns", or its frequency, "250MHz", and
// returns the period in ns.
func ParseClock(s string) (float64, error) {
	number, period := strings.CutSuffix(s, "ns")
	if !period {
		var ok bool
		if number, ok = strings.CutSuffix(s, "MHz"); !ok {
			return 0, fmt.Errorf("clock %q: want a period such as 4ns or a frequency such as 250MHz", s)
		}
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("clock %q: want more than 0, as 4ns or 250MHz", s)
	}
	if !period {
		x = 1000 / x
	}
	return x, nil
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
	if err := o.Check(); err != nil {
		return nil, err
	}
	d, err := newDesign(n)
	if err != nil {
		return nil, err
	}
	grade, err := o.grade()
	if err != nil {
		return nil, err
	}
	periods := o.Periods
	if len(periods) == 0 {
		periods = Periods()
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
	e.RegToReg = w.group(groups[0][fromRegister], fromRegister, 3)
	e.InToReg = w.group(groups[0][fromPort], fromPort, 1)
	e.RegToOut = w.group(groups[1][fromRegister], fromRegister, 1)
	e.InToOut = w.group(groups[1][fromPort], fromPort, 1)
	for _, p := range periods {
		e.Clocks = append(e.Clocks, clock(p, groups[0][fromRegister]))
	}
	e.Nets, e.Resets = []Net{}, []Net{}
	for _, b := range sorted(d.loads) {
		name := n.NameOf(b)
		if len(d.loads[b]) > ManyLoads {
			e.Nets = w.addNet(e.Nets, b, name)
		}
		if reset.MatchString(name) {
			e.Resets = w.addNet(e.Resets, b, name)
		}
	}
	slices.SortStableFunc(e.Nets, func(a, b Net) int { return cmp.Compare(b.Loads, a.Loads) })
	return e, nil
}

// ManyLoads is the number of pins from which a report lists a net.
const ManyLoads = 100

// reset is the port of every unit and the registers that its parts make of it.
var reset = regexp.MustCompile(`(^|\.)rst(_q)?$`)

// addNet adds a net to a list.
func (w *walk) addNet(list []Net, b mapped.Bit, name string) []Net {
	x := Net{Name: name, Nets: 1, Driver: "port", Loads: len(w.loads[b])}
	if from, ok := w.drivers[b]; ok {
		x.Driver = from.cell.Type
	}
	for _, l := range w.loads[b] {
		for m, t := range w.wireTo(b, l) {
			x.Wire[m] = max(x.Wire[m], ps(t))
		}
	}
	bus := indices.ReplaceAllString(name, "")
	for i, o := range list {
		if indices.ReplaceAllString(o.Name, "") == bus && o.Driver == x.Driver && o.Loads == x.Loads && o.Wire == x.Wire {
			list[i].Name, list[i].Nets = bus, o.Nets+1
			return list
		}
	}
	return append(list, x)
}

// clock returns the slack of ends of paths.
func clock(period float64, ends []end) Clock {
	c := Clock{Period: period}
	bins := map[int]*Ends{}
	for m := range models {
		c.Slack[m] = math.Inf(1)
	}
	for _, x := range ends {
		for m := range models {
			slack := period - x.ns[m] - uncertainty - skew[m]
			c.Slack[m] = min(c.Slack[m], slack)
			if slack < 0 {
				c.Over[m]++
			}
			bin := int(math.Floor(slack / BinWidth))
			if bins[bin] == nil {
				bins[bin] = &Ends{}
			}
			bins[bin][m]++
		}
	}
	for _, bin := range slices.Sorted(maps.Keys(bins)) {
		c.Histogram = append(c.Histogram, Bin{float64(bin) * BinWidth, *bins[bin]})
	}
	if len(ends) == 0 {
		c.Slack = Ns{} // there is nothing to have any
	}
	c.Slack = c.Slack.rounded()
	return c
}

// How many paths between different names a group lists.
const most = 6

// group lists the worst paths between different names, the first of them step by step.
func (w *walk) group(ends []end, k, explained int) *Group {
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
	slowest := &ends[0]
	for i := range ends {
		x := &ends[i]
		x.key = w.startName(x, k, Typical) + " → " + w.endName(x)
		counts[x.key]++
		if f := first[x.key]; f == nil || x.ns[Typical] > f.ns[Typical] {
			first[x.key] = x
		}
		if x.ns[Pessimistic] > slowest.ns[Pessimistic] {
			slowest = x
		}
	}
	order := slices.SortedFunc(maps.Values(first), func(a, b *end) int {
		return cmp.Or(cmp.Compare(b.ns[Typical], a.ns[Typical]), cmp.Compare(a.key, b.key))
	})
	order = order[:min(most, len(order))]
	for i, x := range order {
		p := w.path(x, k, Typical, counts[x.key])
		if i >= explained {
			p.Steps = nil
		}
		g.Worst = append(g.Worst, p)
	}
	if !slices.ContainsFunc(order, func(x *end) bool { return x.key == slowest.key }) {
		p := w.path(slowest, k, Pessimistic, counts[slowest.key])
		g.Pessimistic = &p
	}
	return g
}

// startName returns the start of the longest path to an end, without indices.
func (w *walk) startName(x *end, k int, column Model) string {
	b := x.net
	for m := w.done[b][k][column]; m.in.valid(); m = w.done[b][k][column] {
		b = m.from
	}
	name, ok := w.inputs[b]
	if !ok {
		name = w.cellName(w.drivers[b].cell, b)
	}
	return indices.ReplaceAllString(name, "")
}

// data is the common name of a memory's data inputs, which the tool splits.
var data = regexp.MustCompile(`^DIN?P?(A|B|C|D|E|F|G|H|_A|_B)?(DIN|DINP)?$`)

// endName returns the end of a path, without indices.
func (w *walk) endName(x *end) string {
	if !x.pin.valid() {
		return indices.ReplaceAllString(x.port, "")
	}
	port := x.pin.port
	if x.pin.cell.memory() && data.MatchString(port) {
		port = "DIN"
	}
	return indices.ReplaceAllString(w.cellName(x.pin.cell, mapped.Constant), "") + " " + port
}

// cellName returns the name that a reader knows a cell by.
func (w *walk) cellName(c *cell, b mapped.Bit) string {
	if c.name[0] != '$' {
		return c.name
	}
	if s := w.n.NetName(b); s != "" && b != mapped.Constant {
		return s
	}
	for _, p := range c.outputs { // including the flip-flops that it has absorbed
		for _, o := range p.bits {
			if s := w.n.NetName(o); s != "" {
				return s
			}
		}
	}
	if s := w.n.Source(c.Attributes); s != "" {
		return s
	}
	return c.name
}

// path follows the marks of a column back from an end.
func (w *walk) path(x *end, k int, column Model, ends int) Path {
	p := Path{From: w.startName(x, k, column), To: w.endName(x), Ns: x.ns, Ends: ends}
	wire := w.wireTo(x.net, x.pin)
	last := Step{Cell: "port", Wire: wire[column], Delay: x.setup[column]}
	if x.pin.valid() {
		last.Cell, last.Pins, last.Src = x.pin.cell.Type, x.pin.port, w.n.Source(x.pin.cell.Attributes)
	}
	p.Steps = append(p.Steps, last)
	b := x.net
	for {
		m := w.done[b][k][column]
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
			s.Wire = w.wireTo(m.from, m.in)[column]
		}
		p.Steps = append(p.Steps, s)
		if !m.in.valid() {
			break
		}
		b = m.from
	}
	slices.Reverse(p.Steps)
	p.Steps = joinChains(p.Steps)
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
