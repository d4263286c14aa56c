// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// listed is an entry of a list of ports.
type listed struct {
	Name string
	Last bool
}

// lists returns the lists of ports that templates range over.
func (p *Params) lists() map[string]any {
	var counters []string
	for _, c := range Counters {
		counters = append(counters, c.Name)
	}
	var outside []listed
	for i, c := range Outside {
		outside = append(outside, listed{Name: c.Name, Last: i == len(Outside)-1})
	}
	var axil, axilNames []string
	var streams []listed
	for _, q := range p.Ports() {
		switch {
		case strings.HasPrefix(q.Name, "s_axil_"), q.Name == "irq":
			axil, axilNames = append(axil, portLine(q.Dir, q.Name, q.Bits)), append(axilNames, q.Name)
		case strings.Contains(q.Name, "_axis_"), strings.HasPrefix(q.Name, "m_cpl_"), strings.HasPrefix(q.Name, "m_flow_"):
			streams = append(streams, listed{Name: q.Name})
		}
	}
	streams[len(streams)-1].Last = true
	values := map[string]any{"Counters": counters, "Outside": outside, "Axil": axil, "AxilNames": axilNames, "Streams": streams}

	// Lists of the echo.
	var connect, nets, outs, ins []string
	for _, q := range p.Echo().Ports() {
		if name, ok := strings.CutPrefix(q.Name, "m_fb_"); ok && p.List > 0 {
			connect = append(connect, "fb_"+name)
			nets = append(nets, fmt.Sprintf("logic %sfb_%s;", ranged(q.Bits), name))
			outs = append(outs, portLine(q.Dir, q.Name, q.Bits))
			ins = append(ins, portLine(1-q.Dir, "s_fb_"+name, q.Bits))
		}
	}
	values["ListConnect"], values["ListNets"], values["ListPorts"], values["ListInPorts"] = connect, nets, outs, ins

	// A removed shim is one word: its known fields, the highest first.
	var record []string
	bits, typeAt := 0, 0
	if p.HasShim() {
		known := []string{"end", "subtype", "type", "body"}
		if p.HasLAPS() {
			known = []string{"end", "bad", "subtype", "type", "EtherType", "addresses", "body"}
		}
		width := map[string]int{"EtherType": 16}
		for _, q := range p.Shim().Ports() {
			if name, ok := strings.CutPrefix(q.Name, "m_shim_"); ok {
				width[name] = q.Bits
			}
		}
		for _, name := range slices.Backward(known) {
			if name == "type" {
				typeAt = bits
			}
			bits += width[name]
		}
		record = known
	}
	values["RecordW"], values["TypeAt"], values["RecordMeaning"] = bits, typeAt, strings.Join(record, ", ")
	return values
}

// portLine declares a port of a module.
func portLine(dir gen.Dir, name string, bits int) string {
	d := "input  wire"
	if dir == gen.Out {
		d = "output     "
	}
	return fmt.Sprintf("%s logic %s%s,", d, ranged(bits), name)
}

// ranged returns the range of a vector with a trailing blank, or "" for one bit.
func ranged(bits int) string {
	if r := sv.Range(width(bits)); r != "" {
		return r + " "
	}
	return ""
}

// told returns the part that gets samples.
func (p *Params) told() string {
	switch {
	case p.HasPath() && p.HasWindow():
		return "the path unit and the window unit"
	case p.HasPath():
		return "the path unit"
	case p.HasWindow():
		return "the window unit"
	}
	return "nobody"
}

// sampleUnused returns the nets of samples and timeouts that no unit uses.
func (p *Params) sampleUnused() string {
	switch {
	case p.HasPath() && !p.HasLAPS():
		return ""
	case p.HasWindow():
		return "timeout_valid, timeout_conn"
	}
	return "sample_valid, sample, timeout_valid, timeout_conn"
}
