// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// inLUTRAM is the largest number of connections for which single bits are in LUTRAM.
const inLUTRAM = 256

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	small := gen.MemoryFor(gen.Auto, p.Connections, inLUTRAM, gen.NoURAM)
	files, err := rtl.Parts(rtl.PartPrefix+"fifo_lut", rtl.PartIn("state", small), rtl.PartIn("fwd", small),
		rtl.PartIn("ram", gen.BRAM), rtl.PartIn("fwd", gen.BRAM))
	if err != nil {
		return nil, err
	}
	modules, err := texts.Modules(p, map[string]any{
		"Slots": p.Slots, "SlotBits": sv.CLog2(p.Slots), "SlotNS": p.SlotNS, "Shift": p.SlotShift(),
		"TimerBits": p.TimerBits, "FracBits": p.FracBits, "RateBits": p.RateBits(), "ByteBits": ByteBits,
		"NDTBits": p.TimerBits + p.FracBits, "TurnBits": p.TimerBits - p.SlotShift(), "CostBits": p.RateBits() + ByteBits,
		"State": rtl.PartIn("state", small), "Fwd": rtl.PartIn("fwd", small), "FIFO": FIFO, "Hold": Hold, "WholeBits": WholeBits, "Horizon": Horizon,
	}, "due", "wheel", "nic_pace")
	return append(files, modules...), err
}
