// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"embed"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Largest numbers of entries for which the table lives in LUTRAM under Auto.
const (
	wordsInLUTRAM = 64
	bitsInLUTRAM  = 512
)

// WordKind returns the memory of EVs and times: LUTRAM or BRAM.
func (p *Params) WordKind() string {
	return gen.MemoryFor(p.StateMemory, p.Entries(), wordsInLUTRAM, gen.NoURAM)
}

// BitKind returns the memory of single bits: LUTRAM or BRAM.
func (p *Params) BitKind() string {
	return gen.MemoryFor(p.StateMemory, p.Entries(), bitsInLUTRAM, gen.NoURAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	words, bits := rtl.PartIn("fwd", p.WordKind()), rtl.PartIn("fwd", p.BitKind())
	parts := []string{words, bits}
	slices.Sort(parts)
	files, err := rtl.Parts(slices.Compact(parts)...)
	if err != nil {
		return nil, err
	}
	// LUT RAM is read in one cycle, a block RAM in RAM_LATENCY.
	latency := func(kind string) string {
		if kind == gen.BRAM {
			return "RAM_LATENCY"
		}
		return "1"
	}
	hi, lo := sv.RandomState(uint64(p.RandomSeed))
	fixed, one := p.FixedMode()
	own, err := texts.Modules(p, map[string]any{
		"Rows": Rows, "Latency": SendLatency, "Modes": p.Modes, "OneMode": one, "FixedMode": fmt.Sprintf("2'd%d", fixed), "HasTable": p.HasTable(),
		"Words": words, "Bits": bits, "WordLatency": latency(p.WordKind()), "BitLatency": latency(p.BitKind()), "Early": p.WordKind() == gen.BRAM || p.BitKind() == gen.BRAM,
		"WordsIn": gen.MemoryName(p.WordKind()), "BitsIn": gen.MemoryName(p.BitKind()),
		"Seed": fmt.Sprintf("127'h%016x_%016x", hi, lo), "RandomSeed": p.RandomSeed,
	}, "random", "hash", "aging", "table", "events", "spray")
	return append(files, own...), err
}
