// SPDX-License-Identifier: Apache-2.0

package equiv

import (
	"fmt"

	"github.com/nicgen/nicgen/check/mutant"
)

// graph describes where a difference can spread within a cycle: the cells of a design with the nets
// that they read and drive.
type graph struct {
	readers map[string][]string // by net: the cells that read it
	drives  map[string][]string // by cell: the nets that it drives
	// Pins of registers and of memory ports, by cell and name of the pin.
	pins map[string]map[string][]string
	outs map[string][]string // by output port: its nets
}

// kept reports whether a cell is cut out: a difference does not pass through it within a cycle.
func kept(x *jsonCell) bool {
	switch x.Type {
	case "$dff", "$memwr", "$memwr_v2", "$memrd", "$memrd_v2", "$meminit", "$meminit_v2":
		return true
	}
	return false
}

func newGraph(n *netlist) *graph {
	g := &graph{readers: map[string][]string{}, drives: map[string][]string{}, pins: map[string]map[string][]string{}, outs: map[string][]string{}}
	nets := func(bits []any) (out []string) {
		for _, b := range bits {
			out = append(out, fmt.Sprint(b))
		}
		return out
	}
	for id, x := range n.Cells {
		g.pins[id] = map[string][]string{}
		for pin, bits := range x.Pins {
			g.pins[id][pin] = nets(bits)
			switch {
			case kept(x):
			case x.Directions[pin] == "output":
				g.drives[id] = append(g.drives[id], nets(bits)...)
			default:
				for _, net := range nets(bits) {
					g.readers[net] = append(g.readers[net], id)
				}
			}
		}
	}
	for name, p := range n.Ports {
		if p.Direction == "output" {
			g.outs[name] = nets(p.Bits)
		}
	}
	return g
}

// touched are the places, by their numbers in a cutting, that a difference reaches.
type touched struct {
	regs, outputs, reads, writes map[int]bool
}

// origin finds out where the mutation itself makes a difference.
func (p *comparison) origin(m *mutant.Mutant) {
	p.hit = touched{regs: map[int]bool{}, reads: map[int]bool{}, writes: map[int]bool{}}
	for i, r := range p.regs {
		if r.name == m.Cell && m.Port != "Q" {
			p.hit.regs[i] = true
		}
	}
	for i, a := range p.reads {
		if a.cell == m.Cell && m.Port != "DATA" {
			p.hit.reads[i] = true
		}
	}
	for i, a := range p.writes {
		if a.cell == m.Cell {
			p.hit.writes[i] = true
		}
	}
	p.anywhere = p.graph.pins[m.Cell] == nil
	// For an input of a logic cell, the cell's outputs; for an output, the net.
	if driven, ok := p.graph.drives[m.Cell]; ok {
		p.seeds = driven
	} else if m.Port == "Q" || m.Port == "DATA" {
		p.seeds = p.graph.pins[m.Cell][m.Port]
	}
}

// spread follows differences in these registers, and the mutation's, through a cycle.
func (p *comparison) spread(state map[int]bool) touched {
	t := touched{regs: map[int]bool{}, outputs: map[int]bool{}, reads: map[int]bool{}, writes: map[int]bool{}}
	g, seen := p.graph, map[string]bool{}
	var todo []string
	add := func(nets []string) {
		for _, n := range nets {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	any := func(nets []string) bool {
		for _, n := range nets {
			if seen[n] {
				return true
			}
		}
		return false
	}
	add(p.seeds)
	for i := range state {
		add(g.pins[p.regs[i].name]["Q"])
	}
	done := map[string]bool{}
	for again := true; again; {
		for len(todo) > 0 {
			n := todo[0]
			todo = todo[1:]
			for _, cell := range g.readers[n] {
				if !done[cell] {
					done[cell] = true
					add(g.drives[cell])
				}
			}
		}
		again = false
		for i, a := range p.reads {
			if !t.reads[i] && (p.anywhere || p.hit.reads[i] || any(g.pins[a.cell]["ADDR"])) {
				t.reads[i], again = true, true
				add(g.pins[a.cell]["DATA"])
			}
		}
	}
	for i, r := range p.regs {
		t.regs[i] = p.anywhere || p.hit.regs[i] || any(g.pins[r.name]["D"])
	}
	for i, x := range p.outputs {
		t.outputs[i] = p.anywhere || any(g.outs[x.name])
	}
	for i, a := range p.writes {
		pins := g.pins[a.cell]
		t.writes[i] = p.anywhere || p.hit.writes[i] || any(pins["ADDR"]) || any(pins["DATA"]) || any(pins["EN"])
	}
	return t
}
