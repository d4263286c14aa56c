// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"embed"
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	files, err := rtl.Parts(rtl.PartPrefix+"delay", rtl.PartPrefix+"delay_ring")
	if err != nil {
		return nil, err
	}
	modules := []string{"nic_edit"}
	if p.ICRC {
		modules = []string{"icrc", "nic_edit"}
	}
	own, err := texts.Modules(p, map[string]any{
		"Latency": Latency, "EVBits": p.evBits(),
		"ICRC": p.ICRC, "FlowLabel": p.FlowLabel, "TrafficClass": p.TrafficClass, "BECN": p.BECN, "UDPZero": p.UDPZero, "Ask": p.Ask, "AskWord": fmt.Sprintf("%08x", uint32(ask())),
		"Maps": []linear{
			{"gather", 16, "An element in powers of x^32, with x for x^32", rows(16, element.gather)},
			{"fold", 16, "The coefficients of x^32 to x^47, the lowest power in the highest bit, modulo P", rows(16, shifted(16))},
			{"spread", 32, "x^32 for x: the inverse of gather", rows(32, element.spread)},
		},
	}, modules...)
	return append(files, own...), err
}

// linear is a linear map to 32 bits, as a function.
type linear struct {
	Name    string
	Bits    int // of its operand
	Meaning string
	rows    []uint32
}

// Lines returns the assignments of the result's bits.
func (l linear) Lines() []string {
	var out []string
	for i, row := range l.rows {
		out = append(out, fmt.Sprintf("%-*s = ^(a & %d'h%0*x);", len(l.Name)+4, fmt.Sprintf("%s[%d]", l.Name, i), l.Bits, l.Bits/4, row))
	}
	return out
}
