// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"slices"
	"strings"

	"github.com/nicgen/nicgen/synth/mapped"
)

// Path is the longest path of one class, in levels of logic.
//
// A LUT is one level, and so are an inverter, an asynchronous read of a LUT RAM or shift register,
// and a DSP48E2 whose registers are not used. A carry chain of any length is one level: entering it
// costs one; moving from CO to CI and leaving it are free. MUXF7, MUXF8 and buffers are free.
type Path struct {
	Levels int `json:"levels"`
	LUTs   int `json:"luts"`   // of the levels, those that are LUTs or inverters
	Carry  int `json:"carry"`  // carry chains entered
	Memory int `json:"memory"` // asynchronous reads of LUT RAMs and shift registers
	DSP    int `json:"dsp"`    // DSP48E2 passed without a register

	From     string `json:"from"`               // register or port where it starts
	FromType string `json:"from_type"`          // cell type, or "port"
	FromSrc  string `json:"from_src,omitempty"` // file:line.column
	To       string `json:"to"`                 // register or port where it ends
	ToType   string `json:"to_type"`            // cell type, or "port"
	ToPin    string `json:"to_pin,omitempty"`   // the pin at the end
	ToSrc    string `json:"to_src,omitempty"`   // file:line.column
	Steps    []Step `json:"steps"`              // the cells between, in order
}

// Step is one cell on a Path; the cells of one carry chain are one step.
type Step struct {
	Type  string `json:"type"`
	Pins  string `json:"pins"`          // "I2→O"
	Count int    `json:"count"`         // cells: more than 1 only for carry
	Net   string `json:"net,omitempty"` // the designer's name of the driven net
	Src   string `json:"src,omitempty"` // file:line.column, where known
}

// LoopError is the error for logic that feeds back on itself without a
// register.
type LoopError = mapped.LoopError

// pin is one bit of one port of a cell.
type pin struct {
	cell  string
	port  string
	index int
}

// mark is the longest way to a net: how many levels, and the last step of it.
type mark struct {
	ok     bool
	levels int
	cells  int // breaks ties: of two ways the one through more cells
	in     pin // the input that it came through; no cell: the net is a start
	out    pin
	from   mapped.Bit // the net at in
}

// less reports whether a path with a number of levels and cells is longer than m.
func (m mark) less(levels, cells int) bool {
	return !m.ok || levels > m.levels || levels == m.levels && cells > m.cells
}

// node holds the marks of a net for paths that start at registers and for
// those that start at input ports.
type node [2]mark

const (
	fromReg = iota
	fromPort
)

type walk struct {
	n       *mapped.Netlist
	drivers map[mapped.Bit]pin
	inputs  map[mapped.Bit]string
	done    map[mapped.Bit]*node
	stack   []mapped.Bit // nets being worked on, to find loops
	active  map[mapped.Bit]bool
}

func (r *Report) paths(n *mapped.Netlist) error {
	w := &walk{n: n, drivers: map[mapped.Bit]pin{}, inputs: map[mapped.Bit]string{}, done: map[mapped.Bit]*node{}, active: map[mapped.Bit]bool{}}
	for _, name := range sortedKeys(n.Ports) {
		if p := n.Ports[name]; p.Direction == "input" {
			for i, b := range p.Bits {
				w.inputs[b] = mapped.Indexed(name, i, len(p.Bits))
			}
		}
	}
	cells := sortedKeys(n.Cells)
	for _, name := range cells {
		c := n.Cells[name]
		for port, bits := range c.Connections {
			if c.PortDirections[port] == "output" {
				for i, b := range bits {
					w.drivers[b] = pin{name, port, i}
				}
			}
		}
	}
	var toReg, toPort [2]*Path
	best := map[*[2]*Path]*node{&toReg: {}, &toPort: {}}
	end := func(list *[2]*Path, b mapped.Bit, at pin, port string) error {
		nd, err := w.visit(b)
		if err != nil || nd == nil {
			return err
		}
		for k := range nd {
			if m := nd[k]; m.ok && best[list][k].less(m.levels, m.cells) {
				best[list][k] = m
				list[k] = w.path(b, k, at, port)
			}
		}
		return nil
	}
	levels := map[int]int{}
	for _, name := range cells {
		c := n.Cells[name]
		p := mapped.Primitives[c.Type]
		for _, port := range sortedKeys(c.Connections) {
			if c.PortDirections[port] != "input" {
				continue
			}
			for i, b := range c.Connections[port] {
				if p.IsClock(port) {
					if d, ok := w.drivers[b]; ok && mapped.Primitives[n.Cells[d.cell].Type].Kind != mapped.Buffer {
						r.find("clock pin %s of %s %s is driven by logic (%s)", port, c.Type, w.cellName(name), w.n.NameOf(b))
					}
				}
				// Pins at which no path ends are visited too, so that a loop is found even if it
				// leads nowhere.
				if !p.Ends(c, port) {
					if _, err := w.visit(b); err != nil && !p.IsClock(port) {
						return err
					}
					continue
				}
				if err := end(&toReg, b, pin{name, port, i}, ""); err != nil {
					return err
				}
				if nd := w.done[b]; nd != nil && nd[fromReg].ok {
					levels[nd[fromReg].levels]++
				}
			}
		}
	}
	for _, name := range sortedKeys(n.Ports) {
		p := n.Ports[name]
		if p.Direction == "input" {
			continue
		}
		for i, b := range p.Bits {
			if err := end(&toPort, b, pin{}, mapped.Indexed(name, i, len(p.Bits))); err != nil {
				return err
			}
		}
	}
	r.RegToReg, r.InToReg = toReg[fromReg], toReg[fromPort]
	r.RegToOut, r.InToOut = toPort[fromReg], toPort[fromPort]
	for l, count := range levels {
		for len(r.EndpointsByLevel) <= l {
			r.EndpointsByLevel = append(r.EndpointsByLevel, 0)
		}
		r.EndpointsByLevel[l] = count
	}
	return nil
}

// visit finds the longest paths to a net. It is nil for constants and nets that nothing drives.
func (w *walk) visit(b mapped.Bit) (*node, error) {
	if b == mapped.Constant {
		return nil, nil
	}
	if nd, ok := w.done[b]; ok {
		return nd, nil
	}
	if _, ok := w.inputs[b]; ok {
		nd := &node{fromPort: {ok: true}}
		w.done[b] = nd
		return nd, nil
	}
	out, ok := w.drivers[b]
	if !ok {
		w.done[b] = nil
		return nil, nil
	}
	if w.active[b] {
		return nil, w.loop(b)
	}
	w.active[b] = true
	w.stack = append(w.stack, b)
	defer func() {
		delete(w.active, b)
		w.stack = w.stack[:len(w.stack)-1]
	}()

	c := w.n.Cells[out.cell]
	p := mapped.Primitives[c.Type]
	nd := &node{}
	if p.Starts(c) {
		nd[fromReg].ok = true
	}
	for _, port := range sortedKeys(c.Connections) {
		if c.PortDirections[port] != "input" {
			continue
		}
		for i, from := range c.Connections[port] {
			cost, ok := p.Arc(c, port, i, out.port, out.index)
			if !ok || from == mapped.Constant {
				continue
			}
			if p.Kind == mapped.Carry && port == "CI" && !w.chained(from) {
				cost = 1
			}
			src, err := w.visit(from)
			if err != nil {
				return nil, err
			}
			if src == nil {
				continue
			}
			for k := range nd {
				if s := src[k]; s.ok && nd[k].less(s.levels+cost, s.cells+1) {
					nd[k] = mark{ok: true, levels: s.levels + cost, cells: s.cells + 1, in: pin{out.cell, port, i}, out: out, from: from}
				}
			}
		}
	}
	w.done[b] = nd
	return nd, nil
}

// chained reports whether a net is the last carry output of a carry cell.
func (w *walk) chained(b mapped.Bit) bool {
	d, ok := w.drivers[b]
	if !ok {
		return false
	}
	p := mapped.Primitives[w.n.Cells[d.cell].Type]
	return p.Kind == mapped.Carry && d.port == "CO" && d.index == p.Size-1
}

func (w *walk) loop(b mapped.Bit) error {
	e := &LoopError{}
	for _, x := range w.stack[slices.Index(w.stack, b):] {
		e.Cells = append(e.Cells, w.n.Cells[w.drivers[x].cell].Type+" "+w.n.NameOf(x))
	}
	slices.Reverse(e.Cells) // the stack goes against the signal
	return e
}

// cellName returns the name by which a reader knows a cell: a memory's own name, or else the net
// that the first output drives.
func (w *walk) cellName(name string) string {
	if !strings.HasPrefix(name, "$") {
		return name
	}
	if s := w.n.OutputName(w.n.Cells[name]); s != "" {
		return s
	}
	return name
}

// path follows the marks back from an end.
func (w *walk) path(b mapped.Bit, k int, at pin, port string) *Path {
	p := &Path{Levels: w.done[b][k].levels, To: port, ToType: "port"}
	if at.cell != "" {
		c := w.n.Cells[at.cell]
		p.To, p.ToType, p.ToPin, p.ToSrc = w.cellName(at.cell), c.Type, at.port, w.n.Source(c.Attributes)
	}
	for m := w.done[b][k]; m.in.cell != ""; m = w.done[b][k] {
		c := w.n.Cells[m.in.cell]
		prim := mapped.Primitives[c.Type]
		chained := prim.Kind == mapped.Carry && m.in.port == "CI" && w.chained(m.from)
		s := Step{Type: c.Type, Pins: m.in.port + "→" + m.out.port, Count: 1, Net: w.n.NetName(b), Src: w.n.Source(c.Attributes)}
		if last := len(p.Steps) - 1; last >= 0 && prim.Kind == mapped.Carry && strings.HasPrefix(p.Steps[last].Pins, "CI→") &&
			mapped.Primitives[p.Steps[last].Type].Kind == mapped.Carry && m.out.port == "CO" && m.out.index == prim.Size-1 {
			_, out, _ := strings.Cut(p.Steps[last].Pins, "→")
			p.Steps[last].Pins = m.in.port + "→" + out
			p.Steps[last].Count++
		} else {
			p.Steps = append(p.Steps, s)
		}
		switch prim.Kind {
		case mapped.LUT, mapped.Inverter:
			p.LUTs++
		case mapped.Carry:
			if !chained {
				p.Carry++
			}
		case mapped.LUTRAM, mapped.SRL:
			p.Memory++
		case mapped.DSP:
			p.DSP++
		}
		b = m.from
	}
	slices.Reverse(p.Steps)
	if d, ok := w.drivers[b]; ok {
		c := w.n.Cells[d.cell]
		p.From, p.FromType, p.FromSrc = w.cellName(d.cell), c.Type, w.n.Source(c.Attributes)
		if name := w.n.NetName(b); name != "" && p.From != d.cell {
			p.From = name
		}
	} else {
		p.From, p.FromType = w.inputs[b], "port"
	}
	return p
}
