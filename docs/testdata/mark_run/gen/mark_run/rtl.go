// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// stateInLUTRAM is the number of connections up to which runs live in LUTRAM under Auto.
const stateInLUTRAM = 512

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ram := rtl.PartIn("fwd", gen.MemoryFor(p.StateMemory, p.Connections, stateInLUTRAM, gen.NoURAM))
	parts, err := rtl.Parts(ram)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{"Latency": Latency, "RAM": ram}, "mark_run")
	return append(parts, own...), err
}
