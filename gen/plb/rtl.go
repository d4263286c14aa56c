// SPDX-License-Identifier: Apache-2.0

package plb

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

// Largest numbers of connections for which state lives in LUTRAM under Auto.
const (
	wordsInLUTRAM = 64
	flagsInLUTRAM = 512
)

// WordKind returns the memory of words: LUTRAM or BRAM.
func (p *Params) WordKind() string {
	return gen.MemoryFor(p.StateMemory, p.Connections, wordsInLUTRAM, gen.NoURAM)
}

// FlagKind returns the memory of single bits: LUTRAM or BRAM.
func (p *Params) FlagKind() string {
	return gen.MemoryFor(p.StateMemory, p.Connections, flagsInLUTRAM, gen.NoURAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	words, flags := p.WordKind(), p.FlagKind()
	lane, own := rtl.PartIn("fwd", words), []string{"pause", "rounds", "labels", "random", "counters", "plb"}
	if words == gen.BRAM {
		lane, own = "nic_plb_lane", append([]string{"lane"}, own...)
	}
	parts := []string{rtl.PartIn("ram", words), rtl.PartIn("fwd", words), rtl.PartIn("state", flags)}
	slices.Sort(parts)
	files, err := rtl.Parts(slices.Compact(parts)...)
	if err != nil {
		return nil, err
	}
	latency := func(kind string) string {
		if kind == gen.BRAM {
			return "RAM_LATENCY"
		}
		return "1"
	}
	hi, lo := sv.RandomState(uint64(p.RandomSeed))
	modules, err := texts.Modules(p, map[string]any{
		"Latency": SendLatency, "TickBits": TickBits, "SeqBits": SeqBits, "DrawBits": DrawBits, "WordBits": WordBits,
		"FractionBits": FractionBits, "FractionOne": FractionOne, "WindowBits": WindowBits, "StepShift": StepShift,
		"TickNS": "2^20", "Illegal": CauseIllegal,
		"RAM": rtl.PartIn("ram", words), "FwdWord": rtl.PartIn("fwd", words), "LaneWord": lane,
		"StateFlag":   rtl.PartIn("state", flags),
		"WordLatency": latency(words), "FlagLatency": latency(flags), "Blocks": words == gen.BRAM || flags == gen.BRAM,
		"WordBlocks": words == gen.BRAM, "FlagBlocks": flags == gen.BRAM,
		"Seed": fmt.Sprintf("127'h%016x_%016x", hi, lo), "RandomSeed": p.RandomSeed,
	}, own...)
	return append(files, modules...), err
}
