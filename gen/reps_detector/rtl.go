// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// stateInLUTRAM is the largest number of connections for which the state lives in LUTRAM under
// Auto: above it a RAMB18 is better used than that many LUTs.
const stateInLUTRAM = 64

// StateKind returns the memory of the state: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	return gen.MemoryFor(p.StateMemory, p.Connections, stateInLUTRAM, gen.NoURAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ram := rtl.PartIn("ram", p.StateKind())
	files, err := rtl.Parts(ram)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Latency": VerdictLatency, "RAM": ram,
	}, "reps_detector")
	return append(files, own...), err
}
