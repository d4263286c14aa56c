// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// listed is an entry of a list of ports.
type listed struct {
	Name  string
	Range string // empty, or with a blank behind it
	At    string // the bits that are used
	Last  bool
}

// lists are the lists of ports that templates range over.
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

	// Shims that are taken out: what is known of one, and what its frame's event needs of it.
	var record, tagged []listed
	if p.HasShim() {
		for _, q := range p.Shim().Ports() {
			name, ok := strings.CutPrefix(q.Name, "m_shim_")
			if !ok {
				continue
			}
			x := listed{Name: name, Range: ranged(q.Bits)}
			switch name {
			case "valid", "end", "type":
				record, tagged = append(record, x), append(tagged, x)
			case "body":
				record = append(record, x)
				if p.HasLAPS() {
					x.At, x.Range = span(0, int(8*p.bodyBytes())), ranged(int(8*p.bodyBytes()))
				}
				tagged = append(tagged, x)
			case "subtype":
				record = append(record, x)
				if !p.HasLAPS() {
					tagged = append(tagged, x)
				}
			case "bad", "addresses":
				if p.HasLAPS() {
					record = append(record, x)
				}
			}
		}
		if p.HasLAPS() {
			record = append(record, listed{Name: "ether_type", Range: ranged(16)})
		}
	}
	values["Record"], values["TaggedRecord"] = record, tagged
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

// ranged is the range of a vector with a blank behind it; empty for one bit.
func ranged(bits int) string {
	if r := sv.Range(width(bits)); r != "" {
		return r + " "
	}
	return ""
}

// told is who gets samples.
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

// sampleUnused are the nets of samples and timeouts that no unit takes.
func (p *Params) sampleUnused() string {
	switch {
	case p.HasPath() && !p.HasLAPS():
		return ""
	case p.HasWindow():
		return "timeout_valid, timeout_conn"
	}
	return "sample_valid, sample, timeout_valid, timeout_conn"
}
