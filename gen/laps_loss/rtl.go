// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

const (
	// fewWords is the number of words up to which a memory is LUTRAM under Auto:
	// above it a block RAM is better used than that many LUTs.
	fewWords = 64
	// manyWords is the number of words of a lane from which the rings are URAM under
	// Auto: an URAM288 holds 8,192 words of up to 36 bits.
	manyWords = 8192
)

// RingWords is the number of words in each lane's memory.
func (p *Params) RingWords() int64 { return max(2, p.Paths) * p.Depth / p.Lanes }

// RingKind is the memory of the rings: LUTRAM, BRAM or URAM.
func (p *Params) RingKind() string {
	return gen.MemoryFor(p.RingMemory, p.RingWords(), fewWords, manyWords-1)
}

// StateKind is the memory of pointers and timers: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	return gen.MemoryFor(gen.Auto, p.Paths, fewWords, gen.NoURAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ring, kind := rtl.PartIn("ram", p.RingKind()), p.StateKind()
	ram, fwd, state := rtl.PartIn("ram", kind), rtl.PartIn("fwd", kind), rtl.PartIn("state", kind)
	parts := []string{"nic_lib_fifo_lut", fwd, ram, state}
	if ring != ram {
		parts = append(parts, ring)
	}
	files, err := rtl.Parts(parts...)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"FlowW": p.FlowBits, "SeqW": p.SeqBits, "LatW": p.LatBits, "TimeW": p.TimeBits,
		"Depth": p.Depth, "Lanes": p.Lanes, "Queues": p.AckQueues, "AckQueue": p.AckQueue, "LostQueue": p.LostQueue, "Single": p.Paths == 1,
		"SendLatency": SendLatency, "Slots": Slots, "MaxPasses": p.MaxPasses(),
		"RingRAM": ring, "StateRAM": ram, "FwdRAM": fwd, "State": state,
	}, "laps_loss")
	return append(files, own...), err
}
