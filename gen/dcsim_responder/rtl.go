// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"embed"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// rowsInLUTRAM is the number of rows up to which a memory is LUTRAM.
const rowsInLUTRAM = 64

// in returns the memory for a number of rows, named as its part names it.
func in(part string, bits int) string {
	return rtl.PartIn(part, gen.MemoryFor(gen.Auto, 1<<bits, rowsInLUTRAM, gen.NoURAM))
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	row := in("fwd", p.FlowIdxBits())
	tag := in("ram", p.FlowIdxBits()+sv.CLog2(p.Places))
	hint := in("ram", p.FlowIdxBits())
	parts, err := rtl.Parts("nic_lib_fifo_lut", row, hint, tag)
	if err != nil {
		return nil, err
	}
	part := func(name string) string { return strings.TrimPrefix(name, rtl.PartPrefix) }
	own, err := texts.Modules(p, map[string]any{
		"Flows": p.Flows, "Places": p.Places, "SIMAcks": p.SIMAcks, "Bells": Bells, "OutWords": OutWords, "RingBells": RingBells,
		"ClassBits": ClassBits, "BytesBits": BytesBits, "EveryBits": EveryBits, "LeftBits": LeftBits, "TickBits": TickBits, "StampBits": StampBits,
		"Ticks": Ticks, "LapTicks": LapTicks, "TwoLaps": 2 * LapTicks, "RestAge": RestAge,
		"Grain": 1 << GrainBits, "GrainBits": GrainBits, "RowRAM": part(row), "HintRAM": part(hint), "TagRAM": part(tag),
	}, "out", "visit", "tags", "dcsim_responder")
	return append(parts, own...), err
}
